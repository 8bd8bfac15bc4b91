//! Calls that leave no trace: what only reads notes nothing, and what would write is refused.

use crate::support::world::{ALICE, HOUR_MS, Scripted, World, adds};
use mnemic::engine::Engine;
use mnemic::ports::Storage;
use mnemic::{Code, Result};
use serde_json::{Value, json};

fn try_read(world: &World, engine: &Engine, method: &str, options: Value) -> Result<Value> {
    world.try_call(engine, &format!("read:{method}"), ALICE, options)
}

fn read(world: &World, engine: &Engine, method: &str, options: Value) -> Value {
    try_read(world, engine, method, options.clone())
        .unwrap_or_else(|error| panic!("{method} {options}: {error:?}"))
}

/// Everything that is stored, the head with its counter too.
fn stored(world: &World) -> Vec<(String, Vec<u8>)> {
    world.machine.run({
        let storage = world.storage.clone();
        async move { storage.read("", "\u{10ffff}").await.unwrap() }
    })
}

/// A memory that holds something of each system, and waits with nothing.
fn full(world: &World) -> Engine {
    let profiles = json!({ "p": { "type": "object", "properties": { "n": { "type": "string" } } } });
    let engine = world.open(None, &json!({ "profiles": profiles, "tiers": { "capacity": 2 } }));
    world.teach(&engine, "I'm vegetarian. My name is Alice.");
    world.call(&engine, "facts.add", json!({ "text": "Alice sails" }));
    world.call(&engine, "profiles.set", json!({ "schema": "p", "field": "n", "value": "x" }));
    world.call(&engine, "instructions.set", json!({ "text": "be brief" }));
    for place in 0..4 {
        let page = json!({ "query": format!("sailing {place}"), "response": "with the wind" });
        world.call(&engine, "tiers.add", page);
    }
    let document =
        json!([{ "op": "put", "namespace": ["n"], "key": "k", "value": { "a": 1 }, "ttlMs": 3_600_000 }]);
    world.call(&engine, "documents.batch", json!({ "operations": document }));
    world.idle(&engine);
    world.machine.pass(2 * HOUR_MS / 3);
    world.idle(&engine);
    engine
}

#[test]
fn what_only_reads_leaves_no_byte_behind() {
    let world = World::new();
    let engine = full(&world);
    let before = stored(&world);
    let sequence = world.call(&engine, "usage", json!({}))["commits"].clone();
    let reads = [
        ("recall", json!({ "query": "sailing" })),
        ("assemble", json!({ "query": "sailing", "maxTokens": 500, "threadId": "default" })),
        ("facts.list", json!({})),
        ("facts.search", json!({ "query": "sails" })),
        ("profiles.get", json!({})),
        ("threads.messages", json!({ "threadId": "default" })),
        ("threads.search", json!({ "query": "vegetarian" })),
        ("items.list", json!({})),
        ("graph.read_graph", json!({})),
        ("tiers.retrieve", json!({ "query": "sailing 1" })),
        (
            "documents.batch",
            json!({ "operations": [{ "op": "get", "namespace": ["n"], "key": "k", "refreshTtl": true }] }),
        ),
        ("callTool", json!({ "name": "facts_search", "arguments": { "query": "sails" } })),
        ("commits.list", json!({})),
    ];
    for (method, options) in reads {
        let plain = read(&world, &engine, method, options.clone());
        assert_ne!(plain, json!(null), "{method}");
        world.idle(&engine);
        world.machine.pass(2 * HOUR_MS);
        world.idle(&engine);
        assert!(stored(&world) == before, "{method} left something behind");
    }
    assert_eq!(world.call(&engine, "usage", json!({}))["commits"], sequence);
    world.close(&engine);
    assert!(stored(&world) == before, "also after closing");
    // The same call on the scope itself is noted.
    let engine = world.open(None, &json!({}));
    world.call(&engine, "recall", json!({ "query": "sailing" }));
    world.close(&engine);
    assert!(stored(&world) != before);
}

#[test]
fn what_would_write_is_refused_and_asks_no_model() {
    let world = World::new();
    let engine = full(&world);
    world.close(&engine);
    let model = Scripted::new([adds("Alice rows")]);
    let engine = world.open(Some(model.clone()), &json!({ "extraction": { "auto": false } }));
    world.say(&engine, "I row.");
    let fact = world.call(&engine, "facts.list", json!({}))[0].clone();
    let before = stored(&world);
    let message = json!({ "role": "user", "content": "I'm vegetarian. My name is Alice." });
    let writes = [
        ("remember", json!({ "messages": [message] })),
        ("threads.append", json!({ "messages": [message] })),
        ("generate", json!({ "messages": [message] })),
        ("flush", json!({})),
        ("facts.add", json!({ "text": fact["text"] })),
        ("facts.delete", json!({ "id": fact["id"] })),
        ("items.purge", json!({ "filter": {}, "force": true })),
        ("threads.removeAll", json!({ "threadId": "default" })),
        ("threads.summarise", json!({ "threadId": "default" })),
        ("facts.consolidate", json!({})),
        ("documents.batch", json!({ "operations": [{ "op": "delete", "namespace": ["n"], "key": "k" }] })),
        ("tiers.add", json!({ "query": "q", "response": "r" })),
        ("undo", json!({ "commitId": world.call(&engine, "commits.list", json!({}))[0]["commitId"] })),
    ];
    for (method, options) in writes {
        let answer = try_read(&world, &engine, method, options.clone());
        assert_eq!(answer.map_err(|error| error.code), Err(Code::ReadOnly), "{method} {options}");
    }
    let told =
        read(&world, &engine, "callTool", json!({ "name": "facts_add", "arguments": { "text": "x" } }));
    assert_eq!(told["ok"], false, "a model is told: {told}");
    assert_eq!(model.calls(), 0);
    assert!(stored(&world) == before);
    // Whoever writes beside a call that reads is not held up by it.
    let reading = world.begin(&engine, "flush", json!({}));
    read(&world, &engine, "recall", json!({ "query": "sailing" }));
    world.idle(&engine);
    assert!(reading.borrow().as_ref().is_some_and(Result::is_ok));
}

#[test]
fn a_prompt_takes_messages_that_no_thread_holds() {
    let world = World::new();
    let engine = full(&world);
    let messages = json!([
        { "role": "user", "content": "Where can I moor?" },
        { "role": "assistant", "content": "In the harbour." },
        { "role": "user", "content": "And at night?" },
    ]);
    let options = json!({ "messages": messages, "maxTokens": 500, "as": "openai" });
    let prompt = read(&world, &engine, "assemble", options);
    let told = prompt["messages"].as_array().unwrap();
    let last: Vec<_> = told.iter().skip(1).map(|message| message["content"].as_str().unwrap()).collect();
    assert_eq!(last, ["Where can I moor?", "In the harbour.", "And at night?"]);
    assert!(told[0]["content"].as_str().unwrap().contains("Alice"), "{prompt}");
    let shown = read(&world, &engine, "threads.check", json!({ "messages": messages }));
    assert_eq!(shown[1]["content"], "In the harbour.");
    for wrong in [
        json!({ "messages": messages, "threadId": "default", "maxTokens": 500 }),
        json!({ "messages": [{ "role": "user", "content": 5 }], "maxTokens": 500 }),
    ] {
        let error = try_read(&world, &engine, "assemble", wrong).unwrap_err();
        assert_eq!(error.code, Code::InvalidInput);
    }
}
