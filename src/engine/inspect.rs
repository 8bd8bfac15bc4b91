//! Looking inside: log, indexes, caches, the queue, and the last requests to models.

use super::engine::Engine;
use crate::database::{Event, InMemory, Inside, LogState};
use crate::error::Result;
use crate::memory::models::Request;
use crate::memory::schedule::JobState;
use crate::ordered::Ordered;
use crate::record::Kind;
use crate::store::Indexes;
use crate::time::Timestamp;
use serde::Serialize;
use std::rc::Rc;

/// What a memory consists of now.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// When this was so.
    pub at: Timestamp,
    /// Living records by kind.
    pub records: Ordered<Kind, usize>,
    /// The log.
    pub log: LogState,
    /// The indexes.
    pub indexes: Indexes,
    /// What of it is in memory.
    pub memory: InMemory,
    /// What waits in the background, goes on there, and failed.
    pub queue: Vec<JobState>,
    /// The last requests to models, oldest first.
    requests: Vec<Request>,
}

impl Engine {
    /// What the memory consists of. Reads nothing from the storage.
    ///
    /// # Errors
    /// `Closed` after closing, and those of loading.
    pub async fn inspect(&self) -> Result<Inspection> {
        let Inside { records, log, indexes, memory } = self.database.inside().await?;
        Ok(Inspection {
            at: self.database.now(),
            records,
            log,
            indexes,
            memory,
            queue: self.jobs()?,
            requests: self.models.requests.latest(),
        })
    }

    /// Tells listeners of each request to a model from now on; its text stays here.
    pub(super) fn watch(&self) {
        let database = self.database.clone();
        self.models.requests.watch(Some(Rc::new(move |request| {
            database.tell(&Event::Request(serde_json::to_value(request).unwrap_or_default()));
        })));
    }
}
