//! What a storage holds, part by part: commits of the log, and what the values of segments are read as.

use super::bytes::corrupt;
use super::commit::{self, CommitView, EmbedView};
use super::frame::{self, FrameKind, HEADER_BYTES};
use super::head::{LogSegment, MAX_VALUE_BYTES, parse_segment_key};
use super::segment::{Column, TermRows, blocks};
use super::vectors::VectorRows;
use crate::error::Result;
use std::borrow::Cow;

/// One readable part of a storage.
#[derive(Debug)]
pub enum Part<'a> {
    /// Commits of a segment, in place: the payload, and offset and length of each section.
    Commits {
        /// The value's key; of a commit that takes several, that of the first.
        key: String,
        /// The bytes that they are in: the frame's payload.
        payload: Cow<'a, [u8]>,
        /// Where the sections are.
        sections: Vec<(usize, usize)>,
    },
    /// A commit of the log.
    Commit(LogCommit<'a>),
    /// A block of term rows of a segment.
    Terms {
        /// The value's key.
        key: String,
        /// The rows.
        rows: TermRows<'a>,
    },
    /// A block of vector rows of a segment.
    Vectors {
        /// The value's key.
        key: String,
        /// The last commit of the segment.
        last: u64,
        /// The rows.
        rows: VectorRows<'a>,
    },
}

/// The frame of one commit of the log.
#[derive(Debug)]
pub struct LogCommit<'a> {
    /// Its number.
    pub sequence: u64,
    pub(super) frame: Cow<'a, [u8]>,
}

impl<'a> LogCommit<'a> {
    /// A commit from its frame, before or after it was stored.
    #[must_use]
    pub fn from_frame(sequence: u64, frame: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { sequence, frame: frame.into() }
    }

    /// How many bytes its frame has.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.frame.len()
    }

    /// The commit's section and its embeddings.
    ///
    /// # Errors
    /// `Corrupt` when the frame is damaged or of another commit, `UnsupportedVersion` when a newer version wrote it.
    pub fn split(&self) -> Result<(&[u8], Vec<EmbedView<'_>>)> {
        let (section, embeds) = commit::split(frame::decode(FrameKind::Commit, &self.frame)?)?;
        if CommitView::decode(section)?.sequence != self.sequence {
            return Err(corrupt("another commit stands in its place"));
        }
        Ok((section, embeds))
    }
}

/// The parts of a value of a segment, or of what takes several and was put together. The pages of vectors are compared with their
/// checksums if that is asked for.
///
/// # Errors
/// `Corrupt` when it is damaged, or a commit of the log that was carried along with vectors; `UnsupportedVersion` when a newer version wrote it.
pub(crate) fn read_value<'a>(
    key: &str,
    segment: &LogSegment,
    column: Column,
    value: &'a [u8],
    with_pages: bool,
) -> Result<Vec<Part<'a>>> {
    let key = || key.to_owned();
    if column == Column::Vectors {
        let rows = VectorRows::decode_value(value)?;
        if with_pages {
            rows.iter().try_for_each(VectorRows::check_pages)?;
        }
        let rows = rows.into_iter();
        return Ok(rows.map(|rows| Part::Vectors { key: key(), last: segment.last, rows }).collect());
    }
    if column == Column::Commits {
        let (payload, sections) = sections_in(value)?;
        return Ok(vec![Part::Commits { key: key(), payload: payload.into(), sections }]);
    }
    let rows = TermRows::decode_value(value)?.into_iter();
    Ok(rows.map(|rows| Part::Terms { key: key(), rows }).collect())
}

/// The parts of a value of vectors of a segment of which only the front was read.
///
/// # Errors
/// `Corrupt` when it is damaged.
pub(crate) fn vectors_in_front<'a>(
    key: &str,
    segment: &LogSegment,
    value: &'a [u8],
) -> Result<Vec<Part<'a>>> {
    let rows = VectorRows::decode_front(value)?.into_iter();
    Ok(rows.map(|rows| Part::Vectors { key: key.to_owned(), last: segment.last, rows }).collect())
}

/// Offset and length of each section in a payload.
type Sections = Vec<(usize, usize)>;

/// The payload of a value of commits of a segment, and its sections; `None` when it is another value, or damaged.
pub(crate) fn commits_in<'a>(key: &str, value: &'a [u8]) -> Option<(&'a [u8], Sections)> {
    parse_segment_key(key).filter(|(_, column, _)| *column == Column::Commits)?;
    sections_in(value).ok()
}

/// The same without a look at the key. A frame of a single commit is a payload with one section too, behind which it has no vectors.
fn sections_in(value: &[u8]) -> Result<(&[u8], Sections)> {
    if !frame::is_of(FrameKind::Commit, value) {
        let payload = frame::decode(FrameKind::Commits, value)?;
        return Ok((payload, blocks(payload)?));
    }
    let payload = frame::decode(FrameKind::Commit, value)?;
    let (section, embeds) = commit::split(payload)?;
    if embeds.is_empty() { Ok((payload, vec![(4, section.len())])) } else { Err(corrupt("it has vectors")) }
}

/// Whether a payload is that of a single commit, which may take several values.
pub(crate) fn is_spread(payload: &[u8], sections: &[(usize, usize)]) -> bool {
    let end = sections.last().map_or(0, |(offset, length)| offset + length);
    end < payload.len() && payload.len() + HEADER_BYTES > MAX_VALUE_BYTES
}

/// The rows of a value of vectors of a segment; `None` when it is another value, or damaged.
pub(crate) fn vectors_in<'a>(key: &str, value: &'a [u8]) -> Option<Vec<VectorRows<'a>>> {
    parse_segment_key(key).filter(|(_, column, _)| *column == Column::Vectors)?;
    VectorRows::decode_value(value).ok()
}

/// Whether a value of vectors of a segment is sound, and each of its pages.
pub(crate) fn has_sound_vectors(key: &str, value: &[u8]) -> bool {
    vectors_in(key, value).is_some_and(|rows| rows.iter().all(|rows| rows.check_pages().is_ok()))
}
