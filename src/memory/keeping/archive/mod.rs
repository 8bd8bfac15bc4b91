//! The archive: passages of text that a model keeps beyond its window, and searches.

#[expect(clippy::module_inception, reason = "the archive of every scope")]
mod archive;
mod load;
mod passage;

pub(crate) use archive::MOST_RESULTS;
pub use archive::{Archive, ArchiveSearch, NewPassage, TagMatch};
pub use load::{Load, Loaded};
pub use passage::{MAX_PASSAGE_BYTES, MAX_TAGS, Passage};
