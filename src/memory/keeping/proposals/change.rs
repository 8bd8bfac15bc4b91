//! One change that waits: the record as it would be stored, and what it is based on.

use super::{ProposedChange, words};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::memory::action::Action;
use crate::memory::facts::{said_by_another, wording};
use crate::memory::profiles::{FieldValue, Schemas};
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::store::{Change, Draft, Expect, Store};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A record that would be put, or deleted when it has no `record`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Proposed {
    pub(super) id: Id,
    /// The stored tag of its kind.
    kind: u8,
    /// The revision it is based on; none when the record is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) based_on: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    record: Option<Content>,
}

/// What of a record a proposal decides.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Content {
    key: Option<String>,
    value: Value,
    text: Option<String>,
    metadata: Map<String, Value>,
    significance: u8,
    pinned: bool,
    valid_from: Timestamp,
    valid_to: Option<Timestamp>,
    expires_at: Option<Timestamp>,
    provenance: Vec<Provenance>,
}

impl Proposed {
    /// A change as it waits; `None` for what cannot wait, such as a vector.
    pub(super) fn of(change: &Change, store: &Store, scope: &Scope) -> Option<Self> {
        match change {
            Change::Put { record, expect, .. } => Some(Self {
                id: record.id,
                kind: record.kind.tag(),
                based_on: based_on(*expect, store, scope, record.id),
                record: Some(Content {
                    key: record.key.clone(),
                    value: record.value.clone(),
                    text: record.text.clone(),
                    metadata: record.metadata.clone(),
                    significance: record.significance,
                    pinned: record.pinned,
                    valid_from: record.valid_from,
                    valid_to: record.valid_to,
                    expires_at: record.expires_at,
                    provenance: record.provenance.clone(),
                }),
            }),
            Change::Delete { id, expect } => Some(Self {
                id: *id,
                kind: store.get(scope, *id)?.kind.tag(),
                based_on: based_on(*expect, store, scope, *id),
                record: None,
            }),
            _ => None,
        }
    }

    fn kind(&self) -> Result<Kind> {
        Kind::from_tag(self.kind).ok_or_else(|| {
            Error::new(Code::Corrupt, format!("the proposed change of {} is not readable", self.id))
        })
    }

    /// Refuses a field whose schema has changed since.
    pub(super) fn check(&self, schemas: &Schemas) -> Result<()> {
        let Some(content) = self.record.as_ref().filter(|_| self.kind == Kind::Field.tag()) else {
            return Ok(());
        };
        let Some((schema, field)) = content.key.as_deref().and_then(|key| key.split_once('/')) else {
            return Ok(());
        };
        schemas.check(schema, field, &FieldValue::from_json(content.value.clone(), self.id)?.value)
    }

    /// What there is in place of a new fact: one that says the same, in the store or in a draft, and is none of those that
    /// change together with it.
    ///
    /// # Errors
    /// `Conflict` when a known fact would say what another one says.
    pub(super) fn known(
        &self,
        store: &Store,
        draft: &Draft,
        together: &[Self],
        now: Timestamp,
    ) -> Result<Option<Action>> {
        let text = self.record.as_ref().filter(|content| content.valid_to.is_none());
        let Some(text) = text.filter(|_| self.kind == Kind::Fact.tag()).and_then(|own| own.text.as_deref())
        else {
            return Ok(None);
        };
        let words = wording(text);
        let drafted = draft.changes.iter().find_map(|change| match change {
            Change::Put { record, .. } if record.kind == Kind::Fact && record.valid_to.is_none() => {
                record.text.as_deref().filter(|text| wording(text) == words).map(|_| (record.id, 1))
            }
            _ => None,
        });
        let stored = said_by_another(store, &draft.scope, &[self.id], &words, (now, now));
        let stored = stored.filter(|view| together.iter().all(|change| change.id != view.id));
        let Some((id, revision)) = stored.map(|view| (view.id, view.revision)).or(drafted) else {
            return Ok(None);
        };
        if self.based_on.is_none() {
            return Ok(Some(Action::unchanged(id, Kind::Fact, revision)));
        }
        let message = format!("the fact {id} now says the same; reject this, or delete one of the two");
        Err(Error::new(Code::Conflict, message).with("id", id.to_string()))
    }

    /// Adds the change to a draft, on the condition that what it is based on still holds, or does again.
    pub(super) fn add_to(&self, store: &Store, draft: &mut Draft) -> Result<()> {
        let scope = draft.scope.clone();
        let expect = self.based_on.map_or(Expect::Absent, |revision| {
            Expect::Revision(store.standing(&scope, self.id, revision).unwrap_or(revision))
        });
        let Some(content) = &self.record else {
            draft.delete(self.id, expect);
            return Ok(());
        };
        let mut record = Record::new(self.id, self.kind()?, scope, content.valid_from);
        record.key.clone_from(&content.key);
        record.value.clone_from(&content.value);
        record.text.clone_from(&content.text);
        record.metadata.clone_from(&content.metadata);
        record.significance = content.significance;
        record.pinned = content.pinned;
        record.valid_to = content.valid_to;
        record.expires_at = content.expires_at;
        record.provenance.clone_from(&content.provenance);
        if let (Kind::Fact, Some(text)) = (record.kind, &record.text) {
            draft.claim(store, Kind::Fact, wording(text));
        }
        draft.put(record, expect, None);
        Ok(())
    }

    /// What would change, in words.
    pub(super) fn shown(&self, store: &Store, scope: &Scope) -> Result<ProposedChange> {
        let kind = self.kind()?;
        let stored = store.get(scope, self.id);
        let before = stored.map(|view| Ok(words(kind, view.key, view.text, &view.value()?))).transpose()?;
        let ends = |content: &Content| {
            content.valid_to.is_some() && stored.is_some_and(|view| view.valid_to.is_none())
        };
        let after =
            |content: &Content| words(kind, content.key.as_deref(), content.text.as_deref(), &content.value);
        let (action, after) = match &self.record {
            None => ("delete", None),
            Some(content) if ends(content) => ("end", None),
            Some(content) if self.based_on.is_some() => ("update", Some(after(content))),
            Some(content) => ("create", Some(after(content))),
        };
        Ok(ProposedChange { action, id: self.id, kind, before, after })
    }

    /// Where it comes from.
    pub(super) fn provenance(&self) -> &[Provenance] {
        self.record.as_ref().map_or(&[], |content| &content.provenance)
    }

    /// The records it cannot do without: the fact whose place it takes, the ends of a relation.
    pub(super) fn needs(&self, other: &Self) -> bool {
        let Some(content) = &self.record else { return false };
        let id = other.id.to_string();
        content.value.get("supersedes").and_then(Value::as_str) == Some(id.as_str())
            || (self.kind == Kind::Relation.tag()
                && content.key.as_deref().is_some_and(|key| key.contains(&id)))
    }
}

/// The revision a change was made on.
fn based_on(expect: Expect, store: &Store, scope: &Scope, id: Id) -> Option<u32> {
    match expect {
        Expect::Absent => None,
        Expect::Revision(revision) => Some(revision),
        Expect::Any => store.get(scope, id).map(|view| view.revision),
    }
}
