//! Writing profiles: every value is validated first.

use super::field::{FieldValue, key};
use super::get::Profiles;
use super::plan::Planned;
use crate::error::Result;
use crate::log::Cause;
use crate::memory::action::{self, Action, retried};
use crate::memory::facts::Origin;
use crate::memory::limits;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect};
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

impl Profiles {
    /// Sets a field.
    ///
    /// # Errors
    /// `NotFound` for an unknown schema or field, `SchemaViolation`, and those of storing.
    pub async fn set(&self, scope: &Scope, set: SetField) -> Result<Action> {
        retried(|| self.set_once(scope, set.clone())).await
    }

    async fn set_once(&self, scope: &Scope, set: SetField) -> Result<Action> {
        let SetField { schema, field, value, expires_at, metadata, labels } = set;
        metadata.as_ref().map_or(Ok(()), limits::metadata)?;
        limits::labels(&labels)?;
        let mut draft = Draft::new(scope, Cause::User);
        let value = FieldValue { labels, ..FieldValue::new(value, Origin::written(&self.database)) };
        let given = expires_at;
        let mut expires_at = self.ttl.added(self.database.now());
        limits::expiry(&mut expires_at, given, self.database.now())?;
        let keep = |record: &mut Record| {
            record.expires_at = expires_at;
            if let Some(metadata) = &metadata {
                record.metadata.clone_from(metadata);
            }
        };
        match self
            .database
            .read(|store| self.plan(store, &mut draft, (&schema, &field), value, Vec::new(), &keep))?
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
        retried(|| self.patch_once(scope, patch.clone())).await
    }

    async fn patch_once(
        &self,
        scope: &Scope,
        ProfilePatch { schema, patch }: ProfilePatch,
    ) -> Result<Vec<Action>> {
        let mut draft = Draft::new(scope, Cause::User);
        let now = self.database.now();
        let unchanged = self.database.read(|store| {
            let mut unchanged = Vec::new();
            for (name, change) in patch {
                let current = store.by_key(scope, Kind::Field, &key(&schema, &name));
                if change.is_null() {
                    self.schemas.get(&schema)?;
                    if let Some(view) = current {
                        draft.delete(view.id, Expect::Revision(view.revision));
                    }
                    continue;
                }
                let current = current.filter(|view| !view.expired_at(now));
                let current = current.map(|view| FieldValue::of(&view)).transpose()?;
                let mut value = current.map_or(Value::Null, |field| field.value);
                merge(&mut value, change);
                let value = FieldValue::new(value, Origin::written(&self.database));
                let keep = |record: &mut Record| record.expires_at = self.ttl.added(now);
                if let Planned::Unchanged(action) =
                    self.plan(store, &mut draft, (&schema, &name), value, Vec::new(), &keep)?
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
