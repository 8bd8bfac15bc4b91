//! Numbers of ids, in the order in which the ids came.

use crate::pieces::Pieces;
use crate::places::{self, Places};

/// The bytes of an id.
type Bytes = [u8; 16];

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
    numbers: Places,
    /// Whether an id was ever removed: a row may have no number then.
    has_gaps: bool,
}

impl Default for Numbering {
    fn default() -> Self {
        Self { ids: Pieces::new(size_of::<Bytes>()), numbers: Places::default(), has_gaps: false }
    }
}

impl Numbering {
    /// The number of an id; `None` when it has none.
    #[must_use]
    #[inline(never)]
    pub fn get(&self, id: Bytes) -> Option<u32> {
        self.numbers.get(hash(id), |number| is_id(&self.ids, number, id))
    }

    /// The number of an id of which it is likely that it came right behind another one.
    #[must_use]
    pub fn get_behind(&self, number: Option<u32>, id: Bytes) -> Option<u32> {
        let next = number.map_or(0, |number| number.wrapping_add(1));
        let is_next = !self.has_gaps && is_id(&self.ids, next, id);
        if is_next { Some(next) } else { self.get(id) }
    }

    /// The number of an id, the next one when it has none. There are fewer than 2^32 - 2 of them in any memory.
    #[inline(never)]
    pub fn number(&mut self, id: Bytes) -> u32 {
        if let Some(number) = self.get(id) {
            return number;
        }
        let number = self.ids.len() as u32;
        self.ids.push(&id);
        let ids = &self.ids;
        self.numbers.insert(number, |number| {
            hash(ids.row(number as usize).first_chunk().copied().unwrap_or_default())
        });
        number
    }

    /// Forgets the number of an id.
    pub fn remove(&mut self, id: Bytes) {
        let ids = &self.ids;
        self.has_gaps |= self.numbers.remove(hash(id), |number| is_id(ids, number, id)).is_some();
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
        self.ids.memory_bytes() + self.numbers.memory_bytes()
    }
}

/// Whether a number is that of an id, by two comparisons of numbers and not sixteen of bytes.
fn is_id(ids: &Pieces<u8>, number: u32, id: Bytes) -> bool {
    let found = ids.row(number as usize).first_chunk();
    found.is_some_and(|found| u128::from_le_bytes(*found) == u128::from_le_bytes(id))
}

fn hash(id: Bytes) -> u32 {
    let bits = u128::from_le_bytes(id);
    places::hash(bits as u64 ^ ((bits >> 64) as u64).rotate_left(23))
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
            prop_assert_eq!(numbering.iter().collect::<HashMap<_, _>>(), model);
        }
    }
}
