//! Keeping: the systems that keep records, each with what applications do to them.

pub mod documents;
pub mod episodes;
pub mod facts;
pub mod graph;
pub mod instructions;
pub mod items;
pub mod past;
pub mod profiles;
pub mod proposals;
pub mod threads;
