//! Readers of values: where a name, a place or a liked thing ends, and what is none.

use std::ops::Range;

use super::pattern::Grammar;
use super::thing::THING_WORDS;
use super::token::{Kind, Token};
use super::words;
use crate::memory::rules::table::among;
use crate::memory::span::month;

/// How words end that say of which people or faith somebody is, and the least letters of a name.
const OF_A_KIND: [&str; 9] = ["ish", "ese", "ian", "ist", "ic", "ing", "ed", "ful", "ble"];
const SHORTEST_NAME: usize = 3;

/// Values found, as bytes of the message, and the token after them.
pub(super) struct Reading {
    pub(super) values: Vec<Range<usize>>,
    pub(super) next: usize,
    /// Who or what else is named: whom one parted from, where one worked, what a pet is called.
    pub(super) whom: Option<Range<usize>>,
}

/// The tokens a reader may look at. Positions past the end read as an empty word.
pub(super) struct Clause<'a> {
    tokens: &'a [Token],
}

impl<'a> Clause<'a> {
    pub(super) fn new(tokens: &'a [Token]) -> Self {
        Self { tokens }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    pub(super) fn token(&self, at: usize) -> Option<&'a Token> {
        self.tokens.get(at)
    }

    #[inline(never)]
    pub(super) fn word(&self, at: usize) -> &'a str {
        self.token(at).map_or("", |token| token.word.as_str())
    }

    /// Where a sentence begins behind what opens it: "hey", "so", "guess what".
    pub(super) fn opening(&self) -> usize {
        let mut at = 0;
        loop {
            at += match self.word(at) {
                _ if among(words::OPENING_PAIRS, &self.entry(at, at + 2)) => 2,
                word if among(words::OPENERS, word) || self.stops(at) => 1,
                _ if self.exclaims(at) => 2,
                "we" | "i" if among("we_made_it we_did_it i_did_it", &self.entry(at, at + 3)) => 3,
                _ => return at,
            };
        }
    }

    /// Whether "guess what" stands here, and nothing that is guessed.
    pub(super) fn exclaims(&self, at: usize) -> bool {
        self.word(at) == "guess" && self.word(at + 1) == "what" && self.stops(at + 2)
    }

    pub(super) fn contains(&self, word: &str) -> bool {
        self.tokens.iter().any(|token| token.word == word)
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.token(at).is_some_and(Token::is_word)
    }

    /// Whether a mark here ends the phrase.
    pub(super) fn stops(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.kind == Kind::Stop)
    }

    /// Whether a phrase may end before this token.
    pub(super) fn ends(&self, at: usize) -> bool {
        at >= self.len() || self.stops(at) || among(words::ENDS, self.word(at)) || self.trails_off(at)
    }

    /// Whether "any more" or "any longer" stands here.
    pub(super) fn any_more(&self, at: usize) -> bool {
        self.word(at) == "any" && matches!(self.word(at + 1), "more" | "longer")
    }

    /// Whether what was said is over here: "any more", "after all", "by the way".
    pub(super) fn trails_off(&self, at: usize) -> bool {
        self.any_more(at) || self.after_all(at) || self.entry(at, at + 3) == "by_the_way"
    }

    pub(super) fn after_all(&self, at: usize) -> bool {
        self.word(at) == "after" && self.word(at + 1) == "all"
    }

    /// Where "here" ends by which somebody tells of themselves without "I", "Marcus here", or that a name is written so: "Katie with a K".
    pub(super) fn here(&self, at: usize) -> Option<usize> {
        let is_letter =
            self.word(at) == "with" && among("a an", self.word(at + 1)) && self.word(at + 2).len() == 1;
        match self.word(at) {
            _ if is_letter => Some(at + 3),
            "here" if !self.is_word(at + 1) || among("from and so again with", self.word(at + 1)) => {
                Some(at + 1)
            }
            _ => None,
        }
    }

    pub(super) fn capital(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.capital || token.shouted)
    }

    #[inline(never)]
    pub(super) fn reading(&self, start: usize, end: usize) -> Option<Reading> {
        Some(Reading { values: vec![self.span(start, end)?], next: end, whom: None })
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Option<Range<usize>> {
        let (first, last) = (self.token(start)?, self.token(end.checked_sub(1)?)?);
        (start < end).then_some(first.start..last.end)
    }

    /// The words of a span joined with `_`, as multi-word table entries are.
    pub(super) fn entry(&self, start: usize, end: usize) -> String {
        let words: Vec<&str> = (start..end).map(|at| self.word(at)).collect();
        words.join("_")
    }

    /// Reads the value at `at` of a pattern that started at `start`.
    pub(super) fn read(&self, grammar: Grammar, at: usize, start: usize) -> Option<Reading> {
        match grammar {
            // "I go by bus" and "by feel" give no name.
            Grammar::Name if self.word(at.wrapping_sub(1)) == "by" && !self.capital(at) => None,
            Grammar::Name => self.name(at),
            Grammar::Person => self.name(at).filter(|_| self.person(at)),
            Grammar::BareName => self.bare_name(at, start),
            Grammar::Somebody => self.bare_name(at, start).or_else(|| self.somebody(at)),
            Grammar::Place => self.place(at, false).filter(|place| !self.passes(place.next)),
            Grammar::Town | Grammar::Destination => self.town(at, None),
            Grammar::KnownPlace => self.place(at, true),
            Grammar::Joined => self.joined(at),
            Grammar::Start => self.start(at),
            Grammar::Subject => self.subject(at),
            Grammar::Studied => self.studied(start, at),
            Grammar::Job => self.job(at),
            Grammar::Title => self.title(at),
            Grammar::Employer => self.employer(at),
            Grammar::Things => self.things(at),
            Grammar::Favored if among(words::NOT_FAVORITES, self.word(at)) => None,
            Grammar::Thing | Grammar::Favored => {
                let end = self.thing(at, THING_WORDS)?;
                if (at..end).any(|at| among(words::TECHNICAL, self.word(at))) {
                    return None;
                }
                self.reading(at, end)
            }
            Grammar::Food | Grammar::Eaten => {
                if among(words::NOT_FOODS, self.word(at)) {
                    return None;
                }
                // "Meat in 2020": the time is no part of it.
                let end = (at + 1..at + THING_WORDS).find(|at| self.time(*at).is_some());
                Self::new(self.tokens.get(..end.unwrap_or(self.len()))?).things(at)
            }
            Grammar::Resumed => {
                self.read(Grammar::Food, at, start).filter(|food| self.word(food.next) == "again")
            }
            Grammar::Allergen => {
                let joke = self.word(at).ends_with("ing") || among(words::NOT_ALLERGENS, self.word(at));
                if joke { None } else { self.things(at) }
            }
            Grammar::Doing => self.doing(at),
            Grammar::Career => {
                let job = self.job(at + 1)?;
                let becomes = matches!(self.word(at), "be" | "become");
                if becomes { self.reading(at, job.next) } else { None }
            }
            Grammar::Languages => self.languages(at),
            Grammar::Skill => {
                let known = among(words::LANGUAGES, self.word(at)) || among(words::SKILLS, self.word(at));
                let ends = self.ends(at + 1) || among("at on in for with by from", self.word(at + 1));
                if known && ends { self.reading(at, at + 1) } else { None }
            }
            Grammar::Age => self.age(at),
            Grammar::AgeInYears => self.age_in_years(at),
            Grammar::Date => self.date(at),
            Grammar::Year => self.year(at),
            Grammar::Demonym => {
                let at = at + usize::from(matches!(self.word(at), "a" | "an"));
                let length =
                    [2, 1].into_iter().find(|length| among(words::DEMONYMS, &self.entry(at, at + length)))?;
                if self.ends(at + length) { self.reading(at, at + length) } else { None }
            }
            Grammar::OneOf(choices) => {
                let at = at + usize::from(matches!(self.word(at), "a" | "an"));
                let length = [2, 1].into_iter().find(|length| {
                    let entry = self.entry(at, at + length).replace('_', " ");
                    choices.contains(&entry.as_str())
                })?;
                // Married to Bob, engaged to a nurse; but "married to my job" is a manner of speaking.
                let whom = at + length + 1;
                let is_to = self.word(at + length) == "to";
                let to_someone = is_to && (self.capital(whom) || matches!(self.word(whom), "a" | "an"));
                let behind = at + length;
                let ends = self.ends(behind)
                    || self.any_more(behind)
                    || self.time(behind).is_some()
                    || self.here(behind).is_some()
                    || self.word(behind) == "for" && self.years(behind + 1).is_some()
                    || to_someone;
                let whom = if is_to { self.named(whom) } else { None };
                if ends { Some(Reading { whom, ..self.reading(at, at + length)? }) } else { None }
            }
            Grammar::Manner => self.manner(start),
            Grammar::Relatives => self.all_counted(at, [words::KIN_COUNTED, ""]),
            Grammar::Animals => self.all_counted(at, [words::PETS_COUNTED, words::PETS]),
            Grammar::AllergyTo => {
                let end = (at + 1..at + 3).find(|at| among("allergy allergies", self.word(*at)))?;
                let is_thing = !(at..end).any(|at| {
                    among("bad severe mild serious food seasonal skin weird", self.word(at))
                        || among(words::FORBIDDEN, self.word(at))
                        || among(words::NOT_ALLERGENS, self.word(at))
                });
                let ends = self.ends(end + 1) || self.over(end + 1, "");
                if is_thing && ends {
                    Some(Reading { next: end + 1, ..self.reading(at, end)? })
                } else {
                    None
                }
            }
            Grammar::Deed => self.deed(start, at),
            Grammar::DeedTo(things) => {
                let fits = among(things, self.word(at)) && self.over(at + 1, "to again");
                if fits {
                    Some(Reading { whom: self.span(at, at + 1), ..self.reading(start, at + 1)? })
                } else {
                    None
                }
            }
            Grammar::Mourned => self.death(start, at, 1).filter(|reading| reading.whom.is_some()),
            Grammar::PutDown => self.put_down(start, at),
            Grammar::Dumped => self.dumped(at),
            Grammar::Sacked => self.sacked(at),
            Grammar::Moved => self.moved(start, at),
            Grammar::Turned(_) => {
                if self.over(at, "in") {
                    self.reading(start, at)
                } else {
                    None
                }
            }
            Grammar::Workplace if !among("a an the", self.word(at)) || self.capital(at + 1) => None,
            Grammar::Workplace => self.employer(at),
            Grammar::Industry => self.industry(at),
            Grammar::FirstDay => self.employer(at).filter(|place| self.over(place.next, "was went")),
            Grammar::Promotion => {
                let end = (at + 1..at + THING_WORDS).find(|at| self.time(*at).is_some());
                Self::new(self.tokens.get(..end.unwrap_or(self.len()))?).job(at)
            }
            Grammar::Condition => self.conditions(at),
            Grammar::Ailing => self.ailing(at),
            Grammar::Medicine => self.medicine(at),
            Grammar::Gone => self.gone(at),
            Grammar::Death => self.death(start, at, 0),
            Grammar::Former => self.former(at),
            Grammar::Parted => self.parted(start, at),
            Grammar::PartedFrom => self.parted_from(start, at),
        }
    }

    pub(super) fn name_word(&self, at: usize) -> bool {
        let word = self.word(at);
        self.is_word(at)
            && word.chars().next().is_some_and(char::is_alphabetic)
            && !word.chars().any(|c| c.is_ascii_digit())
            && !among(words::NOT_NAMES, word)
            && (word.len() <= 3 || month(word).is_none())
            && !among(words::FORBIDDEN, word)
    }

    /// How many words, each with a capital, somebody's name has here: three at most.
    pub(super) fn names(&self, at: usize) -> usize {
        (at..at + 3).take_while(|at| self.name_word(*at) && self.capital(*at)).count()
    }

    /// The same of somebody who is known, and may be written without a capital.
    pub(super) fn called(&self, at: usize) -> usize {
        self.names(at).max(usize::from(self.name_word(at)))
    }

    /// Somebody's name.
    pub(super) fn named(&self, at: usize) -> Option<Range<usize>> {
        let words = self.names(at);
        self.span(at, at + words).filter(|_| words > 0)
    }

    /// Whether somebody's name stands here rather than that of a thing: a known name, or any that is nothing else with a capital.
    pub(super) fn person(&self, at: usize) -> bool {
        let word = self.word(at);
        let things = [
            words::COMPANIES,
            words::NOT_LEFT,
            words::HABITS,
            words::KIN,
            words::PLACES,
            words::LANGUAGES,
            words::DEMONYMS,
            words::SKILLS,
            words::TECHNICAL,
            words::OCCUPATIONS,
            words::TITLES,
            words::OPENERS,
            words::ENDS,
        ];
        let named = self.name_word(at) && self.capital(at);
        named && (among(words::GIVEN_NAMES, word) || !things.iter().any(|table| among(table, word)))
    }

    fn name(&self, at: usize) -> Option<Reading> {
        if !self.name_word(at) {
            return None;
        }
        let titled = among("dr mr mrs ms prof", self.word(at));
        let mut end = at + 1;
        if titled {
            end += usize::from(self.word(end) == ".");
            if !(self.name_word(end) && self.capital(end)) {
                return None;
            }
            end += 1;
        }
        // "My name is Bond, James Bond."
        let is_quoted = self.word(end) == "," && self.is_word(end + 1) && self.word(end + 2) == self.word(at);
        if is_quoted || among(words::HEROES, &self.entry(at, at + 2)) {
            return None;
        }
        if self.capital(at) {
            while end < at + 4 && self.name_word(end) && self.capital(end) {
                end += 1;
            }
        } else if self.name_word(end) && !self.ends(end) && self.ends(end + 1) {
            end += 1;
        }
        let ends = self.ends(end)
            || self.time(end).is_some()
            || self.here(end).is_some()
            || among("from nice i by the please thanks", self.word(end));
        let shouted = self.token(at).is_some_and(|token| token.shouted && token.word.chars().count() > 3);
        if ends && !(shouted && end > at + 1) { self.reading(at, end) } else { None }
    }

    fn bare_name(&self, at: usize, start: usize) -> Option<Reading> {
        let known = among(words::GIVEN_NAMES, self.word(at));
        let greeted = self.word(start.checked_sub(1).map_or(usize::MAX, |before| match self.word(before) {
            "," | "!" => before.saturating_sub(1),
            _ => before,
        }));
        let greeted = matches!(greeted, "hi" | "hello" | "hey" | "there" | "everyone" | "greetings");
        let written = self.token(at).is_some_and(|token| token.capital);
        let occupied = among(words::DEMONYMS, self.word(at)) || among(words::OCCUPATIONS, self.word(at));
        if occupied || !(known || (greeted && written)) {
            return None;
        }
        self.name(at)
    }

    /// A name that no table has: "My wife is Dana", but not "My wife is Welsh".
    fn somebody(&self, at: usize) -> Option<Reading> {
        let is_written = |at: usize| self.token(at).is_some_and(|token| token.capital && !token.shouted);
        let is_of_a_kind = |at: usize| {
            let word = self.word(at);
            among(words::FOLLOWERS, word) || OF_A_KIND.iter().any(|ending| word.ends_with(ending))
        };
        let end = (at..at + 2).take_while(|at| is_written(*at) && self.person(*at)).last()? + 1;
        let is_name = !(at..end).any(|at| is_of_a_kind(at) || self.word(at).len() < SHORTEST_NAME);
        if is_name && self.ends(end) { self.reading(at, end) } else { None }
    }

    pub(super) fn job(&self, at: usize) -> Option<Reading> {
        let article = matches!(self.word(at), "a" | "an");
        let start = at + usize::from(article);
        let mut end = start;
        let job_ends = |at: usize| {
            let word = self.word(at);
            // "A volunteer today" is nobody's job.
            among(words::JOB_ENDS, word) || self.any_more(at) || self.time(at).is_some() && !self.is_today(at)
        };
        while end < start + 6 && self.is_word(end) && !job_ends(end) {
            end += 1;
        }
        let settled = !self.is_word(end) || job_ends(end);
        let glued = self.token(end).is_some_and(|token| token.kind == Kind::Glue);
        let fiction = matches!(
            (self.word(end), self.word(end + 1)),
            ("at", "heart")
                | ("in", "my" | "this" | "the" | "a" | "training" | "real")
                | ("of", _)
                | ("to", _)
        );
        let last = end.checked_sub(1)?;
        let occupation = end > start && among(words::OCCUPATIONS, self.word(last));
        let judged = (start..last).any(|at| {
            let word = self.word(at);
            word.starts_with(|c: char| c.is_ascii_digit())
                || matches!(word, "a" | "an")
                || among(words::HARDLY, word)
                || among(words::NOT_MODIFIERS, word)
                || among(words::FORBIDDEN, word)
                || word == "the"
                || word == "my"
        });
        // "I'm early riser" aside, a missing article is only trusted where the phrase stands alone.
        let whole = article || end - start <= 3;
        if settled && !glued && !fiction && occupation && !judged && whole {
            self.reading(start, end)
        } else {
            None
        }
    }

    fn title(&self, at: usize) -> Option<Reading> {
        let start = at + usize::from(matches!(self.word(at), "the" | "a"));
        let titled = among(words::TITLES, self.word(start)) && matches!(self.word(start + 1), "of" | "at");
        if !titled {
            return None;
        }
        let workplace = self.employer(start + 2)?;
        self.reading(at, workplace.next)
    }
}
