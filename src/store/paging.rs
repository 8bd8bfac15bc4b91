//! What of the state is in memory only as long as there is room for it.

use super::codes::{CodeCache, DamagedCodes};
use super::pages::{PageCache, ReadAt};
use super::state::Store;
use crate::error::Result;
use crate::index::vector::{CodePlace, CodeReader, FlatIndex};
use crate::log::{CommitView, OpView, VectorRows};
use std::rc::Rc;

impl Store {
    /// From now on the bytes of values of segments are read from the storage when they are needed, and need not stay in memory.
    pub fn page(&mut self, reader: Rc<dyn ReadAt>) {
        if self.blobs.pages().is_none() {
            self.codes = Some(Rc::new(CodeCache::new(reader.clone())));
            self.blobs.page(Box::new(PageCache::new(reader)));
        }
    }

    /// Whether bytes of segments are read when they are needed.
    #[must_use]
    pub fn is_paged(&self) -> bool {
        self.blobs.pages().is_some()
    }

    /// How many bytes are in memory that can be read again.
    #[must_use]
    pub fn cached_bytes(&self) -> usize {
        let codes = self.codes.as_ref().map_or(0, |codes| codes.cached_bytes());
        codes + self.blobs.pages().map_or(0, |pages| pages.cached_bytes())
    }

    /// Lets go of what can be read again and was not read lately, until it has no more than so many bytes.
    pub fn evict(&mut self, most: usize) {
        let mut rest = most;
        if let Some(codes) = &self.codes {
            // Records have what codes do not use: one search reads several times as much of these.
            codes.limit(most / 4 * 3);
            rest -= codes.cached_bytes();
        }
        if let Some(pages) = self.blobs.pages_mut() {
            pages.evict(rest);
        }
    }

    /// Whether something that was asked for could not be read.
    #[must_use]
    pub fn has_fault(&self) -> bool {
        self.blobs.pages().is_some_and(|pages| pages.has_fault())
            || self.codes.as_ref().is_some_and(|codes| codes.has_fault())
    }

    /// That everything that was asked for could be read. A failure is told once.
    ///
    /// # Errors
    /// `Storage` when the medium failed or the value is no longer there, `Corrupt` when it is another: then what was read was taken
    /// for nothing, and counts for nothing.
    pub fn check_read(&self) -> Result<()> {
        let of_codes = self.codes.as_ref().and_then(|codes| codes.fault());
        self.blobs.fault().or(of_codes).map_or(Ok(()), Err)
    }

    /// Whether vectors that were read are damaged.
    #[must_use]
    pub fn has_damage(&self) -> bool {
        self.codes.as_ref().is_some_and(|codes| codes.is_damaged())
    }

    /// What of them is damaged. It is told once.
    #[must_use]
    pub fn take_damaged(&self) -> Vec<DamagedCodes> {
        self.codes.as_ref().map_or_else(Vec::new, |codes| codes.take_damaged())
    }

    /// Lets go of vectors that are damaged, so that they are made again.
    pub fn drop_damaged(&mut self, damaged: &DamagedCodes) {
        for collection in self.collections.values_mut() {
            let vectors = collection.vectors.as_ref();
            let documents = vectors.map(|vectors| vectors.documents_in(damaged.run, &damaged.rows));
            for number in documents.unwrap_or_default() {
                let document = collection.parts.owner(number);
                collection.forget_vector(document);
                collection.unembedded.insert(document, ());
                if let Some(slot) = self.slots.get_mut(document as usize) {
                    slot.set_vector_sequence(0);
                }
            }
        }
    }

    /// The same for what a reading led to, which its failure outweighs.
    ///
    /// # Errors
    /// Those of [`check_read`](Self::check_read), and the error there is already.
    pub fn sound<T>(&self, read: Result<T>) -> Result<T> {
        self.check_read().and(read)
    }

    /// That the commits of a sound value of a segment stand there now, wherever they stood before.
    ///
    /// # Errors
    /// `Corrupt` when they cannot be read or there are too many.
    pub fn stand_in(&mut self, key: &str, payload: &[u8], sections: &[(usize, usize)]) -> Result<()> {
        let value = self.blobs.keep_value(key, payload, sections)?;
        for (offset, length) in sections {
            let commit = CommitView::decode(payload.get(*offset..offset + length).unwrap_or_default())?;
            let sequence = commit.sequence;
            let at = self.commits.binary_search_by_key(&sequence, |commit| commit.sequence);
            let Some(entry) = at.ok().and_then(|at| self.commits.get_mut(at)) else { continue };
            let section = value.part(*offset, *length);
            entry.place = section;
            for op in commit.ops() {
                let OpView::Put { record, offset, length } = op? else { continue };
                let document = self.documents.get(record.id.bytes());
                if let Some(slot) = document.and_then(|document| self.slot_mut(document)) {
                    slot.place(sequence, section.part(offset, length));
                }
            }
        }
        Ok(())
    }

    /// The same of the codes of vectors, of which the segment has those up to commit `last`.
    ///
    /// # Errors
    /// As [`stand_in`](Self::stand_in).
    pub fn stand_vectors_in(&mut self, key: &str, rows: &VectorRows<'_>, last: u64) -> Result<()> {
        let present = self.present_rows(rows, last);
        let Some((first, _)) = present.first() else { return Ok(()) };
        let of = self.slot(*first).map(|slot| (slot.scope, slot.kind));
        let Some((run, reader)) = self.add_run(key, rows) else { return Ok(()) };
        let Some(collection) = of.and_then(|of| self.collections.get_mut(&of)) else { return Ok(()) };
        let Some(vectors) = &mut collection.vectors else { return Ok(()) };
        for rows in present.chunk_by(|(one, _), (other, _)| one == other) {
            let document = rows.first().map_or(0, |(document, _)| *document);
            // One that has none yet is being indexed.
            if self.slots.get(document as usize).is_some_and(|slot| slot.vector_sequence() > 0) {
                for (number, (_, row)) in collection.parts.of(document).zip(rows) {
                    vectors.move_to(number, CodePlace { run, row: *row }, &reader);
                }
            }
        }
        Ok(())
    }

    /// Takes in the codes of some rows, to be read from a value: the number of the run, and what reads it.
    pub(super) fn add_run(&self, key: &str, rows: &VectorRows<'_>) -> Option<(u32, Rc<dyn CodeReader>)> {
        let codes = self.codes.as_ref()?;
        Some((codes.add(key, rows), codes.clone()))
    }

    /// Lets go of what commits and codes stood in before.
    pub fn release(&mut self) {
        self.blobs.release(self.commits.iter().map(|commit| commit.place));
        if let Some(codes) = &self.codes {
            let vectors = self.collections.values().filter_map(|collection| collection.vectors.as_ref());
            codes.retain(&mut vectors.flat_map(FlatIndex::runs));
        }
    }

    /// The values that hold commits or codes and that are read when they are needed.
    #[must_use]
    pub fn paged_keys(&self) -> Vec<String> {
        let mut keys = self.codes.as_ref().map_or_else(Vec::new, |codes| codes.keys());
        let pages = self.blobs.pages().map_or_else(Vec::new, |pages| pages.keys());
        keys.extend(pages.into_iter().map(str::to_owned));
        keys
    }
}
