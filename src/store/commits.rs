//! The commits of a scope, the newest first, and which of them were taken back.

use super::slot::Slot;
use super::state::{CommitEntry, Store};
use crate::growth::push;
use crate::id::Id;
use crate::log::{Cause, CommitView, OpView, RecordView};
use crate::record::Kind;
use crate::scope::Scope;
use crate::time::Timestamp;

impl Store {
    /// The commits of a scope, newest first: their names, times and causes. Without those that only note accesses or bring
    /// vectors. From the one before `before`, where one is named; `None` when that is not one of these.
    pub fn commits<'a>(
        &'a self,
        scope: &Scope,
        before: Option<Id>,
    ) -> Option<impl Iterator<Item = (Id, Timestamp, Cause)> + use<'a>> {
        let places =
            self.scope_numbers.get(scope).and_then(|number| self.scope_commits.get(*number as usize));
        let places = places.map(Vec::as_slice).unwrap_or_default();
        let places = match before {
            None => places,
            Some(id) => {
                let place = self.commit_place(id)? as u32;
                places.get(..places.binary_search(&place).ok()?)?
            }
        };
        let commits = places.iter().rev().filter_map(|place| self.commits.get(*place as usize));
        Some(commits.filter_map(|entry| self.commit_head(entry).map(|view| (view.id, view.time, view.cause))))
    }

    /// Takes the commit that is applied last among those of its scope. `is_part` says that the last one is an earlier part of it.
    pub(super) fn note_commit(&mut self, scope: u32, cause: Cause, is_part: bool) {
        if matches!(cause, Cause::Access | Cause::Embed) {
            return;
        }
        let (scope, place) = (scope as usize, self.commits.len() as u32);
        if self.scope_commits.len() <= scope {
            self.scope_commits.resize_with(scope + 1, Vec::new);
        }
        if let Some(places) = self.scope_commits.get_mut(scope) {
            if is_part {
                places.pop();
            }
            push(places, place);
        }
    }

    /// How many records of which kinds a commit forgot; nothing when it forgot none.
    #[must_use]
    pub fn forgotten_by(&self, commit: Id) -> Vec<(Kind, usize)> {
        let views = self.commit_named(commit).iter().filter_map(|part| self.commit_at(part));
        views
            .flat_map(|view| view.ops().filter_map(Result::ok).collect::<Vec<_>>())
            .filter_map(|op| match op {
                OpView::Forgot { kind, count } => Some((kind, count as usize)),
                _ => None,
            })
            .collect()
    }

    /// The commit that took another back, as long as it stays taken back.
    #[must_use]
    pub fn undone_by(&self, scope: &Scope, commit: Id) -> Option<Id> {
        let parts = self.commit_named(commit);
        let views = parts.iter().filter_map(|part| self.commit_at(part));
        views.flat_map(|view| view.ops().filter_map(Result::ok).collect::<Vec<_>>()).find_map(|op| {
            let (OpView::Put { record: RecordView { id, .. }, .. } | OpView::Delete { id, .. }) = op else {
                return None;
            };
            let slot = self.slot(self.documents.get(id.bytes())?)?;
            // An undo leaves these as they are, or what became of them since.
            let is_own = matches!(slot.kind, Kind::Task | Kind::Page | Kind::Segment | Kind::Summary);
            if is_own { None } else { self.taken_back(scope, slot, parts) }
        })
    }

    /// The last commit that led a record back to what it was before a commit, unless a later one led forth again.
    fn taken_back(&self, scope: &Scope, slot: &Slot, parts: &[CommitEntry]) -> Option<Id> {
        let is_its = |sequence: u64| parts.iter().any(|part| part.sequence == sequence);
        let place = slot.versions().iter().position(|version| is_its(version.sequence()))?;
        let last = slot.versions().iter().rposition(|version| is_its(version.sequence()))?;
        let left = slot.versions().get(last)?.place();
        let before = place.checked_sub(1).and_then(|before| slot.versions().get(before)?.place());
        let mut by = None;
        let later = slot.versions().iter().skip(last);
        for (from, to) in later.clone().zip(later.skip(1)) {
            let undo = self.commit_of(to.sequence()).and_then(|entry| self.commit_head(entry));
            let Some(CommitView { id, .. }) = undo.filter(|view| view.cause == Cause::Undo) else { continue };
            let leads = |one, other| {
                self.are_alike(scope, from.place(), one) && self.are_alike(scope, to.place(), other)
            };
            if leads(left, before) {
                by = Some(id);
            } else if leads(before, left) {
                by = None;
            }
        }
        by
    }
}
