//! Asking: the application's models, and the prompts they are asked with.

pub mod models;
pub mod prompts;
pub(crate) mod transcript;
