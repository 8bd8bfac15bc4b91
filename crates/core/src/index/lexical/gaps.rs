//! Lists of ascending numbers in few bytes: the gaps between them, as varints, one list behind another.
//!
//! A list of its own on the heap would take as long to make as all of its numbers, and a third more bytes. Lists that were stored stay as
//! they are, with what each of their numbers stands for, until they are moved.

use crate::growth::{list_bytes, push, reserve};

/// How many bytes a piece of several lists has.
const PIECE_BYTES: usize = 1 << 16;

/// A longer list has a piece of its own, so that little is left free at the end of any other.
const LONG_BYTES: usize = PIECE_BYTES / 16;

/// So many bytes of lists that were taken out may stay, besides a byte for every fourth list that there ever was and a sixteenth of what is left.
const SPARE_BYTES: usize = 64;

/// Lists of ascending numbers, each number once in a list.
#[derive(Default)]
pub(super) struct Gaps {
    pieces: Vec<Piece>,
    /// The number of the piece that is being filled.
    filled: Option<usize>,
    /// How many bytes the lists have, and those that were taken out.
    live: usize,
    dead: usize,
    /// How many numbers stand for others.
    replaced: usize,
}

#[derive(Default)]
struct Piece {
    bytes: Vec<u8>,
    /// What each number of its lists stands for; empty where it is itself.
    numbers: Vec<u32>,
}

/// Where a list is. The default is one without numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct List {
    piece: u32,
    start: u32,
    bytes: u32,
}

impl Gaps {
    /// How many numbers stand for others.
    pub(super) fn replaced(&self) -> usize {
        self.replaced
    }

    /// The most bytes that they take on the heap, where so many lists are kept, without those of numbers that stand for others.
    pub(super) fn memory_bytes(&self, lists: usize) -> usize {
        if self.live == 0 {
            return 0;
        }
        let bytes = self.live + self.spare(lists);
        if bytes <= PIECE_BYTES - LONG_BYTES {
            return list_bytes(bytes, 1);
        }
        // A sixteenth of a piece may be left free at its end, and all of the last; the first may have grown beyond what it holds.
        bytes + bytes / 15 + PIECE_BYTES + PIECE_BYTES / 4
    }

    /// How many bytes of lists that were taken out may stay.
    fn spare(&self, lists: usize) -> usize {
        self.live / 16 + SPARE_BYTES + lists / 4
    }

    /// Adds a list; `room` is kept by the caller for its memory.
    pub(super) fn add(&mut self, numbers: impl Iterator<Item = u32>, room: &mut Vec<u8>) -> List {
        room.clear();
        let mut next = 0;
        for number in numbers {
            write_number(room, number - next);
            next = number + 1;
        }
        self.keep(room)
    }

    /// Begins a piece of lists that were stored, of which each number stands for another one: its place.
    pub(super) fn begin_piece(&mut self, bytes: &[u8], numbers: Vec<u32>) -> u32 {
        self.dead += bytes.len();
        self.replaced += numbers.len();
        push(&mut self.pieces, Piece { bytes: bytes.to_vec(), numbers });
        self.pieces.len() as u32 - 1
    }

    /// Adds a list that such a piece has from one byte to another, each once.
    pub(super) fn add_stored(&mut self, piece: u32, start: u32, end: u32) -> List {
        let bytes = end - start;
        self.dead -= bytes as usize;
        self.live += bytes as usize;
        List { piece, start, bytes }
    }

    /// The numbers of a list: in order, unless it was stored.
    pub(super) fn iter(&self, list: List) -> impl Iterator<Item = u32> + '_ {
        let mut bytes = self.bytes(list).iter();
        let numbers = self.pieces.get(list.piece as usize).map(|piece| piece.numbers.as_slice());
        let numbers = numbers.filter(|numbers| !numbers.is_empty());
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
                    return numbers.map_or(Some(number), |numbers| numbers.get(number as usize).copied());
                }
            }
        })
    }

    /// Takes a list out, so that the others can be moved together: `lists` has all of them.
    pub(super) fn remove(&mut self, list: List, lists: &mut [List]) {
        self.live -= list.bytes as usize;
        self.dead += list.bytes as usize;
        self.make_room(lists);
    }

    /// Moves the lists together when too many bytes are of none of them: `lists` has all.
    pub(super) fn make_room(&mut self, lists: &mut [List]) {
        if self.live > 0 && self.dead <= self.spare(lists.len()) {
            return;
        }
        let (old, mut room) = (std::mem::take(self), Vec::new());
        for list in lists {
            let is_stored =
                old.pieces.get(list.piece as usize).is_some_and(|piece| !piece.numbers.is_empty());
            *list = if is_stored {
                self.add(old.in_order(*list).into_iter(), &mut room)
            } else {
                self.keep(old.bytes(*list))
            };
        }
    }

    /// The numbers of a list, in order.
    pub(super) fn in_order(&self, list: List) -> Vec<u32> {
        // As wide as the terms of a text that is indexed, which are put in order by the same code.
        let mut numbers: Vec<u64> = self.iter(list).map(u64::from).collect();
        numbers.sort_unstable();
        numbers.into_iter().map(|number| number as u32).collect()
    }

    fn keep(&mut self, bytes: &[u8]) -> List {
        if bytes.is_empty() {
            return List::default();
        }
        let is_long = bytes.len() > LONG_BYTES;
        let has_room = |piece: &Piece| piece.bytes.len() + bytes.len() <= PIECE_BYTES;
        let filled = self.filled.filter(|number| !is_long && self.pieces.get(*number).is_some_and(has_room));
        let number = filled.unwrap_or_else(|| {
            // The first piece grows with what is in it, for mostly it is the only one.
            let whole = if is_long || self.filled.is_none() { 0 } else { PIECE_BYTES };
            push(&mut self.pieces, Piece { bytes: Vec::with_capacity(whole), numbers: Vec::new() });
            self.pieces.len() - 1
        });
        if !is_long {
            self.filled = Some(number);
        }
        let Some(piece) = self.pieces.get_mut(number) else { return List::default() };
        let (number, start) = (number as u32, piece.bytes.len() as u32);
        reserve(&mut piece.bytes, bytes.len());
        piece.bytes.extend_from_slice(bytes);
        self.live += bytes.len();
        List { piece: number, start, bytes: bytes.len() as u32 }
    }

    fn bytes(&self, list: List) -> &[u8] {
        let (piece, start) = (self.pieces.get(list.piece as usize), list.start as usize);
        let piece = piece.map(|piece| piece.bytes.as_slice()).unwrap_or_default();
        piece.get(start..start + list.bytes as usize).unwrap_or_default()
    }
}

/// Writes a number in groups of seven bits, little-endian (LEB128).
#[inline(never)]
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

    /// More numbers than a piece holds.
    fn long() -> impl Strategy<Value = BTreeSet<u32>> {
        (0..u32::MAX / 2, 30_000..60_000_u32)
            .prop_map(|(first, count)| (0..count).map(|at| first + at * 200).collect())
    }

    fn short() -> impl Strategy<Value = BTreeSet<u32>> {
        prop::collection::btree_set(0..u32::MAX, 0..40)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn lists_come_back_until_they_are_taken_out(
            steps in prop::collection::vec((prop_oneof![40 => short(), 1 => long()], 0..100_usize), 0..60)
        ) {
            let (mut gaps, mut lists, mut model) = (Gaps::default(), Vec::new(), Vec::new());
            for (numbers, place) in steps {
                if place < lists.len() {
                    model.remove(place);
                    let list = lists.remove(place);
                    gaps.remove(list, &mut lists);
                } else {
                    lists.push(gaps.add(numbers.iter().copied(), &mut vec![7]));
                    model.push(numbers);
                }
                let read: Vec<BTreeSet<u32>> = lists.iter().map(|list| gaps.iter(*list).collect()).collect();
                prop_assert!(read == model);
                let kept: usize = gaps.pieces.iter().map(|piece| piece.bytes.capacity()).sum();
                let counted = gaps.memory_bytes(lists.len());
                prop_assert!(kept <= counted, "{} bytes, and {} counted", kept, counted);
            }
        }
    }
}
