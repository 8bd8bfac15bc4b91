//! What a model is told: the answer of a method in few words, or why it was refused.

use crate::error::{Code, Error, Result};
use crate::memory::counter::Counter;
use crate::memory::shorten::cut;
use serde_json::{Map, Value};

/// The most tokens of what a model is told.
pub(super) const MAX_TOKENS: usize = 2000;
/// What is kept for saying that something was cut.
const NOTICE_TOKENS: usize = 40;
/// How many faults of one call are told.
const FAULTS: usize = 5;
/// What of a fact concerns a model.
const FACT: &[&str] = &["id", "text", "category", "significance", "pinned"];
/// What of an action concerns a model.
const ACTION: &[&str] = &["action", "id"];

/// The answer of a method, as a model is told it: facts one per line, of actions what was done, all else as it is.
pub(super) fn answered(method: &str, answer: &str) -> Result<String> {
    let parts = match method {
        "facts.search" => FACT,
        "facts.add" | "facts.update" | "facts.delete" | "profiles.set" => ACTION,
        "profiles.get" => &["profile"],
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

/// Why a call was refused, in words that a model can act on.
///
/// # Errors
/// The error itself when it is nothing that a model did.
pub(super) fn refusal(error: Error) -> Result<String> {
    if matches!(
        error.code,
        Code::Storage
            | Code::QuotaExceeded
            | Code::Corrupt
            | Code::UnsupportedVersion
            | Code::Aborted
            | Code::Closed
            | Code::Internal
    ) {
        return Err(error);
    }
    let mut told = format!("Error, nothing was changed: {}", error.message);
    if let Some(Value::Array(violations)) = error.details.get("violations") {
        for violation in violations.iter().take(FAULTS) {
            let part = |name: &str| violation.get(name).and_then(Value::as_str).unwrap_or_default();
            told.push_str("\n- ");
            told.push_str(part("instance"));
            told.push_str(if part("instance").is_empty() { "" } else { ": " });
            told.push_str(part("message"));
        }
    }
    Ok(told)
}

/// A text that has no more tokens than a model is told; it says so when it was cut.
pub(super) fn within(told: String, counter: &Counter) -> String {
    let tokens = counter.count(&told);
    if tokens <= MAX_TOKENS {
        return told;
    }
    let kept = cut(&told, MAX_TOKENS - NOTICE_TOKENS, counter);
    // Whole lines, unless that leaves little.
    let lines = kept.rsplit_once('\n').map(|(lines, _)| lines);
    let kept = lines.filter(|lines| lines.len() > kept.len() / 2).unwrap_or(kept);
    format!("{kept}\n[cut here: this is a part of {tokens} tokens; ask for less, or for something narrower]")
}
