//! Bringing the summary of a thread up to what left its window.

use super::Context;
use super::queue::Queue;
use super::step::Place;
use crate::database::Event;
use crate::error::{Code, Error, Result};
use crate::memory::threads::{ANSWER_TOKENS, Asking, Until, evicted};
use serde_json::Value;

/// How many questions one step may ask. What they leave waits for the next step.
const QUESTIONS: usize = 4;

impl Context {
    /// Brings the summary up to what left sight. `false` when the model failed, there is too much for one step or more than it
    /// may spend, or it was aborted: the rest waits for a later step.
    ///
    /// # Errors
    /// Those of reading and storing.
    pub(super) async fn summarise(&self, place: &Place<'_>) -> Result<bool> {
        // A value, as a model's answer is: what waits for either is compiled once.
        let work = async { self.catch_up(place).await.map(Value::Bool) };
        match place.cancel.unless(Box::pin(work)).await {
            Some(Err(error)) if matches!(error.code, Code::Model | Code::Timeout) => {
                let error: Error = error.about("a summary waits for a later step");
                self.archive.searcher.database.tell(&Event::Error(error));
                Ok(false)
            }
            Some(Err(error)) if error.code == Code::BudgetExceeded => Ok(false),
            done => Ok(done.transpose()? == Some(Value::Bool(true))),
        }
    }

    async fn catch_up(&self, place: &Place<'_>) -> Result<bool> {
        let database = &self.archive.searcher.database;
        let (scope, thread_id) = (place.scope, place.thread_id);
        let threads = self.threads.asking(&place.models);
        // What the model answers the person has to be affordable still.
        let affords = |tokens: usize| self.is_affordable(place, tokens + self.options.window);
        let tokens = self.options.window - self.options.reserve.max(ANSWER_TOKENS);
        for _ in 0..QUESTIONS {
            let mark = database.read(|store| evicted(store, scope, thread_id))?;
            let Some(mark) = mark else { return Ok(true) };
            let asking = Asking { until: Until::Mark(mark), tokens, affords: &affords };
            match threads.advance(scope, Some(thread_id), &asking).await {
                Ok(true) => {}
                Ok(false) => return Ok(true),
                // Others were faster: what is missing then is read anew.
                Err(error) if error.code == Code::Conflict => {}
                Err(error) => return Err(error),
            }
        }
        database.read(|store| Ok(!Queue::read(store, scope, thread_id)?.is_behind()))
    }
}
