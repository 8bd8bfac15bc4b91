//! Adding, reading, changing and deleting episodes.

use super::{Episode, EpisodeValue, Episodes};
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::{Cause, RecordView};
use crate::memory::action::{Action, Delete, not_found};
use crate::memory::changes::{Changes, Planning};
use crate::memory::edit::Beside;
use crate::memory::facts::{Origin, fold};
use crate::memory::limits;
use crate::memory::listing::{filter, listed};
use crate::memory::message::thread;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use serde::Deserialize;
use serde_json::{Map, Value};

/// An episode to add.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewEpisode {
    /// What was the matter, 1 to 4096 bytes.
    pub situation: String,
    /// What was done about it, 1 to 4096 bytes.
    pub approach: String,
    /// What came of it, 1 to 4096 bytes.
    pub outcome: String,
    /// What to keep with it, up to 16 KiB.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// The thread it happened in.
    pub thread_id: Option<String>,
}

/// What to change in an episode; what is not given stays.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EpisodePatch {
    /// Which episode.
    pub id: Id,
    /// What was the matter.
    pub situation: Option<String>,
    /// What was done about it.
    pub approach: Option<String>,
    /// What came of it.
    pub outcome: Option<String>,
    /// What to keep with it, in place of what was kept.
    pub metadata: Option<Map<String, Value>>,
    /// Whether the words that the old one was learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
}

/// Which episodes to list.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EpisodeList {
    /// A condition on what episodes show.
    pub filter: Option<Value>,
    /// How many at most, 1 to 1000; 100 by default.
    #[serde(deserialize_with = "limits::limit")]
    pub limit: usize,
    /// How many to skip; 0 by default.
    pub offset: usize,
}

impl Default for EpisodeList {
    fn default() -> Self {
        Self { filter: None, limit: 100, offset: 0 }
    }
}

impl Episodes {
    /// Adds an episode. One of the same situation and outcome, apart from case and spaces, is not stored twice.
    ///
    /// # Errors
    /// `InvalidInput` for a part that is blank or over its limit, and those of storing.
    pub async fn add(&self, scope: &Scope, new: &NewEpisode) -> Result<Action> {
        let thread_id = new.thread_id.as_deref().map(|id| thread(Some(id))).transpose()?;
        let value = EpisodeValue {
            situation: new.situation.clone(),
            approach: new.approach.clone(),
            outcome: new.outcome.clone(),
            thread_id: thread_id.map(str::to_owned),
            origin: Origin::User,
        };
        limits::metadata(&new.metadata)?;
        let record = self.record(scope, &value)?;
        self.keep(&self.changes, Record { metadata: new.metadata.clone(), ..record }, Cause::User).await
    }

    /// One episode; `None` when this scope has none with that id.
    ///
    /// # Errors
    /// Those of reading.
    pub fn get(&self, scope: &Scope, id: Id) -> Result<Option<Episode>> {
        let now = self.database.now();
        self.database.read(|store| {
            let view =
                store.get(scope, id).filter(|view| view.kind == Kind::Episode && !view.expired_at(now));
            view.map(|view| Episode::of(&view)).transpose()
        })
    }

    /// Episodes, the newest first; empty when none match.
    ///
    /// # Errors
    /// `InvalidFilter`, `InvalidInput`, and those of reading.
    pub fn list(&self, scope: &Scope, list: &EpisodeList) -> Result<Vec<Episode>> {
        let filter = filter::<Episode>(list.filter.as_ref())?;
        let now = self.database.now();
        self.database.read(|store| {
            let views = store.records(scope, Kind::Episode).rev().filter(|view| view.holds_at(now));
            listed(views.map(|view| Episode::of(&view)), filter.as_ref(), list.offset, list.limit)
        })
    }

    /// Changes an episode; the earlier revisions stay in its history.
    ///
    /// # Errors
    /// `NotFound`, `InvalidInput`, and those of storing.
    pub async fn update(&self, scope: &Scope, patch: &EpisodePatch) -> Result<Action> {
        let plan = &mut |planning: &mut Planning<'_>| {
            let before = present(planning, patch.id)?.to_record(scope)?;
            let mut value = EpisodeValue::of(&before)?;
            let parts = [
                (&mut value.situation, &patch.situation),
                (&mut value.approach, &patch.approach),
                (&mut value.outcome, &patch.outcome),
            ];
            for (part, given) in parts {
                if let Some(given) = given {
                    part.clone_from(given);
                }
            }
            let mut record = before.clone();
            value.rewrite(&mut record)?;
            Beside { metadata: patch.metadata.as_ref(), ..Beside::default() }
                .apply(&mut record, planning.now)?;
            planning.replace(&before, record);
            Ok(())
        };
        self.changes.let_go_of_one(scope, patch.keep_source, plan).await
    }

    /// Deletes an episode; its revisions stay in its history.
    ///
    /// # Errors
    /// `NotFound`, and those of storing.
    pub async fn delete(&self, scope: &Scope, delete: Delete) -> Result<Action> {
        let find =
            |planning: &Planning<'_>| present(planning, delete.id).map(|view| (view.id, view.revision));
        self.changes.end(scope, delete.keep_source, &find).await
    }

    /// The record of a new episode.
    pub(super) fn record(&self, scope: &Scope, value: &EpisodeValue) -> Result<Record> {
        value.check()?;
        let id = self.database.new_id();
        let mut record = Record::new(id, Kind::Episode, scope.clone(), self.database.now());
        record.value = to_value(value)?;
        record.text = Some(value.text());
        Ok(record)
    }

    /// Stores a new episode, unless there is one like it.
    pub(super) async fn keep(&self, changes: &Changes, record: Record, cause: Cause) -> Result<Action> {
        let text = record.text.clone().unwrap_or_default();
        let folded = fold(&text);
        let plan = &mut |planning: &mut Planning<'_>| {
            let mut alike = planning.store.perhaps_same(&record.scope, Kind::Episode, &text);
            let now = planning.now;
            let same =
                alike.find(|view| view.holds_at(now) && view.text.is_some_and(|text| fold(text) == folded));
            match same {
                Some(view) => planning.keep(view.id, Kind::Episode, view.revision),
                None => planning.create(record.clone()),
            }
            Ok(())
        };
        changes.one(&record.scope, cause, plan).await
    }
}

/// An episode that is there and has not expired.
fn present<'a>(planning: &Planning<'a>, id: Id) -> Result<RecordView<'a>> {
    let view = planning.store.get(planning.scope(), id);
    let view = view.filter(|view| view.kind == Kind::Episode && !view.expired_at(planning.now));
    view.ok_or_else(|| not_found(Kind::Episode, id, planning.scope()))
}
