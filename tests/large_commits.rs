//! Commits that are larger than one stored value: whole or not there at all, and undone as the one they are.

use crate::support::world::{ALICE, World};
use mnemic::engine::Engine;
use serde_json::{Value, json};

const EDGES: usize = 8000;
const PER_CALL: usize = 1000;

fn open(world: &World) -> Engine {
    world.open(None, &json!({}))
}

fn name(number: usize) -> String {
    format!("Somebody who knows the hub, number {number}")
}

/// A hub that so many know.
fn hub(world: &World, engine: &Engine) {
    let hub = json!({ "name": "Hub", "entityType": "person", "observations": ["It is known."] });
    world.call(engine, "graph.create_entities", json!({ "entities": [hub] }));
    for first in (0..EDGES).step_by(PER_CALL) {
        let numbers = || first..first + PER_CALL;
        let entities: Vec<Value> = numbers()
            .map(|n| json!({ "name": name(n), "entityType": "person", "observations": [] }))
            .collect();
        world.call(engine, "graph.create_entities", json!({ "entities": entities }));
        let relations: Vec<Value> =
            numbers().map(|n| json!({ "from": name(n), "to": "Hub", "relationType": "knows" })).collect();
        world.call(engine, "graph.create_relations", json!({ "relations": relations }));
    }
}

/// How many know the hub.
fn known_by(world: &World, engine: &Engine) -> usize {
    let mut count = 0;
    loop {
        let asked = json!({ "to": "Hub", "limit": 1000, "offset": count });
        let Ok(relations) = world.try_call(engine, "graph.relations", ALICE, asked) else { return count };
        let found = relations.as_array().unwrap().len();
        count += found;
        if found < 1000 {
            return count;
        }
    }
}

#[test]
fn the_deletion_of_a_hub_is_one_commit_and_is_undone_as_one() {
    let world = World::new();
    let engine = open(&world);
    hub(&world, &engine);
    let id = world.call(&engine, "graph.resolve", json!({ "name": "Hub" }))[0]["entity"]["id"].clone();
    assert_eq!(known_by(&world, &engine), EDGES);
    world.call(&engine, "graph.delete_entities", json!({ "entityNames": ["Hub"] }));
    assert_eq!(known_by(&world, &engine), 0);
    let last = |engine: &Engine| -> Value {
        let history = world.call(engine, "history", json!({ "id": id }));
        history.as_array().unwrap().last().unwrap().clone()
    };
    let deletion = last(&engine);
    assert_eq!(deletion["deleted"], json!(true));
    let undone = world.call(&engine, "undo", json!({ "commitId": deletion["commitId"] }));
    assert_eq!(undone["changes"].as_array().unwrap().len(), EDGES + 1);
    let restoration = last(&engine);
    assert_eq!(restoration["commitId"], undone["commitId"]);
    // Read from the log, and from the segment that the log is folded into at the next opening.
    for _ in 0..2 {
        let engine = open(&world);
        assert_eq!(known_by(&world, &engine), EDGES);
        assert_eq!(last(&engine), restoration);
    }
    // What was done in parts is undone as a whole, too.
    let engine = open(&world);
    let again = world.call(&engine, "undo", json!({ "commitId": restoration["commitId"] }));
    assert_eq!(again["changes"].as_array().unwrap().len(), EDGES + 1);
    assert_eq!(known_by(&world, &engine), 0);
    let report = world.call(&engine, "verify", json!({}));
    assert_eq!(report["damage"], json!([]), "{report}");
}
