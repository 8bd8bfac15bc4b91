//! One document: put, read, refused, and its past.

use super::{MINUTE, found, get, open, open_on, put, records};
use crate::support::storage::{TestStorage, Write};
use crate::support::world::{ALICE, BOB, START, World};
use mnemic::Code;
use mnemic::engine::Engine;
use mnemic::storage::MemoryStorage;
use serde_json::{Value, json};
use std::rc::Rc;

#[test]
fn a_document_comes_back_as_it_was_put_also_after_reopening() {
    let world = World::of("documents.");
    let engine = open(&world);
    let value =
        json!({ "z": 1, "a": { "list": [1.5, null, "\u{1F600}", false] }, "": "", "__proto__": { "x": 1 } });
    let action = put(&world, &engine, &["notes", "work"], "first", value.clone());
    assert_eq!(
        (&action["action"], &action["kind"], &action["revision"]),
        (&json!("created"), &json!("document"), &json!(1))
    );
    let document = get(&world, &engine, &["notes", "work"], "first");
    let expected = json!({
        "id": action["id"], "namespace": ["notes", "work"], "key": "first", "value": value,
        "revision": 1, "bytes": value.to_string().len(), "createdAt": START, "updatedAt": START,
    });
    assert_eq!(document.to_string(), expected.to_string());
    world.machine.pass(1000);
    assert_eq!(put(&world, &engine, &["notes", "work"], "first", value)["action"], json!("unchanged"));
    let changed = put(&world, &engine, &["notes", "work"], "first", json!({ "b": 2 }));
    assert_eq!((&changed["action"], &changed["previousRevision"]), (&json!("updated"), &json!(1)));
    let engine = open(&world);
    let document = get(&world, &engine, &["notes", "work"], "first");
    assert_eq!(document["value"], json!({ "b": 2 }));
    assert_eq!((&document["createdAt"], &document["updatedAt"]), (&json!(START), &json!(START + 1000)));
    let address = json!({ "namespace": ["notes", "work"], "key": "first" });
    assert_eq!(world.call(&engine, "delete", address.clone())["action"], json!("deleted"));
    assert_eq!(world.call(&engine, "delete", address.clone()), Value::Null);
    assert_eq!(world.call(&engine, "get", address), Value::Null);
}

#[test]
fn scopes_do_not_see_each_other() {
    let world = World::of("documents.");
    let engine = open(&world);
    put(&world, &engine, &["a"], "k", json!({ "secret": "alpha" }));
    let of_bob =
        |method, options| world.try_call(&engine, &format!("documents.{method}"), BOB, options).unwrap();
    assert_eq!(of_bob("get", json!({ "namespace": ["a"], "key": "k" })), Value::Null);
    assert_eq!(of_bob("search", json!({ "query": "alpha" })), json!([]));
    assert_eq!(of_bob("search", json!({})), json!([]));
    assert_eq!(of_bob("listNamespaces", json!({})), json!([]));
    assert_eq!(of_bob("delete", json!({ "namespace": ["a"], "key": "k" })), Value::Null);
    assert_eq!(get(&world, &engine, &["a"], "k")["value"], json!({ "secret": "alpha" }));
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let world = World::of("documents.");
    let engine = open(&world);
    let long = "x".repeat(1025);
    for (method, options, expected) in [
        ("put", json!({ "namespace": ["a"], "key": "", "value": {} }), "the key is empty"),
        ("put", json!({ "namespace": ["a"], "key": long, "value": {} }), "over the limit of 1024"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": null }), "call delete"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": [1] }), "a list"),
        ("put", json!({ "namespace": ["a"], "key": "k" }), "value"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "index": ["a["] }), "index path"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "index": true }), "or false for none"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "ttlMs": 0 }), "ttlMs"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "ttlMs": 0.5 }), "ttlMs"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "ttlMs": 1e300 }), "ttlMs"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "ttl": 1 }), "ttl"),
        ("delete", json!({ "namespace": ["a"], "key": "k", "refreshTtl": true }), "refreshTtl"),
        ("search", json!({ "limit": 0 }), "limit is 0; pass a whole number from 1 to 1000"),
        ("search", json!({ "query": " " }), "query is empty"),
        ("search", json!({ "query": "x", "order": "desc" }), "leave out orderBy"),
        (
            "search",
            json!({ "orderBy": "size" }),
            "orderBy is \"size\"; pass one of createdAt, updatedAt, key",
        ),
        ("list", json!({ "order": "newest" }), "order is \"newest\"; pass one of asc, desc"),
        ("list", json!({ "after": "k" }), "pass orderBy: \"key\" with it"),
        ("list", json!({ "query": "x" }), "query is no option here"),
        ("list", json!({ "limit": 1001 }), "limit is 1001"),
        ("list", json!({ "depth": -1 }), "depth is -1"),
        ("list", json!({ "match": { "prefix": ["a"] } }), "match is"),
        ("list", json!({ "match": ["a"] }), "match[0] is"),
        ("list", json!({ "match": [{}, { "infix": ["a"] }] }), "match[1].infix is no option here"),
        ("listNamespaces", json!({ "match": [{ "suffix": [1] }] }), "match[0].suffix[0] is 1"),
        ("put", json!({ "namespace": ["a"], "key": "k", "value": {}, "ifRevision": 0 }), "ifRevision is 0"),
        (
            "put",
            json!({ "namespace": ["a"], "key": "k", "value": {}, "ifRevision": 1, "ifAbsent": true }),
            "pass it or ifRevision",
        ),
        ("delete", json!({ "namespace": ["a"], "key": "k", "ifAbsent": true }), "ifAbsent is no option here"),
        ("move", json!({ "namespace": ["a"], "key": "k", "toKey": "" }), "the key is empty"),
        // What was left out by mistake deleted everything.
        ("deleteAll", json!({}), "prefix is missing"),
        ("deleteAll", json!({ "prefix": null, "keyPrefix": "k" }), "prefix is missing"),
        ("batch", json!({ "operations": [null] }), "the operation is null; pass an object"),
        ("batch", json!({ "operations": [{ "op": "deleteAll" }] }), "prefix is missing"),
        ("listNamespaces", json!({ "maxDepth": 0 }), "maxDepth"),
        ("put", json!({ "op": "get", "namespace": ["a"], "key": "k" }), "op is no option here"),
        ("batch", json!({}), "operations is null; pass a list"),
        (
            "batch",
            json!({ "operations": [{ "op": "listNamespaces" }, { "op": "upsert" }] }),
            "operations[1].op is",
        ),
        ("batch", json!({ "operations": [{ "namespace": ["a"], "key": "k" }] }), "op is missing"),
        ("batch", json!({ "operations": [{ "op": "get", "namespace": ["a"] }] }), "key is missing"),
    ] {
        let error = world.try_call(&engine, &format!("documents.{method}"), ALICE, options).unwrap_err();
        assert_eq!(error.code, Code::InvalidInput, "{}", error.message);
        assert!(error.message.contains(expected), "{method}: {}", error.message);
    }
    let many = vec![json!({ "op": "listNamespaces" }); 1001];
    let error = world.try_call(&engine, "documents.batch", ALICE, json!({ "operations": many })).unwrap_err();
    assert!(error.message.contains("over the limit of 1000"), "{}", error.message);
    for filter in [json!({ "a": { "$near": 1 } }), json!({ "a": {} }), json!([])] {
        let error =
            world.try_call(&engine, "documents.search", ALICE, json!({ "filter": filter })).unwrap_err();
        assert_eq!(error.code, Code::InvalidFilter);
    }
    let options = json!({ "where": { "value.a": 1 } });
    let error = world.try_call(&engine, "documents.list", ALICE, options).unwrap_err();
    assert_eq!(error.code, Code::InvalidFilter);
    assert!(error.message.contains("there are id, namespace, key, revision"), "{}", error.message);
    assert_eq!(records(&world, &engine), 0);
    for bad in [json!({ "index": ["a["] }), json!({ "ttlMs": 0 }), json!({ "other": 1 })] {
        assert!(open_on(&world, Rc::new(MemoryStorage::default()), &bad).is_err(), "{bad}");
    }
}

#[test]
fn the_largest_document_and_the_longest_name_fit() {
    let world = World::of("documents.");
    let engine = open(&world);
    let key = "k".repeat(1024);
    let value = json!({ "v": "words ".repeat(921_590 / 6) });
    put(&world, &engine, &["a"], &key, value.clone());
    let engine = open(&world);
    assert_eq!(get(&world, &engine, &["a"], &key)["value"], value);
    assert_eq!(found(&world, &engine, json!({ "query": "words" })), [key]);
    // Three of them are more than one stored value holds, and still one commit.
    let operations: Vec<Value> = (0..3)
        .map(|n| json!({ "op": "put", "namespace": ["b"], "key": n.to_string(), "value": value }))
        .collect();
    world.call(&engine, "batch", json!({ "operations": operations }));
    let engine = open(&world);
    assert_eq!(found(&world, &engine, json!({ "prefix": ["b"] })), ["0", "1", "2"]);
}

#[test]
fn a_full_storage_can_still_be_read() {
    let world = World::of("documents.");
    let storage = Rc::new(TestStorage::on(&world.storage));
    let engine = open_on(&world, storage.clone(), &json!({ "ttlMs": 10 * MINUTE })).unwrap();
    put(&world, &engine, &["n"], "k", json!({ "v": 1 }));
    world.machine.pass(5 * MINUTE);
    storage.plan([Write::Fails(Code::QuotaExceeded)]);
    let document = get(&world, &engine, &["n"], "k");
    assert_eq!(
        (&document["value"], &document["expiresAt"]),
        (&json!({ "v": 1 }), &json!(START + 10 * MINUTE))
    );
}

#[test]
fn two_engines_lose_nothing_and_double_nothing() {
    for yields in 0..6 {
        let world = World::of("documents.");
        let storages = [0, 1].map(|_| Rc::new(TestStorage::on(&world.storage)));
        let engines = storages.clone().map(|storage| open_on(&world, storage, &json!({})).unwrap());
        storages[0].yields.set(yields);
        storages[1].yields.set(5 - yields);
        let (one, other) = (engines[0].clone(), engines[1].clone());
        world.machine.run(async move {
            let calls = |engine: Engine, name: &'static str| async move {
                for n in 0..10 {
                    let put = json!({ "namespace": ["n"], "key": format!("k{n}"), "value": { name: n } });
                    engine.call("documents.put", ALICE, &put.to_string()).await.unwrap();
                    let own = json!({ "namespace": ["n", name], "key": "count", "value": { "n": n } });
                    let both = json!({ "operations": [
                        { "op": "delete", "namespace": ["n"], "key": "contended" },
                        { "op": "put", "namespace": ["n"], "key": "contended", "value": own["value"] },
                        { "op": "put", "namespace": own["namespace"], "key": "count", "value": own["value"] },
                    ] });
                    engine.call("documents.batch", ALICE, &both.to_string()).await.unwrap();
                }
            };
            futures_util::future::join(calls(one, "one"), calls(other, "other")).await;
        });
        let reopened = open(&world);
        let mut found = found(&world, &reopened, json!({ "limit": 100 }));
        found.sort();
        let mut expected: Vec<String> = (0..10).map(|n| format!("k{n}")).collect();
        expected.extend(["contended", "count", "count"].map(str::to_owned));
        expected.sort();
        assert_eq!(found, expected, "yields {yields}");
        assert_eq!(records(&world, &reopened), 13);
    }
}

#[test]
fn documents_have_a_past() {
    let world = World::of("documents.");
    let engine = open(&world);
    let call = |method: &str, options: Value| {
        let (engine, method) = (engine.clone(), method.to_owned());
        let answer =
            world.machine.run(async move { engine.call(&method, ALICE, &options.to_string()).await });
        serde_json::from_str::<Value>(&answer.unwrap()).unwrap()
    };
    let first = put(&world, &engine, &["a", "b"], "k", json!({ "topic": "guitar" }));
    let second = put(&world, &engine, &["a", "b"], "k", json!({ "topic": "tax" }));
    let history = call("history", json!({ "id": first["id"] }));
    assert_eq!(history[0]["value"], json!({ "topic": "guitar" }));
    assert_eq!(
        (&history[1]["value"], &history[1]["text"]),
        (&json!({ "topic": "tax" }), &json!("topic: tax"))
    );
    let why = call("explain", json!({ "id": first["id"] }));
    assert_eq!(
        (&why["kind"], &why["origin"], &why["cause"]),
        (&json!("document"), &json!("user"), &json!("user"))
    );
    assert_eq!(why["text"], json!(r#"a.b/k: {"topic":"tax"}"#));
    call("undo", json!({ "commitId": second["commitId"] }));
    assert_eq!(get(&world, &engine, &["a", "b"], "k")["value"], json!({ "topic": "guitar" }));
    assert_eq!(found(&world, &engine, json!({ "query": "guitar" })), ["k"]);
    assert_eq!(found(&world, &engine, json!({ "query": "tax" })), [""; 0]);
    let deleted = world.call(&engine, "delete", json!({ "namespace": ["a", "b"], "key": "k" }));
    call("undo", json!({ "commitId": deleted["commitId"] }));
    assert_eq!(get(&world, &engine, &["a", "b"], "k")["id"], first["id"]);
}
