//! **mnemic** is a memory engine for chat assistants that runs where the user is.

pub mod database;
pub mod embedding;
pub mod error;
pub mod filter;
pub mod id;
pub mod index;
pub mod log;
pub mod memory;
pub mod ports;
pub mod record;
pub mod schema;
pub mod scope;
pub mod storage;
pub mod store;
pub mod time;
pub mod tokens;
#[cfg(target_arch = "wasm32")]
pub mod web;

pub use embedding::Embedding;
pub use error::{Code, Error, Result};
pub use filter::Filter;
pub use id::Id;
pub use record::{Kind, Provenance, Record};
pub use scope::Scope;
