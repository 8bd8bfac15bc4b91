//! Segments: immutable runs of commits, and beside them the words and vectors of what they brought, in columns.
//!
//! ```text
//! payload:       blocks, each with its length in front
//! Commits block: a commit's section
//! Terms block:   n:u32  n x id:16  n x revision:u32  the rest: term columns of n rows, as the lexical index writes them
//! Vectors block: embedder:text  dimensions:u32  n:u32  n x id:16  n x revision:u32  n x scale:f32  n x dimensions x i16
//! ```
//! The rows of a block are of one scope and kind. Small blocks share a value, as reading a value costs far more than a
//! few bytes.
//! Every value is one frame that can be read without the others, so damage stays local. Terms and vectors are derived:
//! they can be made again from the commits.

use super::bytes::{Reader, corrupt, length, put_block};
use super::commit::EmbedView;
use super::frame::{self, FrameKind};
use super::head::MAX_VALUE_BYTES;
use crate::embedding::{MAX_DIMENSIONS, put_codes};
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

    pub(crate) fn frame_kind(self) -> FrameKind {
        match self {
            Self::Commits => FrameKind::Commits,
            Self::Terms => FrameKind::Terms,
            Self::Vectors => FrameKind::Vectors,
        }
    }
}

/// Collects the values of a new segment.
#[derive(Debug, Default)]
pub struct SegmentWriter {
    /// Payloads that have room left.
    open: [Vec<u8>; 3],
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

    /// Adds a commit's section; commits come in order.
    pub fn commit(&mut self, section: &[u8]) {
        self.push(Column::Commits, section);
    }

    /// Adds the term rows of some documents of one index: their ids and text revisions, and the columns the lexical
    /// index wrote for them in the same order.
    pub fn terms(&mut self, rows: &[(Id, u32)], columns: &[u8]) {
        let mut block = Vec::with_capacity(4 + rows.len() * 20 + columns.len());
        block.extend_from_slice(&length(rows.len()).to_le_bytes());
        put_rows(&mut block, rows);
        block.extend_from_slice(columns);
        self.push(Column::Terms, &block);
    }

    /// How many vectors of a dimension share a block.
    #[must_use]
    pub fn rows(dimensions: usize) -> usize {
        (MAX_VALUE_BYTES / (24 + dimensions * 2)).max(1)
    }

    /// Adds vector rows of one embedder and dimension: ids and text revisions, and per row scale and codes.
    pub fn vectors(
        &mut self,
        embedder: &str,
        dimensions: usize,
        rows: &[(Id, u32)],
        vectors: &[(f32, impl AsRef<[i16]>)],
    ) {
        let (row_bytes, per_block) = (24 + dimensions * 2, Self::rows(dimensions));
        for (rows, vectors) in rows.chunks(per_block).zip(vectors.chunks(per_block)) {
            let mut block = Vec::with_capacity(64 + rows.len() * row_bytes);
            put_block(&mut block, embedder.as_bytes());
            block.extend_from_slice(&length(dimensions).to_le_bytes());
            block.extend_from_slice(&length(rows.len()).to_le_bytes());
            put_rows(&mut block, rows);
            for (scale, _) in vectors {
                block.extend_from_slice(&scale.to_le_bytes());
            }
            for (_, codes) in vectors {
                put_codes(&mut block, codes.as_ref());
            }
            self.push(Column::Vectors, &block);
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
        if !payload.is_empty() {
            let value = frame::encode(column.frame_kind(), &payload);
            column.of_mut(&mut self.values).push((self.owner.clone(), value));
        }
    }
}

fn put_rows(payload: &mut Vec<u8>, rows: &[(Id, u32)]) {
    for (id, _) in rows {
        payload.extend_from_slice(&id.bytes());
    }
    for (_, revision) in rows {
        payload.extend_from_slice(&revision.to_le_bytes());
    }
}

fn read_rows(reader: &mut Reader<'_>) -> Result<Vec<(Id, u32)>> {
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
}

impl<'a> TermRows<'a> {
    pub(crate) fn decode(block: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(block);
        Ok(Self { rows: read_rows(&mut reader)?, columns: reader.rest() })
    }
}

/// The rows of one block of vectors.
#[derive(Debug)]
pub struct VectorRows<'a> {
    embedder: &'a str,
    dimensions: usize,
    rows: Vec<(Id, u32)>,
    scales: Reader<'a>,
    codes: Reader<'a>,
    /// Where the codes begin in the payload.
    codes_at: usize,
}

impl<'a> VectorRows<'a> {
    /// Reads a block that begins at `offset` of its payload.
    pub(crate) fn decode(block: &'a [u8], offset: usize) -> Result<Self> {
        let mut reader = Reader::new(block);
        let embedder = reader.text()?;
        let dimensions = reader.u32()? as usize;
        if dimensions == 0 || dimensions > MAX_DIMENSIONS {
            return Err(corrupt("vectors have an impossible number of dimensions"));
        }
        let rows = read_rows(&mut reader)?;
        let scales = Reader::new(reader.take(rows.len() * 4)?);
        let bytes = rows.len().checked_mul(dimensions * 2).ok_or_else(|| corrupt("too many vectors"))?;
        let codes = Reader::new(reader.take(bytes)?);
        reader.end()?;
        let codes_at = offset + block.len() - bytes;
        Ok(Self { embedder, dimensions, rows, scales, codes, codes_at })
    }

    /// How many values each vector has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many bytes the vectors have.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.codes.rest().len()
    }

    /// The codes of all rows, one after another, and where they begin in the payload.
    pub(crate) fn run(&self) -> (usize, &'a [u8]) {
        (self.codes_at, self.codes.rest())
    }

    /// The rows as embeddings.
    pub fn embeds(&self) -> impl Iterator<Item = Result<EmbedView<'a>>> + '_ {
        let (mut scales, mut codes) = (self.scales, self.codes);
        self.rows.iter().map(move |(id, revision)| {
            Ok(EmbedView {
                id: *id,
                revision: *revision,
                embedder: self.embedder,
                scale: scales.f32()?,
                codes: codes.take(self.dimensions * 2)?,
            })
        })
    }
}
