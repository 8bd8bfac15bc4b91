//! The documents as the earlier operations of a batch left them: the store, and what is to be written on top of it.

use super::document::{Document, refresh};
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::action::Action;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;

/// The state in the middle of a batch.
pub(super) struct Staged<'a> {
    pub(super) store: &'a Store,
    pub(super) scope: &'a Scope,
    pub(super) now: Timestamp,
    /// What becomes of the keys that were touched: few, so they are looked through.
    entries: Vec<Entry>,
    /// The places of the entries that hold new documents, in the order in which they were put.
    new: Vec<usize>,
}

/// What becomes of one key.
struct Entry {
    key: String,
    /// The record that has the key in the store; its time may be over.
    before: Option<Record>,
    /// The document as it is by now.
    record: Option<Record>,
}

/// A document that is there by now.
pub(super) enum Present<'a> {
    /// As stored.
    Stored(RecordView<'a>),
    /// As the batch wrote it, and whether the index knows its words.
    Written(&'a Record, bool),
}

impl Present<'_> {
    pub(super) fn document(&self) -> Result<Document> {
        match self {
            Self::Stored(view) => Document::of(view),
            Self::Written(record, _) => Ok(Document::of_record(record)),
        }
    }

    /// Whether it is found by words.
    pub(super) fn is_indexed(&self) -> bool {
        match self {
            Self::Stored(view) => view.text.is_some(),
            Self::Written(record, is_known) => *is_known && record.text.is_some(),
        }
    }

    /// The record's key.
    pub(super) fn key(&self) -> &str {
        match self {
            Self::Stored(view) => view.key,
            Self::Written(record, _) => record.key.as_deref(),
        }
        .unwrap_or_default()
    }
}

impl<'a> Staged<'a> {
    pub(super) fn new(store: &'a Store, scope: &'a Scope, now: Timestamp) -> Self {
        Self { store, scope, now, entries: Vec::new(), new: Vec::new() }
    }

    fn place(&self, key: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.key == key)
    }

    /// The place of the entry of a key, which is made if there is none.
    fn touch(&mut self, key: &str) -> Result<usize> {
        if let Some(place) = self.place(key) {
            return Ok(place);
        }
        let view = self.store.by_key(self.scope, Kind::Document, key);
        let before = view.map(|view| view.to_record(self.scope)).transpose()?;
        let record = before.clone().filter(|record| record.holds_at(self.now));
        self.entries.push(Entry { key: key.to_owned(), before, record });
        Ok(self.entries.len() - 1)
    }

    /// The document that has a key by now.
    pub(super) fn get(&self, key: &str) -> Option<Present<'_>> {
        match self.place(key) {
            Some(place) => self.entries.get(place)?.present(),
            None => {
                let view = self.store.by_key(self.scope, Kind::Document, key);
                view.filter(|view| view.holds_at(self.now)).map(Present::Stored)
            }
        }
    }

    /// What became of a stored document; `None` when it is no longer there.
    pub(super) fn resolve<'s>(&'s self, view: RecordView<'s>) -> Option<Present<'s>> {
        match self.place(view.key.unwrap_or_default()) {
            Some(place) => self.entries.get(place)?.present().filter(|present| present.id() == view.id),
            None => view.holds_at(self.now).then_some(Present::Stored(view)),
        }
    }

    /// The documents whose record keys begin with `prefix`, in the order in which they were first put.
    pub(super) fn below<'s>(&'s self, prefix: &'s str) -> impl Iterator<Item = Present<'s>> {
        let stored = self.store.by_key_prefix(self.scope, Kind::Document, prefix).into_iter();
        let new = self.new.iter().filter_map(|place| self.entries.get(*place)?.present());
        stored
            .filter_map(|view| self.resolve(view))
            .chain(new.filter(move |present| present.key().starts_with(prefix)))
    }

    /// Changes the document of a key, or begins it with a new id.
    pub(super) fn put(&mut self, key: &str, id: Id, change: impl FnOnce(&mut Record)) -> Result<()> {
        let place = self.touch(key)?;
        let Some(entry) = self.entries.get_mut(place) else { return Ok(()) };
        let mut record = entry.record.clone().unwrap_or_else(|| {
            self.new.push(place);
            let mut record = Record::new(id, Kind::Document, self.scope.clone(), self.now);
            record.key = Some(key.to_owned());
            record
        });
        change(&mut record);
        if entry.record.as_ref() != Some(&record) {
            record.valid_from = self.now;
            entry.record = Some(record);
        }
        Ok(())
    }

    /// Ends the document of a key.
    pub(super) fn delete(&mut self, key: &str) -> Result<()> {
        let place = self.touch(key)?;
        self.new.retain(|new| *new != place);
        if let Some(entry) = self.entries.get_mut(place) {
            entry.record = None;
        }
        Ok(())
    }

    /// Lets the time to live of a document begin anew, if it is due.
    pub(super) fn refresh(&mut self, document: &mut Document, key: &str) -> Result<()> {
        if document.expires_at.is_none() {
            return Ok(());
        }
        let place = self.touch(key)?;
        if let Some(record) = self.entries.get_mut(place).and_then(|entry| entry.record.as_mut())
            && refresh(record, self.now)
        {
            document.expires_at = record.expires_at;
        }
        Ok(())
    }

    /// Drafts what makes it so.
    pub(super) fn draft(&self, draft: &mut Draft) {
        for Entry { before, record, .. } in &self.entries {
            let Some(before) = before else { continue };
            match record {
                Some(record) if record.id == before.id => {
                    if record != before {
                        draft.put(record.clone(), Expect::Revision(before.revision), None);
                    }
                }
                // What is over is swept with the others, unless its key is wanted.
                None if !before.holds_at(self.now) => {}
                _ => draft.delete(before.id, Expect::Revision(before.revision)),
            }
        }
        for place in &self.new {
            if let Some(record) = self.entries.get(*place).and_then(|entry| entry.record.as_ref()) {
                draft.put(record.clone(), Expect::Absent, None);
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
        (record.or(before).map(|record| record.id), unchanged)
    }
}

impl Entry {
    fn present(&self) -> Option<Present<'_>> {
        let record = self.record.as_ref()?;
        let before = self.before.as_ref().filter(|before| before.id == record.id);
        Some(Present::Written(record, before.is_some_and(|before| before.text == record.text)))
    }
}

impl Present<'_> {
    fn id(&self) -> Id {
        match self {
            Self::Stored(view) => view.id,
            Self::Written(record, _) => record.id,
        }
    }
}
