//! Other work of a scope's worker: what follows from the store itself, and needs no tasks.

use super::queue::Ingest;
use super::retry::pause_ms;
use crate::database::Event;
use crate::error::{Code, Error, Result};
use crate::ports::Pending;
use crate::scope::Scope;
use crate::store::Store;
use crate::time::Timestamp;
use std::rc::Rc;

/// Work in the background that is due by what the store holds, so that a reload goes on with it.
pub(crate) trait Work {
    /// Its name, unlike others'.
    fn name(&self) -> &'static str;

    /// When it is due in a scope: not after `now` when it is, `None` when there is nothing to do.
    ///
    /// # Errors
    /// Those of reading.
    fn due(&self, store: &Store, scope: &Scope, now: Timestamp) -> Result<Option<Timestamp>>;

    /// Does a part of it; who calls has the turn of the scope.
    fn step<'a>(&'a self, scope: &'a Scope) -> Pending<'a, Result<()>>;
}

/// What of the work of a scope comes next.
pub(super) enum Upcoming {
    /// This is due.
    Now(Rc<dyn Work>),
    /// Something is due then.
    At(Timestamp),
}

/// Work that failed.
pub(super) struct Late {
    scope: Scope,
    name: &'static str,
    attempts: u32,
    retry_at: Timestamp,
}

impl Ingest {
    /// Takes on other work, which is done by the same workers and tried again in the same way.
    pub(crate) fn take_on(&self, work: Rc<dyn Work>) {
        self.inner.works.borrow_mut().push(work);
    }

    /// The work that is due in a scope, or when some is next; `None` when there is none.
    pub(super) fn next_work(&self, store: &Store, scope: &Scope, now: Timestamp) -> Result<Option<Upcoming>> {
        let mut soonest: Option<Timestamp> = None;
        for work in self.inner.works.borrow().iter() {
            let Some(due) = work.due(store, scope, now)? else { continue };
            let late = self.inner.late.borrow();
            let late = late.iter().find(|late| late.name == work.name() && late.scope == *scope);
            let due = late.map_or(due, |late| due.max(late.retry_at));
            if due <= now {
                return Ok(Some(Upcoming::Now(work.clone())));
            }
            soonest = Some(soonest.map_or(due, |soonest| soonest.min(due)));
        }
        Ok(soonest.map(Upcoming::At))
    }

    /// Does a part of some work; a failure is told, and waits for a later try.
    pub(super) async fn do_work(&self, scope: &Scope, work: &dyn Work) -> Result<()> {
        let outcome = work.step(scope).await;
        let mut late = self.inner.late.borrow_mut();
        let place = late.iter().position(|late| late.name == work.name() && late.scope == *scope);
        let former = place.map(|place| late.swap_remove(place));
        let Err(error) = outcome else { return Ok(()) };
        if error.code != Code::Closed {
            let attempts = former.map_or(0, |late| late.attempts) + 1;
            let retry_at = self.inner.database.now() + pause_ms(attempts);
            late.push(Late { scope: scope.clone(), name: work.name(), attempts, retry_at });
            drop(late);
            self.inner.database.tell(&Event::Error(Error::clone(&error)));
        }
        Err(error)
    }
}
