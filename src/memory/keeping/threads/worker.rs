//! The worker in the background: makes the summaries that are due, which is read from the store, so that a reload goes on.

use super::level::Level;
use super::{Asking, Threads, summary::thread_key};
use crate::database::{Database, Event};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::memory::activity::Activity;
use crate::memory::ingest::pause_ms;
use crate::memory::message::thread_of;
use crate::ports::{Loaded, Pending, Systems};
use crate::record::Kind;
use crate::scope::Scope;
use crate::time::Timestamp;
use futures_util::future::{AbortHandle, abortable};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The making of summaries. Clones are handles to the same one.
#[derive(Clone)]
pub(crate) struct Summariser {
    inner: Rc<Inner>,
}

struct Inner {
    threads: Threads,
    activity: Activity,
    /// What may be due: threads, or the weeks and months of a scope.
    queue: RefCell<Vec<(Scope, Option<String>)>>,
    /// The week in which the periods of a scope were last looked at.
    weeks: RefCell<FxHashMap<Scope, Timestamp>>,
    running: RefCell<Option<AbortHandle>>,
    pause: RefCell<Option<AbortHandle>>,
    /// How often it failed since it last succeeded.
    failures: Cell<u32>,
}

impl Summariser {
    pub(crate) fn new(threads: Threads, activity: Activity) -> Self {
        Self {
            inner: Rc::new(Inner {
                threads,
                activity,
                queue: RefCell::default(),
                weeks: RefCell::default(),
                running: RefCell::default(),
                pause: RefCell::default(),
                failures: Cell::default(),
            }),
        }
    }

    fn is_on(&self) -> bool {
        self.inner.threads.are_summarised()
    }

    fn database(&self) -> &Database {
        &self.inner.threads.database
    }

    /// Looks at every thread.
    pub(crate) fn wake_all(&self) {
        if !self.is_on() {
            return;
        }
        let scopes = self.database().read(|store| Ok(store.scopes().to_vec())).unwrap_or_default();
        for scope in scopes {
            self.look_at(&scope, None);
            for thread in self.inner.threads.list(&scope).unwrap_or_default() {
                self.look_at(&scope, Some(thread.thread_id));
            }
        }
        self.wake();
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
        if !is_due || self.inner.pause.borrow().is_some() {
            return;
        }
        if *remote { self.pause(i64::from(self.inner.threads.models.timeout_ms())) } else { self.wake() }
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

    fn wake(&self) {
        if self.inner.running.borrow().is_some() || self.inner.queue.borrow().is_empty() {
            return;
        }
        let this = self.clone();
        let working = self.inner.activity.begin();
        let work: Pending<'static, ()> = Box::pin(async move {
            this.work().await;
            this.inner.running.take();
            drop(working);
        });
        let (work, handle) = abortable(work);
        *self.inner.running.borrow_mut() = Some(handle);
        // An aborted worker has nothing to say: what is due is read from the store.
        self.database().platform().spawn(Box::pin(async move { work.await.unwrap_or_default() }));
    }

    async fn work(&self) {
        loop {
            let next = self.inner.queue.borrow().first().cloned();
            let Some((scope, thread_id)) = next else { return };
            let outcome = match Loaded::by(&*self.database().platform()).await {
                Ok(systems) => self.advance(systems, &scope, thread_id.as_deref()).await,
                Err(error) => Err(error),
            };
            let is_done = match &outcome {
                Ok(went_on) => !went_on,
                // Others were faster: what is due then is read anew.
                Err(error) => error.code != Code::Conflict,
            };
            let mut queue = self.inner.queue.borrow_mut();
            if is_done
                && let Some(place) = queue.iter().position(|work| work.0 == scope && work.1 == thread_id)
            {
                queue.remove(place);
            }
            match outcome {
                Ok(true) => self.inner.failures.set(0),
                Err(error) if error.code == Code::Closed => return,
                Err(error) if error.code != Code::Conflict => {
                    queue.push((scope, thread_id));
                    drop(queue);
                    let failures = self.inner.failures.get() + 1;
                    self.inner.failures.set(failures);
                    self.database().tell(&Event::Error(error));
                    return self.pause(pause_ms(failures));
                }
                _ => {}
            }
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

    /// Comes back after a while.
    fn pause(&self, milliseconds: i64) {
        let platform = self.database().platform();
        let (sleep, handle) = abortable(platform.sleep(u32::try_from(milliseconds).unwrap_or(u32::MAX)));
        *self.inner.pause.borrow_mut() = Some(handle);
        let this = self.clone();
        platform.spawn(Box::pin(async move {
            if sleep.await.is_ok() {
                this.inner.pause.take();
                this.wake();
            }
        }));
    }

    /// Stops the worker, whose model call is aborted, and the waiting for the next try.
    pub(crate) fn stop(&self) {
        for stopped in [&self.inner.running, &self.inner.pause] {
            if let Some(handle) = stopped.take() {
                handle.abort();
            }
        }
    }
}
