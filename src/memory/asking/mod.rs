//! Asking: the application's models, and the prompts they are asked with.

pub(crate) mod conversation;
pub mod models;
pub mod prompts;
