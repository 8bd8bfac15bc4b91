//! The bytes of commits: those that are kept, and those that are read from the storage when they are needed.

use super::pages::Pages;
use crate::error::{Error, Result};
use crate::log::corrupt;

/// Small commits share pieces of memory of this size.
const SHARED_BYTES: usize = 64 * 1024;
/// Those of at most so many bytes: less than that stays empty in a piece.
const SMALL_BYTES: usize = SHARED_BYTES / 8;
/// The blobs from this number on are values of segments, which are paged.
const PAGED: u32 = 1 << 31;

/// A run of bytes in a blob.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) blob: u32,
    pub(super) offset: u32,
    pub(super) length: u32,
}

impl Place {
    /// `None` when a number is over four bytes.
    pub(super) fn new(blob: usize, offset: usize, length: usize) -> Option<Self> {
        u32::try_from(offset.checked_add(length)?).ok()?;
        Some(Self { blob: u32::try_from(blob).ok()?, offset: offset as u32, length: length as u32 })
    }

    /// A run inside this one.
    pub(super) fn part(self, offset: usize, length: usize) -> Self {
        Self { blob: self.blob, offset: self.offset + offset as u32, length: length as u32 }
    }
}

/// What places point into.
#[derive(Default)]
pub(super) struct Blobs {
    kept: Vec<Vec<u8>>,
    /// The one of them that small commits go to.
    shared: usize,
    /// How many bytes of these nothing points to any more.
    dead_bytes: usize,
    pages: Option<Box<dyn Pages>>,
}

impl Blobs {
    /// From now on values of segments are paged.
    pub(super) fn page(&mut self, pages: Box<dyn Pages>) {
        self.pages = Some(pages);
    }

    /// The pages, if there are any.
    pub(super) fn pages(&self) -> Option<&dyn Pages> {
        self.pages.as_deref()
    }

    pub(super) fn pages_mut(&mut self) -> Option<&mut (dyn Pages + 'static)> {
        self.pages.as_deref_mut()
    }

    /// The bytes of a place; `None` when they cannot be read, which [`fault`](Self::fault) tells then.
    pub(super) fn get(&self, place: Place) -> Option<&[u8]> {
        if place.blob >= PAGED {
            let pages = self.pages.as_ref()?;
            return pages.bytes(place.blob - PAGED, place.offset, place.length);
        }
        let start = place.offset as usize;
        self.kept.get(place.blob as usize)?.get(start..start + place.length as usize)
    }

    /// The first bytes of a place: all of them where they are kept, and as many as are of one page otherwise.
    pub(super) fn beginning(&self, place: Place) -> Option<&[u8]> {
        if place.blob >= PAGED {
            let pages = self.pages.as_ref()?;
            return pages.beginning(place.blob - PAGED, place.offset, place.length);
        }
        self.get(place)
    }

    /// Keeps the bytes of a commit, or of several.
    ///
    /// # Errors
    /// `Corrupt` when there are more than a place can name.
    pub(super) fn keep(&mut self, bytes: &[u8]) -> Result<Place> {
        let is_small = bytes.len() <= SMALL_BYTES;
        let fits = |piece: &Vec<u8>| piece.capacity() - piece.len() >= bytes.len();
        let mut blob = self.shared;
        if !is_small || !self.kept.get(blob).is_some_and(fits) {
            blob = self.kept.len();
            self.kept.push(Vec::with_capacity(if is_small { SHARED_BYTES } else { bytes.len() }));
            if is_small {
                self.shared = blob;
            }
        }
        let place = self.kept.get_mut(blob).and_then(|piece| {
            let place = Place::new(blob, piece.len(), bytes.len());
            piece.extend_from_slice(bytes);
            place
        });
        place.filter(|place| place.blob < PAGED).ok_or_else(many)
    }

    /// Takes in the payload of a value of a segment: it is paged where that can be, and kept where not.
    ///
    /// # Errors
    /// As [`keep`](Self::keep).
    pub(super) fn keep_value(
        &mut self,
        key: &str,
        payload: &[u8],
        sections: &[(usize, usize)],
    ) -> Result<Place> {
        let Some(pages) = &mut self.pages else { return self.keep(payload) };
        let (value, length) = (pages.add(key, payload, sections), payload.len());
        let place = value.checked_add(PAGED).and_then(|blob| Place::new(blob as usize, 0, length));
        place.ok_or_else(many)
    }

    /// What became of a reading that failed; it is told once.
    pub(super) fn fault(&self) -> Option<Error> {
        self.pages.as_ref()?.fault()
    }

    /// Makes the bytes of a place that nothing points to any more unreadable.
    pub(super) fn wipe(&mut self, place: Place) {
        let (start, length) = (place.offset as usize, place.length as usize);
        let blob = self.kept.get_mut(place.blob as usize);
        if let Some(bytes) = blob.and_then(|blob| blob.get_mut(start..start + length)) {
            bytes.fill(0);
            self.dead_bytes += length;
        }
    }

    /// Whether most of what is kept is of no use.
    pub(super) fn is_sparse(&self) -> bool {
        self.dead_bytes * 2 > self.kept.iter().map(Vec::len).sum()
    }

    /// How many bytes are kept that are of no use.
    pub(super) fn dead_bytes(&self) -> usize {
        self.dead_bytes
    }

    /// Begins to keep everything anew: what was kept, for [`moved`](Self::moved).
    pub(super) fn take_kept(&mut self) -> Self {
        self.dead_bytes = 0;
        Self { kept: std::mem::take(&mut self.kept), ..Self::default() }
    }

    /// Keeps the bytes of a place of what was kept before: where they are now. What is paged stays where it is.
    pub(super) fn moved(&mut self, before: &Self, place: Place) -> Place {
        if place.blob >= PAGED {
            return place;
        }
        // It was kept before, so it can be.
        self.keep(before.get(place).unwrap_or_default()).unwrap_or_default()
    }

    /// Lets go of every blob and value that none of these places points into.
    pub(super) fn release(&mut self, used: impl Iterator<Item = Place>) {
        let mut live = vec![0; self.kept.len()];
        let mut paged = Vec::new();
        for place in used {
            if let Some(value) = place.blob.checked_sub(PAGED) {
                // Commits of a value follow one another, mostly.
                if paged.last() != Some(&value) {
                    paged.push(value);
                }
            } else if let Some(bytes) = live.get_mut(place.blob as usize) {
                *bytes += place.length as usize;
            }
        }
        self.dead_bytes = 0;
        for (blob, live) in self.kept.iter_mut().zip(live) {
            if live == 0 {
                blob.fill(0);
                *blob = Vec::new();
            }
            // Between the commits of a segment stand their lengths.
            self.dead_bytes += blob.len().saturating_sub(live);
        }
        while self.kept.pop_if(|last| last.is_empty()).is_some() {}
        if let Some(pages) = &mut self.pages {
            pages.retain(&paged);
        }
    }

    /// The most bytes that all this takes, without those of pages that can be read again.
    pub(super) fn memory_bytes(&self) -> usize {
        let bytes: usize = self.kept.iter().map(Vec::len).sum();
        let kept = bytes + bytes / 7 + self.kept.len() * size_of::<Vec<u8>>() * 2;
        kept + self.pages.as_ref().map_or(0, |pages| pages.memory_bytes())
    }
}

fn many() -> Error {
    corrupt("there is more than this build can number")
}
