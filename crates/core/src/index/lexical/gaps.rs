//! Ascending numbers in few bytes: the gaps between them, as varints.

/// Numbers in ascending order, each once.
#[derive(Default)]
pub(super) struct Gaps(Box<[u8]>);

impl Gaps {
    /// How many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        self.0.len()
    }

    /// The numbers, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let mut bytes = self.0.iter();
        let mut next = 0;
        std::iter::from_fn(move || {
            let (mut gap, mut shift) = (0, 0);
            loop {
                let byte = *bytes.next()?;
                gap |= u32::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    let number = next + gap;
                    next = number + 1;
                    return Some(number);
                }
            }
        })
    }
}

impl Gaps {
    /// Ascending numbers, each once; `room` is kept by the caller for its memory.
    pub(super) fn of(numbers: impl Iterator<Item = u32>, room: &mut Vec<u8>) -> Self {
        room.clear();
        let mut next = 0;
        for number in numbers {
            write_number(room, number - next);
            next = number + 1;
        }
        Self(room.as_slice().into())
    }
}

/// Writes a number in groups of seven bits, little-endian (LEB128).
pub(super) fn write_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::btree_set(0..u32::MAX, 0..40)) {
            let numbers: BTreeSet<u32> = numbers;
            let copied = numbers.iter().copied();
            prop_assert!(Gaps::of(copied, &mut vec![7]).iter().eq(numbers));
        }
    }
}
