//! The memory systems: what an application remembers with, on the database and the application's models.

mod action;
mod activity;
mod background;
mod category;
pub mod consolidation;
pub mod documents;
mod embedding;
mod expiry;
mod extract;
pub mod facts;
pub mod graph;
pub mod ingest;
pub mod item;
pub mod message;
pub mod models;
pub mod past;
pub mod profiles;
pub mod prompts;
pub mod proposals;
pub mod recall;
pub mod rules;
pub mod search;
mod task;
pub mod threads;
pub mod ttl;

mod limits;

pub use action::{Action, Done};
pub use background::Background;
pub use category::Category;
pub use extract::Person;
pub use limits::{MAX_LABEL_BYTES, MAX_LABELS, MAX_LIMIT, MAX_METADATA_BYTES, MAX_QUERY_BYTES};
