//! Words of like meaning to those that a question asks for, from the table of the built-in embedder.

use crate::index::meaning::{Meaning, Near};
use crate::sort::sorted;

/// Of how many words of a question others of like meaning are looked for, and how many of each at most.
const MOST_TERMS: usize = 16;
const MOST_LIKE: usize = 48;
/// From which cosine on a word is of like meaning, and from which on it counts as much as one can.
const LEAST: f32 = 0.35;
const FULL: f32 = 0.7;
/// The most that a word of like meaning counts beside the word itself.
const LIKE: f32 = 0.9;
/// From what it counts on a word is worth looking for.
const WORTH: f32 = 0.3;

/// The words of like meaning to the terms of a question.
#[derive(Default)]
pub(super) struct Likes {
    /// Each with the place of the term, and what it counts, in the order of the words and places.
    words: Vec<(&'static str, usize, f32)>,
}

impl Likes {
    /// Those of some terms as the index holds them; `None` for a term that counts nothing.
    pub(super) fn of<'t>(terms: impl Iterator<Item = Option<&'t str>>) -> Self {
        let known = terms.enumerate().filter_map(|(place, token)| Some((place, Meaning::of(token?)?)));
        let mut words = Vec::new();
        for (place, meaning) in known.take(MOST_TERMS) {
            for Near { word, cosine } in meaning.near(LEAST, MOST_LIKE) {
                words.push((word, place, LIKE * ((cosine - LEAST) / (FULL - LEAST)).min(1.0)));
            }
        }
        let in_order = sorted(&words, |one, other| (one.0, one.1).cmp(&(other.0, other.1)));
        Self { words: in_order.into_iter().copied().collect() }
    }

    /// All words, with the places of their terms and what they count for these.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'static str, usize, f32)> {
        self.words.iter().copied()
    }

    /// What a token counts, by the places of the terms.
    pub(super) fn of_token(&self, token: &str) -> impl Iterator<Item = (usize, f32)> {
        let at = self.words.partition_point(|(word, ..)| *word < token);
        let own =
            self.words.get(at..).unwrap_or_default().iter().take_while(move |(word, ..)| *word == token);
        own.map(|(_, place, counts)| (*place, *counts))
    }

    /// Words that are worth looking for, those that count most first.
    pub(super) fn worth_looking_for(&self) -> Vec<&'static str> {
        let worth: Vec<(&str, f32)> = self
            .all()
            .map(|(word, _, counts)| (word, counts))
            .filter(|(_, counts)| *counts >= WORTH)
            .collect();
        let most_first = sorted(&worth, |(_, one), (_, other)| other.total_cmp(one));
        most_first.into_iter().map(|(word, _)| *word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_by_how_alike_they_are() {
        let terms = ["vehicl", "zzz", "physician"];
        let likes = Likes::of(terms.into_iter().map(Some));
        let counts = |token| likes.of_token(token).collect::<Vec<_>>();
        assert!(
            matches!(counts("car")[..], [(0, counts)] if counts > 0.5 && counts <= LIKE),
            "{:?}",
            counts("car")
        );
        assert!(matches!(counts("doctor")[..], [(2, counts)] if counts > 0.5), "{:?}", counts("doctor"));
        assert_eq!(counts("vehicl"), [], "the word itself is no word like it");
        assert_eq!(counts("zzz"), []);
        assert!(likes.worth_looking_for().contains(&"car"));
        assert!(likes.all().all(|(_, _, counts)| (0.0..=LIKE).contains(&counts)));
    }

    #[test]
    fn of_a_long_question_few_words_are_looked_up() {
        let many = std::iter::repeat_n("car", 100);
        assert!(Likes::of(many.map(Some)).all().all(|(_, place, _)| place < MOST_TERMS));
    }
}
