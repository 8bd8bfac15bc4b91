//! English: patterns anchored at the start of a clause, each with a reader for its value.

mod change;
mod limit;
mod number;
mod pattern;
mod patterns;
mod phrase;
mod place;
mod reader;
mod study;
mod telling;
mod token;
mod words;

use std::ops::Range;

use super::slot::Slot;
use super::statement::{Ending, Statement};
use super::table::among;
use crate::memory::finding::is_weekday;
use crate::memory::secret::looks_secret;
pub(super) use number::counted;
use pattern::{FOR, Grammar, Matched, Pattern, SINCE, Tells};
pub(super) use patterns::{DIETS, STATES};
use patterns::{ONWARD, PATTERNS};
use phrase::{Clause, Reading};
pub(super) use place::{are_places, may_be_place};
pub(super) use reader::Reader;
use telling::{
    diets_without, eaten, ending, inside, opposite_deeds, parted_from, planned, sentence, title_case,
};

/// How far back the start of a clause is looked for, in tokens.
const OPENING_WORDS: usize = 8;

/// What may follow a statement directly and state something more: the word, the slot before it, what it says.
const CHAINS: &[(&str, Slot, Pattern)] = &[
    ("at", Slot::Job, chained(Slot::Employer, Grammar::Employer, "The user works at {}.")),
    ("for", Slot::Job, chained(Slot::Employer, Grammar::Employer, "The user works at {}.")),
    ("as", Slot::Employer, chained(Slot::Job, Grammar::Job, "The user works as a {}.")),
    ("from", Slot::Name, chained(Slot::Origin, Grammar::KnownPlace, "The user is from {}.")),
    ("from", Slot::Job, chained(Slot::Origin, Grammar::KnownPlace, "The user is from {}.")),
    (",", Slot::Name, chained(Slot::Job, Grammar::Job, "The user is a {}.")),
    (",", Slot::Age, chained(Slot::Relationship, Grammar::OneOf(patterns::STATES), "The user is {}.")),
];

const fn chained(slot: Slot, grammar: Grammar, sentence: &'static str) -> Pattern {
    Pattern { words: "", slot, grammar, tells: Tells::Holds, sentence }
}

/// "I live in Berlin, not in Lisbon", and the other way round.
const HERE: Pattern = chained(Slot::Place, Grammar::Place, "The user lives in {}.");
const NOT_HERE: Pattern = Pattern { tells: Tells::IsOver, sentence: "The user does not live in {}.", ..HERE };

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
    }

    /// Whether nothing that begins behind this word is the user's own plain statement.
    fn blocks(&self, at: usize) -> bool {
        let before = self.clause.word(at.wrapping_sub(1));
        let harmless = match self.clause.word(at) {
            "may" => among("in since last this early late of mid", before),
            // "Guess what, I moved!"
            "guess" => self.clause.exclaims(at),
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
            let reminds =
                word == "that" && matches!(self.clause.word(previous.saturating_sub(1)), "remember" | "note");
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
        // Where the sentence begins is looked for last: it may begin with thousands of marks.
        self.begins && among(words::DEEDS, self.clause.word(verb)) && !advises && at == self.clause.opening()
    }

    /// Whether somebody else may be meant by what stands before: "Moved to Berlin, Tom found work", "by his firm".
    fn is_led_on(&self, at: usize) -> bool {
        let next = self.clause.word(at + 1);
        let own = among(words::CONNECTORS, next) || among(words::OPENERS, next) || among("i we my any", next);
        self.clause.word(at) == "by" || self.clause.word(at) == "," && self.clause.is_word(at + 1) && !own
    }

    fn next_clause(&self, at: usize) -> Option<usize> {
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
        for pattern in PATTERNS {
            let happened = matches!(pattern.tells, Tells::Happened(_));
            if (start < at || subject == Subject::Missing) && !happened {
                continue;
            }
            let matched = pattern.matches(&self.clause, at, subject != Subject::Told);
            let Some(Matched { next, deed, from, topic }) = matched else { continue };
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
            let value_ends = reading.next;
            if happened {
                reading.next = self.told_when(reading.next);
            }
            if subject == Subject::Missing && self.is_led_on(reading.next)
                || self.clause.ascribes(reading.next)
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
            let told = reading.next;
            reading.next = dated.unwrap_or(told);
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

    /// Where a time ends from which something holds, "since 2019", or at which it is planned, "in January".
    fn dated(&self, pattern: &Pattern, at: usize) -> Option<usize> {
        let word = |at: usize| self.clause.word(at);
        if pattern.tells != Tells::Holds {
            return None;
        }
        if !plans(pattern.grammar) {
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

    /// Reads the other place of a contrast: "not in Lisbon but in Berlin", "in Berlin, not in Lisbon".
    fn contrast(&self, pattern: &Pattern, start: usize, next: usize, found: &mut Vec<Statement>) -> usize {
        let word = |at: usize| self.clause.word(at);
        let other = match pattern.tells {
            Tells::IsOver => HERE,
            _ => NOT_HERE,
        };
        let now = next + usize::from(word(next) == "now");
        let at = match (other.tells, word(next), word(now), word(now + 1)) {
            (Tells::Holds, "but", ..) => next + 1,
            (Tells::IsOver, _, ",", "not") => now + 2,
            _ => return next,
        };
        let at = at + usize::from(word(at) == "in");
        let reading = self.clause.read(other.grammar, at, start);
        match reading.filter(|reading| pattern.slot == Slot::Place && self.clause.over(reading.next, "")) {
            Some(reading) => {
                self.state(&other, None, start, &reading, found);
                reading.next
            }
            None => next,
        }
    }

    /// Reads for whom a workplace was left: "and started at Globex", "for Globex last month".
    fn onward(
        &self,
        pattern: &Pattern,
        start: usize,
        next: usize,
        found: &mut Vec<Statement>,
    ) -> Option<usize> {
        let left = pattern.grammar == Grammar::Former;
        let ends_job = matches!(pattern.tells, Tells::Happened(slots) if slots.contains(&Slot::Employer));
        if !(left || pattern.slot == Slot::Event && ends_job) {
            return None;
        }
        let at = self.clause.time(next).unwrap_or(next);
        let (joined, at) = ONWARD
            .iter()
            .filter(|joined| left || joined.words != FOR)
            .find_map(|joined| Some((joined, joined.matches(&self.clause, at, false)?.next)))?;
        // "I left Windows for Linux", "Anna for Bella", "Acme for Berlin", "and joined the gym".
        let other = |at: usize| self.clause.no_workplace(at);
        let is_other = other(at) || left && other(next.checked_sub(1)?);
        if is_other || among("a an the", self.clause.word(at)) || self.clause.place(at, true).is_some() {
            return None;
        }
        let place = self.clause.read(joined.grammar, at, start)?;
        let (value_ends, next) = (place.next, self.told_when(place.next));
        if among(words::QUALIFIERS, self.clause.word(next)) || self.undone(joined.slot, next) {
            return None;
        }
        // What was left may be a bank: the next one is a workplace if that was.
        let place_left = found.last().filter(|_| left).map(|statement| statement.value.clone());
        let before = found.len();
        self.state(joined, None, start, &Reading { next, ..place }, found);
        if left {
            for statement in found.iter_mut().skip(before) {
                statement.presumes = true;
                statement.ends.push(Ending::about(Slot::Employer, "", place_left.as_deref()));
            }
        }
        Some(self.chain(joined, start, (value_ends, next), found))
    }

    /// Reads what is chained to a value that ends at one place, and with its time at another: "as a nurse at Acme in May", "in May at Acme".
    #[inline(never)]
    fn chain(
        &self,
        said: &Pattern,
        start: usize,
        (value_ends, told): (usize, usize),
        found: &mut Vec<Statement>,
    ) -> usize {
        let (mut last, mut next) = (said.slot, told);
        let happened = matches!(said.tells, Tells::Happened(_));
        let chained = |at: usize, last: Slot| {
            let (_, _, pattern) =
                CHAINS.iter().find(|(word, slot, _)| *slot == last && *word == self.clause.word(at))?;
            Some((pattern, self.clause.read(pattern.grammar, at + 1, start)?))
        };
        if happened && chained(value_ends, last).is_some() {
            next = value_ends;
        }
        while let Some((pattern, reading)) = chained(next, last) {
            next = reading.next;
            // What came about with it did so then.
            let (tells, until) = match happened {
                true => (Tells::Happened(&[]), self.told_when(next).max(told)),
                false => (Tells::Holds, next),
            };
            let reading = Reading { next: until, ..reading };
            self.state(&Pattern { tells, ..*pattern }, None, start, &reading, found);
            last = pattern.slot;
        }
        next.max(told)
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
                Grammar::Name | Grammar::BareName => title_case(written),
                Grammar::Parted | Grammar::PartedFrom => "single".to_owned(),
                // "Quit my job!" begins with the verb.
                Grammar::Deed | Grammar::DeedTo(_) => inside(written),
                Grammar::Destination => planned(Slot::Place, written),
                Grammar::Start => planned(Slot::Employer, written),
                Grammar::Eaten => eaten(topic.as_deref(), written),
                _ => written.to_owned(),
            };
            if value.is_empty() || looks_secret(&value) {
                continue;
            }
            let told = match pattern.grammar {
                Grammar::Parted | Grammar::PartedFrom => parted_from(whom),
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
            Grammar::Mourned => true,
            Grammar::Joined => !is_job(),
            Grammar::Former => !pattern.words.contains("resigned"),
            _ => false,
        }
    }
}

/// Whether a value of this kind is a plan, which may be told with its time.
fn plans(grammar: Grammar) -> bool {
    matches!(grammar, Grammar::Destination | Grammar::Start)
}

/// Whether an animal is one that people keep.
pub(super) fn is_pet(animal: &str) -> bool {
    super::table::among(words::PETS, animal)
}
