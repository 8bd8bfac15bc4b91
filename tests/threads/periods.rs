//! Summaries of weeks and months, and of other threads.

use super::{append, summarising, sums, talk};
use crate::support::world::{Scripted, World};
use serde_json::{Value, json};

const DAY_MS: i64 = 86_400_000;

#[test]
fn weeks_are_made_of_threads_and_months_of_weeks() {
    let world = World::new();
    let llm = Scripted::new([
        sums("Thread one."),
        sums("Thread two."),
        sums("The week of both."),
        sums("Thread three."),
        sums("The month."),
        sums("Thread four."),
    ]);
    let engine = world.open(Some(llm.clone()), &summarising(json!({ "method": "recursive" })));
    // The machine starts on Friday, 2026-05-01: the week of Monday, 2026-04-27.
    append(&world, &engine, "one", talk(0..10));
    append(&world, &engine, "two", talk(0..10));
    world.call(&engine, "idle", json!({}));
    let weeks =
        |limit: usize| world.call(&engine, "threads.summaries", json!({ "level": "week", "limit": limit }));
    assert_eq!(weeks(3), json!([]), "the week is not over");
    world.machine.pass(3 * DAY_MS);
    append(&world, &engine, "three", talk(0..10));
    world.call(&engine, "idle", json!({}));
    assert_eq!(weeks(3)[0]["text"], "The week of both.");
    assert_eq!(
        (&weeks(3)[0]["messages"], &weeks(3)[0]["period"]),
        (&json!(20), &json!(1_777_248_000_000_i64))
    );
    let april = world.call(&engine, "threads.summaries", json!({ "level": "month" }));
    assert_eq!(april[0]["text"], "The week of both.", "of one part there is nothing to summarise");
    world.machine.pass(31 * DAY_MS);
    assert_eq!(llm.calls(), 4);
    append(&world, &engine, "four", talk(0..1));
    world.call(&engine, "idle", json!({}));
    assert_eq!(weeks(1)[0]["text"], "Thread three.");
    let calls = llm.calls();
    let shown: Vec<String> = world
        .call(&engine, "threads.summaries", json!({ "exceptThreadId": "three" }))
        .as_array()
        .unwrap()
        .iter()
        .map(|summary| summary["text"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(shown.len(), 2);
    world.call(&engine, "threads.removeAll", json!({ "threadId": "two" }));
    world.call(&engine, "idle", json!({}));
    assert_eq!(weeks(3)[1]["text"], "Thread one.", "a week is made anew of what is left");
    assert_eq!(llm.calls(), calls, "of one thread without a call");
}

#[test]
fn a_week_tells_of_a_thread_as_it_was_when_the_week_ended() {
    let world = World::new();
    let llm = Scripted::new([
        sums("As of May 1."),
        sums("Other."),
        sums("The week."),
        sums("As of May 5."),
        sums("Wrong: the week again."),
    ]);
    let engine = world.open(Some(llm.clone()), &summarising(json!({ "method": "recursive" })));
    append(&world, &engine, "long", talk(0..10));
    append(&world, &engine, "other", talk(0..10));
    world.call(&engine, "idle", json!({}));
    world.machine.pass(4 * DAY_MS);
    append(&world, &engine, "long", talk(10..20));
    world.call(&engine, "idle", json!({}));
    let weeks = world.call(&engine, "threads.summaries", json!({ "level": "week" }));
    assert_eq!((weeks.as_array().unwrap().len(), &weeks[0]["text"]), (1, &json!("The week.")));
    assert_eq!(world.call(&engine, "threads.summary", json!({ "threadId": "long" }))["text"], "As of May 5.");
    assert_eq!(llm.calls(), 4);
}

#[test]
fn the_summaries_of_the_last_three_other_threads_are_recalled() {
    let world = World::new();
    let llm = Scripted::new(
        ["a", "b", "c", "d"].map(|name| sums(&format!("Conversation {name} was about gardens."))),
    );
    let engine = world.open(Some(llm.clone()), &summarising(json!({ "auto": false })));
    for thread in ["a", "b", "c", "d"] {
        world.machine.pass(1000);
        append(&world, &engine, thread, talk(0..2));
        world.call(&engine, "threads.summarise", json!({ "threadId": thread }));
    }
    let recalled = |options: Value| world.call(&engine, "recall", options);
    let lines = |recalled: &Value| -> Vec<String> {
        let items = recalled["items"].as_array().unwrap().iter().filter(|item| item["kind"] == "summary");
        items.map(|item| item["text"].as_str().unwrap().to_owned()).collect()
    };
    let told = recalled(json!({ "query": "sentence number", "currentThreadId": "d" }));
    assert_eq!(lines(&told).len(), 3);
    assert!(lines(&told)[0].contains("Conversation c"), "{:?}", lines(&told));
    let text = told["text"].as_str().unwrap();
    assert!(text.find("Conversation c").unwrap() < text.find("This is sentence").unwrap(), "{text}");
    let tight = recalled(json!({ "query": "gardens", "currentThreadId": "d", "maxTokens": 40 }));
    assert!(tight["tokens"].as_u64().unwrap() <= 40);
    assert!(
        lines(&recalled(json!({ "query": "gardens", "threshold": 0.1 }))).is_empty(),
        "only what is related"
    );
}
