//! Forgetting where messages are in storage and not in memory.

use crate::support::storage::TestStorage;
use crate::support::world::World;
use serde_json::json;
use std::rc::Rc;

const MESSAGES: usize = 400;
const TEXT_BYTES: usize = 16_000;

/// Every message of the scope was read, and none was let go of before all were: of 200 000, one could not be forgotten where memory
/// is short.
#[test]
fn a_message_that_goes_by_its_id_goes_without_the_others_being_read() {
    let world = World::new();
    let options = json!({ "maxMemoryBytes": 16 << 20, "extraction": { "auto": false } });
    let engine = world.open_on(Rc::new(TestStorage::with_reader(&world.storage)), &options).unwrap();
    for number in 0..MESSAGES {
        let content = format!("number{number} {}", "tea and cake ".repeat(TEXT_BYTES / 13));
        let said = json!({ "messages": [{ "role": "user", "content": content }], "learn": false });
        world.call(&engine, "remember", said);
    }
    world.close(&engine);
    let storage = Rc::new(TestStorage::with_reader(&world.storage));
    let engine = world.open_on(storage.clone(), &options).unwrap();
    let found = world.call(&engine, "threads.search", json!({ "query": "number7", "limit": 1 }));
    let id = found[0]["id"].clone();
    assert!(found[0]["content"].as_str().unwrap().starts_with("number7 "), "{found}");
    let reads = || storage.reader.as_ref().unwrap().reads.get();
    // Each stands in a page of its own.
    let ids = json!([id]);
    for (selector, count) in [(json!({ "ids": ids }), 1), (json!({ "threadId": "other" }), 0)] {
        let before = reads();
        let mut preview = selector.clone();
        preview["preview"] = json!(true);
        let told = world.call(&engine, "forget", preview);
        let read = reads() - before;
        assert_eq!(told["forgotten"]["message"].as_u64().unwrap_or(0), count, "{told}");
        assert!(read < MESSAGES / 8, "{read} for {selector}");
    }
    let forgotten = world.call(&engine, "forget", json!({ "ids": ids }));
    assert_eq!(forgotten["forgotten"]["message"], 1, "{forgotten}");
    world.close(&engine);
}
