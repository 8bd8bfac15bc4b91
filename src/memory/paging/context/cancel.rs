//! Aborting a step from outside.

use crate::error::Result;
use crate::ports::Pending;
use crate::scope::Scope;
use futures_channel::oneshot::{self, Receiver, Sender};
use futures_util::future::{Either, select};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The steps that go on and can be aborted, by their scope and the name the application gave them.
#[derive(Clone, Default)]
pub(super) struct Cancels {
    running: Rc<RefCell<FxHashMap<String, Sender<()>>>>,
}

impl Cancels {
    /// Marks the beginning of a step.
    pub(super) fn begin(&self, name: Option<String>) -> Cancel {
        let (sender, receiver) = oneshot::channel();
        let mut unnamed = None;
        match &name {
            Some(name) => drop(self.running.borrow_mut().insert(name.clone(), sender)),
            None => unnamed = Some(sender),
        }
        Cancel {
            all: self.clone(),
            name,
            _unnamed: unnamed,
            fired: Cell::new(false),
            receiver: RefCell::new(Some(receiver)),
        }
    }

    /// Aborts a step; one that does not go on is left alone.
    pub(super) fn fire(&self, name: &str) {
        let sender = self.running.borrow_mut().remove(name);
        // A step that has just ended does not mind.
        sender.map(|sender| sender.send(()).unwrap_or_default()).unwrap_or_default();
    }
}

/// The name of a step among those of all scopes.
pub(super) fn within(scope: &Scope, name: &str) -> String {
    format!("{} {name}", scope.canonical())
}

/// Whether a step was aborted.
pub(super) struct Cancel {
    all: Cancels,
    name: Option<String>,
    /// Kept, since a sender that is dropped is as good as a message.
    _unnamed: Option<Sender<()>>,
    fired: Cell<bool>,
    /// Away while something is waited for.
    receiver: RefCell<Option<Receiver<()>>>,
}

impl Cancel {
    /// Whether it was aborted.
    pub(super) fn is_fired(&self) -> bool {
        let came = |receiver: &mut Receiver<()>| !matches!(receiver.try_recv(), Ok(None));
        self.fired.get() || self.receiver.borrow_mut().as_mut().is_some_and(came)
    }

    /// What some work comes to; `None` when the step is aborted first, which ends the work.
    pub(super) async fn unless<T>(&self, work: Pending<'_, Result<T>>) -> Option<Result<T>> {
        let receiver = self.receiver.take()?;
        match select(receiver, work).await {
            Either::Left(_) => {
                self.fired.set(true);
                None
            }
            Either::Right((done, receiver)) => {
                self.receiver.replace(Some(receiver));
                Some(done)
            }
        }
    }
}

impl Drop for Cancel {
    fn drop(&mut self) {
        if let Some(name) = &self.name {
            self.all.running.borrow_mut().remove(name);
        }
    }
}
