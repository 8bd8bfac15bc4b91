//! The documents as the earlier operations of a batch left them: the store, and what is to be written on top of it.

use super::document::{Document, Shown, put_at, put_now, record_put_at, refresh};
use super::namespace::{labels, split};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::action::Action;
use crate::ordered::Ordered;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;

/// From here on, documents are numbered that are not stored under their key yet.
const NEW: u32 = 1 << 31;

/// The state in the middle of a batch.
pub(super) struct Staged<'a> {
    pub(super) store: &'a Store,
    pub(super) scope: &'a Scope,
    pub(super) now: Timestamp,
    /// When what is written is committed, as far as is known: commits are later than one another, also within a millisecond.
    at: Timestamp,
    /// What becomes of the keys that were touched.
    entries: Vec<Entry>,
    /// Their places by key.
    places: Ordered<String, u32>,
    /// The places of the entries that hold documents which the store has not under that key, in the order in which they were put.
    new: Vec<usize>,
    /// The documents that have another key since.
    moved: Vec<Id>,
}

/// What becomes of one key.
struct Entry {
    /// The record that has the key in the store; its time may be over.
    before: Option<Before>,
    /// The document as it is by now.
    record: Option<Record>,
    /// Whether that is a new revision.
    is_changed: bool,
}

/// A record as the store has it.
#[derive(Clone, Copy)]
pub(super) struct Before {
    id: Id,
    revision: u32,
    /// Whether its time is not over.
    holds: bool,
}

/// What a document is named, and when it was stored and put.
pub(super) struct Named<'a> {
    pub(super) key: &'a str,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
}

/// A document that is there by now.
#[derive(Clone, Copy)]
pub(super) enum Present<'a> {
    /// As stored.
    Stored(RecordView<'a>),
    /// As the batch wrote it, the revision that it will be, and whether the index knows its words.
    Written(&'a Record, u32, bool),
}

/// What must be so for an operation to be carried out.
#[derive(Debug, Clone, Copy)]
pub(super) enum Condition {
    /// Nothing.
    None,
    /// That there is no document.
    Absent,
    /// That the document has a revision.
    Revision(u32),
}

impl<'a> Present<'a> {
    pub(super) fn document(&self, shown: Shown) -> Result<Document> {
        match self {
            Self::Stored(view) => Document::of(view, shown),
            Self::Written(record, revision, _) => Ok(Document::of_record(record, *revision, shown)),
        }
    }

    /// Its names and times.
    fn named(&self) -> Named<'a> {
        let (created_at, updated_at) = match self {
            Self::Stored(view) => (view.created_at, put_at(view)),
            Self::Written(record, ..) => (record.created_at, record_put_at(record)),
        };
        Named { key: self.key(), created_at, updated_at }
    }

    /// Its record as the store has it, where the batch has not touched that.
    pub(super) fn before(&self) -> Option<Before> {
        match self {
            Self::Stored(view) => Some(Before { id: view.id, revision: view.revision, holds: true }),
            Self::Written(..) => None,
        }
    }

    fn revision(&self) -> u32 {
        match self {
            Self::Stored(view) => view.revision,
            Self::Written(_, revision, _) => *revision,
        }
    }

    /// Whether it is found by words.
    pub(super) fn is_indexed(&self) -> bool {
        match self {
            Self::Stored(view) => view.text.is_some(),
            Self::Written(record, _, is_known) => *is_known && record.text.is_some(),
        }
    }

    /// The record's key.
    pub(super) fn key(&self) -> &'a str {
        match self {
            Self::Stored(view) => view.key,
            Self::Written(record, ..) => record.key.as_deref(),
        }
        .unwrap_or_default()
    }
}

impl<'a> Staged<'a> {
    pub(super) fn new(store: &'a Store, scope: &'a Scope, now: Timestamp) -> Self {
        let at = now.max(store.time().saturating_add(1));
        Self {
            store,
            scope,
            now,
            at,
            entries: Vec::new(),
            places: Ordered::new(),
            new: Vec::new(),
            moved: Vec::new(),
        }
    }

    fn place(&self, key: &str) -> Option<usize> {
        self.places.get(key).map(|place| *place as usize)
    }

    /// Whether there are documents that are not stored yet.
    pub(super) fn has_new(&self) -> bool {
        !self.new.is_empty()
    }

    /// Fails unless a condition holds for the document of a key.
    pub(super) fn require(&self, key: &str, condition: Condition) -> Result<()> {
        let revision = self.get(key).map(|present| present.revision());
        let expected = match (condition, revision) {
            (Condition::None, _) | (Condition::Absent, None) => return Ok(()),
            (Condition::Revision(expected), Some(revision)) if expected == revision => return Ok(()),
            (Condition::Absent, Some(_)) => "no document".to_owned(),
            (Condition::Revision(expected), _) => format!("revision {expected}"),
        };
        let (namespace, name) = split(key);
        let found = revision.map_or("no document".to_owned(), |revision| format!("revision {revision}"));
        let message = format!(
            "there is {found} at {name:?} in {:?} where the call expects {expected}; read it and try again",
            labels(namespace)
        );
        let error = Error::new(Code::Conflict, message);
        Err(match revision {
            Some(revision) => error.with("revision", revision),
            None => error,
        })
    }

    /// The place of the entry of a key, which is made if there is none.
    fn touch(&mut self, key: &str) -> Result<usize> {
        if let Some(place) = self.place(key) {
            return Ok(place);
        }
        let view = self.store.by_key(self.scope, Kind::Document, key);
        let held = view.filter(|view| view.holds_at(self.now));
        let record = held.map(|view| view.to_record(self.scope)).transpose()?;
        Ok(self.enter(key, self.before(view), record))
    }

    fn before(&self, view: Option<RecordView<'_>>) -> Option<Before> {
        let holds = |view: &RecordView<'_>| view.holds_at(self.now);
        view.map(|view| Before { id: view.id, revision: view.revision, holds: holds(&view) })
    }

    /// Makes the entry of a key: its place.
    fn enter(&mut self, key: &str, before: Option<Before>, record: Option<Record>) -> usize {
        let place = self.entries.len();
        self.entries.push(Entry { before, record, is_changed: false });
        self.places.insert(key.to_owned(), u32::try_from(place).unwrap_or(u32::MAX));
        place
    }

    /// The document that has a key by now.
    pub(super) fn get(&self, key: &str) -> Option<Present<'_>> {
        match self.place(key) {
            Some(place) => self.present(self.entries.get(place)?),
            None => {
                let view = self.store.by_key(self.scope, Kind::Document, key);
                view.filter(|view| view.holds_at(self.now)).map(Present::Stored)
            }
        }
    }

    /// What became of a stored document; `None` when it is no longer there.
    pub(super) fn resolve<'s>(&'s self, view: RecordView<'s>) -> Option<Present<'s>> {
        match self.place(view.key.unwrap_or_default()) {
            Some(place) => self.present(self.entries.get(place)?).filter(|present| present.id() == view.id),
            None => view.holds_at(self.now).then_some(Present::Stored(view)),
        }
    }

    /// The documents whose record keys are not less than `from` and less than `until`: their numbers, for [`at`](Self::at), in the
    /// order of the keys, and then those of documents that are new. Numbers are in the order in which documents were first stored.
    pub(super) fn numbers(&self, from: &[u8], until: &[u8]) -> Vec<u32> {
        let mut numbers = self.store.by_key_between(self.scope, Kind::Document, from, until);
        for (number, place) in (NEW..).zip(&self.new) {
            let record = self.entries.get(*place).and_then(|entry| entry.record.as_ref());
            let key = record.and_then(|record| record.key.as_deref()).unwrap_or_default().as_bytes();
            if from <= key && key < until {
                numbers.push(number);
            }
        }
        numbers
    }

    /// The document of a number, if it is still there.
    pub(super) fn at(&self, number: u32) -> Option<Present<'_>> {
        match number.checked_sub(NEW) {
            Some(new) => self.present(self.entries.get(*self.new.get(new as usize)?)?),
            None => self.resolve(self.store.view(number)?),
        }
    }

    /// What the document of a number is named, and its times, if it is still there.
    pub(super) fn named(&self, number: u32) -> Option<Named<'_>> {
        let names = if number < NEW { self.store.names(number) } else { None };
        match names {
            // When it was put stands among what is not looked at, where it goes at some time.
            Some(names) if !names.expires() && self.place(names.key()).is_none() => {
                let (created_at, updated_at) = (names.created_at(), names.updated_at());
                names.holds_at(self.now).then(|| Named { key: names.key(), created_at, updated_at })
            }
            _ => self.at(number).map(|present| present.named()),
        }
    }

    fn present<'s>(&'s self, entry: &'s Entry) -> Option<Present<'s>> {
        let record = entry.record.as_ref()?;
        let before = entry.before.as_ref().filter(|before| before.id == record.id);
        let stored = before.and_then(|before| self.store.get(self.scope, before.id));
        let has_its_words = stored.is_some_and(|stored| stored.text == record.text.as_deref());
        Some(Present::Written(record, entry.revision(record), has_its_words))
    }

    /// Changes the document of a key, or begins it with a new id.
    pub(super) fn put(&mut self, key: &str, id: Id, change: impl FnOnce(&mut Record)) -> Result<()> {
        let place = self.touch(key)?;
        let Some(entry) = self.entries.get_mut(place) else { return Ok(()) };
        let mut record = entry.record.clone().unwrap_or_else(|| {
            self.new.push(place);
            let mut record = Record::new(id, Kind::Document, self.scope.clone(), self.now);
            record.key = Some(key.to_owned());
            record.created_at = self.at;
            record
        });
        change(&mut record);
        if entry.record.as_ref() != Some(&record) {
            put_now(&mut record, self.now, self.at);
            entry.record = Some(record);
            entry.is_changed = true;
        }
        Ok(())
    }

    /// Gives the document of a key another key, where there must be none.
    pub(super) fn relocate(&mut self, key: &str, to: &str) -> Result<()> {
        let from = self.touch(key)?;
        if key == to {
            return Ok(());
        }
        self.require(to, Condition::Absent)?;
        let place = self.touch(to)?;
        let Some(mut record) = self.entries.get_mut(from).and_then(|entry| entry.record.take()) else {
            return Ok(());
        };
        self.new.retain(|new| *new != from);
        self.moved.retain(|moved| *moved != record.id);
        record.key = Some(to.to_owned());
        put_now(&mut record, self.now, self.at);
        if let Some(entry) = self.entries.get_mut(place) {
            if entry.before.as_ref().is_none_or(|before| before.id != record.id) {
                self.new.push(place);
                self.moved.push(record.id);
            }
            entry.record = Some(record);
            entry.is_changed = true;
        }
        Ok(())
    }

    /// Ends the document of a key, whose record in the store is not read.
    pub(super) fn delete(&mut self, key: &str) {
        let Some(place) = self.place(key) else {
            let before = self.before(self.store.by_key(self.scope, Kind::Document, key));
            self.enter(key, before, None);
            return;
        };
        self.new.retain(|new| *new != place);
        if let Some(record) = self.entries.get_mut(place).and_then(|entry| entry.record.take()) {
            self.moved.retain(|moved| *moved != record.id);
        }
    }

    /// Ends the document of a key of which the store's record is known, where the batch has not touched it.
    pub(super) fn end_known(&mut self, key: &str, before: Option<Before>) {
        match before {
            Some(_) => {
                self.enter(key, before, None);
            }
            None => self.delete(key),
        }
    }

    /// Lets the time to live of a document begin anew, if it is due.
    pub(super) fn refresh(&mut self, document: &mut Document, key: &str) -> Result<()> {
        if document.expires_at.is_none() {
            return Ok(());
        }
        let place = self.touch(key)?;
        if let Some(entry) = self.entries.get_mut(place)
            && let Some(record) = &mut entry.record
            && refresh(record, self.now)
        {
            document.expires_at = record.expires_at;
            entry.is_changed = true;
            document.revision = record.revision + 1;
        }
        Ok(())
    }

    /// Drafts what makes it so.
    pub(super) fn draft(&self, draft: &mut Draft) {
        for Entry { before, record, is_changed } in &self.entries {
            let Some(before) = before else { continue };
            match record {
                Some(record) if record.id == before.id => {
                    if *is_changed {
                        draft.put(record.clone(), Expect::Revision(before.revision), None);
                    }
                }
                _ if self.moved.contains(&before.id) => {}
                // What is over is swept with the others, unless its key is wanted.
                None if !before.holds => {}
                _ => draft.delete(before.id, Expect::Revision(before.revision)),
            }
        }
        for place in &self.new {
            if let Some(record) = self.entries.get(*place).and_then(|entry| entry.record.as_ref()) {
                let is_stored = record.revision > 0;
                let expect = if is_stored { Expect::Revision(record.revision) } else { Expect::Absent };
                draft.put(record.clone(), expect, None);
            }
        }
    }

    /// What a key is about in the end: the record that a commit may have changed, and the answer when it did not; none when
    /// there is nothing, as before.
    pub(super) fn end(&self, key: &str) -> (Option<Id>, Option<Action>) {
        let entry = self.place(key).and_then(|place| self.entries.get(place));
        let record = entry.and_then(|entry| entry.record.as_ref());
        let before = entry.and_then(|entry| entry.before.as_ref());
        let unchanged = record.map(|record| Action::unchanged(record.id, record.kind, record.revision));
        (record.map(|record| record.id).or(before.map(|before| before.id)), unchanged)
    }
}

impl Entry {
    /// The revision that its record will be.
    fn revision(&self, record: &Record) -> u32 {
        record.revision + u32::from(self.is_changed)
    }
}

impl Present<'_> {
    fn id(&self) -> Id {
        match self {
            Self::Stored(view) => view.id,
            Self::Written(record, ..) => record.id,
        }
    }
}
