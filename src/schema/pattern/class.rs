//! Sets of characters: `[a-z]`, `.`, `\d`, `\w`, `\s`, `\p{L}`.

use super::marks::is_mark;

/// A set of characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Class {
    /// Whether the set is everything but the items.
    pub(super) negated: bool,
    /// What it is made of.
    pub(super) items: Vec<Item>,
}

/// A part of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// Code points from the first to the last; surrogates may occur, and match nothing.
    Range(u32, u32),
    /// Characters of a kind, or of any other kind.
    Kind { kind: Kind, negated: bool },
}

/// A kind of character with a name of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `\d`: ASCII digits.
    Digit,
    /// `\w`: ASCII letters, digits and the underscore.
    Word,
    /// `\s`: white space and line ends, as ECMAScript lists them.
    Space,
    /// A line end, which `.` leaves out.
    LineEnd,
    /// `\p{L}`: letters of any script.
    Letter,
    /// `\p{N}`: numbers of any script.
    Number,
    /// `\p{Alphabetic}`.
    Alphabetic,
    /// `\p{Lowercase}`.
    Lowercase,
    /// `\p{Uppercase}`.
    Uppercase,
    /// `\p{ASCII}`.
    Ascii,
}

impl Class {
    /// The set of one character.
    pub(super) fn one(code: u32) -> Self {
        Self { negated: false, items: vec![Item::Range(code, code)] }
    }

    /// The set of all characters of a kind, or of all others.
    pub(super) fn of(kind: Kind, negated: bool) -> Self {
        Self { negated: false, items: vec![Item::Kind { kind, negated }] }
    }

    /// Whether `character` is in the set.
    pub(super) fn has(&self, character: char) -> bool {
        let code = u32::from(character);
        self.negated
            != self.items.iter().any(|item| match *item {
                Item::Range(first, last) => (first..=last).contains(&code),
                Item::Kind { kind, negated } => negated != kind.has(character),
            })
    }
}

impl Kind {
    /// The kind behind `\p{name}`; nothing for those that are not supported.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "L" | "Letter" | "gc=L" | "gc=Letter" | "General_Category=L" | "General_Category=Letter" => {
                Self::Letter
            }
            "N" | "Number" | "gc=N" | "gc=Number" | "General_Category=N" | "General_Category=Number" => {
                Self::Number
            }
            "Alphabetic" | "Alpha" => Self::Alphabetic,
            "Lowercase" | "Lower" => Self::Lowercase,
            "Uppercase" | "Upper" => Self::Uppercase,
            "ASCII" => Self::Ascii,
            _ => return None,
        })
    }

    /// Whether `character` is of this kind.
    pub(super) fn has(self, character: char) -> bool {
        match self {
            Self::Digit => character.is_ascii_digit(),
            Self::Word => character.is_ascii_alphanumeric() || character == '_',
            Self::Space => match character {
                '\u{feff}' => true,
                '\u{85}' => false,
                other => other.is_whitespace(),
            },
            Self::LineEnd => matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}'),
            Self::Letter => character.is_alphabetic() && !is_mark(character),
            Self::Number => character.is_numeric(),
            Self::Alphabetic => character.is_alphabetic(),
            Self::Lowercase => character.is_lowercase(),
            Self::Uppercase => character.is_uppercase(),
            Self::Ascii => character.is_ascii(),
        }
    }
}
