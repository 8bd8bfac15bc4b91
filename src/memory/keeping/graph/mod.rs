//! The knowledge graph: entities with observations, and relations between them.
//!
//! Nine operations have the names, inputs and answers that tools for models know; what is beyond them looks around in the
//! graph, resolves names, merges, and reads and writes `memory.jsonl`. Entities and relations are records like others:
//! they have revisions, can be undone, and say which words they came from.

mod adjacency;
mod creation;
mod deletion;
mod edits;
mod entity;
mod excerpt;
mod jsonl;
mod list;
mod merge;
mod path;
mod pinned;
mod plan;
mod relation;
mod resolution;
mod update;

pub(crate) use adjacency::edges_of;
pub use creation::{
    AddedObservations, AddedTo, CreatedEntities, CreatedRelations, NewEntities, NewObservations,
    NewRelations, ObservationsOf,
};
pub use deletion::{DeletedEntities, DeletedFrom, DeletedObservations, DeletedRelations, Deletion};
pub use entity::{Alias, Entity, EntityItem, MAX_NAME_BYTES, MAX_OBSERVATION_BYTES, MAX_TYPE_BYTES};
pub(crate) use entity::{EntityValue, name_of};
pub use excerpt::{DEFAULT_TOKENS, Excerpt, ExcerptOf, LeftOut, MAX_QUERY_LENGTH};
pub use jsonl::{ImportText, Imported, SkippedLine};
pub use list::{EntityList, EntitySearch, RelationList};
pub use merge::Merge;
pub use path::{Around, Neighbour, Neighbours, Path, PathBetween};
pub use plan::{EndedRelations, Planned};
pub use relation::{Relation, RelationItem};
pub use resolution::{Candidate, Likeness, Resolve};
pub use update::Update;

use crate::database::Database;
use crate::error::Result;
use crate::log::RecordView;
use crate::memory::action::Action;
use crate::memory::changes::{Changes, Planning};
use crate::memory::limits::invalid;
use crate::memory::search::Searcher;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Draft, Store};
use crate::time::Timestamp;

/// The most items one call of the nine operations takes.
pub const MAX_BATCH: usize = 1000;

/// The graphs of every scope.
#[derive(Clone)]
pub struct Graph {
    database: Database,
    changes: Changes,
    searcher: Searcher,
}

impl Graph {
    pub(crate) fn new(searcher: Searcher, changes: Changes) -> Self {
        Self { changes, database: searcher.database.clone(), searcher }
    }

    /// The same graphs for tools that a model calls.
    #[must_use]
    pub(crate) fn for_tools(&self) -> Self {
        let searcher = Searcher { database: self.database.for_tools(), ..self.searcher.clone() };
        Self::new(searcher, self.changes.for_tools())
    }

    /// Commits what `plan` adds to an empty draft. When others change the same meanwhile, it is planned anew on what is
    /// there by then.
    async fn write(
        &self,
        scope: &Scope,
        plan: &mut dyn FnMut(&Store, &mut Draft) -> Result<()>,
    ) -> Result<Vec<Action>> {
        self.let_go(scope, true, plan).await
    }

    /// The same for a plan that deletes or renames what may have been learned.
    async fn let_go(
        &self,
        scope: &Scope,
        keep_source: bool,
        plan: &mut dyn FnMut(&Store, &mut Draft) -> Result<()>,
    ) -> Result<Vec<Action>> {
        let plan = &mut |planning: &mut Planning<'_>| plan(planning.store, &mut planning.draft);
        Ok(self.changes.let_go(scope, keep_source, plan).await?.actions)
    }
}

/// A record of the graph that is part of the present, by its key.
fn present<'a>(
    store: &'a Store,
    scope: &Scope,
    kind: Kind,
    key: &str,
    now: Timestamp,
) -> Option<RecordView<'a>> {
    store.by_key(scope, kind, key).filter(|view| view.holds_at(now))
}

/// Refuses more items than one call takes.
fn batch(name: &str, items: usize) -> Result<()> {
    if items <= MAX_BATCH {
        return Ok(());
    }
    Err(invalid(format!(
        "{name} has {items} items, over the limit of {MAX_BATCH}; split it into several calls"
    ))
    .with("items", items)
    .with("limit", MAX_BATCH))
}
