//! The past of a record: its revisions, why it is known, and taking a commit back.

use crate::database::Database;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::memory::action::Action;
use crate::memory::changes::{Changes, Outcome};
use crate::memory::documents;
use crate::memory::episodes::EpisodeValue;
use crate::memory::facts::{Origin, claim};
use crate::memory::graph::Relation;
use crate::memory::message::{Role, StoredMessage, thread_of};
use crate::memory::pages::{asked, bring_back, forget_pages};
use crate::memory::profiles::FieldValue;
use crate::memory::threads::{self, forget};
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::store::{Change, Draft, Store};
use crate::time::Timestamp;
use rustc_hash::FxHashSet;
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

/// Claims the words that facts of a draft say again.
fn alone(store: &Store, draft: &mut Draft, now: Timestamp) -> Result<()> {
    let mut again = Vec::new();
    for change in &draft.changes {
        if let Change::Put { record, .. } = change
            && record.kind == Kind::Fact
            && record.valid_to.is_none_or(|end| end > now)
            && store.get(&draft.scope, record.id).is_none_or(|view| view.text != record.text.as_deref())
        {
            again.push(record.clone());
        }
    }
    for record in again {
        claim(store, draft, &record, now).map_err(|mut error| {
            error.code = Code::Conflict;
            error
        })?;
    }
    Ok(())
}

/// Empties the summaries that tell of messages which a draft changes, but for those that it changes itself.
fn forget_messages(store: &Store, draft: &mut Draft) -> Result<()> {
    let mut threads: Vec<(String, Vec<Id>)> = Vec::new();
    for change in &draft.changes {
        let (id, key) = match change {
            Change::Put { record, .. } if record.kind == Kind::Message => (record.id, record.key.as_deref()),
            Change::Delete { id, .. } => {
                let view = store.get(&draft.scope, *id).filter(|view| view.kind == Kind::Message);
                (*id, view.and_then(|view| view.key))
            }
            _ => continue,
        };
        let Some(thread_id) = key.map(thread_of) else { continue };
        match threads.iter_mut().find(|(known, _)| known == thread_id) {
            Some((_, ids)) => ids.push(id),
            None => threads.push((thread_id.to_owned(), vec![id])),
        }
    }
    let mut emptied = Draft::new(&draft.scope, draft.cause);
    for (thread_id, ids) in threads {
        forget(store, &thread_id, &ids, threads::Change::Replaced, &mut emptied)?;
    }
    let own: FxHashSet<Id> = draft.ids().collect();
    let others = emptied.changes.into_iter().filter(|change| !own.contains(&change.id()));
    draft.changes.extend(others);
    Ok(())
}

/// What an undo did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Undone {
    /// The commit that took the other back; none when there was nothing left to take back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_id: Option<Id>,
    /// What it changed.
    pub changes: Vec<Action>,
}

/// The past of every scope.
#[derive(Clone)]
pub struct Past {
    database: Database,
    changes: Changes,
}

impl Past {
    pub(crate) fn new(changes: Changes, database: Database) -> Self {
        Self { database, changes }
    }

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

    /// Takes a commit back: everything it changed becomes what it was before, as new revisions.
    ///
    /// # Errors
    /// `NotFound` when this scope has no such commit, `Conflict` when something it changed has changed since and that was not
    /// taken back, when another fact says by now what one would say again, or when a relation would lack an end, and those of
    /// storing.
    pub async fn undo(&self, scope: &Scope, commit_id: Id) -> Result<Undone> {
        let draft = self.database.read(|store| {
            let mut draft = store.undo(scope, commit_id)?;
            bring_back(store, &mut draft)?;
            forget_pages(store, &mut draft, self.database.now())?;
            alone(store, &mut draft, self.database.now())?;
            forget_messages(store, &mut draft)?;
            Ok(draft)
        })?;
        let Outcome { commit_id, actions } = self.changes.commit(draft).await?;
        Ok(Undone { commit_id, changes: actions })
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

fn unknown(scope: &Scope, id: Id) -> Error {
    Error::new(
        Code::NotFound,
        format!("{} has nothing with the id {id}; list what is there", scope.canonical()),
    )
    .with("id", id.to_string())
}
