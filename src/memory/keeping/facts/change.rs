//! Changing and deleting facts.

use super::{FactEdit, Facts, replace};
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::action::{Action, Delete, not_found};
use crate::memory::changes::Planning;
use crate::memory::edit::Beside;
use crate::memory::{Category, limits};
use crate::record::Kind;
use crate::scope::Scope;
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
    #[serde(default, deserialize_with = "limits::significance")]
    pub significance: Option<u8>,
    /// What to keep with it, in place of what was kept.
    pub metadata: Option<Map<String, Value>>,
    /// From when it is true.
    pub valid_from: Option<Timestamp>,
    /// Until when it was true; null for no end.
    #[serde(default, deserialize_with = "limits::given")]
    pub valid_to: Option<Option<Timestamp>>,
    /// Since and until when it is true, in place of what was said before: `{since, until}`; its times follow.
    pub dates: Option<Value>,
    /// When it goes by itself; null for never.
    #[serde(default, deserialize_with = "limits::given")]
    pub expires_at: Option<Option<Timestamp>>,
    /// Whether the words that the old statement was learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
}

impl Facts {
    /// Changes a fact; the earlier revisions stay in its history. With another text, the words that the old one was learned from
    /// are withheld, and a field that was learned from them and said the same follows where it can.
    ///
    /// # Errors
    /// `NotFound`, `InvalidInput`, also for words that another fact has, and those of storing.
    pub async fn update(&self, scope: &Scope, patch: FactPatch) -> Result<Action> {
        let edit = FactEdit {
            text: patch.text.as_deref(),
            category: patch.category,
            valid_from: patch.valid_from,
            valid_to: patch.valid_to,
            dates: patch.dates.as_ref(),
            beside: Beside {
                significance: patch.significance,
                metadata: patch.metadata.as_ref(),
                expires_at: patch.expires_at,
            },
        };
        let plan = &mut |planning: &mut Planning<'_>| {
            let before = present(planning, patch.id)?.to_record(scope)?;
            let mut record = before.clone();
            edit.apply(&mut record, planning.now, planning.author())?;
            replace(planning, &before, record)
        };
        self.changes.let_go_of_one(scope, patch.keep_source, plan).await
    }

    /// Deletes a fact. Its revisions stay in its history, so that this can be undone. The words it was learned from are withheld,
    /// and a field that was learned from them alone and says the same goes with it.
    ///
    /// # Errors
    /// `NotFound`, and those of storing.
    pub async fn delete(&self, scope: &Scope, delete: Delete) -> Result<Action> {
        let find =
            |planning: &Planning<'_>| present(planning, delete.id).map(|view| (view.id, view.revision));
        self.changes.end(scope, delete.keep_source, &find).await
    }
}

/// A fact that is there and has not expired.
fn present<'a>(planning: &Planning<'a>, id: Id) -> Result<RecordView<'a>> {
    let view = planning.store.get(planning.scope(), id);
    let view = view.filter(|view| view.kind == Kind::Fact && !view.expired_at(planning.now));
    view.ok_or_else(|| not_found(Kind::Fact, id, planning.scope()))
}
