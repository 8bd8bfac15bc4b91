//! Keeping: records, and what applications do to them.

pub mod archive;
pub mod blocks;
pub mod documents;
pub mod episodes;
pub mod facts;
pub mod graph;
pub mod instructions;
pub mod items;
pub(crate) mod pages;
pub mod past;
pub mod profiles;
pub mod proposals;
pub(crate) mod task;
pub mod threads;
pub(crate) mod withheld;
