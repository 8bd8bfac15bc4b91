//! The built-in embedder: hashed words and character n-grams, for when the application brings no embedding model.
//!
//! Texts that share words, or parts of words, point in similar directions; it knows no synonyms. It needs no download
//! and no statistics of the collection, and takes microseconds. The method is feature hashing with signs (Weinberger et
//! al., "Feature Hashing for Large Scale Multitask Learning", 2009) over subword n-grams as in fastText (Bojanowski et
//! al., "Enriching Word Vectors with Subword Information", 2017).

use super::lexical::{MAX_TOKENS, Role, tokenize};
use crate::embedding::Embedding;

/// The id of the embedder. Vectors are stored, so whatever changes one number of them needs a new id.
pub const EMBEDDER: &str = "mnemic-hash-2";

/// How many dimensions its vectors have.
pub const DIMENSIONS: usize = 384;

/// What a ranking by these vectors should weigh in a fusion with words, which weigh the rest: more than a quarter costs
/// recall, since both see the same words.
pub const WEIGHT: f32 = 0.2;

/// In how many deviations from the background they count as 1: fewer than with a model, because shared pieces of words
/// bring some texts far above all others by chance.
pub const DEVIATIONS: f32 = 6.0;

/// The lengths of character n-grams, in characters, of `<word>`.
const GRAMS: [usize; 3] = [3, 4, 5];

/// Embeds a text; `None` when it holds no token, or, for about one of 768 texts of just two short words, when these cancel each
/// other out. Stop words count only when there is nothing else.
///
/// ```
/// use mnemic_core::index::hash::{DIMENSIONS, EMBEDDER, embed};
/// let embedding = embed("Ann adopted a cat").ok_or("no tokens")?;
/// assert_eq!((embedding.embedder.as_str(), embedding.dimensions()), (EMBEDDER, DIMENSIONS));
/// assert!(embed("...").is_none());
/// # Ok::<(), &str>(())
/// ```
#[must_use]
#[inline(never)]
pub fn embed(text: &str) -> Option<Embedding> {
    let mut slices = Slices::new(text);
    slices.read(text.len());
    slices.embedding()
}

/// The embedding of a long text, made slice by slice, so that whoever makes it can let others have the thread in between. Its numbers
/// are those of [`embed`].
pub struct Slices<'a> {
    rest: &'a str,
    /// How many tokens may still be read.
    room: usize,
    vector: Sum,
    spare: Sum,
}

impl<'a> Slices<'a> {
    /// Begins a text.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { rest: text, room: MAX_TOKENS, vector: Sum::default(), spare: Sum::default() }
    }

    /// Reads about so many bytes, up to the next space; answers whether there is more to read.
    #[inline(never)]
    pub fn read(&mut self, bytes: usize) -> bool {
        let end = self.rest.ceil_char_boundary(bytes.min(self.rest.len()));
        let (slice, behind) = self.rest.split_at(end);
        // No token reaches beyond a space.
        let end = slice.len() + behind.find([' ', '\n']).unwrap_or(behind.len());
        let (slice, rest) = self.rest.split_at(end);
        let Self { room, vector, spare, .. } = self;
        tokenize(slice, |token, role| {
            if *room == 0 {
                return;
            }
            *room -= 1;
            match role {
                Role::Key => vector.add_token(token),
                Role::Spare if vector.tokens == 0 => spare.add_token(token),
                Role::Spare => {}
            }
        });
        self.rest = if self.room == 0 { "" } else { rest };
        !self.rest.is_empty()
    }

    /// The embedding of what was read; `None` when that holds nothing to embed.
    #[must_use]
    pub fn embedding(self) -> Option<Embedding> {
        let sum = if self.vector.tokens > 0 { self.vector } else { self.spare };
        // Fails only when there is no token, or when all of them cancel out.
        Embedding::quantise(EMBEDDER, &sum.values).ok()
    }
}

/// A vector that is being summed up.
struct Sum {
    values: [f32; DIMENSIONS],
    tokens: usize,
    /// `<word>`, and where its characters start; kept for their memory.
    framed: String,
    starts: Vec<usize>,
}

impl Default for Sum {
    fn default() -> Self {
        Self { values: [0.0; DIMENSIONS], tokens: 0, framed: String::new(), starts: Vec::new() }
    }
}

impl Sum {
    /// Adds the token with weight 1, and its n-grams with 1 / sqrt(their number) each, so that they weigh 1 together.
    fn add_token(&mut self, token: &str) {
        self.tokens += 1;
        self.add(token.as_bytes(), 1.0);
        if token.chars().nth(2).is_none() {
            // Its n-grams would say no more than itself: "<a>" or a pair of Han characters.
            return;
        }
        let (mut framed, mut starts) = (std::mem::take(&mut self.framed), std::mem::take(&mut self.starts));
        framed.clear();
        framed.extend(["<", token, ">"]);
        starts.clear();
        starts.extend(framed.char_indices().map(|(start, _)| start).chain([framed.len()]));
        let windows = || GRAMS.into_iter().flat_map(|size| starts.windows(size + 1));
        let weight = 1.0 / (windows().count() as f32).sqrt();
        for window in windows() {
            if let [start, .., end] = window
                && let Some(gram) = framed.as_bytes().get(*start..*end)
            {
                self.add(gram, weight);
            }
        }
        (self.framed, self.starts) = (framed, starts);
    }

    /// Adds a feature in the dimension and with the sign that its hash says.
    fn add(&mut self, feature: &[u8], weight: f32) {
        let hash = hash(feature);
        // The upper half chooses the dimension without a division, the lowest bit the sign.
        let dimension = ((hash >> 32) * DIMENSIONS as u64) >> 32;
        if let Some(value) = self.values.get_mut(dimension as usize) {
            *value += if hash & 1 == 0 { weight } else { -weight };
        }
    }
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits, finished by the mixer of SplitMix64 (Steele et al., 2014).
fn hash(bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    let mut hash =
        bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cosine(a: &str, b: &str) -> f32 {
        let (a, b) = (embed(a).unwrap(), embed(b).unwrap());
        let dot: i64 = a.codes.iter().zip(&b.codes).map(|(x, y)| i64::from(*x) * i64::from(*y)).sum();
        dot as f32 * a.scale * b.scale
    }

    #[test]
    fn alike_words_are_near() {
        assert_eq!(embed("Ann adopted a cat"), embed("ann ADOPTED the cats!"));
        assert!(cosine("my restaurant", "your restaurnat") > 0.3);
        assert!(cosine("my restaurant", "a mountain").abs() < 0.2);
        assert!(cosine("東京タワーに行く", "東京へ行く") > 0.3);
        assert!(cosine("who am I", "Who am I?") > 0.99);
    }

    #[test]
    fn nothing_to_embed() {
        assert!(["", " ", "...!", "\u{301}"].into_iter().all(|text| embed(text).is_none()));
    }

    /// Stored vectors are compared with vectors made later: a failure here asks for a new id, not for new figures.
    #[test]
    fn the_numbers_never_change() {
        for (text, expected) in [
            ("Ann adopted a cat in June 2023", 0x7484_5e1d_ec53_ca6c),
            (
                "Caroline: I went to a LGBTQ support group yesterday and it was so powerful.",
                0x2ba2_1658_19da_8dad,
            ),
            ("who am I", 0x0fa6_fd88_de57_917c),
            ("東京タワー 고양이가 ｶﾞｽ Straße नमस्ते 🎉", 0x1380_5312_c21f_a629),
        ] {
            let embedding = embed(text).unwrap();
            let bytes = embedding
                .codes
                .iter()
                .flat_map(|code| code.to_le_bytes())
                .chain(embedding.scale.to_le_bytes());
            assert_eq!(hash(&bytes.collect::<Vec<u8>>()), expected, "{text}");
        }
    }

    #[test]
    fn two_short_words_may_cancel_each_other_out() {
        let words = || ('b'..='y').flat_map(|one| ('b'..='y').map(move |other| format!("{one}{other}")));
        let mut pairs = words().flat_map(|one| words().map(move |other| format!("{one} {other}")));
        let pair = pairs.find(|pair| embed(pair).is_none()).unwrap();
        assert!(embed(&format!("{pair} garden")).is_some());
    }

    proptest! {
        #[test]
        fn a_text_without_tokens_is_not_embedded_and_one_token_always_is(text in ".*") {
            let mut tokens = 0;
            tokenize(&text, |_, _| tokens += 1);
            let embedded = embed(&text).is_some();
            prop_assert!(tokens > 0 || !embedded);
            prop_assert!(tokens != 1 || embedded);
        }

        #[test]
        fn slices_make_the_numbers_of_the_whole(text in "([a-z']{1,4}|[東京が고양이🎉\u{301}]{1,3}|[ \n.]){0,60}", bytes in 1_usize..20) {
            let mut slices = Slices::new(&text);
            while slices.read(bytes) {}
            prop_assert_eq!(slices.embedding(), embed(&text));
        }
    }
}
