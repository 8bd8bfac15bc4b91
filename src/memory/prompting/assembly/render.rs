//! Writing a prompt: as one text, or as the messages that models' interfaces take.

use super::conversation::{Said, Turn};
use crate::memory::compose::escape;
use crate::memory::counter::Counter;
use crate::memory::message::Role;
use serde::Deserialize;
use serde_json::{Value, json};

/// The shape of a prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// One text.
    #[default]
    Text,
    /// The messages of chat completions.
    OpenAi,
    /// The system prompt and messages of the Messages API.
    Anthropic,
}

/// What a prompt is made of.
pub(super) struct Written<'a> {
    /// The application's instructions and what does not depend on the query.
    pub(super) prefix: String,
    /// The rest of what is remembered.
    pub(super) rest: String,
    pub(super) turns: &'a [Turn],
    pub(super) question: Option<&'a str>,
}

/// A prompt as it is handed out.
#[derive(Default)]
pub(super) struct Rendered {
    pub(super) text: Option<String>,
    pub(super) system: Option<Vec<Value>>,
    pub(super) messages: Option<Vec<Value>>,
}

impl Written<'_> {
    fn said(&self) -> impl Iterator<Item = &Said> {
        self.turns.iter().flat_map(|turn| &turn.said)
    }

    /// Writes it in a shape, and counts its tokens.
    pub(super) fn render(&self, shape: Shape, counter: &Counter) -> (Rendered, usize) {
        let rendered = match shape {
            Shape::Text => {
                let text = self.text();
                let tokens = counter.count(&text);
                return (Rendered { text: Some(text), ..Rendered::default() }, tokens);
            }
            Shape::OpenAi => Rendered { messages: Some(self.openai()), ..Rendered::default() },
            Shape::Anthropic => {
                let (system, messages) = self.anthropic();
                Rendered { system: Some(system), messages: Some(messages), ..Rendered::default() }
            }
        };
        let system = format!("{}{}", self.prefix, self.rest);
        let system = if system.is_empty() { 0 } else { counter.message(&system) };
        let question = self.question.map_or(0, |question| counter.message(question));
        let turns: usize = self.turns.iter().map(|turn| turn.tokens).sum();
        (rendered, system + turns + question)
    }

    fn text(&self) -> String {
        let mut text = format!("{}{}", self.prefix, self.rest);
        let gap = |text: &mut String| {
            if !text.is_empty() {
                text.push_str("\n\n");
            }
        };
        if !self.turns.is_empty() {
            gap(&mut text);
            text.push_str("<conversation>\n");
            for said in self.said() {
                for (speaker, words) in lines(said) {
                    text.push_str(&speaker);
                    text.push(':');
                    for (place, line) in words.trim().lines().enumerate() {
                        // What is set in cannot be taken for somebody else's line.
                        text.push_str(if place == 0 { " " } else { "\n  " });
                        text.push_str(&escape(line.trim_end()));
                    }
                    text.push('\n');
                }
            }
            text.push_str("</conversation>");
        }
        if let Some(question) = self.question {
            gap(&mut text);
            text.push_str(&escape(question));
        }
        text
    }

    fn openai(&self) -> Vec<Value> {
        let mut messages = Vec::new();
        let system = format!("{}{}", self.prefix, self.rest);
        if !system.is_empty() {
            messages.push(json!({ "role": "system", "content": system }));
        }
        for said in self.said() {
            for answer in &said.answers {
                messages.push(json!({ "role": "tool", "tool_call_id": answer.id, "content": answer.text }));
            }
            if said.role == Role::Tool {
                continue;
            }
            let mut message = json!({ "role": said.role.as_str(), "content": said.text });
            if !said.calls.is_empty()
                && let Value::Object(message) = &mut message
            {
                let call = |call: &super::conversation::Call| {
                    let function = json!({ "name": call.name, "arguments": call.arguments.to_string() });
                    json!({ "id": call.id, "type": "function", "function": function })
                };
                message.insert("tool_calls".to_owned(), said.calls.iter().map(call).collect());
            }
            messages.push(message);
        }
        if let Some(question) = self.question {
            messages.push(json!({ "role": "user", "content": question }));
        }
        messages
    }

    /// The system prompt in blocks, of which the first is worth caching, and messages whose roles alternate, the user's first.
    fn anthropic(&self) -> (Vec<Value>, Vec<Value>) {
        let mut system = Vec::new();
        if !self.prefix.trim().is_empty() {
            let cache = json!({ "type": "ephemeral" });
            system.push(json!({ "type": "text", "text": self.prefix, "cache_control": cache }));
        }
        if !self.rest.is_empty() {
            system.push(json!({ "type": "text", "text": self.rest }));
        }
        let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
        let mut say = |role: &'static str, block: Value| match messages.last_mut() {
            Some((last, blocks)) if *last == role => blocks.push(block),
            _ => messages.push((role, vec![block])),
        };
        for said in self.said() {
            let role = if said.role == Role::Assistant { "assistant" } else { "user" };
            for answer in &said.answers {
                let block =
                    json!({ "type": "tool_result", "tool_use_id": answer.id, "content": answer.text });
                say(role, block);
            }
            if !said.text.trim().is_empty() {
                say(role, json!({ "type": "text", "text": said.text }));
            }
            for call in &said.calls {
                let block =
                    json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments });
                say(role, block);
            }
        }
        if let Some(question) = self.question {
            say("user", json!({ "type": "text", "text": question }));
        }
        let message = |(role, content)| json!({ "role": role, "content": Value::Array(content) });
        (system, messages.into_iter().map(message).collect())
    }
}

/// Who says what, line by line.
fn lines(said: &Said) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    for answer in &said.answers {
        lines.push(("tool".to_owned(), answer.text.clone()));
    }
    if !said.text.trim().is_empty() {
        lines.push((said.role.as_str().to_owned(), said.text.clone()));
    }
    for call in &said.calls {
        let name = escape(&call.name.replace(['\n', '\r', ':'], " "));
        lines.push((format!("{} calls {name}", said.role.as_str()), call.arguments.to_string()));
    }
    lines
}
