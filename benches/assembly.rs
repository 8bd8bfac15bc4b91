//! How fast a prompt of 8000 tokens is put together from 10 000 facts and 100 000 messages; every prompt is checked.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench stops at what it did not expect")]

#[path = "../tests/support/machine.rs"]
#[expect(dead_code, reason = "no time passes in this bench")]
mod machine;

use criterion::{Criterion, criterion_group, criterion_main};
use machine::Machine;
use mnemic::engine::{Engine, Options, Parts};
use mnemic::storage::MemoryStorage;
use serde_json::{Value, json};
use std::rc::Rc;

const SCOPE: &str = r#"{"userId":"alice"}"#;
const FACTS: usize = 10_000;
const MESSAGES: usize = 100_000;
const PER_CALL: usize = 500;
const ENTITIES: usize = 1000;
const MAX_TOKENS: u64 = 8000;

struct World {
    machine: Machine,
    engine: Engine,
}

impl World {
    fn open() -> Self {
        let machine = Machine::new(3);
        let parts = Parts {
            storage: Rc::new(MemoryStorage::default()),
            platform: machine.platform(),
            llm: None,
            embedder: None,
            tokenizer: None,
        };
        let options = json!({ "profiles": { "user": { "type": "object", "properties": { "name": { "type": "string" } } } } });
        let options: Options = serde_json::from_value(options).unwrap();
        let engine = machine.run(async move { Engine::open(parts, options).await }).unwrap();
        Self { machine, engine }
    }

    fn call(&self, name: &str, options: &Value) -> Value {
        let (engine, name, options) = (self.engine.clone(), name.to_owned(), options.to_string());
        let answer = self.machine.run(async move { engine.call(&name, SCOPE, &options).await }).unwrap();
        serde_json::from_str(&answer).unwrap()
    }
}

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

fn fill(world: &World) {
    for first in (0..FACTS).step_by(PER_CALL) {
        let facts: Vec<Value> = (first..first + PER_CALL).map(fact).collect();
        world.call("facts.import", &json!({ "facts": facts }));
    }
    for first in (0..MESSAGES).step_by(PER_CALL) {
        let thread = format!("thread {}", first / 1000);
        world.call("remember", &json!({ "messages": messages(first), "threadId": thread, "learn": false }));
    }
    let entity = |number: usize| json!({ "name": format!("Project {number}"), "entityType": "project", "observations": ["late"] });
    world
        .call("graph.create_entities", &json!({ "entities": (0..ENTITIES).map(entity).collect::<Vec<_>>() }));
    world.call("profiles.set", &json!({ "schema": "user", "field": "name", "value": "Ada" }));
    world.call("instructions.set", &json!({ "name": "tone", "text": "Answer in short sentences." }));
    world.call("context.blocks.set", &json!({ "label": "human", "value": "Leads all projects." }));
}

fn benches(criterion: &mut Criterion) {
    let world = World::open();
    fill(&world);
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
                    let prompt = world.call("assemble", &asked);
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
