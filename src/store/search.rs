//! Searching one collection by words and meaning.

use super::state::Store;
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::index::fuse::{EVEN, Fused, Ranking, fuse};
use crate::index::hash;
use crate::log::RecordView;
use crate::record::Kind;
use crate::scope::Scope;
use crate::time::Timestamp;

/// How many candidates each list hands to the fusion, per wanted result.
const CANDIDATES_PER_RESULT: usize = 4;
/// The least number of candidates of each list.
const MIN_CANDIDATES: usize = 50;

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
    /// How well it fits: by words, then by meaning.
    pub score: Fused<2>,
}

impl Store {
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
        let Some(collection) = self.collection(scope, kind) else { return Ok(Vec::new()) };
        let allowed = |document: u32| {
            self.view(document).is_some_and(|view| view.holds_at(query.now) && accepts(&view))
        };
        let candidates = query.limit.saturating_mul(CANDIDATES_PER_RESULT).max(MIN_CANDIDATES);
        let words = collection.words.search(query.text, candidates, allowed);
        let meaning = match (&collection.vectors, query.embedding) {
            (Some(vectors), Some(embedding)) => {
                if embedding.dimensions() != vectors.dimensions() {
                    return Err(Error::new(
                        Code::Embedder,
                        format!(
                            "the query's vector has {} dimensions, the stored ones have {}; give another id to another embedder",
                            embedding.dimensions(),
                            vectors.dimensions()
                        ),
                    ));
                }
                vectors.search_among(embedding.scale, &embedding.codes, candidates, allowed)?
            }
            _ => Vec::new(),
        };
        let words: Vec<(u32, f32)> = words.iter().map(|hit| (hit.document, hit.score)).collect();
        let meaning: Vec<(u32, f32)> = meaning.iter().map(|hit| (hit.document, hit.similarity)).collect();
        let weight = query.embedding.map_or(EVEN, weight);
        let fused = fuse([
            Ranking { weight: 1.0 - weight, candidates: &words },
            Ranking { weight, candidates: &meaning },
        ]);
        Ok(fused
            .into_iter()
            .take(query.limit)
            .filter_map(|score| Some(Found { record: self.view(score.document)?, score }))
            .collect())
    }
}

/// What the nearness of vectors weighs beside words: the built-in embedder sees the same words once more.
fn weight(embedding: &Embedding) -> f32 {
    if embedding.embedder == hash::EMBEDDER { hash::WEIGHT } else { EVEN }
}
