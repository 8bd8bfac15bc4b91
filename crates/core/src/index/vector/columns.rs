//! The rows of the index as one list per column.

use super::sketch;
use crate::pieces::Pieces;

/// Rows in no order, without gaps.
#[derive(Debug)]
pub(super) struct Columns {
    documents: Pieces<u32>,
    scales: Pieces<f32>,
    codes: Pieces<i16>,
    sketches: Pieces<u64>,
}

impl Columns {
    pub(super) fn new(dimensions: usize) -> Self {
        Self {
            documents: Pieces::new(1),
            scales: Pieces::new(1),
            codes: Pieces::new(dimensions),
            sketches: Pieces::new(sketch::words(dimensions)),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    pub(super) fn push(&mut self, document: u32, scale: f32, codes: &[i16]) {
        self.documents.push(&[document]);
        self.scales.push(&[scale]);
        self.codes.push(codes);
        self.sketches.push(&sketch::of(codes));
    }

    /// Removes a row and puts the last one in its place.
    pub(super) fn swap_remove(&mut self, row: usize) {
        self.documents.swap_remove(row);
        self.scales.swap_remove(row);
        self.codes.swap_remove(row);
        self.sketches.swap_remove(row);
    }

    /// The document of a row.
    pub(super) fn document(&self, row: usize) -> Option<u32> {
        self.documents.row(row).first().copied()
    }

    /// A row's scale and codes; the codes are empty when there is no such row.
    pub(super) fn vector(&self, row: usize) -> (f32, &[i16]) {
        (self.scales.row(row).first().copied().unwrap_or_default(), self.codes.row(row))
    }

    /// The sketch of each row.
    pub(super) fn sketches(&self) -> impl Iterator<Item = &[u64]> {
        self.sketches.iter()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.documents.memory_bytes()
            + self.scales.memory_bytes()
            + self.codes.memory_bytes()
            + self.sketches.memory_bytes()
    }
}
