//! What the store holds, and how it is read.

use super::collection::Collection;
use crate::error::Result;
use crate::id::Id;
use crate::log::{CommitView, RecordView};
use crate::ordered::Ordered;
use crate::ordered::in_order;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::time::Timestamp;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;

/// How many of the last records are looked at, before all keys are.
const NEAR_THE_END: usize = 1000;

/// All records, revisions and indexes of one memory.
#[derive(Default)]
pub struct Store {
    /// Payloads that places point into.
    pub(super) blobs: Vec<Rc<[u8]>>,
    pub(super) slots: Vec<Slot>,
    pub(super) documents: FxHashMap<Id, u32>,
    pub(super) scopes: Vec<Scope>,
    pub(super) scope_numbers: FxHashMap<Scope, u32>,
    pub(super) collections: FxHashMap<(u32, Kind), Collection>,
    /// All commits, in order.
    pub(super) commits: Vec<CommitEntry>,
    pub(super) commit_places: FxHashMap<Id, u32>,
    /// Whose vectors are indexed; others are left alone.
    pub(super) embedder: String,
    /// Revisions that were made before, and are not the present ones, are not shown.
    pub(super) shown_since: Cell<Timestamp>,
}

/// One record, living or not; its place in the list is its document number.
pub(super) struct Slot {
    pub(super) scope: u32,
    pub(super) kind: Kind,
    /// Every version, in order.
    pub(super) versions: Vec<Version>,
    /// When the latest version becomes part of the present.
    pub(super) begins: Timestamp,
    /// When it stops being that, by its validity or its time to live.
    pub(super) ends: Timestamp,
    /// When the record was last recalled or found.
    pub(super) accessed: Option<Timestamp>,
    /// The revision in which the text became what it is.
    pub(super) text_revision: u32,
    /// The commit that did it.
    pub(super) text_sequence: u64,
    /// The commit that brought the vector, or a later one of its segment; 0 when there is none.
    pub(super) vector_sequence: u64,
}

/// One version of a record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Version {
    pub(super) sequence: u64,
    pub(super) revision: u32,
    /// Where the record's bytes are; `None` for a deletion.
    pub(super) place: Option<Place>,
}

/// A run of bytes in a blob.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) blob: u32,
    pub(super) offset: u32,
    pub(super) length: u32,
}

/// One commit.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommitEntry {
    pub(super) sequence: u64,
    pub(super) id: Id,
    pub(super) time: Timestamp,
    /// Its section.
    pub(super) place: Place,
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

impl Slot {
    pub(super) fn new(scope: u32, kind: Kind) -> Self {
        Self {
            scope,
            kind,
            versions: Vec::with_capacity(1),
            begins: Timestamp::MIN,
            ends: Timestamp::MAX,
            accessed: None,
            text_revision: 0,
            text_sequence: 0,
            vector_sequence: 0,
        }
    }

    pub(super) fn latest(&self) -> Option<&Version> {
        self.versions.last()
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
            scopes: self.scopes.len(),
            commits: self.commits.len(),
            vectors: collections()
                .filter_map(|collection| collection.vectors.as_ref())
                .map(|index| index.len())
                .sum(),
            unembedded: collections().map(|collection| collection.unembedded.len()).sum(),
        }
    }

    /// The scopes that hold or held something.
    #[must_use]
    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    /// A living record of a scope.
    #[must_use]
    pub fn get(&self, scope: &Scope, id: Id) -> Option<RecordView<'_>> {
        let document = *self.documents.get(&id)?;
        let slot = self.slot(document)?;
        if self.scopes.get(slot.scope as usize)? != scope {
            return None;
        }
        self.view(document)
    }

    /// The living record of a document number.
    #[must_use]
    pub fn view(&self, document: u32) -> Option<RecordView<'_>> {
        let slot = self.slot(document)?;
        let mut view = self.record_at(slot.latest()?.place?)?;
        view.accessed_at = slot.accessed;
        Some(view)
    }

    /// The living record with a key.
    #[must_use]
    pub fn by_key(&self, scope: &Scope, kind: Kind, key: &str) -> Option<RecordView<'_>> {
        self.view(*self.collection(scope, kind)?.keys.get(key)?)
    }

    /// The id of the record that has a key, or else of the last one that had it.
    #[must_use]
    pub fn last_with_key(&self, scope: &Scope, kind: Kind, key: &str) -> Option<Id> {
        let collection = self.collection(scope, kind)?;
        let document = collection.keys.get(key).or_else(|| collection.ended_keys.get(key))?;
        let slot = self.slot(*document)?;
        let version = slot.versions.iter().rev().find_map(|version| version.place)?;
        self.record_at(version).map(|view| view.id)
    }

    /// The living records whose keys begin with `prefix`, in the order in which they were first stored.
    pub fn by_key_prefix(&self, scope: &Scope, kind: Kind, prefix: &str) -> Vec<RecordView<'_>> {
        let Some(collection) = self.collection(scope, kind) else { return Vec::new() };
        let keys = collection.keys.iter_from(prefix).take_while(|(key, _)| key.starts_with(prefix));
        let documents = in_order(keys.map(|(_, document)| *document));
        documents.into_iter().filter_map(|document| self.view(document)).collect()
    }

    /// The place of a record, also of one that is gone, in the order in which records were first stored; `None` for one that
    /// never was.
    #[must_use]
    pub fn place_of(&self, id: Id) -> Option<u32> {
        self.documents.get(&id).copied()
    }

    /// The last of the living records whose keys begin with `prefix`, `count` at most, in the order in which they were first
    /// stored.
    pub fn last_by_key_prefix(
        &self,
        scope: &Scope,
        kind: Kind,
        prefix: &str,
        count: usize,
    ) -> Vec<RecordView<'_>> {
        let Some(collection) = self.collection(scope, kind) else { return Vec::new() };
        // They are mostly near the end; only where they are not are all keys looked through.
        let near = NEAR_THE_END.max(count.saturating_mul(2));
        let newest = collection.members.keys().rev().take(near).filter_map(|document| self.view(*document));
        let inside = |view: &RecordView<'_>| view.key.is_some_and(|key| key.starts_with(prefix));
        let mut found: Vec<RecordView<'_>> = newest.filter(inside).take(count).collect();
        if found.len() < count && collection.members.len() > near {
            let keys = collection.keys.iter_from(prefix).take_while(|(key, _)| key.starts_with(prefix));
            let documents = in_order(keys.map(|(_, document)| *document));
            let last = documents.iter().rev().take(count);
            found = last.filter_map(|document| self.view(*document)).collect();
        }
        found.reverse();
        found
    }

    /// The living records of a scope and kind, in the order in which they were first stored.
    pub fn records<'a>(
        &'a self,
        scope: &Scope,
        kind: Kind,
    ) -> impl DoubleEndedIterator<Item = RecordView<'a>> + use<'a> {
        let members = self.collection(scope, kind).map(|collection| collection.members.keys());
        members.into_iter().flatten().filter_map(|document| self.view(*document))
    }

    /// The living records of a scope and kind that are pinned, in the order in which they were first stored.
    pub fn pinned<'a>(
        &'a self,
        scope: &Scope,
        kind: Kind,
    ) -> impl DoubleEndedIterator<Item = RecordView<'a>> + use<'a> {
        let pinned = self.collection(scope, kind).map(|collection| &collection.pinned);
        pinned.into_iter().flat_map(Ordered::keys).filter_map(|document| self.view(*document))
    }

    /// From now on hides revisions that gave way to another one before `time`.
    pub fn show_revisions_since(&self, time: Timestamp) {
        self.shown_since.set(time);
    }

    /// Whether a version is the present one, or gave way to the next one lately enough to be shown.
    pub(super) fn is_shown(&self, slot: &Slot, version: &Version) -> bool {
        let next = slot.versions.partition_point(|other| other.sequence <= version.sequence);
        slot.versions.get(next).is_none_or(|next| {
            self.commit_of(next.sequence).is_some_and(|commit| commit.time >= self.shown_since.get())
        })
    }

    /// The records of a scope and kind as they were when `sequence` was the last commit, as far as they are still shown.
    pub fn records_at<'a>(
        &'a self,
        scope: &Scope,
        kind: Kind,
        sequence: u64,
    ) -> impl Iterator<Item = RecordView<'a>> + use<'a> {
        let documents = self.collection(scope, kind).map(|collection| &collection.ever);
        documents.into_iter().flatten().filter_map(move |document| {
            let slot = self.slot(*document)?;
            let later = slot.versions.partition_point(|version| version.sequence <= sequence);
            let version = slot.versions.get(later.checked_sub(1)?)?;
            self.record_at(version.place.filter(|_| self.is_shown(slot, version))?)
        })
    }

    /// The last commit that was made at `time` or before; 0 when there is none.
    #[must_use]
    pub fn sequence_at(&self, time: Timestamp) -> u64 {
        let later = self.commits.partition_point(|commit| commit.time <= time);
        later.checked_sub(1).and_then(|last| self.commits.get(last)).map_or(0, |commit| commit.sequence)
    }

    /// Up to `limit` living records that have a text and no vector: of whose scope, id, text revision and text.
    #[must_use]
    pub fn unembedded(&self, limit: usize) -> Vec<(Scope, Id, u32, String)> {
        let collections = self.collections.iter().filter(|(_, collection)| !collection.unembedded.is_empty());
        let documents = collections.flat_map(|((scope, _), collection)| {
            collection.unembedded.keys().map(move |document| (*scope, *document))
        });
        documents
            .filter_map(|(scope, document)| {
                let view = self.view(document)?;
                let scope = self.scopes.get(scope as usize)?.clone();
                Some((scope, view.id, self.slot(document)?.text_revision, view.text?.to_owned()))
            })
            .take(limit)
            .collect()
    }

    /// The living records whose time was over at `time`, by scope: their ids and revisions.
    #[must_use]
    pub fn expired(&self, time: Timestamp) -> Vec<(Scope, Vec<(Id, u32)>)> {
        let mut expired: Vec<(Scope, Vec<(Id, u32)>)> = Vec::new();
        for ((scope, _), collection) in &self.collections {
            let views = collection.members.keys().filter_map(|document| self.view(*document));
            let ids: Vec<_> =
                views.filter(|view| view.expired_at(time)).map(|view| (view.id, view.revision)).collect();
            if let Some(scope) = self.scopes.get(*scope as usize)
                && !ids.is_empty()
            {
                expired.push((scope.clone(), ids));
            }
        }
        expired
    }

    pub(super) fn slot(&self, document: u32) -> Option<&Slot> {
        self.slots.get(document as usize)
    }

    pub(super) fn collection(&self, scope: &Scope, kind: Kind) -> Option<&Collection> {
        self.collections.get(&(*self.scope_numbers.get(scope)?, kind))
    }

    pub(super) fn bytes(&self, place: Place) -> Option<&[u8]> {
        let start = place.offset as usize;
        self.blobs.get(place.blob as usize)?.get(start..start + place.length as usize)
    }

    /// Whether a living document is part of the present at a time.
    pub(super) fn holds_at(&self, document: u32, time: Timestamp) -> bool {
        self.slot(document).is_some_and(|slot| slot.begins <= time && time < slot.ends)
    }

    /// The ids and sections of the commits after `sequence`.
    #[must_use]
    pub fn sections_after(&self, sequence: u64) -> Vec<(Id, Vec<u8>)> {
        let commits = self.commits_between(sequence.saturating_add(1), u64::MAX).iter();
        commits.filter_map(|commit| Some((commit.id, self.bytes(commit.place)?.to_vec()))).collect()
    }

    /// The commits with numbers from `first` to `last`.
    pub(super) fn commits_between(&self, first: u64, last: u64) -> &[CommitEntry] {
        let start = self.commits.partition_point(|commit| commit.sequence < first);
        let end = self.commits.partition_point(|commit| commit.sequence <= last);
        self.commits.get(start..end).unwrap_or_default()
    }

    /// Reads a record in place. What was applied was decoded before, so this does not fail on bytes that were.
    pub(super) fn record_at(&self, place: Place) -> Option<RecordView<'_>> {
        RecordView::decode(self.bytes(place)?).ok()
    }

    pub(super) fn commit_at(&self, entry: &CommitEntry) -> Option<CommitView<'_>> {
        CommitView::decode(self.bytes(entry.place)?).ok()
    }

    /// The parts of the commit with an id, in order; none when there is no such commit.
    pub(super) fn commit_named(&self, id: Id) -> &[CommitEntry] {
        let Some(last) = self.commit_places.get(&id).map(|last| *last as usize) else { return &[] };
        let before = self.commits.get(..last).unwrap_or_default();
        let others = before.iter().rev().take_while(|entry| entry.id == id).count();
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
