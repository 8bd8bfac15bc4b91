//! What a model may call: one table, one check of arguments, and one way to tell it what came of a call.

mod fit;
mod outcome;
mod tool;

pub(crate) use fit::RESULT_TOKENS;
pub(crate) use outcome::outcome;
pub(crate) use tool::{SETS, Tool, unknown};
