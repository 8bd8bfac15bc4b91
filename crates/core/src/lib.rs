//! The part of **mnemic** where speed matters: the search indexes, the vectors they hold, checksums, and the error all of mnemic has.
//!
//! Applications use the `mnemic` crate, which has all of this under the same paths. It is a crate of its own because
//! the level of optimisation is chosen by crate: this one is compiled for speed, everything else for size. Where the work is done is never inlined:
//! within a function that is compiled for size it would be compiled so too.

pub mod among;
pub mod base64;
pub mod checksum;
pub mod embedding;
pub mod error;
pub mod growth;
pub mod index;
pub mod lowercase;
pub mod numbering;
pub mod phrase;
pub mod pieces;
pub mod places;
pub mod sort;

pub use embedding::Embedding;
pub use error::{Code, Error, Result};
