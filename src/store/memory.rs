//! How much memory the state takes.

use super::collection::Collection;
use super::slot::Slot;
use super::state::{CommitEntry, Store};
use crate::growth::{list_bytes, map_bytes};
use crate::record::Kind;

impl Store {
    /// The most bytes of memory that everything here takes, without what can be read again. It follows from what is stored and not from how that came about: a store
    /// that is read again takes no more. It is counted, so it takes a while in a large memory.
    #[must_use]
    #[inline(never)]
    pub fn memory_bytes(&self) -> usize {
        let places: usize = self.scope_commits.iter().map(|places| list_bytes(places.len(), 4)).sum();
        let collections: usize = self.collections.values().map(Collection::memory_bytes).sum();
        let aside: usize = self.slots.iter().flatten().map(Slot::memory_bytes).sum();
        let scopes: usize = self.scopes().map(|scope| 2 * scope.canonical().len()).sum();
        self.blobs.memory_bytes()
            + self.codes.as_ref().map_or(0, |codes| codes.memory_bytes())
            + self.slots.memory_bytes()
            + aside
            + list_bytes(self.commits.len(), size_of::<CommitEntry>())
            + self.documents.memory_bytes()
            + self.commit_names.memory_bytes()
            + list_bytes(self.commit_places.len(), size_of::<u32>())
            + map_bytes(self.collections.len(), size_of::<((u32, Kind), Collection)>())
            + places
            + scopes
            + collections
    }
}

impl Collection {
    fn memory_bytes(&self) -> usize {
        // Runs of numbers are three quarters full on average.
        let numbers = self.members.len() * 2 + self.pinned.len() + self.unembedded.len();
        let ended: usize = self.ended_keys.keys().map(|key| key.len() + 2 * size_of::<(String, u32)>()).sum();
        self.words.memory_bytes()
            + self.vectors.as_ref().map_or(0, |vectors| vectors.memory_bytes())
            + self.parts.memory_bytes()
            + self.substrings.memory_bytes()
            + list_bytes(self.ever.len(), size_of::<u32>())
            + numbers * size_of::<u32>() * 4 / 3
            + ended
            + self.ends.memory_bytes()
    }
}
