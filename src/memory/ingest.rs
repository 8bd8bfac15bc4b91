//! Ingesting: messages become durable at once, and are learned from in the background.

use super::action::Action;
use super::activity::Activity;
use super::extract::{Batch, Extractor};
use super::limits::invalid;
use super::message::{MAX_MESSAGES, NewMessage, Role, StoredMessage, key, thread};
use super::models::Models;
use super::task::{Task, TaskValue};
use crate::database::{Database, Event};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::ordered::Ordered;
use crate::ports::Pending;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use futures_util::future::{AbortHandle, abortable};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;

/// How often handing over is tried again when another engine wrote the same messages meanwhile.
const RETRIES: usize = 5;
/// How long to wait for the next try after the first failure; four times as long after each further one.
const FIRST_PAUSE_MS: i64 = 15_000;
/// The longest wait for the next try.
const LONGEST_PAUSE_MS: i64 = 3_600_000;

/// How extraction goes.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExtractionOptions {
    /// Whether to extract in the background; true by default. When false, tasks wait in the store.
    pub auto: bool,
    /// How long to wait for more messages before asking the model, in milliseconds; 300 by default, at most 3 600 000.
    pub delay_ms: u32,
    /// How long the model may take, in milliseconds; 60 000 by default.
    pub timeout_ms: u32,
    /// How many messages one model call may cover; 20 by default, 1 to 100.
    pub max_messages: usize,
}

impl Default for ExtractionOptions {
    fn default() -> Self {
        Self { auto: true, delay_ms: 300, timeout_ms: super::models::DEFAULT_TIMEOUT_MS, max_messages: 20 }
    }
}

impl ExtractionOptions {
    /// Checks the numbers.
    ///
    /// # Errors
    /// `InvalidInput` that names the option and its range.
    pub fn check(&self) -> Result<()> {
        if self.delay_ms > 3_600_000 {
            return Err(invalid(format!(
                "extraction.delayMs is {}; 0 to 3600000 are allowed",
                self.delay_ms
            )));
        }
        if !(1..=3_600_000).contains(&self.timeout_ms) {
            return Err(invalid(format!(
                "extraction.timeoutMs is {}; 1 to 3600000 are allowed",
                self.timeout_ms
            )));
        }
        if !(1..=100).contains(&self.max_messages) {
            return Err(invalid(format!(
                "extraction.maxMessages is {}; 1 to 100 are allowed",
                self.max_messages
            )));
        }
        Ok(())
    }
}

/// What to hand over.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Remember {
    /// The messages, in the order they were said; 1 to 500.
    pub messages: Vec<NewMessage>,
    /// Their thread; `default` by default.
    pub thread_id: Option<String>,
}

/// What was handed over.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Remembered {
    /// The thread.
    pub thread_id: String,
    /// The ids of the messages, in order.
    pub message_ids: Vec<Id>,
    /// The commit; none when every message was known already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_id: Option<Id>,
}

/// What still waits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Idle {
    /// How many extractions wait in the store.
    pub pending: usize,
    /// Those of them that were tried and failed since the memory was opened.
    pub failed: Vec<Failed>,
}

/// An extraction that failed and will be tried again.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Failed {
    /// Whose messages.
    pub scope: Scope,
    /// Of which thread.
    pub thread_id: String,
    /// How often it was tried.
    pub attempts: u32,
    /// When it is tried again.
    pub retry_at: Timestamp,
    /// What went wrong last.
    pub error: Error,
}

/// The queue of extractions and its workers, one per scope. Clones are handles to the same one.
#[derive(Clone)]
pub struct Ingest {
    inner: Rc<Inner>,
}

struct Inner {
    database: Database,
    models: Rc<Models>,
    extractor: Extractor,
    options: ExtractionOptions,
    activity: Activity,
    running: RefCell<Ordered<Scope, AbortHandle>>,
    failed: RefCell<FxHashMap<Id, Failed>>,
    pauses: RefCell<Ordered<Scope, AbortHandle>>,
}

impl Ingest {
    pub(crate) fn new(
        database: Database,
        models: Rc<Models>,
        extractor: Extractor,
        options: ExtractionOptions,
        activity: Activity,
    ) -> Self {
        let inner = Inner {
            database,
            models,
            extractor,
            options,
            activity,
            running: RefCell::default(),
            failed: RefCell::default(),
            pauses: RefCell::default(),
        };
        Self { inner: Rc::new(inner) }
    }

    /// Makes messages durable, with the task to learn from them, in one commit.
    ///
    /// A message whose own id is known in the thread replaces the earlier one; the same content again changes nothing.
    ///
    /// # Errors
    /// `InvalidInput` for a message that is not one or is over a limit, and those of storing.
    pub async fn remember(&self, scope: &Scope, remember: Remember) -> Result<Remembered> {
        let thread_id = thread(remember.thread_id.as_deref())?.to_owned();
        check(&remember.messages)?;
        for _ in 0..RETRIES {
            let (draft, message_ids) = self.draft(scope, &thread_id, &remember.messages)?;
            if draft.changes.is_empty() {
                return Ok(Remembered { thread_id, message_ids, commit_id: None });
            }
            match self.inner.database.commit(draft).await {
                Ok(committed) => {
                    self.wake(scope);
                    return Ok(Remembered { thread_id, message_ids, commit_id: Some(committed.commit_id) });
                }
                // Another engine stored one of these messages meanwhile: this one becomes its replacement.
                Err(error) if error.code == Code::Conflict => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::new(
            Code::Conflict,
            format!("the thread {thread_id:?} changed {RETRIES} times meanwhile; try again"),
        ))
    }

    /// Starts learning from what waits in every scope.
    pub(crate) fn wake_all(&self) {
        let scopes = self.inner.database.read(|store| Ok(store.scopes().to_vec()));
        for scope in scopes.unwrap_or_default() {
            self.wake(&scope);
        }
    }

    /// Waits until nothing goes on in the background, and says what still waits. Extractions whose model failed do not
    /// keep it waiting.
    ///
    /// # Errors
    /// Those of reading.
    pub async fn idle(&self) -> Result<Idle> {
        self.inner.activity.idle().await;
        self.inner.database.read(|store| {
            let pending = Self::pending(store);
            let failed = self.inner.failed.borrow();
            let waiting = failed.iter().filter(|(task, failed)| store.get(&failed.scope, **task).is_some());
            let waiting: Vec<&Failed> = waiting.map(|(_, failed)| failed).collect();
            let by_thread =
                |a: &&Failed, b: &&Failed| a.scope.cmp(&b.scope).then_with(|| a.thread_id.cmp(&b.thread_id));
            let mut failed: Vec<Failed> = sorted(&waiting, by_thread).into_iter().copied().cloned().collect();
            failed.dedup();
            Ok(Idle { pending, failed })
        })
    }

    /// How many extractions wait in the store.
    pub(crate) fn pending(store: &Store) -> usize {
        store.scopes().iter().map(|scope| store.records(scope, Kind::Task).count()).sum()
    }

    /// Stops the workers, whose model calls are aborted, and the waiting for the next tries. Tasks wait in the store.
    pub(crate) fn stop(&self) {
        for (_, worker) in self.inner.running.take() {
            worker.abort();
        }
        for (_, pause) in self.inner.pauses.take() {
            pause.abort();
        }
    }

    fn draft(&self, scope: &Scope, thread_id: &str, messages: &[NewMessage]) -> Result<(Draft, Vec<Id>)> {
        let now = self.inner.database.now();
        let mut draft = Draft::new(scope, Cause::Remember);
        let mut ids = Vec::with_capacity(messages.len());
        let mut learn_from = Vec::new();
        self.inner.database.read(|store| {
            for message in messages {
                let known = message
                    .id
                    .as_deref()
                    .and_then(|own| store.by_key(scope, Kind::Message, &key(thread_id, own)));
                let id = known.map_or_else(|| self.inner.database.new_id(), |view| view.id);
                let role = message.role;
                let mut record = message.clone().into_record(id, scope, thread_id, now)?;
                ids.push(id);
                let expect = match known {
                    None => Expect::Absent,
                    Some(view) => {
                        let before = view.to_record(scope)?;
                        if message.created_at.is_none() {
                            record.valid_from = before.valid_from;
                        }
                        let same = before.value == record.value
                            && before.text == record.text
                            && before.metadata == record.metadata
                            && before.valid_from == record.valid_from;
                        if same {
                            continue;
                        }
                        Expect::Revision(view.revision)
                    }
                };
                let blank = record.text.as_deref().is_none_or(|text| text.trim().is_empty());
                if !blank && matches!(role, Role::User | Role::Assistant) {
                    learn_from.push((id, role));
                }
                let embedding = record.text.as_deref().and_then(|text| self.inner.models.embed_at_once(text));
                draft.put(record, expect, embedding);
            }
            Ok(())
        })?;
        for part in learn_from.chunks(self.inner.options.max_messages) {
            // What the assistant said alone says nothing of the user.
            if part.iter().any(|(_, role)| *role == Role::User) {
                let messages = part.iter().map(|(id, _)| *id).collect();
                let value = TaskValue { thread_id: thread_id.to_owned(), messages };
                draft.put(
                    Task::record(self.inner.database.new_id(), scope, &value, now)?,
                    Expect::Absent,
                    None,
                );
            }
        }
        Ok((draft, ids))
    }

    /// Starts the worker of a scope, if it does not run and something is due.
    fn wake(&self, scope: &Scope) {
        if !self.inner.options.auto || self.inner.running.borrow().contains(scope) {
            return;
        }
        match self.next_batch(scope) {
            Ok(Some(_)) => {}
            Ok(None) => return,
            Err(error) if error.code == Code::Closed => return,
            Err(error) => return self.inner.database.tell(&Event::Error(error)),
        }
        if let Some(pause) = self.inner.pauses.borrow_mut().remove(scope) {
            pause.abort();
        }
        let (this, scope) = (self.clone(), scope.clone());
        let working = self.inner.activity.begin();
        let worker = scope.clone();
        let work: Pending<'static, ()> = Box::pin(async move {
            this.work(&worker).await;
            this.inner.running.borrow_mut().remove(&worker);
            this.pause(&worker);
            drop(working);
        });
        let (work, handle) = abortable(work);
        self.inner.running.borrow_mut().insert(scope, handle);
        // An aborted worker has nothing to say: its tasks wait in the store.
        self.inner.database.platform().spawn(Box::pin(async move { work.await.unwrap_or_default() }));
    }

    async fn work(&self, scope: &Scope) {
        loop {
            if self.inner.models.has_llm() && matches!(self.next_batch(scope), Ok(Some(_))) {
                self.inner.database.platform().sleep(self.inner.options.delay_ms).await;
            }
            let batch = match self.next_batch(scope) {
                Ok(Some(batch)) => batch,
                Ok(None) => return,
                Err(error) if error.code == Code::Closed => return,
                Err(error) => return self.inner.database.tell(&Event::Error(error)),
            };
            self.tell(&batch, json!({ "state": "started" }));
            match self.inner.extractor.extract(scope, &batch).await {
                Ok(actions) => self.succeeded(scope, &batch, &actions),
                Err(error) if error.code == Code::Closed => return,
                Err(error) => self.postpone(scope, &batch, &error),
            }
        }
    }

    /// The next tasks of one thread that are due, and their messages.
    fn next_batch(&self, scope: &Scope) -> Result<Option<Batch>> {
        let now = self.inner.database.now();
        let failed = self.inner.failed.borrow();
        self.inner.database.read(|store| {
            let mut batch: Option<Batch> = None;
            for view in store.records(scope, Kind::Task) {
                if failed.get(&view.id).is_some_and(|failed| failed.retry_at > now) {
                    continue;
                }
                let task = Task::of(&view)?;
                let batch = batch.get_or_insert_with(|| Batch {
                    scope: scope.clone(),
                    thread_id: task.value.thread_id.clone(),
                    tasks: Vec::new(),
                    messages: Vec::new(),
                });
                let room = self.inner.options.max_messages.saturating_sub(batch.messages.len());
                if batch.thread_id != task.value.thread_id
                    || (!batch.tasks.is_empty() && task.value.messages.len() > room)
                {
                    continue;
                }
                for id in &task.value.messages {
                    if batch.messages.iter().any(|message| message.id == *id) {
                        continue;
                    }
                    // A message that was deleted meanwhile teaches nothing.
                    if let Some(view) = store.get(scope, *id).filter(|view| view.kind == Kind::Message) {
                        batch.messages.push(StoredMessage::of(&view)?);
                    }
                }
                batch.tasks.push((task.id, task.revision));
            }
            Ok(batch)
        })
    }

    fn succeeded(&self, scope: &Scope, batch: &Batch, actions: &[Action]) {
        // The model works: whatever failed before is due again.
        self.inner.failed.borrow_mut().retain(|_, failed| failed.scope != *scope);
        self.tell(batch, json!({ "state": "done", "actions": actions }));
    }

    fn postpone(&self, scope: &Scope, batch: &Batch, error: &Error) {
        let mut retry_at = 0;
        {
            let mut failed = self.inner.failed.borrow_mut();
            for (task, _) in &batch.tasks {
                let attempts = failed.get(task).map_or(0, |failed| failed.attempts) + 1;
                let pause =
                    FIRST_PAUSE_MS.saturating_mul(4_i64.saturating_pow(attempts - 1)).min(LONGEST_PAUSE_MS);
                retry_at = self.inner.database.now() + pause;
                failed.insert(
                    *task,
                    Failed {
                        scope: scope.clone(),
                        thread_id: batch.thread_id.clone(),
                        attempts,
                        retry_at,
                        error: error.clone(),
                    },
                );
            }
        }
        self.tell(batch, json!({ "state": "failed", "error": error, "retryAt": retry_at }));
    }

    /// Comes back when the first of the failed tasks of a scope is due.
    fn pause(&self, scope: &Scope) {
        let forgotten = self.inner.database.read(|store| {
            self.inner.failed.borrow_mut().retain(|task, failed| store.get(&failed.scope, *task).is_some());
            Ok(())
        });
        if forgotten.is_err() {
            return;
        }
        let due = self
            .inner
            .failed
            .borrow()
            .values()
            .filter(|failed| failed.scope == *scope)
            .map(|failed| failed.retry_at)
            .min();
        let Some(due) = due else { return };
        self.come_back(scope, (due - self.inner.database.now()).clamp(1, LONGEST_PAUSE_MS));
    }

    /// Looks after what another engine remembered, in case it was closed before it learned from it.
    pub(crate) fn look_after(&self, scope: &Scope) {
        let options = &self.inner.options;
        let waits = self.inner.pauses.borrow().contains(scope) || self.inner.running.borrow().contains(scope);
        if options.auto && !waits {
            self.come_back(scope, i64::from(options.delay_ms) + i64::from(options.timeout_ms));
        }
    }

    /// Wakes the worker of a scope after a while. A clock that was set back meanwhile makes it wait again.
    fn come_back(&self, scope: &Scope, wait: i64) {
        let platform = self.inner.database.platform();
        let (sleep, handle) = abortable(platform.sleep(u32::try_from(wait).unwrap_or(u32::MAX)));
        self.inner.pauses.borrow_mut().insert(scope.clone(), handle);
        let (this, scope) = (self.clone(), scope.clone());
        platform.spawn(Box::pin(async move {
            if sleep.await.is_ok() {
                this.inner.pauses.borrow_mut().remove(&scope);
                this.wake(&scope);
                if !this.inner.running.borrow().contains(&scope) {
                    this.pause(&scope);
                }
            }
        }));
    }

    fn tell(&self, batch: &Batch, mut event: serde_json::Value) {
        if let serde_json::Value::Object(fields) = &mut event {
            fields.insert("scope".to_owned(), json!(batch.scope));
            fields.insert("threadId".to_owned(), json!(batch.thread_id));
        }
        self.inner.database.tell(&Event::Extraction(event));
    }
}

fn check(messages: &[NewMessage]) -> Result<()> {
    if messages.is_empty() || messages.len() > MAX_MESSAGES {
        return Err(invalid(format!(
            "messages has {} items; 1 to {MAX_MESSAGES} are allowed in one call",
            messages.len()
        )));
    }
    let mut own = Ordered::new();
    for (place, message) in messages.iter().enumerate() {
        message.check(place)?;
        if let Some(id) = &message.id
            && own.insert(id, ()).is_some()
        {
            return Err(invalid(format!(
                "messages[{place}].id {id:?} stands twice in one call; ids are unique in a thread"
            )));
        }
    }
    Ok(())
}
