//! One ranking from several: a weighted sum of each list's scores, measured from where that list says nothing and in a unit
//! of its own.
//!
//! Words are measured from 0 in the score of the best. The nearness of vectors is measured from what is usual between the
//! query and the collection, in deviations from it ([`Background`]): stretching each list between its own least and greatest
//! ("comb sum" of Fox and Shaw, "Combination of Multiple Searches", 1994) gives the best of a list that fits nothing as much
//! as the best of one that fits, and the fusion is then worse than the better list.
//!
//! Every result keeps the raw score, the measured one and the weighted sum, so that it can explain itself. Terms that
//! belong to a record and not to a ranking, such as recency and significance, are added to the sum by the caller.

use crate::sort::sorted;
use rustc_hash::FxHashMap;

/// The weight of a ranking by words, and of one by meaning, when nothing else is asked for.
pub const EVEN: f32 = 0.5;

/// What weighs as much as so many similarities when the background is taken from few of them.
const PRIOR: f32 = 4.0;
/// The deviation that is expected before any similarity is seen.
const USUAL_DEVIATION: f32 = 0.1;

/// One ranking to fuse.
#[derive(Debug, Clone, Copy)]
pub struct Ranking<'a> {
    /// What a score of one unit adds to the sum; usually [`EVEN`].
    pub weight: f32,
    /// The score that says nothing; lower ones count as this one.
    pub least: f32,
    /// The difference that counts as 1, above 0.
    pub unit: f32,
    /// Documents and their raw scores, in any order, each document once; scores are finite.
    pub candidates: &'a [(u32, f32)],
}

impl<'a> Ranking<'a> {
    /// Scores that begin at 0, in the unit of the best.
    #[must_use]
    pub fn by_best(weight: f32, candidates: &'a [(u32, f32)]) -> Self {
        let best = candidates.iter().map(|(_, score)| *score).fold(0.0, f32::max);
        Self { weight, least: 0.0, unit: if best > 0.0 { best } else { 1.0 }, candidates }
    }
}

/// What is usual between a query and the vectors of a collection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Background {
    /// The mean of the similarities.
    pub mean: f32,
    /// Their deviation from it, above 0.
    pub deviation: f32,
}

impl Background {
    /// From the similarities with a sample of the collection.
    ///
    /// ```
    /// use mnemic_core::index::fuse::Background;
    /// let background = Background::of(&[0.1, 0.2, 0.3, 0.2]);
    /// assert!(background.mean < 0.2 && background.deviation > 0.05);
    /// ```
    #[must_use]
    pub fn of(similarities: &[f32]) -> Self {
        let count = similarities.len() as f32 + PRIOR;
        let mean = sum(similarities.iter().copied()) / count;
        let spread = sum(similarities.iter().map(|similarity| (similarity - mean).powi(2)));
        let deviation = ((spread + PRIOR * USUAL_DEVIATION * USUAL_DEVIATION) / count).sqrt();
        Self { mean, deviation }
    }
}

/// The sum of numbers, the same in whatever order they come: where a vector stands among others differs from engine to engine.
/// Beyond eight million it stays there; only damaged vectors are that near.
fn sum(numbers: impl Iterator<Item = f32>) -> f32 {
    const UNIT: f64 = (1_u64 << 40) as f64;
    let whole = numbers.map(|number| (f64::from(number) * UNIT) as i64).fold(0, i64::saturating_add);
    (whole as f64 / UNIT) as f32
}

/// What one ranking says of one document.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Term {
    /// The score as the ranking gave it; `None` when the document is not in the ranking.
    pub raw: Option<f32>,
    /// The score from where the ranking says nothing, in its unit; 0 when the document is missing.
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
/// let words = Ranking::by_best(EVEN, &[(1, 7.0), (2, 3.5)]);
/// let meaning = Ranking { weight: EVEN, least: 0.4, unit: 0.4, candidates: &[(3, 0.8), (1, 0.6), (4, 0.4)] };
/// let fused = fuse([words, meaning]);
/// assert_eq!(fused[0].document, 1);
/// assert_eq!((fused[0].terms[0].normalised, fused[0].terms[1].raw), (1.0, Some(0.6)));
/// ```
#[must_use]
pub fn fuse<const N: usize>(rankings: [Ranking<'_>; N]) -> Vec<Fused<N>> {
    let mut places: FxHashMap<u32, u32> = FxHashMap::default();
    let mut fused: Vec<Fused<N>> = Vec::new();
    for (number, ranking) in rankings.iter().enumerate() {
        for (document, raw) in ranking.candidates.iter().copied() {
            let place = *places.entry(document).or_insert(fused.len() as u32) as usize;
            if place == fused.len() {
                fused.push(Fused { document, terms: [Term::default(); N], score: 0.0 });
            }
            let normalised = ((raw - ranking.least) / ranking.unit).max(0.0);
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_document_of_both_adds_up() {
        let meaning = Ranking { weight: EVEN, least: 0.1, unit: 0.8, candidates: &[(2, 0.9), (4, 0.05)] };
        let fused = fuse([Ranking::by_best(EVEN, &[(1, 10.0), (2, 5.0), (3, 0.0)]), meaning]);
        let scores: Vec<_> = fused.iter().map(|hit| (hit.document, hit.score)).collect();
        assert_eq!(scores, [(2, 0.75), (1, 0.5), (3, 0.0), (4, 0.0)]);
        assert_eq!(fused[0].terms[0], Term { raw: Some(5.0), normalised: 0.5, share: 0.25 });
        assert_eq!(fused[1].terms[1], Term::default());
    }

    #[test]
    fn empty_rankings_and_those_that_say_nothing() {
        assert!(fuse([Ranking::by_best(EVEN, &[]), Ranking::by_best(EVEN, &[])]).is_empty());
        assert!(fuse([]).is_empty());
        let fused = fuse([Ranking::by_best(EVEN, &[(9, 0.0), (4, 0.0)])]);
        assert_eq!(
            fused.iter().map(|hit| (hit.document, hit.score)).collect::<Vec<_>>(),
            [(4, 0.0), (9, 0.0)]
        );
    }

    #[test]
    fn a_list_in_which_nothing_stands_out_does_not_outvote_one_in_which_something_does() {
        let words = Ranking::by_best(EVEN, &[(1, 5.0), (2, 4.0)]);
        let Background { mean, deviation } = Background::of(&[0.30, 0.31, 0.29, 0.30, 0.32]);
        let candidates = &[(1, 0.30), (2, 0.32)];
        let fused = fuse([words, Ranking { weight: EVEN, least: mean, unit: 3.5 * deviation, candidates }]);
        assert_eq!(fused[0].document, 1, "{fused:?}");
    }

    #[test]
    fn the_background_of_nothing_and_of_one() {
        // Another order of the same is rounded alike.
        let mut many: Vec<f32> = (1..=200).map(|number| (number as f32 * 0.618).fract() - 0.5).collect();
        let forwards = Background::of(&many);
        many.reverse();
        assert_eq!(Background::of(&many), forwards);
        many.rotate_left(77);
        assert_eq!(Background::of(&many), forwards);
        assert_eq!(Background::of(&[]), Background { mean: 0.0, deviation: USUAL_DEVIATION });
        // A damaged vector can be as near as a number goes.
        let damaged = Background::of(&[f32::MAX, f32::INFINITY, 0.5]);
        assert!(damaged.mean.is_finite() && damaged.deviation.is_finite(), "{damaged:?}");
        let one = Background::of(&[0.8]);
        assert!(0.0 < one.mean && one.mean < 0.4 && one.deviation.is_finite(), "{one:?}");
    }

    proptest! {
        #[test]
        fn every_hit_explains_its_score(
            words in prop::collection::btree_map(0u32..50, -1e3f32..1e3, 0..40),
            meaning in prop::collection::btree_map(0u32..50, -1f32..1.0, 0..40),
        ) {
            let lists = [words, meaning].map(|list| list.into_iter().collect::<Vec<_>>());
            let weights = [0.7, 0.3];
            let fused = fuse([0, 1].map(|n| Ranking::by_best(weights[n], &lists[n])));
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
