//! The reader of a value.

use super::complaint::{Complaint, OneOf};
use super::items::Items;
use super::members::Members;
use serde::de::{Deserializer, Expected, IntoDeserializer, Unexpected, Visitor};
use serde_json::{Number, Value};

/// What becomes of properties that a struct has no fields for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Strangers {
    Pass,
    Refuse,
}

/// A value that is being read; none for a field that was not given.
pub(super) struct Reader {
    pub(super) value: Option<Value>,
    pub(super) strangers: Strangers,
}

impl Reader {
    /// That the value is of another type.
    #[cold]
    fn refused(&self, expected: &dyn Expected) -> Complaint {
        Complaint::of_type(self.value.as_ref(), expected)
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

    /// The only such structs are those of [`loosely`](super::loosely).
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
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Complaint> {
        visitor.visit_enum(self.text(&OneOf(names))?.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i128 u16 u128 char bytes byte_buf unit unit_struct tuple tuple_struct ignored_any
    }
}
