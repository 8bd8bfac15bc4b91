//! Whom the candidates of a search are about.

use super::about::{About, OwnName};
use crate::index::lexical::Words;
use crate::store::{Found, Search};

/// Whom the candidates of a search are about, each read once.
#[derive(Default)]
pub(in super::super) struct Abouts<'s> {
    of: Vec<(u32, About<'s>)>,
    /// The tokens of the names in the question.
    pub(super) names: Vec<String>,
}

impl<'s> Abouts<'s> {
    /// Reads the candidates that are not read yet.
    pub(super) fn read(&mut self, search: &Search<'s, '_>, own: &OwnName) {
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

    /// The user's name, where a fact tells it that a question names.
    pub(super) fn own_name(&self, question: &str) -> Option<Vec<String>> {
        let asked = Words::of(question);
        let is_asked = |name: &Vec<String>| name.iter().any(|own| asked.iter().any(|word| word == own));
        self.iter().filter_map(About::own_name).find(is_asked)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &About<'s>> {
        self.of.iter().map(|(_, about)| about)
    }

    pub(super) fn of(&self, document: u32) -> Option<&About<'s>> {
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
