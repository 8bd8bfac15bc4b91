//! How fast the knowledge graph answers with 100 000 entities and 300 000 relations; every answer is checked.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench stops at what it did not expect")]

#[path = "support/world.rs"]
mod world;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::{Value, json};
use std::cell::Cell;
use std::time::{Duration, Instant};
use world::{SCOPE, World};

const ENTITIES: usize = 100_000;
const RELATIONS_PER_ENTITY: usize = 3;
const PER_CALL: usize = 1000;

fn name(number: usize) -> String {
    format!("Person {:06}", number % ENTITIES)
}

/// Entities as a model writes them.
fn entities(prefix: &str, first: usize) -> Value {
    let entity = |number: usize| {
        json!({
            "name": format!("{prefix}{}", name(number)),
            "entityType": "person",
            "observations": [
                format!("Lives in house number {} of the long street", number % 977),
                format!("Works on project {} with two others", number % 1013),
            ],
        })
    };
    json!({ "entities": (first..first + PER_CALL).map(entity).collect::<Vec<_>>() })
}

fn relations(first: usize) -> Value {
    let relation = |number: usize, step: usize| json!({ "from": name(number), "to": name(number * 7 + step), "relationType": format!("knows_{step}") });
    let all = (first..first + PER_CALL)
        .flat_map(|number| (1..=RELATIONS_PER_ENTITY).map(move |step| relation(number, step)));
    json!({ "relations": all.collect::<Vec<_>>() })
}

fn benches(criterion: &mut Criterion) {
    let world = World::new();
    let engine = world.open(json!({}));
    for first in (0..ENTITIES).step_by(PER_CALL) {
        world.call(&engine, "graph.create_entities", &entities("", first));
    }
    for first in (0..ENTITIES).step_by(PER_CALL) {
        let Value::Array(all) = relations(first)["relations"].take() else { continue };
        for part in all.chunks(PER_CALL) {
            world.call(&engine, "graph.create_relations", &json!({ "relations": part }));
        }
    }
    let mut group = criterion.benchmark_group("graph of 100k entities, 300k relations");
    group.sample_size(10);
    group.bench_function("open_nodes", |bencher| {
        bencher.iter(|| {
            let found =
                world.call(&engine, "graph.open_nodes", &json!({ "names": [name(5000), name(70_000)] }));
            assert_eq!(found["entities"].as_array().unwrap().len(), 2);
            assert!(found["relations"].as_array().unwrap().len() >= 6);
        });
    });
    for (kind, query, count) in [
        ("rare", "person 0345", 100),
        ("none", "nothing holds this", 0),
        ("in observations", "project 500 with", 99),
    ] {
        group.bench_function(format!("search_nodes, {kind}"), |bencher| {
            bencher.iter(|| {
                let found = world.call(&engine, "graph.search_nodes", &json!({ "query": query }));
                assert_eq!(found["entities"].as_array().unwrap().len(), count);
            });
        });
    }
    for (kind, query) in [("every entity", ""), ("a letter of all", "e")] {
        group.bench_function(format!("search_nodes, {kind}"), |bencher| {
            bencher.iter(|| {
                let found = world.call(&engine, "graph.search_nodes", &json!({ "query": query }));
                let shown = found["entities"].as_array().unwrap().len();
                assert_eq!(found["truncated"]["entities"], ENTITIES - shown);
            });
        });
    }
    group.bench_function("neighbours, 2 steps", |bencher| {
        bencher.iter(|| {
            let found =
                world.call(&engine, "graph.neighbours", &json!({ "names": [name(5000)], "depth": 2 }));
            assert!(found["entities"].as_array().unwrap().len() > 20);
        });
    });
    group.bench_function("path of 3 steps", |bencher| {
        bencher.iter(|| {
            let asked = json!({ "from": name(5000), "to": name(((5000 * 7 + 1) * 7 + 2) * 7 + 3) });
            let found = world.call(&engine, "graph.path", &asked);
            assert!((2..=3).contains(&found["relations"].as_array().unwrap().len()));
        });
    });
    group.bench_function("resolve", |bencher| {
        bencher.iter(|| {
            let found = world.call(&engine, "graph.resolve", &json!({ "name": "Mr. Person 005000" }));
            assert_eq!(found[0]["entity"]["name"], name(5000));
        });
    });
    let round = Cell::new(0);
    group.bench_function("create_entities of 1000", |bencher| {
        // Until it is stored and said so; the log is folded afterwards.
        bencher.iter_custom(|rounds| {
            let mut spent = Duration::ZERO;
            for _ in 0..rounds {
                round.set(round.get() + 1);
                let new = entities(&format!("New {} ", round.get()), 0).to_string();
                let engine = engine.clone();
                let (created, time) = world.machine.run(async move {
                    let start = Instant::now();
                    let created = engine.call("graph.create_entities", SCOPE, &new).await.unwrap();
                    (created, start.elapsed())
                });
                let created: Value = serde_json::from_str(&created).unwrap();
                assert_eq!(created["entities"].as_array().unwrap().len(), PER_CALL);
                spent += time;
            }
            spent
        });
    });
    group.finish();
}

criterion_group!(graph, benches);
criterion_main!(graph);
