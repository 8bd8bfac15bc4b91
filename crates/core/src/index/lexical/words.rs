//! The words of a text as they stand there, by whose capitals names are told.

use crate::lowercase::{letter, lowercase};

/// A word of a text.
#[derive(Clone, Copy)]
pub struct Word {
    /// Where it stands among the lower-cased words.
    start: usize,
    end: usize,
    /// Whether it begins with a capital.
    pub is_capital: bool,
    /// Whether a sentence begins with it.
    pub begins: bool,
    /// Whether only a space lies between it and the word before.
    pub joins: bool,
    /// Whether it stands before "'s".
    pub owns: bool,
    /// Whether it is of capitals alone, two or more.
    pub is_acronym: bool,
}

/// The words of a text, in lower case in one piece of memory.
///
/// ```
/// use mnemic_core::index::lexical::Words;
/// let words = Words::of("Where does Ann's brother live?");
/// assert_eq!(words.iter().collect::<Vec<_>>(), ["where", "does", "ann", "brother", "live"]);
/// assert!(words.get(2).is_some_and(|word| word.is_capital && word.owns));
/// ```
#[derive(Default)]
pub struct Words {
    lower: String,
    all: Vec<Word>,
}

impl Words {
    /// Reads a text.
    #[must_use]
    #[inline(never)]
    pub fn of(text: &str) -> Self {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '\u{2019}' | '-');
        let mut words = Self { lower: String::with_capacity(text.len()), all: Vec::new() };
        let mut rest = text;
        while let Some(start) = rest.find(char::is_alphanumeric) {
            let (between, from) = rest.split_at(start);
            let gap = if words.all.is_empty() { "." } else { between };
            let end = from.find(|c| !inside(c)).unwrap_or(from.len());
            let (word, behind) = from.split_at(end);
            let trimmed = word.trim_end_matches(['\'', '\u{2019}', '-']);
            let bare = ["'s", "\u{2019}s", "'S"].iter().find_map(|end| trimmed.strip_suffix(end));
            let bare_text = bare.unwrap_or(trimmed);
            let is_capital = |c: char| letter(c) != c;
            let start = words.lower.len();
            words.push_lower(bare_text);
            words.all.push(Word {
                start,
                end: words.lower.len(),
                is_acronym: bare_text.chars().all(is_capital) && bare_text.chars().nth(1).is_some(),
                is_capital: bare_text.chars().next().is_some_and(is_capital),
                begins: gap.contains(['.', '!', '?', '\n', ':']),
                joins: gap == " ",
                owns: bare.is_some() || word.len() > trimmed.len(),
            });
            rest = behind;
        }
        words
    }

    fn push_lower(&mut self, word: &str) {
        if word.is_ascii() {
            self.lower.extend(word.chars().map(|c| c.to_ascii_lowercase()));
        } else {
            self.lower.push_str(&lowercase(word).replace('\u{2019}', "'"));
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Leaves only the first ones.
    pub fn truncate(&mut self, most: usize) {
        self.all.truncate(most);
    }

    /// The word at a place.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<&Word> {
        self.all.get(place)
    }

    /// The word at a place in lower case; empty where there is none.
    #[must_use]
    pub fn lower(&self, place: usize) -> &str {
        self.all.get(place).map_or("", |word| self.text(word))
    }

    /// All of them, in lower case.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.all.iter().map(|word| self.text(word))
    }

    fn text(&self, word: &Word) -> &str {
        self.lower.get(word.start..word.end).unwrap_or_default()
    }
}
