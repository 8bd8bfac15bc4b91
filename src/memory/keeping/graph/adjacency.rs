//! Who is connected to whom, now or at some time.

use super::entity::{name_of, not_found};
use super::relation::RelationItem;
use super::{Graph, present};
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Store, Views, relation_ends};
use crate::time::Timestamp;
use rustc_hash::FxHashMap;

/// The graph to walk in.
pub(super) struct Adjacency<'a> {
    store: &'a Store,
    scope: &'a Scope,
    time: Timestamp,
    past: Option<Past<'a>>,
}

/// The graph as it was, which no index holds.
struct Past<'a> {
    entities: FxHashMap<Id, RecordView<'a>>,
    relations: FxHashMap<Id, Vec<RecordView<'a>>>,
}

/// A relation with its ends.
#[derive(Clone, Copy)]
pub(super) struct Edge<'a> {
    pub(super) view: RecordView<'a>,
    from: Id,
    to: Id,
}

impl Edge<'_> {
    /// The other end.
    pub(super) fn other(&self, end: Id) -> Id {
        if self.from == end { self.to } else { self.from }
    }
}

impl<'a> Adjacency<'a> {
    /// The graph at a time, now by default.
    pub(super) fn at(store: &'a Store, scope: &'a Scope, as_of: Option<Timestamp>, now: Timestamp) -> Self {
        let past = as_of.map(|time| {
            let sequence = store.sequence_at(time);
            let at = |kind| store.records_at(scope, kind, sequence).filter(move |view| view.holds_at(time));
            let entities = at(Kind::Entity).map(|view| (view.id, view)).collect();
            let mut relations: FxHashMap<Id, Vec<RecordView<'a>>> = FxHashMap::default();
            for view in at(Kind::Relation) {
                let Some((from, to)) = view.key.and_then(relation_ends) else { continue };
                relations.entry(from).or_default().push(view);
                if from != to {
                    relations.entry(to).or_default().push(view);
                }
            }
            Past { entities, relations }
        });
        Self { store, scope, time: as_of.unwrap_or(now), past }
    }

    /// The entity with a name.
    pub(super) fn named(&self, name: &str) -> Result<RecordView<'a>> {
        let view = match &self.past {
            Some(past) => past.entities.values().find(|view| name_of(view) == name).copied(),
            None => present(self.store, self.scope, Kind::Entity, name, self.time),
        };
        view.ok_or_else(|| not_found(name))
    }

    /// An entity by its id.
    pub(super) fn entity(&self, id: Id) -> Option<RecordView<'a>> {
        match &self.past {
            Some(past) => past.entities.get(&id).copied(),
            None => self.store.get(self.scope, id).filter(|view| view.holds_at(self.time)),
        }
    }

    /// The relations that an entity is an end of, in the order in which they were created.
    pub(super) fn edges(&self, id: Id) -> Vec<Edge<'a>> {
        let views: Vec<RecordView<'a>> = match &self.past {
            Some(past) => past.relations.get(&id).cloned().unwrap_or_default(),
            None => {
                let documents = self.store.relations_of(self.scope, &[id], Some(self.time));
                documents.into_iter().filter_map(|document| self.store.view(document)).collect()
            }
        };
        let edges = views.into_iter().filter_map(|view| {
            let (from, to) = relation_ends(view.key?)?;
            Some(Edge { view, from, to })
        });
        edges.filter(|edge| self.entity(edge.other(id)).is_some()).collect()
    }
}

/// The relations that one of these entities is an end of, in the order in which they were created. One whose other end is
/// gone by another way than the graph's is none.
pub(crate) fn edges_of<'a>(
    store: &'a Store,
    scope: &'a Scope,
    entities: &[Id],
    with_ended: bool,
    now: Timestamp,
) -> Views<'a> {
    let documents = store.relations_of(scope, entities, (!with_ended).then_some(now));
    let views = documents.into_iter().filter_map(|document| store.view(document));
    Box::new(views.filter(move |view| connects(store, scope, view, now)))
}

impl Graph {
    /// The first relations that one of these entities is an end of, at most `limit`.
    pub(crate) fn relations_around(
        store: &Store,
        scope: &Scope,
        entities: &[Id],
        limit: usize,
        now: Timestamp,
    ) -> Result<Vec<RelationItem>> {
        edges_of(store, scope, entities, false, now).take(limit).map(|view| RelationItem::of(&view)).collect()
    }
}

/// Whether both ends of a relation are there.
pub(super) fn connects(store: &Store, scope: &Scope, relation: &RecordView<'_>, now: Timestamp) -> bool {
    let there = |id| store.get(scope, id).is_some_and(|view| view.holds_at(now));
    relation.key.and_then(relation_ends).is_some_and(|(from, to)| there(from) && there(to))
}
