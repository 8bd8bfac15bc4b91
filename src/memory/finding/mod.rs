//! Finding: how records are searched, scored, and noted as used.

pub(crate) mod access;
mod newer;
pub mod scoring;
pub mod search;
mod turns;
