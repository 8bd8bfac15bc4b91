//! Prompting: what a model is given.

pub mod assembly;
pub mod compose;
pub mod recall;
pub mod rewriting;
