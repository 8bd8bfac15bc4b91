//! Documents that live for a time.

use super::{MINUTE, found, get, open, open_on, put, records};
use crate::support::platform::yield_now;
use crate::support::storage::TestStorage;
use crate::support::world::{ALICE, START, World};
use mnemic::engine::{Engine, Options, Parts};
use serde_json::{Value, json};
use std::rc::Rc;

#[test]
fn a_document_lives_as_long_as_it_was_given_and_reading_lets_it_live_on() {
    let world = World::of("documents.");
    let storage = Rc::new(TestStorage::on(&world.storage));
    let engine = open_on(&world, storage.clone(), &json!({ "ttlMs": 10 * MINUTE })).unwrap();
    let live = |key: &str, ttl: Value| {
        let mut put = json!({ "namespace": ["n"], "key": key, "value": { "word": "quince" } });
        if !ttl.is_null() {
            put["ttlMs"] = ttl;
        }
        world.call(&engine, "put", put);
    };
    live("default", Value::Null);
    live("short", json!(MINUTE / 2));
    live("ever", json!(false));
    let end = |key: &str, refresh: bool| {
        let get = json!({ "namespace": ["n"], "key": key, "refreshTtl": refresh });
        world.call(&engine, "get", get)["expiresAt"].as_i64()
    };
    assert_eq!(end("default", false), Some(START + 10 * MINUTE));
    assert_eq!(end("ever", true), None);
    // More than nine tenths are left: a read writes nothing.
    world.machine.pass(MINUTE / 2);
    let writes = storage.writes.get();
    assert_eq!(end("default", true), Some(START + 10 * MINUTE));
    assert_eq!(storage.writes.get(), writes);
    // The short one is over, for every read.
    assert_eq!(end("short", true), None);
    assert_eq!(get(&world, &engine, &["n"], "short"), Value::Null);
    assert_eq!(found(&world, &engine, json!({ "query": "quince", "refreshTtl": false })).len(), 2);
    assert_eq!(found(&world, &engine, json!({ "refreshTtl": false })), ["default", "ever"]);
    world.machine.pass(5 * MINUTE);
    assert_eq!(end("default", false), Some(START + 10 * MINUTE), "no refresh when told so");
    let now = START + 5 * MINUTE + MINUTE / 2;
    let before = get(&world, &engine, &["n"], "default");
    assert_eq!(before["expiresAt"], json!(now + 10 * MINUTE), "get refreshes");
    assert_eq!(before["updatedAt"], json!(START), "reading is no change of the content");
    world.machine.pass(5 * MINUTE);
    let hits = world.call(&engine, "search", json!({ "query": "quince" }));
    assert_eq!(hits[0]["expiresAt"], json!(now + 15 * MINUTE), "search refreshes");
    // A refresh is durable, and the words stay findable.
    let engine = open(&world);
    assert_eq!(end("default", false), Some(now + 15 * MINUTE));
    assert_eq!(
        found(&world, &engine, json!({ "query": "quince", "refreshTtl": false })),
        ["default", "ever"]
    );
    world.machine.pass(15 * MINUTE);
    assert_eq!(found(&world, &engine, json!({})), ["ever"]);
    assert_eq!(world.call(&engine, "listNamespaces", json!({})), json!([["n"]]));
    // What comes back under the key of something that is over is new.
    let again = put(&world, &engine, &["n"], "default", json!({ "v": 2 }));
    assert_eq!(again["action"], json!("created"));
    let document = get(&world, &engine, &["n"], "default");
    assert_eq!(document["createdAt"], document["updatedAt"]);
    assert_eq!(found(&world, &engine, json!({})), ["ever", "default"]);
    let engine = open(&world);
    assert_eq!(records(&world, &engine), 2, "what is over is swept");
}

#[test]
fn reads_do_not_refresh_when_opened_so() {
    let world = World::of("documents.");
    let documents = json!({ "ttlMs": 10 * MINUTE, "refreshTtl": false });
    let engine = open_on(&world, Rc::new(world.storage.clone()), &documents).unwrap();
    put(&world, &engine, &["n"], "k", json!({}));
    world.machine.pass(5 * MINUTE);
    assert_eq!(get(&world, &engine, &["n"], "k")["expiresAt"], json!(START + 10 * MINUTE));
    let refreshed = world.call(&engine, "get", json!({ "namespace": ["n"], "key": "k", "refreshTtl": true }));
    assert_eq!(refreshed["expiresAt"], json!(START + 15 * MINUTE));
}

/// The sweep ended nothing of a batch in which one record had changed meanwhile: one document that was put anew kept all the
/// others that were over in the store until the next opening.
#[test]
fn what_changed_meanwhile_does_not_keep_the_others_from_being_swept() {
    for pause in 0..30 {
        let world = World::of("documents.");
        let engine = open(&world);
        for key in ["a", "b", "c"] {
            let put = json!({ "namespace": ["n"], "key": key, "value": { "v": 1 }, "ttlMs": MINUTE });
            world.call(&engine, "put", put);
        }
        world.machine.pass(2 * MINUTE);
        let slow = Rc::new(TestStorage::on(&world.storage));
        slow.yields.set(5);
        let parts = Parts {
            storage: slow,
            platform: world.machine.platform(),
            llm: None,
            embedder: None,
            tokenizer: None,
        };
        world.machine.run(async move {
            let putting = async {
                for _ in 0..pause {
                    yield_now().await;
                }
                let put = json!({ "namespace": ["n"], "key": "b", "value": { "v": 2 } });
                engine.call("documents.put", ALICE, &put.to_string()).await.unwrap();
            };
            let (opened, ()) =
                futures_util::future::join(Engine::open(parts, Options::default()), putting).await;
            opened.unwrap().call("idle", "", "{}").await.unwrap();
        });
        // Opening once more would sweep what was left, so what is stored is read as it is.
        let records = world.machine.run({
            let (image, platform) = (Rc::new(world.storage.clone()), world.machine.platform());
            async move {
                let database = mnemic::database::Database::open(image, platform, "none").await.unwrap();
                database.read(|store| Ok(store.counts().records)).unwrap()
            }
        });
        assert_eq!(records, 1, "after {pause} turns");
    }
}
