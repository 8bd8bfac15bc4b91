//! Documents that get another name.

use super::{MINUTE, found, get, open, put, records};
use crate::support::world::{ALICE, START, World};
use mnemic::Code;
use mnemic::engine::Engine;
use proptest::prelude::*;
use serde_json::{Value, json};

fn relocate(world: &World, engine: &Engine, from: (&str, &str), to: (&str, &str)) -> mnemic::Result<Value> {
    let options = json!({ "namespace": [from.0], "key": from.1, "toNamespace": [to.0], "toKey": to.1 });
    world.try_call(engine, "documents.move", ALICE, options)
}

#[test]
fn a_document_moves_with_its_past() {
    let world = World::of("documents.");
    let engine = open(&world);
    let created = put(&world, &engine, &["n"], "old", json!({ "food": "pizza" }));
    put(&world, &engine, &["n"], "old", json!({ "food": "pasta" }));
    let moved = relocate(&world, &engine, ("n", "old"), ("m", "new")).unwrap();
    assert_eq!(
        (&moved["action"], &moved["id"], &moved["revision"]),
        (&json!("updated"), &created["id"], &json!(3))
    );
    let call = |method: &str, options: Value| {
        let (engine, method) = (engine.clone(), method.to_owned());
        let answer =
            world.machine.run(async move { engine.call(&method, ALICE, &options.to_string()).await });
        serde_json::from_str::<Value>(&answer.unwrap()).unwrap()
    };
    let history = call("history", json!({ "id": created["id"] }));
    let foods: Vec<&Value> = history.as_array().unwrap().iter().map(|past| &past["value"]["food"]).collect();
    assert_eq!(foods, [&json!("pizza"), &json!("pasta"), &json!("pasta")]);
    for engine in [&engine, &open(&world)] {
        assert_eq!(world.call(engine, "get", json!({ "namespace": ["n"], "key": "old" })), Value::Null);
        let document = get(&world, engine, &["m"], "new");
        assert_eq!(
            (&document["value"], &document["createdAt"]),
            (&json!({ "food": "pasta" }), &json!(START))
        );
        assert_eq!(found(&world, engine, json!({ "prefix": ["m"], "query": "pasta" })), ["new"]);
        assert_eq!(found(&world, engine, json!({ "prefix": ["n"] })), [""; 0]);
    }
    call("undo", json!({ "commitId": moved["commitId"] }));
    assert_eq!(get(&world, &engine, &["n"], "old")["id"], created["id"]);
    assert_eq!(records(&world, &engine), 1);
}

#[test]
fn it_moves_only_to_where_nothing_is() {
    let world = World::of("documents.");
    let engine = open(&world);
    put(&world, &engine, &["n"], "a", json!({ "v": 1 }));
    put(&world, &engine, &["n"], "b", json!({ "v": 2 }));
    let refused = relocate(&world, &engine, ("n", "a"), ("n", "b")).unwrap_err();
    assert_eq!(refused.code, Code::Conflict);
    assert!(refused.message.contains("revision 1 at \"b\""), "{}", refused.message);
    assert_eq!(relocate(&world, &engine, ("n", "none"), ("n", "c")).unwrap(), Value::Null);
    assert_eq!(relocate(&world, &engine, ("n", "a"), ("n", "a")).unwrap()["action"], json!("unchanged"));
    let asked = json!({ "namespace": ["n"], "key": "a", "toKey": "c", "ifRevision": 7 });
    assert_eq!(world.try_call(&engine, "documents.move", ALICE, asked).unwrap_err().code, Code::Conflict);
    // The namespace is the same when none is named. What is over is in nobody's way.
    world.call(&engine, "put", json!({ "namespace": ["n"], "key": "c", "value": {}, "ttlMs": MINUTE }));
    world.machine.pass(2 * MINUTE);
    world.call(&engine, "move", json!({ "namespace": ["n"], "key": "a", "toKey": "c" }));
    assert_eq!(found(&world, &engine, json!({ "orderBy": "key" })), ["b", "c"]);
    // Two change places in one batch.
    let step = |from: &str, to: &str| json!({ "op": "move", "namespace": ["n"], "key": from, "toKey": to });
    let swap = [step("b", "spare"), step("c", "b"), step("spare", "c")];
    world.call(&engine, "batch", json!({ "operations": swap }));
    for engine in [&engine, &open(&world)] {
        assert_eq!(get(&world, engine, &["n"], "b")["value"], json!({ "v": 1 }));
        assert_eq!(get(&world, engine, &["n"], "c")["value"], json!({ "v": 2 }));
    }
}

const KEYS: [&str; 4] = ["a", "b", "c", "d"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn batches_of_moves_are_as_in_a_plain_list(
        batches in prop::collection::vec(prop::collection::vec((0..4_usize, 0..4_usize, 0..4_u8), 1..8), 1..8),
    ) {
        let world = World::of("documents.");
        let engine = open(&world);
        let mut model: Vec<Option<u64>> = vec![None; KEYS.len()];
        let mut next = 0;
        for batch in batches {
            let mut operations = Vec::new();
            for (from, to, what) in batch {
                let address = |op: &str, at: usize| json!({ "op": op, "namespace": ["n"], "key": KEYS[at] });
                match what {
                    0 => {
                        next += 1;
                        let mut put = address("put", from);
                        put["value"] = json!({ "n": next });
                        model[from] = Some(next);
                        operations.push(put);
                    }
                    1 => {
                        model[from] = None;
                        operations.push(address("delete", from));
                    }
                    // Others are refused, and with them the batch.
                    _ if from == to || model[to].is_none() || model[from].is_none() => {
                        let mut step = address("move", from);
                        step["toKey"] = json!(KEYS[to]);
                        if from != to && model[from].is_some() {
                            model[to] = model[from].take();
                        }
                        operations.push(step);
                    }
                    _ => {}
                }
                operations.push(json!({ "op": "list", "orderBy": "key" }));
                let keys: Vec<&str> = (0..4).filter(|at| model[*at].is_some()).map(|at| KEYS[at]).collect();
                operations.push(json!({ "keys": keys }));
            }
            let expected: Vec<Value> = operations.iter().filter(|step| step.get("op").is_none()).cloned().collect();
            operations.retain(|step| step.get("op").is_some());
            let lists: Vec<usize> = (0..operations.len()).filter(|at| operations[*at]["op"] == "list").collect();
            let answers = world.call(&engine, "batch", json!({ "operations": operations }));
            for (at, expected) in lists.into_iter().zip(expected) {
                prop_assert_eq!(json!(super::keys(&answers[at])), expected["keys"].clone());
            }
            for engine in [&engine, &open(&world)] {
                for (key, value) in KEYS.iter().zip(&model) {
                    let found = world.call(engine, "get", json!({ "namespace": ["n"], "key": key }));
                    prop_assert_eq!(found["value"]["n"].as_u64(), *value, "{}", key);
                }
            }
        }
        prop_assert_eq!(records(&world, &engine), model.iter().flatten().count() as u64);
    }
}
