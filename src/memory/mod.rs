//! The memory systems: what an application remembers with, on the database and the application's models.

mod access;
mod action;
mod activity;
pub mod assembly;
mod background;
mod category;
pub mod consolidation;
pub mod context;
mod conversation;
pub mod counter;
pub mod documents;
mod embedding;
pub mod episodes;
mod expiry;
mod extract;
pub mod facts;
pub mod graph;
pub mod ingest;
pub mod instructions;
pub mod items;
pub mod message;
pub mod models;
mod page;
pub mod past;
pub mod profiles;
pub mod prompts;
pub mod proposals;
pub mod recall;
pub mod rules;
pub mod scoring;
pub mod search;
mod source;
mod task;
pub mod threads;
pub mod tiers;
pub mod ttl;

mod limits;

pub(crate) use access::Accesses;
pub use action::{Action, Done};
pub use background::Background;
pub use category::Category;
pub use extract::Person;
pub use limits::{MAX_LABEL_BYTES, MAX_LABELS, MAX_LIMIT, MAX_METADATA_BYTES, MAX_QUERY_BYTES};
