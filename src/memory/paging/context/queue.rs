//! The queue of a thread: which of its messages are still in sight, and the summary of those that are not.

use crate::error::Result;
use crate::log::RecordView;
use crate::memory::message::{StoredMessage, thread_prefix};
use crate::memory::threads::{Summarised, Threads, evicted};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;

/// The queue of a thread.
pub(super) struct Queue<'a> {
    /// The messages that did not leave it, in order.
    pub(super) views: Vec<RecordView<'a>>,
    /// How many left it.
    pub(super) left: usize,
    /// The summary of the thread, where messages left.
    pub(super) summary: Option<Summarised<'a>>,
}

impl<'a> Queue<'a> {
    /// Reads it; nothing has left it at the beginning of a thread.
    pub(super) fn read(store: &'a Store, scope: &Scope, thread_id: &str) -> Result<Self> {
        let mut views = store.by_key_prefix(scope, Kind::Message, &thread_prefix(thread_id));
        let Some(mark) = evicted(store, scope, thread_id)? else {
            views.retain(StoredMessage::is_told);
            return Ok(Self { views, left: 0, summary: None });
        };
        let summary = Threads::summarised(store, scope, thread_id, &views)?;
        let left = mark.place(store, &views);
        views.drain(..left);
        views.retain(StoredMessage::is_told);
        Ok(Self { views, left, summary })
    }

    /// Whether messages left that the summary does not tell of.
    pub(super) fn is_behind(&self) -> bool {
        self.summary.as_ref().map_or(0, |summary| summary.messages) < self.left
    }
}
