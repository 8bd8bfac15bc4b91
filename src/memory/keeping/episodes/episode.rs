//! An episode: what is stored of it, and what applications see.

use super::MAX_PART_BYTES;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::edit::written_anew;
use crate::memory::facts::Origin;
use crate::memory::limits::{self, invalid};
use crate::memory::listing::Shown;
use crate::record::{Provenance, Record};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What an episode's record holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct EpisodeValue {
    pub(crate) situation: String,
    pub(crate) approach: String,
    pub(crate) outcome: String,
    /// The thread it happened in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) thread_id: Option<String>,
    /// Who wrote it down.
    #[serde(default = "user")]
    pub(crate) origin: Origin,
}

fn user() -> Origin {
    Origin::User
}

impl EpisodeValue {
    /// Reads the parts that somebody gave.
    pub(crate) fn read(value: &Value) -> Result<Self> {
        let parts: Self = crate::json::from_options(value.clone())
            .map_err(|error| invalid(format!("value is no episode: {error}")))?;
        parts.check()?;
        Ok(parts)
    }

    /// Refuses a part that is blank or over its limit.
    pub(crate) fn check(&self) -> Result<()> {
        for (name, part) in
            [("situation", &self.situation), ("approach", &self.approach), ("outcome", &self.outcome)]
        {
            limits::text(name, part, MAX_PART_BYTES)?;
        }
        Ok(())
    }

    /// What an episode's record holds.
    pub(super) fn of(record: &Record) -> Result<Self> {
        crate::json::from_value(record.value.clone())
            .map_err(|_| Error::new(Code::Corrupt, format!("the episode {} is not readable", record.id)))
    }

    /// Puts these parts in place of those of a record, as the user says. The thread stays.
    ///
    /// # Errors
    /// `InvalidInput` for a part that is blank or over its limit.
    pub(crate) fn rewrite(&self, record: &mut Record) -> Result<()> {
        self.check()?;
        let before = Self::of(record)?;
        let is_same = (&before.situation, &before.approach, &before.outcome)
            == (&self.situation, &self.approach, &self.outcome);
        if !is_same {
            record.value = to_value(&Self { thread_id: before.thread_id, ..self.clone() })?;
            record.text = Some(self.text());
            written_anew(record, Origin::User);
        }
        Ok(())
    }

    /// The words it is found by.
    pub(crate) fn text(&self) -> String {
        format!("{}\n{}", self.situation.trim(), self.outcome.trim())
    }

    /// What it says in one line.
    pub(crate) fn said(&self) -> String {
        let Self { situation, approach, outcome, .. } = self;
        format!("When {}, do: {}. Outcome: {}", situation.trim(), approach.trim(), outcome.trim())
    }
}

/// An episode, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Episode {
    /// Its id.
    pub id: Id,
    /// What was the matter.
    pub situation: String,
    /// What was done about it.
    pub approach: String,
    /// What came of it.
    pub outcome: String,
    /// The thread it happened in, if it was in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// What the application keeps with it.
    pub metadata: Map<String, Value>,
    /// Whether the user wants it kept as it is.
    pub pinned: bool,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was last recalled or found, to the hour; absent when it never was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_accessed_at: Option<Timestamp>,
    /// Its revision.
    pub revision: u32,
    /// Who wrote it down.
    pub origin: Origin,
    /// Which messages it came from.
    pub source: Vec<Provenance>,
}

impl Shown for Episode {
    const FIELDS: &'static [&'static str] = &[
        "id",
        "situation",
        "approach",
        "outcome",
        "threadId",
        "metadata",
        "pinned",
        "createdAt",
        "updatedAt",
        "lastAccessedAt",
        "revision",
        "origin",
        "source",
    ];
}

impl Episode {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        let value: EpisodeValue = view.content()?;
        Ok(Self {
            id: view.id,
            situation: value.situation,
            approach: value.approach,
            outcome: value.outcome,
            thread_id: value.thread_id,
            metadata: view.metadata()?,
            pinned: view.pinned,
            created_at: view.created_at,
            updated_at: view.updated_at,
            last_accessed_at: view.accessed_at,
            revision: view.revision,
            origin: value.origin,
            source: view.provenance()?,
        })
    }
}
