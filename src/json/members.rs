//! The members of an object.

use super::complaint::Complaint;
use super::reader::{Reader, Strangers};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, MapAccess};
use serde_json::{Map, Value};

/// The members of an object.
pub(super) struct Members {
    rest: serde_json::map::IntoIter,
    name: String,
    value: Value,
    strangers: Strangers,
}

impl Members {
    pub(super) fn new(members: Map<String, Value>, strangers: Strangers) -> Self {
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
