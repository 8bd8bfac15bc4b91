//! What was said later goes above what it replaces.
//!
//! A statement replaces another one that shares what the query asks for with it, when it speaks of a change ("now",
//! "rescheduled", "no longer"), or when a number is asked for and it tells another one; two facts need not speak of a
//! change, and need share nothing where the newer one says what was replaced ("moved", "given up"); two texts that
//! differ in a value alone are of the same. Only questions about the present are answered so; "where did I live before?"
//! is not.

use super::relevance::{Abouts, Quantity};
use super::turns::{Change, beginning, find_word, words};
use crate::index::lexical::Contribution;
use crate::log::RecordView;
use crate::memory::message::{Role, StoredMessage};
use crate::ordered::in_order;
use crate::record::Kind;
use crate::store::{Found, Search, best_first};
use std::cell::{Cell, OnceCell};

/// How many of the best results are compared.
const COMPARED: usize = 10;
/// The least part of what the older one has in common with the query that the newer one must have as well.
const SHARED: f32 = 0.4;
/// The same for two facts, which are short: nothing need speak of a change.
const SHARED_BY_FACTS: f32 = 0.8;
/// The least score of the newer one, in that of the older.
const LEAST: f32 = 0.4;
/// The least relevance of a newer fact, in that of the older.
const AS_RELEVANT: f32 = 0.7;
/// The least part of what is asked for that a newer fact holds, in that of the older, which holds some of it: two facts are of
/// the same attribute then, and not only about the same one.
const AS_COVERING: f32 = 0.8;
/// Both where the newer fact speaks of a change.
const BY_CHANGE: f32 = 0.5;
/// How many words two statements begin with at least that differ in a value alone, and how many words that has at most.
const FEWEST_ALIKE: usize = 3;
const MOST_IN_VALUE: usize = 2;
/// By how much it goes above.
pub(in crate::memory) const STEP: f32 = 1e-4;

/// What asks for a number, beside how many or how much there is.
const AMOUNTS: &[&str] = &[
    "what date",
    "when is",
    "when are",
    "deadline",
    "rate",
    "budget",
    "cost",
    "price",
    "percent",
    "how long",
    "average",
    "total",
    "score",
    "number",
    "什么时候",
];

/// Lifts what is newer above what it replaces, within the best results of a question about the present.
#[inline(never)]
pub(super) fn lift(found: &mut [Found<'_>], search: &Search<'_, '_>, abouts: &Abouts<'_>, query: &str) {
    let top = found.len().min(COMPARED);
    let Some(top) = found.get_mut(..top) else { return };
    let lower = query.to_ascii_lowercase();
    let of_amounts =
        Quantity::asked(&lower).is_some() || AMOUNTS.iter().any(|sign| find_word(&lower, sign).is_some());
    let explained: Vec<(u32, OnceCell<Vec<Contribution>>)> =
        top.iter().map(|found| (found.score.document, OnceCell::new())).collect();
    let in_common = |found: &Found<'_>| {
        let of = explained.iter().find(|(document, _)| *document == found.score.document);
        of.map_or(&[][..], |(document, parts)| parts.get_or_init(|| search.in_common(*document)))
    };
    let replaces = |newer: &Found<'_>, change: Change, older: &Found<'_>| {
        if newer.order() <= older.order() || !same_role(newer, older) {
            return false;
        }
        let is_fact = newer.record.kind == Kind::Fact;
        if is_fact && !abouts.are_of_the_same(newer, older) {
            return false;
        }
        let part = || shared(in_common(older), in_common(newer), abouts.names());
        if is_fact && change != Change::None && is_as_relevant(newer, older, (BY_CHANGE, BY_CHANGE)) {
            // "Morag has moved into a flat" need not say where she lives.
            return change == Change::Replaces || part() >= SHARED;
        }
        if newer.score.score < LEAST * older.score.score {
            return false;
        }
        let is_as_relevant = is_as_relevant(newer, older, (AS_RELEVANT, AS_COVERING));
        let least = match () {
            () if is_as_relevant && differs_in_value(said(newer), said(older)) => return true,
            () if is_fact && is_as_relevant => SHARED_BY_FACTS,
            () if is_fact => return false,
            () if change != Change::None => SHARED,
            () if of_amounts && tells_another_number(said(newer), said(older)) => SHARED,
            () => return false,
        };
        part() >= least
    };
    // From the oldest to the newest, so that a chain of changes keeps its order.
    let lifted: Vec<Cell<(f32, f32)>> =
        top.iter().map(|found| Cell::new((found.score.score, found.relevance))).collect();
    let order = in_order(top.iter().enumerate().map(|(place, found)| (found.order(), place)));
    for (_, place) in order {
        let Some((newer, own)) = top.get(place).zip(lifted.get(place)) else { continue };
        let change = Change::told(said(newer));
        for (older, other) in top.iter().zip(&lifted) {
            let ((score, relevance), (most, most_relevant)) = (own.get(), other.get());
            if most >= score && replaces(newer, change, older) {
                own.set((most + STEP, relevance.max(most_relevant)));
            }
        }
    }
    for (found, lifted) in top.iter_mut().zip(lifted) {
        let (score, relevance) = lifted.get();
        found.signals.newer = score - found.score.score;
        found.score.score = score;
        found.relevance = relevance;
    }
    let ordered = best_first(top);
    top.copy_from_slice(&ordered);
}

/// Whether a newer fact has so much of the relevance of an older one, and of what that covers of the query.
fn is_as_relevant(newer: &Found<'_>, older: &Found<'_>, (relevance, coverage): (f32, f32)) -> bool {
    let covered = |found: &Found<'_>| found.judged.map_or(0.0, |[coverage, _]| coverage);
    newer.relevance >= relevance * older.relevance
        && covered(older) > 0.0
        && covered(newer) >= coverage * covered(older)
}

/// Which part of what one document has in common with the query, beside names, another one has as well, 0 to 1.
fn shared(parts: &[Contribution], others: &[Contribution], names: &[String]) -> f32 {
    let (mut all, mut both) = (0.0, 0.0);
    for part in parts.iter().filter(|part| !names.contains(&part.term)) {
        all += part.score;
        if others.iter().any(|other| other.term == part.term) {
            both += part.score;
        }
    }
    if all > 0.0 { both / all } else { 0.0 }
}

fn said<'s>(found: &Found<'s>) -> &'s str {
    beginning(found.record.text.unwrap_or_default())
}

fn same_role(one: &Found<'_>, other: &Found<'_>) -> bool {
    let role = |record: &RecordView<'_>| {
        if record.kind == Kind::Message { StoredMessage::role_of(record) } else { Some(Role::User) }
    };
    role(&one.record) == role(&other.record)
}

/// Whether two texts begin alike and tell another value: "Tom is a lawyer" and "Tom is a teacher", "the quota is 10 a day" and "the quota is
/// 20 a day".
fn differs_in_value(new: &str, old: &str) -> bool {
    let [new, old] = [new, old].map(str::to_ascii_lowercase);
    let [new, old] = [words(&new), words(&old)];
    let alike = new.iter().zip(&old).take_while(|(one, other)| one == other).count();
    let rest = new.len().min(old.len()) - alike;
    let behind = new.iter().rev().zip(old.iter().rev()).take(rest).take_while(|(one, other)| one == other);
    let behind = alike + behind.count();
    let value = |words: &[&str]| (1..=MOST_IN_VALUE).contains(&(words.len() - behind));
    alike >= FEWEST_ALIKE && value(&new) && value(&old)
}

/// Whether both tell numbers, and the newer one of them another.
fn tells_another_number(new: &str, old: &str) -> bool {
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let old: Vec<&str> = words(old).into_iter().filter(is_number).collect();
    !old.is_empty() && words(new).into_iter().filter(is_number).any(|number| !old.contains(&number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_numbers() {
        assert!(differs_in_value("Tom is a lawyer", "Tom is a teacher"));
        assert!(differs_in_value("The quota is 10 calls a day", "The quota is 12 calls a day"));
        for other in ["Tom is a lawyer", "Ann is a teacher", "Tom is a trainer of new teachers", "Tom is", ""]
        {
            assert!(!differs_in_value("Tom is a lawyer", other), "{other}");
        }
        assert!(tells_another_number("I have 4,700 words.", "I have 4,500 words."));
        assert!(
            !tells_another_number("I have 45 sources", "45 sources in all")
                && !tells_another_number("5", "none")
        );
    }
}
