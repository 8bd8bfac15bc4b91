//! Forgetting: what a selector names goes with all that rests on it alone, and no byte of it stays; what rests on it partly is made
//! anew without it. A receipt says how much of each kind went.

mod closure;
mod drafted;
mod found;
mod gone;
mod receipt;
mod remake;
mod rewind;
mod selector;

pub use receipt::{Forgotten, ForgottenRecord};
pub use selector::{Forget, MAX_FORGOTTEN_IDS};

use crate::database::Database;
use crate::error::Result;
use crate::log::Cause;
use crate::memory::changes::{Changes, Planning};
use crate::memory::search::Searcher;
use crate::ports::{Loaded, Systems};
use crate::scope::Scope;
use crate::store::Draft;
use closure::draft;
use drafted::Drafted;
use selector::Selector;

/// The forgetting of a memory. Clones forget in the same one.
#[derive(Clone)]
pub struct Forgetting {
    database: Database,
    changes: Changes,
    searcher: Searcher,
}

impl Forgetting {
    pub(crate) fn new(searcher: Searcher, changes: Changes) -> Self {
        Self { database: searcher.database.clone(), changes, searcher }
    }

    /// Forgets what a selector names, and all that rests on it alone: no read tells it any more, nor does any stored byte, and
    /// undoing does not bring it back. What rests on it partly is made anew, and of messages that stay the words are withheld that a
    /// record was learned from which goes by its id or a filter. A query, and a preview, change nothing.
    ///
    /// One commit does it. Where so much is to be made anew that it does not fit into one, commits before it do that; a call that
    /// failed in between is made again and goes on.
    ///
    /// # Errors
    /// `InvalidInput` unless there is exactly one selector within its limits, `InvalidFilter`, `NotFound` for an id that the
    /// scope never had, and those of storing.
    pub async fn forget(&self, scope: &Scope, forget: &Forget) -> Result<Forgotten> {
        let selector = Selector::read(forget)?;
        let mut receipt = Forgotten::default();
        if self.database.is_locked(scope) {
            return self.forget_locked(scope, &selector, forget.preview).await;
        }
        if let Selector::Query(query) = &selector {
            receipt.found = Some(self.find(scope, query, forget.limit).await?);
            return Ok(receipt);
        }
        let systems = Loaded::by(&*self.database.platform()).await?;
        if forget.preview {
            let plan = &mut |planning: &mut Planning<'_>| {
                let drafted = draft(planning, &selector, systems, &self.changes)?;
                receipt.found = Some(receipt::shown(planning.store, scope, &drafted.gone, forget.limit)?);
                receipt.add(&drafted);
                planning.draft = Draft::new(scope, Cause::Forget);
                Ok(())
            };
            self.changes.look(scope, plan)?;
            return Ok(receipt);
        }
        loop {
            let drafted = self.forget_some(scope, &selector, systems, &mut receipt).await?;
            receipt.add(&drafted);
            if !drafted.is_part {
                return Ok(receipt);
            }
        }
    }

    /// Forgets a scope that is locked, of which nothing is known but that it is there.
    async fn forget_locked(&self, scope: &Scope, selector: &Selector, preview: bool) -> Result<Forgotten> {
        if preview || !matches!(selector, Selector::Scope) {
            self.database.check_unlocked(scope)?;
        }
        self.database.check_writable()?;
        let mut draft = Draft::new(scope, Cause::Forget);
        draft.erase_scope = true;
        let committed = self.database.commit(draft).await?;
        let (commit_id, at) = (Some(committed.commit_id), Some(committed.at));
        Ok(Forgotten { commit_id, at, commits: 1, ..Forgotten::default() })
    }

    /// Forgets what has expired in a scope by now, with all that rests on it alone.
    ///
    /// # Errors
    /// Those of storing.
    pub(crate) async fn forget_expired(&self, scope: &Scope) -> Result<()> {
        let selector = Selector::Expired(self.database.now());
        let systems = Loaded::by(&*self.database.platform()).await?;
        while self.forget_some(scope, &selector, systems, &mut Forgotten::default()).await?.is_part {}
        Ok(())
    }

    async fn forget_some(
        &self,
        scope: &Scope,
        selector: &Selector,
        systems: Loaded<Systems>,
        receipt: &mut Forgotten,
    ) -> Result<Drafted> {
        let mut drafted = Drafted::default();
        let plan = &mut |planning: &mut Planning<'_>| {
            drafted = draft(planning, selector, systems, &self.changes)?;
            Ok(())
        };
        let outcome = self.changes.run(scope, Cause::Forget, plan).await?;
        if let Some(commit_id) = outcome.commit_id {
            (receipt.commit_id, receipt.at) = (Some(commit_id), Some(outcome.at));
            receipt.commits += 1;
        }
        Ok(drafted)
    }
}
