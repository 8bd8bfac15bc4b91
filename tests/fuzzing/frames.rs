//! Frames as they are stored, with checksums that are right, so that what is made up gets past them.

/// The bytes of a frame before its payload.
const HEADER: usize = 16;
/// The version that is written now.
const VERSION: u8 = 4;

/// The kind of values of vectors.
pub(crate) const VECTORS: u8 = 10;

/// A frame around a payload. In one of vectors the checksum of the index in front is put right too.
pub(crate) fn framed(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut payload = payload.to_vec();
    if kind == VECTORS
        && let Some((length, rest)) = payload.split_first_chunk_mut::<4>()
        && let Some((index, rest)) = rest.split_at_mut_checked(u32::from_le_bytes(*length) as usize)
        && let Some(checksum) = rest.first_chunk_mut()
    {
        *checksum = crc32(index).to_le_bytes();
    }
    let mut frame = vec![b'M', b'n', VERSION, kind];
    frame.extend((payload.len() as u32).to_le_bytes());
    frame.extend(crc32(&payload).to_le_bytes());
    frame.extend(crc32(&frame).to_le_bytes());
    frame.extend(payload);
    frame
}

/// The kind and the payload of each frame of some bytes, as far as they are frames.
pub(crate) fn frames(mut bytes: &[u8]) -> Vec<(u8, &[u8])> {
    let mut frames = Vec::new();
    while let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() {
        let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let Some((payload, rest)) = rest.split_at_checked(length).filter(|_| header.starts_with(b"Mn"))
        else {
            break;
        };
        frames.push((header[3], payload));
        bytes = rest;
    }
    frames
}

pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    mnemic_core::checksum::crc32(bytes)
}
