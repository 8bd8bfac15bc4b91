//! The head: the one key whose change is the commit point, and the names of all other keys.
//!
//! ```text
//! value of "head": counter:u64  frame(Head)
//! payload: counter:u64  sequence:u64  time:i64  folded:u64  next:u32  count:u32
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

/// The most bytes the engine puts into one value; larger things are split.
pub const MAX_VALUE_BYTES: usize = 1 << 20;

/// What belongs to the present state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// How many writes there were; every write adds one.
    pub counter: u64,
    /// The last commit.
    pub sequence: u64,
    /// The last commit's time.
    pub time: Timestamp,
    /// Commits up to this one are in segments, later ones in the log.
    pub folded: u64,
    /// The id of the next segment.
    pub next_segment: u32,
    /// The segments, oldest first.
    pub segments: Vec<Segment>,
}

/// An immutable run of commits with its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
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
        payload.extend_from_slice(&self.sequence.to_le_bytes());
        payload.extend_from_slice(&self.time.to_le_bytes());
        payload.extend_from_slice(&self.folded.to_le_bytes());
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
        let mut reader = Reader::new(frame::decode(FrameKind::Head, reader.rest())?);
        if reader.u64()? != counter {
            return Err(corrupt("the head's counter does not match its copy"));
        }
        let mut head = Self {
            counter,
            sequence: reader.u64()?,
            time: reader.i64()?,
            folded: reader.u64()?,
            next_segment: reader.u32()?,
            segments: Vec::new(),
        };
        for _ in 0..reader.u32()? {
            head.segments.push(Segment {
                id: reader.u32()?,
                first: reader.u64()?,
                last: reader.u64()?,
                bytes: reader.u64()?,
                values: [reader.u32()?, reader.u32()?, reader.u32()?],
            });
        }
        reader.end()?;
        Ok(head)
    }

    /// The bare counter of a head value, as storages compare it; 0 for a missing or short one.
    #[must_use]
    pub fn counter_of(value: &[u8]) -> u64 {
        Reader::new(value).u64().unwrap_or(0)
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

/// The key of one value of a segment's column.
#[must_use]
pub fn segment_key(id: u32, column: Column, number: usize) -> String {
    format!("{}{}/{number:06x}", segment_prefix(id), column.name())
}

/// The beginning of the keys of a segment.
#[must_use]
pub fn segment_prefix(id: u32) -> String {
    format!("segment/{id:08x}/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Code;

    #[test]
    fn round_trip_and_damage() {
        let head = Head {
            counter: 9,
            sequence: 40,
            time: 1_777_593_600_000,
            folded: 30,
            next_segment: 3,
            segments: vec![Segment { id: 2, first: 1, last: 30, bytes: 1234, values: [1, 2, 0] }],
        };
        let value = head.encode();
        assert_eq!(Head::decode(&value).unwrap(), head);
        assert_eq!(Head::counter_of(&value), 9);
        for cut in 0..value.len() {
            assert_eq!(Head::decode(&value[..cut]).unwrap_err().code, Code::Corrupt);
        }
        for byte in 0..value.len() {
            let mut flipped = value.clone();
            flipped[byte] ^= 0x10;
            assert_eq!(Head::decode(&flipped).unwrap_err().code, Code::Corrupt, "byte {byte}");
        }
    }
}
