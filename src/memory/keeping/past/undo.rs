//! Taking a commit back.

use super::Past;
use crate::error::{Code, Result};
use crate::id::Id;
use crate::memory::action::Action;
use crate::memory::changes::Outcome;
use crate::memory::facts::claim;
use crate::memory::message::thread_of;
use crate::memory::pages::{bring_back, forget_pages};
use crate::memory::threads::{self, forget};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Change, Draft, Store};
use crate::time::Timestamp;
use rustc_hash::FxHashSet;
use serde::Serialize;

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

impl Past {
    /// Takes a commit back: everything it changed becomes what it was before, as new revisions.
    ///
    /// # Errors
    /// `NotFound` when this scope has no such commit, `Conflict` when something it changed has changed since and that was not
    /// taken back, when another fact says by now what one would say again, or when a relation would lack an end, and those of
    /// storing.
    pub async fn undo(&self, scope: &Scope, commit_id: Id) -> Result<Undone> {
        let draft = self.database.read(|store| self.take_back(store, scope, commit_id))?;
        let Outcome { commit_id, actions, .. } = self.changes.commit(draft).await?;
        Ok(Undone { commit_id, changes: actions })
    }

    /// The draft that takes a commit back.
    pub(super) fn take_back(&self, store: &Store, scope: &Scope, commit_id: Id) -> Result<Draft> {
        let now = self.database.now();
        let mut draft = store.undo(scope, commit_id)?;
        draft.since = Some(store.sequence());
        bring_back(store, &mut draft)?;
        forget_pages(store, &mut draft, now)?;
        alone(store, &mut draft, now)?;
        forget_messages(store, &mut draft)?;
        Ok(draft)
    }
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
