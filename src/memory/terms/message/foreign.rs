//! Messages as the SDKs of OpenAI, Anthropic and Vercel's AI hand them out, made into messages as they are handed over.

use super::part::text;
use super::role::Role;
use crate::ports::{Loaded, Systems};
use serde_json::{Map, Value, json};
use std::mem::take;

/// What comes with a message and says nothing of what was said.
const BESIDE: &[&str] = &[
    "annotations",
    "cache_control",
    "container",
    "context_management",
    "diagnostics",
    "experimental_providerMetadata",
    "finish_reason",
    "logprobs",
    "model",
    "phase",
    "providerMetadata",
    "providerOptions",
    "reasoning",
    "reasoning_content",
    "reasoning_details",
    "status",
    "stop_details",
    "stop_reason",
    "stop_sequence",
    "thinking",
    "usage",
];

/// What stands for a content, or a part of one.
const INSTEAD: &[&str] = &["refusal", "audio", "function_call", "parts"];

/// Takes out of a message what is known to say nothing. Answers whether more of it is as only an SDK writes it: then it is to be
/// [`rewrite`]ten. What is not known stays, to be refused.
pub(crate) fn tidy(message: &mut Value) -> bool {
    let role = Role::of_value(message);
    let Some(members) = message.as_object_mut() else { return false };
    if let Some(role) = role {
        members.insert("role".to_owned(), role.as_str().into());
    }
    members.retain(|name, value| {
        let name = name.as_str();
        let is_message = name == "type" && value == "message";
        let says_nothing = value.is_null() && INSTEAD.contains(&name);
        !(is_message || says_nothing || BESIDE.contains(&name))
    });
    if !members.contains_key("content")
        && ["toolCalls", "tool_calls"].iter().any(|calls| members.contains_key(*calls))
    {
        members.insert("content".to_owned(), Value::Null);
    }
    !members.contains_key("role") || INSTEAD.iter().any(|name| members.contains_key(*name))
}

/// Rewrites messages as SDKs hand them out: what says something becomes their content. A function of its own, so that the build
/// can cut it off: see [`crate::ports::Part`].
#[inline(never)]
pub(crate) fn rewrite(_: Loaded<Systems>, messages: &mut [Value]) {
    messages.iter_mut().filter_map(Value::as_object_mut).for_each(rewrite_one);
}

fn rewrite_one(members: &mut Map<String, Value>) {
    if !members.contains_key("role")
        && let Some(spoken) = item(members)
    {
        *members = spoken;
    }
    let parts = match members.remove("parts") {
        Some(Value::Array(parts)) => parts.into_iter().flat_map(shown).collect(),
        _ => said(members),
    };
    if !parts.is_empty() {
        members.insert("content".to_owned(), Value::Array(parts));
    }
}

/// The content with what OpenAI's chat interface puts beside it; empty when there is nothing beside.
fn said(members: &mut Map<String, Value>) -> Vec<Value> {
    let mut beside = Vec::new();
    if let Some(refusal @ Value::String(_)) = members.remove("refusal") {
        beside.push(json!({ "type": "refusal", "refusal": refusal }));
    }
    if let Some(audio @ Value::Object(_)) = members.remove("audio") {
        beside.push(match text(&audio, &["transcript"]) {
            Some(transcript) => json!({ "type": "text", "text": transcript }),
            None => json!({ "type": "audio" }),
        });
    }
    if let Some(Value::Object(mut call)) = members.remove("function_call") {
        call.insert("type".to_owned(), "tool_call".into());
        beside.push(call.into());
    }
    if beside.is_empty() {
        return beside;
    }
    let mut parts = match members.get_mut("content").map(take) {
        Some(Value::Array(parts)) => parts,
        Some(Value::String(text)) if !text.is_empty() => vec![json!({ "type": "text", "text": text })],
        _ => Vec::new(),
    };
    parts.append(&mut beside);
    parts
}

/// A part of a message of the AI SDK's user interface. A tool's part is a call with its answer.
fn shown(mut part: Value) -> Vec<Value> {
    let kind = text(&part, &["type"]).unwrap_or_default();
    let name = match kind {
        "step-start" => return Vec::new(),
        "tool-call" | "tool-result" => return vec![part],
        "dynamic-tool" => text(&part, &["toolName"]),
        _ => kind.strip_prefix("tool-"),
    };
    let (Some(name), Some(id)) = (name, text(&part, &["toolCallId"])) else { return vec![part] };
    let (name, id) = (Value::from(name), Value::from(id));
    let mut member = |name: &str| part.get_mut(name).map(take);
    let answer = match (member("output"), member("errorText")) {
        (Some(output), _) => Some(json!({ "type": "json", "value": output })),
        (None, Some(error)) => Some(json!({ "type": "error-text", "value": error })),
        (None, None) => None,
    };
    let call = json!({ "type": "tool-call", "toolCallId": id, "toolName": name, "input": member("input") });
    let answer = answer
        .map(|output| json!({ "type": "tool-result", "toolCallId": id, "toolName": name, "output": output }));
    [call].into_iter().chain(answer).collect()
}

/// The message that an item of OpenAI's responses interface is, when it is known and nobody is said to speak.
fn item(members: &mut Map<String, Value>) -> Option<Map<String, Value>> {
    let kind = members.get("type")?.as_str()?.to_owned();
    let mut spoken = Map::new();
    let mut say = |name: &str, value: Option<Value>| {
        spoken.extend(value.map(|value| (name.to_owned(), value)));
    };
    let mut member = |name: &str| members.remove(name).filter(|value| !value.is_null());
    say("id", member("id"));
    say("createdAt", member("createdAt"));
    say("metadata", member("metadata"));
    match kind.as_str() {
        "function_call" | "custom_tool_call" => {
            let arguments = member("arguments").or_else(|| member("input"));
            let call = json!({ "id": member("call_id"), "name": member("name"), "arguments": arguments });
            say("role", Some("assistant".into()));
            say("content", Some(Value::Null));
            say("toolCalls", Some(json!([call])));
        }
        "function_call_output" | "custom_tool_call_output" => {
            say("role", Some("tool".into()));
            say("toolCallId", member("call_id"));
            say("content", Some(member("output").unwrap_or_else(|| "".into())));
        }
        "reasoning" => {
            say("role", Some("assistant".into()));
            say("content", Some(json!([{ "type": kind }])));
        }
        _ if kind.ends_with("_call") || kind.ends_with("_call_output") => {
            // What a tool of the interface itself made may be a whole picture.
            member("result");
            let part = take(members);
            say("role", Some("assistant".into()));
            say("content", Some(json!([part])));
        }
        _ => {
            members.extend(spoken);
            return None;
        }
    }
    Some(spoken)
}

#[cfg(test)]
#[path = "foreign_tests.rs"]
mod tests;
