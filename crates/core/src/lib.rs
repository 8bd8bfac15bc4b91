//! The part of **mnemic** where speed matters: the search indexes, the vectors they hold, checksums, and the error all of mnemic has.
//!
//! Applications use the `mnemic` crate, which has all of this under the same paths. It is a crate of its own because
//! the level of optimisation is chosen by crate: this one is compiled for speed, everything else for size.

pub mod checksum;
pub mod embedding;
pub mod error;
pub mod index;
pub mod lowercase;
pub mod sort;

pub use embedding::Embedding;
pub use error::{Code, Error, Result};
