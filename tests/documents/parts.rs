//! A vector for each path into a document, of which the best counts.

use super::{keys, records};
use crate::support::embedder::ToyEmbedder;
use crate::support::world::{ALICE, World};
use mnemic::engine::{Engine, Parts};
use serde_json::{Value, json};
use std::rc::Rc;

/// How often each letter occurs.
fn letters() -> Rc<ToyEmbedder> {
    ToyEmbedder::new("letters", |text| {
        let count = |letter| text.chars().filter(|other| *other == letter).count() as f32;
        ('a'..='z').map(count).collect()
    })
}

fn open(world: &World, embedder: &Rc<ToyEmbedder>) -> Engine {
    world.try_open(None, Some(embedder.clone()), &json!({ "documents": { "index": PATHS } })).unwrap()
}

const PATHS: [&str; 3] = ["title", "tags[*]", "memories[*].text"];

fn put(world: &World, engine: &Engine, key: &str, value: Value) -> Value {
    world.call(engine, "put", json!({ "namespace": ["n"], "key": key, "value": value }))
}

/// The documents with the cosines of their best paths.
fn cosines(world: &World, engine: &Engine, query: &str) -> Vec<(String, f64)> {
    let hits = world.call(engine, "search", json!({ "prefix": ["n"], "query": query, "threshold": 0 }));
    let cosine = |hit: &Value| (hit["terms"]["meaningRaw"].as_f64().unwrap_or(-1.0) * 1000.0).round();
    keys(&hits).into_iter().zip(hits.as_array().unwrap().iter().map(cosine)).collect()
}

fn vectors(world: &World, engine: &Engine) -> [u64; 2] {
    let usage = world.call(engine, "usage", json!({}));
    ["vectors", "unembedded"].map(|name| usage[name].as_u64().unwrap())
}

/// One vector of all paths together was as far from each of them as they are from one another.
#[test]
fn a_document_is_as_near_as_its_nearest_path() {
    let (world, embedder) = (World::of("documents."), letters());
    let engine = open(&world, &embedder);
    put(
        &world,
        &engine,
        "one",
        json!({ "title": "aaa", "tags": ["bbb", "ccc"], "memories": [{ "text": "ddd" }] }),
    );
    put(&world, &engine, "two", json!({ "title": "xyz", "tags": ["ccc"], "body": "bbb" }));
    let check = |engine: &Engine| {
        let full = |key: &str| (key.to_owned(), 1000.0);
        for query in ["aaa", "bbb", "ddd"] {
            assert_eq!(cosines(&world, engine, query), [full("one"), ("two".to_owned(), 0.0)], "{query}");
        }
        // Of two that are as near, the one with fewer words comes first.
        assert_eq!(cosines(&world, engine, "ccc"), [full("two"), full("one")]);
        assert_eq!(cosines(&world, engine, "xxyyzz")[0], full("two"));
        assert_eq!(vectors(&world, engine), [6, 0]);
    };
    check(&engine);
    // From the log, and from a segment.
    check(&open(&world, &embedder));
    for number in 0..300 {
        world.call(
            &engine,
            "put",
            json!({ "namespace": ["o"], "key": "k", "value": { "n": number }, "index": false }),
        );
    }
    world.idle(&engine);
    check(&engine);
    world.close(&engine);
    let engine = open(&world, &embedder);
    check(&engine);
    let other = World::of("documents.");
    let file = world.export(&engine, "");
    let target = open(&other, &embedder);
    other.import(&target, "", &file, "backups.replace", json!({})).unwrap();
    assert_eq!(vectors(&other, &target), [6, 0]);
    let third = World::of("documents.");
    let target = open(&third, &embedder);
    let asked = embedder.calls.get();
    third.import(&target, "", &file, "backups.merge", json!({ "mode": "merge" })).unwrap();
    third.idle(&target);
    assert_eq!((vectors(&third, &target), embedder.calls.get()), ([6, 0], asked), "they came along");
}

#[test]
fn no_vector_stays_of_a_path_that_is_gone() {
    let (world, embedder) = (World::of("documents."), letters());
    let engine = open(&world, &embedder);
    let value = json!({ "title": "aaa", "tags": ["bbb", "ccc"] });
    put(&world, &engine, "k", value.clone());
    world.idle(&engine);
    assert_eq!(vectors(&world, &engine), [3, 0]);
    put(&world, &engine, "k", json!({ "title": "aaa", "tags": ["ddd"] }));
    assert_eq!(cosines(&world, &engine, "bbb"), [("k".to_owned(), 0.0)]);
    assert_eq!(vectors(&world, &engine), [2, 0]);
    world.call(&engine, "move", json!({ "namespace": ["n"], "key": "k", "toKey": "l" }));
    assert_eq!(cosines(&world, &engine, "ddd"), [("l".to_owned(), 1000.0)]);
    let gone = world.call(&engine, "delete", json!({ "namespace": ["n"], "key": "l" }));
    assert_eq!((records(&world, &engine), vectors(&world, &engine)), (0, [0, 0]));
    world.try_call(&engine, "undo", ALICE, json!({ "commitId": gone["commitId"] })).unwrap();
    assert_eq!(cosines(&world, &engine, "ddd"), [("l".to_owned(), 1000.0)]);
    assert_eq!(vectors(&world, &engine), [2, 0]);
    world.try_call(&engine, "forget", ALICE, json!({ "ids": [gone["id"]] })).unwrap();
    assert_eq!(vectors(&world, &open(&world, &embedder)), [0, 0]);
}

#[test]
fn what_is_said_twice_is_embedded_once() {
    let (world, embedder) = (World::of("documents."), letters());
    let engine = open(&world, &embedder);
    let put =
        |key: &str, value: Value| json!({ "op": "put", "namespace": ["n"], "key": key, "value": value });
    let one = put("k", json!({ "title": "aaa", "tags": ["bbb", "aaa"] }));
    world.call(&engine, "batch", json!({ "operations": [one, put("l", json!({ "title": "bbb" }))] }));
    world.idle(&engine);
    assert_eq!(embedder.texts(), ["aaa", "bbb"]);
    assert_eq!(vectors(&world, &engine), [3, 0]);
}

/// The fifty nearest vectors were of one document, and no other was found.
#[test]
fn many_near_paths_of_one_document_keep_no_other_back() {
    let (world, embedder) = (World::of("documents."), letters());
    let engine = open(&world, &embedder);
    let tags: Vec<String> = (1..=120).map(|count| format!("{}b", "a".repeat(count + 20))).collect();
    put(&world, &engine, "many", json!({ "tags": tags }));
    put(&world, &engine, "other", json!({ "title": "aaaaabbb" }));
    let hits = world.call(&engine, "search", json!({ "query": "aaaa" }));
    assert_eq!(keys(&hits), ["many", "other"]);
    assert_eq!(vectors(&world, &engine), [101, 0], "the last of a hundred takes the rest");
}

#[test]
fn the_built_in_embedder_has_a_vector_for_each_path_at_once() {
    let world = World::of("documents.");
    let storage = Rc::new(world.storage.clone());
    let parts =
        Parts { storage, platform: world.machine.platform(), llm: None, embedder: None, tokenizer: None };
    let engine = world.open_parts(parts, &json!({ "documents": { "index": PATHS } })).unwrap();
    put(
        &world,
        &engine,
        "k",
        json!({ "title": "garden chairs", "tags": ["sloop rigging", "sloop rigging"] }),
    );
    assert_eq!(vectors(&world, &engine), [2, 0]);
    assert_eq!(cosines(&world, &engine, "sloop rigging"), [("k".to_owned(), 1000.0)]);
}
