//! Changing and deleting facts.

use super::{Facts, MAX_FACT_BYTES, claim};
use crate::error::Result;
use crate::id::Id;
use crate::log::Cause;
use crate::memory::action::{self, Action, not_found, retried};
use crate::memory::{Category, limits};
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect};
use crate::time::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What to change in a fact; what is not given stays.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FactPatch {
    /// Which fact.
    pub id: Id,
    /// The statement.
    pub text: Option<String>,
    /// What it is about.
    pub category: Option<Category>,
    /// How much it matters.
    pub significance: Option<u8>,
    /// What to keep with it, in place of what was kept.
    pub metadata: Option<Map<String, Value>>,
    /// From when it is true.
    pub valid_from: Option<Timestamp>,
    /// Until when it was true; null for no end.
    #[serde(default, deserialize_with = "limits::given")]
    pub valid_to: Option<Option<Timestamp>>,
    /// When it goes by itself; null for never.
    #[serde(default, deserialize_with = "limits::given")]
    pub expires_at: Option<Option<Timestamp>>,
}

impl Facts {
    /// Changes a fact; the earlier revisions stay in its history.
    ///
    /// # Errors
    /// `NotFound`, `InvalidInput`, also for words that another fact has, and those of storing.
    pub async fn update(&self, scope: &Scope, patch: FactPatch) -> Result<Action> {
        retried(|| self.update_once(scope, patch.clone())).await
    }

    async fn update_once(&self, scope: &Scope, patch: FactPatch) -> Result<Action> {
        let mut record = self.present(scope, patch.id)?;
        let before = record.clone();
        if let Some(text) = patch.text {
            limits::text("text", &text, MAX_FACT_BYTES)?;
            record.text = Some(text.trim().to_owned());
        }
        if let Some(category) = patch.category
            && let Value::Object(value) = &mut record.value
        {
            value.insert("category".to_owned(), category.as_str().into());
        }
        if let Some(significance) = patch.significance {
            limits::significance(significance)?;
            record.significance = significance;
        }
        if let Some(metadata) = patch.metadata {
            limits::metadata(&metadata)?;
            record.metadata = metadata;
        }
        if let Some(time) = patch.valid_from {
            limits::timestamp("validFrom", time)?;
            record.valid_from = time;
        }
        if let Some(time) = patch.valid_to {
            time.map_or(Ok(()), |time| limits::timestamp("validTo", time))?;
            record.valid_to = time;
        }
        if let Some(to) = record.valid_to.filter(|to| *to < record.valid_from) {
            let message = format!("validTo is {to}, before validFrom, which is {}", record.valid_from);
            return Err(limits::invalid(format!("{message}; give a later validTo, or delete the fact")));
        }
        let now = self.database.now();
        limits::expiry(&mut record.expires_at, patch.expires_at, now)?;
        if record == before {
            return Ok(Action::unchanged(record.id, Kind::Fact, record.revision));
        }
        let mut draft = Draft::new(scope, Cause::User);
        let says_more = record.text != before.text
            || record.valid_from < before.valid_from
            || record.valid_to != before.valid_to;
        if says_more && record.valid_to.is_none_or(|to| to > now) {
            self.database.read(|store| claim(store, &mut draft, &record, now))?;
        }
        let expect = Expect::Revision(record.revision);
        let embedding = record.text.as_deref().and_then(|text| self.models.embed_at_once(text));
        draft.put(record, expect, embedding);
        action::commit_one(&self.database, draft).await
    }

    /// Deletes a fact. Its revisions stay in its history, so that this can be undone.
    ///
    /// # Errors
    /// `NotFound`, and those of storing.
    pub async fn delete(&self, scope: &Scope, id: Id) -> Result<Action> {
        self.present(scope, id)?;
        let mut draft = Draft::new(scope, Cause::User);
        draft.delete(id, Expect::Any);
        action::commit_one(&self.database, draft).await
    }

    /// The record of a fact that is there and has not expired.
    fn present(&self, scope: &Scope, id: Id) -> Result<Record> {
        let now = self.database.now();
        let record = self.database.read(|store| {
            let view = store.get(scope, id).filter(|view| view.kind == Kind::Fact && !view.expired_at(now));
            view.map(|view| view.to_record(scope)).transpose()
        })?;
        record.ok_or_else(|| not_found(Kind::Fact, id, scope))
    }
}
