//! Reading profiles: no search and no model.

use super::field::{Field, FieldValue, Profile};
use super::schemas::Schemas;
use crate::database::Database;
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::ttl::Ttl;
use crate::ordered::Ordered;
use crate::record::Kind;
use crate::schema::Violation;
use crate::scope::Scope;
use crate::time::Timestamp;
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::cell::RefCell;
use std::rc::Rc;

/// The profiles of every scope.
#[derive(Clone)]
pub struct Profiles {
    pub(super) database: Database,
    pub(super) schemas: Rc<Schemas>,
    pub(super) ttl: Ttl,
    /// The revisions of fields that are known to validate, so that reading does not check them again.
    valid: Rc<RefCell<FxHashMap<Id, u32>>>,
}

impl Profiles {
    pub(crate) fn new(database: Database, schemas: Rc<Schemas>, ttl: Ttl) -> Self {
        Self { database, schemas, ttl, valid: Rc::default() }
    }

    /// The schemas of the profiles.
    #[must_use]
    pub fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    /// The profile of every schema, by schema id; one with no fields when nothing is known yet. Needs no model and no
    /// search. With `as_of`, as it was known at that time.
    ///
    /// # Errors
    /// Those of reading.
    pub fn get(&self, scope: &Scope, as_of: Option<Timestamp>) -> Result<Ordered<String, Profile>> {
        let mut profiles: Ordered<String, Profile> =
            self.schemas.iter().map(|(id, _)| (id.to_owned(), Profile::default())).collect();
        let time = as_of.unwrap_or_else(|| self.database.now());
        self.database.read(|store| {
            let views: Vec<RecordView<'_>> = match as_of {
                None => store.records(scope, Kind::Field).collect(),
                Some(time) => store.records_at(scope, Kind::Field, store.sequence_at(time)).collect(),
            };
            for view in views.iter().filter(|view| view.holds_at(time)) {
                let Some((schema, name)) = view.key.and_then(|key| key.split_once('/')) else { continue };
                // A profile whose schema is no longer registered stays stored, and comes back with it.
                let Some(profile) = profiles.get_mut(schema) else { continue };
                let value = FieldValue::of(view)?;
                let stale = self.stale(view, schema, name, &value.value);
                if stale.is_empty() {
                    profile.profile.insert(name.to_owned(), value.value.clone());
                }
                profile.fields.insert(name.to_owned(), Field::of(view, value, stale)?);
            }
            Ok(())
        })?;
        Ok(profiles)
    }

    /// Where a stored value breaks the present schema. The schemas do not change while a memory is open.
    fn stale(&self, view: &RecordView<'_>, schema: &str, name: &str, value: &Value) -> Vec<Violation> {
        if self.valid.borrow().get(&view.id) == Some(&view.revision) {
            return Vec::new();
        }
        let violations = match self.schemas.violations(schema, name, value) {
            Ok(violations) => violations,
            Err(error) => vec![Violation {
                instance: format!("/{name}"),
                keyword: String::new(),
                message: error.into(),
            }],
        };
        if violations.is_empty() {
            self.valid.borrow_mut().insert(view.id, view.revision);
        }
        violations
    }
}
