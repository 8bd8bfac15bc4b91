//! Documents as an application keeps them: by name, with JSON, on a machine of its own.

mod batch;
mod bytes;
mod defaults;
mod document;
mod expiry;
mod large;
mod moving;
mod names;
mod parts;
mod property;
mod search;
mod selection;

use crate::support::world::World;
use mnemic::Result;
use mnemic::engine::Engine;
use mnemic::ports::Storage;
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
