//! Searching documents by prefix, filter and query.

use super::{found, keys, open, open_on, put};
use crate::support::world::World;
use mnemic::engine::Engine;
use serde_json::{Value, json};
use std::rc::Rc;

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

/// Later pages looked among more documents than the first: some were shown twice, and others on no page.
#[test]
fn pages_of_a_query_are_those_of_one_answer() {
    let world = World::of("documents.");
    let engine = open(&world);
    let words = "boat cello tea sail porto lisbon nut piano dog cat river garden bread wine bike train";
    let words: Vec<&str> = words.split(' ').collect();
    let mut state = 7_usize;
    let mut word = || {
        state = state * 48_271 % 2_147_483_647;
        words[state % words.len()]
    };
    let puts = (0..400).map(|number| {
        let text = format!("{} and {} {} {}", word(), word(), word(), word());
        let key = format!("k{number}");
        let mut put = json!({ "op": "put", "namespace": ["n"], "key": key, "value": { "text": text } });
        if number % 20 == 0 {
            put["index"] = json!(false);
        }
        put
    });
    let puts: Vec<Value> = puts.collect();
    for some in puts.chunks(100) {
        world.call(&engine, "batch", json!({ "operations": some }));
    }
    world.idle(&engine);
    let all = found(&world, &engine, json!({ "query": "boat", "limit": 1000 }));
    let mut paged = Vec::new();
    for page in 0.. {
        let shown = found(&world, &engine, json!({ "query": "boat", "limit": 20, "offset": 20 * page }));
        if shown.is_empty() {
            break;
        }
        paged.extend(shown);
    }
    assert_eq!(paged, all);
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
        json!({ "title": "violin", "body": "passport", "tags": [{ "name": "oboe" }, { "name": "cello" }] });
    put(&world, &engine, &["n"], "k", value.clone());
    let is_found = |engine: &Engine, query: &str| {
        let hits = world.call(engine, "search", json!({ "query": query }));
        hits[0].get("score").is_some()
    };
    assert!(is_found(&engine, "violin") && is_found(&engine, "oboe") && is_found(&engine, "cello"));
    assert!(!is_found(&engine, "passport"));
    let put = |index: Value| {
        world.call(&engine, "put", json!({ "namespace": ["n"], "key": "k", "value": value, "index": index }))
    };
    // The same value under another index is a change.
    assert_eq!(put(json!(["body"]))["action"], json!("updated"));
    assert!(is_found(&engine, "passport") && !is_found(&engine, "violin"));
    // No stale words or vectors stay behind.
    assert_eq!(put(json!(false))["action"], json!("updated"));
    for engine in [&engine, &open(&world)] {
        for query in ["passport", "violin", "oboe"] {
            let hits = world.call(engine, "search", json!({ "query": query }));
            assert_eq!(keys(&hits), ["k"]);
            assert!(hits[0].get("score").is_none(), "{query}");
        }
    }
}
