//! Regular expressions for `pattern` and `patternProperties`: ECMAScript, as with its `u` flag, in linear time.
//!
//! A general regular expression engine weighs more than the rest of this validator, and lacks the look-ahead that
//! generated schemas use (an e-mail pattern, typically). Here only one question is asked, whether a text matches, and one
//! backward pass over the text answers it, look-ahead included; see [`run`]. Look-behind and back references are refused.

mod class;
mod marks;
mod parse;
mod run;

use parse::{Parser, Tree};
use run::Program;

/// Bytes that a pattern may have.
const MAX_BYTES: usize = 8 << 10;

/// A compiled regular expression.
pub(super) struct Pattern {
    source: String,
    program: Program,
}

impl Pattern {
    /// Compiles `source`.
    ///
    /// # Errors
    /// What is wrong with it, as the end of a sentence that begins "it is ..., which".
    pub(super) fn compile(source: &str) -> Result<Self, String> {
        if source.len() > MAX_BYTES {
            return Err(format!("is longer than {MAX_BYTES} bytes"));
        }
        let (tree, classes) = Parser::parse(source)?;
        Ok(Self { source: source.to_owned(), program: Program::build(&tree, classes)? })
    }

    /// Whether some part of `text` matches.
    pub(super) fn is_match(&self, text: &str) -> bool {
        self.program.is_match(text)
    }

    /// The units of work that matching `text` takes.
    pub(super) fn work(&self, text: &str) -> usize {
        (self.program.steps() / 16 + 1).saturating_mul(text.len() + 1)
    }

    /// The expression as it was written.
    pub(super) fn source(&self) -> &str {
        &self.source
    }
}

#[cfg(test)]
mod tests;
