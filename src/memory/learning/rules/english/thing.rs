//! Readers of things: what is liked, wanted, spoken or asked for.

use super::phrase::{Clause, Reading};
use super::words;
use crate::memory::rules::table::among;

/// The longest liked thing, in words.
pub(super) const THING_WORDS: usize = 6;
/// The longest phrase of a goal or decision, in words.
const DOING_WORDS: usize = 10;
/// The longest instruction, in words.
const MANNER_WORDS: usize = 12;

impl Clause<'_> {
    /// The end of one thing or activity at `start`, of at most `longest` words.
    pub(super) fn thing(&self, start: usize, longest: usize) -> Option<usize> {
        let first = self.word(start);
        let mut end = start;
        while self.is_word(end) && !among(words::ENDS, self.word(end)) && end <= start + longest {
            if self.trails_off(end) {
                break;
            }
            if among(words::FORBIDDEN, self.word(end)) {
                return None;
            }
            end += 1;
        }
        let ends = self.ends(end);
        let left_open = among("or that who which", self.word(end))
            || among(words::QUALIFIERS, self.word(end)) && !self.after_all(end);
        let doing = first == "to" || (first.ends_with("ing") && first.len() > 4);
        let titled = matches!(first, "the" | "a") && self.capital(start + 1);
        let general = first == "the" && end == start + 2 && among(words::GENERIC_THE, self.word(start + 1));
        let plain = !among(words::NOT_THINGS, first) || titled || general;
        let inner = (start + 1..end).map(|at| self.word(at));
        let determined =
            !doing && !titled && !general && inner.clone().any(|word| among("the a an my", word));
        let vague = doing
            && among("be see say think know hear have point do try get keep help", self.word(start + 1));
        let dangling = among("the a an to of in on at for with my about and", self.word(end.checked_sub(1)?));
        // "Creating a safe, warm place": the commas stand inside.
        let cut = self.word(end) == "," && among("a an", self.word(end.wrapping_sub(2)));
        let person = end == start + 1 && self.capital(start) && among(words::GIVEN_NAMES, first);
        let length = end - start;
        let fits = length > 0 && length <= longest && first.chars().next().is_some_and(char::is_alphabetic);
        let sound =
            fits && ends && !left_open && plain && !determined && !vague && !dangling && !cut && !person;
        sound.then_some(end)
    }

    /// One or several things: "hiking", "tea and coffee", "dogs, cats and birds".
    pub(super) fn things(&self, at: usize) -> Option<Reading> {
        let end = self.thing(at, THING_WORDS)?;
        let mut ends = vec![(at, end)];
        let mut next = end;
        loop {
            let comma = self.word(next) == ",";
            let and = self.word(next + usize::from(comma)) == "and";
            if !comma && !and {
                break;
            }
            let start = next + usize::from(comma) + usize::from(and);
            let goes_on = [words::VERBS, words::OPENERS, words::STATES_OF_MIND];
            if goes_on.iter().any(|table| among(table, self.word(start))) {
                break;
            }
            let Some(end) = self.thing(start, 3) else { break };
            let (first, first_end) = ends.first().copied().unwrap_or((at, next));
            let attached =
                (first..first_end).any(|at| among("with about of to for in on from at", self.word(at)));
            if attached {
                // "sailing with friends and cousins": what "and" joins is not the liked thing.
                break;
            }
            let shared = and && ends.len() == 1 && first_end - first == 1 && end - start > 1;
            if shared && !self.word(start).ends_with("ing") {
                // "drama and heist movies": the two may share their noun, so they stay together.
                return self.reading(at, end);
            }
            ends.push((start, end));
            next = end;
            if and {
                let values = ends.iter().filter_map(|(start, end)| self.span(*start, *end)).collect();
                return Some(Reading { values, next, whom: None });
            }
        }
        // Without a closing "and" the commas were no list.
        self.reading(at, end)
    }

    pub(super) fn doing(&self, at: usize) -> Option<Reading> {
        const JOINS: &str = "but so because since while";
        const OPEN: &str = "if when which who that or until";
        let mut end = at;
        while self.is_word(end) {
            let word = self.word(end);
            let own = end == at && matches!(word, "be" | "have" | "do");
            let clause = word == "and" && self.word(end + 1) == "i";
            if clause || among(JOINS, word) || among(OPEN, word) {
                break;
            }
            let task = among(words::TECHNICAL, word);
            if task || among(words::FORBIDDEN, word) && !own {
                return None;
            }
            end += 1;
        }
        let settled =
            end >= self.len() || self.stops(end) || self.word(end) == "and" || among(JOINS, self.word(end));
        let fits = (2..=DOING_WORDS).contains(&(end - at));
        let dangling = among("the a an to of in on at for with my and", self.word(end.checked_sub(1)?));
        if settled && fits && !dangling { self.reading(at, end) } else { None }
    }

    pub(super) fn languages(&self, at: usize) -> Option<Reading> {
        let mut next = at + usize::from(among("fluent native both basic some", self.word(at)));
        let mut values = Vec::new();
        while among(words::LANGUAGES, self.word(next)) {
            values.extend(self.span(next, next + 1));
            next += 1;
            let comma = usize::from(self.word(next) == ",");
            let and = usize::from(self.word(next + comma) == "and");
            if comma + and == 0 || !among(words::LANGUAGES, self.word(next + comma + and)) {
                break;
            }
            next += comma + and;
        }
        let settled = self.ends(next) || among("at fluently natively with well", self.word(next));
        (settled && !values.is_empty()).then_some(Reading { values, next, whom: None })
    }

    pub(super) fn manner(&self, start: usize) -> Option<Reading> {
        let mut end = start;
        while end < self.len() && (self.is_word(end) || self.word(end) == ",") {
            end += 1;
        }
        let inside = |table: &str| (start..end).any(|at| among(table, self.word(at)));
        let about_manner = inside(words::MANNERS) || inside(words::LANGUAGES);
        let sound =
            about_manner && !inside(words::NOT_MANNERS) && end - start <= MANNER_WORDS && end == self.len();
        if sound { self.reading(start, end) } else { None }
    }
}
