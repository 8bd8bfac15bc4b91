//! Looking for words and signs in texts of any language.

use crate::phrase;

/// How English says that something was given up, in small letters.
pub(in super::super) const GIVEN_UP: &str = "gave up|given up";

/// How many bytes of a text are read for phrases, names and dates.
const MOST_READ: usize = 4096;

/// As much of a text as is read for phrases, names and dates.
pub(in crate::memory) fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(MOST_READ)).unwrap_or(text)
}

/// The words of a text, as far as they are of ASCII letters and digits.
#[inline(never)]
pub(in super::super) fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.bytes().position(|byte| byte.is_ascii_alphanumeric()) {
        let (_, from) = rest.split_at(start);
        let end = from.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(from.len());
        let (word, behind) = from.split_at(end);
        words.push(word);
        rest = behind;
    }
    words
}

/// Whether a text holds one of some signs, between which there are strokes.
#[inline(never)]
pub(in super::super) fn holds(text: &str, signs: &str) -> bool {
    signs.split('|').any(|sign| phrase::holds(text, sign))
}
