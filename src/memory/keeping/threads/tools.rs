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

/// Who speaks, by the names that messages have here.
pub(super) fn role(message: &Value) -> &str {
    match text(message, &["role"]).unwrap_or_default() {
        "developer" => "system",
        "function" => "tool",
        role => role,
    }
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

/// How messages hang together.
struct Links {
    /// For each message the place of the first one it cannot be without: its own when it holds no result, that of the call
    /// otherwise; `None` when the call is missing.
    needs: Vec<Option<usize>>,
    /// For each message whether all of its calls have results behind it.
    answered: Vec<bool>,
}

fn links(messages: &[Value]) -> Links {
    let mut needs: Vec<Option<usize>> = Vec::with_capacity(messages.len());
    let mut waiting: Vec<Vec<&str>> = messages.iter().map(|message| calls(message).collect()).collect();
    for (place, message) in messages.iter().enumerate() {
        let before = || messages.iter().enumerate().take(place).rev();
        let call = |id: Option<&str>| match id {
            Some(id) => before().find(|(_, message)| calls(message).any(|call| call == id)),
            // Results without an id follow the message that calls.
            None => before()
                .find(|(_, message)| results(message).is_empty())
                .filter(|(_, message)| role(message) == "assistant"),
        };
        let mut first = Some(place);
        for id in results(message) {
            let found = call(id).map(|(found, _)| found);
            first = first.zip(found).map(|(first, found)| first.min(found));
            if let Some(waiting) = found.and_then(|found| waiting.get_mut(found)) {
                waiting.retain(|call| id.is_some_and(|id| id != *call));
            }
        }
        needs.push(first);
    }
    Links { needs, answered: waiting.iter().map(Vec::is_empty).collect() }
}

/// Whether the call of a result among the messages from a place on is missing.
pub(super) fn lacks_calls(messages: &[Value], from: usize) -> bool {
    links(messages).needs.iter().skip(from).any(Option::is_none)
}

/// The messages without the results whose calls are missing, and without the calls that lack a result.
pub(super) fn whole(mut messages: Vec<Value>) -> Vec<Value> {
    loop {
        let Links { needs, answered } = links(&messages);
        let mut stands = needs.iter().zip(answered).map(|(needed, answered)| needed.is_some() && answered);
        let before = messages.len();
        messages.retain(|_| stands.next().unwrap_or_default());
        if messages.len() == before {
            return messages;
        }
    }
}

/// For each place whether the messages may be cut before it, parting no result from its call; one more than there are messages,
/// all of which have their calls.
pub(super) fn cuts(messages: &[Value]) -> Vec<bool> {
    let mut cuts = vec![true; messages.len() + 1];
    for (place, first) in links(messages).needs.into_iter().enumerate() {
        // Between the call and its result nothing can be cut.
        for cut in cuts.iter_mut().take(place + 1).skip(first.unwrap_or(place) + 1) {
            *cut = false;
        }
    }
    cuts
}
