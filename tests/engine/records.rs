//! What every record has: a past, and a time to live.

use super::{open, profile};
use crate::support::world::{ALICE, START, World};
use mnemic::Code;
use serde_json::{Value, json};

#[test]
fn profiles_are_validated_merged_and_rolled_back() {
    let world = World::new();
    let engine = open(&world, None);
    let name = |value: &str| json!({ "schema": "user-profile", "field": "name", "value": value });
    world.call(&engine, "profiles.set", name("Ana"));
    assert_eq!(world.call(&engine, "profiles.set", name("Ana"))["action"], json!("unchanged"));
    world.call(&engine, "profiles.set", name("Anna"));
    world.call(
        &engine,
        "profiles.patch",
        json!({ "schema": "user-profile", "patch": { "name": null, "likes": ["tea"] } }),
    );
    assert_eq!(profile(&world, &engine), json!({ "likes": ["tea"] }));
    world.call(
        &engine,
        "profiles.rollback",
        json!({ "schema": "user-profile", "field": "name", "revision": 1 }),
    );
    assert_eq!(profile(&world, &engine)["name"], json!("Ana"));
    let history =
        world.call(&engine, "profiles.history", json!({ "schema": "user-profile", "field": "name" }));
    let history: Vec<(Value, Value)> =
        history.as_array().unwrap().iter().map(|r| (r["revision"].clone(), r["value"].clone())).collect();
    assert_eq!(
        history,
        [
            (json!(1), json!("Ana")),
            (json!(2), json!("Anna")),
            (json!(3), Value::Null),
            (json!(4), json!("Ana"))
        ]
    );
}

#[test]
fn what_expires_is_hidden_at_once_and_ended_at_the_next_opening() {
    let world = World::new();
    let engine = open(&world, None);
    let expires_at = START + 60_000;
    let added = world.call(
        &engine,
        "facts.add",
        json!({ "text": "The user is in Rome this week.", "expiresAt": expires_at }),
    );
    world.call(&engine, "facts.add", json!({ "text": "The user likes trains." }));
    assert_eq!(world.facts(&engine).len(), 2);
    world.machine.pass(60_000);
    assert_eq!(world.facts(&engine), ["The user likes trains."]);
    assert!(world.call(&engine, "facts.search", json!({ "query": "Rome" })).as_array().unwrap().is_empty());
    assert!(
        !world.call(&engine, "recall", json!({ "query": "Rome" }))["text"].as_str().unwrap().contains("Rome")
    );
    let engine = open(&world, None);
    world.call(&engine, "idle", json!({}));
    let history = world.call(&engine, "history", json!({ "id": added["id"] }));
    assert_eq!((history[1]["deleted"].clone(), history[1]["cause"].clone()), (json!(true), json!("expire")));
}

#[test]
fn what_has_expired_cannot_be_changed() {
    let world = World::new();
    let engine = open(&world, None);
    let added = world.call(
        &engine,
        "facts.add",
        json!({ "text": "The user is in Rome.", "expiresAt": START + 1000 }),
    );
    let before = world.now();
    world.machine.pass(2000);
    let update = json!({ "id": added["id"], "text": "The user is in Oslo." });
    assert_eq!(world.try_call(&engine, "facts.update", ALICE, update).unwrap_err().code, Code::NotFound);
    assert_eq!(
        world.try_call(&engine, "facts.delete", ALICE, json!({ "id": added["id"] })).unwrap_err().code,
        Code::NotFound
    );
    let then = world.call(&engine, "facts.get", json!({ "id": added["id"], "asOf": before }));
    assert_eq!(then["text"], json!("The user is in Rome."));
    let later = world.call(&engine, "facts.get", json!({ "id": added["id"], "asOf": before + 1500 }));
    assert_eq!(later, Value::Null);
}

#[test]
fn changes_of_one_item_are_undone_one_after_the_other() {
    let world = World::new();
    let engine = open(&world, None);
    let made: Vec<Value> = ["Paris", "Berlin", "Rome"]
        .iter()
        .map(|place| {
            let set = json!({ "schema": "user-profile", "field": "place", "value": place });
            world.call(&engine, "profiles.set", set)["commitId"].clone()
        })
        .collect();
    let undo = |commit: &Value| world.try_call(&engine, "undo", ALICE, json!({ "commitId": commit }));
    assert_eq!(undo(&made[1]).unwrap_err().code, Code::Conflict, "a later change stands on it");
    for (commit, left) in [(&made[2], json!("Berlin")), (&made[1], json!("Paris")), (&made[0], Value::Null)] {
        undo(commit).unwrap();
        assert_eq!(profile(&world, &engine)["place"], left);
    }
    assert_eq!(undo(&made[0]).unwrap_err().code, Code::Conflict, "it is undone already");
}
