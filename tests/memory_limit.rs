//! How much memory a memory may take: what does not fit is refused before it is stored, and what was stored opens again.

use crate::support::embedder::ToyEmbedder;
use crate::support::image::{pairs_of, storage_of};
use crate::support::platform::TestPlatform;
use crate::support::world::{ALICE, BOB, HOUR_MS, Scripted, World};
use mnemic::Code;
use mnemic::database::{Database, MOST_GROWTH};
use mnemic::engine::Engine;
use mnemic::log::Cause;
use mnemic::ports::Platform;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect};
use mnemic::{Embedding, Id, Kind, Record, Result, Scope};
use serde_json::{Value, json};
use std::rc::Rc;

const MIB: u64 = 1 << 20;
const MAX_BYTES: u64 = 16 * MIB;

fn open(world: &World, max_memory_bytes: u64) -> Engine {
    world.open(None, &json!({ "maxMemoryBytes": max_memory_bytes }))
}

/// Some documents of 200 kB each, from a number on.
fn documents(first: usize, count: usize) -> Value {
    let put = |number: usize| {
        json!({ "op": "put", "namespace": ["notes"], "key": format!("k{number}"), "index": false,
                "value": { "note": format!("{number} {}", "x".repeat(200_000)) } })
    };
    json!({ "operations": (first..first + count).map(put).collect::<Vec<_>>() })
}

/// Writes documents of 200 kB until one more does not fit: how many there are.
fn fill(world: &World, engine: &Engine) -> usize {
    let mut written = 0;
    while world.try_call(engine, "documents.batch", ALICE, documents(written, 1)).is_ok() {
        written += 1;
        assert!(written < 100, "nothing is ever refused");
    }
    // Small ones do to the last.
    for number in 0.. {
        let fact = json!({ "text": format!("number {number} {}", "likes tea ".repeat(300)) });
        if world.try_call(engine, "facts.add", BOB, fact).is_err() {
            break;
        }
        assert!(number < 1000, "nothing is ever refused");
    }
    written
}

fn taken(world: &World, engine: &Engine) -> u64 {
    world.call(engine, "taken", json!({}))["memoryBytes"].as_u64().unwrap()
}

fn count(world: &World, engine: &Engine) -> u64 {
    world.call(engine, "usage", json!({}))["records"].as_u64().unwrap()
}

#[test]
fn what_does_not_fit_is_refused_with_the_number_and_what_is_there_opens_again() {
    let world = World::new();
    let engine = open(&world, MAX_BYTES);
    let mut written = 0;
    let error = loop {
        let before = pairs_of(&world.storage);
        match world.try_call(&engine, "documents.batch", ALICE, documents(written, 2)) {
            Ok(_) => written += 2,
            Err(error) => {
                assert_eq!(pairs_of(&world.storage), before, "a refused write has stored something");
                break error;
            }
        }
        assert!(written < 100, "nothing is ever refused");
    };
    assert_eq!(error.code, Code::QuotaExceeded, "{error}");
    assert_eq!(error.details["maxMemoryBytes"], MAX_BYTES);
    assert!(
        error.details["memoryBytes"].as_u64() > Some(MAX_BYTES)
            && error.message.contains("maxMemoryBytes is 16777216")
    );
    // Three quarters at least are of use: a write of 400 kB is taken to need four times as much.
    assert!(written as u64 * 200_000 > MAX_BYTES * 3 / 4, "{written}");
    let standing = world.call(&engine, "taken", json!({}));
    assert_eq!(standing["maxMemoryBytes"], MAX_BYTES);
    assert!(standing["memoryBytes"].as_u64().unwrap() <= MAX_BYTES);
    assert_eq!(count(&world, &engine), written as u64);
    world.close(&engine);

    // It is as large when it is read, so the same limit does, and a smaller one is refused with the number.
    let engine = open(&world, MAX_BYTES);
    assert_eq!(count(&world, &engine), written as u64);
    world.try_call(&engine, "documents.batch", ALICE, documents(written, 2)).unwrap_err();
    // What makes room always goes, and what fits then is taken.
    world.call(&engine, "forget", json!({ "scope": true }));
    world.try_call(&engine, "documents.batch", ALICE, documents(written, 2)).unwrap();
    world.close(&engine);
}

#[test]
fn a_memory_that_others_made_too_large_is_refused_with_the_number() {
    let world = World::new();
    let engine = open(&world, 64 * MIB);
    for first in (0..110).step_by(5) {
        world.call(&engine, "documents.batch", documents(first, 5));
    }
    world.close(&engine);
    let error = world.try_open(None, None, &json!({ "maxMemoryBytes": MAX_BYTES })).err().unwrap();
    assert_eq!(error.code, Code::QuotaExceeded);
    assert!(error.details["memoryBytes"].as_u64() > Some(20 * MIB), "{error}");
    let engine = open(&world, 64 * MIB);
    assert_eq!(count(&world, &engine), 110);
    world.close(&engine);
}

#[test]
fn a_limit_that_nothing_fits_in_is_refused() {
    let world = World::new();
    let error = world.try_open(None, None, &json!({ "maxMemoryBytes": MAX_BYTES - 1 })).err().unwrap();
    assert_eq!(error.code, Code::InvalidInput, "{error}");
}

/// Each draft of a group was held against what there was before any of them.
#[test]
fn drafts_that_share_a_write_are_added_up() {
    let world = World::new();
    let engine = open(&world, MAX_BYTES);
    let begun: Vec<_> =
        (0..60).map(|number| world.begin(&engine, "documents.batch", documents(number * 2, 2))).collect();
    world.idle(&engine);
    let answers: Vec<Result<Value>> = begun.iter().map(|answer| answer.take().unwrap()).collect();
    let refused = answers.iter().filter(|answer| answer.is_err()).count();
    assert!(
        answers
            .iter()
            .flat_map(|answer| answer.as_ref().err())
            .all(|error| error.code == Code::QuotaExceeded)
    );
    assert!(refused > 10 && refused < 40, "{refused}");
    assert!(taken(&world, &engine) <= MAX_BYTES, "{}", taken(&world, &engine));
    world.close(&engine);
    let engine = open(&world, MAX_BYTES);
    assert_eq!(count(&world, &engine), 2 * (60 - refused as u64));
    world.close(&engine);
}

/// What was imported or restored was taken in whatever its size, and then the memory did not open any more.
#[test]
fn backups_are_refused_that_do_not_fit() {
    let large = World::new();
    let engine = open(&large, 64 * MIB);
    for first in (0..110).step_by(5) {
        large.call(&engine, "documents.batch", documents(first, 5));
    }
    let (all, scope) = (large.export(&engine, ""), large.export(&engine, ALICE));
    large.close(&engine);
    let world = World::new();
    let engine = open(&world, MAX_BYTES);
    world.add(&engine, json!({ "text": "Alice likes tea" }));
    let before = pairs_of(&world.storage);
    for (target, file, method, options) in [
        ("", &all, "backups.replace", json!({})),
        ("", &all, "backups.merge", json!({ "mode": "merge" })),
        (ALICE, &scope, "backups.merge", json!({ "mode": "replace" })),
    ] {
        let error = world.import(&engine, target, file, method, options).unwrap_err();
        assert_eq!(error.code, Code::QuotaExceeded, "{method}: {error}");
        assert!(error.details["memoryBytes"].as_u64() > Some(20 * MIB), "{error}");
        assert_eq!(pairs_of(&world.storage), before, "{method} has stored something");
    }
    assert_eq!(world.facts(&engine), ["Alice likes tea"]);
    world.close(&engine);
    // What fits is taken in, and counts.
    let small = World::new();
    let engine = open(&small, MAX_BYTES);
    small.call(&engine, "documents.batch", documents(0, 5));
    let file = small.export(&engine, "");
    let engine = open(&world, MAX_BYTES);
    fill(&world, &engine);
    world.import(&engine, "", &file, "backups.replace", json!({})).unwrap();
    world.call(&engine, "documents.batch", documents(5, 5));
    assert_eq!(count(&world, &engine), 10);
    world.close(&engine);
}

/// A deletion that withheld words in a message was refused in a full memory, while accesses filled it without end.
#[test]
fn a_full_memory_lets_go_and_takes_nothing_more() {
    let world = World::new();
    let engine = open(&world, MAX_BYTES);
    let teaching = json!({ "messages": [{ "role": "user", "content": "I live in Busan." }] });
    world.call(&engine, "remember", teaching.clone());
    world.idle(&engine);
    let fact = world.call(&engine, "facts.list", json!({}))[0]["id"].clone();
    fill(&world, &engine);
    let full = taken(&world, &engine);
    let error = world.fails(
        &engine,
        "remember",
        json!({ "messages": [{ "role": "user", "content": "x".repeat(200_000) }] }),
    );
    assert_eq!(error.code, Code::QuotaExceeded);
    assert!(
        error.message.contains("maxMemoryBytes is 16777216") && error.message.contains("forget"),
        "{error}"
    );

    // Accesses of each hour were commits of their own.
    for _ in 0..30 {
        world.machine.pass(2 * HOUR_MS);
        let found = world.try_call(&engine, "facts.search", BOB, json!({ "query": "tea", "limit": 1000 }));
        assert!(found.unwrap().as_array().unwrap().len() > 20);
        world.idle(&engine);
    }
    assert!(taken(&world, &engine) <= MAX_BYTES, "{} beyond", taken(&world, &engine) - MAX_BYTES);

    // This rewrites the message that the fact was learned from.
    let deleted = world.call(&engine, "facts.delete", json!({ "id": fact }));
    assert_eq!(deleted["withheld"].as_array().map(Vec::len), Some(1), "{deleted}");
    // What only ends things is refused before the memory would no longer open.
    let ids: Vec<Value> = world
        .try_call(&engine, "facts.list", BOB, json!({ "limit": 1000 }))
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|fact| fact["id"].clone())
        .collect();
    for id in ids {
        world.try_call(&engine, "facts.delete", BOB, json!({ "id": id })).unwrap();
    }
    assert!(taken(&world, &engine) <= full + full / 16);
    // Forgetting makes room at once.
    world.call(&engine, "forget", json!({ "scope": true }));
    world.call(&engine, "documents.batch", documents(0, 10));
    world.close(&engine);
    world.close(&open(&world, MAX_BYTES));
}

/// Models were paid for what was refused then.
#[test]
fn a_full_memory_asks_no_model() {
    let world = World::new();
    let engine = open(&world, MAX_BYTES);
    world.call(
        &engine,
        "remember",
        json!({ "messages": [{ "role": "user", "content": "I live in Busan." }], "learn": false }),
    );
    fill(&world, &engine);
    world.close(&engine);
    let (llm, embedder) = (Scripted::new([]), ToyEmbedder::of_lengths());
    let options = json!({ "maxMemoryBytes": MAX_BYTES, "extraction": { "auto": false } });
    let engine = world.try_open(Some(llm.clone()), Some(embedder.clone()), &options).unwrap();
    let error = world.fails(&engine, "threads.summarise", json!({ "threadId": "default" }));
    assert_eq!(error.code, Code::QuotaExceeded, "{error}");
    let failed = world.idle(&engine)["failed"][0].clone();
    assert_eq!((&failed["kind"], &failed["error"]["code"]), (&json!("embedding"), &json!("QuotaExceeded")));
    assert_eq!((llm.calls(), embedder.calls.get()), (0, 0));
    // A query is not stored.
    world.call(&engine, "facts.search", json!({ "query": "Busan" }));
    assert_eq!(embedder.calls.get(), 1);
    world.close(&engine);
}

/// An engine that found that another one had stored more than it may take could not even forget.
#[test]
fn what_others_stored_too_much_of_can_be_forgotten() {
    let world = World::new();
    let (small, large) = (open(&world, MAX_BYTES), open(&world, 64 * MIB));
    world.call(&small, "documents.batch", documents(0, 2));
    for first in (5..110).step_by(5) {
        world.call(&large, "documents.batch", documents(first, 5));
    }
    // The small one finds the log folded and reads everything anew.
    let error = world.fails(&small, "documents.batch", documents(2, 1));
    assert_eq!(error.code, Code::QuotaExceeded, "{error}");
    world.call(&small, "forget", json!({ "scope": true }));
    world.call(&small, "documents.batch", documents(2, 1));
    world.close(&small);
    world.close(&large);
    let engine = open(&world, MAX_BYTES);
    assert_eq!(count(&world, &engine), 1);
    world.close(&engine);
}

const EMBEDDER: &str = "test";

/// A record of some kind, with a text of some kind.
fn record(platform: &TestPlatform, shape: u64, scope: &Scope) -> (Record, Option<Embedding>) {
    let kinds = [Kind::Fact, Kind::Entity, Kind::Message, Kind::Document];
    let id = Id::new(platform.now(), platform.random());
    let mut record = Record::new(id, kinds[(shape % 4) as usize], scope.clone(), platform.now());
    let mut embedding = None;
    match (shape / 4) % 7 {
        0 => {}
        1 => record.text = Some("a".to_owned()),
        2 => record.text = Some("likes tea ".repeat(1 + (platform.next() % 50) as usize)),
        3 => {
            let word = || format!("{:x} ", platform.next() % 0xfff_ffff);
            record.text = Some((0..1 + platform.next() % 300).map(|_| word()).collect());
        }
        4 => {
            let letter = || char::from_u32(0xac00 + (platform.next() % 11_000) as u32).unwrap_or('a');
            record.text = Some((0..1 + platform.next() % 400).map(|_| letter()).collect());
        }
        5 => {
            record.text = Some("tea".to_owned());
            embedding = Embedding::quantise(EMBEDDER, &[0.5; 384]).ok();
        }
        _ => record.value = "x".repeat((platform.next() % 50_000) as usize).into(),
    }
    if platform.next().is_multiple_of(3) {
        record.key = Some(format!("key{}", platform.next() % 1000));
    }
    (record, embedding)
}

/// What is refused is decided by the most that a write can add, and by a count that is no more when the memory is opened again.
#[test]
fn no_write_adds_more_than_is_expected_and_reading_it_again_takes_no_more() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(11);
    println!("SEED={seed}");
    let (platform, mut pool) = TestPlatform::new(seed);
    let image = MemoryStorage::default();
    let mut most = (0, 0);
    pool.run_until(async {
        let database = Database::open(Rc::new(image.clone()), platform.clone(), EMBEDDER).await.unwrap();
        let mut before = (0, 0);
        for round in 0..700_u64 {
            // Many scopes, for each has indexes of its own.
            let scope = Scope::from_json(&json!({ "u": (platform.next() % 60).to_string() })).unwrap();
            let mut draft = Draft::new(&scope, Cause::User);
            for _ in 0..1 + platform.next() % 4 {
                let (record, embedding) = record(&platform, platform.next() % 28, &scope);
                draft.put(record, Expect::Any, embedding);
            }
            if database.commit(draft).await.is_err() {
                continue; // two with one key
            }
            let now = (database.taken().await.unwrap().memory_bytes, database.standing().unwrap().bytes);
            if round % 100 != 0 && now.1 > before.1 {
                let (added, written) = (now.0.saturating_sub(before.0), now.1 - before.1);
                assert!(added <= written * MOST_GROWTH, "{added} bytes by {written} in round {round}");
                if added * most.1.max(1) > most.0 * written || most.1 == 0 {
                    most = (added, written);
                }
            }
            before = now;
            if round % 50 == 49 {
                let image = Rc::new(storage_of(&pairs_of(&image)));
                let opened = Database::open(image, platform.clone(), EMBEDDER).await.unwrap();
                opened.indexed().await.unwrap();
                let read = opened.taken().await.unwrap().memory_bytes;
                assert!(read <= now.0 + (64 << 10), "{read} bytes when it is read, {} before", now.0);
            }
        }
    });
    println!("at most {} bytes by {}", most.0, most.1);
}
