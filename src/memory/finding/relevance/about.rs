//! Whom a fact is about, by how it begins.

use super::wide;
use super::words::words;
use crate::store::{Found, Search};

/// The most words of a name that a fact begins with.
const MAX_NAME: usize = 4;

/// Whom a fact is about, and whom it names.
pub(super) struct About {
    /// The words of the name that it begins with; none when it begins otherwise.
    pub(super) subject: Vec<String>,
    pub(super) is_of_user: bool,
    pub(super) mentions_user: bool,
    pub(super) words: Vec<String>,
    /// The text, where names are not told by capitals; else empty.
    pub(super) wide: String,
}

/// The words of the user's name.
pub(super) type OwnName = [String];

impl About {
    pub(super) fn of(text: &str, own: &OwnName) -> Self {
        let words = words(text);
        let is_user = |place: usize| words.get(place).is_some_and(|word| word.first_person().is_some());
        let begins_with_the = words.first().is_some_and(|word| word.lower == "the");
        let begins_with_user = is_user(0) || begins_with_the && is_user(1) || wide::begins_with_user(text);
        let mut subject: Vec<String> = Vec::new();
        if !begins_with_user {
            for (place, word) in words.iter().enumerate() {
                if !word.is_capital || place > 0 && !word.joins || subject.len() == MAX_NAME {
                    break;
                }
                subject.push(word.lower.clone());
                if word.owns {
                    break;
                }
            }
        }
        let is_of_user = begins_with_user || is_own(&subject, own);
        let mentions_user = (0..words.len()).any(is_user) || wide::mentions_user(text);
        let wide = if wide::is_wide(text) { text.to_owned() } else { String::new() };
        Self {
            subject,
            is_of_user,
            mentions_user,
            words: words.into_iter().map(|word| word.lower).collect(),
            wide,
        }
    }

    pub(super) fn mentions(&self, word: &str) -> bool {
        self.words.iter().any(|own| own == word)
    }

    /// Whether two facts are about the same one.
    fn is_of_the_same(&self, other: &Self) -> bool {
        self.is_of_user == other.is_of_user
            && (self.is_of_user
                || self.subject.first() == other.subject.first()
                    && self.subject.last() == other.subject.last())
    }

    /// Whether it says of whom it is about that they are the user's so-and-so.
    pub(super) fn is_kin(&self, kin: &[&str]) -> bool {
        self.mentions_user && self.words.iter().any(|word| kin.contains(&word.as_str()))
    }
}

/// Whether a name is the user's: all of it, or its first word.
pub(super) fn is_own(name: &[String], own: &OwnName) -> bool {
    match name {
        [first] => own.first() == Some(first),
        [] => false,
        _ => name.iter().all(|word| own.contains(word)) && own.first() == name.first(),
    }
}

/// Whom the candidates of a search are about, each read once.
#[derive(Default)]
pub(in super::super) struct Abouts {
    of: Vec<(u32, About)>,
    /// The tokens of the names in the question.
    pub(super) names: Vec<String>,
}

impl Abouts {
    /// Reads the candidates that are not read yet.
    pub(super) fn read(&mut self, search: &Search<'_, '_>, own: &OwnName) {
        let mut read = std::mem::take(&mut self.of).into_iter().peekable();
        for document in &search.candidates {
            while let Some(known) = read.next_if(|(known, _)| known < document) {
                self.of.push(known);
            }
            let known = read.next_if(|(known, _)| known == document);
            self.of.push(
                known.unwrap_or_else(|| {
                    (*document, About::of(search.text(*document).unwrap_or_default(), own))
                }),
            );
        }
        self.of.extend(read);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &About> {
        self.of.iter().map(|(_, about)| about)
    }

    pub(super) fn of(&self, document: u32) -> Option<&About> {
        let place = self.of.binary_search_by_key(&document, |(document, _)| *document).ok()?;
        self.of.get(place).map(|(_, about)| about)
    }

    /// The tokens of the names in the question, which tell of whom a fact is and not what it says.
    pub(in super::super) fn names(&self) -> &[String] {
        &self.names
    }

    /// Whether two facts are about the same one.
    pub(in super::super) fn are_of_the_same(&self, one: &Found<'_>, other: &Found<'_>) -> bool {
        let pair = self.of(one.score.document).zip(self.of(other.score.document));
        pair.is_some_and(|(one, other)| one.is_of_the_same(other))
    }
}
