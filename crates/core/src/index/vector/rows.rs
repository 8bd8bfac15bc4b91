//! Rows that were stored as the index has them, taken in many at a time.

use super::codes::{CodePlace, CodeReader};
use super::columns::RowCodes;
use super::flat::{FlatIndex, check_codes, check_scale};
use super::sketch;
use crate::embedding::read_codes;
use crate::error::{Code, Error, Result};
use std::rc::Rc;

/// Rows of vectors one after another, each number little-endian. Codes or sketches may be missing, but not both.
#[derive(Debug, Clone, Copy)]
pub struct StoredRows<'a> {
    /// The scale of each row as an `f32`.
    pub scales: &'a [u8],
    /// The words of [`FlatIndex::sketch`] of each row as `u64`; empty when they are to be made of the codes.
    pub sketches: &'a [u8],
    /// The codes of each row as `i16`; empty when only the reader has them.
    pub codes: &'a [u8],
    /// The run from which the codes are read when they are needed; they are kept when there is none.
    pub run: Option<(u32, &'a Rc<dyn CodeReader>)>,
}

impl StoredRows<'_> {
    /// A part of bytes that hold `width` of them for each row.
    fn of(bytes: &[u8], width: usize, row: usize) -> Result<&[u8]> {
        let start = row.checked_mul(width).ok_or_else(short)?;
        bytes.get(start..).and_then(|rest| rest.get(..width)).ok_or_else(short)
    }

    fn scale(&self, row: usize) -> Result<f32> {
        let bytes = Self::of(self.scales, size_of::<f32>(), row)?;
        bytes.first_chunk().map(|bytes| f32::from_le_bytes(*bytes)).ok_or_else(short)
    }
}

impl FlatIndex {
    /// Adds the vectors of documents, given as pairs of a document and its row among stored ones of so many dimensions, or replaces
    /// them. Nothing is added when an error is returned.
    ///
    /// # Errors
    /// As [`Self::insert`], and [`Code::Corrupt`] when a row is not among the stored ones or these have other lengths.
    #[inline(never)]
    pub fn insert_rows(
        &mut self,
        documents: &[(u32, u32)],
        dimensions: usize,
        stored: &StoredRows<'_>,
    ) -> Result<()> {
        let (words, bytes) = (sketch::words(self.dimensions()), self.dimensions() * size_of::<i16>());
        let sketch_bytes = words * size_of::<u64>();
        self.check_dimensions(dimensions)?;
        let has_codes = !stored.codes.is_empty();
        let rows = stored.scales.len() / size_of::<f32>();
        if !stored.sketches.is_empty() && stored.sketches.len() != rows * sketch_bytes {
            return Err(short());
        }
        let (mut sketch, mut codes) = (vec![0; words], vec![0; self.dimensions()]);
        for (_, row) in documents {
            check_scale(stored.scale(*row as usize)?)?;
            if has_codes {
                read_codes(StoredRows::of(stored.codes, bytes, *row as usize)?, &mut codes);
                check_codes(&codes)?;
            }
            if !stored.sketches.is_empty() {
                StoredRows::of(stored.sketches, sketch_bytes, *row as usize)?;
            }
        }
        if !has_codes && (stored.run.is_none() || stored.sketches.is_empty()) {
            return Err(short());
        }
        for (document, row) in documents {
            let at = *row as usize;
            if has_codes && (stored.run.is_none() || stored.sketches.is_empty()) {
                read_codes(StoredRows::of(stored.codes, bytes, at)?, &mut codes);
            }
            if stored.sketches.is_empty() {
                sketch = sketch::of(&codes);
            } else {
                let stored = StoredRows::of(stored.sketches, sketch_bytes, at)?;
                for (word, bytes) in sketch.iter_mut().zip(stored.as_chunks().0) {
                    *word = u64::from_le_bytes(*bytes);
                }
            }
            let codes = match stored.run {
                Some((run, reader)) => RowCodes::Elsewhere(CodePlace { run, row: *row }, reader),
                None => RowCodes::Kept(&codes),
            };
            self.put(*document, stored.scale(at)?, &sketch, codes);
        }
        Ok(())
    }
}

fn short() -> Error {
    Error::new(Code::Corrupt, "stored rows of vectors are too short for what they are said to hold")
}
