//! Knowing when the background has nothing to do.

use futures_channel::oneshot;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Counts background work. Clones count together.
#[derive(Clone, Default)]
pub(crate) struct Activity {
    inner: Rc<Inner>,
}

#[derive(Default)]
struct Inner {
    running: Cell<usize>,
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
}

/// Work in progress; it ends when this is dropped.
pub(crate) struct Working {
    inner: Rc<Inner>,
}

impl Activity {
    /// Marks the beginning of some work.
    pub(crate) fn begin(&self) -> Working {
        self.inner.running.set(self.inner.running.get() + 1);
        Working { inner: self.inner.clone() }
    }

    /// Waits until no work is in progress.
    pub(crate) async fn idle(&self) {
        while self.inner.running.get() > 0 {
            let (sender, receiver) = oneshot::channel();
            {
                let mut waiting = self.inner.waiting.borrow_mut();
                // Those who no longer wait make room.
                waiting.retain(|sender| !sender.is_canceled());
                waiting.push(sender);
            }
            // The sender is dropped only with the last work, which also wakes the receiver.
            receiver.await.unwrap_or_default();
        }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.inner.running.set(self.inner.running.get().saturating_sub(1));
        if self.inner.running.get() == 0 {
            for waiting in self.inner.waiting.take() {
                // The receiver may be gone; that is fine.
                waiting.send(()).unwrap_or_default();
            }
        }
    }
}
