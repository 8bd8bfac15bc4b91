//! Undoing, step by step and of what others depend on.

use crate::support::world::{Scripted, World};
use mnemic::Code;
use mnemic::engine::Engine;
use mnemic::ports::Platform;
use serde_json::{Value, json};

fn undo(world: &World, engine: &Engine, of: &Value) -> Value {
    world.call(engine, "undo", json!({ "commitId": of["commitId"] }))
}

fn text(world: &World, engine: &Engine, id: &Value) -> Value {
    world.call(engine, "facts.get", json!({ "id": id }))["text"].clone()
}

fn relations(world: &World, engine: &Engine) -> Vec<Value> {
    let items = world.call(engine, "items.list", json!({ "kinds": ["relation"] }));
    items.as_array().unwrap().clone()
}

/// Creates entities and answers the commit that did it.
fn entities(world: &World, engine: &Engine, names: &[&str]) -> Value {
    let entities: Vec<Value> =
        names.iter().map(|name| json!({ "name": name, "entityType": "t", "observations": [] })).collect();
    world.call(engine, "graph.create_entities", json!({ "entities": entities }));
    last_commit(world, engine, "entity", names.last().unwrap())
}

fn relate(world: &World, engine: &Engine, call: &str, from: &str, to: &str) {
    let relation = json!({ "from": from, "to": to, "relationType": "r" });
    world.call(engine, &format!("graph.{call}"), json!({ "relations": [relation] }));
}

fn item(world: &World, engine: &Engine, kind: &str, key: &str) -> Value {
    let items = world.call(engine, "items.list", json!({ "kinds": [kind] }));
    items.as_array().unwrap().iter().find(|item| item["key"] == key).unwrap()["id"].clone()
}

fn last_commit(world: &World, engine: &Engine, kind: &str, key: &str) -> Value {
    let id = item(world, engine, kind, key);
    let history = world.call(engine, "history", json!({ "id": id }));
    json!({ "commitId": history.as_array().unwrap().last().unwrap()["commitId"] })
}

/// After the newest commit was undone, the one before it was refused as if the newest still stood.
#[test]
fn commits_are_undone_one_after_the_other_and_done_again() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let added = world.call(&engine, "facts.add", json!({ "text": "Ann lives in Lisbon" }));
    let id = &added["id"];
    let porto = world.call(&engine, "facts.update", json!({ "id": id, "text": "Ann lives in Porto" }));
    let faro = world.call(&engine, "facts.update", json!({ "id": id, "text": "Ann lives in Faro" }));
    let error = world.fails(&engine, "undo", json!({ "commitId": porto["commitId"] }));
    assert_eq!(error.code, Code::Conflict, "Faro still stands");
    let back = undo(&world, &engine, &faro);
    assert_eq!(text(&world, &engine, id), "Ann lives in Porto");
    let error = world.fails(&engine, "undo", json!({ "commitId": faro["commitId"] }));
    assert_eq!(error.code, Code::Conflict, "what was taken back is not there to be taken back");
    // It spoke of later commits, of which there are none.
    assert_eq!(error.details["undoneBy"], back["commitId"], "{error}");
    undo(&world, &engine, &porto);
    assert_eq!(text(&world, &engine, id), "Ann lives in Lisbon");
    let engine = world.open(None, &json!({}));
    let gone = undo(&world, &engine, &added);
    assert_eq!(world.call(&engine, "facts.list", json!({})), json!([]));
    let again = undo(&world, &engine, &gone);
    assert_eq!(text(&world, &engine, id), "Ann lives in Lisbon");
    let error = world.fails(&engine, "undo", json!({ "commitId": back["commitId"] }));
    assert_eq!(error.code, Code::Conflict, "the undoing of Faro stands for Porto, which is not there");
    undo(&world, &engine, &again);
    assert_eq!(world.call(&engine, "facts.list", json!({})), json!([]));
}

/// A change to the same words by other means is a later commit all the same.
#[test]
fn what_only_looks_as_it_was_is_not_undone() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let added = world.call(&engine, "facts.add", json!({ "text": "one" }));
    let id = &added["id"];
    world.call(&engine, "facts.update", json!({ "id": id, "text": "two" }));
    world.call(&engine, "facts.update", json!({ "id": id, "text": "one" }));
    let error = world.fails(&engine, "undo", json!({ "commitId": added["commitId"] }));
    assert_eq!(error.code, Code::Conflict);
}

/// Undoing a deletion made everything look as if it had just been created.
#[test]
fn what_comes_back_was_created_when_it_was() {
    let world = World::new();
    let profiles = json!({ "p": { "type": "object", "properties": { "n": { "type": "string" } } } });
    let engine = world.open(None, &json!({ "profiles": profiles }));
    world.call(&engine, "facts.add", json!({ "text": "old" }));
    world.call(&engine, "profiles.set", json!({ "schema": "p", "field": "n", "value": "v" }));
    world.call(&engine, "instructions.set", json!({ "text": "be brief" }));
    entities(&world, &engine, &["A"]);
    let before = world.call(&engine, "items.list", json!({}));
    let before = before.as_array().unwrap();
    assert_eq!(before.len(), 4);
    for item in before {
        world.machine.pass(60_000);
        let deleted = world.call(&engine, "items.delete", json!({ "id": item["id"] }));
        undo(&world, &engine, &deleted);
        let after = world.call(&engine, "items.get", json!({ "id": item["id"] }));
        assert_eq!(after["createdAt"], item["createdAt"], "{item}");
        assert_eq!(after["validFrom"], item["validFrom"], "{item}");
    }
}

#[test]
fn undoing_an_entity_takes_its_relations_along() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let a = entities(&world, &engine, &["A"]);
    entities(&world, &engine, &["B"]);
    relate(&world, &engine, "create_relations", "B", "A");
    let gone = undo(&world, &engine, &a);
    let kinds: Vec<_> = gone["changes"].as_array().unwrap().iter().map(|change| &change["kind"]).collect();
    assert_eq!(kinds, ["entity", "relation"]);
    assert!(relations(&world, &engine).is_empty());
    undo(&world, &engine, &gone);
    assert_eq!(relations(&world, &engine).len(), 1, "both come back");
    assert_eq!(world.call(&engine, "graph.relations", json!({})).as_array().unwrap().len(), 1);
}

#[test]
fn a_relation_does_not_come_back_without_its_ends() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    entities(&world, &engine, &["A", "B"]);
    relate(&world, &engine, "create_relations", "A", "B");
    let id = relations(&world, &engine)[0]["id"].clone();
    relate(&world, &engine, "delete_relations", "A", "B");
    let history = world.call(&engine, "history", json!({ "id": id }));
    let deletion = history.as_array().unwrap().last().unwrap().clone();
    world.call(&engine, "graph.delete_entities", json!({ "entityNames": ["B"] }));
    let error = world.fails(&engine, "undo", json!({ "commitId": deletion["commitId"] }));
    assert_eq!(error.code, Code::Conflict);
    assert!(relations(&world, &engine).is_empty());
}

#[test]
fn an_entity_that_expires_takes_its_relations_along() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    entities(&world, &engine, &["A", "B"]);
    relate(&world, &engine, "create_relations", "A", "B");
    let relation = relations(&world, &engine)[0]["id"].clone();
    let expires_at = world.machine.platform().now() + 1000;
    let a = item(&world, &engine, "entity", "A");
    world.call(&engine, "items.edit", json!({ "id": a, "expiresAt": expires_at }));
    assert_eq!(relations(&world, &engine).len(), 1);
    world.machine.pass(2000);
    assert!(relations(&world, &engine).is_empty(), "hidden from that moment");
    assert_eq!(world.call(&engine, "items.get", json!({ "id": relation })), Value::Null);
    drop(engine);
    let engine = world.open(None, &json!({}));
    world.machine.pass(1000);
    let error = world.fails(&engine, "explain", json!({ "id": relation }));
    assert_eq!(error.code, Code::NotFound, "ended in the store as well");
}

/// What was accepted, undone and waits again could not be accepted any more.
#[test]
fn a_proposal_is_accepted_again_after_an_undo() {
    let world = World::new();
    let supersede = json!({ "facts": [
        { "action": "supersede", "target": 1, "text": "The user lives in Porto.", "significance": 7, "message": 1 },
    ] });
    let options = json!({ "extraction": { "review": true, "graph": false } });
    let engine = world.open(Some(Scripted::new([supersede])), &options);
    world.call(&engine, "facts.add", json!({ "text": "The user lives in Lisbon." }));
    let said = json!([{ "role": "user", "content": "I live in Porto now, not in Lisbon" }]);
    world.call(&engine, "remember", json!({ "messages": said }));
    world.machine.pass(600_000);
    world.idle(&engine);
    let waiting = world.call(&engine, "proposals.list", json!({}));
    let ids = json!({ "ids": [waiting[0]["id"]] });
    for _ in 0..3 {
        let accepted = world.call(&engine, "proposals.accept", ids.clone());
        let facts = world.call(&engine, "facts.list", json!({}));
        assert_eq!(facts[0]["text"], "The user lives in Porto.");
        undo(&world, &engine, &accepted[0]);
        let facts = world.call(&engine, "facts.list", json!({}));
        assert_eq!(facts[0]["text"], "The user lives in Lisbon.");
    }
}
