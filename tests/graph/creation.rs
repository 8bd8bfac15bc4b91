//! Entities, observations and relations, as they are added.

use super::{SEEDED, entity, open, read, relation, seeded};
use crate::support::world::{BOB, World};
use mnemic::Code;
use serde_json::json;

#[test]
fn the_graph_reads_as_it_was_written_in_order_and_after_a_reload() {
    let world = World::of("graph.");
    let engine = seeded(&world);
    assert_eq!(read(&world, &engine), SEEDED);
    let engine = open(&world);
    assert_eq!(read(&world, &engine), SEEDED);
    let other = world.try_call(&engine, "graph.read_graph", BOB, json!({})).unwrap();
    assert_eq!(other, json!({ "entities": [], "relations": [] }));
    assert_eq!(world.try_call(&engine, "verify", "", json!({})).unwrap()["ok"], true);
}

#[test]
fn creating_skips_what_there_is_and_says_so() {
    let world = World::of("graph.");
    let engine = open(&world);
    let alice = entity("Alice", "person", &["likes tea"]);
    let again = entity("Alice", "robot", &["beeps"]);
    let created = world.call(&engine, "create_entities", json!({ "entities": [alice, again] }));
    assert_eq!(created, json!({ "entities": [alice], "skipped": ["Alice"] }));
    let bob = entity("Bob", "person", &[]);
    let created = world.call(&engine, "create_entities", json!({ "entities": [again, bob, again] }));
    assert_eq!(created, json!({ "entities": [bob], "skipped": ["Alice", "Alice"] }));
    assert_eq!(world.call(&engine, "create_entities", json!({ "entities": [] })), json!({ "entities": [] }));
    assert_eq!(world.call(&engine, "read_graph", json!({}))["entities"], json!([alice, bob]));
    // Names differ by case, as the reference has it.
    let lower = entity("alice", "person", &[]);
    assert_eq!(
        world.call(&engine, "create_entities", json!({ "entities": [lower] })),
        json!({ "entities": [lower] })
    );
}

#[test]
fn relations_need_both_ends_and_are_there_once() {
    let world = World::of("graph.");
    let engine = seeded(&world);
    let before = read(&world, &engine);
    let wanted = [relation("Bob", "Alice", "knows"), relation("Bob", "Zed", "knows")];
    let error = world.fails(&engine, "create_relations", json!({ "relations": wanted }));
    assert_eq!((error.code, error.message.as_str()), (Code::NotFound, "Entity with name Zed not found"));
    assert_eq!(read(&world, &engine), before);
    let error =
        world.fails(&engine, "create_relations", json!({ "relations": [relation("X", "Y", "knows")] }));
    assert_eq!(error.message, "Entity with name X not found");
    let new = relation("Bob", "Alice", "knows");
    let wanted = [relation("Alice", "Bob", "knows"), new.clone(), new.clone()];
    let created = world.call(&engine, "create_relations", json!({ "relations": wanted }));
    assert_eq!(created, json!({ "relations": [new] }));
    let to_itself = relation("Bob", "Bob", "knows");
    let created = world.call(&engine, "create_relations", json!({ "relations": [to_itself] }));
    assert_eq!(created, json!({ "relations": [to_itself] }));
    let bob = world.call(&engine, "open_nodes", json!({ "names": ["Bob"] }));
    assert_eq!(bob["relations"], json!([relation("Alice", "Bob", "knows"), new, to_itself]));
}

#[test]
fn observations_are_added_once_and_to_what_there_is() {
    let world = World::of("graph.");
    let engine = seeded(&world);
    let added = world.call(
        &engine,
        "add_observations",
        json!({ "observations": [
            { "entityName": "Alice", "contents": ["likes tea", "plays the cello", "plays the cello"] },
            { "entityName": "Bob", "contents": ["sings"] },
            { "entityName": "Alice", "contents": ["plays the cello", "swims"] },
        ] }),
    );
    assert_eq!(
        added,
        json!({ "results": [
            { "entityName": "Alice", "addedObservations": ["plays the cello"] },
            { "entityName": "Bob", "addedObservations": ["sings"] },
            { "entityName": "Alice", "addedObservations": ["swims"] },
        ] })
    );
    let before = read(&world, &engine);
    let observations =
        json!([{ "entityName": "Bob", "contents": ["x"] }, { "entityName": "Zed", "contents": [] }]);
    let error = world.fails(&engine, "add_observations", json!({ "observations": observations }));
    assert_eq!((error.code, error.message.as_str()), (Code::NotFound, "Entity with name Zed not found"));
    assert_eq!(read(&world, &engine), before);
}

/// Both stood twice in the entity.
#[test]
fn an_observation_that_stands_twice_in_a_call_is_kept_once() {
    let world = World::of("graph.");
    let engine = world.open(None, &json!({}));
    let entity =
        json!({ "name": "Ada", "entityType": "person", "observations": ["sails", "sails", "reads"] });
    let created = world.call(&engine, "create_entities", json!({ "entities": [entity] }));
    assert_eq!(created["entities"][0]["observations"], json!(["sails", "reads"]));
    let more = json!([{ "entityName": "Ada", "contents": ["swims", "swims", "sails"] }]);
    let added = world.call(&engine, "add_observations", json!({ "observations": more }));
    assert_eq!(added["results"][0]["addedObservations"], json!(["swims"]));
    let read = world.call(&engine, "read_graph", json!({}));
    assert_eq!(read["entities"][0]["observations"], json!(["sails", "reads", "swims"]));
}
