//! A fact: what is stored of it, and what applications see.

use super::Contested;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::Category;
use crate::memory::listing::Shown;
use crate::memory::source::{Origin, least};
use crate::record::{Provenance, Trust};
use crate::scope::Scope;
use crate::store::Store;
use crate::time::{self, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a fact's record holds beside its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FactValue {
    pub(crate) category: Category,
    pub(crate) origin: Origin,
    /// The fact whose place this one took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) supersedes: Option<Id>,
    /// The fact that took the place of this one when it was ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) superseded_by: Option<Id>,
    /// What the rules know about their own statements: see [`super::rules`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rule: Option<Value>,
    /// How far it is trusted, where the application said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trust: Option<Trust>,
    /// What was said of when it is true: see [`crate::memory::span::Dates`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dates: Option<Value>,
    /// Whether nobody knows when it was said: it was imported without a time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) undated: bool,
}

impl FactValue {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        view.content()
    }

    pub(crate) fn read(value: &Value) -> Result<Self> {
        crate::json::from_value(value.clone())
            .map_err(|_| Error::new(Code::Corrupt, "a fact's content is not readable"))
    }
}

/// The category of a fact's content where that begins with it, as it does when it is stored: a search asks thousands.
fn first_category(content: &str) -> Option<&str> {
    let (category, _) = content.strip_prefix(r#"{"category":""#)?.split_once('"')?;
    Some(category).filter(|category| !category.contains('\\'))
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
    /// Whether the user wants it kept as it is.
    pub pinned: bool,
    /// What the application keeps with it.
    pub metadata: Map<String, Value>,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// From when it is true.
    pub valid_from: Timestamp,
    /// Until when it was true, if it no longer is, or will be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// Since and until when it is true, as far and as precisely as that was said: `{since, until}`, each such as `2021-05-14`,
    /// `2021-05`, `spring 2021`, `2021` or `1990s`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<Value>,
    /// Whether nobody knows when it was said.
    #[serde(skip)]
    pub undated: bool,
    /// When it goes by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// When it was last recalled or found, to the hour; absent when it never was, and in the past.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_accessed_at: Option<Timestamp>,
    /// Its revision.
    pub revision: u32,
    /// Who said so.
    pub origin: Origin,
    /// How far it is trusted: as the least trusted of what it comes from.
    pub trust: Trust,
    /// The fact whose place it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supersedes: Option<Id>,
    /// The fact that took its place; absent when none did, and when that is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Id>,
    /// Current facts that contradict it, the newest five first, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contested: Vec<Contested>,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
}

impl Shown for Fact {
    const FIELDS: &'static [&'static str] = &[
        "id",
        "text",
        "category",
        "significance",
        "pinned",
        "metadata",
        "createdAt",
        "updatedAt",
        "validFrom",
        "validTo",
        "dates",
        "expiresAt",
        "lastAccessedAt",
        "revision",
        "origin",
        "trust",
        "supersedes",
        "supersededBy",
        "source",
    ];

    const OWN: &'static [&'static str] = &[
        "text",
        "category",
        "significance",
        "pinned",
        "metadata",
        "createdAt",
        "updatedAt",
        "validFrom",
        "validTo",
        "expiresAt",
        "revision",
    ];

    fn own(view: &RecordView<'_>, field: &str) -> Result<Option<Value>> {
        Ok(match field {
            "text" => Some(view.text.unwrap_or_default().into()),
            "category" => match first_category(view.raw_value()) {
                Some(category) => Some(category.into()),
                None => view.value()?.get("category").cloned(),
            },
            "significance" => Some(view.significance.into()),
            "pinned" => Some(view.pinned.into()),
            "metadata" => Some(view.metadata()?.into()),
            "createdAt" => Some(view.created_at.into()),
            "updatedAt" => Some(view.updated_at.into()),
            "validFrom" => Some(view.valid_from.into()),
            "validTo" => view.valid_to.map(Value::from),
            "expiresAt" => view.expires_at.map(Value::from),
            _ => Some(view.revision.into()),
        })
    }
}

impl Fact {
    /// A fact as it is shown: with its successor, if that is there.
    pub(crate) fn shown(store: &Store, scope: &Scope, view: &RecordView<'_>, now: Timestamp) -> Result<Self> {
        Self::shown_at(store, scope, view, (now, None))
    }

    /// The same as it was known at a time, when a commit was the last one.
    pub(super) fn shown_at(
        store: &Store,
        scope: &Scope,
        view: &RecordView<'_>,
        (time, sequence): (Timestamp, Option<u64>),
    ) -> Result<Self> {
        let fact = Self::of(view)?;
        let is_there = |id: &Id| {
            let view = match sequence {
                None => store.get(scope, *id),
                Some(sequence) => store.get_at(scope, *id, sequence),
            };
            view.is_some_and(|view| !view.expired_at(time))
        };
        let superseded_by = fact.superseded_by.filter(is_there);
        Ok(Self { superseded_by, ..fact })
    }

    /// A fact as it is stored: what it names may be gone.
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        let value = FactValue::of(view)?;
        let source = view.provenance()?;
        let own = value.trust.unwrap_or_else(|| value.origin.trust(&source));
        Ok(Self {
            id: view.id,
            text: view.text.unwrap_or_default().to_owned(),
            category: value.category,
            significance: view.significance,
            pinned: view.pinned,
            metadata: view.metadata()?,
            created_at: view.created_at,
            updated_at: view.updated_at,
            valid_from: view.valid_from,
            valid_to: view.valid_to,
            dates: value.dates,
            undated: value.undated,
            expires_at: view.expires_at,
            last_accessed_at: view.accessed_at,
            revision: view.revision,
            origin: value.origin,
            trust: least(own, &source),
            supersedes: value.supersedes,
            superseded_by: value.superseded_by.filter(|_| view.valid_to.is_some()),
            contested: Vec::new(),
            source,
        })
    }

    /// One of its dates, as it was said: `since` or `until`.
    pub(crate) fn date(&self, name: &str) -> Option<&str> {
        self.dates.as_ref()?.get(name)?.as_str()
    }

    /// What a prompt says of it, with when it began: `since` a time only if that was said, and else when it was `said`, if that is known.
    pub(crate) fn dated(&self, mut line: Value) -> Value {
        let dated = match self.date("since") {
            Some(since) => Some(("since", since.to_owned())),
            None => self.said().map(|said| ("said", time::date(said))),
        };
        if let (Some((word, date)), Value::Object(members)) = (dated, &mut line) {
            members.insert(word.to_owned(), date.into());
        }
        line
    }

    /// When it was said, if that is known.
    pub(crate) fn said(&self) -> Option<Timestamp> {
        Some(self.valid_from).filter(|_| !self.undated)
    }
}
