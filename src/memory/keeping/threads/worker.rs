//! The worker in the background: makes the summaries that are due, which is read from the store, so that a reload goes on.

use super::level::Level;
use super::{Asking, Threads, summary::thread_key};
use crate::database::{Database, Event};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::memory::message::thread_of;
use crate::memory::schedule::{Job, Scheduler};
use crate::ports::{Loaded, Pending, Systems};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use crate::time::Timestamp;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The name of the job.
const KIND: &str = "summaries";

/// The making of summaries. Clones are handles to the same one.
#[derive(Clone)]
pub(crate) struct Summariser {
    inner: Rc<Inner>,
}

struct Inner {
    threads: Threads,
    scheduler: Scheduler,
    /// What may be due: threads, or the weeks and months of a scope.
    queue: RefCell<Vec<(Scope, Option<String>)>>,
    /// The week in which the periods of a scope were last looked at.
    weeks: RefCell<FxHashMap<Scope, Timestamp>>,
}

impl Summariser {
    pub(crate) fn new(threads: Threads, scheduler: Scheduler) -> Self {
        let (queue, weeks) = (RefCell::default(), RefCell::default());
        Self { inner: Rc::new(Inner { threads, scheduler, queue, weeks }) }
    }

    fn is_on(&self) -> bool {
        self.inner.threads.are_summarised()
    }

    fn database(&self) -> &Database {
        &self.inner.threads.database
    }

    /// Looks at every thread, when the memory is opened.
    pub(crate) fn look_at_all(&self) {
        if !self.is_on() {
            return;
        }
        let scopes =
            self.database().read(|store| Ok(store.scopes().cloned().collect::<Vec<_>>())).unwrap_or_default();
        for scope in scopes {
            self.look_at(&scope, None);
            for thread in self.inner.threads.list(&scope).unwrap_or_default() {
                self.look_at(&scope, Some(thread.thread_id));
            }
        }
    }

    /// Looks at what a commit changed. What another engine stored is left to it for a while.
    pub(crate) fn heard(&self, event: &Event) {
        let Event::Change { scope, changes, remote, .. } = event else { return };
        let mut is_due = false;
        for change in changes.iter().filter(|_| self.is_on()) {
            match (change.kind, self.thread_of(scope, change.id)) {
                (Kind::Message | Kind::Summary, Some(thread_id)) => self.look_at(scope, Some(thread_id)),
                (Kind::Summary, None) => {}
                _ => continue,
            }
            is_due = true;
            let week = Level::Week.begin(self.database().now());
            let former = self.inner.weeks.borrow_mut().insert(scope.clone(), week);
            if change.kind == Kind::Summary || former != Some(week) {
                self.look_at(scope, None);
            }
        }
        let scheduler = &self.inner.scheduler;
        match (is_due, *remote) {
            (false, _) => {}
            (true, false) => scheduler.wake_kind(KIND),
            (true, true) => {
                scheduler.look_after_kind(KIND, i64::from(self.inner.threads.models.timeout_ms()));
            }
        }
    }

    /// The thread of a message or of a thread's summary that is there.
    fn thread_of(&self, scope: &Scope, id: Id) -> Option<String> {
        let key = self.database().read(|store| {
            let view = store.get(scope, id);
            Ok(view.and_then(|view| view.key.map(|key| (view.kind, key.to_owned()))))
        });
        match key.ok().flatten()? {
            (Kind::Message, key) => Some(thread_of(&key).to_owned()),
            (Kind::Summary, key) => key.strip_prefix(&thread_key("")).map(str::to_owned),
            _ => None,
        }
    }

    /// Weeks and months come first, so that a week is told of before its threads go on.
    fn look_at(&self, scope: &Scope, thread_id: Option<String>) {
        let mut queue = self.inner.queue.borrow_mut();
        let place = if thread_id.is_none() { 0 } else { queue.len() };
        let work = (scope.clone(), thread_id);
        if !queue.contains(&work) {
            queue.insert(place, work);
        }
    }

    /// Does what is due next. A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn advance<'a>(
        &'a self,
        systems: Loaded<Systems>,
        scope: &'a Scope,
        thread_id: Option<&'a str>,
    ) -> Pending<'a, Result<bool>> {
        systems.work(Box::pin(async move {
            self.inner.threads.advance(scope, thread_id, &Asking::default()).await
        }))
    }
}

impl Job for Summariser {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn due(&self, _: &Store, _: Option<&Scope>, _: Timestamp) -> Result<Option<Timestamp>> {
        Ok(if self.inner.queue.borrow().is_empty() { None } else { Some(Timestamp::MIN) })
    }

    fn waiting(&self, _: &Store, _: Option<&Scope>, _: Timestamp) -> Result<usize> {
        Ok(self.inner.queue.borrow().len())
    }

    fn step<'a>(&'a self, _: Option<&'a Scope>) -> Pending<'a, Result<bool>> {
        Box::pin(async move {
            let next = self.inner.queue.borrow().first().cloned();
            let Some(work) = next else { return Ok(false) };
            let outcome = match Loaded::by(&*self.database().platform()).await {
                Ok(systems) => self.advance(systems, &work.0, work.1.as_deref()).await,
                Err(error) => Err(error),
            };
            // Others were faster: what is due then is read anew.
            if matches!(&outcome, Ok(true)) || matches!(&outcome, Err(error) if error.code == Code::Conflict)
            {
                return Ok(true);
            }
            let mut queue = self.inner.queue.borrow_mut();
            queue.retain(|waiting| *waiting != work);
            // What failed lets others go first.
            if outcome.is_err() {
                queue.push(work);
            }
            outcome
        })
    }
}
