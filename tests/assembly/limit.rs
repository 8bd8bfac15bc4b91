//! The limit: what is shortened, what is left out, and what is refused.

use super::{QUESTION, assemble, assistant, filled, open, say, text, user, with_tools};
use crate::support::world::{ALICE, World};
use mnemic::Code;
use serde_json::{Value, json};

#[test]
fn the_limit_is_hard_and_what_cannot_be_cut_is_an_error() {
    let world = World::new();
    let engine = filled(&world);
    let long = "word ".repeat(50);
    let error = world
        .try_call(&engine, "assemble", ALICE, json!({ "query": long, "instructions": long, "maxTokens": 80 }))
        .unwrap_err();
    assert_eq!(error.code, Code::BudgetExceeded);
    assert!(error.message.contains("80 of maxTokens"), "{}", error.message);
    for shape in ["text", "openai", "anthropic"] {
        for max in 60..400 {
            let asked = json!({ "threadId": "today", "query": long, "maxTokens": max, "as": shape });
            let prompt = assemble(&world, &engine, asked);
            assert!(prompt["tokens"].as_u64().unwrap() <= max, "{shape} {max}");
        }
    }
    let tight = assemble(&world, &engine, json!({ "query": QUESTION, "maxTokens": 40 }));
    let warnings = tight["warnings"].as_array().unwrap();
    assert!(
        warnings.iter().any(|warning| warning["message"].as_str().unwrap().contains("the block")),
        "{warnings:?}"
    );
}

/// A last message that was larger than the limit went without a word, and all turns before it with it.
#[test]
fn what_the_user_said_last_is_shortened_and_never_lost() {
    let world = World::new();
    let engine = filled(&world);
    let long = "word ".repeat(3000);
    say(&world, &engine, "today", json!([user(&long)]));
    for (shape, max) in [("openai", 200), ("openai", 2000), ("anthropic", 200), ("text", 300), ("text", 2000)]
    {
        let prompt = assemble(&world, &engine, json!({ "threadId": "today", "maxTokens": max, "as": shape }));
        assert!(prompt["tokens"].as_u64().unwrap() <= max);
        assert!(prompt.to_string().contains("word word word"), "{shape} {max}");
        let warnings = prompt["warnings"].as_array().unwrap();
        let told = |warning: &Value| warning["message"].as_str().unwrap().contains("the last message has");
        assert_eq!(warnings.iter().filter(|warning| told(warning)).count(), 1, "{warnings:?}");
        let last = prompt["items"].as_array().unwrap().last().unwrap();
        assert_eq!(last["section"], "messages", "{last}");
    }
    // Lines that are set in cost more than they do in the message.
    say(&world, &engine, "lines", json!([user(&"a\n".repeat(3000))]));
    let prompt = assemble(&world, &engine, json!({ "threadId": "lines", "maxTokens": 500 }));
    assert!(prompt["tokens"].as_u64().unwrap() <= 500 && text(&prompt).contains("user: a\n  a"), "{prompt}");
    // What ends with a tool's answer cannot be shortened.
    let mut said = with_tools(&long, 1, 1);
    said.pop();
    say(&world, &engine, "tool", said.into());
    let asked = json!({ "threadId": "tool", "maxTokens": 1000, "as": "anthropic" });
    let error = world.try_call(&engine, "assemble", ALICE, asked).unwrap_err();
    assert_eq!(error.code, Code::BudgetExceeded);
    assert!(error.message.contains("none of the last messages"), "{}", error.message);
    let none =
        json!({ "threadId": "tool", "maxTokens": 1000, "as": "anthropic", "sections": { "messages": 0 } });
    assert_eq!(assemble(&world, &engine, none)["messages"], json!([]), "as it was asked for");
    say(&world, &engine, "greeting", json!([assistant("Hello, Ada.")]));
    let greeted = json!({ "threadId": "greeting", "maxTokens": 1000, "as": "openai" });
    assemble(&world, &engine, greeted);
}

/// A summary of usual length found no room, and the messages it covers were left out because of it.
#[test]
fn a_summary_is_shortened_to_its_share_or_its_messages_are_told() {
    let world = World::new();
    let summary: Vec<String> = (0..250).map(|number| format!("planted{number}")).collect();
    let llm = crate::support::world::Scripted::new([json!({ "summary": summary.join(" ") })]);
    let engine = world.open(Some(llm), &json!({ "extraction": { "auto": false } }));
    let said: Vec<Value> =
        (0..40).map(|number| user(&format!("We planted{} tree {number}.", number % 9))).collect();
    say(&world, &engine, "t", said.into());
    let done = world.call(&engine, "threads.summarise", json!({ "threadId": "t" }));
    assert!(!done.is_null(), "{done}");
    let told = |max: u64, sections: Value| {
        let asked = json!({ "threadId": "t", "query": "And then?", "maxTokens": max, "sections": sections });
        let prompt = assemble(&world, &engine, asked);
        assert!(prompt["tokens"].as_u64().unwrap() <= max);
        text(&prompt).to_owned()
    };
    for max in [300, 700, 2000] {
        let text = told(max, json!({}));
        assert!(text.contains("planted0 planted1") && text.contains('\u{2026}'), "{max}: {text}");
        assert!(!text.contains("tree 2."), "{max}: {text}");
    }
    let whole = told(20_000, json!({}));
    assert!(whole.contains("planted249") && !whole.contains('\u{2026}'), "{whole}");
    let without = told(2000, json!({ "summary": { "maxTokens": 5 } }));
    assert!(without.contains("tree 2.") && !without.contains("planted0 planted1"), "{without}");
}

/// What was tried twice, as pinned and as related, was counted twice.
#[test]
fn a_fact_without_room_is_counted_once() {
    let world = World::new();
    let engine = open(&world);
    for number in 0..20 {
        let text = format!("Ada's boat Petrel has a hull number {number} and lies in a harbour of the north");
        let id = world.call(&engine, "facts.add", json!({ "text": text }))["id"].clone();
        world.call(&engine, "items.pin", json!({ "id": id, "pinned": true }));
    }
    for facts in [json!(null), json!(0.1), json!(0.3)] {
        let sections = if facts.is_null() { json!({}) } else { json!({ "facts": facts }) };
        let asked = json!({ "query": QUESTION, "maxTokens": 400, "sections": sections });
        let prompt = assemble(&world, &engine, asked);
        let items = prompt["items"].as_array().unwrap();
        let told: Vec<_> = items.iter().filter(|item| item["section"] == "facts").collect();
        let of_facts =
            prompt["sections"].as_array().unwrap().iter().find(|section| section["name"] == "facts");
        let dropped = of_facts.unwrap()["dropped"].as_u64().unwrap();
        assert!(!told.is_empty() && dropped > 0);
        assert_eq!(told.len() as u64 + dropped, 20, "{sections}");
        // What is pinned tells all the same how well it fits.
        for item in told {
            assert!(
                item["score"].as_f64().unwrap() > 0.0 && item["relevance"].as_f64().unwrap() > 0.0,
                "{item}"
            );
        }
    }
}
