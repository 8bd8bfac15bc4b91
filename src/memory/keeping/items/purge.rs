//! Purging: deleting everything that matches.

use super::{Item, Items, kinds};
use crate::error::Result;
use crate::filter::Filter;
use crate::id::Id;
use crate::memory::changes::Planning;
use crate::memory::listing::Shown;
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How many items one commit deletes.
const BATCH: usize = 500;

/// What to purge.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Purge {
    /// Of which kinds; of all by default.
    pub kinds: Option<Vec<Kind>>,
    /// A condition on what items show; `{}` matches all.
    pub filter: Value,
    /// Whether to do it; false by default: only to say what would be deleted.
    #[serde(default)]
    pub force: bool,
    /// Whether the words they were learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
}

/// What was purged, or would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Purged {
    /// How many items match.
    pub count: usize,
    /// Whether they were deleted.
    pub purged: bool,
    /// Which ones match, the oldest first.
    pub ids: Vec<Id>,
    /// The messages of which words are withheld since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<Id>,
}

/// A condition on items of some kinds.
pub(crate) struct Matching {
    kinds: Vec<Kind>,
    filter: Filter,
}

impl Matching {
    /// Reads it.
    ///
    /// # Errors
    /// `InvalidFilter`, and `InvalidInput` for a kind that is none of items.
    pub(crate) fn read(asked: Option<&Vec<Kind>>, filter: &Value) -> Result<Self> {
        Ok(Self { kinds: kinds(asked)?, filter: Filter::on(filter, Item::FIELDS)? })
    }

    /// The items that match, also pinned ones and those that are no longer true; of each kind the oldest first.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn ids(&self, store: &Store, scope: &Scope) -> Result<Vec<Id>> {
        let mut ids = Vec::new();
        for view in self.kinds.iter().flat_map(|kind| store.records(scope, *kind)) {
            if self.filter.matches(&crate::json::to_value(&Item::of(&view, scope)?)?) {
                ids.push(view.id);
            }
        }
        Ok(ids)
    }
}

impl Items {
    /// Deletes every item that matches, also pinned ones and those that are no longer true, entities with their relations. Each
    /// commit deletes some hundreds, all of them or none; their revisions stay in the history.
    ///
    /// # Errors
    /// `InvalidFilter`, `InvalidInput`, and those of storing: what was committed until then stays deleted.
    pub async fn purge(&self, scope: &Scope, purge: &Purge) -> Result<Purged> {
        let matching = Matching::read(purge.kinds.as_ref(), &purge.filter)?;
        let ids = self.database.read(|store| matching.ids(store, scope))?;
        let mut withheld = Vec::new();
        if purge.force {
            for batch in ids.chunks(BATCH) {
                // Those that are still there.
                let plan = &mut |planning: &mut Planning<'_>| {
                    let (store, scope) = (planning.store, planning.scope().clone());
                    let views = batch.iter().filter_map(|id| store.get(&scope, *id));
                    views.for_each(|view| planning.end(&view));
                    Ok(())
                };
                let actions = self.changes.let_go(scope, purge.keep_source, plan).await?.actions;
                withheld.extend(actions.into_iter().flat_map(|action| action.withheld));
            }
        }
        Ok(Purged { count: ids.len(), purged: purge.force, ids, withheld: in_order(withheld) })
    }
}
