//! Tasks: work that waits in the store until it is done.

use super::facts::json;
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// An extraction that is to be made from some messages of a thread. It is written with the messages and deleted with
/// what was learned from them, each in one commit: so nothing is forgotten, and nothing learned twice.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TaskValue {
    pub(crate) thread_id: String,
    pub(crate) messages: Vec<Id>,
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
