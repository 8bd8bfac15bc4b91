//! Scoring: how similarity to the query, recency and significance become one score.
//!
//! `sum` is the retrieval function of Park et al., "Generative Agents" (2023), section 4.1: the weighted sum of the three, each
//! min-max normalised over the candidates, with weights of 1 and a decay of 0.995 per hour since the last access. What the paper
//! leaves open, a term that is the same for every candidate, counts 0.5 as in its authors' code.

use crate::error::Result;
use crate::log::RecordView;
use crate::memory::limits::invalid;
use crate::store::{Found, Signals};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The decay of recency per hour when nothing else is said.
pub const DEFAULT_DECAY: f64 = 0.995;
/// The significance of a record for which nobody gave one.
const USUAL_SIGNIFICANCE: u8 = 5;
/// What a term that all candidates share counts.
const CONSTANT: f32 = 0.5;
const HOUR_MS: f64 = 3_600_000.0;

/// How the candidates of a search are scored.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Scoring {
    /// What the score is made of; `relevance` by default.
    pub mode: Mode,
    /// What each term weighs in the mode `sum`, 0 or more and not all 0; 1 each by default.
    pub weights: Weights,
    /// What is left of recency after each hour since the last access, over 0 and up to 1; 0.995 by default. Not used by the mode
    /// `relevance`.
    pub decay: Option<f64>,
}

/// What a score is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Words and meaning alone, 0 to 1.
    #[default]
    Relevance,
    /// Similarity times recency times a tenth of the significance, 0 to 1.
    Product,
    /// The weighted sum of similarity, recency and significance, each between the candidates' least and greatest; 0 to the sum of
    /// the weights.
    Sum,
}

/// What the terms of a sum weigh.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Weights {
    /// Of words and meaning.
    pub similarity: f32,
    /// Of how lately something was recalled or found.
    pub recency: f32,
    /// Of how much it matters.
    pub significance: f32,
}

/// How a score came about.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// What the words add to the score: their BM25 in that of the best candidate, weighted.
    pub words: f32,
    /// What the meaning adds: how far the cosine is above what is usual between the query and the collection, weighted.
    pub meaning: f32,
    /// What else is in the score, each signal absent where it says nothing.
    #[serde(flatten)]
    pub signals: Signals,
    /// The BM25 score itself, if any word is shared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words_raw: Option<f32>,
    /// The cosine itself, if it is among the nearest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning_raw: Option<f32>,
    /// Which part of what is asked for the result holds, 0 to 1, as it goes into the relevance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f32>,
    /// How well the result fits whom the query is about, 0 to 1, as it goes into the relevance; for facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<f32>,
    /// By which of the other queries that the model wrote it was found, from 0; absent when it fits the query itself best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<usize>,
    /// Over how many relations of the graph it was reached; absent for what was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hops: Option<usize>,
    /// Words and meaning together, with the other signals, as they go into a product or sum; absent when they are the score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f32>,
    /// How lately it was recalled, found or changed, as it goes into a product or sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recency: Option<f32>,
    /// How much it matters, as it goes into a product or sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub significance: Option<f32>,
    /// What the three weigh in a sum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<Weights>,
}

impl Terms {
    pub(crate) fn of(found: &Found<'_>) -> Self {
        let [words, meaning] = found.score.terms;
        Self {
            words: words.share,
            meaning: meaning.share,
            signals: found.signals,
            words_raw: words.raw,
            meaning_raw: meaning.raw,
            coverage: found.judged.map(|[coverage, _]| coverage),
            person: found.judged.map(|[_, person]| person),
            ..Self::default()
        }
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self { similarity: 1.0, recency: 1.0, significance: 1.0 }
    }
}

impl Weights {
    fn all(self) -> [f32; 3] {
        [self.similarity, self.recency, self.significance]
    }
}

/// A candidate with its score.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rated<'a> {
    pub(crate) found: Found<'a>,
    pub(crate) score: f32,
    pub(crate) terms: Terms,
}

impl Scoring {
    /// Refuses numbers out of their ranges.
    ///
    /// # Errors
    /// `InvalidInput` that names the number and its range.
    pub(crate) fn check(&self) -> Result<()> {
        let decay = self.decay();
        if !(decay > 0.0 && decay <= 1.0) {
            // Numbers are written as JSON writes them: the standard library's way of it is 12 kB more.
            let decay = Value::from(decay);
            return Err(invalid(format!("scoring.decay is {decay}; it goes from over 0 to 1")));
        }
        let weights = self.weights.all();
        if weights.iter().any(|weight| !weight.is_finite() || *weight < 0.0) || weights == [0.0; 3] {
            let weights = Value::from(weights.map(Value::from).to_vec());
            return Err(invalid(format!(
                "scoring.weights are {weights}; weights are 0 or more, and one of them is not 0"
            )));
        }
        Ok(())
    }

    fn decay(&self) -> f64 {
        self.decay.unwrap_or(DEFAULT_DECAY)
    }

    /// Whether a score depends on relevance only, so that no more candidates are needed than results.
    pub(crate) fn is_relevance(&self) -> bool {
        self.mode == Mode::Relevance
    }

    /// The candidates with their scores, in the order they came in.
    pub(crate) fn rate<'a>(&self, found: &[Found<'a>], now: Timestamp) -> Vec<Rated<'a>> {
        let terms: Vec<[f32; 3]> = found
            .iter()
            .map(|found| {
                [found.score.score, self.recency(&found.record, now), significance(found.record.significance)]
            })
            .collect();
        let sum = self.mode == Mode::Sum;
        let [similarity, recency, significance] = [0, 1, 2].map(|term| {
            let column: Vec<f32> = terms.iter().filter_map(|terms| terms.get(term).copied()).collect();
            if sum { normalised(column) } else { column }
        });
        let mut rated = Vec::with_capacity(found.len());
        for (((found, similarity), recency), significance) in
            found.iter().zip(similarity).zip(recency).zip(significance)
        {
            let plain = Terms::of(found);
            let whole = Terms {
                similarity: Some(similarity),
                recency: Some(recency),
                significance: Some(significance),
                weights: sum.then_some(self.weights),
                ..plain
            };
            let [by_similarity, by_recency, by_significance] = self.weights.all();
            let (score, terms) = match self.mode {
                Mode::Relevance => (similarity, plain),
                Mode::Product => (similarity * recency * significance, whole),
                Mode::Sum => {
                    let score =
                        by_similarity * similarity + by_recency * recency + by_significance * significance;
                    (score, whole)
                }
            };
            rated.push(Rated { found: *found, score, terms });
        }
        rated
    }

    /// 1 for what was accessed or changed now, less the longer ago that was.
    fn recency(&self, view: &RecordView<'_>, now: Timestamp) -> f32 {
        let last = view.accessed_at.map_or(view.updated_at, |at| at.max(view.updated_at));
        let hours = now.saturating_sub(last).max(0) as f64 / HOUR_MS;
        // The decay to the power of the hours.
        (hours * self.decay().ln()).exp() as f32
    }
}

fn significance(value: u8) -> f32 {
    f32::from(if value == 0 { USUAL_SIGNIFICANCE } else { value }) / 10.0
}

/// The values between their least and greatest, 0 to 1.
fn normalised(mut values: Vec<f32>) -> Vec<f32> {
    let least = values.iter().copied().fold(f32::INFINITY, f32::min);
    let range = values.iter().copied().fold(f32::NEG_INFINITY, f32::max) - least;
    for value in &mut values {
        *value = if range > 0.0 { (*value - least) / range } else { CONSTANT };
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_scaled_between_their_least_and_greatest() {
        assert_eq!(normalised(vec![1.0, 3.0, 2.0]), [0.0, 1.0, 0.5]);
        assert_eq!(normalised(vec![0.7, 0.7]), [0.5, 0.5]);
        assert_eq!(normalised(vec![]), [0.0_f32; 0]);
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for decay in [0.0, -0.1, 1.000_001, f64::NAN, f64::INFINITY] {
            assert!(Scoring { decay: Some(decay), ..Scoring::default() }.check().is_err(), "{decay}");
        }
        for weights in [[0.0; 3], [1.0, -1.0, 1.0], [f32::NAN, 1.0, 1.0], [f32::INFINITY, 1.0, 1.0]] {
            let [similarity, recency, significance] = weights;
            let weights = Weights { similarity, recency, significance };
            assert!(Scoring { weights, ..Scoring::default() }.check().is_err(), "{weights:?}");
        }
        assert!(Scoring { decay: Some(1.0), ..Scoring::default() }.check().is_ok());
    }
}
