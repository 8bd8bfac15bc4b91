//! Removing a page.

use super::Tiers;
use super::add::page_of;
use crate::error::Result;
use crate::id::Id;
use crate::log::Cause;
use crate::memory::action::{Action, not_found};
use crate::memory::changes::Planning;
use crate::memory::pages::forget_pages;
use crate::record::Kind;
use crate::scope::Scope;
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
        let plan = &mut |planning: &mut Planning<'_>| {
            let view = planning.store.get(scope, remove.id).filter(|view| view.kind == Kind::Page);
            planning.end(&view.ok_or_else(|| not_found(Kind::Page, remove.id, scope))?);
            forget_pages(planning.store, &mut planning.draft, planning.now)
        };
        page_of(self.inner.changes.run(scope, Cause::User, plan).await?.actions)
    }
}
