//! **mnemic** is a memory engine for chat assistants that runs where the user is.

pub mod database;
pub mod engine;
pub mod filter;
pub mod id;
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

pub use filter::Filter;
pub use id::Id;
pub use mnemic_core::embedding::{self, Embedding};
pub use mnemic_core::error::{self, Code, Error, Result};
pub use mnemic_core::index;
pub use record::{Kind, Provenance, Record};
pub use scope::Scope;
