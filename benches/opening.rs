//! How long the steps of opening take: checking what is stored, and taking in commits, words and vectors.
//!
//! The image is 100 000 facts (`FACTS` names another number) as an application imports them, a thousand at a time, with vectors of
//! the built-in embedder. Medians of nine rounds (`ROUNDS`); each answer is checked.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench stops at what it did not expect, and prints"
)]

#[path = "support/world.rs"]
mod world;

use futures_util::FutureExt;
use mnemic::index::embedder::EMBEDDER;
use mnemic::log::{Part, Replay};
use mnemic::ports::{Pairs, Storage};
use mnemic::store::Store;
use serde_json::json;
use std::env::var;
use std::hint::black_box;
use std::time::{Duration, Instant};
use world::World;

const PER_CALL: usize = 1000;
const WORDS: [&str; 19] = [
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty", "knoll",
    "ledge", "marsh", "north", "ocean", "plain", "quill", "ridge", "shore",
];
/// What is timed.
const STEPS: [&str; 5] = ["checking all values", "commits", "words", "vectors", "texts without words"];

fn number(name: &str, default: usize) -> usize {
    var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

fn text(number: usize) -> String {
    let word = |number: usize| WORDS.get(number % WORDS.len()).unwrap();
    let words = [word(number), word(number >> 3), word(number >> 5), word(number * 7)];
    let [one, two, three, four] = words;
    format!("Alice has seen the {one} {two} near the {three} {four} on day {number} of her journey")
}

/// All that a memory of facts stores.
fn filled(facts: usize) -> Pairs {
    let world = World::new();
    let engine = world.open(json!({}));
    for first in (0..facts).step_by(PER_CALL) {
        let facts: Vec<_> =
            (first..facts.min(first + PER_CALL)).map(|number| json!({ "text": text(number) })).collect();
        world.call(&engine, "facts.import", &json!({ "facts": facts }));
    }
    world.machine.run(async move { engine.close().await });
    world.storage.read("", "~").now_or_never().unwrap().unwrap()
}

/// Opens it: how long each step took.
fn opened(pairs: &Pairs, facts: usize) -> [Duration; STEPS.len()] {
    let mut times = [Duration::ZERO; STEPS.len()];
    let mut replay = Replay::begin(pairs, 0).unwrap();
    let mut began = Instant::now();
    let mut end = |step: usize| {
        *times.get_mut(step).unwrap() += began.elapsed();
        began = Instant::now();
    };
    while replay.step().unwrap().is_some() {}
    let image = replay.end();
    end(0);
    let mut store = Store::new(EMBEDDER);
    let is_commit = |part: &&Part<'_>| matches!(part, Part::Commits { .. } | Part::Commit(_));
    for part in image.parts.iter().filter(is_commit).chain(image.parts.iter().filter(|part| !is_commit(part)))
    {
        store.take_in(part).unwrap();
        end(match part {
            Part::Commits { .. } | Part::Commit(_) => 1,
            Part::Terms { .. } => 2,
            Part::Vectors { .. } => 3,
        });
    }
    let mut next = Some(0);
    while let Some(first) = next {
        next = store.index_texts_from(first).map(|(end, _)| end);
    }
    end(4);
    let counts = black_box(&store).counts();
    assert_eq!((counts.records, counts.vectors, counts.unembedded), (facts, facts, 0));
    times
}

fn main() {
    let (facts, rounds) = (number("FACTS", 100_000), number("ROUNDS", 9));
    let pairs = filled(facts);
    let bytes: usize = pairs.iter().map(|(_, value)| value.len()).sum();
    println!("{facts} facts: {} values, {:.1} MB", pairs.len(), bytes as f64 / 1e6);
    let mut all: Vec<_> = (0..rounds).map(|_| opened(&pairs, facts)).collect();
    let mut sum = 0.0;
    for (step, name) in STEPS.iter().enumerate() {
        all.sort_by_key(|times| times.get(step).copied());
        let median = all.get(rounds / 2).and_then(|times| times.get(step)).unwrap().as_secs_f64() * 1000.0;
        sum += median;
        println!("{name}: {median:.1} ms");
    }
    println!("together: {sum:.1} ms");
}
