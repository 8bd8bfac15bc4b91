//! Likeness: how well a page fits a segment.

use crate::embedding::Embedding;

/// How many words two sets share, of all they have; 0 when both are empty.
pub(super) fn jaccard(a: &[String], b: &[String]) -> f64 {
    let shared = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    let all = a.len() + b.len() - shared;
    #[expect(clippy::cast_precision_loss, reason = "a few dozen words")]
    let share = if all == 0 { 0.0 } else { shared as f64 / all as f64 };
    share
}

/// The cosine of two vectors; 0 when one is missing, or they cannot be compared.
pub(super) fn cosine(a: Option<&Embedding>, b: Option<&Embedding>) -> f64 {
    let (Some(a), Some(b)) = (a, b) else { return 0.0 };
    if a.embedder != b.embedder || a.dimensions() != b.dimensions() {
        return 0.0;
    }
    let dot: i64 = a.codes.iter().zip(&b.codes).map(|(x, y)| i64::from(*x) * i64::from(*y)).sum();
    #[expect(clippy::cast_precision_loss, reason = "below 2^37")]
    let cosine = dot as f64 * f64::from(a.scale) * f64::from(b.scale);
    cosine
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::pages::indexed_words;

    fn set(keywords: &[&str]) -> Vec<String> {
        indexed_words(&keywords.iter().map(|keyword| (*keyword).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn shared_words_count_by_all_words() {
        let (a, b) = (set(&["green tea", "Kyoto"]), set(&["tea", "Osaka", "kyoto"]));
        assert_eq!(a, ["green", "kyoto", "tea"]);
        assert!((jaccard(&a, &b) - 2.0 / 4.0).abs() < 1e-12);
        assert_eq!((jaccard(&a, &a), jaccard(&a, &[]), jaccard(&[], &[])), (1.0, 0.0, 0.0));
        assert_eq!(set(&["Teas", "tea", "--", " "]), ["--", "tea"], "each once, signs as they are");
    }

    #[test]
    fn vectors_are_compared_only_with_their_like() {
        let vector = |embedder: &str, values: &[f32]| Embedding::quantise(embedder, values).unwrap();
        let (a, b) = (vector("e", &[1.0, 0.0]), vector("e", &[3.0, 4.0]));
        assert!((cosine(Some(&a), Some(&b)) - 0.6).abs() < 1e-3);
        assert_eq!(cosine(Some(&a), None), 0.0);
        assert_eq!(cosine(Some(&a), Some(&vector("other", &[1.0, 0.0]))), 0.0);
        assert_eq!(cosine(Some(&a), Some(&vector("e", &[1.0, 0.0, 0.0]))), 0.0);
    }
}
