//! The table of scope keys.
//!
//! ```text
//! table: last:u32  count:u32  count x (id:u32  key:32  scope:text)
//!        [count:u32  count x (id:u32  since:u64  description:text  nonce:12  wrapped:block  scope:text)]
//! ```
//! The second list, which is left out when it is empty, is of the scopes that have a lock: their keys stand there wrapped.
//! It is written anew, under new names, whenever a scope joins or is forgotten, and the head says which one counts. So no
//! write puts other bytes where the old head still looks.

use super::lock::Lock;
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
    /// Those that are known: of scopes with a lock, the ones that were opened.
    keys: Ordered<u32, [u8; 32]>,
    locks: Ordered<u32, Lock>,
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
    pub(super) fn add(&mut self, scope: &str, key: [u8; 32]) -> u32 {
        self.last += 1;
        self.scopes.insert(scope.to_owned(), self.last);
        self.keys.insert(self.last, key);
        self.last
    }

    /// Destroys the key of a scope; `false` when it has none.
    pub(super) fn remove(&mut self, scope: &str) -> bool {
        let Some(id) = self.scopes.remove(scope) else { return false };
        self.keys.remove(&id);
        self.locks.remove(&id);
        true
    }

    /// The lock of the key with an id.
    pub(super) fn lock(&self, id: u32) -> Option<&Lock> {
        self.locks.get(&id)
    }

    /// Gives the key with an id a lock, or takes it away.
    pub(super) fn set_lock(&mut self, id: u32, lock: Option<Lock>) {
        match lock {
            Some(lock) => self.locks.insert(id, lock),
            None => self.locks.remove(&id),
        };
    }

    /// Whether a key is not to be had until somebody opens its lock.
    pub(super) fn is_locked(&self, id: u32) -> bool {
        self.locks.contains(&id) && !self.keys.contains(&id)
    }

    /// Knows the key of a lock that was opened, or no longer.
    pub(super) fn set_open(&mut self, id: u32, key: Option<[u8; 32]>) {
        match key {
            Some(key) => self.keys.insert(id, key),
            None => self.keys.remove(&id),
        };
    }

    /// Knows the keys of the locks that were opened in an earlier table, unless they were locked since.
    pub(super) fn keep_open(&mut self, before: &Self) {
        for (id, lock) in before.locks.iter() {
            if let (Some(key), Some(now)) = (before.key(*id), self.lock(*id))
                && now.since == lock.since
            {
                self.keys.insert(*id, key);
            }
        }
    }

    /// The scopes that have a lock, with the ids of their keys.
    pub(super) fn with_lock(&self) -> impl Iterator<Item = (&str, u32)> {
        let of = self.scopes.iter().filter(|(_, id)| self.locks.contains(*id));
        of.map(|(scope, id)| (scope.as_str(), *id))
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
        put_count(&mut bytes, self.scopes.len() - self.locks.len());
        for (scope, id) in self.scopes.iter().filter(|(_, id)| !self.locks.contains(*id)) {
            bytes.extend_from_slice(&id.to_le_bytes());
            bytes.extend_from_slice(&self.key(*id).unwrap_or_default());
            put_block(&mut bytes, scope.as_bytes());
        }
        if !self.locks.is_empty() {
            put_count(&mut bytes, self.locks.len());
        }
        for (scope, id) in self.with_lock() {
            let Some(lock) = self.lock(id) else { continue };
            bytes.extend_from_slice(&id.to_le_bytes());
            bytes.extend_from_slice(&lock.since.to_le_bytes());
            put_block(&mut bytes, lock.description.as_bytes());
            bytes.extend_from_slice(&lock.nonce);
            put_block(&mut bytes, &lock.wrapped);
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
            table.name(id, scope)?;
            table.keys.insert(id, key);
        }
        let locks = if reader.rest().is_empty() { 0 } else { reader.u32()? };
        for _ in 0..locks {
            let (id, since, description) = (reader.u32()?, reader.u64()?, reader.text()?.to_owned());
            let (nonce, wrapped) = (reader.array()?, reader.block()?.to_vec());
            table.name(id, reader.text()?)?;
            table.locks.insert(id, Lock { since, description, nonce, wrapped });
        }
        reader.end()?;
        Ok(table)
    }

    fn name(&mut self, id: u32, scope: &str) -> Result<()> {
        if id == 0 || id > self.last {
            return Err(corrupt("a scope's key has an impossible number"));
        }
        self.scopes.insert(scope.to_owned(), id);
        Ok(())
    }
}

fn put_count(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend_from_slice(&u32::try_from(count).unwrap_or(u32::MAX).to_le_bytes());
}
