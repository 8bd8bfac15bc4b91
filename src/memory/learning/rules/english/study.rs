//! Readers of what somebody studies or studied.

use super::phrase::{Clause, Reading};
use super::words;
use crate::memory::rules::table::among;

/// The longest field of study, in words.
const SUBJECT_WORDS: usize = 3;

impl Clause<'_> {
    /// Where a field of study ends: "computer science".
    fn field(&self, at: usize) -> Option<usize> {
        let plain = |at: &usize| self.is_word(*at) && !among(words::FORBIDDEN, self.word(*at));
        let words = (at..at + SUBJECT_WORDS).take_while(plain).count();
        let is_last = |end: &usize| among(words::SUBJECTS, self.word(end.wrapping_sub(1)));
        (at + 1..=at + words).rev().find(is_last).filter(|_| !among("a an the my", self.word(at)))
    }

    /// What somebody studies, as their occupation rather than tonight.
    pub(super) fn subject(&self, at: usize) -> Option<Reading> {
        let end = self.field(at)?;
        let tonight = among("tonight today tomorrow now", self.word(end));
        let settled = self.ends(end) || self.word(end) == "at" && self.capital(end + 1);
        if settled && !tonight { self.reading(at, end) } else { None }
    }

    /// An industry or a department in which somebody works, for good rather than today: "real estate", "the film industry".
    pub(super) fn industry(&self, at: usize) -> Option<Reading> {
        let start = at + usize::from(self.word(at) == "the");
        let is_known = |end: &usize| {
            among(words::INDUSTRIES, &self.entry(start, *end))
                || among(words::SUBJECTS, &self.entry(start, *end))
        };
        let end = (start + 1..=start + 2).rev().find(is_known)?;
        // "I bought a shed, and I work in it."
        let is_written = |at: usize| self.token(at).is_some_and(|token| token.shouted || token.capital);
        if self.word(start) == "it" && is_written(0) && !is_written(start) {
            return None;
        }
        let is_named = among("industry sector business department", self.word(end));
        let next = end + usize::from(is_named);
        let settled =
            self.ends(next) || among("at for as since and but", self.word(next)) || self.time(next).is_some();
        let passing = self.is_today(next);
        if settled && !passing && (start == at || is_named) { self.reading(at, next) } else { None }
    }

    /// What somebody studied, and perhaps where: the deed begins before it.
    pub(super) fn studied(&self, start: usize, at: usize) -> Option<Reading> {
        let mut end = self.field(at)?;
        if self.word(end) == "at" {
            end = self.employer(end + 1)?.next;
        }
        let briefly = among("yesterday today tonight last this recently over", self.word(end));
        if self.over(end, "from for") && !briefly { self.reading(start, end) } else { None }
    }
}
