//! Arbitrary pairs in a storage: reading them never panics, and what is read can be written and read again.
//!
//! The input is pairs: the length of the key, the length of the value, the key, the value. When the key's length has its highest bit,
//! the value is the kind and the payload of a frame, whose checksums are put in.

use super::frames::{framed, frames};
use crate::support::image::{pairs_of, storage_of};
use crate::support::platform::TestPlatform;
use crate::support::storage::TestStorage;
use crate::support::world::World;
use mnemic::Kind;
use mnemic::database::{Bounds, Database};
use mnemic::index::embedder::{EMBEDDER, embed};
use mnemic::log::replay;
use mnemic::ports::Pairs;
use mnemic::store::{Query, Store};
use serde_json::json;
use std::rc::Rc;

/// The bytes of a head before its frame.
const COUNTER: usize = 8;

/// Keys of so many bytes can still be set aside.
const KEY_BYTES: usize = 39;

/// Tries an input; answers whether it was read.
pub(crate) fn run(data: &[u8]) -> bool {
    let mut pairs = Vec::new();
    let mut rest = data;
    while let Some((length, more)) = rest.split_first_chunk::<3>() {
        let (key_length, value_length) =
            (usize::from(length[0] % 64), usize::from(u16::from_le_bytes([length[1], length[2]])));
        let (key, more) = more.split_at(key_length.min(more.len()));
        let (value, more) = more.split_at(value_length.min(more.len()));
        let key = String::from_utf8_lossy(key).into_owned();
        let before = if key == "head" { COUNTER } else { 0 };
        let value = match (length[0] & 128, value.split_at_checked(before)) {
            (128, Some((counter, [kind, payload @ ..]))) => [counter, &framed(*kind, payload)].concat(),
            _ => value.to_vec(),
        };
        pairs.push((key, value));
        rest = more;
    }
    let mut is_read = false;
    for after in [0, 1, u64::MAX / 2] {
        if let Ok(image) = replay(&pairs, after)
            && after == 0
        {
            let recovered = Store::load(EMBEDDER, image);
            assert!(recovered.store.sequence() <= recovered.head.sequence);
            is_read = recovered.store.sequence() > 0;
            search(&recovered.store);
        }
    }
    // Storages have no other keys.
    if pairs.iter().all(|(key, _)| key.is_ascii() && (1..=KEY_BYTES).contains(&key.len())) {
        open_in_parts(&pairs);
    }
    is_read
}

/// Opens it from a storage that answers for parts of values, so that opening reads no codes of vectors.
fn open_in_parts(pairs: &Pairs) {
    let (platform, mut pool) = TestPlatform::new(1);
    let storage = Rc::new(TestStorage::with_reader(&storage_of(pairs)));
    let bounds = Bounds { cache_bytes: Some(0), ..Bounds::default() };
    pool.run_until(async {
        let opening = Database::open_encrypted(storage, platform, EMBEDDER, None, bounds).await;
        let Ok(database) = opening else { return };
        if database.indexed().await.is_ok() {
            // What is damaged is told, or found again.
            let read = database.read(|store| {
                search(store);
                Ok(())
            });
            assert!(read.is_ok() || database.refresh().await.is_ok());
        }
        database.close().await;
    });
}

/// Searches every scope by words and meaning.
fn search(store: &Store) {
    let embedding = embed("bees in Lisbon").unwrap();
    for scope in store.scopes() {
        for kind in [Kind::Fact, Kind::Message] {
            let query = Query { text: "bees", embedding: Some(&embedding), limit: 3, now: 1 << 41 };
            if let Ok(found) = store.search(scope, kind, &query, &|_| true) {
                assert!(found.len() <= 3);
            }
        }
    }
}

/// Storages with a log, and with a segment.
pub(crate) fn corpus() -> Vec<Vec<u8>> {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    world.teach(&engine, "My name is Ann. I live in Lisbon and I love bees.");
    let id = world.add(&engine, json!({ "text": "Ann sails" }));
    world.call(&engine, "facts.update", json!({ "id": id, "text": "Ann rows" }));
    let log = input(&world);
    let said = world.say(&engine, "Forget this.");
    world.call(&engine, "forget", json!({ "ids": said["messageIds"] }));
    world.add(&engine, json!({ "text": "Ann swims" }));
    vec![log, input(&world)]
}

fn input(world: &World) -> Vec<u8> {
    let mut input = Vec::new();
    for (key, value) in pairs_of(&world.storage) {
        let (counter, framed) = value.split_at(if key == "head" { COUNTER } else { 0 });
        let (flag, value) = match frames(framed)[..] {
            [(kind, payload)] => (128, [counter, &[kind], payload].concat()),
            _ => (0, value),
        };
        input.push(key.len() as u8 | flag);
        input.extend((value.len() as u16).to_le_bytes());
        input.extend(key.bytes().chain(value));
    }
    input
}

/// A commit that a segment cannot have was taken for one of the state, which then was ahead of its head.
#[test]
fn a_commit_beyond_the_segments_is_damage() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let said = world.say(&engine, "Forget this.");
    world.call(&engine, "forget", json!({ "ids": said["messageIds"] }));
    let mut pairs = pairs_of(&world.storage);
    for (_, value) in pairs.iter_mut().filter(|(key, _)| key.starts_with("segment/")) {
        let [(kind @ 3, payload)] = frames(value)[..] else { continue };
        let mut payload = payload.to_vec();
        // The number of the first commit stands behind the length of its block.
        payload[4..12].copy_from_slice(&99u64.to_le_bytes());
        *value = framed(kind, &payload);
    }
    let recovered = Store::load(EMBEDDER, replay(&pairs, 0).unwrap());
    assert!(recovered.store.sequence() <= recovered.head.sequence);
    assert!(
        recovered.damage.iter().any(|damage| damage.message.contains("commit 99")),
        "{:?}",
        recovered.damage
    );
}
