//! One place where a value breaks its schema, and the words for it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Characters of a string or name that a message quotes before it is shortened.
const QUOTED_CHARS: usize = 40;

/// Names or values that a message lists before it says how many more there are.
const LISTED: usize = 12;

/// One place where a value breaks its schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// JSON Pointer to the part of the value at fault; empty for the whole value.
    pub instance: String,
    /// JSON Pointer into the schema, to the keyword that was broken, with references already followed.
    pub keyword: String,
    /// What is wrong, for people and for a model asked to repair it: names the value, shortened, and the limit.
    pub message: String,
}

impl Violation {
    /// That something is wrong which no keyword of a schema says.
    #[must_use]
    pub fn new(instance: String, message: String) -> Self {
        Self { instance, keyword: String::new(), message }
    }
}

/// `segment` as one step of a JSON Pointer (RFC 6901), with its slash.
#[cold]
#[inline(never)]
pub(super) fn push_segment(pointer: &mut String, segment: &str) {
    pointer.push('/');
    for character in segment.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// `pointer` extended by one step.
#[cold]
#[inline(never)]
pub(super) fn join(pointer: &str, segment: &str) -> String {
    let mut joined = String::with_capacity(pointer.len() + segment.len() + 1);
    joined.push_str(pointer);
    push_segment(&mut joined, segment);
    joined
}

/// `text` in quotes, shortened.
#[cold]
#[inline(never)]
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    let mut characters = text.chars();
    for character in characters.by_ref().take(QUOTED_CHARS) {
        match character {
            '"' => quoted.push_str("\\\""),
            '\n' => quoted.push_str("\\n"),
            other => quoted.push(other),
        }
    }
    if characters.next().is_some() {
        quoted.push_str("...");
    }
    quoted.push('"');
    quoted
}

/// `value` in a few words: scalars as they are written, containers by their size.
#[cold]
#[inline(never)]
pub(super) fn brief(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(true) => "true".to_owned(),
        Value::Bool(false) => "false".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quote(text),
        Value::Array(items) => counted("an array of ", items.len(), "item", "items"),
        Value::Object(members) => counted("an object with ", members.len(), "property", "properties"),
    }
}

/// "`lead` `count` `one`", or `many` where that is the grammar.
#[cold]
#[inline(never)]
pub(super) fn counted(lead: &str, count: usize, one: &str, many: &str) -> String {
    let noun = if count == 1 { one } else { many };
    format!("{lead}{count} {noun}")
}

/// `words` separated by commas, at most a dozen of them.
#[cold]
#[inline(never)]
pub(super) fn list(words: &[String]) -> String {
    let total = words.len();
    let mut listed = String::new();
    for (index, word) in words.iter().take(LISTED).enumerate() {
        if index > 0 {
            listed.push_str(", ");
        }
        listed.push_str(word);
    }
    if total > LISTED {
        listed.push_str(&format!(" and {} more", total - LISTED));
    }
    listed
}
