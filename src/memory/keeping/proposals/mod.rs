//! Proposals: what was learned waits for the user's yes.

mod change;
mod propose;

pub(crate) use propose::propose;

use crate::database::Database;
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::{Cause, RecordView};
use crate::memory::action::{Action, not_found};
use crate::memory::changes::Changes;
use crate::memory::graph::Relation;
use crate::memory::limits::invalid;
use crate::memory::pages::drop_oldest;
use crate::memory::profiles::Schemas;
use crate::record::{Kind, Provenance};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use change::Proposed;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// The most proposals one call answers or takes.
pub const MAX_PROPOSALS: usize = 1000;

/// Why a change waits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// Everything that is learned does.
    #[default]
    Review,
    /// It would change what is trusted more than its source.
    Trust,
    /// Its source, which is not of the conversation, gives instructions or hides something.
    Instructs,
}

/// A change that waits, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// Its id.
    pub id: Id,
    /// What would change, in words.
    pub text: String,
    /// What would change, one by one; all of it is accepted or none.
    pub changes: Vec<ProposedChange>,
    /// Why it waits.
    pub reason: Reason,
    /// When it was proposed.
    pub created_at: Timestamp,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
}

/// One change of a proposal.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposedChange {
    /// `create`, `update`, `end` (true until now) or `delete`.
    pub action: &'static str,
    /// The record.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// What it says now, in words; absent for a new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What it would say; absent when it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// What a proposal's record holds. Its text is not the record's: a proposal is not searched.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ProposalValue {
    text: String,
    changes: Vec<Proposed>,
    #[serde(default)]
    reason: Reason,
    /// Whether the user said no; it is kept so that the same is not proposed again.
    #[serde(default)]
    rejected: bool,
}

/// The ids a call names: one, or several.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProposalIds {
    /// Which proposals, 1 to 1000.
    pub ids: Vec<Id>,
}

/// The proposals of every scope.
#[derive(Clone)]
pub struct Proposals {
    database: Database,
    changes: Changes,
    schemas: Rc<Schemas>,
    /// How many distilled facts are kept.
    knowledge: usize,
}

impl Proposals {
    pub(crate) fn new(changes: Changes, database: Database, schemas: Rc<Schemas>, knowledge: usize) -> Self {
        Self { database, changes, schemas, knowledge }
    }

    /// What waits for the user, oldest first, at most 1000; empty when nothing does.
    ///
    /// # Errors
    /// Those of reading.
    pub fn list(&self, scope: &Scope) -> Result<Vec<Proposal>> {
        self.database.read(|store| {
            let mut proposals = Vec::new();
            for view in store.records(scope, Kind::Proposal) {
                let value: ProposalValue = view.content()?;
                if !value.rejected && proposals.len() < MAX_PROPOSALS {
                    proposals.push(shown(store, scope, &view, &value)?);
                }
            }
            Ok(proposals)
        })
    }

    /// Carries proposals out: all of them, in one commit, or none. A new fact that is known by now, in the same words, stays the
    /// one it is.
    ///
    /// # Errors
    /// `NotFound` for one that is not there, `Conflict` when what it would change has changed since or another fact says by now
    /// what one would say from now on, `SchemaViolation`
    /// when a field's value no longer fits its schema, and those of storing.
    pub async fn accept(&self, scope: &Scope, asked: &ProposalIds) -> Result<Vec<Action>> {
        let mut draft = Draft::new(scope, Cause::User);
        let now = self.database.now();
        let mut known = Vec::new();
        self.database.read(|store| {
            for (view, value) in self.waiting(store, scope, asked)? {
                for change in &value.changes {
                    change.check(&self.schemas)?;
                    match change.known(store, &draft, &value.changes, now)? {
                        Some(action) => known.push(action),
                        None => change.add_to(store, &mut draft)?,
                    }
                }
                draft.delete(view.id, Expect::Revision(view.revision));
            }
            drop_oldest(store, &mut draft, self.knowledge)
        })?;
        // Of what changed meanwhile the user is told, who says yes or no anew.
        let mut actions = self.changes.commit(draft).await?.actions;
        actions.retain(|action| action.kind != Kind::Proposal);
        actions.extend(known);
        Ok(actions)
    }

    /// Says no to proposals; the same is not proposed again.
    ///
    /// # Errors
    /// `NotFound` for one that is not there, and those of storing.
    pub async fn reject(&self, scope: &Scope, asked: &ProposalIds) -> Result<Vec<Action>> {
        let mut draft = Draft::new(scope, Cause::User);
        self.database.read(|store| {
            for (view, value) in self.waiting(store, scope, asked)? {
                let mut record = view.to_record(scope)?;
                record.value = to_value(&ProposalValue { rejected: true, ..value })?;
                draft.put(record, Expect::Revision(view.revision), None);
            }
            Ok(())
        })?;
        Ok(self.changes.commit(draft).await?.actions)
    }

    fn waiting<'a>(
        &self,
        store: &'a Store,
        scope: &Scope,
        asked: &ProposalIds,
    ) -> Result<Vec<(RecordView<'a>, ProposalValue)>> {
        if asked.ids.is_empty() || asked.ids.len() > MAX_PROPOSALS {
            return Err(invalid(format!(
                "ids has {} items; 1 to {MAX_PROPOSALS} are allowed in one call",
                asked.ids.len()
            )));
        }
        let mut waiting: Vec<(RecordView<'a>, ProposalValue)> = Vec::new();
        for id in &asked.ids {
            if waiting.iter().any(|(view, _)| view.id == *id) {
                continue;
            }
            let view = store.get(scope, *id).filter(|view| view.kind == Kind::Proposal);
            let view = view.ok_or_else(|| not_found(Kind::Proposal, *id, scope))?;
            let value: ProposalValue = view.content()?;
            if value.rejected {
                return Err(not_found(Kind::Proposal, *id, scope));
            }
            waiting.push((view, value));
        }
        Ok(waiting)
    }
}

/// The records that a proposal would change.
///
/// # Errors
/// `Corrupt` when it is not readable.
pub(crate) fn changed_by(view: &RecordView<'_>) -> Result<Vec<Id>> {
    let value: ProposalValue = view.content()?;
    Ok(value.changes.iter().map(|change| change.id).collect())
}

fn shown(store: &Store, scope: &Scope, view: &RecordView<'_>, value: &ProposalValue) -> Result<Proposal> {
    let changes = value.changes.iter().map(|change| change.shown(store, scope)).collect::<Result<_>>()?;
    Ok(Proposal {
        id: view.id,
        text: value.text.clone(),
        changes,
        reason: value.reason,
        created_at: view.created_at,
        source: view.provenance()?,
    })
}

/// What a record says, in words.
fn words(kind: Kind, key: Option<&str>, text: Option<&str>, value: &Value) -> String {
    match kind {
        Kind::Field => {
            let name = key.and_then(|key| key.split_once('/')).map_or("", |(_, name)| name);
            let said = value.get("value").unwrap_or(&Value::Null);
            format!("{name}: {}", said.as_str().map_or_else(|| said.to_string(), str::to_owned))
        }
        Kind::Relation => crate::json::from_value::<Relation>(value.clone())
            .map_or_else(|_| String::new(), |relation| relation.to_string()),
        _ => text.map_or_else(|| key.unwrap_or_default().to_owned(), str::to_owned),
    }
}
