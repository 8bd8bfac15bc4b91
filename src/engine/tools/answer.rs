//! What a model is told of what a method answered: only what concerns it.

use crate::error::{Code, Error, Result};
use serde_json::{Map, Value};

/// What of a fact concerns a model.
const FACT: &[&str] = &["id", "text", "category", "significance", "pinned"];
/// What of a deletion in the graph concerns a model.
const DELETION: &[&str] = &["success", "message"];
/// What of an action concerns a model.
const ACTION: &[&str] = &["action", "id"];

/// The answer of a method, as a model is told it: facts one per line, of actions what was done, all else as it is.
pub(super) fn answered(method: &str, answer: &str) -> Result<String> {
    let parts = match method {
        "facts.search" => FACT,
        "facts.add" | "facts.update" | "facts.delete" | "profiles.set" => ACTION,
        "profiles.get" => &["profile"],
        "graph.delete_entities" | "graph.delete_observations" | "graph.delete_relations" => DELETION,
        _ => return Ok(answer.to_owned()),
    };
    let answer = serde_json::from_str(answer)
        .map_err(|error| Error::new(Code::Internal, format!("an answer is not readable: {error}")))?;
    Ok(match answer {
        Value::Array(items) if items.is_empty() => {
            if method == "facts.search" { "Nothing that is remembered fits." } else { "Nothing to change." }
                .to_owned()
        }
        Value::Array(items) => {
            let lines: Vec<String> = items.iter().map(|item| only(item, parts).to_string()).collect();
            lines.join("\n")
        }
        Value::Object(profiles) if method == "profiles.get" => {
            let values = |profile: &Value| profile.get("profile").cloned().unwrap_or_default();
            let profiles: Map<_, _> =
                profiles.iter().map(|(id, profile)| (id.clone(), values(profile))).collect();
            Value::Object(profiles).to_string()
        }
        item => only(&item, parts).to_string(),
    })
}

/// Some members of an object.
fn only(item: &Value, names: &[&str]) -> Value {
    let members = names.iter().filter_map(|name| Some(((*name).to_owned(), item.get(*name)?.clone())));
    Value::Object(members.collect())
}
