//! The vector that an application gives with a fact.

use super::add::Stretch;
use super::{Facts, NewFact};
use crate::embedding::Embedding;
use crate::error::Result;
use crate::memory::limits::invalid;

impl Facts {
    /// The vector that came with a fact.
    pub(super) fn vector(&self, fact: &NewFact) -> Result<Option<Embedding>> {
        let Some(Stretch { at, length }) = fact.embedding else { return Ok(None) };
        if !self.models.has_embedder() {
            return Err(invalid(
                "embedding is a vector of your own embedder; open the memory with one".to_owned(),
            ));
        }
        let given = self.given.borrow();
        let numbers = at.checked_add(length).and_then(|end| given.get(at..end));
        let numbers = numbers.ok_or_else(|| {
            invalid(format!(
                "embedding is {length} numbers from {at} on, of the {} that came with the call",
                given.len()
            ))
        })?;
        Embedding::quantise(self.models.embedder_id(), numbers).map(Some)
    }
}
