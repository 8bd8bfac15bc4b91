//! What a tool answered.

use super::attachment::Attachment;
use super::part::{IDS, NAMES, Part, text};
use serde_json::Value;

/// What a tool answered.
pub(crate) struct Answer<'a> {
    /// The id of the call, if it is named.
    pub(crate) id: Option<&'a str>,
    /// The tool's name, if it is told.
    pub(crate) name: Option<&'a str>,
    /// Whether the tool did what it was asked; `None` when that is not said.
    pub(crate) ok: Option<bool>,
    content: Option<&'a Value>,
}

impl<'a> Answer<'a> {
    /// Reads a part.
    pub(super) fn of(part: &'a Value) -> Self {
        let content = super::part::first(part, &["output", "result", "content"]);
        let kind = content.and_then(|content| text(content, &["type"])).unwrap_or_default();
        let failed = part.get("is_error").or_else(|| part.get("isError")).and_then(Value::as_bool);
        let ok = part.get("ok").and_then(Value::as_bool).or_else(|| failed.map(|failed| !failed));
        let ok = ok.or_else(|| (kind.starts_with("error") || kind == "execution-denied").then_some(false));
        Self { id: text(part, IDS), name: text(part, NAMES), ok, content }
    }

    /// An answer that is a whole content.
    pub(super) fn whole(content: Option<&'a Value>, id: Option<&'a str>) -> Self {
        Self { id, name: None, ok: None, content }
    }

    /// It as a text: the words of its parts and the names of what else is in them, or JSON when it is no list of parts.
    pub(crate) fn text(&self) -> String {
        self.content.map(plain).unwrap_or_default()
    }
}

fn plain(content: &Value) -> String {
    match content {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) if !parts.is_empty() && parts.iter().all(is_content) => {
            let line = |part: &Value| match Part::of(part) {
                Part::Text(text) => text.to_owned(),
                _ => Attachment::of(part).to_string(),
            };
            parts.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        // The AI SDK says of what type a value is.
        Value::Object(typed) if typed.contains_key("type") => {
            match (typed.get("value"), text(content, &["reason"])) {
                (Some(value), _) => plain(value),
                (None, Some(reason)) => reason.to_owned(),
                (None, None) => content.to_string(),
            }
        }
        other => other.to_string(),
    }
}

/// Whether a value is a part that interfaces take in an answer, and not what a tool made up.
fn is_content(part: &Value) -> bool {
    match Part::of(part) {
        Part::Text(_) => true,
        Part::Attachment(attachment) => attachment.is_content(part),
        _ => false,
    }
}
