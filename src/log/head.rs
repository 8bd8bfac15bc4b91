//! The head: the one key whose change is the commit point, and the names of all other keys.
//!
//! ```text
//! value of "head": counter:u64  frame(Head)
//! payload: counter:u64  lineage:16  sequence:u64  time:i64  folded:u64  erased:u64  outlived:u64  next:u32  count:u32
//!          count x (id:u32  first:u64  last:u64  bytes:u64  commits:u32  terms:u32  vectors:u32)
//! ```
//! The bare counter in front is what storages compare; the copy inside tells a damaged counter.

use super::bytes::{Reader, corrupt, length};
use super::frame::{self, FrameKind};
use super::segment::Column;
use crate::error::Result;
use crate::time::Timestamp;

/// The key of the head; its value begins with the head counter as a little-endian `u64`.
pub const HEAD_KEY: &str = "head";

/// The beginning of the keys under which damaged values are kept, so that no later fold or sweep takes them away.
pub const QUARANTINE: &str = "damaged/";

/// The key of the way to the keys of an encrypted memory.
pub const KEYS: &str = "keys";

/// The most bytes the engine puts into one value; larger things are split.
pub const MAX_VALUE_BYTES: usize = 1 << 20;

/// The greatest sequence number. Records keep the numbers of their commits in 32 bits.
pub const MAX_SEQUENCE: u64 = u32::MAX as u64;

/// The greatest id of a segment; at a hundred folds a second it lasts for eight months.
const MAX_SEGMENT: u32 = u32::MAX / 2;

/// What belongs to the present state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// Begins at the clock's milliseconds with the first head of a lineage; every write adds one.
    pub counter: u64,
    /// Random bytes that come with the first head of a memory: another memory in its place has others. Zeros before.
    pub lineage: [u8; 16],
    /// The last commit.
    pub sequence: u64,
    /// The last commit's time.
    pub time: Timestamp,
    /// Commits up to this one are in segments, later ones in the log.
    pub folded: u64,
    /// The counter of the head that erased something last; 0 when none did. Whoever finds another one than it knows reads
    /// everything anew, and damaged values that were set aside before are stale.
    pub erased: u64,
    /// The counter of the head of the last fold that let go of whole records, as history did not reach back to them; 0 when
    /// none did. Whoever finds another one reads everything anew too.
    pub outlived: u64,
    /// The id of the next segment.
    pub next_segment: u32,
    /// The segments, oldest first.
    pub segments: Vec<LogSegment>,
}

/// An immutable run of commits with its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogSegment {
    /// Its id; never used twice.
    pub id: u32,
    /// Its first commit.
    pub first: u64,
    /// Its last commit.
    pub last: u64,
    /// Bytes of all its values.
    pub bytes: u64,
    /// How many values each column has, in the order of [`Column::ALL`].
    pub values: [u32; 3],
}

impl Head {
    /// The value to store under the head's key.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        payload.extend_from_slice(&self.counter.to_le_bytes());
        payload.extend_from_slice(&self.lineage);
        payload.extend_from_slice(&self.sequence.to_le_bytes());
        payload.extend_from_slice(&self.time.to_le_bytes());
        payload.extend_from_slice(&self.folded.to_le_bytes());
        payload.extend_from_slice(&self.erased.to_le_bytes());
        payload.extend_from_slice(&self.outlived.to_le_bytes());
        payload.extend_from_slice(&self.next_segment.to_le_bytes());
        payload.extend_from_slice(&length(self.segments.len()).to_le_bytes());
        for segment in &self.segments {
            payload.extend_from_slice(&segment.id.to_le_bytes());
            payload.extend_from_slice(&segment.first.to_le_bytes());
            payload.extend_from_slice(&segment.last.to_le_bytes());
            payload.extend_from_slice(&segment.bytes.to_le_bytes());
            for count in segment.values {
                payload.extend_from_slice(&count.to_le_bytes());
            }
        }
        let mut out = self.counter.to_le_bytes().to_vec();
        out.extend_from_slice(&frame::encode(FrameKind::Head, &payload));
        out
    }

    /// Reads the value of the head's key.
    ///
    /// # Errors
    /// `Corrupt` when it is damaged, `UnsupportedVersion` when a newer version wrote it.
    pub fn decode(value: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(value);
        let counter = reader.u64()?;
        let (payload, version) = frame::decode_versioned(FrameKind::Head, reader.rest())?;
        let mut reader = Reader::new(payload);
        if reader.u64()? != counter {
            return Err(corrupt("the head's counter does not match its copy"));
        }
        let mut head = Self {
            counter,
            lineage: reader.array()?,
            sequence: reader.u64()?,
            time: reader.i64()?,
            folded: reader.u64()?,
            // Version 1 erased nothing.
            erased: if version > 1 { reader.u64()? } else { 0 },
            outlived: if version > 1 { reader.u64()? } else { 0 },
            next_segment: reader.u32()?,
            segments: Vec::new(),
        };
        for _ in 0..reader.u32()? {
            head.segments.push(LogSegment {
                id: reader.u32()?,
                first: reader.u64()?,
                last: reader.u64()?,
                bytes: reader.u64()?,
                values: [reader.u32()?, reader.u32()?, reader.u32()?],
            });
        }
        reader.end()?;
        head.check()?;
        Ok(head)
    }

    /// Checks that the segments follow one another without gaps up to the last folded commit.
    fn check(&self) -> Result<()> {
        if self.folded > self.sequence || self.sequence > MAX_SEQUENCE {
            return Err(corrupt("the head's numbers contradict one another"));
        }
        let mut end = 0;
        for segment in &self.segments {
            let follows = segment.first == end + 1 && (segment.first..=self.folded).contains(&segment.last);
            if !follows || segment.id >= self.next_segment || segment.id > MAX_SEGMENT {
                return Err(corrupt("the head's segments do not follow one another"));
            }
            end = segment.last;
        }
        if end == self.folded { Ok(()) } else { Err(corrupt("the head's segments end too early")) }
    }

    /// The head after one more write.
    #[must_use]
    pub fn next(&self) -> Self {
        // Every write has its own number even in the impossible case that all were used: storages only compare them.
        Self { counter: self.counter.wrapping_add(1), ..self.clone() }
    }
}

/// The key of one value of a commit in the log; a commit over the value limit takes several.
#[must_use]
pub fn log_key(sequence: u64, part: usize) -> String {
    format!("{}{part:04x}", log_prefix(sequence))
}

/// The beginning of the keys of a commit in the log.
#[must_use]
pub fn log_prefix(sequence: u64) -> String {
    format!("log/{sequence:016x}/")
}

/// The commit and the part that a key of the log is for; `None` for any other key.
pub(crate) fn parse_log_key(key: &str) -> Option<(u64, usize)> {
    let (sequence, part) = key.strip_prefix("log/")?.split_once('/')?;
    let sequence = u64::from_str_radix(sequence, 16).ok().filter(|sequence| *sequence <= MAX_SEQUENCE)?;
    let part = usize::from_str_radix(part, 16).ok()?;
    // Only the one spelling counts.
    (log_key(sequence, part) == key).then_some((sequence, part))
}

/// The key of one value of a segment's column.
#[must_use]
pub fn segment_key(id: u32, column: Column, number: u32) -> String {
    format!("{}{}/{number:06x}", segment_prefix(id), column.name())
}

/// The beginning of the keys of a segment.
#[must_use]
pub fn segment_prefix(id: u32) -> String {
    format!("segment/{id:08x}/")
}

/// The segment, the column and the number that a key is for; `None` for any other key.
pub(crate) fn parse_segment_key(key: &str) -> Option<(u32, Column, u32)> {
    let (id, rest) = key.strip_prefix("segment/")?.split_once('/')?;
    let (name, number) = rest.split_once('/')?;
    let id = u32::from_str_radix(id, 16).ok().filter(|id| *id <= MAX_SEGMENT)?;
    let column = Column::ALL.into_iter().find(|column| column.name() == name)?;
    let number = u32::from_str_radix(number, 16).ok()?;
    (segment_key(id, column, number) == key).then_some((id, column, number))
}

/// The key of one part of the table of scope keys that the write of the head with `counter` put.
#[must_use]
pub fn keys_key(counter: u64, part: usize) -> String {
    format!("{KEYS}/{counter:016x}/{part:04x}")
}

/// The counter and the part that a key of the table of scope keys is for; `None` for any other key.
pub(crate) fn parse_keys_key(key: &str) -> Option<(u64, usize)> {
    let (counter, part) = key.strip_prefix("keys/")?.split_once('/')?;
    let counter = u64::from_str_radix(counter, 16).ok()?;
    let part = usize::from_str_radix(part, 16).ok()?;
    (keys_key(counter, part) == key).then_some((counter, part))
}

/// The key under which a damaged value is kept that was found under the head with `counter`.
#[must_use]
pub fn quarantine_key(counter: u64, key: &str) -> String {
    format!("{QUARANTINE}{counter:016x}/{key}")
}

/// The counter of the head under which a damaged value was found, by its key; `None` for any other key.
pub(crate) fn parse_quarantine_key(key: &str) -> Option<u64> {
    let (counter, found) = key.strip_prefix(QUARANTINE)?.split_once('/')?;
    let counter = u64::from_str_radix(counter, 16).ok()?;
    (quarantine_key(counter, found) == key).then_some(counter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[test]
    fn round_trip_and_damage() {
        let head = Head {
            counter: 9,
            lineage: [7; 16],
            sequence: 40,
            time: 1_777_593_600_000,
            folded: 30,
            erased: 8,
            outlived: 7,
            next_segment: 3,
            segments: vec![
                LogSegment { id: 0, first: 1, last: 20, bytes: 1234, values: [1, 2, 0] },
                LogSegment { id: 2, first: 21, last: 30, bytes: 99, values: [1, 0, 0] },
            ],
        };
        let value = head.encode();
        assert_eq!(Head::decode(&value).unwrap(), head);
        for cut in 0..value.len() {
            assert_eq!(Head::decode(&value[..cut]).unwrap_err().code, Code::Corrupt);
        }
        for byte in 0..value.len() {
            let mut flipped = value.clone();
            flipped[byte] ^= 0x10;
            assert_eq!(Head::decode(&flipped).unwrap_err().code, Code::Corrupt, "byte {byte}");
        }
    }
    #[test]
    fn contradictions_are_damage() {
        let segment = |id, first, last| LogSegment { id, first, last, bytes: 1, values: [1, 0, 0] };
        let head = |folded, sequence, segments: &[LogSegment]| {
            let segments = segments.to_vec();
            let head = Head { counter: 1, sequence, folded, next_segment: 9, segments, ..Head::default() };
            Head::decode(&head.encode())
        };
        assert!(head(0, 0, &[]).is_ok());
        assert!(head(7, 9, &[segment(1, 1, 3), segment(0, 4, 7)]).is_ok());
        for wrong in [
            head(7, 9, &[segment(1, 1, 3), segment(0, 5, 7)]),
            head(7, 9, &[segment(1, 1, 8)]),
            head(7, 6, &[segment(1, 1, 7)]),
            head(1, 9, &[]),
            head(0, MAX_SEQUENCE + 1, &[]),
            head(u64::MAX, u64::MAX, &[segment(1, 1, u64::MAX), segment(2, 1, 1)]),
            head(7, 9, &[segment(9, 1, 7)]),
        ] {
            assert_eq!(wrong.unwrap_err().code, Code::Corrupt);
        }
    }

    #[test]
    fn keys_are_read_as_they_are_written() {
        assert_eq!(parse_log_key(&log_key(300, 2)), Some((300, 2)));
        assert_eq!(parse_segment_key(&segment_key(7, Column::Terms, 255)), Some((7, Column::Terms, 255)));
        for other in ["head", "log/", "log/1/0", "log/000000000000012C/0002", "log/ffffffffffffffff/0000"] {
            assert_eq!(parse_log_key(other), None, "{other}");
        }
        for other in
            ["segment/7/terms/0000ff", "segment/00000007/words/0000ff", "segment/00000007/terms/+000ff"]
        {
            assert_eq!(parse_segment_key(other), None, "{other}");
        }
        let longest = quarantine_key(u64::MAX, &segment_key(u32::MAX, Column::Commits, u32::MAX));
        assert!(longest.len() <= 64, "{longest}");
    }
}
