//! What a question asks for beside its words: the past, opinions, days, places, names, colours, one thing of a kind; and what is left of
//! a fact that has none of it.

use super::about::About;
use super::attributes::{self, Attributes};
use super::first_person::first_person;
use super::holding::Holding;
use super::named::OTHERS;
use super::people::{NO_NAMES, People};
use super::roles::Roles;
use super::tells::is_age_word;
use super::term::{Term, said_of};
use crate::among::among;
use crate::index::lexical::{Word, Words};
use crate::memory::finding::turns::{Change, find_word, holds, is_weekday};
use crate::memory::span::month;

/// What is left of what has no name, colour or place where that is asked for.
const WITHOUT_VALUE: f32 = 0.5;
/// The same of what has nothing of a kind of which one is asked for: it may tell it in other words.
const WITHOUT_THING: f32 = 0.8;
/// How questions ask for a name.
const FOR_NAMES: &[&str] =
    &["name of", "names of", "the name", "'s name", "names", "name", "called", "named"];

/// What is left of what says that it was so once, where a question does not ask for the past; and the words of one that does.
const PAST: f32 = 0.6;
const OF_THE_PAST: &str = "after ago been before did earlier ever first former formerly had once original originally past previous previously used \
    was were when";

/// What is left of what says that it is so now, where a question asks for what was before that; the words of one that does; and how it is
/// said.
const PRESENT: f32 = 0.5;
const FORMER: &str = "former formerly previous previously";
const BEING: &str = "am are has have is live lives work works";
/// The words of one that does in Chinese, Japanese and Korean.
const FORMER_ELSEWHERE: &str = "以前|之前|从前|原来|曾|过去|過去|那会儿|昔|前は|前に|前の|元々|もともと|のころ|の頃|時代|예전|이전|옛날|전에|시절|때는";

/// What is left of what somebody thinks, where something else is asked for; the words of a question for it; and how it is told.
const OPINION: f32 = 0.45;
const OPINIONS: &str = "believe feel feelings opinion opinions think thoughts view views";
const THINKING: &str =
    "argues argue believe believes consider considers feel feels reckon reckons think thinks";

/// How questions begin that ask whether something is so; from what on a word of like meaning is the same thing; and what is left of a
/// fact of other days than one that is to be confirmed, which tells that it is not so.
const CONFIRMING: &str = "am are can could did do does had has have is was were will";
const ALIKE: f32 = 0.5;
const OTHER_DAYS: f32 = 0.75;
/// What stands behind "what" and "which" without being what one of is asked for.
const NO_THINGS: &str = "a about am an are can class could day did do does else exactly had has have i if in is kind month of one ones part \
    percentage should sort the thing things time type was way week were will would year";
/// From which weight on a term is a thing that is asked about.
const LEAST_WEIGHT: f32 = 0.3;

/// Behind which words a place is told, unless one of these times is.
const PLACES: &str = "abroad above across along around at behind below beside between beyond by downtown from here in inside into near off on \
    opposite outside over remotely there through to towards under upstairs via within";
const TIMES: &str = "afternoon afternoons autumn breakfast dawn dinner evening evenings fact general last lunch midnight moment morning \
    mornings next night nights noon once particular person summer spring time times weekdays weekend weekends winter";
const BEFORE_TIMES: &str = "a an early her his late my our the their";

/// What a question asks for beside its words.
pub(super) struct Aspects {
    /// The days of the week that it names.
    days: Vec<String>,
    is_of_past: bool,
    /// Whether it asks for what was before that which is now.
    is_for_former: bool,
    is_for_opinion: bool,
    is_for_name: bool,
    is_for_place: bool,
    /// Whether it asks whether something is so: "Am I allergic to eggs?"
    is_to_confirm: bool,
    /// The tokens of what one of is asked for: of the instrument, in "What instrument does Ana play?"
    thing: Vec<String>,
    roles: Option<Roles>,
}

impl Aspects {
    /// Those of a question about people in small letters.
    pub(super) fn of(spoken: &Words, lower: &str, people: &People) -> Self {
        Self {
            days: spoken.iter().map(singular).filter(|word| is_weekday(word)).map(str::to_owned).collect(),
            is_of_past: spoken.iter().any(|word| among(OF_THE_PAST, word)),
            is_for_former: asks_for_former(spoken) || !lower.is_ascii() && holds(lower, FORMER_ELSEWHERE),
            is_for_opinion: spoken.iter().any(|word| among(OPINIONS, word)),
            is_for_name: FOR_NAMES.iter().any(|sign| find_word(lower, sign).is_some()),
            is_for_place: matches!(spoken.lower(0), "where" | "where's"),
            is_to_confirm: among(CONFIRMING, spoken.lower(0)),
            thing: match spoken.lower(0) {
                "what" | "which" if !among(NO_THINGS, spoken.lower(1)) => {
                    attributes::tokens_of(spoken.lower(1)).0
                }
                _ => Vec::new(),
            },
            roles: Roles::of(spoken, &people.names()),
        }
    }

    /// What is left of a fact by how it says what it tells, in a question of `people`.
    pub(super) fn left_of(&self, about: &About<'_>, people: &People) -> f32 {
        let opinion = if !self.is_for_opinion && is_opinion(about) { OPINION } else { 1.0 };
        let past = if !self.is_of_past && is_past(&about.words) { PAST } else { 1.0 };
        let days = match !self.days.is_empty() && self.is_of_other_days(&about.words) {
            true if self.is_to_confirm => OTHER_DAYS,
            true => OTHERS,
            false => 1.0,
        };
        let is_reversed =
            self.roles.as_ref().is_some_and(|asked| asked.are_reversed(&about.words, &people.names()));
        opinion * past * days * self.left_unconfirmed(about, people) * if is_reversed { OTHERS } else { 1.0 }
    }

    /// The same of a message.
    pub(super) fn left_of_message(&self, about: &About<'_>, people: &People) -> f32 {
        self.left_of_present(about) * self.left_unconfirmed(about, people)
    }

    fn left_unconfirmed(&self, about: &About<'_>, people: &People) -> f32 {
        if self.is_to_confirm { people.left_unconfirmed(about) } else { 1.0 }
    }

    /// What is left of a fact that holds now.
    pub(super) fn left_of_present(&self, about: &About<'_>) -> f32 {
        let words = &about.words;
        if self.is_for_former && !about.wide.is_empty() {
            return if Change::told(about.wide) != Change::None { PRESENT } else { 1.0 };
        }
        let is_present = || words.iter().take(4).any(|word| among(BEING, word)) && !is_past(words);
        if self.is_for_former && is_present() { PRESENT } else { 1.0 }
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
        let has_name = || has_name_beside(about, &people.names(), terms);
        let is_without =
            self.is_for_name && asks(attributes::NAME) && told & attributes::NAME == 0 && !has_name()
                || asks(attributes::COLOUR) && told & attributes::COLOUR == 0
                || self.is_for_place && !tells_place(&about.words, terms) && !has_name()
                || self.is_to_confirm
                    && (attributes::is_of_another_kind(asked, told)
                        || is_of_another_thing(asked, terms, fact));
        match () {
            () if is_without => WITHOUT_VALUE,
            () if self.lacks_thing(terms, fact) => WITHOUT_THING,
            () => 1.0,
        }
    }

    /// Whether a fact has something of what is asked for, and nothing of the kind of which one is: who plays chess plays no instrument
    /// by that.
    fn lacks_thing(&self, terms: &[Term], fact: &Holding<'_>) -> bool {
        let is_thing = |term: &Term| self.thing.contains(&term.token);
        let counts = |term: &Term| term.weight >= LEAST_WEIGHT && !term.is_vague;
        let (mut is_asked, mut is_held, mut has_more) = (false, false, false);
        for (place, term) in terms.iter().enumerate().filter(|(_, term)| counts(term)) {
            let is_said = said_of(term, fact).is_some();
            if is_thing(term) {
                is_asked = true;
                is_held |= is_said || fact.holds_like(place) > 0.0;
            } else {
                has_more |= is_said;
            }
        }
        is_asked && has_more && !is_held
    }

    /// Whether words name days of the week, and none of those that are asked for.
    fn is_of_other_days(&self, words: &Words) -> bool {
        let mut own = words.iter().map(singular).filter(|word| is_weekday(word)).peekable();
        own.peek().is_some() && own.all(|day| !self.days.iter().any(|other| other == day))
    }
}

/// Whether a fact tells another thing of a kind than all that are named: peanuts, and not eggs. Of allergies each thing is another.
fn is_of_another_thing(asked: Attributes, terms: &[Term], fact: &Holding<'_>) -> bool {
    let is_allergy = asked & fact.attributes & attributes::ALLERGY != 0;
    let is_named = |term: &Term| match is_allergy {
        // "Food" is all that somebody may be allergic to.
        true => {
            term.attributes & (fact.attributes | fact.kinds) == 0
                && !term.is_vague
                && term.weight >= LEAST_WEIGHT
        }
        false => term.kinds != 0 && fact.kinds & asked != 0,
    };
    let mut named = terms.iter().enumerate().filter(|(_, term)| is_named(term)).peekable();
    let is_held = |(place, term): (usize, &Term)| {
        // Wine is like beer, and another drink.
        let is_like = fact.holds_like(place) >= ALIKE && (term.kinds == 0 || fact.kinds == 0);
        fact.holds(term) || is_like || term.is_doubtful && fact.holds_mistyped(term) || fact.holds_part(term)
    };
    named.peek().is_some() && !named.any(is_held)
}

/// Whether a word is asked for.
fn is_asked(word: &str, terms: &[Term]) -> bool {
    let (tokens, _) = attributes::tokens_of(word);
    tokens.iter().any(|token| terms.iter().any(|term| term.token == *token))
}

/// Whether words tell a place beside what is asked for: "in the library", and not "in the morning".
fn tells_place(words: &Words, terms: &[Term]) -> bool {
    let is_none = |place: usize| {
        let word = words.lower(place);
        is_asked(word, terms)
            || is_weekday(singular(word))
            || month(word).is_some()
            || word.starts_with(|c: char| c.is_ascii_digit())
            || is_age_word(word)
            || among(TIMES, word)
    };
    (0..words.len()).filter(|place| among(PLACES, words.lower(*place))).any(|place| {
        let behind = place + 1 + usize::from(among(BEFORE_TIMES, words.lower(place + 1)));
        !is_none(behind)
    })
}

/// Whether a fact calls somebody or something by a name that is none of some words.
fn has_name_beside(about: &About<'_>, others: &[&[String]], terms: &[Term]) -> bool {
    let words = &about.words;
    (0..words.len()).any(|place| {
        let is_name = |word: &Word| word.is_capital && (!word.begins || place < about.subject_length());
        let lower = words.lower(place);
        words.get(place).is_some_and(is_name)
            && first_person(words, place).is_none()
            && !among(NO_NAMES, singular(lower))
            && month(lower).is_none()
            && !others.iter().copied().flatten().any(|word| word == lower)
            && !is_asked(lower, terms)
    })
}

/// Whether a fact tells what somebody thinks, and nothing of them.
fn is_opinion(about: &About<'_>) -> bool {
    let words = &about.words;
    (1..=3)
        .any(|place| among(THINKING, words.lower(place)) && words.get(place).is_some_and(|word| word.joins))
        && (about.is_of_user || about.subject_length() > 0)
}

/// Whether a question asks for what was before that which is now: "Where did I live before?", "What did I use to drive?"
fn asks_for_former(words: &Words) -> bool {
    let is_used =
        |place: usize| matches!(words.lower(place), "use" | "used") && words.lower(place + 1) == "to";
    let last = words.len().checked_sub(1).map_or("", |last| words.lower(last));
    last == "before" || words.iter().any(|word| among(FORMER, word)) || (0..words.len()).any(is_used)
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
