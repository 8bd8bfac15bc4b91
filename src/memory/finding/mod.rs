//! Finding: how records are searched, scored, and noted as used.

pub(crate) mod access;
pub mod scoring;
pub mod search;
