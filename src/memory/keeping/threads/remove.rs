//! Taking messages out of a thread, and whole threads.

use super::Threads;
use super::eviction;
use super::forget::{Change, forget, forget_above};
use super::summary::thread_key;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::memory::action::Action;
use crate::memory::changes::Planning;
use crate::memory::limits::invalid;
use crate::memory::message::{MAX_MESSAGES, key, thread, thread_of, thread_prefix};
use crate::memory::pages::forget_pages;
use crate::memory::task::Task;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use serde::{Deserialize, Serialize};

/// How many messages one commit removes.
const PER_COMMIT: usize = 10_000;

/// Which messages to remove.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Remove {
    /// Their thread.
    pub thread_id: String,
    /// Their ids in the memory or the application's own; 1 to 500.
    pub ids: Vec<String>,
}

/// Which thread to remove.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemoveAll {
    /// The thread.
    pub thread_id: String,
}

/// What was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Removed {
    /// How many messages; 0 when there was no such thread.
    pub removed: usize,
    /// The commits that did it, for undoing them, the last one first; none when there was no such thread.
    pub commit_ids: Vec<Id>,
}

impl Threads {
    /// Removes messages of a thread, all or none. A summary that they are in is emptied with them, and made anew in the
    /// background. What was learned from them stays.
    ///
    /// # Errors
    /// `NotFound` when one is not in the thread, `InvalidInput`, and those of storing.
    pub async fn remove(&self, scope: &Scope, remove: &Remove) -> Result<Vec<Action>> {
        let thread_id = thread(Some(&remove.thread_id))?;
        if remove.ids.is_empty() || remove.ids.len() > MAX_MESSAGES {
            return Err(invalid(format!(
                "ids has {} items; 1 to {MAX_MESSAGES} are allowed in one call",
                remove.ids.len()
            )));
        }
        self.models.turn().await;
        let plan = &mut |planning: &mut Planning<'_>| {
            let mut removed: Vec<Id> = Vec::new();
            for id in &remove.ids {
                let view = find(planning.store, scope, thread_id, id).ok_or_else(|| {
                    let message =
                        format!("the thread {thread_id:?} has no message {id:?}; nothing was removed");
                    Error::new(Code::NotFound, message).with("id", id.as_str())
                })?;
                if !removed.contains(&view.id) {
                    removed.push(view.id);
                    planning.end(&view);
                }
            }
            forget(planning.store, thread_id, &removed, Change::Removed, &mut planning.draft)?;
            forget_pages(planning.store, &mut planning.draft, planning.now)
        };
        let mut actions = self.changes.run(scope, Cause::User, plan).await?.actions;
        actions.retain(|action| action.kind == Kind::Message);
        Ok(actions)
    }

    /// Removes a thread: its messages, its summaries, and what still waits to be learned from it. What was learned stays. A very
    /// long thread is removed in several commits, its summaries first.
    ///
    /// # Errors
    /// `InvalidInput`, and those of storing.
    pub async fn remove_all(&self, scope: &Scope, remove: &RemoveAll) -> Result<Removed> {
        let thread_id = thread(Some(&remove.thread_id))?;
        self.models.turn().await;
        let (mut removed, mut commit_ids) = (0, Vec::new());
        loop {
            let mut messages = 0;
            // When somebody spoke or learned meanwhile, that goes as well.
            let plan = &mut |planning: &mut Planning<'_>| {
                messages = whole_thread(planning.store, thread_id, &mut planning.draft)?;
                forget_pages(planning.store, &mut planning.draft, planning.now)
            };
            let Some(commit_id) = self.changes.run(scope, Cause::User, plan).await?.commit_id else {
                return Ok(Removed { removed, commit_ids });
            };
            removed += messages;
            commit_ids.insert(0, commit_id);
        }
    }
}

/// A message of a thread, by its id in the memory or the application's.
fn find<'a>(store: &'a Store, scope: &Scope, thread_id: &str, id: &str) -> Option<RecordView<'a>> {
    let own = store.by_key(scope, Kind::Message, &key(thread_id, id));
    own.or_else(|| {
        let view = store.get(scope, Id::parse(id).ok()?)?;
        let is_here = view.kind == Kind::Message && thread_of(view.key.unwrap_or_default()) == thread_id;
        Some(view).filter(|_| is_here)
    })
}

/// Drafts the end of a thread, or of as much of it as goes into one commit; answers how many messages that are.
fn whole_thread(store: &Store, thread_id: &str, draft: &mut Draft) -> Result<usize> {
    let scope = &draft.scope.clone();
    for key in [thread_key(thread_id), eviction::key(thread_id)] {
        if let Some(view) = store.by_key(scope, Kind::Summary, &key) {
            forget_above(store, &[view.id], draft)?;
            draft.delete(view.id, Expect::Revision(view.revision));
        }
    }
    for view in store.records(scope, Kind::Task) {
        if Task::of(&view)?.value.thread_id == thread_id {
            draft.delete(view.id, Expect::Revision(view.revision));
        }
    }
    let messages = store.by_key_prefix(scope, Kind::Message, &thread_prefix(thread_id));
    for view in messages.iter().take(PER_COMMIT) {
        draft.delete(view.id, Expect::Revision(view.revision));
    }
    Ok(messages.len().min(PER_COMMIT))
}
