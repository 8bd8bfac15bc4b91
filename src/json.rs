//! Reading types from JSON values, with errors that say where.
//!
//! Every type is read from a `Value`, never from text, and by one small reader. It hands a struct its fields as a list, in
//! their order: to find them by their names is work that serde would compile anew for each struct.

use crate::error::{Code, Error as Failure};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Error, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Reads a type from a value that was stored or answered. Properties that its structs have no fields for are let pass.
///
/// # Errors
/// What is wrong with the value, and where.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, Complaint> {
    T::deserialize(Reader { value: Some(value), strangers: Strangers::Pass })
}

/// Writes a type as a value, to be stored or answered.
///
/// # Errors
/// `Internal` for a type that JSON cannot hold, which none of the engine's is.
pub(crate) fn to_value<T: Serialize>(value: &T) -> Result<Value, Failure> {
    serde_json::to_value(value).map_err(|error| Failure::new(Code::Internal, error.to_string()))
}

/// Reads a type from a value that a caller wrote. Properties that its structs have no fields for are refused.
///
/// # Errors
/// What is wrong with the value, and where.
pub fn from_options<T: DeserializeOwned>(value: Value) -> Result<T, Complaint> {
    T::deserialize(Reader { value: Some(value), strangers: Strangers::Refuse })
}

/// Reads a field in which properties nobody knows are let pass, whatever holds around it.
///
/// # Errors
/// What is wrong with the value, and where.
pub fn loosely<'de, D: Deserializer<'de>, T: Deserialize<'de>>(value: D) -> Result<T, D::Error> {
    #[derive(Deserialize)]
    struct Loose<T>(T);
    Loose::deserialize(value).map(|Loose(read)| read)
}

/// What becomes of properties that a struct has no fields for.
#[derive(Clone, Copy, PartialEq)]
enum Strangers {
    Pass,
    Refuse,
}

/// Why a value is not what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint(Box<Parts>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Parts {
    /// The path to the part to blame, as JavaScript writes it behind the name of the whole, such as `.messages[0].role`.
    path: String,
    told: String,
}

impl Complaint {
    /// The path to the part to blame, such as `messages[0].role`; empty for the whole.
    #[must_use]
    pub fn place(&self) -> &str {
        let path = &self.0.path;
        path.strip_prefix('.').unwrap_or(path)
    }

    /// Says in which property it is.
    #[cold]
    fn of_property(mut self, name: &str) -> Self {
        let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let path = &self.0.path;
        self.0.path = if is_bare { format!(".{name}{path}") } else { format!("[{name:?}]{path}") };
        self
    }

    /// Says in which item it is.
    #[cold]
    fn of_item(mut self, index: usize) -> Self {
        self.0.path = format!("[{index}]{}", self.0.path);
        self
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.told)
    }
}

impl std::error::Error for Complaint {}

impl Error for Complaint {
    #[cold]
    fn custom<T: fmt::Display>(told: T) -> Self {
        Self(Box::new(Parts { path: String::new(), told: told.to_string() }))
    }

    #[cold]
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid type: {}, expected {expected}", described(found)))
    }

    #[cold]
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(format_args!("invalid value: {}, expected {expected}", described(found)))
    }
}

/// What was found. Numbers with a point are written as JSON: the standard library's way of it is 12 kB more.
fn described(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Float(number) => format!("floating point `{}`", Value::from(number)),
        Unexpected::Unsigned(number) => format!("integer `{number}`"),
        Unexpected::Signed(number) => format!("integer `{number}`"),
        Unexpected::Bool(flag) => format!("boolean `{flag}`"),
        Unexpected::Str(text) => format!("string {text:?}"),
        Unexpected::Seq => "sequence".to_owned(),
        Unexpected::Map => "map".to_owned(),
        Unexpected::Other(other) => other.to_owned(),
        _ => "null".to_owned(),
    }
}

/// A value that is being read; none for a field that was not given.
struct Reader {
    value: Option<Value>,
    strangers: Strangers,
}

impl Reader {
    /// That the value is of another type.
    #[cold]
    fn refused(&self, expected: &dyn Expected) -> Complaint {
        let found = match &self.value {
            None => Unexpected::Other("nothing"),
            Some(Value::Null) => Unexpected::Unit,
            Some(Value::Bool(flag)) => Unexpected::Bool(*flag),
            Some(Value::Number(number)) => unexpected(number),
            Some(Value::String(text)) => Unexpected::Str(text),
            Some(Value::Array(_)) => Unexpected::Seq,
            Some(Value::Object(_)) => Unexpected::Map,
        };
        Complaint::invalid_type(found, expected)
    }

    fn number(&self, expected: &dyn Expected) -> Result<&Number, Complaint> {
        self.value.as_ref().and_then(Value::as_number).ok_or_else(|| self.refused(expected))
    }

    fn text(self, expected: &dyn Expected) -> Result<String, Complaint> {
        if let Some(Value::String(text)) = self.value { Ok(text) } else { Err(self.refused(expected)) }
    }

    fn members(self, expected: &dyn Expected) -> Result<Members, Complaint> {
        if let Some(Value::Object(members)) = self.value {
            Ok(Members::new(members, self.strangers))
        } else {
            Err(self.refused(expected))
        }
    }

    fn items(self, expected: &dyn Expected) -> Result<Items, Complaint> {
        if let Some(Value::Array(items)) = self.value {
            Ok(Items::new(items, self.strangers))
        } else {
            Err(self.refused(expected))
        }
    }

    fn fields(self, names: &'static [&'static str], expected: &dyn Expected) -> Result<Items, Complaint> {
        if let Some(Value::Object(members)) = self.value {
            Items::of_struct(members, names, self.strangers)
        } else {
            Err(self.refused(expected))
        }
    }
}

fn unexpected(number: &Number) -> Unexpected<'static> {
    match (number.as_u64(), number.as_i64()) {
        (Some(whole), _) => Unexpected::Unsigned(whole),
        (_, Some(whole)) => Unexpected::Signed(whole),
        _ => Unexpected::Float(number.as_f64().unwrap_or(f64::NAN)),
    }
}

fn visit_number<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Complaint> {
    match unexpected(number) {
        Unexpected::Unsigned(whole) => visitor.visit_u64(whole),
        Unexpected::Signed(whole) => visitor.visit_i64(whole),
        _ => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
    }
}

/// Reads of some types that go one way.
macro_rules! read_as {
    ($($method:ident)* => $read:ident) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
            self.$read(visitor)
        })*
    };
}

impl Reader {
    fn read_number<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        visit_number(self.number(&visitor)?, visitor)
    }

    fn read_text<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        let text = self.text(&visitor)?;
        visitor.visit_string(text)
    }
}

impl<'de> Deserializer<'de> for Reader {
    type Error = Complaint;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        match self.value {
            None => Err(self.refused(&visitor)),
            Some(Value::Null) => visitor.visit_unit(),
            Some(Value::Bool(flag)) => visitor.visit_bool(flag),
            Some(Value::Number(number)) => visit_number(&number, visitor),
            Some(Value::String(text)) => visitor.visit_string(text),
            Some(Value::Array(items)) => visitor.visit_seq(&mut Items::new(items, self.strangers)),
            Some(Value::Object(members)) => visitor.visit_map(Members::new(members, self.strangers)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        let flag = self.value.as_ref().and_then(Value::as_bool).ok_or_else(|| self.refused(&visitor))?;
        visitor.visit_bool(flag)
    }

    read_as! { deserialize_i64 deserialize_u8 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 => read_number }
    read_as! { deserialize_str deserialize_string deserialize_identifier => read_text }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        if self.value.as_ref().is_none_or(Value::is_null) {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        let mut items = self.items(&visitor)?;
        visitor.visit_seq(&mut items)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        let members = self.members(&visitor)?;
        visitor.visit_map(members)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        let mut fields = self.fields(names, &visitor)?;
        visitor.visit_seq(&mut fields).map_err(|complaint| fields.missing(complaint))
    }

    /// The only such structs are those of [`loosely`].
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        visitor.visit_newtype_struct(Self { strangers: Strangers::Pass, ..self })
    }

    /// All enums are of names alone.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        visitor.visit_enum(self.text(&"string or map")?.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i128 u16 u128 char bytes byte_buf unit unit_struct tuple tuple_struct ignored_any
    }
}

/// The items of a list, or the fields of a struct.
struct Items {
    /// None for a field that was not given.
    rest: std::vec::IntoIter<Option<Value>>,
    /// The names of the fields; of a list none. A field that has another spelling has it behind its name.
    names: &'static [&'static str],
    read: usize,
    strangers: Strangers,
}

impl Items {
    fn new(items: Vec<Value>, strangers: Strangers) -> Self {
        let items: Vec<Option<Value>> = items.into_iter().map(Some).collect();
        Self { rest: items.into_iter(), names: &[], read: 0, strangers }
    }

    fn of_struct(
        members: Map<String, Value>,
        names: &'static [&'static str],
        strangers: Strangers,
    ) -> Result<Self, Complaint> {
        let mut fields = Vec::new();
        fields.resize_with(names.len(), || None);
        let mut next = 0;
        for (name, value) in members {
            // What was stored has its members in the order of the fields.
            let is_next = names.get(next).is_some_and(|known| *known == name);
            let place = if is_next { Some(next) } else { names.iter().position(|known| *known == name) };
            match place {
                Some(place) => {
                    next = place + 1;
                    let place = if is_spelling(names, place) { place - 1 } else { place };
                    let Some(field @ None) = fields.get_mut(place) else {
                        return Err(Complaint::custom(format_args!("`{name}` is given in two spellings")));
                    };
                    *field = Some(value);
                }
                None if strangers == Strangers::Pass => {}
                None => return Err(Complaint::unknown_field(&name, names).of_property(&name)),
            }
        }
        Ok(Self { rest: fields.into_iter(), names, read: 0, strangers })
    }

    /// Says where the item that was read last is.
    #[cold]
    fn placed(&self, complaint: Complaint) -> Complaint {
        let place = self.read.saturating_sub(1);
        match self.names.get(place) {
            Some(name) => complaint.of_property(name),
            None => complaint.of_item(place),
        }
    }

    /// A struct's own complaint, which can only be that the field read last was not given.
    #[cold]
    fn missing(&self, complaint: Complaint) -> Complaint {
        match self.names.get(self.read.saturating_sub(1)) {
            Some(name) if complaint.0.path.is_empty() => Complaint::missing_field(name),
            _ => complaint,
        }
    }

    /// Goes to the next item or field.
    fn next(&mut self) -> Option<Option<Value>> {
        while matches!(self.rest.as_slice(), [None, ..]) && is_spelling(self.names, self.read) {
            self.rest.next();
            self.read += 1;
        }
        self.read += 1;
        self.rest.next()
    }
}

impl<'de> SeqAccess<'de> for &mut Items {
    type Error = Complaint;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Complaint> {
        let Some(value) = self.next() else { return Ok(None) };
        let is_given = value.is_some();
        match seed.deserialize(Reader { value, strangers: self.strangers }) {
            Ok(read) => Ok(Some(read)),
            Err(complaint) if is_given => Err(self.placed(complaint)),
            // The struct has a default for it, or complains.
            Err(_) => Ok(None),
        }
    }
}

/// Whether a name is the one before it with underscores, such as `tool_calls` behind `toolCalls`.
fn is_spelling(names: &[&str], place: usize) -> bool {
    let Some([before, name]) = place.checked_sub(1).and_then(|before| names.get(before..=place)) else {
        return false;
    };
    // The underscores make it longer: most names are told apart without a look at their letters.
    name.len() > before.len() && name.replace('_', "").eq_ignore_ascii_case(before)
}

/// The members of an object.
struct Members {
    rest: serde_json::map::IntoIter,
    name: String,
    value: Value,
    strangers: Strangers,
}

impl Members {
    fn new(members: Map<String, Value>, strangers: Strangers) -> Self {
        Self { rest: members.into_iter(), name: String::new(), value: Value::Null, strangers }
    }

    /// Goes to the next member; `false` when there is none.
    fn advance(&mut self) -> bool {
        let next = self.rest.next();
        let found = next.is_some();
        (self.name, self.value) = next.unwrap_or_default();
        found
    }
}

impl<'de> MapAccess<'de> for Members {
    type Error = Complaint;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Complaint> {
        if !self.advance() {
            return Ok(None);
        }
        let name = seed.deserialize(StrDeserializer::new(&self.name));
        name.map(Some).map_err(|complaint: Complaint| complaint.of_property(&self.name))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Complaint> {
        let value = Reader { value: Some(self.value.take()), strangers: self.strangers };
        seed.deserialize(value).map_err(|complaint| complaint.of_property(&self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Choice {
        One,
        Two,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Options {
        text: String,
        count: Option<u8>,
        time: Option<i64>,
        share: Option<f32>,
        flag: Option<bool>,
        choice: Option<Choice>,
        #[serde(default)]
        more: Vec<Options>,
        #[serde(default)]
        by_name: Map<String, Value>,
        any: Option<Value>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Stored {
        any: Value,
        #[serde(alias = "other_name")]
        other_name: Option<u32>,
        #[serde(default = "seven")]
        count: u32,
        pair: Option<[u32; 2]>,
        #[serde(default, deserialize_with = "loosely")]
        loose: Vec<Options>,
    }

    fn seven() -> u32 {
        7
    }

    #[test]
    fn what_is_not_given_is_a_default_or_a_complaint() {
        let stored = Stored { any: Value::Null, other_name: None, count: 7, pair: None, loose: Vec::new() };
        assert_eq!(from_value::<Stored>(json!({ "any": null, "more": 1 })).unwrap(), stored);
        let complaint = from_value::<Stored>(json!({ "otherName": 1 })).unwrap_err();
        assert_eq!((complaint.place(), complaint.to_string()), ("", "missing field `any`".to_owned()));
        let complaint = from_value::<Stored>(json!({ "any": 1, "pair": [1] })).unwrap_err();
        assert_eq!(complaint.place(), "pair");
        assert_eq!(complaint.to_string(), "invalid length 1, expected an array of length 2");
    }

    #[test]
    fn a_field_may_have_two_spellings() {
        for (value, read) in [
            (json!({ "any": 1, "otherName": 5, "count": 6 }), (Some(5), 6)),
            (json!({ "any": 1, "other_name": 5, "count": 6 }), (Some(5), 6)),
        ] {
            let stored: Stored = from_options(value).unwrap();
            assert_eq!((stored.other_name, stored.count), read);
        }
        let twice = json!({ "any": 1, "otherName": 5, "other_name": 5 });
        assert_eq!(
            from_value::<Stored>(twice).unwrap_err().to_string(),
            "`other_name` is given in two spellings"
        );
        let made_up = json!({ "any": 1, "co_unt": 5 });
        assert_eq!(from_options::<Stored>(made_up).unwrap_err().place(), "co_unt");
    }

    #[test]
    fn strangers_pass_where_it_says_so() {
        let loose = json!([{ "text": "a", "stranger": 1 }]);
        let stored: Stored = from_options(json!({ "any": 1, "loose": loose })).unwrap();
        assert_eq!(stored.loose.len(), 1);
        assert!(from_options::<Options>(json!({ "text": "a", "more": loose })).is_err());
        assert!(from_value::<Options>(json!({ "text": "a", "more": loose })).is_ok());
    }

    fn complaint(value: Value) -> (String, String) {
        let complaint = from_options::<Options>(value).unwrap_err();
        (complaint.place().to_owned(), complaint.to_string())
    }

    #[test]
    fn a_complaint_names_its_place() {
        for (value, place, told) in [
            (json!(7), "", "invalid type: integer `7`, expected struct Options"),
            (json!([]), "", "invalid type: sequence, expected struct Options"),
            (json!({}), "", "missing field `text`"),
            (json!({"text": null}), "text", "invalid type: null, expected a string"),
            (json!({"text": "", "count": 300}), "count", "invalid value: integer `300`, expected u8"),
            (json!({"text": "", "count": 1.5}), "count", "invalid type: floating point `1.5`, expected u8"),
            (json!({"text": "", "share": "x"}), "share", "invalid type: string \"x\", expected f32"),
            (
                json!({"text": "", "choice": "three"}),
                "choice",
                "unknown variant `three`, expected `one` or `two`",
            ),
            (json!({"text": "", "more": {}}), "more", "invalid type: map, expected a sequence"),
            (json!({"text": "", "more": [{"text": "a"}, {}]}), "more[1]", "missing field `text`"),
            (
                json!({"text": "", "more": [{"text": "", "more": [{"text": true}]}]}),
                "more[0].more[0].text",
                "invalid type: boolean `true`, expected a string",
            ),
        ] {
            assert_eq!(complaint(value), (place.to_owned(), told.to_owned()));
        }
        let (place, told) = complaint(json!({"text": "", "a b": 1}));
        assert_eq!(place, "[\"a b\"]");
        assert!(told.starts_with("unknown field `a b`, expected one of `text`, `count`"), "{told}");
    }

    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            (-300..300i64).prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (-2.0..2.0f64).prop_map(Value::from),
            prop_oneof!["one", "[a-z]{0,3}"].prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 20, 4, |inner| {
            let name = prop_oneof![
                Just("text"),
                Just("count"),
                Just("time"),
                Just("share"),
                Just("flag"),
                Just("choice"),
                Just("more"),
                Just("byName"),
                Just("any"),
                Just("other"),
            ];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::vec((name, inner), 0..5).prop_map(|members| {
                    let mut members: Map<String, Value> =
                        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
                    members.entry("text").or_insert_with(|| Value::from(""));
                    Value::Object(members)
                }),
            ]
        })
    }

    proptest! {
        #[test]
        fn reads_what_serde_json_reads(value in value()) {
            match (from_options::<Options>(value.clone()), serde_json::from_value::<Options>(value)) {
                (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
                (Ok(ours), Err(theirs)) => prop_assert!(false, "{ours:?} {theirs}"),
                (Err(_), Err(_)) => {}
                (Err(ours), Ok(_)) => {
                    let ours = ours.to_string();
                    // What only serde_json takes: a list for an object, and an object for a name.
                    let stricter = ours == "invalid type: sequence, expected struct Options"
                        || ours == "invalid type: map, expected string or map";
                    prop_assert!(stricter, "{ours}");
                }
            }
        }
    }
}
