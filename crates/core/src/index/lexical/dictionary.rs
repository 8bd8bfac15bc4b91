//! Terms and their numbers: an open-addressing hash table over one string that holds every term.

use crate::growth::doubled_bytes;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// Numbers terms in the order they come, from 0.
#[derive(Default)]
pub(super) struct Dictionary {
    /// All terms, one after the other.
    text: String,
    /// Where each term ends in `text`.
    ends: Vec<usize>,
    /// A power of two of slots, at most three quarters used; linear probing.
    slots: Vec<Slot>,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    /// The number of the term, or [`EMPTY`].
    term: u32,
}

const EMPTY: u32 = u32::MAX;
/// How many slots a dictionary has that is not empty, at least.
const LEAST_SLOTS: usize = 64;

impl Dictionary {
    /// How many terms there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The most bytes that it holds on the heap.
    pub(super) fn memory_bytes(&self) -> usize {
        doubled_bytes(self.text.len(), 1)
            + doubled_bytes(self.ends.len(), size_of::<usize>())
            // Three eighths of the places are taken at least.
            + (self.len() * 8 / 3).max(self.slots.len().min(LEAST_SLOTS)) * size_of::<Slot>()
    }

    /// The term with a number; empty when there is none.
    pub(super) fn term(&self, number: u32) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(number).and_then(|end| self.text.get(start..*end)).unwrap_or_default()
    }

    /// The number of a term.
    pub(super) fn find(&self, term: &str) -> Option<u32> {
        let at = self.place(hash(term), term)?;
        self.slots.get(at).map(|slot| slot.term).filter(|number| *number != EMPTY)
    }

    /// The number of a term, a new one when it is new.
    pub(super) fn number(&mut self, term: &str) -> u32 {
        let hash = hash(term);
        // Terms are bytes in memory, so there are fewer than 2^32 of them in any memory that holds the postings too.
        let new = Slot { hash, term: self.ends.len() as u32 };
        let at = self.place(hash, term);
        let room = self.slots.len() * 3 / 4;
        let slot = at.and_then(|at| self.slots.get_mut(at));
        if let Some(slot) = &slot
            && slot.term != EMPTY
        {
            return slot.term;
        }
        self.text.push_str(term);
        self.ends.push(self.text.len());
        match slot {
            Some(slot) if self.ends.len() <= room => *slot = new,
            _ => {
                self.grow();
                self.fill(new);
            }
        }
        new.term
    }

    /// Where a term is, or would be; `None` only when there are no slots.
    fn place(&self, hash: u32, term: &str) -> Option<usize> {
        self.probe(hash, |slot| slot.term == EMPTY || (slot.hash == hash && self.term(slot.term) == term))
    }

    fn grow(&mut self) {
        let larger = (self.slots.len() * 2).max(LEAST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![Slot { hash: 0, term: EMPTY }; larger]);
        for slot in old.into_iter().filter(|slot| slot.term != EMPTY) {
            self.fill(slot);
        }
    }

    /// Writes a slot to the first empty place for its hash.
    fn fill(&mut self, new: Slot) {
        if let Some(slot) =
            self.probe(new.hash, |slot| slot.term == EMPTY).and_then(|at| self.slots.get_mut(at))
        {
            *slot = new;
        }
    }

    /// The first place for a hash whose slot is wanted; `None` only when there are no slots.
    fn probe(&self, hash: u32, wanted: impl Fn(&Slot) -> bool) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        (0..=mask)
            .map(|step| (hash as usize).wrapping_add(step) & mask)
            .find(|place| self.slots.get(*place).is_some_and(&wanted))
    }
}

/// The hash of a term.
pub(super) fn hash(term: &str) -> u32 {
    let hash = FxBuildHasher.hash_one(term);
    // The halves are mixed, so that the low bits are good where the hasher works with 32 bits and where with 64.
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_terms_in_order_and_finds_them() {
        let mut dictionary = Dictionary::default();
        assert_eq!(dictionary.find("a"), None);
        for number in 0..10_000u32 {
            assert_eq!(dictionary.number(&format!("term{number}")), number);
        }
        for number in 0..10_000u32 {
            assert_eq!(dictionary.find(&format!("term{number}")), Some(number));
            assert_eq!(dictionary.number(&format!("term{number}")), number);
            assert_eq!(dictionary.term(number), format!("term{number}"));
        }
        assert_eq!(dictionary.len(), 10_000);
        assert_eq!((dictionary.find("term10000"), dictionary.find("")), (None, None));
        assert_eq!(dictionary.term(10_000), "");
    }
}
