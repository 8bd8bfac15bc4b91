//! The change of one field, as a part of a draft.

use super::field::{FieldValue, key};
use super::get::Profiles;
use crate::error::Result;
use crate::id::Id;
use crate::record::{Kind, Provenance, Record};
use crate::store::{Draft, Expect, Store};

/// What to make of a field.
pub(crate) struct FieldPlan<'a> {
    /// The schema's id.
    pub(crate) schema: &'a str,
    /// The field's name.
    pub(crate) field: &'a str,
    /// Its value, and how it came about.
    pub(crate) value: FieldValue,
    /// Which messages it came from.
    pub(crate) source: Vec<Provenance>,
    /// Says what is kept with it, and how long; what it leaves alone stays as it was. A field that is new has the revision 0.
    pub(crate) keep: &'a dyn Fn(&mut Record) -> Result<()>,
}

impl<'a> FieldPlan<'a> {
    /// A field that comes from no message.
    pub(super) fn of(
        schema: &'a str,
        field: &'a str,
        value: FieldValue,
        keep: &'a dyn Fn(&mut Record) -> Result<()>,
    ) -> Self {
        Self { schema, field, value, source: Vec::new(), keep }
    }
}

impl Profiles {
    /// Adds the change of one field to a draft, if it changes anything: else the field's id and revision. The value is validated.
    pub(crate) fn plan(
        &self,
        store: &Store,
        draft: &mut Draft,
        FieldPlan { schema, field, value, source, keep }: FieldPlan<'_>,
    ) -> Result<Option<(Id, u32)>> {
        self.schemas.check(schema, field, &value.value)?;
        let key = key(schema, field);
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
        keep(&mut record)?;
        if let Some(view) = current
            && FieldValue::of(&view)?.value == value.value
            && value.labels.is_empty()
            && view.metadata()? == record.metadata
            && view.expires_at == record.expires_at
        {
            return Ok(Some((view.id, view.revision)));
        }
        record.key = Some(key);
        value.write(&mut record, source, now)?;
        draft.put(record, expect, None);
        Ok(None)
    }
}
