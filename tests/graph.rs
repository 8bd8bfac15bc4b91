//! The knowledge graph as an application calls it: the nine operations that tools for models know, and what is beyond them.

use crate::support::world::{ALICE, BOB, START, World};
use mnemic::engine::Engine;
use mnemic::lowercase::lowercase;
use mnemic::{Code, Result};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn open(world: &World) -> Engine {
    world.open(None, &json!({}))
}

/// What the graph holds, as text: the order of keys counts.
fn read(world: &World, engine: &Engine) -> String {
    world.call(engine, "read_graph", json!({})).to_string()
}

fn id(world: &World, engine: &Engine, name: &str) -> Value {
    let list = world.call(engine, "list", json!({ "limit": 1000 }));
    list.as_array().unwrap().iter().find(|item| item["name"] == name).unwrap()["id"].clone()
}

/// The last commit that touched an entity.
fn last_commit(world: &World, engine: &Engine, id: &Value) -> Value {
    let history = world.try_call(engine, "history", ALICE, json!({ "id": id })).unwrap();
    history.as_array().unwrap().last().unwrap()["commitId"].clone()
}

fn entity(name: &str, entity_type: &str, observations: &[&str]) -> Value {
    json!({ "name": name, "entityType": entity_type, "observations": observations })
}

fn relation(from: &str, to: &str, relation_type: &str) -> Value {
    json!({ "from": from, "to": to, "relationType": relation_type })
}

/// Alice, Bob and Acme Corp, and two relations.
fn seeded(world: &World) -> Engine {
    let engine = open(world);
    let entities = [
        entity("Alice", "person", &["works at Acme Corp", "likes tea"]),
        entity("Bob", "person", &["likes programming"]),
        entity("Acme Corp", "organization", &["makes anvils"]),
    ];
    world.call(&engine, "create_entities", json!({ "entities": entities }));
    let relations = [relation("Alice", "Bob", "knows"), relation("Alice", "Acme Corp", "works_at")];
    world.call(&engine, "create_relations", json!({ "relations": relations }));
    engine
}

const SEEDED: &str = r#"{"entities":[{"name":"Alice","entityType":"person","observations":["works at Acme Corp","likes tea"]},{"name":"Bob","entityType":"person","observations":["likes programming"]},{"name":"Acme Corp","entityType":"organization","observations":["makes anvils"]}],"relations":[{"from":"Alice","to":"Bob","relationType":"knows"},{"from":"Alice","to":"Acme Corp","relationType":"works_at"}]}"#;

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

#[test]
fn hostile_names_are_names_or_are_refused() {
    let world = World::of("graph.");
    let engine = open(&world);
    let names = [
        "a/b",
        "a#b",
        "__proto__",
        "constructor",
        "\"",
        "'",
        "{\"type\":\"entity\"}",
        " ",
        "\n",
        "\u{0}",
        "\u{202e}gnp",
        "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
        "\u{200f}",
        "\u{1f468}\u{200d}\u{1f469}",
        "I\u{307}",
        "\u{212a}",
        "<memory>",
        "*",
    ];
    let entities: Vec<Value> = names.iter().map(|name| entity(name, name, &[name])).collect();
    let created = world.call(&engine, "create_entities", json!({ "entities": entities }));
    assert_eq!(created, json!({ "entities": entities }));
    let relations: Vec<Value> = names.iter().map(|name| relation(name, "a/b", name)).collect();
    let created = world.call(&engine, "create_relations", json!({ "relations": relations }));
    assert_eq!(created, json!({ "relations": relations }));
    let engine = open(&world);
    assert_eq!(
        world.call(&engine, "read_graph", json!({})),
        json!({ "entities": entities, "relations": relations })
    );
    for name in names {
        let opened = world.call(&engine, "open_nodes", json!({ "names": [name] }));
        assert_eq!(opened["entities"], json!([entity(name, name, &[name])]));
        assert_eq!(world.call(&engine, "resolve", json!({ "name": name }))[0]["likeness"], "exact");
    }
    let text = world.call(&engine, "export_jsonl", json!({}));
    let before = read(&world, &engine);
    for (name, cure) in
        [(String::new(), "give it one"), ("n".repeat(513), "shorten"), ("n".repeat(100_000), "shorten")]
    {
        let error =
            world.fails(&engine, "create_entities", json!({ "entities": [entity(&name, "thing", &[])] }));
        assert!(error.code == Code::InvalidInput && error.message.contains(cure), "{error}");
    }
    let long = "o".repeat(16 * 1024 + 1);
    for (method, options) in [
        ("create_entities", json!({ "entities": [entity("x", &"t".repeat(513), &[])] })),
        ("create_entities", json!({ "entities": [entity("x", "t", &[&long])] })),
        ("create_entities", json!({ "entities": vec![entity("x", "t", &[]); 1001] })),
        ("create_entities", json!({ "entities": [{ "name": "x", "entityType": "t" }] })),
        ("create_entities", json!({})),
        ("create_entities", json!({ "entities": [], "entity": [] })),
        ("create_relations", json!({ "relations": [relation("a/b", "*", &"t".repeat(513))] })),
        ("add_observations", json!({ "observations": [{ "entityName": "*", "contents": [long] }] })),
        ("read_graph", json!({ "maxTokens": 0 })),
        ("read_graph", json!({ "query": "x" })),
        ("search_nodes", json!({})),
        ("open_nodes", json!({ "query": "x" })),
        ("list", json!({ "limit": 0 })),
        ("neighbours", json!({ "names": ["*"], "depth": 21 })),
        ("path", json!({ "from": "*", "to": "*", "maxDepth": 0 })),
        ("merge", json!({ "into": "*", "from": "a/b", "evidence": " " })),
        ("merge", json!({ "into": "*", "from": "*", "evidence": "x" })),
        ("nothing", json!({})),
    ] {
        let error = world.fails(&engine, method, options);
        assert_eq!(error.code, Code::InvalidInput, "{method}: {error}");
    }
    assert_eq!(read(&world, &engine), before);
    // What an item has beyond is left out, as the reference leaves it out.
    let mut more = entity("More", "thing", &[]);
    more["id"] = json!(7);
    assert_eq!(
        world.call(&engine, "create_entities", json!({ "entities": [more] }))["entities"],
        json!([entity("More", "thing", &[])])
    );
    world.call(&engine, "delete_entities", json!({ "entityNames": ["More"] }));
    assert_eq!(world.call(&engine, "export_jsonl", json!({})), text);
}

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

#[test]
fn names_are_resolved_with_evidence_and_merged_only_when_asked() {
    let world = World::of("graph.");
    let engine = open(&world);
    let entities = [
        entity("Kim Minsu", "person", &["lives in Seoul"]),
        entity("Mr. Kim", "person", &["lives in Seoul", "likes tea"]),
        entity("Mr. Lee", "person", &["knows Kim"]),
        entity("ACME corp", "organization", &[]),
        entity("\u{ae40}\u{bbfc}\u{c218}", "person", &[]),
    ];
    world.call(&engine, "create_entities", json!({ "entities": entities }));
    let relations = [
        relation("Mr. Kim", "ACME corp", "works_at"),
        relation("Kim Minsu", "ACME corp", "works_at"),
        relation("Mr. Lee", "Mr. Kim", "knows"),
        relation("Mr. Kim", "Kim Minsu", "resembles"),
        relation("Mr. Kim", "Mr. Kim", "trusts"),
    ];
    world.call(&engine, "create_relations", json!({ "relations": relations }));
    let resolved = |name: &str| -> Vec<(String, String)> {
        let answer = world.call(&engine, "resolve", json!({ "name": name }));
        let candidates = answer.as_array().unwrap().iter();
        candidates
            .map(|candidate| {
                assert!(!candidate["evidence"].as_str().unwrap().is_empty());
                let text = |value: &Value| value.as_str().unwrap().to_owned();
                (text(&candidate["entity"]["name"]), text(&candidate["likeness"]))
            })
            .collect()
    };
    let pairs = |expected: &[(&str, &str)]| -> Vec<(String, String)> {
        expected.iter().map(|(name, likeness)| ((*name).to_owned(), (*likeness).to_owned())).collect()
    };
    assert_eq!(resolved("Mr. Kim"), pairs(&[("Mr. Kim", "exact"), ("Kim Minsu", "part")]));
    assert_eq!(resolved("acme  Corp"), pairs(&[("ACME corp", "case")]));
    assert_eq!(resolved("Dr. Minsu Kim"), pairs(&[("Kim Minsu", "title"), ("Mr. Kim", "part")]));
    assert_eq!(
        resolved("\u{ae40}\u{bbfc}\u{c218} \u{c528}"),
        pairs(&[("\u{ae40}\u{bbfc}\u{c218}", "title")])
    );
    assert_eq!(resolved("\u{ae40}\u{bbfc}\u{c218}\u{b2d8}"), pairs(&[("\u{ae40}\u{bbfc}\u{c218}", "title")]));
    assert_eq!(resolved("Mr."), []);
    assert_eq!(resolved("Seoul"), []);
    let before = read(&world, &engine);
    let merge = json!({ "into": "Kim Minsu", "from": "Mr. Kim", "evidence": "the user said so" });
    let actions = world.call(&engine, "merge", merge.clone());
    let graph = world.call(&engine, "read_graph", json!({}));
    assert_eq!(graph["entities"][0], entity("Kim Minsu", "person", &["lives in Seoul", "likes tea"]));
    assert_eq!(
        graph["relations"],
        json!([
            relation("Kim Minsu", "ACME corp", "works_at"),
            relation("Mr. Lee", "Kim Minsu", "knows"),
            relation("Kim Minsu", "Kim Minsu", "trusts"),
        ])
    );
    assert_eq!(resolved("mr. kim"), pairs(&[("Kim Minsu", "alias")]));
    let item = world.call(&engine, "list", json!({ "limit": 1 }));
    assert_eq!(item[0]["aliases"], json!([{ "name": "Mr. Kim", "evidence": "the user said so" }]));
    assert_eq!(world.fails(&engine, "merge", merge).message, "Entity with name Mr. Kim not found");
    // All of it is one commit.
    let commits: Vec<&Value> = actions.as_array().unwrap().iter().map(|action| &action["commitId"]).collect();
    assert!(commits.iter().all(|commit| *commit == commits[0]));
    world.try_call(&engine, "undo", ALICE, json!({ "commitId": commits[0] })).unwrap();
    assert_eq!(read(&world, &engine), before);
    assert_eq!(read(&world, &open(&world)), before);
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

#[test]
fn a_file_of_tools_comes_in_and_goes_out_byte_by_byte() {
    let world = World::of("graph.");
    let engine = open(&world);
    let good = concat!(
        r#"{"type":"entity","name":"Alice","entityType":"person","observations":["said \"hi\"","line\nbreak\u0007"]}"#,
        "\n",
        r#"{"type":"entity","name":"Bob","entityType":"","observations":[]}"#,
        "\n",
        r#"{"type":"relation","from":"Alice","to":"Bob","relationType":"knows"}"#,
        "\n",
    );
    let imported = world.call(&engine, "import_jsonl", json!({ "text": good }));
    let commits = imported["commitIds"].clone();
    assert_eq!(imported, json!({ "entities": 2, "relations": 1, "skipped": [], "commitIds": commits }));
    assert_eq!(commits.as_array().unwrap().len(), 2);
    assert_eq!(world.call(&engine, "export_jsonl", json!({})), good);
    let imported = world.call(&engine, "import_jsonl", json!({ "text": good }));
    assert_eq!(imported, json!({ "entities": 0, "relations": 0, "skipped": [], "commitIds": [] }));
    // A relation may stand before its ends; bad lines are named, and nothing else is lost.
    let mixed = concat!(
        "\u{feff}",
        r#"{"type":"relation","from":"Zoe","to":"Bob","relationType":"knows"}"#,
        "\r\n",
        "\n",
        "nonsense\n",
        "[1]\n",
        r#"{"type":"_aim","source":"x"}"#,
        "\n",
        r#"{"type":"entity","name":"Carl","entityType":"person"}"#,
        "\n",
        r#"{"type":"entity","name":"","entityType":"person","observations":[]}"#,
        "\n",
        r#"{"type":"entity","name":"Bob","entityType":"robot","observations":[]}"#,
        "\n",
        r#"{"type":"relation","from":"Zoe","to":"Nobody","relationType":"knows"}"#,
        "\n",
        r#"{"observations":[],"name":"Zoe","entityType":"person","type":"entity","more":1}"#,
    );
    let imported = world.call(&engine, "import_jsonl", json!({ "text": mixed }));
    assert_eq!((&imported["entities"], &imported["relations"]), (&json!(1), &json!(1)));
    let skipped = imported["skipped"].as_array().unwrap();
    let lines: Vec<u64> = skipped.iter().map(|skipped| skipped["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [3, 4, 5, 6, 7, 8, 9], "{imported}");
    assert_eq!(skipped[6]["reason"], "Entity with name Nobody not found");
    assert!(skipped[3]["reason"].as_str().unwrap().contains("observations"), "{}", skipped[3]);
    // More than one commit holds.
    let long = "o".repeat(10_000);
    let many: String = (0..600)
        .map(|number| {
            let mut line = json!({ "type": "entity" });
            line["name"] = json!(format!("many {number}"));
            line["entityType"] = json!("thing");
            line["observations"] = json!([if number % 4 == 0 { long.as_str() } else { "short" }]);
            format!("{line}\n")
        })
        .collect();
    let imported = world.call(&engine, "import_jsonl", json!({ "text": many }));
    assert_eq!((&imported["entities"], &imported["skipped"]), (&json!(600), &json!([])));
    let empty = world.try_call(&engine, "graph.export_jsonl", BOB, json!({})).unwrap();
    assert_eq!(empty, "\n");
}

/// A graph as the nine operations describe it, and nothing else.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model {
    entities: Vec<(String, String, Vec<String>)>,
    relations: Vec<(String, String, String)>,
}

#[derive(Debug, Clone)]
enum Operation {
    CreateEntities(Vec<(String, String, Vec<String>)>),
    CreateRelations(Vec<(String, String, String)>),
    AddObservations(Vec<(String, Vec<String>)>),
    DeleteEntities(Vec<String>),
    DeleteObservations(Vec<(String, Vec<String>)>),
    DeleteRelations(Vec<(String, String, String)>),
    SearchNodes(String),
    OpenNodes(Vec<String>),
    Reopen,
}

impl Model {
    fn entity(&mut self, name: &str) -> Option<&mut (String, String, Vec<String>)> {
        self.entities.iter_mut().find(|(known, ..)| known == name)
    }

    /// What the graph shows of some entities.
    fn shown(&self, wanted: impl Fn(&(String, String, Vec<String>)) -> bool) -> Value {
        let entities: Vec<_> = self.entities.iter().filter(|item| wanted(item)).collect();
        let among = |name: &String| entities.iter().any(|(known, ..)| known == name);
        let relations: Vec<Value> = self
            .relations
            .iter()
            .filter(|(from, to, _)| among(from) || among(to))
            .map(|(from, to, relation_type)| relation(from, to, relation_type))
            .collect();
        let entities: Vec<Value> = entities
            .iter()
            .map(|(name, entity_type, observations)| {
                json!({ "name": name, "entityType": entity_type, "observations": observations })
            })
            .collect();
        json!({ "entities": entities, "relations": relations })
    }

    /// What an operation answers: its method, its options and the answer, or the message of the error.
    fn apply(&mut self, operation: &Operation) -> (&'static str, Value, Result<Value, String>) {
        let missing = |name: &str| Err(format!("Entity with name {name} not found"));
        let done = |message: String| Ok(json!({ "success": true, "message": message }));
        match operation {
            Operation::CreateEntities(new) => {
                let (mut created, mut skipped) = (Vec::new(), Vec::new());
                for (name, entity_type, given) in new {
                    let mut observations: Vec<String> = Vec::new();
                    for observation in given {
                        if !observations.contains(observation) {
                            observations.push(observation.clone());
                        }
                    }
                    if self.entity(name).is_some() {
                        skipped.push(name.clone());
                    } else {
                        self.entities.push((name.clone(), entity_type.clone(), observations.clone()));
                        created.push(
                            json!({ "name": name, "entityType": entity_type, "observations": observations }),
                        );
                    }
                }
                let entities: Vec<Value> = new
                    .iter()
                    .map(|(name, kind, known)| json!({ "name": name, "entityType": kind, "observations": known }))
                    .collect();
                let mut answer = json!({ "entities": created });
                if !skipped.is_empty() {
                    answer["skipped"] = json!(skipped);
                }
                ("create_entities", json!({ "entities": entities }), Ok(answer))
            }
            Operation::CreateRelations(new) => {
                let options: Vec<Value> =
                    new.iter().map(|(from, to, kind)| relation(from, to, kind)).collect();
                let options = json!({ "relations": options });
                let unknown =
                    new.iter().flat_map(|(from, to, _)| [from, to]).find(|name| self.entity(name).is_none());
                if let Some(name) = unknown {
                    return ("create_relations", options, missing(name));
                }
                let mut created = Vec::new();
                for item in new {
                    if !self.relations.contains(item) {
                        self.relations.push(item.clone());
                        created.push(relation(&item.0, &item.1, &item.2));
                    }
                }
                ("create_relations", options, Ok(json!({ "relations": created })))
            }
            Operation::AddObservations(new) => {
                let options: Vec<Value> = new
                    .iter()
                    .map(|(name, contents)| json!({ "entityName": name, "contents": contents }))
                    .collect();
                let options = json!({ "observations": options });
                if let Some((name, _)) = new.iter().find(|(name, _)| self.entity(name).is_none()) {
                    return ("add_observations", options, missing(name));
                }
                let mut results = Vec::new();
                for (name, contents) in new {
                    let known = &mut self.entity(name).unwrap().2;
                    let mut added: Vec<String> = Vec::new();
                    for text in contents {
                        if !known.contains(text) {
                            known.push(text.clone());
                            added.push(text.clone());
                        }
                    }
                    results.push(json!({ "entityName": name, "addedObservations": added }));
                }
                ("add_observations", options, Ok(json!({ "results": results })))
            }
            Operation::DeleteEntities(names) => {
                let (there, gone): (Vec<&String>, Vec<&String>) =
                    names.iter().partition(|name| self.entities.iter().any(|(known, ..)| known == *name));
                let message = if gone.is_empty() {
                    "Entities deleted successfully".to_owned()
                } else {
                    let gone: Vec<&str> = gone.iter().map(|name| name.as_str()).collect();
                    format!(
                        "Deleted {} of {} entities. Not found: {}",
                        there.len(),
                        names.len(),
                        gone.join(", ")
                    )
                };
                self.entities.retain(|(name, ..)| !names.contains(name));
                self.relations.retain(|(from, to, _)| !names.contains(from) && !names.contains(to));
                ("delete_entities", json!({ "entityNames": names }), done(message))
            }
            Operation::DeleteObservations(deletions) => {
                let (mut asked, mut lacking, mut gone, mut missing) = (0, 0, Vec::new(), Vec::new());
                for (name, observations) in deletions {
                    asked += observations.len();
                    match self.entity(name) {
                        Some((_, _, known)) => {
                            let lacks =
                                observations.iter().filter(|observation| !known.contains(observation));
                            missing.extend(lacks.map(|observation| format!("{observation} ({name})")));
                            known.retain(|observation| !observations.contains(observation));
                        }
                        None => {
                            gone.push(name.as_str());
                            lacking += observations.len();
                        }
                    }
                }
                lacking += missing.len();
                let mut message = format!("Deleted {} of {asked} observations", asked - lacking);
                if !gone.is_empty() {
                    message.push_str(&format!(". Entities not found: {}", gone.join(", ")));
                }
                if !missing.is_empty() {
                    message.push_str(&format!(". Not found: {}", missing.join(", ")));
                }
                if gone.is_empty() && missing.is_empty() {
                    message = "Observations deleted successfully".to_owned();
                }
                let options: Vec<Value> = deletions
                    .iter()
                    .map(|(name, known)| json!({ "entityName": name, "observations": known }))
                    .collect();
                ("delete_observations", json!({ "deletions": options }), done(message))
            }
            Operation::DeleteRelations(relations) => {
                let missing: Vec<String> = relations
                    .iter()
                    .filter(|item| !self.relations.contains(item))
                    .map(|(from, to, kind)| format!("{from} {kind} {to}"))
                    .collect();
                self.relations.retain(|item| !relations.contains(item));
                let message = if missing.is_empty() {
                    "Relations deleted successfully".to_owned()
                } else {
                    let deleted = relations.len() - missing.len();
                    format!(
                        "Deleted {deleted} of {} relations. Not found: {}",
                        relations.len(),
                        missing.join(", ")
                    )
                };
                let options: Vec<Value> =
                    relations.iter().map(|(from, to, kind)| relation(from, to, kind)).collect();
                ("delete_relations", json!({ "relations": options }), done(message))
            }
            Operation::SearchNodes(query) => {
                let folded = lowercase(query);
                let shown = self.shown(|(name, entity_type, observations)| {
                    let mut texts = [name, entity_type].into_iter().chain(observations);
                    texts.any(|text| lowercase(text).contains(&folded))
                });
                ("search_nodes", json!({ "query": query }), Ok(shown))
            }
            Operation::OpenNodes(names) => {
                let shown = self.shown(|(name, ..)| names.contains(name));
                ("open_nodes", json!({ "names": names }), Ok(shown))
            }
            Operation::Reopen => ("read_graph", json!({}), Ok(self.shown(|_| true))),
        }
    }
}

fn operation() -> impl Strategy<Value = Operation> {
    let name = || "[abAB]{1,2}|\u{130}\n?";
    let text = || "[abAB \n\u{c9}\u{e9}]{0,4}";
    let texts = move || prop::collection::vec(text(), 0..4);
    let triple = move || (name(), name(), "[kr/]{0,1}");
    prop_oneof![
        4 => prop::collection::vec((name(), text(), texts()), 0..4).prop_map(Operation::CreateEntities),
        4 => prop::collection::vec(triple(), 0..3).prop_map(Operation::CreateRelations),
        3 => prop::collection::vec((name(), texts()), 0..3).prop_map(Operation::AddObservations),
        1 => prop::collection::vec(name(), 0..3).prop_map(Operation::DeleteEntities),
        2 => prop::collection::vec((name(), texts()), 0..3).prop_map(Operation::DeleteObservations),
        2 => prop::collection::vec(triple(), 0..3).prop_map(Operation::DeleteRelations),
        3 => text().prop_map(Operation::SearchNodes),
        3 => prop::collection::vec(name(), 0..4).prop_map(Operation::OpenNodes),
        2 => Just(Operation::Reopen),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn the_nine_operations_do_what_a_plain_model_does(operations in prop::collection::vec(operation(), 0..40)) {
        let (world, mut model) = (World::of("graph."), Model::default());
        let mut engine = open(&world);
        for operation in operations {
            if matches!(operation, Operation::Reopen) {
                engine = open(&world);
            }
            let (method, options, expected) = model.apply(&operation);
            let answer = world.try_call(&engine, &format!("graph.{method}"), ALICE, options);
            // As text, since the order of keys counts.
            let answer = answer.map(|answer| answer.to_string()).map_err(String::from);
            prop_assert_eq!(answer, expected.map(|expected| expected.to_string()), "{:?}", operation);
        }
        prop_assert_eq!(read(&world, &engine), model.shown(|_| true).to_string());
        prop_assert_eq!(read(&world, &open(&world)), model.shown(|_| true).to_string());
        // What goes out comes in again, byte by byte.
        let text = world.call(&engine, "export_jsonl", json!({}));
        let imported = world.try_call(&engine, "graph.import_jsonl", BOB, json!({ "text": text })).unwrap();
        prop_assert_eq!(&imported["skipped"], &json!([]));
        let copied = world.try_call(&engine, "graph.export_jsonl", BOB, json!({})).unwrap();
        prop_assert_eq!(copied, text);
    }

    #[test]
    fn walks_reach_what_a_plain_walk_reaches(
        edges in prop::collection::vec((0..8_usize, 0..8_usize, 0..2_usize), 0..16),
        start in 0..8_usize,
        end in 0..8_usize,
        depth in 1..5_usize,
        only in prop::option::of(0..2_usize),
    ) {
        let world = World::of("graph.");
        let engine = open(&world);
        let name = |number: usize| format!("n{number}");
        let entities: Vec<Value> = (0..8).map(|number| entity(&name(number), "node", &[])).collect();
        world.call(&engine, "create_entities", json!({ "entities": entities }));
        let relations: Vec<Value> =
            edges.iter().map(|(from, to, kind)| relation(&name(*from), &name(*to), &format!("r{kind}"))).collect();
        world.call(&engine, "create_relations", json!({ "relations": relations }));
        // Distances, by relaxing every edge as often as there are nodes.
        let distances = |start: usize, only: Option<usize>| {
            let mut distances = [usize::MAX; 8];
            distances[start] = 0;
            for _ in 0..8 {
                for (from, to, kind) in &edges {
                    if only.is_none_or(|only| only == *kind) {
                        distances[*to] = distances[*to].min(distances[*from].saturating_add(1));
                        distances[*from] = distances[*from].min(distances[*to].saturating_add(1));
                    }
                }
            }
            distances
        };
        let mut options = json!({ "names": [name(start)], "depth": depth });
        if let Some(kind) = only {
            options["relationTypes"] = json!([format!("r{kind}")]);
        }
        let found = world.call(&engine, "neighbours", options);
        let away = distances(start, only);
        let reached: BTreeMap<String, u64> = found["entities"]
            .as_array().unwrap().iter()
            .map(|item| (item["name"].as_str().unwrap().to_owned(), item["depth"].as_u64().unwrap()))
            .collect();
        let near = (0..8).filter(|node| away[*node] <= depth);
        let expected: BTreeMap<String, u64> = near.map(|node| (name(node), away[node] as u64)).collect();
        prop_assert_eq!(reached, expected);
        let walked: BTreeSet<String> = found["relations"]
            .as_array().unwrap().iter()
            .map(|item| format!("{} {} {}", item["from"], item["to"], item["relationType"]))
            .collect();
        let expected: BTreeSet<String> = edges
            .iter()
            .filter(|(from, to, kind)| {
                only.is_none_or(|only| only == *kind) && away[*from].min(away[*to]) < depth
            })
            .map(|(from, to, kind)| {
                let item = relation(&name(*from), &name(*to), &format!("r{kind}"));
                format!("{} {} {}", item["from"], item["to"], item["relationType"])
            })
            .collect();
        prop_assert_eq!(walked, expected);
        let path = world.call(
            &engine, "path", json!({ "from": name(start), "to": name(end), "maxDepth": depth }),
        );
        let distance = distances(start, None)[end];
        if distance > depth {
            prop_assert_eq!(path, Value::Null);
        } else {
            let (nodes, steps) = (path["entities"].as_array().unwrap(), path["relations"].as_array().unwrap());
            prop_assert_eq!((nodes.len(), steps.len()), (distance + 1, distance));
            prop_assert_eq!(&nodes[0]["name"], &json!(name(start)));
            prop_assert_eq!(&nodes[distance]["name"], &json!(name(end)));
            for (step, ends) in steps.iter().zip(nodes.windows(2)) {
                let ends = [&ends[0]["name"], &ends[1]["name"]];
                prop_assert!(ends == [&step["from"], &step["to"]] || ends == [&step["to"], &step["from"]]);
            }
        }
    }
}

#[test]
fn an_entity_is_renamed_and_its_relations_follow() {
    let world = World::of("graph.");
    let engine = open(&world);
    let entities = json!([
        entity("Acme", "company", &["makes tea"]),
        entity("Alice", "person", &[]),
        entity("Bob", "person", &[])
    ]);
    world.call(&engine, "create_entities", json!({ "entities": entities }));
    let relations = json!([
        relation("Alice", "Acme", "works_at"),
        relation("Acme", "Acme", "owns"),
        relation("Alice", "Bob", "knows")
    ]);
    world.call(&engine, "create_relations", json!({ "relations": relations }));
    let bob = json!([relation("Bob", "Acme", "worked_at")]);
    world.call(&engine, "create_relations", json!({ "relations": bob }));
    world.call(&engine, "end_relations", json!({ "relations": bob }));
    let before = (read(&world, &engine), world.call(&engine, "export_jsonl", json!({})));

    let update = json!({ "name": "Acme", "newName": "Acme Corp", "entityType": "firm" });
    let actions = world.call(&engine, "update", update.clone());
    let kinds: Vec<_> =
        actions.as_array().unwrap().iter().map(|action| action["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["entity", "relation", "relation", "relation"]);
    let acme = world.call(&engine, "open_nodes", json!({ "names": ["Acme Corp"] }));
    assert_eq!(acme["entities"][0], entity("Acme Corp", "firm", &["makes tea"]));
    assert_eq!(
        acme["relations"],
        json!([relation("Alice", "Acme Corp", "works_at"), relation("Acme Corp", "Acme Corp", "owns")])
    );
    let all = world.call(&engine, "relations", json!({ "to": "Acme Corp", "includeEnded": true }));
    assert_eq!(all.as_array().unwrap().len(), 3, "what has ended is led along");
    let found = world.call(&engine, "search", json!({ "query": "Acme" }));
    assert_eq!(found[0]["aliases"], json!([{ "name": "Acme", "evidence": "renamed" }]));
    assert_eq!(world.call(&engine, "resolve", json!({ "name": "Acme" }))[0]["entity"]["name"], "Acme Corp");
    assert_eq!(world.fails(&engine, "update", update).message, "Entity with name Acme not found");

    // Back by hand: the name is no alias of itself. Nothing to change is nothing written.
    world.call(&engine, "update", json!({ "name": "Acme Corp", "newName": "Acme" }));
    let listed = world.call(&engine, "list", json!({}));
    assert_eq!(listed[0]["aliases"], json!([{ "name": "Acme Corp", "evidence": "renamed" }]));
    for nothing in
        [json!({ "name": "Acme" }), json!({ "name": "Acme", "newName": "Acme", "entityType": "firm" })]
    {
        assert_eq!(world.call(&engine, "update", nothing), json!([]));
    }
    for (wrong, told) in [
        (json!({ "name": "Acme", "newName": "Bob" }), "graph.merge"),
        (json!({ "name": "Acme", "newName": "" }), "empty"),
        (json!({ "name": "Acme", "newName": "x".repeat(513) }), "513"),
        (json!({ "name": "Acme", "entityType": "x".repeat(513) }), "513"),
        (json!({ "name": "Acme", "newname": "x" }), "newName"),
        (json!({ "name": 5 }), "name is not a text"),
        (json!({}), "empty"),
    ] {
        let error = world.fails(&engine, "update", wrong);
        assert!(error.code == Code::InvalidInput && error.message.contains(told), "{error}");
    }
    let again = json!({ "name": "Acme", "newName": "Acme Inc" });
    let renamed = world.call(&engine, "update", again)[0]["commitId"].clone();
    world.call(&engine, "create_entities", json!({ "entities": [entity("Acme", "new", &[])] }));
    let undo = |commit: &Value| world.try_call(&engine, "undo", ALICE, json!({ "commitId": commit }));
    assert_eq!(undo(&renamed).unwrap_err().code, Code::Conflict, "the name belongs to another by now");
    world.call(&engine, "delete_entities", json!({ "entityNames": ["Acme"] }));
    undo(&renamed).unwrap();
    let history =
        world.try_call(&engine, "history", ALICE, json!({ "id": id(&world, &engine, "Acme") })).unwrap();
    undo(&history[2]["commitId"]).unwrap();
    undo(&history[1]["commitId"]).unwrap();
    assert_eq!((read(&world, &engine), world.call(&engine, "export_jsonl", json!({}))), before);
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
