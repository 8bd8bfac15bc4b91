//! Reading and writing fixed-width little-endian bytes. Reading is total: bytes that end early are an error.

use crate::error::{Code, Error, Result};

/// Reads from the front of a byte slice.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) =
            self.rest.split_at_checked(count).ok_or_else(|| corrupt("the bytes end early"))?;
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (taken, rest) =
            self.rest.split_first_chunk::<N>().ok_or_else(|| corrupt("the bytes end early"))?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self) -> Result<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn i64(&mut self) -> Result<i64> {
        self.array().map(i64::from_le_bytes)
    }

    pub(crate) fn f32(&mut self) -> Result<f32> {
        self.array().map(f32::from_le_bytes)
    }

    /// A length as `u32`, then that many bytes.
    pub(crate) fn block(&mut self) -> Result<&'a [u8]> {
        let length = self.u32()?;
        self.take(length as usize)
    }

    /// A length as `u32`, then that many bytes of UTF-8.
    pub(crate) fn text(&mut self) -> Result<&'a str> {
        std::str::from_utf8(self.block()?).map_err(|_| corrupt("a text is not UTF-8"))
    }

    pub(crate) fn end(&self) -> Result<()> {
        if self.rest.is_empty() { Ok(()) } else { Err(corrupt("there are bytes after the end")) }
    }
}

/// Appends a length as `u32`, then the bytes.
pub(crate) fn put_block(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&length(bytes.len()).to_le_bytes());
    out.extend_from_slice(bytes);
}

/// A length as stored. Everything stored is far below 4 GiB by the limits on records and commits; should one ever not
/// be, the length no longer matches its bytes and reading fails, it does not wrap into other data.
pub(crate) fn length(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

pub(crate) fn corrupt(message: &str) -> Error {
    Error::new(Code::Corrupt, message)
}
