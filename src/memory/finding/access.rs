//! Remembering what was recalled or found, for the recency of later answers.

use crate::database::{Committed, Database, Event};
use crate::error::Result;
use crate::id::Id;
use crate::log::{Cause, RecordView};
use crate::memory::schedule::{Job, Scheduler};
use crate::ports::Pending;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Change, Draft, Store};
use crate::time::Timestamp;
use futures_channel::oneshot;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How long after its last access another one of the same record is not noted: recency counts in hours.
const NOTED_EVERY_MS: Timestamp = 3_600_000;
/// How long accesses wait for others, to be written together.
const PAUSE_MS: Timestamp = 2000;
/// The name of the job that writes them.
const KIND: &str = "accesses";
/// The most accesses of one commit.
const BATCH: usize = 1000;

/// Accesses on their way into the store. They are written in the background: nobody waits for them, and what a crash takes of
/// them only makes some records seem a little older. Clones are handles to the same ones.
#[derive(Clone)]
pub(crate) struct Accesses {
    inner: Rc<Inner>,
}

struct Inner {
    database: Database,
    scheduler: Scheduler,
    waiting: RefCell<FxHashMap<Id, (Scope, Timestamp)>>,
    /// When the first of them came.
    since: Cell<Timestamp>,
}

impl Accesses {
    pub(crate) fn new(database: Database, scheduler: Scheduler) -> Self {
        let (waiting, since) = (RefCell::default(), Cell::default());
        Self { inner: Rc::new(Inner { database, scheduler, waiting, since }) }
    }

    /// Notes that records of a scope were accessed now.
    pub(crate) fn note<'a>(&self, scope: &Scope, views: &mut dyn Iterator<Item = RecordView<'a>>) {
        if self.inner.database.is_reading() {
            return;
        }
        let now = self.inner.database.now();
        let mut waiting = self.inner.waiting.borrow_mut();
        if waiting.is_empty() {
            self.inner.since.set(now);
        }
        for view in views {
            if view.accessed_at.is_none_or(|at| now - at >= NOTED_EVERY_MS) {
                waiting.entry(view.id).or_insert_with(|| (scope.clone(), now));
            }
        }
        if !waiting.is_empty() {
            self.inner.scheduler.wake_kind(KIND);
        }
    }

    /// Drops what waits of a scope that was locked.
    pub(crate) fn forgot(&self, scope: &Scope) {
        self.inner.waiting.borrow_mut().retain(|_, (of, _)| of != scope);
    }

    /// Writes what waits. The listeners are told when that fails, and nothing is tried again. A memory that is full takes none,
    /// which whoever stores something is told.
    async fn flush(&self) {
        for written in self.queue() {
            // A writer that stopped has told its reason to others.
            if let Ok(Err(error)) = written.await
                && !error.details.contains_key("maxMemoryBytes")
            {
                self.inner.database.tell(&Event::Error(error));
            }
        }
    }

    /// Hands what waits to the writer; nothing of a memory that is closed.
    fn queue(&self) -> Vec<oneshot::Receiver<Result<Committed>>> {
        let mut drafts: Vec<Draft> = Vec::new();
        let waiting: Vec<_> = self.inner.waiting.take().into_iter().collect();
        for (id, (scope, time)) in sorted(&waiting, |a, b| a.0.cmp(&b.0)) {
            let (id, time) = (*id, *time);
            let open = |draft: &&mut Draft| draft.scope == *scope && draft.changes.len() < BATCH;
            let change = Change::Touch { id, time };
            match drafts.iter_mut().find(open) {
                Some(draft) => draft.changes.push(change),
                None => {
                    let mut draft = Draft::new(scope, Cause::Access);
                    draft.changes.push(change);
                    drafts.push(draft);
                }
            }
        }
        drafts.into_iter().filter_map(|draft| self.inner.database.queue(draft).ok()).collect()
    }
}

impl Job for Accesses {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn due(&self, _: &Store, _: Option<&Scope>, _: Timestamp) -> Result<Option<Timestamp>> {
        let waits = !self.inner.waiting.borrow().is_empty();
        Ok(waits.then(|| self.inner.since.get() + PAUSE_MS))
    }

    fn waiting(&self, _: &Store, _: Option<&Scope>, _: Timestamp) -> Result<usize> {
        Ok(self.inner.waiting.borrow().len())
    }

    fn step<'a>(&'a self, _: Option<&'a Scope>) -> Pending<'a, Result<bool>> {
        Box::pin(async move {
            self.flush().await;
            Ok(true)
        })
    }

    fn gathers(&self) -> bool {
        true
    }

    fn last(&self) {
        drop(self.queue());
    }
}
