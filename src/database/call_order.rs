//! The order of calls.

use futures_channel::oneshot;
use std::cell::{Cell, RefCell};

/// Lets calls take effect in the order in which they were made: later calls stay behind one that has to wait before it begins.
#[derive(Default)]
pub(crate) struct CallOrder {
    holds: Cell<usize>,
    behind: RefCell<Vec<oneshot::Sender<()>>>,
}

/// What a call waits with before it begins. It goes on first, and then those behind it.
pub(crate) struct Hold<'a>(&'a CallOrder);

impl CallOrder {
    /// Waits while an earlier call has not begun; at once when all have.
    pub(crate) async fn turn(&self) {
        // One that was before this call may hold it again.
        while self.holds.get() > 0 {
            let (sender, receiver) = oneshot::channel();
            self.behind.borrow_mut().push(sender);
            // It is never dropped unsent.
            receiver.await.unwrap_or_default();
        }
    }

    /// Keeps later calls behind the one whose turn it is.
    pub(crate) fn hold(&self) -> Hold<'_> {
        self.holds.set(self.holds.get() + 1);
        Hold(self)
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.0.holds.set(self.0.holds.get() - 1);
        if self.0.holds.get() > 0 {
            return;
        }
        for sender in self.0.behind.take() {
            // A call that was given up waits no longer.
            sender.send(()).unwrap_or_default();
        }
    }
}
