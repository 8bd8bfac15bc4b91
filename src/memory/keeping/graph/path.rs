//! Walking in the graph, breadth first: what is around some entities, and the shortest path between two.

use super::Graph;
use super::adjacency::{Adjacency, Edge};
use super::entity::EntityItem;
use super::relation::{Relation, RelationItem};
use crate::error::Result;
use crate::id::Id;
use crate::memory::limits::{self, MAX_LIMIT};
use crate::scope::Scope;
use crate::time::Timestamp;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::hash_map::Entry;

/// The most steps one call walks.
const MAX_DEPTH: usize = 20;

/// What to look around for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Around {
    /// The names to start from.
    pub names: Vec<String>,
    /// How many steps at most, 1 to 20; 1 by default.
    pub depth: Option<usize>,
    /// How many entities at most, those to start from included, 1 to 1000; 100 by default.
    #[serde(default, deserialize_with = "limits::limit_if_any")]
    pub limit: Option<usize>,
    /// Only over relations of these types; all by default.
    pub relation_types: Option<Vec<String>>,
    /// As it was known at this time; now by default.
    pub as_of: Option<Timestamp>,
}

/// What is around.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Neighbours {
    /// The entities, the nearest first, from those asked for on.
    pub entities: Vec<Neighbour>,
    /// The relations by which they were reached, and others between them that start nearer than `depth`; at most 1000.
    pub relations: Vec<RelationItem>,
    /// Whether there is more than the limits let through; absent when not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// An entity and how far away it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Neighbour {
    /// The entity.
    #[serde(flatten)]
    pub entity: EntityItem,
    /// How many steps it is away; 0 for those asked for.
    pub depth: usize,
}

/// From where to where.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PathBetween {
    /// The name of an entity.
    pub from: String,
    /// The name of another.
    pub to: String,
    /// How many steps at most, 1 to 20; 6 by default.
    pub max_depth: Option<usize>,
    /// As it was known at this time; now by default.
    pub as_of: Option<Timestamp>,
}

/// A way from one entity to another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Path {
    /// The entities on it with both of its ends.
    pub entities: Vec<EntityItem>,
    /// The relations between them, one fewer; each may point either way.
    pub relations: Vec<RelationItem>,
}

impl Graph {
    /// What is around some entities. Relations are walked in both directions.
    ///
    /// # Errors
    /// `NotFound` when one of the entities is not there, `InvalidInput` for an option out of range, and those of reading.
    pub fn neighbours(&self, scope: &Scope, around: &Around) -> Result<Neighbours> {
        let depth = steps("depth", around.depth.unwrap_or(1))?;
        let limit = around.limit.unwrap_or(100);
        self.database.read(|store| {
            let graph = Adjacency::at(store, scope, self.database.as_of(around.as_of), self.database.now());
            let mut found: Vec<(Id, usize)> = Vec::new();
            let mut places: FxHashSet<Id> = FxHashSet::default();
            let mut truncated = false;
            for name in &around.names {
                let view = graph.named(name)?;
                if places.insert(view.id) {
                    found.push((view.id, 0));
                }
            }
            truncated |= found.len() > limit;
            found.truncate(limit);
            let (mut edges, mut next) = (Vec::new(), 0);
            while let Some((id, away)) = found.get(next).copied()
                && away < depth
            {
                next += 1;
                for edge in graph.edges(id) {
                    if !around.allows(&edge)? {
                        continue;
                    }
                    let other = edge.other(id);
                    edges.push((edge, id, other));
                    if places.contains(&other) {
                        continue;
                    }
                    if found.len() < limit {
                        places.insert(other);
                        found.push((other, away + 1));
                    } else {
                        truncated = true;
                    }
                }
            }
            let mut seen = FxHashSet::default();
            edges.retain(|(edge, id, other)| {
                places.contains(id) && places.contains(other) && seen.insert(edge.view.id)
            });
            truncated |= edges.len() > MAX_LIMIT;
            let entities = found.iter().filter_map(|(id, depth)| Some((graph.entity(*id)?, *depth)));
            let entities = entities
                .map(|(view, depth)| Ok(Neighbour { entity: EntityItem::of(&view, usize::MAX)?, depth }));
            let relations = edges.iter().take(MAX_LIMIT).map(|(edge, ..)| RelationItem::of(&edge.view));
            Ok(Neighbours {
                entities: entities.collect::<Result<_>>()?,
                relations: relations.collect::<Result<_>>()?,
                truncated,
            })
        })
    }

    /// A shortest path between two entities over relations in either direction; `None` when there is none of so few steps.
    ///
    /// # Errors
    /// `NotFound` when one of the entities is not there, `InvalidInput` for an option out of range, and those of reading.
    pub fn path(&self, scope: &Scope, between: &PathBetween) -> Result<Option<Path>> {
        let max_depth = steps("maxDepth", between.max_depth.unwrap_or(6))?;
        self.database.read(|store| {
            let graph = Adjacency::at(store, scope, self.database.as_of(between.as_of), self.database.now());
            let (from, to) = (graph.named(&between.from)?.id, graph.named(&between.to)?.id);
            // From the end, so that the steps back are those of the path.
            let mut steps: FxHashMap<Id, Option<Edge<'_>>> = FxHashMap::default();
            steps.insert(to, None);
            let mut reached = vec![to];
            for _ in 0..max_depth {
                if steps.contains_key(&from) {
                    break;
                }
                let mut further = Vec::new();
                for id in reached {
                    for edge in graph.edges(id) {
                        let other = edge.other(id);
                        if let Entry::Vacant(step) = steps.entry(other) {
                            step.insert(Some(edge));
                            further.push(other);
                        }
                    }
                }
                reached = further;
            }
            let Some(mut step) = steps.get(&from) else { return Ok(None) };
            let (mut at, mut entities, mut relations) = (from, Vec::new(), Vec::new());
            loop {
                entities.extend(graph.entity(at).map(|view| EntityItem::of(&view, usize::MAX)));
                let Some(edge) = step else { break };
                relations.push(RelationItem::of(&edge.view)?);
                at = edge.other(at);
                let Some(next) = steps.get(&at) else { break };
                step = next;
            }
            Ok(Some(Path { entities: entities.into_iter().collect::<Result<_>>()?, relations }))
        })
    }
}

impl Around {
    fn allows(&self, edge: &Edge<'_>) -> Result<bool> {
        let Some(types) = &self.relation_types else { return Ok(true) };
        Ok(types.contains(&edge.view.content::<Relation>()?.relation_type))
    }
}

fn steps(name: &str, depth: usize) -> Result<usize> {
    limits::whole(name, depth, 1..=MAX_DEPTH).map(|()| depth)
}
