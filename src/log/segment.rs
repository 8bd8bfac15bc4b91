//! Segments: immutable runs of commits, and beside them the words and vectors of what they brought, in columns.
//!
//! ```text
//! payload:       blocks, each with its length in front
//! Commits block: a commit's section
//! Terms block:   n:u32  n x id:16  n x revision:u32  the rest: term columns of n rows, as the lexical index writes them
//! ```
//! Values of vectors are in `vectors`. Before version 4 values of terms were of another kind, with term columns of another layout.
//!
//! The rows of a block are of one scope and kind. Small blocks share a value, as reading a value costs far more than a
//! few bytes. A section that is larger than a value takes several: they are the frame that the commit had in the log.
//! Every value is one frame that can be read without the others, so damage stays local. Terms and vectors are derived:
//! they can be made again from the commits.

use super::bytes::{Reader, corrupt, length, put_block};
use super::commit::frame_of;
use super::frame::{self, FrameKind};
use super::head::MAX_VALUE_BYTES;
use super::vectors::{OpenVectors, VectorRow};
use crate::error::Result;
use crate::id::Id;
use crate::scope::Scope;

/// The columns of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Sections of commits.
    Commits,
    /// Term rows.
    Terms,
    /// Vector rows.
    Vectors,
}

impl Column {
    /// All columns, in the order in which the head counts and the engine reads them.
    pub const ALL: [Self; 3] = [Self::Commits, Self::Terms, Self::Vectors];

    /// The column's name in keys.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Commits => "commits",
            Self::Terms => "terms",
            Self::Vectors => "vectors",
        }
    }

    /// This column's entry of three.
    pub fn of<T>(self, columns: &[T; 3]) -> &T {
        let [commits, terms, vectors] = columns;
        match self {
            Self::Commits => commits,
            Self::Terms => terms,
            Self::Vectors => vectors,
        }
    }

    /// This column's entry of three, to be changed.
    pub fn of_mut<T>(self, columns: &mut [T; 3]) -> &mut T {
        let [commits, terms, vectors] = columns;
        match self {
            Self::Commits => commits,
            Self::Terms => terms,
            Self::Vectors => vectors,
        }
    }

    /// The kind of a value without vectors that is written, and of an empty one.
    pub(crate) fn frame_kind(self) -> FrameKind {
        match self {
            Self::Commits => FrameKind::Commits,
            Self::Terms => FrameKind::Postings,
            Self::Vectors => FrameKind::Vectors,
        }
    }
}

/// Collects the values of a new segment.
#[derive(Debug, Default)]
pub struct SegmentWriter {
    /// Payloads that have room left, but for vectors.
    open: [Vec<u8>; 3],
    open_vectors: OpenVectors,
    /// The scope of what comes next, where no value may hold two scopes.
    owner: Option<Scope>,
    values: [Vec<OwnedValue>; 3],
}

/// A value, and the scope that all of it is of, if it was asked for.
pub type OwnedValue = (Option<Scope>, Vec<u8>);

impl SegmentWriter {
    /// Says whose the blocks are that come next: they share no value with those of others.
    pub fn owner(&mut self, owner: Option<&Scope>) {
        if self.owner.as_ref() != owner {
            Column::ALL.into_iter().for_each(|column| self.close(column));
            self.owner = owner.cloned();
        }
    }

    /// Adds a commit's section; commits come in order. One that is larger than a value takes several.
    pub fn commit(&mut self, section: &[u8]) {
        if section.len() + 4 <= MAX_VALUE_BYTES {
            return self.whole_commit(section);
        }
        self.close(Column::Commits);
        let frame = frame_of(section);
        let values = frame.chunks(MAX_VALUE_BYTES).map(|value| (self.owner.clone(), value.to_vec()));
        Column::Commits.of_mut(&mut self.values).extend(values);
    }

    /// Adds a commit's section to a single value, however large it is, as backups have them.
    pub fn whole_commit(&mut self, section: &[u8]) {
        self.push(Column::Commits, section);
    }

    /// Adds the term rows of some documents of one index: their ids and text revisions, and the columns the lexical
    /// index wrote for them in the same order.
    pub fn terms(&mut self, rows: &[(Id, u32)], columns: &[u8]) {
        let mut block = Vec::with_capacity(4 + rows.len() * 20 + columns.len());
        put_rows(&mut block, rows.iter().copied());
        block.extend_from_slice(columns);
        self.push(Column::Terms, &block);
    }

    /// How many vectors of an embedder and so many dimensions and words of a sketch share a block.
    #[must_use]
    pub fn rows(embedder: &str, dimensions: usize, words: usize) -> usize {
        OpenVectors::rows(embedder, dimensions, words)
    }

    /// Adds vectors of one embedder, dimension and index.
    pub fn vectors(&mut self, embedder: &str, dimensions: usize, rows: &[VectorRow<'_>]) {
        let words = rows.first().map_or(0, |row| row.sketch.len());
        for rows in rows.chunks(Self::rows(embedder, dimensions, words)) {
            if !self.open_vectors.fits(embedder, rows) {
                self.close(Column::Vectors);
            }
            self.open_vectors.add(embedder, dimensions, rows);
        }
    }

    /// The values of the columns, in the order of [`Column::ALL`].
    #[must_use]
    pub fn finish(mut self) -> [Vec<OwnedValue>; 3] {
        Column::ALL.into_iter().for_each(|column| self.close(column));
        self.values
    }

    /// Adds a block to the open payload, or to a new one when it is full.
    fn push(&mut self, column: Column, block: &[u8]) {
        if column.of(&self.open).len() + 4 + block.len() > MAX_VALUE_BYTES {
            self.close(column);
        }
        put_block(column.of_mut(&mut self.open), block);
    }

    fn close(&mut self, column: Column) {
        let payload = std::mem::take(column.of_mut(&mut self.open));
        let value = match column {
            Column::Vectors => self.open_vectors.close(),
            _ => (!payload.is_empty()).then(|| frame::encode(column.frame_kind(), &payload)),
        };
        column.of_mut(&mut self.values).extend(value.map(|value| (self.owner.clone(), value)));
    }
}

/// Writes how many rows there are, their ids and their revisions.
pub(super) fn put_rows(block: &mut Vec<u8>, rows: impl ExactSizeIterator<Item = (Id, u32)> + Clone) {
    block.extend_from_slice(&length(rows.len()).to_le_bytes());
    for (id, _) in rows.clone() {
        block.extend_from_slice(&id.bytes());
    }
    for (_, revision) in rows {
        block.extend_from_slice(&revision.to_le_bytes());
    }
}

pub(super) fn read_rows(reader: &mut Reader<'_>) -> Result<Vec<(Id, u32)>> {
    let count = reader.u32()? as usize;
    let mut ids = Reader::new(reader.take(count.checked_mul(16).ok_or_else(|| corrupt("too many rows"))?)?);
    let mut revisions = Reader::new(reader.take(count * 4)?);
    (0..count).map(|_| Ok((Id::from_bytes(ids.array()?), revisions.u32()?))).collect()
}

/// The blocks of a payload, as (offset, length) in it.
pub(crate) fn blocks(payload: &[u8]) -> Result<Vec<(usize, usize)>> {
    let mut reader = Reader::new(payload);
    let mut found = Vec::new();
    while !reader.rest().is_empty() {
        let block = reader.block()?;
        found.push((payload.len() - reader.rest().len() - block.len(), block.len()));
    }
    Ok(found)
}

/// The rows of one block of terms.
#[derive(Debug)]
pub struct TermRows<'a> {
    /// Id and text revision of each row.
    pub rows: Vec<(Id, u32)>,
    /// The lexical index's own bytes for these rows.
    pub columns: &'a [u8],
    /// Whether these have postings, as they do since version 4.
    pub have_postings: bool,
}

impl<'a> TermRows<'a> {
    /// Reads the blocks of a value, which was checked.
    pub(super) fn decode_value(value: &'a [u8]) -> Result<Vec<Self>> {
        let is_old = frame::is_of(FrameKind::Terms, value);
        let payload = frame::decode(if is_old { FrameKind::Terms } else { FrameKind::Postings }, value)?;
        let blocks = blocks(payload)?.into_iter().map(|(offset, length)| {
            let mut reader = Reader::new(payload.get(offset..offset + length).unwrap_or_default());
            Ok(Self { rows: read_rows(&mut reader)?, columns: reader.rest(), have_postings: !is_old })
        });
        blocks.collect()
    }
}
