//! Virtual context: a conversation of any length with a model of a small window.
//!
//! The window holds the instructions, blocks (the model's working memory), and a queue of messages with a summary of those
//! before. What leaves it stays in the store, and the model fetches it back with functions.

mod block;
mod blocks;
mod edit;
pub mod functions;
mod options;

pub use block::{Block, MAX_BLOCK_CHARACTERS, SetBlock};
pub use blocks::{Blocks, MAX_BLOCKS};
pub use options::ContextOptions;
