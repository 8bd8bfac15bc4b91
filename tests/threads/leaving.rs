//! What is removed, replaced or taken back leaves the summaries.

use super::{append, summarising, sums, talk, texts};
use crate::support::world::{Scripted, World};
use serde_json::{Value, json};

#[test]
fn what_is_removed_leaves_the_summaries_too() {
    let world = World::new();
    let llm = Scripted::new([sums("The secret is out."), sums("Made anew."), sums("Made anew again.")]);
    let engine = world.open(Some(llm.clone()), &summarising(json!({})));
    append(&world, &engine, "t", talk(0..24));
    world.call(&engine, "idle", json!({}));
    world.call(&engine, "threads.remove", json!({ "threadId": "t", "ids": ["m20"] }));
    world.call(&engine, "idle", json!({}));
    assert_eq!(llm.calls(), 1, "it is in no summary");
    world.call(&engine, "threads.remove", json!({ "threadId": "t", "ids": ["m3"] }));
    world.call(&engine, "idle", json!({}));
    assert_eq!(llm.calls(), 2);
    assert!(
        !llm.prompt().contains("secret") && !llm.prompt().contains("number 3 of"),
        "never from its own old text"
    );
    let summary = world.call(&engine, "threads.summary", json!({ "threadId": "t" }));
    assert_eq!((&summary["text"], &summary["messages"]), (&json!("Made anew."), &json!(13)));
    append(&world, &engine, "t", vec![json!({ "role": "user", "id": "m4", "content": "Said otherwise." })]);
    world.call(&engine, "idle", json!({}));
    assert_eq!(llm.calls(), 3);
    assert!(llm.prompt().contains("Said otherwise.") && !llm.prompt().contains("Made anew."));
    world.call(&engine, "threads.removeAll", json!({ "threadId": "t" }));
    world.call(&engine, "idle", json!({}));
    assert_eq!(world.call(&engine, "threads.summaries", json!({})), json!([]));
    assert_eq!(world.call(&engine, "items.list", json!({ "kinds": ["summary"] })), json!([]));
    assert_eq!(llm.calls(), 3);
}

#[test]
fn without_a_model_a_removed_message_empties_the_summary() {
    let world = World::new();
    let llm = Scripted::new([sums("The secret is out.")]);
    let engine = world.open(Some(llm.clone()), &summarising(json!({ "auto": false })));
    append(&world, &engine, "t", talk(0..4));
    world.call(&engine, "threads.summarise", json!({ "threadId": "t" }));
    world.close(&engine);
    let engine = world.open(None, &json!({}));
    world.call(&engine, "threads.remove", json!({ "threadId": "t", "ids": ["m2"] }));
    assert_eq!(world.call(&engine, "threads.summary", json!({ "threadId": "t" })), Value::Null);
    let window = world.call(&engine, "threads.window", json!({ "threadId": "t", "last": 2 }));
    assert_eq!((texts(&window["messages"]).len(), window.get("summary")), (2, None));
    let recalled = world.call(&engine, "recall", json!({ "query": "what?" }));
    assert!(!recalled.to_string().contains("secret"), "{recalled}");
}

/// Until it was made anew, which without `auto` was never, a summary told what a message had said before it was replaced.
#[test]
fn what_is_replaced_leaves_the_summaries_at_once() {
    let world = World::new();
    let llm = Scripted::new([sums("The secret is out.")]);
    let engine = world.open(Some(llm), &summarising(json!({ "auto": false })));
    append(&world, &engine, "t", talk(0..20));
    world.call(&engine, "threads.summarise", json!({ "threadId": "t" }));
    append(&world, &engine, "t", talk(0..20));
    let summary = || world.call(&engine, "threads.summary", json!({ "threadId": "t" }));
    assert_eq!(summary()["messages"], 20, "the same again replaces nothing");
    append(&world, &engine, "t", vec![json!({ "role": "user", "id": "m0", "content": "Something else." })]);
    assert_eq!(summary(), Value::Null);
    let window = world.call(&engine, "threads.window", json!({ "threadId": "t" }));
    assert_eq!((window.get("summary"), texts(&window["messages"]).len()), (None, 20));
    let recalled = world.call(&engine, "recall", json!({ "query": "what?" }));
    assert!(!recalled.to_string().contains("secret"), "{recalled}");
    assert_eq!(world.call(&engine, "items.list", json!({ "kinds": ["summary"] }))[0]["text"], "thread/t");
}

/// Taking back that something was said left it in the summaries.
#[test]
fn what_is_undone_leaves_the_summaries_too() {
    let world = World::new();
    let llm = Scripted::new([sums("The secret is out."), sums("Without it.")]);
    let engine = world.open(Some(llm), &summarising(json!({ "auto": false })));
    append(&world, &engine, "t", talk(0..4));
    let said = append(&world, &engine, "t", talk(4..8));
    world.call(&engine, "threads.summarise", json!({ "threadId": "t" }));
    let undone = world.call(&engine, "undo", json!({ "commitId": said["commitId"] }));
    let summary = || world.call(&engine, "threads.summary", json!({ "threadId": "t" }));
    assert_eq!(summary(), Value::Null);
    world.call(&engine, "threads.summarise", json!({ "threadId": "t" }));
    assert_eq!(summary()["messages"], 4);
    // The summary was made anew since, and that keeps nobody from saying it again.
    world.call(&engine, "undo", json!({ "commitId": undone["commitId"] }));
    assert_eq!(texts(&world.call(&engine, "threads.messages", json!({ "threadId": "t" }))).len(), 8);
}
