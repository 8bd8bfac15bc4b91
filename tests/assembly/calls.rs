//! Calls of tools and their answers: none stands without the other.

use super::{assemble, assistant, is_sound, open, say, user, with_tools};
use crate::support::world::{ALICE, World};
use mnemic::Code;
use serde_json::{Value, json};

#[test]
fn no_answer_of_a_tool_stands_without_its_call_nor_a_call_without_an_answer() {
    let world = World::new();
    let engine = open(&world);
    let call = |id: &str| json!({ "type": "tool-call", "toolCallId": id, "toolName": "weather", "input": { "city": "Porto" } });
    let answer = |id: &str, text: &str| json!({ "role": "tool", "content": [{ "type": "tool-result", "toolCallId": id, "output": { "type": "text", "value": text } }] });
    say(
        &world,
        &engine,
        "t",
        json!([
            answer("lost", "an answer to nothing"),
            assistant("An old reply."),
            user("Weather?"),
            { "role": "assistant", "content": [{ "type": "text", "text": "I look." }, call("a"), call("b")] },
            answer("b", "windy"),
            answer("a", "sunny"),
            assistant("Sunny and windy."),
            user("And tomorrow?"),
            { "role": "assistant", "content": [call("never")] },
            user("Hello?"),
        ]),
    );
    let openai = assemble(&world, &engine, json!({ "threadId": "t", "maxTokens": 500, "as": "openai" }));
    let function = json!({ "name": "weather", "arguments": "{\"city\":\"Porto\"}" });
    let calls = json!([
        { "id": "a", "type": "function", "function": function },
        { "id": "b", "type": "function", "function": function },
    ]);
    assert_eq!(
        openai["messages"],
        json!([
            user("Weather?"),
            { "role": "assistant", "content": "I look.", "tool_calls": calls },
            { "role": "tool", "tool_call_id": "b", "content": "windy" },
            { "role": "tool", "tool_call_id": "a", "content": "sunny" },
            assistant("Sunny and windy."),
            user("And tomorrow?"),
            user("Hello?"),
        ])
    );
    let anthropic =
        assemble(&world, &engine, json!({ "threadId": "t", "maxTokens": 500, "as": "anthropic" }));
    let use_of =
        |id: &str| json!({ "type": "tool_use", "id": id, "name": "weather", "input": { "city": "Porto" } });
    let result = |id: &str, text: &str| json!({ "type": "tool_result", "tool_use_id": id, "content": text });
    let words = |text: &str| json!({ "type": "text", "text": text });
    assert_eq!(
        anthropic["messages"],
        json!([
            { "role": "user", "content": [words("Weather?")] },
            { "role": "assistant", "content": [words("I look."), use_of("a"), use_of("b")] },
            { "role": "user", "content": [result("b", "windy"), result("a", "sunny")] },
            { "role": "assistant", "content": [words("Sunny and windy.")] },
            { "role": "user", "content": [words("And tomorrow?"), words("Hello?")] },
        ])
    );
    // Where there is no room for the call, its answers go too, and what replied to them.
    for max in 1..200 {
        let asked = json!({ "threadId": "t", "maxTokens": max, "as": "openai" });
        let prompt = match world.try_call(&engine, "assemble", ALICE, asked) {
            Ok(prompt) => prompt,
            Err(error) => {
                assert_eq!((error.code, max < 30), (Code::BudgetExceeded, true), "{max}: {error:?}");
                continue;
            }
        };
        let messages = prompt["messages"].as_array().unwrap();
        assert_eq!(messages.last(), Some(&user("Hello?")), "what the user said last is never lost");
        let answers = messages.iter().filter(|message| message["role"] == "tool").count();
        let calls = messages.iter().any(|message| message.get("tool_calls").is_some());
        assert_eq!(answers, if calls { 2 } else { 0 }, "{max}");
        assert!(messages.first().is_none_or(|message| message["role"] == "user"), "{max}");
    }
}

/// A tool that the interface itself carries out answers in the message that calls it; both were left out.
#[test]
fn a_call_that_is_answered_in_its_own_message_is_told_with_its_answer() {
    let world = World::new();
    let engine = open(&world);
    let call = json!({ "type": "tool-call", "toolCallId": "s1", "toolName": "search", "input": { "query": "Porto" } });
    let answer = json!({ "type": "tool-result", "toolCallId": "s1", "toolName": "search", "output": { "type": "json", "value": ["sunny"] } });
    let picture = json!({ "type": "file", "filename": "sky.png", "mediaType": "image/png", "data": "iVBOR" });
    let messages = json!([
        { "role": "user", "content": [{ "type": "text", "text": "Weather?" }, picture] },
        { "role": "assistant", "content": [call, answer, { "type": "text", "text": "Sunny." }] },
        user("Thanks!"),
    ]);
    say(&world, &engine, "t", messages.clone());
    let prompt = assemble(&world, &engine, json!({ "threadId": "t", "maxTokens": 500, "as": "openai" }));
    let function = json!({ "name": "search", "arguments": "{\"query\":\"Porto\"}" });
    assert_eq!(
        prompt["messages"],
        json!([
            user("Weather?\n[image: sky.png]"),
            { "role": "assistant", "content": "", "tool_calls": [{ "id": "s1", "type": "function", "function": function }] },
            { "role": "tool", "tool_call_id": "s1", "content": "[\"sunny\"]" },
            { "role": "assistant", "content": "Sunny." },
            user("Thanks!"),
        ])
    );
    let trimmed = world.call(&engine, "threads.trim", json!({ "messages": messages, "maxTokens": 500 }));
    assert_eq!(trimmed["messages"], messages);
}

/// Adapters that use the function's name as an id, and applications that count calls anew in each turn, got requests that
/// models' interfaces refuse.
#[test]
fn calls_that_share_an_id_are_told_apart() {
    let world = World::new();
    let engine = open(&world);
    for (thread, calls, answers) in [("one", 2, 1), ("both", 2, 2), ("none", 2, 0), ("more", 1, 3)] {
        let mut said = with_tools("Porto", calls, answers);
        said.extend(with_tools("Lisbon", 1, 1));
        said.push(user("And?"));
        say(&world, &engine, thread, said.into());
        for shape in ["openai", "anthropic"] {
            let asked = json!({ "threadId": thread, "maxTokens": 2000, "as": shape });
            let prompt = assemble(&world, &engine, asked);
            assert!(is_sound(&prompt, shape), "{thread}: {prompt:#}");
            let told = prompt
                .to_string()
                .matches(if shape == "openai" { "tool_call_id" } else { "tool_use_id" })
                .count();
            assert_eq!(told, calls.min(answers) + 1, "{thread}: {prompt:#}");
        }
    }
}

/// The words behind a tool's answer were told before its call, where one message held all of them.
#[test]
fn what_stands_in_one_message_is_told_in_its_order() {
    let world = World::new();
    let engine = open(&world);
    let call = |id: &str| json!({ "type": "tool-call", "toolCallId": id, "toolName": "look", "input": {} });
    let answer = |id: &str, text: &str| json!({ "type": "tool-result", "toolCallId": id, "toolName": "look", "output": text });
    let text = |text: &str| json!({ "type": "text", "text": text });
    let parts = json!([
        text("Let me look."),
        call("a"),
        answer("a", "nothing"),
        text("I look again."),
        call("b"),
        answer("b", "a cat"),
        text("A cat."),
    ]);
    say(
        &world,
        &engine,
        "t",
        json!([user("What is there?"), { "role": "assistant", "content": parts }, user("Thanks.")]),
    );
    let prompt = assemble(&world, &engine, json!({ "maxTokens": 2000, "threadId": "t", "as": "openai" }));
    assert!(is_sound(&prompt, "openai"), "{prompt}");
    let told: Vec<Value> = prompt["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] != "system")
        .map(|message| {
            json!([message["role"], message["content"], message["tool_calls"].as_array().map(Vec::len)])
        })
        .collect();
    assert_eq!(
        json!(told),
        json!([
            ["user", "What is there?", null],
            ["assistant", "Let me look.", 1],
            ["tool", "nothing", null],
            ["assistant", "I look again.", 1],
            ["tool", "a cat", null],
            ["assistant", "A cat.", null],
            ["user", "Thanks.", null],
        ])
    );
}

/// Calls that are handed over one by one, as OpenAI's responses have them, were left out but for the last.
#[test]
fn calls_that_were_made_one_by_one_are_told_together() {
    let world = World::new();
    let engine = open(&world);
    let call =
        |id: &str| json!({ "type": "function_call", "call_id": id, "name": "look", "arguments": "{}" });
    let output = |id: &str| json!({ "type": "function_call_output", "call_id": id, "output": id });
    say(
        &world,
        &engine,
        "t",
        json!([user("Look twice."), call("a"), call("b"), output("b"), output("a"), assistant("Done.")]),
    );
    let prompt = assemble(&world, &engine, json!({ "maxTokens": 2000, "threadId": "t", "as": "openai" }));
    assert!(is_sound(&prompt, "openai"), "{prompt}");
    let calls: Vec<usize> = prompt["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|message| message["tool_calls"].as_array().map(Vec::len))
        .collect();
    assert_eq!(calls, [2]);
}

/// Facts were looked for only where a `query` was given: what the user had just said found nothing.
#[test]
fn what_the_user_said_last_is_looked_for() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for text in ["The user's boat is called Petrel", "The user lives in Leith"] {
        world.add(&engine, json!({ "text": text }));
    }
    let facts = |options: Value| -> Vec<String> {
        let prompt = world.call(&engine, "assemble", options);
        let items = prompt["items"].as_array().unwrap().iter().filter(|item| item["section"] == "facts");
        items.map(|item| item["text"].as_str().unwrap().to_owned()).collect()
    };
    let said = json!([
        { "role": "user", "content": "Where do I live?" },
        { "role": "assistant", "content": "In Leith." },
        { "role": "user", "content": "What is my boat called?" },
        { "role": "assistant", "content": "", "tool_calls": [{ "id": "a", "type": "function",
            "function": { "name": "look", "arguments": "{}" } }] },
        { "role": "tool", "tool_call_id": "a", "content": "nothing" },
    ]);
    let found = facts(json!({ "messages": said, "maxTokens": 1000 }));
    assert!(found.len() == 1 && found[0].contains("Petrel"), "{found:?}");
    world.call(&engine, "remember", json!({ "messages": said, "threadId": "t", "learn": false }));
    assert_eq!(facts(json!({ "threadId": "t", "maxTokens": 1000 })), found);
    // A question takes its place, and without either nothing is looked for.
    let found = facts(json!({ "threadId": "t", "query": "Where do I live?", "maxTokens": 1000 }));
    assert!(found.len() == 1 && found[0].contains("Leith"), "{found:?}");
    // What the user quotes is not what they ask.
    let said = json!([
        { "role": "user", "content": "Where do I live?" },
        { "role": "user", "content": "A page about boats and what they are called", "trust": "web" },
    ]);
    assert_eq!(facts(json!({ "messages": said, "maxTokens": 1000 })), found);
    let said = json!([{ "role": "assistant", "content": "What is your boat called?" }]);
    assert_eq!(facts(json!({ "messages": said, "maxTokens": 1000 })), Vec::<String>::new());
    // That it was asked before tells nothing.
    let before = json!([{ "role": "user", "content": "What is my boat called?" }, { "role": "user", "content": "My boat needs paint." }]);
    world.call(&engine, "remember", json!({ "messages": before, "threadId": "before", "learn": false }));
    let prompt =
        world.call(&engine, "assemble", json!({ "query": "What is my boat called?", "maxTokens": 1000 }));
    let told = prompt["text"].as_str().unwrap();
    assert!(told.contains("needs paint") && told.matches("my boat called").count() == 1, "{told}");
    // A message longer than a query may be is looked for by its beginning.
    let long = format!("What is my boat called? {}", "лодка ".repeat(20_000));
    let said = json!([{ "role": "user", "content": long }]);
    let prompt = world.call(&engine, "assemble", json!({ "messages": said, "maxTokens": 1000 }));
    assert!(prompt["tokens"].as_u64().unwrap() <= 1000);
}
