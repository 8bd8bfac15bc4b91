//! Then: what held at the time that a question names, and what began then.

use crate::log::RecordView;
use crate::memory::finding::turns::{Dates, is_of_the_past};
use crate::store::Found;
use crate::time::Timestamp;
use std::ops::Range;

/// What it adds to the relevance of a fact that it began then.
const BEGAN: f32 = 0.3;
/// The least part of what is asked for that it holds then, in a question that asks for more.
const LEAST: f32 = 0.2;
/// What is left of a fact that did not hold then, where another one did that has so much of its relevance.
const NOT_THEN: f32 = 0.3;
const AS_RELEVANT: f32 = 0.6;

/// The time that a question names.
pub(super) struct Then {
    pub(super) dates: Dates,
    spans: Vec<Range<Timestamp>>,
    /// Whether it is over: then it matters since when something holds that was said without a date.
    is_past: bool,
}

impl Then {
    /// That of a question; `None` when it names none.
    pub(super) fn of(query: &str, now: Timestamp) -> Option<Self> {
        let dates = Dates::asked(query, now);
        let spans = dates.spans(now);
        (!dates.is_empty()).then(|| Self { dates, spans, is_past: is_of_the_past(query, now) })
    }

    /// Whether a fact began then, so far as that was said or is asked.
    fn began(&self, fact: &RecordView<'_>) -> bool {
        let is_dated = || fact.value().is_ok_and(|value| value.get("dates").is_some());
        self.dates.contain(fact.valid_from) && (self.is_past || is_dated())
    }

    /// Whether a fact held then for some time.
    fn held(&self, fact: &RecordView<'_>) -> bool {
        self.spans.iter().any(|span| fact.held_in(span))
    }

    /// Weighs judged facts by when they held, in a question that asks for more than for what was then, or not.
    pub(super) fn weigh(&self, found: &mut [Found<'_>], asks_for_more: bool) {
        let held = found.iter().filter(|found| self.is_past && self.held(&found.record));
        let most = held.map(|found| found.relevance).fold(0.0, f32::max);
        for found in found {
            let [coverage, person] = found.judged.unwrap_or_default();
            let relevance = if (coverage >= LEAST || !asks_for_more) && self.began(&found.record) {
                (found.relevance + BEGAN * person).min(1.0)
            } else if most >= AS_RELEVANT * found.relevance && self.is_past && !self.held(&found.record) {
                NOT_THEN * found.relevance
            } else {
                continue;
            };
            found.signals.date = relevance - found.relevance;
            found.score.score += found.signals.date;
            found.relevance = relevance;
        }
    }
}
