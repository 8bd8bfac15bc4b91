//! The documents of every scope.

use super::document::{Document, Shown, set_ttl};
use super::operation::{Defaults, Operation};
use super::staged::Staged;
use crate::database::{Database, Event};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::memory::action::Action;
use crate::memory::changes::{Changes, Planning};
use crate::memory::embedding::Embeddings;
use crate::memory::limits::invalid;
use crate::memory::models::Models;
use crate::memory::search::embed_query;
use crate::ports::Pending;
use crate::record::{Kind, parts};
use crate::scope::Scope;
use serde::Serialize;
use serde_json::Value;
use std::rc::Rc;

/// The most operations of one batch.
pub const MAX_OPERATIONS: usize = 1000;

/// What an operation answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// Of a put or a delete: what became of the document in the end; `None` when there is none, as before.
    Action(Option<Action>),
    /// Of a get: the document, if there is one.
    Document(Option<Box<Document>>),
    /// Of deleting all that are selected.
    Deleted(Deleted),
    /// Of a search or a listing: what it found.
    Documents(Vec<Document>),
    /// Of a listing: the namespaces.
    Namespaces(Vec<Vec<String>>),
    /// Of a batch: the answers of its operations, in order.
    Batch(Vec<Outcome>),
}

/// What became of those that were selected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Deleted {
    /// How many there were.
    pub deleted: usize,
    /// The commit that ended them, for undoing it; none when there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_id: Option<Id>,
}

/// The documents of every scope.
#[derive(Clone)]
pub struct Documents {
    database: Database,
    models: Rc<Models>,
    changes: Changes,
    embeddings: Rc<Embeddings>,
    defaults: Rc<Defaults>,
}

/// What an operation came to.
enum Planned {
    /// An answer.
    Answer(Outcome),
    /// What the commit will have an answer for: a key, the record that it is in the end about, and what to answer when that
    /// does not change.
    Written { key: String, id: Option<Id>, unchanged: Option<Action> },
}

impl Documents {
    pub(crate) fn new(
        database: Database,
        models: Rc<Models>,
        embeddings: Rc<Embeddings>,
        defaults: Defaults,
    ) -> Self {
        let changes = Changes::new(&database, &models);
        Self { database, models, changes, embeddings, defaults: Rc::new(defaults) }
    }

    /// Carries out operations one after the other, each on what the earlier ones left, in one commit: all of them or none.
    /// Answers in their order. Each is an object whose `op` names it:
    ///
    /// - `put`: `namespace`, at least one label, none of them empty, the first not `langgraph`, 4 KiB together; `key`, of
    ///   at most 1024 bytes; `value`, an object of at most 16 MiB, or `data`, bytes as base64; `index`, a list of paths or
    ///   `false`, and `ttlMs`, a number or `false`, as the memory was opened by default; `ifRevision`, the revision that it must
    ///   have, or `ifAbsent`.
    /// - `get`: `namespace`, `key`; `refreshTtl`, as the memory was opened by default.
    /// - `move`: `namespace`, `key`; `toNamespace` and `toKey`, the same by default, where there must be no other document;
    ///   `ifRevision`. Its past goes with it.
    /// - `delete`: `namespace`, `key`; `ifRevision`.
    /// - `list`: a selection. `prefix`, the first labels, none by default; `depth`, how many labels there may be beyond them, any
    ///   by default; `match`, a list of objects with `prefix` and `suffix`, labels or `*`; `keyPrefix`; `where`, a condition on what
    ///   is around the content; `filter`, one on the content; `orderBy`, which is `createdAt`, `updatedAt` or `key`, as they were
    ///   first stored by default; `order`, which is `asc` by default or `desc`; `after`, the key behind which to begin; `limit`, 1 to 1000, 100 by default;
    ///   `offset`, 0 by default.
    /// - `deleteAll`: a selection, without a limit by default; its `prefix` is never left out.
    /// - `search`: a selection, of at most 10 by default; `query` and `threshold`, none by default; `refreshTtl`.
    /// - `listNamespaces`: `prefix` and `suffix`, labels or `*`, none by default; `match`; `maxDepth`, from 1, all by default; `limit`,
    ///   1 to 1000, 100 by default; `offset`, 0 by default.
    ///
    /// # Errors
    /// `InvalidInput`, `InvalidFilter`, and `Conflict` when a condition does not hold; then nothing was changed. Those of reading and
    /// storing.
    pub fn run<'a>(&'a self, scope: &'a Scope, operations: Vec<Value>) -> Pending<'a, Result<Vec<Outcome>>> {
        Box::pin(self.run_steps(scope, operations))
    }

    async fn run_steps(&self, scope: &Scope, operations: Vec<Value>) -> Result<Vec<Outcome>> {
        if operations.len() > MAX_OPERATIONS {
            return Err(invalid(format!(
                "the batch has {} operations, over the limit of {MAX_OPERATIONS}; split it",
                operations.len()
            )));
        }
        let is_one = operations.len() == 1;
        let mut steps = Vec::with_capacity(operations.len());
        let (mut only_reads, mut is_conditional) = (true, false);
        for (number, operation) in operations.into_iter().enumerate() {
            let place = if is_one { String::new() } else { format!("operations[{number}].") };
            let mut step = Operation::read(operation, place, &self.defaults)?;
            match &mut step {
                Operation::Search { search, .. } => {
                    if let Some(query) = &search.query {
                        self.embeddings.catch_up_documents(scope).await;
                        search.embedding = embed_query(&self.database, &self.models, query).await;
                    }
                }
                Operation::Get { .. } | Operation::List(_) => {}
                _ => {
                    only_reads = false;
                    is_conditional |= step.is_conditional();
                }
            }
            steps.push(step);
        }
        if is_conditional {
            // Whether it is refused depends on what earlier calls do.
            let _hold = self.database.order().hold();
            self.database.caught_up().await;
        }
        let texts = &mut steps.iter().filter_map(|step| match step {
            Operation::Put { text, .. } => text.as_deref(),
            _ => None,
        });
        let texts = &mut texts.flat_map(|text| parts(Kind::Document, text));
        let _prepared = self.models.prepare(&self.database, texts).await;
        if only_reads && self.database.is_reading() {
            return self.look(scope, &steps);
        }
        match self.carry_out(scope, &steps, true).await {
            // What can be read is read, also where nothing can be written: only the time to live does not begin anew.
            Err(error)
                if only_reads
                    && matches!(error.code, Code::Conflict | Code::QuotaExceeded | Code::Storage) =>
            {
                self.database.tell(&Event::Error(error));
                self.carry_out(scope, &steps, false).await
            }
            outcome => outcome,
        }
    }

    /// Carries out operations that only read, and begins no time to live anew.
    fn look(&self, scope: &Scope, steps: &[Operation]) -> Result<Vec<Outcome>> {
        let mut outcomes = Vec::new();
        let plan = &mut |planning: &mut Planning<'_>| {
            let mut staged = Staged::new(planning.store, scope, planning.now);
            for step in steps {
                if let Planned::Answer(outcome) = self.plan(&mut staged, step, false)? {
                    outcomes.push(outcome);
                }
            }
            Ok(())
        };
        self.changes.look(scope, plan)?;
        Ok(outcomes)
    }

    async fn carry_out(&self, scope: &Scope, steps: &[Operation], refreshes: bool) -> Result<Vec<Outcome>> {
        let mut planned = Vec::new();
        let plan = &mut |planning: &mut Planning<'_>| {
            let mut staged = Staged::new(planning.store, scope, planning.now);
            planned = Vec::with_capacity(steps.len());
            for step in steps {
                planned.push(self.plan(&mut staged, step, refreshes)?);
            }
            // Only now is known what becomes of each key in the end.
            for planned in &mut planned {
                if let Planned::Written { key, id, unchanged } = planned {
                    (*id, *unchanged) = staged.end(key);
                }
            }
            staged.draft(&mut planning.draft);
            Ok(())
        };
        let made = self.changes.run(scope, Cause::User, plan).await?;
        let outcomes = planned.into_iter().map(|planned| match planned {
            Planned::Answer(Outcome::Deleted(Deleted { deleted, .. })) => {
                Outcome::Deleted(Deleted { deleted, commit_id: made.commit_id.filter(|_| deleted > 0) })
            }
            Planned::Answer(outcome) => outcome,
            Planned::Written { id, unchanged, .. } => {
                let made = made.actions.iter().find(|action| Some(action.id) == id).cloned();
                Outcome::Action(made.or(unchanged))
            }
        });
        Ok(outcomes.collect())
    }

    fn plan(&self, staged: &mut Staged<'_>, step: &Operation, refreshes: bool) -> Result<Planned> {
        Ok(Planned::Answer(match step {
            Operation::Put { key, value, text, ttl, condition } => {
                staged.require(key, *condition)?;
                let now = staged.now;
                staged.put(key, self.database.new_id(), |record| {
                    record.value.clone_from(value);
                    record.text.clone_from(text);
                    set_ttl(record, *ttl, now);
                })?;
                return Ok(Planned::written(key));
            }
            Operation::Delete { key, condition } => {
                staged.require(key, *condition)?;
                staged.delete(key);
                return Ok(Planned::written(key));
            }
            Operation::Move { key, to, condition } => {
                staged.require(key, *condition)?;
                if staged.get(key).is_some() {
                    staged.relocate(key, to)?;
                    return Ok(Planned::written(to));
                }
                Outcome::Action(None)
            }
            Operation::DeleteAll(selection) => {
                let selected = selection.each(staged).skip(selection.offset).take(selection.limit);
                let selected: Vec<_> =
                    selected.map(|present| (present.key().to_owned(), present.before())).collect();
                // From the end: there an index lets go of many, and takes them back, without moving what lies behind them.
                for (key, before) in selected.iter().rev() {
                    staged.end_known(key, *before);
                }
                Outcome::Deleted(Deleted { deleted: selected.len(), commit_id: None })
            }
            Operation::Get { key, refresh } => {
                let mut document =
                    staged.get(key).map(|present| present.document(Shown::Whole)).transpose()?;
                if let Some(document) = document.as_mut().filter(|_| *refresh && refreshes) {
                    staged.refresh(document, key)?;
                }
                Outcome::Document(document.map(Box::new))
            }
            Operation::Search { search, refresh } => {
                let mut documents = Vec::new();
                for (key, mut document) in search.find(staged)? {
                    if refresh.unwrap_or_else(|| self.defaults.of(&key).refresh) && refreshes {
                        staged.refresh(&mut document, &key)?;
                    }
                    documents.push(document);
                }
                Outcome::Documents(documents)
            }
            Operation::List(list) => Outcome::Namespaces(list.list(staged)),
        }))
    }
}

impl Planned {
    fn written(key: &str) -> Self {
        Self::Written { key: key.to_owned(), id: None, unchanged: None }
    }
}
