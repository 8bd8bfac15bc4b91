//! Room: the tokens that are left.

use crate::error::Result;
use crate::memory::limits;

/// The tokens that are left for what is not put in yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    left: usize,
}

impl Room {
    /// Room for so many tokens.
    pub(crate) fn new(tokens: usize) -> Self {
        Self { left: tokens }
    }

    pub(crate) fn left(self) -> usize {
        self.left
    }

    /// Takes tokens, if they are there.
    pub(crate) fn take(&mut self, tokens: usize) -> bool {
        let fits = tokens <= self.left;
        if fits {
            self.left -= tokens;
        }
        fits
    }

    /// Gives it other room than it had. What is taken already stays taken, even if it is more.
    pub(crate) fn resize(&mut self, had: usize, tokens: usize) {
        self.left = self.left.saturating_add(tokens).saturating_sub(had);
    }
}

/// Refuses a limit that is none.
///
/// # Errors
/// `InvalidInput`.
pub(crate) fn check_max_tokens(max_tokens: usize) -> Result<()> {
    limits::whole("maxTokens", max_tokens, 1..=limits::MAX_TOKENS)
}
