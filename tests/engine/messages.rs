//! Messages: kept, replaced and searched.

use super::{open, profile};
use crate::support::world::{ALICE, World};
use mnemic::Code;
use serde_json::{Value, json};

#[test]
fn what_is_not_to_be_learned_from_is_kept_and_found_all_the_same() {
    let world = World::new();
    let engine = open(&world, None);
    let messages = json!([{ "role": "user", "content": "My name is Ana.", "id": "1" }]);
    world.call(&engine, "remember", json!({ "messages": messages, "learn": false }));
    let idle = world.call(&engine, "idle", json!({}));
    assert_eq!((&idle["pending"], profile(&world, &engine)), (&json!(0), json!({})));
    assert_eq!(world.call(&engine, "threads.search", json!({ "query": "Ana" })).as_array().unwrap().len(), 1);
    world.call(&engine, "remember", json!({ "messages": messages }));
    assert_eq!(profile(&world, &engine), json!({}), "a message that is known teaches nothing new");
}

/// A search in one thread used to answer with messages of every thread.
#[test]
fn a_search_in_a_thread_stays_in_it() {
    let world = World::new();
    let engine = open(&world, None);
    for thread in ["monday", "tuesday"] {
        let message = json!({ "role": "user", "content": format!("The cello lesson is on {thread}.") });
        world.call(&engine, "remember", json!({ "threadId": thread, "messages": [message] }));
    }
    let threads = |options: Value| -> Vec<Value> {
        let found = world.call(&engine, "threads.search", options);
        found.as_array().unwrap().iter().map(|message| message["threadId"].clone()).collect()
    };
    assert_eq!(threads(json!({ "query": "cello" })).len(), 2);
    assert_eq!(threads(json!({ "query": "cello", "threadId": "monday" })), ["monday"]);
    assert_eq!(threads(json!({ "query": "cello", "threadId": "mon" })), [""; 0]);
    let facts =
        world.try_call(&engine, "facts.search", ALICE, json!({ "query": "cello", "threadId": "monday" }));
    assert_eq!(facts.unwrap_err().code, Code::InvalidInput);
}

#[test]
fn the_same_message_twice_is_kept_once_and_a_new_text_replaces_it() {
    let world = World::new();
    let engine = open(&world, None);
    let hand = |text: &str| json!({ "threadId": "t", "messages": [{ "role": "user", "content": text, "id": "m1" }] });
    let first = world.call(&engine, "remember", hand("I like tea."));
    let again = world.call(&engine, "remember", hand("I like tea."));
    assert_eq!((&first["messageIds"], again.get("commitId")), (&again["messageIds"], None));
    world.call(&engine, "remember", hand("I like green tea."));
    let messages = world.call(&engine, "threads.messages", json!({ "threadId": "t" }));
    assert_eq!(messages.as_array().unwrap().len(), 1);
    assert_eq!(messages[0]["content"], json!("I like green tea."));
}

/// Only some errors about one message said which it was.
#[test]
fn an_error_about_one_message_says_which() {
    let world = World::new();
    let engine = open(&world, None);
    let right = json!({ "role": "user", "content": "Hello" });
    for wrong in [
        json!({ "role": "wizard", "content": "x" }),
        json!({ "role": "user" }),
        json!({ "role": "user", "content": "x", "contnet": "y" }),
        json!({ "role": "user", "content": 5 }),
        json!({ "role": "user", "content": "x", "createdAt": "soon" }),
        json!({ "role": "user", "content": "x", "metadata": [] }),
    ] {
        let error = world.fails(&engine, "remember", json!({ "messages": [right, wrong] }));
        assert_eq!((error.code, &error.details["index"]), (Code::InvalidInput, &json!(1)), "{wrong}");
    }
}
