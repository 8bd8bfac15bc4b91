//! Threads: the conversations of a scope.

use super::limits;
use super::message::{StoredMessage, thread, thread_of, thread_prefix};
use super::models::Models;
use super::search::{Asked, Scored, search};
use crate::database::Database;
use crate::error::Result;
use crate::record::Kind;
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::rc::Rc;

/// A thread in the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Thread {
    /// Its id.
    pub thread_id: String,
    /// How many messages it has.
    pub messages: usize,
    /// When its first message was said.
    pub first_at: Timestamp,
    /// When its last message was said.
    pub last_at: Timestamp,
}

/// Which messages of a thread to return.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MessageList {
    /// The thread.
    pub thread_id: Option<String>,
    /// How many at most, 1 to 1000; 100 by default.
    #[serde(default = "hundred")]
    pub limit: usize,
    /// How many to skip; 0 by default.
    #[serde(default)]
    pub offset: usize,
    /// From which end `limit` and `offset` count; `newest` by default. The result is in the order of the conversation
    /// either way.
    #[serde(default)]
    pub from: End,
}

/// An end of a conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// The last messages.
    #[default]
    Newest,
    /// The first messages.
    Oldest,
}

fn hundred() -> usize {
    100
}

/// The threads of every scope.
#[derive(Clone)]
pub struct Threads {
    database: Database,
    models: Rc<Models>,
}

impl Threads {
    pub(crate) fn new(database: Database, models: Rc<Models>) -> Self {
        Self { database, models }
    }

    /// The threads, the one spoken in last first; empty when nothing was remembered yet.
    ///
    /// # Errors
    /// Those of reading.
    pub fn list(&self, scope: &Scope) -> Result<Vec<Thread>> {
        self.database.read(|store| {
            let mut places: HashMap<String, usize> = HashMap::new();
            let mut threads: Vec<(usize, Thread)> = Vec::new();
            for (order, view) in store.records(scope, Kind::Message).enumerate() {
                let thread_id = thread_of(view.key.unwrap_or_default());
                let place = places.get(thread_id).copied().unwrap_or_else(|| {
                    places.insert(thread_id.to_owned(), threads.len());
                    let at = view.valid_from;
                    threads.push((
                        order,
                        Thread { thread_id: thread_id.to_owned(), messages: 0, first_at: at, last_at: at },
                    ));
                    threads.len() - 1
                });
                if let Some((last, thread)) = threads.get_mut(place) {
                    *last = order;
                    thread.messages += 1;
                    thread.first_at = thread.first_at.min(view.valid_from);
                    thread.last_at = thread.last_at.max(view.valid_from);
                }
            }
            threads.sort_by_key(|(order, _)| std::cmp::Reverse(*order));
            Ok(threads.into_iter().map(|(_, thread)| thread).collect())
        })
    }

    /// Messages of a thread in the order of the conversation; empty when there is no such thread.
    ///
    /// # Errors
    /// `InvalidInput`, and those of reading.
    pub fn messages(&self, scope: &Scope, list: &MessageList) -> Result<Vec<StoredMessage>> {
        limits::limit(list.limit)?;
        let prefix = thread_prefix(thread(list.thread_id.as_deref())?);
        self.database.read(|store| {
            let views = store.by_key_prefix(scope, Kind::Message, &prefix);
            let skipped = match list.from {
                End::Oldest => list.offset,
                End::Newest => views.len().saturating_sub(list.offset.saturating_add(list.limit)),
            };
            let taken = match list.from {
                End::Oldest => list.limit,
                End::Newest => views.len().saturating_sub(list.offset).min(list.limit),
            };
            views.iter().skip(skipped).take(taken).map(|view| StoredMessage::of(view, scope)).collect()
        })
    }

    /// The messages of all threads, or of one, that fit a query best.
    ///
    /// # Errors
    /// `InvalidFilter`, `InvalidInput`, and those of reading.
    pub async fn search(&self, scope: &Scope, asked: &Asked) -> Result<Vec<Scored<StoredMessage>>> {
        search(&self.database, &self.models, scope, Kind::Message, asked, |view| {
            StoredMessage::of(view, scope)
        })
        .await
    }
}
