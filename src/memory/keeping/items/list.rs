//! Reading items.

use super::{Item, Items, is_there, kinds};
use crate::error::Result;
use crate::id::Id;
use crate::memory::limits;
use crate::memory::listing::{filter, listed};
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use serde::Deserialize;
use serde_json::Value;

/// Which items to list.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ItemList {
    /// Of which kinds; of all by default.
    pub kinds: Option<Vec<Kind>>,
    /// A condition on what items show.
    pub filter: Option<Value>,
    /// How many at most, 1 to 1000; 100 by default.
    #[serde(deserialize_with = "limits::limit")]
    pub limit: usize,
    /// How many to skip; 0 by default.
    pub offset: usize,
    /// Also those that are no longer true or not yet; false by default.
    pub include_ended: bool,
}

impl Default for ItemList {
    fn default() -> Self {
        Self { kinds: None, filter: None, limit: 100, offset: 0, include_ended: false }
    }
}

impl Items {
    /// Items, the newest first; empty when none match.
    ///
    /// # Errors
    /// `InvalidFilter`, `InvalidInput`, and those of reading.
    pub fn list(&self, scope: &Scope, list: &ItemList) -> Result<Vec<Item>> {
        let kinds = kinds(list.kinds.as_ref())?;
        let filter = filter::<Item>(list.filter.as_ref())?;
        let now = self.database.now();
        self.database.read(|store| {
            // The last stored first, for those of one millisecond.
            let mut views: Vec<_> = kinds.iter().flat_map(|kind| store.records(scope, *kind).rev()).collect();
            views.retain(|view| {
                is_there(store, scope, view, now) && (list.include_ended || view.holds_at(now))
            });
            let views = sorted(&views, |a, b| b.created_at.cmp(&a.created_at));
            let items = views.into_iter().map(|view| Item::of(view, scope));
            listed(items, filter.as_ref(), list.offset, list.limit)
        })
    }

    /// One item; `None` when this scope has none with that id.
    ///
    /// # Errors
    /// Those of reading.
    pub fn get(&self, scope: &Scope, id: Id) -> Result<Option<Item>> {
        let now = self.database.now();
        self.database.read(|store| {
            let view = store.get(scope, id).filter(|view| is_there(store, scope, view, now));
            view.map(|view| Item::of(&view, scope)).transpose()
        })
    }
}
