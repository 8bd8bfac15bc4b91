//! Documents of up to 16 MiB.

use super::{get, keys, open};
use crate::support::world::{ALICE, BOB, World};
use mnemic::Code;
use serde_json::{Value, json};

const MIB: usize = 1 << 20;

/// A value of so many bytes as JSON.
fn value(bytes: usize) -> Value {
    let text = "Petrel is a sloop. ".repeat(bytes / 19 + 1);
    json!({ "text": text[..bytes - r#"{"text":""}"#.len()] })
}

fn text(document: &Value) -> &str {
    document["value"]["text"].as_str().unwrap()
}

#[test]
fn a_large_value_is_a_document_as_any_other() {
    let world = World::of("documents.");
    let open = |world: &World| world.open(None, &json!({ "history": { "bytes": 64 * MIB } }));
    let engine = open(&world);
    let put = |key: &str, value: &Value| {
        world.call(&engine, "put", json!({ "namespace": ["n"], "key": key, "value": value }))
    };
    let (first, second) = (value(16 * MIB), value(3 * MIB));
    let id = put("large", &first)["id"].clone();
    put("small", &json!({ "text": "A cello" }));
    assert_eq!(put("large", &first)["action"], json!("unchanged"));
    for engine in [&engine, &open(&world)] {
        assert!(get(&world, engine, &["n"], "large")["value"] == first);
        let listed = world.call(engine, "list", json!({ "orderBy": "key" }));
        assert_eq!(keys(&listed), ["large", "small"]);
        assert_eq!((&listed[0]["bytes"], listed[0].get("value")), (&json!(16 * MIB), None));
        let found = world.call(engine, "search", json!({ "query": "sloop", "limit": 1 }));
        assert_eq!(
            (keys(&found), text(&found[0]).len()),
            (vec!["large".to_owned()], text(&json!({ "value": first })).len())
        );
    }
    let changed = put("large", &second);
    assert_eq!((&changed["action"], &changed["revision"]), (&json!("updated"), &json!(2)));
    let options = json!({ "namespace": ["n"], "key": "large", "toKey": "moved" });
    let moved = world.call(&engine, "move", options);
    let history = world.try_call(&engine, "history", ALICE, json!({ "id": id })).unwrap();
    let bytes: Vec<usize> =
        history.as_array().unwrap().iter().map(|one| one["value"].to_string().len()).collect();
    assert_eq!(bytes, [16 * MIB, 3 * MIB, 3 * MIB]);
    for commit in [&moved["commitId"], &changed["commitId"]] {
        world.try_call(&engine, "undo", ALICE, json!({ "commitId": commit })).unwrap();
    }
    assert!(get(&world, &engine, &["n"], "large")["value"] == first);
    // In another memory.
    let file = world.export(&engine, "");
    let other = World::of("documents.");
    let imported = open(&other);
    other.import(&imported, "", &file, "backups.replace", json!({})).unwrap();
    for engine in [&imported, &open(&other)] {
        assert!(get(&other, engine, &["n"], "large")["value"] == first);
        assert_eq!(other.call(engine, "verify", json!({}))["damage"], json!([]));
    }
    // What is forgotten is nowhere.
    world.try_call(&engine, "forget", ALICE, json!({ "ids": [id] })).unwrap();
    for engine in [&engine, &open(&world)] {
        assert!(get(&world, engine, &["n"], "large").is_null());
        assert_eq!(world.call(engine, "verify", json!({}))["damage"], json!([]));
    }
    let stored: usize =
        crate::support::image::pairs_of(&world.storage).iter().map(|(_, value)| value.len()).sum();
    assert!(stored < MIB, "{stored}");
}

#[test]
fn a_large_value_is_sealed_and_goes_with_its_time() {
    let world = World::of("documents.");
    let engine = world.open_encrypted(std::rc::Rc::new(world.storage.clone()), "words").unwrap();
    let value = value(5 * MIB);
    let options = json!({ "namespace": ["n"], "key": "k", "value": value, "ttlMs": 60_000 });
    world.call(&engine, "put", options.clone());
    world.try_call(&engine, "documents.put", BOB, options).unwrap();
    world.close(&engine);
    let sealed = crate::support::image::pairs_of(&world.storage);
    assert!(!sealed.iter().any(|(_, value)| value.windows(5).any(|part| part == b"sloop")));
    let engine = world.open_encrypted(std::rc::Rc::new(world.storage.clone()), "words").unwrap();
    let read = json!({ "namespace": ["n"], "key": "k", "refreshTtl": false });
    assert!(world.call(&engine, "get", read.clone())["value"] == value);
    world.machine.pass(120_000);
    world.idle(&engine);
    assert!(world.call(&engine, "get", read).is_null());
    assert_eq!(world.call(&engine, "verify", json!({}))["damage"], json!([]));
}

#[test]
fn what_is_too_large_is_refused_with_the_limit() {
    let world = World::of("documents.");
    let engine = open(&world);
    let put = |content: Value| {
        let mut options = json!({ "namespace": ["n"], "key": "k" });
        options.as_object_mut().unwrap().extend(content.as_object().unwrap().clone());
        world.try_call(&engine, "documents.put", ALICE, options)
    };
    let limit = 16 * MIB;
    for (content, bytes) in [
        (json!({ "value": value(limit + 1) }), limit + 1),
        (json!({ "data": format!("{}AA==", "AAAA".repeat(limit / 3)) }), limit),
        (json!({ "data": "AAAA".repeat(limit / 3 + 1) }), limit + 2),
    ] {
        let answer = put(content);
        if bytes == limit {
            assert_eq!(answer.unwrap()["action"], json!("created"));
            continue;
        }
        let error = answer.unwrap_err();
        assert_eq!(
            (error.code, &error.details["limit"], &error.details["bytes"]),
            (Code::InvalidInput, &json!(limit), &json!(bytes))
        );
        assert!(error.message.contains("split it into several"), "{}", error.message);
    }
    let reopened = open(&world);
    assert_eq!(get(&world, &reopened, &["n"], "k")["bytes"], json!(limit));
    // Several that are too large together are refused together.
    let put = |key: &str| json!({ "op": "put", "namespace": ["m"], "key": key, "value": value(9 * MIB) });
    let error = world.fails(&engine, "batch", json!({ "operations": [put("1"), put("2"), put("3")] }));
    assert_eq!((error.code, &error.details["limit"]), (Code::InvalidInput, &json!(24 * MIB)));
    assert_eq!(world.call(&engine, "list", json!({ "prefix": ["m"] })), json!([]));
}
