//! Folding: a run of commits with the words and vectors of what they brought, as one segment.

use super::erase::{Cuts, Rewritten};
use super::state::{Slot, Store};
use crate::id::Id;
use crate::log::{CommitView, MAX_VALUE_BYTES, OwnedValue, SegmentWriter};
use crate::ordered::in_order;
use crate::scope::Scope;
use crate::sort::sorted;

/// How many documents share one block of terms at most.
const TERM_ROWS: usize = 4096;

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
}

impl Store {
    /// Writes the commits from `first` to `last` as a segment, without what `cuts` takes. Terms and vectors are those that
    /// these commits brought and that are still the present ones.
    #[must_use]
    pub fn fold(&self, first: u64, last: u64, cuts: &Cuts, division: &Division) -> Folded {
        let by_scope = division.by_scope;
        let mut writer = SegmentWriter::default();
        let rewritten = self.rewritten(first, last, cuts);
        let mut others = rewritten.iter().peekable();
        let start = self.commits.partition_point(|commit| commit.sequence < first);
        let mut bare: Vec<Vec<u8>> = Vec::new();
        let mut sections: Vec<(&str, &[u8])> = Vec::new();
        for (place, commit) in (start..).zip(self.commits_between(first, last)) {
            let other = others.next_if(|(of, _)| *of == place);
            if let Some(section) =
                other.map(|(_, section)| section.as_slice()).or_else(|| self.bytes(commit.place))
            {
                // Those of nobody come first.
                let scope = CommitView::decode(section).map_or("", |commit| commit.scope);
                sections.push((if by_scope { scope } else { "" }, section));
                if division.with_lock.iter().any(|locked| locked == scope) {
                    // What was applied was decoded before.
                    bare.extend(CommitView::decode(section).and_then(|commit| commit.bare()));
                }
            }
        }
        sections.extend(bare.iter().map(|section| ("", section.as_slice())));
        if by_scope {
            // Whoever reads them puts them in order again.
            sections = sorted(&sections, |one, other| one.0.cmp(other.0)).into_iter().copied().collect();
        }
        for (scope, section) in sections {
            // What was applied has a scope that can be read, or none.
            let owner = (!scope.is_empty()).then(|| Scope::from_canonical(scope).ok()).flatten();
            writer.owner(owner.as_ref());
            writer.commit(section);
        }
        let keys = in_order(self.collections.keys().copied());
        for (key, collection) in keys.iter().filter_map(|key| Some((key, self.collections.get(key)?))) {
            writer.owner(if by_scope { self.scope(key.0) } else { None });
            let brought = |sequence: fn(&Slot) -> u64| {
                let members = collection.members.keys().copied();
                members.filter(move |document| {
                    self.slot(*document).is_some_and(|slot| {
                        (first..=last).contains(&sequence(slot)) && !cuts.takes_all(*document, slot)
                    })
                })
            };
            let words: Vec<u32> = brought(|slot| slot.text_sequence)
                .filter(|document| collection.words.contains(*document))
                .collect();
            for documents in words.chunks(TERM_ROWS) {
                self.fold_terms(&mut writer, &collection.words, documents, cuts);
            }
            if let Some(vectors) = &collection.vectors {
                let documents = brought(|slot| slot.vector_sequence);
                let rows: Vec<_> = documents
                    .filter_map(|document| Some((self.row(document, cuts)?, vectors.codes(document)?)))
                    .collect();
                let (rows, vectors_of): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
                if !rows.is_empty() {
                    writer.vectors(&self.embedder, vectors.dimensions(), &rows, &vectors_of);
                }
            }
        }
        Folded { range: (first, last), values: writer.finish(), rewritten }
    }

    /// Writes the terms of some documents as one block, or as several when they are too large for a value.
    fn fold_terms(
        &self,
        writer: &mut SegmentWriter,
        words: &crate::index::lexical::LexicalIndex,
        documents: &[u32],
        cuts: &Cuts,
    ) {
        let columns = words.export(documents);
        if columns.len() > MAX_VALUE_BYTES && documents.len() > 1 {
            let (one, other) = documents.split_at(documents.len() / 2);
            self.fold_terms(writer, words, one, cuts);
            self.fold_terms(writer, words, other, cuts);
            return;
        }
        let rows: Option<Vec<(Id, u32)>> =
            documents.iter().map(|document| self.row(*document, cuts)).collect();
        // Members have rows; were one missing, the words would be taken from the texts again.
        if let Some(rows) = rows {
            writer.terms(&rows, &columns);
        }
    }

    /// A document's id, and the revision in which its text became what it is, as a reader will find it.
    fn row(&self, document: u32, cuts: &Cuts) -> Option<(Id, u32)> {
        let slot = self.slot(document)?;
        let cut = cuts.records.get(&document).filter(|cut| cut.versions.start == 0);
        let first = cut.and_then(|cut| slot.versions.get(cut.versions.end)).map_or(0, |first| first.revision);
        Some((self.view(document)?.id, slot.text_revision.max(first)))
    }
}
