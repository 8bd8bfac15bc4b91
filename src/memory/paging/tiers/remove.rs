//! Removing a page.

use super::Tiers;
use super::add::page_of;
use crate::error::Result;
use crate::id::Id;
use crate::log::Cause;
use crate::memory::action::{Action, commit, not_found, retried};
use crate::memory::pages::forget_pages;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Draft, Expect};
use serde::Deserialize;

/// Which page to remove.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemovePage {
    /// Its id.
    pub id: Id,
}

impl Tiers {
    /// Removes a page. What was learned from it stays, and so do messages of a thread.
    ///
    /// # Errors
    /// `NotFound` when there is no such page, and those of storing.
    pub async fn remove(&self, scope: &Scope, remove: &RemovePage) -> Result<Action> {
        let database = &self.inner.database;
        retried(|| async {
            let draft = database.read(|store| {
                let view = store.get(scope, remove.id).filter(|view| view.kind == Kind::Page);
                let view = view.ok_or_else(|| not_found(Kind::Page, remove.id, scope))?;
                let mut draft = Draft::new(scope, Cause::User);
                draft.delete(view.id, Expect::Revision(view.revision));
                forget_pages(store, &mut draft, database.now())?;
                Ok(draft)
            })?;
            page_of(commit(database, draft).await?)
        })
        .await
    }
}
