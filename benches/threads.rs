//! How fast the words of conversations are found among 100 000 messages, a thread of 10 000 is trimmed, and a message
//! appended; every answer is checked.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench stops at what it did not expect")]

#[path = "support/world.rs"]
mod world;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::{Duration, Instant};
use world::{SCOPE, World};

const MESSAGES: usize = 100_000;
const PER_THREAD: usize = 10_000;
const PER_CALL: usize = 500;

/// A message of twenty words, the rarer the higher their number, said a second after the one before it.
fn message(number: usize) -> Value {
    let role = if number.is_multiple_of(2) { "user" } else { "assistant" };
    let mut state = number;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let mut word = |_| {
        let most = below(3000);
        format!("word{}", below(1 + most))
    };
    let content = (0..20).map(&mut word).collect::<Vec<_>>().join(" ");
    json!({ "role": role, "content": content, "createdAt": number * 1000 })
}

fn benches(criterion: &mut Criterion) {
    let world = World::new();
    let engine = world.open(json!({}));
    for first in (0..MESSAGES).step_by(PER_CALL) {
        let messages: Vec<Value> = (first..first + PER_CALL).map(message).collect();
        let thread = format!("thread {}", first / PER_THREAD);
        world.call(&engine, "threads.append", &json!({ "messages": messages, "threadId": thread }));
    }
    let mut group = criterion.benchmark_group("threads/100 000 messages");
    let late = (MESSAGES - 1000) * 1000;
    for (name, narrow) in [
        ("search", json!({})),
        ("search of a role", json!({ "role": "assistant" })),
        ("search of a time", json!({ "from": late })),
        (
            "search of a role, a time and a thread",
            json!({ "role": "user", "from": late, "threadId": "thread 9" }),
        ),
    ] {
        let mut options = narrow;
        options["query"] = "word1507 word613 word59".into();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let found = world.call(&engine, "threads.search", &options);
                assert!(!found.as_array().unwrap().is_empty());
                let role = options["role"].as_str();
                let is_right = |found: &Value| role.is_none_or(|role| found["role"] == role);
                assert!(found.as_array().unwrap().iter().all(is_right));
            });
        });
    }
    group.bench_function("trim", |bencher| {
        let options = json!({ "threadId": "thread 9", "maxTokens": 4000 });
        bencher.iter(|| {
            let tokens = world.call(&engine, "threads.trim", &options)["tokens"].as_u64().unwrap();
            assert!((3900..=4000).contains(&tokens));
        });
    });
    group.bench_function("window", |bencher| {
        let options = json!({ "threadId": "thread 9" });
        bencher.iter(|| {
            assert_eq!(
                world.call(&engine, "threads.window", &options)["messages"].as_array().unwrap().len(),
                10
            );
        });
    });
    for (name, count) in [("append of a message", 1), ("append of 10 messages", 10)] {
        let next = Cell::new(MESSAGES);
        group.bench_function(name, |bencher| {
            // Until it is stored, in memory, and said so; the log is folded afterwards.
            bencher.iter_custom(|rounds| {
                let mut spent = Duration::ZERO;
                for _ in 0..rounds {
                    let first = next.replace(next.get() + count);
                    let messages: Vec<Value> = (first..first + count).map(message).collect();
                    let options = json!({ "messages": messages, "threadId": "thread 3" }).to_string();
                    let engine = engine.clone();
                    let (appended, time) = world.machine.run(async move {
                        let start = Instant::now();
                        let appended = engine.call("threads.append", SCOPE, &options).await.unwrap();
                        (appended, start.elapsed())
                    });
                    let appended: Value = serde_json::from_str(&appended).unwrap();
                    assert_eq!(appended["messageIds"].as_array().unwrap().len(), count);
                    spent += time;
                }
                spent
            });
        });
    }
    group.finish();
}

criterion_group!(threads, benches);
criterion_main!(threads);
