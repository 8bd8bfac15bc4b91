//! Documents: JSON objects under a namespace and a key.
//!
//! Every call is a list of operations, carried out one after the other on the state that the earlier ones left, and made
//! durable in one commit.

mod document;
#[expect(clippy::module_inception, reason = "the folder is the system, the file its one type")]
mod documents;
mod fields;
mod index;
mod list;
mod namespace;
mod operation;
mod pattern;
mod search;
mod selection;
mod staged;

pub use document::{Document, MAX_DATA_BYTES, MAX_DOCUMENT_BYTES, MAX_TEXT_BYTES};
pub use documents::{Deleted, Documents, MAX_OPERATIONS, Outcome};

pub(crate) use document::said;
pub(crate) use operation::{Defaults, operations};
