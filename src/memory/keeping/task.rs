//! Tasks: work that waits in the store until it is done.

use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::category::Category;
use crate::memory::facts::MAX_FACT_BYTES;
use crate::memory::limits::{self, invalid};
use crate::memory::message::NewMessage;
use crate::memory::ttl;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The most facts that one call may give.
pub const MAX_GIVEN: usize = 5;
/// The most bytes of a topic's label.
const MAX_TOPIC_BYTES: usize = 1000;

/// An extraction that is to be made from some messages of a thread. It is written with the messages and deleted with
/// what was learned from them, each in one commit: so nothing is forgotten, and nothing learned twice.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskValue {
    pub(crate) thread_id: String,
    pub(crate) messages: Vec<Id>,
    /// How this one is to be made, when a call said so: a [`Generate`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) options: Option<Value>,
    /// How it was tried, if it was and failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tried: Option<Tried>,
}

/// How a task was tried that failed each time. It is kept with the task: a memory that is closed after each call would never learn which
/// message a model refuses.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tried {
    pub(crate) attempts: u32,
    pub(crate) retry_at: Timestamp,
}

/// What to learn from now, and how. All but the messages is kept with the task, so that a later try does the same.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Generate {
    /// Messages to remember and learn from, in the order they were said; at most 500. Those the thread knows already are
    /// ignored.
    #[serde(default, skip_serializing)]
    pub messages: Vec<NewMessage>,
    /// Their thread; `default` by default.
    #[serde(skip_serializing)]
    pub thread_id: Option<String>,
    /// Up to 5 facts that are only to be put in their place among what is known: texts, or objects with a `text` and the
    /// label of a `topic`.
    #[serde(default)]
    pub facts: Vec<Value>,
    /// What to call the revisions that are made: up to 16 texts by name.
    #[serde(default)]
    pub labels: Map<String, Value>,
    /// What to keep with what is learned, up to 16 KiB; nothing by default, and what was kept stays.
    pub metadata: Option<Map<String, Value>>,
    /// What becomes of metadata that is there already; `overwrite` by default.
    #[serde(default)]
    pub metadata_merge: MetadataMerge,
    /// How long to keep what is learned, in milliseconds; as `extraction.ttl` says by default.
    pub ttl_ms: Option<i64>,
    /// Whether to bring together what is new and what is known; true by default. When false, facts are only added, and the
    /// values of fields replaced.
    pub consolidate: Option<bool>,
    /// What to learn about; as `extraction.topics` says by default.
    #[serde(default)]
    pub topics: Vec<Value>,
    /// Who speaks for themselves; as `extraction.participants` says by default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub participants: Vec<String>,
}

impl Generate {
    /// Checks what is not of the messages.
    ///
    /// # Errors
    /// `InvalidInput` that names the option, and when there is nothing to learn from.
    pub(crate) fn check(&self) -> Result<()> {
        if self.messages.is_empty() && self.facts.is_empty() {
            return Err(invalid("there is nothing to learn from; give messages or facts".to_owned()));
        }
        if self.facts.len() > MAX_GIVEN {
            return Err(invalid(format!(
                "facts has {} items; at most {MAX_GIVEN} are allowed in one call",
                self.facts.len()
            )));
        }
        self.given()?;
        limits::labels(&self.labels)?;
        self.metadata.as_ref().map_or(Ok(()), limits::metadata)?;
        ttl::check("ttlMs", self.ttl_ms)
    }

    /// The facts that are only to be put in their place.
    pub(crate) fn given(&self) -> Result<Vec<Given>> {
        self.facts.iter().enumerate().map(Given::read).collect()
    }

    /// Whether what is new is brought together with what is known.
    pub(crate) fn consolidates(&self) -> bool {
        self.consolidate.unwrap_or(true)
    }
}

/// What becomes of the metadata of something that learning updates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MetadataMerge {
    /// The new takes the place of the old.
    #[default]
    Overwrite,
    /// The new is added to the old, name by name.
    Merge,
    /// Only what has exactly the new metadata is updated. Of another fact a new one is made beside it; another field is left
    /// as it is.
    Require,
}

/// A fact that a call gives.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    pub(crate) text: String,
    pub(crate) topic: Option<String>,
}

impl Given {
    /// Reads one of the facts of a call: a text, or an object with a `text` and perhaps a `topic`.
    pub(crate) fn read((place, given): (usize, &Value)) -> Result<Self> {
        let member = |name: &str| given.get(name).and_then(Value::as_str).map(str::to_owned);
        let only = |given: &Map<String, Value>| given.keys().all(|name| name == "text" || name == "topic");
        let is_object = given.as_object().is_some_and(only);
        let text = given.as_str().map(str::to_owned).or_else(|| member("text").filter(|_| is_object));
        let text = text.ok_or_else(|| {
            invalid(format!("facts[{place}] is neither a text nor {{\"text\": \"...\", \"topic\": \"...\"}}"))
        })?;
        let topic = member("topic");
        limits::text(&format!("facts[{place}].text"), &text, MAX_FACT_BYTES)?;
        topic
            .as_deref()
            .map_or(Ok(()), |topic| limits::text(&format!("facts[{place}].topic"), topic, MAX_TOPIC_BYTES))?;
        Ok(Self { text: text.trim().to_owned(), topic })
    }

    /// What it is about, as far as its topic says.
    pub(crate) fn category(&self) -> Category {
        match self.topic.as_deref() {
            Some("personal info") => Category::PersonalInfo,
            Some("preferences") => Category::Preference,
            Some("explicit instructions") => Category::Instruction,
            _ => Category::Other,
        }
    }
}

/// A task in the store.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) id: Id,
    pub(crate) revision: u32,
    pub(crate) value: TaskValue,
}

impl Task {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        Ok(Self { id: view.id, revision: view.revision, value: view.content()? })
    }

    pub(crate) fn record(id: Id, scope: &Scope, value: &TaskValue, now: Timestamp) -> Result<Record> {
        let mut record = Record::new(id, Kind::Task, scope.clone(), now);
        record.value = to_value(value)?;
        Ok(record)
    }
}
