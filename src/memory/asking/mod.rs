//! Asking: the application's models, the prompts they are asked with, and when texts get their vectors.

pub(crate) mod embedding;
pub mod models;
pub mod prompts;
pub(crate) mod transcript;
