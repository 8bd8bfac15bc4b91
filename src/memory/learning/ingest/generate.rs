//! Learning now, in the foreground: through the same tasks as in the background, so that a failure loses nothing.

use super::queue::{Claim, Ingest, Learned};
use super::remember::Learn;
use crate::error::{Code, Result};
use crate::id::Id;
use crate::memory::action::{Action, Done};
use crate::memory::extract::{participants, topics};
use crate::memory::items::{ITEM_KINDS, Item};
use crate::memory::message::thread;
use crate::memory::models::Spent;
use crate::memory::secret::MaskedAt;
use crate::memory::task::{Generate, Task};
use crate::ports::Loaded;
use crate::record::Kind;
use crate::scope::Scope;
use serde::{Deserialize, Serialize};

/// Which messages to learn from now.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Flush {
    /// Those of this thread; of all by default.
    pub thread_id: Option<String>,
}

/// One change of what is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LearnedChange {
    /// What was done.
    pub action: Done,
    /// What is there now; when it was deleted, what was there.
    pub record: Item,
    /// The revision it had, if it was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_revision: Option<u32>,
}

/// What was learned.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Taught {
    /// What changed; empty when nothing was worth knowing, or nothing waited.
    pub changes: Vec<LearnedChange>,
    /// What models were asked for it.
    pub usage: Spent,
}

/// What was handed over, and learned from it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Generated {
    /// The thread.
    pub thread_id: String,
    /// The ids of the messages, in order.
    pub message_ids: Vec<Id>,
    /// The commit that stored them; none when every message was known already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_id: Option<Id>,
    /// The secrets that were masked in messages; absent when there were none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub masked: Vec<MaskedAt>,
    /// What changed; empty when nothing was worth knowing.
    pub changes: Vec<LearnedChange>,
    /// What models were asked for it.
    pub usage: Spent,
}

impl Ingest {
    /// Remembers messages, learns from them and from given facts now, and says what changed. What is handed over is durable
    /// also when the model fails; it is tried again in the background then.
    ///
    /// # Errors
    /// `InvalidInput`, `Model` and `Timeout` when the model fails, and those of storing.
    pub async fn generate(&self, scope: &Scope, mut generate: Generate) -> Result<Generated> {
        let thread_id = thread(generate.thread_id.as_deref())?.to_owned();
        generate.check()?;
        topics(&generate.topics)?;
        participants(&generate.participants)?;
        let mut messages = std::mem::take(&mut generate.messages);
        let (remembered, claim) =
            self.hand_over(scope, thread_id, &mut messages, &Learn::Now(&generate)).await?;
        let taught = self.carry_out(scope, claim).await?;
        Ok(Generated {
            thread_id: remembered.thread_id,
            message_ids: remembered.message_ids,
            commit_id: remembered.commit_id,
            masked: remembered.masked,
            changes: taught.changes,
            usage: taught.usage,
        })
    }

    /// Learns now from what waits, whatever its trigger. What the background was learning from when this was called is waited
    /// for, and not part of the answer.
    ///
    /// # Errors
    /// `InvalidInput`, `Model` when the model fails at some of it, after the rest was learned, `Timeout`, and those of storing.
    pub async fn flush(&self, scope: &Scope, flush: &Flush) -> Result<Taught> {
        self.inner.database.check_writable()?;
        let thread_id = flush.thread_id.as_deref().map(|own| thread(Some(own))).transpose()?;
        let tasks = self.inner.database.read(|store| {
            let mut tasks = Vec::new();
            for view in store.records(scope, Kind::Task).filter(|view| !self.is_claimed(view.id)) {
                let task = Task::of(&view)?;
                if thread_id.is_none_or(|own| own == task.value.thread_id) {
                    tasks.push(task.id);
                }
            }
            Ok(tasks)
        })?;
        self.carry_out(scope, self.claim(tasks)).await
    }

    /// Carries out tasks; when it ends, the background goes on with what is left.
    async fn carry_out(&self, scope: &Scope, claim: Claim) -> Result<Taught> {
        let working = self.inner.scheduler.busy();
        let outcome = self.learn_from(scope, &claim).await;
        drop(claim);
        self.inner.scheduler.wake(scope);
        drop(working);
        let learned = outcome?;
        Ok(Taught { changes: self.changes(scope, &learned.actions)?, usage: learned.spent })
    }

    async fn learn_from(&self, scope: &Scope, claim: &Claim) -> Result<Learned> {
        let _turn = self.inner.scheduler.turn(scope).await;
        let mut learned = Learned::default();
        let mut waiting = claim.tasks.clone();
        let mut failure = None;
        loop {
            let tasks = self.next_of(scope, &waiting)?;
            if tasks.is_empty() {
                break;
            }
            let part = Loaded::by(&*self.inner.database.platform()).await?;
            let batch = self.inner.database.read(|store| self.batch(part, store, scope, &tasks))?;
            match self.learn(part, &batch).await {
                Ok(one) => {
                    learned.actions.extend(one.actions);
                    learned.spent.add(&one.spent);
                }
                // What a model makes nothing of must not keep the rest back.
                Err(error) if error.code == Code::Model => {
                    waiting.retain(|id| batch.tasks.iter().all(|(task, _)| task != id));
                    failure.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        failure.map_or(Ok(learned), Err)
    }

    /// What was done, with what it was done to.
    fn changes(&self, scope: &Scope, actions: &[Action]) -> Result<Vec<LearnedChange>> {
        self.inner.database.read(|store| {
            let mut changes = Vec::with_capacity(actions.len());
            for action in actions {
                let shown = match action.action {
                    Done::Deleted => action.previous_revision,
                    _ => Some(action.revision),
                };
                let history = store.history(scope, action.id)?;
                let found = history.into_iter().find(|revision| Some(revision.revision) == shown);
                // A proposal is nothing remembered yet.
                let record = found.and_then(|revision| revision.record);
                if let Some(record) = record.filter(|record| ITEM_KINDS.contains(&record.kind)) {
                    let (action, previous_revision) = (action.action, action.previous_revision);
                    changes.push(LearnedChange {
                        action,
                        record: Item::from_record(record)?,
                        previous_revision,
                    });
                }
            }
            Ok(changes)
        })
    }
}
