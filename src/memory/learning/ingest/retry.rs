//! Trying again: each batch that failed waits for itself, so that other threads go on.

use super::queue::Ingest;
use crate::error::Error;
use crate::id::Id;
use crate::memory::extract::Batch;
use crate::memory::schedule::{Failures, pause_ms, quiet};
use crate::scope::Scope;
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
        let mut failed = self.inner.failed.borrow_mut();
        failed.retain(|task, _| batch.tasks.iter().all(|(done, _)| done != task));
        for failed in failed.values_mut().filter(|failed| failed.scope == batch.scope) {
            failed.retry_at = 0;
        }
    }

    /// Notes that a batch failed; the answer is when it is tried again.
    pub(super) fn postpone(&self, batch: &Batch, error: &Error) -> Timestamp {
        let now = self.inner.database.now();
        let mut retry_at = now;
        let mut failed = self.inner.failed.borrow_mut();
        for (task, _) in &batch.tasks {
            let attempts = failed.get(task).map_or(0, |failed| failed.attempts) + 1;
            retry_at = now + pause_ms(attempts);
            let (scope, thread_id) = (batch.scope.clone(), batch.thread_id.clone());
            failed.insert(*task, Failed { scope, thread_id, attempts, retry_at, error: error.clone() });
        }
        retry_at
    }

    /// How often it was tried to carry out a task.
    pub(super) fn attempts(&self, task: Id) -> u32 {
        self.inner.failed.borrow().get(&task).map_or(0, |failed| failed.attempts)
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
