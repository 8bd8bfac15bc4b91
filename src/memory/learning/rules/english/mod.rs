//! English: patterns anchored at the start of a clause, each with a reader for its value.

mod apposition;
mod chain;
mod change;
mod health;
mod limit;
mod number;
mod pattern;
mod patterns;
mod phrase;
mod place;
mod reader;
mod study;
mod telling;
mod thing;
mod token;
mod words;

use std::ops::Range;

use super::slot::Slot;
use super::statement::{Ending, Statement};
use super::table::among;
use crate::memory::finding::is_weekday;
use crate::memory::secret::looks_secret;
pub(super) use number::counted;
use pattern::{Elided, Grammar, HERE, LONGER, Matched, Pattern, SINCE, Tells};
use patterns::PATTERNS;
pub(super) use patterns::{DIETS, STATES};
use phrase::{Clause, Reading};
pub(super) use place::{are_places, may_be_place, may_be_town};
pub(super) use reader::Reader;
use telling::{
    diets_without, eaten, ending, inside, opposite_deeds, parted_from, planned, sentence, title_case,
};

/// How far back the start of a clause is looked for, in tokens.
const OPENING_WORDS: usize = 8;

/// The stated part of a sentence with its text.
struct Source<'a> {
    text: &'a str,
    base: usize,
    clause: Clause<'a>,
    /// Whether nothing but a greeting was said before.
    begins: bool,
}

/// Who does what a clause tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// "I moved".
    Told,
    /// Whoever did what stands before: "I moved and found work".
    Shared,
    /// Nobody is told, which is "I": "Just moved to Berlin!"
    Missing,
}

impl Source<'_> {
    fn read(&self, found: &mut Vec<Statement>) {
        let clause = &self.clause;
        let length = clause.len();
        let blocked = (0..length).find(|at| self.blocks(*at)).unwrap_or(length);
        let led = self.led();
        // Where a clause may go on without repeating "I": "I live in Lisbon and work as a nurse".
        let mut elided = None;
        let mut at = 0;
        while at < length && at <= blocked {
            let shared = elided == Some(at);
            let mut read = None;
            if let Some((start, _)) = led.filter(|(_, end)| *end == at) {
                read = self.statement(at, start, Subject::Told, found);
            }
            if read.is_none() && shared {
                read = self.statement(at, at, Subject::Shared, found);
            }
            if read.is_none() && self.may_start(at) {
                read = self.statement(at, at, Subject::Told, found);
            }
            if read.is_none() && self.reports(at) {
                read = self.statement(at, at, Subject::Missing, found);
            }
            match read {
                Some(next) => {
                    // What is over tells nothing of what "and" adds: "I no longer live in Rome and work at Acme".
                    let holds = found.last().is_some_and(|statement| !statement.retracts);
                    elided = self.next_clause(next).filter(|_| holds);
                    at = next.max(at + 1);
                }
                None => at += 1,
            }
        }
        self.appositions(blocked, found);
    }

    /// Whether nothing that begins behind this word is the user's own plain statement.
    fn blocks(&self, at: usize) -> bool {
        let before = self.clause.word(at.wrapping_sub(1));
        let harmless = match self.clause.word(at) {
            "may" => among("in since last this early late of mid", before),
            // "Guess what, I moved!", "guess I'm not vegan any more".
            "guess" => {
                self.clause.exclaims(at) || among("i_am_not i_am_no", &self.clause.entry(at + 1, at + 4))
            }
            "what" => at.checked_sub(1).is_some_and(|before| self.clause.exclaims(before)),
            "used" => matches!(before, "i" | "we") && self.clause.word(at + 1) == "to",
            _ => false,
        };
        !harmless && among(words::BLOCKERS, self.clause.word(at))
    }

    /// A time that leads the sentence, and where what happened then begins: "Last month I moved".
    fn led(&self) -> Option<(usize, usize)> {
        let start = self.clause.opening();
        let end = self.clause.time(start)?;
        Some((start, end + usize::from(self.clause.word(end) == ",")))
    }

    /// Whether a clause can start here: after an opener such as "hey", a connector or a mark.
    fn may_start(&self, at: usize) -> bool {
        for previous in (at.saturating_sub(OPENING_WORDS)..at).rev() {
            let word = self.clause.word(previous);
            if self.clause.stops(previous) {
                // "Correction: I live in Bonn."
                let before = previous.checked_sub(1).map_or("", |before| self.clause.word(before));
                return word != ":" || among(words::HEADINGS, before);
            }
            if among(words::CONNECTORS, word) {
                return true;
            }
            let pair = self.clause.entry(previous.saturating_sub(1), previous + 1);
            if previous == 1 && among(words::OPENING_PAIRS, &pair) {
                return true;
            }
            // Only "guess I'm not" gets here.
            let reminds = word == "guess"
                || word == "that"
                    && matches!(self.clause.word(previous.saturating_sub(1)), "remember" | "note");
            if !(reminds || among(words::OPENERS, word)) {
                return false;
            }
        }
        at <= OPENING_WORDS
    }

    /// Whether somebody who leaves out "I" begins to tell here what they did.
    fn reports(&self, at: usize) -> bool {
        let verb = self.clause.verb(at);
        // "Quit smoking!" is advice.
        let advises = self.clause.word(verb) == "quit" && self.clause.word(verb + 1) != "my";
        let is_here = || (at + 1..at + 4).any(|at| self.clause.here(at).is_some());
        // Where the sentence begins is looked for last: it may begin with thousands of marks.
        self.begins
            && (among(words::DEEDS, self.clause.word(verb)) && !advises || is_here())
            && at == self.clause.opening()
    }

    /// Whether what is so, said without "I", is the user's: told with "here", with "now", or with since when.
    fn is_plain(&self, pattern: &Pattern, at: usize, next: usize, is_dated: bool) -> bool {
        let verb = self.clause.verb(at);
        let now = |at: usize| among("now currently nowadays", self.clause.word(at));
        // "Living in Rome now must be hot".
        let is_now = now(next) && self.clause.ends(next + 1) || (at..verb).any(now);
        let is_told = is_dated || pattern.slot == Slot::BirthYear || is_now;
        pattern.tells == Tells::IsOver
            || pattern.words.ends_with(HERE)
            || is_told && among(words::DEEDS, self.clause.word(verb))
    }

    /// Whether somebody else may be meant by what stands before: "Moved to Berlin, Tom found work", "by his firm".
    fn is_led_on(&self, at: usize) -> bool {
        let next = self.clause.word(at + 1);
        let no_subjects = [words::CONNECTORS, words::OPENERS, words::ASKERS, "i we my any not no do"];
        let is_adverb = among(words::ADVERBS, next) && !self.clause.capital(at + 2);
        let is_another = self.clause.is_of_another(at + 1)
            || next == "my"
                && among("nan nana gran granny little big best older younger", self.clause.word(at + 2));
        let own = !is_another && (is_adverb || no_subjects.iter().any(|table| among(table, next)));
        self.clause.word(at) == "by" || self.clause.word(at) == "," && self.clause.is_word(at + 1) && !own
    }

    fn next_clause(&self, at: usize) -> Option<usize> {
        // "I'm from Cork originally, living in Leeds".
        let at = self.clause.verb(at);
        match (self.clause.word(at), self.clause.word(at + 1)) {
            ("," | ".", "and") => Some(at + 2),
            ("and" | "but" | ",", _) => Some(at + 1),
            _ => None,
        }
    }

    /// Reads one statement at `at`, which may be led by a time at `start`, and what is chained to it; returns where the clause
    /// goes on.
    fn statement(
        &self,
        at: usize,
        start: usize,
        subject: Subject,
        found: &mut Vec<Statement>,
    ) -> Option<usize> {
        for pattern in PATTERNS.iter().copied().flatten() {
            let happened = matches!(pattern.tells, Tells::Happened(_));
            if start < at && !happened {
                continue;
            }
            let elided = match subject {
                Subject::Told => Elided::Nothing,
                Subject::Shared if self.shares_verb(pattern, at, found) => Elided::Verb,
                Subject::Shared | Subject::Missing => Elided::Subject,
            };
            let matched = pattern.matches(&self.clause, at, elided);
            let Some(Matched { next, deed, from, topic }) = matched else { continue };
            // "I have a brother, living in Milan now".
            let is_bare = pattern.words.contains("am|are?") || pattern.words.contains("am|will?");
            if is_bare
                && subject == Subject::Shared
                && found.last().is_some_and(|said| is_of_others(said.slot))
            {
                continue;
            }
            let reading = match pattern.grammar {
                Grammar::Town | Grammar::Destination => self.clause.town(next, from),
                _ => self.clause.read(pattern.grammar, next, deed.unwrap_or(at)),
            };
            // "In Leeds or York": neither is said.
            let Some(mut reading) = reading.filter(|reading| self.clause.word(reading.next) != "or") else {
                continue;
            };
            let is_past = pattern.words.contains("used to");
            if is_past
                && !(self.clause.over(reading.next, "") || among("but and", self.clause.word(reading.next)))
            {
                continue;
            }
            let marked = match () {
                () if pattern.words.ends_with(HERE) => self.clause.here(reading.next),
                () if pattern.words.ends_with(LONGER) => {
                    self.clause.any_more(reading.next).then_some(reading.next + 2)
                }
                () => Some(reading.next),
            };
            let Some(marked) = marked else { continue };
            reading.next = marked;
            let value_ends = reading.next;
            if happened {
                reading.next = self.told_when(reading.next);
            }
            let is_missing = subject == Subject::Missing;
            let may_be_led_on = !matches!(pattern.grammar, Grammar::Skill) && !pattern.words.ends_with(HERE);
            if self.clause.ascribes(reading.next)
                || pattern.grammar == Grammar::Moved && found.iter().any(|said| said.slot == Slot::Place)
            {
                continue;
            }
            if self.is_narrowed(pattern, reading.next) {
                continue;
            }
            let dated = self.dated(pattern, reading.next);
            if pattern.words.ends_with(SINCE) && dated.is_none() {
                continue;
            }
            if is_missing && !happened && !self.is_plain(pattern, at, reading.next, dated.is_some()) {
                continue;
            }
            let told = reading.next;
            reading.next = dated.unwrap_or(told);
            if is_missing && may_be_led_on && (self.is_led_on(told) || self.is_led_on(reading.next)) {
                continue;
            }
            // "If she comes", "when I was five": a condition, or another time. "But came back": it is not so any more.
            let narrowed = happened || plans(pattern.grammar);
            if narrowed && among(words::QUALIFIERS, self.clause.word(reading.next))
                || (happened || is_past) && self.undone(pattern.slot, reading.next)
            {
                continue;
            }
            let before = found.len();
            self.state(pattern, topic, start, &reading, found);
            if found.len() == before {
                continue;
            }
            if let Some(time) = dated.and_then(|end| self.clause.span(told, end)) {
                let written = self.text.get(time.start - self.base..time.end - self.base);
                for statement in found.iter_mut().skip(before) {
                    statement.quote.end = time.end;
                    statement.lasts = !plans(pattern.grammar);
                    // What is planned has no date yet: the words keep it.
                    if let Some(written) = written.filter(|_| !statement.lasts) {
                        statement.text = format!("{} {written}.", statement.text.trim_end_matches('.'));
                    }
                }
            }
            if let Some(next) = self.onward(pattern, at, reading.next, found) {
                // Before what is over: it took the place of that when it is said to have begun.
                if let Some(said) = found.get_mut(before..).filter(|_| pattern.tells == Tells::IsOver) {
                    said.rotate_left(1);
                }
                return Some(next);
            }
            let next = match pattern.tells {
                Tells::IsOver => reading.next,
                _ => self.chain(pattern, at, (value_ends, reading.next), found),
            };
            return Some(self.contrast(pattern, at, next, found));
        }
        None
    }

    /// Whether a clause goes on with the verb of the one before: "I'm vegan and allergic to nuts", "I have a dog called Rex and a cat
    /// called Luna".
    fn shares_verb(&self, pattern: &Pattern, at: usize, found: &[Statement]) -> bool {
        let Some(last) = found.last() else { return false };
        let has_verb = among("am are have has got", self.clause.word(at));
        let of_state =
            |slot| matches!(slot, Slot::Diet | Slot::Allergy | Slot::Age | Slot::Job | Slot::Nationality);
        let is_state = pattern.slot == Slot::Allergy && pattern.words.starts_with("i am")
            || pattern.slot == Slot::Diet
                && matches!(pattern.grammar, Grammar::OneOf(_))
                && pattern.words == "i am *";
        let is_of_them = |slot| matches!(slot, Slot::Pet | Slot::Family);
        let has_them = is_of_them(pattern.slot) && pattern.words.starts_with("i|we * have got?");
        !has_verb && (is_state && of_state(last.slot) || has_them && is_of_them(last.slot))
    }

    /// Where a time ends from which something holds, "since 2019", or at which it is planned, "in January".
    fn dated(&self, pattern: &Pattern, at: usize) -> Option<usize> {
        let word = |at: usize| self.clause.word(at);
        if pattern.tells != Tells::Holds {
            return None;
        }
        if !plans(pattern.grammar) {
            if pattern.words.contains("been") && word(at) == "for" {
                return self.clause.years(at + 1);
            }
            let since = (word(at) == "since").then_some(at)?;
            return self.clause.time(since).or_else(|| self.clause.time(since + 1));
        }
        let time = |at: usize| match word(at) {
            "tomorrow" => Some(at + 1),
            "next" if among(words::PERIODS, word(at + 1)) || is_weekday(word(at + 1)) => Some(at + 2),
            _ => self.clause.time(at),
        };
        // "On May 2 as a nurse", and the other way round.
        let job = |at: usize| {
            let is_told = pattern.grammar == Grammar::Start && word(at) == "as";
            self.clause.job(at + 1).filter(|_| is_told).map(|job| job.next)
        };
        let ends = job(at).into_iter().chain(time(at)).next()?;
        time(ends).or_else(|| job(ends)).or(Some(ends))
    }

    /// Where what happened is told with its time: "with my family in June".
    #[inline(never)]
    fn told_when(&self, next: usize) -> usize {
        let goes_on =
            |at: &usize| !(self.clause.stops(*at) || among("and but so because", self.clause.word(*at)));
        (next..next + 6).take_while(goes_on).find_map(|at| self.clause.time(at)).unwrap_or(next)
    }

    /// Whether what follows says that it came to something else: "and then to Paris", "but got back together".
    #[inline(never)]
    fn undone(&self, slot: Slot, next: usize) -> bool {
        let at = next + usize::from(self.clause.word(next) == ",");
        let onward = match (self.clause.word(at), self.clause.word(at + 1)) {
            ("and", "then" | "to" | "later") | ("then", _) if slot == Slot::Place => true,
            ("but" | "then", _) => {
                (at + 1..at + 7).any(|at| among("back quit left returned again", self.clause.word(at)))
            }
            _ => false,
        };
        onward && !matches!(slot, Slot::Event)
    }

    /// Adds a statement for each value read.
    fn state(
        &self,
        pattern: &Pattern,
        topic: Option<String>,
        start: usize,
        reading: &Reading,
        found: &mut Vec<Statement>,
    ) {
        let Some(from) = self.clause.token(start).map(|token| token.start) else { return };
        let written = |range: &Range<usize>| self.text.get(range.start - self.base..range.end - self.base);
        let whom = reading.whom.as_ref().and_then(written).or(topic.as_deref());
        for range in &reading.values {
            let Some(written) = written(range) else { continue };
            let value = match pattern.grammar {
                Grammar::Name | Grammar::BareName | Grammar::Somebody => title_case(written),
                Grammar::Parted | Grammar::PartedFrom | Grammar::Dumped => "single".to_owned(),
                Grammar::Turned(state) => state.to_owned(),
                // "Quit my job!" begins with the verb.
                Grammar::Deed | Grammar::DeedTo(_) | Grammar::Moved => inside(written),
                Grammar::Destination => planned(Slot::Place, written),
                Grammar::Start => planned(Slot::Employer, written),
                Grammar::Eaten => eaten(topic.as_deref(), written),
                _ => written.to_owned(),
            };
            if value.is_empty() || looks_secret(&value) {
                continue;
            }
            let told = match pattern.grammar {
                Grammar::Parted | Grammar::PartedFrom | Grammar::Dumped => parted_from(whom),
                Grammar::Destination | Grammar::Start => written.to_owned(),
                _ => match whom.filter(|_| pattern.slot == Slot::Relationship) {
                    Some(whom) => format!("{value} to {whom}"),
                    None => value.clone(),
                },
            };
            let text = sentence(pattern.sentence, topic.as_deref(), &told);
            let slots: &[Slot] = match (pattern.tells, pattern.grammar) {
                (Tells::Happened(slots), _) => slots,
                (Tells::Holds, Grammar::Food) => &[Slot::Diet],
                // Who is single again has parted from whoever was known.
                (Tells::Holds, Grammar::OneOf(_))
                    if pattern.slot == Slot::Relationship && among("single divorced", &value) =>
                {
                    &[Slot::Family]
                }
                _ => &[],
            };
            let said = (pattern.slot, value.as_str());
            // What is eaten all the same was a value of its own.
            let whom = if pattern.grammar == Grammar::Eaten { Some(written) } else { whom };
            let ends = slots.iter().map(|slot| ending(*slot, said, topic.as_deref(), whom));
            let eats = matches!(pattern.grammar, Grammar::Eaten | Grammar::Resumed)
                || (pattern.grammar, pattern.tells) == (Grammar::Food, Tells::IsOver);
            let diets = if eats { diets_without(written) } else { &[] };
            let diets = diets.iter().map(|diet| Ending::about(Slot::Diet, "", Some(diet)));
            let habits = if pattern.slot == Slot::Event { opposite_deeds(&value) } else { Vec::new() };
            let ends = ends.chain(diets).chain(habits).collect();
            let is_topic =
                !matches!(pattern.slot, Slot::Event | Slot::Relationship | Slot::Diet | Slot::Boss);
            let behind = self.clause.token(reading.next.wrapping_sub(1)).map_or(range.end, |token| token.end);
            let happened = matches!(pattern.tells, Tells::Happened(_));
            let end = if happened { range.end.max(behind) } else { range.end };
            let end = reading.whom.as_ref().map_or(end, |whom| end.max(whom.end));
            found.push(Statement {
                slot: pattern.slot,
                topic: topic.clone().filter(|_| is_topic),
                value,
                text,
                quote: from.min(range.start)..end,
                retracts: pattern.tells == Tells::IsOver,
                happened,
                lasts: false,
                presumes: self.presumes(pattern, start..reading.next + 1),
                ends,
            });
        }
    }

    /// Whether a statement is meant only of what is known: a pet that died, a workplace that was left. Who joined or left something may
    /// do so with a union or a bank, and who joined one as a nurse works there.
    fn presumes(&self, pattern: &Pattern, mut told: Range<usize>) -> bool {
        let mut is_job = || told.any(|at| self.clause.word(at) == "as" && self.clause.job(at + 1).is_some());
        match pattern.grammar {
            Grammar::Mourned | Grammar::Sacked | Grammar::Dumped | Grammar::FirstDay => true,
            Grammar::PutDown => !pattern.words.contains("$pet"),
            Grammar::Joined => !is_job(),
            Grammar::Former => !pattern.words.contains("resigned"),
            _ => false,
        }
    }
}

/// Whether what is told without a subject behind a statement of this kind may be of whom or what that told of.
fn is_of_others(slot: Slot) -> bool {
    matches!(
        slot,
        Slot::Family | Slot::Pet | Slot::Boss | Slot::Employer | Slot::Like | Slot::Dislike | Slot::Favorite
    )
}

/// Whether a value of this kind is a plan, which may be told with its time.
fn plans(grammar: Grammar) -> bool {
    matches!(grammar, Grammar::Destination | Grammar::Start)
}

/// Whether an animal is one that people keep.
pub(super) fn is_pet(animal: &str) -> bool {
    super::table::among(words::PETS, animal)
}
