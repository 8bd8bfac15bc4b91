//! What words mean: a direction for each of 10 000 word stems, in which stems of like meaning are near.
//!
//! The directions are those that make the sum of the words of a sentence point where a sentence embedding model puts the sentence:
//! all-MiniLM-L6-v2 (Apache-2.0) for the definitions and examples of WordNet 3.1, as in Model2Vec and Tokenlearn (Minish, 2024). They
//! are kept as product codes (Jégou et al., "Product Quantization for Nearest Neighbor Search", 2011): of each piece of a direction the
//! number of the nearest of 256. `scripts/meaning` makes the files. What can only be a first name is left out: what names have in common
//! says nothing.

mod translations;

use crate::sort::sorted;
use std::sync::OnceLock;

/// How many dimensions a direction has.
pub const DIMENSIONS: usize = PIECES * PIECE;
/// How many pieces, and how many dimensions each has.
const PIECES: usize = 12;
const PIECE: usize = 8;
/// How many bytes a word has: the code of each piece, and its weight.
const BYTES: usize = PIECES + 1;

/// The stems, in order, as the index holds them, each with a line end behind it.
static WORDS: &str = include_str!("words.txt");
/// The codes and weights, in the same order.
static CODES: &[u8] = include_bytes!("codes.bin");
/// What the codes of each piece stand for.
static CENTROIDS: &[u8] = include_bytes!("centroids.bin");

/// The weight of a word of usual weight.
pub const USUAL_WEIGHT: f32 = 138.0 / 255.0;

/// A word with a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meaning {
    /// The place of its stem in the table.
    stem: usize,
    /// Whether it is a word of another language that means what the stem does.
    is_translated: bool,
}

/// A word of like meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// The word, stemmed.
    pub word: &'static str,
    /// The cosine of the directions.
    pub cosine: f32,
}

/// Where the words begin, and the length of the direction that each one's codes make.
struct Table {
    starts: Vec<u32>,
    lengths: Vec<f32>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let ends = WORDS.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(end, _)| end as u32 + 1)).collect();
        let lengths = CODES.as_chunks::<BYTES>().0.iter().map(|codes| {
            let squares: f32 = pieces(codes).flatten().map(|value| value * value).sum();
            squares.sqrt().max(f32::MIN_POSITIVE)
        });
        Table { starts, lengths: lengths.collect() }
    })
}

/// What the codes of a word stand for, piece by piece.
fn pieces(codes: &[u8; BYTES]) -> impl Iterator<Item = [f32; PIECE]> {
    let all = CENTROIDS.as_chunks::<PIECE>().0.chunks_exact(256);
    codes.iter().zip(all).map(|(code, all)| {
        all.get(usize::from(*code)).map_or([0.0; PIECE], |piece| piece.map(|value| f32::from(value as i8)))
    })
}

impl Meaning {
    /// The meaning of a token as [`tokenize`](super::lexical::tokenize) makes it; `None` when it is not known.
    ///
    /// ```
    /// use mnemic_core::index::meaning::Meaning;
    /// assert!(Meaning::of("car").is_some());
    /// assert!(Meaning::of("Car").is_none(), "tokens are lower case");
    /// ```
    #[must_use]
    pub fn of(token: &str) -> Option<Self> {
        if token.is_ascii() {
            return Self::english(token).map(|stem| Self { stem, is_translated: false });
        }
        translations::stem_of(token).map(|stem| Self { stem, is_translated: true })
    }

    /// The meaning of one Chinese character, as it may stand within a longer run.
    #[must_use]
    pub fn of_character(token: &str) -> Option<Self> {
        if translations::is_character(token) { Self::of(token) } else { None }
    }

    /// The meaning of a word of three characters, of which two tokens that follow one another are the pairs.
    #[must_use]
    pub fn of_pairs(first: &str, second: &str) -> Option<Self> {
        if second.is_ascii() { None } else { Self::of(&translations::joined(first, second)?) }
    }

    /// The place of an English stem.
    fn english(token: &str) -> Option<usize> {
        let (mut low, mut high) = (0, table().starts.len().saturating_sub(1));
        while low < high {
            let middle = low.midpoint(high);
            match word(middle)?.cmp(token) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn codes(self) -> Option<&'static [u8; BYTES]> {
        CODES.as_chunks::<BYTES>().0.get(self.stem)
    }

    /// How much the word says, above 0 and up to 1.
    #[must_use]
    pub fn weight(self) -> f32 {
        self.codes().map_or(0.0, |codes| f32::from(codes[PIECES]) / 255.0)
    }

    /// Adds the direction, times `weight`, to values.
    pub fn add(self, values: &mut [f32], weight: f32) {
        let (Some(codes), Some(length)) = (self.codes(), table().lengths.get(self.stem)) else { return };
        let weight = weight / length;
        for (value, part) in values.iter_mut().zip(pieces(codes).flatten()) {
            *value += weight * part;
        }
    }

    /// Up to `most` other stems whose directions have a cosine of at least `least` with its own, the nearest first; of a word of another
    /// language also its own stem, and each with the words that mean the same.
    #[must_use]
    pub fn near(self, least: f32, most: usize) -> Vec<Near> {
        let mut own = [0.0; DIMENSIONS];
        self.add(&mut own, 1.0);
        // What each code adds to a cosine.
        let mut shares = Vec::with_capacity(PIECES * 256);
        for (own, all) in
            own.as_chunks::<PIECE>().0.iter().zip(CENTROIDS.as_chunks::<PIECE>().0.chunks_exact(256))
        {
            shares.extend(
                all.iter()
                    .map(|piece| own.iter().zip(piece).map(|(a, b)| a * f32::from(*b as i8)).sum::<f32>()),
            );
        }
        let shares = shares.as_chunks::<256>().0;
        let lengths = &table().lengths;
        let mut near: Vec<(usize, f32)> = Vec::new();
        for (number, (codes, length)) in CODES.as_chunks::<BYTES>().0.iter().zip(lengths).enumerate() {
            let shares = shares.iter().zip(codes).filter_map(|(shares, code)| shares.get(usize::from(*code)));
            let sum: f32 = shares.sum();
            if sum >= least * length && (number != self.stem || self.is_translated) {
                near.push((number, sum / length));
            }
        }
        let nearest = sorted(&near, |(_, a), (_, b)| b.total_cmp(a)).into_iter().take(most);
        let words = |(number, cosine): &(usize, f32)| {
            let translated = self.is_translated.then(|| translations::tokens_of(*number));
            let cosine = *cosine;
            word(*number)
                .into_iter()
                .chain(translated.into_iter().flatten())
                .map(move |word| Near { word, cosine })
        };
        nearest.flat_map(words).collect()
    }
}

/// A stem of the table.
fn word(stem: usize) -> Option<&'static str> {
    let starts = &table().starts;
    let (start, end) = (*starts.get(stem)?, *starts.get(stem + 1)?);
    WORDS.get(start as usize..(end as usize).checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_has_a_direction() {
        let words: Vec<&str> = WORDS.lines().collect();
        assert!(words.is_sorted());
        assert_eq!(words.len() * BYTES, CODES.len());
        assert_eq!(CENTROIDS.len(), 256 * DIMENSIONS);
        for (number, word) in words.iter().enumerate() {
            let meaning = Meaning::of(word).unwrap();
            assert_eq!(meaning, Meaning { stem: number, is_translated: false });
            assert!((0.0..=1.0).contains(&meaning.weight()) && meaning.weight() > 0.0);
            let mut values = [0.0; DIMENSIONS];
            meaning.add(&mut values, 2.0);
            let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
            assert!((length - 2.0).abs() < 1e-3, "{word}: {length}");
        }
        for unknown in ["", "\n", "car\n", "zzz", "a\u{301}", "고양이"] {
            assert_eq!(Meaning::of(unknown), None, "{unknown:?}");
        }
    }

    #[test]
    fn the_usual_weight_is_that_of_half_of_the_words() {
        let mut weights: Vec<u8> = CODES.as_chunks::<BYTES>().0.iter().map(|codes| codes[PIECES]).collect();
        weights.sort_unstable();
        assert_eq!(USUAL_WEIGHT, f32::from(weights[weights.len() / 2]) / 255.0);
    }

    #[test]
    fn first_names_have_no_meaning() {
        for name in
            ["mary", "ann", "tom", "john", "emma", "nora", "olivia", "laura", "daniel", "kate", "jame"]
        {
            assert_eq!(Meaning::of(name), None, "{name}");
        }
    }

    #[test]
    fn words_of_like_meaning_are_near() {
        for (word, other) in
            [("car", "vehicl"), ("doctor", "physician"), ("movi", "film"), ("allergi", "allerg")]
        {
            let near = Meaning::of(word).unwrap().near(0.5, 20);
            assert!(near.iter().any(|near| near.word == other), "{word}: {near:?}");
            assert!(near.is_sorted_by(|a, b| a.cosine >= b.cosine));
            assert!(near.iter().all(|near| near.word != word && (0.5..=1.001).contains(&near.cosine)));
        }
        assert!(Meaning::of("car").unwrap().near(0.5, 20).iter().all(|near| near.word != "violin"));
    }
}
