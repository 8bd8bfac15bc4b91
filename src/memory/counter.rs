//! Counting tokens.

use crate::tokens;

/// Counts the tokens of texts. Clones count alike.
#[derive(Clone, Default)]
pub struct Counter {}

impl Counter {
    /// The tokens of a text.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        tokens::estimate(text)
    }
}
