//! Appositions: who is named right behind what they are to the user: "my wife Dana", "our dog Ziggy".

use super::super::statement::Statement;
use super::super::table::among;
use super::pattern::Elided;
use super::patterns::APPOSED;
use super::phrase::{Clause, Reading};
use super::{Source, words};

/// What stands before "my sister Ana" where that is no object: "I live with my sister Ana".
const LEADS: &str = "with and that love miss married";
/// What follows a name that is the subject of what is told.
const FOLLOWS: &str = "'s is was has had will would can could got went and with in at on to from";
/// What a name has no part in that is told as the user's: who is gone, and who is given away.
const GONE: &str = "died dead passed funeral buried late rip ex put sold dumped left divorced broke split imaginary fake \
    foster neighbor neighbour called named";

impl Source<'_> {
    /// Adds who is named in apposition before this word, unless a statement tells of them.
    #[inline(never)]
    pub(super) fn appositions(&self, blocked: usize, found: &mut Vec<Statement>) {
        if (0..self.clause.len()).any(|at| among(GONE, self.clause.word(at))) {
            return;
        }
        for at in (0..blocked).filter(|at| among("my our", self.clause.word(*at))) {
            // "We will call our daughter Emma".
            if among("call name naming", self.clause.word(at.wrapping_sub(1))) {
                continue;
            }
            let leads = self.may_start(at) || among(LEADS, self.clause.word(at.wrapping_sub(1)));
            for pattern in APPOSED {
                let matched = pattern.matches(&self.clause, at, Elided::Nothing);
                let named = matched.and_then(|it| Some((it.topic, self.clause.apposed(it.next, leads)?)));
                if let Some((topic, reading)) = named {
                    self.state(pattern, topic, at, &reading, found);
                    break;
                }
            }
        }
    }
}

impl Clause<'_> {
    /// A name with a capital behind a word without one: "My Dog Ate It" is a title.
    fn apposed(&self, at: usize, leads: bool) -> Option<Reading> {
        let is_written = |at: usize| self.token(at).is_some_and(|token| token.capital);
        if !is_written(at) || is_written(at.checked_sub(1)?) || !self.person(at) {
            return None;
        }
        let (word, next) = (self.word(at), self.word(at + 1));
        let goes_on = self.capital(at + 1) && next != "i"
            || self.token(at + 1).is_some_and(|it| !it.is_word() && !self.stops(at + 1));
        // "My son Minecraft obsessed", "my sister Zoomed in".
        let is_other = among(words::NOT_PLACES, word) || word.ends_with("ed") || word.ends_with("ing");
        let ends_so = |word: &str| ["s", "ed", "ing"].iter().any(|ending| word.ends_with(ending));
        // "My cousin Vinny quotes are the best", "my uncle Sam poster".
        let is_verb = ends_so(next) && !among("is are was were", self.word(at + 2));
        let told = self.ends(at + 1) || among(FOLLOWS, next) || among(words::ADVERBS, next) || is_verb;
        let is_compound = !told && (self.ends(at + 2) || ends_so(self.word(at + 2)));
        let is_named = among(words::GIVEN_NAMES, word) && !is_compound || leads && told && !is_other;
        if is_named && !goes_on { self.reading(at, at + 1) } else { None }
    }
}
