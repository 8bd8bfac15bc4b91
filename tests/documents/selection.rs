//! Which documents are listed, found and deleted, and in which order.

use super::{MINUTE, found, get, keys, open, put, records};
use crate::support::world::{ALICE, START, World};
use mnemic::Code;
use mnemic::engine::Engine;
use proptest::prelude::*;
use serde_json::{Value, json};

fn listed(world: &World, engine: &Engine, options: Value) -> Vec<String> {
    keys(&world.call(engine, "list", options))
}

#[test]
fn a_listing_tells_what_is_around_the_content() {
    let world = World::of("documents.");
    let engine = open(&world);
    put(&world, &engine, &["a"], "k", json!({ "v": 1 }));
    world.machine.pass(5);
    let action = put(&world, &engine, &["a"], "k", json!({ "v": "two" }));
    let expected = json!([{
        "id": action["id"], "namespace": ["a"], "key": "k", "revision": 2, "bytes": r#"{"v":"two"}"#.len(),
        "createdAt": START, "updatedAt": START + 5,
    }]);
    assert_eq!(world.call(&engine, "list", json!({})).to_string(), expected.to_string());
    let document = get(&world, &engine, &["a"], "k");
    assert_eq!((&document["revision"], &document["bytes"]), (&json!(2), &expected[0]["bytes"]));
    // Nothing of it is read, so it lives no longer for it.
    world.call(&engine, "put", json!({ "namespace": ["a"], "key": "k", "value": {}, "ttlMs": 10 * MINUTE }));
    world.machine.pass(5 * MINUTE);
    let of_entry = world.call(&engine, "list", json!({}))[0]["expiresAt"].clone();
    assert_eq!(of_entry, json!(START + 5 + 10 * MINUTE));
}

#[test]
fn every_order_goes_both_ways() {
    let world = World::of("documents.");
    let engine = open(&world);
    for (namespace, key) in [("n", "b"), ("m", "d"), ("n", "a"), ("n", "c")] {
        put(&world, &engine, &[namespace], key, json!({ "v": 1 }));
    }
    put(&world, &engine, &["m"], "d", json!({ "v": 2 }));
    for (by, expected) in [
        ("createdAt", ["b", "d", "a", "c"]),
        ("updatedAt", ["b", "a", "c", "d"]),
        ("key", ["a", "b", "c", "d"]),
    ] {
        let mut expected = expected.to_vec();
        for order in ["asc", "desc"] {
            let options = json!({ "orderBy": by, "order": order });
            assert_eq!(listed(&world, &engine, options.clone()), expected, "{by} {order}");
            assert_eq!(found(&world, &engine, options), expected, "{by} {order}");
            expected.reverse();
        }
    }
    assert_eq!(listed(&world, &engine, json!({ "order": "desc", "limit": 2 })), ["c", "a"]);
}

#[test]
fn a_lifetime_that_begins_anew_changes_no_order() {
    let world = World::of("documents.");
    let engine = open(&world);
    for (key, ttl) in [("a", json!(10 * MINUTE)), ("b", json!(false)), ("c", json!(10 * MINUTE))] {
        let options = json!({ "namespace": ["n"], "key": key, "value": {}, "ttlMs": ttl });
        world.call(&engine, "put", options);
    }
    world.machine.pass(5 * MINUTE);
    assert_eq!(get(&world, &engine, &["n"], "a")["revision"], json!(2));
    for by in ["createdAt", "updatedAt"] {
        assert_eq!(listed(&world, &engine, json!({ "orderBy": by })), ["a", "b", "c"], "{by}");
        assert_eq!(
            listed(&world, &engine, json!({ "orderBy": by, "order": "desc" })),
            ["c", "b", "a"],
            "{by}"
        );
    }
    // What is over is in no order.
    world.machine.pass(7 * MINUTE);
    assert_eq!(listed(&world, &engine, json!({ "orderBy": "updatedAt" })), ["a", "b"]);
    let soon = json!({ "where": { "expiresAt": { "$exists": true }, "revision": 2 } });
    assert_eq!(listed(&world, &engine, soon), ["a"]);
}

#[test]
fn what_is_put_is_later_than_what_was_put_before() {
    let world = World::of("documents.");
    let engine = open(&world);
    let mut last = 0;
    // The clock stands still.
    for n in 0..5 {
        put(&world, &engine, &["n"], "same", json!({ "n": n }));
        put(&world, &engine, &["n"], &n.to_string(), json!({}));
        for key in ["same".to_owned(), n.to_string()] {
            let at = get(&world, &engine, &["n"], &key)["updatedAt"].as_i64().unwrap();
            assert!(at > last, "{at} is not later than {last}");
            last = at;
        }
    }
    // Within a batch it is known before it is stored.
    let operations = json!([
        { "op": "put", "namespace": ["n"], "key": "same", "value": {} },
        { "op": "get", "namespace": ["n"], "key": "same" },
        { "op": "list", "orderBy": "updatedAt", "order": "desc", "limit": 1 },
    ]);
    let answers = world.call(&engine, "batch", json!({ "operations": operations }));
    let stored = get(&world, &engine, &["n"], "same");
    assert!(stored["updatedAt"].as_i64().unwrap() > last);
    assert_eq!((&answers[1], &answers[2][0]["updatedAt"]), (&stored, &stored["updatedAt"]));
    assert_eq!(answers[0]["revision"], stored["revision"]);
}

#[test]
fn a_selection_is_narrowed_by_depth_names_and_times() {
    let world = World::of("documents.");
    let engine = open(&world);
    for (namespace, key) in [
        (&["memories"][..], "readme"),
        (&["memories", "office"], "plan"),
        (&["memories", "office", "old"], "plan-1"),
        (&["memories", "home"], "plan"),
        (&["memos"], "plan"),
    ] {
        put(&world, &engine, namespace, key, json!({ "depth": namespace.len() }));
    }
    let list = |options: Value| {
        let entries = world.call(&engine, "list", options);
        let path = |entry: &Value| {
            let labels = entry["namespace"].as_array().unwrap().iter().map(|label| label.as_str().unwrap());
            labels.chain([entry["key"].as_str().unwrap()]).collect::<Vec<_>>().join("/")
        };
        entries.as_array().unwrap().iter().map(path).collect::<Vec<_>>()
    };
    assert_eq!(list(json!({ "prefix": ["memories"], "depth": 0 })), ["memories/readme"]);
    assert_eq!(
        list(json!({ "prefix": ["memories"], "depth": 1 })),
        ["memories/readme", "memories/office/plan", "memories/home/plan"]
    );
    assert_eq!(list(json!({ "depth": 1 })), ["memories/readme", "memos/plan"]);
    assert_eq!(list(json!({ "depth": 0 })), [""; 0]);
    assert_eq!(list(json!({ "keyPrefix": "plan-" })), ["memories/office/old/plan-1"]);
    assert_eq!(list(json!({ "match": [{ "suffix": ["office"] }] })), ["memories/office/plan"]);
    assert_eq!(
        list(json!({ "match": [{ "prefix": ["*", "office"] }, { "suffix": ["old"] }] })),
        ["memories/office/old/plan-1"]
    );
    assert_eq!(list(json!({ "where": { "key": "plan", "namespace": "home" } })), ["memories/home/plan"]);
    assert_eq!(list(json!({ "where": { "namespace.0": "memos" } })), ["memos/plan"]);
    assert_eq!(
        list(json!({ "where": { "key": { "$gt": "plan" } }, "filter": { "depth": 1 } })),
        ["memories/readme"]
    );
    let third = world.call(&engine, "list", json!({ "offset": 2, "limit": 1 }))[0]["createdAt"].clone();
    assert_eq!(
        list(json!({ "where": { "createdAt": { "$lte": third } }, "order": "desc", "limit": 2 })),
        ["memories/office/old/plan-1", "memories/office/plan"]
    );
    // The same holds where words rank.
    let asked = json!({ "query": "depth", "prefix": ["memories"], "depth": 1, "where": { "key": "plan" } });
    let mut ranked = found(&world, &engine, asked);
    ranked.sort();
    assert_eq!(ranked, ["plan", "plan"]);
    // Several conditions on namespaces.
    let names = |options: Value| world.call(&engine, "listNamespaces", options);
    assert_eq!(
        names(json!({ "match": [{ "prefix": ["memories", "*"] }, { "suffix": ["*", "old"] }] })),
        json!([["memories", "office", "old"]])
    );
    assert_eq!(names(json!({ "match": [{ "prefix": ["memos"] }, { "prefix": ["memories"] }] })), json!([]));
    assert_eq!(
        names(json!({ "prefix": ["memories"], "match": [{ "suffix": ["home"] }] })),
        json!([["memories", "home"]])
    );
}

#[test]
fn a_put_can_depend_on_what_is_there() {
    let world = World::of("documents.");
    let engine = open(&world);
    let try_put = |condition: &str, value: Value| {
        let mut put = json!({ "namespace": ["n"], "key": "k", "value": { "v": value } });
        put[condition] = value;
        world.try_call(&engine, "documents.put", ALICE, put)
    };
    let refused = |condition: &str, value: Value, expected: &str| {
        let error = try_put(condition, value).unwrap_err();
        assert_eq!(error.code, Code::Conflict, "{}", error.message);
        assert!(error.message.contains(expected), "{}", error.message);
    };
    refused(
        "ifRevision",
        json!(1),
        "there is no document at \"k\" in [\"n\"] where the call expects revision 1",
    );
    assert_eq!(try_put("ifAbsent", json!(true)).unwrap()["action"], json!("created"));
    refused(
        "ifAbsent",
        json!(true),
        "there is revision 1 at \"k\" in [\"n\"] where the call expects no document",
    );
    refused("ifRevision", json!(2), "there is revision 1");
    assert_eq!(try_put("ifRevision", json!(1)).unwrap()["revision"], json!(2));
    refused("ifRevision", json!(1), "there is revision 2");
    assert_eq!(try_put("ifAbsent", json!(false)).unwrap()["revision"], json!(3));
    let delete = |revision: u32| {
        let options = json!({ "namespace": ["n"], "key": "k", "ifRevision": revision });
        world.try_call(&engine, "documents.delete", ALICE, options)
    };
    assert_eq!(delete(2).unwrap_err().code, Code::Conflict);
    // In a batch a revision is what the earlier operations made of it, and nothing is kept when one is refused.
    let put = |revision: u32, value: u32| json!({ "op": "put", "namespace": ["n"], "key": "k", "value": { "v": value }, "ifRevision": revision });
    let other = json!({ "op": "put", "namespace": ["n"], "key": "other", "value": {} });
    let batch = |operations: Value| {
        world.try_call(&engine, "documents.batch", ALICE, json!({ "operations": operations }))
    };
    assert_eq!(batch(json!([other, put(3, 8), put(3, 9)])).unwrap_err().code, Code::Conflict);
    assert_eq!(found(&world, &engine, json!({})), ["k"]);
    batch(json!([put(3, 8), put(4, 9)])).unwrap();
    assert_eq!(get(&world, &engine, &["n"], "k")["value"], json!({ "v": 9 }));
    let revision = get(&world, &engine, &["n"], "k")["revision"].as_u64().unwrap();
    assert_eq!(delete(u32::try_from(revision).unwrap()).unwrap()["action"], json!("deleted"));
    assert_eq!(delete(4).unwrap_err().code, Code::Conflict);
}

/// Calls that nobody waited for take effect in their order, also those that depend on what is there.
#[test]
fn of_many_who_would_be_first_one_is() {
    let world = World::of("documents.");
    let engine = open(&world);
    let answers = world.machine.run({
        let engine = engine.clone();
        async move {
            let put = |options: Value| {
                let engine = engine.clone();
                async move { engine.call("documents.put", ALICE, &options.to_string()).await }
            };
            let at = |n: u32| json!({ "namespace": ["n"], "key": "k", "value": { "n": n } });
            let with = |n: u32, name: &str, value: Value| {
                let mut options = at(n);
                options[name] = value;
                options
            };
            futures_util::future::join_all([
                put(with(0, "ifAbsent", json!(true))),
                put(with(1, "ifAbsent", json!(true))),
                put(with(2, "ifRevision", json!(1))),
                put(with(3, "ifRevision", json!(1))),
                put(with(4, "ifRevision", json!(2))),
            ])
            .await
        }
    });
    let done: Vec<bool> = answers.iter().map(Result::is_ok).collect();
    assert_eq!(done, [true, false, true, false, true]);
    assert_eq!(get(&world, &engine, &["n"], "k")["value"], json!({ "n": 4 }));
}

#[test]
fn all_that_are_selected_are_deleted_in_one_commit_that_can_be_undone() {
    let world = World::of("documents.");
    let engine = open(&world);
    for n in 0..10 {
        put(&world, &engine, &["thread", "1"], &format!("c{n}"), json!({ "n": n }));
    }
    put(&world, &engine, &["thread", "10"], "c", json!({}));
    let delete = |options: Value| world.call(&engine, "deleteAll", options);
    assert_eq!(delete(json!({ "prefix": ["thread", "2"] })), json!({ "deleted": 0 }));
    // All but the latest three.
    let pruned = delete(
        json!({ "prefix": ["thread", "1"], "orderBy": "key", "order": "desc", "depth": 0, "offset": 3 }),
    );
    assert_eq!(pruned["deleted"], json!(7));
    assert_eq!(listed(&world, &engine, json!({ "prefix": ["thread", "1"] })), ["c7", "c8", "c9"]);
    let undo = json!({ "commitId": pruned["commitId"] }).to_string();
    let undone = engine.clone();
    world.machine.run(async move { undone.call("undo", ALICE, &undo).await }).unwrap();
    assert_eq!(listed(&world, &engine, json!({ "prefix": ["thread", "1"] })).len(), 10);
    let filtered =
        json!({ "prefix": ["thread"], "filter": { "n": { "$lt": 4 } }, "limit": 2, "order": "desc" });
    assert_eq!(delete(filtered)["deleted"], json!(2));
    assert_eq!(delete(json!({ "prefix": ["thread", "1"] }))["deleted"], json!(8));
    assert_eq!(records(&world, &engine), 1);
    let engine = open(&world);
    assert_eq!(found(&world, &engine, json!({})), ["c"]);
}

/// What a selection is in the simplest way: all, filtered, sorted, cut.
fn naive(all: &[Value], options: &Value) -> Vec<Value> {
    let text = |name: &str| options[name].as_str().unwrap_or_default();
    let prefix = options["prefix"].as_array().unwrap();
    let (by, is_descending) = (text("orderBy"), text("order") == "desc");
    let mut chosen: Vec<Value> = all
        .iter()
        .filter(|entry| {
            let namespace = entry["namespace"].as_array().unwrap();
            let key = entry["key"].as_str().unwrap();
            let depth = options["depth"].as_u64().map_or(usize::MAX, |depth| depth as usize + prefix.len());
            let after = text("after");
            let is_behind = after.is_empty() || if is_descending { key < after } else { key > after };
            namespace.starts_with(prefix)
                && namespace.len() <= depth
                && key.starts_with(text("keyPrefix"))
                && is_behind
        })
        .cloned()
        .collect();
    match by {
        "key" => chosen.sort_by_key(|entry| entry["key"].as_str().unwrap().to_owned()),
        "updatedAt" => chosen.sort_by_key(|entry| entry["updatedAt"].as_i64()),
        _ => {}
    }
    if is_descending {
        chosen.reverse();
    }
    let number = |name: &str, default| options[name].as_u64().map_or(default, |number| number as usize);
    chosen.into_iter().skip(number("offset", 0)).take(number("limit", 100)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn a_selection_is_what_is_left_of_all(
        puts in prop::collection::vec((0..4_usize, "[ab.\u{e9}]{1,3}", any::<bool>()), 1..60),
        asked in prop::collection::vec(
            (0..4_usize, prop::option::of(0..2_u64), "[ab]{0,1}", 0..4_usize, any::<bool>(), "[ab\u{e9}]{0,2}", 0..3_u64, 1..9_u64),
            1..12,
        ),
    ) {
        let spaces = [json!(["a"]), json!(["a", "b"]), json!(["a", "b", "c"]), json!(["ab"])];
        let world = World::of("documents.");
        let engine = open(&world);
        let unstored = json!([{ "op": "put", "namespace": ["a"], "key": "ab", "value": { "new": 1 } },
            { "op": "put", "namespace": ["a"], "key": "new", "value": {} },
            { "op": "delete", "namespace": ["a", "b"], "key": "a" }]);
        for (space, key, is_deleted) in puts {
            let address = json!({ "namespace": spaces[space], "key": key });
            if is_deleted {
                world.call(&engine, "delete", address.clone());
            }
            let mut put = address;
            put["value"] = json!({ "again": is_deleted });
            world.call(&engine, "put", put);
        }
        let all = world.call(&engine, "list", json!({ "limit": 1000 }));
        for (space, depth, key_prefix, by, is_descending, after, offset, limit) in asked {
            let mut options = json!({ "prefix": spaces[space], "keyPrefix": key_prefix, "offset": offset, "limit": limit,
                "orderBy": (["createdAt", "updatedAt", "key", "key"][by]), "order": if is_descending { "desc" } else { "asc" } });
            if let Some(depth) = depth {
                options["depth"] = json!(depth);
            }
            if by >= 2 {
                options["after"] = json!(after);
            }
            let found = world.call(&engine, "list", options.clone());
            prop_assert_eq!(found.as_array().unwrap(), &naive(all.as_array().unwrap(), &options), "{}", options);
        }
        // The same on top of what a batch has not stored yet.
        let mut operations = unstored.as_array().unwrap().clone();
        operations.push(json!({ "op": "list", "limit": 1000 }));
        let options = json!({ "op": "list", "prefix": ["a"], "depth": 0, "orderBy": "key", "order": "desc", "limit": 5 });
        operations.push(options.clone());
        let answers = world.call(&engine, "batch", json!({ "operations": operations }));
        prop_assert_eq!(answers[4].as_array().unwrap(), &naive(answers[3].as_array().unwrap(), &options));
    }
}
