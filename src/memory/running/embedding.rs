//! Giving vectors to what was stored without one: text first, vector later.

use crate::database::{Database, Event};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::log::{Cause, Embed};
use crate::memory::activity::Activity;
use crate::memory::models::Models;
use crate::ordered::Ordered;
use crate::ports::Pending;
use crate::scope::Scope;
use crate::store::{Change, Draft};
use futures_util::future::{AbortHandle, abortable};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How many texts go to the embedder at once.
const BATCH: usize = 64;
/// How long to wait after a first failure before trying again; four times as long after each further one.
const PAUSE_MS: u32 = 30_000;
/// The longest wait.
const LONGEST_PAUSE_MS: u32 = 3_600_000;

/// The background embedding. Clones are handles to the same one.
#[derive(Clone)]
pub(crate) struct Embeddings {
    inner: Rc<Inner>,
}

struct Inner {
    database: Database,
    models: Rc<Models>,
    activity: Activity,
    running: RefCell<Option<AbortHandle>>,
    /// Texts in which the embedder finds nothing, by record and text revision; not asked again until the memory is opened
    /// anew.
    empty: RefCell<Ordered<(Id, u32), ()>>,
    /// How often it failed since it last succeeded.
    failures: Cell<u32>,
    pause: RefCell<Option<AbortHandle>>,
}

impl Embeddings {
    pub(crate) fn new(database: Database, models: Rc<Models>, activity: Activity) -> Self {
        Self {
            inner: Rc::new(Inner {
                database,
                models,
                activity,
                running: RefCell::default(),
                empty: RefCell::default(),
                failures: Cell::default(),
                pause: RefCell::default(),
            }),
        }
    }

    /// Starts embedding what needs it, if that is not going on already and no failure is being waited out.
    pub(crate) fn wake(&self) {
        let busy = self.inner.running.borrow().is_some() || self.inner.pause.borrow().is_some();
        // A closed memory has nothing to embed.
        if busy || self.next_batch().is_ok_and(|batch| batch.is_empty()) || self.inner.database.is_closed() {
            return;
        }
        let this = self.clone();
        let working = self.inner.activity.begin();
        let work: Pending<'static, ()> = Box::pin(async move {
            let outcome = this.run().await;
            this.inner.running.take();
            if let Err(error) = outcome
                && error.code != Code::Closed
            {
                this.inner.database.tell(&Event::Error(error));
                this.pause();
            }
            drop(working);
        });
        let (work, handle) = abortable(work);
        *self.inner.running.borrow_mut() = Some(handle);
        // An aborted worker has nothing to say: what it did not embed is embedded after the next opening.
        self.inner.database.platform().spawn(Box::pin(async move { work.await.unwrap_or_default() }));
    }

    /// Stops the worker, whose call of the embedder is aborted, and the waiting for the next try.
    pub(crate) fn stop(&self) {
        if let Some(worker) = self.inner.running.take() {
            worker.abort();
        }
        if let Some(pause) = self.inner.pause.take() {
            pause.abort();
        }
    }

    async fn run(&self) -> Result<()> {
        loop {
            let batch = self.next_batch()?;
            if batch.is_empty() {
                return Ok(());
            }
            let texts: Vec<String> = batch.iter().map(|(_, _, _, text)| text.clone()).collect();
            let embeddings = self.inner.models.embed(&texts).await?;
            self.inner.failures.set(0);
            let mut drafts: Vec<Draft> = Vec::new();
            for ((scope, id, revision, _), embedding) in batch.into_iter().zip(embeddings) {
                let Some(embedding) = embedding else {
                    self.inner.empty.borrow_mut().insert((id, revision), ());
                    continue;
                };
                let change = Change::Embed(Embed { id, revision, embedding });
                match drafts.iter_mut().find(|draft| draft.scope == scope) {
                    Some(draft) => draft.changes.push(change),
                    None => {
                        let mut draft = Draft::new(&scope, Cause::Embed);
                        draft.changes.push(change);
                        drafts.push(draft);
                    }
                }
            }
            for draft in drafts {
                self.inner.database.commit(draft).await?;
            }
            // Lets the page breathe: the built-in embedder does not wait by itself.
            self.inner.database.platform().sleep(0).await;
        }
    }

    fn next_batch(&self) -> Result<Vec<(Scope, Id, u32, String)>> {
        let empty = self.inner.empty.borrow();
        self.inner.database.read(|store| {
            let mut batch = store.unembedded(BATCH + empty.len());
            batch.retain(|(_, id, revision, _)| !empty.contains(&(*id, *revision)));
            batch.truncate(BATCH);
            Ok(batch)
        })
    }

    fn pause(&self) {
        let this = self.clone();
        let failures = self.inner.failures.get();
        self.inner.failures.set(failures.saturating_add(1));
        let wait = PAUSE_MS.saturating_mul(4_u32.saturating_pow(failures)).min(LONGEST_PAUSE_MS);
        let (wait, handle) = abortable(self.inner.database.platform().sleep(wait));
        *self.inner.pause.borrow_mut() = Some(handle);
        self.inner.database.platform().spawn(Box::pin(async move {
            if wait.await.is_ok() {
                this.inner.pause.take();
                this.wake();
            }
        }));
    }
}
