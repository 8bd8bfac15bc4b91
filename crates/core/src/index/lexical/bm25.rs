//! The BM25 formula (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009), with the
//! inverse document frequency that is never negative, ln(1 + (N - n + 0.5) / (n + 0.5)).
//!
//! A text is held back for its length against a fixed one, not against the average of the collection: where answers of 4000
//! characters lie between questions of 300, half the average is already long for what one wants to find.

/// How soon repetitions of a term stop adding; 0.9 suits short texts such as messages better than the usual 1.2.
pub const K1: f32 = 0.9;

/// How much a long text is held back, 0 to 1.
pub const B: f32 = 0.5;

/// The length, in key tokens, that is neither held back nor favoured: that of a usual message.
pub const PIVOT: f32 = 20.0;

/// BM25 for a collection as it is at one moment.
pub(super) struct Bm25 {
    documents: f64,
}

impl Bm25 {
    /// For a number of documents.
    pub(super) fn new(documents: usize) -> Self {
        Self { documents: documents as f64 }
    }

    /// What a term is worth that stands in some number of documents.
    pub(super) fn weight(&self, documents_with_term: usize, factor: f32) -> f32 {
        let with = documents_with_term as f64;
        let rarity = (1.0 + (self.documents - with + 0.5) / (with + 0.5)).ln();
        rarity as f32 * factor * (K1 + 1.0)
    }

    /// What a term of that weight adds to the score of a document that holds it `frequency` times.
    #[inline]
    pub(super) fn contribution(weight: f32, frequency: u32, length: u32) -> f32 {
        let frequency = frequency as f32;
        weight * frequency / (frequency + K1 * (1.0 - B) + K1 * B / PIVOT * length as f32)
    }
}
