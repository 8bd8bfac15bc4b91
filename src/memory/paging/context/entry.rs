//! A message of the queue, as the model is shown it: one line of JSON that cannot be taken for another.

use crate::memory::counter::{Counter, MESSAGE_TOKENS};
use crate::memory::message::{Role, StoredMessage};
use crate::memory::prompts::data;
use crate::memory::shorten::shaped;
use crate::ports::ModelMessage;
use crate::time;
use serde_json::{Value, json};

/// The types of the parts that the context's own messages are made of. They have no `text`, so that nothing is learned from
/// them, and searches do not find them.
pub(super) const CALL: &str = "function_call";
pub(super) const RESULT: &str = "function_result";
pub(super) const NOTICE: &str = "notice";

/// Whether parts of these types are all that a message is: what a step did, which means nothing to other models.
pub(crate) fn is_of_steps(content: &Value) -> bool {
    let is_own = |part: &Value| {
        part.get("type").and_then(Value::as_str).is_some_and(|kind| [CALL, RESULT, NOTICE].contains(&kind))
    };
    content.as_array().is_some_and(|parts| !parts.is_empty() && parts.iter().all(is_own))
}

/// A message of the queue.
pub(super) struct Entry {
    pub(super) message: ModelMessage,
    pub(super) tokens: usize,
}

impl Entry {
    /// A message, with so many tokens at most; `None` when it says nothing.
    pub(super) fn of(message: &StoredMessage, tokens: usize, counter: &Counter) -> Option<Self> {
        let (role, text, shape) = shape(message)?;
        let content = shaped(&text, tokens.saturating_sub(MESSAGE_TOKENS), counter, &shape);
        let tokens = MESSAGE_TOKENS + counter.count(&content);
        Some(Self { message: ModelMessage { role, content }, tokens })
    }

    /// The summary of what is out of sight.
    pub(super) fn summary(summary: &str, messages: usize, tokens: usize, counter: &Counter) -> Self {
        let shape = |text: &str| data(&json!({ "type": "summary", "messages": messages, "text": text }));
        let content = shaped(summary, tokens.saturating_sub(MESSAGE_TOKENS), counter, &shape);
        let tokens = MESSAGE_TOKENS + counter.count(&content);
        Self { message: ModelMessage { role: "user", content }, tokens }
    }
}

type Shape = Box<dyn Fn(&str) -> String>;

/// How a message is shown: in which role, which text of it may be shortened, and what is around that.
fn shape(message: &StoredMessage) -> Option<(&'static str, String, Shape)> {
    let text = message.text();
    let parts = message.content.as_array().map(Vec::as_slice).unwrap_or_default();
    let of_type =
        |kind: &str| parts.iter().find(|part| part.get("type").is_some_and(|own| own == kind)).cloned();
    let (at, name) = (time::minute(message.created_at), message.name.clone());
    match message.role {
        Role::User => Some((
            "user",
            text,
            Box::new(move |text| {
                let mut line = json!({ "type": "user_message", "time": at, "message": text });
                if let (Some(name), Value::Object(line)) = (&name, &mut line) {
                    line.insert("name".to_owned(), name.as_str().into());
                }
                data(&line)
            }),
        )),
        Role::System => match of_type(NOTICE) {
            Some(notice) => Some((
                "user",
                notice.get("notice")?.as_str()?.to_owned(),
                Box::new(|text| data(&json!({ "type": "system_notice", "message": text }))),
            )),
            None => Some((
                "user",
                text,
                Box::new(|text| data(&json!({ "type": "system_message", "message": text }))),
            )),
        },
        Role::Assistant if !text.trim().is_empty() => {
            let others = message.tool_calls.clone().unwrap_or_default();
            Some((
                "assistant",
                text,
                Box::new(move |text| {
                    let said = json!({ "name": "send_message", "arguments": { "message": text } });
                    let calls: Value = std::iter::once(&said).chain(&others).cloned().collect();
                    data(&json!({ "toolCalls": calls }))
                }),
            ))
        }
        Role::Assistant if message.tool_calls.is_some() => {
            let calls = message.tool_calls.iter().flatten().cloned().collect::<Value>();
            Some((
                "assistant",
                calls.to_string(),
                Box::new(|text| {
                    let calls = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
                    data(&json!({ "toolCalls": calls }))
                }),
            ))
        }
        Role::Assistant => {
            let call = of_type(CALL)?;
            let name = call.get("name")?.as_str()?.to_owned();
            let arguments = call.get("arguments")?;
            // What was no JSON text stays a text.
            let text = arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned);
            Some((
                "assistant",
                text,
                Box::new(move |text| {
                    let arguments = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
                    data(&json!({ "toolCalls": [{ "name": name, "arguments": arguments }] }))
                }),
            ))
        }
        Role::Tool => {
            let result = of_type(RESULT);
            let member = |name: &str| result.as_ref().and_then(|result| result.get(name)).cloned();
            let (name, ok) = (member("name"), member("ok"));
            let text = member("result").and_then(|told| Some(told.as_str()?.to_owned())).unwrap_or(text);
            Some((
                "user",
                text,
                Box::new(move |text| {
                    data(&json!({ "type": RESULT, "name": name, "ok": ok, "result": text }))
                }),
            ))
        }
    }
}
