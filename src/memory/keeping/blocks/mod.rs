//! Blocks: the working memory of a model, as named texts that it edits.

mod block;
#[expect(clippy::module_inception, reason = "the blocks of every scope")]
mod blocks;

pub use block::{Block, MAX_BLOCK_CHARACTERS, SetBlock};
pub(crate) use block::{BlockValue, check_label};
pub use blocks::{Blocks, MAX_BLOCKS};
