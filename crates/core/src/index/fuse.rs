//! One ranking from several: a weighted sum of each list's scores, stretched to 0 to 1 by the list's least and greatest
//! (min-max, the "comb sum" family of Fox and Shaw, "Combination of Multiple Searches", 1994).
//!
//! Every result keeps the raw score, the stretched one and the weighted sum, so that it can explain itself. Terms that
//! belong to a record and not to a ranking, such as recency and significance, are added to the sum by the caller.

use crate::sort::sorted;
use rustc_hash::FxHashMap;

/// The weight of a ranking by words, and of one by meaning, when nothing else is asked for.
pub const EVEN: f32 = 0.5;

/// One ranking to fuse.
#[derive(Debug, Clone, Copy)]
pub struct Ranking<'a> {
    /// What its best candidate adds to the sum; usually [`EVEN`].
    pub weight: f32,
    /// Documents and their raw scores, in any order, each document once; scores are finite.
    pub candidates: &'a [(u32, f32)],
}

/// What one ranking says of one document.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Term {
    /// The score as the ranking gave it; `None` when the document is not in the ranking.
    pub raw: Option<f32>,
    /// The score from 0, the ranking's least, to 1, its greatest. 1 when all its scores are equal, 0 when the document
    /// is missing.
    pub normalised: f32,
    /// What it adds to the sum: the normalised score times the ranking's weight.
    pub share: f32,
}

/// A document in the fused ranking; `terms` are in the order of the rankings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fused<const N: usize> {
    /// The document.
    pub document: u32,
    /// What each ranking says of it.
    pub terms: [Term; N],
    /// The sum of the terms' shares.
    pub score: f32,
}

/// Fuses rankings: each document of any of them once, best first, equals by document number.
///
/// ```
/// use mnemic_core::index::fuse::{EVEN, Ranking, fuse};
/// let words = Ranking { weight: EVEN, candidates: &[(1, 7.0), (2, 3.0)] };
/// let meaning = Ranking { weight: EVEN, candidates: &[(3, 0.8), (1, 0.6), (4, 0.4)] };
/// let fused = fuse([words, meaning]);
/// assert_eq!(fused[0].document, 1);
/// assert_eq!((fused[0].terms[0].normalised, fused[0].terms[1].raw), (1.0, Some(0.6)));
/// ```
#[must_use]
pub fn fuse<const N: usize>(rankings: [Ranking<'_>; N]) -> Vec<Fused<N>> {
    let mut places: FxHashMap<u32, u32> = FxHashMap::default();
    let mut fused: Vec<Fused<N>> = Vec::new();
    for (number, ranking) in rankings.iter().enumerate() {
        let (least, greatest) = range(ranking.candidates);
        for (document, raw) in ranking.candidates.iter().copied() {
            let place = *places.entry(document).or_insert(fused.len() as u32) as usize;
            if place == fused.len() {
                fused.push(Fused { document, terms: [Term::default(); N], score: 0.0 });
            }
            let normalised = if greatest > least { (raw - least) / (greatest - least) } else { 1.0 };
            if let Some(entry) = fused.get_mut(place)
                && let Some(term) = entry.terms.get_mut(number)
            {
                let share = ranking.weight * normalised;
                *term = Term { raw: Some(raw), normalised, share };
                entry.score += share;
            }
        }
    }
    let by_score = |a: &Fused<N>, b: &Fused<N>| b.score.total_cmp(&a.score).then(a.document.cmp(&b.document));
    sorted(&fused, by_score).into_iter().copied().collect()
}

/// The least and the greatest score.
fn range(candidates: &[(u32, f32)]) -> (f32, f32) {
    candidates.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(least, greatest), (_, score)| {
        (least.min(*score), greatest.max(*score))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ranking(candidates: &[(u32, f32)]) -> Ranking<'_> {
        Ranking { weight: EVEN, candidates }
    }

    #[test]
    fn a_document_of_both_adds_up() {
        let fused = fuse([ranking(&[(1, 10.0), (2, 5.0), (3, 0.0)]), ranking(&[(2, 0.9), (4, 0.1)])]);
        let scores: Vec<_> = fused.iter().map(|hit| (hit.document, hit.score)).collect();
        assert_eq!(scores, [(2, 0.75), (1, 0.5), (3, 0.0), (4, 0.0)]);
        assert_eq!(fused[0].terms[0], Term { raw: Some(5.0), normalised: 0.5, share: 0.25 });
        assert_eq!(fused[1].terms[1], Term::default());
    }

    #[test]
    fn empty_and_constant_rankings() {
        assert!(fuse([ranking(&[]), ranking(&[])]).is_empty());
        assert!(fuse([]).is_empty());
        let fused = fuse([ranking(&[]), ranking(&[(9, 0.3), (4, 0.3)])]);
        assert_eq!(
            fused.iter().map(|hit| (hit.document, hit.score)).collect::<Vec<_>>(),
            [(4, 0.5), (9, 0.5)]
        );
    }

    proptest! {
        #[test]
        fn every_hit_explains_its_score(
            words in prop::collection::btree_map(0u32..50, -1e3f32..1e3, 0..40),
            meaning in prop::collection::btree_map(0u32..50, -1f32..1.0, 0..40),
        ) {
            let lists = [words, meaning].map(|list| list.into_iter().collect::<Vec<_>>());
            let weights = [0.7, 0.3];
            let fused = fuse([0, 1].map(|n| Ranking { weight: weights[n], candidates: &lists[n] }));
            for hit in &fused {
                for (term, weight) in hit.terms.iter().zip(weights) {
                    prop_assert!((weight * term.normalised - term.share).abs() < 1e-6);
                }
                let sum: f32 = hit.terms.iter().map(|term| term.share).sum();
                prop_assert!((sum - hit.score).abs() < 1e-6);
                for (term, list) in hit.terms.iter().zip(&lists) {
                    prop_assert_eq!(term.raw, list.iter().find(|c| c.0 == hit.document).map(|c| c.1));
                    prop_assert!((0.0..=1.0).contains(&term.normalised));
                }
            }
            prop_assert!(fused.is_sorted_by(|a, b| (b.score, a.document) <= (a.score, b.document)));
            let mut all: Vec<u32> = lists.iter().flatten().map(|candidate| candidate.0).collect();
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(fused.len(), all.len());
        }
    }
}
