//! Taking messages out of a thread, and whole threads.

use super::summary::{SummaryValue, context_key, thread_key};
use super::{Level, Threads};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::memory::action::{Action, commit, retried};
use crate::memory::context::emptied;
use crate::memory::facts::json;
use crate::memory::limits::invalid;
use crate::memory::message::{MAX_MESSAGES, key, thread, thread_of, thread_prefix};
use crate::memory::task::Task;
use crate::memory::tiers::forget as forget_pages;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// How many messages; 0 when there was no such thread.
    pub removed: usize,
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
        retried(|| async {
            let draft = self.database.read(|store| {
                let mut draft = Draft::new(scope, Cause::User);
                let mut removed: Vec<Id> = Vec::new();
                for id in &remove.ids {
                    let view = find(store, scope, thread_id, id).ok_or_else(|| {
                        let message =
                            format!("the thread {thread_id:?} has no message {id:?}; nothing was removed");
                        Error::new(Code::NotFound, message).with("id", id.as_str())
                    })?;
                    if !removed.contains(&view.id) {
                        removed.push(view.id);
                        draft.delete(view.id, Expect::Revision(view.revision));
                    }
                }
                empty(store, scope, thread_id, &removed, &mut draft)?;
                if let Some(record) = emptied(store, scope, thread_id, &removed)? {
                    let expect = Expect::Revision(record.revision);
                    draft.put(record, expect, None);
                }
                forget_pages(store, &mut draft, self.database.now())?;
                Ok(draft)
            })?;
            let mut actions = commit(&self.database, draft).await?;
            actions.retain(|action| action.kind == Kind::Message);
            Ok(actions)
        })
        .await
    }

    /// Removes a thread: its messages, its summaries, and what still waits to be learned from it. What was learned stays. A very
    /// long thread is removed in several commits, its summaries first.
    ///
    /// # Errors
    /// `InvalidInput`, and those of storing.
    pub async fn remove_all(&self, scope: &Scope, remove: &RemoveAll) -> Result<Removed> {
        let thread_id = thread(Some(&remove.thread_id))?;
        let mut removed = 0;
        loop {
            let (draft, messages) = self.database.read(|store| {
                let (mut draft, messages) = whole_thread(store, scope, thread_id)?;
                forget_pages(store, &mut draft, self.database.now())?;
                Ok((draft, messages))
            })?;
            if draft.changes.is_empty() {
                return Ok(Removed { removed });
            }
            match commit(&self.database, draft).await {
                Ok(_) => removed += messages,
                // Somebody spoke or learned meanwhile: that goes as well.
                Err(error) if error.code == Code::Conflict => {}
                Err(error) => return Err(error),
            }
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

/// The draft that removes a thread, or as much of it as goes into one commit, and how many messages that are.
fn whole_thread(store: &Store, scope: &Scope, thread_id: &str) -> Result<(Draft, usize)> {
    let mut draft = Draft::new(scope, Cause::User);
    for key in [thread_key(thread_id), context_key(thread_id)] {
        if let Some(view) = store.by_key(scope, Kind::Summary, &key) {
            forget(store, scope, view.id, &mut draft)?;
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
    Ok((draft, messages.len().min(PER_COMMIT)))
}

/// Empties the summary of a thread when one of the messages is in it.
fn empty(store: &Store, scope: &Scope, thread_id: &str, removed: &[Id], draft: &mut Draft) -> Result<()> {
    let Some(view) = store.by_key(scope, Kind::Summary, &thread_key(thread_id)) else { return Ok(()) };
    let mut value: SummaryValue = view.content()?;
    let messages = store.by_key_prefix(scope, Kind::Message, &thread_prefix(thread_id));
    let covered = messages.iter().take(value.covered(&messages));
    let inside = covered.filter(|message| removed.contains(&message.id)).count();
    if inside == 0 {
        return Ok(());
    }
    forget(store, scope, view.id, draft)?;
    value.messages = value.messages.saturating_sub(inside);
    value.up_to = None;
    let mut record = view.to_record(scope)?;
    (record.text, record.value) = (None, json(&value)?);
    record.provenance.clear();
    draft.put(record, Expect::Revision(view.revision), None);
    Ok(())
}

/// Empties the summaries of weeks and months that tell of the summary of a thread.
fn forget(store: &Store, scope: &Scope, id: Id, draft: &mut Draft) -> Result<()> {
    let mut gone = vec![id];
    for level in [Level::Week, Level::Month] {
        for view in store.by_key_prefix(scope, Kind::Summary, level.prefix()) {
            let mut value: SummaryValue = view.content()?;
            let before = value.children.len();
            value.children.retain(|(child, _)| !gone.contains(child));
            if value.children.len() < before {
                gone.push(view.id);
                let mut record = view.to_record(scope)?;
                (record.text, record.value) = (None, json(&value)?);
                record.provenance.clear();
                draft.put(record, Expect::Revision(view.revision), None);
            }
        }
    }
    Ok(())
}
