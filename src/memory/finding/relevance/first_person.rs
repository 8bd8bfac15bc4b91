//! Who speaks of themselves.

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
