//! Arbitrary pairs in a storage: reading them never panics, and what is read can be written and read again.
//!
//! The input is pairs: the length of the key, the length of the value, the key, the value. When the key's length has its highest bit,
//! the value is the kind and the payload of a frame, whose checksums are put in.

use super::frames::{framed, frames};
use crate::support::image::pairs_of;
use crate::support::world::World;
use mnemic::log::replay;
use mnemic::store::Store;
use serde_json::json;

/// The bytes of a head before its frame.
const COUNTER: usize = 8;

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
            let recovered = Store::load("model", image);
            assert!(recovered.store.sequence() <= recovered.head.sequence);
            is_read = recovered.store.sequence() > 0;
        }
    }
    is_read
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
    let recovered = Store::load("model", replay(&pairs, 0).unwrap());
    assert!(recovered.store.sequence() <= recovered.head.sequence);
    assert!(
        recovered.damage.iter().any(|damage| damage.message.contains("commit 99")),
        "{:?}",
        recovered.damage
    );
}
