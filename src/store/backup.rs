//! What a backup takes from a store, and a store from a backup.

use super::apply::{Action, Changed};
use super::erase::Cuts;
use super::state::Store;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Backup, CommitView, OpView, Part, SegmentWriter, corrupt};
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;

// How many bytes of commits, or of vectors, are read to the last in about a microsecond in a browser.
const READ: usize = 48;
const VECTORS: usize = 512;

impl Store {
    /// The commits from `first` to `last`, of one scope or all, as frames: about so many bytes of them. Answers how many there
    /// are, and the first commit that is still to come, if any is.
    #[must_use]
    pub fn backup_commits(
        &self,
        (first, last): (u64, u64),
        scope: Option<&Scope>,
        bytes: usize,
    ) -> (Vec<Vec<u8>>, usize, Option<u64>) {
        let mut writer = SegmentWriter::default();
        let (mut size, mut count, mut next) = (0, 0, None);
        for entry in self.commits_between(first, last) {
            let Some(section) = self.bytes(entry.place) else { continue };
            let is_other =
                |scope: &Scope| self.commit_at(entry).is_none_or(|commit| commit.scope != scope.canonical());
            if scope.is_some_and(is_other) {
                continue;
            }
            if size > 0 && size + section.len() > bytes {
                next = Some(entry.sequence);
                break;
            }
            writer.whole_commit(section);
            size += section.len();
            count += 1;
        }
        let [commits, ..] = writer.finish();
        (commits.into_iter().map(|(_, value)| value).collect(), count, next)
    }

    /// The living records of one scope or all that have a vector of a text which is not younger than commit `last`: their
    /// document numbers, those of one scope and kind in a row.
    #[must_use]
    pub fn with_vectors(&self, scope: Option<&Scope>, last: u64) -> Vec<u32> {
        let number = scope.map(|scope| self.scope_numbers.get(scope).copied());
        let mut documents = Vec::new();
        for key in in_order(self.collections.keys().copied()) {
            let Some(collection) = self.collections.get(&key) else { continue };
            if number.is_some_and(|number| number != Some(key.0)) {
                continue;
            }
            let Some(vectors) = &collection.vectors else { continue };
            let members = collection.members.keys().copied();
            documents.extend(members.filter(|document| {
                let is_old = self.slot(*document).is_some_and(|slot| slot.text_sequence() <= last);
                is_old && vectors.contains(*document)
            }));
        }
        documents
    }

    /// The vectors of documents, as frames; what has gone meanwhile is left out.
    #[must_use]
    pub fn backup_vectors(&self, documents: &[u32]) -> Vec<Vec<u8>> {
        let mut writer = SegmentWriter::default();
        let collection = |document: &u32| self.slot(*document).map(|slot| (slot.scope, slot.kind));
        for documents in documents.chunk_by(|a, b| collection(a) == collection(b)) {
            let of = documents.first().and_then(collection).and_then(|key| self.collections.get(&key));
            let Some(collection) = of else { continue };
            let Some(vectors) = &collection.vectors else { continue };
            let mut documents = Vec::from(documents).into_iter();
            while documents.len() > 0 {
                let rows = self.vector_rows(collection, vectors, &mut documents, &Cuts::default());
                if !rows.is_empty() {
                    writer.vectors(&self.embedder, vectors.dimensions(), &rows);
                }
            }
        }
        let [.., vectors] = writer.finish();
        vectors.into_iter().map(|(_, value)| value).collect()
    }

    /// The state that a backup holds.
    ///
    /// # Errors
    /// Those of [`Restoring::step`].
    pub fn restored(embedder: &str, backup: &Backup) -> Result<Self> {
        let mut restoring = Restoring::begin(embedder, backup);
        while restoring.step()?.is_some() {}
        Ok(restoring.end())
    }

    /// The living records of a scope, kind, id and revision, in the order in which they were first stored. None of them is read.
    fn revisions(&self, scope: &Scope) -> Vec<(Kind, Id, u32)> {
        let number = self.scope_numbers.get(scope);
        let living = self.documents.iter().filter_map(|(id, document)| {
            let slot = self.slot(document).filter(|slot| Some(&slot.scope) == number && slot.lives())?;
            Some((slot.kind, Id::from_bytes(id), slot.latest()?.revision))
        });
        living.collect()
    }

    /// The revision of a living record of a scope.
    pub(super) fn revision_of(&self, scope: &Scope, id: Id) -> Option<u32> {
        let slot = self.slot(self.documents.get(id.bytes())?)?;
        let is_its = self.scope(slot.scope) == Some(scope) && slot.lives();
        slot.latest().filter(|_| is_its).map(|latest| latest.revision)
    }

    /// The kind of a living record of a scope.
    pub(super) fn kind_of(&self, scope: &Scope, id: Id) -> Option<Kind> {
        self.revision_of(scope, id)?;
        self.slot(self.documents.get(id.bytes())?).map(|slot| slot.kind)
    }

    /// What is not as it was in another store, by scope: of both the living records.
    #[must_use]
    pub fn differences(&self, before: &Self) -> Vec<(Scope, Vec<Changed>)> {
        let scopes =
            self.scopes().chain(before.scopes().filter(|scope| !self.scope_numbers.contains_key(*scope)));
        let mut differences = Vec::new();
        for scope in scopes {
            let mut changes = Vec::new();
            let (now, then) = (self.revisions(scope), before.revisions(scope));
            for kind in Kind::ALL {
                for (_, id, revision) in now.iter().filter(|(of, ..)| *of == kind) {
                    let previous = before.revision_of(scope, *id);
                    let action = match previous {
                        Some(previous) if previous == *revision => continue,
                        Some(_) => Action::Updated,
                        None => Action::Created,
                    };
                    let (id, revision) = (*id, *revision);
                    changes.push(Changed { id, kind, action, revision, previous_revision: previous });
                }
                for (_, id, revision) in then.iter().filter(|(of, ..)| *of == kind) {
                    if self.revision_of(scope, *id).is_none() {
                        let (id, revision, action) = (*id, *revision, Action::Deleted);
                        let previous_revision = Some(revision);
                        changes.push(Changed { id, kind, action, revision, previous_revision });
                    }
                }
            }
            if !changes.is_empty() {
                differences.push((scope.clone(), changes));
            }
        }
        differences
    }
}

/// A state that is made of a backup, and can be interrupted between two steps.
pub struct Restoring<'a> {
    store: Store,
    backup: &'a Backup,
    stage: Stage,
}

/// What comes next.
enum Stage {
    /// The commits of the value with this place, and of all behind it.
    Commits(usize),
    /// Its vectors.
    Vectors(usize),
    /// The words of the documents from this one on.
    Texts(usize),
    /// Nothing.
    End,
}

impl<'a> Restoring<'a> {
    /// Begins to make the state that a backup holds.
    #[must_use]
    pub fn begin(embedder: &str, backup: &'a Backup) -> Self {
        Self { store: Store::new(embedder), backup, stage: Stage::Commits(0) }
    }

    /// Takes the next step: about how many microseconds it took; `None` when there is none left.
    ///
    /// # Errors
    /// `Corrupt` when the backup cannot be read or does not fit the rest.
    pub fn step(&mut self) -> Result<Option<usize>> {
        let (value, vectors) = match self.stage {
            Stage::Commits(value) => (value, false),
            Stage::Vectors(value) => (value, true),
            Stage::Texts(first) => {
                let indexed = self.store.index_texts_from(first);
                self.stage = indexed.map_or(Stage::End, |(end, _)| Stage::Texts(end));
                return Ok(Some(indexed.map_or(0, |(_, work)| work)));
            }
            Stage::End => return Ok(None),
        };
        let Some(parts) = self.backup.parts(value, vectors)? else {
            self.stage = if vectors { Stage::Texts(0) } else { Stage::Vectors(0) };
            return Ok(Some(0));
        };
        let mut work = 0;
        for part in &parts {
            work += match part {
                Part::Commits { payload, sections, .. } => self.take_commits(payload, sections),
                Part::Vectors { rows, last, .. } => {
                    // No fold would write what belongs to a commit that is not there.
                    let last = self.store.sequence().min(*last);
                    self.store.load_vectors(rows, last, None).map(|()| rows.bytes() / VECTORS)
                }
                Part::Commit(_) | Part::Terms { .. } => Ok(0),
            }
            .map_err(unusable)?;
        }
        self.stage = if vectors { Stage::Vectors(value + 1) } else { Stage::Commits(value + 1) };
        Ok(Some(work))
    }

    fn take_commits(&mut self, payload: &[u8], sections: &[(usize, usize)]) -> Result<usize> {
        let kept = self.store.blobs.keep(payload)?;
        for (offset, length) in sections {
            let section = payload.get(*offset..offset + length).unwrap_or_default();
            check(section)?;
            self.store.apply_section(section, Some(kept.part(*offset, *length)))?;
        }
        Ok(payload.len() / READ)
    }

    /// The state, when all steps are taken.
    #[must_use]
    pub fn end(self) -> Store {
        self.store
    }
}

/// Reads a commit to its last byte, the JSON in its records too.
fn check(section: &[u8]) -> Result<()> {
    let commit = CommitView::decode(section)?;
    // A scope that was forgotten is empty, and no record is of it.
    let scope = (!commit.scope.is_empty())
        .then(|| Scope::from_canonical(commit.scope).map_err(|_| corrupt("a scope is not readable")))
        .transpose()?;
    let mut ids: Vec<Id> = Vec::new();
    for op in commit.ops() {
        let op = op?;
        if let (OpView::Put { record, .. }, Some(scope)) = (&op, &scope) {
            record.to_record(scope)?;
        }
        if !matches!(op, OpView::Touch { .. }) {
            ids.extend(op.id());
        }
    }
    let changed = ids.len();
    if in_order(ids).len() < changed {
        return Err(corrupt("a commit changes a record twice"));
    }
    Ok(())
}

fn unusable(error: Error) -> Error {
    if error.code != Code::Corrupt {
        return error;
    }
    corrupt(&format!("the backup is damaged: {}; nothing was changed. Use another copy", error.message))
}
