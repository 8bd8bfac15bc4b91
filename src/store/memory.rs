//! How much memory the state takes.

use super::collection::Collection;
use super::state::{CommitEntry, Slot, Store};
use crate::record::Kind;

/// What an entry of a hash map takes beside itself: a byte, and on average a third of the places is empty.
const ENTRY_BYTES: usize = 1;

/// The bytes of a hash map with room for so many entries of one size.
fn map_bytes(capacity: usize, entry: usize) -> usize {
    // A table is seven eighths full when it grows.
    (capacity + capacity / 7) * (entry + ENTRY_BYTES)
}

impl Store {
    /// About how many bytes of memory everything here takes. It is counted, so it takes a while in a large memory.
    #[must_use]
    #[inline(never)]
    pub fn memory_bytes(&self) -> usize {
        let places: usize = self.scope_commits.iter().map(Vec::capacity).sum();
        let collections: usize = self.collections.values().map(Collection::memory_bytes).sum();
        self.blobs.iter().map(Vec::capacity).sum::<usize>()
            + self.slots.capacity() * size_of::<Slot>()
            + self.commits.capacity() * size_of::<CommitEntry>()
            + self.documents.memory_bytes()
            + self.commit_names.memory_bytes()
            + self.commit_places.capacity() * size_of::<u32>()
            + map_bytes(self.collections.capacity(), size_of::<((u32, Kind), Collection)>())
            + places * size_of::<u32>()
            + collections
    }
}

impl Collection {
    fn memory_bytes(&self) -> usize {
        // Runs of numbers are three quarters full on average.
        let numbers = self.members.len() * 2 + self.pinned.len() + self.unembedded.len();
        self.words.memory_bytes()
            + self.vectors.as_ref().map_or(0, |vectors| vectors.memory_bytes())
            + self.substrings.memory_bytes()
            + self.ever.capacity() * size_of::<u32>()
            + numbers * size_of::<u32>() * 4 / 3
    }
}
