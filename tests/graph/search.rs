//! Searching, and graphs that are larger than a context.

use super::{entity, open, relation, seeded};
use crate::support::world::World;
use mnemic::Code;
use serde_json::{Value, json};

#[test]
fn searching_is_for_the_whole_query_in_one_text() {
    let world = World::of("graph.");
    let engine = seeded(&world);
    let names = |query: &str| -> Vec<String> {
        let found = world.call(&engine, "search_nodes", json!({ "query": query }));
        let entities = found["entities"].as_array().unwrap();
        entities.iter().map(|entity| entity["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(""), ["Alice", "Bob", "Acme Corp"]);
    assert_eq!(names("PERSON"), ["Alice", "Bob"]);
    assert_eq!(names("acme"), ["Alice", "Acme Corp"]);
    assert_eq!(names("kes tea"), ["Alice"]);
    assert_eq!(names("Alice tea"), [""; 0]);
    // Not across two texts, also when the query has the sign that the engine puts between them.
    assert_eq!(names("acme corp\nlikes"), [""; 0]);
    world.call(&engine, "create_entities", json!({ "entities": [entity("Poem", "text", &["roses\nred"])] }));
    assert_eq!(names("ROSES\nred"), ["Poem"]);
    assert_eq!(names("text\nroses"), [""; 0]);
    let bob = world.call(&engine, "search_nodes", json!({ "query": "programming" }));
    assert_eq!(bob["relations"], json!([relation("Alice", "Bob", "knows")]));
    assert_eq!(
        world.fails(&engine, "search_nodes", json!({ "query": "q".repeat(2049) })).code,
        Code::InvalidInput
    );
    assert_eq!(names(&"q".repeat(2048)), [""; 0]);
    let opened = world.call(&engine, "open_nodes", json!({ "names": ["Bob", "Zed", "bob", "Alice", "Bob"] }));
    assert_eq!(opened["entities"].as_array().unwrap().len(), 2);
    assert_eq!(opened["entities"][0]["name"], "Alice");
    assert_eq!(opened["relations"].as_array().unwrap().len(), 2);
}

#[test]
fn a_whole_graph_does_not_flood_a_context() {
    let world = World::of("graph.");
    let engine = open(&world);
    for part in 0..4 {
        let name = |number: usize| format!("entity {:04}", part * 500 + number);
        let entities: Vec<Value> =
            (0..500).map(|number| entity(&name(number), "thing", &["is one of many"])).collect();
        world.call(&engine, "create_entities", json!({ "entities": entities }));
        let relations: Vec<Value> =
            (1..500).map(|number| relation(&name(0), &name(number), "comes_before")).collect();
        world.call(&engine, "create_relations", json!({ "relations": relations }));
    }
    let graph = world.call(&engine, "read_graph", json!({}));
    assert!(
        mnemic::tokens::estimate(&graph.to_string()) <= 20_000 + 40,
        "{}",
        mnemic::tokens::estimate(&graph.to_string())
    );
    let shown = |list: &str| graph[list].as_array().unwrap().len();
    assert!(shown("entities") > 300 && shown("relations") > 100);
    let left = &graph["truncated"];
    assert_eq!(left["entities"], 2000 - shown("entities"));
    assert_eq!(left["observations"], 0);
    assert!(left["relations"].as_u64().unwrap() > 0);
    let all = world.call(&engine, "read_graph", json!({ "maxTokens": 1_000_000 }));
    assert_eq!(all["entities"].as_array().unwrap().len(), 2000);
    assert_eq!((all["relations"].as_array().unwrap().len(), &all["truncated"]), (4 * 499, &Value::Null));
    let cut = world.call(&engine, "open_nodes", json!({ "names": ["entity 0003"], "observationLimit": 0 }));
    assert_eq!(cut["entities"][0]["observations"], json!([]));
    assert_eq!(cut["truncated"], json!({ "entities": 0, "observations": 1, "relations": 0 }));
    let page = world.call(&engine, "list", json!({ "offset": 1990, "limit": 100, "observationLimit": 0 }));
    assert_eq!((page.as_array().unwrap().len(), &page[9]["moreObservations"]), (10, &json!(1)));
    // One entity that is too large is shown as far as it fits.
    let many: Vec<String> = (0..2000).map(|number| format!("observation number {number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    world.call(&engine, "create_entities", json!({ "entities": [entity("Large", "thing", &many)] }));
    let large = world.call(&engine, "open_nodes", json!({ "names": ["Large"], "maxTokens": 500 }));
    let observations = large["entities"][0]["observations"].as_array().unwrap().len();
    assert!((10..100).contains(&observations), "{observations}");
    assert_eq!(large["truncated"]["observations"], 2000 - observations);
    assert!(mnemic::tokens::estimate(&large.to_string()) <= 540);
}

#[test]
fn search_goes_by_words_and_pages_by_type() {
    let world = World::of("graph.");
    let engine = seeded(&world);
    let found =
        world.call(&engine, "search", json!({ "query": "who likes programming?", "observationLimit": 0 }));
    assert_eq!((&found[0]["name"], &found[0]["moreObservations"]), (&json!("Bob"), &json!(1)));
    assert!(found[0]["score"].as_f64().unwrap() > 0.0);
    let people = world.call(&engine, "list", json!({ "entityTypes": ["person"], "offset": 1 }));
    assert_eq!((people.as_array().unwrap().len(), &people[0]["name"]), (1, &json!("Bob")));
    let filtered =
        json!({ "query": "Acme", "filter": { "entityType": "organization" }, "limit": 5, "threshold": 0.1 });
    assert_eq!(world.call(&engine, "search", filtered).as_array().unwrap().len(), 1);
}
