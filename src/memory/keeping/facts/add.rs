//! Adding a fact.

use super::{DEFAULT_SIGNIFICANCE, FactValue, Facts, MAX_FACT_BYTES, Origin, said_by_another, wording};
use crate::embedding::Embedding;
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::Cause;
use crate::memory::action::Action;
use crate::memory::changes::Planning;
use crate::memory::secret::Secrets;
use crate::memory::span::{Dates, Span};
use crate::memory::{Category, limits};
use crate::record::{Kind, Record, Trust};
use crate::scope::Scope;
use crate::store::Expect;
use crate::time::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The most bytes of a source id.
pub(super) const MAX_SOURCE_ID_BYTES: usize = 512;

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
    #[serde(default, deserialize_with = "limits::significance")]
    pub significance: Option<u8>,
    /// What to keep with it, up to 16 KiB.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// From when it is true; now by default.
    pub valid_from: Option<Timestamp>,
    /// Since and until when it is true, as precisely as that is known: `{since, until}`, each such as `2021-05-14`, `2021-05`,
    /// `spring 2021`, `2021` or `1990s`. By default the day of `valid_from`, where that is given; `{}` for nothing known.
    pub dates: Option<Value>,
    /// Until when it is true, by its dates.
    #[serde(skip)]
    pub valid_to: Option<Timestamp>,
    /// Whether nobody knows when it was said.
    #[serde(skip)]
    pub undated: bool,
    /// When it goes by itself; by default after `extraction.ttl.addedMs`, or never.
    pub expires_at: Option<Timestamp>,
    /// How far it is trusted: where it comes from, such as `web`; `user` by default, and `assistant` when a model's tool adds it.
    pub trust: Option<Trust>,
    /// Its name where it comes from, 1 to 512 bytes: what is stored under a name is not stored again.
    pub source_id: Option<String>,
    /// Whether it is not stored again either when what was stored under its name is gone; false by default.
    #[serde(default)]
    pub once: bool,
    /// Where the vector of its text, by the embedder the memory is open with, is among the numbers that came with the call. The
    /// embedder makes it later when none is given.
    pub embedding: Option<Stretch>,
}

/// Some of the numbers that came with a call.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// Where it begins.
    pub at: usize,
    /// How many numbers it has.
    pub length: usize,
}

impl NewFact {
    /// Refuses what is over a limit.
    pub(super) fn check(&self, now: Timestamp) -> Result<()> {
        limits::text("text", &self.text, MAX_FACT_BYTES)?;
        limits::metadata(&self.metadata)?;
        self.valid_from.map_or(Ok(()), |time| limits::truth("validFrom", time))?;
        self.expires_at.map_or(Ok(()), |time| limits::future("expiresAt", time, now))?;
        self.source_id.as_deref().map_or(Ok(()), |name| limits::text("sourceId", name, MAX_SOURCE_ID_BYTES))
    }

    /// Takes its times from its dates, or its dates from its times: called for what was given either.
    ///
    /// # Errors
    /// `InvalidInput` for dates that are none, and for two beginnings.
    pub fn take_dates(&mut self) -> Result<()> {
        let Some(given) = &self.dates else {
            // A time that is none is refused later.
            let day = self.valid_from.filter(|time| limits::truth("validFrom", *time).is_ok());
            self.dates = Dates { since: day.map(Span::day), until: None }.value();
            return Ok(());
        };
        let Dates { since, until } = Dates::given(given)?;
        if let Some(since) = &since {
            if self.valid_from.is_some() {
                return Err(limits::invalid(
                    "validFrom and dates.since are both given; leave one of them out".to_owned(),
                ));
            }
            self.valid_from = Some(since.begins);
        }
        self.valid_to = until.as_ref().map(|until| until.ends);
        self.dates = Dates { since, until }.value();
        Ok(())
    }

    /// The record that keeps it.
    pub(super) fn record(&self, id: Id, scope: &Scope, now: Timestamp, origin: Origin) -> Result<Record> {
        let value = FactValue {
            category: self.category,
            origin,
            supersedes: None,
            superseded_by: None,
            rule: None,
            trust: self.trust,
            dates: self.dates.clone(),
            undated: self.undated,
        };
        let mut record = Record::new(id, Kind::Fact, scope.clone(), now);
        record.value = to_value(&value)?;
        record.text = Some(self.text.trim().to_owned());
        record.metadata = self.metadata.clone();
        record.significance = self.significance.unwrap_or(DEFAULT_SIGNIFICANCE);
        record.valid_from = self.valid_from.unwrap_or(now);
        record.valid_to = self.valid_to;
        record.expires_at = self.expires_at;
        record.key = self.source_id.clone();
        Ok(record)
    }
}

impl Facts {
    /// Adds a fact. One that says the same in the same words, apart from case, spaces, punctuation and an article at the
    /// beginning, is not stored twice.
    ///
    /// # Errors
    /// `InvalidInput` for a value over its limit, `Secret` for one that holds a secret where that is refused, and those of storing.
    pub async fn add(&self, scope: &Scope, mut new: NewFact) -> Result<Action> {
        new.check(self.database.now())?;
        let masked = self.mask(&mut new, "text")?;
        let embedding = self.vector(&new)?;
        let plan = &mut |planning: &mut Planning<'_>| {
            self.plan(planning, &new, &wording(&new.text), embedding.as_ref()).map(|_| ())
        };
        let action = self.changes.one(scope, Cause::User, plan).await?;
        Ok(Action { masked, ..action })
    }

    /// Takes the secrets out of a fact before it is looked for among those that are known. A vector of other words goes too.
    pub(super) fn mask(&self, new: &mut NewFact, place: &str) -> Result<Secrets> {
        let text = &mut new.text;
        let masked = self.models.guard.screen(place, &mut |masker, found| masker.text(text, found))?;
        if !masked.is_empty() {
            new.embedding = None;
        }
        Ok(masked)
    }

    /// Adds a fact of a wording, unless it is known; whether it is new.
    pub(super) fn plan(
        &self,
        planning: &mut Planning<'_>,
        new: &NewFact,
        words: &str,
        embedding: Option<&Embedding>,
    ) -> Result<bool> {
        let (store, now, scope) = (planning.store, planning.now, planning.scope().clone());
        let before = new.source_id.as_ref().filter(|_| new.once);
        let before = before.and_then(|name| store.last_with_key(&scope, Kind::Fact, name));
        if let Some(id) = before {
            planning.keep(id, Kind::Fact, store.get(&scope, id).map_or(0, |view| view.revision));
            return Ok(false);
        }
        let named = new.source_id.as_ref().and_then(|name| store.by_key(&scope, Kind::Fact, name));
        if let Some(view) = named {
            if !view.expired_at(now) {
                planning.keep(view.id, Kind::Fact, view.revision);
                return Ok(false);
            }
            planning.end(&view);
        }
        // True already when this one is to be, and not over.
        let from = new.valid_from.unwrap_or(now).max(now);
        if let Some(view) = said_by_another(store, &scope, &[], words, (from, now)) {
            planning.keep(view.id, Kind::Fact, view.revision);
            return Ok(false);
        }
        planning.draft.claim(store, Kind::Fact, words.to_owned());
        let mut record = new.record(self.database.new_id(), &scope, now, planning.author())?;
        record.expires_at = record.expires_at.or_else(|| self.ttl.added(now));
        planning.draft.put(record, Expect::Absent, embedding.cloned());
        Ok(true)
    }
}
