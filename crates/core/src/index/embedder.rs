//! The built-in embedder: what words mean and how they are spelt, for when the application brings no embedding model.
//!
//! Texts whose words have like meanings point in similar directions: English ones, and everyday words of Korean, Japanese and Chinese,
//! also across these languages. So do texts of any language that share words or parts of words. It needs no download and no statistics
//! of the collection, and takes microseconds.

use super::hash;
use super::lexical::{MAX_TOKENS, Role, tokenize};
use super::meaning::{self, Meaning, USUAL_WEIGHT};
use crate::embedding::Embedding;

/// The id of the embedder. Vectors are stored, so whatever changes one number of them needs a new id.
pub const EMBEDDER: &str = "mnemic-words-3";

/// How many dimensions its vectors have: the first for meaning, the others for spelling.
pub const DIMENSIONS: usize = 384;

/// What a ranking by these vectors should weigh in a fusion with words, which weigh the rest, and in how many deviations from the
/// background they count as 1.
const MEANING: (f32, f32) = (0.35, 5.0);
/// The same for a query of whose words no meaning is known: its vector sees the same words once more, and shared pieces of words bring
/// some texts far above all others by chance.
const SPELLING_ALONE: (f32, f32) = (0.2, 6.0);

/// What the spelling of a word whose meaning is known weighs beside its meaning.
const SPELLING: f32 = 0.5;

/// What the meaning of a character counts that may be a word, or a part of one.
const CHARACTER: f32 = 0.5;

/// Who most facts are about, which says little of any, and what it weighs.
const USER: &str = "user";
const USER_WEIGHT: f32 = 0.2 * USUAL_WEIGHT;

/// Embeds a text; `None` when it holds no token, or, rarely, when all that it holds cancels out. Stop words count only when there is
/// nothing else.
///
/// ```
/// use mnemic_core::index::embedder::{DIMENSIONS, EMBEDDER, embed};
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

/// What a ranking by the vector of a query should weigh in a fusion with words, which weigh the rest, and in how many deviations from
/// the background it counts as 1.
#[must_use]
pub fn weight(query: &Embedding) -> (f32, f32) {
    let knows = query.codes.iter().take(meaning::DIMENSIONS).any(|code| *code != 0);
    if knows { MEANING } else { SPELLING_ALONE }
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
                Role::Key => vector.add(token),
                Role::Spare => {
                    vector.mean(token);
                    if vector.tokens == 0 {
                        spare.add(token);
                    }
                }
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
    grams: hash::Grams,
    /// The last token.
    last: String,
}

impl Default for Sum {
    fn default() -> Self {
        Self { values: [0.0; DIMENSIONS], tokens: 0, grams: hash::Grams::default(), last: String::new() }
    }
}

impl Sum {
    fn add(&mut self, token: &str) {
        self.tokens += 1;
        let (meanings, spellings) = self.values.split_at_mut(meaning::DIMENSIONS);
        let meaning = Meaning::of(token);
        if let Some(meaning) = meaning {
            meaning.add(meanings, meaning.weight());
        }
        let spelling = match meaning {
            Some(meaning) if token.is_ascii() => SPELLING * meaning.weight(),
            None if token == USER => USER_WEIGHT,
            // In scripts without spaces also where the meaning is known: the pairs around it count in full.
            _ => USUAL_WEIGHT,
        };
        self.grams.add(spellings, token, spelling);
        if let Some(meaning) = Meaning::of_pairs(&self.last, token) {
            meaning.add(meanings, meaning.weight());
        }
        self.last.clear();
        self.last.push_str(token);
    }

    /// Adds what a Chinese character means that stands within a longer run.
    fn mean(&mut self, token: &str) {
        if let Some(meaning) = Meaning::of_character(token) {
            meaning.add(&mut self.values, CHARACTER * meaning.weight());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::hash::hash;
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
        assert!(cosine("my restaurant", "your restaurnat") > 0.1);
        assert!(cosine("the car is faulty", "a broken vehicle") > 0.3);
        assert!(cosine("the user is ill", "the user is a painter") < 0.3);
        assert!(cosine("my restaurant", "a mountain").abs() < 0.2);
        assert!(cosine("고양이를 키워요", "I adopted a cat") > 0.2);
        assert!(cosine("ビールが好きです", "I like beer") > 0.2);
        assert!(cosine("我养了一只小狗", "a puppy") > 0.2);
        assert!(cosine("고양이를 키워요", "my violin lesson").abs() < 0.15);
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
            ("Ann adopted a cat in June 2023", 0x7c63_f3c1_26b0_1226),
            (
                "Caroline: I went to a LGBTQ support group yesterday and it was so powerful.",
                0xcff6_9bff_2a29_4665,
            ),
            ("who am I", 0xb01b_eec2_5bb2_31a9),
            ("東京タワー 고양이가 ｶﾞｽ Straße नमस्ते 🎉", 0x92cd_d897_ce73_2afa),
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
