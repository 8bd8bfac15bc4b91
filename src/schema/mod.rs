//! JSON Schema, draft 2020-12: compile a schema once, then list where a value breaks it.
//!
//! [`Schema::compile`] reads a schema and refuses, with [`Code::InvalidSchema`](crate::Code::InvalidSchema), whatever it
//! cannot honour: a malformed keyword, a reference that leaves the document, `$dynamicRef`, an array as `items`. Keywords
//! nobody defined are annotations and stay without effect, as the specification says. [`Schema::validate`] lists
//! [`Violation`]s that read well to people and to a model asked to repair its answer; [`parse_lenient`] reads such answers.
//!
//! Both sides may be hostile. Compiling is bounded in depth, size and pattern length; validating is bounded in recursion
//! and in work, and a value that cannot be judged within the bounds is reported as a violation, never accepted.
//!
//! All this is shipped to browsers, so size goes before speed where little runs: compiling and the wording of messages are
//! marked cold and kept out of line.

mod answer;
mod compile;
mod draft;
mod equal;
mod format;
mod keyword;
mod locate;
mod number;
mod pattern;
mod property;
mod uri;
mod validate;
mod violation;

pub use answer::parse_lenient;
pub(crate) use answer::{last_object, parse_beginning, parse_values};
pub use compile::Schema;
pub use property::PropertySchema;
pub use violation::Violation;

#[cfg(test)]
mod tests;
