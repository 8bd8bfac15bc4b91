//! Learning: from what was said to what is known.

mod alike;
pub mod consolidation;
pub(crate) mod extract;
pub mod ingest;
pub mod rules;
