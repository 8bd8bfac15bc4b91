//! Long lists in pieces of one size: they grow without a copy of what is there, and what they reserve is one piece at most.
//!
//! A list in one piece has to be moved when it grows. The old bytes and the new ones are there at once, and a WebAssembly memory
//! never gets smaller again.

use crate::growth::push;

/// About how many bytes a piece has.
const PIECE_BYTES: usize = 1 << 16;

/// Rows of so many items each, one after another.
///
/// ```
/// let mut rows = mnemic_core::pieces::Pieces::new(2);
/// rows.push(&[1, 2]);
/// rows.push(&[3, 4]);
/// rows.swap_remove(0);
/// assert_eq!((rows.row(0), rows.row(1)), (&[3, 4][..], &[][..]));
/// ```
#[derive(Debug)]
pub struct Pieces<T> {
    /// Items of a row.
    width: usize,
    /// A piece has two to this power rows.
    shift: u32,
    rows: usize,
    pieces: Vec<Vec<T>>,
}

impl<T> Default for Pieces<T> {
    /// An empty list of which each row is an item.
    fn default() -> Self {
        Self::new(1)
    }
}

impl<T> Pieces<T> {
    /// An empty list of rows of `width` items each.
    #[must_use]
    pub fn new(width: usize) -> Self {
        let row_bytes = (width * size_of::<T>()).max(1);
        Self { width, shift: (PIECE_BYTES / row_bytes).max(1).ilog2(), rows: 0, pieces: Vec::new() }
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// The items of a row; none when there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[T] {
        let start = (row & ((1 << self.shift) - 1)) * self.width;
        self.pieces
            .get(row >> self.shift)
            .and_then(|piece| piece.get(start..start + self.width))
            .unwrap_or_default()
    }

    /// The first item of a row; `None` when there is no such row.
    #[must_use]
    pub fn get(&self, row: usize) -> Option<&T> {
        self.row(row).first()
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, row: usize) -> Option<&mut T> {
        self.row_mut(row).first_mut()
    }

    /// The items of a row, to be changed.
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        let start = (row & ((1 << self.shift) - 1)) * self.width;
        let piece = self.pieces.get_mut(row >> self.shift);
        piece.and_then(|piece| piece.get_mut(start..start + self.width)).unwrap_or_default()
    }

    /// All rows, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        self.pieces().flat_map(|piece| piece.chunks_exact(self.width))
    }

    /// The items of all rows in order, many rows at a time: for loops that an iterator of single rows would slow down.
    pub fn pieces(&self) -> impl Iterator<Item = &[T]> {
        self.pieces.iter().map(Vec::as_slice)
    }

    /// The pieces that some rows, in order, are in, each with the places of its rows.
    pub fn pieces_of<'a>(
        &'a self,
        rows: &'a [u32],
    ) -> impl Iterator<Item = (&'a [T], impl Iterator<Item = usize> + 'a)> {
        let (shift, mask) = (self.shift, (1 << self.shift) - 1);
        rows.chunk_by(move |row, next| row >> shift == next >> shift).map(move |some| {
            let piece = some.first().and_then(|row| self.pieces.get(*row as usize >> shift));
            let places = some.iter().map(move |row| *row as usize & mask);
            (piece.map(Vec::as_slice).unwrap_or_default(), places)
        })
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        self.pieces.iter_mut().flat_map(|piece| piece.chunks_exact_mut(self.width))
    }

    /// Adds an item behind the others, where each is a row.
    pub fn push_one(&mut self, item: T) {
        if self.width == 1
            && let Some(piece) = self.room()
        {
            piece.push(item);
            self.rows += 1;
        }
    }

    /// A piece with room for another row.
    fn room(&mut self) -> Option<&mut Vec<T>> {
        if self.rows >> self.shift == self.pieces.len() {
            // The first piece grows with what is in it, for most lists are short.
            let whole = if self.pieces.is_empty() { 0 } else { self.width << self.shift };
            push(&mut self.pieces, Vec::with_capacity(whole));
        }
        let piece = self.pieces.last_mut()?;
        if piece.capacity() - piece.len() < self.width {
            let rows = piece.len() / self.width;
            let most = (1 << self.shift) - rows;
            piece.reserve_exact((rows / 4 + 1).min(most) * self.width);
        }
        Some(piece)
    }

    /// Bytes held on the heap, reserved ones included.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let items: usize = self.pieces.iter().map(Vec::capacity).sum();
        items * size_of::<T>() + self.pieces.capacity() * size_of::<Vec<T>>()
    }
}

impl<T: Copy> Pieces<T> {
    /// Adds a row behind the others. Of another number of items than the others have, it is left out.
    pub fn push(&mut self, row: &[T]) {
        if row.len() == self.width
            && let Some(piece) = self.room()
        {
            piece.extend_from_slice(row);
            self.rows += 1;
        }
    }

    /// Puts other items into a row. Of another number of items than the others have, or where there is no such row, they are left out.
    pub fn set(&mut self, row: usize, items: &[T]) {
        let place = self.row_mut(row);
        if place.len() == items.len() {
            place.copy_from_slice(items);
        }
    }

    /// Removes a row and puts the last one in its place.
    pub fn swap_remove(&mut self, row: usize) {
        let Some(last) = self.rows.checked_sub(1).filter(|last| row <= *last) else { return };
        let start = (row & ((1 << self.shift) - 1)) * self.width;
        let (at, end) = (row >> self.shift, last >> self.shift);
        let (before, behind) = self.pieces.split_at_mut(end);
        let Some(ending) = behind.first_mut() else { return };
        let from = ending.len() - self.width;
        if at == end {
            ending.copy_within(from.., start);
        } else if let Some(place) =
            before.get_mut(at).and_then(|piece| piece.get_mut(start..start + self.width))
        {
            place.copy_from_slice(ending.get(from..).unwrap_or_default());
        }
        ending.truncate(from);
        if ending.is_empty() {
            self.pieces.pop();
        }
        self.rows = last;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_list_of_rows(width in 1_usize..4, steps in prop::collection::vec(0_usize..4, 0..60)) {
            // Rows so wide that a piece holds few of them.
            let width = width * 5000;
            let (mut rows, mut model) = (Pieces::new(width), Vec::new());
            for (number, step) in (0_u64..).zip(steps) {
                if step == 0 && !model.is_empty() {
                    let row = number as usize * 7 % model.len();
                    model.swap_remove(row);
                    rows.swap_remove(row);
                } else {
                    model.push(number);
                    rows.push(&vec![number; width]);
                }
                prop_assert_eq!(rows.len(), model.len());
                prop_assert_eq!(rows.iter().map(|row| row[width - 1]).collect::<Vec<_>>(), &model[..]);
                prop_assert!(model.iter().enumerate().all(|(at, number)| rows.row(at)[0] == *number));
                prop_assert!(rows.row(model.len()).is_empty());
                let some: Vec<u32> = (0..model.len() as u32).filter(|row| row % 3 != 1).collect();
                let those = rows.pieces_of(&some).flat_map(|(piece, places)| places.map(move |at| piece[at * width]));
                let expected = some.iter().map(|row| model[*row as usize]);
                prop_assert_eq!(those.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn it_reserves_no_more_than_a_piece() {
        let mut rows = Pieces::new(384);
        for _ in 0..10_000 {
            rows.push(&[7_i16; 384]);
        }
        let used = 10_000 * 384 * 2;
        assert!(rows.memory_bytes() < used + PIECE_BYTES + 4096, "{}", rows.memory_bytes() - used);
    }
}
