//! A vocabulary: words that are known beforehand, and what each of them stands for.

use super::dictionary::Dictionary;

/// Words with a number each.
///
/// ```
/// use mnemic_core::index::lexical::Vocabulary;
/// let mut words = Vocabulary::default();
/// words.set("cat", 7);
/// words.set("bat", 1);
/// words.set("bat", 2);
/// assert_eq!(["cat", "bat", "dog"].map(|word| words.get(word)), [7, 2, 0]);
/// ```
#[derive(Default)]
pub struct Vocabulary {
    words: Dictionary,
    /// What each word stands for, by its place in the dictionary.
    numbers: Vec<u64>,
}

impl Vocabulary {
    /// Says what a word stands for.
    pub fn set(&mut self, word: &str, number: u64) {
        let place = self.words.number(word) as usize;
        self.numbers.resize(self.words.len(), 0);
        if let Some(known) = self.numbers.get_mut(place) {
            *known = number;
        }
    }

    /// What a word stands for; 0 for one that is not known.
    #[must_use]
    pub fn get(&self, word: &str) -> u64 {
        let place = self.words.find(word);
        place.and_then(|place| self.numbers.get(place as usize)).copied().unwrap_or_default()
    }
}
