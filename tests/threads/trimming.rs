//! Trimming and windows: what fits, and no call without its result.

use super::{append, message, summarising, sums, talk, texts};
use crate::support::world::{ALICE, Scripted, World};
use mnemic::Code;
use serde_json::{Value, json};

#[test]
fn tool_calls_are_kept_and_never_parted_from_their_results() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let calls =
        json!([{ "id": "c1", "type": "function", "function": { "name": "weather", "arguments": "{}" } }]);
    let said = vec![
        message("system", "Be brief."),
        message("user", "How is the weather in Busan?"),
        json!({ "role": "assistant", "content": null, "tool_calls": calls }),
        json!({ "role": "tool", "content": "17 degrees", "toolCallId": "c1" }),
        message("assistant", "It is 17 degrees."),
        message("user", "Thanks!"),
    ];
    append(&world, &engine, "t", said);
    let listed = world.call(&engine, "threads.messages", json!({ "threadId": "t" }));
    assert_eq!((&listed[2]["toolCalls"], &listed[2]["content"]), (&calls, &json!("")));
    assert_eq!(listed[3]["toolCallId"], "c1");
    let kept = |max: usize, start: Value| {
        let trim = json!({ "threadId": "t", "maxTokens": max, "startOn": start });
        texts(&world.call(&engine, "threads.trim", trim)["messages"])
    };
    assert_eq!(kept(10_000, json!("user")).len(), 6);
    assert_eq!(
        kept(30, json!(["user", "system"])),
        ["Be brief.", "Thanks!"],
        "neither a reply nor a result comes first"
    );
    let window = world.call(&engine, "threads.window", json!({ "threadId": "t", "last": 3 }));
    assert_eq!(window["messages"].as_array().unwrap().len(), 4, "the result brings its call along");
    assert!(window.get("summary").is_none());
    for (bad, why) in [
        (json!({ "role": "assistant", "content": null }), "content must be a text"),
        (json!({ "role": "assistant", "content": null, "toolCalls": ["c1"] }), "toolCalls[0] is not a call"),
        (json!({ "role": "tool", "content": "", "toolCallId": " " }), "toolCallId"),
    ] {
        let error = world
            .try_call(&engine, "threads.append", ALICE, json!({ "threadId": "t", "messages": [bad] }))
            .unwrap_err();
        assert_eq!(error.code, Code::InvalidInput);
        assert!(error.message.contains(why), "{}", error.message);
    }
}

#[test]
fn a_budget_below_the_system_message_is_an_error_with_both_numbers() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let messages =
        json!([message("system", "You are a helpful assistant for gardeners."), message("user", "Hi")]);
    let error = world
        .try_call(&engine, "threads.trim", ALICE, json!({ "messages": messages, "maxTokens": 8 }))
        .unwrap_err();
    assert_eq!(error.code, Code::BudgetExceeded);
    assert_eq!((&error.details["maxTokens"], &error.details["tokens"]), (&json!(8), &json!(12)));
    for bad in [
        json!({ "maxTokens": 8 }),
        json!({ "maxTokens": 8, "messages": [], "threadId": "t" }),
        json!({ "maxTokens": 8, "messages": [{ "role": "wizard" }] }),
        json!({ "maxTokens": 8, "messages": [], "endOn": [] }),
    ] {
        assert_eq!(world.try_call(&engine, "threads.trim", ALICE, bad).unwrap_err().code, Code::InvalidInput);
    }
}

/// Between the summary and the last messages there were some in neither.
#[test]
fn the_window_begins_where_the_summary_ends() {
    let world = World::new();
    let llm = Scripted::new([sums("They counted.")]);
    let engine = world.open(Some(llm), &summarising(json!({ "auto": false })));
    append(&world, &engine, "t", talk(0..20));
    world.call(&engine, "threads.summarise", json!({ "threadId": "t" }));
    append(&world, &engine, "t", talk(20..80));
    let window = || world.call(&engine, "threads.window", json!({ "threadId": "t" }));
    assert_eq!((&window()["summary"]["messages"], texts(&window()["messages"]).len()), (&json!(20), 60));
    assert!(window().get("missing").is_none());
    for first in (80..1280).step_by(300) {
        append(&world, &engine, "t", talk(first..first + 300));
    }
    assert_eq!((texts(&window()["messages"]).len(), &window()["missing"]), (1000, &json!(260)));
    world.close(&engine);
    let engine = world.open(None, &json!({}));
    append(&world, &engine, "other", talk(0..30));
    let window = world.call(&engine, "threads.window", json!({ "threadId": "other" }));
    assert_eq!((texts(&window["messages"]).len(), &window["missing"]), (10, &json!(20)));
}

/// Their call lay farther back than anybody looked, and nothing was left.
#[test]
fn many_parallel_results_bring_their_call_along() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let ids: Vec<String> = (0..100).map(|id| format!("c{id}")).collect();
    let calls: Vec<Value> = ids.iter().map(|id| json!({ "id": id })).collect();
    append(
        &world,
        &engine,
        "t",
        vec![message("user", "Go."), json!({ "role": "assistant", "content": null, "toolCalls": calls })],
    );
    append(
        &world,
        &engine,
        "t",
        ids.iter().map(|id| json!({ "role": "tool", "content": "42", "toolCallId": id })).collect(),
    );
    let window = world.call(&engine, "threads.window", json!({ "threadId": "t" }));
    assert_eq!(texts(&window["messages"]).len(), 101);
    let trimmed = world.call(&engine, "threads.trim", json!({ "threadId": "t", "maxTokens": 10_000 }));
    assert_eq!(texts(&trimmed["messages"]).len(), 102);
}

/// A thread was cut before anything was dropped from it.
#[test]
fn a_thread_is_trimmed_as_a_list_of_its_messages() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let replies = |count: usize| (0..count).map(|_| message("assistant", "Well."));
    let one: Vec<Value> = std::iter::once(message("user", "Hello.")).chain(replies(200)).collect();
    let other: Vec<Value> =
        replies(200).chain([message("user", "Hello."), message("assistant", "Yes.")]).collect();
    for (thread, said, options) in
        [("one", one, json!({ "endOn": "user" })), ("other", other, json!({ "strategy": "first" }))]
    {
        append(&world, &engine, thread, said.clone());
        let trim = |given: Value| {
            let mut trim = options.clone();
            trim["maxTokens"] = 40.into();
            trim.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
            texts(&world.call(&engine, "threads.trim", trim)["messages"])
        };
        let kept = trim(json!({ "threadId": thread }));
        assert!(!kept.is_empty());
        assert_eq!(kept, trim(json!({ "messages": said })));
    }
}

/// What a step called stood in trimmed threads and windows, in parts that no chat API knows.
#[test]
fn what_steps_called_is_nothing_for_a_chat_api() {
    let world = World::new();
    let search = json!({ "name": "archival_memory_search", "arguments": { "query": "tea" } });
    let says = json!({ "name": "send_message", "arguments": { "message": "Hi!" } });
    let llm = Scripted::new([json!({ "toolCalls": [search] }), json!({ "toolCalls": [says] })]);
    let engine = world.open(Some(llm), &summarising(json!({ "auto": false })));
    world.call(&engine, "context.step", json!({ "threadId": "t", "messages": [message("user", "Hello")] }));
    assert_eq!(texts(&world.call(&engine, "threads.messages", json!({ "threadId": "t" }))).len(), 4);
    let window = world.call(&engine, "threads.window", json!({ "threadId": "t" }));
    assert_eq!(
        (texts(&window["messages"]), window.get("missing")),
        (vec!["Hello".to_owned(), "Hi!".to_owned()], None)
    );
    let trimmed = world.call(&engine, "threads.trim", json!({ "threadId": "t", "maxTokens": 1000 }));
    assert_eq!(texts(&trimmed["messages"]), ["Hello", "Hi!"]);
}
