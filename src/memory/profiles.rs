//! Profiles: fields validated by a schema, each a record with its own revisions.

use super::action::{self, Action, retried};
use super::facts::{Origin, json};
use super::limits::invalid;
use crate::database::Database;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::ordered::Ordered;
use crate::record::{Kind, Provenance, Record};
use crate::schema::{Schema, Violation};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// The most bytes the value of a field may have as JSON.
pub const MAX_FIELD_BYTES: usize = 64 * 1024;
/// The most characters of a schema's id.
pub const MAX_SCHEMA_ID_CHARACTERS: usize = 63;

/// What a field's record holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FieldValue {
    pub(crate) value: Value,
    /// What was said that led to the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<String>,
    pub(crate) origin: Origin,
}

impl FieldValue {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        view.content()
    }

    pub(crate) fn from_json(value: Value, id: Id) -> Result<Self> {
        crate::json::from_value(value)
            .map_err(|_| Error::new(Code::Corrupt, format!("the field {id} is not readable")))
    }
}

/// The profile of one schema, as applications see it.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Profile {
    /// The values of the fields that have one and validate.
    pub profile: Map<String, Value>,
    /// Every field that is stored, with where it came from.
    pub fields: Ordered<String, Field>,
}

/// A field, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// Its id, for its history.
    pub id: Id,
    /// Its value.
    pub value: Value,
    /// Its revision.
    pub revision: u32,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// What was said that led to the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Who said so.
    pub origin: Origin,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
    /// Where the value breaks the present schema, if it does; it is kept, but is not part of the profile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<Violation>,
}

/// A field to set.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetField {
    /// The schema's id.
    pub schema: String,
    /// The field's name.
    pub field: String,
    /// Its value.
    pub value: Value,
}

/// A JSON Merge Patch (RFC 7396) for a profile: `null` deletes a field, objects merge.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProfilePatch {
    /// The schema's id.
    pub schema: String,
    /// The fields to change.
    pub patch: Map<String, Value>,
}

/// A field, or a whole profile when no field is named.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldName {
    /// The schema's id.
    pub schema: String,
    /// The field's name.
    pub field: Option<String>,
}

/// A revision of a field to go back to.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rollback {
    /// The schema's id.
    pub schema: String,
    /// The field's name.
    pub field: String,
    /// The number of the revision.
    pub revision: u32,
}

/// The schemas an application registered.
#[derive(Debug, Default)]
pub struct Schemas(Ordered<String, Schema>);

impl Schemas {
    /// Compiles the schemas; formats such as `date` are asserted.
    ///
    /// # Errors
    /// `InvalidSchema` that names the schema and what is wrong with it.
    pub fn compile(documents: &Map<String, Value>) -> Result<Self> {
        let mut schemas = Ordered::new();
        for (id, document) in documents {
            let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if id.is_empty() || id.len() > MAX_SCHEMA_ID_CHARACTERS || !id.chars().all(allowed) {
                return Err(Error::new(
                    Code::InvalidSchema,
                    format!(
                        "the schema id {id:?} must be 1 to {MAX_SCHEMA_ID_CHARACTERS} lower-case letters, digits and hyphens"
                    ),
                ));
            }
            let schema = Schema::compile_with_formats(document).map_err(|error| Error {
                message: format!("profile schema {id:?}: {}", error.message),
                ..error
            })?;
            if schema.properties().next().is_none() {
                return Err(Error::new(
                    Code::InvalidSchema,
                    format!("the profile schema {id:?} names no fields; give it an object with `properties`"),
                ));
            }
            schemas.insert(id.clone(), schema);
        }
        Ok(Self(schemas))
    }

    /// The schemas by id.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Schema)> {
        self.0.iter().map(|(id, schema)| (id.as_str(), schema))
    }

    /// A schema by its id.
    ///
    /// # Errors
    /// `NotFound` that lists the ids there are.
    pub fn get(&self, id: &str) -> Result<&Schema> {
        self.0.get(id).ok_or_else(|| {
            let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            Error::new(
                Code::NotFound,
                format!("there is no profile schema {id:?}; registered are: {}", known.join(", ")),
            )
        })
    }

    /// Checks a field's value.
    ///
    /// # Errors
    /// `NotFound` for an unknown schema or field, `SchemaViolation` with the violations.
    pub fn check(&self, schema: &str, field: &str, value: &Value) -> Result<()> {
        let violations = self.violations(schema, field, value)?;
        if violations.is_empty() {
            return fits(schema, field, value);
        }
        let first = violations.first().map_or("", |violation| &violation.message);
        Err(Error::new(Code::SchemaViolation, format!("{schema}.{field}: {first}"))
            .with("violations", json(&violations)?))
    }

    fn violations(&self, schema: &str, field: &str, value: &Value) -> Result<Vec<Violation>> {
        let compiled = self.get(schema)?;
        let Some(property) = compiled.property(field) else {
            let known: Vec<&str> = compiled.properties().map(|(name, _)| name).collect();
            return Err(Error::new(
                Code::NotFound,
                format!("the profile schema {schema:?} has no field {field:?}; it has: {}", known.join(", ")),
            ));
        };
        Ok(property.validate(value))
    }
}

/// The profiles of every scope.
#[derive(Clone)]
pub struct Profiles {
    database: Database,
    schemas: Rc<Schemas>,
    /// The revisions of fields that are known to validate, so that reading does not check them again.
    valid: Rc<RefCell<FxHashMap<Id, u32>>>,
}

impl Profiles {
    pub(crate) fn new(database: Database, schemas: Rc<Schemas>) -> Self {
        Self { database, schemas, valid: Rc::default() }
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
                profile.fields.insert(
                    name.to_owned(),
                    Field {
                        id: view.id,
                        value: value.value,
                        revision: view.revision,
                        updated_at: view.updated_at,
                        context: value.context,
                        origin: value.origin,
                        source: view.provenance()?,
                        stale,
                    },
                );
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
                message: error.message,
            }],
        };
        if violations.is_empty() {
            self.valid.borrow_mut().insert(view.id, view.revision);
        }
        violations
    }

    /// Sets a field.
    ///
    /// # Errors
    /// `NotFound` for an unknown schema or field, `SchemaViolation`, and those of storing.
    pub async fn set(&self, scope: &Scope, set: SetField) -> Result<Action> {
        retried(|| self.set_once(scope, set.clone())).await
    }

    async fn set_once(&self, scope: &Scope, set: SetField) -> Result<Action> {
        let mut draft = Draft::new(scope, Cause::User);
        let value = FieldValue { value: set.value, context: None, origin: Origin::User };
        match self
            .database
            .read(|store| self.plan(store, &mut draft, &set.schema, &set.field, value, Vec::new()))?
        {
            Planned::Unchanged(action) => Ok(action),
            Planned::Changed => action::commit_one(&self.database, draft).await,
        }
    }

    /// Applies a merge patch: all of it or nothing.
    ///
    /// # Errors
    /// As [`set`](Self::set), for any of the fields.
    pub async fn patch(&self, scope: &Scope, patch: ProfilePatch) -> Result<Vec<Action>> {
        let mut draft = Draft::new(scope, Cause::User);
        let unchanged = self.database.read(|store| {
            let mut unchanged = Vec::new();
            for (name, change) in patch.patch {
                let current = store.by_key(scope, Kind::Field, &key(&patch.schema, &name));
                if change.is_null() {
                    self.schemas.get(&patch.schema)?;
                    if let Some(view) = current {
                        draft.delete(view.id, Expect::Revision(view.revision));
                    }
                    continue;
                }
                let mut value = current
                    .map(|view| FieldValue::of(&view))
                    .transpose()?
                    .map_or(Value::Null, |field| field.value);
                merge(&mut value, change);
                let value = FieldValue { value, context: None, origin: Origin::User };
                if let Planned::Unchanged(action) =
                    self.plan(store, &mut draft, &patch.schema, &name, value, Vec::new())?
                {
                    unchanged.push(action);
                }
            }
            Ok(unchanged)
        })?;
        let mut actions = action::commit(&self.database, draft).await?;
        actions.extend(unchanged);
        Ok(actions)
    }

    /// Deletes a field, or a whole profile; its revisions stay. Empty when there was nothing to delete.
    ///
    /// # Errors
    /// `NotFound` for an unknown schema, and those of storing.
    pub async fn delete(&self, scope: &Scope, name: &FieldName) -> Result<Vec<Action>> {
        let mut draft = Draft::new(scope, Cause::User);
        self.database.read(|store| {
            self.schemas.get(&name.schema)?;
            let views = match &name.field {
                Some(field) => {
                    store.by_key(scope, Kind::Field, &key(&name.schema, field)).into_iter().collect()
                }
                None => store.by_key_prefix(scope, Kind::Field, &key(&name.schema, "")),
            };
            for view in views {
                draft.delete(view.id, Expect::Revision(view.revision));
            }
            Ok(())
        })?;
        action::commit(&self.database, draft).await
    }

    /// The id of a field that is or was stored.
    ///
    /// # Errors
    /// `NotFound` when it never was, or no field is named.
    pub fn id(&self, scope: &Scope, name: &FieldName) -> Result<Id> {
        self.schemas.get(&name.schema)?;
        let field = name.field.as_deref().ok_or_else(|| invalid("name a field of the profile".to_owned()))?;
        self.database.read(|store| {
            store.last_with_key(scope, Kind::Field, &key(&name.schema, field)).ok_or_else(|| {
                Error::new(
                    Code::NotFound,
                    format!("{}.{field} was never set for {}", name.schema, scope.canonical()),
                )
            })
        })
    }

    /// Goes back to an earlier revision of a field, as a new revision.
    ///
    /// # Errors
    /// `NotFound` for an unknown field or revision, `SchemaViolation` when the old value no longer validates, and those of
    /// storing.
    pub async fn rollback(&self, scope: &Scope, rollback: &Rollback) -> Result<Action> {
        let name = FieldName { schema: rollback.schema.clone(), field: Some(rollback.field.clone()) };
        let id = self.id(scope, &name)?;
        let mut draft = Draft::new(scope, Cause::User);
        let planned = self.database.read(|store| {
            let history = store.history(scope, id)?;
            let found = history.into_iter().find(|revision| revision.revision == rollback.revision);
            let record = found.and_then(|revision| revision.record).ok_or_else(|| {
                Error::new(
                    Code::NotFound,
                    format!(
                        "{}.{} has no value in revision {}; see its history",
                        rollback.schema, rollback.field, rollback.revision
                    ),
                )
            })?;
            let value = FieldValue::from_json(record.value, record.id)?;
            self.plan(store, &mut draft, &rollback.schema, &rollback.field, value, record.provenance)
        })?;
        match planned {
            Planned::Unchanged(action) => Ok(action),
            Planned::Changed => action::commit_one(&self.database, draft).await,
        }
    }

    /// Adds the change of one field to a draft, if it changes anything. The value is validated.
    pub(crate) fn plan(
        &self,
        store: &Store,
        draft: &mut Draft,
        schema: &str,
        name: &str,
        value: FieldValue,
        provenance: Vec<Provenance>,
    ) -> Result<Planned> {
        self.schemas.check(schema, name, &value.value)?;
        let key = key(schema, name);
        let scope = draft.scope.clone();
        let current = store.by_key(&scope, Kind::Field, &key);
        if let Some(view) = current
            && FieldValue::of(&view)?.value == value.value
        {
            return Ok(Planned::Unchanged(Action::unchanged(view.id, Kind::Field, view.revision)));
        }
        let now = self.database.now();
        // A field that was deleted comes back as the same record, so that its history goes on.
        let id = store.last_with_key(&scope, Kind::Field, &key).unwrap_or_else(|| self.database.new_id());
        let mut record = Record::new(id, Kind::Field, scope, now);
        record.key = Some(key);
        record.value = json(&value)?;
        record.provenance = provenance;
        let expect = current.map_or(Expect::Absent, |view| Expect::Revision(view.revision));
        draft.put(record, expect, None);
        Ok(Planned::Changed)
    }
}

/// Whether a field would change.
pub(crate) enum Planned {
    /// It is that way already.
    Unchanged(Action),
    /// A change was added to the draft.
    Changed,
}

pub(crate) fn key(schema: &str, field: &str) -> String {
    format!("{schema}/{field}")
}

/// Refuses a value over the limit.
fn fits(schema: &str, field: &str, value: &Value) -> Result<()> {
    let bytes = value.to_string().len();
    if bytes <= MAX_FIELD_BYTES {
        return Ok(());
    }
    Err(invalid(format!(
        "{schema}.{field} has {bytes} bytes, over the limit of {MAX_FIELD_BYTES}; store less"
    ))
    .with("bytes", bytes)
    .with("limit", MAX_FIELD_BYTES))
}

/// RFC 7396.
fn merge(target: &mut Value, patch: Value) {
    let Value::Object(patch) = patch else {
        *target = patch;
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    if let Value::Object(target) = target {
        for (name, value) in patch {
            if value.is_null() {
                target.remove(&name);
            } else {
                merge(target.entry(name).or_insert(Value::Null), value);
            }
        }
    }
}
