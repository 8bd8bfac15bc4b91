//! Assembly: a whole prompt from everything that is remembered, within a number of tokens, each line explained.
//!
//! The sections stand in one order: instructions, working memory, profile, facts, examples, what is known of whom is asked
//! about, summaries, the last messages, the question. What does not depend on the question comes first and is chosen first,
//! from room of its own: so it stays the same byte by byte until something in it changes, and a model's cache can keep it.

mod asked;
mod assembled;
mod assembling;
mod conversation;
mod fit;
mod last;
mod render;

pub use asked::AssemblyOptions;
pub use assembled::{Assembled, Taken};
pub use render::Shape;

use crate::error::Result;
use crate::memory::blocks::Blocks;
use crate::memory::recall::{Filling, Queries, Recall, RecallOptions};
use crate::memory::rewriting::Before;
use crate::memory::scoring::Scoring;
use crate::scope::Scope;
use asked::Asked;
use assembling::Assembling;
use serde_json::Map;

/// Assembly over every scope.
#[derive(Clone)]
pub struct Assembly {
    recall: Recall,
    blocks: Blocks,
    instructions: Option<String>,
}

impl Assembly {
    pub(crate) fn new(recall: Recall, blocks: Blocks, instructions: Option<String>) -> Self {
        Self { recall, blocks, instructions }
    }

    /// Puts a prompt together. The same memory and options give the same bytes.
    ///
    /// # Errors
    /// `BudgetExceeded` when the instructions and the question alone are over the limit, or nothing is asked and the last
    /// messages are, `InvalidInput`, and those of reading. A failing embedder is a warning.
    pub async fn assemble(&self, scope: &Scope, options: &AssemblyOptions) -> Result<Assembled> {
        let asked = Asked::read(options, self.instructions.as_deref())?;
        let searcher = self.recall.searcher();
        let present = asked.thread;
        let before = Before { thread: present, said: asked.said };
        let database = &searcher.database;
        let sought = match asked.question {
            Some(question) => Some(question.to_owned()),
            None => database.read(|store| asked.last_of_user((store, scope), database))?,
        };
        let (queries, rewritten, warnings) = match sought.as_deref() {
            None => (Queries::plain(""), None, Vec::new()),
            Some(sought) => {
                self.recall
                    .queries(scope, (sought, options.hops, options.waits), options.rewrite.then_some(before))
                    .await?
            }
        };
        let recalled = RecallOptions {
            query: sought.unwrap_or_default(),
            max_tokens: options.max_tokens,
            limit: None,
            current_thread_id: None,
            messages: None,
            filter: None,
            threshold: None,
            scoring: Scoring::default(),
            sections: Map::new(),
            rewrite: options.rewrite,
            hops: options.hops,
            waits: options.waits,
        };
        let (threads, of) = (self.recall.threads(), (scope, present));
        let filling = Filling::new(searcher, threads, of, &recalled, None, &queries);
        let prompt =
            database.read(|store| Assembling { assembly: self, asked, filling, store, warnings }.prompt())?;
        Ok(Assembled { rewritten, ..prompt })
    }
}
