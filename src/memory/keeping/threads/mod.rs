//! Threads: the conversations of a scope.

mod check;
mod eviction;
mod forget;
mod level;
mod options;
mod remove;
mod summarise;
mod summary;
mod tools;
mod trim;
mod window;
mod worker;

pub(crate) use eviction::{Mark, evict, evicted};
pub(crate) use forget::{Change, forget, forget_all, forget_changed};
pub use level::Level;
pub use options::{Method, SummaryOptions};
pub use remove::{Remove, RemoveAll, Removed};
pub use summarise::Summarise;
pub(crate) use summarise::{ANSWER_TOKENS, Asking, Until};
pub(crate) use summary::{Summarised, SummaryValue, parts_of, summary_keys};
pub use summary::{Summary, SummaryList};
pub use trim::{Strategy, Trim, Trimmed};
pub use window::{Window, WindowOptions};
pub(crate) use worker::Summariser;

use crate::database::Database;
use crate::error::Result;
use crate::log::RecordView;
use crate::memory::changes::Changes;
use crate::memory::limits;
use crate::memory::message::{StoredMessage, thread, thread_of, thread_prefix};
use crate::memory::models::Models;
use crate::memory::prompts::Prompts;
use crate::memory::schedule::Activity;
use crate::memory::search::{Asked, Scored, Searcher};
use crate::ordered::Ordered;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
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
    #[serde(default = "hundred", deserialize_with = "limits::limit")]
    pub limit: usize,
    /// How many to skip; 0 by default.
    #[serde(default)]
    pub offset: usize,
    /// Which come first, and from which end `limit` and `offset` count; `asc` by default.
    #[serde(default)]
    pub order: Order,
}

/// An order of messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As they were said.
    #[default]
    Asc,
    /// The newest first.
    Desc,
}

fn hundred() -> usize {
    100
}

/// The threads of every scope.
#[derive(Clone)]
pub struct Threads {
    database: Database,
    models: Rc<Models>,
    changes: Changes,
    searcher: Searcher,
    prompts: Rc<Prompts>,
    options: Rc<SummaryOptions>,
    /// Who makes a summary: one at a time, so that none is made twice.
    turn: Activity,
}

impl Threads {
    pub(crate) fn new(searcher: Searcher, prompts: Rc<Prompts>, options: SummaryOptions) -> Result<Self> {
        options.check()?;
        Ok(Self {
            changes: Changes::new(&searcher.database, &searcher.models),
            database: searcher.database.clone(),
            models: searcher.models.clone(),
            searcher,
            prompts,
            options: Rc::new(options),
            turn: Activity::default(),
        })
    }

    /// The threads, the one spoken in last first; empty when nothing was remembered yet.
    ///
    /// # Errors
    /// Those of reading.
    pub fn list(&self, scope: &Scope) -> Result<Vec<Thread>> {
        self.database.read(|store| {
            let mut places: Ordered<String, usize> = Ordered::new();
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
            let last_first = sorted(&threads, |(a, _), (b, _)| b.cmp(a));
            Ok(last_first.into_iter().map(|(_, thread)| thread.clone()).collect())
        })
    }

    /// Messages of a thread as they were handed over; empty when there is no such thread. What of them is withheld is told here
    /// alone.
    ///
    /// # Errors
    /// `InvalidInput`, and those of reading.
    pub fn messages(&self, scope: &Scope, list: &MessageList) -> Result<Vec<StoredMessage>> {
        let prefix = thread_prefix(thread(list.thread_id.as_deref())?);
        self.database.read(|store| {
            let views = store.by_key_prefix(scope, Kind::Message, &prefix);
            let wanted = |views: &mut dyn Iterator<Item = &RecordView<'_>>| {
                views.skip(list.offset).take(list.limit).map(StoredMessage::whole).collect()
            };
            match list.order {
                Order::Asc => wanted(&mut views.iter()),
                Order::Desc => wanted(&mut views.iter().rev()),
            }
        })
    }

    /// The messages of all threads, or of one, that fit a query best.
    ///
    /// # Errors
    /// `InvalidFilter`, `InvalidInput`, and those of reading.
    pub async fn search(&self, scope: &Scope, asked: &Asked) -> Result<Vec<Scored<StoredMessage>>> {
        self.searcher.search(scope, Kind::Message, asked, |_, view| StoredMessage::of(view)).await
    }
}
