//! Small answers and refusals: what a list is ordered by, what null says, what a message for a person reads like.

use crate::support::world::{Scripted, World};
use mnemic::Code;
use mnemic::ports::Platform;
use serde_json::{Value, json};

/// Ids within one millisecond are in no order.
#[test]
fn items_of_one_millisecond_are_newest_first() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for number in 0..20 {
        world.call(&engine, "facts.add", json!({ "text": format!("fact {number}") }));
    }
    let ids = |call: &str| -> Vec<Value> {
        let list = world.call(&engine, call, json!({}));
        list.as_array().unwrap().iter().map(|item| item["id"].clone()).collect()
    };
    assert_eq!(ids("items.list"), ids("facts.list"));
}

/// Null was taken for a value that is not given, and the answer was that nothing changed.
#[test]
fn a_field_is_edited_to_null() {
    let world = World::new();
    let properties = json!({ "a": { "type": ["string", "null"] }, "b": { "type": "string" } });
    let profiles = json!({ "p": { "type": "object", "properties": properties } });
    let engine = world.open(None, &json!({ "profiles": profiles }));
    let set = |field: &str| {
        world.call(&engine, "profiles.set", json!({ "schema": "p", "field": field, "value": "v" }))["id"]
            .clone()
    };
    let (a, b) = (set("a"), set("b"));
    let edited = world.call(&engine, "items.edit", json!({ "id": a, "value": null }));
    assert_eq!(edited["action"], "updated");
    assert_eq!(
        world.call(&engine, "profiles.get", json!({}))["p"]["profile"],
        json!({ "a": null, "b": "v" })
    );
    let error = world.fails(&engine, "items.edit", json!({ "id": b, "value": null }));
    assert_eq!(error.code, Code::SchemaViolation);
}

/// What waits for a yes was told as if it were an item.
#[test]
fn what_is_only_proposed_is_no_change() {
    let world = World::new();
    let answer = json!({ "facts": [
        { "action": "add", "text": "The user moved to Lisbon.", "significance": 7, "message": 1 },
    ] });
    let options = json!({ "extraction": { "review": true, "graph": false } });
    let engine = world.open(Some(Scripted::new([answer])), &options);
    let said = json!({ "messages": [{ "role": "user", "content": "I moved to Lisbon" }] });
    let generated = world.call(&engine, "generate", said);
    assert_eq!(generated["changes"], json!([]));
    assert_eq!(world.call(&engine, "proposals.list", json!({})).as_array().unwrap().len(), 1);
}

#[test]
fn what_is_over_already_is_not_stored() {
    let world = World::new();
    let profiles = json!({ "p": { "type": "object", "properties": { "a": { "type": "string" } } } });
    let engine = world.open(None, &json!({ "profiles": profiles }));
    let now = world.machine.platform().now();
    let fact = |expires_at: i64| json!({ "text": "Ann keeps bees", "expiresAt": expires_at });
    for (call, options) in [
        ("facts.add", fact(now)),
        ("facts.import", json!({ "facts": [fact(now - 1)] })),
        ("profiles.set", json!({ "schema": "p", "field": "a", "value": "v", "expiresAt": now })),
    ] {
        let error = world.fails(&engine, call, options);
        assert_eq!(error.code, Code::InvalidInput, "{call}");
        assert!(error.message.contains("expiresAt"), "{}", error.message);
    }
    assert_eq!(world.call(&engine, "facts.add", fact(now + 1))["action"], "created");
}

#[test]
fn messages_speak_of_no_types_of_the_engine() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let id = world.call(&engine, "facts.add", json!({ "text": "Ann keeps bees" }))["id"].clone();
    world.call(&engine, "facts.delete", json!({ "id": id }));
    for (call, options, words) in [
        ("facts.list", json!({ "limit": "x" }), "limit is \"x\"; pass a whole number from 1 to 1000"),
        ("facts.list", json!([]), "pass an object"),
        (
            "facts.add",
            json!({ "text": "x", "significance": 300 }),
            "significance is 300; pass a whole number from 1 to 10",
        ),
        ("facts.add", json!({ "text": "x", "validFrom": "x" }), "validFrom is \"x\"; pass a whole number"),
        ("facts.delete", json!({ "id": id }), "has no fact"),
    ] {
        let error = world.fails(&engine, call, options);
        assert!(error.message.contains(words), "{}", error.message);
    }
}

/// Many hands on one message: each replaces the one before, and none is turned away.
#[test]
fn a_message_handed_over_by_many_at_once_is_one() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let call = |number: usize| {
        let engine = engine.clone();
        let message = json!({ "role": "user", "content": format!("version {number}"), "id": "m" });
        let options = json!({ "messages": [message], "threadId": "t" });
        async move { engine.call("remember", crate::support::world::ALICE, &options.to_string()).await.unwrap() }
    };
    let calls = (0..10).map(|number| {
        let call = call(number);
        async move {
            call.await;
        }
    });
    for call in calls {
        world.machine.platform().spawn(Box::pin(call));
    }
    world.machine.pass(1000);
    let messages = world.call(&engine, "threads.messages", json!({ "threadId": "t" }));
    assert_eq!(messages.as_array().unwrap().len(), 1);
}
