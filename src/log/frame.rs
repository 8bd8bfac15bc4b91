//! Frames: the envelope of everything stored.
//!
//! ```text
//! "Mn"  version:u8  kind:u8  length:u32  checksum of payload:u32  checksum of the 12 bytes before:u32  payload
//! ```
//! The header has its own checksum, so a damaged length is told from a frame that ends early.

use super::bytes::{Reader, corrupt, length};
use crate::error::{Code, Error, Result};
use mnemic_core::checksum::crc32;

const MAGIC: [u8; 2] = *b"Mn";
/// The version this build writes, and the newest it reads.
const VERSION: u8 = 4;
/// The bytes before the payload.
pub(crate) const HEADER_BYTES: usize = 16;

/// What a frame holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameKind {
    /// One commit with its embeddings.
    Commit = 1,
    /// The head: what belongs to the present state.
    Head = 2,
    /// Commits of a segment.
    Commits = 3,
    /// Vectors of a segment, as versions before 3 wrote them.
    Vectors = 4,
    /// Terms of a segment, as versions before 4 wrote them.
    Terms = 5,
    /// The beginning of a backup.
    BackupStart = 6,
    /// The end of a backup.
    BackupEnd = 7,
    /// The way to the keys of an encrypted memory.
    Keys = 8,
    /// An encrypted value.
    Sealed = 9,
    /// Vectors of a segment with their sketches.
    SketchedVectors = 10,
    /// Terms of a segment with their postings.
    Postings = 11,
}

/// Wraps a payload.
pub(crate) fn encode(kind: FrameKind, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(HEADER_BYTES + payload.len());
    out.extend_from_slice(&MAGIC);
    out.push(VERSION);
    out.push(kind as u8);
    out.extend_from_slice(&length(payload.len()).to_le_bytes());
    out.extend_from_slice(&crc32(payload).to_le_bytes());
    let header = crc32(&out);
    out.extend_from_slice(&header.to_le_bytes());
    out.extend_from_slice(payload);
    out
}

/// How many bytes a frame has, by the header at the front of `bytes`.
///
/// # Errors
/// `Corrupt` when the header is damaged, `UnsupportedVersion` when a newer version wrote it.
pub(crate) fn stored_length(bytes: &[u8]) -> Result<usize> {
    (Header::read(&mut Reader::new(bytes))?.payload_length as usize)
        .checked_add(HEADER_BYTES)
        .ok_or_else(|| corrupt("the frame is longer than memory"))
}

/// What a frame says that it holds, by the header at the front of `bytes`.
///
/// # Errors
/// As [`stored_length`].
pub(crate) fn stored_kind(bytes: &[u8]) -> Result<u8> {
    Ok(Header::read(&mut Reader::new(bytes))?.kind)
}

/// Whether `bytes` begin as a frame of a kind does, whatever its version.
pub(crate) fn is_of(kind: FrameKind, bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) && bytes.get(3) == Some(&(kind as u8))
}

/// Unwraps the one frame that `bytes` must be.
///
/// # Errors
/// `Corrupt` when a checksum, the kind or the length is wrong; `UnsupportedVersion` when a newer version wrote it.
pub(crate) fn decode(kind: FrameKind, bytes: &[u8]) -> Result<&[u8]> {
    decode_versioned(kind, bytes).map(|(payload, _)| payload)
}

/// Unwraps the one frame that `bytes` must be, and says the version that wrote it.
///
/// # Errors
/// Those of [`decode`].
pub(crate) fn decode_versioned(kind: FrameKind, bytes: &[u8]) -> Result<(&[u8], u8)> {
    let mut reader = Reader::new(bytes);
    let header = Header::read(&mut reader)?;
    if header.kind != kind as u8 {
        return Err(corrupt("the frame is of another kind"));
    }
    let payload = reader.take(header.payload_length as usize)?;
    reader.end()?;
    if crc32(payload) != header.payload_checksum {
        return Err(corrupt("the payload's checksum does not match"));
    }
    Ok((payload, header.version))
}

/// A header whose checksum matches and whose version this build reads.
struct Header {
    version: u8,
    kind: u8,
    payload_length: u32,
    payload_checksum: u32,
}

impl Header {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let covered = Reader::new(reader.rest()).take(HEADER_BYTES - 4)?;
        let magic: [u8; 2] = reader.array()?;
        let version = reader.u8()?;
        let header = Self {
            version,
            kind: reader.u8()?,
            payload_length: reader.u32()?,
            payload_checksum: reader.u32()?,
        };
        if reader.u32()? != crc32(covered) || magic != MAGIC {
            return Err(corrupt("the header's checksum does not match"));
        }
        if version > VERSION {
            return Err(Error::new(
                Code::UnsupportedVersion,
                format!(
                    "the data has format version {version}, this build reads up to {VERSION}; update mnemic"
                ),
            )
            .with("version", version));
        }
        Ok(header)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_and_every_flip_is_noticed() {
        let frame = encode(FrameKind::Commit, b"some payload");
        assert_eq!(decode(FrameKind::Commit, &frame).unwrap(), b"some payload");
        assert_eq!(stored_length(&frame[..16]).unwrap(), frame.len());
        for cut in 0..frame.len() {
            assert_eq!(
                decode(FrameKind::Commit, &frame[..cut]).unwrap_err().code,
                Code::Corrupt,
                "cut at {cut}"
            );
        }
        for bit in 0..frame.len() * 8 {
            let mut flipped = frame.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decode(FrameKind::Commit, &flipped).unwrap_err().code, Code::Corrupt, "bit {bit}");
        }
        let mut longer = frame.clone();
        longer.push(0);
        assert_eq!(decode(FrameKind::Commit, &longer).unwrap_err().code, Code::Corrupt);
        assert_eq!(decode(FrameKind::Head, &frame).unwrap_err().code, Code::Corrupt);
    }

    #[test]
    fn a_newer_version_is_refused_by_name() {
        let mut frame = encode(FrameKind::Commit, b"x");
        frame[2] = VERSION + 1;
        let header = crc32(&frame[..12]);
        frame[12..16].copy_from_slice(&header.to_le_bytes());
        assert_eq!(decode(FrameKind::Commit, &frame).unwrap_err().code, Code::UnsupportedVersion);
    }
}
