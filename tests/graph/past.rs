//! The past of the graph.

use super::{id, relation, seeded};
use crate::support::world::{ALICE, START, World};
use mnemic::Code;
use serde_json::{Value, json};

#[test]
fn the_past_is_readable_and_an_ended_relation_stays_in_it() {
    let world = World::of("graph.");
    let engine = seeded(&world);
    let works = relation("Alice", "Acme Corp", "works_at");
    world.machine.pass(1000);
    let ended = world.call(&engine, "end_relations", json!({ "relations": [works], "at": START + 500 }));
    assert_eq!((ended.as_array().unwrap().len(), &ended[0]["action"]), (1, &json!("updated")));
    assert_eq!(world.call(&engine, "end_relations", json!({ "relations": [works] })), json!([]));
    let now = world.call(&engine, "relations", json!({ "from": "Alice" }));
    assert_eq!(now.as_array().unwrap().len(), 1);
    let all = world.call(&engine, "relations", json!({ "from": "Alice", "includeEnded": true }));
    assert_eq!((&all[1]["relationType"], &all[1]["validTo"]), (&json!("works_at"), &json!(START + 500)));
    let then = world.call(&engine, "relations", json!({ "to": "Acme Corp", "asOf": START + 10 }));
    assert_eq!(then.as_array().unwrap().len(), 1);
    // The same can begin again, beside the time that is over.
    world.call(&engine, "create_relations", json!({ "relations": [works] }));
    let all = world.call(&engine, "relations", json!({ "relationType": "works_at", "includeEnded": true }));
    assert_eq!((all.as_array().unwrap().len(), all[1].get("validTo")), (2, None));
    // What is said of it.
    let explained = world.try_call(&engine, "explain", ALICE, json!({ "id": all[0]["id"] })).unwrap();
    assert_eq!(explained["text"], "Alice works_at Acme Corp");
    let history = world.try_call(&engine, "history", ALICE, json!({ "id": all[0]["id"] })).unwrap();
    assert_eq!((&history[0]["value"], history[0].get("validTo")), (&works, None));
    assert_eq!(history[1]["validTo"], json!(START + 500));
    let alice = id(&world, &engine, "Alice");
    let explained = world.try_call(&engine, "explain", ALICE, json!({ "id": alice })).unwrap();
    assert_eq!((&explained["kind"], &explained["cause"]), (&json!("entity"), &json!("user")));
    assert!(explained["text"].as_str().unwrap().starts_with("Alice\nperson\n"));
    // Before, the graph was another; nothing is there before it began.
    world.machine.pass(1000);
    world.call(&engine, "delete_entities", json!({ "entityNames": ["Bob", "Alice"] }));
    let around = |options: Value| world.call(&engine, "neighbours", options);
    let then = around(json!({ "names": ["Bob"], "depth": 2, "asOf": START + 10 }));
    let names: Vec<&Value> = then["entities"].as_array().unwrap().iter().map(|item| &item["name"]).collect();
    assert_eq!(names, ["Bob", "Alice", "Acme Corp"]);
    let path = json!({ "from": "Bob", "to": "Acme Corp", "asOf": START + 10 });
    assert_eq!(world.call(&engine, "path", path)["relations"].as_array().unwrap().len(), 2);
    assert_eq!(world.fails(&engine, "neighbours", json!({ "names": ["Bob"] })).code, Code::NotFound);
    let before = world.call(&engine, "list", json!({ "asOf": START - 1 }));
    assert_eq!(before, json!([]));
    assert_eq!(world.call(&engine, "list", json!({ "asOf": START + 10 })).as_array().unwrap().len(), 3);
    assert_eq!(world.call(&engine, "relations", json!({ "includeEnded": true })), json!([]));
}
