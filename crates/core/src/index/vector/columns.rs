//! The rows of the index as one array per column.

use super::sketch;

/// Rows in no order, without gaps.
#[derive(Debug)]
pub(super) struct Columns {
    dimensions: usize,
    /// Words of one row in `sketches`.
    words: usize,
    pub(super) documents: Vec<u32>,
    pub(super) scales: Vec<f32>,
    codes: Vec<i16>,
    pub(super) sketches: Vec<u64>,
}

impl Columns {
    pub(super) fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            words: sketch::words(dimensions),
            documents: Vec::new(),
            scales: Vec::new(),
            codes: Vec::new(),
            sketches: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Makes room for more rows: just enough at first, as a load asks, and with slack for growth later.
    pub(super) fn reserve(&mut self, rows: usize) {
        if self.documents.is_empty() {
            self.documents.reserve_exact(rows);
            self.scales.reserve_exact(rows);
            self.codes.reserve_exact(rows * self.dimensions);
            self.sketches.reserve_exact(rows * self.words);
        } else {
            self.documents.reserve(rows);
            self.scales.reserve(rows);
            self.codes.reserve(rows * self.dimensions);
            self.sketches.reserve(rows * self.words);
        }
    }

    pub(super) fn push(&mut self, document: u32, scale: f32, codes: &[i16]) {
        self.documents.push(document);
        self.scales.push(scale);
        self.codes.extend_from_slice(codes);
        sketch::append(codes, &mut self.sketches);
    }

    /// Removes a row and puts the last one in its place.
    pub(super) fn swap_remove(&mut self, row: usize) {
        self.documents.swap_remove(row);
        self.scales.swap_remove(row);
        swap_remove_row(&mut self.codes, row, self.dimensions);
        swap_remove_row(&mut self.sketches, row, self.words);
    }

    /// A row's scale and codes; the codes are empty when there is no such row.
    pub(super) fn vector(&self, row: usize) -> (f32, &[i16]) {
        let start = row * self.dimensions;
        (
            self.scales.get(row).copied().unwrap_or_default(),
            self.codes.get(start..start + self.dimensions).unwrap_or_default(),
        )
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.documents.capacity() * size_of::<u32>()
            + self.scales.capacity() * size_of::<f32>()
            + self.codes.capacity() * size_of::<i16>()
            + self.sketches.capacity() * size_of::<u64>()
    }
}

fn swap_remove_row<T: Copy>(column: &mut Vec<T>, row: usize, width: usize) {
    let Some(last) = column.len().checked_sub(width) else { return };
    if row * width < last {
        column.copy_within(last.., row * width);
    }
    column.truncate(last);
}
