//! The BM25 formula (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009), with the
//! inverse document frequency that is never negative, ln(1 + (N - n + 0.5) / (n + 0.5)).

/// How soon repetitions of a term stop adding; 0.9 suits short texts such as messages better than the usual 1.2.
pub const K1: f32 = 0.9;

/// How much a long text is held back, 0 to 1; 0.4 suits short texts better than the usual 0.75.
pub const B: f32 = 0.4;

/// BM25 for a collection as it is at one moment.
pub(super) struct Bm25 {
    documents: f64,
    /// `k1 * (1 - b)`.
    floor: f32,
    /// `k1 * b / average length`.
    slope: f32,
}

impl Bm25 {
    /// For a number of documents and the sum of their lengths in key tokens.
    pub(super) fn new(documents: usize, total_length: u64) -> Self {
        let documents = documents as f64;
        let average = total_length as f64 / documents;
        let slope = if average > 0.0 { (f64::from(K1 * B) / average) as f32 } else { 0.0 };
        Self { documents, floor: K1 * (1.0 - B), slope }
    }

    /// What a term is worth that stands in some number of documents and so many times in the query.
    pub(super) fn weight(&self, documents_with_term: usize, times_in_query: u32) -> f32 {
        let with = documents_with_term as f64;
        let rarity = (1.0 + (self.documents - with + 0.5) / (with + 0.5)).ln();
        (rarity * f64::from(times_in_query)) as f32 * (K1 + 1.0)
    }

    /// What a term of that weight adds to the score of a document that holds it `frequency` times.
    #[inline]
    pub(super) fn contribution(&self, weight: f32, frequency: u32, length: u32) -> f32 {
        let frequency = frequency as f32;
        weight * frequency / (frequency + self.floor + self.slope * length as f32)
    }
}
