//! Storages that need no browser. Those of browsers and of the application are in `src/web/storage`.

mod memory;

pub use memory::MemoryStorage;

use crate::error::{Code, Error};

/// What every storage answers to a write that was based on another head than the stored one.
pub(crate) fn conflict(expected_head: u64, stored_head: u64) -> Error {
    Error::new(
        Code::Conflict,
        format!(
            "the stored head is {stored_head} where {expected_head} was expected: another writer was first; read what it wrote and try again"
        ),
    )
    .with("expectedHead", expected_head)
    .with("storedHead", stored_head)
}
