//! The past of a field: going back to a revision, and what lies between two.

use super::change::FieldName;
use super::field::{FieldValue, key};
use super::get::Profiles;
use super::plan::FieldPlan;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::memory::action::Action;
use crate::memory::changes::Planning;
use crate::memory::limits::invalid;
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A revision of a field to go back to.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rollback {
    /// The schema's id.
    pub schema: String,
    /// The field's name.
    pub field: String,
    /// The number of the revision.
    pub revision: u32,
    /// Whether the words that the present value was learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
}

/// Two revisions of a field to compare.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    /// The schema's id.
    pub schema: String,
    /// The field's name.
    pub field: String,
    /// The number of one revision.
    pub from: u32,
    /// The number of the other, which may be the earlier one.
    pub to: u32,
}

/// What lies between two revisions of a field.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// The value in the one revision.
    pub before: Value,
    /// The value in the other.
    pub after: Value,
    /// The smallest parts that differ, in the order of the value; empty when the values are equal.
    pub changes: Vec<Part>,
}

/// A part of a value that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Part {
    /// JSON Pointer (RFC 6901) to it; empty for the whole value.
    pub path: String,
    /// What was there; absent when nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// What is there; absent when nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

impl Profiles {
    /// The id of a field that is or was stored.
    ///
    /// # Errors
    /// `NotFound` when it never was; `InvalidInput` when no field is named.
    pub fn id(&self, scope: &Scope, name: &FieldName) -> Result<Id> {
        let field = name.field.as_deref().ok_or_else(|| invalid("name a field of the profile".to_owned()))?;
        self.field_id(scope, &name.schema, field)
    }

    fn field_id(&self, scope: &Scope, schema: &str, field: &str) -> Result<Id> {
        self.schemas.get(schema)?;
        self.database.read(|store| {
            store.last_with_key(scope, Kind::Field, &key(schema, field)).ok_or_else(|| {
                let message = format!("{schema}.{field} was never set for {}", scope.canonical());
                Error::new(Code::NotFound, message)
            })
        })
    }

    /// Goes back to an earlier revision of a field, as a new revision. A field that was deleted comes back.
    ///
    /// # Errors
    /// `NotFound` for an unknown field or revision, `SchemaViolation` when the old value no longer validates, and those of
    /// storing.
    pub async fn rollback(&self, scope: &Scope, rollback: &Rollback) -> Result<Action> {
        let Rollback { schema, field, revision, keep_source } = rollback;
        let plan = &mut |planning: &mut Planning<'_>| {
            let (value, source) = self.revision(scope, schema, field, *revision)?;
            let value = FieldValue { labels: Map::new(), ..value };
            let now = planning.now;
            let keep = |record: &mut Record| {
                record.expires_at = self.ttl.added(now);
                Ok(())
            };
            self.put(planning, FieldPlan { schema, field, value, source, keep: &keep })
        };
        self.changes.let_go_of_one(scope, *keep_source, plan).await
    }

    /// What lies between two revisions of a field.
    ///
    /// # Errors
    /// `NotFound` for an unknown field or revision, and those of reading.
    pub fn diff(&self, scope: &Scope, compare: &Compare) -> Result<Difference> {
        let value = |revision| self.revision(scope, &compare.schema, &compare.field, revision);
        let (before, after) = (value(compare.from)?.0.value, value(compare.to)?.0.value);
        let mut changes = Vec::new();
        differ(&mut String::new(), Some(&before), Some(&after), &mut changes);
        Ok(Difference { before, after, changes })
    }

    /// What a field was in a revision, and where that came from.
    fn revision(
        &self,
        scope: &Scope,
        schema: &str,
        field: &str,
        revision: u32,
    ) -> Result<(FieldValue, Vec<Provenance>)> {
        let id = self.field_id(scope, schema, field)?;
        let history = self.database.read(|store| store.history(scope, id))?;
        let found = history.into_iter().find(|known| known.revision == revision);
        let record = found.and_then(|known| known.record).ok_or_else(|| {
            let message = format!("{schema}.{field} has no value in revision {revision}; see its history");
            Error::new(Code::NotFound, message)
        })?;
        Ok((FieldValue::from_json(record.value, id)?, record.provenance))
    }
}

/// Adds the smallest parts in which two values differ. `path` is left as it was.
fn differ(path: &mut String, before: Option<&Value>, after: Option<&Value>, changes: &mut Vec<Part>) {
    let length = path.len();
    match (before, after) {
        _ if before == after => {}
        (Some(Value::Object(before)), Some(Value::Object(after))) => {
            let added = after.keys().filter(|name| !before.contains_key(*name));
            for name in before.keys().chain(added) {
                path.push('/');
                path.push_str(&name.replace('~', "~0").replace('/', "~1"));
                differ(path, before.get(name), after.get(name), changes);
                path.truncate(length);
            }
        }
        (Some(Value::Array(before)), Some(Value::Array(after))) => {
            for place in 0..before.len().max(after.len()) {
                path.push_str(&format!("/{place}"));
                differ(path, before.get(place), after.get(place), changes);
                path.truncate(length);
            }
        }
        _ => changes.push(Part { path: path.clone(), before: before.cloned(), after: after.cloned() }),
    }
}
