//! What a question asks for beside its words: the past, opinions, days, places, names, colours and who owes whom; and what is left of a
//! fact that has none of it.

use super::about::About;
use super::attributes::{self, Attributes};
use super::first_person::first_person;
use super::holding::Holding;
use super::named::OTHERS;
use super::people::People;
use super::term::Term;
use crate::among::among;
use crate::index::lexical::Words;
use crate::memory::finding::turns::{find_word, is_weekday};

/// What is left of what has no name, colour or place where that is asked for.
const WITHOUT_VALUE: f32 = 0.5;
/// How questions ask for a name.
const FOR_NAMES: &[&str] =
    &["name of", "names of", "the name", "'s name", "names", "name", "called", "named"];

/// What is left of what says that it was so once, where a question does not ask for the past; and the words of one that does.
const PAST: f32 = 0.6;
const OF_THE_PAST: &str = "after ago been before did earlier ever first former formerly had once original originally past previous previously used \
    was were when";

/// What is left of what somebody thinks, where something else is asked for; the words of a question for it; and how it is told.
const OPINION: f32 = 0.45;
const OPINIONS: &str = "believe feel feelings opinion opinions think thoughts view views";
const THINKING: &str =
    "argues argue believe believes consider considers feel feels reckon reckons think thinks";

/// How questions begin that ask whether something is so; and from what on a word of like meaning is the same thing.
const CONFIRMING: &str = "am are can did do does had has have is was were will";
const ALIKE: f32 = 0.5;

/// Behind which words a place is told.
const PLACES: &str = "abroad above across along around at behind below beside between beyond by downtown from here in inside into near off on \
    opposite outside over remotely there through to towards under upstairs via within";

/// What one does to the other.
const DUES: &[&str] =
    &["owe owes owed owing", "lend lends lent lending", "borrow borrows borrowed borrowing"];

/// What a question asks for beside its words.
pub(super) struct Aspects {
    /// The days of the week that it names.
    days: Vec<String>,
    is_of_past: bool,
    is_for_opinion: bool,
    is_for_name: bool,
    is_for_place: bool,
    /// Whether it asks whether something is so: "Am I allergic to eggs?"
    is_to_confirm: bool,
    due: Option<Due>,
}

/// Which of the [`DUES`] is told, and whether it is the user who does it.
#[derive(PartialEq, Eq)]
struct Due {
    line: usize,
    is_by_user: bool,
}

impl Due {
    fn of(words: &Words) -> Option<Self> {
        let line_of = |place: usize| DUES.iter().position(|line| among(line, words.lower(place)));
        let (place, line) = (1..words.len()).find_map(|place| Some((place, line_of(place)?)))?;
        let is_user = |at: usize| first_person(words, at).is_some();
        Some(Self { line, is_by_user: is_user(place - 1) })
    }
}

impl Aspects {
    /// Those of a question in small letters.
    pub(super) fn of(spoken: &Words, lower: &str) -> Self {
        Self {
            days: spoken.iter().map(singular).filter(|word| is_weekday(word)).map(str::to_owned).collect(),
            is_of_past: spoken.iter().any(|word| among(OF_THE_PAST, word)),
            is_for_opinion: spoken.iter().any(|word| among(OPINIONS, word)),
            is_for_name: FOR_NAMES.iter().any(|sign| find_word(lower, sign).is_some()),
            is_for_place: matches!(spoken.lower(0), "where" | "where's"),
            is_to_confirm: among(CONFIRMING, spoken.lower(0)),
            due: Due::of(spoken),
        }
    }

    /// What is left of a fact by how it says what it tells.
    pub(super) fn left_of(&self, about: &About<'_>) -> f32 {
        let opinion = if !self.is_for_opinion && is_opinion(about) { OPINION } else { 1.0 };
        let days = if !self.days.is_empty() && self.is_of_other_days(&about.words) { OTHERS } else { 1.0 };
        let past = if !self.is_of_past && is_past(&about.words) { PAST } else { 1.0 };
        opinion * days * past * self.left_of_due(about)
    }

    /// What is left of a fact that has none of what is asked for, a name, a colour or a place, or another thing in its place. `asked` are
    /// the attributes that a question of `people` asks for.
    pub(super) fn left_without_value(
        &self,
        asked: Attributes,
        people: &People,
        terms: &[Term],
        (fact, about): (&Holding<'_>, &About<'_>),
    ) -> f32 {
        if !about.wide.is_empty() {
            return 1.0;
        }
        let told = fact.attributes | fact.kinds;
        let asks = |attribute: Attributes| asked & attribute != 0;
        let has_name = || about.has_name_beside(&[&people.words, &people.mentioned]);
        let is_without = self.is_for_name
            && asks(attributes::NAME)
            && told & attributes::NAME == 0
            && !has_name()
            || asks(attributes::COLOUR) && told & attributes::COLOUR == 0
            || self.is_for_place && told & attributes::HOME == 0 && !tells_place(&about.words) && !has_name()
            || self.is_to_confirm && is_of_another_thing(terms, fact);
        if is_without { WITHOUT_VALUE } else { 1.0 }
    }

    /// Whether words name days of the week, and none of those that are asked for.
    fn is_of_other_days(&self, words: &Words) -> bool {
        let mut own = words.iter().map(singular).filter(|word| is_weekday(word)).peekable();
        own.peek().is_some() && own.all(|day| !self.days.iter().any(|other| other == day))
    }

    /// "How much does Sven owe me?" is not answered by what is owed to Sven.
    fn left_of_due(&self, about: &About<'_>) -> f32 {
        let Some(asked) = &self.due else { return 1.0 };
        let told = Due::of(&about.words);
        let is_other =
            told.is_some_and(|told| told.line == asked.line && told.is_by_user != asked.is_by_user);
        if is_other { OTHERS } else { 1.0 }
    }
}

/// Whether a fact tells another thing of a kind than all that are named: peanuts, and not eggs.
fn is_of_another_thing(terms: &[Term], fact: &Holding<'_>) -> bool {
    let named = terms.iter().enumerate().filter(|(_, term)| term.kinds & fact.kinds != 0);
    let mut named = named.map(|(place, term)| fact.holds(term) || fact.holds_like(place) >= ALIKE).peekable();
    named.peek().is_some() && !named.any(|is_held| is_held)
}

/// Whether words tell a place.
fn tells_place(words: &Words) -> bool {
    words.iter().any(|word| among(PLACES, word))
}

/// Whether a fact tells what somebody thinks, and nothing of them.
fn is_opinion(about: &About<'_>) -> bool {
    let words = &about.words;
    (1..=3)
        .any(|place| among(THINKING, words.lower(place)) && words.get(place).is_some_and(|word| word.joins))
        && (about.is_of_user || about.subject_length() > 0)
}

/// Whether words say that it was so once: "used to work as a waiter", "lived in Cairo until 2015".
fn is_past(words: &Words) -> bool {
    (0..words.len()).any(|place| {
        let next = words.lower(place + 1);
        match words.lower(place) {
            "used" => next == "to" && !among("am are is get gets got", words.lower(place.wrapping_sub(1))),
            "until" => next.len() == 4 && next.bytes().all(|byte| byte.is_ascii_digit()),
            "formerly" | "previously" => true,
            _ => false,
        }
    })
}

/// A day without the "s" of several.
fn singular(word: &str) -> &str {
    if word.ends_with("days") { word.strip_suffix('s').unwrap_or(word) } else { word }
}
