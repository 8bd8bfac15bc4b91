//! Everything that is stored of records: every version of each, of those that ended too.

use super::slot::{Slot, Version};
use super::state::Store;
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;
use crate::time::Timestamp;

/// A record with its past.
#[derive(Debug)]
pub struct Ever<'a> {
    /// Which record.
    pub id: Id,
    /// Whether it is there; its last version is what it is then.
    pub lives: bool,
    /// What it was, in order; at least one.
    pub versions: Vec<Past<'a>>,
}

/// What a record was once.
#[derive(Debug, Clone, Copy)]
pub struct Past<'a> {
    /// The record then.
    pub view: RecordView<'a>,
    /// Why it became that.
    pub cause: Cause,
}

impl Store {
    /// Every record of a scope and kind of which a version is stored, also those that ended, in the order in which they were
    /// first stored; each with all of its versions, shown or not.
    pub fn ever(&self, scope: &Scope, kind: Kind) -> impl Iterator<Item = Ever<'_>> {
        self.ever_such(scope, kind, |_| true)
    }

    /// Those of them that ended or were changed.
    pub fn ever_changed(&self, scope: &Scope, kind: Kind) -> impl Iterator<Item = Ever<'_>> {
        self.ever_such(scope, kind, Slot::has_past)
    }

    /// Those of them that are there and whose latest version has stopped holding at a time.
    pub fn ever_over(&self, scope: &Scope, kind: Kind, now: Timestamp) -> impl Iterator<Item = Ever<'_>> {
        self.ever_such(scope, kind, move |slot| slot.lives() && slot.ends() <= now)
    }

    /// Those of them of which that is so; no others are read.
    fn ever_such(
        &self,
        scope: &Scope,
        kind: Kind,
        is_such: impl Fn(&Slot) -> bool,
    ) -> impl Iterator<Item = Ever<'_>> {
        let documents = self.collection(scope, kind).map_or(&[][..], |collection| &collection.ever);
        let slots = documents.iter().filter_map(|document| self.slot(*document));
        slots.filter(move |slot| is_such(slot)).filter_map(|slot| self.ever_of(slot))
    }

    /// One of them by its id, with its kind; `None` when nothing of it is stored in the scope.
    #[must_use]
    pub fn ever_named(&self, scope: &Scope, id: Id) -> Option<(Kind, Ever<'_>)> {
        let slot = self.slot(self.place_of(id)?).filter(|slot| self.scope(slot.scope) == Some(scope))?;
        Some((slot.kind, self.ever_of(slot)?))
    }

    /// Those of a scope and kind that have some ids, in the order in which they were first stored; no others are read.
    pub fn ever_among(
        &self,
        scope: &Scope,
        kind: Kind,
        ids: impl Iterator<Item = Id>,
    ) -> impl Iterator<Item = Ever<'_>> {
        let documents = in_order(ids.filter_map(|id| self.place_of(id)));
        let slots = documents.into_iter().filter_map(|document| self.slot(document));
        let of = slots.filter(move |slot| slot.kind == kind && self.scope(slot.scope) == Some(scope));
        of.filter_map(|slot| self.ever_of(slot))
    }

    fn ever_of(&self, slot: &Slot) -> Option<Ever<'_>> {
        let past = |version: &Version| {
            let view = self.record_at(version.place()?)?;
            let cause = self.commit_head(self.commit_of(version.sequence())?)?.cause;
            Some(Past { view, cause })
        };
        let versions: Vec<_> = slot.versions().iter().filter_map(past).collect();
        let id = versions.first()?.view.id;
        Some(Ever { id, lives: slot.lives(), versions })
    }

    /// Whether something of a scope was forgotten after this commit.
    #[must_use]
    pub fn forgot_since(&self, scope: &Scope, sequence: u64) -> bool {
        let later = self.commits_between(sequence.saturating_add(1), u64::MAX).iter();
        later.filter_map(|entry| self.commit_head(entry)).any(|commit| {
            // What is left of a whole scope that was forgotten does not name it.
            commit.cause == Cause::Forget
                && (commit.scope == scope.canonical() || Scope::from_canonical(commit.scope).is_err())
        })
    }
}
