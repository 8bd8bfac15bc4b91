//! Chains: what goes on behind a statement and states something more.

use super::super::slot::Slot;
use super::super::statement::{Ending, Statement, are_studies};
use super::super::table::among;
use super::pattern::{AT, Elided, FOR, Grammar, Pattern, Tells};
use super::patterns::{ONWARD, STATES};
use super::phrase::Reading;
use super::{Source, words};

/// What may follow a statement directly and state something more: the word, the slot before it, what it says.
const CHAINS: &[(&str, Slot, Pattern)] = &[
    ("at", Slot::Job, chained(Slot::Employer, Grammar::Employer, "The user works at {}.")),
    ("for", Slot::Job, chained(Slot::Employer, Grammar::Employer, "The user works at {}.")),
    ("at", Slot::Industry, chained(Slot::Employer, Grammar::Employer, "The user works at {}.")),
    ("for", Slot::Industry, chained(Slot::Employer, Grammar::Employer, "The user works at {}.")),
    ("as", Slot::Industry, chained(Slot::Job, Grammar::Job, "The user works as a {}.")),
    ("as", Slot::Employer, chained(Slot::Job, Grammar::Job, "The user works as a {}.")),
    ("from", Slot::Name, chained(Slot::Origin, Grammar::KnownPlace, "The user is from {}.")),
    ("in", Slot::BirthYear, chained(Slot::Origin, Grammar::Town, "The user was born in {}.")),
    ("from", Slot::Age, chained(Slot::Origin, Grammar::KnownPlace, "The user is from {}.")),
    ("from", Slot::Job, chained(Slot::Origin, Grammar::KnownPlace, "The user is from {}.")),
    (",", Slot::Name, chained(Slot::Job, Grammar::Job, "The user is a {}.")),
    (",", Slot::Name, chained(Slot::Age, Grammar::Age, "The user is {} years old.")),
    (",", Slot::Age, chained(Slot::Job, Grammar::Job, "The user is a {}.")),
    (",", Slot::Age, chained(Slot::Relationship, Grammar::OneOf(STATES), "The user is {}.")),
];

const fn chained(slot: Slot, grammar: Grammar, sentence: &'static str) -> Pattern {
    Pattern { words: "", slot, grammar, tells: Tells::Holds, sentence }
}

/// "I live in Berlin, not in Lisbon", and the other way round.
const HERE: Pattern = chained(Slot::Place, Grammar::Place, "The user lives in {}.");
const NOT_HERE: Pattern = Pattern { tells: Tells::IsOver, sentence: "The user does not live in {}.", ..HERE };

impl Source<'_> {
    /// Reads the other place of a contrast: "not in Lisbon but in Berlin", "in Berlin, not in Lisbon".
    pub(super) fn contrast(
        &self,
        pattern: &Pattern,
        start: usize,
        next: usize,
        found: &mut Vec<Statement>,
    ) -> usize {
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
    pub(super) fn onward(
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
            .filter(|joined| left || ![FOR, AT].contains(&joined.words))
            .find_map(|joined| Some((joined, joined.matches(&self.clause, at, Elided::Nothing)?.next)))?;
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
    pub(super) fn chain(
        &self,
        said: &Pattern,
        start: usize,
        (value_ends, told): (usize, usize),
        found: &mut Vec<Statement>,
    ) -> usize {
        let (mut last, mut next) = (said.slot, told);
        let happened = matches!(said.tells, Tells::Happened(_));
        let chained = |at: usize, last: Slot| {
            // "I'm Jess, 27, from Leeds".
            let from = at + usize::from(self.clause.word(at) == "," && self.clause.word(at + 1) == "from");
            CHAINS.iter().find_map(|(word, slot, pattern)| {
                let at = if *word == "from" { from } else { at };
                let is_next = *slot == last && *word == self.clause.word(at);
                is_next.then(|| Some((pattern, self.clause.read(pattern.grammar, at + 1, start)?))).flatten()
            })
        };
        if happened && chained(value_ends, last).is_some() {
            next = value_ends;
        }
        while let Some((pattern, reading)) = chained(next, last) {
            next = reading.next;
            // Who is a student somewhere does not work there.
            let student = found.last_mut().filter(|said| last == Slot::Job && are_studies(&said.value));
            if let (Some(student), Slot::Employer, Some(place)) =
                (student, pattern.slot, reading.values.first())
            {
                let place = self.text.get(place.start - self.base..place.end - self.base);
                let place = place.unwrap_or_default();
                student.text = format!("{} at {place}.", student.text.trim_end_matches('.'));
                break;
            }
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
}
