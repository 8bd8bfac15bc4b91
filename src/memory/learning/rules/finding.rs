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
    /// It is meant only if it ends something known.
    pub(super) presumes: bool,
    pub(super) ends: Vec<Ending>,
}

impl Finding {
    pub(super) fn new(slot: Slot, value: impl Into<String>, sentence: &'static str) -> Self {
        Self::of(slot, value.into(), sentence)
    }

    #[inline(never)]
    fn of(slot: Slot, value: String, sentence: &'static str) -> Self {
        let (topic, ends) = (None, Vec::new());
        Self { slot, topic, value, sentence, retracts: false, happened: false, presumes: false, ends }
    }

    /// Whether it tells of somebody else, whom the next words may be about: "I have a cat", "my sister is called Ana".
    pub(super) fn introduces(&self) -> bool {
        matches!(self.slot, Slot::Pet | Slot::Family)
    }

    /// What no longer holds.
    #[inline(never)]
    pub(super) fn over(mut self) -> Self {
        self.retracts = true;
        self
    }

    /// A change.
    #[inline(never)]
    pub(super) fn happened(mut self) -> Self {
        self.happened = true;
        self
    }

    /// A change, with what it ends.
    #[inline(never)]
    pub(super) fn ending(self, ending: Ending) -> Self {
        Self { ends: vec![ending], ..self.happened() }
    }

    /// What is meant only if it ends something known: of whom "나비가 죽었어" tells is known from "고양이 이름은 나비야".
    #[inline(never)]
    pub(super) fn presuming(self) -> Self {
        Self { presumes: true, ..self }
    }

    /// A change that ends everything in some slots.
    #[inline(never)]
    pub(super) fn closing(self, slots: &[Slot]) -> Self {
        Self { ends: slots.iter().map(|slot| Ending::of(*slot)).collect(), ..self.happened() }
    }

    #[inline(never)]
    pub(super) fn about(mut self, topic: &str) -> Self {
        self.topic = Some(topic.to_owned());
        self
    }

    /// The statement, in words and with where it was said.
    #[inline(never)]
    pub(super) fn stated(self, text: String, quote: Range<usize>) -> Statement {
        Statement {
            slot: self.slot,
            topic: self.topic,
            value: self.value,
            text,
            quote,
            retracts: self.retracts,
            happened: self.happened,
            lasts: false,
            presumes: self.presumes,
            ends: self.ends,
        }
    }
}
