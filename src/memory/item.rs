//! Items: records of every kind, as applications see them.

use super::facts::Origin;
use super::past::said;
use super::profiles::FieldValue;
use crate::error::Result;
use crate::id::Id;
use crate::record::{Kind, Provenance, Record};
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

/// A record, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Its id.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// What it says.
    pub text: String,
    /// A field's value; the whole value of other records.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub value: Value,
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Whether the user wants it kept as it is.
    pub pinned: bool,
    /// How much it matters, 1 to 10; 0 when nobody said.
    pub significance: u8,
    /// What the application keeps with it.
    pub metadata: Map<String, Value>,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// From when it is true.
    pub valid_from: Timestamp,
    /// Until when it was true, if it no longer is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// When it goes by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Its revision.
    pub revision: u32,
    /// Who said so; for facts and fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
}

impl Item {
    pub(crate) fn of(record: Record) -> Result<Self> {
        let (text, origin, _) = said(&record)?;
        let value = match record.kind {
            Kind::Field => FieldValue::from_json(record.value, record.id)?.value,
            _ => record.value,
        };
        Ok(Self {
            id: record.id,
            kind: record.kind,
            text,
            value,
            key: record.key,
            pinned: record.pinned,
            significance: record.significance,
            metadata: record.metadata,
            created_at: record.created_at,
            updated_at: record.updated_at,
            valid_from: record.valid_from,
            valid_to: record.valid_to,
            expires_at: record.expires_at,
            revision: record.revision,
            origin,
            source: record.provenance,
        })
    }
}
