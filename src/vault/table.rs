//! The table of scope keys.
//!
//! ```text
//! table: next:u32  count:u32  count x (id:u32  key:32  scope:text)
//! ```
//! It is written anew, under new names, whenever a scope joins or is forgotten, and the head says which one counts. So no
//! write puts other bytes where the old head still looks.

use crate::error::Result;
use crate::log::{MAX_VALUE_BYTES, Reader, corrupt, keys_key, put_block};
use crate::ordered::Ordered;

/// The keys of the scopes.
#[derive(Clone, Default)]
pub(super) struct Table {
    /// The counter of the head that was written with it; 0 while nothing is stored of it.
    pub(super) written: u64,
    /// How many values it takes.
    pub(super) parts: u32,
    /// The last id that was given; ids are never used twice.
    last: u32,
    scopes: Ordered<String, u32>,
    keys: Ordered<u32, [u8; 32]>,
}

impl Table {
    /// The id of a scope's key.
    pub(super) fn id(&self, scope: &str) -> Option<u32> {
        self.scopes.get(scope).copied()
    }

    /// How many scopes have a key.
    pub(super) fn len(&self) -> usize {
        self.scopes.len()
    }

    /// The key with an id.
    pub(super) fn key(&self, id: u32) -> Option<[u8; 32]> {
        self.keys.get(&id).copied()
    }

    /// Gives a scope its key.
    pub(super) fn add(&mut self, scope: &str, key: [u8; 32]) {
        self.last += 1;
        self.scopes.insert(scope.to_owned(), self.last);
        self.keys.insert(self.last, key);
    }

    /// Destroys the key of a scope; `false` when it has none.
    pub(super) fn remove(&mut self, scope: &str) -> bool {
        let id = self.scopes.remove(scope);
        id.and_then(|id| self.keys.remove(&id)).is_some()
    }

    /// The names of its values in the storage.
    pub(super) fn names(&self) -> impl Iterator<Item = String> + use<> {
        let written = self.written;
        (0..self.parts as usize).map(move |part| keys_key(written, part))
    }

    /// The values to store with the head of `counter`.
    pub(super) fn encode(&mut self, counter: u64) -> Vec<(String, Vec<u8>)> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(&self.last.to_le_bytes());
        bytes.extend_from_slice(&u32::try_from(self.scopes.len()).unwrap_or(u32::MAX).to_le_bytes());
        for (scope, id) in self.scopes.iter() {
            bytes.extend_from_slice(&id.to_le_bytes());
            bytes.extend_from_slice(&self.key(*id).unwrap_or_default());
            put_block(&mut bytes, scope.as_bytes());
        }
        self.written = counter;
        let parts = bytes.chunks(MAX_VALUE_BYTES).map(<[u8]>::to_vec);
        let values: Vec<_> = parts.zip(0..).map(|(bytes, part)| (keys_key(counter, part), bytes)).collect();
        self.parts = u32::try_from(values.len()).unwrap_or(u32::MAX);
        values
    }

    /// Reads the table back.
    pub(super) fn decode(written: u64, parts: u32, bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let mut table = Self { written, parts, last: reader.u32()?, ..Self::default() };
        for _ in 0..reader.u32()? {
            let (id, key, scope) = (reader.u32()?, reader.array()?, reader.text()?);
            if id == 0 || id > table.last {
                return Err(corrupt("a scope's key has an impossible number"));
            }
            table.scopes.insert(scope.to_owned(), id);
            table.keys.insert(id, key);
        }
        reader.end()?;
        Ok(table)
    }
}
