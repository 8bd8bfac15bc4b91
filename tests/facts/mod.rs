//! Facts, what users do with everything remembered, instructions and episodes, as an application calls them.

mod chains;
mod contested;
mod dates;
mod edits;
mod episodes;
mod fact;
mod instructions;
mod items;
mod scoring;

use crate::support::world::World;
use mnemic::engine::Engine;
use mnemic::ports::{Embedder, Llm};
use serde_json::json;
use std::rc::Rc;

fn open(world: &World) -> Engine {
    open_with(world, None, None)
}

/// Opens a memory with a profile of a person.
fn open_with(world: &World, llm: Option<Rc<dyn Llm>>, embedder: Option<Rc<dyn Embedder>>) -> Engine {
    let properties = json!({ "city": { "type": "string" }, "age": { "type": "integer" } });
    let options = json!({ "profiles": { "person": { "type": "object", "properties": properties } } });
    world.try_open(llm, embedder, &options).unwrap()
}
