//! Replay: from the pairs of a storage to the parts a store is built from.
//!
//! The head says what belongs to the state. Log values beyond it are a torn tail: writes that were never confirmed (a
//! storage without transactions was stopped in the middle); they are left out and swept. Anything the head names that is
//! missing or does not check is damage: it is named and left out, and the rest is used.

use super::bytes::{Reader, corrupt};
use super::commit::{self, CommitView};
use super::frame::{self, FrameKind, HEADER_BYTES};
use super::head::{
    HEAD_KEY, Head, LogSegment, MAX_VALUE_BYTES, QUARANTINE, log_key, log_prefix, parse_log_key,
    parse_quarantine_key, parse_segment_key, segment_key,
};
use super::part::{LogCommit, Part, read_value};
use super::segment::Column;
use crate::error::{Code, Result};
use crate::ordered::Ordered;
use serde::Serialize;
use std::iter::Peekable;
use std::ops::Range;

/// What keys have in their middle under which a storage tells that its file was damaged.
const OF_FILE: &str = "/journal/";

/// Something that was stored and can no longer be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
    /// Whether the head was not readable and stands for whatever there is; it must not be written back as it is.
    pub rebuilt: bool,
    /// Everything readable, in the order in which it is to be applied.
    pub parts: Vec<Part<'a>>,
    /// Everything that is not. Commits that left no trace are not named here: who applies the parts sees the gaps.
    pub damage: Vec<Damage>,
    /// Keys of the engine that belong to no state and can be deleted.
    pub stale: Vec<String>,
}

/// Reads the pairs of a storage: all of them, or the head and the log for catching up.
/// Commits up to `after` are skipped (0 for none), with the segments if all of them are.
///
/// # Errors
/// `UnsupportedVersion` when a newer version wrote any of it.
pub fn replay(pairs: &[(String, Vec<u8>)], after: u64) -> Result<Image<'_>> {
    let mut replay = Replay::begin(pairs, after)?;
    while replay.step()?.is_some() {}
    Ok(replay.end())
}

/// What is left of some entries.
type Rest<K, V> = <Ordered<K, V> as IntoIterator>::IntoIter;

/// A column of which some is read.
#[derive(Debug)]
struct Begun<'a> {
    column: Column,
    /// The place of its segment.
    segment: usize,
    rest: Peekable<Rest<u32, &'a [u8]>>,
}

/// A reading of pairs that can be interrupted between two values.
#[derive(Debug)]
pub struct Replay<'a> {
    values: Values<'a>,
    after: u64,
    /// The columns that are still to be read, the next one last: with the place of their segment.
    columns: Vec<(Column, usize)>,
    /// The column that is being read.
    column: Option<Begun<'a>>,
    /// What is left of the log.
    log: Rest<u64, Ordered<usize, &'a [u8]>>,
    /// Whether the pages of vectors are compared with their checksums.
    with_pages: bool,
    image: Image<'a>,
}

impl<'a> Replay<'a> {
    /// Reads the head, and sees what there is. Nothing else is checked yet. As [`replay`].
    ///
    /// # Errors
    /// `UnsupportedVersion` when a newer version wrote the head.
    pub fn begin(pairs: &'a [(String, Vec<u8>)], after: u64) -> Result<Self> {
        let mut values = Values::sort(pairs);
        let mut damage = Vec::new();
        let (head, rebuilt) = match read_head(&values) {
            Ok(head) => (head, false),
            Err(error) if error.code == Code::UnsupportedVersion => return Err(error),
            Err(error) => {
                damage.push(Damage {
                    key: HEAD_KEY.to_owned(),
                    message: format!(
                        "{}; the state was put together from what is there, the last commits may be lost",
                        error.message
                    ),
                });
                (values.head_of_everything(), true)
            }
        };
        // What was set aside before something was erased may hold it.
        let (erased, aside): (Vec<&String>, Vec<&String>) = pairs
            .iter()
            .map(|(key, _)| key)
            .filter(|key| key.starts_with(QUARANTINE))
            .partition(|key| parse_quarantine_key(key).is_some_and(|counter| counter < head.erased));
        // What a lost head knew of cannot be told any more, so its loss stays on record. So does what a file tells of itself.
        damage.extend(aside.into_iter().filter_map(|key| {
            let message = if key.ends_with("/head") {
                "the head was lost once and put together; commits may be lost"
            } else if key.contains(OF_FILE) {
                "bytes of the file were damaged, at the position that the key ends with; commits may be lost"
            } else {
                return None;
            };
            Some(Damage { key: key.clone(), message: message.to_owned() })
        }));
        let mut columns = Vec::new();
        if rebuilt || head.folded > after {
            for column in Column::ALL.into_iter().rev() {
                columns.extend((0..head.segments.len()).rev().map(|segment| (column, segment)));
            }
        }
        let log = values.take_log(after.max(head.folded) + 1..head.sequence + 1);
        let stale = erased.into_iter().cloned().collect();
        let image = Image { head, rebuilt, parts: Vec::new(), damage, stale };
        Ok(Self { values, after, columns, column: None, log: log.into_iter(), with_pages: false, image })
    }

    /// Compares the pages of vectors with their checksums too, on which only those rely who read pages. It takes about a millisecond
    /// a MiB.
    #[must_use]
    pub fn with_pages(self) -> Self {
        Self { with_pages: true, ..self }
    }

    /// Checks the next value, or the values of the next commit: how many bytes these were; `None` when all are checked.
    ///
    /// # Errors
    /// `UnsupportedVersion` when a newer version wrote it.
    pub fn step(&mut self) -> Result<Option<usize>> {
        loop {
            if let Some(Begun { column, segment, rest }) = &mut self.column {
                if let Some((number, value)) = rest.next()
                    && let Some(segment) = self.image.head.segments.get(*segment)
                {
                    let (parts, damage) = (&mut self.image.parts, &mut self.image.damage);
                    let with_pages = self.with_pages;
                    read_number(segment, (*column, with_pages), (number, value), rest, parts, damage)?;
                    return Ok(Some(value.len()));
                }
                self.column = None;
            } else if let Some((column, place)) = self.columns.pop() {
                if let Some(segment) = self.image.head.segments.get(place) {
                    let rest = self.values.take_column(segment, column, &mut self.image.damage).into_iter();
                    self.column = Some(Begun { column, segment: place, rest: rest.peekable() });
                }
            } else if let Some((sequence, mut values)) = self.log.next() {
                let bytes = values.values().map(|value| value.len()).sum();
                match read_commit(sequence, &mut values).and_then(checked) {
                    Ok(commit) => self.image.parts.push(Part::Commit(commit)),
                    Err(error) if error.code == Code::UnsupportedVersion => return Err(error),
                    Err(error) => {
                        self.image.damage.push(Damage {
                            key: log_prefix(sequence),
                            message: format!("{}; this commit is lost", error.message),
                        });
                        // What is damaged is not stale.
                        values.clear();
                    }
                }
                if !values.is_empty() {
                    self.values.log.insert(sequence, values);
                }
                return Ok(Some(bytes));
            } else {
                return Ok(None);
            }
        }
    }

    /// What was read.
    #[must_use]
    pub fn end(self) -> Image<'a> {
        let Self { values, after, mut image, .. } = self;
        // Without a head nothing is known to be stale.
        let mut stale = if image.rebuilt { Vec::new() } else { values.rest(&image.head, after) };
        stale.append(&mut image.stale);
        image.stale = stale;
        image
    }
}

/// The values of a storage that are still to be read, by what their keys say.
#[derive(Debug, Default)]
struct Values<'a> {
    head: Option<&'a [u8]>,
    log: Ordered<u64, Ordered<usize, &'a [u8]>>,
    segments: Ordered<u32, [Ordered<u32, &'a [u8]>; 3]>,
}

impl<'a> Values<'a> {
    /// Values under other keys are somebody else's, and damaged ones that were set aside are left there.
    fn sort(pairs: &'a [(String, Vec<u8>)]) -> Self {
        let mut values = Self::default();
        for (key, value) in pairs {
            if key == HEAD_KEY {
                values.head = Some(value);
            } else if let Some((sequence, part)) = parse_log_key(key) {
                values.log.update(sequence, |parts| {
                    parts.insert(part, value);
                });
            } else if let Some((id, column, number)) = parse_segment_key(key) {
                values.segments.update(id, |columns| {
                    column.of_mut(columns).insert(number, value);
                });
            }
        }
        values
    }

    fn is_empty(&self) -> bool {
        self.log.is_empty() && self.segments.is_empty()
    }

    /// A head for a storage without a readable one: every segment there is, and every commit of the log. Segments can
    /// overlap with one another and with the log when a fold was cut short; who applies them takes each commit once.
    fn head_of_everything(&self) -> Head {
        let segments = self.segments.iter().map(|(id, columns)| LogSegment {
            id: *id,
            first: 0,
            last: 0,
            bytes: 0,
            values: columns
                .each_ref()
                .map(|column| column.keys().next_back().map_or(0, |last| last.saturating_add(1))),
        });
        Head {
            counter: self.head.and_then(|value| Reader::new(value).u64().ok()).unwrap_or(0),
            lineage: [0; 16],
            sequence: self.log.keys().next_back().copied().unwrap_or(0),
            time: 0,
            folded: 0,
            erased: 0,
            outlived: 0,
            next_segment: self.segments.keys().next_back().map_or(0, |id| id.saturating_add(1)),
            segments: segments.collect(),
        }
    }

    /// Takes the values of a column, and names those that are not there.
    fn take_column(
        &mut self,
        segment: &LogSegment,
        column: Column,
        damage: &mut Vec<Damage>,
    ) -> Ordered<u32, &'a [u8]> {
        let count = *column.of(&segment.values);
        let mut found =
            self.segments.get_mut(&segment.id).map(|columns| std::mem::take(column.of_mut(columns)));
        let stale = found.as_mut().map(|found| found.split_off(&count));
        let found = found.unwrap_or_default();
        if let (Some(stale), Some(columns)) = (stale, self.segments.get_mut(&segment.id)) {
            *column.of_mut(columns) = stale;
        }
        let present = found.keys().map(|number| u64::from(*number));
        for (first, last) in gaps(0..u64::from(count), present) {
            let key = segment_key(segment.id, column, u32::try_from(first).unwrap_or(count));
            damage.push(column_damage(key, column, &missing(last - first + 1)));
        }
        found
    }

    /// Takes the values of a run of commits of the log.
    fn take_log(&mut self, range: Range<u64>) -> Ordered<u64, Ordered<usize, &'a [u8]>> {
        let behind = self.log.split_off(&range.end);
        let taken = self.log.split_off(&range.start);
        self.log.extend(behind);
        taken
    }

    /// The keys of everything that was not read and is not behind `after`.
    fn rest(self, head: &Head, after: u64) -> Vec<String> {
        let skipped = head.folded + 1..after + 1;
        let log = self.log.into_iter().filter(|(sequence, _)| !skipped.contains(sequence));
        let log = log
            .flat_map(|(sequence, values)| values.into_iter().map(move |(part, _)| log_key(sequence, part)));
        let skipped =
            |id: &u32| head.folded <= after && head.segments.iter().any(|segment| segment.id == *id);
        let segments = self.segments.into_iter().filter(|(id, _)| !skipped(id)).flat_map(|(id, columns)| {
            Column::ALL.into_iter().zip(columns).flat_map(move |(column, values)| {
                values.into_iter().map(move |(number, _)| segment_key(id, column, number))
            })
        });
        log.chain(segments).collect()
    }
}

fn read_head(values: &Values<'_>) -> Result<Head> {
    match values.head {
        Some(value) => Head::decode(value),
        // The first write of a memory puts nothing but a head, so without one nothing was ever stored.
        None if values.is_empty() => Ok(Head::default()),
        None => Err(corrupt(&missing(1))),
    }
}

/// Reads a commit that was folded as it stood in the log, because its scope was locked then, or because it is larger than a value.
/// It takes as many values as there.
fn read_framed<'a>(
    key: &str,
    (number, first): (u32, &'a [u8]),
    others: &mut Peekable<Rest<u32, &'a [u8]>>,
) -> Result<Vec<Part<'a>>> {
    let count = frame::stored_length(first)?.div_ceil(MAX_VALUE_BYTES);
    let mut values = Ordered::new();
    values.insert(0, first);
    let is_its = |at: u32| (at.saturating_sub(number) as usize) < count;
    while let Some((at, value)) = others.next_if(|(at, _)| is_its(*at)) {
        values.insert((at - number) as usize, value);
    }
    let mut commit = read_commit(0, &mut values)?;
    let (sequence, length, has_vectors) = {
        let (section, embeds) = commit::split(frame::decode(FrameKind::Commit, &commit.frame)?)?;
        (CommitView::decode(section)?.sequence, section.len(), !embeds.is_empty())
    };
    if has_vectors {
        commit.sequence = sequence;
        return Ok(vec![Part::Commit(commit)]);
    }
    // With its header in front: to take that off would move all of it.
    let sections = vec![(HEADER_BYTES + 4, length)];
    Ok(vec![Part::Commits { key: key.to_owned(), payload: commit.frame, sections }])
}

/// Reads a value of a column by its number; a commit that takes several takes further ones.
fn read_number<'a>(
    segment: &LogSegment,
    (column, with_pages): (Column, bool),
    (number, value): (u32, &'a [u8]),
    others: &mut Peekable<Rest<u32, &'a [u8]>>,
    parts: &mut Vec<Part<'a>>,
    damage: &mut Vec<Damage>,
) -> Result<()> {
    let key = segment_key(segment.id, column, number);
    let read = if column == Column::Commits && frame::is_of(FrameKind::Commit, value) {
        read_framed(&key, (number, value), others)
    } else {
        read_value(&key, segment, column, value, with_pages)
    };
    match read {
        Ok(found) => parts.extend(found),
        Err(error) if error.code == Code::UnsupportedVersion => return Err(error),
        Err(error) => damage.push(column_damage(key, column, &error.message)),
    }
    Ok(())
}

/// Takes the values of a commit. How many there must be is in the header of the first; more can lie there when an
/// earlier, longer commit of the same number was cut short.
fn read_commit<'a>(sequence: u64, values: &mut Ordered<usize, &'a [u8]>) -> Result<LogCommit<'a>> {
    let first = *values.get(&0).ok_or_else(|| corrupt(&missing(1)))?;
    let parts = frame::stored_length(first)?.div_ceil(MAX_VALUE_BYTES);
    let stale = values.split_off(&parts);
    let found = std::mem::replace(values, stale);
    if found.len() < parts {
        return Err(corrupt(&missing((parts - found.len()) as u64)));
    }
    if parts == 1 {
        return Ok(LogCommit::from_frame(sequence, first));
    }
    Ok(LogCommit::from_frame(sequence, found.values().copied().collect::<Vec<_>>().concat()))
}

fn checked(commit: LogCommit<'_>) -> Result<LogCommit<'_>> {
    commit.split()?;
    Ok(commit)
}

/// The runs of numbers of a range that are not among the ascending `present` ones: first and last of each.
pub(crate) fn gaps(
    range: Range<u64>,
    present: impl Iterator<Item = u64>,
) -> impl Iterator<Item = (u64, u64)> {
    let Range { start, end } = range;
    let mut next = start;
    let ends = present.filter(move |number| (start..end).contains(number)).chain([end]);
    ends.filter_map(move |end| {
        let gap = (next < end).then(|| (next, end - 1));
        next = end.saturating_add(1);
        gap
    })
}

fn missing(values: u64) -> String {
    if values == 1 { "the value is missing".to_owned() } else { format!("{values} values are missing") }
}

fn column_damage(key: String, column: Column, message: &str) -> Damage {
    let meaning = match column {
        Column::Commits => "these commits are lost",
        Column::Terms => "the words are taken from the texts again",
        Column::Vectors => "the vectors are computed again",
    };
    Damage { key, message: format!("{message}; {meaning}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Cause, Commit};
    use crate::{Id, Scope};
    use proptest::prelude::*;
    use serde_json::json;

    fn commit(sequence: u64) -> (String, Vec<u8>) {
        let commit = Commit {
            sequence,
            id: Id::new(5, [1; 10]),
            time: 5,
            cause: Cause::User,
            scope: Some(Scope::from_json(&json!({"a": "b"})).unwrap()),
            ops: Vec::new(),
            embeds: Vec::new(),
        };
        (log_key(sequence, 0), commit.frame())
    }

    fn head(sequence: u64) -> (String, Vec<u8>) {
        (HEAD_KEY.to_owned(), Head { counter: 9, sequence, ..Head::default() }.encode())
    }

    fn sequences(image: &Image<'_>) -> Vec<u64> {
        let sequence = |part: &Part<'_>| if let Part::Commit(commit) = part { commit.sequence } else { 0 };
        image.parts.iter().map(sequence).collect()
    }

    #[test]
    fn the_head_tells_the_state_from_a_torn_tail() {
        let pairs = [commit(1), commit(2), commit(3), head(2)];
        let image = replay(&pairs, 0).unwrap();
        assert_eq!((sequences(&image), &image.stale), (vec![1, 2], &vec![log_key(3, 0)]));
        assert!(image.damage.is_empty() && !image.rebuilt);
        let image = replay(&pairs, 1).unwrap();
        assert_eq!((sequences(&image), &image.stale), (vec![2], &vec![log_key(3, 0)]));
    }

    #[test]
    fn without_a_head_everything_counts_and_nothing_is_stale() {
        assert_eq!(replay(&[], 0).unwrap().head, Head::default());
        let pairs = [commit(1), commit(3)];
        let image = replay(&pairs, 0).unwrap();
        assert_eq!((sequences(&image), image.rebuilt, image.stale), (vec![1, 3], true, vec![]));
    }

    #[test]
    fn a_commit_under_the_key_of_another_is_damage() {
        let pairs = [(log_key(1, 0), commit(2).1), head(1)];
        let image = replay(&pairs, 0).unwrap();
        assert_eq!((image.parts.len(), image.damage.len()), (0, 1));
    }

    proptest! {
        #[test]
        fn gaps_are_what_is_missing(end in 0..40u64, present in prop::collection::btree_set(0..50u64, 0..40)) {
            let expected: Vec<u64> = (3..end).filter(|number| !present.contains(number)).collect();
            let found: Vec<(u64, u64)> = gaps(3..end, present.into_iter()).collect();
            prop_assert!(found.windows(2).all(|two| two[0].1 + 1 < two[1].0));
            prop_assert_eq!(found.into_iter().flat_map(|(first, last)| first..=last).collect::<Vec<_>>(), expected);
        }
    }
}
