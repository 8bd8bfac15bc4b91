//! The queue of what is to be learned from, and who works on it.

use super::retry::Failed;
use crate::database::{Database, Event};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::memory::action::Action;
use crate::memory::changes::Changes;
use crate::memory::extract::ExtractionOptions;
use crate::memory::extract::{Batch, Extractor};
use crate::memory::models::{Models, Spent};
use crate::memory::schedule::{FailedJob, Scheduler};
use crate::ports::{Loaded, Pending, Search};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;

/// What still waits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Idle {
    /// How many extractions wait in the store: for their trigger, or for a model that failed.
    pub pending: usize,
    /// The work that was tried and failed since the memory was opened, of any kind.
    pub failed: Vec<FailedJob>,
}

/// The queue of extractions. Clones are handles to the same one.
#[derive(Clone)]
pub struct Ingest {
    pub(super) inner: Rc<Inner>,
    /// What stores what is handed over.
    pub(super) changes: Changes,
}

pub(super) struct Inner {
    pub(super) database: Database,
    pub(super) models: Rc<Models>,
    pub(super) extractor: Extractor,
    pub(super) options: ExtractionOptions,
    pub(super) scheduler: Scheduler,
    pub(super) failed: RefCell<FxHashMap<Id, Failed>>,
    /// The scopes in which the model has answered since it failed last.
    pub(super) works: RefCell<FxHashSet<Scope>>,
    /// Tasks that a call is about to carry out itself.
    claimed: RefCell<FxHashSet<Id>>,
}

/// What was learned from some batches.
#[derive(Default)]
pub(super) struct Learned {
    pub(super) actions: Vec<Action>,
    pub(super) spent: Spent,
}

/// Tasks that the background leaves alone until this is dropped.
pub(super) struct Claim {
    inner: Rc<Inner>,
    pub(super) tasks: Vec<Id>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut claimed = self.inner.claimed.borrow_mut();
        self.tasks.iter().for_each(|task| {
            claimed.remove(task);
        });
    }
}

impl Ingest {
    pub(crate) fn new(
        database: Database,
        models: Rc<Models>,
        extractor: Extractor,
        options: ExtractionOptions,
        scheduler: Scheduler,
    ) -> Self {
        let changes = Changes::new(&database, &models);
        let (failed, works, claimed) = Default::default();
        let inner = Inner { database, models, extractor, options, scheduler, failed, works, claimed };
        Self { inner: Rc::new(inner), changes }
    }

    /// The same for messages that follow from what was known up to a commit: see [`Changes::since`].
    #[must_use]
    pub(crate) fn since(&self, sequence: u64) -> Self {
        Self { changes: self.changes.since(sequence), ..self.clone() }
    }

    /// Waits until nothing goes on now, and says what still waits. Messages whose trigger is not due yet and extractions
    /// whose model failed do not keep it waiting.
    ///
    /// # Errors
    /// Those of reading.
    pub async fn idle(&self) -> Result<Idle> {
        self.inner.scheduler.idle().await;
        let failed = self.inner.scheduler.failed_jobs()?;
        let pending = self.inner.database.read(|store| Ok(Self::pending(store)))?;
        Ok(Idle { pending, failed })
    }

    /// How many extractions wait in the store.
    pub(crate) fn pending(store: &Store) -> usize {
        store.scopes().map(|scope| store.records(scope, Kind::Task).count()).sum()
    }

    /// Keeps the background away from tasks, which need not be stored yet.
    pub(super) fn claim(&self, tasks: Vec<Id>) -> Claim {
        self.inner.claimed.borrow_mut().extend(&tasks);
        Claim { inner: self.inner.clone(), tasks }
    }

    pub(super) fn is_claimed(&self, task: Id) -> bool {
        self.inner.claimed.borrow().contains(&task)
    }

    /// Learns from a batch; a failure is noted, for a later try. Only who has the turn may.
    ///
    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`]. Both parts that learn need this one.
    #[inline(never)]
    pub(super) fn learn<'a>(
        &'a self,
        part: Loaded<Search>,
        batch: &'a Batch,
    ) -> Pending<'a, Result<Learned>> {
        part.work(Box::pin(async move {
            self.tell(batch, json!({ "state": "started" }));
            let extractor = self.inner.extractor.metered();
            match extractor.extract(batch).await {
                Ok(actions) => {
                    self.succeeded(batch);
                    self.tell(batch, json!({ "state": "done", "actions": actions }));
                    Ok(Learned { actions, spent: extractor.spent() })
                }
                Err(error) => {
                    if error.code != Code::Closed {
                        let retry_at = self.postpone(batch, &error).await;
                        self.tell(batch, json!({ "state": "failed", "error": error, "retryAt": retry_at }));
                    }
                    Err(error)
                }
            }
        }))
    }

    fn tell(&self, batch: &Batch, mut event: serde_json::Value) {
        if let serde_json::Value::Object(fields) = &mut event {
            fields.insert("scope".to_owned(), json!(batch.scope));
            fields.insert("threadId".to_owned(), json!(batch.thread_id));
        }
        self.inner.database.tell(&Event::Extraction(event));
    }
}
