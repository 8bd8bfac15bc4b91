//! The handle: what is to be looked at, whose turn it is, and when all is done.

use super::activity::{Activity, Working};
use super::job::{Failures, Job, quiet};
use super::lane::{Lane, Next};
use crate::database::Database;
use crate::scope::Scope;
use crate::time::Timestamp;
use futures_util::future::AbortHandle;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// The background of a memory. Clones are handles to the same one.
#[derive(Clone)]
pub(crate) struct Scheduler {
    pub(super) inner: Rc<Inner>,
}

pub(super) struct Inner {
    pub(super) database: Database,
    pub(super) activity: Activity,
    /// What is done in every scope, and for the whole memory.
    pub(super) of_scopes: RefCell<Vec<Rc<dyn Job>>>,
    pub(super) of_memory: RefCell<Vec<Rc<dyn Job>>>,
    pub(super) lanes: RefCell<FxHashMap<Lane, State>>,
    /// Lanes to look at, in the order in which they were woken.
    pub(super) woken: RefCell<VecDeque<Lane>>,
    /// The loop, while it runs.
    pub(super) looking: RefCell<Option<AbortHandle>>,
    /// The one timer, and when it ends.
    pub(super) timer: RefCell<Option<(Timestamp, AbortHandle)>>,
    /// How many wait for everything that was gathered to be written.
    pub(super) draining: Cell<usize>,
    /// Whether scopes are worked on without being asked to.
    auto: bool,
    stopped: Cell<bool>,
}

/// The state of a lane.
#[derive(Default)]
pub(super) struct State {
    /// What is being done.
    pub(super) running: Option<AbortHandle>,
    /// The job of which a part is being done.
    pub(super) job: Option<&'static str>,
    /// When it is to be looked at again.
    pub(super) waits: Option<Timestamp>,
    /// What failed, by kind.
    pub(super) failures: Vec<(&'static str, Failures)>,
    /// Who has the turn.
    turn: Activity,
}

impl Scheduler {
    /// A schedule without jobs. Unless `auto`, jobs of scopes wait until a call does them.
    pub(crate) fn new(database: Database, auto: bool) -> Self {
        let inner = Inner {
            database,
            activity: Activity::default(),
            of_scopes: RefCell::default(),
            of_memory: RefCell::default(),
            lanes: RefCell::default(),
            woken: RefCell::default(),
            looking: RefCell::default(),
            timer: RefCell::default(),
            draining: Cell::default(),
            auto,
            stopped: Cell::default(),
        };
        Self { inner: Rc::new(inner) }
    }

    /// Takes on a job of scopes. In a scope, those taken on first come first.
    pub(crate) fn take_on(&self, job: Rc<dyn Job>) {
        self.inner.of_scopes.borrow_mut().push(job);
    }

    /// Takes on a job of the whole memory.
    pub(crate) fn take_on_once(&self, job: Rc<dyn Job>) {
        self.inner.of_memory.borrow_mut().push(job);
    }

    /// Looks at everything.
    pub(crate) fn wake_all(&self) {
        let kinds: Vec<_> = self.inner.of_memory.borrow().iter().map(|job| job.kind()).collect();
        kinds.into_iter().for_each(|kind| self.wake_kind(kind));
        let scopes = self.inner.database.read(|store| Ok(store.scopes().cloned().collect::<Vec<_>>()));
        scopes.unwrap_or_default().iter().for_each(|scope| self.wake(scope));
    }

    /// Looks at a scope, in which something may be due.
    pub(crate) fn wake(&self, scope: &Scope) {
        if self.inner.auto {
            self.wake_lane(Lane::Scope(scope.clone()));
        }
    }

    /// Looks at a job of the whole memory.
    pub(crate) fn wake_kind(&self, kind: &'static str) {
        self.wake_lane(Lane::Memory(kind));
    }

    /// Looks after what another engine stored in a scope, in case it is closed before it did what follows.
    pub(crate) fn look_after(&self, scope: &Scope, patience_ms: i64) {
        if self.inner.auto {
            self.look_after_lane(Lane::Scope(scope.clone()), patience_ms);
        }
    }

    /// The same of a job of the whole memory.
    pub(crate) fn look_after_kind(&self, kind: &'static str, patience_ms: i64) {
        self.look_after_lane(Lane::Memory(kind), patience_ms);
    }

    fn look_after_lane(&self, lane: Lane, patience_ms: i64) {
        let looks_anyway =
            self.of(&lane, |state| state.running.is_some()) || self.inner.woken.borrow().contains(&lane);
        if looks_anyway || self.is_stopped() {
            return;
        }
        let due = match self.next(&lane) {
            Ok(Next::Do(_)) => self.inner.database.now(),
            Ok(Next::Wait(time)) => time,
            Ok(Next::Rest) => return,
            Err(error) => return self.complain(error),
        };
        let time = due + patience_ms;
        let soonest = self.of(&lane, |state| state.waits).map_or(time, |known| known.min(time));
        self.wait(&lane, soonest);
        self.set_timer();
    }

    fn wake_lane(&self, lane: Lane) {
        // What runs looks again before it ends.
        if self.is_stopped() || self.of(&lane, |state| state.running.is_some()) {
            return;
        }
        {
            let mut woken = self.inner.woken.borrow_mut();
            if !woken.contains(&lane) {
                woken.push_back(lane);
            }
        }
        self.look();
    }

    /// Waits until nothing goes on now. What is due later and what failed do not keep it waiting; what only waits to be written
    /// together is written.
    pub(crate) async fn idle(&self) {
        let gathering: Vec<_> = {
            let jobs = self.inner.of_memory.borrow();
            jobs.iter().filter(|job| job.gathers()).map(|job| job.kind()).collect()
        };
        self.inner.draining.set(self.inner.draining.get() + 1);
        gathering.into_iter().for_each(|kind| self.wake_kind(kind));
        let _draining = Draining(&self.inner.draining);
        self.inner.activity.idle().await;
    }

    /// Marks work that [`idle`](Self::idle) waits for.
    pub(crate) fn busy(&self) -> Working {
        self.inner.activity.begin()
    }

    /// Waits for one's turn in a scope; it ends when the answer is dropped.
    pub(crate) async fn turn(&self, scope: &Scope) -> Working {
        let turn = self.of(&Lane::Scope(scope.clone()), |state| state.turn.clone());
        turn.idle().await;
        turn.begin()
    }

    /// Stops what goes on, whose calls of models are aborted, and the waiting for what is due later; what was gathered goes to the
    /// writer. Nothing is started any more.
    pub(crate) fn stop(&self) {
        if self.inner.stopped.replace(true) {
            return;
        }
        let inner = &self.inner;
        let timer = inner.timer.take().map(|(_, timer)| timer);
        let running = inner
            .lanes
            .borrow_mut()
            .values_mut()
            .filter_map(|state| state.running.take())
            .collect::<Vec<_>>();
        running.into_iter().chain(inner.looking.take()).chain(timer).for_each(|work| work.abort());
        inner.woken.take();
        // They hold handles to this.
        for job in inner.of_memory.take().into_iter().chain(inner.of_scopes.take()) {
            job.last();
        }
    }

    /// Drops what failures may quote of what was forgotten in a scope.
    pub(crate) fn forgot(&self, scope: &Scope) {
        for (lane, state) in self.inner.lanes.borrow_mut().iter_mut() {
            if lane.scope().is_none_or(|own| own == scope) {
                state.failures.iter_mut().for_each(|(_, failures)| failures.error = quiet(&failures.error));
            }
        }
    }

    /// Reads or changes the state of a lane.
    pub(super) fn of<T>(&self, lane: &Lane, change: impl FnOnce(&mut State) -> T) -> T {
        let mut lanes = self.inner.lanes.borrow_mut();
        if let Some(state) = lanes.get_mut(lane) {
            return change(state);
        }
        change(lanes.entry(lane.clone()).or_default())
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.inner.stopped.get()
    }
}

/// Counts one caller of `idle` until it is dropped.
struct Draining<'a>(&'a Cell<usize>);

impl Drop for Draining<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}
