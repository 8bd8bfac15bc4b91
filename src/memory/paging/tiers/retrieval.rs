//! Retrieval: all of the queue, the best pages of the best segments, and what is known for good.

use super::Tiers;
use super::likeness::jaccard;
use super::shelf::likeness;
use crate::embedding::Embedding;
use crate::error::Result;
use crate::log::RecordView;
use crate::memory::facts::Fact;
use crate::memory::limits::{self, MAX_LIMIT};
use crate::memory::pages::Segment;
use crate::memory::pages::indexed_words;
use crate::memory::pages::{AGENT, AgentTrait, PROFILE, Trait};
use crate::memory::pages::{Page, SHORT, mid_prefix, pages};
use crate::ordered::Ordered;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Found, Query, Store};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// From which likeness on a segment, and from which cosine on a page, has anything to do with a query.
const LEAST: f64 = 0.1;

/// What to retrieve for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Retrieve {
    /// What the user says or asks now.
    pub query: String,
    /// How many segments at most, 1 to 1000; as the memory was opened by default.
    pub top_segments: Option<usize>,
    /// How many pages of them at most, 1 to 1000; as the memory was opened by default.
    pub top_pages: Option<usize>,
    /// How many facts, and how many statements about the assistant, at most, 1 to 1000; as the memory was opened by default.
    pub top_knowledge: Option<usize>,
}

/// What was retrieved.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Retrieved {
    /// The pages of the queue, the oldest first.
    pub recent: Vec<Page>,
    /// The segments that fit best, best first.
    pub segments: Vec<Segment>,
    /// The pages in them that are nearest in meaning, best first; and of those that wait to be moved.
    pub pages: Vec<ScoredPage>,
    /// The values of every profile, by schema.
    pub profile: Ordered<String, Map<String, Value>>,
    /// All traits of the user.
    pub traits: Vec<Trait>,
    /// The facts that fit best, best first.
    pub knowledge: Vec<Fact>,
    /// What stays the same of the assistant, by name.
    pub agent_profile: Ordered<String, Value>,
    /// The statements about the assistant that fit best, best first.
    pub agent_traits: Vec<AgentTrait>,
}

/// A page that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoredPage {
    /// The page.
    #[serde(flatten)]
    pub page: Page,
    /// The cosine between it and the query; the share of its keywords while there is no vector.
    pub score: f32,
}

impl Tiers {
    /// Retrieves from all tiers. The segments that were looked into count as visited from then on.
    ///
    /// # Errors
    /// `InvalidInput`, and those of reading. When the embedder fails, listeners are told and words are used.
    pub async fn retrieve(&self, scope: &Scope, asked: &Retrieve) -> Result<Retrieved> {
        limits::text("query", &asked.query, limits::MAX_QUERY_BYTES)?;
        let options = &self.inner.options;
        let top = |name: &str, asked: Option<usize>, default: usize| {
            let count = asked.unwrap_or(default);
            limits::whole(name, count, 1..=MAX_LIMIT).map(|()| count)
        };
        let top_segments = top("topSegments", asked.top_segments, options.top_segments)?;
        let top_pages = top("topPages", asked.top_pages, options.top_pages)?;
        let top_knowledge = top("topKnowledge", asked.top_knowledge, options.top_knowledge)?;
        let embedding = self.inner.searcher.embed(&asked.query).await;
        let profiles = self.inner.profiles.get(scope, None)?;
        let now = self.inner.database.now();
        let retrieved = self.inner.database.read(|store| {
            let looking = Looking { tiers: self, store, scope, embedding: embedding.as_ref(), now };
            let (recent, waiting) = looking.queue()?;
            let segments = looking.segments(&asked.query, top_segments)?;
            let pages = looking.pages(&asked.query, &segments, waiting, top_pages)?;
            let knowledge = looking.found(Kind::Fact, &asked.query, top_knowledge)?;
            let facts = &mut knowledge.iter().map(|found| found.record);
            self.inner.searcher.accesses.note(scope, facts);
            let agent_traits = looking.found(Kind::Trait, &asked.query, top_knowledge)?;
            let agent_profile = store.by_key_prefix(scope, Kind::Trait, PROFILE);
            let of_agent = |view: &RecordView<'_>| {
                let value: Value = view.content()?;
                let name = view.key.and_then(|key| key.strip_prefix(PROFILE)).unwrap_or_default();
                Ok((name.to_owned(), value.get("value").cloned().unwrap_or_default()))
            };
            Ok(Retrieved {
                recent,
                segments,
                pages,
                profile: profiles.iter().map(|(id, known)| (id.clone(), known.profile.clone())).collect(),
                traits: Trait::all(store, scope)?,
                knowledge: knowledge
                    .iter()
                    .map(|found| Fact::shown(store, scope, &found.record, now))
                    .collect::<Result<_>>()?,
                agent_profile: agent_profile.iter().map(of_agent).collect::<Result<_>>()?,
                agent_traits: agent_traits.iter().map(|found| AgentTrait::of(&found.record)).collect(),
            })
        })?;
        self.visited(scope, &mut retrieved.segments.iter().map(|segment| segment.id));
        Ok(retrieved)
    }
}

/// A retrieval under way.
struct Looking<'a> {
    tiers: &'a Tiers,
    store: &'a Store,
    scope: &'a Scope,
    embedding: Option<&'a Embedding>,
    now: Timestamp,
}

impl<'a> Looking<'a> {
    /// The pages of the queue, and those that are too many for it and wait to be moved.
    fn queue(&self) -> Result<(Vec<Page>, Vec<RecordView<'a>>)> {
        let mut waiting = pages(self.store, self.scope, SHORT);
        let over = waiting.len().saturating_sub(self.tiers.inner.options.capacity);
        let recent = waiting.split_off(over);
        Ok((recent.iter().map(Page::of).collect::<Result<_>>()?, waiting))
    }

    fn segments(&self, query: &str, top: usize) -> Result<Vec<Segment>> {
        let own = indexed_words(&[query.to_owned()]);
        let mut rated = Vec::new();
        for mut topic in self.tiers.topics(self.store, self.scope)? {
            topic.embedding = self.store.embedding(self.scope, topic.shown.id);
            let fit = likeness(&topic, self.embedding, &own);
            if fit >= LEAST {
                rated.push((fit, topic.shown));
            }
        }
        let best = sorted(&rated, |a, b| b.0.total_cmp(&a.0));
        Ok(best.into_iter().take(top).map(|(_, segment)| segment.clone()).collect())
    }

    fn pages(
        &self,
        query: &str,
        segments: &[Segment],
        waiting: Vec<RecordView<'a>>,
        top: usize,
    ) -> Result<Vec<ScoredPage>> {
        let inside =
            segments.iter().flat_map(|segment| pages(self.store, self.scope, &mid_prefix(segment.id)));
        let own = indexed_words(&[query.to_owned()]);
        let mut rated = Vec::new();
        for view in waiting.into_iter().chain(inside) {
            let embedding = self.embedding;
            let similarity =
                embedding.and_then(|embedding| self.store.similarity(self.scope, view.id, embedding));
            let score = match similarity {
                Some(cosine) => cosine,
                None => share(&own, &indexed_words(&Page::of(&view)?.keywords)),
            };
            if f64::from(score) >= LEAST {
                rated.push((score, view));
            }
        }
        let best = sorted(&rated, |a, b| b.0.total_cmp(&a.0).then(b.1.id.cmp(&a.1.id)));
        let shown =
            |(score, view): &(f32, RecordView<'_>)| Ok(ScoredPage { page: Page::of(view)?, score: *score });
        best.into_iter().take(top).map(shown).collect()
    }

    /// Facts, or statements about the assistant, that have to do with the query.
    fn found(&self, kind: Kind, text: &str, limit: usize) -> Result<Vec<Found<'a>>> {
        let query = Query { text, embedding: self.embedding, limit, now: self.now };
        let accepts =
            |view: &RecordView<'_>| kind == Kind::Fact || view.key.is_some_and(|key| key.starts_with(AGENT));
        let mut found = self.store.search(self.scope, kind, &query, &accepts)?;
        found.retain(|found| self.tiers.inner.models.is_relevant(found));
        Ok(found)
    }
}

/// How many words two sets share, as a score.
fn share(a: &[String], b: &[String]) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "a score")]
    let share = jaccard(a, b) as f32;
    share
}
