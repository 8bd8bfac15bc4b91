//! Batches: one commit, or nothing.

use super::{found, get, keys, open, open_on, put};
use crate::support::storage::{TestStorage, Write};
use crate::support::world::{ALICE, World};
use mnemic::Code;
use serde_json::{Value, json};
use std::rc::Rc;

#[test]
fn a_batch_is_one_commit_and_each_operation_sees_the_earlier_ones() {
    let world = World::of("documents.");
    let engine = open(&world);
    put(&world, &engine, &["n"], "old", json!({ "v": "mango" }));
    let answers = world.call(
        &engine,
        "batch",
        json!({ "operations": [
        { "op": "get", "namespace": ["n"], "key": "new" },
        { "op": "put", "namespace": ["n"], "key": "new", "value": { "v": 1 } },
        { "op": "get", "namespace": ["n"], "key": "new" },
        { "op": "put", "namespace": ["n"], "key": "new", "value": { "v": 2 } },
        { "op": "search", "prefix": ["n"] },
        { "op": "put", "namespace": ["m"], "key": "k", "value": {} },
        { "op": "listNamespaces" },
        { "op": "delete", "namespace": ["n"], "key": "old" },
        { "op": "search", "prefix": ["n"], "query": "mango" },
        { "op": "delete", "namespace": ["n"], "key": "nothing" },
        { "op": "put", "namespace": ["n"], "key": "short", "value": {} },
        { "op": "delete", "namespace": ["n"], "key": "short" },
        { "op": "get", "namespace": ["n"], "key": "short" },
        { "op": "listNamespaces", "prefix": ["m"] },
    ] }),
    );
    assert_eq!(answers[0], Value::Null);
    assert_eq!(answers[2]["value"], json!({ "v": 1 }));
    assert_eq!(keys(&answers[4]), ["old", "new"]);
    assert_eq!(answers[4][1]["value"], json!({ "v": 2 }));
    assert_eq!(answers[6], json!([["m"], ["n"]]));
    // What the batch wrote is not indexed yet; what it deleted is gone.
    assert_eq!(keys(&answers[8]), ["new"]);
    assert!(answers[8][0].get("score").is_none());
    assert_eq!(answers[13], json!([["m"]]));
    // Two puts of one key: the last one wins, and both are told what became of it.
    assert_eq!(answers[1], answers[3]);
    assert_eq!((&answers[1]["action"], &answers[1]["revision"]), (&json!("created"), &json!(1)));
    assert_eq!(answers[7]["action"], json!("deleted"));
    let commits: Vec<&Value> = [1, 3, 5, 7].map(|at| &answers[at]["commitId"]).to_vec();
    assert!(commits.iter().all(|commit| commit.is_string() && *commit == commits[0]), "one commit");
    for nothing in [9, 10, 11, 12] {
        assert_eq!(answers[nothing], Value::Null, "{nothing}");
    }
    assert_eq!(get(&world, &engine, &["n"], "new")["value"], json!({ "v": 2 }));
    assert_eq!(world.call(&engine, "batch", json!({ "operations": [] })), json!([]));
}

#[test]
fn a_batch_fails_as_a_whole() {
    let world = World::of("documents.");
    let storage = Rc::new(TestStorage::on(&world.storage));
    let engine = open_on(&world, storage.clone(), &json!({})).unwrap();
    put(&world, &engine, &["n"], "old", json!({ "v": 1 }));
    let operations = json!({ "operations": [
        { "op": "put", "namespace": ["n"], "key": "new", "value": {} },
        { "op": "delete", "namespace": ["n"], "key": "old" },
    ] });
    for fate in [Write::Fails(Code::QuotaExceeded), Write::Fails(Code::Storage), Write::Tears(1)] {
        storage.plan([fate]);
        assert!(world.try_call(&engine, "documents.batch", ALICE, operations.clone()).is_err());
        for engine in [&engine, &open(&world)] {
            assert_eq!(found(&world, engine, json!({})), ["old"], "{fate:?}");
        }
    }
    // Another engine was faster: it is tried again, on what is there by then.
    storage.plan([Write::Fails(Code::Conflict)]);
    world.call(&engine, "batch", operations);
    assert_eq!(found(&world, &engine, json!({})), ["new"]);
}
