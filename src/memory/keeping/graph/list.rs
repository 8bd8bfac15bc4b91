//! Listing and searching entities and relations, with where they come from.

use super::Graph;
use super::adjacency::{connects, edges_of};
use super::entity::{EntityItem, EntityValue};
use super::present;
use super::relation::{Relation, RelationItem};
use crate::error::Result;
use crate::log::RecordView;
use crate::memory::limits;
use crate::memory::scoring::Scoring;
use crate::memory::search::{Asked, Scored};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use crate::time::Timestamp;
use serde::Deserialize;
use serde_json::Value;

/// Which entities to list.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct EntityList {
    /// Only of these types; all by default.
    pub entity_types: Option<Vec<String>>,
    /// How many at most, 1 to 1000; 100 by default.
    #[serde(default, deserialize_with = "limits::limit_if_any")]
    pub limit: Option<usize>,
    /// How many to skip; 0 by default.
    pub offset: usize,
    /// How many observations of each at most; all by default.
    pub observation_limit: Option<usize>,
    /// As they were known at this time; now by default.
    pub as_of: Option<Timestamp>,
}

/// What to search entities for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EntitySearch {
    /// The query, in words.
    pub query: String,
    /// How many at most, 1 to 1000; 10 by default.
    #[serde(default, deserialize_with = "limits::limit_if_any")]
    pub limit: Option<usize>,
    /// A condition on what entities show.
    pub filter: Option<Value>,
    /// The least relevance, 0 to 1; 0.03 by default.
    pub threshold: Option<f32>,
    /// Whether what waits for its vector gets it first; false by default.
    #[serde(default, rename = "await")]
    pub waits: bool,
    /// How many observations of each at most; all by default.
    pub observation_limit: Option<usize>,
}

/// Which relations to list.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RelationList {
    /// Only from the entity with this name.
    pub from: Option<String>,
    /// Only to the entity with this name.
    pub to: Option<String>,
    /// Only of this type.
    pub relation_type: Option<String>,
    /// Also those that have ended; false by default.
    pub include_ended: bool,
    /// How many at most, 1 to 1000; 100 by default.
    #[serde(default, deserialize_with = "limits::limit_if_any")]
    pub limit: Option<usize>,
    /// How many to skip; 0 by default.
    pub offset: usize,
    /// As they were known at this time; now by default.
    pub as_of: Option<Timestamp>,
}

impl Graph {
    /// Entities in the order in which they were created.
    ///
    /// # Errors
    /// `InvalidInput` for an option out of range, and those of reading.
    pub fn list(&self, scope: &Scope, list: &EntityList) -> Result<Vec<EntityItem>> {
        let limit = list.limit.unwrap_or(100);
        let as_of = self.database.as_of(list.as_of);
        let time = as_of.unwrap_or_else(|| self.database.now());
        let wanted = |view: &RecordView<'_>| {
            let types = list.entity_types.as_ref();
            view.holds_at(time)
                && types.is_none_or(|types| {
                    view.content::<EntityValue>().is_ok_and(|value| types.contains(&value.entity_type))
                })
        };
        self.database.read(|store| {
            let views: Vec<RecordView<'_>> = match as_of {
                None => {
                    let views = store.records(scope, Kind::Entity).filter(wanted);
                    views.skip(list.offset).take(limit).collect()
                }
                Some(time) => {
                    let views = store.records_at(scope, Kind::Entity, store.sequence_at(time)).filter(wanted);
                    views.skip(list.offset).take(limit).collect()
                }
            };
            let observation_limit = list.observation_limit.unwrap_or(usize::MAX);
            views.iter().map(|view| EntityItem::of(view, observation_limit)).collect()
        })
    }

    /// The entities that fit a query best, by words and meaning, best first; empty when none shares a word or is near in
    /// meaning.
    ///
    /// # Errors
    /// `InvalidFilter`, `InvalidInput`, and those of reading.
    pub async fn search(&self, scope: &Scope, asked: EntitySearch) -> Result<Vec<Scored<EntityItem>>> {
        let observation_limit = asked.observation_limit.unwrap_or(usize::MAX);
        let asked = Asked {
            query: asked.query,
            limit: asked.limit.unwrap_or(10),
            filter: asked.filter,
            threshold: asked.threshold,
            scoring: Scoring::default(),
            waits: asked.waits,
            include_ended: false,
            thread_id: None,
            role: None,
            from: None,
            to: None,
        };
        let shown = |_: &Store, view: &RecordView<'_>| EntityItem::of(view, observation_limit);
        self.searcher.search(scope, Kind::Entity, &asked, shown).await
    }

    /// Relations in the order in which they were created; empty when there are none such, also when an entity that was named
    /// is not there.
    ///
    /// # Errors
    /// `InvalidInput` for an option out of range, and those of reading.
    pub fn relations(&self, scope: &Scope, list: &RelationList) -> Result<Vec<RelationItem>> {
        let limit = list.limit.unwrap_or(100);
        let now = self.database.now();
        let as_of = self.database.as_of(list.as_of);
        let time = as_of.unwrap_or(now);
        self.database.read(|store| {
            let views: Vec<RecordView<'_>> = match (as_of, list.from.as_ref().or(list.to.as_ref())) {
                (Some(time), _) => store.records_at(scope, Kind::Relation, store.sequence_at(time)).collect(),
                (None, Some(name)) => {
                    let end = present(store, scope, Kind::Entity, name, now).map(|view| view.id);
                    edges_of(store, scope, end.as_slice(), list.include_ended, now).collect()
                }
                (None, None) => {
                    let views = store.records(scope, Kind::Relation);
                    views.filter(|view| connects(store, scope, view, now)).collect()
                }
            };
            let is =
                |wanted: &Option<String>, name: &str| wanted.as_ref().is_none_or(|wanted| wanted == name);
            let mut found = Vec::new();
            let mut skipped = 0;
            for view in views.iter().filter(|view| !view.expired_at(time)) {
                if !list.include_ended && !view.holds_at(time) {
                    continue;
                }
                let item = RelationItem::of(view)?;
                let Relation { from, to, relation_type } = &item.relation;
                if !is(&list.from, from) || !is(&list.to, to) || !is(&list.relation_type, relation_type) {
                    continue;
                }
                if skipped < list.offset {
                    skipped += 1;
                } else if found.len() < limit {
                    found.push(item);
                } else {
                    break;
                }
            }
            Ok(found)
        })
    }
}
