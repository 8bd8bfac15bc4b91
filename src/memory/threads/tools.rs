//! Tool calls and their results in messages, as the chat APIs write them: a result is worth nothing without its call.

use serde_json::Value;

/// The types of parts that are calls, and of those that are results.
const CALLS: [&str; 3] = ["tool_call", "tool_use", "tool-call"];
const RESULTS: [&str; 2] = ["tool_result", "tool-result"];

fn text<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| value.get(name)?.as_str())
}

fn parts<'a>(message: &'a Value, types: &'a [&str]) -> impl Iterator<Item = &'a Value> {
    let parts = message.get("content").and_then(Value::as_array).into_iter().flatten();
    parts.filter(|part| text(part, &["type"]).is_some_and(|kind| types.contains(&kind)))
}

pub(super) fn role(message: &Value) -> &str {
    text(message, &["role"]).unwrap_or_default()
}

/// The ids of the calls that a message makes.
fn calls(message: &Value) -> impl Iterator<Item = &str> {
    let listed = ["toolCalls", "tool_calls"].iter().filter_map(|name| message.get(name)?.as_array());
    let listed = listed.flatten().filter_map(|call| text(call, &["id"]));
    let in_parts =
        parts(message, &CALLS).filter_map(|part| text(part, &["id", "toolCallId", "tool_call_id"]));
    listed.chain(in_parts)
}

/// The calls that a message holds results of; `None` for the one before it. Empty when it holds no result.
fn results(message: &Value) -> Vec<Option<&str>> {
    let named = text(message, &["toolCallId", "tool_call_id"]).map(Some);
    let in_parts =
        parts(message, &RESULTS).map(|part| text(part, &["tool_use_id", "tool_call_id", "toolCallId", "id"]));
    let mut results: Vec<Option<&str>> = named.into_iter().chain(in_parts).collect();
    if results.is_empty() && role(message) == "tool" {
        results.push(None);
    }
    results
}

/// For each message the place of the first one it cannot be without: its own when it holds no result, that of the call
/// otherwise; `None` when the call is missing.
fn needs(messages: &[Value]) -> Vec<Option<usize>> {
    let mut needs: Vec<Option<usize>> = Vec::with_capacity(messages.len());
    for (place, message) in messages.iter().enumerate() {
        let before = || messages.iter().enumerate().take(place).rev();
        let call = |id: Option<&str>| match id {
            Some(id) => before().find(|(_, message)| calls(message).any(|call| call == id)),
            // Results without an id follow the message that calls.
            None => before()
                .find(|(_, message)| results(message).is_empty())
                .filter(|(_, message)| role(message) == "assistant"),
        };
        let first = results(message)
            .into_iter()
            .try_fold(place, |first, id| call(id).map(|(found, _)| first.min(found)));
        needs.push(first);
    }
    needs
}

/// The messages without the results whose calls are missing.
pub(super) fn whole(mut messages: Vec<Value>) -> Vec<Value> {
    loop {
        let mut needs = needs(&messages).into_iter();
        let before = messages.len();
        messages.retain(|_| needs.next().flatten().is_some());
        if messages.len() == before {
            return messages;
        }
    }
}

/// For each place whether the messages may be cut before it, parting no result from its call; one more than there are messages,
/// all of which have their calls.
pub(super) fn cuts(messages: &[Value]) -> Vec<bool> {
    let mut cuts = vec![true; messages.len() + 1];
    for (place, first) in needs(messages).into_iter().enumerate() {
        // Between the call and its result nothing can be cut.
        for cut in cuts.iter_mut().take(place + 1).skip(first.unwrap_or(place) + 1) {
            *cut = false;
        }
    }
    cuts
}
