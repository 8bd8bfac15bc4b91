//! Counting tokens, as the application does it or by the estimate.

use crate::database::{Database, Event};
use crate::ports::Tokenizer;
use crate::tokens;
use std::cell::Cell;
use std::rc::Rc;

/// What a message of a chat costs beside its text: its role, and where it begins and ends.
pub const MESSAGE_TOKENS: usize = 4;

/// What counts the tokens of texts; by the estimate by default. Clones count alike.
#[derive(Clone, Default)]
pub struct Counter {
    own: Option<Rc<Own>>,
}

/// The application's tokenizer.
struct Own {
    tokenizer: Rc<dyn Tokenizer>,
    database: Database,
    /// Whether a failure was told already.
    told: Cell<bool>,
}

impl Counter {
    /// Counts with a tokenizer, or by the estimate.
    pub(crate) fn new(tokenizer: Option<Rc<dyn Tokenizer>>, database: &Database) -> Self {
        let own = |tokenizer| Rc::new(Own { tokenizer, database: database.clone(), told: Cell::default() });
        Self { own: tokenizer.map(own) }
    }

    /// Counts by the estimate.
    #[cfg(test)]
    pub(crate) fn estimate() -> Self {
        Self { own: None }
    }

    /// How many tokens a message with this text costs.
    #[must_use]
    pub fn message(&self, text: &str) -> usize {
        MESSAGE_TOKENS + self.count(text)
    }

    /// How many tokens a text has. Where the tokenizer fails it is the estimate, and the listeners are told the first time.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        let Some(own) = &self.own else { return tokens::estimate(text) };
        match own.tokenizer.count(text) {
            Ok(tokens) => tokens,
            Err(error) => {
                if !own.told.replace(true) {
                    own.database.tell(&Event::Error(error));
                }
                tokens::estimate(text)
            }
        }
    }
}
