//! Names: hostile ones, alike ones, and new ones.

use super::{entity, id, open, read, relation};
use crate::support::world::{ALICE, World};
use mnemic::Code;
use serde_json::{Value, json};

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
        (json!({ "name": 5 }), "name is 5; pass a string"),
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
