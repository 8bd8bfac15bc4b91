//! Readers of places: where somebody lives, works or comes from.

use super::phrase::{Clause, Reading};
use super::words;
use crate::memory::rules::table::among;
use crate::memory::span::{month, season};

impl Clause<'_> {
    /// How many words a place has that the tables know.
    fn known_place(&self, at: usize) -> Option<usize> {
        (1..=4).rev().find(|length| among(words::PLACES, &self.entry(at, at + length)))
    }

    /// A place that one moves to, perhaps from another, or comes from: one of the tables, or any that is nothing else with a capital.
    pub(super) fn town(&self, at: usize, from: Option<usize>) -> Option<Reading> {
        let is_known = |at: usize| self.known_place(at).is_some();
        if is_known(at) || self.region_follows(at) {
            return self.place(at, true);
        }
        let place = self.place(at, false)?;
        let is_other = |at: usize| {
            let word = self.word(at);
            let thing =
                [words::NOT_TOWNS, words::SUBJECTS, words::COMPANIES, words::SKILLS, words::TECHNICAL];
            let tables = thing.iter().any(|table| among(table, word));
            tables || among(words::LANGUAGES, word) || season(word).is_some() || self.no_workplace(at)
        };
        let in_capitals = |at: usize| self.token(at).is_some_and(|token| token.shouted);
        let named = at..(at..place.next).find(|at| self.stops(*at)).unwrap_or(place.next);
        // "From Acme to Globex", "from Vim to Emacs": of two unknown names neither need be a town.
        let is_vague = from.is_some_and(|from| !is_known(from));
        if is_vague || self.word(at).len() < 3 || named.into_iter().any(|at| is_other(at) || in_capitals(at))
        {
            return None;
        }
        Some(place)
    }

    pub(super) fn place(&self, at: usize, known: bool) -> Option<Reading> {
        let first = self.word(at);
        let table = self.known_place(at);
        let mut end = at + table.unwrap_or(0);
        if table.is_none() {
            if known && !self.region_follows(at) {
                return None;
            }
            let named = self.capital(at + usize::from(first == "the"));
            if !named
                || among(words::NOT_PLACES, first)
                || among(words::NOT_LEFT, first)
                || month(first).is_some()
                || first.chars().any(|c| c.is_ascii_digit())
            {
                return None;
            }
            end = at + 1 + usize::from(first == "the");
        }
        while end < at + 5 && self.is_word(end) {
            let joins = among("of de la del upon", self.word(end)) && self.capital(end + 1);
            if !(self.capital(end) || joins) || self.word(end) == "i" || self.word(end) == "'s" {
                break;
            }
            end += 1;
        }
        let region =
            (1..=3).rev().find(|length| among(words::PLACES, &self.entry(end + 1, end + 1 + length)));
        let state = self.token(end + 1).is_some_and(|token| token.shouted && token.word.len() == 2);
        if self.word(end) == "," && (region.is_some() || state) {
            end += 1 + region.unwrap_or(1);
        }
        // "To Derby to be closer to my mum".
        let why = self.word(end) == "to" && self.is_word(end + 1) && !self.capital(end + 1);
        let settled =
            self.ends(end) || among(words::AFTER_PLACE, self.word(end)) || why || self.time(end).is_some();
        // "Berlin Street", and "for a week": no place to live in.
        let goes_on = |at: &usize| {
            !self.stops(*at) && self.time(*at).is_none() && !among("and but so that which", self.word(*at))
        };
        let passing = self.word(end) == "for"
            && (end + 1..end + 8).take_while(goes_on).any(|at| among(words::STAYS, self.word(at)))
            || among(words::STREETS, self.word(end.checked_sub(1)?));
        if settled && !passing { self.reading(at, end) } else { None }
    }

    /// Whether a stay of days is told here, and no home: "this week".
    pub(super) fn passes(&self, at: usize) -> bool {
        self.is_today(at) || self.word(at) == "this" && among("week weekend month", self.word(at + 1))
    }

    /// Whether "Springfield, Illinois" stands here.
    fn region_follows(&self, at: usize) -> bool {
        self.capital(at)
            && self.word(at + 1) == ","
            && (1..=2).any(|length| among(words::PLACES, &self.entry(at + 2, at + 2 + length)))
    }

    /// Whether what stands here is something else than a workplace that is left or joined: "Windows", "Anna".
    pub(super) fn no_workplace(&self, at: usize) -> bool {
        let word = self.word(at);
        among(words::NOT_LEFT, word) || among(words::GIVEN_NAMES, word) || word.ends_with("ism")
    }

    /// A company that somebody joined, for good rather than for lunch.
    pub(super) fn joined(&self, at: usize) -> Option<Reading> {
        let place = self.employer(at)?;
        let other =
            among("a an the", self.word(at)) || self.no_workplace(at) || self.known_place(at).is_some();
        let told = self.over(place.next, "as") && !among(words::TODAY, self.word(place.next));
        if told && !other { Some(place) } else { None }
    }

    /// A workplace where somebody will start; when and as what is told behind it.
    pub(super) fn start(&self, at: usize) -> Option<Reading> {
        let place = self.employer(at)?;
        let joining = matches!(self.word(at.checked_sub(1)?), "join" | "joining");
        let other = joining && among("a an the", self.word(at)) || self.no_workplace(at);
        let told = self.over(place.next, "as next on in tomorrow");
        if told && !other && self.known_place(at).is_none() { Some(place) } else { None }
    }

    pub(super) fn employer(&self, at: usize) -> Option<Reading> {
        let article = matches!(self.word(at), "a" | "an" | "the");
        let start = at + usize::from(article);
        let first = self.word(start);
        let named = self.capital(start)
            && month(first).is_none()
            && !among(words::NOT_PLACES, first)
            && !among(words::NOT_NAMES, first);
        let mut end = start;
        if named || (!article && among(words::COMPANIES, first)) {
            end += 1;
            while end < start + 5 && self.is_word(end) {
                let joins = among("of de la", self.word(end)) && self.capital(end + 1);
                let owned = self.word(end) == "'s" && (self.capital(end + 1) || self.ends(end + 1));
                if !(self.capital(end) || joins || owned) || self.word(end) == "i" {
                    break;
                }
                end += 1;
            }
        }
        if article {
            let is_kind = |at: &usize| {
                let pair = || self.entry(at - 1, at + 1);
                among(words::WORKPLACES, self.word(*at)) || *at > start && among(words::WORKPLACES, &pair())
            };
            let kind = (end..start + 4).find(is_kind);
            match kind {
                Some(last) if !(start..last).any(|at| among(words::FORBIDDEN, self.word(at))) => {
                    end = last + 1
                }
                _ if named => {}
                _ => return None,
            }
        }
        let settled = self.ends(end) || among(words::AFTER_PLACE, self.word(end));
        let is_left = self.word(end) == "to" && among("join start found become study", self.word(end + 1));
        let settled = settled || is_left || self.time(end).is_some();
        let passing = self.is_today(end) || end == start + 1 && among(words::NOT_EMPLOYERS, first);
        if end > start && settled && !passing { self.reading(at, end) } else { None }
    }
}

/// Whether two texts are names of known places of one kind: towns, or countries and states, which stand before these in their table.
pub(in super::super) fn are_places(one: &str, other: &str) -> bool {
    let (lands, towns) = words::PLACES.split_at(words::PLACES.find("amsterdam").unwrap_or_default());
    let name = |text: &str| text.trim().to_ascii_lowercase().replace(' ', "_");
    let (one, other) = (name(one), name(other));
    [lands, towns].iter().any(|places| among(places, &one) && among(places, &other))
}

/// Whether a text can be the name of a town that no table has.
pub(in super::super) fn may_be_town(text: &str) -> bool {
    let others = [
        words::NOT_TOWNS,
        words::NOT_PLACES,
        words::SUBJECTS,
        words::COMPANIES,
        words::SKILLS,
        words::TECHNICAL,
        words::GIVEN_NAMES,
        words::NOT_NAMES,
    ];
    let is_named = |word: &str| {
        let lower = word.to_ascii_lowercase();
        word.starts_with(char::is_uppercase)
            && lower != word.to_ascii_uppercase()
            && month(&lower).is_none()
            && !others.iter().any(|table| among(table, &lower))
    };
    may_be_place(text) && text.split(' ').all(is_named)
}

/// Whether a word can be a place's: "Italian" is none.
pub(in super::super) fn may_be_place(text: &str) -> bool {
    let name = text.trim().to_ascii_lowercase().replace(' ', "_");
    !among(words::DEMONYMS, &name) && !among(words::LANGUAGES, &name)
}
