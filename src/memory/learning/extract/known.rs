//! What the model is shown of what is known already: so much and no more, however much there is.

use super::{Batch, Extractor};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::memory::facts::Fact;
use crate::memory::graph::{Entity, EntityItem, Graph, Relation};
use crate::memory::message::Role;
use crate::memory::profiles::Profile;
use crate::memory::search::embed_query;
use crate::ordered::Ordered;
use crate::record::Kind;
use crate::store::Query;

/// The user's own name in the graph.
pub(crate) const USER: &str = "User";
/// How many related facts are shown.
const RELATED_FACTS: usize = 20;
/// How many entities that share words with the conversation are shown, how many observations of each, and how many
/// relations of theirs.
const RELATED_ENTITIES: usize = 15;
const SHOWN_OBSERVATIONS: usize = 5;
const RELATED_RELATIONS: usize = 30;
/// How many bytes of the conversation are searched with.
const QUERY_BYTES: usize = 4000;

/// What is shown.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// By number, from 1.
    pub(crate) facts: Vec<Fact>,
    pub(crate) profiles: Ordered<String, Profile>,
    pub(crate) entities: Vec<Entity>,
    pub(crate) relations: Vec<Relation>,
}

impl Extractor {
    /// What is known that a batch may be about. When the embedder fails, words are used.
    pub(super) async fn known(&self, batch: &Batch) -> Result<Known> {
        let mut text = String::new();
        for given in &batch.given {
            text.push_str(&given.text);
            text.push('\n');
        }
        for message in batch.messages.iter().filter(|message| message.role == Role::User) {
            text.push_str(&message.text());
            text.push('\n');
        }
        let end = text.floor_char_boundary(QUERY_BYTES);
        text.truncate(end);
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
            let mut known = Known { facts, profiles, ..Known::default() };
            if self.guidance.graph {
                let query = Query { embedding: None, limit: RELATED_ENTITIES, ..query };
                let found = store.search(&batch.scope, Kind::Entity, &query, &|_| true)?;
                let ids: Vec<Id> = found.iter().map(|found| found.record.id).collect();
                for found in &found {
                    known.entities.push(EntityItem::of(&found.record, SHOWN_OBSERVATIONS)?.entity);
                }
                known.relations = Graph::relations_around(store, &batch.scope, &ids, RELATED_RELATIONS, now)?;
            }
            Ok(known)
        })
    }
}
