//! The handle: reading, committing, listening, closing.

use super::call_order::CallOrder;
use super::event::{Committed, Event, Listener};
use super::locked::Locked;
use super::room::Room;
use super::writer::Waiting;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, CommitView, Damage, Head};
use crate::ordered::Ordered;
use crate::ports::{Pending, Platform};
use crate::scope::Scope;
use crate::store::{Changed, Draft, Reach, Recovered, Store};
use crate::time::Timestamp;
use crate::vault::Vault;
use futures_channel::oneshot;
use std::cell::{Cell, Ref, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// A memory's records, kept in a storage. Clones are handles to the same one.
#[derive(Clone)]
pub struct Database {
    pub(super) inner: Rc<Inner>,
    /// Who writes through this handle, where a draft says the application or its user.
    pub(super) author: Cause,
}

pub(super) struct Inner {
    pub(super) vault: Vault,
    pub(super) platform: Rc<dyn Platform>,
    pub(super) state: RefCell<State>,
    pub(super) room: Room,
    pub(super) queue: RefCell<VecDeque<Waiting>>,
    /// What else the writer is to do.
    pub(super) errands: RefCell<VecDeque<(Errand, oneshot::Sender<Result<()>>)>>,
    /// Whether the writer runs.
    pub(super) writing: Cell<bool>,
    /// Whether something could not be read when the state was to change, so that it may not be what is stored.
    pub(super) broken: Cell<bool>,
    /// How to let go of what can be read again, once there is such.
    pub(super) trimming: Cell<Option<fn(&Database)>>,
    pub(super) closed: Cell<bool>,
    /// How many drafts were queued ever, and how many of them are answered.
    pub(super) queued: Cell<u64>,
    pub(super) answered: Cell<u64>,
    /// Which of them was the last that somebody called for.
    pub(super) called: Cell<u64>,
    /// What keeps calls in order.
    pub(super) order: CallOrder,
    /// Those who wait until so many are answered.
    pub(super) behind: RefCell<Vec<(u64, oneshot::Sender<()>)>>,
    /// Those who wait until the writer rests.
    pub(super) resting: RefCell<Vec<oneshot::Sender<()>>>,
    pub(super) listeners: RefCell<Vec<Listener>>,
    /// How far back history reaches.
    pub(super) history: Cell<History>,
    /// Whether what runs now only reads.
    pub(super) reading: Cell<bool>,
    /// Whether words and vectors of segments are still to be taken in.
    pub(super) partial: Cell<bool>,
}

/// How far back history reaches, for each record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct History {
    /// How many replaced revisions count.
    pub revisions: usize,
    /// For how many milliseconds after they were replaced.
    pub age_ms: i64,
    /// How many bytes of them.
    pub bytes: u64,
}

impl History {
    /// All of it.
    pub const WHOLE: Self = Self { revisions: usize::MAX, age_ms: i64::MAX, bytes: u64::MAX };

    pub(super) fn at(self, now: Timestamp) -> Reach {
        let Self { revisions, age_ms, bytes } = self;
        if self == Self::WHOLE {
            return Reach::default();
        }
        // Of no age at all is only the present.
        let since = if age_ms == 0 { Timestamp::MAX } else { now.saturating_sub(age_ms) };
        Reach { revisions, since, bytes }
    }
}

/// Work of the writer beside writing commits.
pub(super) enum Errand {
    /// Look for commits of other engines.
    Refresh,
    /// Fold the log.
    Fold,
    /// Nothing but what the writer does before all else.
    Index,
    /// Work whose code the first module does not have.
    Other(Work),
}

/// Work that nobody but the writer may do.
pub(super) type Work = Box<dyn FnOnce(Database) -> Pending<'static, Result<()>>>;

/// The store and what is known of its storage.
pub(super) struct State {
    pub(super) store: Store,
    pub(super) head: Head,
    pub(super) damage: Vec<Damage>,
    /// The commits of the log, which are not folded yet, and the bytes of their frames.
    pub(super) tail: Ordered<u64, usize>,
    /// Other keys that the next fold replaces: damaged values of the log, or all there is when the head was lost.
    pub(super) replaced: Vec<String>,
    /// How long the log may grow before the next fold, after one that failed.
    pub(super) patience: usize,
    /// What opening found to do in the storage, until it is done.
    pub(super) untidy: Untidy,
    /// What is not to be read of it.
    pub(super) locked: Locked,
}

/// What is to be put right in a storage.
#[derive(Default)]
pub(super) struct Untidy {
    /// Damaged values to keep under other keys, so that no fold takes them away.
    pub(super) aside: Vec<(String, Vec<u8>)>,
    /// Keys that belong to no state.
    pub(super) stale: Vec<String>,
    /// Whose the values are that must not be kept without the lock of their scope, by their keys.
    pub(super) guarded: Ordered<String, Scope>,
    /// Keys for the next fold to delete.
    pub(super) replaced: Vec<String>,
    /// Whether the head was put together, and must not be written before everything is folded anew.
    pub(super) rebuilt: bool,
}

impl State {
    pub(super) fn new(recovered: Recovered, mut untidy: Untidy, locked: Locked) -> Self {
        let Recovered { store, head, damage, tail, .. } = recovered;
        let replaced = std::mem::take(&mut untidy.replaced);
        Self { store, head, damage, tail, replaced, patience: 0, untidy, locked }
    }

    pub(super) fn tail_bytes(&self) -> u64 {
        self.tail.values().map(|bytes| *bytes as u64).sum()
    }
}

impl Database {
    /// Reads from the present state.
    ///
    /// # Errors
    /// `Closed` after [`close`](Self::close), and whatever `reader` returns.
    pub fn read<R>(&self, reader: impl FnOnce(&Store) -> Result<R>) -> Result<R> {
        let read = reader(&self.present()?.store);
        if self.has_missed() {
            // Seldom, and dropping each type that is read would be code of its own.
            std::mem::forget(read);
            return Err(self.missed());
        }
        read
    }

    /// The present state, which shows of the past what is to be shown now.
    fn present(&self) -> Result<Ref<'_, State>> {
        self.check_open()?;
        self.check_whole()?;
        let now = self.now();
        let state = self.inner.state.borrow();
        state.store.set_reach(self.inner.history.get().at(now));
        Ok(state)
    }

    /// Says how far back history reaches; to the beginning until this is called. What is stored beyond that goes with the next
    /// folds, and with one now if it is much.
    pub fn keep_history(&self, history: History) {
        self.inner.history.set(history);
        self.fold_if_outlived();
    }

    /// Makes a draft durable and part of the state. When it resolves, both is so.
    ///
    /// # Errors
    /// Those of [`Store::prepare`] and of
    /// [`Storage::write`](crate::ports::Storage::write); nothing was changed then. `Closed` after closing.
    pub async fn commit(&self, draft: Draft) -> Result<Committed> {
        self.queue(draft)?.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// The same database for tools that a model calls: what is written through this handle is not the user's own doing.
    #[must_use]
    pub(crate) fn for_tools(&self) -> Self {
        Self { author: Cause::Tool, ..self.clone() }
    }

    /// Whether tools that a model calls write through this handle.
    pub(crate) fn is_for_tools(&self) -> bool {
        self.author == Cause::Tool
    }

    /// Hands a draft to the writer, which writes it also when nobody waits for the answer, or the memory is closed next.
    ///
    /// # Errors
    /// `Closed` after closing.
    pub(crate) fn queue(&self, mut draft: Draft) -> Result<oneshot::Receiver<Result<Committed>>> {
        self.check_writable()?;
        if draft.cause == Cause::User {
            draft.cause = self.author;
        }
        let (sender, receiver) = oneshot::channel();
        self.inner.queued.set(self.inner.queued.get() + 1);
        if draft.cause.is_called() {
            self.inner.called.set(self.inner.queued.get());
        }
        self.inner.queue.borrow_mut().push_back(Waiting { draft, sender });
        self.wake_writer();
        Ok(receiver)
    }

    /// Says whether what runs from now on only reads; answers whether it did before.
    pub(crate) fn set_reading(&self, reading: bool) -> bool {
        self.inner.reading.replace(reading)
    }

    /// Whether what runs now only reads, and is to leave no trace.
    pub(crate) fn is_reading(&self) -> bool {
        self.inner.reading.get()
    }

    /// That what runs now may write.
    ///
    /// # Errors
    /// `ReadOnly` and `Closed`.
    pub(crate) fn check_writable(&self) -> Result<()> {
        if self.is_reading() {
            return Err(Error::new(
                Code::ReadOnly,
                "this call would write, and this view of the memory only reads; make it on the scope itself",
            ));
        }
        self.check_open()
    }

    /// Looks for commits of other engines and applies them.
    ///
    /// # Errors
    /// Those of reading the storage.
    pub async fn refresh(&self) -> Result<()> {
        self.send(Errand::Refresh).await
    }

    /// Folds the log into a segment now, for an opening that is as fast as can be. It happens by itself now and then.
    ///
    /// # Errors
    /// Those of [`Storage::write`](crate::ports::Storage::write); nothing was changed then.
    pub async fn fold(&self) -> Result<()> {
        self.send(Errand::Fold).await
    }

    pub(super) async fn send(&self, errand: Errand) -> Result<()> {
        self.check_open()?;
        let (sender, receiver) = oneshot::channel();
        self.inner.errands.borrow_mut().push_back((errand, sender));
        self.wake_writer();
        receiver.await.unwrap_or_else(|_| Err(stopped()))
    }

    /// Tells a listener of everything that happens from now on.
    pub fn listen(&self, listener: Listener) {
        self.inner.listeners.borrow_mut().push(listener);
    }

    /// Tells the listeners. Called with no borrow held: a listener may read.
    pub fn tell(&self, event: &Event) {
        let listeners = self.inner.listeners.borrow().clone();
        for listener in listeners {
            listener(event);
        }
    }

    /// Waits for what is being written, then lets go of the storage. Everything afterwards fails with `Closed`.
    pub async fn close(&self) {
        let first = !self.inner.closed.replace(true);
        if first {
            self.fold_if_outlived();
        }
        self.rest().await;
        if first {
            // Listeners hold handles to what holds this.
            self.inner.listeners.take();
            self.inner.vault.close();
        }
    }

    /// Whether it was closed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.inner.closed.get()
    }

    /// The clock, randomness and background work it was opened with.
    #[must_use]
    pub fn platform(&self) -> Rc<dyn Platform> {
        self.inner.platform.clone()
    }

    /// A new id.
    #[must_use]
    pub fn new_id(&self) -> Id {
        Id::new(self.inner.platform.now(), self.inner.platform.random())
    }

    /// Milliseconds since 1970 UTC, by the clock; while that is behind the last commit, as when it was put back or is of
    /// another machine, that commit's time, so that what a commit ended is over for whoever reads it.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.inner.platform.now().max(self.inner.state.borrow().head.time)
    }

    /// The time of the state that an application means by a time: the present moment and what comes later mean the present state,
    /// though the times of its last commits may be ahead of the clock.
    pub(crate) fn as_of(&self, time: Option<Timestamp>) -> Option<Timestamp> {
        time.map(|time| if time < self.inner.platform.now() { time } else { time.max(self.now()) })
    }

    pub(super) fn check_open(&self) -> Result<()> {
        if self.is_closed() { Err(closed()) } else { Ok(()) }
    }

    /// The number of the last commit.
    pub(crate) fn sequence(&self) -> u64 {
        self.inner.state.borrow().head.sequence
    }

    /// Whether something is being written, or waits to be.
    pub(crate) fn is_writing(&self) -> bool {
        self.inner.writing.get()
    }

    /// How many drafts were queued ever.
    pub(crate) fn queued(&self) -> u64 {
        self.inner.queued.get()
    }

    /// Waits until so many drafts are written or refused. Answers whether some were not.
    pub(crate) async fn answered(&self, queued: u64) -> bool {
        if self.inner.answered.get() >= queued {
            return false;
        }
        let (sender, receiver) = oneshot::channel();
        self.inner.behind.borrow_mut().push((queued, sender));
        // A dropped sender means that the writer is gone, and so is what was queued.
        receiver.await.unwrap_or_default();
        true
    }

    /// What keeps calls in order.
    pub(crate) fn order(&self) -> &CallOrder {
        &self.inner.order
    }

    /// Waits until what was called for before is written or refused; at once when nothing is under way.
    pub(crate) async fn caught_up(&self) {
        self.answered(self.inner.called.get()).await;
    }

    /// Says that so many more drafts are answered.
    pub(super) fn answer(&self, count: usize) {
        let answered = self.inner.answered.get() + count as u64;
        self.inner.answered.set(answered);
        let waiting = self.inner.behind.take();
        let (due, rest): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(queued, _)| *queued <= answered);
        self.inner.behind.replace(rest);
        for (_, sender) in due {
            // The receiver may be gone; that is fine.
            sender.send(()).unwrap_or_default();
        }
    }

    /// Waits until the writer has nothing to do.
    pub(crate) async fn rest(&self) {
        if !self.inner.writing.get() {
            return;
        }
        let (sender, receiver) = oneshot::channel();
        self.inner.resting.borrow_mut().push(sender);
        // A dropped sender means that the writer is gone, which is rest enough.
        receiver.await.unwrap_or_default();
    }

    pub(super) fn tell_commit(
        &self,
        section: &[u8],
        scope: &Scope,
        changes: Vec<Changed>,
        remote: bool,
    ) -> Result<()> {
        let view = CommitView::decode(section)?;
        // That something was read changes nothing that anybody shows.
        if view.cause == Cause::Access {
            return Ok(());
        }
        self.tell(&Event::Change {
            commit_id: view.id,
            at: view.time,
            cause: view.cause,
            scope: scope.clone(),
            changes,
            remote,
        });
        Ok(())
    }
}

/// That the memory is closed.
pub(crate) fn closed() -> Error {
    Error::new(Code::Closed, "the memory is closed; open it again")
}

pub(super) fn stopped() -> Error {
    Error::new(Code::Internal, "the writer stopped without an answer; open the memory again")
}
