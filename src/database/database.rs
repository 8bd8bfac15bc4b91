//! The handle: reading, committing, listening, closing.

use super::writer::Waiting;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, CommitView, Damage, Head};
use crate::ports::{Platform, Storage};
use crate::scope::Scope;
use crate::store::{Changed, Draft, Store};
use crate::time::Timestamp;
use futures_channel::oneshot;
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// A memory's records, kept in a storage. Clones are handles to the same one.
#[derive(Clone)]
pub struct Database {
    pub(super) inner: Rc<Inner>,
}

pub(super) struct Inner {
    pub(super) storage: Rc<dyn Storage>,
    pub(super) platform: Rc<dyn Platform>,
    pub(super) state: RefCell<State>,
    pub(super) queue: RefCell<VecDeque<Waiting>>,
    /// Whether the writer runs.
    pub(super) writing: Cell<bool>,
    pub(super) closed: Cell<bool>,
    /// Those who wait until the writer rests.
    pub(super) resting: RefCell<Vec<oneshot::Sender<()>>>,
    pub(super) listeners: RefCell<Vec<Listener>>,
}

/// Someone who is told of everything that happens.
pub type Listener = Rc<dyn Fn(&Event)>;

/// The store and what is known of its storage.
pub(super) struct State {
    pub(super) store: Store,
    pub(super) head: Head,
    pub(super) damage: Vec<Damage>,
    /// Bytes of the log's frames that are not folded yet.
    pub(super) tail_bytes: u64,
}

/// A confirmed commit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Committed {
    /// Its name, for undoing it.
    pub commit_id: Id,
    /// When it was made.
    pub at: Timestamp,
    /// What it changed.
    pub changes: Vec<Changed>,
}

/// Something that happened in the memory.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// A commit was made, here or by another engine on the same storage.
    Change {
        /// Its name.
        commit_id: Id,
        /// When.
        at: Timestamp,
        /// Why.
        cause: Cause,
        /// Whose memory.
        scope: Scope,
        /// What changed.
        changes: Vec<Changed>,
        /// Whether another engine made it.
        remote: bool,
    },
    /// An extraction started, ended or failed; the layers above say it.
    Extraction(serde_json::Value),
    /// Something went wrong in the background; nothing confirmed is lost by it.
    Error(Error),
}

/// What a check of the whole storage found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Whether everything stored is readable.
    pub ok: bool,
    /// What is not.
    pub damage: Vec<Damage>,
    /// Readable commits.
    pub commits: usize,
    /// Living records.
    pub records: usize,
    /// Segments.
    pub segments: usize,
    /// Commits in the log that are not folded into segments yet.
    pub tail: u64,
}

impl Database {
    /// Reads from the present state.
    ///
    /// # Errors
    /// `Closed` after [`close`](Self::close), and whatever `reader` returns.
    pub fn read<R>(&self, reader: impl FnOnce(&Store) -> Result<R>) -> Result<R> {
        self.check_open()?;
        reader(&self.inner.state.borrow().store)
    }

    /// Makes a draft durable and part of the state. When it resolves, both is so.
    ///
    /// # Errors
    /// Those of [`Store::prepare`] and of [`Storage::write`]; nothing was changed then. `Closed` after closing.
    pub async fn commit(&self, draft: Draft) -> Result<Committed> {
        self.check_open()?;
        let (sender, receiver) = oneshot::channel();
        self.inner.queue.borrow_mut().push_back(Waiting { draft, sender });
        self.wake_writer();
        receiver
            .await
            .unwrap_or_else(|_| Err(Error::new(Code::Internal, "the writer stopped without an answer")))
    }

    /// Looks for commits of other engines and applies them.
    ///
    /// # Errors
    /// Those of reading the storage.
    pub async fn refresh(&self) -> Result<()> {
        self.check_open()?;
        self.rest().await;
        self.catch_up().await
    }

    /// Reads the whole storage again and checks every byte of it.
    ///
    /// # Errors
    /// Those of reading the storage.
    pub async fn verify(&self) -> Result<Report> {
        self.check_open()?;
        let embedder = self.inner.state.borrow().store.embedder().to_owned();
        let recovered = self.load(&embedder).await?;
        let mut damage = recovered.damage;
        damage.extend(self.inner.state.borrow().damage.iter().cloned());
        damage.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        damage.dedup();
        let counts = recovered.store.counts();
        Ok(Report {
            ok: damage.is_empty(),
            damage,
            commits: counts.commits,
            records: counts.records,
            segments: recovered.head.segments.len(),
            tail: recovered.head.sequence - recovered.head.folded,
        })
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
        if self.inner.closed.replace(true) {
            return;
        }
        self.rest().await;
        // Listeners hold handles to what holds this.
        self.inner.listeners.take();
        self.inner.storage.close();
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

    /// Milliseconds since 1970 UTC.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.inner.platform.now()
    }

    pub(super) fn check_open(&self) -> Result<()> {
        if self.is_closed() {
            return Err(Error::new(Code::Closed, "this memory is closed; open it again"));
        }
        Ok(())
    }

    /// Waits until the writer has nothing to do.
    async fn rest(&self) {
        if !self.inner.writing.get() {
            return;
        }
        let (sender, receiver) = oneshot::channel();
        self.inner.resting.borrow_mut().push(sender);
        // A dropped sender means that the writer is gone, which is rest enough.
        receiver.await.unwrap_or_default();
    }

    pub(super) fn tell_commit(&self, section: &[u8], changes: &[Changed], remote: bool) -> Result<()> {
        let view = CommitView::decode(section)?;
        self.tell(&Event::Change {
            commit_id: view.id,
            at: view.time,
            cause: view.cause,
            scope: Scope::from_canonical(view.scope)?,
            changes: changes.to_vec(),
            remote,
        });
        Ok(())
    }
}
