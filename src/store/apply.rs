//! Applying commits: the only way the state changes.

use super::blobs::Place;
use super::slot::{Slot, Version};
use super::state::{CommitEntry, SIGNIFICANCES, Store, Stored};
use crate::error::Result;
use crate::growth::push;
use crate::id::Id;
use crate::log::{CommitView, EmbedView, OpView, RecordView, corrupt};
use crate::record::Kind;
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::Serialize;

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
        let changed = self.apply_unindexed(section, embeds)?;
        for changed in &changed {
            self.index_text_of(changed.id);
        }
        Ok(changed)
    }

    /// The same, but for the words of its texts: nobody finds them before [`index_text_of`](Self::index_text_of) has taken in each
    /// record that was changed. Until then it is found by the words that it had.
    ///
    /// # Errors
    /// Those of [`apply`](Self::apply).
    pub fn apply_unindexed(&mut self, section: &[u8], embeds: &[EmbedView<'_>]) -> Result<Vec<Changed>> {
        let commit = CommitView::decode(section)?;
        if commit.scope.is_empty() && commit.time < self.time() {
            // One that is not to be read has no time of its own.
            let mut timed = commit;
            timed.time = self.time();
            return self.apply_section(&timed.bare()?, None);
        }
        let changed = self.apply_section(section, None)?;
        let sequence = self.sequence();
        let mut last = None;
        for embed in embeds {
            self.apply_embed(embed, sequence, last == Some(embed.id));
            last = Some(embed.id);
        }
        Ok(changed)
    }

    /// Applies a commit's section, which is kept already where `kept` says, or is to be. Its texts are yet to be indexed.
    pub(super) fn apply_section(&mut self, section: &[u8], kept: Option<Place>) -> Result<Vec<Changed>> {
        let commit = CommitView::decode(section)?;
        if commit.sequence <= self.sequence() {
            return Err(corrupt("a commit is out of order"));
        }
        // The scope of a commit is empty when it was forgotten.
        let scope = (!commit.scope.is_empty()).then(|| self.scope_of(commit.scope)).transpose()?;
        let mut ops = Vec::with_capacity(commit.expected_ops());
        for op in commit.ops() {
            let op = op?;
            self.check_op(scope.as_ref(), &op)?;
            ops.push(op);
        }
        let most = self.slots.len().max(self.commits.len()) + ops.len();
        if u32::try_from(most).is_err() || u32::try_from(commit.sequence).is_err() {
            return Err(corrupt("there is more than this build can number"));
        }
        let whole = kept.map_or_else(|| self.blobs.keep(section), Ok)?;
        let of_scope = scope.map(|scope| self.scope_number(&scope));
        // Without a scope no operation is about a record.
        let number = of_scope.unwrap_or_default();
        let mut changed = Vec::with_capacity(ops.len());
        for op in &ops {
            match op {
                OpView::Put { record, offset, length } => {
                    let place = whole.part(*offset, *length);
                    changed.push(self.apply_put(number, record, place, commit.sequence, kept.is_none()));
                }
                OpView::Delete { id, revision } => {
                    changed.extend(self.apply_delete(*id, *revision, commit.sequence));
                }
                OpView::Touch { id, time } => self.apply_touch(*id, *time),
                OpView::Place { id, kind } => self.apply_place(number, *id, *kind, commit.sequence),
                OpView::Forgot { .. } | OpView::Missing(_) => {}
            }
        }
        let entry = CommitEntry { sequence: commit.sequence, time: commit.time, place: whole };
        let (name, place) = (self.commit_names.number(commit.id.bytes()), self.commits.len() as u32);
        let known = self.commit_places.get_mut(name as usize);
        let is_part = known.map(|known| *known = place).is_some();
        if !is_part {
            push(&mut self.commit_places, place);
        }
        if let Some(number) = of_scope {
            self.note_commit(number, commit.cause, is_part);
        }
        push(&mut self.commits, entry);
        Ok(changed)
    }

    /// Checks that an operation fits what is there, so that applying it cannot fail half way.
    fn check_op(&self, scope: Option<&Scope>, op: &OpView<'_>) -> Result<()> {
        let kind = match op {
            OpView::Put { record, .. } => Some(record.kind),
            OpView::Place { kind, .. } => Some(*kind),
            _ => None,
        };
        let Some(id) = op.id() else { return Ok(()) };
        if scope.is_none() {
            return Err(corrupt("a commit without a scope changes a record"));
        }
        let Some(slot) = self.documents.get(id.bytes()).and_then(|document| self.slot(document)) else {
            return Ok(());
        };
        if self.scope(slot.scope) != scope || kind.is_some_and(|kind| kind != slot.kind) {
            return Err(corrupt("a commit changes the scope or kind of a record"));
        }
        Ok(())
    }

    /// `indexed` says whether its text is indexed next: until then it is found by the words that it had.
    fn apply_put(
        &mut self,
        scope: u32,
        record: &RecordView<'_>,
        place: Place,
        sequence: u64,
        indexed: bool,
    ) -> Changed {
        // Numbered by apply_section's leave.
        let new = self.slots.len() as u32;
        let document = self.documents.number(record.id.bytes());
        let previous = self.slot(document).and_then(Slot::latest).copied();
        let old = previous.and_then(|version| version.place()).and_then(|place| self.record_at(place));
        let lives = old.is_some();
        let old_key = old.and_then(|old| old.key).filter(|key| Some(*key) != record.key).map(str::to_owned);
        let new_text = old.is_none_or(|old| old.text != record.text);
        let collection = self.collections.entry((scope, record.kind)).or_default();
        let version = Version::new(sequence, record.revision, Some(place));
        let stored = Stored { slots: &self.slots, blobs: &self.blobs };
        collection.forget_key(document, old_key.as_deref(), stored);
        if document == new {
            self.slots.push_one(Slot::new(scope, record.kind, sequence));
            collection.begin(document);
        }
        // Of one that keeps its place all versions were erased, of which this is the next.
        let keeps_place = previous.is_none()
            && self.slots.get(document as usize).is_some_and(|slot| slot.begun() < sequence);
        self.verdicts.get_mut().forget(document);
        if let Some(slot) = self.slots.get_mut(document as usize) {
            slot.push(version);
            slot.valid_from = record.valid_from;
            slot.set_ends(record.ends());
            slot.significance = record.significance.min(SIGNIFICANCES as u8 - 1);
            if new_text {
                slot.has_text = record.text.is_some();
                slot.set_text(record.revision, sequence);
                slot.set_vector_sequence(0);
            }
        }
        collection.add(document, record, Stored { slots: &self.slots, blobs: &self.blobs });
        if new_text && document != new {
            collection.forget_vector(document);
        }
        if new_text && indexed && record.text.is_some() {
            self.unindexed.insert(document, ());
        } else if new_text {
            collection.forget_words(document);
        }
        Changed {
            id: record.id,
            kind: record.kind,
            action: if lives || keeps_place { Action::Updated } else { Action::Created },
            revision: record.revision,
            previous_revision: if keeps_place {
                record.revision.checked_sub(1)
            } else {
                previous.filter(|_| lives).map(|version| version.revision)
            },
        }
    }

    /// `None` for a record whose creation was lost to damage: there is nothing to end.
    fn apply_delete(&mut self, id: Id, revision: u32, sequence: u64) -> Option<Changed> {
        let document = self.documents.get(id.bytes())?;
        let slot = self.slot(document).filter(|slot| slot.lives())?;
        let (scope, kind, previous) = (slot.scope, slot.kind, slot.latest()?.revision);
        let key = self.names(document)?.key().to_owned();
        let stored = Stored { slots: &self.slots, blobs: &self.blobs };
        self.collections.entry((scope, kind)).or_default().remove(
            document,
            (!key.is_empty()).then_some(&*key),
            stored,
        );
        self.verdicts.get_mut().forget(document);
        let slot = self.slot_mut(document)?;
        slot.push(Version::new(sequence, revision, None));
        slot.set_vector_sequence(0);
        Some(Changed { id, kind, action: Action::Deleted, revision, previous_revision: Some(previous) })
    }

    /// Keeps the place of a record whose first versions are gone; if there are some, they do not count.
    fn apply_place(&mut self, scope: u32, id: Id, kind: Kind, sequence: u64) {
        let new = self.slots.len() as u32;
        let document = self.documents.number(id.bytes());
        if document == new {
            self.slots.push_one(Slot::new(scope, kind, sequence));
            self.collections.entry((scope, kind)).or_default().begin(document);
        }
        if let Some(slot) = self.slot_mut(document) {
            slot.set_gone(sequence);
        }
    }

    /// Of a record whose creation was lost to damage there is nothing to say.
    fn apply_touch(&mut self, id: Id, time: Timestamp) {
        let slot = self.documents.get(id.bytes()).and_then(|document| self.slot_mut(document));
        if let Some(slot) = slot {
            slot.access(time);
        }
    }

    /// Takes in a vector that a commit brought. One of another embedder, of a text that has changed since or of another
    /// dimension than the others is left out; its record stays among those without a vector. One that comes right behind another of
    /// its record is of a further part of the text.
    fn apply_embed(&mut self, embed: &EmbedView<'_>, sequence: u64, is_further: bool) {
        let document = self.documents.get(embed.id.bytes());
        let Some(document) = self.embeddable(embed, document) else { return };
        let Some(slot) = self.slots.get_mut(document as usize) else { return };
        let collection = self.collections.entry((slot.scope, slot.kind)).or_default();
        if collection.embed(document, embed.scale, &embed.codes(), is_further).is_ok() {
            slot.set_vector_sequence(sequence);
        }
    }

    /// The document that a vector is for, if that is of the present embedder and of the document's present text.
    pub(super) fn embeddable(&self, embed: &EmbedView<'_>, document: Option<u32>) -> Option<u32> {
        if embed.embedder != self.embedder {
            return None;
        }
        let slot = self.slot(document?)?;
        document.filter(|_| slot.lives_with(embed.revision))
    }

    /// What a commit changed, as [`apply`](Self::apply) said when it was applied.
    #[must_use]
    pub fn changes(&self, commit: Id) -> Option<Vec<Changed>> {
        let parts = self.commit_named(commit);
        let changes = parts.iter().filter_map(|entry| Some((entry.sequence, self.commit_at(entry)?)));
        let changes = changes
            .flat_map(|(sequence, view)| view.ops().filter_map(move |op| self.change(sequence, &op.ok()?)));
        (!parts.is_empty()).then(|| changes.collect())
    }

    fn change(&self, sequence: u64, op: &OpView<'_>) -> Option<Changed> {
        let (id, revision) = match op {
            OpView::Put { record, .. } => (record.id, record.revision),
            OpView::Delete { id, revision } => (*id, *revision),
            _ => return None,
        };
        let slot = self.slot(self.documents.get(id.bytes())?)?;
        let at = slot.versions().binary_search_by_key(&sequence, |version| version.sequence()).ok()?;
        let before = at.checked_sub(1).and_then(|before| slot.versions().get(before));
        let before = before.filter(|before| before.place().is_some());
        let keeps_place = at == 0 && slot.begun() < sequence;
        let action = match op {
            OpView::Put { .. } if before.is_some() || keeps_place => Action::Updated,
            OpView::Put { .. } => Action::Created,
            _ => Action::Deleted,
        };
        let previous_revision =
            if keeps_place { revision.checked_sub(1) } else { before.map(|before| before.revision) };
        Some(Changed { id, kind: slot.kind, action, revision, previous_revision })
    }

    /// The scope with a canonical spelling; one that is known is not read again.
    fn scope_of(&self, canonical: &str) -> Result<Scope> {
        let known = self.scope_numbers.get(canonical).and_then(|number| self.scope(*number));
        match known {
            Some(scope) => Ok(scope.clone()),
            None => Scope::from_canonical(canonical).map_err(|_| corrupt("a commit's scope is not readable")),
        }
    }

    fn scope_number(&mut self, scope: &Scope) -> u32 {
        if let Some(number) = self.scope_numbers.get(scope) {
            return *number;
        }
        // There are fewer scopes than commits, and each commit takes more than a byte.
        let number = self.scopes.len() as u32;
        self.scopes.push(Some(scope.clone()));
        self.scope_numbers.insert(scope.clone(), number);
        number
    }
}
