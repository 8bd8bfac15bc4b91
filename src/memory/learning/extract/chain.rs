//! Chains of facts that took the place of one another: their order and their dates, also where they are learned in another order.

use super::plan::{Plan, believed};
use crate::error::Result;
use crate::id::Id;
use crate::memory::facts::{Fact, FactValue, wording};
use crate::memory::source::trust_of;
use crate::memory::span::{self, Span};
use crate::record::{Kind, Provenance, Record};
use crate::store::{Change, Expect};
use crate::time::{DAY_MS, Timestamp};
use serde_json::Value;

/// How many facts of a chain of those that took the place of one another are looked at.
const MAX_CHAIN: usize = 1000;
/// Where facts name those before and after them in it.
const SUPERSEDES: &str = "supersedes";
const SUPERSEDED_BY: &str = "supersededBy";

impl Plan<'_> {
    /// Takes a fact back that this draft adds; what it was to take the place of is for its successor to do: the one that it
    /// supersedes, and all that it ended.
    pub(super) fn withdraw(&mut self, text: &str) -> Result<(Option<Id>, Vec<Id>)> {
        let words = wording(text);
        let (mut supersedes, mut withdrawn, mut ended) = (None, None, Vec::new());
        let mut kept = Vec::with_capacity(self.draft.changes.len());
        for change in self.draft.changes.drain(..) {
            match &change {
                Change::Put { record, expect: Expect::Absent, .. }
                    if record.kind == Kind::Fact
                        && record.text.as_deref().is_some_and(|text| wording(text) == words) =>
                {
                    supersedes = FactValue::read(&record.value)?.supersedes;
                    withdrawn = Some(record.id);
                }
                _ => kept.push(change),
            }
        }
        self.draft.changes = kept;
        for record in self.facts_mut() {
            if withdrawn.is_some() && FactValue::read(&record.value)?.superseded_by == withdrawn {
                set_id(record, SUPERSEDED_BY, None);
                ended.push(record.id);
            }
        }
        Ok((supersedes, ended))
    }

    /// Ends a fact that never held when it began.
    pub(super) fn unsay(&mut self, id: Id) -> Result<()> {
        if let Some((mut record, expect)) = self.stored_or_drafted(id)? {
            record.valid_to = Some(record.valid_from);
            set_id(&mut record, SUPERSEDES, None);
            self.put(record, expect);
        }
        Ok(())
    }

    /// Lets a fact hold again that was ended at a time, or by another fact, and by no other one; that fact, as it is now.
    pub(super) fn reinstate(&mut self, id: Id, (at, by): (Timestamp, Option<Id>)) -> Result<Option<Record>> {
        let Some((mut record, expect)) = self.stored_or_drafted(id)? else { return Ok(None) };
        let successor = FactValue::read(&record.value)?.superseded_by;
        let is_ended = record.valid_to == Some(at) || by.is_some() && successor == by;
        if !is_ended || record.pinned || successor.is_some() && successor != by {
            return Ok(None);
        }
        record.valid_to = None;
        set_id(&mut record, SUPERSEDED_BY, None);
        span::set_until(&mut record.value, None);
        self.put(record.clone(), expect);
        Ok(Some(record))
    }

    /// Ends a fact that this draft adds from another message, of another day at least; its id. What was said since may correct it.
    pub(super) fn end_drafted(
        &mut self,
        text: &str,
        until: Timestamp,
        said: Option<&Span>,
        provenance: &[Provenance],
    ) -> Option<Id> {
        let words = wording(text);
        let here = provenance.first().map(|source| source.message_id);
        let record = self.facts_mut().find(|record| {
            record.valid_to.is_none()
                && until.saturating_sub(record.valid_from) >= DAY_MS
                && record.provenance.iter().all(|source| Some(source.message_id) != here)
                && record.text.as_deref().is_some_and(|text| wording(text) == words)
        })?;
        record.valid_to = Some(until);
        span::set_until(&mut record.value, said);
        Some(record.id)
    }

    /// Notes in a fact that this draft ends which one took its place.
    pub(super) fn succeed(&mut self, ended: Id, by: Id) {
        if let Some(record) = self.facts_mut().find(|record| record.id == ended) {
            set_id(record, SUPERSEDED_BY, Some(by));
        }
    }

    /// The facts that this draft adds or changes.
    fn facts_mut(&mut self) -> impl Iterator<Item = &mut Record> {
        self.draft.changes.iter_mut().filter_map(|change| match change {
            Change::Put { record, .. } if record.kind == Kind::Fact => Some(&mut **record),
            _ => None,
        })
    }

    /// Adds what was true before a known fact began, such as what is imported later: in the chain of those that took the place of
    /// one another, until the next one began. The one before ends when it begins.
    pub(super) fn add_before(
        &mut self,
        newer: &Fact,
        text: &str,
        value: FactValue,
        significance: u8,
        from: Timestamp,
        provenance: Vec<Provenance>,
    ) -> Result<()> {
        let Some(mut next) = self.stored_or_drafted(newer.id)? else { return Ok(()) };
        let mut before = None;
        for _ in 0..MAX_CHAIN {
            let Some(id) = FactValue::read(&next.0.value)?.supersedes else { break };
            let Some(older) = self.stored_or_drafted(id)? else { break };
            if older.0.valid_from <= from {
                before = Some(older);
                break;
            }
            next = older;
        }
        let (mut next, expected) = next;
        let value = FactValue {
            supersedes: before.as_ref().map(|(older, _)| older.id),
            superseded_by: Some(next.id),
            ..value
        };
        let until = Some(next.valid_from);
        let id = self.add(text, value, significance, (from, until), provenance.clone())?;
        if !next.pinned {
            set_id(&mut next, SUPERSEDES, Some(id));
            self.change_link(next, expected, &provenance);
        }
        let Some((mut older, expected)) = before.filter(|(older, _)| !older.pinned) else { return Ok(()) };
        if older.valid_to.is_none_or(|to| to > from) {
            older.valid_to = Some(from);
            span::set_until(&mut older.value, None);
        }
        set_id(&mut older, SUPERSEDED_BY, Some(id));
        self.change_link(older, expected, &provenance);
        Ok(())
    }

    /// Puts a fact whose place in its chain is another one now.
    fn change_link(&mut self, record: Record, expect: Expect, provenance: &[Provenance]) {
        if trust_of(&record) > believed(provenance) {
            self.draft.doubted.push(record.id);
        }
        self.put(record, expect);
    }

    /// A fact as this draft has it by now, or as it is stored, and what a change of it is based on.
    #[inline(never)]
    fn stored_or_drafted(&self, id: Id) -> Result<Option<(Record, Expect)>> {
        let drafted = self.draft.changes.iter().find_map(|change| match change {
            Change::Put { record, expect, .. } if record.id == id => Some((record.as_ref().clone(), *expect)),
            _ => None,
        });
        if drafted.is_some() {
            return Ok(drafted);
        }
        let stored = self.store.record(&self.batch.scope, id)?;
        let stored = stored.filter(|record| record.kind == Kind::Fact && !self.is_deleted(id));
        Ok(stored.map(|record| {
            let expect = Expect::Revision(record.revision);
            (record, expect)
        }))
    }
}

/// Sets an id that a fact names, or takes it away.
fn set_id(record: &mut Record, name: &str, id: Option<Id>) {
    if let Value::Object(value) = &mut record.value {
        match id {
            Some(id) => value.insert(name.to_owned(), id.to_string().into()),
            None => value.remove(name),
        };
    }
}
