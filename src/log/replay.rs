//! Replay: from the pairs of a storage to the parts a store is built from.
//!
//! The head says what belongs to the state. Log values beyond it are a torn tail: writes that were never confirmed (a
//! storage without transactions was stopped in the middle); they are left out and swept. Anything the head names that is
//! missing or does not check is damage: it is named and left out, and the rest is used.

use super::commit::{self, EmbedView};
use super::frame::{self, FrameKind};
use super::head::{HEAD_KEY, Head, QUARANTINE, Segment, log_prefix, segment_key};
use super::segment::{Column, TermRows, VectorRows, sections};
use crate::error::{Code, Error, Result};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Something that was stored and can no longer be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The key of the value, or the beginning of the keys.
    pub key: String,
    /// What is wrong, and what it means.
    pub message: String,
}

/// What a storage holds.
#[derive(Debug)]
pub struct Image<'a> {
    /// The head; a fresh one for an empty storage.
    pub head: Head,
    /// Everything readable, in the order in which it is to be applied.
    pub parts: Vec<Part<'a>>,
    /// Everything that is not.
    pub damage: Vec<Damage>,
    /// Keys that belong to no state and can be deleted.
    pub stale: Vec<String>,
}

/// One readable value.
#[derive(Debug)]
pub enum Part<'a> {
    /// Commits of a segment, in place: the payload, and offset and length of each section.
    Commits {
        /// The value's key.
        key: String,
        /// The frame's payload.
        payload: &'a [u8],
        /// Where the sections are.
        sections: Vec<(usize, usize)>,
    },
    /// A commit of the log.
    Commit(LogCommit<'a>),
    /// Term rows of a segment.
    Terms {
        /// The value's key.
        key: String,
        /// The rows.
        rows: TermRows<'a>,
    },
    /// Vector rows of a segment.
    Vectors {
        /// The value's key.
        key: String,
        /// The rows.
        rows: VectorRows<'a>,
    },
}

impl Part<'_> {
    /// How many bytes of the log it is; 0 for a part of a segment.
    #[must_use]
    pub fn log_bytes(&self) -> u64 {
        if let Self::Commit(commit) = self { commit.bytes() } else { 0 }
    }
}

/// The frame of one commit of the log.
#[derive(Debug)]
pub struct LogCommit<'a> {
    /// The beginning of its keys.
    pub key: String,
    frame: Cow<'a, [u8]>,
}

impl<'a> LogCommit<'a> {
    /// A commit from its frame, before or after it was stored.
    #[must_use]
    pub fn from_frame(sequence: u64, frame: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { key: log_prefix(sequence), frame: frame.into() }
    }

    /// How many bytes its frame has.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.frame.len() as u64
    }

    /// The commit's section and its embeddings.
    ///
    /// # Errors
    /// `Corrupt` when the frame is damaged, `UnsupportedVersion` when a newer version wrote it.
    pub fn split(&self) -> Result<(&[u8], Vec<EmbedView<'_>>)> {
        commit::split(frame::decode(FrameKind::Commit, &self.frame)?)
    }
}

/// Reads the pairs of a storage: all of them, or the head and the log for catching up.
/// Commits up to `after` are skipped (0 for none), with the segments if all of them are.
///
/// # Errors
/// `UnsupportedVersion` when a newer version wrote any of it; `Corrupt` when the head is gone though data is there.
pub fn replay(pairs: &[(String, Vec<u8>)], after: u64) -> Result<Image<'_>> {
    let mut unread: BTreeMap<&str, &[u8]> = pairs
        .iter()
        .filter(|(key, _)| !key.starts_with(QUARANTINE))
        .map(|(key, value)| (key.as_str(), value.as_slice()))
        .collect();
    let mut damage = Vec::new();
    let head = match unread.remove(HEAD_KEY) {
        Some(value) => match Head::decode(value) {
            Ok(head) => head,
            Err(error) if error.code == Code::UnsupportedVersion => return Err(error),
            Err(error) => {
                damage.push(Damage {
                    key: HEAD_KEY.to_owned(),
                    message: format!("{}; the state was put together from what is there", error.message),
                });
                rebuilt(value, &unread)
            }
        },
        None if unread.keys().all(|key| key.starts_with(&log_prefix(1))) => Head::default(),
        None => {
            return Err(Error::new(
                Code::Corrupt,
                format!(
                    "{} values are stored but the value of {HEAD_KEY:?} is missing; restore a backup",
                    unread.len()
                ),
            ));
        }
    };
    let mut parts = Vec::new();
    if head.folded > after {
        for column in Column::ALL {
            for segment in &head.segments {
                read_column(segment, column, &mut unread, &mut parts, &mut damage)?;
            }
        }
    }
    let first = after.max(head.folded) + 1;
    for sequence in first..=head.sequence {
        match read_commit(sequence, &mut unread) {
            Some(commit) => match commit.split() {
                Ok(_) => parts.push(Part::Commit(commit)),
                Err(error) if error.code == Code::UnsupportedVersion => return Err(error),
                Err(error) => damage.push(lost(commit.key, &error.message)),
            },
            None => damage.push(lost(log_prefix(sequence), "the value is missing")),
        }
    }
    let stale = unread.into_keys().filter(|key| !belongs(key, &head)).map(str::to_owned).collect();
    Ok(Image { head, parts, damage, stale })
}

fn belongs(key: &str, head: &Head) -> bool {
    // Values that were skipped because of `after` are not stale.
    (1..=head.sequence).contains(&sequence_of(key)) && sequence_of(key) > head.folded
        || head.segments.iter().any(|segment| key.starts_with(&super::head::segment_prefix(segment.id)))
}

/// The sequence number in a log key; 0 for any other key.
fn sequence_of(key: &str) -> u64 {
    key.strip_prefix("log/").and_then(|rest| u64::from_str_radix(rest.get(..16)?, 16).ok()).unwrap_or(0)
}

fn read_column<'a>(
    segment: &Segment,
    column: Column,
    unread: &mut BTreeMap<&str, &'a [u8]>,
    parts: &mut Vec<Part<'a>>,
    damage: &mut Vec<Damage>,
) -> Result<()> {
    let [commits, terms, vectors] = segment.values;
    let count = match column {
        Column::Commits => commits,
        Column::Terms => terms,
        Column::Vectors => vectors,
    };
    for number in 0..count {
        let key = segment_key(segment.id, column, number as usize);
        let Some(value) = unread.remove(key.as_str()) else {
            damage.push(column_damage(key, column, "the value is missing"));
            continue;
        };
        match read_value(&key, column, value) {
            Ok(part) => parts.push(part),
            Err(error) if error.code == Code::UnsupportedVersion => return Err(error),
            Err(error) => damage.push(column_damage(key, column, &error.message)),
        }
    }
    Ok(())
}

fn read_value<'a>(key: &str, column: Column, value: &'a [u8]) -> Result<Part<'a>> {
    let payload = frame::decode(column.frame_kind(), value)?;
    let key = key.to_owned();
    Ok(match column {
        Column::Commits => Part::Commits { key, payload, sections: sections(payload)? },
        Column::Terms => Part::Terms { key, rows: TermRows::decode(payload)? },
        Column::Vectors => Part::Vectors { key, rows: VectorRows::decode(payload)? },
    })
}

fn read_commit<'a>(sequence: u64, unread: &mut BTreeMap<&str, &'a [u8]>) -> Option<LogCommit<'a>> {
    let prefix = log_prefix(sequence);
    let keys: Vec<&str> = unread
        .range(prefix.as_str()..)
        .map(|(key, _)| *key)
        .take_while(|key| key.starts_with(&prefix))
        .collect();
    let mut values = keys.into_iter().filter_map(|key| unread.remove(key));
    let mut frame = Cow::Borrowed(values.next()?);
    for value in values {
        frame.to_mut().extend_from_slice(value);
    }
    Some(LogCommit::from_frame(sequence, frame))
}

/// A head for a storage whose own is damaged: every segment there is, and every commit of the log.
fn rebuilt(value: &[u8], unread: &BTreeMap<&str, &[u8]>) -> Head {
    let mut segments: BTreeMap<u32, Segment> = BTreeMap::new();
    for key in unread.keys() {
        let mut steps = key.strip_prefix("segment/").unwrap_or_default().split('/');
        let Some(id) = steps.next().and_then(|id| u32::from_str_radix(id, 16).ok()) else { continue };
        let column =
            steps.next().and_then(|name| Column::ALL.into_iter().position(|column| column.name() == name));
        let segment =
            segments.entry(id).or_insert(Segment { id, first: 0, last: 0, bytes: 0, values: [0; 3] });
        if let Some(count) = column.and_then(|column| segment.values.get_mut(column)) {
            *count += 1;
        }
    }
    // A fold that was cut short leaves commits both in a segment and in the log; the store skips what it has already.
    let logged = || unread.keys().map(|key| sequence_of(key)).filter(|sequence| *sequence != 0);
    Head {
        counter: Head::counter_of(value),
        sequence: logged().max().unwrap_or(0),
        time: 0,
        folded: logged().min().map_or(u64::from(!segments.is_empty()), |first| first - 1),
        next_segment: segments.keys().next_back().map_or(0, |id| id + 1),
        segments: segments.into_values().collect(),
    }
}

fn lost(key: String, message: &str) -> Damage {
    Damage { key, message: format!("{message}; this commit is lost") }
}

fn column_damage(key: String, column: Column, message: &str) -> Damage {
    let meaning = match column {
        Column::Commits => "these commits are lost",
        Column::Terms => "the words are taken from the texts again",
        Column::Vectors => "the vectors are computed again",
    };
    Damage { key, message: format!("{message}; {meaning}") }
}
