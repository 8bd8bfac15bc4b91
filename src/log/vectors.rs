//! Vectors of a segment. What a search looks at first stands in front of a value, with a checksum of its own: who can read the rest
//! when it is needed opens without it.
//!
//! ```text
//! payload:  index:block  checksum of the index:u32  the codes of its blocks, one after another
//! index:    blocks, each with its length in front
//! block:    embedder:text  dimensions:u32  words:u32  page:u32  n:u32  n x id:16  n x revision:u32  n x scale:f32
//!           n x words x u64  pages x checksum:u32
//! codes:    n x dimensions x i16
//! ```
//! The words are the sketches of the rows. A page is so many rows, the last one fewer; each has the checksum of its codes.
//! Before version 3 a value was blocks of `embedder dimensions n ids revisions scales codes`.

use super::bytes::{Reader, corrupt, length, put_block};
use super::frame::{self, FrameKind, HEADER_BYTES};
use super::head::MAX_VALUE_BYTES;
use super::segment::{blocks, put_rows, read_rows};
use crate::embedding::{MAX_DIMENSIONS, put_codes};
use crate::error::{Error, Result};
use crate::id::Id;
use mnemic_core::checksum::crc32;
use std::borrow::Cow;

/// About how many bytes a page has: it holds whole rows. A search reads rows from all over; to read one takes as long as to read a
/// page of this size.
const PAGE_BYTES: usize = 8 * 1024;
/// The bytes of a block and its index that are not of its rows.
const BLOCK_BYTES: usize = 64;
/// The bytes of a row beside its codes and sketch, with the checksum of a page, which may have one row.
const ROW_BYTES: usize = 28;
/// How many bytes of a value say how long its index is: the header, and the length.
const FRONT_BYTES: usize = HEADER_BYTES + 4;

/// A vector to be written.
pub struct VectorRow<'a> {
    /// Whose it is.
    pub id: Id,
    /// The revision of the text.
    pub revision: u32,
    /// What one code step is worth.
    pub scale: f32,
    /// One code per dimension.
    pub codes: Cow<'a, [i16]>,
    /// The words of its sketch.
    pub sketch: &'a [u64],
}

/// A value of vectors that has room left.
#[derive(Debug, Default)]
pub(super) struct OpenVectors {
    index: Vec<u8>,
    codes: Vec<u8>,
}

impl OpenVectors {
    /// How many rows of an embedder and so many dimensions and words fill a value.
    pub(super) fn rows(embedder: &str, dimensions: usize, words: usize) -> usize {
        let bytes = MAX_VALUE_BYTES.saturating_sub(BLOCK_BYTES + embedder.len());
        (bytes / (ROW_BYTES + dimensions * 2 + words * 8)).max(1)
    }

    /// Whether a block of so many rows still fits.
    pub(super) fn fits(&self, embedder: &str, rows: &[VectorRow<'_>]) -> bool {
        let bytes: usize =
            rows.iter().map(|row| ROW_BYTES + row.codes.len() * 2 + row.sketch.len() * 8).sum();
        self.index.len() + self.codes.len() + BLOCK_BYTES + embedder.len() + bytes <= MAX_VALUE_BYTES
    }

    /// Adds rows of one embedder and as many dimensions.
    pub(super) fn add(&mut self, embedder: &str, dimensions: usize, rows: &[VectorRow<'_>]) {
        let words = rows.first().map_or(0, |row| row.sketch.len());
        let page = (PAGE_BYTES / (dimensions * 2).max(1)).max(1);
        let mut block =
            Vec::with_capacity(BLOCK_BYTES + embedder.len() + rows.len() * (ROW_BYTES + words * 8));
        put_block(&mut block, embedder.as_bytes());
        for number in [dimensions, words, page] {
            block.extend_from_slice(&length(number).to_le_bytes());
        }
        put_rows(&mut block, rows.iter().map(|row| (row.id, row.revision)));
        for row in rows {
            block.extend_from_slice(&row.scale.to_le_bytes());
        }
        for word in rows.iter().flat_map(|row| row.sketch) {
            block.extend_from_slice(&word.to_le_bytes());
        }
        for rows in rows.chunks(page) {
            let start = self.codes.len();
            rows.iter().for_each(|row| put_codes(&mut self.codes, &row.codes));
            let sum = crc32(self.codes.get(start..).unwrap_or_default());
            block.extend_from_slice(&sum.to_le_bytes());
        }
        put_block(&mut self.index, &block);
    }

    /// The value of what was added; `None` when that is nothing.
    pub(super) fn close(&mut self) -> Option<Vec<u8>> {
        let Self { index, codes } = std::mem::take(self);
        let mut payload = Vec::with_capacity(8 + index.len() + codes.len());
        put_block(&mut payload, &index);
        payload.extend_from_slice(&crc32(&index).to_le_bytes());
        payload.extend_from_slice(&codes);
        (!index.is_empty()).then(|| frame::encode(FrameKind::SketchedVectors, &payload))
    }
}

/// The rows of one block of vectors.
#[derive(Debug)]
pub struct VectorRows<'a> {
    /// Whose vectors they are.
    pub embedder: &'a str,
    dimensions: usize,
    /// Id and text revision of each row.
    pub rows: Vec<(Id, u32)>,
    /// The scale of each row, little-endian.
    pub scales: &'a [u8],
    /// The words of the sketch of each row, little-endian; empty where there are none, as in versions before 3.
    pub sketches: &'a [u8],
    /// The codes of each row, little-endian; empty when they were not read.
    pub codes: &'a [u8],
    /// The checksums of the pages of codes, little-endian, and how many rows a page has; none in versions before 3.
    pages: (&'a [u8], usize),
    /// Where the codes begin in the payload.
    codes_at: usize,
}

impl<'a> VectorRows<'a> {
    /// Reads the blocks of a value, which was checked.
    ///
    /// # Errors
    /// `Corrupt` when they are not readable.
    pub(crate) fn decode_value(value: &'a [u8]) -> Result<Vec<Self>> {
        let is_old = frame::is_of(FrameKind::Vectors, value);
        let kind = if is_old { FrameKind::Vectors } else { FrameKind::SketchedVectors };
        Self::decode_payload(kind, frame::decode(kind, value)?)
    }

    /// Reads the blocks of the payload of a frame of vectors.
    ///
    /// # Errors
    /// As [`decode_value`](Self::decode_value).
    pub(super) fn decode_payload(kind: FrameKind, payload: &'a [u8]) -> Result<Vec<Self>> {
        if kind == FrameKind::Vectors {
            let blocks = blocks(payload)?.into_iter();
            return blocks.map(|(at, length)| Self::decode_old(payload, at, length)).collect();
        }
        let (index, codes_at) = split(payload)?;
        let codes = payload.get(codes_at..).unwrap_or_default();
        let (rows, bytes) = Self::decode_index(index, codes_at, Some(codes))?;
        if bytes == codes.len() { Ok(rows) } else { Err(other_codes()) }
    }

    /// How many bytes in front of a value its index takes; `None` for a value of another kind, such as one of an earlier version.
    ///
    /// # Errors
    /// `Corrupt` when the header is damaged, `UnsupportedVersion` when a newer version wrote it.
    pub(crate) fn front(value: &[u8]) -> Result<Option<usize>> {
        if !frame::is_of(FrameKind::SketchedVectors, value) {
            return Ok(None);
        }
        let whole = frame::stored_length(value)?;
        let index = Reader::new(value.get(HEADER_BYTES..).unwrap_or_default()).u32()? as usize;
        let front = index.checked_add(FRONT_BYTES + 4).filter(|front| *front <= whole);
        front.map(Some).ok_or_else(|| corrupt("the index of vectors is longer than their value"))
    }

    /// Reads the blocks of a value of which only what [`front`](Self::front) says is there. Their codes are not read.
    ///
    /// # Errors
    /// `Corrupt` when the index is damaged, or its value has another length.
    pub(crate) fn decode_front(value: &'a [u8]) -> Result<Vec<Self>> {
        let (index, codes_at) = split(value.get(HEADER_BYTES..).unwrap_or_default())?;
        let (rows, bytes) = Self::decode_index(index, codes_at, None)?;
        let whole = HEADER_BYTES + codes_at + bytes;
        if whole == frame::stored_length(value)? { Ok(rows) } else { Err(other_codes()) }
    }

    /// Reads an index: the rows, and how many bytes their codes have.
    fn decode_index(index: &'a [u8], codes_at: usize, codes: Option<&'a [u8]>) -> Result<(Vec<Self>, usize)> {
        let (mut found, mut at) = (Vec::new(), 0_usize);
        for (offset, length) in blocks(index)? {
            let mut reader = Reader::new(index.get(offset..offset + length).unwrap_or_default());
            let embedder = reader.text()?;
            let dimensions = dimensions(&mut reader)?;
            let (words, page) = (reader.u32()? as usize, reader.u32()? as usize);
            let rows = read_rows(&mut reader)?;
            let scales = reader.take(rows.len() * 4)?;
            let sketches = reader.take(times(rows.len(), times(words, 8)?)?)?;
            if page == 0 {
                return Err(corrupt("a page of vectors has no rows"));
            }
            let sums = reader.take(rows.len().div_ceil(page) * 4)?;
            reader.end()?;
            let bytes = times(rows.len(), dimensions * 2)?;
            let end = at.checked_add(bytes).ok_or_else(many)?;
            codes_at.checked_add(end).and_then(|end| end.checked_add(HEADER_BYTES)).ok_or_else(many)?;
            let own = match codes {
                Some(codes) => codes.get(at..end).ok_or_else(|| corrupt("the codes of vectors end early"))?,
                None => &[],
            };
            // Of the last page what is there counts.
            let (pages, codes_at) = ((sums, page.min(rows.len().max(1))), codes_at + at);
            found.push(Self { embedder, dimensions, rows, scales, sketches, codes: own, pages, codes_at });
            at = end;
        }
        Ok((found, at))
    }

    /// Reads a block as versions before 3 wrote it.
    fn decode_old(payload: &'a [u8], offset: usize, length: usize) -> Result<Self> {
        let mut reader = Reader::new(payload.get(offset..offset + length).unwrap_or_default());
        let embedder = reader.text()?;
        let dimensions = dimensions(&mut reader)?;
        let rows = read_rows(&mut reader)?;
        let scales = reader.take(rows.len() * 4)?;
        let codes = reader.take(times(rows.len(), dimensions * 2)?)?;
        reader.end()?;
        let codes_at = offset + length - codes.len();
        Ok(Self { embedder, dimensions, rows, scales, sketches: &[], codes, pages: (&[], 0), codes_at })
    }

    /// That the pages of codes that were read have their checksums. Reading all of a value does not need them: its frame has one of
    /// its own.
    ///
    /// # Errors
    /// `Corrupt` when one has another.
    pub(super) fn check_pages(&self) -> Result<()> {
        let (sums, page) = self.pages;
        let pages = self.codes.chunks((page * self.dimensions * 2).max(1));
        let is_sound =
            pages.zip(sums.as_chunks().0).all(|(page, sum)| crc32(page) == u32::from_le_bytes(*sum));
        if is_sound { Ok(()) } else { Err(corrupt("the checksum of a page of vectors does not match")) }
    }

    /// How many values each vector has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many bytes of them were read.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.codes.len() + self.sketches.len()
    }

    /// Where the codes are in the payload: where they begin, how many bytes they have, how many rows a page has and the checksum
    /// of each. Versions before 3 have no checksums: they are made of the codes.
    pub(crate) fn run(&self) -> (usize, usize, usize, Vec<u32>) {
        let row = self.dimensions * 2;
        let bytes = self.rows.len() * row;
        if let (sums, page @ 1..) = self.pages {
            let sums = sums.as_chunks().0.iter().map(|sum| u32::from_le_bytes(*sum)).collect();
            return (self.codes_at, bytes, page, sums);
        }
        let page = (PAGE_BYTES / row.max(1)).max(1);
        (self.codes_at, bytes, page, self.codes.chunks(page * row.max(1)).map(crc32).collect())
    }
}

/// The index in front of a payload, and where what follows it begins.
fn split(payload: &[u8]) -> Result<(&[u8], usize)> {
    let mut reader = Reader::new(payload);
    let index = reader.block()?;
    if reader.u32()? != crc32(index) {
        return Err(corrupt("the checksum of an index of vectors does not match"));
    }
    Ok((index, payload.len() - reader.rest().len()))
}

fn dimensions(reader: &mut Reader<'_>) -> Result<usize> {
    let dimensions = reader.u32()? as usize;
    if dimensions == 0 || dimensions > MAX_DIMENSIONS {
        return Err(corrupt("vectors have an impossible number of dimensions"));
    }
    Ok(dimensions)
}

fn times(count: usize, bytes: usize) -> Result<usize> {
    count.checked_mul(bytes).ok_or_else(many)
}

fn many() -> Error {
    corrupt("too many vectors")
}

fn other_codes() -> Error {
    corrupt("vectors have other codes than their index says")
}

#[cfg(test)]
mod tests {
    use super::super::segment::{Column, SegmentWriter};
    use super::*;

    /// The embedder's name was not counted: one value was longer than any may be.
    #[test]
    fn no_value_is_too_long() {
        let (dimensions, words) = (8, 2);
        for name in [1, 40, 5_000] {
            let embedder = "e".repeat(name);
            let row = |number: u32| {
                let id = Id::new(i64::from(number), [1; 10]);
                let codes = Cow::Owned(vec![1; dimensions]);
                VectorRow { id, revision: 1, scale: 1.0, codes, sketch: &[0; 2] }
            };
            let rows: Vec<_> = (0..2 * OpenVectors::rows("", dimensions, words) as u32).map(row).collect();
            let mut writer = SegmentWriter::default();
            writer.vectors(&embedder, dimensions, &rows);
            let values = writer.finish();
            let mut found = 0;
            for (_, value) in Column::Vectors.of(&values) {
                assert!(value.len() <= MAX_VALUE_BYTES, "{name}: {}", value.len());
                found +=
                    VectorRows::decode_value(value).unwrap().iter().map(|of| of.rows.len()).sum::<usize>();
            }
            assert_eq!(found, rows.len());
        }
    }
}
