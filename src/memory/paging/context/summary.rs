//! Folding what left sight into the summary of the thread.

use super::Context;
use super::call::unusable;
use super::cancel::Cancel;
use super::entry::FRAME_TOKENS;
use super::queue::{self, Mark, Queue, between};
use crate::database::Event;
use crate::error::{Code, Result};
use crate::memory::message::{Role, StoredMessage};
use crate::memory::models::{self, Models};
use crate::memory::prompts::{CONTEXT_VERSION, data};
use crate::memory::shorten::{cut, shaped};
use crate::memory::threads::{SUMMARY_TOKENS, refused};
use crate::ports::{ModelMessage, ModelRequest};
use crate::schema::{Violation, parse_lenient};
use crate::scope::Scope;
use crate::time;
use serde_json::{Value, json};
use std::rc::Rc;

/// How many questions one folding may ask. What is older than they can show is not in the summary, but can be searched.
const QUESTIONS: usize = 4;

/// What a question for the summary of a thread takes at most, asked twice.
const QUESTION_TOKENS: usize = 24_000;

/// What a complaint about an answer has of the window.
const COMPLAINT_TOKENS: usize = 150;

/// Messages that are shown in one question.
struct Part {
    lines: Vec<String>,
    /// What they say, without anything around it.
    said: String,
    tokens: usize,
    /// The last of them.
    until: Mark,
    count: usize,
}

impl Context {
    /// Folds what waits into the summary. `false` when the model failed, there is too much for one step or more than it `affords`,
    /// or it was aborted: what left sight stays out of the summary until a later step.
    ///
    /// # Errors
    /// Those of reading and storing.
    pub(super) async fn fold(
        &self,
        scope: &Scope,
        thread_id: &str,
        models: &Rc<Models>,
        cancel: &Cancel,
        affords: &dyn Fn(usize) -> bool,
    ) -> Result<bool> {
        // A value, as a model's answer is: what waits for either is compiled once.
        let work = async {
            let done = if self.threads.are_summarised() {
                self.catch_up(scope, thread_id, models, affords).await
            } else {
                self.fold_parts(scope, thread_id, models, affords).await
            };
            done.map(Value::Bool)
        };
        match cancel.unless(Box::pin(work)).await {
            Some(Err(error)) if matches!(error.code, Code::Model | Code::Timeout) => {
                let database = &self.archive.searcher.database;
                database.tell(&Event::Error(error.about("a summary waits for a later step")));
                Ok(false)
            }
            done => Ok(done.transpose()? == Some(Value::Bool(true))),
        }
    }

    /// Brings the summary that the thread has besides up to what left sight.
    async fn catch_up(
        &self,
        scope: &Scope,
        thread_id: &str,
        models: &Rc<Models>,
        affords: &dyn Fn(usize) -> bool,
    ) -> Result<bool> {
        let database = &self.archive.searcher.database;
        let threads = self.threads.asking(models);
        for _ in 0..QUESTIONS {
            let queue = database.read(|store| self.queue(store, scope, thread_id))?;
            if queue.folded == queue.evicted {
                return Ok(true);
            }
            if !affords(QUESTION_TOKENS) {
                return Ok(false);
            }
            match threads.advance(scope, Some(thread_id), queue.left).await {
                Err(error) if error.code != Code::Conflict => return Err(error),
                // Others were faster: what is missing then is read anew.
                _ => {}
            }
        }
        database.read(|store| self.queue(store, scope, thread_id)).map(|queue| queue.folded == queue.evicted)
    }

    async fn fold_parts(
        &self,
        scope: &Scope,
        thread_id: &str,
        models: &Rc<Models>,
        affords: &dyn Fn(usize) -> bool,
    ) -> Result<bool> {
        let database = &self.archive.searcher.database;
        for questions in (1..=QUESTIONS).rev() {
            // Read together with the queue each time: what is removed meanwhile is in no part.
            let (queue, part) = self.part(scope, thread_id, questions)?;
            let Some(part) = part else { return Ok(true) };
            let Some(summary) = self.summarised(&queue.summary, &part, models, affords).await? else {
                return Ok(false);
            };
            if !queue::fold(database, scope, thread_id, &queue, summary, (part.until, part.count)).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The summary of one so far and of a part; `None` when that is more than the step `affords`. A model is told once what is
    /// wrong with its answer; that answer is not shown to it again, for it may be longer than the window.
    async fn summarised(
        &self,
        before: &str,
        part: &Part,
        models: &Rc<Models>,
        affords: &dyn Fn(usize) -> bool,
    ) -> Result<Option<String>> {
        let mut request = self.request(before, &part.lines.join("\n"));
        let shown = request.messages.last().map(|message| message.content.clone()).unwrap_or_default();
        let said = format!("{before}\n{}", part.said);
        let mut complaint = String::new();
        for _ in 0..2 {
            if !affords(self.price(&request) + request.max_tokens as usize) {
                return Ok(None);
            }
            match self.checked(&models.reply(&request).await?, &shown, &said) {
                Ok(summary) => return Ok(Some(summary)),
                Err(violations) => complaint = models::complaint(&violations),
            }
            models.unusable(request.purpose);
            complaint = cut(&complaint, COMPLAINT_TOKENS, &self.counter).to_owned();
            request.messages.push(ModelMessage { role: "user", content: complaint.clone() });
        }
        Err(unusable(&complaint))
    }

    /// The summary in an answer; what is wrong with it when it cannot be used.
    fn checked(&self, answer: &Value, shown: &str, said: &str) -> Result<String, Vec<Violation>> {
        let text = read(answer).unwrap_or_default();
        let summary = cut(&text, self.summary_tokens(), &self.counter);
        let violations = refused(&json!({ "summary": summary }), shown, said, &self.counter);
        if violations.is_empty() { Ok(summary.to_owned()) } else { Err(violations) }
    }

    /// What the messages of a request take.
    fn price(&self, request: &ModelRequest) -> usize {
        let price = |message: &ModelMessage| FRAME_TOKENS + self.counter.count(&message.content);
        request.messages.iter().map(price).sum()
    }

    /// The queue, and the first of as many parts as there are questions in what waits for being folded; none when nothing does.
    fn part(&self, scope: &Scope, thread_id: &str, questions: usize) -> Result<(Queue, Option<Part>)> {
        let capacity = self.options.window - self.options.reserve;
        let fixed = self.price(&self.request("", "")) + FRAME_TOKENS + COMPLAINT_TOKENS;
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
                let message = StoredMessage::of(view)?;
                let line = self.line(&message, most / 2);
                let tokens = self.counter.count(&line) + 1;
                if parts.last().is_none_or(|part| part.tokens + tokens > most) {
                    if parts.len() == questions {
                        break;
                    }
                    let (lines, said) = (Vec::new(), String::new());
                    parts.push(Part { lines, said, tokens: 0, until: Mark::of(view), count: 0 });
                }
                let Some(part) = parts.last_mut() else { break };
                part.lines.push(line);
                part.said.push_str(&message.text());
                part.tokens += tokens;
                part.count += 1;
            }
            let mut first = parts.pop();
            first.iter_mut().for_each(|part| part.lines.reverse());
            Ok((queue, first))
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
        (self.options.window / 12).min(SUMMARY_TOKENS)
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
