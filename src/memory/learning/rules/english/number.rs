//! Readers of numbers: ages, dates, years and counted relatives.

use super::phrase::{Clause, Reading};
use super::words;
use crate::memory::rules::table::among;
use crate::memory::span::month;

impl Clause<'_> {
    /// A year of birth.
    pub(super) fn year(&self, at: usize) -> Option<Reading> {
        let year: u32 = self.word(at).parse().ok()?;
        let is_told = self.ends(at + 1) || self.word(at + 1) == "in" && self.capital(at + 2);
        let plain = (1900..=2100).contains(&year) && is_told;
        if plain { self.reading(at, at + 1) } else { None }
    }

    /// A bare age: only where nothing else could follow the number.
    pub(super) fn age(&self, at: usize) -> Option<Reading> {
        let age: u32 = self.word(at).parse().ok()?;
        let turned = matches!(self.word(at.checked_sub(1)?), "turned" | "just" | "is");
        let is_from = self.word(at + 1) == "from" && self.capital(at + 2);
        let bare = (self.ends(at + 1) || is_from)
            && !among("like or than over till before after", self.word(at + 1));
        // "Turned 30 in 2015", "three years ago".
        let is_past = (at + 2..at + 5).take_while(|at| self.is_word(*at)).any(|at| {
            among("year years", self.word(at)) || self.word(at).parse().is_ok_and(|it: u32| it > 1900)
        });
        // "Turned 47 on the dial".
        let is_time =
            self.time(at + 1).is_some() || among("yesterday recently today last this", self.word(at + 1));
        let dated = turned && is_time && !is_past;
        let plain = (13..=99).contains(&age) && (bare || dated);
        if plain { self.reading(at, at + 1) } else { None }
    }

    /// An age that says so: "34 years old", "a 34-year-old".
    pub(super) fn age_in_years(&self, at: usize) -> Option<Reading> {
        let at = at + usize::from(matches!(self.word(at), "a" | "an"));
        let word = self.word(at);
        let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let age: u32 = word.get(..digits)?.parse().ok()?;
        let years = match word.get(digits..)? {
            "" => match (self.word(at + 1), self.word(at + 2)) {
                ("years" | "year" | "yr", "old") => 3,
                ("yo" | "y.o" | "years-old" | "year-old", _) => 2,
                _ => return None,
            },
            "yo" | "-year-old" | "-years-old" => 1,
            _ => return None,
        };
        let start = self.token(at)?.start;
        let value = start..start + digits;
        (5..=119).contains(&age).then_some(Reading { values: vec![value], next: at + years, whom: None })
    }

    /// A day and month, perhaps with the year.
    pub(super) fn date(&self, at: usize) -> Option<Reading> {
        let at = at + usize::from(self.word(at) == "the");
        let day = |at: usize| {
            let word = self.word(at);
            let number = word.trim_end_matches(char::is_alphabetic);
            let ordinal = matches!(word.get(number.len()..), Some("" | "st" | "nd" | "rd" | "th"));
            ordinal && number.parse().is_ok_and(|day: u32| (1..=31).contains(&day))
        };
        let month = |at: usize| month(self.word(at)).is_some();
        let of = usize::from(self.word(at + 1) == "of");
        let mut end = if month(at) && day(at + 1) {
            at + 2
        } else if day(at) && month(at + 1 + of) {
            at + 2 + of
        } else {
            return None;
        };
        let comma = usize::from(self.word(end) == ",");
        if self.word(end + comma).parse().is_ok_and(|year: u32| (1900..=2100).contains(&year)) {
            end += comma + 1;
        }
        if self.ends(end) || among("as please", self.word(end)) { self.reading(at, end) } else { None }
    }

    /// The same several times: "two dogs and a cat".
    pub(super) fn all_counted(&self, at: usize, nouns: [&str; 2]) -> Option<Reading> {
        let mut reading = self.counted(at, nouns)?;
        while let "and" | "," | "&" = self.word(reading.next)
            && let Some(more) = self.counted(reading.next + 1, nouns)
        {
            reading.values.extend(more.values);
            reading.next = more.next;
        }
        Some(reading)
    }

    /// A number or article before one of these nouns: "two kids".
    pub(super) fn counted(&self, at: usize, nouns: [&str; 2]) -> Option<Reading> {
        let noun = at + 1 + usize::from(among(words::COUNT_MODIFIERS, self.word(at + 1)));
        let counted =
            among(words::COUNTS, self.word(at)) && nouns.iter().any(|nouns| among(nouns, self.word(noun)));
        // "Three cats' worth of hair".
        let mark = self.word(noun + 1);
        let goes_on = matches!(&*self.entry(noun + 1, noun + 3), "in_law" | "in_this" | "in_the");
        let owns = mark == "worth" || matches!(mark, "'" | "\u{2019}") && self.is_word(noun + 2);
        let ends = !goes_on && !owns && self.ends(noun + 1)
            || self.time(noun + 1).is_some()
            || !goes_on && among("at with named called in", self.word(noun + 1));
        if counted && ends { self.reading(at, noun + 1) } else { None }
    }
}

/// What is counted in a value: the "kids" of "two kids".
pub(in super::super) fn counted(value: &str) -> Option<&str> {
    value
        .split_once(' ')
        .filter(|(count, _)| among(words::COUNTS, &count.to_ascii_lowercase()))
        .map(|(_, what)| what)
}
