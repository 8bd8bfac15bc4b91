//! English words that say how a sentence is built and not what it is about.

/// The longest entry of [`STOP_WORDS`].
const LONGEST: usize = 10;

/// Articles, pronouns, prepositions, conjunctions, auxiliaries and question words, in order. `may` and `won` are left
/// out: a month and a victory are worth finding. Contractions are listed as typed without their apostrophe.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "above",
    "after",
    "again",
    "against",
    "aint",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "are",
    "arent",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "below",
    "between",
    "both",
    "but",
    "by",
    "can",
    "cannot",
    "cant",
    "could",
    "couldnt",
    "did",
    "didnt",
    "do",
    "does",
    "doesnt",
    "doing",
    "done",
    "dont",
    "down",
    "during",
    "each",
    "either",
    "else",
    "ever",
    "few",
    "for",
    "from",
    "further",
    "had",
    "hadnt",
    "has",
    "hasnt",
    "have",
    "havent",
    "having",
    "he",
    "her",
    "here",
    "hers",
    "herself",
    "him",
    "himself",
    "his",
    "how",
    "however",
    "i",
    "if",
    "im",
    "in",
    "into",
    "is",
    "isnt",
    "it",
    "its",
    "itself",
    "ive",
    "just",
    "me",
    "might",
    "more",
    "most",
    "much",
    "must",
    "mustnt",
    "my",
    "myself",
    "no",
    "nor",
    "not",
    "of",
    "off",
    "on",
    "once",
    "only",
    "or",
    "other",
    "ought",
    "our",
    "ours",
    "ourselves",
    "out",
    "over",
    "own",
    "same",
    "shall",
    "she",
    "should",
    "shouldnt",
    "so",
    "some",
    "such",
    "than",
    "that",
    "thats",
    "the",
    "their",
    "theirs",
    "them",
    "themselves",
    "then",
    "there",
    "these",
    "they",
    "theyre",
    "this",
    "those",
    "through",
    "to",
    "too",
    "under",
    "until",
    "up",
    "upon",
    "us",
    "very",
    "was",
    "wasnt",
    "we",
    "were",
    "werent",
    "weve",
    "what",
    "whats",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "within",
    "without",
    "wont",
    "would",
    "wouldnt",
    "you",
    "your",
    "youre",
    "yours",
    "yourself",
    "yourselves",
    "youve",
];

/// The same words as numbers in the same order: they are compared at once.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
static NUMBERS: [u128; STOP_WORDS.len()] = {
    let mut numbers = [0; STOP_WORDS.len()];
    let mut place = 0;
    while place < numbers.len() {
        numbers[place] = number(STOP_WORDS[place].as_bytes());
        place += 1;
    }
    numbers
};

/// Up to sixteen letters as a number, the first in its highest byte.
const fn number(mut letters: &[u8]) -> u128 {
    let (mut number, mut shift) = (0, 128);
    while let [letter, rest @ ..] = letters {
        shift -= 8;
        number |= (*letter as u128) << shift;
        letters = rest;
    }
    number
}

/// Whether a folded word is an English stop word.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    word.len() <= LONGEST && NUMBERS.binary_search(&number(word.as_bytes())).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order_and_its_longest_is_right() {
        assert!(STOP_WORDS.is_sorted_by(|a, b| a < b));
        assert_eq!(STOP_WORDS.iter().map(|word| word.len()).max(), Some(LONGEST));
    }

    #[test]
    fn question_words_stop_and_names_do_not() {
        assert!(["who", "what", "did", "yourselves"].into_iter().all(is_stop_word));
        assert!(["may", "won", "caroline", "", "understanding"].into_iter().all(|word| !is_stop_word(word)));
    }
}
