//! Loading: a store from what a storage holds.

use super::blobs::Place;
use super::slot::Version;
use super::state::{Store, Stored};
use crate::error::Result;
use crate::id::Id;
use crate::index::lexical::Layout;
use crate::index::vector::StoredRows;
use crate::log::{
    CommitView, Damage, Head, Image, LogCommit, MAX_SEQUENCE, Part, RecordView, TermRows, VectorRows, gaps,
    log_prefix,
};
use crate::ordered::Ordered;

/// How many documents are looked at in one step for texts that are not indexed.
const TEXTS: usize = 1024;
/// After how many microseconds of indexing no further one is.
const TEXTS_WORK: usize = 2000;
// How many bytes, or documents, take about a microsecond in a browser.
const KEPT: usize = 2048;
const APPLIED: usize = 128;
const TERMS: usize = 16;
const VECTORS: usize = 512;
const INDEXED: usize = 8;
const LOOKED_AT: usize = 8;

/// A loaded store, and what there is to know about its storage.
pub struct Recovered {
    /// The state.
    pub store: Store,
    /// The head it was read under.
    pub head: Head,
    /// Whether that head had to be put together; then it names no segments, and everything must be folded anew before
    /// it may be written.
    pub rebuilt: bool,
    /// Whether words and vectors of its segments are still to be taken in.
    pub is_partial: bool,
    /// What could not be read.
    pub damage: Vec<Damage>,
    /// Keys that can be deleted.
    pub stale: Vec<String>,
    /// The commits of the log and the bytes of their frames.
    pub tail: Ordered<u64, usize>,
}

/// Where a commit comes from.
enum Source {
    /// A segment: where the section is in its part and where it is kept, the place of its part, and whether nothing is known of its
    /// scope, so that another source of the same commit may say more.
    Segment { section: (usize, usize), place: Place, part: usize, is_bare: bool },
    /// The log: the place of its part.
    Log { part: usize },
}

/// What a load does next.
enum Stage {
    /// Keeps the commits of the part with this place, and all behind it.
    Keep(usize),
    /// Applies what is left of the commits.
    Apply(<Ordered<u64, Source> as IntoIterator>::IntoIter),
    /// Takes in the words or vectors of the part with this place, and all behind it.
    Columns(usize),
    /// Indexes the documents from this one on of which these said nothing.
    Texts(usize),
    /// Nothing.
    End,
}

/// A load that can be interrupted between two of its steps.
pub struct Loading<'a> {
    store: Store,
    head: Head,
    rebuilt: bool,
    parts: Vec<Part<'a>>,
    damage: Vec<Damage>,
    stale: Vec<String>,
    sources: Ordered<u64, Source>,
    stage: Stage,
}

impl<'a> Loading<'a> {
    /// Begins to build the state from an image of a whole storage.
    #[must_use]
    pub fn begin(embedder: &str, image: Image<'a>) -> Self {
        let Image { head, rebuilt, parts, damage, stale } = image;
        let (sources, stage) = (Ordered::new(), Stage::Keep(0));
        Self { store: Store::new(embedder), head, rebuilt, parts, damage, stale, sources, stage }
    }

    /// Takes the next step: about how many microseconds it took; `None` when there is none left.
    pub fn step(&mut self) -> Option<usize> {
        match &mut self.stage {
            Stage::Keep(place) => {
                let part = *place;
                *place += 1;
                if part == self.parts.len() {
                    self.stage = Stage::Apply(std::mem::take(&mut self.sources).into_iter());
                }
                Some(self.keep(part))
            }
            Stage::Apply(sources) => match sources.next() {
                Some((sequence, source)) => Some(self.apply(sequence, &source)),
                None => {
                    self.stage = Stage::Columns(0);
                    self.commits_applied();
                    Some(0)
                }
            },
            Stage::Columns(place) => {
                let part = *place;
                *place += 1;
                if part == self.parts.len() {
                    self.stage = Stage::Texts(0);
                }
                Some(self.take_column(part))
            }
            Stage::Texts(first) => match self.store.index_texts_from(*first) {
                Some((end, work)) => {
                    *first = end;
                    Some(work)
                }
                None => {
                    self.stage = Stage::End;
                    Some(0)
                }
            },
            Stage::End => None,
        }
    }

    /// The state, when all steps are taken.
    #[must_use]
    pub fn end(self) -> Recovered {
        let Self { store, head, rebuilt, parts, damage, stale, .. } = self;
        let folded = head.folded;
        let logged = parts.iter().filter(|_| !rebuilt).filter_map(|part| match part {
            Part::Commit(commit) if commit.sequence > folded => Some((commit.sequence, commit.bytes())),
            _ => None,
        });
        // What reads well and could not be applied is damage, which a fold takes away in its own way.
        let tail = logged.filter(|(sequence, _)| store.commit_of(*sequence).is_some()).collect();
        Recovered { store, head, rebuilt, is_partial: false, damage, stale, tail }
    }

    /// Keeps the commits of a segment, and puts all of them in order. One can stand in two places: under a head that had to be
    /// rebuilt, and bare beside the one of a scope with a lock. The first that is not bare counts.
    fn keep(&mut self, part: usize) -> usize {
        let last = if self.rebuilt { MAX_SEQUENCE } else { self.head.folded };
        match self.parts.get(part) {
            Some(Part::Commits { key, payload, sections }) => {
                let kept = self.store.blobs.keep(payload);
                for (offset, length) in sections {
                    let section = payload.get(*offset..offset + length).unwrap_or_default();
                    let commit = kept.clone().and_then(|kept| Ok((kept, CommitView::decode(section)?)));
                    match commit {
                        Ok((_, commit)) if commit.sequence > last => self.damage.push(Damage {
                            key: key.clone(),
                            message: format!("commit {} belongs to no segment", commit.sequence),
                        }),
                        Ok((kept, commit)) => {
                            let (place, is_bare) = (kept.part(*offset, *length), commit.scope.is_empty());
                            let section = (*offset, *length);
                            let source = Source::Segment { section, place, part, is_bare };
                            if let Some(first) = self.sources.insert(commit.sequence, source)
                                && (is_bare || !first.is_bare())
                            {
                                self.sources.insert(commit.sequence, first);
                            }
                        }
                        Err(error) => self.damage.push(Damage { key: key.clone(), message: error.into() }),
                    }
                }
                payload.len() / KEPT
            }
            // Its number was checked against its key.
            Some(Part::Commit(commit)) => {
                let sequence = commit.sequence;
                if let Some(first) = self.sources.insert(sequence, Source::Log { part })
                    && !first.is_bare()
                {
                    self.sources.insert(sequence, first);
                }
                0
            }
            Some(Part::Terms { .. } | Part::Vectors { .. }) | None => 0,
        }
    }

    fn apply(&mut self, sequence: u64, source: &Source) -> usize {
        let (applied, bytes) = match source {
            Source::Segment { section: (offset, length), place, part, .. } => {
                let section = match self.parts.get(*part) {
                    Some(Part::Commits { payload, .. }) => payload.get(*offset..offset + length),
                    _ => None,
                };
                let applied = self.store.apply_section(section.unwrap_or_default(), Some(*place));
                (applied.map(|_| ()), length / APPLIED)
            }
            Source::Log { part } => match self.parts.get(*part) {
                Some(Part::Commit(commit)) => (self.store.apply_logged(commit), commit.bytes() / INDEXED),
                _ => (Ok(()), 0),
            },
        };
        if let Err(error) = applied {
            let part = if let Source::Segment { part, .. } = source { self.parts.get(*part) } else { None };
            let key = match part {
                Some(Part::Commits { key, .. }) => key.clone(),
                _ => log_prefix(sequence),
            };
            self.damage.push(Damage { key, message: format!("{}; this commit is lost", error.message) });
        }
        bytes
    }

    fn commits_applied(&mut self) {
        if self.rebuilt {
            self.head.sequence = self.head.sequence.max(self.store.sequence());
            self.head.time = self.store.time();
            self.head.segments.clear();
        }
        self.store.name_lost_commits(self.head.sequence, &mut self.damage);
    }

    fn take_column(&mut self, part: usize) -> usize {
        let Some(part @ (Part::Terms { key, .. } | Part::Vectors { key, .. })) = self.parts.get(part) else {
            return 0;
        };
        self.store.take_in(part).unwrap_or_else(|error| {
            let message = format!("{}; it is made again", error.message);
            self.damage.push(Damage { key: key.clone(), message });
            0
        })
    }
}

impl Source {
    fn is_bare(&self) -> bool {
        matches!(self, Self::Segment { is_bare: true, .. })
    }
}

impl Store {
    /// Builds the state from an image of a whole storage. Damage is reported, not an error.
    #[must_use]
    pub fn load(embedder: &str, image: Image<'_>) -> Recovered {
        let mut loading = Loading::begin(embedder, image);
        while loading.step().is_some() {}
        loading.end()
    }

    /// Takes in the next part of a storage of which every part is sound and comes in the order of its commits, all of these before
    /// the words and vectors: about how many microseconds it took.
    ///
    /// # Errors
    /// `Corrupt` when it is not so; the store is of no use then.
    pub fn take_in(&mut self, part: &Part<'_>) -> Result<usize> {
        match part {
            Part::Commits { key, payload, sections } => {
                let kept = self.blobs.keep_value(key, payload, sections)?;
                for (offset, length) in sections {
                    let section = payload.get(*offset..offset + length).unwrap_or_default();
                    self.apply_section(section, Some(kept.part(*offset, *length)))?;
                }
                Ok(payload.len() / APPLIED)
            }
            Part::Commit(commit) => {
                self.apply_logged(commit)?;
                Ok(commit.bytes() / INDEXED)
            }
            Part::Terms { rows, .. } => {
                self.load_terms(rows)?;
                Ok(rows.columns.len() / TERMS)
            }
            Part::Vectors { key, rows, last } => {
                self.load_vectors(rows, *last, Some(key))?;
                Ok(rows.bytes() / VECTORS)
            }
        }
    }

    /// Indexes the texts of some documents of which the storage had no words, from one on: where to go on, and about how many
    /// microseconds it took; `None` when there are no more.
    pub fn index_texts_from(&mut self, first: usize) -> Option<(usize, usize)> {
        let last = (first + TEXTS).min(self.slots.len());
        if first >= last {
            return None;
        }
        let (mut end, mut work) = (first, (last - first) / LOOKED_AT);
        while end < last && work < TEXTS_WORK {
            work += self.index_text(end);
            end += 1;
        }
        Some((end, work))
    }

    fn apply_logged(&mut self, commit: &LogCommit<'_>) -> Result<()> {
        let (section, embeds) = commit.split()?;
        self.apply(section, &embeds).map(|_| ())
    }

    /// Names the commits of which nothing was found, also when they were lost long ago and folded over since.
    fn name_lost_commits(&self, last: u64, damage: &mut Vec<Damage>) {
        let present = self.commits.iter().map(|commit| commit.sequence);
        for (first, last) in gaps(1..last + 1, present) {
            let key = log_prefix(first);
            if first != last || damage.iter().all(|damage| damage.key != key) {
                let message = format!("commits {first} to {last} are lost");
                damage.push(Damage { key, message });
            }
        }
    }

    /// Takes in the term rows whose text is still the present one.
    fn load_terms(&mut self, rows: &TermRows<'_>) -> Result<()> {
        // All rows of a block are of one scope and kind.
        let collection = rows.rows.iter().find_map(|(id, _)| {
            let slot = self.slot(self.documents.get(id.bytes())?)?;
            Some((slot.scope, slot.kind))
        });
        let Some(key) = collection else { return Ok(()) };
        let Some(collection) = self.collections.get_mut(&key) else { return Ok(()) };
        // Mostly the rows are in the order of the documents, and none is missing.
        let mut last = None;
        let layout = if rows.have_postings { Layout::Postings } else { Layout::Rows };
        collection.words.import(rows.columns, layout, &mut |row| {
            let (id, revision) = rows.rows.get(row as usize)?;
            let document = self.documents.get_behind(last, id.bytes())?;
            last = Some(document);
            let slot = self.slots.get(document as usize)?;
            ((slot.scope, slot.kind) == key && slot.lives_with(*revision)).then_some(document)
        })
    }

    /// Takes in the vectors of a segment up to commit `last` whose text is still the present one and for which the log
    /// has no newer vector. Under the key of a value of this memory their codes can be read again, and their sketches are believed;
    /// without one somebody else may have written them, and sketches are made of the codes.
    pub(super) fn load_vectors(&mut self, rows: &VectorRows<'_>, last: u64, key: Option<&str>) -> Result<()> {
        let sequence = last.max(1);
        let present = self.present_rows(rows, sequence);
        let Some((first, _)) = present.first() else { return Ok(()) };
        // All rows of a block are of one scope and kind.
        let Some(of) = self.slot(*first).map(|slot| (slot.scope, slot.kind)) else { return Ok(()) };
        let run = key.and_then(|key| self.add_run(key, rows));
        let stored = StoredRows {
            scales: rows.scales,
            sketches: if key.is_some() { rows.sketches } else { &[] },
            codes: rows.codes,
            run: run.as_ref().map(|(run, reader)| (*run, reader)),
        };
        let collection = self.collections.entry(of).or_default();
        collection.embed_rows(&present, rows.dimensions(), &stored)?;
        for (document, _) in present {
            if let Some(slot) = self.slots.get_mut(document as usize) {
                slot.set_vector_sequence(sequence);
            }
        }
        Ok(())
    }

    /// The documents of rows that are of their present texts, and up to a commit, each with its row: all of the scope and kind that
    /// the first of them has.
    pub(super) fn present_rows(&self, rows: &VectorRows<'_>, sequence: u64) -> Vec<(u32, u32)> {
        let mut present = Vec::with_capacity(rows.rows.len());
        if rows.embedder != self.embedder {
            return present;
        }
        let (mut behind, mut of) = (None, None);
        for (row, (id, revision)) in (0..).zip(&rows.rows) {
            let Some(document) = self.documents.get_behind(behind, id.bytes()) else { continue };
            behind = Some(document);
            let Some(slot) = self.slot(document) else { continue };
            let is_of = *of.get_or_insert((slot.scope, slot.kind)) == (slot.scope, slot.kind);
            if slot.lives_with(*revision) && is_of && slot.vector_sequence() <= sequence {
                present.push((document, row));
            }
        }
        present
    }

    /// Indexes the text of a record that a commit brought, unless it is indexed already. Answers about how many microseconds it
    /// took.
    pub fn index_text_of(&mut self, id: Id) -> usize {
        self.documents.get(id.bytes()).map_or(0, |document| self.index_text(document as usize))
    }

    /// Indexes the text of a document for which no term rows came: a new one, or after damage, or when a fold was cut short. What is
    /// not folded, such as the runs of characters of entities, is indexed from all texts. A text without a vector is to get one.
    /// Answers about how many microseconds it took.
    pub(super) fn index_text(&mut self, document: usize) -> usize {
        let is_new = self.unindexed.remove(&(document as u32)).is_some();
        let Some(slot) = self.slots.get(document).filter(|slot| slot.has_text && slot.lives()) else {
            return 0;
        };
        let Some(collection) = self.collections.get_mut(&(slot.scope, slot.kind)) else { return 0 };
        let (kind, document) = (slot.kind, document as u32);
        if slot.vector_sequence() == 0 {
            collection.unembedded.insert(document, ());
        }
        if is_new {
            collection.forget_words(document);
        } else if !collection.lacks_text(kind, document) {
            return 0;
        }
        let place = slot.latest().and_then(Version::place);
        let stored = Stored { slots: &self.slots, blobs: &self.blobs };
        let view = place.and_then(|place| RecordView::decode(stored.bytes(place)?).ok());
        let Some(text) = view.and_then(|view| view.text) else { return 0 };
        collection.index_text(kind, document, text);
        text.len() / INDEXED
    }
}
