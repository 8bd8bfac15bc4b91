//! The words of a text as they stand there: names are told by their capitals.

use crate::lowercase::{letter, lowercase};

/// A word of a text.
pub(super) struct Word {
    pub(super) lower: String,
    pub(super) is_capital: bool,
    /// Whether a sentence begins with it.
    pub(super) begins: bool,
    /// Whether only a space lies between it and the word before.
    pub(super) joins: bool,
    /// Whether it stands before "'s".
    pub(super) owns: bool,
    /// Whether it is of capitals alone, two or more.
    pub(super) is_acronym: bool,
}

/// Who speaks of themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstPerson {
    /// "I", "my", "I'm", or "user", as facts call who speaks.
    One,
    /// "we", "our", "we've".
    Several,
}

impl Word {
    /// Whose word it is, if it means who speaks. "US" is a country.
    pub(super) fn first_person(&self) -> Option<FirstPerson> {
        let bare = self.lower.split('\'').next().unwrap_or_default();
        match bare {
            "i" | "my" | "me" | "mine" | "myself" | "user" => Some(FirstPerson::One),
            "we" | "our" | "ours" | "ourselves" => Some(FirstPerson::Several),
            "us" if !self.is_capital => Some(FirstPerson::Several),
            _ => None,
        }
    }
}

pub(super) fn words(text: &str) -> Vec<Word> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '\u{2019}' | '-');
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        let (between, from) = rest.split_at(start);
        let gap = if words.is_empty() { "." } else { between };
        let end = from.find(|c| !inside(c)).unwrap_or(from.len());
        let (word, behind) = from.split_at(end);
        let trimmed = word.trim_end_matches(['\'', '\u{2019}', '-']);
        let bare = ["'s", "\u{2019}s", "'S"].iter().find_map(|end| trimmed.strip_suffix(end));
        let bare_text = bare.unwrap_or(trimmed);
        words.push(Word {
            is_acronym: bare_text.chars().all(|c| letter(c) != c) && bare_text.chars().nth(1).is_some(),
            lower: lowercase(bare_text).replace('\u{2019}', "'"),
            is_capital: bare_text.chars().next().is_some_and(|c| letter(c) != c),
            begins: gap.contains(['.', '!', '?', '\n', ':']),
            joins: gap == " ",
            owns: bare.is_some() || word.len() > trimmed.len(),
        });
        rest = behind;
    }
    words
}
