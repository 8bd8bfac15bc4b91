//! A finding: what a clause says, before it is put into a sentence.

use super::slot::Slot;
use super::statement::Statement;
use std::ops::Range;

/// What a clause says: its slot, topic and value, and how to tell it.
pub(super) struct Finding {
    pub(super) slot: Slot,
    pub(super) topic: Option<String>,
    pub(super) value: String,
    /// The sentence, with a place for the value.
    pub(super) sentence: &'static str,
}

impl Finding {
    pub(super) fn new(slot: Slot, value: impl Into<String>, sentence: &'static str) -> Self {
        Self { slot, topic: None, value: value.into(), sentence }
    }

    pub(super) fn about(mut self, topic: &str) -> Self {
        self.topic = Some(topic.to_owned());
        self
    }

    /// The statement, in words and with where it was said.
    pub(super) fn stated(self, text: String, quote: Range<usize>) -> Statement {
        Statement { slot: self.slot, topic: self.topic, value: self.value, text, quote, retracts: false }
    }
}
