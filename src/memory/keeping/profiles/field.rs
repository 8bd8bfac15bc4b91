//! A field: what is stored of it, and what applications see.

use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::facts::Origin;
use crate::memory::limits::invalid;
use crate::memory::source::least;
use crate::ordered::Ordered;
use crate::record::{Provenance, Record, Trust};
use crate::schema::Violation;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::rc::Rc;

/// The most bytes the value of a field may have as JSON.
pub const MAX_FIELD_BYTES: usize = 64 * 1024;

/// What a field's record holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FieldValue {
    pub(crate) value: Value,
    /// What the conversation alone said, when it was consolidated with the value that was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) extracted: Option<Value>,
    /// What was said that led to the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<String>,
    pub(crate) origin: Origin,
    /// What the application calls this revision.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) labels: Map<String, Value>,
}

impl FieldValue {
    /// A value with nothing but who said so.
    pub(crate) fn new(value: Value, origin: Origin) -> Self {
        Self { value, extracted: None, context: None, origin, labels: Map::new() }
    }

    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        view.content()
    }

    /// Puts itself into a field's record, in place of all that was said of the value before.
    pub(super) fn write(&self, record: &mut Record, source: Vec<Provenance>, now: Timestamp) -> Result<()> {
        record.value = to_value(self)?;
        (record.valid_from, record.valid_to) = (now, None);
        record.provenance = source;
        Ok(())
    }

    pub(crate) fn from_json(value: Value, id: Id) -> Result<Self> {
        crate::json::from_value(value)
            .map_err(|_| Error::new(Code::Corrupt, format!("the field {id} is not readable")))
    }
}

/// The profile of one schema, as applications see it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Profile {
    /// The values of the fields that have one and validate.
    pub profile: Map<String, Value>,
    /// Every field that is stored, with where it came from.
    pub fields: Ordered<String, Rc<Field>>,
}

/// A field, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// Its id, for its history.
    pub id: Id,
    /// Its value.
    pub value: Value,
    /// Its revision.
    pub revision: u32,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it goes by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// What the application keeps with it.
    pub metadata: Map<String, Value>,
    /// Whether the user wants it kept as it is.
    pub pinned: bool,
    /// What was said that led to the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Who said so.
    pub origin: Origin,
    /// How far it is trusted: as the least trusted of what it comes from.
    pub trust: Trust,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
    /// Where the value breaks the present schema, if it does; it is kept, but is not part of the profile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<Violation>,
}

impl Field {
    pub(super) fn of(view: &RecordView<'_>, value: FieldValue, stale: Vec<Violation>) -> Result<Self> {
        let source = view.provenance()?;
        Ok(Self {
            id: view.id,
            value: value.value,
            revision: view.revision,
            updated_at: view.updated_at,
            expires_at: view.expires_at,
            metadata: view.metadata()?,
            pinned: view.pinned,
            context: value.context,
            origin: value.origin,
            trust: least(value.origin.trust(&source), &source),
            source,
            stale,
        })
    }
}

/// The key of a field's record.
pub(crate) fn key(schema: &str, field: &str) -> String {
    format!("{schema}/{field}")
}

/// Refuses a value over the limit.
pub(super) fn fits(schema: &str, field: &str, value: &Value) -> Result<()> {
    let bytes = value.to_string().len();
    if bytes <= MAX_FIELD_BYTES {
        return Ok(());
    }
    Err(invalid(format!(
        "{schema}.{field} has {bytes} bytes, over the limit of {MAX_FIELD_BYTES}; store less"
    ))
    .with("bytes", bytes)
    .with("limit", MAX_FIELD_BYTES))
}
