//! The archive: passages without limit, found by words and meaning.

use super::passage::{MAX_PASSAGE_BYTES, Passage, PassageValue, check_tags, record};
use crate::error::Result;
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::memory::action::{Action, not_found};
use crate::memory::changes::{Changes, Planning};
use crate::memory::finding::Known;
use crate::memory::limits;
use crate::memory::search::{Scored, Searcher, Terms, UNRELATED, find};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Among, Query};
use crate::time::Timestamp;
use serde::Deserialize;

/// How many results a search can be paged through.
pub(crate) const MOST_RESULTS: usize = 100;

/// A passage to keep.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewPassage {
    /// What it says, 1 to 32 768 bytes.
    pub text: String,
    /// What to file it under, up to 16 tags; none by default.
    #[serde(default)]
    pub tags: Vec<String>,
}

/// Whether one tag is enough.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TagMatch {
    /// One of the tags.
    #[default]
    Any,
    /// Each of the tags.
    All,
}

/// What to look for in the archive.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchiveSearch {
    /// The query, in words.
    pub query: String,
    /// Only what is filed under these; everything by default.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Whether one of the tags is enough; it is by default.
    #[serde(default, rename = "match")]
    pub tag_match: TagMatch,
    /// Which page, from 0.
    #[serde(default)]
    pub page: usize,
    /// How many passages a page has, 1 to 100; 5 by default. No search goes beyond the first 100 results.
    #[serde(default = "five")]
    pub limit: usize,
    /// The least relevance, 0 to 1; [`UNRELATED`] by default.
    #[serde(default)]
    pub threshold: Option<f32>,
    /// Whether what waits for its vector gets it first; false by default.
    #[serde(default, rename = "await")]
    pub waits: bool,
}

fn five() -> usize {
    FOUND
}

/// How many passages are found when nobody says how many.
const FOUND: usize = 5;

/// The archive of every scope.
#[derive(Clone)]
pub struct Archive {
    pub(crate) searcher: Searcher,
    pub(crate) changes: Changes,
}

impl Archive {
    /// Keeps a passage.
    ///
    /// # Errors
    /// `InvalidInput` for a text or tags over their limits, and those of storing.
    pub async fn insert(&self, scope: &Scope, new: &NewPassage) -> Result<Action> {
        self.keep(scope, new, Cause::User).await
    }

    pub(crate) async fn keep(&self, scope: &Scope, new: &NewPassage, cause: Cause) -> Result<Action> {
        limits::text("text", &new.text, MAX_PASSAGE_BYTES)?;
        check_tags(&new.tags)?;
        let value = PassageValue { tags: new.tags.clone(), ..PassageValue::default() };
        let id = self.searcher.database.new_id();
        let plan = &mut |planning: &mut Planning<'_>| {
            planning.create(record(id, scope, &new.text, &value, planning.now)?);
            Ok(())
        };
        self.changes.one(scope, cause, plan).await
    }

    /// The passages that fit a query best, best first; empty when none shares a word or is near in meaning.
    ///
    /// # Errors
    /// `InvalidInput`, and those of reading.
    pub async fn search(&self, scope: &Scope, asked: &ArchiveSearch) -> Result<Vec<Scored<Passage>>> {
        limits::text("query", &asked.query, limits::MAX_QUERY_BYTES)?;
        check_tags(&asked.tags)?;
        limits::whole("limit", asked.limit, 1..=MOST_RESULTS)?;
        limits::threshold(asked.threshold)?;
        let found = self.find(scope, asked, (Timestamp::MIN, Timestamp::MAX)).await?;
        Ok(found.into_iter().skip(asked.page.saturating_mul(asked.limit)).take(asked.limit).collect())
    }

    /// Everything a search can be paged through, of what was stored in a span of time.
    pub(crate) async fn find(
        &self,
        scope: &Scope,
        asked: &ArchiveSearch,
        (start, end): (Timestamp, Timestamp),
    ) -> Result<Vec<Scored<Passage>>> {
        let Searcher { database, accesses, embeddings, .. } = &self.searcher;
        if asked.waits {
            embeddings.catch_up_with_all().await;
        }
        let embedding = self.searcher.embed(&asked.query).await;
        let accepts = |view: &RecordView<'_>| {
            if !(start..=end).contains(&view.created_at) {
                return false;
            }
            if asked.tags.is_empty() {
                return true;
            }
            let Ok(PassageValue { tags, .. }) = view.content() else { return false };
            match asked.tag_match {
                TagMatch::Any => asked.tags.iter().any(|tag| tags.contains(tag)),
                TagMatch::All => asked.tags.iter().all(|tag| tags.contains(tag)),
            }
        };
        database.read(|store| {
            let query = Query {
                text: &asked.query,
                embedding: embedding.as_ref(),
                limit: MOST_RESULTS,
                now: database.now(),
            };
            let mut found = find(store, (scope, Kind::Passage), &query, &Among::default(), Some(&accepts))?;
            found.retain(|found| found.relevance >= asked.threshold.unwrap_or(UNRELATED));
            found.truncate(MOST_RESULTS);
            let shown = found.iter().skip(asked.page.saturating_mul(asked.limit)).take(asked.limit);
            accesses.note(scope, &mut shown.map(|found| found.record));
            found
                .iter()
                .map(|found| {
                    let item = Passage::of(&found.record)?;
                    Ok(Scored {
                        item,
                        score: found.score.score,
                        relevance: found.relevance,
                        known: Known::by(found.relevance),
                        terms: Terms::of(found),
                    })
                })
                .collect()
        })
    }

    /// Deletes a passage; its revisions stay in its history.
    ///
    /// # Errors
    /// `NotFound`, and those of storing.
    pub async fn delete(&self, scope: &Scope, id: Id) -> Result<Action> {
        let find = |planning: &Planning<'_>| {
            let view = planning.store.get(scope, id).filter(|view| view.kind == Kind::Passage);
            view.map(|view| (id, view.revision)).ok_or_else(|| not_found(Kind::Passage, id, scope))
        };
        self.changes.end(scope, true, &find).await
    }
}
