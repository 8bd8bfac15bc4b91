//! Erasing: what goes from the commits, the commits without it, and the state without it.
//!
//! Of a record its first versions go, all of them or some. What is left of their commits is written into a new segment, and
//! only when that is stored does the state let go of them too: it is then what a reading of the storage would give.

use super::apply::{Action, Changed};
use super::blobs::Place;
use super::draft::{Change, Draft};
use super::slot::{Slot, Version};
use super::state::Store;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{CommitView, Missing, OpView, Part, Rewrite};
use crate::ordered::{Ordered, in_order};
use crate::record::Kind;
use crate::scope::Scope;
use std::ops::Range;

/// What is to go from the commits.
pub struct Cuts {
    pub(super) why: Missing,
    /// By document.
    pub(super) records: Ordered<u32, Cut>,
    /// A scope of which nothing is to stay.
    pub(super) scope: Option<Scope>,
    /// The first commit that something goes from; beyond all when nothing goes.
    pub(super) first: u64,
}

/// What is to go of one record.
pub(super) struct Cut {
    pub(super) id: Id,
    /// Which of its versions.
    pub(super) versions: Range<usize>,
    /// Whether nothing of it stays, not even its place.
    pub(super) vanishes: bool,
    /// The commit where its place is kept; 0 for none.
    pub(super) place: u64,
}

/// The sections of commits without what goes, by the places of the commits among all.
pub type Rewritten = Vec<(usize, Vec<u8>)>;

impl Default for Cuts {
    /// Of nothing.
    fn default() -> Self {
        Self { why: Missing::Forgotten, records: Ordered::new(), scope: None, first: u64::MAX }
    }
}

impl Cuts {
    /// The first commit that something goes from; beyond all when nothing goes.
    #[must_use]
    pub fn first(&self) -> u64 {
        self.first
    }

    /// The scope of which nothing stays, if there is one.
    #[must_use]
    pub fn scope(&self) -> Option<&Scope> {
        self.scope.as_ref()
    }

    /// Whether nothing stays of some record.
    #[must_use]
    pub fn takes_records(&self) -> bool {
        self.records.values().any(|cut| cut.vanishes)
    }

    /// What goes of a record, if anything does.
    pub(super) fn cut(&self, store: &Store, id: Id) -> Option<&Cut> {
        self.records.get(&store.documents.get(id.bytes())?)
    }

    /// Whether no version of a document stays.
    pub(super) fn takes_all(&self, document: u32, slot: &Slot) -> bool {
        self.records.get(&document).is_some_and(|cut| cut.versions == (0..slot.versions().len()))
    }
}

impl Draft {
    /// Whether it erases something.
    #[must_use]
    pub fn erases(&self) -> bool {
        self.erase_scope || !self.erase.is_empty()
    }

    /// Whether it ends something and brings nothing that is new.
    pub(crate) fn only_ends(&self, store: &Store) -> bool {
        let ends = |change: &Change| matches!(change, Change::Delete { .. });
        let is_known = |change: &Change| match change {
            Change::Put { record, .. } => store.revision_of(&self.scope, record.id).is_some(),
            Change::Delete { .. } => true,
            Change::Embed(_) | Change::Touch { .. } => false,
        };
        self.changes.iter().any(ends) && self.changes.iter().all(is_known)
    }
}

impl Store {
    /// What a draft erases: its records, and the relations that end with its entities.
    ///
    /// # Errors
    /// `NotFound` when a record is of another scope, `Conflict` when the scope is to vanish and holds other records.
    pub fn erasure(&self, draft: &Draft) -> Result<Cuts> {
        let mut cuts = Cuts::default();
        if !draft.erases() {
            return Ok(cuts);
        }
        let mut lives: Ordered<Id, bool> = Ordered::new();
        for change in &draft.changes {
            match change {
                Change::Put { record, .. } => lives.insert(record.id, true),
                Change::Delete { id, .. } => lives.insert(*id, false),
                Change::Embed(_) | Change::Touch { .. } => None,
            };
        }
        let gone = self.gone_with(draft);
        for (id, _) in &gone {
            lives.insert(*id, false);
        }
        for id in in_order(draft.erase.iter().copied().chain(gone.into_iter().map(|(id, _)| id))) {
            let Some(document) = &self.documents.get(id.bytes()) else { continue };
            let Some(slot) = self.slot(*document) else { continue };
            if self.scope(slot.scope) != Some(&draft.scope) {
                return Err(Error::new(
                    Code::NotFound,
                    format!("{id} is not in this memory; list what is there"),
                )
                .with("id", id.to_string()));
            }
            let changed = lives.get(&id).copied();
            let vanishes = !changed.unwrap_or_else(|| slot.lives());
            // What the draft leaves alone keeps its present version.
            let stay = usize::from(!vanishes && changed.is_none());
            let versions = 0..slot.versions().len().saturating_sub(stay);
            let place = if vanishes { 0 } else { slot.begun() };
            if vanishes || !versions.is_empty() {
                cuts.first = cuts.first.min(slot.begun());
                cuts.records.insert(*document, Cut { id, versions, vanishes, place });
            }
        }
        if draft.erase_scope {
            self.erase_scope(draft, &mut cuts)?;
        }
        Ok(cuts)
    }

    fn erase_scope(&self, draft: &Draft, cuts: &mut Cuts) -> Result<()> {
        let number = self.scope_numbers.get(&draft.scope);
        let stays = |(id, document)| {
            let is_of_scope = self.slot(document).is_some_and(|slot| Some(&slot.scope) == number);
            let vanishes = cuts.records.get(&document).is_some_and(|cut| cut.vanishes);
            (is_of_scope && !vanishes).then_some(Id::from_bytes(id))
        };
        let brings = draft.changes.iter().find(|change| matches!(change, Change::Put { .. })).map(Change::id);
        if let Some(id) = brings.or_else(|| self.documents.iter().find_map(stays)) {
            return Err(Error::new(
                Code::Conflict,
                format!("{id} was stored meanwhile in the scope to be forgotten; read again and retry"),
            )
            .with("id", id.to_string()));
        }
        let mut of_scope = self.commits.iter().filter(|entry| {
            self.commit_head(entry).is_some_and(|commit| commit.scope == draft.scope.canonical())
        });
        if let Some(first) = of_scope.next() {
            cuts.first = cuts.first.min(first.sequence);
        }
        cuts.scope = Some(draft.scope.clone());
        Ok(())
    }

    /// How many records of each kind vanish.
    pub(super) fn vanishing(&self, cuts: &Cuts) -> Ordered<Kind, u32> {
        let mut counts = Ordered::new();
        for (document, _) in cuts.records.iter().filter(|(_, cut)| cut.vanishes) {
            if let Some(slot) = self.slot(*document) {
                counts.update(slot.kind, |count: &mut u32| *count += 1);
            }
        }
        counts
    }

    /// The living records that a draft erases, as a listener is told of them.
    #[must_use]
    pub fn erased_by(&self, draft: &Draft) -> Vec<Changed> {
        let cuts = self.erasure(draft).unwrap_or_default();
        let vanishing = cuts.records.iter().filter(|(_, cut)| cut.vanishes);
        let living = vanishing.filter_map(|(document, _)| self.view(*document));
        living.map(|view| deleted(view.id, view.kind, view.revision)).collect()
    }

    /// The records that lived in an earlier state and of which this one knows nothing, by scope.
    #[must_use]
    pub fn vanished(&self, before: &Self) -> Vec<(Scope, Vec<Changed>)> {
        let is_gone = |change: &Changed| {
            change.action == Action::Deleted && self.documents.get(change.id.bytes()).is_none()
        };
        let gone = self.differences(before).into_iter().map(|(scope, mut changes)| {
            changes.retain(is_gone);
            (scope, changes)
        });
        gone.filter(|(_, changes)| !changes.is_empty()).collect()
    }

    /// The section of the commit at a place, if it changes when `cuts` goes.
    pub(super) fn rewritten(&self, place: usize, cuts: &Cuts) -> Option<Vec<u8>> {
        let entry = self.commits.get(place)?;
        let commit = self.commit_at(entry)?;
        let of_scope = cuts.scope.as_ref().is_some_and(|scope| scope.canonical() == commit.scope);
        let section = commit.rewritten(cuts.why, of_scope, &mut |op| {
            let fate = self.fate(entry.sequence, op, cuts);
            if !of_scope || op.id().is_none() {
                return fate;
            }
            match op {
                OpView::Put { .. } | OpView::Delete { .. } => Rewrite::Goes,
                _ => Rewrite::GoesUnmarked,
            }
        });
        // What was applied was decoded before.
        section.ok().flatten()
    }

    /// Whether a part of what is stored holds anything of what goes.
    #[must_use]
    pub(crate) fn holds(&self, part: &Part<'_>, cuts: &Cuts) -> bool {
        let is_row = |(id, _): &(Id, u32)| cuts.cut(self, *id).is_some();
        match part {
            Part::Terms { rows, .. } => rows.rows.iter().any(is_row),
            Part::Vectors { rows, .. } => rows.rows.iter().any(is_row),
            Part::Commits { payload, sections, .. } => sections.iter().any(|(offset, length)| {
                let section = payload.get(*offset..offset + length).unwrap_or_default();
                // What cannot be read may hold anything.
                let Ok(commit) = CommitView::decode(section) else { return true };
                let is_of_scope = cuts.scope.as_ref().is_some_and(|scope| scope.canonical() == commit.scope);
                let names = |op: Result<OpView<'_>>| {
                    op.map_or(true, |op| op.id().is_some_and(|id| cuts.cut(self, id).is_some()))
                };
                is_of_scope || commit.ops().any(names)
            }),
            // It is carried along for a scope that is locked.
            Part::Commit(_) => true,
        }
    }

    fn fate(&self, sequence: u64, op: &OpView<'_>, cuts: &Cuts) -> Rewrite {
        let document = op.id().and_then(|id| self.documents.get(id.bytes()));
        let found = document.and_then(|document| Some((self.slot(document)?, cuts.records.get(&document)?)));
        let Some((slot, cut)) = found else { return Rewrite::Stays };
        let goes = match op {
            OpView::Put { .. } | OpView::Delete { .. } => {
                match slot.versions().binary_search_by_key(&sequence, |version| version.sequence()) {
                    Ok(version) => cut.versions.contains(&version),
                    // Nothing that counts, such as the end of a record that was lost.
                    Err(_) => cut.vanishes,
                }
            }
            OpView::Touch { .. } => cut.vanishes,
            OpView::Place { .. } => cut.vanishes || sequence != cut.place,
            OpView::Forgot { .. } | OpView::Missing(_) => false,
        };
        match op {
            _ if !goes => Rewrite::Stays,
            OpView::Put { .. } | OpView::Delete { .. } if sequence == cut.place => {
                Rewrite::Leaves(cut.id, slot.kind)
            }
            OpView::Put { .. } | OpView::Delete { .. } => Rewrite::Goes,
            _ => Rewrite::GoesUnmarked,
        }
    }

    /// Lets go of what is no longer stored.
    pub(crate) fn shed(&mut self, cuts: &Cuts, rewritten: Rewritten) {
        let mut collections: Ordered<(u32, Kind), Vec<u32>> = Ordered::new();
        for (document, cut) in cuts.records.iter() {
            let Some(slot) = self.slot(*document) else { continue };
            let of = (slot.scope, slot.kind);
            collections.update(of, |vanished| vanished.extend(cut.vanishes.then_some(*document)));
            if slot.lives() && cuts.takes_all(*document, slot) {
                let key = self.view(*document).and_then(|view| view.key).map(str::to_owned);
                let stored = super::state::Stored { slots: &self.slots, blobs: &self.blobs };
                if let Some(collection) = self.collections.get_mut(&of) {
                    collection.remove(*document, key.as_deref(), stored);
                }
            }
        }
        for (place, section) in rewritten {
            self.replace_section(place, &section);
        }
        for (document, cut) in cuts.records.iter() {
            if cut.vanishes {
                self.documents.remove(cut.id.bytes());
            }
            self.verdicts.get_mut().forget(*document);
            let Some(slot) = self.slot_mut(*document) else { continue };
            slot.remove(cut.versions.clone());
            slot.set_gone(slot.gone().max(cut.place));
            let first = slot.versions().first().filter(|_| cut.versions.start == 0);
            let (revision, sequence) = first.map_or((0, 0), |first| (first.revision, first.sequence()));
            slot.set_text(slot.text_revision().max(revision), slot.text_sequence().max(sequence));
            if slot.versions().is_empty() {
                slot.set_vector_sequence(0);
            }
        }
        for (of, vanished) in collections.iter() {
            if let Some(collection) = self.collections.get_mut(of)
                && !vanished.is_empty()
            {
                // Both ascend.
                collection.ever.retain(|document| vanished.binary_search(document).is_err());
            }
            self.name_ended_keys(*of);
        }
        if let Some(scope) = &cuts.scope
            && let Some(number) = self.scope_numbers.remove(scope)
            && let Some(known) = self.scopes.get_mut(number as usize)
        {
            *known = None;
            self.scope_commits.get_mut(number as usize).map(Vec::clear);
        }
        // Until most of what is kept is of no use, that takes longer than it is worth.
        if self.blobs.is_sparse() {
            self.compact();
        }
    }

    /// Puts the bytes of a commit in the place of others.
    fn replace_section(&mut self, place: usize, section: &[u8]) {
        let Some(entry) = self.commits.get(place).copied() else { return };
        let Ok(whole) = self.blobs.keep(section) else { return };
        self.blobs.wipe(entry.place);
        if let Some(entry) = self.commits.get_mut(place) {
            entry.place = whole;
        }
        let Ok(commit) = CommitView::decode(section) else { return };
        for op in commit.ops() {
            let Ok(OpView::Put { record, offset, length }) = op else { continue };
            let document = self.documents.get(record.id.bytes());
            let slot = document.and_then(|document| self.slot_mut(document));
            if let Some(slot) = slot {
                slot.place(entry.sequence, whole.part(offset, length));
            }
        }
    }

    /// Finds out anew who had a key that nobody has now.
    fn name_ended_keys(&mut self, of: (u32, Kind)) {
        let Some(collection) = self.collections.get(&of).filter(|of| !of.ended_keys.is_empty()) else {
            return;
        };
        let key = |version: &Version| {
            let record = version.place().and_then(|place| self.record_at(place));
            record.and_then(|record| record.key).map(str::to_owned)
        };
        let mut ended: Vec<(u64, String, u32)> = Vec::new();
        for document in &collection.ever {
            let Some(slot) = self.slot(*document).filter(|slot| slot.versions().len() > 1) else { continue };
            for two in slot.versions().windows(2) {
                let [one, next] = two else { continue };
                let key = key(one).map(|had| (key(next).as_ref() == Some(&had), had));
                if let Some((false, key)) = key {
                    ended.push((next.sequence(), key, *document));
                }
            }
        }
        let mut keys = Ordered::new();
        for (_, key, document) in in_order(ended) {
            if collection.keys.get(&key, self.stored()).is_none() {
                keys.insert(key, document);
            }
        }
        if let Some(collection) = self.collections.get_mut(&of) {
            collection.ended_keys = keys;
        }
    }

    /// How many bytes are kept that are of no use.
    pub(crate) fn dead_bytes(&self) -> usize {
        self.blobs.dead_bytes()
    }

    /// Lets go of the bytes that are of no use.
    pub(crate) fn compact(&mut self) {
        let before = self.blobs.take_kept();
        let mut moved: Vec<(Place, Place)> = Vec::with_capacity(self.commits.len());
        for place in 0..self.commits.len() {
            let old = self.commits.get(place).map(|entry| entry.place).unwrap_or_default();
            let new = self.blobs.moved(&before, old);
            moved.push((old, new));
            if let Some(entry) = self.commits.get_mut(place) {
                entry.place = new;
            }
        }
        let commits = &self.commits;
        let moved = |sequence: u64| {
            let commit = commits.binary_search_by_key(&sequence, |commit| commit.sequence);
            commit.ok().and_then(|commit| moved.get(commit))
        };
        for slot in self.slots.iter_mut().flatten() {
            slot.each_version(&mut |version| {
                if let Some((old, new)) = moved(version.sequence()) {
                    version.shift(*old, *new);
                }
            });
        }
    }
}

fn deleted(id: Id, kind: Kind, revision: u32) -> Changed {
    let previous_revision = Some(revision);
    Changed { id, kind, action: Action::Deleted, revision: revision + 1, previous_revision }
}
