//! How much memory an open memory may take: what does not fit is refused before it is stored.

use super::database::Database;
use crate::error::{Code, Error, Result};
use crate::store::Store;
use std::cell::Cell;

const MIB: u64 = 1 << 20;
/// The default in WebAssembly, whose memory has 4 GiB at most: opening needs more than what it leads to.
const DEFAULT_MAX_MEMORY_BYTES: u64 = 2048 * 1024 * 1024;
/// The least that can be asked for: a fold is as large.
pub const LEAST_MAX_MEMORY_MIB: u64 = 16;
/// By how much at most the memory grows with a byte that is written.
const GROWTH: u64 = 4;
/// A memory that another engine has filled opens up to this part more than it may take.
const SLACK_PART: u64 = 8;

/// What is known of a memory that is opened, and what it may take.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bounds {
    /// The counter that somebody outside of the storage knows the memory to have had.
    pub known_counter: Option<u64>,
    /// How many MiB of memory it may take at most; as much as the platform has by default.
    pub max_memory_mib: Option<u64>,
}

/// The memory that there is room for.
#[derive(Debug)]
pub(super) struct Room {
    max: u64,
    /// What the store took when it was counted last; nothing before that.
    counted: Cell<u64>,
    /// How many bytes were written since.
    written: Cell<u64>,
}

impl Room {
    pub(super) fn new(bounds: Bounds) -> Self {
        let default = if cfg!(target_pointer_width = "32") { DEFAULT_MAX_MEMORY_BYTES } else { u64::MAX };
        let max = bounds.max_memory_mib.map_or(default, |mib| mib.saturating_mul(MIB));
        Self { max, counted: Cell::new(0), written: Cell::new(0) }
    }

    /// That a store which was read is to be kept, and as much more as is still to be taken in.
    ///
    /// # Errors
    /// `QuotaExceeded` when it is too large.
    pub(super) fn check_read(&self, store: &Store, more: u64) -> Result<()> {
        // What is known of another store says nothing of this one.
        self.counted.set(0);
        let bytes = (store.memory_bytes() as u64).saturating_add(more);
        if bytes <= self.max.saturating_add(self.max / SLACK_PART) {
            return Ok(());
        }
        Err(full(format!("the memory takes {} MiB, and {}", mib(bytes), self.limit()), bytes, self.max))
    }

    /// That there is room for so many bytes more.
    ///
    /// # Errors
    /// `QuotaExceeded` when there is not.
    pub(super) fn check(&self, store: &Store, bytes: u64) -> Result<()> {
        let more = bytes.saturating_mul(GROWTH);
        let about = self.counted.get().saturating_add(self.written.get().saturating_mul(GROWTH));
        if (self.counted.get() > 0 && about.saturating_add(more) <= self.max)
            || self.count(store).saturating_add(more) <= self.max
        {
            return Ok(());
        }
        let taken = self.counted.get();
        let message = format!(
            "the memory takes {} MiB, this write up to {} MiB more, and {}",
            mib(taken),
            mib(more),
            self.limit()
        );
        Err(full(message, taken.saturating_add(more), self.max))
    }

    /// That so many bytes were taken in.
    pub(super) fn grow(&self, bytes: u64) {
        self.written.set(self.written.get().saturating_add(bytes));
    }

    fn count(&self, store: &Store) -> u64 {
        let bytes = store.memory_bytes() as u64;
        self.counted.set(bytes.max(1));
        self.written.set(0);
        bytes
    }

    fn limit(&self) -> String {
        format!(
            "maxMemoryMb allows {} MiB; forget what is not needed, or open it with a greater maxMemoryMb",
            mib(self.max)
        )
    }
}

impl Database {
    /// How many bytes of memory what is open takes, and how many it may take.
    ///
    /// # Errors
    /// `Closed` after closing.
    pub fn memory_bytes(&self) -> Result<(u64, u64)> {
        self.check_open()?;
        let room = &self.inner.room;
        Ok((room.count(&self.inner.state.borrow().store), room.max))
    }
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(MIB)
}

fn full(message: String, bytes: u64, max: u64) -> Error {
    Error::new(Code::QuotaExceeded, message).with("memoryMb", mib(bytes)).with("maxMemoryMb", mib(max))
}
