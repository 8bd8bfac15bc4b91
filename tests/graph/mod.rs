//! The knowledge graph as an application calls it: the nine operations that tools for models know, and what is beyond them.

mod creation;
mod deletion;
mod engines;
mod exchange;
mod names;
mod past;
mod property;
mod search;
mod walks;

use crate::support::world::World;
use mnemic::engine::Engine;
use serde_json::{Value, json};

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
