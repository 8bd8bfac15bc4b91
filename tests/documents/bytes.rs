//! Documents that hold bytes.

use super::{found, get, open};
use crate::support::world::{ALICE, World};
use mnemic::Code;
use serde_json::json;

#[test]
fn bytes_come_back_as_they_were_put() {
    let world = World::of("documents.");
    let engine = open(&world);
    let put = |key: &str, data: &str| {
        let options = json!({ "namespace": ["n"], "key": key, "data": data });
        world.try_call(&engine, "documents.put", ALICE, options)
    };
    for (key, data) in [("none", ""), ("one", "AA=="), ("two", "AP8="), ("three", "AP8A"), ("text", "dGVh")] {
        assert_eq!(put(key, data).unwrap()["action"], json!("created"));
        assert_eq!(put(key, data).unwrap()["action"], json!("unchanged"));
    }
    world.call(&engine, "put", json!({ "namespace": ["n"], "key": "value", "value": { "data": "dGVh" } }));
    for engine in [&engine, &open(&world)] {
        for (key, data, bytes) in
            [("none", "", 0), ("one", "AA==", 1), ("two", "AP8=", 2), ("three", "AP8A", 3)]
        {
            let document = get(&world, engine, &["n"], key);
            assert_eq!((&document["data"], &document["value"]), (&json!(data), &json!({})));
            assert_eq!(document["bytes"], json!(bytes));
        }
        assert!(get(&world, engine, &["n"], "value").get("data").is_none());
        assert!(world.call(engine, "list", json!({}))[0].get("data").is_none());
        // Bytes have no words and no fields.
        assert_eq!(found(&world, engine, json!({ "filter": { "data": { "$exists": true } } })), ["value"]);
        let ranked = world.call(engine, "search", json!({ "query": "dGVh", "limit": 1 }));
        assert_eq!(ranked[0]["key"], json!("value"));
    }
    // An object takes the place of bytes, and bytes that of an object.
    world.call(&engine, "put", json!({ "namespace": ["n"], "key": "text", "value": { "now": "words" } }));
    put("value", "AA==").unwrap();
    assert_eq!(get(&world, &engine, &["n"], "text")["value"], json!({ "now": "words" }));
    assert_eq!(get(&world, &engine, &["n"], "value")["value"], json!({}));
    for (data, expected) in
        [("AA=", "data is not base64"), ("\u{e9}AA=", "data is not base64"), ("a b ", "data is not base64")]
    {
        let error = put("bad", data).unwrap_err();
        assert!(error.code == Code::InvalidInput && error.message.contains(expected), "{}", error.message);
    }
    let both = json!({ "namespace": ["n"], "key": "bad", "data": "AA==", "value": {} });
    let error = world.try_call(&engine, "documents.put", ALICE, both).unwrap_err();
    assert!(error.message.contains("pass it or value"), "{}", error.message);
}
