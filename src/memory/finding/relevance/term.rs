//! The terms of a question: the words that it asks for, and what each counts.

use super::attributes::{self, Attributes};
use super::holding::Holding;
use super::kin::kin_tokens;
use super::traditional::simplified;
use super::{asking, derivation, telling, wide};
use crate::among::among;
use crate::index::lexical::{Vocabulary, Wanted, base_form};
use crate::memory::finding::turns::{find_word, is_weekday};
use crate::memory::span::{MONTHS, month};
use std::sync::OnceLock;

/// What a shared attribute counts, a pet of the kind that is asked for, and a word with a typing error.
const ATTRIBUTE: f32 = 0.7;
const OF_KIND: f32 = 0.85;
const TYPO: f32 = 0.8;

/// What is left of words that stand behind "before", and of dates.
const BEFORE: f32 = 0.3;
/// What is left of words that only ask.
const ASKING: f32 = 0.05;
/// From which factor on a word says what is asked for.
const TELLING: f32 = 0.5;
/// By how much less a word counts the more documents hold it.
const COMMON: f32 = 0.25;
/// Beyond so many documents it counts no less: much that is not asked about would make it say nothing.
const KNOWN_BY_MANY: usize = 40;
/// Of how many words that no fact holds it is seen whether they are typing errors: each is compared with every word of a fact.
pub(super) const MAX_MISTYPED: usize = 32;
/// What else names a time, counted from the present.
const OTHER_DATES: &str = " yesterday weekend ago";
/// Words that ask for nothing where they stand in a phrase, each as it is indexed.
const IN_PHRASES: &[(&str, &str)] =
    &[("left off", "left"), ("left out", "left"), ("may i ", "may"), ("may we ", "may")];

/// What says that something is so now, as what is asked for mostly is.
const PRESENT: &[&str] = &[
    "now",
    "rn",
    "right now",
    "just now",
    "these days",
    "nowadays",
    "currently",
    "at the moment",
    "at present",
    "presently",
    "lately",
    "at this point",
];
/// The same that it was so, which the facts that are over need not say.
const FORMERLY: &[&str] = &["formerly", "previously"];

/// The words, as they are indexed, that ask what somebody works as.
const PROFESSION: &str = "career job occup profess";

/// A word that a question asks for.
pub(super) struct Term {
    pub(super) token: String,
    /// The number of its word among those that are asked for, in whatever form; 0 for none.
    pub(super) word: usize,
    pub(super) weight: f32,
    /// Whether it hardly says what is asked for.
    pub(super) is_vague: bool,
    pub(super) attributes: Attributes,
    /// Of what it names only a kind: who asks for bread is told of meals, and not of cheese.
    pub(super) kinds: Attributes,
    /// Whether it is the "called" of what is asked for by name, which who calls somebody does not tell.
    pub(super) is_called: bool,
    /// Whether it may be a typing error: no fact holds it.
    pub(super) is_doubtful: bool,
}

impl Term {
    /// Whether it says more than that something is to be told.
    pub(super) fn asks_for_more(&self) -> bool {
        !telling::only_asks(&self.token)
    }

    /// Whether it is a month, a year or "yesterday".
    pub(super) fn is_date(&self) -> bool {
        let is_year = self.token.len() == 4 && self.token.bytes().all(|byte| byte.is_ascii_digit());
        static NAMES: OnceLock<Vec<String>> = OnceLock::new();
        let names = NAMES.get_or_init(|| attributes::tokens_of(&(MONTHS.join(" ") + OTHER_DATES)).0);
        is_year || month(&self.token).is_some() || names.contains(&self.token)
    }

    /// Whether it says when: it is one of these, or a day of the week.
    pub(super) fn is_time(&self) -> bool {
        self.is_date() || is_weekday(&self.token)
    }

    /// Whether it says what is asked for, in a question about nobody.
    pub(super) fn tells(&self) -> bool {
        // "Name" is vague beside another word, and says all by itself.
        (!self.is_vague || self.token == "name")
            && self.token.contains(char::is_alphanumeric)
            && !asking::is_small_talk(&self.token)
    }
}

/// What it counts that a fact has a term, its typing error or its attribute; `None` when it has neither.
pub(super) fn said_of(term: &Term, fact: &Holding<'_>) -> Option<f32> {
    // Who moved to a town lives there as surely as who says so.
    let asks_home =
        || term.token == "live" || !term.token.is_ascii() && term.attributes & attributes::HOME != 0;
    let asks_profession = || among(PROFESSION, &term.token);
    let is_told = fact.tells_home && asks_home()
        || fact.tells_profession && asks_profession()
        || fact.tells_employer && term.token == "work";
    if fact.holds(term) && (fact.calls || !term.is_called) || is_told {
        Some(1.0)
    } else if term.is_doubtful && fact.holds_mistyped(term) {
        Some(TYPO)
    } else {
        // "猫叫" asks for a cat before it asks for a name.
        let other = term.attributes & !attributes::NAME;
        let asked = if term.token.is_ascii() || other == 0 { term.attributes } else { other };
        if asked & fact.kinds & attributes::PETS != 0 {
            return Some(OF_KIND);
        }
        let is_attribute = asked & (fact.attributes | fact.kinds) != 0;
        (is_attribute || term.kinds & fact.attributes != 0).then_some(ATTRIBUTE)
    }
}

/// The other words, as they are indexed, that say what a token does.
pub(super) fn variants(token: &str) -> Vec<String> {
    let mut forms = derivation::forms(token);
    forms.extend(kin_tokens(token).iter().cloned());
    forms
}

/// The terms of a question, and the number of the word of each by its first form; without the user, and without the names that are
/// judged `apart`.
pub(super) fn terms_of(wanted: &[Wanted], apart: &[String]) -> (Vec<Term>, Vocabulary) {
    let (mut terms, mut words, mut doubtful) = (Vec::new(), Vocabulary::default(), 0);
    for Wanted { token, factor, documents } in wanted {
        if apart.contains(token) || token == "user" || wide::is_self(token) {
            continue;
        }
        let base = base_form(token);
        // Several forms of a word are one.
        let word = match words.get(base) {
            0 => terms.len() as u64 + 1,
            known => known,
        };
        words.set(base, word);
        if let Some(simple) = simplified(token) {
            words.set(&simple, word);
        }
        for form in variants(token) {
            let form = base_form(&form);
            if words.get(form) == 0 {
                words.set(form, word);
            }
        }
        terms.push(Term {
            // Who asks for the plumber does not ask what anybody works as.
            kinds: attributes::kind_of_token(token) & !attributes::WORK,
            // In scripts without spaces, the question tells what is asked for.
            attributes: if token.is_ascii() { attributes::asked_by(token) } else { 0 },
            word: word as usize,
            weight: factor / (1.0 + COMMON * (1.0 + (*documents).min(KNOWN_BY_MANY) as f32).ln()),
            is_doubtful: *documents == 0 && doubtful < MAX_MISTYPED,
            is_vague: *factor < TELLING,
            is_called: false,
            token: token.clone(),
        });
        doubtful += usize::from(*documents == 0);
    }
    (terms, words)
}

/// Takes out what only says that something is so now, or was so, unless nothing else is said.
pub(super) fn leave_out_present(terms: &mut Vec<Term>, lower: &str) {
    for phrase in PRESENT.iter().chain(FORMERLY).filter(|phrase| find_word(lower, phrase).is_some()) {
        let (tokens, _) = attributes::tokens_of(phrase);
        terms.retain(|term| !tokens.contains(&term.token));
    }
}

/// Where only a name is asked for, what is to be done with it counts nothing.
pub(super) fn weigh_beside_a_name(terms: &mut [Term]) {
    for term in terms.iter_mut().filter(|term| !term.asks_for_more()) {
        term.weight = 0.0;
    }
}

/// Greetings, and what is written for "you" and "please", count nothing beside what is asked for.
pub(super) fn weigh_idle(terms: &mut [Term]) {
    let has_more = terms.iter().any(|term| term.tells() && !asking::is_idle(&term.token));
    for term in terms.iter_mut().filter(|term| has_more && asking::is_idle(&term.token)) {
        term.weight = 0.0;
    }
}

/// What stands behind "before" says when, and less what.
pub(super) fn weigh_behind_before(terms: &mut [Term], lower: &str) {
    let Some((_, behind)) = lower.split_once(" before ") else { return };
    let (behind, _) = attributes::tokens_of(behind);
    for term in terms.iter_mut().filter(|term| behind.contains(&term.token)) {
        term.weight *= BEFORE;
    }
}

/// Months and years say when, and less what.
pub(super) fn weigh_dates(terms: &mut [Term]) {
    let has_more = terms.iter().any(|term| !term.is_date());
    for term in terms.iter_mut().filter(|term| has_more && term.is_date()) {
        term.weight *= BEFORE;
    }
}

/// In Korean, Japanese and Chinese, what only asks counts little.
pub(super) fn weigh_what_only_asks(terms: &mut [Term], lower: &str) {
    if !wide::is_wide(lower) {
        return;
    }
    let (left, _) = attributes::tokens_of(&asking::without_asking(lower));
    let mut inside = String::new();
    terms.iter().for_each(|term| asking::note_inside(&term.token, &mut inside));
    // Endings of Korean verbs ask, and their stems say what for.
    let is_left = |token: &str| {
        let is_stem = |left: &String| token.starts_with(wide::is_hangul) && token.starts_with(left.as_str());
        left.iter().any(|left| left == token || is_stem(left))
    };
    for term in terms {
        if asking::lies_between(&term.token, &inside) || !is_left(&term.token) {
            term.weight *= ASKING;
        }
    }
}

/// Phrases ask for attributes that none of their words asks for: "for a living". Where facts are judged, they are a term.
pub(super) fn add_phrases(terms: &mut Vec<Term>, lower: &str, are_terms: bool) {
    let work = if telling::asks_what_is_done(lower) { attributes::WORK } else { 0 };
    let origin = if telling::asks_where_from(lower) { attributes::origin() } else { 0 };
    let phrases = attributes::of_phrases(lower, Attributes::MAX) | work | origin;
    let idle = IN_PHRASES.iter().filter(|(phrase, _)| lower.contains(phrase)).map(|(_, token)| *token);
    let idle: Vec<&str> = idle.collect();
    // "For a living" asks for work, and "living" by itself for a home.
    let told = attributes::words_in_phrases(lower);
    for term in terms.iter_mut() {
        if idle.contains(&term.token.as_str()) || told.contains(&term.token) {
            (term.weight, term.attributes, term.kinds) = (0.0, 0, 0);
        }
    }
    let is_asked = |term: &Term| term.attributes & phrases != 0 && term.weight > 2.0 * ASKING;
    if are_terms && phrases != 0 && !terms.iter().any(is_asked) {
        let (token, word, weight) = (String::new(), 0, ATTRIBUTE);
        let (is_vague, is_doubtful) = (false, false);
        let is_called = false;
        terms.push(Term {
            token,
            word,
            weight,
            is_vague,
            attributes: phrases,
            kinds: 0,
            is_called,
            is_doubtful,
        });
    }
}
