//! Which texts hold a run of characters, apart from case: a scan of all texts, kept lower-cased in one piece.

use crate::growth::{doubled_bytes, map_bytes};
use crate::lowercase::lowercase;
use rustc_hash::FxHashMap;

/// Stands behind each text; no UTF-8 has it, so that nothing matches across two texts.
const END: u8 = 0xff;
/// Stands for a text that was removed and whose bytes are still there.
const NOBODY: u32 = u32::MAX;
/// How many places are looked at in one step, as the bytes of one number. Plain arithmetic, for nothing is vectorised by
/// itself where the whole is built for size.
const WORD: usize = 8;
const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// Lower-cased texts of documents, to be scanned.
#[derive(Default)]
pub struct SubstringIndex {
    bytes: Vec<u8>,
    /// Where each text begins, ascending, and whose it is.
    texts: Vec<(usize, u32)>,
    /// The place of each document in `texts`.
    places: FxHashMap<u32, usize>,
    /// How many bytes belong to removed texts.
    removed: usize,
    /// How often each byte was taken in.
    counts: Vec<u64>,
}

impl SubstringIndex {
    /// Takes in a text in place of the one the document had. The number `u32::MAX` is no document's.
    #[inline(never)]
    pub fn insert(&mut self, document: u32, text: &str) {
        self.remove(document);
        self.push(document, lowercase(text).as_bytes());
    }

    /// Forgets the text of a document; one that has none is fine.
    pub fn remove(&mut self, document: u32) {
        let Some(place) = self.places.remove(&document) else { return };
        self.removed += self.text(place).len();
        if let Some(text) = self.texts.get_mut(place) {
            text.1 = NOBODY;
        }
        if self.removed > self.bytes.len() / 2 {
            self.compact();
        }
    }

    /// The most bytes held on the heap for what is here.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        doubled_bytes(self.bytes.len(), 1)
            + doubled_bytes(self.texts.len(), size_of::<(usize, u32)>())
            + map_bytes(self.places.len(), size_of::<(u32, usize)>())
            + self.counts.len() * size_of::<u64>()
    }

    /// Whether a document has a text here.
    #[must_use]
    pub fn contains(&self, document: u32) -> bool {
        self.places.contains_key(&document)
    }

    /// The documents whose text holds the query, both lower-cased, ascending. An empty query is held by all.
    #[must_use]
    #[inline(never)]
    pub fn search(&self, query: &str) -> Vec<u32> {
        // Sorted as the other lists of the index are: each type of item has a sort of its own.
        let mut found: Vec<u64> = Vec::new();
        if query.is_empty() {
            found.extend(self.texts.iter().map(|(_, document)| u64::from(*document)));
        } else {
            let needle = Needle::new(lowercase(query).into_bytes(), &self.counts);
            let mut from = 0;
            while let Some(at) = self.bytes.get(from..).and_then(|bytes| needle.find(bytes)) {
                let next = self.texts.partition_point(|(start, _)| *start <= from + at);
                found.extend(self.texts.get(next.wrapping_sub(1)).map(|(_, document)| u64::from(*document)));
                from = self.texts.get(next).map_or(self.bytes.len(), |(start, _)| *start);
            }
        }
        found.retain(|document| *document != u64::from(NOBODY));
        found.sort_unstable();
        found.into_iter().map(|document| document as u32).collect()
    }

    fn push(&mut self, document: u32, text: &[u8]) {
        self.places.insert(document, self.texts.len());
        self.texts.push((self.bytes.len(), document));
        self.bytes.extend_from_slice(text);
        self.bytes.push(END);
        self.counts.resize(256, 0);
        for byte in text {
            if let Some(count) = self.counts.get_mut(usize::from(*byte)) {
                *count += 1;
            }
        }
    }

    /// The bytes of a text with its end.
    fn text(&self, place: usize) -> &[u8] {
        let start = self.texts.get(place).map_or(0, |(start, _)| *start);
        let end = self.texts.get(place + 1).map_or(self.bytes.len(), |(start, _)| *start);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// Writes the texts anew without those that were removed.
    fn compact(&mut self) {
        let old = std::mem::take(self);
        for (place, (_, document)) in old.texts.iter().enumerate() {
            if *document != NOBODY
                && let Some((_, text)) = old.text(place).split_last()
            {
                self.push(*document, text);
            }
        }
    }
}

/// What is looked for, and the two of its bytes that the texts have least of.
struct Needle {
    bytes: Vec<u8>,
    rare: [(usize, u8); 2],
}

impl Needle {
    fn new(bytes: Vec<u8>, counts: &[u64]) -> Self {
        let mut rare = [(0, bytes.first().copied().unwrap_or_default()); 2];
        let mut fewest = [u64::MAX; 2];
        for (place, byte) in bytes.iter().enumerate() {
            let count = counts.get(usize::from(*byte)).copied().unwrap_or_default();
            if count < fewest[0] {
                (rare, fewest) = ([(place, *byte), rare[0]], [count, fewest[0]]);
            } else if count < fewest[1] {
                (rare[1], fewest[1]) = ((place, *byte), count);
            }
        }
        Self { bytes, rare }
    }

    /// Where it begins first. Places where both rare bytes fit are looked for many at a time.
    fn find(&self, bytes: &[u8]) -> Option<usize> {
        let places = bytes.len().checked_sub(self.bytes.len())? + 1;
        let [(one_at, one), (other_at, other)] = self.rare;
        let (ones, others) = (bytes.get(one_at..one_at + places)?, bytes.get(other_at..other_at + places)?);
        let fits = |(a, b): (&u8, &u8)| (*a == one) & (*b == other);
        let first = |from: usize, ones: &[u8], others: &[u8]| {
            let candidates = ones.iter().zip(others).enumerate().filter(|(_, pair)| fits(*pair));
            let mut places = candidates.map(|(place, _)| from + place);
            places.find(|place| bytes.get(*place..).is_some_and(|rest| rest.starts_with(&self.bytes)))
        };
        let ((one_words, ones), (other_words, others)) =
            (ones.as_chunks::<WORD>(), others.as_chunks::<WORD>());
        let (every_one, every_other) = (u64::from_le_bytes([one; WORD]), u64::from_le_bytes([other; WORD]));
        for (word, (ones, others)) in one_words.iter().zip(other_words).enumerate() {
            // A byte is zero where both fit; subtracting one from it borrows.
            let unlike =
                (u64::from_le_bytes(*ones) ^ every_one) | (u64::from_le_bytes(*others) ^ every_other);
            if unlike.wrapping_sub(LOW_BITS) & !unlike & HIGH_BITS != 0
                && let Some(place) = first(word * WORD, ones, others)
            {
                return Some(place);
            }
        }
        first(one_words.len() * WORD, ones, others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[derive(Debug, Clone)]
    enum Step {
        Insert(u32, String),
        Remove(u32),
        Search(String),
    }

    fn step() -> impl Strategy<Value = Step> {
        let text = "[abAB \u{e9}\u{c9}\u{130}\u{3a3}\n]{0,40}";
        prop_oneof![
            (0..12_u32, text).prop_map(|(document, text)| Step::Insert(document, text)),
            (0..12_u32).prop_map(Step::Remove),
            "[abAB\u{c9}\u{3a3}]{0,3}".prop_map(Step::Search),
        ]
    }

    proptest! {
        #[test]
        fn it_finds_what_a_plain_search_finds(steps in prop::collection::vec(step(), 0..60)) {
            let (mut index, mut model) = (SubstringIndex::default(), BTreeMap::new());
            for step in steps {
                match step {
                    Step::Insert(document, text) => {
                        index.insert(document, &text);
                        model.insert(document, lowercase(&text));
                    }
                    Step::Remove(document) => {
                        index.remove(document);
                        model.remove(&document);
                    }
                    Step::Search(query) => {
                        let query = lowercase(&query);
                        let holds = |(document, text): (&u32, &String)| text.contains(&query).then_some(*document);
                        prop_assert_eq!(index.search(&query), model.iter().filter_map(holds).collect::<Vec<_>>());
                    }
                }
            }
        }
    }

    #[test]
    fn long_texts_are_found_at_every_place() {
        for place in 0..80 {
            let text = format!("{}Needle{}", "n".repeat(place), "e".repeat(80 - place));
            let mut index = SubstringIndex::default();
            index.insert(3, &text);
            assert_eq!(index.search("nEEDLE"), [3], "{place}");
            assert_eq!(index.search("needles"), [0; 0], "{place}");
        }
    }
}
