//! Messages: appended, replaced, removed, refused and found.

use super::{append, message, talk, texts};
use crate::support::world::{ALICE, World};
use mnemic::Code;
use serde_json::{Value, json};

#[test]
fn messages_are_appended_replaced_and_removed() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let added = append(&world, &engine, "t", talk(0..3));
    assert_eq!(world.call(&engine, "idle", json!({}))["pending"], 0, "nothing is to be learned");
    append(&world, &engine, "t", vec![json!({ "role": "assistant", "id": "m1", "content": "Better said." })]);
    let listed = world.call(&engine, "threads.messages", json!({ "threadId": "t" }));
    assert_eq!(texts(&listed)[1], "Better said.", "the same id replaces, at its place");
    let first = added["messageIds"][0].as_str().unwrap();
    let error = world
        .try_call(&engine, "threads.remove", ALICE, json!({ "threadId": "t", "ids": [first, "nobody"] }))
        .unwrap_err();
    assert_eq!(error.code, Code::NotFound);
    assert!(error.message.contains("\"nobody\""), "{}", error.message);
    assert_eq!(texts(&world.call(&engine, "threads.messages", json!({ "threadId": "t" }))).len(), 3);
    let removed =
        world.call(&engine, "threads.remove", json!({ "threadId": "t", "ids": [first, "m1", "m1"] }));
    assert_eq!(removed.as_array().unwrap().len(), 2);
    assert_eq!(removed[0]["action"], "deleted");
    append(&world, &engine, "other", talk(0..2));
    let error = world
        .try_call(&engine, "threads.remove", ALICE, json!({ "threadId": "t", "ids": ["m0"] }))
        .unwrap_err();
    assert_eq!(error.code, Code::NotFound, "of another thread");
    let removed = world.call(&engine, "threads.removeAll", json!({ "threadId": "t" }));
    assert_eq!((&removed["removed"], removed["commitIds"].as_array().unwrap().len()), (&json!(1), 1));
    assert_eq!(
        world.call(&engine, "threads.removeAll", json!({ "threadId": "t" })),
        json!({ "removed": 0, "commitIds": [] })
    );
    assert_eq!(world.call(&engine, "threads.list", json!({})).as_array().unwrap().len(), 1);
}

/// One message over its limit refused a whole batch without saying which, so that an app could not go on without it.
#[test]
fn a_message_that_is_refused_is_named_so_that_the_others_can_be_handed_over() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let long = json!({ "role": "user", "content": "x".repeat(300_000), "id": "paste" });
    let mut messages = vec![message("user", "Hi."), long, message("user", "Bye.")];
    let hand_over = |messages: &[Value]| {
        world.try_call(&engine, "remember", ALICE, json!({ "threadId": "t", "messages": messages }))
    };
    let error = hand_over(&messages).unwrap_err();
    assert_eq!(error.code, Code::InvalidInput);
    let details = ["index", "id", "bytes", "limit"].map(|name| error.details[name].clone());
    assert_eq!(details, [json!(1), json!("paste"), json!(300_000), json!(262_144)]);
    assert!(error.message.contains("messages[1] (id \"paste\")"), "{}", error.message);
    assert!(error.message.contains("nothing was changed: split that message"), "{}", error.message);
    assert_eq!(world.call(&engine, "threads.list", json!({})), json!([]));
    messages.remove(details[0].as_u64().unwrap() as usize);
    assert_eq!(hand_over(&messages).unwrap()["messageIds"].as_array().unwrap().len(), 2);
    let nameless = json!({ "role": "user", "content": [{ "text": "no type" }] });
    assert_eq!(hand_over(&[message("user", "Hi."), nameless]).unwrap_err().details["index"], 1);
}

#[test]
fn searches_know_speakers_and_times() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let said =
        |role: &str, content: &str, at: i64| json!({ "role": role, "content": content, "createdAt": at });
    append(
        &world,
        &engine,
        "t",
        vec![
            said("user", "The cello is old.", 1000),
            said("assistant", "The cello sounds well.", 2000),
            said("user", "The cello needs strings.", 3000),
        ],
    );
    let found = |options: Value| {
        let mut options = options;
        options["query"] = "cello".into();
        let mut found = texts(&world.call(&engine, "threads.search", options));
        found.sort();
        found
    };
    assert_eq!(found(json!({ "role": "assistant" })), ["The cello sounds well."]);
    assert_eq!(found(json!({ "role": ["assistant", "user"] })).len(), 3);
    assert_eq!(found(json!({ "from": 2000 })).len(), 2);
    assert_eq!(found(json!({ "from": 1000, "to": 2000 })), ["The cello is old."]);
    assert_eq!(found(json!({ "role": "user", "from": 2000 })), ["The cello needs strings."]);
    for bad in [json!({ "query": "x", "role": "wizard" }), json!({ "query": "x", "from": "soon" })] {
        assert_eq!(
            world.try_call(&engine, "threads.search", ALICE, bad).unwrap_err().code,
            Code::InvalidInput
        );
    }
    let error =
        world.try_call(&engine, "facts.search", ALICE, json!({ "query": "x", "role": "user" })).unwrap_err();
    assert!(error.message.contains("role is an option of threads.search only"), "{}", error.message);
}

/// The removal went in one commit, and what would bring it back was over the limit of one.
#[test]
fn the_removal_of_a_large_thread_is_undone() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let large = || message("user", "word ".repeat(40_000));
    for _ in 0..9 {
        append(&world, &engine, "t", (0..10).map(|_| large()).collect());
    }
    let removed = world.call(&engine, "threads.removeAll", json!({ "threadId": "t" }));
    assert_eq!(removed["removed"], 90);
    for id in removed["commitIds"].as_array().unwrap() {
        world.call(&engine, "undo", json!({ "commitId": id }));
    }
    for engine in [engine, world.open(None, &json!({}))] {
        assert_eq!(world.call(&engine, "threads.list", json!({}))[0]["messages"], 90);
    }
}
