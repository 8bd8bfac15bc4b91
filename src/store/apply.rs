//! Applying commits: the only way the state changes.

use super::state::{CommitEntry, Place, Slot, Store, Version};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{CommitView, EmbedView, OpView, RecordView};
use crate::record::Kind;
use crate::scope::Scope;
use serde::Serialize;
use std::rc::Rc;

/// What happened to a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It is new, or back.
    Created,
    /// It has a new revision.
    Updated,
    /// It is gone.
    Deleted,
}

/// One change that a commit made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    /// Which record.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// What happened.
    pub action: Action,
    /// The revision it has now.
    pub revision: u32,
    /// The revision it had, if it was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_revision: Option<u32>,
}

impl Store {
    /// Applies a commit from its bytes. On an error nothing has changed.
    ///
    /// # Errors
    /// `Corrupt` when the bytes do not decode or do not follow the last commit.
    pub fn apply(&mut self, section: &[u8], embeds: &[EmbedView<'_>]) -> Result<Vec<Changed>> {
        let blob: Rc<[u8]> = section.into();
        let changed = self.apply_section(&blob, 0, section.len(), true)?;
        let sequence = self.sequence();
        for embed in embeds {
            self.apply_embed(embed, sequence)?;
        }
        Ok(changed)
    }

    /// Applies the section at a place of a blob. With `index`, texts enter the word index at once; a load brings their
    /// rows later.
    pub(super) fn apply_section(
        &mut self,
        blob: &Rc<[u8]>,
        offset: usize,
        length: usize,
        index: bool,
    ) -> Result<Vec<Changed>> {
        let section =
            blob.get(offset..offset + length).ok_or_else(|| corrupt("a section is out of bounds"))?;
        let commit = CommitView::decode(section)?;
        if commit.sequence <= self.sequence() {
            return Err(corrupt("a commit is out of order"));
        }
        let scope =
            Scope::from_canonical(commit.scope).map_err(|_| corrupt("a commit's scope is not readable"))?;
        let ops: Vec<OpView<'_>> = commit.ops().collect::<Result<_>>()?;
        for op in &ops {
            self.check_op(&scope, op)?;
        }
        if self.blobs.last().is_none_or(|last| !Rc::ptr_eq(last, blob)) {
            self.blobs.push(blob.clone());
        }
        let number = self.scope_number(&scope);
        let place = |start: usize, length: usize, blobs: usize| Place {
            blob: u32::try_from(blobs - 1).unwrap_or(u32::MAX),
            offset: u32::try_from(offset + start).unwrap_or(u32::MAX),
            length: u32::try_from(length).unwrap_or(u32::MAX),
        };
        let blobs = self.blobs.len();
        let mut changed = Vec::with_capacity(ops.len());
        for op in &ops {
            changed.push(match op {
                OpView::Put { record, offset, length } => {
                    self.apply_put(number, record, place(*offset, *length, blobs), commit.sequence, index)
                }
                OpView::Delete { id, revision } => self.apply_delete(*id, *revision, commit.sequence),
            });
        }
        let entry = CommitEntry {
            sequence: commit.sequence,
            id: commit.id,
            time: commit.time,
            place: place(0, length, blobs),
        };
        self.commit_places.insert(commit.id, self.commits.len());
        self.commits.push(entry);
        Ok(changed.into_iter().flatten().collect())
    }

    /// Checks that an operation fits what is there, so that applying it cannot fail half way.
    fn check_op(&self, scope: &Scope, op: &OpView<'_>) -> Result<()> {
        let (id, kind) = match op {
            OpView::Put { record, .. } => (record.id, Some(record.kind)),
            OpView::Delete { id, .. } => (*id, None),
        };
        let Some(slot) = self.documents.get(&id).and_then(|document| self.slot(*document)) else {
            return Ok(());
        };
        if self.scopes.get(slot.scope as usize) != Some(scope) || kind.is_some_and(|kind| kind != slot.kind) {
            return Err(corrupt("a commit changes the scope or kind of a record"));
        }
        Ok(())
    }

    fn apply_put(
        &mut self,
        scope: u32,
        record: &RecordView<'_>,
        place: Place,
        sequence: u64,
        index: bool,
    ) -> Option<Changed> {
        let document = match self.documents.get(&record.id) {
            Some(document) => *document,
            None => {
                let document = u32::try_from(self.slots.len()).ok()?;
                self.documents.insert(record.id, document);
                self.slots.push(Slot {
                    scope,
                    kind: record.kind,
                    versions: Vec::with_capacity(1),
                    text_revision: 0,
                    text_sequence: 0,
                    vector_sequence: 0,
                });
                document
            }
        };
        let previous = self.slot(document)?.latest().copied();
        let old = previous.and_then(|version| version.place).and_then(|place| self.record_at(place));
        let old_key = old.and_then(|old| old.key).map(str::to_owned);
        let new_text = old.is_none() || old.and_then(|old| old.text) != record.text;
        let lived = old.is_some();
        let slot = self.slots.get_mut(document as usize)?;
        slot.versions.push(Version { sequence, revision: record.revision, place: Some(place) });
        if new_text {
            slot.text_revision = record.revision;
            slot.text_sequence = sequence;
            slot.vector_sequence = 0;
        }
        let collection = self.collections.entry((scope, record.kind)).or_default();
        if old_key.as_deref() != record.key {
            collection.forget_key(document, old_key.as_deref());
        }
        collection.add(document, record.key);
        if new_text {
            collection.forget_text(document);
            if let Some(text) = record.text {
                collection.unembedded.insert(document);
                if index {
                    collection.words.insert(document, text);
                }
            }
        }
        Some(Changed {
            id: record.id,
            kind: record.kind,
            action: if lived { Action::Updated } else { Action::Created },
            revision: record.revision,
            previous_revision: previous.filter(|_| lived).map(|version| version.revision),
        })
    }

    fn apply_delete(&mut self, id: Id, revision: u32, sequence: u64) -> Option<Changed> {
        // A record whose creation was lost to damage has nothing to delete.
        let document = *self.documents.get(&id)?;
        let old = self.view(document)?;
        let (key, previous) = (old.key.map(str::to_owned), old.revision);
        let slot = self.slots.get_mut(document as usize)?;
        slot.versions.push(Version { sequence, revision, place: None });
        slot.vector_sequence = 0;
        let (scope, kind) = (slot.scope, slot.kind);
        self.collections.entry((scope, kind)).or_default().remove(document, key.as_deref());
        Some(Changed { id, kind, action: Action::Deleted, revision, previous_revision: Some(previous) })
    }

    /// Takes in a vector that is of the present embedder and the present text; others are left out.
    pub(super) fn apply_embed(&mut self, embed: &EmbedView<'_>, sequence: u64) -> Result<()> {
        if embed.embedder != self.embedder {
            return Ok(());
        }
        let Some(document) = self.documents.get(&embed.id).copied() else { return Ok(()) };
        if self.view(document).is_none_or(|view| view.text.is_none()) {
            return Ok(());
        }
        let Some(slot) = self.slots.get_mut(document as usize) else { return Ok(()) };
        if slot.text_revision != embed.revision {
            return Ok(());
        }
        let codes: Vec<i16> =
            embed.codes.chunks_exact(2).map(|pair| pair.try_into().map_or(0, i16::from_le_bytes)).collect();
        let key = (slot.scope, slot.kind);
        self.collections.entry(key).or_default().embed(document, embed.scale, &codes)?;
        slot.vector_sequence = sequence;
        Ok(())
    }

    fn scope_number(&mut self, scope: &Scope) -> u32 {
        if let Some(number) = self.scope_numbers.get(scope) {
            return *number;
        }
        let number = u32::try_from(self.scopes.len()).unwrap_or(u32::MAX);
        self.scopes.push(scope.clone());
        self.scope_numbers.insert(scope.clone(), number);
        number
    }
}

fn corrupt(message: &str) -> Error {
    Error::new(Code::Corrupt, message)
}
