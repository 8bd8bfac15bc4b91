//! Texts in parts: whose the vectors of the second part and those behind it are.

use crate::growth::{doubled_bytes, list_bytes, push};
use crate::ordered::Ordered;

/// From here on, vectors are numbered that are not the first of their document.
const FURTHER: u32 = 1 << 31;

/// The further vectors of the documents of one collection. The first has the number of its document.
#[derive(Default)]
pub(super) struct Parts {
    /// By document, the numbers in the order of the parts.
    further: Ordered<u32, Vec<u32>>,
    /// The document of each number.
    owners: Vec<u32>,
    /// The numbers that are nobody's.
    free: Vec<u32>,
}

impl Parts {
    /// Whether no document has more than one vector.
    pub(super) fn is_empty(&self) -> bool {
        self.further.is_empty()
    }

    /// A number for one more vector of a document.
    pub(super) fn add(&mut self, document: u32) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            push(&mut self.owners, document);
            FURTHER | (self.owners.len() - 1) as u32
        });
        if let Some(owner) = self.owners.get_mut((number ^ FURTHER) as usize) {
            *owner = document;
        }
        self.further.update(document, |numbers| numbers.push(number));
        number
    }

    /// Takes all of them from a document: their numbers.
    pub(super) fn take(&mut self, document: u32) -> Vec<u32> {
        let numbers = self.further.remove(&document).unwrap_or_default();
        numbers.iter().for_each(|number| push(&mut self.free, *number));
        numbers
    }

    /// The document that a vector is of.
    pub(super) fn owner(&self, number: u32) -> u32 {
        let further = number.checked_sub(FURTHER);
        further.and_then(|place| self.owners.get(place as usize)).map_or(number, |owner| *owner)
    }

    /// The numbers of a document's vectors, in the order of its parts.
    pub(super) fn of(&self, document: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::once(document).chain(self.further.get(&document).into_iter().flatten().copied())
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let lists: usize = self.further.values().map(|numbers| doubled_bytes(numbers.len().max(2), 4)).sum();
        let entries = self.further.len() * size_of::<(u32, Vec<u32>)>() * 4 / 3;
        lists + entries + list_bytes(self.owners.len(), 4) + list_bytes(self.free.len(), 4)
    }
}
