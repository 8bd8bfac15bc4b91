//! What waits, runs and failed, as an application lists it.

use super::job::{Failures, Job};
use super::lane::Lane;
use super::scheduler::Scheduler;
use crate::error::{Error, Result};
use crate::scope::Scope;
use crate::store::Store;
use crate::time::Timestamp;
use serde::Serialize;

/// The state of one kind of background work.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobState {
    /// What it is: `learning`, `tiers`, `summaries`, `embedding`, `expiry`, `accesses` or `visits`.
    pub kind: &'static str,
    /// Whose memory; none for what is done for the whole memory at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// How much waits: tasks, texts, accesses; 1 where it is not counted.
    pub waiting: usize,
    /// Whether it is due now.
    pub due: bool,
    /// Whether it is being done.
    pub running: bool,
    /// When it is due next, or is tried again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_at: Option<Timestamp>,
    /// How often it failed in a row.
    pub failures: u32,
    /// What went wrong last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Error>,
}

/// Background work that failed and will be tried again.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailedJob {
    /// What it is; as in [`JobState`].
    pub kind: &'static str,
    /// Whose memory; none for what is done for the whole memory at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// Of which thread, for what is learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// How often it failed in a row.
    pub attempts: u32,
    /// When it is tried again.
    pub retry_at: Timestamp,
    /// What went wrong last.
    pub error: Error,
}

/// The state of a job, and how it failed.
type Listed = (JobState, Vec<Failures>);

impl Scheduler {
    /// What waits or runs in the background: first what is done for the whole memory, then by scope. Idle jobs are left out.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn list(&self) -> Result<Vec<JobState>> {
        Ok(self.listed()?.into_iter().map(|(state, _)| state).collect())
    }

    /// What of it failed, in the same order.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn failed_jobs(&self) -> Result<Vec<FailedJob>> {
        let mut failed = Vec::new();
        for (state, failures) in self.listed()? {
            for one in failures {
                failed.push(FailedJob {
                    kind: state.kind,
                    scope: state.scope.clone(),
                    thread_id: one.thread_id,
                    attempts: one.count,
                    retry_at: one.retry_at,
                    error: one.error,
                });
            }
        }
        Ok(failed)
    }

    fn listed(&self) -> Result<Vec<Listed>> {
        let now = self.inner.database.now();
        self.inner.database.read(|store| {
            let mut states = Vec::new();
            let kinds: Vec<_> = self.inner.of_memory.borrow().iter().map(|job| job.kind()).collect();
            let lanes = kinds.into_iter().map(Lane::Memory);
            for lane in lanes.chain(store.scopes().cloned().map(Lane::Scope)) {
                for job in self.jobs(&lane) {
                    states.extend(self.state(store, &lane, &*job, now)?);
                }
            }
            Ok(states)
        })
    }

    /// The state of a job in a lane; `None` when it rests.
    fn state(&self, store: &Store, lane: &Lane, job: &dyn Job, now: Timestamp) -> Result<Option<Listed>> {
        let scope = lane.scope();
        let waiting = job.waiting(store, scope, now)?;
        let due = job.due(store, scope, now)?;
        let running = self.inner.lanes.borrow().get(lane).is_some_and(|state| state.job == Some(job.kind()));
        if waiting == 0 && due.is_none() {
            return Ok(None);
        }
        let kept = self.failed(lane, job.kind());
        // A job that keeps its failures itself knows of them when it says what is due.
        let retry_at = kept.as_ref().map(|failed| failed.retry_at);
        let mut failures = job.failures(scope);
        if failures.is_empty() {
            failures.extend(kept);
        }
        let worst = failures.iter().max_by_key(|failed| failed.count);
        let next_at = due.map(|due| retry_at.map_or(due, |retry_at| due.max(retry_at)));
        let state = JobState {
            kind: job.kind(),
            scope: scope.cloned(),
            waiting,
            due: next_at.is_some_and(|time| time <= now),
            running,
            // What is due at once has no time of its own.
            next_at: next_at.filter(|time| *time > now),
            failures: worst.map_or(0, |failed| failed.count),
            error: worst.map(|failed| failed.error.clone()),
        };
        Ok(Some((state, failures)))
    }
}
