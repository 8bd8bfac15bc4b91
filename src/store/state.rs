//! What the store holds, and how it is read.

use super::blobs::{Blobs, Place};
use super::codes::CodePages;
use super::collection::Collection;
use super::reach::Reach;
use super::slot::{Slot, Version};
use super::verdicts::Verdicts;
use crate::error::Result;
use crate::id::Id;
use crate::log::{CommitView, RecordNames, RecordView, key_of};
use crate::ordered::Ordered;
use crate::ordered::in_order;
use crate::record::{Kind, Record, parts};
use crate::scope::Scope;
use crate::time::Timestamp;
use mnemic_core::numbering::Numbering;
use mnemic_core::pieces::Pieces;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

/// How many of the last records are looked at, before all keys are.
const NEAR_THE_END: usize = 1000;
/// How many significances there are, from 0 for none to 10.
pub(super) const SIGNIFICANCES: usize = 11;

/// All records, revisions and indexes of one memory.
#[derive(Default)]
pub struct Store {
    /// What places point into.
    pub(super) blobs: Blobs,
    /// Codes of vectors that are read when they are needed.
    pub(super) codes: Option<Rc<dyn CodePages>>,
    pub(super) slots: Pieces<Slot>,
    pub(super) documents: Numbering,
    /// By number; `None` for one that was forgotten.
    pub(super) scopes: Vec<Option<Scope>>,
    pub(super) scope_numbers: FxHashMap<Scope, u32>,
    pub(super) collections: FxHashMap<(u32, Kind), Collection>,
    /// All commits, in order.
    pub(super) commits: Vec<CommitEntry>,
    pub(super) commit_names: Numbering,
    /// By the number of its name, the place of each commit; of one in parts, that of the last.
    pub(super) commit_places: Vec<u32>,
    /// The places of the commits that changed something in each scope, in order; of one in parts, that of the last.
    pub(super) scope_commits: Vec<Vec<u32>>,
    /// Whose vectors are indexed; others are left alone.
    pub(super) embedder: String,
    /// The documents whose present text no index has yet: a commit brought it that is being indexed.
    pub(super) unindexed: Ordered<u32, ()>,
    /// Which of the past counts.
    pub(super) reach: Cell<Reach>,
    /// What the filter of the last search said.
    pub(super) verdicts: RefCell<Verdicts>,
}

/// One commit.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommitEntry {
    pub(super) sequence: u64,
    pub(super) time: Timestamp,
    /// Its section.
    pub(super) place: Place,
}

/// Where keys are read: in the bytes of the records.
#[derive(Clone, Copy)]
pub(super) struct Stored<'a> {
    pub(super) slots: &'a Pieces<Slot>,
    pub(super) blobs: &'a Blobs,
}

impl<'a> Stored<'a> {
    /// The key that a living document has; empty when it has none.
    pub(super) fn key(self, document: u32) -> &'a [u8] {
        let slot = self.slots.get(document as usize).and_then(Slot::latest);
        slot.and_then(Version::place).and_then(|place| self.blobs.beginning(place)).map_or(&[], key_of)
    }

    pub(super) fn bytes(self, place: Place) -> Option<&'a [u8]> {
        self.blobs.get(place)
    }
}

/// How much there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Living records.
    pub records: usize,
    /// Scopes that hold or held something.
    pub scopes: usize,
    /// Commits.
    pub commits: usize,
    /// Vectors in the indexes.
    pub vectors: usize,
    /// Living records that still need a vector.
    pub unembedded: usize,
}

/// Records one after another. Boxed: each of their many readers would be compiled with all of the way to them.
pub type Views<'a> = Box<dyn DoubleEndedIterator<Item = RecordView<'a>> + 'a>;

impl Store {
    /// An empty store that indexes the vectors of one embedder.
    #[must_use]
    pub fn new(embedder: &str) -> Self {
        Self { embedder: embedder.to_owned(), ..Self::default() }
    }

    /// Whose vectors are indexed.
    #[must_use]
    pub fn embedder(&self) -> &str {
        &self.embedder
    }

    /// The last commit's sequence number; 0 when there is none.
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.commits.last().map_or(0, |commit| commit.sequence)
    }

    /// The last commit's time.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        self.commits.last().map_or(0, |commit| commit.time)
    }

    /// How much there is.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let collections = || self.collections.values();
        Counts {
            records: collections().map(|collection| collection.members.len()).sum(),
            scopes: self.scope_numbers.len(),
            commits: self.commits.len(),
            vectors: collections()
                .filter_map(|collection| collection.vectors.as_ref())
                .map(|index| index.len())
                .sum(),
            unembedded: collections().map(|collection| collection.unembedded.len()).sum(),
        }
    }

    /// The scopes that hold or held something.
    pub fn scopes(&self) -> impl Iterator<Item = &Scope> {
        self.scopes.iter().flatten()
    }

    /// A living record of a scope.
    #[must_use]
    pub fn get(&self, scope: &Scope, id: Id) -> Option<RecordView<'_>> {
        let document = self.documents.get(id.bytes())?;
        let slot = self.slot(document)?;
        if self.scope(slot.scope)? != scope {
            return None;
        }
        self.view(document)
    }

    /// The living record of a document number.
    #[must_use]
    pub fn view(&self, document: u32) -> Option<RecordView<'_>> {
        let slot = self.slot(document)?;
        let mut view = self.record_at(slot.latest()?.place()?)?;
        view.accessed_at = Some(slot.accessed()).filter(|accessed| *accessed > Timestamp::MIN);
        Some(view)
    }

    /// What the living record of a document number is named, and its times.
    #[must_use]
    pub fn names(&self, document: u32) -> Option<RecordNames<'_>> {
        RecordNames::decode(self.blobs.beginning(self.slot(document)?.latest()?.place()?)?).ok()
    }

    /// The living record with a key.
    #[must_use]
    pub fn by_key(&self, scope: &Scope, kind: Kind, key: &str) -> Option<RecordView<'_>> {
        self.view(self.collection(scope, kind)?.keys.get(key, self.stored())?)
    }

    /// The id of the record that has a key, or else of the last one that had it.
    #[must_use]
    pub fn last_with_key(&self, scope: &Scope, kind: Kind, key: &str) -> Option<Id> {
        let collection = self.collection(scope, kind)?;
        let present = collection.keys.get(key, self.stored());
        let slot = self.slot(present.or_else(|| collection.ended_keys.get(key).copied())?)?;
        let version = slot.versions().iter().rev().find_map(Version::place)?;
        self.record_at(version).map(|view| view.id)
    }

    /// The living records whose keys begin with `prefix`, in the order in which they were first stored.
    pub fn by_key_prefix(&self, scope: &Scope, kind: Kind, prefix: &str) -> Vec<RecordView<'_>> {
        let Some(collection) = self.collection(scope, kind) else { return Vec::new() };
        let documents = in_order(collection.keys.beginning_with(prefix, self.stored()));
        documents.into_iter().filter_map(|document| self.view(document)).collect()
    }

    /// The living records whose keys are not less than `from` and less than `until`, in the order of their keys: their document
    /// numbers, for [`view`](Self::view).
    #[must_use]
    pub fn by_key_between(&self, scope: &Scope, kind: Kind, from: &[u8], until: &[u8]) -> Vec<u32> {
        let collection = self.collection(scope, kind);
        collection.map_or_else(Vec::new, |collection| collection.keys.between(from, until, self.stored()))
    }

    /// The place of a record, also of one that is gone, in the order in which records were first stored; `None` for one that
    /// never was.
    #[must_use]
    pub fn place_of(&self, id: Id) -> Option<u32> {
        self.documents.get(id.bytes())
    }

    /// The last of the living records whose keys begin with `prefix`, `count` at most: their document numbers, for
    /// [`view`](Self::view), the one that was first stored last first.
    #[must_use]
    pub fn newest_by_key_prefix(&self, scope: &Scope, kind: Kind, prefix: &str, count: usize) -> Vec<u32> {
        let (Some(collection), stored) = (self.collection(scope, kind), self.stored()) else {
            return Vec::new();
        };
        // Most are near the end. All keys are searched only if too few are.
        let near = NEAR_THE_END.max(count.saturating_mul(2));
        let mut found = Vec::new();
        for document in collection.members.keys().rev().take(near) {
            if found.len() < count && stored.key(*document).starts_with(prefix.as_bytes()) {
                found.push(*document);
            }
        }
        if found.len() < count && collection.members.len() > near {
            found = in_order(collection.keys.beginning_with(prefix, stored));
            found.reverse();
            found.truncate(count);
        }
        found
    }

    /// The living records of a scope and kind, in the order in which they were first stored.
    pub fn records(&self, scope: &Scope, kind: Kind) -> Views<'_> {
        self.views(self.collection(scope, kind).map(|collection| &collection.members))
    }

    /// The same as document numbers, for [`view`](Self::view).
    #[must_use]
    pub fn documents_of(&self, scope: &Scope, kind: Kind) -> Vec<u32> {
        let collection = self.collection(scope, kind);
        collection.map_or_else(Vec::new, |collection| collection.members.keys().copied().collect())
    }

    /// The living records of a scope and kind that are pinned, in the order in which they were first stored.
    pub fn pinned(&self, scope: &Scope, kind: Kind) -> Views<'_> {
        self.views(self.collection(scope, kind).map(|collection| &collection.pinned))
    }

    fn views<'a>(&'a self, documents: Option<&'a Ordered<u32, ()>>) -> Views<'a> {
        Box::new(documents.into_iter().flat_map(Ordered::keys).filter_map(|document| self.view(*document)))
    }

    /// The living records of a scope and kind that are part of the present at `now`, all of them or those that are pinned: their
    /// document numbers, for [`view`](Self::view), the most significant first, of equals the one that was stored last.
    #[must_use]
    pub fn most_significant(&self, scope: &Scope, kind: Kind, pinned: bool, now: Timestamp) -> Vec<u32> {
        let Some(collection) = self.collection(scope, kind) else { return Vec::new() };
        let mut alike: [Vec<u32>; SIGNIFICANCES] = Default::default();
        for document in if pinned { &collection.pinned } else { &collection.members }.keys().rev() {
            if let Some(slot) = self.slot(*document).filter(|slot| slot.holds_at(now))
                && let Some(alike) = alike.get_mut(usize::from(slot.significance))
            {
                alike.push(*document);
            }
        }
        alike.into_iter().rev().flatten().collect()
    }

    /// The records of a scope and kind as they were when `sequence` was the last commit, as far as they are still shown.
    pub fn records_at(&self, scope: &Scope, kind: Kind, sequence: u64) -> Views<'_> {
        let documents = self.collection(scope, kind).map(|collection| &collection.ever);
        let documents = documents.into_iter().flatten();
        Box::new(documents.filter_map(move |document| self.version_at(self.slot(*document)?, sequence)))
    }

    /// A record of a scope as it was when `sequence` was the last commit, as far as it is still shown.
    #[must_use]
    pub fn get_at(&self, scope: &Scope, id: Id, sequence: u64) -> Option<RecordView<'_>> {
        let slot = self.slot(self.documents.get(id.bytes())?)?;
        if self.scope(slot.scope)? != scope {
            return None;
        }
        self.version_at(slot, sequence)
    }

    fn version_at(&self, slot: &Slot, sequence: u64) -> Option<RecordView<'_>> {
        let later = slot.versions().partition_point(|version| version.sequence() <= sequence);
        let place = later.checked_sub(1).filter(|place| *place >= self.first_kept(slot))?;
        self.record_at(slot.versions().get(place)?.place()?)
    }

    /// The last commit that was made at `time` or before; 0 when there is none.
    #[must_use]
    pub fn sequence_at(&self, time: Timestamp) -> u64 {
        let later = self.commits.partition_point(|commit| commit.time <= time);
        later.checked_sub(1).and_then(|last| self.commits.get(last)).map_or(0, |commit| commit.sequence)
    }

    /// Up to `limit` living records that have a text and no vector: of whose scope, id, text revision and the parts of the text.
    #[must_use]
    pub fn unembedded(&self, limit: usize) -> Vec<(Scope, Id, u32, Vec<String>)> {
        let collections = self.collections.iter().filter(|(_, collection)| !collection.unembedded.is_empty());
        let documents = collections.flat_map(|((scope, _), collection)| {
            collection.unembedded.keys().map(move |document| (*scope, *document))
        });
        documents
            .filter_map(|(scope, document)| {
                let view = self.view(document)?;
                let scope = self.scope(scope)?.clone();
                Some((scope, view.id, self.slot(document)?.text_revision(), texts(&view)?))
            })
            .take(limit)
            .collect()
    }

    /// Up to `limit` living records of a scope and kind that have a text and no vector, the one that was first stored last first: their
    /// ids, text revisions and the parts of the texts.
    #[must_use]
    pub fn unembedded_of(
        &self,
        scope: &Scope,
        kind: Kind,
        limit: usize,
    ) -> Vec<(Scope, Id, u32, Vec<String>)> {
        let documents =
            self.collection(scope, kind).into_iter().flat_map(|found| found.unembedded.keys().rev());
        let pending = documents.filter_map(|document| {
            let view = self.view(*document)?;
            Some((scope.clone(), view.id, self.slot(*document)?.text_revision(), texts(&view)?))
        });
        pending.take(limit).collect()
    }

    /// How many living records of a scope have a text and no vector.
    #[must_use]
    pub fn count_unembedded(&self, scope: &Scope) -> usize {
        Kind::ALL
            .iter()
            .filter_map(|kind| self.collection(scope, *kind))
            .map(|found| found.unembedded.len())
            .sum()
    }

    /// The living records whose time was over at `time`, by scope: their ids and revisions.
    #[must_use]
    pub fn expired(&self, time: Timestamp) -> Vec<(Scope, Vec<(Id, u32)>)> {
        let mut expired: Vec<(Scope, Vec<(Id, u32)>)> = Vec::new();
        for ((scope, _), collection) in &self.collections {
            let over = collection.members.keys().filter(|document| {
                // What ends by its validity alone stays, and need not be read.
                self.slot(**document).is_some_and(|slot| slot.ends() <= time)
            });
            let views = over.filter_map(|document| self.view(*document));
            let ids: Vec<_> =
                views.filter(|view| view.expired_at(time)).map(|view| (view.id, view.revision)).collect();
            if let Some(scope) = self.scope(*scope)
                && !ids.is_empty()
            {
                expired.push((scope.clone(), ids));
            }
        }
        expired
    }

    /// When the next of the living records goes by itself; `None` when none does.
    #[must_use]
    pub fn next_expiry(&self) -> Option<Timestamp> {
        let members = self.collections.values().flat_map(|collection| collection.members.keys());
        // What ends by its validity alone stays.
        let ending =
            members.filter(|document| self.slot(**document).is_some_and(|slot| slot.ends() < Timestamp::MAX));
        ending.filter_map(|document| self.view(*document)?.expires_at).min()
    }

    /// The scope with a number, unless it was forgotten.
    pub(super) fn scope(&self, number: u32) -> Option<&Scope> {
        self.scopes.get(number as usize)?.as_ref()
    }

    pub(super) fn slot(&self, document: u32) -> Option<&Slot> {
        self.slots.get(document as usize)
    }

    pub(super) fn slot_mut(&mut self, document: u32) -> Option<&mut Slot> {
        self.slots.get_mut(document as usize)
    }

    /// What keys are read from.
    pub(super) fn stored(&self) -> Stored<'_> {
        Stored { slots: &self.slots, blobs: &self.blobs }
    }

    pub(super) fn collection(&self, scope: &Scope, kind: Kind) -> Option<&Collection> {
        self.collections.get(&(*self.scope_numbers.get(scope)?, kind))
    }

    pub(super) fn bytes(&self, place: Place) -> Option<&[u8]> {
        self.stored().bytes(place)
    }

    /// Whether a living document is part of the present at a time.
    pub(super) fn holds_at(&self, document: u32, time: Timestamp) -> bool {
        self.slot(document).is_some_and(|slot| slot.holds_at(time))
    }

    /// The ids and sections of the commits after `sequence`.
    #[must_use]
    pub fn sections_after(&self, sequence: u64) -> Vec<(Id, Vec<u8>)> {
        let commits = self.commits_between(sequence.saturating_add(1), u64::MAX).iter();
        let section =
            |entry: &CommitEntry| Some((self.commit_at(entry)?.id, self.bytes(entry.place)?.to_vec()));
        commits.filter_map(section).collect()
    }

    /// The commits with numbers from `first` to `last`.
    pub(super) fn commits_between(&self, first: u64, last: u64) -> &[CommitEntry] {
        self.commits.get(self.places_between(first, last)).unwrap_or_default()
    }

    /// Their places among all.
    pub(super) fn places_between(&self, first: u64, last: u64) -> Range<usize> {
        let start = self.commits.partition_point(|commit| commit.sequence < first);
        start..self.commits.partition_point(|commit| commit.sequence <= last)
    }

    /// Reads a record in place. What was applied was decoded before, so this does not fail on bytes that were.
    pub(super) fn record_at(&self, place: Place) -> Option<RecordView<'_>> {
        RecordView::decode(self.bytes(place)?).ok()
    }

    pub(super) fn commit_at(&self, entry: &CommitEntry) -> Option<CommitView<'_>> {
        CommitView::decode(self.bytes(entry.place)?).ok()
    }

    /// The same for whoever does not ask what the commit did, which may not be read with it.
    pub(super) fn commit_head(&self, entry: &CommitEntry) -> Option<CommitView<'_>> {
        CommitView::decode(self.blobs.beginning(entry.place)?).ok()
    }

    /// The place of the last part of the commit with an id.
    pub(super) fn commit_place(&self, id: Id) -> Option<usize> {
        self.commit_places.get(self.commit_names.get(id.bytes())? as usize).map(|place| *place as usize)
    }

    /// The parts of the commit with an id, in order; none when there is no such commit.
    pub(super) fn commit_named(&self, id: Id) -> &[CommitEntry] {
        let Some(last) = self.commit_place(id) else { return &[] };
        let before = self.commits.get(..last).unwrap_or_default();
        let others = before
            .iter()
            .rev()
            .take_while(|entry| self.commit_head(entry).is_some_and(|commit| commit.id == id))
            .count();
        self.commits.get(last - others..=last).unwrap_or_default()
    }

    pub(super) fn commit_of(&self, sequence: u64) -> Option<&CommitEntry> {
        let place = self.commits.binary_search_by_key(&sequence, |commit| commit.sequence).ok()?;
        self.commits.get(place)
    }

    /// The living record, owned.
    ///
    /// # Errors
    /// `Corrupt` when its JSON is not readable.
    pub fn record(&self, scope: &Scope, id: Id) -> Result<Option<Record>> {
        self.get(scope, id).map(|view| view.to_record(scope)).transpose()
    }
}

/// The parts of a record's text.
fn texts(view: &RecordView<'_>) -> Option<Vec<String>> {
    Some(parts(view.kind, view.text?).into_iter().map(str::to_owned).collect())
}
