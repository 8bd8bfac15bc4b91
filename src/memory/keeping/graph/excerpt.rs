//! Excerpts: what of the graph goes into a model's context. As a whole graph could fill any context, each has a limit of
//! tokens, and says what it left out.

use super::Graph;
use super::adjacency::connects;
use super::entity::Entity;
use super::relation::Relation;
use crate::error::Result;
use crate::lowercase::lowercase;
use crate::memory::counter::Counter;
use crate::memory::limits::{self, invalid};
use crate::scope::Scope;
use crate::store::Store;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// How many tokens an excerpt has at most when nobody says otherwise.
pub const DEFAULT_TOKENS: usize = 20_000;
/// The most tokens an excerpt may be asked to have.
const MAX_TOKENS: usize = 1_000_000;
/// What the JSON of an entity costs beside its texts.
const ENTITY_TOKENS: usize = 25;
/// What the JSON of an observation costs beside its text.
const OBSERVATION_TOKENS: usize = 3;
/// What the JSON of a relation costs beside its texts.
const RELATION_TOKENS: usize = 24;
/// The most characters the query of `search_nodes` may have, in UTF-16 as JavaScript counts them.
pub const MAX_QUERY_LENGTH: usize = 2048;

/// Which excerpt. `search_nodes` takes a query, `open_nodes` names, `read_graph` neither.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExcerptOf {
    /// What a name, a type or an observation holds, apart from case; all entities if empty.
    pub query: Option<String>,
    /// Exact names; unknown ones are ignored.
    pub names: Option<Vec<String>>,
    /// About how many tokens at most, 1 to 1 000 000; 20 000 by default.
    pub max_tokens: Option<usize>,
    /// How many observations of each entity at most; all by default.
    pub observation_limit: Option<usize>,
}

/// Entities, and the relations that one of them is an end of, both in the order in which they were created.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Excerpt {
    /// The entities.
    pub entities: Vec<Entity>,
    /// The relations.
    pub relations: Vec<Relation>,
    /// What did not fit; absent when everything did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truncated: Option<LeftOut>,
}

/// How much was left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Entities.
    pub entities: usize,
    /// Observations of the entities that are there.
    pub observations: usize,
    /// Relations of the entities that are there.
    pub relations: usize,
}

impl Graph {
    /// The graph, as far as it fits.
    ///
    /// # Errors
    /// `InvalidInput` for an option out of range, and those of reading.
    pub fn read_graph(&self, scope: &Scope, asked: &ExcerptOf) -> Result<Excerpt> {
        if asked.query.is_some() || asked.names.is_some() {
            return Err(invalid(
                "read_graph takes no query and no names; use search_nodes or open_nodes".to_owned(),
            ));
        }
        self.holding(scope, "", asked)
    }

    /// The entities of which the name, the type or an observation holds the whole query, apart from case.
    ///
    /// # Errors
    /// `InvalidInput` for a query over 2048 characters or an option out of range, and those of reading.
    pub fn search_nodes(&self, scope: &Scope, asked: &ExcerptOf) -> Result<Excerpt> {
        let (Some(query), None) = (&asked.query, &asked.names) else {
            return Err(invalid("search_nodes takes a query and no names; \"\" finds all".to_owned()));
        };
        let length = query.encode_utf16().count();
        if length > MAX_QUERY_LENGTH {
            return Err(invalid(format!(
                "the query has {length} characters, over the limit of {MAX_QUERY_LENGTH}; shorten it"
            ))
            .with("characters", length)
            .with("limit", MAX_QUERY_LENGTH));
        }
        self.holding(scope, query, asked)
    }

    /// The entities with these names; those that are not there are left out.
    ///
    /// # Errors
    /// `InvalidInput` for an option out of range, and those of reading.
    pub fn open_nodes(&self, scope: &Scope, asked: &ExcerptOf) -> Result<Excerpt> {
        let (None, Some(names)) = (&asked.query, &asked.names) else {
            return Err(invalid("open_nodes takes names and no query".to_owned()));
        };
        let now = self.database.now();
        self.database
            .read(|store| self.excerpt(store, scope, &store.entities_named(scope, names, now), asked, now))
    }

    fn holding(&self, scope: &Scope, query: &str, asked: &ExcerptOf) -> Result<Excerpt> {
        let now = self.database.now();
        self.database.read(|store| {
            let mut documents = store.entities_holding(scope, query, now);
            // A run with the end of a line in it may lie across what are two texts.
            if query.contains('\n') {
                let folded = lowercase(query);
                documents.retain(|document| {
                    let entity = store.view(*document).and_then(|view| Entity::of(&view).ok());
                    entity.is_some_and(|entity| entity.holds(&folded))
                });
            }
            self.excerpt(store, scope, &documents, asked, now)
        })
    }

    /// What of some entities and their relations fits. A quarter of the room is kept for relations.
    fn excerpt(
        &self,
        store: &Store,
        scope: &Scope,
        documents: &[u32],
        asked: &ExcerptOf,
        now: Timestamp,
    ) -> Result<Excerpt> {
        let counter = &self.searcher.counter;
        let max_tokens = asked.max_tokens.unwrap_or(DEFAULT_TOKENS);
        limits::whole("maxTokens", max_tokens, 1..=MAX_TOKENS)?;
        let observation_limit = asked.observation_limit.unwrap_or(usize::MAX);
        let (mut entities, mut ids, mut left, mut room) =
            (Vec::new(), Vec::new(), LeftOut::default(), max_tokens - max_tokens / 4);
        let mut places = documents.iter();
        for document in places.by_ref() {
            let Some(view) = store.view(*document) else { continue };
            let mut entity = Entity::of(&view)?;
            let all = entity.observations.len();
            entity.keep_newest(observation_limit);
            let fits = entity.fit(&mut room, counter);
            if fits || !entity.observations.is_empty() {
                left.observations += all - entity.observations.len();
                ids.push(view.id);
                entities.push(entity);
            } else {
                left.entities += 1;
            }
            if !fits {
                break;
            }
        }
        left.entities += places.len();
        room += max_tokens / 4;
        let mut relations = Vec::new();
        let edges = store.relations_of(scope, &ids, Some(now));
        let mut places = edges.iter();
        for document in places.by_ref() {
            let Some(view) = store.view(*document).filter(|view| connects(store, scope, view, now)) else {
                continue;
            };
            let relation: Relation = view.content()?;
            let texts = [&relation.from, &relation.to, &relation.relation_type];
            let cost = texts.iter().map(|text| counter.count(text)).sum::<usize>() + RELATION_TOKENS;
            let Some(less) = room.checked_sub(cost) else {
                left.relations += 1;
                break;
            };
            room = less;
            relations.push(relation);
        }
        left.relations += places.len();
        Ok(Excerpt { entities, relations, truncated: (left != LeftOut::default()).then_some(left) })
    }
}

impl Entity {
    /// Whether one of its texts holds a run of lower-case characters.
    fn holds(&self, folded: &str) -> bool {
        let texts = [&self.name, &self.entity_type].into_iter().chain(&self.observations);
        texts.into_iter().any(|text| lowercase(text).contains(folded))
    }
}

impl Entity {
    /// Takes what it costs from the room there is. If that is too little, so many observations go that the rest fits, or all
    /// of them, and the answer is `false`.
    fn fit(&mut self, room: &mut usize, counter: &Counter) -> bool {
        let bare = ENTITY_TOKENS + counter.count(&self.name) + counter.count(&self.entity_type);
        let Some(mut left) = room.checked_sub(bare) else {
            self.observations.clear();
            return false;
        };
        let mut fit = 0;
        for observation in self.observations.iter().rev() {
            let Some(less) = left.checked_sub(OBSERVATION_TOKENS + counter.count(observation)) else {
                break;
            };
            left = less;
            fit += 1;
        }
        *room = left;
        self.keep_newest(fit) == 0
    }
}
