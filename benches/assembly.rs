//! How fast a prompt of 8000 tokens is put together from 10 000 facts and 100 000 messages; every prompt is checked.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench stops at what it did not expect")]

#[path = "support/world.rs"]
mod world;

use criterion::{Criterion, criterion_group, criterion_main};
use mnemic::engine::Engine;
use serde_json::{Value, json};
use world::World;

const FACTS: usize = 10_000;
const MESSAGES: usize = 100_000;
const PER_CALL: usize = 500;
const ENTITIES: usize = 1000;
const MAX_TOKENS: u64 = 8000;

fn fact(number: usize) -> Value {
    let (project, city) = (number % 1013, number % 977);
    json!({ "text": format!("Project {project} moved to city {city} with {} people from team {}", number % 89, number % 401) })
}

/// The messages of a thread in turns; each thread has a thousand.
fn messages(first: usize) -> Value {
    let message = |number: usize| {
        let role = if number.is_multiple_of(2) { "user" } else { "assistant" };
        let content = format!(
            "In step {number} we looked at project {} and decided to ask team {} about the budget for city {} again.",
            number % 1013,
            number % 401,
            number % 977
        );
        json!({ "role": role, "content": content })
    };
    (first..first + PER_CALL).map(message).collect()
}

fn fill(world: &World, engine: &Engine) {
    for first in (0..FACTS).step_by(PER_CALL) {
        let facts: Vec<Value> = (first..first + PER_CALL).map(fact).collect();
        world.call(engine, "facts.import", &json!({ "facts": facts }));
    }
    for first in (0..MESSAGES).step_by(PER_CALL) {
        let thread = format!("thread {}", first / 1000);
        world.call(
            engine,
            "remember",
            &json!({ "messages": messages(first), "threadId": thread, "learn": false }),
        );
    }
    let entity = |number: usize| json!({ "name": format!("Project {number}"), "entityType": "project", "observations": ["late"] });
    world.call(
        engine,
        "graph.create_entities",
        &json!({ "entities": (0..ENTITIES).map(entity).collect::<Vec<_>>() }),
    );
    world.call(engine, "profiles.set", &json!({ "schema": "user", "field": "name", "value": "Ada" }));
    world.call(engine, "instructions.set", &json!({ "name": "tone", "text": "Answer in short sentences." }));
    world.call(engine, "context.blocks.set", &json!({ "label": "human", "value": "Leads all projects." }));
}

fn benches(criterion: &mut Criterion) {
    let world = World::new();
    let person = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    let engine = world.open(json!({ "profiles": { "user": person } }));
    fill(&world, &engine);
    let mut group = criterion.benchmark_group("8000 tokens of 10k facts, 100k messages");
    group.sample_size(20);
    for (kind, thread) in [("the last thread", "thread 99"), ("the first thread", "thread 0")] {
        for shape in ["text", "openai"] {
            group.bench_function(format!("{kind}, {shape}"), |bencher| {
                let asked = json!({
                    "threadId": thread,
                    "query": "Where did project 500 move, and who pays for it?",
                    "maxTokens": MAX_TOKENS,
                    "instructions": "You are the assistant of a project office.",
                    "as": shape,
                });
                bencher.iter(|| {
                    let prompt = world.call(&engine, "assemble", &asked);
                    let tokens = prompt["tokens"].as_u64().unwrap();
                    assert!(tokens > MAX_TOKENS * 9 / 10 && tokens <= MAX_TOKENS, "{tokens}");
                    assert!(prompt["items"].as_array().unwrap().len() > 100);
                });
            });
        }
    }
    group.finish();
}

criterion_group!(assembly, benches);
criterion_main!(assembly);
