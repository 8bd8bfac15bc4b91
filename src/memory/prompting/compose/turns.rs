//! Turns: what was said last, each turn told as a whole or not at all.

use super::Room;
use crate::error::Result;

/// How many of the last turns are told, and what they cost. A turn is known by its place from the end, 0 for the last.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Turns {
    pub(crate) count: usize,
    pub(crate) tokens: usize,
}

impl Turns {
    /// Tells as many more as there is room for, up to `most` tokens in all; `cost` says what a turn costs, or `None` where there
    /// is none. Answers whether all of them are told.
    ///
    /// # Errors
    /// Those of `cost`.
    pub(crate) fn fill(
        &mut self,
        room: &mut Room,
        most: usize,
        cost: &mut dyn FnMut(usize) -> Result<Option<usize>>,
    ) -> Result<bool> {
        while let Some(tokens) = cost(self.count)? {
            if self.tokens + tokens > most || !room.take(tokens) {
                return Ok(false);
            }
            self.count += 1;
            self.tokens += tokens;
        }
        Ok(true)
    }

    /// Leaves out the first that is told, which costs so much.
    pub(crate) fn leave(&mut self, tokens: usize) {
        self.count = self.count.saturating_sub(1);
        self.tokens = self.tokens.saturating_sub(tokens);
    }
}
