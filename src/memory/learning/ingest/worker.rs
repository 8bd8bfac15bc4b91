//! The workers in the background: one per scope, for as long as something is due.

use super::due::Next;
use super::queue::Ingest;
use super::retry::LONGEST_PAUSE_MS;
use crate::database::Event;
use crate::error::{Code, Error};
use crate::ports::Pending;
use crate::scope::Scope;
use crate::time::Timestamp;
use futures_util::future::abortable;

impl Ingest {
    /// Goes on with what waits in every scope.
    pub(crate) fn wake_all(&self) {
        let scopes = self.inner.database.read(|store| Ok(store.scopes().to_vec()));
        for scope in scopes.unwrap_or_default() {
            self.wake(&scope);
        }
    }

    /// Starts the worker of a scope if something is due, or comes back when it is.
    pub(crate) fn wake(&self, scope: &Scope) {
        if !self.inner.options.auto || self.inner.running.borrow().contains_key(scope) {
            return;
        }
        match self.next(scope) {
            Ok(Next::Learn(_) | Next::Work(_)) => self.start(scope),
            Ok(Next::Wait(time)) => self.come_back(scope, time),
            Ok(Next::Rest) => {}
            Err(error) => self.complain(error),
        }
    }

    fn start(&self, scope: &Scope) {
        if let Some(pause) = self.inner.pauses.borrow_mut().remove(scope) {
            pause.abort();
        }
        let (this, worker) = (self.clone(), scope.clone());
        let working = self.inner.activity.begin();
        let work: Pending<'static, ()> = Box::pin(async move {
            this.work(&worker).await;
            this.inner.running.borrow_mut().remove(&worker);
            drop(working);
        });
        let (work, handle) = abortable(work);
        self.inner.running.borrow_mut().insert(scope.clone(), handle);
        // An aborted worker has nothing to say: its tasks wait in the store.
        self.inner.database.platform().spawn(Box::pin(async move { work.await.unwrap_or_default() }));
    }

    async fn work(&self, scope: &Scope) {
        loop {
            let turn = self.turn(scope).await;
            match self.next(scope) {
                Ok(Next::Learn(batch)) => match self.learn(&batch).await {
                    Err(error) if error.code == Code::Closed => return,
                    // What failed was noted and told, and waits.
                    _ => {}
                },
                Ok(Next::Work(work)) => match self.do_work(scope, &*work).await {
                    Err(error) if error.code == Code::Closed => return,
                    _ => {}
                },
                Ok(Next::Wait(time)) => return self.come_back(scope, time),
                Ok(Next::Rest) => return,
                Err(error) => return self.complain(error),
            }
            drop(turn);
        }
    }

    /// Looks after what another engine remembered, in case it is closed before it learned from it.
    pub(crate) fn look_after(&self, scope: &Scope) {
        let waits =
            self.inner.pauses.borrow().contains_key(scope) || self.inner.running.borrow().contains_key(scope);
        if !self.inner.options.auto || waits {
            return;
        }
        let patience = i64::from(self.inner.options.timeout_ms);
        match self.next(scope) {
            Ok(Next::Learn(_) | Next::Work(_)) => self.come_back(scope, self.inner.database.now() + patience),
            Ok(Next::Wait(time)) => self.come_back(scope, time + patience),
            Ok(Next::Rest) => {}
            Err(error) => self.complain(error),
        }
    }

    /// Wakes the worker of a scope at a time, or before, when that is long. A clock that was set back meanwhile makes it wait
    /// again.
    fn come_back(&self, scope: &Scope, time: Timestamp) {
        let wait = (time - self.inner.database.now()).clamp(1, LONGEST_PAUSE_MS);
        let platform = self.inner.database.platform();
        let (sleep, handle) = abortable(platform.sleep(u32::try_from(wait).unwrap_or(u32::MAX)));
        if let Some(former) = self.inner.pauses.borrow_mut().insert(scope.clone(), handle) {
            former.abort();
        }
        let (this, scope) = (self.clone(), scope.clone());
        platform.spawn(Box::pin(async move {
            if sleep.await.is_ok() {
                this.inner.pauses.borrow_mut().remove(&scope);
                this.wake(&scope);
            }
        }));
    }

    fn complain(&self, error: Error) {
        if error.code != Code::Closed {
            self.inner.database.tell(&Event::Error(error));
        }
    }
}
