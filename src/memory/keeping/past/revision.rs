//! The revisions of a record.

use super::{Past, unknown};
use crate::error::Result;
use crate::id::Id;
use crate::log::Cause;
use crate::memory::profiles::FieldValue;
use crate::record::{Kind, Provenance};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// A revision, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RevisionView {
    /// Its number.
    pub revision: u32,
    /// When it was made.
    pub at: Timestamp,
    /// The commit that made it, for undoing it.
    pub commit_id: Id,
    /// Why it was made.
    pub cause: Cause,
    /// Whether it is a deletion; nothing below is there then.
    pub deleted: bool,
    /// A field's value; the whole value of other records.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub value: Value,
    /// The text, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What the conversation alone said, when a field's value was consolidated with the one before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extracted: Option<Value>,
    /// What was said that led to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// What the application called this revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<Value>,
    /// Whether the user wanted it kept as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pinned: Option<bool>,
    /// When it was to go by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// From when it was true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// Until when it was true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
}

impl Past {
    /// The revisions of a record, oldest first, as far as they are still shown.
    ///
    /// # Errors
    /// `NotFound` when this scope never had it, and those of reading.
    pub fn history(&self, scope: &Scope, id: Id) -> Result<Vec<RevisionView>> {
        let revisions = self.database.read(|store| store.history(scope, id))?;
        if revisions.is_empty() {
            return Err(unknown(scope, id));
        }
        revisions
            .into_iter()
            .map(|revision| {
                let mut view = RevisionView {
                    revision: revision.revision,
                    at: revision.at,
                    commit_id: revision.commit,
                    cause: revision.cause,
                    deleted: revision.record.is_none(),
                    value: Value::Null,
                    text: None,
                    extracted: None,
                    context: None,
                    labels: None,
                    pinned: None,
                    expires_at: None,
                    valid_from: None,
                    valid_to: None,
                    source: Vec::new(),
                };
                if let Some(record) = revision.record {
                    view.valid_from = Some(record.valid_from);
                    view.valid_to = record.valid_to;
                    view.text = record.text;
                    view.source = record.provenance;
                    view.pinned = Some(record.pinned);
                    view.expires_at = record.expires_at;
                    view.labels = record.value.get("labels").cloned();
                    view.value = record.value;
                    if let (Kind::Entity, Value::Object(value)) = (record.kind, &mut view.value) {
                        // The graph's own.
                        value.remove("learned");
                    }
                    if record.kind == Kind::Field {
                        let field = FieldValue::from_json(view.value, id)?;
                        view.value = field.value;
                        view.extracted = field.extracted;
                        view.context = field.context;
                    }
                }
                Ok(view)
            })
            .collect()
    }
}
