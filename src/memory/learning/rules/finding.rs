//! A finding: what a clause says, before it is put into a sentence.

use super::slot::Slot;
use super::statement::{Ending, Statement};
use std::ops::Range;

/// What a clause says: its slot, topic and value, and how to tell it.
pub(super) struct Finding {
    pub(super) slot: Slot,
    pub(super) topic: Option<String>,
    pub(super) value: String,
    /// The sentence, with a place for the value.
    pub(super) sentence: &'static str,
    /// It no longer holds.
    pub(super) retracts: bool,
    /// It tells of a change.
    pub(super) happened: bool,
    pub(super) ends: Vec<Ending>,
}

impl Finding {
    pub(super) fn new(slot: Slot, value: impl Into<String>, sentence: &'static str) -> Self {
        let value = value.into();
        Self { slot, topic: None, value, sentence, retracts: false, happened: false, ends: Vec::new() }
    }

    /// What no longer holds.
    pub(super) fn over(mut self) -> Self {
        self.retracts = true;
        self
    }

    /// A change, with what it ends.
    pub(super) fn ending(mut self, ends: impl IntoIterator<Item = Ending>) -> Self {
        self.happened = true;
        self.ends.extend(ends);
        self
    }

    pub(super) fn about(mut self, topic: &str) -> Self {
        self.topic = Some(topic.to_owned());
        self
    }

    /// The statement, in words and with where it was said.
    pub(super) fn stated(self, text: String, quote: Range<usize>) -> Statement {
        Statement {
            slot: self.slot,
            topic: self.topic,
            value: self.value,
            text,
            quote,
            retracts: self.retracts,
            happened: self.happened,
            ends: self.ends,
        }
    }
}
