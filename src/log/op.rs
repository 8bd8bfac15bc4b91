//! Operations: what a commit changes, one after the other, as bytes and read in place.
//!
//! ```text
//! operation:  tag:u8  body:block
//! 1 put       a record
//! 2 delete    id:16  revision:u32
//! 3 touch     id:16  time:i64
//! 4 forgot    kind:u8  count:u32
//! 5 place     id:16  kind:u8
//! 6 missing   why:u8
//! ```

use super::bytes::{Reader, corrupt, put_block};
use super::record::{self, RecordView};
use crate::error::Result;
use crate::id::Id;
use crate::record::{Kind, Record};
use crate::time::Timestamp;

/// The tag of the operation that stores a record.
pub(super) const PUT: u8 = 1;

/// One operation.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    /// A new record, or a new revision of one, as the bytes that `record` writes.
    Put(Vec<u8>),
    /// The end of a record; `revision` is the number of the deletion itself.
    Delete {
        /// Which record.
        id: Id,
        /// The revision number of the deletion.
        revision: u32,
    },
    /// That a record was recalled or found. It makes no revision.
    Touch {
        /// Which record.
        id: Id,
        /// When.
        time: Timestamp,
    },
    /// How many records of a kind this commit had forgotten.
    Forgot {
        /// What they were.
        kind: Kind,
        /// How many.
        count: u32,
    },
}

/// Why operations of a commit are no longer there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// They were forgotten.
    Forgotten = 1,
    /// History no longer reaches back to them.
    History = 2,
}

impl Op {
    /// The operation that stores a record.
    #[must_use]
    pub fn put(record: &Record) -> Self {
        Self::Put(record::encode(record))
    }

    /// The record that it makes or ends; `None` for other operations.
    #[must_use]
    pub fn makes(&self) -> Option<Id> {
        match self {
            Self::Put(body) => body.first_chunk().copied().map(Id::from_bytes),
            Self::Delete { id, .. } => Some(*id),
            Self::Touch { .. } | Self::Forgot { .. } => None,
        }
    }

    /// How many bytes it takes in a commit: tag, length and body.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Put(body) => 5 + body.len(),
            Self::Delete { .. } => 5 + 16 + 4,
            Self::Touch { .. } => 5 + 16 + 8,
            Self::Forgot { .. } => 5 + 1 + 4,
        }
    }

    /// Appends its bytes to a section.
    pub(super) fn encode(&self, section: &mut Vec<u8>) {
        let with_id = |id: &Id, rest: &[u8]| [&id.bytes(), rest].concat();
        match self {
            Self::Put(body) => put_op(section, PUT, body),
            Self::Delete { id, revision } => put_op(section, 2, &with_id(id, &revision.to_le_bytes())),
            Self::Touch { id, time } => put_op(section, 3, &with_id(id, &time.to_le_bytes())),
            Self::Forgot { kind, count } => {
                put_op(section, 4, &[&[kind.tag()], count.to_le_bytes().as_slice()].concat());
            }
        }
    }
}

/// Appends an operation to a section.
pub(super) fn put_op(section: &mut Vec<u8>, tag: u8, body: &[u8]) {
    section.push(tag);
    put_block(section, body);
}

/// Appends the operation that keeps a record's place.
pub(super) fn put_place(section: &mut Vec<u8>, id: Id, kind: Kind) {
    put_op(section, 5, &[&id.bytes(), [kind.tag()].as_slice()].concat());
}

/// Appends the operation that says that others are missing.
pub(super) fn put_missing(section: &mut Vec<u8>, why: Missing) {
    put_op(section, 6, &[why as u8]);
}

/// An operation read in place, and where its record's bytes start in the section.
#[derive(Debug, Clone, Copy)]
pub enum OpView<'a> {
    /// A new record or revision.
    Put {
        /// The record.
        record: RecordView<'a>,
        /// Offset of the record's bytes in the section.
        offset: usize,
        /// Their count.
        length: usize,
    },
    /// The end of a record.
    Delete {
        /// Which record.
        id: Id,
        /// The revision number of the deletion.
        revision: u32,
    },
    /// That a record was recalled or found.
    Touch {
        /// Which record.
        id: Id,
        /// When.
        time: Timestamp,
    },
    /// How many records of a kind were forgotten.
    Forgot {
        /// What they were.
        kind: Kind,
        /// How many.
        count: u32,
    },
    /// That a record was stored here, or up to here, in revisions that are no longer there. It keeps the record's place in
    /// the order in which records were first stored.
    Place {
        /// Which record.
        id: Id,
        /// What it is.
        kind: Kind,
    },
    /// That operations of this commit are no longer there.
    Missing(Missing),
}

impl<'a> OpView<'a> {
    /// The record it is about, if it is about one.
    #[must_use]
    pub fn id(&self) -> Option<Id> {
        match self {
            Self::Put { record, .. } => Some(record.id),
            Self::Delete { id, .. } | Self::Touch { id, .. } | Self::Place { id, .. } => Some(*id),
            Self::Forgot { .. } | Self::Missing(_) => None,
        }
    }

    /// Reads the body of an operation; `end` is where it ends in the section.
    pub(super) fn decode(tag: u8, body: &'a [u8], end: usize) -> Result<Self> {
        if tag == PUT {
            let (offset, length) = (end - body.len(), body.len());
            return Ok(Self::Put { record: RecordView::decode(body)?, offset, length });
        }
        let mut reader = Reader::new(body);
        let op = match tag {
            2 => Self::Delete { id: Id::from_bytes(reader.array()?), revision: reader.u32()? },
            3 => Self::Touch { id: Id::from_bytes(reader.array()?), time: reader.i64()? },
            4 => Self::Forgot { kind: kind(reader.u8()?)?, count: reader.u32()? },
            5 => Self::Place { id: Id::from_bytes(reader.array()?), kind: kind(reader.u8()?)? },
            6 => Self::Missing(match reader.u8()? {
                1 => Missing::Forgotten,
                2 => Missing::History,
                _ => return Err(corrupt("operations are missing for an unknown reason")),
            }),
            _ => return Err(corrupt("a commit has an unknown operation")),
        };
        reader.end()?;
        Ok(op)
    }
}

fn kind(tag: u8) -> Result<Kind> {
    Kind::from_tag(tag).ok_or_else(|| corrupt("an operation has an unknown kind"))
}
