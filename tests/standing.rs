//! How a memory stands, which tells a lost one from a new one.

use crate::support::world::{ALICE, BOB, World};
use mnemic::ports::{Batch, HEAD_KEY, Storage};
use mnemic::storage::MemoryStorage;
use serde_json::json;
use std::rc::Rc;

#[test]
fn standing_follows_the_memory_and_survives_reopening() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let new = world.call(&engine, "standing", json!({}));
    assert_eq!(new["counter"], 0);
    assert_eq!((&new["records"], &new["bytes"], &new["damage"]), (&json!(0), &json!(0), &json!([])));

    world.try_call(&engine, "facts.add", ALICE, json!({ "text": "The user likes tea." })).unwrap();
    let one = world.call(&engine, "standing", json!({}));
    world.try_call(&engine, "facts.add", BOB, json!({ "text": "The user likes coffee." })).unwrap();
    let two = world.call(&engine, "standing", json!({}));
    assert!(one["counter"].as_u64() > Some(0) && two["counter"].as_u64() > one["counter"].as_u64());
    assert_eq!((&one["records"], &two["records"]), (&json!(1), &json!(2)));
    assert!(one["bytes"].as_u64() > Some(0) && two["bytes"].as_u64() > one["bytes"].as_u64());
    assert_eq!(one["lineage"], two["lineage"]);
    assert_eq!(one["lineage"].as_str().unwrap().len(), 32);

    let again = world.open(None, &json!({}));
    assert_eq!(world.call(&again, "standing", json!({}))["lineage"], two["lineage"]);
    assert!(!format!("{two}").contains("tea"), "a standing tells nothing of what is remembered");
}

#[test]
fn a_lost_head_is_damage_and_another_lineage() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    world.try_call(&engine, "facts.add", ALICE, json!({ "text": "The user likes tea." })).unwrap();
    let before = world.call(&engine, "standing", json!({}));
    let pairs = world.machine.run({
        let storage = world.storage.clone();
        async move { storage.read("", "~").await }
    });
    let headless = MemoryStorage::default();
    let puts = pairs.unwrap().into_iter().filter(|(key, _)| key != HEAD_KEY).collect();
    let batch = Batch { puts, deletes: Vec::new() };
    world
        .machine
        .run({
            let storage = headless.clone();
            async move { storage.write(&batch, 0).await }
        })
        .unwrap();
    let engine = world.open_on(Rc::new(headless), &json!({})).unwrap();
    let after = world.call(&engine, "standing", json!({}));
    assert_ne!(after["lineage"], before["lineage"]);
    assert_eq!(after["records"], 1);
    let keys: Vec<_> = after["damage"].as_array().unwrap().iter().map(|damage| &damage["key"]).collect();
    assert!(keys.iter().any(|key| key.as_str().unwrap().ends_with(HEAD_KEY)), "{keys:?}");
}
