//! The English patterns: how a user says something about themselves, as a table.

mod health;
mod home;
mod people;
mod rest;
mod tastes;
mod work;

use super::super::slot::Slot;
use super::pattern::{AT, FOR, Grammar, Pattern, Tells};
use super::words;

const fn says(words: &'static str, slot: Slot, grammar: Grammar, sentence: &'static str) -> Pattern {
    Pattern { words, slot, grammar, tells: Tells::Holds, sentence }
}

const fn unsays(words: &'static str, slot: Slot, grammar: Grammar, sentence: &'static str) -> Pattern {
    Pattern { words, slot, grammar, tells: Tells::IsOver, sentence }
}

const fn happened(
    words: &'static str,
    slot: Slot,
    grammar: Grammar,
    ends: &'static [Slot],
    sentence: &'static str,
) -> Pattern {
    Pattern { words, slot, grammar, tells: Tells::Happened(ends), sentence }
}

/// What ends with studies that are over: the field, and being a student.
const STUDIES: &[Slot] = &[Slot::Study, Slot::Job];

/// What ends with a move that does not tell where to.
const HOME: &[Slot] = &[Slot::Place];

/// What ends with a job.
const WORK: &[Slot] = &[Slot::Employer, Slot::Industry, Slot::Job];

/// What ends with work itself.
const RETIRED: &[Slot] = &[Slot::Employer, Slot::Industry];

pub(in super::super) const DIETS: &[&str] = &[
    "vegetarian",
    "vegan",
    "pescatarian",
    "pescetarian",
    "gluten-free",
    "gluten free",
    "dairy-free",
    "dairy free",
    "lactose intolerant",
    "lactose-intolerant",
    "celiac",
    "coeliac",
    "gluten intolerant",
];

pub(in super::super) const STATES: &[&str] =
    &["married", "divorced", "widowed", "single", "engaged", "separated"];

/// What ends with a new workplace: the plan to start there.
const PLANS: &[Slot] = &[Slot::Goal];

/// What ends with what is no longer eaten, drunk or done.
const TASTES: &[Slot] = &[Slot::Like, Slot::Diet];

/// Where the user went when a workplace was left.
pub(super) const ONWARD: &[Pattern] = &[
    happened(
        ", and? then? * started working|work? a? new? job|position|role? at|with|for",
        Slot::Employer,
        Grammar::Employer,
        PLANS,
        WORKS,
    ),
    happened(", and? then? * joined", Slot::Employer, Grammar::Employer, PLANS, WORKS),
    happened("to join", Slot::Employer, Grammar::Employer, PLANS, WORKS),
    happened(FOR, Slot::Employer, Grammar::Employer, PLANS, WORKS),
    happened(AT, Slot::Employer, Grammar::Employer, PLANS, WORKS),
];

const HAS: &str = "The user has a {topic} called {}.";
pub(super) const PETLESS: &str = "The user no longer has a {topic}.";
const LED: &str = "The user's {topic} is {}.";
const NO_LESSONS: &str = "The user is no longer learning {}.";
const WORKS: &str = "The user works at {}.";
const GOT: &str = "The user got {}.";
const NAMED: &str = "The name of the user's {topic} is {}.";
const PARTED: &str = "The user and {} broke up.";

/// Who is named right behind what they are to the user: "my wife Dana", "our dog Ziggy".
pub(super) const APPOSED: &[Pattern] = &[
    says("my|our $kin", Slot::Family, Grammar::Person, NAMED),
    says("my|our $pet", Slot::Pet, Grammar::Person, NAMED),
    says("my|our $boss", Slot::Boss, Grammar::Person, LED),
];

/// Every pattern, the more specific of two that start alike first.
pub(super) const PATTERNS: &[&[Pattern]] =
    &[home::PATTERNS, work::PATTERNS, people::PATTERNS, tastes::PATTERNS, health::PATTERNS, rest::PATTERNS];
