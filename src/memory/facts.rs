//! Facts: atomic statements in words.

use super::action::{self, Action, not_found, retried};
use super::category::Category;
use super::limits;
use super::models::Models;
use super::search::{Asked, Scored, search};
use crate::database::Database;
use crate::error::Result;
use crate::filter::Filter;
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::rc::Rc;

/// The most bytes a fact's text may have.
pub const MAX_FACT_BYTES: usize = 4096;
/// The significance of a fact for which nobody gave one.
pub const DEFAULT_SIGNIFICANCE: u8 = 5;

/// Who said that something is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The application or its user wrote it.
    User,
    /// The model extracted it.
    Model,
    /// The built-in rules found it.
    Rules,
}

/// What a fact's record holds beside its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FactValue {
    pub(crate) category: Category,
    pub(crate) origin: Origin,
    /// The fact whose place this one took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) supersedes: Option<Id>,
    /// What the rules know about their own statements: see [`super::rules`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rule: Option<Value>,
}

impl FactValue {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        view.content()
    }

    pub(crate) fn read(value: &Value) -> Result<Self> {
        crate::json::from_value(value.clone()).map_err(|_| {
            crate::error::Error::new(crate::error::Code::Corrupt, "a fact's content is not readable")
        })
    }
}

/// A fact, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    /// Its id.
    pub id: Id,
    /// The statement.
    pub text: String,
    /// What it is about.
    pub category: Category,
    /// How much it matters, 1 to 10.
    pub significance: u8,
    /// What the application keeps with it.
    pub metadata: Map<String, Value>,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// From when it is true.
    pub valid_from: Timestamp,
    /// Until when it was true, if it no longer is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// When it goes by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// Its revision.
    pub revision: u32,
    /// Who said so.
    pub origin: Origin,
    /// The fact whose place it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Id>,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
}

impl Fact {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        let value = FactValue::of(view)?;
        Ok(Self {
            id: view.id,
            text: view.text.unwrap_or_default().to_owned(),
            category: value.category,
            significance: view.significance,
            metadata: view.metadata()?,
            created_at: view.created_at,
            updated_at: view.updated_at,
            valid_from: view.valid_from,
            valid_to: view.valid_to,
            expires_at: view.expires_at,
            revision: view.revision,
            origin: value.origin,
            supersedes: value.supersedes,
            source: view.provenance()?,
        })
    }
}

/// A fact to add.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewFact {
    /// The statement, 1 to 4096 bytes.
    pub text: String,
    /// What it is about; `other` by default.
    #[serde(default)]
    pub category: Category,
    /// How much it matters, 1 to 10; 5 by default.
    pub significance: Option<u8>,
    /// What to keep with it, up to 16 KiB.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// From when it is true; now by default.
    pub valid_from: Option<Timestamp>,
    /// When it goes by itself; never by default.
    pub expires_at: Option<Timestamp>,
}

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
    /// When it goes by itself.
    pub expires_at: Option<Timestamp>,
}

/// Which facts to list.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct FactList {
    /// A condition on what facts show.
    pub filter: Option<Value>,
    /// How many at most, 1 to 1000; 100 by default.
    pub limit: usize,
    /// How many to skip; 0 by default.
    pub offset: usize,
    /// Also those that are no longer true; false by default.
    pub include_superseded: bool,
    /// As they were known at this time; now by default.
    pub as_of: Option<Timestamp>,
}

impl Default for FactList {
    fn default() -> Self {
        Self { filter: None, limit: 100, offset: 0, include_superseded: false, as_of: None }
    }
}

/// The facts of every scope.
#[derive(Clone)]
pub struct Facts {
    database: Database,
    models: Rc<Models>,
}

impl Facts {
    pub(crate) fn new(database: Database, models: Rc<Models>) -> Self {
        Self { database, models }
    }

    /// Adds a fact. One that says the same in the same words, apart from case and spaces, is not stored twice.
    ///
    /// # Errors
    /// `InvalidInput` for a value over its limit, and those of storing.
    pub async fn add(&self, scope: &Scope, new: NewFact) -> Result<Action> {
        limits::text("text", &new.text, MAX_FACT_BYTES)?;
        limits::metadata(&new.metadata)?;
        limits::significance(new.significance.unwrap_or(DEFAULT_SIGNIFICANCE))?;
        let now = self.database.now();
        for (name, time) in [("validFrom", new.valid_from), ("expiresAt", new.expires_at)] {
            time.map_or(Ok(()), |time| limits::timestamp(name, time))?;
        }
        if let Some(known) = self.same(scope, &new.text)? {
            return Ok(Action::unchanged(known.0, Kind::Fact, known.1));
        }
        let value = FactValue { category: new.category, origin: Origin::User, supersedes: None, rule: None };
        let mut record = Record::new(self.database.new_id(), Kind::Fact, scope.clone(), now);
        record.value = json(&value)?;
        record.text = Some(new.text.trim().to_owned());
        record.metadata = new.metadata;
        record.significance = new.significance.unwrap_or(DEFAULT_SIGNIFICANCE);
        record.valid_from = new.valid_from.unwrap_or(now);
        record.expires_at = new.expires_at;
        self.store(scope, record, Expect::Absent).await
    }

    /// One fact; `None` when this scope has none with that id, or had none at that time.
    ///
    /// # Errors
    /// Those of reading.
    pub fn get(&self, scope: &Scope, id: Id, as_of: Option<Timestamp>) -> Result<Option<Fact>> {
        let now = as_of.unwrap_or_else(|| self.database.now());
        self.database.read(|store| {
            let view = match as_of {
                None => store.get(scope, id),
                Some(time) => {
                    store.records_at(scope, Kind::Fact, store.sequence_at(time)).find(|view| view.id == id)
                }
            };
            let view = view.filter(|view| view.kind == Kind::Fact && !view.expired_at(now));
            view.map(|view| Fact::of(&view)).transpose()
        })
    }

    /// Facts, the newest first.
    ///
    /// # Errors
    /// `InvalidFilter`, `InvalidInput`, and those of reading.
    pub fn list(&self, scope: &Scope, list: &FactList) -> Result<Vec<Fact>> {
        limits::limit(list.limit)?;
        let filter = list.filter.as_ref().map(Filter::compile).transpose()?;
        let time = list.as_of.unwrap_or_else(|| self.database.now());
        let wanted = |view: &RecordView<'_>| {
            !view.expired_at(time) && (list.include_superseded || view.holds_at(time))
        };
        self.database.read(|store| {
            let views: Vec<RecordView<'_>> = match list.as_of {
                None => store.records(scope, Kind::Fact).rev().filter(wanted).collect(),
                Some(time) => {
                    let mut views: Vec<_> =
                        store.records_at(scope, Kind::Fact, store.sequence_at(time)).filter(wanted).collect();
                    views.reverse();
                    views
                }
            };
            let facts = views.iter().map(Fact::of);
            let Some(filter) = filter else { return facts.skip(list.offset).take(list.limit).collect() };
            let mut found = Vec::new();
            for fact in facts {
                let fact = fact?;
                if filter.matches(&json(&fact)?) {
                    found.push(fact);
                }
            }
            Ok(found.into_iter().skip(list.offset).take(list.limit).collect())
        })
    }

    /// The facts that fit a query best, by words and meaning, best first; empty when none shares a word or is near in
    /// meaning.
    ///
    /// # Errors
    /// `InvalidFilter`, `InvalidInput`, and those of reading.
    pub async fn search(&self, scope: &Scope, asked: &Asked) -> Result<Vec<Scored<Fact>>> {
        search(&self.database, &self.models, scope, Kind::Fact, asked, Fact::of).await
    }

    /// Changes a fact; the earlier revisions stay in its history.
    ///
    /// # Errors
    /// `NotFound`, `InvalidInput`, and those of storing.
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
        if let Some(time) = patch.expires_at {
            limits::timestamp("expiresAt", time)?;
            record.expires_at = Some(time);
        }
        if record == before {
            return Ok(Action::unchanged(record.id, Kind::Fact, record.revision));
        }
        let expect = Expect::Revision(record.revision);
        self.store(scope, record, expect).await
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

    /// A present fact with the same words, apart from case and spaces: its id and revision.
    pub(crate) fn same(&self, scope: &Scope, text: &str) -> Result<Option<(Id, u32)>> {
        let folded = fold(text);
        let now = self.database.now();
        self.database.read(|store| {
            let mut facts = store.perhaps_same(scope, Kind::Fact, text);
            Ok(facts
                .find(|view| view.holds_at(now) && view.text.is_some_and(|text| fold(text) == folded))
                .map(|view| (view.id, view.revision)))
        })
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

    async fn store(&self, scope: &Scope, record: Record, expect: Expect) -> Result<Action> {
        let mut draft = Draft::new(scope, Cause::User);
        let embedding = record.text.as_deref().and_then(|text| self.models.embed_at_once(text));
        draft.put(record, expect, embedding);
        action::commit_one(&self.database, draft).await
    }
}

/// A text apart from case, spaces and a closing full stop.
pub(crate) fn fold(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").trim_end_matches(['.', '。']).to_owned()
}

pub(crate) fn json<T: Serialize>(value: &T) -> Result<Value> {
    serde_json::to_value(value)
        .map_err(|error| crate::error::Error::new(crate::error::Code::Internal, error.to_string()))
}
