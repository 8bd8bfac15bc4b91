//! Documents as an application keeps them: by name, with JSON, on a machine of its own.

use crate::support::platform::yield_now;
use crate::support::storage::{TestStorage, Write};
use crate::support::world::{ALICE, BOB, START, World};
use mnemic::engine::{Engine, Options, Parts};
use mnemic::ports::Storage;
use mnemic::storage::MemoryStorage;
use mnemic::{Code, Result};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::rc::Rc;

const MINUTE: i64 = 60_000;

fn open(world: &World) -> Engine {
    world.open(None, &json!({}))
}

fn open_on(world: &World, storage: Rc<dyn Storage>, documents: &Value) -> Result<Engine> {
    world.open_on(storage, &json!({ "documents": documents }))
}

fn put(world: &World, engine: &Engine, namespace: &[&str], key: &str, value: Value) -> Value {
    world.call(engine, "put", json!({ "namespace": namespace, "key": key, "value": value }))
}

fn get(world: &World, engine: &Engine, namespace: &[&str], key: &str) -> Value {
    world.call(engine, "get", json!({ "namespace": namespace, "key": key }))
}

fn found(world: &World, engine: &Engine, options: Value) -> Vec<String> {
    keys(&world.call(engine, "search", options))
}

fn records(world: &World, engine: &Engine) -> u64 {
    world.call(engine, "usage", json!({}))["records"].as_u64().unwrap()
}

fn keys(hits: &Value) -> Vec<String> {
    hits.as_array().unwrap().iter().map(|hit| hit["key"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_document_comes_back_as_it_was_put_also_after_reopening() {
    let world = World::of("documents.");
    let engine = open(&world);
    let value =
        json!({ "z": 1, "a": { "list": [1.5, null, "\u{1F600}", false] }, "": "", "__proto__": { "x": 1 } });
    let action = put(&world, &engine, &["notes", "work"], "first", value.clone());
    assert_eq!(
        (&action["action"], &action["kind"], &action["revision"]),
        (&json!("created"), &json!("document"), &json!(1))
    );
    let document = get(&world, &engine, &["notes", "work"], "first");
    let expected = json!({
        "id": action["id"], "namespace": ["notes", "work"], "key": "first", "value": value,
        "createdAt": START, "updatedAt": START,
    });
    assert_eq!(document.to_string(), expected.to_string());
    world.machine.pass(1000);
    assert_eq!(put(&world, &engine, &["notes", "work"], "first", value)["action"], json!("unchanged"));
    let changed = put(&world, &engine, &["notes", "work"], "first", json!({ "b": 2 }));
    assert_eq!((&changed["action"], &changed["previousRevision"]), (&json!("updated"), &json!(1)));
    let engine = open(&world);
    let document = get(&world, &engine, &["notes", "work"], "first");
    assert_eq!(document["value"], json!({ "b": 2 }));
    assert_eq!((&document["createdAt"], &document["updatedAt"]), (&json!(START), &json!(START + 1000)));
    let address = json!({ "namespace": ["notes", "work"], "key": "first" });
    assert_eq!(world.call(&engine, "delete", address.clone())["action"], json!("deleted"));
    assert_eq!(world.call(&engine, "delete", address.clone()), Value::Null);
    assert_eq!(world.call(&engine, "get", address), Value::Null);
}

#[test]
fn scopes_do_not_see_each_other() {
    let world = World::of("documents.");
    let engine = open(&world);
    put(&world, &engine, &["a"], "k", json!({ "secret": "alpha" }));
    let of_bob =
        |method, options| world.try_call(&engine, &format!("documents.{method}"), BOB, options).unwrap();
    assert_eq!(of_bob("get", json!({ "namespace": ["a"], "key": "k" })), Value::Null);
    assert_eq!(of_bob("search", json!({ "query": "alpha" })), json!([]));
    assert_eq!(of_bob("search", json!({})), json!([]));
    assert_eq!(of_bob("listNamespaces", json!({})), json!([]));
    assert_eq!(of_bob("delete", json!({ "namespace": ["a"], "key": "k" })), Value::Null);
    assert_eq!(get(&world, &engine, &["a"], "k")["value"], json!({ "secret": "alpha" }));
}

#[test]
fn a_prefix_takes_whole_labels() {
    let world = World::of("documents.");
    let engine = open(&world);
    for namespace in
        [&["tenant", "acme"][..], &["tenant", "acme-corp"], &["tenant", "acme", "x"], &["tenant"]]
    {
        put(&world, &engine, namespace, &namespace.join("/"), json!({ "note": "shared words" }));
    }
    // Keys and labels that would collide in a careless encoding.
    put(&world, &engine, &["tenant"], "acme..k", json!({ "note": "shared words" }));
    put(&world, &engine, &["tenant"], ".acme.k", json!({ "note": "shared words" }));
    let acme = json!({ "prefix": ["tenant", "acme"] });
    assert_eq!(found(&world, &engine, acme), ["tenant/acme", "tenant/acme/x"]);
    let mut ranked = found(&world, &engine, json!({ "prefix": ["tenant", "acme"], "query": "shared" }));
    ranked.sort();
    assert_eq!(ranked, ["tenant/acme", "tenant/acme/x"]);
    assert_eq!(found(&world, &engine, json!({})).len(), 6);
    assert_eq!(get(&world, &engine, &["tenant"], "acme..k")["namespace"], json!(["tenant"]));
}

#[test]
fn hostile_labels_and_keys_are_only_names() {
    let world = World::of("documents.");
    let engine = open(&world);
    let names = [
        "*",
        " ",
        "\0",
        "\n",
        "/",
        "\\",
        "__proto__",
        "constructor",
        "\u{202e}",
        "\u{1F600}",
        "a\u{0301}",
        "$",
        "[]",
    ];
    for name in names {
        for key in [name, ".", "..", "a.b"] {
            put(&world, &engine, &["root", name], key, json!({ "name": name, "key": key }));
        }
    }
    let engine = open(&world);
    for name in names {
        for key in [name, ".", "..", "a.b"] {
            assert_eq!(
                get(&world, &engine, &["root", name], key)["value"],
                json!({ "name": name, "key": key })
            );
        }
        assert_eq!(found(&world, &engine, json!({ "prefix": ["root", name] })).len(), 4, "{name:?}");
    }
    assert_eq!(world.call(&engine, "listNamespaces", json!({})).as_array().unwrap().len(), names.len());
}

#[test]
fn namespaces_are_checked_in_every_operation() {
    let world = World::of("documents.");
    let engine = open(&world);
    for (namespace, expected) in [
        (json!([]), "the namespace is empty"),
        (json!(["a.b"]), "labels hold no full stop"),
        (json!(["a", ""]), "is empty"),
        (json!(["langgraph", "a"]), "reserved"),
        (json!(["a", 1]), "[1] is 1; pass a text"),
        (json!("a"), "pass a list of texts"),
    ] {
        let is_empty = namespace == json!([]);
        let mut asked = vec![
            ("put", json!({ "namespace": namespace, "key": "k", "value": {} })),
            ("get", json!({ "namespace": namespace, "key": "k" })),
            ("delete", json!({ "namespace": namespace, "key": "k" })),
            (
                "batch",
                json!({ "operations": [
                { "op": "put", "namespace": ["ok"], "key": "k", "value": {} },
                { "op": "put", "namespace": namespace, "key": "k", "value": {} },
            ] }),
            ),
        ];
        if !is_empty {
            asked.push(("search", json!({ "prefix": namespace })));
            asked.push(("listNamespaces", json!({ "prefix": namespace })));
        }
        for (method, options) in asked {
            let error = world.try_call(&engine, &format!("documents.{method}"), ALICE, options).unwrap_err();
            assert_eq!(error.code, Code::InvalidInput, "{method} {namespace}");
            assert!(error.message.contains(expected), "{method} {namespace}: {}", error.message);
        }
    }
    assert!(
        world.try_call(&engine, "documents.listNamespaces", ALICE, json!({ "suffix": ["a.b"] })).is_err()
    );
    // A suffix has no root.
    assert_eq!(world.call(&engine, "listNamespaces", json!({ "suffix": ["langgraph"] })), json!([]));
    assert_eq!(records(&world, &engine), 0, "a refused batch kept something");
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let world = World::of("documents.");
    let engine = open(&world);
    let long = "x".repeat(1024);
    let huge = "x".repeat(400 * 1024);
    for (method, options, expected) in [
        ("put", json!({ "namespace": ["a"], "key": "", "value": {} }), "the key is empty"),
        ("put", json!({ "namespace": ["a"], "key": long, "value": {} }), "over the limit of 1024"),
        (
            "put",
            json!({ "namespace": ["a"], "key": "k", "value": { "v": huge } }),
            "over the limit of 409600",
        ),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": null }), "call delete"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": [1] }), "a list"),
        ("put", json!({ "namespace": ["a"], "key": "k" }), "value"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "index": ["a["] }), "index path"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "index": true }), "or false for none"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "ttlMinutes": 0 }), "ttlMinutes"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "ttlMinutes": -1 }), "ttlMinutes"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "ttlMinutes": 1e300 }), "ttlMinutes"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "ttl": 1 }), "ttl"),
        ("delete", json!({ "namespace": ["a"], "key": "k", "refreshTtl": true }), "refreshTtl"),
        ("search", json!({ "limit": 0 }), "limit goes from 1 to 1000"),
        ("search", json!({ "query": " " }), "query is empty"),
        ("listNamespaces", json!({ "maxDepth": 0 }), "maxDepth"),
        ("put", json!({ "op": "get", "namespace": ["a"], "key": "k" }), "op is not an option here"),
        ("batch", json!({}), "operations is null; pass a list"),
        (
            "batch",
            json!({ "operations": [{ "op": "listNamespaces" }, { "op": "upsert" }] }),
            "operations[1].op is",
        ),
        ("batch", json!({ "operations": [{ "namespace": ["a"], "key": "k" }] }), "op is missing"),
        ("batch", json!({ "operations": [{ "op": "get", "namespace": ["a"] }] }), "key is missing"),
    ] {
        let error = world.try_call(&engine, &format!("documents.{method}"), ALICE, options).unwrap_err();
        assert_eq!(error.code, Code::InvalidInput, "{}", error.message);
        assert!(error.message.contains(expected), "{method}: {}", error.message);
    }
    let many = vec![json!({ "op": "listNamespaces" }); 1001];
    let error = world.try_call(&engine, "documents.batch", ALICE, json!({ "operations": many })).unwrap_err();
    assert!(error.message.contains("over the limit of 1000"), "{}", error.message);
    for filter in [json!({ "a": { "$near": 1 } }), json!({ "a": {} }), json!([])] {
        let error =
            world.try_call(&engine, "documents.search", ALICE, json!({ "filter": filter })).unwrap_err();
        assert_eq!(error.code, Code::InvalidFilter);
    }
    assert_eq!(records(&world, &engine), 0);
    for bad in [json!({ "index": ["a["] }), json!({ "ttlMinutes": 0 }), json!({ "other": 1 })] {
        assert!(open_on(&world, Rc::new(MemoryStorage::default()), &bad).is_err(), "{bad}");
    }
}

#[test]
fn the_largest_document_and_the_longest_name_fit() {
    let world = World::of("documents.");
    let engine = open(&world);
    let key = "k".repeat(1024 - 3);
    let value = json!({ "v": "words ".repeat(409_590 / 6) });
    put(&world, &engine, &["a"], &key, value.clone());
    let engine = open(&world);
    assert_eq!(get(&world, &engine, &["a"], &key)["value"], value);
    assert_eq!(found(&world, &engine, json!({ "query": "words" })), [key]);
    // Three of them are more than one stored value holds, and still one commit.
    let operations: Vec<Value> = (0..3)
        .map(|n| json!({ "op": "put", "namespace": ["b"], "key": n.to_string(), "value": value }))
        .collect();
    world.call(&engine, "batch", json!({ "operations": operations }));
    let engine = open(&world);
    assert_eq!(found(&world, &engine, json!({ "prefix": ["b"] })), ["0", "1", "2"]);
}

#[test]
fn filters_look_into_the_value() {
    let world = World::of("documents.");
    let engine = open(&world);
    for (key, value) in [
        ("old", json!({ "at": "2025-12-31", "n": 1, "tags": ["a"], "deep": { "x": { "y": "z" } } })),
        ("new", json!({ "at": "2026-01-01T09:00:00Z", "n": 2, "tags": ["a", "b"], "key": "own" })),
        ("late", json!({ "at": 1_790_000_000_000_i64, "n": 3.5, "extra": {} })),
    ] {
        put(&world, &engine, &["a"], key, value);
    }
    for (filter, expected) in [
        (json!({ "n": 2 }), &["new"][..]),
        (json!({ "n": { "$gte": 2 } }), &["new", "late"]),
        // Dates compare as dates, whatever they are written as.
        (json!({ "at": { "$gt": "2026-01-01" } }), &["new", "late"]),
        (json!({ "at": { "$lt": "2026-01-01T00:00:00+00:00" } }), &["old"]),
        (json!({ "deep.x.y": "z" }), &["old"]),
        (json!({ "deep": { "x": { "y": "z" } } }), &["old"]),
        (json!({ "tags": "b" }), &["new"]),
        (json!({ "tags.0": "a" }), &["old", "new"]),
        (json!({ "tags": { "$in": ["b", "c"] } }), &["new"]),
        (json!({ "n": { "$nin": [1, 2] } }), &["late"]),
        (json!({ "extra": { "$exists": true } }), &["late"]),
        (json!({ "$or": [{ "n": 1 }, { "n": { "$gt": 3 } }] }), &["old", "late"]),
        (json!({ "$and": [{ "n": { "$gt": 1 } }, { "$not": { "tags": "a" } }] }), &["late"]),
        // It is the value that is looked at, not what is around it.
        (json!({ "key": "own" }), &["new"]),
        (json!({ "namespace": { "$exists": true } }), &[]),
    ] {
        assert_eq!(found(&world, &engine, json!({ "filter": filter })), expected, "{filter}");
    }
}

#[test]
fn without_a_query_documents_come_in_the_order_of_their_first_put() {
    let world = World::of("documents.");
    let engine = open(&world);
    for key in ["c", "a", "b", "d"] {
        put(&world, &engine, &["n"], key, json!({ "v": 1 }));
    }
    put(&world, &engine, &["n"], "c", json!({ "v": 2 }));
    world.call(&engine, "delete", json!({ "namespace": ["n"], "key": "a" }));
    put(&world, &engine, &["n"], "a", json!({ "v": 2 }));
    let order = ["c", "b", "d", "a"];
    assert_eq!(found(&world, &engine, json!({})), order);
    let engine = open(&world);
    assert_eq!(found(&world, &engine, json!({})), order);
    let pages: Vec<String> =
        (0..3).flat_map(|page| found(&world, &engine, json!({ "limit": 2, "offset": 2 * page }))).collect();
    assert_eq!(pages, order);
    let first = &world.call(&engine, "search", json!({ "limit": 1 }))[0];
    assert!(first.get("score").is_none() && first.get("terms").is_none());
}

#[test]
fn a_query_ranks_and_what_is_not_indexed_follows_without_a_score() {
    let world = World::of("documents.");
    let engine = open(&world);
    put(&world, &engine, &["n"], "dull", json!({ "text": "the weather was grey" }));
    world.call(
        &engine,
        "put",
        json!({ "namespace": ["n"], "key": "hidden", "value": { "text": "pizza" }, "index": false }),
    );
    put(
        &world,
        &engine,
        &["n"],
        "other",
        json!({ "text": "pizza and some wine on a very long evening with friends" }),
    );
    put(&world, &engine, &["n"], "best", json!({ "text": "pizza" }));
    let hits = world.call(&engine, "search", json!({ "query": "pizza" }));
    assert_eq!(keys(&hits), ["best", "other", "hidden"]);
    assert!(hits[0]["score"].as_f64().unwrap() > hits[1]["score"].as_f64().unwrap());
    assert!(hits[0]["terms"]["words"].is_number());
    assert!(hits[2].get("score").is_none());
    assert_eq!(found(&world, &engine, json!({ "query": "pizza", "limit": 1, "offset": 1 })), ["other"]);
    assert_eq!(found(&world, &engine, json!({ "query": "pizza", "limit": 5, "offset": 2 })), ["hidden"]);
    assert_eq!(
        found(&world, &engine, json!({ "query": "pizza", "filter": { "text": "pizza" } })),
        ["best", "hidden"]
    );
}

#[test]
fn chosen_fields_are_searched_and_no_others() {
    let world = World::of("documents.");
    let documents = json!({ "index": ["title", "tags[*].name"] });
    let engine = open_on(&world, Rc::new(world.storage.clone()), &documents).unwrap();
    let value =
        json!({ "title": "violin", "body": "trombone", "tags": [{ "name": "oboe" }, { "name": "cello" }] });
    put(&world, &engine, &["n"], "k", value.clone());
    let is_found = |engine: &Engine, query: &str| {
        let hits = world.call(engine, "search", json!({ "query": query }));
        hits[0].get("score").is_some()
    };
    assert!(is_found(&engine, "violin") && is_found(&engine, "oboe") && is_found(&engine, "cello"));
    assert!(!is_found(&engine, "trombone"));
    let put = |index: Value| {
        world.call(&engine, "put", json!({ "namespace": ["n"], "key": "k", "value": value, "index": index }))
    };
    // The same value under another index is a change.
    assert_eq!(put(json!(["body"]))["action"], json!("updated"));
    assert!(is_found(&engine, "trombone") && !is_found(&engine, "violin"));
    // No stale words or vectors stay behind.
    assert_eq!(put(json!(false))["action"], json!("updated"));
    for engine in [&engine, &open(&world)] {
        for query in ["trombone", "violin", "oboe"] {
            let hits = world.call(engine, "search", json!({ "query": query }));
            assert_eq!(keys(&hits), ["k"]);
            assert!(hits[0].get("score").is_none(), "{query}");
        }
    }
}

#[test]
fn namespaces_are_listed_while_they_hold_something() {
    let world = World::of("documents.");
    let engine = open(&world);
    for namespace in
        [&["b", "x", "1"][..], &["a"], &["a", "x"], &["a!", "x"], &["b", "y", "1"], &["b", "y", "2"]]
    {
        put(&world, &engine, namespace, "k", json!({}));
        put(&world, &engine, namespace, "l", json!({}));
    }
    let list = |options: Value| world.call(&engine, "listNamespaces", options);
    assert_eq!(
        list(json!({})),
        json!([["a"], ["a", "x"], ["a!", "x"], ["b", "x", "1"], ["b", "y", "1"], ["b", "y", "2"]])
    );
    assert_eq!(list(json!({ "prefix": ["a"] })), json!([["a"], ["a", "x"]]));
    assert_eq!(list(json!({ "prefix": ["b", "*", "1"] })), json!([["b", "x", "1"], ["b", "y", "1"]]));
    assert_eq!(list(json!({ "suffix": ["x"] })), json!([["a", "x"], ["a!", "x"]]));
    assert_eq!(list(json!({ "suffix": ["*", "1"], "prefix": ["b", "y"] })), json!([["b", "y", "1"]]));
    assert_eq!(list(json!({ "prefix": ["a", "x", "*"] })), json!([]));
    assert_eq!(list(json!({ "maxDepth": 2, "prefix": ["b"] })), json!([["b", "x"], ["b", "y"]]));
    assert_eq!(list(json!({ "limit": 2, "offset": 1 })), json!([["a", "x"], ["a!", "x"]]));
    for key in ["k", "l"] {
        world.call(&engine, "delete", json!({ "namespace": ["b", "y", "2"], "key": key }));
    }
    assert_eq!(list(json!({ "prefix": ["b", "y"] })), json!([["b", "y", "1"]]));
}

#[test]
fn a_batch_is_one_commit_and_each_operation_sees_the_earlier_ones() {
    let world = World::of("documents.");
    let engine = open(&world);
    put(&world, &engine, &["n"], "old", json!({ "v": "mango" }));
    let answers = world.call(
        &engine,
        "batch",
        json!({ "operations": [
        { "op": "get", "namespace": ["n"], "key": "new" },
        { "op": "put", "namespace": ["n"], "key": "new", "value": { "v": 1 } },
        { "op": "get", "namespace": ["n"], "key": "new" },
        { "op": "put", "namespace": ["n"], "key": "new", "value": { "v": 2 } },
        { "op": "search", "prefix": ["n"] },
        { "op": "put", "namespace": ["m"], "key": "k", "value": {} },
        { "op": "listNamespaces" },
        { "op": "delete", "namespace": ["n"], "key": "old" },
        { "op": "search", "prefix": ["n"], "query": "mango" },
        { "op": "delete", "namespace": ["n"], "key": "nothing" },
        { "op": "put", "namespace": ["n"], "key": "short", "value": {} },
        { "op": "delete", "namespace": ["n"], "key": "short" },
        { "op": "get", "namespace": ["n"], "key": "short" },
        { "op": "listNamespaces", "prefix": ["m"] },
    ] }),
    );
    assert_eq!(answers[0], Value::Null);
    assert_eq!(answers[2]["value"], json!({ "v": 1 }));
    assert_eq!(keys(&answers[4]), ["old", "new"]);
    assert_eq!(answers[4][1]["value"], json!({ "v": 2 }));
    assert_eq!(answers[6], json!([["m"], ["n"]]));
    // What the batch wrote is not indexed yet; what it deleted is gone.
    assert_eq!(keys(&answers[8]), ["new"]);
    assert!(answers[8][0].get("score").is_none());
    assert_eq!(answers[13], json!([["m"]]));
    // Two puts of one key: the last one wins, and both are told what became of it.
    assert_eq!(answers[1], answers[3]);
    assert_eq!((&answers[1]["action"], &answers[1]["revision"]), (&json!("created"), &json!(1)));
    assert_eq!(answers[7]["action"], json!("deleted"));
    let commits: Vec<&Value> = [1, 3, 5, 7].map(|at| &answers[at]["commitId"]).to_vec();
    assert!(commits.iter().all(|commit| commit.is_string() && *commit == commits[0]), "one commit");
    for nothing in [9, 10, 11, 12] {
        assert_eq!(answers[nothing], Value::Null, "{nothing}");
    }
    assert_eq!(get(&world, &engine, &["n"], "new")["value"], json!({ "v": 2 }));
    assert_eq!(world.call(&engine, "batch", json!({ "operations": [] })), json!([]));
}

#[test]
fn a_batch_fails_as_a_whole() {
    let world = World::of("documents.");
    let storage = Rc::new(TestStorage::on(&world.storage));
    let engine = open_on(&world, storage.clone(), &json!({})).unwrap();
    put(&world, &engine, &["n"], "old", json!({ "v": 1 }));
    let operations = json!({ "operations": [
        { "op": "put", "namespace": ["n"], "key": "new", "value": {} },
        { "op": "delete", "namespace": ["n"], "key": "old" },
    ] });
    for fate in [Write::Fails(Code::QuotaExceeded), Write::Fails(Code::Storage), Write::Tears(1)] {
        storage.plan([fate]);
        assert!(world.try_call(&engine, "documents.batch", ALICE, operations.clone()).is_err());
        for engine in [&engine, &open(&world)] {
            assert_eq!(found(&world, engine, json!({})), ["old"], "{fate:?}");
        }
    }
    // Another engine was faster: it is tried again, on what is there by then.
    storage.plan([Write::Fails(Code::Conflict)]);
    world.call(&engine, "batch", operations);
    assert_eq!(found(&world, &engine, json!({})), ["new"]);
}

#[test]
fn a_document_lives_as_long_as_it_was_given_and_reading_lets_it_live_on() {
    let world = World::of("documents.");
    let storage = Rc::new(TestStorage::on(&world.storage));
    let engine = open_on(&world, storage.clone(), &json!({ "ttlMinutes": 10 })).unwrap();
    let live = |key: &str, ttl: Value| {
        let mut put = json!({ "namespace": ["n"], "key": key, "value": { "word": "quince" } });
        if !ttl.is_null() {
            put["ttlMinutes"] = ttl;
        }
        world.call(&engine, "put", put);
    };
    live("default", Value::Null);
    live("short", json!(0.5));
    live("ever", json!(false));
    let end = |key: &str, refresh: bool| {
        let get = json!({ "namespace": ["n"], "key": key, "refreshTtl": refresh });
        world.call(&engine, "get", get)["expiresAt"].as_i64()
    };
    assert_eq!(end("default", false), Some(START + 10 * MINUTE));
    assert_eq!(end("ever", true), None);
    // More than nine tenths are left: a read writes nothing.
    world.machine.pass(MINUTE / 2);
    let writes = storage.writes.get();
    assert_eq!(end("default", true), Some(START + 10 * MINUTE));
    assert_eq!(storage.writes.get(), writes);
    // The short one is over, for every read.
    assert_eq!(end("short", true), None);
    assert_eq!(get(&world, &engine, &["n"], "short"), Value::Null);
    assert_eq!(found(&world, &engine, json!({ "query": "quince", "refreshTtl": false })).len(), 2);
    assert_eq!(found(&world, &engine, json!({ "refreshTtl": false })), ["default", "ever"]);
    world.machine.pass(5 * MINUTE);
    assert_eq!(end("default", false), Some(START + 10 * MINUTE), "no refresh when told so");
    let now = START + 5 * MINUTE + MINUTE / 2;
    let before = get(&world, &engine, &["n"], "default");
    assert_eq!(before["expiresAt"], json!(now + 10 * MINUTE), "get refreshes");
    assert_eq!(before["updatedAt"], json!(START), "reading is no change of the content");
    world.machine.pass(5 * MINUTE);
    let hits = world.call(&engine, "search", json!({ "query": "quince" }));
    assert_eq!(hits[0]["expiresAt"], json!(now + 15 * MINUTE), "search refreshes");
    // A refresh is durable, and the words stay findable.
    let engine = open(&world);
    assert_eq!(end("default", false), Some(now + 15 * MINUTE));
    assert_eq!(
        found(&world, &engine, json!({ "query": "quince", "refreshTtl": false })),
        ["default", "ever"]
    );
    world.machine.pass(15 * MINUTE);
    assert_eq!(found(&world, &engine, json!({})), ["ever"]);
    assert_eq!(world.call(&engine, "listNamespaces", json!({})), json!([["n"]]));
    // What comes back under the key of something that is over is new.
    let again = put(&world, &engine, &["n"], "default", json!({ "v": 2 }));
    assert_eq!(again["action"], json!("created"));
    let document = get(&world, &engine, &["n"], "default");
    assert_eq!(document["createdAt"], document["updatedAt"]);
    assert_eq!(found(&world, &engine, json!({})), ["ever", "default"]);
    let engine = open(&world);
    assert_eq!(records(&world, &engine), 2, "what is over is swept");
}

#[test]
fn reads_do_not_refresh_when_opened_so() {
    let world = World::of("documents.");
    let documents = json!({ "ttlMinutes": 10, "refreshOnRead": false });
    let engine = open_on(&world, Rc::new(world.storage.clone()), &documents).unwrap();
    put(&world, &engine, &["n"], "k", json!({}));
    world.machine.pass(5 * MINUTE);
    assert_eq!(get(&world, &engine, &["n"], "k")["expiresAt"], json!(START + 10 * MINUTE));
    let refreshed = world.call(&engine, "get", json!({ "namespace": ["n"], "key": "k", "refreshTtl": true }));
    assert_eq!(refreshed["expiresAt"], json!(START + 15 * MINUTE));
}

#[test]
fn a_full_storage_can_still_be_read() {
    let world = World::of("documents.");
    let storage = Rc::new(TestStorage::on(&world.storage));
    let engine = open_on(&world, storage.clone(), &json!({ "ttlMinutes": 10 })).unwrap();
    put(&world, &engine, &["n"], "k", json!({ "v": 1 }));
    world.machine.pass(5 * MINUTE);
    storage.plan([Write::Fails(Code::QuotaExceeded)]);
    let document = get(&world, &engine, &["n"], "k");
    assert_eq!(
        (&document["value"], &document["expiresAt"]),
        (&json!({ "v": 1 }), &json!(START + 10 * MINUTE))
    );
}

#[test]
fn two_engines_lose_nothing_and_double_nothing() {
    for yields in 0..6 {
        let world = World::of("documents.");
        let storages = [0, 1].map(|_| Rc::new(TestStorage::on(&world.storage)));
        let engines = storages.clone().map(|storage| open_on(&world, storage, &json!({})).unwrap());
        storages[0].yields.set(yields);
        storages[1].yields.set(5 - yields);
        let (one, other) = (engines[0].clone(), engines[1].clone());
        world.machine.run(async move {
            let calls = |engine: Engine, name: &'static str| async move {
                for n in 0..10 {
                    let put = json!({ "namespace": ["n"], "key": format!("k{n}"), "value": { name: n } });
                    engine.call("documents.put", ALICE, &put.to_string()).await.unwrap();
                    let own = json!({ "namespace": ["n", name], "key": "count", "value": { "n": n } });
                    let both = json!({ "operations": [
                        { "op": "delete", "namespace": ["n"], "key": "contended" },
                        { "op": "put", "namespace": ["n"], "key": "contended", "value": own["value"] },
                        { "op": "put", "namespace": own["namespace"], "key": "count", "value": own["value"] },
                    ] });
                    engine.call("documents.batch", ALICE, &both.to_string()).await.unwrap();
                }
            };
            futures_util::future::join(calls(one, "one"), calls(other, "other")).await;
        });
        let reopened = open(&world);
        let mut found = found(&world, &reopened, json!({ "limit": 100 }));
        found.sort();
        let mut expected: Vec<String> = (0..10).map(|n| format!("k{n}")).collect();
        expected.extend(["contended", "count", "count"].map(str::to_owned));
        expected.sort();
        assert_eq!(found, expected, "yields {yields}");
        assert_eq!(records(&world, &reopened), 13);
    }
}

/// The sweep ended nothing of a batch in which one record had changed meanwhile: one document that was put anew kept all the
/// others that were over in the store until the next opening.
#[test]
fn what_changed_meanwhile_does_not_keep_the_others_from_being_swept() {
    for pause in 0..30 {
        let world = World::of("documents.");
        let engine = open(&world);
        for key in ["a", "b", "c"] {
            let put = json!({ "namespace": ["n"], "key": key, "value": { "v": 1 }, "ttlMinutes": 1 });
            world.call(&engine, "put", put);
        }
        world.machine.pass(2 * MINUTE);
        let slow = Rc::new(TestStorage::on(&world.storage));
        slow.yields.set(5);
        let parts = Parts {
            storage: slow,
            platform: world.machine.platform(),
            llm: None,
            embedder: None,
            tokenizer: None,
        };
        world.machine.run(async move {
            let putting = async {
                for _ in 0..pause {
                    yield_now().await;
                }
                let put = json!({ "namespace": ["n"], "key": "b", "value": { "v": 2 } });
                engine.call("documents.put", ALICE, &put.to_string()).await.unwrap();
            };
            let (opened, ()) =
                futures_util::future::join(Engine::open(parts, Options::default()), putting).await;
            opened.unwrap().call("idle", "", "{}").await.unwrap();
        });
        // Opening once more would sweep what was left, so what is stored is read as it is.
        let records = world.machine.run({
            let (image, platform) = (Rc::new(world.storage.clone()), world.machine.platform());
            async move {
                let database = mnemic::database::Database::open(image, platform, "none").await.unwrap();
                database.read(|store| Ok(store.counts().records)).unwrap()
            }
        });
        assert_eq!(records, 1, "after {pause} turns");
    }
}

#[test]
fn documents_have_a_past() {
    let world = World::of("documents.");
    let engine = open(&world);
    let call = |method: &str, options: Value| {
        let (engine, method) = (engine.clone(), method.to_owned());
        let answer =
            world.machine.run(async move { engine.call(&method, ALICE, &options.to_string()).await });
        serde_json::from_str::<Value>(&answer.unwrap()).unwrap()
    };
    let first = put(&world, &engine, &["a", "b"], "k", json!({ "food": "pizza" }));
    let second = put(&world, &engine, &["a", "b"], "k", json!({ "food": "pasta" }));
    let history = call("history", json!({ "id": first["id"] }));
    assert_eq!(history[0]["value"], json!({ "food": "pizza" }));
    assert_eq!(
        (&history[1]["value"], &history[1]["text"]),
        (&json!({ "food": "pasta" }), &json!("food: pasta"))
    );
    let why = call("explain", json!({ "id": first["id"] }));
    assert_eq!(
        (&why["kind"], &why["origin"], &why["cause"]),
        (&json!("document"), &json!("user"), &json!("user"))
    );
    assert_eq!(why["text"], json!(r#"a.b/k: {"food":"pasta"}"#));
    call("undo", json!({ "commitId": second["commitId"] }));
    assert_eq!(get(&world, &engine, &["a", "b"], "k")["value"], json!({ "food": "pizza" }));
    assert_eq!(found(&world, &engine, json!({ "query": "pizza" })), ["k"]);
    assert_eq!(found(&world, &engine, json!({ "query": "pasta" })), [""; 0]);
    let deleted = world.call(&engine, "delete", json!({ "namespace": ["a", "b"], "key": "k" }));
    call("undo", json!({ "commitId": deleted["commitId"] }));
    assert_eq!(get(&world, &engine, &["a", "b"], "k")["id"], first["id"]);
}

/// One step of a random life.
#[derive(Debug, Clone)]
enum Act {
    Put(usize, usize, i64),
    Delete(usize, usize),
    Get(usize, usize),
    Search(usize, i64),
    List,
    Reopen,
}

const NAMESPACES: [&[&str]; 5] = [&["a"], &["ab"], &["a", "b"], &["a", "b", "c"], &["b"]];
const KEYS: [&str; 3] = ["k", "b..k", "."];

fn act() -> impl Strategy<Value = Act> {
    let (namespace, key) = (0..NAMESPACES.len(), 0..KEYS.len());
    prop_oneof![
        4 => (namespace.clone(), key.clone(), 0..4_i64).prop_map(|(n, k, v)| Act::Put(n, k, v)),
        2 => (namespace.clone(), key.clone()).prop_map(|(n, k)| Act::Delete(n, k)),
        2 => (namespace.clone(), key).prop_map(|(n, k)| Act::Get(n, k)),
        2 => (namespace, 0..4_i64).prop_map(|(n, v)| Act::Search(n, v)),
        1 => Just(Act::List),
        1 => Just(Act::Reopen),
    ]
}

/// Documents in the order of their first put: what every store of documents comes down to.
type Model = Vec<((usize, usize), i64)>;

fn operation(act: &Act) -> Value {
    match act {
        Act::Put(n, k, v) => {
            json!({ "op": "put", "namespace": NAMESPACES[*n], "key": KEYS[*k], "value": { "v": v } })
        }
        Act::Delete(n, k) => json!({ "op": "delete", "namespace": NAMESPACES[*n], "key": KEYS[*k] }),
        Act::Get(n, k) => json!({ "op": "get", "namespace": NAMESPACES[*n], "key": KEYS[*k] }),
        Act::Search(n, v) => {
            json!({ "op": "search", "prefix": NAMESPACES[*n], "filter": { "v": { "$gte": v } }, "limit": 100 })
        }
        Act::List | Act::Reopen => json!({ "op": "listNamespaces" }),
    }
}

/// What the model answers, in a form that an answer can be brought to.
fn expected(model: &mut Model, act: &Act) -> Value {
    match act {
        Act::Put(n, k, v) => {
            match model.iter_mut().find(|(name, _)| *name == (*n, *k)) {
                Some((_, value)) => *value = *v,
                None => model.push(((*n, *k), *v)),
            }
            Value::Null
        }
        Act::Delete(n, k) => {
            model.retain(|(name, _)| *name != (*n, *k));
            Value::Null
        }
        Act::Get(n, k) => {
            model.iter().find(|(name, _)| *name == (*n, *k)).map_or(Value::Null, |(_, v)| json!(v))
        }
        Act::Search(n, least) => {
            let below =
                model.iter().filter(|((at, _), v)| NAMESPACES[*at].starts_with(NAMESPACES[*n]) && v >= least);
            below.map(|((n, k), v)| json!([NAMESPACES[*n], KEYS[*k], v])).collect()
        }
        Act::List | Act::Reopen => {
            let mut namespaces: Vec<&[&str]> = model.iter().map(|((n, _), _)| NAMESPACES[*n]).collect();
            namespaces.sort_unstable();
            namespaces.dedup();
            json!(namespaces)
        }
    }
}

fn brought(act: &Act, answer: &Value) -> Value {
    match act {
        Act::Put(..) | Act::Delete(..) => Value::Null,
        Act::Get(..) => answer.get("value").map_or(Value::Null, |value| value["v"].clone()),
        Act::Search(..) => {
            let hits = answer.as_array().unwrap().iter();
            hits.map(|hit| json!([hit["namespace"], hit["key"], hit["value"]["v"]])).collect()
        }
        Act::List | Act::Reopen => answer.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn a_life_of_batches_is_as_in_a_plain_list(batches in prop::collection::vec(prop::collection::vec(act(), 1..6), 1..12)) {
        let world = World::of("documents.");
        let mut engine = open(&world);
        let mut model = Model::new();
        for batch in batches {
            let operations: Vec<Value> = batch.iter().map(operation).collect();
            let answers = world.call(&engine, "batch", json!({ "operations": operations }));
            for (act, answer) in batch.iter().zip(answers.as_array().unwrap()) {
                prop_assert_eq!(brought(act, answer), expected(&mut model, act), "{:?}", act);
            }
            if batch.iter().any(|act| matches!(act, Act::Reopen)) {
                engine = open(&world);
            }
            for act in [Act::Search(0, 0), Act::Search(4, 0), Act::List] {
                let mut asked = operation(&act);
                asked.as_object_mut().unwrap().remove("op");
                let method = if matches!(act, Act::List) { "listNamespaces" } else { "search" };
                prop_assert_eq!(brought(&act, &world.call(&engine, method, asked)), expected(&mut model, &act));
            }
        }
        prop_assert_eq!(records(&world, &engine), model.len() as u64);
    }
}
