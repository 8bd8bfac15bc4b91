//! Whom a question names.

use crate::index::lexical::{Words, is_stop_word};
use crate::lowercase::lowercase;

/// A question, read for the names in it.
pub(super) struct Naming {
    lower: String,
    /// The words with a capital inside its sentences, in lower case.
    capitals: Vec<String>,
}

impl Naming {
    pub(super) fn of(question: &str) -> Self {
        let words = Words::of(question);
        let is_name = |place: &usize| words.get(*place).is_some_and(|word| word.is_capital && !word.begins);
        let capitals = (0..words.len()).filter(is_name).map(|place| words.lower(place).to_owned()).collect();
        Self { lower: lowercase(question), capitals }
    }

    /// Whether it holds a word of a name. A word that most questions have, such as "the" or "will", must be written as a name.
    pub(super) fn names(&self, name: &str) -> bool {
        let name = lowercase(name);
        let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().nth(1).is_some());
        let is_meant = |word: &str| {
            !is_stop_word(word) || word.len() > 1 && self.capitals.iter().any(|capital| capital == word)
        };
        std::iter::once(name.as_str()).chain(words).any(|word| holds(&self.lower, word) && is_meant(word))
    }
}

/// Whether a text is about somebody or something of this name: it holds the whole name, or the first of its words as it is written.
pub(super) fn mentions(text: &str, name: &str) -> bool {
    let first = name.split_whitespace().next().filter(|word| word.chars().nth(1).is_some());
    holds(&lowercase(text), &lowercase(name)) || first.is_some_and(|word| holds(text, word))
}

/// Whether a text holds a word. In scripts written with spaces only whole words count.
fn holds(text: &str, word: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() && u32::from(c) < 0x1100;
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + word.len()..).and_then(|after| after.chars().next());
            let edge = |inner: Option<char>, outer: Option<char>| {
                !(inner.is_some_and(is_letter) && outer.is_some_and(is_letter))
            };
            edge(word.chars().next(), before) && edge(word.chars().next_back(), after)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_mentions_whom_it_calls_by_the_whole_name_or_the_first() {
        for (text, name) in
            [("The user's sister is Ana.", "Ana"), ("Ana called", "Ana Souza"), ("누나는 지수다", "지수")]
        {
            assert!(mentions(text, name), "{text}: {name}");
        }
        for (text, name) in
            [("The user has a new flat", "New York"), ("Mr Souza called", "Ana Souza"), ("x", "")]
        {
            assert!(!mentions(text, name), "{text}: {name}");
        }
    }

    #[test]
    fn a_question_names_whom_it_asks_about() {
        for (question, name) in [
            ("where does ada work?", "Ada"),
            ("where does ada work?", "Ada Lovelace"),
            ("what makes acme corp.?", "Acme Corp"),
            ("김민수는 어디에 살아?", "김민수"),
            ("田中さんはどこ", "田中"),
            ("Where does Will live?", "Will"),
            ("Who lives in The Hague?", "The Hague"),
            ("Is The hague nice?", "The Hague"),
        ] {
            assert!(Naming::of(question).names(name), "{question}: {name}");
        }
        for (question, name) in [
            ("what an adage", "Ada"),
            ("where am i?", "A"),
            ("so what", ""),
            ("no", "?"),
            ("What is it, or what?", "What"),
            ("Is it this or that?", "Or"),
            ("Where do I live?", "I"),
            ("Where is the dog?", "The Hague"),
            ("What will it be?", "Will"),
        ] {
            assert!(!Naming::of(question).names(name), "{question}: {name}");
        }
    }
}
