//! Entities that one call changes: each read once, and written once with all of its changes.

use super::entity::{EntityValue, not_found};
use super::present;
use crate::error::Result;
use crate::id::Id;
use crate::record::{Kind, Record};
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use rustc_hash::FxHashMap;

/// The entities, in the order in which they were named.
pub(super) struct Edits<'a> {
    store: &'a Store,
    now: Timestamp,
    edited: Vec<Edited>,
    places: FxHashMap<Id, usize>,
}

/// One of them.
pub(super) struct Edited {
    record: Record,
    pub(super) value: EntityValue,
    pub(super) changed: bool,
}

impl<'a> Edits<'a> {
    pub(super) fn new(store: &'a Store, now: Timestamp) -> Self {
        Self { store, now, edited: Vec::new(), places: FxHashMap::default() }
    }

    /// The entity with a name, as the earlier changes left it.
    pub(super) fn of(&mut self, draft: &Draft, name: &str) -> Result<&mut Edited> {
        let view = present(self.store, &draft.scope, Kind::Entity, name, self.now);
        let view = view.ok_or_else(|| not_found(name))?;
        let place = match self.places.get(&view.id) {
            Some(place) => *place,
            None => {
                let record = view.to_record(&draft.scope)?;
                let value = EntityValue::read(&record)?;
                self.edited.push(Edited { record, value, changed: false });
                self.places.insert(view.id, self.edited.len() - 1);
                self.edited.len() - 1
            }
        };
        self.edited.get_mut(place).ok_or_else(|| not_found(name))
    }

    /// Adds what has changed to the draft.
    pub(super) fn put(self, draft: &mut Draft) -> Result<()> {
        for Edited { mut record, mut value, changed } in self.edited {
            if changed {
                value.write(&mut record)?;
                let expect = Expect::Revision(record.revision);
                draft.put(record, expect, None);
            }
        }
        Ok(())
    }
}
