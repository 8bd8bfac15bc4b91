//! The change of one field, as a part of a draft.

use super::field::{FieldValue, key};
use super::get::Profiles;
use crate::error::Result;
use crate::json::to_value;
use crate::memory::action::Action;
use crate::record::{Kind, Provenance, Record};
use crate::store::{Draft, Expect, Store};

/// Whether a field would change.
pub(crate) enum Planned {
    /// It is that way already.
    Unchanged(Action),
    /// A change was added to the draft.
    Changed,
}

impl Profiles {
    /// Adds the change of one field to a draft, if it changes anything. The value is validated. `keep` says what is kept with
    /// it, and how long; what it leaves alone stays as it was, and a field that is new has the revision 0.
    pub(crate) fn plan(
        &self,
        store: &Store,
        draft: &mut Draft,
        (schema, name): (&str, &str),
        value: FieldValue,
        source: Vec<Provenance>,
        keep: &dyn Fn(&mut Record),
    ) -> Result<Planned> {
        self.schemas.check(schema, name, &value.value)?;
        let key = key(schema, name);
        let now = self.database.now();
        let current = store.by_key(&draft.scope, Kind::Field, &key);
        let expect = current.map_or(Expect::Absent, |view| Expect::Revision(view.revision));
        let current = current.filter(|view| !view.expired_at(now));
        let mut record = match current {
            Some(view) => view.to_record(&draft.scope)?,
            None => {
                // A field that was deleted comes back as the same record, so that its history goes on.
                let last = store.last_with_key(&draft.scope, Kind::Field, &key);
                let id = last.unwrap_or_else(|| self.database.new_id());
                Record::new(id, Kind::Field, draft.scope.clone(), now)
            }
        };
        keep(&mut record);
        if let Some(view) = current
            && FieldValue::of(&view)?.value == value.value
            && value.labels.is_empty()
            && view.metadata()? == record.metadata
            && view.expires_at == record.expires_at
        {
            return Ok(Planned::Unchanged(Action::unchanged(view.id, Kind::Field, view.revision)));
        }
        record.key = Some(key);
        record.value = to_value(&value)?;
        record.valid_from = now;
        record.valid_to = None;
        record.provenance = source;
        draft.put(record, expect, None);
        Ok(Planned::Changed)
    }
}
