//! How far back history reaches: which versions of a record count, and what goes of those that do not.

use super::erase::{Cut, Cuts};
use super::slot::{Slot, Version};
use super::state::Store;
use crate::id::Id;
use crate::log::Missing;
use crate::time::Timestamp;

/// How much of the past of each record counts. All of it by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reach {
    /// How many versions beside the present one.
    pub revisions: usize,
    /// Those that gave way at this time or later.
    pub since: Timestamp,
    /// How many bytes they have together.
    pub bytes: u64,
}

impl Default for Reach {
    fn default() -> Self {
        Self { revisions: usize::MAX, since: Timestamp::MIN, bytes: u64::MAX }
    }
}

impl Reach {
    /// Whether nothing but the present counts.
    fn is_none(self) -> bool {
        self.revisions == 0 || self.bytes == 0 || self.since == Timestamp::MAX
    }
}

impl Store {
    /// Says which of the past counts from now on.
    pub fn set_reach(&self, reach: Reach) {
        self.reach.set(reach);
    }

    /// The first version of a record that counts; beyond all when none does, as of one that ended long ago.
    pub(super) fn first_kept(&self, slot: &Slot) -> usize {
        let (versions, reach) = (slot.versions(), self.reach.get());
        let Some(last) = versions.len().checked_sub(1) else { return 0 };
        let (mut first, mut bytes) = (last, 0u64);
        while let Some(before) = first.checked_sub(1)
            && let (Some(version), Some(next)) = (versions.get(before), versions.get(first))
        {
            bytes += version.bytes();
            let gave_way = self.commit_of(next.sequence()).map_or(Timestamp::MIN, |commit| commit.time);
            let counts = version.sequence() > slot.gone()
                && last - before <= reach.revisions
                && bytes <= reach.bytes
                && gave_way >= reach.since;
            if !counts {
                break;
            }
            first = before;
        }
        // With nothing before it, the end of a record tells nothing.
        while versions.get(first).is_some_and(|version| version.place().is_none()) {
            first += 1;
        }
        first
    }

    /// The versions that do not count and are still stored: the numbers of their commits, and their bytes.
    #[must_use]
    pub fn outlived(&self) -> Vec<(u64, u64)> {
        if self.reach.get() == Reach::default() {
            return Vec::new();
        }
        let versions = self.slots.iter().flatten().filter(|slot| slot.has_past()).flat_map(|slot| {
            let kept = self.first_kept(slot);
            slot.versions().get(..kept).unwrap_or_default()
        });
        versions.map(|version| (version.sequence(), version.bytes())).collect()
    }

    /// Whether so much is outlived among so many bytes that it is worth a fold.
    #[must_use]
    pub fn is_outlived(&self, outlived: u64, bytes: u64) -> bool {
        outlived > 0 && (outlived.saturating_mul(2) > bytes || self.reach.get().is_none())
    }

    /// What goes when the commits from `first` on are written anew: of each record the versions that do not count.
    #[must_use]
    pub fn beyond_reach(&self, first: u64) -> Cuts {
        let mut cuts = Cuts { why: Missing::History, ..Cuts::default() };
        if self.reach.get() == Reach::default() {
            return cuts;
        }
        for (id, document) in self.documents.iter() {
            let Some(slot) = self.slot(document).filter(|slot| slot.has_past()) else { continue };
            let is_earlier = |version: &Version| version.sequence() < first;
            let start = slot.versions().partition_point(is_earlier);
            // As long as an earlier version is stored, the end of the record says that it is not the present one.
            let last = slot.versions().len() - usize::from(start > 0 || slot.begun() < first);
            let end = self.first_kept(slot).min(last);
            if start >= end {
                continue;
            }
            let vanishes = end == slot.versions().len();
            let dropped = slot.versions().get(end - 1).map_or(0, |version| version.sequence());
            let place = if vanishes {
                0
            } else if slot.begun() >= first {
                slot.begun()
            } else {
                // Earlier versions that are still stored do not count either.
                dropped.max(slot.gone())
            };
            let id = Id::from_bytes(id);
            cuts.records.insert(document, Cut { id, versions: start..end, vanishes, place });
            cuts.first = cuts.first.min(first);
        }
        cuts
    }
}
