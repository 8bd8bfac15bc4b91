//! Writing profiles: every value is validated first.

use super::field::{FieldValue, key};
use super::get::Profiles;
use super::plan::FieldPlan;
use crate::error::Result;
use crate::memory::action::Action;
use crate::memory::changes::Planning;
use crate::memory::edit::Beside;
use crate::memory::limits;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

/// A field to set.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetField {
    /// The schema's id.
    pub schema: String,
    /// The field's name.
    pub field: String,
    /// Its value.
    pub value: Value,
    /// When it goes by itself, null for never; by default after `extraction.ttl.addedMs`, or never.
    #[serde(default, deserialize_with = "limits::given")]
    pub expires_at: Option<Option<Timestamp>>,
    /// What to keep with it, up to 16 KiB, in place of what was kept; by default that stays.
    pub metadata: Option<Map<String, Value>>,
    /// What to call this revision: up to 16 texts by name.
    #[serde(default)]
    pub labels: Map<String, Value>,
    /// Whether the words that the old value was learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
}

/// A JSON Merge Patch (RFC 7396) for a profile: `null` deletes a field, objects merge.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProfilePatch {
    /// The schema's id.
    pub schema: String,
    /// The fields to change.
    pub patch: Map<String, Value>,
    /// Whether the words that old values were learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
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

/// A field to delete, or a whole profile when no field is named.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteField {
    /// The schema's id.
    pub schema: String,
    /// The field's name.
    pub field: Option<String>,
    /// Whether the words it was learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
}

impl Profiles {
    /// Sets a field. The words that another value was learned from are withheld, and a fact that was learned from them and said
    /// the same follows where it can.
    ///
    /// # Errors
    /// `NotFound` for an unknown schema or field, `SchemaViolation`, and those of storing.
    pub async fn set(&self, scope: &Scope, set: SetField) -> Result<Action> {
        let SetField { schema, field, value, expires_at, metadata, labels, keep_source } = set;
        limits::labels(&labels)?;
        let value = FieldValue { labels, ..FieldValue::new(value, self.changes.author()) };
        let beside = Beside { metadata: metadata.as_ref(), expires_at, ..Beside::default() };
        let plan = &mut |planning: &mut Planning<'_>| {
            let now = planning.now;
            let keep = |record: &mut Record| {
                record.expires_at = self.ttl.added(now);
                beside.apply(record, now)
            };
            self.put(planning, FieldPlan::of(&schema, &field, value.clone(), &keep))
        };
        self.changes.let_go_of_one(scope, keep_source, plan).await
    }

    /// Applies a merge patch: all of it or nothing.
    ///
    /// # Errors
    /// As [`set`](Self::set), for any of the fields.
    pub async fn patch(&self, scope: &Scope, patch: ProfilePatch) -> Result<Vec<Action>> {
        let ProfilePatch { schema, patch, keep_source } = patch;
        let plan = &mut |planning: &mut Planning<'_>| {
            let (store, now) = (planning.store, planning.now);
            for (name, change) in &patch {
                let current = store.by_key(scope, Kind::Field, &key(&schema, name));
                if change.is_null() {
                    self.schemas.get(&schema)?;
                    if let Some(view) = current {
                        planning.end(&view);
                    }
                    continue;
                }
                let current = current.filter(|view| !view.expired_at(now));
                let current = current.map(|view| FieldValue::of(&view)).transpose()?;
                let mut value = current.map_or(Value::Null, |field| field.value);
                merge(&mut value, change.clone());
                let value = FieldValue::new(value, self.changes.author());
                let keep = |record: &mut Record| {
                    record.expires_at = self.ttl.added(now);
                    Ok(())
                };
                self.put(planning, FieldPlan::of(&schema, name, value, &keep))?;
            }
            Ok(())
        };
        Ok(self.changes.let_go(scope, keep_source, plan).await?.actions)
    }

    /// Deletes a field, or a whole profile; its revisions stay. Empty when there was nothing to delete. The words it was learned
    /// from are withheld, and a fact that was learned from them alone and says the same goes with it.
    ///
    /// # Errors
    /// `NotFound` for an unknown schema, and those of storing.
    pub async fn delete(&self, scope: &Scope, delete: &DeleteField) -> Result<Vec<Action>> {
        let plan = &mut |planning: &mut Planning<'_>| {
            let store = planning.store;
            self.schemas.get(&delete.schema)?;
            let views = match &delete.field {
                Some(field) => {
                    store.by_key(scope, Kind::Field, &key(&delete.schema, field)).into_iter().collect()
                }
                None => store.by_key_prefix(scope, Kind::Field, &key(&delete.schema, "")),
            };
            views.iter().for_each(|view| planning.end(view));
            Ok(())
        };
        Ok(self.changes.let_go(scope, delete.keep_source, plan).await?.actions)
    }

    /// Plans a field; one that is that way already is only told of.
    pub(super) fn put(&self, planning: &mut Planning<'_>, field: FieldPlan<'_>) -> Result<()> {
        if let Some((id, revision)) = self.plan(planning.store, &mut planning.draft, field)? {
            planning.keep(id, Kind::Field, revision);
        }
        Ok(())
    }
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
