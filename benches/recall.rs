//! What a recall costs in a memory of short facts about people.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench stops at what it did not expect")]

#[path = "support/world.rs"]
mod world;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use mnemic::engine::Engine;
use serde_json::{Value, json};
use std::cell::Cell;
use world::World;

/// How many facts one import takes.
const PER_CALL: usize = 1000;

/// What is asked, in turn.
const QUESTIONS: &[&str] = &[
    "Where do I live these days?",
    "What does Ana4 do for a living?",
    "Is my brother allergic to anything?",
    "Which instrument does Tom9 play in the evening?",
    "What am I planning for the summer?",
    "How do I take my cofee?",
];

/// A statement about one of many people, or about the user.
fn fact(number: usize) -> String {
    const NAMES: [&str; 8] = ["Ana", "Tom", "Nora", "Piet", "Mira", "Luis", "Hannah", "Otto"];
    const TOLD: [&str; 12] = [
        "lives in a flat near the harbour of Porto",
        "works as a nurse at the hospital in Leith",
        "is allergic to peanuts and penicillin",
        "plays the cello in an orchestra on Tuesdays",
        "plans to visit Lisbon in the summer",
        "takes coffee black, without sugar",
        "is the user's brother and repairs clocks",
        "has two children, Mia and Ben",
        "doesn't eat meat any more",
        "grew up in Falmouth with three sisters",
        "drives an old green van to work",
        "likes to read novels about the sea",
    ];
    let (place, of) = (number % TOLD.len(), number / TOLD.len());
    let told = TOLD[place];
    match of % 9 {
        8 => format!("The user {told}, as of year {of}"),
        name => format!("{}{} {told}", NAMES[name], of / 9),
    }
}

fn filled(world: &World, size: usize) -> Engine {
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } } });
    let engine = world.open(json!({ "profiles": { "person": schema } }));
    let patch = json!({ "schema": "person", "patch": { "name": "Nora Whitfield" } });
    world.call(&engine, "profiles.patch", &patch);
    for first in (0..size).step_by(PER_CALL) {
        let facts: Vec<Value> =
            (first..first + PER_CALL).map(|number| json!({ "text": fact(number) })).collect();
        let imported = world.call(&engine, "facts.import", &json!({ "facts": facts }));
        assert_eq!(imported["added"], json!(PER_CALL));
    }
    engine
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("recall");
    for size in [1000, 10_000] {
        let world = World::new();
        let engine = filled(&world, size);
        let next = Cell::new(0);
        group.bench_function(BenchmarkId::new("recall among", size), |bencher| {
            bencher.iter(|| {
                let number = next.replace(next.get() + 1);
                let query = QUESTIONS[number % QUESTIONS.len()];
                let told = world.call(&engine, "recall", &json!({ "query": query }));
                assert!(!told["items"].as_array().unwrap().is_empty(), "{query}");
            });
        });
        group.bench_function(BenchmarkId::new("list contested of", size), |bencher| {
            bencher.iter(|| world.call(&engine, "facts.list", &json!({ "contested": true })));
        });
    }
    group.finish();
}

criterion_group!(recall, benches);
criterion_main!(recall);
