//! Trying again: each batch that failed waits for itself, so that other threads go on.

use super::queue::Ingest;
use crate::database::Event;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::Cause;
use crate::memory::extract::{ATTEMPTS, Batch};
use crate::memory::schedule::{Failures, pause_ms, quiet};
use crate::memory::task::{Task, Tried};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;

/// An extraction that failed and will be tried again.
pub(super) struct Failed {
    /// Whose messages.
    pub(super) scope: Scope,
    /// Of which thread.
    thread_id: String,
    /// How often it was tried.
    attempts: u32,
    /// When it is tried again.
    pub(super) retry_at: Timestamp,
    /// What went wrong last.
    error: Error,
}

impl Ingest {
    /// Notes that a batch was learned from: the model works, so whatever else of the scope failed before is due again.
    pub(super) fn succeeded(&self, batch: &Batch) {
        // It matters only to what was tried in earlier openings.
        let has_tried = |store: &Store| {
            let mut tasks = store.records(&batch.scope, Kind::Task);
            tasks.any(|view| Task::of(&view).is_ok_and(|task| task.value.tried.is_some()))
        };
        if self.inner.database.read(|store| Ok(has_tried(store))).unwrap_or_default() {
            self.inner.works.borrow_mut().insert(batch.scope.clone());
        }
        let mut failed = self.inner.failed.borrow_mut();
        failed.retain(|task, _| batch.tasks.iter().all(|(done, _)| done != task));
        for failed in failed.values_mut().filter(|failed| failed.scope == batch.scope) {
            failed.retry_at = 0;
        }
    }

    /// Notes that a batch failed, also for later openings; the answer is when it is tried again.
    pub(super) async fn postpone(&self, batch: &Batch, error: &Error) -> Timestamp {
        let database = &self.inner.database;
        self.inner.works.borrow_mut().remove(&batch.scope);
        let mut retry_at = database.now();
        let noted = match database.read(|store| self.tried(store, batch, error, &mut retry_at)) {
            Ok(draft) if draft.changes.is_empty() => Ok(()),
            Ok(draft) => database.commit(draft).await.map(drop),
            Err(error) => Err(error),
        };
        match noted {
            // Somebody else has carried out or changed a task meanwhile. What a memory has no room for is told whoever stores something.
            Err(error) if matches!(error.code, Code::Closed | Code::Conflict | Code::NotFound) => {}
            Err(error) if error.details.contains_key("maxMemoryBytes") => {}
            Err(error) => database.tell(&Event::Error(error)),
            Ok(()) => {}
        }
        retry_at
    }

    /// Counts a failure of a batch for each of its tasks: what is to be stored of it.
    fn tried(&self, store: &Store, batch: &Batch, error: &Error, retry_at: &mut Timestamp) -> Result<Draft> {
        let now = self.inner.database.now();
        let mut draft = Draft::new(&batch.scope, Cause::Access);
        for (id, _) in &batch.tasks {
            let Some(view) = store.get(&batch.scope, *id) else { continue };
            let Task { revision, mut value, .. } = Task::of(&view)?;
            let attempts = self.attempts(*id, value.tried).saturating_add(1);
            *retry_at = now + pause_ms(attempts);
            value.tried = Some(Tried { attempts, retry_at: *retry_at });
            let (scope, thread_id) = (batch.scope.clone(), batch.thread_id.clone());
            let failed = Failed { scope, thread_id, attempts, retry_at: *retry_at, error: error.clone() };
            self.inner.failed.borrow_mut().insert(*id, failed);
            let mut record = view.to_record(&batch.scope)?;
            record.value = to_value(&value)?;
            draft.put(record, Expect::Revision(revision), None);
        }
        Ok(draft)
    }

    /// How often it was tried to carry out a task: as is stored with it or, where that failed, as this opening knows.
    pub(super) fn attempts(&self, task: Id, tried: Option<Tried>) -> u32 {
        let known = self.inner.failed.borrow().get(&task).map_or(0, |failed| failed.attempts);
        tried.map_or(0, |tried| tried.attempts).max(known)
    }

    /// When a task of a scope is tried again that failed before; `None` for one that did not. What failed in an earlier opening is tried at
    /// once, since much may have changed. What was tried so often that it may be refused waits, unless the model works: it would be asked
    /// about at each opening.
    pub(super) fn retry_at(&self, scope: &Scope, task: &Task) -> Option<Timestamp> {
        if let Some(failed) = self.inner.failed.borrow().get(&task.id) {
            return Some(failed.retry_at);
        }
        let tried = task.value.tried?;
        let waits = tried.attempts > ATTEMPTS && !self.inner.works.borrow().contains(scope);
        // A clock that was ahead when it was stored does not put it off for ever.
        let latest = self.inner.database.now() + pause_ms(tried.attempts);
        Some(if waits { tried.retry_at.min(latest) } else { 0 })
    }

    /// Drops what failures may quote of what was forgotten in a scope.
    pub(crate) fn forgot(&self, scope: &Scope) {
        let failed = &mut *self.inner.failed.borrow_mut();
        for failed in failed.values_mut().filter(|failed| failed.scope == *scope) {
            failed.error = quiet(&failed.error);
        }
    }

    /// The failures in a scope: of each thread that of the batch that failed most often.
    pub(super) fn failures_in(&self, scope: &Scope) -> Vec<Failures> {
        let failed = self.inner.failed.borrow();
        let mut failures: Vec<Failures> = Vec::new();
        for failed in failed.values().filter(|failed| failed.scope == *scope) {
            let one = Failures {
                thread_id: Some(failed.thread_id.clone()),
                count: failed.attempts,
                error: failed.error.clone(),
                retry_at: failed.retry_at,
            };
            let place = failures.iter().position(|known| known.thread_id >= one.thread_id);
            match place.and_then(|place| failures.get_mut(place)) {
                Some(known) if known.thread_id == one.thread_id => {
                    if known.count < one.count {
                        *known = one;
                    }
                }
                _ => failures.insert(place.unwrap_or(failures.len()), one),
            }
        }
        failures
    }
}
