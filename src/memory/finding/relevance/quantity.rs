//! Quantities: a question for a number is less answered by what tells none.

use super::about::About;
use super::attributes;
use super::telling::among;
use crate::memory::finding::turns::holds;

/// How questions ask how many there are; and how they ask for a measure, an age, a price or a time.
const COUNT: &[&str] = &["how many", "몇", "几", "いくつ", "何人"];
const MEASURE: &[&str] = &[
    "how much",
    "how old",
    "how tall",
    "how far",
    "how big",
    "how heavy",
    "how often",
    "what age",
    "what number",
    "what size",
    "what time",
    "얼마",
    "多少",
    "多大",
    "いくら",
    "何歳",
    "何時",
];
/// Numbers in other scripts; what else tells how much or how often; and what tells only how many.
const SIGNS: &str = "一二三四五六七八九十百千万半两兩０１２３４５６７８９";
const NUMBERS: &str = "couple daily dozen every few half hourly hundred midnight monthly noon once one quarter several \
    thousand thousands twice weekly yearly";
const COUNTS: &str = "a an both many no none";
/// What is left of what is covered by what tells no number.
const LEFT: f32 = 0.5;

/// What a question asks for.
#[derive(Clone, Copy)]
pub(super) enum Quantity {
    Count,
    Measure,
}

impl Quantity {
    /// That of a question in small letters; `None` when it asks for none.
    pub(super) fn asked(lower: &str) -> Option<Self> {
        match () {
            () if holds(lower, COUNT) => Some(Self::Count),
            () if holds(lower, MEASURE) => Some(Self::Measure),
            () => None,
        }
    }

    /// What is left of what a fact covers of the question.
    pub(super) fn left_of(self, fact: &About<'_>) -> f32 {
        let is_number = |word: &str| {
            attributes::is_number(word)
                || among(NUMBERS, word)
                || matches!(self, Self::Count) && among(COUNTS, word)
        };
        let is_told = fact.words.iter().any(is_number)
            || fact.text().contains(|c: char| c.is_ascii_digit() || SIGNS.contains(c));
        if is_told { 1.0 } else { LEFT }
    }
}
