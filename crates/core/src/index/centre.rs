//! What the candidates of a search have in common says nothing of which of them is meant.
//!
//! Vectors of a language model share a direction (Mu and Viswanath, "All-but-the-Top", 2018), those of one conversation
//! more so: the nearest to a query are often those nearest to everything. Taking the candidates' own mean away, instead
//! of the collection's, needs nothing to be kept and is as good on LoCoMo.

use super::vector::FlatIndex;

/// Which part of the mean is taken away.
const PART: f64 = 0.8;

/// Similarities with a query, less what each document's vector shares with the mean of them all.
///
/// ```
/// use mnemic_core::index::{centre::centred, vector::FlatIndex};
/// let mut index = FlatIndex::new(2);
/// index.insert(7, 0.001, &[800, 600])?;
/// index.insert(8, 0.001, &[1000, 0])?;
/// let centred = centred(&index, &[(7, 0.6), (8, 0.5)]);
/// assert!(centred[0].1 < 0.6 && centred[1].1 < 0.5);
/// # Ok::<(), mnemic_core::Error>(())
/// ```
#[must_use]
#[inline(never)]
pub fn centred(vectors: &FlatIndex, similarities: &[(u32, f32)]) -> Vec<(u32, f32)> {
    // Sums of short numbers are exact in this width, so the order of the candidates changes nothing.
    let mut sum = vec![0.0_f64; vectors.dimensions()];
    let mut count = 0.0;
    for (scale, codes) in similarities.iter().filter_map(|(document, _)| vectors.codes(*document)) {
        count += 1.0;
        for (sum, code) in sum.iter_mut().zip(codes.iter()) {
            *sum += f64::from(*code) * f64::from(scale);
        }
    }
    let shared = |document: u32| {
        vectors.codes(document).map_or(0.0, |(scale, codes)| {
            let dot: f64 = sum.iter().zip(codes.iter()).map(|(sum, code)| sum * f64::from(*code)).sum();
            dot * f64::from(scale) / count
        })
    };
    #[expect(clippy::cast_possible_truncation, reason = "a cosine less another one")]
    let less = |(document, similarity): &(u32, f32)| {
        (*document, (f64::from(*similarity) - PART * shared(*document)) as f32)
    };
    similarities.iter().map(less).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An index of unit vectors whose codes are thousandths.
    fn index(rows: &[[i16; 3]]) -> FlatIndex {
        let mut index = FlatIndex::new(3);
        for (document, codes) in (0..).zip(rows) {
            index.insert(document, 0.001, codes).unwrap();
        }
        index
    }

    #[test]
    fn what_all_share_is_taken_away() {
        // Three share their first direction; the last one has less of it, and more of what was asked for.
        let index = index(&[[960, 280, 0], [960, 0, 280], [600, 800, 0]]);
        let query = [800, 600, 0];
        let similarities: Vec<(u32, f32)> =
            (0..3).map(|document| (document, index.similarity(0.001, &query, document).unwrap())).collect();
        assert!((similarities[0].1 - similarities[2].1).abs() < 0.03);
        let centred = centred(&index, &similarities);
        assert!(centred[2].1 > centred[0].1 + 0.05, "{centred:?}");
    }

    #[test]
    fn two_keep_their_distance_and_none_is_no_trouble() {
        let index = index(&[[960, 280, 0], [600, 800, 0]]);
        let centred = centred(&index, &[(0, 0.5), (1, 0.3)]);
        assert!((centred[0].1 - centred[1].1 - 0.2).abs() < 1e-3, "{centred:?}");
        assert!(super::centred(&index, &[]).is_empty());
    }
}
