//! Arbitrary bytes as a backup: reading them never panics, and what is taken in can be written and read again.
//!
//! The input is frames: a kind, the length of the payload, the payload. Around them is put what makes a file of them, so that they
//! get past the checksums; the raw bytes are tried as they are too.

use super::frames::{VECTORS, crc32, framed, frames};
use crate::support::world::World;
use mnemic::log::BackupReader;
use mnemic::store::Store;
use serde_json::json;

/// The kinds of frames, by the byte that chooses one.
const KINDS: [u8; 4] = [6, 3, 4, VECTORS];

/// The bytes before the first frame.
const MAGIC: &[u8] = b"mnemic\r\n";

/// Tries an input; answers whether it was taken in.
pub(crate) fn run(data: &[u8]) -> bool {
    read(data);
    read(&file(data))
}

fn read(file: &[u8]) -> bool {
    let mut reader = BackupReader::default();
    for piece in file.chunks(61) {
        if reader.push(piece).is_err() {
            return false;
        }
    }
    let Ok(backup) = reader.finish() else { return false };
    let Ok(store) = Store::restored("model", &backup) else { return false };
    let (frames, _, _) = store.backup_commits((1, u64::MAX), None, usize::MAX);
    assert!(frames.is_empty() == (store.sequence() == 0));
    for scope in store.scopes() {
        assert!(store.ids_ever(scope).into_iter().all(|id| store.past(id).is_some()));
    }
    true
}

/// The file of an input.
pub(super) fn file(data: &[u8]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    let (mut count, mut bytes, mut commits, mut chain) = (0u32, file.len() as u64, 0u64, 0u32);
    let mut rest = data;
    while let Some((head, more)) = rest.split_first_chunk::<3>() {
        let kind = KINDS[usize::from(head[0] % 4)];
        let length = usize::from(u16::from_le_bytes([head[1], head[2]])).min(more.len());
        let (payload, more) = more.split_at(length);
        let frame = framed(kind, payload);
        chain = crc32(&[chain.to_le_bytes().as_slice(), &frame[..16]].concat());
        (count, bytes) = (count + 1, bytes + frame.len() as u64);
        commits += if kind == 3 { blocks(payload) } else { 0 };
        file.extend(frame);
        rest = more;
    }
    let end = [&count.to_le_bytes()[..], &commits.to_le_bytes(), &bytes.to_le_bytes(), &chain.to_le_bytes()];
    file.extend(framed(7, &end.concat()));
    file
}

/// How many blocks a payload has, as far as it is readable.
fn blocks(mut payload: &[u8]) -> u64 {
    let mut count = 0;
    while let Some((length, rest)) = payload.split_first_chunk::<4>() {
        let Some(rest) = rest.get(u32::from_le_bytes(*length) as usize..) else { break };
        (payload, count) = (rest, count + 1);
    }
    count
}

/// Inputs that are backups: of a memory, and of one scope of it.
pub(crate) fn corpus() -> Vec<Vec<u8>> {
    let world = World::new();
    let engine = world.open(None, &json!({ "tiers": { "capacity": 2 } }));
    world.teach(&engine, "My name is Ann. I live in Lisbon and I love bees.");
    let id = world.add(&engine, json!({ "text": "Ann sails", "metadata": { "n": 1 } }));
    world.call(&engine, "facts.update", json!({ "id": id, "text": "Ann rows" }));
    world.call(&engine, "facts.delete", json!({ "id": id }));
    let document = json!({ "namespace": ["n"], "key": "k", "value": { "a": [1, "b"] }, "ttlMs": 3_600_000 });
    world.call(&engine, "documents.put", document);
    for number in 0..3 {
        world.call(&engine, "tiers.add", json!({ "query": format!("bees {number}"), "response": "yes" }));
    }
    let said = world.say(&engine, "Forget this.");
    world.call(&engine, "forget", json!({ "ids": said["messageIds"] }));
    world.idle(&engine);
    [world.export(&engine, ""), world.export(&engine, crate::support::world::ALICE)]
        .map(|file| input(&file))
        .into()
}

/// The input of a file, without its last frame, which is made anew.
fn input(file: &[u8]) -> Vec<u8> {
    let mut input = Vec::new();
    for (kind, payload) in frames(&file[MAGIC.len()..]) {
        let Some(choice) = KINDS.iter().position(|known| *known == kind) else { continue };
        input.push(choice as u8);
        input.extend((payload.len() as u16).to_le_bytes());
        input.extend(payload);
    }
    input
}
