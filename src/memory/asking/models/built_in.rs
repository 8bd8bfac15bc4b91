//! The built-in embedder, whose words are loaded with what searches: a text that is stored before gets its vector later.

use crate::embedding::Embedding;
use crate::index::embedder::{self, Slices};
use crate::ports::{Loaded, Search};

/// The vector of a text; `None` when it holds nothing to embed.
#[inline(never)]
pub(super) fn embed(_: Loaded<Search>, text: &str) -> Option<Embedding> {
    embedder::embed(text)
}

/// Reads about so many bytes of a text; answers whether there is more to read.
#[inline(never)]
pub(super) fn read(_: Loaded<Search>, slices: &mut Slices<'_>, bytes: usize) -> bool {
    slices.read(bytes)
}
