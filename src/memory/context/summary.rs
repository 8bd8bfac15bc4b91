//! Folding what left sight into the summary of the thread.

use super::Context;
use super::cancel::Cancel;
use super::queue::{self, Mark, Queue, between};
use super::shorten::{cut, shaped};
use crate::database::Event;
use crate::error::Result;
use crate::memory::conversation::violation;
use crate::memory::message::{Role, StoredMessage};
use crate::memory::models::{Models, Question};
use crate::memory::prompts::{CONTEXT_VERSION, data};
use crate::schema::{Schema, Violation};
use crate::scope::Scope;
use crate::time;
use serde_json::{Value, json};
use std::rc::Rc;

/// How many questions one folding may ask. What is older than they can show is not in the summary, but can be searched.
const QUESTIONS: usize = 4;
/// The most bytes of a summary.
const MAX_SUMMARY_BYTES: usize = 64 * 1024;

/// The shape of an answer.
pub(super) fn answer() -> Result<Schema> {
    Schema::compile(&json!({
        "type": "object",
        "properties": { "summary": { "type": "string", "minLength": 1, "maxLength": MAX_SUMMARY_BYTES } },
        "required": ["summary"],
    }))
}

/// Messages that are shown in one question.
struct Part {
    lines: Vec<String>,
    tokens: usize,
    /// The last of them.
    until: Mark,
    count: usize,
}

impl Context {
    /// Folds what waits into the summary. `false` when the model failed or the step was aborted: the summary is as it was, what
    /// left sight stays out of it until a later step.
    ///
    /// # Errors
    /// Those of reading and storing.
    pub(super) async fn fold(
        &self,
        scope: &Scope,
        thread_id: &str,
        models: &Rc<Models>,
        cancel: &Cancel,
    ) -> Result<bool> {
        let database = &self.archive.searcher.database;
        for part in self.parts(scope, thread_id)? {
            let queue = database.read(|store| Queue::read(store, scope, thread_id))?;
            let (system, user) = self.question(&queue.summary, &part.lines.join("\n"));
            let question = Question {
                purpose: "summarise",
                prompt: CONTEXT_VERSION,
                system,
                user,
                schema: &self.summary,
                max_tokens: self.answer_tokens(),
            };
            let asked = models.ask(question, refused);
            let summary = match cancel.unless(Box::pin(asked)).await {
                None => return Ok(false),
                Some(Err(error)) => {
                    database.tell(&Event::Error(error.about("a summary waits for a later step")));
                    return Ok(false);
                }
                Some(Ok(answer)) => {
                    let said = answer.get("summary").and_then(Value::as_str).unwrap_or_default().trim();
                    cut(said, self.summary_tokens(), &self.counter).to_owned()
                }
            };
            if !queue::fold(database, scope, thread_id, &queue, summary, (part.until, part.count)).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What waits for being folded, in as many parts as there are questions, oldest first.
    fn parts(&self, scope: &Scope, thread_id: &str) -> Result<Vec<Part>> {
        let capacity = self.options.window - self.options.reserve();
        let (system, user) = self.question("", "");
        let fixed = self.counter.count(&system) + self.counter.count(&user);
        // The summary may grow to its full size from question to question.
        let most = capacity.saturating_sub(fixed + 2 * self.summary_tokens()).max(100);
        self.archive.searcher.database.read(|store| {
            let queue = Queue::read(store, scope, thread_id)?;
            let waiting = match queue.evicted {
                Some(until) => between(store, scope, thread_id, queue.folded, Some(until)),
                None => Vec::new(),
            };
            let mut parts: Vec<Part> = Vec::new();
            // From the newest back, so that what no question has room for is the oldest.
            for view in waiting.iter().rev() {
                let line = self.line(&StoredMessage::of(view)?, most / 2);
                let tokens = self.counter.count(&line) + 1;
                if parts.last().is_none_or(|part| part.tokens + tokens > most) {
                    if parts.len() == QUESTIONS {
                        break;
                    }
                    parts.push(Part { lines: Vec::new(), tokens: 0, until: Mark::of(view), count: 0 });
                }
                let Some(part) = parts.last_mut() else { break };
                part.lines.push(line);
                part.tokens += tokens;
                part.count += 1;
            }
            parts.reverse();
            parts.iter_mut().for_each(|part| part.lines.reverse());
            Ok(parts)
        })
    }

    /// A message in a line, with so many tokens at most.
    fn line(&self, message: &StoredMessage, tokens: usize) -> String {
        let mut text = message.text();
        if text.trim().is_empty() {
            text = match (message.role, &message.content) {
                (Role::Assistant | Role::Tool, content) => {
                    cut(&content.to_string(), tokens.min(200), &self.counter).to_owned()
                }
                _ => String::new(),
            };
        }
        let at = time::minute(message.created_at);
        let shape = |text: &str| data(&json!({ "role": message.role, "text": text, "date": at }));
        shaped(&text, tokens, &self.counter, &shape)
    }

    fn question(&self, summary: &str, messages: &str) -> (String, String) {
        let tokens = (self.summary_tokens() * 3 / 4).to_string();
        let summary = if summary.is_empty() { "(none)".to_owned() } else { data(&Value::from(summary)) };
        (
            self.prompts.render("context.summary.system", &[("tokens", &tokens)]),
            self.prompts.render("context.summary.user", &[("summary", &summary), ("messages", messages)]),
        )
    }

    /// The most tokens of a summary.
    fn summary_tokens(&self) -> usize {
        (self.options.window / 12).min(1000)
    }

    /// The most tokens of an answer that is a summary, with the JSON around it.
    fn answer_tokens(&self) -> u32 {
        u32::try_from(self.summary_tokens() * 2).unwrap_or(u32::MAX)
    }
}

/// What is wrong with an answer that has the right shape.
fn refused(answer: &Value) -> Vec<Violation> {
    let blank = answer.get("summary").and_then(Value::as_str).is_none_or(|summary| summary.trim().is_empty());
    if blank { vec![violation("/summary", "the summary is blank; write one".to_owned())] } else { Vec::new() }
}
