//! Folding: a run of commits with the words and vectors of what they brought, as one segment.

use super::blobs::Place;
use super::collection::Collection;
use super::erase::{Cuts, Rewritten};
use super::slot::Slot;
use super::state::Store;
use crate::id::Id;
use crate::index::vector::FlatIndex;
use crate::log::{CommitView, MAX_VALUE_BYTES, OwnedValue, SegmentWriter, VectorRow};
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use std::ops::Range;
use std::vec::IntoIter;

/// How many documents share one block of terms at most. To write one takes some milliseconds.
const TERM_ROWS: usize = 2048;
/// How many bytes of sections are read, or written, in one step.
const SECTION_BYTES: usize = 1 << 20;
// How many bytes, or members of a collection, take about a microsecond in a browser.
const READ: usize = 128;
const COPIED: usize = 512;
const WORDS: usize = 8;
const LOOKED_AT: usize = 32;

/// The values of a new segment, per column.
pub struct Folded {
    /// First and last commit.
    pub range: (u64, u64),
    /// The values, in the order of the columns.
    pub values: [Vec<OwnedValue>; 3],
    /// The commits of which something goes, as they were written.
    pub rewritten: Rewritten,
}

/// How the values of a segment are divided.
#[derive(Debug, Clone, Default)]
pub struct Division {
    /// Whether no value holds two scopes.
    pub by_scope: bool,
    /// The scopes that have a lock, by their canonical forms: of their commits, number, id, time and cause stand among those of
    /// nobody too, for whoever cannot read the others.
    pub with_lock: Vec<String>,
    /// Segments of more bytes are written anew only where they have to be.
    pub most_merged: u64,
}

/// Where the section of a commit is.
enum Section {
    /// In memory.
    Kept(Place),
    /// Among those that are rewritten, by its place in their list.
    Rewritten(usize),
    /// Of a commit of which only the number, id, time and cause are told.
    Bare(Vec<u8>),
}

/// A fold that can be interrupted between two of its steps. All of them, and the same cuts, are of one state of the store.
pub struct Folding {
    range: (u64, u64),
    by_scope: bool,
    with_lock: Vec<String>,
    writer: SegmentWriter,
    rewritten: Rewritten,
    /// The places of the commits of which something may go and that were not looked through yet.
    unread: Range<usize>,
    /// What is left to be written: the sections, whose they are,
    sections: IntoIter<(Option<Scope>, Section)>,
    /// the collections, and of the last that was begun
    collections: IntoIter<(u32, Kind)>,
    collection: (u32, Kind),
    /// the documents with terms and those with vectors.
    words: IntoIter<u32>,
    vectors: IntoIter<u32>,
}

impl Folding {
    /// Begins to write the commits from `first` to `last` as a segment, without what `cuts` takes. Terms and vectors are those that
    /// these commits brought and that are still the present ones.
    #[must_use]
    pub fn begin(store: &Store, (first, last): (u64, u64), cuts: &Cuts, division: &Division) -> Self {
        let mut folding = Self {
            range: (first, last),
            by_scope: division.by_scope,
            with_lock: division.with_lock.clone(),
            writer: SegmentWriter::default(),
            rewritten: Rewritten::new(),
            unread: store.places_between(first.max(cuts.first), last),
            sections: IntoIter::default(),
            collections: in_order(store.collections.keys().copied()).into_iter(),
            collection: (0, Kind::Message),
            words: IntoIter::default(),
            vectors: IntoIter::default(),
        };
        if folding.unread.is_empty() {
            folding.sections = folding.listed(store).into_iter();
        }
        folding
    }

    /// Looks through some commits for what goes: how many bytes these have.
    fn rewrite(&mut self, store: &Store, cuts: &Cuts) -> usize {
        let mut bytes = 0;
        while bytes < SECTION_BYTES
            && let Some(place) = self.unread.next()
        {
            bytes += store.commits.get(place).map_or(0, |commit| commit.place.length as usize);
            self.rewritten.extend(store.rewritten(place, cuts).map(|section| (place, section)));
        }
        if self.unread.is_empty() {
            self.sections = self.listed(store).into_iter();
        }
        bytes
    }

    /// The sections in the order in which they are written, and whose they are. What has no owner is not read for that.
    fn listed(&self, store: &Store) -> Vec<(Option<Scope>, Section)> {
        let (first, last) = self.range;
        let has_owners = self.by_scope || !self.with_lock.is_empty();
        let mut others = self.rewritten.iter().enumerate().peekable();
        let mut bare = Vec::new();
        let mut sections: Vec<(&str, Section)> = Vec::new();
        for place in store.places_between(first, last) {
            let Some(commit) = store.commits.get(place) else { continue };
            let other = others.next_if(|(_, (of, _))| *of == place).map(|(at, (_, section))| (at, section));
            let section = other.map_or(Section::Kept(commit.place), |(at, _)| Section::Rewritten(at));
            if !has_owners {
                sections.push(("", section));
                continue;
            }
            let bytes = other.map_or_else(|| store.bytes(commit.place), |(_, section)| Some(section));
            let Some(bytes) = bytes else { continue };
            // What was applied was decoded before.
            let view = CommitView::decode(bytes);
            // Those of nobody come first.
            let scope = view.as_ref().map_or("", |commit| commit.scope);
            sections.push((if self.by_scope { scope } else { "" }, section));
            if self.with_lock.iter().any(|locked| locked == scope) {
                bare.extend(view.and_then(|commit| commit.bare()).map(|bare| ("", Section::Bare(bare))));
            }
        }
        sections.append(&mut bare);
        let mut order: Vec<usize> = (0..sections.len()).collect();
        if self.by_scope {
            // Whoever reads them puts them in order again.
            let scope_of = |at: usize| sections.get(at).map_or("", |(scope, _)| *scope);
            order = sorted(&order, |one, other| scope_of(*one).cmp(scope_of(*other)))
                .into_iter()
                .copied()
                .collect();
        }
        let mut sections: Vec<Option<(&str, Section)>> = sections.into_iter().map(Some).collect();
        let taken = order.into_iter().filter_map(|at| sections.get_mut(at)?.take());
        // What was applied has a scope that can be read, or none.
        let owned = |scope: &str| (!scope.is_empty()).then(|| Scope::from_canonical(scope).ok()).flatten();
        taken.map(|(scope, section)| (owned(scope), section)).collect()
    }

    /// Takes the next step: about how many microseconds it took; `None` when there is none left.
    pub fn step(&mut self, store: &Store, cuts: &Cuts) -> Option<usize> {
        if !self.unread.is_empty() {
            return Some(self.rewrite(store, cuts) / READ);
        }
        if self.sections.len() > 0 {
            return Some(self.write_sections(store) / COPIED);
        }
        if let Some(collection) = store.collections.get(&self.collection) {
            let documents: Vec<u32> = self.words.by_ref().take(TERM_ROWS).collect();
            if !documents.is_empty() {
                return Some(store.fold_terms(&mut self.writer, &collection.words, &documents, cuts) / WORDS);
            }
            if let Some(vectors) = &collection.vectors
                && self.vectors.len() > 0
            {
                let rows = store.vector_rows(collection, vectors, &mut self.vectors, cuts);
                self.writer.vectors(&store.embedder, vectors.dimensions(), &rows);
                return Some(rows.len() * vectors.dimensions() * 2 / COPIED);
            }
        }
        let key = self.collections.next()?;
        Some(self.begin_collection(store, key, cuts) / LOOKED_AT)
    }

    /// The segment, when all steps are taken.
    #[must_use]
    pub fn end(self) -> Folded {
        Folded { range: self.range, values: self.writer.finish(), rewritten: self.rewritten }
    }

    /// Writes some sections: how many bytes.
    fn write_sections(&mut self, store: &Store) -> usize {
        let mut bytes = 0;
        while bytes < SECTION_BYTES
            && let Some((owner, section)) = self.sections.next()
        {
            let section = match &section {
                Section::Kept(place) => store.bytes(*place).unwrap_or_default(),
                Section::Rewritten(at) => self.rewritten.get(*at).map_or(&[][..], |(_, section)| section),
                Section::Bare(section) => section,
            };
            self.writer.owner(owner.as_ref());
            self.writer.commit(section);
            bytes += section.len();
        }
        bytes
    }

    /// Finds what is to be written of a collection: of how many members.
    fn begin_collection(&mut self, store: &Store, key: (u32, Kind), cuts: &Cuts) -> usize {
        let Some(collection) = store.collections.get(&key) else { return 0 };
        self.writer.owner(if self.by_scope { store.scope(key.0) } else { None });
        let (first, last) = self.range;
        let brought = |sequence: fn(&Slot) -> u64, is_there: &dyn Fn(u32) -> bool| {
            let members = collection.members.keys().copied().filter(|document| {
                store.slot(*document).is_some_and(|slot| {
                    (first..=last).contains(&sequence(slot)) && !cuts.takes_all(*document, slot)
                }) && is_there(*document)
            });
            members.collect::<Vec<u32>>().into_iter()
        };
        self.collection = key;
        self.words = brought(|slot| slot.text_sequence(), &|document| collection.words.contains(document));
        let vectors = collection.vectors.as_ref();
        self.vectors = brought(|slot| slot.vector_sequence(), &|document| {
            vectors.is_some_and(|vectors| vectors.contains(document))
        });
        collection.members.len()
    }
}

impl Store {
    /// Writes the commits from `first` to `last` as a segment at once, as [`Folding`] does.
    #[must_use]
    pub fn fold(&self, first: u64, last: u64, cuts: &Cuts, division: &Division) -> Folded {
        let mut folding = Folding::begin(self, (first, last), cuts, division);
        while folding.step(self, cuts).is_some() {}
        folding.end()
    }

    /// Writes the terms of some documents as one block, or as several when they are too large for a value: how many bytes these have.
    fn fold_terms(
        &self,
        writer: &mut SegmentWriter,
        words: &crate::index::lexical::LexicalIndex,
        documents: &[u32],
        cuts: &Cuts,
    ) -> usize {
        let columns = words.export(documents);
        if columns.len() > MAX_VALUE_BYTES && documents.len() > 1 {
            let (one, other) = documents.split_at(documents.len() / 2);
            return self.fold_terms(writer, words, one, cuts) + self.fold_terms(writer, words, other, cuts);
        }
        let rows: Option<Vec<(Id, u32)>> =
            documents.iter().map(|document| self.row(*document, cuts)).collect();
        // Members have rows; were one missing, the words would be taken from the texts again.
        if let Some(rows) = rows {
            writer.terms(&rows, &columns);
        }
        columns.len()
    }

    /// The vectors of the next documents as they are stored, as many as fill a value: those of one document stand in the same.
    pub(super) fn vector_rows<'a>(
        &self,
        collection: &Collection,
        vectors: &'a FlatIndex,
        documents: &mut IntoIter<u32>,
        cuts: &Cuts,
    ) -> Vec<VectorRow<'a>> {
        let most = SegmentWriter::rows(&self.embedder, vectors.dimensions(), vectors.sketch_words());
        let mut rows = Vec::new();
        while let Some(document) = documents.as_slice().first().copied()
            && (rows.is_empty() || rows.len() + collection.parts.of(document).count() <= most)
        {
            documents.next();
            let Some((id, revision)) = self.row(document, cuts) else { continue };
            rows.extend(collection.parts.of(document).filter_map(|number| {
                let (scale, codes) = vectors.codes(number)?;
                Some(VectorRow { id, revision, scale, codes, sketch: vectors.sketch(number) })
            }));
        }
        rows
    }

    /// A document's id, and the revision in which its text became what it is, as a reader will find it.
    fn row(&self, document: u32, cuts: &Cuts) -> Option<(Id, u32)> {
        let slot = self.slot(document)?;
        let cut = cuts.records.get(&document).filter(|cut| cut.versions.start == 0);
        let first =
            cut.and_then(|cut| slot.versions().get(cut.versions.end)).map_or(0, |first| first.revision);
        Some((self.view(document)?.id, slot.text_revision().max(first)))
    }
}
