//! Tasks: work that waits in the store until it is done.

use super::category::Category;
use super::facts::{MAX_FACT_BYTES, json};
use super::limits::{self, invalid};
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
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
    /// How this one is to be made, when a call said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) options: Option<LearnOptions>,
}

/// How a call wants to learn. It is kept with the task, so that a later try does the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct LearnOptions {
    pub(crate) labels: Map<String, Value>,
    pub(crate) metadata: Option<Map<String, Value>>,
    pub(crate) metadata_merge: MetadataMerge,
    pub(crate) ttl_ms: Option<i64>,
    pub(crate) consolidate: bool,
    pub(crate) topics: Vec<Value>,
    /// Facts that are only to be put in their place.
    pub(crate) facts: Vec<Given>,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self {
            labels: Map::new(),
            metadata: None,
            metadata_merge: MetadataMerge::default(),
            ttl_ms: None,
            consolidate: true,
            topics: Vec::new(),
            facts: Vec::new(),
        }
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Given {
    pub(crate) text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
        record.value = json(value)?;
        Ok(record)
    }
}
