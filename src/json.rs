//! Reading types from JSON values, with errors that say where.
//!
//! Every type is read from a `Value`, never from text, and by one small reader. serde_json's also takes what nobody hands
//! over, such as a list for an object, and that is compiled anew for each type.

use serde::Deserializer;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Error, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    Visitor,
};
use serde_json::{Map, Number, Value};
use std::fmt;

/// Reads a type from a value.
///
/// # Errors
/// What is wrong with the value, and where.
pub fn from_value<T: DeserializeOwned>(value: Value) -> Result<T, Complaint> {
    T::deserialize(Reader(value))
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

/// A value that is being read.
struct Reader(Value);

impl Reader {
    /// That the value is of another type.
    #[cold]
    fn refused(&self, expected: &dyn Expected) -> Complaint {
        let found = match &self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(flag) => Unexpected::Bool(*flag),
            Value::Number(number) => unexpected(number),
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Complaint::invalid_type(found, expected)
    }

    fn number(&self, expected: &dyn Expected) -> Result<&Number, Complaint> {
        self.0.as_number().ok_or_else(|| self.refused(expected))
    }

    fn text(self, expected: &dyn Expected) -> Result<String, Complaint> {
        if let Value::String(text) = self.0 { Ok(text) } else { Err(self.refused(expected)) }
    }

    fn members(self, expected: &dyn Expected) -> Result<Members, Complaint> {
        if let Value::Object(members) = self.0 {
            Ok(Members::new(members))
        } else {
            Err(self.refused(expected))
        }
    }

    fn items(self, expected: &dyn Expected) -> Result<Items, Complaint> {
        if let Value::Array(items) = self.0 { Ok(Items::new(items)) } else { Err(self.refused(expected)) }
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
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(flag),
            Value::Number(number) => visit_number(&number, visitor),
            Value::String(text) => visitor.visit_string(text),
            Value::Array(items) => visitor.visit_seq(Items::new(items)),
            Value::Object(members) => visitor.visit_map(Members::new(members)),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        let flag = self.0.as_bool().ok_or_else(|| self.refused(&visitor))?;
        visitor.visit_bool(flag)
    }

    read_as! { deserialize_i64 deserialize_u8 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 => read_number }
    read_as! { deserialize_str deserialize_string deserialize_identifier => read_text }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        let items = self.items(&visitor)?;
        visitor.visit_seq(items)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Complaint> {
        let members = self.members(&visitor)?;
        visitor.visit_map(members)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        self.deserialize_map(visitor)
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
        i8 i16 i32 i128 u16 u128 char bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct ignored_any
    }
}

/// The items of a list.
struct Items {
    rest: std::vec::IntoIter<Value>,
    read: usize,
}

impl Items {
    fn new(items: Vec<Value>) -> Self {
        Self { rest: items.into_iter(), read: 0 }
    }
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Complaint;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Complaint> {
        let Some(item) = self.rest.next() else { return Ok(None) };
        self.read += 1;
        seed.deserialize(Reader(item)).map(Some).map_err(|complaint| complaint.of_item(self.read - 1))
    }
}

/// The members of an object.
struct Members {
    rest: serde_json::map::IntoIter,
    name: String,
    value: Value,
}

impl Members {
    fn new(members: Map<String, Value>) -> Self {
        Self { rest: members.into_iter(), name: String::new(), value: Value::Null }
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
        let value = seed.deserialize(Reader(self.value.take()));
        value.map_err(|complaint| complaint.of_property(&self.name))
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

    fn complaint(value: Value) -> (String, String) {
        let complaint = from_value::<Options>(value).unwrap_err();
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
            match (from_value::<Options>(value.clone()), serde_json::from_value::<Options>(value)) {
                (Ok(ours), Ok(theirs)) => prop_assert_eq!(ours, theirs),
                (Ok(ours), Err(theirs)) => prop_assert!(false, "{ours:?} {theirs}"),
                (Err(ours), theirs) => {
                    let ours = ours.to_string();
                    // What only serde_json takes: a list for an object, and an object for a name.
                    let stricter = ours == "invalid type: sequence, expected struct Options"
                        || ours == "invalid type: map, expected string or map";
                    let theirs = theirs.map_err(|error| error.to_string());
                    prop_assert!(stricter || theirs == Err(ours.clone()), "{ours} {theirs:?}");
                }
            }
        }
    }
}
