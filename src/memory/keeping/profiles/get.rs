//! Reading profiles: no search and no model.

use super::field::{Field, FieldValue, Profile};
use super::schemas::Schemas;
use crate::database::Database;
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::changes::Changes;
use crate::memory::ttl::Ttl;
use crate::ordered::Ordered;
use crate::record::Kind;
use crate::schema::Violation;
use crate::scope::Scope;
use crate::time::Timestamp;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The profiles of every scope.
#[derive(Clone)]
pub struct Profiles {
    pub(super) database: Database,
    pub(super) changes: Changes,
    pub(super) schemas: Rc<Schemas>,
    pub(super) ttl: Ttl,
    /// The fields that were read, in their present revisions, so that they are not read and checked again.
    known: Rc<RefCell<FxHashMap<Id, Rc<Field>>>>,
}

impl Profiles {
    pub(crate) fn new(changes: Changes, database: Database, schemas: Rc<Schemas>, ttl: Ttl) -> Self {
        Self { database, changes, schemas, ttl, known: Rc::default() }
    }

    /// The same profiles for tools that a model calls.
    #[must_use]
    pub(crate) fn for_tools(&self) -> Self {
        Self { database: self.database.for_tools(), changes: self.changes.for_tools(), ..self.clone() }
    }

    /// Drops what was read before something was forgotten.
    pub(crate) fn forgot(&self) {
        self.known.borrow_mut().clear();
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
        let as_of = self.database.as_of(as_of);
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
                let field = self.field(view, schema, name)?;
                if field.stale.is_empty() {
                    profile.profile.insert(name.to_owned(), field.value.clone());
                }
                profile.fields.insert(name.to_owned(), field);
            }
            Ok(())
        })?;
        Ok(profiles)
    }

    /// The fields that have a value that validates, with their schemas and names: schema by schema, in each in the order in
    /// which they were first stored.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn present(&self, scope: &Scope) -> Result<Vec<(String, String, Rc<Field>)>> {
        let now = self.database.now();
        let mut fields = Vec::new();
        self.database.read(|store| {
            let views: Vec<RecordView<'_>> = store.records(scope, Kind::Field).collect();
            for (id, _) in self.schemas.iter() {
                for view in views.iter().filter(|view| view.holds_at(now)) {
                    let key = view.key.and_then(|key| key.split_once('/'));
                    let Some((schema, name)) = key.filter(|(schema, _)| *schema == id) else { continue };
                    let field = self.field(view, schema, name)?;
                    if field.stale.is_empty() {
                        fields.push((schema.to_owned(), name.to_owned(), field));
                    }
                }
            }
            Ok(())
        })?;
        Ok(fields)
    }

    /// A field as applications see it. The schemas do not change while a memory is open, and a revision never does.
    fn field(&self, view: &RecordView<'_>, schema: &str, name: &str) -> Result<Rc<Field>> {
        if let Some(known) = self.known.borrow().get(&view.id).filter(|known| known.revision == view.revision)
        {
            return Ok(known.clone());
        }
        let value = FieldValue::of(view)?;
        let stale = match self.schemas.violations(schema, name, &value.value) {
            Ok(violations) => violations,
            Err(error) => vec![Violation::new(format!("/{name}"), error.into())],
        };
        let field = Rc::new(Field::of(view, value, stale)?);
        self.known.borrow_mut().insert(view.id, field.clone());
        Ok(field)
    }
}
