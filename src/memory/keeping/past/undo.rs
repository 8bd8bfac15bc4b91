//! Taking a commit back.

use super::Past;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::memory::action::Action;
use crate::memory::changes::Outcome;
use crate::memory::facts::claim;
use crate::memory::pages::{bring_back, forget_pages};
use crate::memory::threads::forget_changed;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Change, Draft, Store};
use crate::time::Timestamp;
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
        let draft = self.database.read(|store| {
            let draft = self.take_back(store, scope, commit_id);
            draft.map_err(|error| if_undone(store, scope, commit_id, error))
        })?;
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
        forget_changed(store, &mut draft)?;
        Ok(draft)
    }
}

/// The error of undoing a commit; of one that was undone already it says so.
fn if_undone(store: &Store, scope: &Scope, commit_id: Id, error: Error) -> Error {
    match store.undone_by(scope, commit_id).filter(|_| error.code == Code::Conflict) {
        Some(by) => {
            let message = format!("{commit_id} is undone already, by {by}; undo that to bring it back");
            Error::new(Code::Conflict, message).with("undoneBy", by.to_string())
        }
        None => error,
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
