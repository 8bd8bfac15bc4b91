//! The value `keys`: the way to the root key.
//!
//! ```text
//! payload of a Keys frame: memory:16  counter:u64  description:text  nonce:12  wrapped:block
//! associated data of the wrapped root key: memory:16  counter:u64  description:text
//! ```

use crate::error::{Code, Error, Result};
use crate::log::{FrameKind, Reader, decode_frame, encode_frame, put_block};
use crate::ports::{CipherKey, MAX_DESCRIPTION_BYTES};

/// That a description of a key can be stored.
///
/// # Errors
/// `InvalidInput` when it is too long.
pub(super) fn check_description(description: &str) -> Result<()> {
    let length = description.len();
    if length <= MAX_DESCRIPTION_BYTES {
        return Ok(());
    }
    Err(Error::new(
        Code::InvalidInput,
        format!("the description of the key has {length} bytes; {MAX_DESCRIPTION_BYTES} are allowed"),
    ))
}

/// What is stored of the way to the root key.
pub(super) struct Keys<'a> {
    /// A random id of the memory since it was encrypted.
    pub(super) memory: [u8; 16],
    /// The counter of the head that was written with it.
    pub(super) counter: u64,
    /// How the key that wraps the root key is had; the application's own words.
    pub(super) description: &'a str,
}

impl<'a> Keys<'a> {
    fn associated(&self) -> Vec<u8> {
        let mut out = self.memory.to_vec();
        out.extend_from_slice(&self.counter.to_le_bytes());
        put_block(&mut out, self.description.as_bytes());
        out
    }

    /// The value to store, with the root key wrapped.
    pub(super) async fn wrap(
        &self,
        key: &dyn CipherKey,
        nonce: [u8; 12],
        root: &[u8; 32],
    ) -> Result<Vec<u8>> {
        check_description(self.description)?;
        let mut payload = self.associated();
        let wrapped = key.seal(&nonce, &payload, root).await?;
        payload.extend_from_slice(&nonce);
        put_block(&mut payload, &wrapped);
        Ok(encode_frame(FrameKind::Keys, &payload))
    }

    /// Reads the value, and gives the nonce and the wrapped root key with it.
    pub(super) fn decode(value: &'a [u8]) -> Result<(Self, [u8; 12], &'a [u8])> {
        let mut reader = Reader::new(decode_frame(FrameKind::Keys, value)?);
        let keys = Self { memory: reader.array()?, counter: reader.u64()?, description: reader.text()? };
        let (nonce, wrapped) = (reader.array()?, reader.block()?);
        reader.end()?;
        Ok((keys, nonce, wrapped))
    }

    /// The root key; `None` when the key is another or the value was altered.
    pub(super) async fn unwrap(
        &self,
        key: &dyn CipherKey,
        nonce: [u8; 12],
        wrapped: &[u8],
    ) -> Result<Option<[u8; 32]>> {
        let root = key.open(&nonce, &self.associated(), wrapped).await?;
        Ok(root.and_then(|root| root.try_into().ok()))
    }
}
