//! The postings of a term.

use crate::growth::{list_bytes, reserve};

/// The bits of a posting that tell how often.
const FREQUENCY_BITS: u32 = 6;
/// So often a term counts in one document at most: it adds hardly anything from the tenth time on.
pub(super) const MAX_FREQUENCY: u32 = (1 << FREQUENCY_BITS) - 1;
/// Documents in later slots are not indexed: there is no memory that holds so many.
pub(super) const SLOTS: u32 = 1 << (u32::BITS - FREQUENCY_BITS);

/// A term in a document: 4 bytes, in the order of the slots.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Posting(u32);

impl Posting {
    pub(super) fn new(slot: u32, frequency: u32) -> Self {
        Self(slot << FREQUENCY_BITS | frequency.min(MAX_FREQUENCY))
    }

    /// The same for another slot.
    pub(super) fn moved(self, slot: u32) -> Self {
        Self(slot << FREQUENCY_BITS | self.frequency())
    }

    pub(super) fn slot(self) -> u32 {
        self.0 >> FREQUENCY_BITS
    }

    pub(super) fn frequency(self) -> u32 {
        self.0 & MAX_FREQUENCY
    }
}

/// Postings ascending by slot. About half of all words stand in one document only, which takes no piece of the heap.
#[derive(Debug, Default)]
pub(super) enum Postings {
    #[default]
    None,
    One(Posting),
    Many(Vec<Posting>),
}

impl Postings {
    /// All of them.
    pub(super) fn as_slice(&self) -> &[Posting] {
        match self {
            Self::None => &[],
            Self::One(posting) => std::slice::from_ref(posting),
            Self::Many(postings) => postings,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.as_slice().len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.as_slice().is_empty()
    }

    /// The most bytes that they take on the heap.
    pub(super) fn bytes(&self) -> usize {
        match self.len() {
            0 | 1 => 0,
            count => list_bytes(count, size_of::<Posting>()),
        }
    }

    /// Makes room for so many more.
    fn reserve(&mut self, more: usize) {
        match self {
            Self::Many(postings) => reserve(postings, more),
            few if few.len() + more > 1 => {
                let mut postings = Vec::with_capacity(few.len() + more);
                postings.extend_from_slice(few.as_slice());
                *few = Self::Many(postings);
            }
            _ => {}
        }
    }

    /// Adds one for a slot that has none.
    #[inline(never)]
    pub(super) fn add(&mut self, posting: Posting) {
        self.reserve(1);
        let Self::Many(postings) = self else {
            *self = Self::One(posting);
            return;
        };
        // Most come behind all others; only a slot that was free before does not.
        match postings.last() {
            Some(last) if last.slot() > posting.slot() => {
                postings.insert(postings.partition_point(|other| other.slot() < posting.slot()), posting);
            }
            _ => postings.push(posting),
        }
    }

    /// Adds some, ascending and behind all of these if `are_last`.
    pub(super) fn extend(&mut self, added: &[Posting], are_last: bool) {
        self.reserve(added.len());
        match self {
            Self::Many(postings) if are_last => postings.extend_from_slice(added),
            _ => added.iter().for_each(|posting| self.add(*posting)),
        }
    }

    /// Takes the one of a slot out; `false` when there is none.
    pub(super) fn remove(&mut self, slot: u32) -> bool {
        let Ok(place) = self.place(slot) else { return false };
        match self {
            Self::Many(postings) if postings.len() > 2 => drop(postings.remove(place)),
            Self::Many(postings) => {
                postings.remove(place);
                *self = postings.first().map_or(Self::None, |posting| Self::One(*posting));
            }
            _ => *self = Self::None,
        }
        true
    }

    /// The one of a slot.
    pub(super) fn of(&self, slot: u32) -> Option<&Posting> {
        self.as_slice().get(self.place(slot).ok()?)
    }

    fn place(&self, slot: u32) -> Result<usize, usize> {
        self.as_slice().binary_search_by_key(&slot, |posting| posting.slot())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn they_are_a_map_by_slot(steps in prop::collection::vec((0..12_u32, 0..70_u32, 0..3_u8), 0..80)) {
            let (mut postings, mut model) = (Postings::default(), BTreeMap::new());
            for (slot, frequency, step) in steps {
                if step == 0 {
                    postings.remove(slot);
                    model.remove(&slot);
                } else if !model.contains_key(&slot) {
                    let posting = Posting::new(slot, frequency);
                    let last = Posting::new(12 + slot, 1);
                    if step == 1 && model.keys().all(|other| *other < slot) {
                        postings.extend(&[posting, last], true);
                        model.insert(last.slot(), 1);
                    } else if step == 1 && !model.contains_key(&last.slot()) {
                        postings.extend(&[last, posting], false);
                        model.insert(last.slot(), 1);
                    } else {
                        postings.add(posting);
                    }
                    model.insert(slot, frequency.min(MAX_FREQUENCY));
                }
                let all: Vec<_> = postings.as_slice().iter().map(|one| (one.slot(), one.frequency())).collect();
                prop_assert_eq!(&all, &model.clone().into_iter().collect::<Vec<_>>());
                prop_assert_eq!((postings.len(), postings.is_empty()), (model.len(), model.is_empty()));
                let of = |slot| postings.of(slot).map(|one| one.frequency());
                prop_assert!((0..24).all(|slot| of(slot) == model.get(&slot).copied()));
            }
        }
    }

    #[test]
    fn they_take_no_more_than_a_list() {
        assert_eq!(size_of::<Postings>(), size_of::<Vec<Posting>>());
    }
}
