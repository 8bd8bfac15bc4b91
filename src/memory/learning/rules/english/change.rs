//! Readers of changes: what was done, who was parted from, what became of a pet, and when.

use super::phrase::{Clause, Reading};
use super::words;
use crate::memory::finding::is_weekday;
use crate::memory::rules::statement::PARTNERS;
use crate::memory::rules::table::among;
use crate::memory::span::{month, season};

impl Clause<'_> {
    /// Where a time ends that starts here: "last month", "in May 2021", "two years ago".
    #[inline(never)]
    pub(super) fn time(&self, at: usize) -> Option<usize> {
        let next = self.word(at + 1);
        let year = |at: usize| self.word(at).parse().is_ok_and(|year: u32| (1900..2200).contains(&year));
        let month = |at: usize| month(self.word(at)).is_some();
        match self.word(at) {
            "yesterday" | "today" | "tonight" | "recently" => Some(at + 1),
            "this" if among(words::HOURS, next) => Some(at + 2),
            "at" | "over" if next == "the" && self.word(at + 2) == "weekend" => Some(at + 3),
            "last" | "this" if among(words::PERIODS, next) || month(at + 1) || is_weekday(next) => {
                Some(at + 2)
            }
            "last" if next == "night" => Some(at + 2),
            "on" if is_weekday(next) => Some(at + 2),
            "in" | "since" => {
                let named = (at + 1..).find(|at| !among("the early mid late", self.word(*at)))?;
                let of = named + 1 + usize::from(self.word(named + 1) == "of");
                match () {
                    () if year(named) => Some(named + 1),
                    () if month(named) => Some(named + 1 + usize::from(year(named + 1))),
                    () => (season(self.word(named)).is_some() && year(of)).then_some(of + 1),
                }
            }
            "on" => self.date(at + 1).map(|reading| reading.next),
            word => {
                let number = word.parse::<u32>().is_ok() || among(words::NUMBERS, word);
                let of = at + 1 + usize::from(next == "of") + usize::from(word == "a" && next == "few");
                let unit = (at + 1..=of + 1).find(|at| among(words::UNITS, self.word(*at)))?;
                (number && self.word(unit + 1) == "ago").then_some(unit + 2)
            }
        }
    }

    /// Whether what happens is of this day alone: "tonight", "all day".
    pub(super) fn is_today(&self, at: usize) -> bool {
        let (word, next) = (self.word(at), self.word(at + 1));
        among(words::PASSING, word)
            || word == "all" && next == "day"
            || word == "this" && among(words::HOURS, next)
    }

    /// Where a number of years or months ends for which something has been so.
    pub(super) fn years(&self, at: usize) -> Option<usize> {
        let number = (at..at + 3)
            .find(|at| !among("about over almost nearly around the last past", self.word(*at)))?;
        let is_number = self.word(number).parse::<u32>().is_ok() || among(words::NUMBERS, self.word(number));
        let is_unit = among("year years months decade decades", self.word(number + 1));
        (is_number && is_unit).then_some(number + 2)
    }

    /// Whether the sentence ends before this token.
    pub(super) fn closes(&self, at: usize) -> bool {
        at >= self.len() || self.stops(at) && self.word(at) != ","
    }

    /// Whether what happened is told in full before this token; `more` are words that may go on besides.
    pub(super) fn over(&self, at: usize, more: &str) -> bool {
        let word = self.word(at);
        at >= self.len()
            || self.stops(at)
            || self.any_more(at)
            || self.time(at).is_some()
            || among("and but because cause so since now anymore right bc cos cuz", word)
            || among(words::TAILS, word)
            || among(more, word)
    }

    /// What was done: the end of the pattern, then perhaps where or as what the work was.
    pub(super) fn deed(&self, start: usize, at: usize) -> Option<Reading> {
        let last = self.word(at.checked_sub(1)?);
        let work = among("job position off fired sacked redundant resigned notice graduated", last);
        match self.word(at) {
            "at" | "with" | "from" if work && self.time(at).is_none() => {
                let place = self.employer(at + 1).filter(|place| self.over(place.next, "to with in"))?;
                let whom = self.span(at + 1, place.next);
                Some(Reading { whom, ..self.reading(start, place.next)? })
            }
            "as" if work => {
                let job = self.job(at + 1)?;
                self.reading(start, job.next)
            }
            _ if self.over(
                at,
                match last {
                    "job" | "position" | "promoted" => "to for",
                    "uni" | "university" | "college" | "school" => "in at after",
                    "graduated" => "with",
                    _ => "",
                },
            ) =>
            {
                self.reading(start, at)
            }
            // "Married to Anna", "married in Rome".
            place @ ("to" | "in") if self.capital(at + 1) && among("married engaged", last) => {
                let whom = if place == "to" { self.named(at + 1) } else { None };
                Some(Reading { whom, ..self.reading(start, at)? })
            }
            _ => None,
        }
    }

    /// "Rex died", "passed away" behind a pet; with a name of so many words at least.
    pub(super) fn death(&self, start: usize, at: usize, least: usize) -> Option<Reading> {
        let named = self.names(at).max(self.called(at).min(least));
        let verb = at + named;
        let verb = verb + usize::from(self.word(verb) == "has");
        let end = match (self.word(verb), self.word(verb + 1)) {
            ("died", _) => verb + 1,
            ("passed" | "ran", "away") => verb + 2,
            ("passed", _) if self.time(verb + 1).is_some() => verb + 1,
            ("is", "gone") => verb + 2,
            ("did", "not") if self.entry(verb + 2, verb + 4) == "make_it" => verb + 4,
            ("got" | "was", "run") if self.word(verb + 2) == "over" => verb + 3,
            ("got" | "was", "hit") if self.entry(verb + 2, verb + 5) == "by_a_car" => verb + 5,
            ("crossed", "the") if self.entry(verb + 2, verb + 4) == "rainbow_bridge" => verb + 4,
            _ => return None,
        };
        let whom = self.span(at, at + named);
        // "Ran away from the hoover", "but came back".
        let told = match self.word(verb) {
            "ran" => self.closes(end) || self.time(end).is_some_and(|end| self.closes(end)),
            _ => self.over(end, "of from at after"),
        };
        if told { Some(Reading { whom, ..self.reading(start, end)? }) } else { None }
    }

    /// A pet that was put down or to sleep, by its name or behind what it is.
    pub(super) fn put_down(&self, start: usize, at: usize) -> Option<Reading> {
        let needed = self.word(at.checked_sub(1)?) == "put";
        let named = if needed { self.called(at) } else { self.names(at) };
        let end = at + named;
        if needed && named == 0 {
            return None;
        }
        let had_to = self.word(start.wrapping_sub(1)) == "to";
        let next = match (self.word(end), self.word(end + 1)) {
            // "We put the cat down yesterday", but not "I put the cat down".
            ("down", _) if had_to || self.time(end + 1).is_some() => end + 1,
            ("to", "sleep") => end + 2,
            _ => return None,
        };
        if self.over(next, "") {
            Some(Reading { whom: self.span(at, end), ..self.reading(start, next)? })
        } else {
            None
        }
    }

    /// "Tom dumped me", "Tom broke up with me".
    pub(super) fn dumped(&self, at: usize) -> Option<Reading> {
        let end = at + self.called(at);
        let verb = end + usize::from(among("has just", self.word(end)));
        let next = match self.word(verb) {
            "dumped" | "left" if self.word(verb + 1) == "me" => verb + 2,
            "broke" | "split" if self.entry(verb + 1, verb + 4) == "up_with_me" => verb + 4,
            _ => return None,
        };
        // "Dana left me for the weekend".
        let is_away = self.word(next) == "for"
            && (next + 1..next + 3).any(|at| among(words::STAYS, self.word(at)) || self.word(at) == "dead");
        if self.over(next, "for") && !is_away {
            Some(Reading { whom: Some(self.span(at, end)?), ..self.reading(verb, next)? })
        } else {
            None
        }
    }

    /// "Acme laid me off", "they sacked me", "my boss fired me"; whoever did is the workplace, where it is named.
    pub(super) fn sacked(&self, at: usize) -> Option<Reading> {
        let mine = among("my our", self.word(at));
        let leads = self.word(at) == "they"
            || mine && among("boss manager company employer work firm job", self.word(at + 1));
        let (verb, end) = (at + 1..at + 5).take_while(|at| self.is_word(*at)).find_map(|verb| {
            let length = match self.word(verb) {
                "fired" | "sacked" if self.word(verb + 1) == "me" => 2,
                "laid" if self.entry(verb + 1, verb + 3) == "me_off" => 3,
                "made" if self.entry(verb + 1, verb + 3) == "me_redundant" => 3,
                "let" if self.entry(verb + 1, verb + 3) == "me_go" && self.word(at) != "they" => 3,
                _ => return None,
            };
            Some((verb, verb + length))
        })?;
        // "My boss almost fired me", "they fired me from a cannon".
        let is_sure =
            |at: usize| among("has have just finally also actually recently already", self.word(at));
        if leads && !(at + 1 + usize::from(mine)..verb).all(is_sure) {
            return None;
        }
        let last = verb - usize::from(among("has have just", self.word(verb - 1)));
        let whom = if leads { None } else { self.span(at, last) };
        let from = if self.capital(end + 1) { "from" } else { "" };
        let told = self.over(end, from) && (leads || !mine && !among(words::OPENERS, self.word(at)));
        if told { Some(Reading { whom, ..self.reading(verb, end)? }) } else { None }
    }

    /// A move of which only the time is told, or that one's home was moved.
    pub(super) fn moved(&self, start: usize, at: usize) -> Option<Reading> {
        let told = if self.word(at.checked_sub(1)?) == "moved" {
            // "We moved at the weekend, our meeting".
            let ends = |end: usize| match self.word(end) {
                "," => !among("our my his her their the", self.word(end + 1)),
                word => end >= self.len() || among(". ! \u{2026} and but so", word),
            };
            !self.is_today(at) && self.time(at).is_some_and(ends)
        } else {
            self.over(at, "")
        };
        if told { self.reading(start, at) } else { None }
    }

    /// "Deepak left", "has left the company", "got fired".
    pub(super) fn gone(&self, at: usize) -> Option<Reading> {
        let end = at + self.called(at);
        let verb = end + usize::from(self.word(end) == "has");
        let mut next = verb + 1;
        let is_over = match (self.word(verb), self.word(next)) {
            ("got" | "was", "fired" | "sacked") => self.over(next + 1, ""),
            ("got" | "was", "laid") => self.word(next + 1) == "off" && self.over(next + 2, ""),
            ("quit" | "resigned" | "retired", _) => self.over(next, ""),
            _ => false,
        };
        if is_over {
            return self.reading(at, end);
        }
        if self.word(next) == "the" && among("company firm team business", self.word(next + 1)) {
            next += 2;
        }
        let today = among(words::TODAY, self.word(next));
        let told = self.word(verb) == "left" && self.over(next, "for") && !today;
        if told && self.person(at) { Some(Reading { next, ..self.reading(at, end)? }) } else { None }
    }

    /// A workplace that is named, left for good rather than for the day.
    pub(super) fn former(&self, at: usize) -> Option<Reading> {
        let place = self.employer(at).filter(|_| !among("a an the", self.word(at)))?;
        if among(words::PLACES, self.word(at)) {
            return None;
        }
        let next = place.next;
        let today = among(words::TODAY, self.word(next));
        let onward = self.word(next) == "for" && self.capital(next + 1)
            || self.word(next) == "to" && among("join start found become study", self.word(next + 1));
        let since =
            self.word(next) == "after" && (next + 1..next + 4).any(|at| among(words::UNITS, self.word(at)));
        let then = next + 1 + usize::from(self.word(next + 1) == "then");
        let joined = self.word(next) == "and"
            && among("joined started", self.word(then))
            && (then..then + 5).any(|at| {
                let named = self.capital(at + 1) && !among(words::GIVEN_NAMES, self.word(at + 1));
                among("joined at for", self.word(at)) && named
            });
        if onward || joined || since || self.over(next, "") && !today { Some(place) } else { None }
    }

    /// Whom the user parted from: "with Anna", "with my boyfriend", "with him".
    pub(super) fn parted(&self, start: usize, at: usize) -> Option<Reading> {
        let mine = self.word(at) == "my";
        let whom = at + usize::from(mine);
        let mate = among(PARTNERS, self.word(whom));
        let named = self.person(whom);
        let fits = mate == mine && (mate || named) || among("him her them", self.word(at));
        if !(fits && self.over(whom + 1, "")) {
            return None;
        }
        Some(Reading { whom: self.span(at, whom + 1), ..self.reading(start, whom + 1)? })
    }

    /// The same of "Anna and I", "my girlfriend and I" and "we".
    pub(super) fn parted_from(&self, start: usize, at: usize) -> Option<Reading> {
        let word = |back: usize| start.checked_sub(back).map_or("", |at| self.word(at));
        // "Me and my girlfriend", "me and Anna".
        if self.entry(start, start + 2) == "me_and" {
            let mine = self.word(start + 2) == "my";
            let end = start + 3 + usize::from(mine);
            let is_mate = mine && among(PARTNERS, self.word(end - 1));
            let whom = self.span(start + 2, end).filter(|_| is_mate || self.person(start + 2))?;
            // "Me and Anna broke up a fight", "... in the game".
            let told = self.time(at).unwrap_or(at);
            if !(self.closes(told)
                || among(words::TAILS, self.word(told))
                || among("and but because", self.word(told)))
            {
                return None;
            }
            return Some(Reading { whom: Some(whom), ..self.reading(start, at)? });
        }
        let whom = match self.word(start) {
            "i" if word(1) != "and" => return None,
            "i" => start.checked_sub(2)?,
            _ => start,
        };
        let mate = word(3) == "my" && among(PARTNERS, word(2));
        let named = self.person(whom);
        if !self.over(at, "") || whom < start && !(mate || named && self.may_lead(whom)) {
            return None;
        }
        let from = if mate { whom - 1 } else { whom };
        let whom = (whom < start).then(|| self.span(from, start - 1)).flatten();
        Some(Reading { whom, ..self.reading(from, at)? })
    }

    /// Whether a clause begins here.
    fn may_lead(&self, at: usize) -> bool {
        at.checked_sub(1).is_none_or(|before| {
            self.stops(before)
                || among(words::OPENERS, self.word(before))
                || among(words::CONNECTORS, self.word(before))
        })
    }
}
