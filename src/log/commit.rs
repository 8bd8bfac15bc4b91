//! Commits: one atomic batch of operations with a sequence number.
//!
//! ```text
//! section: sequence:u64  id:16  time:i64  cause:u8  scope:text  count:u32  count x operation
//! payload of a Commit frame: section:block  count:u32  count x (id:16  revision:u32  embedder:text  scale:f32  n:u32  n x i16)
//! ```
//! The section is kept, but for what is forgotten of it or beyond the history; the embeddings behind it move to columns when
//! the log is folded.

use super::bytes::{Reader, corrupt, length, put_block};
use super::frame::{self, FrameKind};
use super::op::{Op, OpView, PUT};
use crate::embedding::{Embedding, MAX_DIMENSIONS, codes_of, put_codes};
use crate::error::Result;
use crate::id::Id;
use crate::scope::Scope;
use crate::time::Timestamp;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// Why a commit was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// A conversation was handed over.
    Remember = 1,
    /// Something was learned from a conversation.
    Extract = 2,
    /// The application or its user wrote directly.
    User = 3,
    /// A commit was taken back.
    Undo = 4,
    /// Vectors were computed.
    Embed = 5,
    /// Something's time was over.
    Expire = 6,
    /// Something was recalled or found, or background work noted how it went: no change for anybody.
    Access = 7,
    /// A model called a tool.
    Tool = 8,
    /// The application or its user had something forgotten.
    Forget = 9,
}

impl Cause {
    /// Whether somebody called for it, and it did not come about in the background.
    pub(crate) fn is_called(self) -> bool {
        matches!(self, Self::Remember | Self::User | Self::Undo | Self::Tool | Self::Forget)
    }

    fn from_tag(tag: u8) -> Option<Self> {
        let all = [
            Self::Remember,
            Self::Extract,
            Self::User,
            Self::Undo,
            Self::Embed,
            Self::Expire,
            Self::Access,
            Self::Tool,
            Self::Forget,
        ];
        all.into_iter().find(|cause| *cause as u8 == tag)
    }
}

/// A vector for the text that a record has since `revision`.
#[derive(Debug, Clone, PartialEq)]
pub struct Embed {
    /// Which record.
    pub id: Id,
    /// The revision in which the text became what was embedded.
    pub revision: u32,
    /// The vector.
    pub embedding: Embedding,
}

/// A commit, owned, before it becomes bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Commit {
    /// Its place in the order of all commits, from 1.
    pub sequence: u64,
    /// Its name.
    pub id: Id,
    /// When it was made; never before an earlier commit.
    pub time: Timestamp,
    /// Why it was made.
    pub cause: Cause,
    /// Whose memory it changes; `None` when that is forgotten with all that it held.
    pub scope: Option<Scope>,
    /// What it changes.
    pub ops: Vec<Op>,
    /// The vectors that come with it.
    pub embeds: Vec<Embed>,
}

impl Commit {
    /// A commit of which the number is known and not what it was, as its scope is locked. It has no time of its own, so it counts as
    /// made with the one before.
    #[must_use]
    pub fn bare(sequence: u64) -> Self {
        let time = 0;
        let id = Id::from_bytes(u128::from(sequence).to_le_bytes());
        Self { sequence, id, time, cause: Cause::User, scope: None, ops: Vec::new(), embeds: Vec::new() }
    }

    /// The same commit in parts whose operations have at most `bytes` each, or are a single one, and make no record twice: commits
    /// of consecutive sequence numbers that share the id and are written at once. A small commit is its only part.
    #[must_use]
    pub fn parts(mut self, bytes: usize) -> Vec<Self> {
        let mut ends = Vec::new();
        let mut size = 0;
        let mut made = FxHashSet::default();
        for (place, op) in self.ops.iter().enumerate() {
            let makes = op.makes();
            let is_again = makes.is_some_and(|id| made.contains(&id));
            if is_again || (size > 0 && size + op.size() > bytes) {
                ends.push(place);
                size = 0;
                made.clear();
            }
            made.extend(makes);
            size += op.size();
        }
        let mut later = Vec::new();
        for end in ends.into_iter().rev() {
            later.push(self.ops.split_off(end));
        }
        // Vectors come with the last part, when all texts are there.
        let embeds = std::mem::take(&mut self.embeds);
        let mut parts = vec![self];
        while let (Some(ops), Some(before)) = (later.pop(), parts.last()) {
            let part = Self {
                sequence: before.sequence + 1,
                ops,
                scope: before.scope.clone(),
                embeds: Vec::new(),
                ..*before
            };
            parts.push(part);
        }
        if let Some(last) = parts.last_mut() {
            last.embeds = embeds;
        }
        parts
    }

    /// Its frame, as kept in the log.
    #[must_use]
    pub fn frame(&self) -> Vec<u8> {
        frame::encode(FrameKind::Commit, &self.encode())
    }

    fn encode(&self) -> Vec<u8> {
        let mut section = Vec::with_capacity(128 + self.ops.iter().map(Op::size).sum::<usize>());
        section.extend_from_slice(&self.sequence.to_le_bytes());
        section.extend_from_slice(&self.id.bytes());
        section.extend_from_slice(&self.time.to_le_bytes());
        section.push(self.cause as u8);
        put_block(&mut section, self.scope.as_ref().map_or("", Scope::canonical).as_bytes());
        section.extend_from_slice(&length(self.ops.len()).to_le_bytes());
        for op in &self.ops {
            op.encode(&mut section);
        }
        let vectors = self.embeds.iter().map(|embed| 64 + embed.embedding.codes.len() * 2).sum::<usize>();
        let mut out = Vec::with_capacity(section.len() + 8 + vectors);
        put_block(&mut out, &section);
        out.extend_from_slice(&length(self.embeds.len()).to_le_bytes());
        for embed in &self.embeds {
            out.extend_from_slice(&embed.id.bytes());
            out.extend_from_slice(&embed.revision.to_le_bytes());
            put_block(&mut out, embed.embedding.embedder.as_bytes());
            out.extend_from_slice(&embed.embedding.scale.to_le_bytes());
            out.extend_from_slice(&length(embed.embedding.codes.len()).to_le_bytes());
            put_codes(&mut out, &embed.embedding.codes);
        }
        out
    }
}

/// The frame of a commit of which only the section is known.
pub(super) fn frame_of(section: &[u8]) -> Vec<u8> {
    let mut payload = Vec::with_capacity(section.len() + 8);
    put_block(&mut payload, section);
    payload.extend_from_slice(&length(0).to_le_bytes());
    frame::encode(FrameKind::Commit, &payload)
}

/// Splits the payload of a `Commit` frame into its section and its embeddings.
pub(crate) fn split(payload: &[u8]) -> Result<(&[u8], Vec<EmbedView<'_>>)> {
    let mut reader = Reader::new(payload);
    let section = reader.block()?;
    let count = reader.u32()?;
    let mut embeds = Vec::new();
    for _ in 0..count {
        let id = Id::from_bytes(reader.array()?);
        let revision = reader.u32()?;
        let embedder = reader.text()?;
        let scale = reader.f32()?;
        let dimensions = reader.u32()? as usize;
        if dimensions == 0 || dimensions > MAX_DIMENSIONS {
            return Err(corrupt("a vector has an impossible number of dimensions"));
        }
        embeds.push(EmbedView { id, revision, embedder, scale, codes: reader.take(dimensions * 2)? });
    }
    reader.end()?;
    Ok((section, embeds))
}

/// An embedding read in place.
#[derive(Debug, Clone, Copy)]
pub struct EmbedView<'a> {
    /// Which record.
    pub id: Id,
    /// The revision in which the text became what was embedded.
    pub revision: u32,
    /// Who made it.
    pub embedder: &'a str,
    /// What one code step is worth.
    pub scale: f32,
    /// The codes, two bytes each, little-endian.
    pub(crate) codes: &'a [u8],
}

impl EmbedView<'_> {
    /// The codes as numbers.
    #[must_use]
    pub fn codes(&self) -> Vec<i16> {
        codes_of(self.codes)
    }
}

/// A commit's section read in place.
#[derive(Debug, Clone, Copy)]
pub struct CommitView<'a> {
    /// Its place in the order of all commits.
    pub sequence: u64,
    /// Its name.
    pub id: Id,
    /// When it was made.
    pub time: Timestamp,
    /// Why it was made.
    pub cause: Cause,
    /// The scope's canonical form; empty when it was forgotten with all that it held.
    pub scope: &'a str,
    count: u32,
    ops: Reader<'a>,
    length: usize,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} bytes", self.rest().len())
    }
}

/// An operation that stores a record has at least so many bytes.
const PUT_BYTES: usize = 64;

impl<'a> CommitView<'a> {
    pub(crate) fn decode(section: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(section);
        Ok(Self {
            sequence: reader.u64()?,
            id: Id::from_bytes(reader.array()?),
            time: reader.i64()?,
            cause: Cause::from_tag(reader.u8()?).ok_or_else(|| corrupt("a commit has an unknown cause"))?,
            scope: reader.text()?,
            count: reader.u32()?,
            ops: reader,
            length: section.len(),
        })
    }

    /// For how many operations to make room: more than that are rare, and what a damaged section claims is not believed.
    pub(crate) fn expected_ops(&self) -> usize {
        (self.count as usize).min(self.ops.rest().len() / PUT_BYTES)
    }

    /// The operations in order; decoding stops at the first that is not readable.
    pub fn ops(&self) -> impl Iterator<Item = Result<OpView<'a>>> + use<'a> {
        self.raw_ops().map(|op| op.map(|(_, _, op)| op))
    }

    /// Where the bytes of each operation that stores a record end in the section, in order, as far as they are readable. Nothing else
    /// of them is read.
    pub(crate) fn ends_of_puts(&self) -> impl Iterator<Item = usize> {
        let mut reader = self.ops;
        let ops = (0..self.count).map_while(move |_| {
            let tag = reader.u8().ok()?;
            reader.block().ok()?;
            Some((tag, self.length - reader.rest().len()))
        });
        ops.filter(|(tag, _)| *tag == PUT).map(|(_, end)| end)
    }

    /// The operations in order, with their tags and bodies.
    pub(super) fn raw_ops(&self) -> impl Iterator<Item = Result<(u8, &'a [u8], OpView<'a>)>> + use<'a> {
        let mut reader = self.ops;
        let total = self.length;
        (0..self.count).map(move |_| {
            let tag = reader.u8()?;
            let body = reader.block()?;
            Ok((tag, body, OpView::decode(tag, body, total - reader.rest().len())?))
        })
    }
}
