//! What the model is shown of what is known already: so much and no more, however much there is.

use super::{Batch, Extractor};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::log::RecordView;
use crate::lowercase::lowercase;
use crate::memory::Category;
use crate::memory::facts::Fact;
use crate::memory::graph::{Entity, Graph, RelationItem};
use crate::memory::pages::{indexed_words, shared_words};
use crate::memory::profiles::Profile;
use crate::memory::search::embed_query;
use crate::ordered::Ordered;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Found, Query, Store};
use crate::time::Timestamp;

/// The user's own name in the graph.
pub(crate) const USER: &str = "User";
/// How many related facts are shown.
const RELATED_FACTS: usize = 20;
/// How many open plans are shown beside them, facts and relations each, and among how many of the newest these and others are looked for.
const OPEN_PLANS: usize = 8;
const READ_NEWEST: usize = 500;
/// How many entities that share words with the conversation, and how many that the shown facts name, are shown; how many
/// observations of each, and how many relations of theirs.
const RELATED_ENTITIES: usize = 15;
const NAMED_ENTITIES: usize = 10;
const SHOWN_OBSERVATIONS: usize = 5;
const RELATED_RELATIONS: usize = 30;
/// How many bytes of the conversation, and of the shown facts, are searched with.
const QUERY_BYTES: usize = 4000;
/// How the type of a relation begins that tells of a plan.
const PLANS: &[&str] = &[
    "plan",
    "want",
    "hope",
    "intend",
    "will_",
    "is_going_to",
    "is_planning",
    "is_saving",
    "is_looking",
    "aims",
    "wishes",
    "dreams",
    "would_like",
    "considers",
    "is_considering",
    "prepares",
    "is_preparing",
    "is_learning",
    "applied",
    "is_waiting",
];

/// What is shown.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// By number, from 1.
    pub(crate) facts: Vec<Fact>,
    pub(crate) profiles: Ordered<String, Profile>,
    pub(crate) entities: Vec<Entity>,
    pub(crate) relations: Vec<RelationItem>,
}

impl Extractor {
    /// What is known that a batch may be about. When the embedder fails, words are used.
    pub(super) async fn known(&self, batch: &Batch) -> Result<Known> {
        let mut text = String::new();
        for given in &batch.given {
            text.push_str(&given.text);
            text.push('\n');
        }
        // The user's words first; what the assistant says tells what a short answer is about.
        let (own, others): (Vec<_>, Vec<_>) =
            batch.messages.iter().partition(|message| batch.is_person(message));
        for message in own.into_iter().chain(others) {
            text.push_str(&message.text());
            text.push('\n');
        }
        text.truncate(text.floor_char_boundary(QUERY_BYTES));
        let embedding = embed_query(&self.database, &self.models, &text).await;
        let now = self.database.now();
        let profiles = self.profiles.get(&batch.scope, None)?;
        // What is not to be consolidated is not shown.
        if !batch.options.consolidates() {
            return Ok(Known { profiles, ..Known::default() });
        }
        self.database.read(|store| {
            let query = Query { text: &text, embedding: embedding.as_ref(), limit: RELATED_FACTS, now };
            let found = match store.search(&batch.scope, Kind::Fact, &query, &|_| true) {
                // The embedder changed its dimensions: words are used here too.
                Err(error) if error.code == Code::Embedder => {
                    store.search(&batch.scope, Kind::Fact, &Query { embedding: None, ..query }, &|_| true)?
                }
                found => found?,
            };
            let mut facts = Vec::with_capacity(found.len());
            for found in &found {
                let fact = Fact::of(&found.record)?;
                if batch.concerns(&fact.metadata) {
                    facts.push(fact);
                }
            }
            // Where little is known, what has ended is said in other words than it was learned by; and plans are carried out in others
            // than they were made in.
            add_newest(&mut facts, RELATED_FACTS, (store, batch, now), |_| true)?;
            let most = facts.len() + OPEN_PLANS;
            let is_plan = |fact: &Fact| fact.category == Category::Goal || fact.valid_to.is_some();
            add_newest(&mut facts, most, (store, batch, now), is_plan)?;
            let mut known = Known { facts, profiles, ..Known::default() };
            if self.guidance.graph {
                known.graph(store, &batch.scope, &query)?;
            }
            Ok(known)
        })
    }
}

/// Adds the newest facts that are wanted, until there are so many.
fn add_newest(
    facts: &mut Vec<Fact>,
    most: usize,
    (store, batch, now): (&Store, &Batch, Timestamp),
    is_wanted: fn(&Fact) -> bool,
) -> Result<()> {
    let newest = store.records(&batch.scope, Kind::Fact).rev().take(READ_NEWEST);
    for view in newest.filter(|view| view.holds_at(now)) {
        if facts.len() >= most {
            break;
        }
        let fact = Fact::of(&view)?;
        if is_wanted(&fact) && batch.concerns(&fact.metadata) && facts.iter().all(|shown| shown.id != fact.id)
        {
            facts.push(fact);
        }
    }
    Ok(())
}

impl Known {
    /// Adds the entities that share words with the conversation, those that the shown facts name, their relations, and plans.
    fn graph(&mut self, store: &Store, scope: &Scope, query: &Query<'_>) -> Result<()> {
        let said = indexed_words(&[query.text.to_owned()]);
        let mut ids: Vec<Id> = Vec::new();
        let query = Query { embedding: None, limit: RELATED_ENTITIES, ..*query };
        let related = store.search(scope, Kind::Entity, &query, &|_| true)?;
        ids.extend(related.iter().map(|found| found.record.id));
        let texts: Vec<String> = self.facts.iter().map(|fact| lowercase(&fact.text)).collect();
        let texts = texts.join("\n");
        let text = texts.get(..texts.floor_char_boundary(QUERY_BYTES)).unwrap_or_default();
        let query = Query { text, limit: NAMED_ENTITIES, ..query };
        let is_named = |view: &RecordView<'_>| {
            let name = view.key.filter(|name| *name != USER && !ids.contains(&view.id));
            name.is_some_and(|name| text.contains(&lowercase(name)))
        };
        let named = store.search(scope, Kind::Entity, &query, &is_named)?;
        for Found { record, .. } in related.iter().chain(&named) {
            let mut entity = Entity::of(record)?;
            entity.keep_best(SHOWN_OBSERVATIONS, &|text| shared_words(text, &said));
            self.entities.push(entity);
        }
        ids.extend(named.iter().map(|found| found.record.id));
        self.relations = Graph::relations_around(store, scope, &ids, RELATED_RELATIONS, query.now)?;
        if let Some(user) = store.by_key(scope, Kind::Entity, USER) {
            let around = Graph::relations_around(store, scope, &[user.id], READ_NEWEST, query.now)?;
            let is_plan = |known: &RelationItem| {
                PLANS.iter().any(|plan| known.relation.relation_type.starts_with(plan))
            };
            let open =
                around.into_iter().rev().filter(|known| is_plan(known) && !self.relations.contains(known));
            let open: Vec<RelationItem> = open.take(OPEN_PLANS).collect();
            self.relations.extend(open);
        }
        Ok(())
    }
}
