//! How much memory a memory may take: what does not fit is refused before it is stored, and what was stored opens again.

use crate::support::image::pairs_of;
use crate::support::world::{ALICE, World};
use mnemic::Code;
use mnemic::engine::Engine;
use serde_json::{Value, json};

const MIB: u64 = 1 << 20;
const MAX_MIB: u64 = 16;

fn open(world: &World, max_memory_mb: u64) -> Engine {
    world.open(None, &json!({ "maxMemoryMb": max_memory_mb }))
}

/// Some documents of 200 kB each, from a number on.
fn documents(first: usize, count: usize) -> Value {
    let put = |number: usize| {
        json!({ "op": "put", "namespace": ["notes"], "key": format!("k{number}"), "index": false,
                "value": { "note": format!("{number} {}", "x".repeat(200_000)) } })
    };
    json!({ "operations": (first..first + count).map(put).collect::<Vec<_>>() })
}

fn count(world: &World, engine: &Engine) -> u64 {
    world.call(engine, "usage", json!({}))["records"].as_u64().unwrap()
}

#[test]
fn what_does_not_fit_is_refused_with_the_number_and_what_is_there_opens_again() {
    let world = World::new();
    let engine = open(&world, MAX_MIB);
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
    assert_eq!(error.details["maxMemoryMb"], MAX_MIB);
    assert!(
        error.details["memoryMb"].as_u64() > Some(MAX_MIB) && error.message.contains("maxMemoryMb allows 16")
    );
    // Three quarters at least are of use: a write of 400 kB is taken to need four times as much.
    assert!(written as u64 * 200_000 > MAX_MIB * MIB * 3 / 4, "{written}");
    let standing = world.call(&engine, "standing", json!({}));
    assert_eq!(standing["maxMemoryBytes"], MAX_MIB * MIB);
    assert!(standing["memoryBytes"].as_u64().unwrap() <= MAX_MIB * MIB);
    assert_eq!(count(&world, &engine), written as u64);
    world.close(&engine);

    // It is as large when it is read, so the same limit does, and a smaller one is refused with the number.
    let engine = open(&world, MAX_MIB);
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
    let engine = open(&world, 64);
    for first in (0..110).step_by(5) {
        world.call(&engine, "documents.batch", documents(first, 5));
    }
    world.close(&engine);
    let error = world.try_open(None, None, &json!({ "maxMemoryMb": MAX_MIB })).err().unwrap();
    assert_eq!(error.code, Code::QuotaExceeded);
    assert!(error.details["memoryMb"].as_u64() > Some(20), "{error}");
    let engine = open(&world, 64);
    assert_eq!(count(&world, &engine), 110);
    world.close(&engine);
}

#[test]
fn a_limit_that_nothing_fits_in_is_refused() {
    let world = World::new();
    let error = world.try_open(None, None, &json!({ "maxMemoryMb": 15 })).err().unwrap();
    assert_eq!(error.code, Code::InvalidInput, "{error}");
}
