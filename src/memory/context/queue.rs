//! The queue of a thread: which of its messages are still in sight, and what is known of those that are not.

use crate::database::Database;
use crate::error::{Code, Result};
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::memory::action::{self, retried};
use crate::memory::facts::json;
use crate::memory::message::thread_prefix;
use crate::memory::threads::Threads;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// What the key of a thread's record begins with.
const KEY: &str = "context/";

/// A place in a thread: after this message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    pub(super) id: Id,
    /// When it was stored, for when it is gone.
    pub(super) at: Timestamp,
}

impl Mark {
    pub(super) fn of(view: &RecordView<'_>) -> Self {
        Self { id: view.id, at: view.created_at }
    }
}

/// What is kept of a thread's queue, beside the summary.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct QueueValue {
    /// `context`, so that nobody takes it for another summary.
    level: String,
    thread_id: String,
    /// Until where messages left the queue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    evicted: Option<Mark>,
    /// Until where they are in the summary; behind the above when a summary failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folded: Option<Mark>,
    /// How many are in the summary.
    #[serde(default)]
    messages: usize,
}

/// The queue of a thread.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Queue {
    /// Of the record; 0 when there is none yet.
    revision: u32,
    pub(super) evicted: Option<Mark>,
    pub(super) folded: Option<Mark>,
    /// How many messages the summary covers.
    pub(super) messages: usize,
    /// Empty when there is none.
    pub(super) summary: String,
    /// How many messages left the queue, where that matters.
    pub(super) left: usize,
}

impl Queue {
    /// Reads it; empty at the beginning of a thread.
    pub(super) fn read(store: &Store, scope: &Scope, thread_id: &str) -> Result<Self> {
        let Some(view) = store.by_key(scope, Kind::Summary, &key(thread_id)) else {
            return Ok(Self::default());
        };
        let value: QueueValue = view.content()?;
        Ok(Self {
            revision: view.revision,
            evicted: value.evicted,
            folded: value.folded,
            messages: value.messages,
            left: 0,
            summary: view.text.unwrap_or_default().to_owned(),
        })
    }

    /// The same queue behind the summary that the thread has besides, in place of one of its own.
    pub(super) fn behind_summary(mut self, store: &Store, scope: &Scope, thread_id: &str) -> Result<Self> {
        let Some(evicted) = self.evicted else { return Ok(self) };
        (self.summary, self.messages) = Threads::told(store, scope, thread_id)?.unwrap_or_default();
        let views = store.by_key_prefix(scope, Kind::Message, &thread_prefix(thread_id));
        self.left = place(&views, evicted);
        self.folded = self.evicted.filter(|_| self.messages >= self.left);
        Ok(self)
    }

    /// Stores it on top of what it was read from.
    ///
    /// # Errors
    /// `Conflict` when it has changed since, and those of storing.
    async fn write(&self, database: &Database, scope: &Scope, thread_id: &str) -> Result<()> {
        let key = key(thread_id);
        let (id, expect) = database.read(|store| {
            Ok(match store.by_key(scope, Kind::Summary, &key) {
                Some(view) => (view.id, Expect::Revision(self.revision)),
                None => {
                    let last = store.last_with_key(scope, Kind::Summary, &key);
                    (last.unwrap_or_else(|| database.new_id()), Expect::Absent)
                }
            })
        })?;
        let mut record = Record::new(id, Kind::Summary, scope.clone(), database.now());
        record.key = Some(key);
        record.value = json(&QueueValue {
            level: "context".to_owned(),
            thread_id: thread_id.to_owned(),
            evicted: self.evicted,
            folded: self.folded,
            messages: self.messages,
        })?;
        record.text = Some(self.summary.clone()).filter(|summary| !summary.is_empty());
        let mut draft = Draft::new(scope, Cause::Extract);
        draft.put(record, expect, None);
        action::commit_one(database, draft).await?;
        Ok(())
    }
}

/// The record of a queue without its summary when one of some messages is in that: it is made anew of those that are left.
///
/// # Errors
/// `Corrupt` when the record is not readable.
pub(crate) fn emptied(
    store: &Store,
    scope: &Scope,
    thread_id: &str,
    messages: &[Id],
) -> Result<Option<Record>> {
    if messages.is_empty() {
        return Ok(None);
    }
    let Some(view) = store.by_key(scope, Kind::Summary, &key(thread_id)) else { return Ok(None) };
    let mut value: QueueValue = view.content()?;
    let Some(folded) = value.folded.take() else { return Ok(None) };
    let inside = between(store, scope, thread_id, None, Some(folded));
    if !inside.iter().any(|view| messages.contains(&view.id)) {
        return Ok(None);
    }
    value.messages = 0;
    let mut record = view.to_record(scope)?;
    (record.text, record.value) = (None, json(&value)?);
    Ok(Some(record))
}

/// Lets messages leave the queue, up to a mark.
pub(super) async fn evict(database: &Database, scope: &Scope, thread_id: &str, until: Mark) -> Result<()> {
    retried(|| async move {
        let queue = database.read(|store| Queue::read(store, scope, thread_id))?;
        let queue = Queue { evicted: Some(until), ..queue };
        queue.write(database, scope, thread_id).await
    })
    .await
}

/// Keeps a new summary that covers `count` messages more, up to a mark. `false` when somebody else was faster.
pub(super) async fn fold(
    database: &Database,
    scope: &Scope,
    thread_id: &str,
    before: &Queue,
    summary: String,
    (until, count): (Mark, usize),
) -> Result<bool> {
    let queue = Queue { summary, folded: Some(until), messages: before.messages + count, ..before.clone() };
    match queue.write(database, scope, thread_id).await {
        Ok(()) => Ok(true),
        Err(error) if error.code == Code::Conflict => Ok(false),
        Err(error) => Err(error),
    }
}

/// The messages of a thread that stand after a mark and not after another, in order.
pub(super) fn between<'a>(
    store: &'a Store,
    scope: &Scope,
    thread_id: &str,
    after: Option<Mark>,
    until: Option<Mark>,
) -> Vec<RecordView<'a>> {
    let mut views = store.by_key_prefix(scope, Kind::Message, &thread_prefix(thread_id));
    if let Some(until) = until {
        views.truncate(place(&views, until));
    }
    if let Some(after) = after {
        views.drain(..place(&views, after));
    }
    views
}

/// How many messages stand up to a mark. When its message is gone, those that were stored until then.
fn place(views: &[RecordView<'_>], mark: Mark) -> usize {
    let of_it = views.iter().rposition(|view| view.id == mark.id).map(|place| place + 1);
    of_it.unwrap_or_else(|| views.iter().take_while(|view| view.created_at <= mark.at).count())
}

fn key(thread_id: &str) -> String {
    format!("{KEY}{thread_id}")
}
