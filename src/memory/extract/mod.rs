//! Extraction: from a piece of conversation to facts and profile fields, by the model in one call, or by rules.

mod answer;
mod model;
mod plan;
mod prompt;
mod rules;

use super::action::Action;
use super::message::StoredMessage;
use super::models::Models;
use super::profiles::{Profiles, Schemas};
use crate::database::Database;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Draft, Expect};
use answer::AnswerSchema;
use std::rc::Rc;

/// How often an extraction is made anew because what it was based on changed meanwhile.
const RETRIES: usize = 3;

/// Messages to learn from, and the tasks that ask for it.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub(crate) scope: Scope,
    pub(crate) thread_id: String,
    pub(crate) tasks: Vec<(Id, u32)>,
    pub(crate) messages: Vec<StoredMessage>,
}

/// What turns conversations into memory.
#[derive(Clone)]
pub(crate) struct Extractor {
    database: Database,
    models: Rc<Models>,
    profiles: Profiles,
    schemas: Rc<Schemas>,
    answer: Rc<AnswerSchema>,
}

impl Extractor {
    /// Makes an extractor for the registered schemas.
    ///
    /// # Errors
    /// `InvalidSchema` when the answer's own schema does not compile, which no input can cause.
    pub(crate) fn new(
        database: Database,
        models: Rc<Models>,
        profiles: Profiles,
        schemas: Rc<Schemas>,
    ) -> Result<Self> {
        let answer = Rc::new(AnswerSchema::new(&schemas)?);
        Ok(Self { database, models, profiles, schemas, answer })
    }

    /// Learns from a batch and ends its tasks, in one commit. When somebody else changed what it was based on, it is done
    /// again; when somebody else did it already, nothing happens.
    ///
    /// # Errors
    /// `Model` and `Timeout` when the model fails, and those of storing; the tasks wait in the store then.
    pub(crate) async fn extract(&self, scope: &Scope, batch: &Batch) -> Result<Vec<Action>> {
        for _ in 0..RETRIES {
            let mut draft = Draft::new(scope, Cause::Extract);
            for (task, revision) in &batch.tasks {
                draft.delete(*task, Expect::Revision(*revision));
            }
            if self.models.has_llm() {
                self.learn_by_model(&mut draft, batch).await?;
            } else {
                self.learn_by_rules(&mut draft, batch)?;
            }
            match self.database.commit(draft).await {
                Ok(committed) => return Ok(Action::all(&committed)),
                Err(error) if matches!(error.code, Code::Conflict | Code::NotFound) => {
                    if self.is_done(scope, batch)? {
                        return Ok(Vec::new());
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Err(Error::new(
            Code::Conflict,
            format!("the memory changed {RETRIES} times while it was learned from; it is tried again later"),
        ))
    }

    /// Whether another engine ended one of the tasks; the others come back as a batch of their own.
    fn is_done(&self, scope: &Scope, batch: &Batch) -> Result<bool> {
        self.database.read(|store| {
            Ok(batch
                .tasks
                .iter()
                .any(|(task, _)| store.get(scope, *task).is_none_or(|view| view.kind != Kind::Task)))
        })
    }
}
