//! The plain model: what the store must hold, by the shortest code that says it.

use mnemic::database::Committed;
use mnemic::log::Cause;
use mnemic::store::{Action, Change, Changed, Draft, Expect};
use mnemic::{Code, Embedding, Id, Kind, Record, Scope};
use std::collections::BTreeMap;

/// Every commit and every version of every record.
#[derive(Default)]
pub(crate) struct Model {
    pub(crate) commits: Vec<(Id, i64, Scope)>,
    /// By id.
    pub(crate) records: BTreeMap<Id, Entry>,
    /// Ids in the order of their first storing.
    pub(crate) order: Vec<Id>,
}

/// One record's life.
pub(crate) struct Entry {
    pub(crate) scope: Scope,
    pub(crate) kind: Kind,
    pub(crate) versions: Vec<Version>,
    pub(crate) text_revision: u32,
    pub(crate) vectors: Vec<Embedding>,
    pub(crate) accessed: Option<i64>,
}

pub(crate) struct Version {
    /// The number of the commit, from 1.
    pub(crate) sequence: usize,
    pub(crate) revision: u32,
    pub(crate) cause: Cause,
    pub(crate) record: Option<Record>,
}

impl Entry {
    pub(crate) fn living(&self) -> Option<&Record> {
        self.versions.last()?.record.as_ref()
    }

    pub(crate) fn at(&self, sequence: usize) -> Option<&Version> {
        self.versions.iter().rev().find(|version| version.sequence <= sequence)
    }
}

impl Model {
    pub(crate) fn living<'a>(&'a self, scope: &'a Scope, kind: Kind) -> impl Iterator<Item = &'a Record> {
        let entries = self.order.iter().map(|id| &self.records[id]);
        entries.filter(move |entry| entry.scope == *scope && entry.kind == kind).filter_map(Entry::living)
    }

    /// Whether a draft can be committed now.
    pub(crate) fn check(&self, draft: &Draft) -> Result<(), Code> {
        // Whether a draft takes a key from the record that has it.
        let released = |holder: &Record| {
            draft.changes.iter().any(|change| match change {
                Change::Delete { id, .. } => *id == holder.id,
                Change::Put { record, .. } => record.id == holder.id && record.key != holder.key,
                Change::Embed(_) | Change::Touch { .. } => false,
            })
        };
        for change in &draft.changes {
            match change {
                Change::Put { record, expect, .. } => {
                    self.expect(draft, record.id, *expect)?;
                    let holder = self.living(&draft.scope, record.kind).find(|other| {
                        other.key.is_some() && other.key == record.key && other.id != record.id
                    });
                    if holder.is_some_and(|holder| !released(holder)) {
                        return Err(Code::Conflict);
                    }
                }
                Change::Delete { id, expect } => {
                    self.expect(draft, *id, *expect)?;
                    if self.records.get(id).is_none_or(|entry| entry.living().is_none()) {
                        return Err(Code::NotFound);
                    }
                }
                Change::Embed(_) | Change::Touch { .. } => {}
            }
        }
        Ok(())
    }

    fn expect(&self, draft: &Draft, id: Id, expect: Expect) -> Result<(), Code> {
        let Some(entry) = self.records.get(&id) else {
            return if matches!(expect, Expect::Revision(_)) { Err(Code::NotFound) } else { Ok(()) };
        };
        if entry.scope != draft.scope {
            return Err(Code::NotFound);
        }
        match (expect, entry.living()) {
            (Expect::Any, _) | (Expect::Absent, None) => Ok(()),
            (Expect::Revision(revision), Some(living)) if living.revision == revision => Ok(()),
            _ => Err(Code::Conflict),
        }
    }

    /// Applies a draft that was committed, and checks what the engine said of it.
    pub(crate) fn apply(&mut self, draft: &Draft, committed: &Committed) {
        assert_eq!(self.check(draft), Ok(()), "{draft:#?}");
        assert!(self.commits.last().is_none_or(|(_, at, _)| *at <= committed.at), "time goes back");
        self.commits.push((committed.commit_id, committed.at, draft.scope.clone()));
        let sequence = self.commits.len();
        let mut changes = Vec::new();
        // What comes right behind a vector of the same record is of a further part of its text.
        let mut last = None;
        for change in &draft.changes {
            match change {
                Change::Put { record, embeddings, .. } => {
                    changes.push(self.put(draft, record, sequence, committed.at));
                    let entry = self.records.get_mut(&record.id).unwrap();
                    if !embeddings.is_empty() && record.text.is_some() {
                        entry.vectors.clone_from(embeddings);
                    }
                }
                Change::Delete { id, .. } => {
                    let entry = self.records.get_mut(id).unwrap();
                    let previous = entry.versions.last().unwrap().revision;
                    let revision = previous + 1;
                    entry.versions.push(Version { sequence, revision, cause: draft.cause, record: None });
                    entry.vectors.clear();
                    let kind = entry.kind;
                    let previous_revision = Some(previous);
                    changes.push(Changed {
                        id: *id,
                        kind,
                        action: Action::Deleted,
                        revision,
                        previous_revision,
                    });
                }
                Change::Embed(embed) => {
                    let entry = self.records.get_mut(&embed.id).filter(|entry| entry.scope == draft.scope);
                    if let Some(entry) = entry
                        && entry.living().is_some_and(|record| record.text.is_some())
                        && entry.text_revision == embed.revision
                    {
                        if last != Some(embed.id) {
                            entry.vectors.clear();
                        }
                        entry.vectors.push(embed.embedding.clone());
                    }
                    last = Some(embed.id);
                }
                Change::Touch { id, time } => {
                    let entry = self.records.get_mut(id).filter(|entry| entry.scope == draft.scope);
                    if let Some(entry) = entry.filter(|entry| entry.living().is_some()) {
                        entry.accessed = entry.accessed.max(Some(*time));
                    }
                }
            }
        }
        assert_eq!(committed.changes, changes);
    }

    fn put(&mut self, draft: &Draft, record: &Record, sequence: usize, at: i64) -> Changed {
        if !self.records.contains_key(&record.id) {
            self.order.push(record.id);
        }
        let entry = self.records.entry(record.id).or_insert_with(|| Entry {
            scope: draft.scope.clone(),
            kind: record.kind,
            versions: Vec::new(),
            text_revision: 0,
            vectors: Vec::new(),
            accessed: None,
        });
        let revision = entry.versions.last().map_or(0, |version| version.revision) + 1;
        let old = entry.living().cloned();
        if old.as_ref().is_none_or(|old| old.text != record.text) {
            entry.text_revision = revision;
            entry.vectors.clear();
        }
        let mut record = record.clone();
        let first = if draft.cause == Cause::Undo { record.created_at } else { at };
        record.created_at = old.as_ref().map_or(first, |old| old.created_at);
        (record.updated_at, record.revision) = (at, revision);
        let (id, kind) = (record.id, record.kind);
        entry.versions.push(Version { sequence, revision, cause: draft.cause, record: Some(record) });
        Changed {
            id,
            kind,
            action: if old.is_some() { Action::Updated } else { Action::Created },
            revision,
            previous_revision: old.map(|old| old.revision),
        }
    }

    /// The states before a commit of all records that it touched, if it must be possible to undo it, as nothing came after it;
    /// or may be, as all of them are as it left them.
    pub(crate) fn before(&self, commit: usize, may_be: bool) -> Result<Vec<(Id, Option<&Record>)>, Code> {
        let mut states = Vec::new();
        for (id, entry) in &self.records {
            if !entry.versions.iter().any(|version| version.sequence == commit + 1) {
                continue;
            }
            let before = entry.at(commit).and_then(|version| version.record.as_ref());
            if entry.kind == Kind::Task {
                continue;
            }
            let last = entry.versions.last().unwrap();
            let left = entry.at(commit + 1).and_then(|version| version.record.as_ref());
            let is_as_left =
                may_be && last.cause == Cause::Undo && last.record.as_ref().map(said) == left.map(said);
            if last.sequence != commit + 1 && !is_as_left {
                return Err(Code::Conflict);
            }
            states.push((*id, before));
        }
        Ok(states)
    }
}

/// What a record says, apart from which revision it is.
pub(crate) fn said(record: &Record) -> Record {
    Record { revision: 0, created_at: 0, updated_at: 0, ..record.clone() }
}
