//! Searching one collection by words and meaning.

use super::state::{Slot, Store, Views};
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::index::centre::centred;
use crate::index::fuse::{EVEN, Fused, Ranking, fuse};
use crate::index::hash;
use crate::log::RecordView;
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;
use crate::time::Timestamp;
use std::ops::Range;

/// How many candidates each list hands to the fusion, per wanted result.
const CANDIDATES_PER_RESULT: usize = 4;
/// The least number of candidates of each list.
const MIN_CANDIDATES: usize = 50;
/// The cosine from which a text counts as related in meaning, with the application's embedder.
const RELATED: f32 = 0.25;
/// The same for the built-in embedder, whose cosines come from shared pieces of words.
const RELATED_BUILT_IN: f32 = 0.3;

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

/// Among which records to look.
pub struct Among {
    /// Those that hold from a time of these on; messages, that were said then.
    pub times: Range<Timestamp>,
    /// Those whose key begins so.
    pub key_prefix: String,
}

impl Default for Among {
    fn default() -> Self {
        Self { times: Timestamp::MIN..Timestamp::MAX, key_prefix: String::new() }
    }
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
    /// order in which they were first stored; those that do not hold its rarest word are left out, but for those that are being
    /// indexed.
    pub fn perhaps_same(&self, scope: &Scope, kind: Kind, text: &str) -> Views<'_> {
        let mut documents = self.collection(scope, kind).map_or_else(Vec::new, |collection| {
            collection.words.holders(text).unwrap_or_else(|| collection.members.keys().copied().collect())
        });
        let is_there = |slot: &Slot| slot.kind == kind && self.scope(slot.scope) == Some(scope);
        let unindexed = self.unindexed.keys().copied();
        documents.extend(unindexed.filter(|document| self.slot(*document).is_some_and(is_there)));
        Box::new(in_order(documents).into_iter().filter_map(|document| self.view(document)))
    }

    /// The records of a collection that fit best, best first. A record that shares no word with the query and is not
    /// among the nearest by meaning is not a result; in a large memory neither is one that shares no word and is not related.
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
        self.search_among(scope, kind, query, &Among::default(), Some(accepts))
    }

    /// The same among some records. Whether one is among them is known before it is read; without `accepts` none is read but the
    /// results.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn search_among<'a>(
        &'a self,
        scope: &Scope,
        kind: Kind,
        query: &Query<'_>,
        among: &Among,
        accepts: Option<&dyn Fn(&RecordView<'_>) -> bool>,
    ) -> Result<Vec<Found<'a>>> {
        let Some(collection) = self.collection(scope, kind) else { return Ok(Vec::new()) };
        let candidates = query.limit.saturating_mul(CANDIDATES_PER_RESULT).max(MIN_CANDIDATES);
        let (stored, prefix) = (self.stored(), among.key_prefix.as_bytes());
        let wanted = |document: u32| {
            self.slot(document).is_some_and(|slot| among.times.contains(&slot.valid_from))
                && (prefix.is_empty() || stored.key(document).starts_with(prefix))
                && accepts.is_none_or(|accepts| self.view(document).is_some_and(|view| accepts(&view)))
        };
        let allowed = |document: u32| self.holds_at(document, query.now) && wanted(document);
        let words = collection.words.search(query.text, candidates, &allowed);
        let nearest = match (&collection.vectors, query.embedding) {
            (Some(vectors), Some(embedding)) if !vectors.is_empty() => {
                if embedding.dimensions() != vectors.dimensions() {
                    return Err(other_dimensions(embedding.dimensions(), vectors.dimensions()));
                }
                let (scale, codes, least) = (embedding.scale, &embedding.codes, related(&embedding.embedder));
                vectors.search_among(scale, codes, candidates, least, &allowed)?
            }
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

/// The cosine from which a text counts as related in meaning, with the vectors of an embedder.
pub(crate) fn related(embedder: &str) -> f32 {
    if embedder == hash::EMBEDDER { RELATED_BUILT_IN } else { RELATED }
}

/// What the nearness of vectors weighs beside words: the built-in embedder sees the same words once more.
fn weight(embedding: &Embedding) -> f32 {
    if embedding.embedder == hash::EMBEDDER { hash::WEIGHT } else { EVEN }
}

fn other_dimensions(query: usize, stored: usize) -> Error {
    Error::new(
        Code::Embedder,
        format!(
            "the query's vector has {query} dimensions, the stored ones have {stored}; give each embedder an id of its own"
        ),
    )
}
