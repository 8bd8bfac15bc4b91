//! A message of the queue, as the model is shown it: lines of JSON that cannot be taken for others.

use crate::memory::counter::{Counter, MESSAGE_TOKENS};
use crate::memory::message::{FUNCTION_RESULT, NOTICE, Role, StoredMessage};
use crate::memory::prompts::data;
use crate::memory::shorten::{MOST_BYTES_PER_TOKEN, shaped};
use crate::ports::ModelMessage;
use crate::time;
use serde_json::{Value, json};

/// The fewest tokens that one of several texts of a message is shortened to.
const LEAST_TOKENS: usize = 8;
/// How many bytes of a tool's name and of a call's id are shown.
const MOST_NAME_BYTES: usize = 128;

/// A message of the queue.
pub(super) struct Entry {
    pub(super) message: ModelMessage,
    pub(super) tokens: usize,
}

impl Entry {
    /// A message, with so many tokens at most; `None` when it says nothing.
    pub(super) fn of(message: &StoredMessage, tokens: usize, counter: &Counter) -> Option<Self> {
        let shown = Shown::of(message)?;
        let content = shown.within(tokens.saturating_sub(MESSAGE_TOKENS), counter);
        let tokens = MESSAGE_TOKENS + counter.count(&content);
        Some(Self { message: ModelMessage { role: shown.role, content }, tokens })
    }

    /// The summary of what is out of sight.
    pub(super) fn summary(summary: &str, messages: usize, tokens: usize, counter: &Counter) -> Self {
        let shape = |text: &str| data(&json!({ "type": "summary", "messages": messages, "text": text }));
        let content = shaped(summary, tokens.saturating_sub(MESSAGE_TOKENS), counter, &shape);
        let tokens = MESSAGE_TOKENS + counter.count(&content);
        Self { message: ModelMessage { role: "user", content }, tokens }
    }
}

/// A message apart from how long it is: in which role it is shown, and what of it may be shortened.
struct Shown<'a> {
    message: &'a StoredMessage,
    role: &'static str,
    pieces: Vec<(Piece<'a>, String)>,
}

/// What a text of a message is.
enum Piece<'a> {
    Words,
    /// The arguments of a call, with its id and the tool's name.
    Call(Option<&'a str>, &'a str),
    /// What a tool answered, with the call's id, the tool's name, and whether it did what it was asked.
    Answer(Option<&'a str>, Option<&'a str>, Option<bool>),
}

impl<'a> Shown<'a> {
    /// Reads a message; `None` when it says nothing.
    fn of(message: &'a StoredMessage) -> Option<Self> {
        let role = if message.role == Role::Assistant { "assistant" } else { "user" };
        if let Some(notice) = notice(message) {
            return Some(Self { message, role, pieces: vec![(Piece::Words, notice.to_owned())] });
        }
        let parts = message.parts();
        let mut pieces = Vec::new();
        let answers: Vec<_> = parts
            .answers()
            .map(|answer| (Piece::Answer(answer.id, answer.name, answer.ok), answer.text()))
            .collect();
        let text = parts.text();
        // Of a person and an application even an empty message is shown, as long as there is nothing else in it.
        let says = matches!(message.role, Role::User | Role::System) && answers.is_empty();
        if says || !text.trim().is_empty() {
            pieces.push((Piece::Words, text));
        }
        for call in parts.calls() {
            let arguments = call.arguments();
            let text = arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned);
            pieces.push((Piece::Call(call.id, call.name), text));
        }
        // What a tool answered comes behind its call, and before what is said to it.
        let place = if message.role == Role::Assistant { pieces.len() } else { 0 };
        pieces.splice(place..place, answers);
        Some(Self { message, role, pieces }).filter(|shown| !shown.pieces.is_empty())
    }

    /// The message with so many tokens at most.
    fn within(&self, tokens: usize, counter: &Counter) -> String {
        if let [(_, text)] = self.pieces.as_slice() {
            return shaped(text, tokens, counter, &|text| self.lines(&[text.to_owned()]));
        }
        let mut each = usize::MAX;
        loop {
            let short = |(_, text): &(Piece<'_>, String)| match each {
                usize::MAX => text.clone(),
                each => shaped(text, each, counter, &str::to_owned),
            };
            let lines = self.lines(&self.pieces.iter().map(short).collect::<Vec<_>>());
            if counter.count(&lines) <= tokens && lines.len() <= tokens.saturating_mul(MOST_BYTES_PER_TOKEN) {
                return lines;
            }
            each = each.min(tokens / self.pieces.len()) * 7 / 8;
            if each < LEAST_TOKENS {
                return data(&json!({ "type": "message", "message": "[shortened]" }));
            }
        }
    }

    /// The lines of the message with these texts in it.
    fn lines(&self, texts: &[String]) -> String {
        let mut lines = Vec::new();
        let mut calls = Vec::new();
        for ((piece, _), text) in self.pieces.iter().zip(texts) {
            match piece {
                Piece::Words if self.message.role == Role::Assistant => {
                    calls.push(json!({ "name": "send_message", "arguments": { "message": text } }));
                }
                Piece::Words => lines.push(data(&self.words(text))),
                Piece::Call(id, name) => {
                    // What is no JSON, or none any more, stays a text.
                    let arguments = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text.as_str()));
                    calls.push(named(*id, json!({ "name": start(name), "arguments": arguments })));
                }
                Piece::Answer(id, name, ok) => {
                    let line =
                        json!({ "type": FUNCTION_RESULT, "name": name.map(start), "ok": ok, "result": text });
                    lines.push(data(&named(*id, line)));
                }
            }
        }
        if !calls.is_empty() {
            lines.insert(0, data(&json!({ "toolCalls": calls })));
        }
        lines.join("\n")
    }

    /// Words that somebody other than the model says.
    fn words(&self, text: &str) -> Value {
        match self.message.role {
            Role::System if notice(self.message).is_some() => {
                json!({ "type": "system_notice", "message": text })
            }
            Role::System => json!({ "type": "system_message", "message": text }),
            Role::Tool => json!({ "type": FUNCTION_RESULT, "name": null, "ok": null, "result": text }),
            Role::User | Role::Assistant => {
                let at = time::minute(self.message.created_at);
                let mut line = json!({ "type": "user_message", "time": at, "message": text });
                if let (Some(name), Value::Object(line)) = (&self.message.name, &mut line) {
                    line.insert("name".to_owned(), name.as_str().into());
                }
                if let (false, Value::Object(line)) = (self.message.trust().is_own(), &mut line) {
                    line.insert("from".to_owned(), self.message.trust().as_str().into());
                }
                line
            }
        }
    }
}

/// A call or an answer with the id that ties the two together.
fn named(id: Option<&str>, mut line: Value) -> Value {
    if let (Some(id), Value::Object(line)) = (id, &mut line) {
        line.insert("id".to_owned(), start(id).into());
    }
    line
}

/// The beginning of a name or id, whatever an application took for one.
fn start(name: &str) -> &str {
    name.split_at(name.floor_char_boundary(MOST_NAME_BYTES)).0
}

/// What the memory itself told the model in a message.
pub(super) fn notice(message: &StoredMessage) -> Option<&str> {
    let part = message.content.get(0).filter(|_| message.role == Role::System)?;
    part.get("type").filter(|kind| *kind == NOTICE)?;
    part.get("notice")?.as_str()
}
