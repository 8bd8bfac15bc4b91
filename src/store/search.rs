//! Searching one collection by words and meaning.

use super::centre::centred;
use super::collection::Collection;
use super::state::{Store, Views};
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::index::fuse::{EVEN, Fused, Ranking, fuse};
use crate::index::hash;
use crate::index::vector::Hit;
use crate::log::RecordView;
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;
use crate::time::Timestamp;

/// How many candidates each list hands to the fusion, per wanted result.
const CANDIDATES_PER_RESULT: usize = 4;
/// The least number of candidates of each list.
const MIN_CANDIDATES: usize = 50;
/// How many neighbours are read per wanted candidate when some are not wanted, before all are.
const FURTHER_REACH: usize = 2;

/// What to look for.
pub struct Query<'a> {
    /// The words.
    pub text: &'a str,
    /// Their vector, if there is one.
    pub embedding: Option<&'a Embedding>,
    /// How many results at most.
    pub limit: usize,
    /// Only records that are part of the present at this time.
    pub now: Timestamp,
}

/// A result.
#[derive(Debug, Clone, Copy)]
pub struct Found<'a> {
    /// The record.
    pub record: RecordView<'a>,
    /// How well it fits: by words, then by meaning. The raw score of the meaning is the cosine.
    pub score: Fused<2>,
}

impl Store {
    /// The living records of a scope and kind whose text may be the same as this one apart from case and spaces, in the
    /// order in which they were first stored; those that do not hold its rarest word are left out.
    pub fn perhaps_same(&self, scope: &Scope, kind: Kind, text: &str) -> Views<'_> {
        let documents = self.collection(scope, kind).map_or_else(Vec::new, |collection| {
            collection.words.holders(text).unwrap_or_else(|| collection.members.keys().copied().collect())
        });
        Box::new(in_order(documents).into_iter().filter_map(|document| self.view(document)))
    }

    /// The records of a collection that fit best, best first. A record that shares no word with the query and is not
    /// among the nearest by meaning is not a result.
    ///
    /// # Errors
    /// `Embedder` when the query's vector has another dimension than the stored ones.
    pub fn search<'a>(
        &'a self,
        scope: &Scope,
        kind: Kind,
        query: &Query<'_>,
        accepts: &dyn Fn(&RecordView<'_>) -> bool,
    ) -> Result<Vec<Found<'a>>> {
        self.search_among(scope, kind, query, Some(accepts))
    }

    /// The same among all records, when `accepts` is none: then no record is read but the results.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn search_among<'a>(
        &'a self,
        scope: &Scope,
        kind: Kind,
        query: &Query<'_>,
        accepts: Option<&dyn Fn(&RecordView<'_>) -> bool>,
    ) -> Result<Vec<Found<'a>>> {
        let Some(collection) = self.collection(scope, kind) else { return Ok(Vec::new()) };
        let candidates = query.limit.saturating_mul(CANDIDATES_PER_RESULT).max(MIN_CANDIDATES);
        let wanted = |document: u32| {
            accepts.is_none_or(|accepts| self.view(document).is_some_and(|view| accepts(&view)))
        };
        let present = |document: u32| self.holds_at(document, query.now);
        let words =
            collection.words.search(query.text, candidates, |document| present(document) && wanted(document));
        let nearest = match (collection.dimensions(), query.embedding) {
            (Some(dimensions), Some(embedding)) if embedding.dimensions() != dimensions => {
                return Err(other_dimensions(embedding.dimensions(), dimensions));
            }
            (Some(_), Some(embedding)) => nearest(collection, embedding, candidates, present, wanted)?,
            _ => Vec::new(),
        };
        let found = words.iter().map(|hit| hit.document).chain(nearest.iter().map(|hit| hit.document));
        let documents = in_order(found);
        // Each list is cut, and what only the other one found would count as unlike: every candidate gets both scores.
        let scores = collection.words.scores(query.text, &documents);
        let mut words: Vec<(u32, f32)> = Vec::new();
        // Sharing no word counts as 0, so that the weakest match counts for more; unless there is none at all.
        if scores.iter().any(|score| *score > 0.0) {
            words.extend(documents.iter().copied().zip(scores));
        }
        let similarity = |document: u32| {
            let (vectors, embedding) = (collection.vectors.as_ref()?, query.embedding?);
            vectors.similarity(embedding.scale, &embedding.codes, document)
        };
        let mut meaning: Vec<(u32, f32)> = Vec::new();
        if let (Some(vectors), false) = (&collection.vectors, nearest.is_empty()) {
            meaning.extend(documents.iter().filter_map(|document| Some((*document, similarity(*document)?))));
            // Where no word tells candidates apart, the plain cosine ranks them.
            if !words.is_empty() {
                meaning = centred(vectors, &meaning);
            }
        }
        let weight = query.embedding.map_or(EVEN, weight);
        let fused = fuse([
            Ranking { weight: 1.0 - weight, candidates: &words },
            Ranking { weight, candidates: &meaning },
        ]);
        // A candidate is a living record, so every one has a view.
        Ok(fused
            .into_iter()
            .take(query.limit)
            .filter_map(|mut score| {
                let [words, meaning] = &mut score.terms;
                words.raw = words.raw.filter(|score| *score > 0.0);
                // Ranked by what sets them apart; shown, and judged for relevance, by the plain cosine.
                meaning.raw = meaning.raw.and_then(|_| similarity(score.document));
                Some(Found { record: self.view(score.document)?, score })
            })
            .collect())
    }
}

/// What the nearness of vectors weighs beside words: the built-in embedder sees the same words once more.
fn weight(embedding: &Embedding) -> f32 {
    if embedding.embedder == hash::EMBEDDER { hash::WEIGHT } else { EVEN }
}

/// The documents nearest to a vector that are present and wanted. Whether one is present is known at once, but whether
/// it is wanted takes reading it: all are read only when too many of the nearest are not.
fn nearest(
    collection: &Collection,
    embedding: &Embedding,
    count: usize,
    present: impl Fn(u32) -> bool,
    wanted: impl Fn(u32) -> bool,
) -> Result<Vec<Hit>> {
    let Some(vectors) = &collection.vectors else { return Ok(Vec::new()) };
    let search = |count, allowed: &dyn Fn(u32) -> bool| {
        vectors.search_among(embedding.scale, &embedding.codes, count, allowed)
    };
    // Mostly all are wanted, and each further neighbour costs more than the one before.
    for reach in [count, count.saturating_mul(FURTHER_REACH)] {
        let mut hits = search(reach, &present)?;
        let all = hits.len() < reach;
        hits.retain(|hit| wanted(hit.document));
        if all || hits.len() >= count {
            hits.truncate(count);
            return Ok(hits);
        }
    }
    search(count, &|document| present(document) && wanted(document))
}

fn other_dimensions(query: usize, stored: usize) -> Error {
    Error::new(
        Code::Embedder,
        format!(
            "the query's vector has {query} dimensions, the stored ones have {stored}; give another id to another embedder"
        ),
    )
}
