//! Paging: conversations that move between a model's window and the store, as an operating system pages.

pub mod context;
pub mod tiers;
pub(crate) mod tools;
