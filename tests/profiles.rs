//! Profiles as applications use them: fields that fill and consolidate, their past, and schemas that change.

use crate::support::recordings::{Conversation, Player, read};
use crate::support::world::{ALICE, Scripted, World};
use mnemic::Code;
use mnemic::engine::Engine;
use serde_json::{Value, json};
use std::rc::Rc;

const DAY_MS: i64 = 86_400_000;

/// A memory without a model, with fields of one schema.
fn open(world: &World, properties: Value) -> Engine {
    world.open(None, &json!({ "profiles": { "p": { "type": "object", "properties": properties } } }))
}

fn set(world: &World, engine: &Engine, field: &str, value: Value) -> Value {
    world.call(engine, "profiles.set", json!({ "schema": "p", "field": field, "value": value }))
}

fn profile(world: &World, engine: &Engine, schema: &str) -> Value {
    world.call(engine, "profiles.get", json!({}))[schema].clone()
}

fn history(world: &World, engine: &Engine, field: &str) -> Vec<Value> {
    let history = world.call(engine, "profiles.history", json!({ "schema": "p", "field": field }));
    history.as_array().unwrap().clone()
}

/// The worked example of structured profiles: fill, consolidate, look back, go back.
#[test]
fn a_field_is_filled_then_consolidated_and_its_past_is_told() {
    let world = World::new();
    let player = Rc::new(Player::new("adk"));
    let schema: Value = read("conversations/adk.profile.json");
    let options = json!({ "profiles": { "developer": schema } });
    let engine = world.open(Some(player.clone()), &options);
    let conversation = Conversation::read("adk");
    let hear = |session: usize| {
        let session = &conversation.sessions[session];
        world.call(
            &engine,
            "generate",
            json!({ "threadId": session.thread_id, "messages": session.messages, "labels": { "thread": session.thread_id } }),
        )
    };
    let first = hear(0);
    assert_eq!(profile(&world, &engine, "developer")["profile"], json!({ "technical_stack": "ADK" }));
    assert_eq!(first["usage"]["calls"], json!(1), "an empty field needs no further call");
    let second = hear(1);
    assert_eq!(
        profile(&world, &engine, "developer")["profile"],
        json!({ "job_status": "student", "technical_stack": "ADK, Python" })
    );
    assert_eq!(second["usage"]["calls"], json!(1), "consolidation is part of the same call");
    let told: Vec<(&Value, &Value, Option<&Value>)> = second["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| (&change["action"], &change["record"]["value"], change.get("previousRevision")))
        .collect();
    assert_eq!(told[1], (&json!("created"), &json!("student"), None));
    assert_eq!(told[2], (&json!("updated"), &json!("ADK, Python"), Some(&json!(1))));

    let name = json!({ "schema": "developer", "field": "technical_stack" });
    let past = world.call(&engine, "profiles.history", name);
    assert_eq!((&past[0]["value"], past[0].get("extracted")), (&json!("ADK"), None));
    assert_eq!((&past[1]["value"], &past[1]["extracted"]), (&json!("ADK, Python"), &json!("Python")));
    assert_eq!(past[0]["context"], json!("The user builds an agent with ADK."));
    assert_eq!(past[1]["context"], json!("The user specializes in Python."));
    assert_eq!(
        (&past[0]["labels"], &past[1]["labels"]),
        (&json!({ "thread": "agent" }), &json!({ "thread": "career" }))
    );
    let quotes: Vec<&Value> =
        past[1]["source"].as_array().unwrap().iter().map(|source| &source["quote"]).collect();
    assert_eq!(quotes, ["build an ADK agent", "specialize in Python"], "a combined value comes from both");

    let compare = json!({ "schema": "developer", "field": "technical_stack", "from": 1, "to": 2 });
    assert_eq!(
        world.call(&engine, "profiles.diff", compare),
        json!({ "before": "ADK", "after": "ADK, Python", "changes": [{ "path": "", "before": "ADK", "after": "ADK, Python" }] })
    );
    let back = json!({ "schema": "developer", "field": "technical_stack", "revision": 1 });
    let action = world.call(&engine, "profiles.rollback", back);
    assert_eq!((&action["action"], &action["revision"]), (&json!("updated"), &json!(3)));
    let field = &profile(&world, &engine, "developer")["fields"]["technical_stack"];
    assert_eq!((&field["value"], &field["context"]), (&json!("ADK"), &past[0]["context"]));
    assert_eq!(player.asked.borrow().len(), 2);
}

#[test]
fn a_field_keeps_metadata_labels_and_a_time_to_live() {
    let world = World::new();
    let engine = open(&world, json!({ "city": { "type": "string" } }));
    let until = world.now() + DAY_MS;
    let set = |options: Value| {
        let mut whole = json!({ "schema": "p", "field": "city" });
        whole.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        world.call(&engine, "profiles.set", whole)
    };
    set(
        json!({ "value": "Lisbon", "expiresAt": until, "metadata": { "by": "form" }, "labels": { "form": "7" } }),
    );
    let same = set(json!({ "value": "Lisbon", "expiresAt": until }));
    assert_eq!(same["action"], json!("unchanged"), "metadata that is not given stays");
    let field = profile(&world, &engine, "p")["fields"]["city"].clone();
    assert_eq!(
        (&field["metadata"], &field["expiresAt"], &field["pinned"]),
        (&json!({ "by": "form" }), &json!(until), &json!(false))
    );
    set(json!({ "value": "Lisbon", "labels": { "form": "8" } }));
    let past = history(&world, &engine, "city");
    assert_eq!((&past[0]["labels"], &past[0]["expiresAt"]), (&json!({ "form": "7" }), &json!(until)));
    assert_eq!((&past[1]["labels"], past[1].get("expiresAt")), (&json!({ "form": "8" }), None));

    set(json!({ "value": "Porto", "expiresAt": until }));
    world.machine.pass(2 * DAY_MS);
    assert_eq!(profile(&world, &engine, "p")["profile"], json!({}));
    let again = set(json!({ "value": "Porto" }));
    assert_eq!(again["action"], json!("updated"), "what has expired is not there, whatever it was");
    let field = profile(&world, &engine, "p")["fields"]["city"].clone();
    assert_eq!((&field["value"], &field["metadata"]), (&json!("Porto"), &json!({})));

    for (options, named) in [
        (json!({ "value": "x", "expiresAt": -1 }), "expiresAt is -1"),
        (json!({ "value": "x", "labels": { "a": 7 } }), "labels.a"),
        (json!({ "value": "x", "metadata": { "a": "x".repeat(20_000) } }), "metadata has"),
    ] {
        let mut whole = json!({ "schema": "p", "field": "city" });
        whole.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        let error = world.fails(&engine, "profiles.set", whole);
        assert!(error.code == Code::InvalidInput && error.message.contains(named), "{}", error.message);
    }
}

#[test]
fn what_is_written_by_hand_lives_as_long_as_the_options_say() {
    let world = World::new();
    let schema = json!({ "type": "object", "properties": { "city": { "type": "string" } } });
    let options = json!({ "profiles": { "p": schema }, "extraction": { "ttl": { "addedMs": DAY_MS } } });
    let engine = world.open(None, &options);
    set(&world, &engine, "city", json!("Lisbon"));
    assert_eq!(profile(&world, &engine, "p")["fields"]["city"]["expiresAt"], json!(world.now() + DAY_MS));
    world.call(&engine, "profiles.patch", json!({ "schema": "p", "patch": { "city": "Porto" } }));
    world.machine.pass(DAY_MS);
    assert_eq!(profile(&world, &engine, "p"), json!({ "profile": {}, "fields": {} }));
    let forever = json!({ "schema": "p", "field": "city", "value": "Faro", "expiresAt": null });
    world.call(&engine, "profiles.set", forever);
    world.machine.pass(DAY_MS);
    assert_eq!(profile(&world, &engine, "p")["profile"], json!({ "city": "Faro" }), "unless it is to stay");
}

#[test]
fn a_deleted_field_comes_back_by_rollback() {
    let world = World::new();
    let engine = open(&world, json!({ "city": { "type": "string" } }));
    set(&world, &engine, "city", json!("Lisbon"));
    world.call(&engine, "profiles.delete", json!({ "schema": "p", "field": "city" }));
    let back =
        world.call(&engine, "profiles.rollback", json!({ "schema": "p", "field": "city", "revision": 1 }));
    assert_eq!((&back["action"], &back["revision"]), (&json!("created"), &json!(3)));
    assert_eq!(profile(&world, &engine, "p")["profile"], json!({ "city": "Lisbon" }));
    assert_eq!(history(&world, &engine, "city").len(), 3);
    for revision in [2, 9] {
        let rollback = json!({ "schema": "p", "field": "city", "revision": revision });
        assert_eq!(world.fails(&engine, "profiles.rollback", rollback).code, Code::NotFound);
    }
}

#[test]
fn a_difference_is_told_by_its_smallest_parts() {
    let world = World::new();
    let engine = open(&world, json!({ "home": {} }));
    set(&world, &engine, "home", json!({ "a/b": 1, "same": [1], "list": [1, 2, 3], "gone": null }));
    set(&world, &engine, "home", json!({ "a/b": 2, "same": [1], "list": [1, 5], "new~": {} }));
    let diff = |from: u32, to: u32| {
        let compare = json!({ "schema": "p", "field": "home", "from": from, "to": to });
        world.try_call(&engine, "profiles.diff", ALICE, compare)
    };
    assert_eq!(
        diff(1, 2).unwrap()["changes"],
        json!([
            { "path": "/a~1b", "before": 1, "after": 2 },
            { "path": "/list/1", "before": 2, "after": 5 },
            { "path": "/list/2", "before": 3 },
            { "path": "/gone", "before": null },
            { "path": "/new~0", "after": {} },
        ])
    );
    assert_eq!(diff(1, 1).unwrap()["changes"], json!([]));
    assert_eq!(diff(2, 1).unwrap()["changes"].as_array().unwrap().len(), 5);
    assert_eq!(diff(1, 3).unwrap_err().code, Code::NotFound);
}

#[test]
fn old_revisions_are_no_longer_shown_and_the_present_one_always_is() {
    let world = World::new();
    let engine = open(&world, json!({ "city": { "type": "string" } }));
    let began = world.now();
    set(&world, &engine, "city", json!("Lisbon"));
    world.machine.pass(300 * DAY_MS);
    let later = world.now();
    set(&world, &engine, "city", json!("Porto"));
    let then =
        |time: i64| world.call(&engine, "profiles.get", json!({ "asOf": time }))["p"]["profile"].clone();
    assert_eq!((history(&world, &engine, "city").len(), then(began)), (2, json!({ "city": "Lisbon" })));
    world.machine.pass(364 * DAY_MS);
    assert_eq!(then(began), json!({ "city": "Lisbon" }), "a year after it gave way, not after it was made");
    world.machine.pass(2 * DAY_MS);
    let past = history(&world, &engine, "city");
    assert_eq!((past.len(), &past[0]["revision"], &past[0]["value"]), (1, &json!(2), &json!("Porto")));
    assert_eq!((then(began), then(later)), (json!({}), json!({ "city": "Porto" })));
    let back = json!({ "schema": "p", "field": "city", "revision": 1 });
    assert_eq!(world.fails(&engine, "profiles.rollback", back).code, Code::NotFound);
    world.machine.pass(1000 * DAY_MS);
    assert_eq!(history(&world, &engine, "city").len(), 1);
    assert_eq!(then(later), json!({ "city": "Porto" }), "the present one holds however old it is");
}

#[test]
fn a_changed_schema_loses_nothing() {
    let world = World::new();
    let first = json!({
        "diet": { "enum": ["vegan", "vegetarian", "none"] }, "age": { "type": "integer" },
        "city": { "type": "string" }, "name": { "type": "string" },
    });
    let engine = open(&world, first.clone());
    for (field, value) in
        [("diet", json!("vegetarian")), ("age", json!(40)), ("city", json!("Lisbon")), ("name", json!("Ana"))]
    {
        set(&world, &engine, field, value);
    }
    let whole = profile(&world, &engine, "p");
    world.close(&engine);

    // A narrower enum, another type, a field that is gone, and one that stays.
    let second = json!({
        "diet": { "enum": ["vegan", "none"] }, "age": { "type": "string" }, "name": { "type": "string" },
    });
    let engine = open(&world, second);
    let narrow = profile(&world, &engine, "p");
    assert_eq!(narrow["profile"], json!({ "name": "Ana" }));
    for (field, named) in [("diet", "one of"), ("age", "string"), ("city", "no field")] {
        let kept = &narrow["fields"][field];
        assert_eq!(kept["value"], whole["fields"][field]["value"]);
        let told = kept["stale"][0]["message"].as_str().unwrap();
        assert!(told.contains(named), "{field}: {told}");
    }
    assert!(narrow["fields"]["name"].get("stale").is_none());
    assert_eq!(history(&world, &engine, "city")[0]["value"], json!("Lisbon"), "its past can be read");
    let error = world.try_call(
        &engine,
        "profiles.rollback",
        ALICE,
        json!({ "schema": "p", "field": "diet", "revision": 1 }),
    );
    assert_eq!(error.unwrap_err().code, Code::SchemaViolation);
    set(&world, &engine, "age", json!("forty"));
    assert_eq!(profile(&world, &engine, "p")["profile"], json!({ "name": "Ana", "age": "forty" }));
    world.close(&engine);

    // The schema under another id: nothing of it is shown, and nothing is gone.
    let engine = world.open(None, &json!({ "profiles": { "q": { "type": "object", "properties": first } } }));
    let renamed = world.call(&engine, "profiles.get", json!({}));
    assert_eq!(renamed, json!({ "q": { "profile": {}, "fields": {} } }));
    world.close(&engine);

    // What validates again is back.
    let engine = open(&world, first);
    let back = profile(&world, &engine, "p");
    assert_eq!(back["profile"], json!({ "name": "Ana", "city": "Lisbon", "diet": "vegetarian" }));
    assert_eq!(back["fields"]["city"], whole["fields"]["city"]);
    assert_eq!(back["fields"]["age"]["stale"].as_array().unwrap().len(), 1);
    let restored =
        world.call(&engine, "profiles.rollback", json!({ "schema": "p", "field": "age", "revision": 1 }));
    assert_eq!(restored["revision"], json!(3));
    assert_eq!(profile(&world, &engine, "p")["profile"], whole["profile"]);
}

#[test]
fn a_value_that_does_not_validate_is_never_learned() {
    let world = World::new();
    let schema = json!({ "type": "object", "properties": { "status": { "enum": ["student", "employed"] } } });
    let field = |value: Value| json!({ "facts": [], "profile": [{ "schema": "p", "field": "status", "value": value }] });
    for value in [json!("lazy"), json!(7), json!(["student"]), json!({ "value": "student" })] {
        let llm = Scripted::new([field(value.clone()), field(value.clone())]);
        let world = World::new();
        let engine = world.open(Some(llm.clone()), &json!({ "profiles": { "p": schema } }));
        let said = json!({ "messages": [{ "role": "user", "content": "I am lazy." }] });
        assert_eq!(world.fails(&engine, "generate", said).code, Code::Model, "{value}");
        assert_eq!(profile(&world, &engine, "p"), json!({ "profile": {}, "fields": {} }), "{value}");
    }
    // One that the user's value would be lost to is put right at the second asking.
    let llm = Scripted::new([field(json!("Student")), field(json!("student"))]);
    let engine = world.open(Some(llm.clone()), &json!({ "profiles": { "p": schema } }));
    world.call(&engine, "generate", json!({ "messages": [{ "role": "user", "content": "I study." }] }));
    assert_eq!(profile(&world, &engine, "p")["profile"], json!({ "status": "student" }));
}
