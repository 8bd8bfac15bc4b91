//! Two engines on one storage.

use super::{entity, open, read, relation, seeded};
use crate::support::world::{ALICE, World};
use mnemic::engine::Engine;
use serde_json::{Value, json};

#[test]
fn two_engines_lose_nothing_and_double_nothing() {
    let world = World::of("graph.");
    let (one, two) = (open(&world), open(&world));
    let machine = &world.machine;
    for round in 0..5 {
        let create = |engine: &Engine, mine: &str| {
            let engine = engine.clone();
            let options = json!({ "entities": [
                entity(&format!("shared {round}"), "thing", &[]), entity(&format!("{mine} {round}"), "thing", &[]),
            ] });
            async move { engine.call("graph.create_entities", ALICE, &options.to_string()).await }
        };
        let (first, second) = (create(&one, "first"), create(&two, "second"));
        let (first, second) = machine.run(async move { futures_util::join!(first, second) });
        let answers: Vec<Value> = [first, second]
            .into_iter()
            .map(|answer| serde_json::from_str(&answer.unwrap()).unwrap())
            .collect();
        let skipped = answers.iter().filter(|answer| answer.get("skipped").is_some()).count();
        assert_eq!(skipped, 1, "{answers:?}");
        let add = |engine: &Engine, text: &str| {
            let engine = engine.clone();
            let options =
                json!({ "observations": [{ "entityName": format!("shared {round}"), "contents": [text] }] });
            async move { engine.call("graph.add_observations", ALICE, &options.to_string()).await }
        };
        let (first, second) = (add(&one, "a"), add(&two, "b"));
        let (first, second) = machine.run(async move { futures_util::join!(first, second) });
        assert!(first.is_ok() && second.is_ok(), "{first:?} {second:?}");
        let found = world.call(&open(&world), "open_nodes", json!({ "names": [format!("shared {round}")] }));
        assert_eq!(found["entities"][0]["observations"].as_array().unwrap().len(), 2);
    }
    assert_eq!(read(&world, &open(&world)).matches("\"name\"").count(), 15);
}

#[test]
fn a_relation_to_what_another_engine_deleted_is_refused() {
    let world = World::of("graph.");
    let one = seeded(&world);
    let two = open(&world);
    world.call(&one, "delete_entities", json!({ "entityNames": ["Bob"] }));
    let wanted = json!({ "relations": [relation("Acme Corp", "Bob", "employs")] });
    let error = world.fails(&two, "create_relations", wanted);
    assert_eq!(error.message, "Entity with name Bob not found");
    // In one engine too, when both are under way at once.
    let engine = one.clone();
    let outcome = world.machine.run(async move {
        let delete = json!({ "entityNames": ["Alice"] }).to_string();
        let create = json!({ "relations": [relation("Acme Corp", "Alice", "employs")] }).to_string();
        futures_util::join!(
            engine.call("graph.delete_entities", ALICE, &delete),
            engine.call("graph.create_relations", ALICE, &create)
        )
    });
    assert!(outcome.0.is_ok());
    assert_eq!(outcome.1.unwrap_err().message, "Entity with name Alice not found");
}
