//! Namespaces and keys.

use super::{found, get, open, put, records};
use crate::support::world::{ALICE, World};
use mnemic::Code;
use serde_json::{Value, json};

#[test]
fn a_prefix_takes_whole_labels() {
    let world = World::of("documents.");
    let engine = open(&world);
    for namespace in
        [&["tenant", "acme"][..], &["tenant", "acme-corp"], &["tenant", "acme", "x"], &["tenant"]]
    {
        put(&world, &engine, namespace, &namespace.join("/"), json!({ "note": "shared words" }));
    }
    // Keys and labels that would collide in a careless encoding.
    put(&world, &engine, &["tenant"], "acme..k", json!({ "note": "shared words" }));
    put(&world, &engine, &["tenant"], ".acme.k", json!({ "note": "shared words" }));
    let acme = json!({ "prefix": ["tenant", "acme"] });
    assert_eq!(found(&world, &engine, acme), ["tenant/acme", "tenant/acme/x"]);
    let mut ranked = found(&world, &engine, json!({ "prefix": ["tenant", "acme"], "query": "shared" }));
    ranked.sort();
    assert_eq!(ranked, ["tenant/acme", "tenant/acme/x"]);
    assert_eq!(found(&world, &engine, json!({})).len(), 6);
    assert_eq!(get(&world, &engine, &["tenant"], "acme..k")["namespace"], json!(["tenant"]));
}

#[test]
fn hostile_labels_and_keys_are_only_names() {
    let world = World::of("documents.");
    let engine = open(&world);
    let names = [
        "*",
        " ",
        "\0",
        "\n",
        "/",
        "\\",
        "__proto__",
        "constructor",
        "\u{202e}",
        "\u{1F600}",
        "a\u{0301}",
        "$",
        "[]",
        "...",
        "v1.2",
        "\u{1}",
        "\u{1}p",
    ];
    for name in names {
        for key in [name, ".", "..", "a.b"] {
            put(&world, &engine, &["root", name], key, json!({ "name": name, "key": key }));
        }
    }
    let engine = open(&world);
    for name in names {
        for key in [name, ".", "..", "a.b"] {
            assert_eq!(
                get(&world, &engine, &["root", name], key)["value"],
                json!({ "name": name, "key": key })
            );
        }
        assert_eq!(found(&world, &engine, json!({ "prefix": ["root", name] })).len(), 4, "{name:?}");
    }
    assert_eq!(world.call(&engine, "listNamespaces", json!({})).as_array().unwrap().len(), names.len());
}

#[test]
fn namespaces_are_checked_in_every_operation() {
    let world = World::of("documents.");
    let engine = open(&world);
    for (namespace, expected) in [
        (json!([]), "the namespace is empty"),
        (json!(["a", ""]), "is empty"),
        (json!(["langgraph", "a"]), "reserved"),
        (json!(["a", 1]), "[1] is 1; pass a text"),
        (json!("a"), "pass a list of texts"),
    ] {
        let is_empty = namespace == json!([]);
        let mut asked = vec![
            ("put", json!({ "namespace": namespace, "key": "k", "value": {} })),
            ("get", json!({ "namespace": namespace, "key": "k" })),
            ("delete", json!({ "namespace": namespace, "key": "k" })),
            (
                "batch",
                json!({ "operations": [
                { "op": "put", "namespace": ["ok"], "key": "k", "value": {} },
                { "op": "put", "namespace": namespace, "key": "k", "value": {} },
            ] }),
            ),
        ];
        if !is_empty {
            asked.push(("search", json!({ "prefix": namespace })));
            asked.push(("listNamespaces", json!({ "prefix": namespace })));
        }
        for (method, options) in asked {
            let error = world.try_call(&engine, &format!("documents.{method}"), ALICE, options).unwrap_err();
            assert_eq!(error.code, Code::InvalidInput, "{method} {namespace}");
            assert!(error.message.contains(expected), "{method} {namespace}: {}", error.message);
        }
    }
    // A suffix has no root.
    assert_eq!(world.call(&engine, "listNamespaces", json!({ "suffix": ["langgraph"] })), json!([]));
    assert_eq!(records(&world, &engine), 0, "a refused batch kept something");
}

#[test]
fn namespaces_are_listed_while_they_hold_something() {
    let world = World::of("documents.");
    let engine = open(&world);
    for namespace in
        [&["b", "x", "1"][..], &["a"], &["a", "x"], &["a!", "x"], &["b", "y", "1"], &["b", "y", "2"]]
    {
        put(&world, &engine, namespace, "k", json!({}));
        put(&world, &engine, namespace, "l", json!({}));
    }
    let list = |options: Value| world.call(&engine, "listNamespaces", options);
    assert_eq!(
        list(json!({})),
        json!([["a"], ["a", "x"], ["a!", "x"], ["b", "x", "1"], ["b", "y", "1"], ["b", "y", "2"]])
    );
    assert_eq!(list(json!({ "prefix": ["a"] })), json!([["a"], ["a", "x"]]));
    assert_eq!(list(json!({ "prefix": ["b", "*", "1"] })), json!([["b", "x", "1"], ["b", "y", "1"]]));
    assert_eq!(list(json!({ "suffix": ["x"] })), json!([["a", "x"], ["a!", "x"]]));
    assert_eq!(list(json!({ "suffix": ["*", "1"], "prefix": ["b", "y"] })), json!([["b", "y", "1"]]));
    assert_eq!(list(json!({ "prefix": ["a", "x", "*"] })), json!([]));
    assert_eq!(list(json!({ "maxDepth": 2, "prefix": ["b"] })), json!([["b", "x"], ["b", "y"]]));
    assert_eq!(list(json!({ "limit": 2, "offset": 1 })), json!([["a", "x"], ["a!", "x"]]));
    for key in ["k", "l"] {
        world.call(&engine, "delete", json!({ "namespace": ["b", "y", "2"], "key": key }));
    }
    assert_eq!(list(json!({ "prefix": ["b", "y"] })), json!([["b", "y", "1"]]));
}

#[test]
fn a_label_may_hold_full_stops_and_is_still_one_label() {
    let world = World::of("documents.");
    let engine = open(&world);
    for namespace in [&["a.b"][..], &["a", "b"], &["a"], &["a.b", "c"], &["a."], &[".a"]] {
        put(&world, &engine, namespace, "k", json!({ "at": namespace }));
    }
    let engine = open(&world);
    assert_eq!(get(&world, &engine, &["a.b"], "k")["namespace"], json!(["a.b"]));
    assert_eq!(found(&world, &engine, json!({ "prefix": ["a.b"] })).len(), 2);
    assert_eq!(found(&world, &engine, json!({ "prefix": ["a"] })).len(), 2);
    assert_eq!(
        world.call(&engine, "listNamespaces", json!({})),
        json!([[".a"], ["a"], ["a", "b"], ["a."], ["a.b"], ["a.b", "c"]])
    );
    let suffix = json!({ "suffix": ["a.b", "*"] });
    assert_eq!(world.call(&engine, "listNamespaces", suffix), json!([["a.b", "c"]]));
}

#[test]
fn a_namespace_of_four_kib_with_a_key_of_one_is_kept() {
    let world = World::of("documents.");
    let engine = open(&world);
    let labels: Vec<String> = (0..64).map(|n| format!("{n:063}")).collect();
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let key = "k".repeat(1024);
    put(&world, &engine, &labels, &key, json!({ "v": "words" }));
    let engine = open(&world);
    assert_eq!(get(&world, &engine, &labels, &key)["value"], json!({ "v": "words" }));
    assert_eq!(found(&world, &engine, json!({ "prefix": labels[..63], "query": "words" })), [key]);
}
