//! Who speaks of themselves.

use crate::among::among;
use crate::index::lexical::Words;

/// Who speaks of themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstPerson {
    /// "I", "my", "I'm", or "user", as facts call who speaks.
    One,
    /// "we", "our", "we've".
    Several,
}

/// Whose word stands at a place, if it means who speaks. "US" is a country.
pub(super) fn first_person(words: &Words, place: usize) -> Option<FirstPerson> {
    let bare = words.lower(place).split('\'').next().unwrap_or_default();
    match bare {
        "i" | "my" | "me" | "mine" | "myself" | "user" => Some(FirstPerson::One),
        "we" | "our" | "ours" | "ourselves" => Some(FirstPerson::Several),
        "us" if !words.get(place).is_some_and(|word| word.is_capital) => Some(FirstPerson::Several),
        _ => None,
    }
}

/// What somebody is asked to do for "me", of whom nothing is asked then.
const FOR_ME: &str =
    "bring excuse find get give help let make recommend remind send show suggest teach tell write";

/// The same, if more is meant than to whom something is to be told: "Tell me about Ann" is not about who speaks.
pub(super) fn speaker(words: &Words, place: usize) -> Option<FirstPerson> {
    let is_told = matches!(words.lower(place), "me" | "us")
        && place.checked_sub(1).is_some_and(|before| among(FOR_ME, words.lower(before)));
    first_person(words, place).filter(|_| !is_told)
}
