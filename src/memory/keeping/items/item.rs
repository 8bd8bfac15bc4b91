//! An item: the same shape for every kind.

use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::facts::Origin;
use crate::memory::listing::Shown;
use crate::memory::past::said;
use crate::memory::source::trust_of;
use crate::record::{Kind, Provenance, Record, Trust};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

/// Something that is remembered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Its id.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// What it says, in words.
    pub text: String,
    /// The value of a field; of other items what is kept beside the words.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub value: Value,
    /// Its name among those of its kind, if it has one: `<schema>/<field>` of a field, the name of an instruction.
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
    /// Who said so, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// How far it is trusted: as the least trusted of what it comes from.
    pub trust: Trust,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
}

impl Shown for Item {
    const FIELDS: &'static [&'static str] = &[
        "id",
        "kind",
        "text",
        "value",
        "key",
        "pinned",
        "significance",
        "metadata",
        "createdAt",
        "updatedAt",
        "validFrom",
        "validTo",
        "expiresAt",
        "revision",
        "origin",
        "trust",
        "source",
    ];
}

impl Item {
    pub(crate) fn of(view: &RecordView<'_>, scope: &Scope) -> Result<Self> {
        Self::from_record(view.to_record(scope)?)
    }

    /// The item of a record.
    pub(crate) fn from_record(mut record: Record) -> Result<Self> {
        let (text, origin, _) = said(&record)?;
        let trust = trust_of(&record);
        if record.kind == Kind::Field {
            record.value = record.value.get("value").cloned().unwrap_or_default();
        } else if record.kind != Kind::Document
            && let Value::Object(value) = &mut record.value
        {
            // Told beside it, or of the rules' own.
            value.remove("origin");
            value.remove("rule");
            value.remove("learned");
            value.remove("trust");
        }
        Ok(Self {
            id: record.id,
            kind: record.kind,
            text,
            value: record.value,
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
            trust,
            source: record.provenance,
        })
    }
}
