//! Prompts put together from everything that is remembered.

mod calls;
mod forgery;
mod limit;
mod order;
mod property;

use crate::support::world::World;
use mnemic::engine::Engine;
use serde_json::{Value, json};

fn open(world: &World) -> Engine {
    let profile = json!({ "type": "object", "properties": { "name": { "type": "string" }, "diet": { "type": "string" } } });
    world.open(None, &json!({ "profiles": { "user": profile } }))
}

fn say(world: &World, engine: &Engine, thread: &str, messages: Value) {
    world.call(engine, "remember", json!({ "messages": messages, "threadId": thread, "learn": false }));
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

fn assistant(text: &str) -> Value {
    json!({ "role": "assistant", "content": text })
}

fn assemble(world: &World, engine: &Engine, options: Value) -> Value {
    world.call(engine, "assemble", options)
}

fn text(prompt: &Value) -> &str {
    prompt["text"].as_str().unwrap()
}

/// A memory with something of everything.
fn filled(world: &World) -> Engine {
    let engine = open(world);
    world.call(&engine, "instructions.set", json!({ "name": "tone", "text": "Answer in short sentences." }));
    world.call(
        &engine,
        "context.blocks.set",
        json!({ "label": "human", "value": "Ada.\nSails every summer." }),
    );
    world.call(&engine, "profiles.set", json!({ "schema": "user", "field": "diet", "value": "vegan" }));
    let pinned = world.call(&engine, "facts.add", json!({ "text": "Ada is allergic to nuts" }))["id"].clone();
    world.call(&engine, "items.pin", json!({ "id": pinned, "pinned": true }));
    world.call(&engine, "facts.add", json!({ "text": "Ada's boat is called Petrel" }));
    world.call(&engine, "facts.add", json!({ "text": "Ada plays the cello" }));
    let episode =
        json!({ "situation": "the boat leaks", "approach": "call the yard", "outcome": "a dry boat" });
    world.call(&engine, "episodes.add", episode);
    let entities = json!({ "entities": [
        { "name": "Petrel", "entityType": "boat", "observations": ["nine metres long"] },
        { "name": "Porto", "entityType": "city", "observations": [] },
    ] });
    world.call(&engine, "graph.create_entities", entities);
    let relations = json!({ "relations": [{ "from": "Petrel", "to": "Porto", "relationType": "lies_in" }] });
    world.call(&engine, "graph.create_relations", relations);
    say(world, &engine, "today", json!([user("Hello!"), assistant("Hello, Ada.")]));
    engine
}

const QUESTION: &str = "Where is my boat Petrel?";

/// That every call has an id of its own and its answer right behind it, and no answer stands without its call.
fn is_sound(prompt: &Value, shape: &str) -> bool {
    let messages = prompt["messages"].as_array().unwrap();
    let (mut used, mut open): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    for message in messages {
        let (mut calls, mut answers) = (Vec::new(), Vec::new());
        if shape == "openai" {
            calls.extend(
                message["tool_calls"].as_array().into_iter().flatten().map(|call| call["id"].clone()),
            );
            answers.extend(message.get("tool_call_id").cloned());
        } else {
            for block in message["content"].as_array().unwrap() {
                calls.extend(block.get("input").map(|_| block["id"].clone()));
                answers.extend(block.get("tool_use_id").cloned());
            }
        }
        for answer in &answers {
            let Some(place) = open.iter().position(|id| id == answer) else { return false };
            open.remove(place);
        }
        if answers.is_empty() && !open.is_empty() || calls.iter().any(|id| used.contains(id)) {
            return false;
        }
        for id in calls {
            if used.contains(&id) {
                return false;
            }
            used.push(id.clone());
            open.push(id);
        }
    }
    open.is_empty()
}

/// Calls of tools as some adapters write them, with the function's name for an id; so many are answered.
fn with_tools(text: &str, calls: usize, answers: usize) -> Vec<Value> {
    let function = json!({ "name": "look_up", "arguments": json!({ "what": text }).to_string() });
    let call = json!({ "id": "look_up", "type": "function", "function": function });
    let answer = json!({ "role": "tool", "toolCallId": "look_up", "content": text });
    let mut messages = vec![user(text)];
    messages.push(json!({ "role": "assistant", "content": text, "toolCalls": vec![call; calls] }));
    messages.extend(vec![answer; answers]);
    messages.push(assistant(text));
    messages
}
