//! **mnemic** is a memory engine for chat assistants that runs where the user is.

pub mod embedding;
pub mod error;
pub mod index;
pub mod memory;
pub mod ports;
pub mod schema;

pub use embedding::Embedding;
pub use error::{Code, Error, Result};
