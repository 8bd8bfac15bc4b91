//! A part of a message, apart from how its application writes it.

use super::answer::Answer;
use super::attachment::Attachment;
use crate::schema::parse_lenient;
use serde_json::{Map, Value};

/// The types of the parts that steps of the virtual context are made of. They have no `text`, so that nothing is learned from
/// them, and searches do not find them.
pub(crate) const FUNCTION_CALL: &str = "function_call";
pub(crate) const FUNCTION_RESULT: &str = "function_result";
pub(crate) const NOTICE: &str = "notice";

/// Where the id of a call stands, in a call as in its answer; the first that is there counts. What names a call comes before
/// `id`, which may name the part.
pub(super) const IDS: &[&str] = &["toolCallId", "tool_call_id", "tool_use_id", "call_id", "id"];
/// Where the name of a tool stands.
pub(super) const NAMES: &[&str] = &["toolName", "tool_name", "name"];
const ARGUMENTS: &[&str] = &["input", "arguments", "args"];

/// A part of a message.
pub(crate) enum Part<'a> {
    /// Words that are said.
    Text(&'a str),
    /// What a model thought and did not say.
    Thought,
    /// A call of a tool.
    Call(Call<'a>),
    /// What a tool answered.
    Answer(Answer<'a>),
    /// Anything else, such as a picture.
    Attachment(Attachment<'a>),
}

impl<'a> Part<'a> {
    /// Reads a part of a content.
    pub(super) fn of(part: &'a Value) -> Self {
        let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
        let is_text = matches!(kind, "text" | "input_text" | "output_text");
        match kind {
            _ if is_text && part.get("text").is_some_and(Value::is_string) => {
                Self::Text(text(part, &["text"]).unwrap_or_default())
            }
            "refusal" => Self::Text(text(part, &["refusal"]).unwrap_or_default()),
            "reasoning" | "thinking" | "redacted_thinking" => Self::Thought,
            "tool_call" | "tool-call" | "tool_use" | "server_tool_use" | "mcp_tool_use" | "function"
            | FUNCTION_CALL => Self::Call(Call::of(part)),
            "tool-result" | FUNCTION_RESULT => Self::Answer(Answer::of(part)),
            // Anthropic's own tools answer with types of their own, such as `web_search_tool_result`.
            _ if kind.ends_with("tool_result") => Self::Answer(Answer::of(part)),
            _ => Self::Attachment(Attachment::of(part)),
        }
    }

    /// The id of the call that it is.
    pub(super) fn call_id(&self) -> Option<&'a str> {
        if let Self::Call(call) = self { call.id } else { None }
    }
}

/// A call of a tool.
pub(crate) struct Call<'a> {
    /// The id that its answer names, if it has one.
    pub(crate) id: Option<&'a str>,
    /// The tool's name; empty when there is none.
    pub(crate) name: &'a str,
    arguments: Option<&'a Value>,
}

impl<'a> Call<'a> {
    /// Reads a call: a part, or an entry of a list of calls.
    pub(super) fn of(call: &'a Value) -> Self {
        let function = first(call, &["function", "custom"]).filter(|function| function.is_object());
        let function = function.unwrap_or(call);
        Self {
            id: text(call, IDS),
            name: text(function, NAMES).unwrap_or_default(),
            arguments: first(function, ARGUMENTS),
        }
    }

    /// The arguments: JSON text is read, other text stays a text, and none are an empty object.
    pub(crate) fn arguments(&self) -> Value {
        match self.arguments {
            None | Some(Value::Null) => Value::Object(Map::new()),
            Some(Value::String(text)) if text.trim().is_empty() => Value::Object(Map::new()),
            Some(Value::String(text)) => parse_lenient(text).unwrap_or_else(|| text.as_str().into()),
            Some(arguments) => arguments.clone(),
        }
    }
}

/// The first of some members that is there.
pub(super) fn first<'a>(part: &'a Value, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| part.get(*name))
}

/// The first of some members that is a text.
pub(super) fn text<'a>(part: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| part.get(*name)?.as_str())
}
