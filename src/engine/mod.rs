//! The engine: opens a memory, wires its systems together and takes calls.

mod call;
#[expect(clippy::module_inception, reason = "the folder is the layer, the file its one type")]
mod engine;
mod input;
mod inspect;
mod tools;
mod transfer;

pub use engine::{Engine, Options, Parts, Protection, Usage};
pub use inspect::Inspection;
pub use tools::{Called, ToolCall, ToolList};
