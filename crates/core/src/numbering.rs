//! Numbers of ids, in the order in which the ids came.

use crate::pieces::Pieces;

/// The bytes of an id.
type Bytes = [u8; 16];

/// What stands where no id is, and where one was.
const EMPTY: u32 = u32::MAX;
const REMOVED: u32 = u32::MAX - 1;

/// An odd number whose bits look random: the fraction of the golden ratio.
const MIXER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Ids by number and numbers by id. The first id has number 0; a number is given once, also when its id is removed.
///
/// ```
/// let mut numbering = mnemic_core::numbering::Numbering::default();
/// assert_eq!((numbering.number([7; 16]), numbering.number([8; 16]), numbering.number([7; 16])), (0, 1, 0));
/// assert_eq!((numbering.get([8; 16]), numbering.get([9; 16])), (Some(1), None));
/// ```
#[derive(Debug)]
pub struct Numbering {
    ids: Pieces<u8>,
    /// A power of two of places for numbers, at most three quarters used; linear probing. Hashes are not kept: an id has its own bits.
    places: Vec<u32>,
    /// How many places are not empty, and of how many of these the id was removed.
    used: usize,
    vacated: usize,
    /// Whether an id was ever removed: a row may have no number then.
    has_gaps: bool,
}

impl Default for Numbering {
    fn default() -> Self {
        Self {
            ids: Pieces::new(size_of::<Bytes>()),
            places: Vec::new(),
            used: 0,
            vacated: 0,
            has_gaps: false,
        }
    }
}

impl Numbering {
    /// The number of an id; `None` when it has none.
    #[must_use]
    #[inline(never)]
    pub fn get(&self, id: Bytes) -> Option<u32> {
        self.places.get(self.place(id)?).copied()
    }

    /// The number of an id of which it is likely that it came right behind another one.
    #[must_use]
    pub fn get_behind(&self, number: Option<u32>, id: Bytes) -> Option<u32> {
        let next = number.map_or(0, |number| number.wrapping_add(1));
        let is_next = !self.has_gaps && self.ids.row(next as usize) == id;
        if is_next { Some(next) } else { self.get(id) }
    }

    /// The number of an id, the next one when it has none. There are fewer than 2^32 - 2 of them in any memory.
    #[inline(never)]
    pub fn number(&mut self, id: Bytes) -> u32 {
        if let Some(number) = self.get(id) {
            return number;
        }
        if (self.used + 1) * 4 > self.places.len() * 3 {
            self.grow();
        }
        let number = self.ids.len() as u32;
        self.ids.push(&id);
        self.fill(number);
        self.used += 1;
        number
    }

    /// Forgets the number of an id.
    pub fn remove(&mut self, id: Bytes) {
        let place = self.place(id).and_then(|place| self.places.get_mut(place));
        if let Some(place) = place {
            *place = REMOVED;
            self.vacated += 1;
            self.has_gaps = true;
        }
    }

    /// The ids that have numbers, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Bytes, u32)> {
        let ids = (0..).zip(self.ids.iter().filter_map(|id| id.first_chunk().copied()));
        ids.filter(|(number, id)| !self.has_gaps || self.get(*id) == Some(*number))
            .map(|(number, id)| (id, number))
    }

    /// The most bytes held on the heap for what is here.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        // A quarter of the places is taken at least.
        self.ids.memory_bytes() + 4 * self.used * size_of::<u32>()
    }

    fn grow(&mut self) {
        let kept = self.used - self.vacated;
        let length = ((kept + 1) * 2).next_power_of_two().max(16);
        let old = std::mem::replace(&mut self.places, vec![EMPTY; length]);
        for number in old.into_iter().filter(|number| *number < REMOVED) {
            self.fill(number);
        }
        (self.used, self.vacated) = (kept, 0);
    }

    /// Writes a number to the first empty place for its id.
    fn fill(&mut self, number: u32) {
        let id = self.ids.row(number as usize).first_chunk().copied().unwrap_or_default();
        let at = self.probe(id, |place| place == EMPTY);
        if let Some(place) = at.and_then(|at| self.places.get_mut(at)) {
            *place = number;
        }
    }

    /// Where the number of an id stands.
    fn place(&self, id: Bytes) -> Option<usize> {
        let is_it = |number: u32| number < REMOVED && self.ids.row(number as usize) == id;
        let at = self.probe(id, |number| number == EMPTY || is_it(number))?;
        self.places.get(at).filter(|number| **number != EMPTY).map(|_| at)
    }

    /// The first place for an id that is wanted; `None` only when there are no places.
    fn probe(&self, id: Bytes, wanted: impl Fn(u32) -> bool) -> Option<usize> {
        let (hash, mask) = (hash(id), self.places.len().checked_sub(1)?);
        (0..=mask)
            .map(|step| (hash as usize).wrapping_add(step) & mask)
            .find(|at| self.places.get(*at).is_some_and(|number| wanted(*number)))
    }
}

fn hash(id: Bytes) -> u32 {
    let bits = u128::from_le_bytes(id);
    let mixed = (bits as u64 ^ ((bits >> 64) as u64).rotate_left(23)).wrapping_mul(MIXER);
    (mixed >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn what_is_removed_counts_once_for_all_that_comes_later() {
        let mut numbering = Numbering::default();
        for id in 0..2000_u128 {
            assert_eq!(numbering.number(id.to_le_bytes()), id as u32);
            if id % 3 != 0 {
                numbering.remove(id.to_le_bytes());
            }
        }
        for id in 0..2000_u128 {
            let expected = (id % 3 == 0).then_some(id as u32);
            assert_eq!(numbering.get(id.to_le_bytes()), expected);
        }
    }

    proptest! {
        #[test]
        fn it_is_a_map_that_numbers_what_comes(steps in prop::collection::vec((0..200_u128, 0..5_u8), 0..800)) {
            let (mut numbering, mut model, mut next) = (Numbering::default(), HashMap::new(), 0);
            for (id, step) in steps {
                let id = id.to_le_bytes();
                prop_assert_eq!(numbering.get(id), model.get(&id).copied());
                if step == 0 {
                    numbering.remove(id);
                    model.remove(&id);
                } else {
                    let expected = *model.entry(id).or_insert(next);
                    next = next.max(expected + 1);
                    prop_assert_eq!(numbering.number(id), expected);
                }
                for before in [None, Some(0), Some(next)] {
                    prop_assert_eq!(numbering.get_behind(before, id), model.get(&id).copied());
                }
            }
            prop_assert!(numbering.used * 4 <= numbering.places.len() * 3);
            prop_assert_eq!(numbering.iter().collect::<HashMap<_, _>>(), model);
        }
    }
}
