//! The loop, and the lanes it starts: in each, one part of one job at a time.

use super::job::{Failures, Job, pause_ms};
use super::scheduler::Scheduler;
use crate::database::Event;
use crate::error::{Code, Error, Result};
use crate::ports::Pending;
use crate::scope::Scope;
use crate::time::Timestamp;
use futures_util::future::abortable;
use std::rc::Rc;

/// The longest that one timer waits; a longer time takes several.
const LONGEST_WAIT_MS: i64 = 3_600_000;
/// How long what the application writes goes before the background.
const PATIENCE_MS: i64 = 200;
/// How long what is read first goes before what makes a large memory whole.
const PARTIAL_MS: u32 = 100;

/// Jobs that are done one after the other: those of a scope, or one of the whole memory.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Lane {
    Scope(Scope),
    Memory(&'static str),
}

impl Lane {
    pub(super) fn scope(&self) -> Option<&Scope> {
        match self {
            Self::Scope(scope) => Some(scope),
            Self::Memory(_) => None,
        }
    }
}

/// What a lane is to do next.
pub(super) enum Next {
    /// A part of this, now.
    Do(Rc<dyn Job>),
    /// Wait until then.
    Wait(Timestamp),
    /// Nothing: nothing waits.
    Rest,
}

impl Scheduler {
    /// Starts the loop if it rests.
    pub(super) fn look(&self) {
        if self.inner.looking.borrow().is_some() {
            return;
        }
        let this = self.clone();
        let working = self.busy();
        let (work, handle) = abortable(async move {
            loop {
                this.quiet().await;
                // Work goes by what a search finds.
                if this.inner.database.is_partial() {
                    this.inner.database.platform().sleep(PARTIAL_MS).await;
                }
                if let Err(error) = this.inner.database.indexed().await {
                    this.complain(error);
                    break;
                }
                let lane = this.inner.woken.borrow_mut().pop_front();
                let Some(lane) = lane else { break };
                this.of(&lane, |state| state.waits = None);
                match this.next(&lane) {
                    Ok(Next::Do(_)) => this.start(lane),
                    Ok(Next::Wait(time)) => this.wait(&lane, time),
                    Ok(Next::Rest) => {}
                    Err(error) => this.complain(error),
                }
            }
            this.inner.looking.take();
            this.set_timer();
            drop(working);
        });
        *self.inner.looking.borrow_mut() = Some(handle);
        self.spawn(Box::pin(async move { work.await.unwrap_or_default() }));
    }

    /// Starts a lane.
    fn start(&self, lane: Lane) {
        if self.of(&lane, |state| state.running.is_some()) {
            return;
        }
        let (this, own) = (self.clone(), lane.clone());
        let working = self.busy();
        let (work, handle) = abortable(async move {
            this.run(&own).await;
            this.of(&own, |state| (state.running, state.job) = (None, None));
            this.set_timer();
            drop(working);
        });
        self.of(&lane, |state| state.running = Some(handle));
        // Aborted work has nothing to say: what is due is read from the store.
        self.spawn(Box::pin(async move { work.await.unwrap_or_default() }));
    }

    async fn run(&self, lane: &Lane) {
        loop {
            // Calls that learn in a scope take turns with its jobs, and may do what was due here.
            let turn = match lane.scope() {
                Some(scope) => Some(self.turn(scope).await),
                None => None,
            };
            match self.next(lane) {
                Ok(Next::Do(job)) => {
                    self.of(lane, |state| state.job = Some(job.kind()));
                    let outcome = job.step(lane.scope()).await;
                    self.of(lane, |state| state.job = None);
                    if self.settle(lane, job.kind(), outcome) {
                        return;
                    }
                }
                Ok(Next::Wait(time)) => return self.wait(lane, time),
                Ok(Next::Rest) => return,
                Err(error) => return self.complain(error),
            }
            drop(turn);
            self.quiet().await;
        }
    }

    /// Notes how a step ended; answers whether the memory is closed.
    fn settle(&self, lane: &Lane, kind: &'static str, outcome: Result<bool>) -> bool {
        match outcome {
            Ok(true) => self.of(lane, |state| state.failures.retain(|(failed, _)| *failed != kind)),
            Ok(false) => {}
            Err(error) if error.code == Code::Closed => return true,
            Err(error) => {
                let now = self.inner.database.now();
                self.of(lane, |state| {
                    let place = state.failures.iter().position(|(failed, _)| *failed == kind);
                    let former = place.map(|place| state.failures.swap_remove(place).1);
                    let count = former.map_or(0, |former| former.count).saturating_add(1);
                    let retry_at = now + pause_ms(count);
                    state
                        .failures
                        .push((kind, Failures { thread_id: None, count, error: error.clone(), retry_at }));
                });
                self.inner.database.tell(&Event::Error(error));
            }
        }
        false
    }

    /// What a lane is to do next: of what is due the job that was taken on first.
    pub(super) fn next(&self, lane: &Lane) -> Result<Next> {
        let now = self.inner.database.now();
        let jobs = self.jobs(lane);
        self.inner.database.read(|store| {
            let mut soonest: Option<Timestamp> = None;
            for job in jobs {
                let Some(due) = job.due(store, lane.scope(), now)? else { continue };
                let due = self.failed(lane, job.kind()).map_or(due, |failed| due.max(failed.retry_at));
                if due <= now || (job.gathers() && self.inner.draining.get() > 0) {
                    return Ok(Next::Do(job));
                }
                soonest = Some(soonest.map_or(due, |soonest| soonest.min(due)));
            }
            Ok(soonest.map_or(Next::Rest, Next::Wait))
        })
    }

    pub(super) fn jobs(&self, lane: &Lane) -> Vec<Rc<dyn Job>> {
        match lane {
            Lane::Scope(_) => self.inner.of_scopes.borrow().clone(),
            Lane::Memory(kind) => {
                let jobs = self.inner.of_memory.borrow();
                jobs.iter().filter(|job| job.kind() == *kind).cloned().collect()
            }
        }
    }

    /// Waits until the application has written nothing while the page could breathe, for a while at most: work in the background
    /// must not make a call wait that follows at once.
    async fn quiet(&self) {
        let database = &self.inner.database;
        let end = database.now() + PATIENCE_MS;
        loop {
            let before = database.sequence();
            database.platform().yield_now().await;
            let is_quiet = !database.is_writing() && database.sequence() == before;
            if is_quiet || database.now() >= end {
                return;
            }
            database.rest().await;
        }
    }

    /// How a job failed in a lane, if it did.
    pub(super) fn failed(&self, lane: &Lane, kind: &str) -> Option<Failures> {
        let lanes = self.inner.lanes.borrow();
        let failures = &lanes.get(lane)?.failures;
        failures.iter().find(|(failed, _)| *failed == kind).map(|(_, failures)| failures.clone())
    }

    pub(super) fn wait(&self, lane: &Lane, time: Timestamp) {
        self.of(lane, |state| state.waits = Some(time));
    }

    /// Sets the timer to the next time a lane waits for. A clock that was set back meanwhile makes it wait again.
    pub(super) fn set_timer(&self) {
        let soonest = self.inner.lanes.borrow().values().filter_map(|state| state.waits).min();
        let Some(soonest) = soonest.filter(|_| !self.is_stopped()) else { return };
        let mut timer = self.inner.timer.borrow_mut();
        if timer.as_ref().is_some_and(|(time, _)| *time == soonest) {
            return;
        }
        let platform = self.inner.database.platform();
        let wait = (soonest - self.inner.database.now()).clamp(1, LONGEST_WAIT_MS);
        let (sleep, handle) = abortable(platform.sleep(u32::try_from(wait).unwrap_or(u32::MAX)));
        if let Some((_, former)) = timer.replace((soonest, handle)) {
            former.abort();
        }
        let this = self.clone();
        self.spawn(Box::pin(async move {
            if sleep.await.is_ok() {
                this.inner.timer.take();
                this.wake_due();
            }
        }));
    }

    fn wake_due(&self) {
        let now = self.inner.database.now();
        let due: Vec<Lane> = {
            let lanes = self.inner.lanes.borrow();
            let due = lanes.iter().filter(|(_, state)| state.waits.is_some_and(|time| time <= now));
            due.map(|(lane, _)| lane.clone()).collect()
        };
        self.inner.woken.borrow_mut().extend(due);
        self.look();
    }

    pub(super) fn complain(&self, error: Error) {
        if error.code != Code::Closed {
            self.inner.database.tell(&Event::Error(error));
        }
    }

    fn spawn(&self, work: Pending<'static, ()>) {
        self.inner.database.platform().spawn(work);
    }
}
