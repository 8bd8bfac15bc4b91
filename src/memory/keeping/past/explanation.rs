//! Why something is known, down to the messages.

use super::{Past, unknown};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::memory::documents;
use crate::memory::episodes::EpisodeValue;
use crate::memory::facts::Origin;
use crate::memory::graph::Relation;
use crate::memory::message::{Role, StoredMessage};
use crate::memory::pages::asked;
use crate::memory::profiles::FieldValue;
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// Why something is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// Which record.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// What it says.
    pub text: String,
    /// Its revision.
    pub revision: u32,
    /// When that revision was made.
    pub at: Timestamp,
    /// The commit that made it.
    pub commit_id: Id,
    /// Why it was made.
    pub cause: Cause,
    /// Who said so; for facts, fields and documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// What was said that led to it; for fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The messages it came from, as far as they are still there.
    pub source: Vec<SourceMessage>,
}

/// A message that something came from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceMessage {
    /// Which message, and the words.
    #[serde(flatten)]
    pub source: Provenance,
    /// Who said it; absent when the message is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// The whole message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// When it was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
}

impl Past {
    /// Why something is known, down to the messages.
    ///
    /// # Errors
    /// `NotFound` when it is not there, and those of reading.
    pub fn explain(&self, scope: &Scope, id: Id) -> Result<Explanation> {
        self.database.read(|store| {
            let revisions = store.history(scope, id)?;
            let revision = revisions.into_iter().next_back().ok_or_else(|| unknown(scope, id))?;
            let record = revision.record.ok_or_else(|| unknown(scope, id))?;
            let (text, origin, context) = said(&record)?;
            let mut source = Vec::new();
            for provenance in record.provenance {
                let message = match store.get(scope, provenance.message_id) {
                    Some(view) if view.kind == Kind::Message => Some(StoredMessage::of(&view)?),
                    Some(view) if view.kind == Kind::Page => Some(asked(&view)?),
                    _ => None,
                };
                source.push(SourceMessage {
                    source: provenance,
                    role: message.as_ref().map(|message| message.role),
                    message: message.as_ref().map(StoredMessage::text),
                    created_at: message.map(|message| message.created_at),
                });
            }
            Ok(Explanation {
                id,
                kind: record.kind,
                text,
                revision: revision.revision,
                at: revision.at,
                commit_id: revision.commit,
                cause: revision.cause,
                origin,
                context,
                source,
            })
        })
    }
}

/// What a record says, who said so, and in what context.
pub(crate) fn said(record: &Record) -> Result<(String, Option<Origin>, Option<String>)> {
    match record.kind {
        Kind::Field => {
            let field = FieldValue::from_json(record.value.clone(), record.id)?;
            let name = record.key.as_deref().and_then(|key| key.split_once('/')).map_or("", |(_, name)| name);
            Ok((format!("{name}: {}", field.value), Some(field.origin), field.context))
        }
        Kind::Relation => {
            let relation: Relation =
                crate::json::from_value(record.value.clone()).map_err(|_| unreadable(record.id))?;
            Ok((format!("{} {} {}", relation.from, relation.relation_type, relation.to), None, None))
        }
        Kind::Fact | Kind::Instruction => {
            let origin = record.value.get("origin").cloned();
            let origin = origin.and_then(|origin| crate::json::from_value(origin).ok());
            Ok((record.text.clone().unwrap_or_default(), origin, None))
        }
        Kind::Document => Ok((documents::said(record), Some(Origin::User), None)),
        Kind::Episode => {
            let value: EpisodeValue =
                crate::json::from_value(record.value.clone()).map_err(|_| unreadable(record.id))?;
            Ok((value.said(), Some(value.origin), None))
        }
        Kind::Block => {
            let value = record.value.get("value").and_then(Value::as_str).unwrap_or_default();
            Ok((format!("{}: {value}", record.key.as_deref().unwrap_or_default()), None, None))
        }
        _ => {
            let words = record.text.as_ref().or(record.key.as_ref());
            Ok((words.cloned().unwrap_or_default(), None, None))
        }
    }
}

fn unreadable(id: Id) -> Error {
    Error::new(Code::Corrupt, format!("the relation {id} is not readable"))
}
