//! What adding a fact costs beside others, and whether it grows with their number.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench stops at what it did not expect")]

#[path = "support/world.rs"]
mod world;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use std::cell::Cell;
use world::World;

/// How many facts one import takes.
const PER_CALL: usize = 1000;

/// A statement of words that many others hold as well.
fn text(number: usize) -> String {
    let word = |place: usize| format!("word{}", (number / 13_usize.pow(place as u32)) % 13);
    format!("The user likes {} {} {} {}", word(0), word(1), word(2), word(3))
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("facts");
    for size in [1000, 10_000] {
        let world = World::new();
        let engine = world.open(json!({}));
        for first in (0..size).step_by(PER_CALL) {
            let facts: Vec<Value> =
                (first..first + PER_CALL).map(|number| json!({ "text": text(number) })).collect();
            let imported = world.call(&engine, "facts.import", &json!({ "facts": facts }));
            assert_eq!(imported["added"], json!(PER_CALL));
        }
        let next = Cell::new(size);
        group.bench_function(BenchmarkId::new("add one to", size), |bencher| {
            bencher.iter(|| {
                let number = next.replace(next.get() + 1);
                let added = world.call(&engine, "facts.add", &json!({ "text": text(number) }));
                assert_eq!(added["action"], json!(if number < 28_561 { "created" } else { "unchanged" }));
            });
        });
    }
    group.finish();
}

criterion_group!(facts, benches);
criterion_main!(facts);
