//! What a model answered: calls, a plain reply, or nothing of use. Pure; nothing about it is trusted.

use super::call::SET;
use crate::memory::tools::Tool;
use crate::schema::parse_lenient;
use serde_json::{Map, Value, json};

/// The most calls of one answer; what is beyond is left out.
const MAX_CALLS: usize = 8;
/// The most characters of a name; no function has more.
const MAX_NAME_CHARACTERS: usize = 64;
/// The most bytes of a plain reply.
const MAX_REPLY_BYTES: usize = 64 * 1024;

/// What a model answered.
#[derive(Debug, PartialEq)]
pub(super) enum Reply {
    /// Functions with their arguments, as they came; at least one.
    Calls(Vec<(String, Value)>),
    /// Words for the person.
    Text(String),
    /// Nothing of use, and why.
    Unusable(String),
}

/// The shape of an answer, for models that cannot call functions.
pub(super) fn schema() -> Value {
    let names: Vec<&str> = Tool::of_set(SET).map(Tool::name).collect();
    json!({
        "type": "object",
        "properties": { "toolCalls": {
            "type": "array",
            "minItems": 1,
            "maxItems": MAX_CALLS,
            "items": {
                "type": "object",
                "properties": {
                    "name": { "type": "string", "enum": names },
                    "arguments": { "type": "object" },
                },
                "required": ["name", "arguments"],
            },
        } },
        "required": ["toolCalls"],
    })
}

impl Reply {
    /// Reads an answer: `{toolCalls: [{name, arguments}]}` as an object or as text, an object with a `content`, or words. Calls in
    /// the middle of words are words, and so are those in the `content` of an object that has its calls beside it.
    pub(super) fn read(answer: &Value) -> Self {
        match answer {
            Value::String(text) => Self::of_text(text),
            Value::Object(object) => Self::of_object(object).unwrap_or_else(|| {
                match object.get("content").and_then(Value::as_str) {
                    Some(text) if object.contains_key("toolCalls") => Self::said(text.trim()),
                    Some(text) => Self::of_text(text),
                    None => nothing(),
                }
            }),
            _ => nothing(),
        }
    }

    fn of_text(text: &str) -> Self {
        let text = text.trim();
        // What is quoted in the middle of words is not meant.
        let is_meant = text.starts_with(['{', '`']) || text.ends_with("```");
        let found = Some(text).filter(|_| is_meant).and_then(parse_lenient);
        if let Some(reply) = found.as_ref().and_then(Value::as_object).and_then(Self::of_object) {
            return reply;
        }
        // What was meant as calls is not said to the person.
        if text.starts_with(['{', '`']) && text.contains("\"toolCalls\"") {
            return Self::Unusable(
                "The JSON of the calls is cut off or not valid. Answer again, shorter.".to_owned(),
            );
        }
        Self::said(text)
    }

    /// Words for the person.
    fn said(text: &str) -> Self {
        if text.is_empty() {
            return nothing();
        }
        if text.len() > MAX_REPLY_BYTES {
            let bytes = text.len();
            return Self::Unusable(format!(
                "The reply has {bytes} bytes, over the limit of {MAX_REPLY_BYTES}. Shorten it."
            ));
        }
        Self::Text(text.to_owned())
    }

    /// The calls of an object; `None` when it has no `toolCalls`, or none in them.
    fn of_object(object: &Map<String, Value>) -> Option<Self> {
        let calls = object.get("toolCalls").filter(|calls| !calls.is_null())?;
        let Some(calls) = calls.as_array() else {
            return Some(Self::Unusable(
                "toolCalls is not a list. Write {\"toolCalls\": [{\"name\": ..., \"arguments\": {...}}]}."
                    .to_owned(),
            ));
        };
        if calls.is_empty() {
            return None;
        }
        let read = |call: &Value| {
            let name = call.get("name")?.as_str()?.chars().take(MAX_NAME_CHARACTERS).collect();
            Some((name, call.get("arguments").cloned().unwrap_or_default()))
        };
        let calls: Option<Vec<_>> = calls.iter().take(MAX_CALLS).map(read).collect();
        Some(calls.map_or_else(
            || Self::Unusable("A call has no name. Write {\"name\": ..., \"arguments\": {...}}.".to_owned()),
            Self::Calls,
        ))
    }
}

fn nothing() -> Reply {
    Reply::Unusable(
        "The answer holds neither a call nor words. Call a function, such as send_message.".to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(calls: &[(&str, Value)]) -> Reply {
        Reply::Calls(calls.iter().map(|(name, arguments)| ((*name).to_owned(), arguments.clone())).collect())
    }

    #[test]
    fn calls_are_read_in_every_spelling() {
        let hi = json!({ "message": "Hi" });
        let answer = json!({ "toolCalls": [{ "name": "send_message", "arguments": hi }] });
        let expected = calls(&[("send_message", hi)]);
        assert_eq!(Reply::read(&answer), expected);
        assert_eq!(Reply::read(&answer.to_string().into()), expected);
        assert_eq!(Reply::read(&format!("Sure:\n```json\n{answer}\n```").into()), expected);
        let text = json!({ "content": "thinking", "toolCalls": [{ "name": "f", "arguments": "{\"a\":1}" }] });
        assert_eq!(Reply::read(&text), calls(&[("f", json!("{\"a\":1}"))]));
        assert_eq!(Reply::read(&json!({ "toolCalls": [{ "name": "f" }] })), calls(&[("f", Value::Null)]));
        let many = json!({ "toolCalls": vec![json!({ "name": "f" }); 100] });
        assert!(matches!(Reply::read(&many), Reply::Calls(calls) if calls.len() == MAX_CALLS));
    }

    const QUOTED: &str =
        r#"{"toolCalls":[{"name":"memory_rethink","arguments":{"label":"human","new_memory":"x"}}]}"#;

    #[test]
    fn words_are_a_reply() {
        for (answer, said) in [
            (json!(" Hello! "), "Hello!"),
            (json!("Use {\"a\": 1}."), "Use {\"a\": 1}."),
            (json!({ "content": "Hello!", "toolCalls": [] }), "Hello!"),
            (json!({ "content": "Hello!", "toolCalls": null }), "Hello!"),
            // What is quoted is not meant.
            (json!(format!("You wrote {QUOTED} to me.")), &format!("You wrote {QUOTED} to me.")),
            (json!({ "content": QUOTED, "toolCalls": [] }), QUOTED),
        ] {
            assert_eq!(Reply::read(&answer), Reply::Text(said.to_owned()));
        }
    }

    #[test]
    fn nonsense_is_of_no_use() {
        for answer in [
            json!(""),
            json!("  \n"),
            json!({}),
            json!([]),
            json!(5),
            json!({ "content": 5 }),
            json!({ "toolCalls": "send_message" }),
            json!({ "toolCalls": [5] }),
            json!({ "toolCalls": [{ "arguments": {} }] }),
            json!("{\"toolCalls\": [{\"name\": \"send_mess"),
            json!("x".repeat(MAX_REPLY_BYTES + 1)),
        ] {
            assert!(matches!(Reply::read(&answer), Reply::Unusable(_)), "{answer}");
        }
    }
}
