//! What holds for documents of one namespace, and what a search finds of them by meaning.

use super::{MINUTE, get, keys, open_on};
use crate::support::embedder::ToyEmbedder;
use crate::support::world::World;
use serde_json::{Value, json};
use std::rc::Rc;

#[test]
fn a_namespace_has_settings_of_its_own_and_the_nearest_ones_hold() {
    let world = World::of("documents.");
    let documents = json!({
        "ttlMs": 60 * MINUTE,
        "namespaces": [
            { "prefix": ["checkpoints"], "index": false, "ttlMs": false },
            { "prefix": ["notes"], "index": ["title"] },
            { "prefix": ["notes", "drafts"], "ttlMs": 20 * MINUTE, "refreshTtl": false },
        ],
    });
    let engine = open_on(&world, Rc::new(world.storage.clone()), &documents).unwrap();
    let put = |namespace: &[&str]| {
        let value = json!({ "title": "violin", "body": "passport" });
        world.call(&engine, "put", json!({ "namespace": namespace, "key": "k", "value": value }));
    };
    let is_found = |namespace: &[&str], query: &str| {
        let hits = world.call(
            &engine,
            "search",
            json!({ "prefix": namespace, "query": query, "refreshTtl": false }),
        );
        hits[0].get("score").is_some()
    };
    for (namespace, title, body) in [
        (&["other"][..], true, true),
        (&["checkpoints", "deep"], false, false),
        (&["notes"], true, false),
        // The rest is as everywhere.
        (&["notes", "drafts"], true, true),
        // Whole labels.
        (&["notesbook"], true, true),
    ] {
        put(namespace);
        assert_eq!(
            (is_found(namespace, "violin"), is_found(namespace, "passport")),
            (title, body),
            "{namespace:?}"
        );
    }
    assert_eq!(get(&world, &engine, &["checkpoints", "deep"], "k").get("expiresAt"), None);
    let lives = |namespace: &[&str]| {
        let document = get(&world, &engine, namespace, "k");
        document["expiresAt"].as_i64().unwrap() - document["updatedAt"].as_i64().unwrap()
    };
    assert!((lives(&["notes"]) - 60 * MINUTE).abs() < 10);
    let before = lives(&["notes", "drafts"]);
    assert!((before - 20 * MINUTE).abs() < 10);
    world.machine.pass(10 * MINUTE);
    assert_eq!(lives(&["notes", "drafts"]), before, "reading restarts nothing there");
    world.call(&engine, "search", json!({ "prefix": ["notes"] }));
    assert_eq!(lives(&["notes", "drafts"]), before);
    assert!(lives(&["other"]) > 60 * MINUTE);
    for (namespaces, expected) in [
        (json!({}), "documents.namespaces is"),
        (json!([{ "prefix": [""] }]), "is empty"),
        (json!([{ "prefix": ["a"], "ttlMs": 0 }]), "ttlMs"),
        (json!([{ "prefix": ["a"], "model": "x" }]), "documents.namespaces[0].model is no option here"),
    ] {
        let documents = json!({ "namespaces": namespaces });
        let error = open_on(&world, Rc::new(world.storage.clone()), &documents).err().unwrap();
        assert!(error.message.contains(expected), "{}", error.message);
    }
}

/// A search straight after a put saw no vector of it with an embedder of the application.
#[test]
fn a_search_finds_by_meaning_what_was_put_before_it() {
    let world = World::of("documents.");
    let embedder = ToyEmbedder::of_lengths();
    let engine = world.try_open(None, Some(embedder.clone()), &json!({})).unwrap();
    let put = |key: &str| {
        let value = json!({ "text": format!("words of {key}") });
        world.call(&engine, "put", json!({ "namespace": ["n"], "key": key, "value": value }));
    };
    let search = || {
        // No word is shared, so it is the meaning that finds.
        let hits = world.call(&engine, "search", json!({ "query": "quince", "threshold": 0 }));
        let mut found = keys(&hits);
        found.sort();
        let of_meaning = |hit: &Value| hit["terms"]["meaningRaw"].is_number();
        (found, hits.as_array().unwrap().iter().filter(|hit| of_meaning(hit)).count())
    };
    put("a");
    put("b");
    assert_eq!(search(), (vec!["a".to_owned(), "b".to_owned()], 2));
    let asked = embedder.calls.get();
    assert_eq!(search().1, 2);
    assert_eq!(embedder.calls.get(), asked + 1, "only the query");
    // While the embedder is away, words are searched, and the vector comes later.
    put("c");
    embedder.fails.set(true);
    assert_eq!(search().0.len(), 3);
    embedder.fails.set(false);
    assert_eq!(search().1, 3);
}
