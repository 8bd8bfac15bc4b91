//! The past: every revision of a record, and taking a commit back.

use super::blobs::Place;
use super::draft::{Draft, Expect};
use super::slot::{Slot, Version};
use super::state::Store;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, CommitView, Missing, OpView};
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::time::Timestamp;
use rustc_hash::FxHashSet;
use serde_json::Value;

/// One version of a record, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    /// Its number.
    pub revision: u32,
    /// The commit that made it.
    pub commit: Id,
    /// When.
    pub at: Timestamp,
    /// Why.
    pub cause: Cause,
    /// The record; `None` for a deletion.
    pub record: Option<Record>,
}

impl Store {
    /// Every version of a record that counts, oldest first; empty when this scope never had it.
    ///
    /// # Errors
    /// `Corrupt` when stored JSON is not readable.
    pub fn history(&self, scope: &Scope, id: Id) -> Result<Vec<Revision>> {
        let Some(slot) = self.documents.get(id.bytes()).and_then(|document| self.slot(document)) else {
            return Ok(Vec::new());
        };
        if self.scope(slot.scope) != Some(scope) {
            return Ok(Vec::new());
        }
        let mut revisions = Vec::with_capacity(slot.versions().len());
        for version in slot.versions().iter().skip(self.first_kept(slot)) {
            let entry = self.commit_of(version.sequence()).ok_or_else(unreadable)?;
            let commit = self.commit_head(entry).ok_or_else(unreadable)?;
            let view = version.place().and_then(|place| self.record_at(place));
            revisions.push(Revision {
                revision: version.revision,
                commit: commit.id,
                at: entry.time,
                cause: commit.cause,
                record: view.map(|view| view.to_record(scope)).transpose()?,
            });
        }
        Ok(revisions)
    }

    /// The draft that takes a commit back: every record it touched becomes what it was before, as a new revision. Each must be
    /// as the commit left it, or so again because the later commits were taken back.
    /// Background tasks are not brought back; ones that it made and that still wait are ended. Pages and segments stay as
    /// learning left them; a page that it added ends wherever it is by now, and one that it ended comes back. A summary that was
    /// made anew since stays as it is.
    ///
    /// # Errors
    /// `NotFound` when this scope has no such commit, `Conflict` when a record it touched is no longer as it left it; the
    /// details name them.
    pub fn undo(&self, scope: &Scope, commit: Id) -> Result<Draft> {
        let unknown = || {
            Error::new(
                Code::NotFound,
                format!("{commit} is not a commit of this memory; take one from a history"),
            )
        };
        let parts = self.commit_named(commit);
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return Err(unknown()) };
        let views: Option<Vec<_>> = parts.iter().map(|part| self.commit_at(part)).collect();
        let of_scope = |view: &CommitView<'_>| view.scope == scope.canonical() || view.scope.is_empty();
        let views = views.filter(|views| views.iter().all(of_scope)).ok_or_else(unknown)?;
        check_undoable(commit, &views)?;
        let is_learned = views.iter().any(|view| view.cause == Cause::Extract);
        let mut draft = Draft::new(scope, Cause::Undo);
        let mut moved = Vec::new();
        let mut seen = FxHashSet::default();
        for op in views.iter().flat_map(CommitView::ops) {
            let id = match op? {
                OpView::Put { record, .. } => record.id,
                OpView::Delete { id, .. } => id,
                _ => continue,
            };
            let Some(slot) = self.documents.get(id.bytes()).and_then(|document| self.slot(document)) else {
                continue;
            };
            if !seen.insert(id) {
                continue;
            }
            let latest = slot.latest().ok_or_else(unknown)?;
            let of_commit =
                |version: &Version| (first.sequence..=last.sequence).contains(&version.sequence());
            // What was taken in from elsewhere came with all of its versions in one commit.
            let begins = slot.versions().iter().position(of_commit);
            let place = slot.versions().iter().rposition(of_commit);
            let before = begins.and_then(|begins| slot.versions().get(begins.checked_sub(1)?));
            let lacks_before = begins.is_some_and(|begins| match begins.checked_sub(1) {
                Some(before) => before < self.first_kept(slot),
                None => slot.begun() < first.sequence,
            });
            if lacks_before {
                return Err(beyond_history(commit));
            }
            let before = before.and_then(Version::place).and_then(|place| self.record_at(place));
            // Tasks come and go, pages are moved, and segments told anew: none of that stands in the way.
            let is_own = match slot.kind {
                Kind::Task => true,
                Kind::Page | Kind::Segment => is_learned || before.is_none() || latest.place().is_some(),
                _ => false,
            };
            if is_own {
                let ends = slot.kind == Kind::Task || slot.kind == Kind::Page && !is_learned;
                if ends && before.is_none() && latest.place().is_some() {
                    draft.delete(id, Expect::Revision(latest.revision));
                }
                continue;
            }
            if place.is_none_or(|place| !self.stands(scope, slot, place)) {
                // A summary that was made anew since tells of what is there by now.
                if slot.kind == Kind::Summary {
                    continue;
                }
                moved.push(Value::from(id.to_string()));
                continue;
            }
            match (before, latest.place().is_some()) {
                (Some(before), true) => {
                    draft.put(before.to_record(scope)?, Expect::Revision(latest.revision), None)
                }
                (Some(before), false) => draft.put(before.to_record(scope)?, Expect::Absent, None),
                (None, true) => draft.delete(id, Expect::Revision(latest.revision)),
                (None, false) => {}
            }
        }
        if !moved.is_empty() {
            return Err(Error::new(
                Code::Conflict,
                format!(
                    "{} of the records this commit touched have changed since; undo the later commits first",
                    moved.len()
                ),
            )
            .with("ids", moved));
        }
        Ok(draft)
    }

    /// The present revision of a living record, if it is as `revision` left it, or so again because what came later was taken
    /// back.
    #[must_use]
    pub fn standing(&self, scope: &Scope, id: Id, revision: u32) -> Option<u32> {
        let present = self.get(scope, id)?.revision;
        let slot = self.slot(self.documents.get(id.bytes())?)?;
        let place = slot.versions().iter().position(|version| version.revision == revision)?;
        self.stands(scope, slot, place).then_some(present)
    }

    /// Whether a record is now as one of its versions left it: no other came after it, or undoing led back to it.
    fn stands(&self, scope: &Scope, slot: &Slot, place: usize) -> bool {
        let (Some(version), Some(latest)) = (slot.versions().get(place), slot.latest()) else { return false };
        let cause = self.commit_of(latest.sequence()).and_then(|entry| self.commit_head(entry));
        let is_undone = cause.is_some_and(|commit| commit.cause == Cause::Undo);
        latest.sequence() == version.sequence()
            || is_undone && self.are_alike(scope, version.place(), latest.place())
    }

    /// Whether two versions say the same, whenever they were stored; one that is not there is like one that is deleted.
    pub(super) fn are_alike(&self, scope: &Scope, one: Option<Place>, other: Option<Place>) -> bool {
        let content = |place: Option<Place>| {
            let record = self.record_at(place?)?.to_record(scope).ok()?;
            Some(Record { revision: 0, created_at: 0, updated_at: 0, ..record })
        };
        content(one) == content(other)
    }
}

/// Checks that everything that a commit did is still known.
fn check_undoable(commit: Id, views: &[CommitView<'_>]) -> Result<()> {
    let mut because = None;
    for op in views.iter().flat_map(CommitView::ops) {
        match op? {
            OpView::Forgot { .. } | OpView::Missing(Missing::Forgotten) => {
                because = Some("something was forgotten with it, or of what it did");
                break;
            }
            OpView::Missing(Missing::History) => because = Some("history no longer reaches back to it"),
            _ => {}
        }
    }
    let forgets = views.iter().any(|view| view.cause == Cause::Forget);
    match because.or(forgets.then_some("it had something forgotten")) {
        Some(because) => {
            Err(Error::new(Code::Forgotten, format!("{commit} cannot be taken back: {because}")))
        }
        None => Ok(()),
    }
}

fn beyond_history(commit: Id) -> Error {
    Error::new(
        Code::Forgotten,
        format!("{commit} cannot be taken back: history no longer reaches back to what was before it"),
    )
}

/// Cannot be: what was applied was decoded before.
fn unreadable() -> Error {
    Error::new(Code::Internal, "a commit in memory is no longer readable; open the memory again")
}
