//! How words are spelt, as directions: words that share parts of words point in similar ones.
//!
//! The method is feature hashing with signs (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009) over
//! subword n-grams as in fastText (Bojanowski et al., "Enriching Word Vectors with Subword Information", 2017).

/// The lengths of character n-grams, in characters, of `<word>`.
const GRAMS: [usize; 3] = [3, 4, 5];

/// What is kept from token to token for its memory: `<word>`, and where its characters start.
#[derive(Default)]
pub(super) struct Grams {
    framed: String,
    starts: Vec<usize>,
}

impl Grams {
    /// Adds the direction of a token to values: the token, and its n-grams, which weigh together as much. Both together weigh
    /// about `weight`.
    pub(super) fn add(&mut self, values: &mut [f32], token: &str, weight: f32) {
        let weight = weight * std::f32::consts::FRAC_1_SQRT_2;
        add(values, token.as_bytes(), weight);
        if token.chars().nth(2).is_none() {
            // Its n-grams would say no more than itself: "<a>" or a pair of Han characters.
            return;
        }
        let Self { framed, starts } = self;
        framed.clear();
        framed.extend(["<", token, ">"]);
        starts.clear();
        starts.extend(framed.char_indices().map(|(start, _)| start).chain([framed.len()]));
        let windows = || GRAMS.into_iter().flat_map(|size| starts.windows(size + 1));
        let weight = weight / (windows().count() as f32).sqrt();
        for window in windows() {
            if let [start, .., end] = window
                && let Some(gram) = framed.as_bytes().get(*start..*end)
            {
                add(values, gram, weight);
            }
        }
    }
}

/// Adds a feature in the dimension and with the sign that its hash says.
fn add(values: &mut [f32], feature: &[u8], weight: f32) {
    let hash = hash(feature);
    // The upper half chooses the dimension without a division, the lowest bit the sign.
    let dimension = ((hash >> 32) * values.len() as u64) >> 32;
    if let Some(value) = values.get_mut(dimension as usize) {
        *value += if hash & 1 == 0 { weight } else { -weight };
    }
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits, finished by the mixer of SplitMix64 (Steele et al., 2014).
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325_u64;
    let mut hash =
        bytes.iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
