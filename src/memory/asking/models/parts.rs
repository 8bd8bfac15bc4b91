//! The vectors of texts in parts.

use super::Models;
use crate::embedding::Embedding;
use crate::error::Result;
use crate::ordered::Ordered;
use crate::ports::TextPurpose;

/// How many texts go to the embedder at once.
const BATCH: usize = 64;

impl Models {
    /// The vectors of the parts of texts, in order, without those that have nothing to embed. What is said twice is asked for once, and
    /// of many texts some at a time, each time with so long to answer.
    ///
    /// # Errors
    /// Those of [`embed_with`](Self::embed_with).
    pub(crate) async fn embed_parts(
        &self,
        texts: &[&[String]],
        timeout_ms: u32,
    ) -> Result<Vec<Vec<Embedding>>> {
        let mut places: Ordered<String, u32> = Ordered::new();
        let mut different: Vec<String> = Vec::new();
        for text in texts.iter().copied().flatten() {
            if places.get(text.as_str()).is_none() {
                places.insert(text.clone(), different.len() as u32);
                different.push(text.clone());
            }
        }
        let mut embeddings = Vec::with_capacity(different.len());
        for batch in different.chunks(BATCH) {
            embeddings.extend(self.embed_with(batch, TextPurpose::Document, timeout_ms).await?);
        }
        let of = |text: &String| embeddings.get(*places.get(text.as_str())? as usize).cloned().flatten();
        Ok(texts.iter().map(|parts| parts.iter().filter_map(of).collect()).collect())
    }
}
