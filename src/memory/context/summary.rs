//! Folding what left sight into the summary of the thread.

use super::Context;
use super::cancel::Cancel;
use super::queue::{self, Mark, Queue, between};
use super::shorten::{cut, shaped};
use crate::database::Event;
use crate::error::{Code, Error, Result};
use crate::memory::message::{Role, StoredMessage};
use crate::memory::models::Models;
use crate::memory::prompts::{CONTEXT_VERSION, data};
use crate::ports::{ModelMessage, ModelRequest};
use crate::schema::parse_lenient;
use crate::scope::Scope;
use crate::time;
use serde_json::{Value, json};
use std::rc::Rc;

/// How many questions one folding may ask. What is older than they can show is not in the summary, but can be searched.
const QUESTIONS: usize = 4;

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
            let request = self.request(&queue.summary, &part.lines.join("\n"));
            let asked = models.reply(&request);
            let Some(answer) = cancel.unless(Box::pin(asked)).await else { return Ok(false) };
            let said = answer.and_then(|answer| {
                let missing = || Error::new(Code::Model, "the model answered no summary");
                read(&answer).ok_or_else(missing)
            });
            let summary = match said {
                Ok(said) => cut(&said, self.summary_tokens(), &self.counter).to_owned(),
                Err(error) => {
                    database.tell(&Event::Error(error.about("a summary waits for a later step")));
                    return Ok(false);
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
        let bare = self.request("", "");
        let fixed: usize = bare.messages.iter().map(|message| self.counter.count(&message.content)).sum();
        let most = capacity.saturating_sub(fixed + self.summary_tokens()).max(100);
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

    fn request(&self, summary: &str, messages: &str) -> ModelRequest {
        let tokens = self.summary_tokens();
        let shape = |summary: &str| data(&Value::from(summary));
        let summary = if summary.is_empty() {
            "(none)".to_owned()
        } else {
            shaped(summary, tokens, &self.counter, &shape)
        };
        let system =
            self.prompts.render("context.summary.system", &[("tokens", &(tokens * 3 / 4).to_string())]);
        let values = [("summary", summary.as_str()), ("messages", messages)];
        let user = self.prompts.render("context.summary.user", &values);
        ModelRequest {
            purpose: "summarise",
            prompt: CONTEXT_VERSION,
            messages: vec![
                ModelMessage { role: "system", content: system },
                ModelMessage { role: "user", content: user },
            ],
            schema: Some(json!({
                "type": "object",
                "properties": { "summary": { "type": "string", "minLength": 1 } },
                "required": ["summary"],
            })),
            tools: None,
            max_tokens: u32::try_from(tokens * 2).unwrap_or(u32::MAX),
        }
    }

    /// The most tokens of a summary.
    fn summary_tokens(&self) -> usize {
        (self.options.window / 12).min(1000)
    }
}

/// The summary in an answer: JSON as it was asked for, or plain words; `None` when there is none.
fn read(answer: &Value) -> Option<String> {
    let of = |answer: &Value| Some(answer.get("summary")?.as_str()?.to_owned());
    let summary = match answer {
        Value::String(text) => match parse_lenient(text) {
            Some(found) => of(&found),
            // JSON that was cut off is no summary.
            None => Some(text.clone()).filter(|text| !text.trim_start().starts_with(['{', '`'])),
        },
        other => of(other),
    };
    summary.map(|summary| summary.trim().to_owned()).filter(|summary| !summary.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_read_from_json_or_words() {
        for (answer, summary) in [
            (json!({ "summary": " They spoke. " }), Some("They spoke.")),
            (json!("```json\n{\"summary\": \"They spoke.\"}\n```"), Some("They spoke.")),
            (json!("They spoke."), Some("They spoke.")),
            (json!("{\"summary\": \"They sp"), None),
            (json!({ "summary": "  " }), None),
            (json!({ "summary": 5 }), None),
            (json!([]), None),
            (json!(""), None),
        ] {
            assert_eq!(read(&answer).as_deref(), summary, "{answer}");
        }
    }
}
