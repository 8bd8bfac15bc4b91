//! The memory systems: what an application remembers with, on the database and the application's models.

mod action;
mod activity;
mod category;
mod embedding;
mod extract;
pub mod facts;
pub mod ingest;
pub mod message;
pub mod models;
pub mod profiles;
pub mod prompts;
pub mod search;
mod task;
pub mod threads;

mod limits;

pub use action::{Action, Done};
pub use category::Category;
pub use limits::{MAX_LIMIT, MAX_METADATA_BYTES, MAX_QUERY_BYTES};
