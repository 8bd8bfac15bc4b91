//! Prompting: what a model is given.

pub mod assembly;
pub mod recall;
