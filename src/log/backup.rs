//! Backups: a memory, or one scope of it, as one file.
//!
//! ```text
//! file:   "mnemic\r\n"  frame(BackupStart)  n x frame(Commits)  n x frame(SketchedVectors)  frame(BackupEnd)
//! start:  created:i64  sequence:u64  time:i64  lineage:16  scope:text
//! end:    frames:u32  commits:u64  bytes:u64  chain:u32
//! ```
//! The frames of commits and vectors are those of segments: before version 3, frames of Vectors. The chain is a checksum over the headers of all frames before the
//! end, each of which holds the checksum of its payload: so a frame that is damaged, missing, repeated or moved is noticed.

use super::bytes::{Reader, corrupt, put_block};
use super::commit::CommitView;
use super::frame::{self, FrameKind, HEADER_BYTES};
use super::part::Part;
use super::segment::blocks;
use super::vectors::VectorRows;
use crate::error::{Code, Error, Result};
use crate::scope::Scope;
use crate::time::{MAX_TIMESTAMP, Timestamp};
use mnemic_core::checksum::crc32;

/// What every backup begins with. A line end of two characters shows when somebody converted the file as a text.
const MAGIC: [u8; 8] = *b"mnemic\r\n";
/// The most bytes a frame may have: no build ever wrote more.
const MAX_FRAME_BYTES: usize = 32 << 20;

/// What a backup says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct BackupStart {
    /// When it was made.
    pub created: Timestamp,
    /// The last commit of the memory that it was made of.
    pub sequence: u64,
    /// That commit's time.
    pub time: Timestamp,
    /// The lineage of that memory.
    pub lineage: [u8; 16],
    /// The one scope that it holds; all when there is none.
    pub scope: Option<Scope>,
}

/// Writes a backup, piece by piece.
#[derive(Debug, Default)]
pub struct BackupWriter {
    frames: u32,
    commits: u64,
    bytes: u64,
    chain: u32,
}

impl BackupWriter {
    /// The first piece.
    #[must_use]
    pub fn start(&mut self, start: &BackupStart) -> Vec<u8> {
        let mut payload = start.created.to_le_bytes().to_vec();
        payload.extend_from_slice(&start.sequence.to_le_bytes());
        payload.extend_from_slice(&start.time.to_le_bytes());
        payload.extend_from_slice(&start.lineage);
        put_block(&mut payload, start.scope.as_ref().map_or("", Scope::canonical).as_bytes());
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&self.add(frame::encode(FrameKind::BackupStart, &payload)));
        self.bytes += MAGIC.len() as u64;
        out
    }

    /// A piece of frames that hold so many commits; a segment's writer made them.
    #[must_use]
    pub fn frames(&mut self, frames: Vec<Vec<u8>>, commits: usize) -> Vec<u8> {
        self.commits += commits as u64;
        let frames: Vec<_> = frames.into_iter().map(|frame| self.add(frame)).collect();
        frames.concat()
    }

    /// The last piece.
    #[must_use]
    pub fn end(&self) -> Vec<u8> {
        frame::encode(FrameKind::BackupEnd, &self.totals())
    }

    fn totals(&self) -> Vec<u8> {
        let mut payload = self.frames.to_le_bytes().to_vec();
        payload.extend_from_slice(&self.commits.to_le_bytes());
        payload.extend_from_slice(&self.bytes.to_le_bytes());
        payload.extend_from_slice(&self.chain.to_le_bytes());
        payload
    }

    fn add(&mut self, frame: Vec<u8>) -> Vec<u8> {
        self.chain = linked(self.chain, &frame);
        self.frames += 1;
        self.bytes += frame.len() as u64;
        frame
    }
}

/// The chain with one more frame.
fn linked(chain: u32, frame: &[u8]) -> u32 {
    let mut link = chain.to_le_bytes().to_vec();
    link.extend_from_slice(frame.get(..HEADER_BYTES).unwrap_or(frame));
    crc32(&link)
}

/// A backup that was read to its end and checked.
#[derive(Debug)]
pub struct Backup {
    /// What it says of itself.
    pub start: BackupStart,
    /// How many commits it holds.
    pub commits: u64,
    /// How many bytes it has.
    pub bytes: u64,
    payloads: Vec<(FrameKind, Vec<u8>)>,
}

impl Backup {
    /// What one of its values holds, if that are commits, or vectors if these are asked for; `None` behind the last value. All commits
    /// are to be applied before the vectors.
    ///
    /// # Errors
    /// `Corrupt` when a block cannot be read.
    pub fn parts(&self, value: usize, vectors: bool) -> Result<Option<Vec<Part<'_>>>> {
        let Some((kind, payload)) = self.payloads.get(value) else { return Ok(None) };
        let mut parts = Vec::new();
        if (*kind == FrameKind::Commits) == vectors {
            return Ok(Some(parts));
        }
        if !vectors {
            let sections = blocks(payload)?;
            let payload = payload.into();
            return Ok(Some(vec![Part::Commits { key: String::new(), payload, sections }]));
        }
        let of = |rows| Part::Vectors { key: String::new(), last: self.start.sequence, rows };
        parts.extend(VectorRows::decode_payload(*kind, payload)?.into_iter().map(of));
        Ok(Some(parts))
    }
}

/// Reads a backup, piece by piece.
#[derive(Debug, Default)]
pub struct BackupReader {
    /// What came and is not read yet.
    rest: Vec<u8>,
    begun: bool,
    start: Option<BackupStart>,
    payloads: Vec<(FrameKind, Vec<u8>)>,
    read: BackupWriter,
    /// The last commit.
    sequence: u64,
    time: Timestamp,
    ended: bool,
}

impl BackupReader {
    /// Takes in the next bytes.
    ///
    /// # Errors
    /// `InvalidInput` when it is no backup, `Corrupt` when it is damaged, `UnsupportedVersion` when a newer version wrote it.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.rest.extend_from_slice(bytes);
        let mut at = 0;
        if !self.begun {
            let known = self.rest.len().min(MAGIC.len());
            if self.rest.get(..known) != MAGIC.get(..known) {
                return Err(foreign());
            }
            if known < MAGIC.len() {
                return Ok(());
            }
            self.begun = true;
            self.read.bytes = MAGIC.len() as u64;
            at = MAGIC.len();
        }
        while let Some(rest) = self.rest.get(at..).filter(|rest| rest.len() >= HEADER_BYTES) {
            let length = frame::stored_length(rest).map_err(told)?;
            if length > MAX_FRAME_BYTES {
                return Err(damaged("a part of it is larger than any that was ever written"));
            }
            let Some(frame) = rest.get(..length) else { break };
            let frame = frame.to_vec();
            self.take(&frame).map_err(told)?;
            at += length;
        }
        self.rest.drain(..at);
        Ok(())
    }

    /// The backup, if all of it came.
    ///
    /// # Errors
    /// As [`push`](Self::push); `Corrupt` when it ends early.
    pub fn finish(self) -> Result<Backup> {
        if self.rest.is_empty() && !self.begun {
            return Err(foreign());
        }
        match self.start {
            Some(start) if self.ended && self.rest.is_empty() => {
                let (commits, bytes) = (self.read.commits, self.read.bytes);
                Ok(Backup { start, commits, bytes, payloads: self.payloads })
            }
            _ => Err(damaged("it ends early")),
        }
    }

    fn take(&mut self, frame: &[u8]) -> Result<()> {
        let kinds = [
            FrameKind::BackupStart,
            FrameKind::Commits,
            FrameKind::Vectors,
            FrameKind::SketchedVectors,
            FrameKind::BackupEnd,
        ];
        let kind = frame::stored_kind(frame)?;
        let kind = kinds.into_iter().find(|known| *known as u8 == kind);
        let kind = kind.ok_or_else(|| corrupt("a part of it is of no known kind"))?;
        let payload = frame::decode(kind, frame)?;
        if self.ended || (kind == FrameKind::BackupStart) != self.start.is_none() {
            return Err(corrupt("its parts are not in their order"));
        }
        match kind {
            FrameKind::BackupStart => self.start = Some(started(payload)?),
            FrameKind::BackupEnd => {
                if payload != self.read.totals() {
                    return Err(corrupt("its parts are not those that were written"));
                }
                self.ended = true;
                self.read.bytes += frame.len() as u64;
                return Ok(());
            }
            _ => {
                if kind == FrameKind::Commits {
                    self.check_commits(payload)?;
                }
                self.payloads.push((kind, payload.to_vec()));
            }
        }
        self.read.chain = linked(self.read.chain, frame);
        self.read.frames += 1;
        self.read.bytes += frame.len() as u64;
        Ok(())
    }

    /// Checks that commits follow those before, and can be read to the last byte.
    fn check_commits(&mut self, payload: &[u8]) -> Result<()> {
        let start = self.start.as_ref().ok_or_else(|| corrupt("it has no beginning"))?;
        for (offset, length) in blocks(payload)? {
            let commit = CommitView::decode(payload.get(offset..offset + length).unwrap_or_default())?;
            if commit.sequence <= self.sequence || commit.time < self.time {
                return Err(corrupt("its commits are not in their order"));
            }
            if commit.sequence > start.sequence || commit.time > start.time {
                return Err(corrupt("it holds later commits than it says"));
            }
            if start.scope.as_ref().is_some_and(|scope| scope.canonical() != commit.scope) {
                return Err(corrupt("it holds another scope than it says"));
            }
            (self.sequence, self.time) = (commit.sequence, commit.time);
            self.read.commits += 1;
        }
        Ok(())
    }
}

fn started(payload: &[u8]) -> Result<BackupStart> {
    let mut reader = Reader::new(payload);
    let start = BackupStart {
        created: reader.i64()?,
        sequence: reader.u64()?,
        time: reader.i64()?,
        lineage: reader.array()?,
        scope: match reader.text()? {
            "" => None,
            text => Some(Scope::from_canonical(text).map_err(|_| corrupt("its scope is not readable"))?),
        },
    };
    reader.end()?;
    let is_time = |time: Timestamp| (0..=MAX_TIMESTAMP).contains(&time);
    if start.sequence > super::head::MAX_SEQUENCE || !is_time(start.time) || !is_time(start.created) {
        return Err(corrupt("its numbers are impossible"));
    }
    Ok(start)
}

/// The error of a frame, as one of a file.
fn told(error: Error) -> Error {
    if error.code == Code::Corrupt { damaged(&error.message) } else { error }
}

fn damaged(why: &str) -> Error {
    corrupt(&format!("the backup is damaged or incomplete: {why}; nothing was changed. Use another copy"))
}

fn foreign() -> Error {
    Error::new(
        Code::InvalidInput,
        "this is no backup: it does not begin as one. Pass a file that export() wrote; nothing was changed",
    )
}
