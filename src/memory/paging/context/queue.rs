//! The queue of a thread: which of its messages are still in sight, and what is known of those that are not.

use crate::database::Database;
use crate::error::{Code, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::{Cause, RecordView};
use crate::memory::action::{self, retried};
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
        self.left = place(store, &views, evicted);
        self.folded = self.evicted.filter(|_| self.messages >= self.left);
        Ok(self)
    }

    /// Stores it on top of what it was read from, as long as a message is there.
    ///
    /// # Errors
    /// `Conflict` when it has changed since or the message is gone, and those of storing.
    async fn write(&self, database: &Database, scope: &Scope, thread_id: &str, needed: Id) -> Result<()> {
        let key = key(thread_id);
        let id = database.read(|store| Ok(store.last_with_key(scope, Kind::Summary, &key)))?;
        let id = id.unwrap_or_else(|| database.new_id());
        // What was there when it was read must be there still, or else it tells of a thread that was removed since.
        let expect = if self.revision == 0 { Expect::Absent } else { Expect::Revision(self.revision) };
        let mut record = Record::new(id, Kind::Summary, scope.clone(), database.now());
        record.key = Some(key);
        record.value = to_value(&QueueValue {
            level: "context".to_owned(),
            thread_id: thread_id.to_owned(),
            evicted: self.evicted,
            folded: self.folded,
            messages: self.messages,
        })?;
        record.text = Some(self.summary.clone()).filter(|summary| !summary.is_empty());
        let mut draft = Draft::new(scope, Cause::Extract);
        draft.put(record, expect, None);
        draft.needs.push(needed);
        action::commit_one(database, draft).await?;
        Ok(())
    }
}

/// The record of a queue which some messages have left, when one of them is removed or replaced: without its summary when that
/// tells of one, so that it is made anew of what is there then. A new revision in any case, on top of which no summary is
/// stored that is being made of them.
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
    let touches = |until: Option<Mark>| {
        let until = until.and_then(|mark| store.place_of(mark.id));
        let places = messages.iter().filter_map(|id| store.place_of(*id));
        until.is_some_and(|until| places.min().is_some_and(|first| first <= until))
    };
    if !touches(value.evicted) {
        return Ok(None);
    }
    let mut record = view.to_record(scope)?;
    if touches(value.folded) {
        (value.folded, value.messages) = (None, 0);
        (record.text, record.value) = (None, to_value(&value)?);
    }
    Ok(Some(record))
}

/// Lets messages leave the queue, up to a mark.
pub(super) async fn evict(database: &Database, scope: &Scope, thread_id: &str, until: Mark) -> Result<()> {
    retried(|| async move {
        let queue = database.read(|store| match store.get(scope, until.id) {
            Some(_) => Queue::read(store, scope, thread_id).map(Some),
            // It is gone meanwhile, and others may be: where the queue has to end is asked anew.
            None => Ok(None),
        })?;
        let Some(queue) = queue else { return Ok(()) };
        let queue = Queue { evicted: Some(until), ..queue };
        queue.write(database, scope, thread_id, until.id).await
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
    match queue.write(database, scope, thread_id, until.id).await {
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
        views.truncate(place(store, &views, until));
    }
    if let Some(after) = after {
        views.drain(..place(store, &views, after));
    }
    views
}

/// How many messages stand up to a mark, whether its message is there or gone.
fn place(store: &Store, views: &[RecordView<'_>], mark: Mark) -> usize {
    let marked = store.place_of(mark.id);
    let until = |view: &&RecordView<'_>| match marked {
        Some(marked) => store.place_of(view.id).is_some_and(|place| place <= marked),
        // Nothing is left of it but when it was stored.
        None => view.created_at <= mark.at,
    };
    views.iter().take_while(until).count()
}

fn key(thread_id: &str) -> String {
    format!("{KEY}{thread_id}")
}
