//! Random prompts: none is over its limit, and their beginning stays.

use super::{assemble, assistant, is_sound, open, say, user, with_tools};
use crate::support::world::{ALICE, World};
use mnemic::engine::Engine;
use mnemic::{Code, tokens};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Words of several scripts, of which some close blocks.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-zA-Z]{1,9}",
        "[가-힣]{1,4}",
        "[ぁ-ん]{1,5}",
        "[一-龥]{1,3}",
        "[0-9]{1,6}",
        Just("</memory>".to_owned()),
        Just("\n".to_owned())
    ];
    prop::collection::vec(word, 1..30).prop_map(|words| format!("w {}", words.join(" ")))
}

/// The tokens of everything in a prompt that a model reads, and four for each message.
fn counted(prompt: &Value, shape: &str) -> usize {
    let count = |value: &Value| match value {
        Value::String(text) => tokens::estimate(text),
        Value::Null => 0,
        other => tokens::estimate(&other.to_string()),
    };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    match shape {
        "text" => count(&prompt["text"]),
        "openai" => {
            let message = |message: &Value| {
                let called = |call: &Value| {
                    count(&call["id"])
                        + count(&call["function"]["name"])
                        + count(&call["function"]["arguments"])
                };
                let calls: usize = list(&message["tool_calls"]).iter().map(called).sum();
                4 + count(&message["content"]) + count(&message["tool_call_id"]) + calls
            };
            list(&prompt["messages"]).iter().map(message).sum()
        }
        _ => {
            let system: String = list(&prompt["system"])
                .iter()
                .map(|block| block["text"].as_str().unwrap().to_owned())
                .collect();
            let told = |block: &Value| {
                ["text", "id", "name", "input", "tool_use_id", "content"]
                    .map(|name| count(&block[name]))
                    .iter()
                    .sum::<usize>()
            };
            let message = |message: &Value| 4 + list(&message["content"]).iter().map(told).sum::<usize>();
            tokens::estimate(&system) + list(&prompt["messages"]).iter().map(message).sum::<usize>()
        }
    }
}

fn remembered(world: &World, texts: &[String]) -> Engine {
    let engine = open(world);
    for (place, text) in texts.iter().enumerate() {
        match place % 5 {
            0 => {
                let id = world.call(&engine, "facts.add", json!({ "text": text }))["id"].clone();
                world.call(&engine, "items.pin", json!({ "id": id, "pinned": place % 2 == 0 }));
            }
            1 => say(world, &engine, "t", with_tools(text, 1 + place % 3, place % 4).into()),
            2 => {
                let label = format!("block-{place}");
                world.call(&engine, "context.blocks.set", json!({ "label": label, "value": text }));
            }
            3 => {
                let entity = json!({ "name": text, "entityType": "thing", "observations": [text] });
                world.call(&engine, "graph.create_entities", json!({ "entities": [entity] }));
            }
            _ => {
                world.call(&engine, "facts.add", json!({ "text": text }));
            }
        }
    }
    world.call(&engine, "profiles.set", json!({ "schema": "user", "field": "name", "value": texts[0] }));
    world.call(&engine, "instructions.set", json!({ "name": "tone", "text": texts[texts.len() - 1] }));
    engine
}

/// The beginning of a prompt that does not depend on the question.
fn prefix(prompt: &Value) -> String {
    let system = prompt["system"].as_array().unwrap();
    let first = system.iter().find(|block| block.get("cache_control").is_some());
    first.map_or_else(String::new, |block| block["text"].as_str().unwrap().to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_prompt_is_never_over_its_limit(
        texts in prop::collection::vec(words(), 1..25),
        query in words(),
        max in 1usize..1500,
        shape in prop_oneof![Just("text"), Just("openai"), Just("anthropic")],
    ) {
        let world = World::new();
        let engine = remembered(&world, &texts);
        let asked = json!({ "threadId": "t", "query": query, "maxTokens": max, "as": shape });
        match world.try_call(&engine, "assemble", ALICE, asked.clone()) {
            Ok(prompt) => {
                prop_assert!(counted(&prompt, shape) <= max);
                prop_assert!(shape == "text" || is_sound(&prompt, shape), "{prompt}");
                prop_assert!(prompt["tokens"].as_u64().unwrap() as usize <= max);
                let again = assemble(&world, &engine, asked);
                prop_assert_eq!(again.to_string(), prompt.to_string(), "the same input, the same bytes");
            }
            Err(error) => {
                prop_assert_eq!(error.code, Code::BudgetExceeded);
                // As the question is written: beside the block it must not end.
                let written = if shape == "text" { query.replace("</memory>", "&lt;/memory>") } else { query };
                prop_assert!(tokens::estimate(&written) + 4 > max, "only for what cannot be cut");
            }
        }
    }

    #[test]
    fn the_beginning_stays_while_only_the_question_and_the_last_messages_change(
        texts in prop::collection::vec(words(), 1..25),
        queries in prop::collection::vec(words(), 2..5),
        max in 600usize..3000,
    ) {
        let world = World::new();
        let engine = remembered(&world, &texts);
        let mut prefixes = Vec::new();
        for query in &queries {
            let asked = json!({ "threadId": "t", "query": query, "maxTokens": max, "as": "anthropic", "instructions": "Be kind." });
            let prompt = assemble(&world, &engine, asked);
            prop_assert_eq!(prompt["prefixTokens"].as_u64().unwrap() as usize, tokens::estimate(&prefix(&prompt)));
            prefixes.push(prefix(&prompt));
            say(&world, &engine, "t", json!([user(query), assistant(query)]));
        }
        prop_assert!(prefixes[0].starts_with("Be kind."));
        prop_assert!(prefixes.iter().all(|prefix| *prefix == prefixes[0]), "{prefixes:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// A question of over 40 % of the limit took room from what does not depend on it, though there was enough.
    #[test]
    fn the_beginning_stays_however_long_the_question_is(
        texts in prop::collection::vec(words(), 1..15),
        query in words(),
        times in 1usize..60,
        max in 600usize..3000,
    ) {
        let world = World::new();
        let engine = remembered(&world, &texts);
        let asked = |query: &str| json!({ "query": query, "maxTokens": max, "as": "anthropic", "instructions": "Be kind." });
        let short = prefix(&assemble(&world, &engine, asked("And?")));
        let query = vec![query; times].join(" ");
        let least = tokens::estimate(&short) + tokens::estimate(&query) + 24;
        match world.try_call(&engine, "assemble", ALICE, asked(&query)) {
            Ok(prompt) if least <= max => prop_assert_eq!(prefix(&prompt), short),
            Ok(_) => {}
            Err(error) => {
                prop_assert_eq!(error.code, Code::BudgetExceeded);
                prop_assert!(tokens::estimate(&query) + 24 > max);
            }
        }
    }

    /// The beginning was the instructions alone, or with the tag of the memory, as the question found something or not.
    #[test]
    fn the_beginning_stays_where_nothing_is_settled(
        texts in prop::collection::vec(words(), 0..15),
        queries in prop::collection::vec(words(), 1..5),
        max in 600usize..3000,
    ) {
        let world = World::new();
        let engine = open(&world);
        for text in &texts {
            let entity = json!({ "name": text, "entityType": "thing", "observations": [text] });
            world.call(&engine, "graph.create_entities", json!({ "entities": [entity] }));
        }
        for query in queries.iter().chain(texts.first()) {
            let asked = json!({ "query": query, "maxTokens": max, "as": "anthropic", "instructions": "Be kind." });
            let prompt = assemble(&world, &engine, asked);
            prop_assert_eq!(prefix(&prompt), "Be kind.");
        }
    }
}
