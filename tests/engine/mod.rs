//! The engine as an application calls it: by name, with JSON, on a machine of its own.

mod calls;
mod changes;
mod embedding;
mod messages;
mod model;
mod recall;
mod records;
mod rules;

use crate::support::world::World;
use mnemic::engine::Engine;
use mnemic::ports::{Embedder, Llm};
use serde_json::{Value, json};
use std::rc::Rc;

fn open(world: &World, llm: Option<Rc<dyn Llm>>) -> Engine {
    open_with(world, llm, None)
}

/// Opens a memory that asks its model at once, with a profile of a user.
fn open_with(world: &World, llm: Option<Rc<dyn Llm>>, embedder: Option<Rc<dyn Embedder>>) -> Engine {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" },
            "place": { "type": "string" },
            "job": { "type": "string" },
            "likes": { "type": "array", "items": { "type": "string" } },
            "dislikes": { "type": "array", "items": { "type": "string" } },
            "technical_stack": { "type": "string" },
            "job_status": { "type": "string", "enum": ["student", "employed", "searching"] },
        }
    });
    let options =
        json!({ "extraction": { "trigger": { "messages": 1 } }, "profiles": { "user-profile": schema } });
    world.try_open(llm, embedder, &options).unwrap()
}

fn profile(world: &World, engine: &Engine) -> Value {
    world.profile(engine, "user-profile")
}
