//! A storage that fails on purpose, as often and as badly as a test wants.

use mnemic::ports::{Batch, Pairs, Pending, Storage};
use mnemic::storage::MemoryStorage;
use mnemic::{Code, Error, Result};
use std::cell::Cell;

/// What a failing write does to the image before it fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing.
    Refuses,
    /// Keeps this many of the puts before the head, like a crash in the middle of a write to localStorage.
    Tears(usize),
    /// Keeps the whole batch; only the answer is lost.
    LosesAnswer,
}

/// A [`MemoryStorage`] whose writes fail once a countdown has run out, all of them from then on.
#[derive(Debug, Clone)]
pub(crate) struct FaultyStorage {
    image: MemoryStorage,
    fault: Fault,
    writes_left: Cell<u32>,
}

impl FaultyStorage {
    /// The next `writes_left` writes work.
    pub(crate) fn new(image: MemoryStorage, fault: Fault, writes_left: u32) -> Self {
        Self { image, fault, writes_left: Cell::new(writes_left) }
    }
}

impl Storage for FaultyStorage {
    fn read<'a>(&'a self, start: &'a str, end: &'a str) -> Pending<'a, Result<Pairs>> {
        self.image.read(start, end)
    }

    fn write<'a>(&'a self, batch: &'a Batch, expected_head: u64) -> Pending<'a, Result<()>> {
        Box::pin(async move {
            if let Some(left) = self.writes_left.get().checked_sub(1) {
                self.writes_left.set(left);
                return self.image.write(batch, expected_head).await;
            }
            match self.fault {
                Fault::Refuses => {}
                Fault::Tears(kept) => {
                    let before_head = batch.puts.len().saturating_sub(1);
                    let torn =
                        Batch { puts: batch.puts[..kept.min(before_head)].to_vec(), deletes: Vec::new() };
                    self.image.write(&torn, expected_head).await?;
                }
                Fault::LosesAnswer => self.image.write(batch, expected_head).await?,
            }
            Err(Error::new(Code::Storage, format!("the storage fails on purpose ({:?})", self.fault)))
        })
    }

    fn close(&self) {
        self.image.close();
    }
}
