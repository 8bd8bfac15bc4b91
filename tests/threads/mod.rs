//! Threads as an application keeps them: taking messages in and out, trimming, windows, summaries and searches.

mod leaving;
mod messages;
mod periods;
mod summaries;
mod trimming;

use crate::support::world::World;
use mnemic::engine::Engine;
use serde_json::{Value, json};

fn message(role: &str, content: impl Into<Value>) -> Value {
    json!({ "role": role, "content": content.into() })
}

/// Messages that take turns, each with its number and an id.
fn talk(numbers: std::ops::Range<usize>) -> Vec<Value> {
    let said = |number: usize| {
        let role = if number.is_multiple_of(2) { "user" } else { "assistant" };
        json!({ "role": role, "id": format!("m{number}"), "content": format!("This is sentence number {number} of our talk.") })
    };
    numbers.map(said).collect()
}

fn append(world: &World, engine: &Engine, thread: &str, messages: Vec<Value>) -> Value {
    world.call(engine, "threads.append", json!({ "threadId": thread, "messages": messages }))
}

fn texts(messages: &Value) -> Vec<String> {
    let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    messages.as_array().unwrap().iter().map(text).collect()
}

fn sums(text: &str) -> Value {
    json!({ "summary": text })
}

/// A memory whose only background work is summaries.
fn summarising(mut summaries: Value) -> Value {
    summaries.as_object_mut().unwrap().entry("auto").or_insert(json!(true));
    json!({ "extraction": { "auto": false }, "summaries": summaries })
}
