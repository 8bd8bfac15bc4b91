//! One sealed value.
//!
//! ```text
//! payload of a Sealed frame: key:u32  counter:u64  name:text  nonce:12  ciphertext and tag
//! associated data: memory:16  key:u32  counter:u64  name:text
//! ```
//! The name is the key under which the value was stored. It stands there so that a value that was moved is told from one
//! that was altered.

use crate::error::Result;
use crate::log::{FrameKind, Reader, decode_frame, encode_frame, put_block};

/// A sealed value, read in place.
#[derive(Debug, Clone, Copy)]
pub struct SealedView<'a> {
    /// Which key sealed it; 0 is the root key.
    pub key: u32,
    /// The counter of the head that was written with it.
    pub counter: u64,
    /// The key of the storage that it was written under.
    pub name: &'a str,
    pub(super) nonce: [u8; 12],
    pub(super) ciphertext: &'a [u8],
}

/// What is said of a value in clear.
pub(super) struct Label<'a> {
    pub(super) key: u32,
    pub(super) counter: u64,
    pub(super) name: &'a str,
}

impl Label<'_> {
    fn encode(&self, mut out: Vec<u8>) -> Vec<u8> {
        out.extend_from_slice(&self.key.to_le_bytes());
        out.extend_from_slice(&self.counter.to_le_bytes());
        put_block(&mut out, self.name.as_bytes());
        out
    }

    /// What is authenticated with the value.
    pub(super) fn associated(&self, memory: [u8; 16]) -> Vec<u8> {
        self.encode(memory.to_vec())
    }

    /// The value to store.
    pub(super) fn frame(&self, nonce: [u8; 12], ciphertext: &[u8]) -> Vec<u8> {
        let mut payload = self.encode(Vec::with_capacity(ciphertext.len() + 96));
        payload.extend_from_slice(&nonce);
        payload.extend_from_slice(ciphertext);
        encode_frame(FrameKind::Sealed, &payload)
    }
}

impl<'a> SealedView<'a> {
    /// Reads a sealed value. Whether it is authentic is known only to the key.
    ///
    /// # Errors
    /// `Corrupt` when it is damaged or not sealed, `UnsupportedVersion` when a newer version wrote it.
    pub fn decode(value: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(decode_frame(FrameKind::Sealed, value)?);
        Ok(Self {
            key: reader.u32()?,
            counter: reader.u64()?,
            name: reader.text()?,
            nonce: reader.array()?,
            ciphertext: reader.rest(),
        })
    }

    /// What must have been authenticated with it.
    pub(super) fn associated(&self, memory: [u8; 16]) -> Vec<u8> {
        Label { key: self.key, counter: self.counter, name: self.name }.associated(memory)
    }
}
