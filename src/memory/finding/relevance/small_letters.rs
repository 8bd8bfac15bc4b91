//! Names in small letters: which words of a question name somebody though no capital tells.

use super::about::{About, OF_PERSONS, is_unknown};
use super::attributes::tokens_of;
use super::first_person::first_person;
use crate::among::among;
use crate::index::lexical::{Words, is_stop_word};
use crate::index::meaning::Meaning;

/// Behind what a place is told, and no person.
const BEFORE_PLACES: &str = "at from in into near of on to towards";
/// What verbs say as well of things as of persons.
const OF_THINGS: &str = "can had has is needs takes was went will works";
/// How questions ask what somebody is or does.
const AUXILIARIES: &str = "can could did do does has have is should was will would";
const ASKING: &str = "how what when where which who why";
/// German, where "was" asks what: "Was arbeite ich?"
const GERMAN: &str = "ich mein meine meinen wir";
/// The least letters of a name that no fact has.
const SHORTEST: usize = 3;

/// Whether a word is a name as facts write it: one begins with it, or calls somebody so, or has it with a capital where no place is told.
pub(super) fn is_written(word: &str, abouts: &[&About<'_>]) -> bool {
    if is_stop_word(word) {
        return false;
    }
    let is_unknown = is_unknown(word);
    abouts.iter().any(|about| {
        about.called() == Some(word)
            || about.is_of(word) && (about.subject_length() > 1 || is_unknown || is_of_person(about))
            || is_unknown && is_mentioned(word, about)
    })
}

/// The name in a word with the "s" of what belongs to somebody, where the sign before it is left out: "helen" of "helens".
pub(super) fn owner<'w>(word: &'w str, abouts: &[&About<'_>]) -> Option<&'w str> {
    let name = word.strip_suffix('s').filter(|name| name.len() >= SHORTEST)?;
    (!is_written(word, abouts) && is_written(name, abouts)).then_some(name)
}

/// Whether a fact that begins with one word says of it what is said of persons.
fn is_of_person(about: &About<'_>) -> bool {
    let verb = about.words.lower(1);
    about.words.get(0).is_some_and(|word| word.owns)
        || among(OF_PERSONS, verb) && !among(OF_THINGS, verb)
        || verb == "is" && (about.words.lower(2) == "the" && about.words.lower(3) == "user")
}

/// Whether a fact has a word with a capital, and not as a place.
fn is_mentioned(word: &str, about: &About<'_>) -> bool {
    let is_place = |place: usize| {
        place.checked_sub(1).is_some_and(|before| among(BEFORE_PLACES, about.words.lower(before)))
    };
    (0..about.words.len()).any(|place| {
        about.words.lower(place) == word
            && about.words.get(place).is_some_and(|word| word.is_capital)
            && !is_place(place)
    })
}

/// Whether a word that nothing knows stands where a question has whom it asks about: "does anjali have kids", "what's gloria's job".
pub(super) fn stands_for_somebody(words: &Words, place: usize) -> bool {
    let word = words.lower(place);
    let is_self = |place: usize| first_person(words, place).is_some() || among(GERMAN, words.lower(place));
    let is_of_user = || (0..words.len()).any(is_self);
    let is_asked = match place {
        1 => {
            among(AUXILIARIES, words.lower(0))
                || among(ASKING, words.lower(0)) && words.get(0).is_some_and(|word| word.owns)
        }
        2 => among(ASKING, words.lower(0)) && among(AUXILIARIES, words.lower(1)),
        _ => false,
    };
    // Nothing of another language, where other words stand in these places.
    let is_known =
        |other: usize| tokens_of(words.lower(other)).0.iter().any(|token| Meaning::of(token).is_some());
    let is_english = || place == 2 || (2..words.len()).any(is_known);
    is_asked
        && is_english()
        && word.len() >= SHORTEST
        && word.chars().all(char::is_alphabetic)
        && !is_stop_word(word)
        && is_unknown(word)
        && !is_of_user()
}
