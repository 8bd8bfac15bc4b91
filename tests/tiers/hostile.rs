//! Models that answer nonsense.

use crate::behaviour::moved;
use crate::careful::Places;
use crate::world::{Scripted, World};
use serde_json::{Value, json};

/// Adds two pages to a queue of one and lets a model answer twice.
fn played(answer: &Value) -> (World, Value) {
    let world = World::new();
    let llm = Scripted::new([answer.clone(), answer.clone()]);
    let options = json!({ "extraction": { "auto": false }, "tiers": { "capacity": 1 } });
    let engine = world.open(Some(llm), &options);
    for query in ["Green tea or black tea?", "And coffee?"] {
        world.call(&engine, "tiers.add", json!({ "query": query, "response": "As you like." }));
    }
    let done = world.call(&engine, "tiers.update", json!({}));
    (world, done)
}

#[test]
fn an_unusable_answer_leaves_the_words_of_the_page() {
    let with = |path: &str, value: Value| {
        let mut answer = moved();
        *answer.pointer_mut(path).unwrap() = value;
        answer
    };
    for bad in [
        json!("I am sorry."),
        json!({}),
        json!({ "pages": [], "themes": [] }),
        with("/pages/0/page", json!(7)),
        with("/pages/0/theme", json!(99)),
        with("/pages/0/keywords", json!([])),
        with("/pages/0/keywords", json!("tea")),
        with("/themes/0/segment", json!(3)),
        with("/themes/0/summary", json!(" ")),
        with("/pages", json!("all of them")),
    ] {
        let (world, done) = played(&bad);
        assert_eq!(done["moved"], json!(1), "{bad}");
        assert_eq!(done["usage"]["calls"], json!(2), "it was asked once more");
        let places = Places::read(&world);
        places.check();
        let summaries: Vec<&str> = places.segments.values().map(|told| told.2.as_str()).collect();
        assert_eq!(summaries, ["Green tea or black tea?"], "{bad}");
    }
}

#[test]
fn too_much_is_cut() {
    let mut answer = moved();
    let words: Vec<String> = (0..1000).map(|number| format!("word{number}")).collect();
    answer["pages"][0]["keywords"] = json!(words);
    answer["pages"][0]["chain"] = json!("chain ".repeat(10_000));
    answer["themes"][0]["summary"] = json!("tea ".repeat(10_000));
    let (world, done) = played(&answer);
    assert_eq!((&done["moved"], &done["usage"]["calls"]), (&json!(1), &json!(1)));
    let engine = world.open(None, &json!({}));
    let state = world.call(&engine, "tiers.state", json!({}));
    let segment = &state["segments"][0];
    assert_eq!(segment["keywords"].as_array().unwrap().len(), 8);
    assert!(segment["summary"].as_str().unwrap().chars().count() <= 601);
}

#[test]
fn an_unusable_distillation_changes_nothing_and_is_tried_again() {
    let good = json!({ "facts": [], "traits": [] });
    for bad in [
        json!("nothing"),
        json!({}),
        json!({ "facts": [], "traits": [{ "name": "greed", "level": "high", "confidence": 1, "evidence": "x" }] }),
        json!({ "facts": [], "traits": [{ "name": "curiosity", "level": "huge", "confidence": 1, "evidence": "x" }] }),
        json!({ "facts": [], "traits": [{ "name": "curiosity", "level": "high", "confidence": 7, "evidence": "x" }] }),
        json!({ "facts": [], "traits": [], "agent": [{ "target": 9, "text": "x" }] }),
        json!({ "facts": [{ "action": "update", "target": 3, "text": "x" }], "traits": [] }),
        json!({ "facts": [{ "action": "add", "text": "x", "message": 12 }], "traits": [] }),
    ] {
        let world = World::new();
        let llm = Scripted::new([moved(), bad.clone(), bad.clone(), good.clone()]);
        let options = json!({ "extraction": { "auto": false }, "tiers": { "capacity": 1, "heat": 1 } });
        let engine = world.open(Some(llm), &options);
        for _ in 0..2 {
            world.call(&engine, "tiers.add", json!({ "query": "Tea?", "response": "Yes." }));
        }
        world.fails(&engine, "tiers.update", json!({}));
        assert_eq!(world.call(&engine, "facts.list", json!({})), json!([]), "{bad}");
        assert_eq!(world.call(&engine, "tiers.traits", json!({})), json!([]));
        let state = world.call(&engine, "tiers.state", json!({}));
        assert_eq!(state["segments"][0]["heat"]["pages"], json!(1), "it stays hot");
        assert_eq!(world.call(&engine, "tiers.update", json!({}))["distilled"], json!(1));
    }
}
