//! Deletions: they say what was there, take relations along, and can be undone.

use super::{SEEDED, entity, id, read, relation, seeded};
use crate::support::world::{ALICE, World};
use mnemic::engine::Engine;
use serde_json::{Value, json};

/// The last commit that touched an entity.
fn last_commit(world: &World, engine: &Engine, id: &Value) -> Value {
    let history = world.try_call(engine, "history", ALICE, json!({ "id": id })).unwrap();
    history.as_array().unwrap().last().unwrap()["commitId"].clone()
}

#[test]
fn deletions_say_what_was_there() {
    let world = World::of("graph.");
    let engine = seeded(&world);
    let message = |name: &str, options: Value| {
        let answer = world.call(&engine, name, options);
        assert_eq!(answer["success"], true);
        answer["message"].as_str().unwrap().to_owned()
    };
    let observations = |deletions: Value| message("delete_observations", json!({ "deletions": deletions }));
    assert_eq!(
        observations(json!([
            { "entityName": "Alice", "observations": ["likes tea", "nothing"] },
            { "entityName": "Zed", "observations": ["x"] },
        ])),
        "Deleted 1 of 3 observations. Entities not found: Zed. Not found: nothing (Alice)"
    );
    assert_eq!(
        observations(json!([{ "entityName": "Alice", "observations": ["likes tea"] }])),
        "Deleted 0 of 1 observations. Not found: likes tea (Alice)"
    );
    assert_eq!(
        observations(json!([{ "entityName": "Bob", "observations": ["likes programming"] }])),
        "Observations deleted successfully"
    );
    let relations = |relations: &[Value]| message("delete_relations", json!({ "relations": relations }));
    let knows = relation("Alice", "Bob", "knows");
    assert_eq!(
        relations(&[relation("Alice", "Bob", "likes"), relation("Alice", "Zed", "knows")]),
        "Deleted 0 of 2 relations. Not found: Alice likes Bob, Alice knows Zed"
    );
    assert_eq!(
        relations(&[knows.clone(), knows.clone(), relation("Bob", "Alice", "knows")]),
        "Deleted 2 of 3 relations. Not found: Bob knows Alice"
    );
    assert_eq!(relations(&[relation("Alice", "Acme Corp", "works_at")]), "Relations deleted successfully");
    let entities = |names: &[&str]| message("delete_entities", json!({ "entityNames": names }));
    assert_eq!(entities(&["Zed", "Alice", "Yan"]), "Deleted 1 of 3 entities. Not found: Zed, Yan");
    assert_eq!(entities(&["Bob", "Bob"]), "Entities deleted successfully");
    assert_eq!(
        read(&world, &engine),
        r#"{"entities":[{"name":"Acme Corp","entityType":"organization","observations":["makes anvils"]}],"relations":[]}"#
    );
}

#[test]
fn deleting_takes_relations_along_and_undo_brings_them_back() {
    let world = World::of("graph.");
    let engine = seeded(&world);
    let id = id(&world, &engine, "Alice");
    world.call(&engine, "delete_entities", json!({ "entityNames": ["Alice"] }));
    let left = world.call(&engine, "read_graph", json!({}));
    assert_eq!((left["entities"].as_array().unwrap().len(), &left["relations"]), (2, &json!([])));
    let commit = last_commit(&world, &engine, &id);
    let undone = world.try_call(&engine, "undo", ALICE, json!({ "commitId": commit })).unwrap();
    assert_eq!(undone["changes"].as_array().unwrap().len(), 3);
    assert_eq!(read(&world, &engine), SEEDED);
    // An entity that is created anew is another one, at the end.
    world.call(&engine, "delete_entities", json!({ "entityNames": ["Alice"] }));
    world.call(&engine, "create_entities", json!({ "entities": [entity("Alice", "person", &[])] }));
    let graph = world.call(&engine, "read_graph", json!({}));
    assert_eq!((&graph["entities"][2]["name"], &graph["relations"]), (&json!("Alice"), &json!([])));
}
