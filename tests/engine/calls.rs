//! Calls: scopes, bad input, and what every one of them promises.

use super::open;
use crate::support::world::{ALICE, BOB, World};
use mnemic::engine::{Engine, Options, Parts};
use mnemic::ports::Pending;
use mnemic::{Code, Error, Result};
use serde_json::{Value, json};
use std::rc::Rc;

#[test]
fn scopes_never_see_each_other() {
    let world = World::new();
    let engine = open(&world, None);
    world.teach(&engine, "My name is Ana. I love hiking.");
    let id = world.call(&engine, "facts.list", json!({}))[0]["id"].clone();
    for (method, options) in [
        ("facts.list", json!({})),
        ("facts.search", json!({ "query": "hiking" })),
        ("threads.list", json!({})),
        ("threads.search", json!({ "query": "hiking" })),
    ] {
        assert_eq!(world.try_call(&engine, method, BOB, options).unwrap(), json!([]), "{method}");
    }
    assert_eq!(world.try_call(&engine, "facts.get", BOB, json!({ "id": id })).unwrap(), Value::Null);
    assert_eq!(
        world.try_call(&engine, "recall", BOB, json!({ "query": "hiking" })).unwrap()["text"],
        json!("")
    );
    for method in ["facts.delete", "history", "explain"] {
        assert_eq!(
            world.try_call(&engine, method, BOB, json!({ "id": id })).unwrap_err().code,
            Code::NotFound,
            "{method}"
        );
    }
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let world = World::new();
    let engine = open(&world, None);
    let before = world.call(&engine, "usage", json!({}));
    let long = "x".repeat(10_000_000);
    for (method, scope, options, code) in [
        ("remember", ALICE, json!({}), Code::InvalidInput),
        ("remember", ALICE, json!({ "messages": [] }), Code::InvalidInput),
        ("remember", ALICE, json!({ "messages": [{ "role": "robot", "content": "x" }] }), Code::InvalidInput),
        ("remember", ALICE, json!({ "messages": [{ "role": "user", "content": 5 }] }), Code::InvalidInput),
        ("remember", ALICE, json!({ "messages": [{ "role": "user", "content": long }] }), Code::InvalidInput),
        (
            "remember",
            ALICE,
            json!({ "messages": [{ "role": "user", "content": "x" }], "mood": 1 }),
            Code::InvalidInput,
        ),
        ("remember", "{}", json!({ "messages": [{ "role": "user", "content": "x" }] }), Code::InvalidScope),
        ("recall", ALICE, json!({ "query": "" }), Code::InvalidInput),
        ("recall", ALICE, json!({ "query": "x", "maxTokens": 0 }), Code::InvalidInput),
        ("recall", ALICE, json!({ "query": "x", "filter": { "$bad": 1 } }), Code::InvalidFilter),
        ("facts.add", ALICE, json!({ "text": "" }), Code::InvalidInput),
        ("facts.add", ALICE, json!({ "text": "x", "significance": 11 }), Code::InvalidInput),
        ("facts.add", ALICE, json!({ "text": "x", "category": "secret" }), Code::InvalidInput),
        ("facts.get", ALICE, json!({ "id": "nope" }), Code::InvalidInput),
        (
            "facts.update",
            ALICE,
            json!({ "id": "0191a0b0-0000-7000-8000-000000000000", "text": "y" }),
            Code::NotFound,
        ),
        ("facts.list", ALICE, json!({ "limit": 0 }), Code::InvalidInput),
        (
            "profiles.set",
            ALICE,
            json!({ "schema": "user-profile", "field": "name", "value": 5 }),
            Code::SchemaViolation,
        ),
        (
            "profiles.set",
            ALICE,
            json!({ "schema": "user-profile", "field": "nope", "value": 5 }),
            Code::NotFound,
        ),
        ("profiles.set", ALICE, json!({ "schema": "other", "field": "name", "value": 5 }), Code::NotFound),
        ("undo", ALICE, json!({ "commitId": "0191a0b0-0000-7000-8000-000000000000" }), Code::NotFound),
        ("dance", ALICE, json!({}), Code::InvalidInput),
    ] {
        let error = world.try_call(&engine, method, scope, options.clone()).unwrap_err();
        assert_eq!(error.code, code, "{method}: {}", error.message);
        assert!(error.message.len() < 600, "{method}: a message of {} bytes", error.message.len());
    }
    assert_eq!(world.call(&engine, "usage", json!({})), before);
}

#[test]
fn a_wrong_value_is_named_by_its_place() {
    let world = World::new();
    let engine = open(&world, None);
    let message = |role: &str| json!({ "role": role, "content": "x" });
    for (method, options, named) in [
        ("facts.list", json!({ "limit": -1 }), "limit is -1; pass a whole number from 1 to 1000"),
        ("facts.list", json!({ "offset": 1.5, "limit": 2 }), "offset is 1.5; pass a whole number from 0"),
        ("facts.add", json!({ "text": ["x"] }), "text is [\"x\"]; pass a string"),
        (
            "facts.add",
            json!({ "text": "a \"quoted\" {text", "metadata": 7 }),
            "metadata is 7; pass an object",
        ),
        (
            "remember",
            json!({ "messages": [message("user"), message("robot")] }),
            "messages[1].role is \"robot\"; pass \"system\", \"user\", \"assistant\" or \"tool\"",
        ),
        (
            "remember",
            json!({ "messages": [message("user"), { "role": "user" }] }),
            "messages[1].content is missing; pass ",
        ),
        ("recall", json!({}), "query is missing; pass a string"),
        ("recall", json!({ "query": "x", "a b": 1 }), "[\"a b\"] is no option; the options are query, "),
        ("facts.get", json!({ "id": "nothing" }), "id is \"nothing\"; pass an id that this memory returned"),
    ] {
        let error = world.try_call(&engine, method, ALICE, options).unwrap_err();
        assert_eq!(error.code, Code::InvalidInput);
        assert!(error.message.contains(named), "{method}: {}", error.message);
    }
}

#[test]
fn everything_fails_with_closed_after_closing() {
    let world = World::new();
    let engine = open(&world, None);
    let closing = engine.clone();
    world.machine.run(async move { closing.close().await });
    for method in ["remember", "recall", "profiles.get", "facts.list", "usage", "verify", "idle"] {
        let options = match method {
            "remember" => json!({ "messages": [{ "role": "user", "content": "x" }] }),
            "recall" => json!({ "query": "x" }),
            _ => json!({}),
        };
        assert_eq!(world.fails(&engine, method, options).code, Code::Closed, "{method}");
    }
}

#[test]
fn many_changes_of_one_record_at_once_all_succeed() {
    let world = World::new();
    let engine = open(&world, None);
    let added = world.call(&engine, "facts.add", json!({ "text": "The user likes tea." }));
    let calls: Vec<_> = (1..=10)
        .map(|number| {
            let (engine, id) = (engine.clone(), added["id"].clone());
            async move {
                let options = json!({ "id": id, "significance": number }).to_string();
                engine.call("facts.update", ALICE, &options).await
            }
        })
        .collect();
    let answers = world.machine.run(futures_util::future::join_all(calls));
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    let history = world.call(&engine, "history", json!({ "id": added["id"] }));
    assert!(history.as_array().unwrap().len() >= 10);
}

/// A storage that answers every write with a conflict, though nobody else writes: the first write of a new memory was tried
/// for ever, and the page stood still.
#[test]
fn a_storage_that_always_conflicts_is_given_up() {
    struct Contrary;
    impl mnemic::ports::Storage for Contrary {
        fn read<'a>(&'a self, _start: &'a str, _end: &'a str) -> Pending<'a, Result<mnemic::ports::Pairs>> {
            Box::pin(async { Ok(Vec::new()) })
        }
        fn write<'a>(
            &'a self,
            _batch: &'a mnemic::ports::Batch,
            _expected_head: u64,
        ) -> Pending<'a, Result<()>> {
            Box::pin(async { Err(Error::new(Code::Conflict, "somebody was faster")) })
        }
        fn close(&self) {}
    }
    let world = World::new();
    let parts = Parts {
        storage: Rc::new(Contrary),
        platform: world.machine.platform(),
        llm: None,
        embedder: None,
        tokenizer: None,
    };
    let engine = world.machine.run(async move { Engine::open(parts, Options::default()).await }).unwrap();
    let error =
        world.try_call(&engine, "facts.add", ALICE, json!({ "text": "The user likes tea." })).unwrap_err();
    assert_eq!(error.code, Code::Conflict);
}
