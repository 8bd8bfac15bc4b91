//! Relevance: whether what is found is about whom and what is asked about, on one scale for all queries.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answering;
mod asked;
mod changed;
mod dated;
mod learned;
mod matching;
mod people;
mod results;
mod said;
mod wording;

use crate::support::world::World;
use mnemic::engine::Engine;
use serde_json::{Value, json};

/// What is known of several people, of whom some have names alike.
const FACTS: &[&str] = &[
    "The user lives in Bristol",
    "The user's favourite film is Paddington 2",
    "Nora Castellan lives in the flat below the user",
    "Nora Castellan is allergic to penicillin",
    "Tom Whitfield is the user's younger brother",
    "Tom Whitfield works as a paramedic",
    "Tom Whitfield plays bass guitar",
    "Tom Okafor lives in Hackney",
    "Tom Okafor is allergic to cats",
    "Ingrid Whitfield has a budgerigar named Sixten",
    "Helen Marsh is married to a judge",
];

fn filled(world: &World) -> Engine {
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    let engine = world.open(None, &json!({ "profiles": { "profile": schema } }));
    world.call(
        &engine,
        "profiles.set",
        json!({ "schema": "profile", "field": "name", "value": "Nora Whitfield" }),
    );
    for text in FACTS {
        world.add(&engine, json!({ "text": text }));
    }
    world.idle(&engine);
    engine
}

fn opened(world: &World, facts: &[&str]) -> Engine {
    let engine = world.open(None, &json!({}));
    for text in facts {
        world.add(&engine, json!({ "text": text }));
    }
    world.idle(&engine);
    engine
}

fn search(world: &World, engine: &Engine, options: Value) -> Vec<(String, f64)> {
    let found = world.call(engine, "facts.search", options);
    let relevance = |item: &Value| item["relevance"].as_f64().unwrap();
    let found = found.as_array().unwrap();
    for item in found {
        assert!((0.0..=1.0).contains(&relevance(item)), "{item}");
    }
    found.iter().map(|item| (item["text"].as_str().unwrap().to_owned(), relevance(item))).collect()
}

fn best(world: &World, engine: &Engine, query: &str) -> (String, f64) {
    search(world, engine, json!({ "query": query, "threshold": 0 })).first().cloned().unwrap_or_default()
}

fn known(recalled: &Value) -> &str {
    recalled["known"].as_str().unwrap()
}
