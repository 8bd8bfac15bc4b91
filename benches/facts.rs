//! What adding a fact costs beside others, and whether it grows with their number.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench stops at what it did not expect")]

#[path = "../tests/support/machine.rs"]
#[expect(dead_code, reason = "no time passes in this bench")]
mod machine;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use machine::Machine;
use mnemic::engine::{Engine, Options, Parts};
use mnemic::storage::MemoryStorage;
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

const SCOPE: &str = r#"{"userId":"alice"}"#;
/// How many facts one import takes.
const PER_CALL: usize = 1000;

fn open(machine: &Machine) -> Engine {
    let parts = Parts {
        storage: Rc::new(MemoryStorage::default()),
        platform: machine.platform(),
        llm: None,
        embedder: None,
        tokenizer: None,
    };
    machine.run(async move { Engine::open(parts, Options::default()).await }).unwrap()
}

fn call(machine: &Machine, engine: &Engine, name: &str, options: &Value) -> Value {
    let (engine, name, options) = (engine.clone(), name.to_owned(), options.to_string());
    let answer = machine.run(async move { engine.call(&name, SCOPE, &options).await }).unwrap();
    serde_json::from_str(&answer).unwrap()
}

/// A statement of words that many others hold as well.
fn text(number: usize) -> String {
    let word = |place: usize| format!("word{}", (number / 13_usize.pow(place as u32)) % 13);
    format!("The user likes {} {} {} {}", word(0), word(1), word(2), word(3))
}

fn benches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("facts");
    for size in [1000, 10_000] {
        let machine = Machine::new(3);
        let engine = open(&machine);
        for first in (0..size).step_by(PER_CALL) {
            let facts: Vec<Value> =
                (first..first + PER_CALL).map(|number| json!({ "text": text(number) })).collect();
            let imported = call(&machine, &engine, "facts.import", &json!({ "facts": facts }));
            assert_eq!(imported["added"], json!(PER_CALL));
        }
        let next = Cell::new(size);
        group.bench_function(BenchmarkId::new("add one to", size), |bencher| {
            bencher.iter(|| {
                let number = next.replace(next.get() + 1);
                let added = call(&machine, &engine, "facts.add", &json!({ "text": text(number) }));
                assert_eq!(added["action"], json!(if number < 28_561 { "created" } else { "unchanged" }));
            });
        });
    }
    group.finish();
}

criterion_group!(facts, benches);
criterion_main!(facts);
