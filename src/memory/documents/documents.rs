//! The documents of every scope.

use super::super::action::{Action, commit, retried};
use super::super::limits::invalid;
use super::super::models::Models;
use super::super::search::embed_query;
use super::document::{self, Document, Hit, set_ttl};
use super::index::Index;
use super::namespace::key;
use super::operation::Operation;
use super::options::Defaults;
use super::search::Finder;
use super::staged::Staged;
use crate::database::{Database, Event};
use crate::embedding::Embedding;
use crate::error::{Code, Result};
use crate::id::Id;
use crate::scope::Scope;
use serde::Serialize;
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
    Document(Option<Document>),
    /// Of a search: what it found.
    Hits(Vec<Hit>),
    /// Of a listing: the namespaces.
    Namespaces(Vec<Vec<String>>),
}

/// The documents of every scope.
#[derive(Clone)]
pub struct Documents {
    database: Database,
    models: Rc<Models>,
    defaults: Rc<Defaults>,
}

/// An operation whose options were checked.
enum Step<'o> {
    Put { key: String, value: &'o serde_json::Value, text: Option<String>, ttl_minutes: Option<f64> },
    Get { key: String, refresh: bool },
    Delete { key: String },
    Search { finder: Finder<'o>, embedding: Option<Embedding>, refresh: bool },
    List(&'o super::ListNamespaces),
}

/// What a step came to.
enum Planned {
    /// An answer.
    Answer(Outcome),
    /// What the commit will have an answer for: a key, the record that it is in the end about, and what to answer when that
    /// does not change.
    Written { key: String, id: Option<Id>, unchanged: Option<Action> },
}

impl Documents {
    pub(crate) fn new(database: Database, models: Rc<Models>, defaults: Defaults) -> Self {
        Self { database, models, defaults: Rc::new(defaults) }
    }

    /// Carries out operations one after the other, each on what the earlier ones left, in one commit: all of them or none.
    /// Answers in their order.
    ///
    /// # Errors
    /// `InvalidInput` and `InvalidFilter`, when nothing was changed, and those of reading and storing.
    pub async fn run(&self, scope: &Scope, operations: &[Operation]) -> Result<Vec<Outcome>> {
        if operations.len() > MAX_OPERATIONS {
            return Err(invalid(format!(
                "the batch has {} operations, over the limit of {MAX_OPERATIONS}; split it",
                operations.len()
            )));
        }
        let mut steps: Vec<Step<'_>> =
            operations.iter().map(|operation| self.check(operation)).collect::<Result<_>>()?;
        for (step, operation) in steps.iter_mut().zip(operations) {
            if let (Step::Search { embedding, .. }, Operation::Search(search)) = (step, operation)
                && let Some(query) = &search.query
            {
                *embedding = embed_query(&self.database, &self.models, query).await;
            }
        }
        let outcome = retried(|| self.run_once(scope, &steps, true)).await;
        let only_reads = !steps.iter().any(|step| matches!(step, Step::Put { .. } | Step::Delete { .. }));
        match outcome {
            // What can be read is read, also where nothing can be written: only the time to live does not begin anew.
            Err(error)
                if only_reads
                    && matches!(error.code, Code::QuotaExceeded | Code::Storage | Code::Conflict) =>
            {
                self.database.tell(&Event::Error(error));
                self.run_once(scope, &steps, false).await
            }
            outcome => outcome,
        }
    }

    fn check<'o>(&self, operation: &'o Operation) -> Result<Step<'o>> {
        let refresh = |option: Option<bool>| option.unwrap_or(self.defaults.refresh_on_read);
        Ok(match operation {
            Operation::Put(put) => {
                let key = key(&put.namespace, &put.key)?;
                document::check(&put.value)?;
                let own = put.index.as_ref().map(Index::read).transpose()?;
                let text = own.as_ref().unwrap_or(&self.defaults.index).text(&put.value);
                let ttl_minutes =
                    put.ttl_minutes.as_ref().map_or(Ok(self.defaults.ttl_minutes), document::ttl)?;
                Step::Put { key, value: &put.value, text, ttl_minutes }
            }
            Operation::Get(get) => {
                Step::Get { key: key(&get.namespace, &get.key)?, refresh: refresh(get.refresh_ttl) }
            }
            Operation::Delete(address) => Step::Delete { key: key(&address.namespace, &address.key)? },
            Operation::Search(search) => Step::Search {
                finder: Finder::new(search)?,
                embedding: None,
                refresh: refresh(search.refresh_ttl),
            },
            Operation::ListNamespaces(list) => {
                list.check()?;
                Step::List(list)
            }
        })
    }

    async fn run_once(&self, scope: &Scope, steps: &[Step<'_>], refreshes: bool) -> Result<Vec<Outcome>> {
        let now = self.database.now();
        let (draft, planned) = self.database.read(|store| {
            let mut staged = Staged::new(store, scope, now);
            let mut planned = Vec::with_capacity(steps.len());
            for step in steps {
                planned.push(self.plan(&mut staged, step, refreshes)?);
            }
            // Only now is known what becomes of each key in the end.
            for planned in &mut planned {
                if let Planned::Written { key, id, unchanged } = planned {
                    (*id, *unchanged) = staged.end(key);
                }
            }
            Ok((staged.draft(&self.models), planned))
        })?;
        let actions = commit(&self.database, draft).await?;
        let outcomes = planned.into_iter().map(|planned| match planned {
            Planned::Answer(outcome) => outcome,
            Planned::Written { id, unchanged, .. } => {
                let made = actions.iter().find(|action| Some(action.id) == id).copied();
                Outcome::Action(made.or(unchanged))
            }
        });
        Ok(outcomes.collect())
    }

    fn plan(&self, staged: &mut Staged<'_>, step: &Step<'_>, refreshes: bool) -> Result<Planned> {
        Ok(Planned::Answer(match step {
            Step::Put { key, value, text, ttl_minutes } => {
                let now = staged.now;
                staged.put(key, self.database.new_id(), |record| {
                    record.value = (*value).clone();
                    record.text.clone_from(text);
                    set_ttl(record, *ttl_minutes, now);
                })?;
                return Ok(Planned::written(key));
            }
            Step::Delete { key } => {
                staged.delete(key)?;
                return Ok(Planned::written(key));
            }
            Step::Get { key, refresh } => {
                let mut document = staged.get(key).map(|present| present.document()).transpose()?;
                if let Some(document) = document.as_mut().filter(|_| *refresh && refreshes) {
                    staged.refresh(document, key)?;
                }
                Outcome::Document(document)
            }
            Step::Search { finder, embedding, refresh } => {
                let mut found = finder.find(staged, &self.models, embedding.as_ref())?;
                for (key, hit) in found.iter_mut().filter(|_| *refresh && refreshes) {
                    staged.refresh(&mut hit.document, key)?;
                }
                Outcome::Hits(found.into_iter().map(|(_, hit)| hit).collect())
            }
            Step::List(list) => Outcome::Namespaces(list.list(staged)),
        }))
    }
}

impl Planned {
    fn written(key: &str) -> Self {
        Self::Written { key: key.to_owned(), id: None, unchanged: None }
    }
}
