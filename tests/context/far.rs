//! What lies far beyond the window.

use super::{Model, call, calls, options, says, size, step};
use crate::support::world::{Scripted, World};
use mnemic::tokens;
use serde_json::{Value, json};

/// Words that no other part of the document has, for each of its parts.
fn fact(number: usize) -> String {
    format!(
        "The lighthouse keeper of rock {number} is called Keeper{number}x and owns {} goats.",
        number * 7 % 91
    )
}

/// A document of about 500 000 tokens, with a fact here and there.
fn document() -> String {
    let words = [
        "sea", "wind", "harbour", "sail", "storm", "gull", "rope", "anchor", "tide", "mist", "shore", "wave",
    ];
    let mut state = 7usize;
    let mut text = String::new();
    for number in 0..1000 {
        for _ in 0..40 {
            let mut sentence = Vec::new();
            for _ in 0..11 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                sentence.push(words[(state >> 33) % words.len()]);
            }
            text.push_str(&format!("The {}. ", sentence.join(" ")));
        }
        text.push_str(&fact(number));
        text.push('\n');
    }
    text
}

#[test]
fn a_document_far_larger_than_the_window_is_questioned() {
    let world = World::new();
    let document = document();
    assert!(tokens::estimate(&document) >= 500_000, "{}", tokens::estimate(&document));
    let llm = Model::new(|request, _| {
        let mut shown =
            request.messages.iter().skip(1).map(|message| serde_json::from_str(&message.content).unwrap());
        let shown: Value = shown.rfind(|shown: &Value| shown["type"] != "system_notice").unwrap();
        if shown["type"] == "user_message" {
            let rock = shown["message"]
                .as_str()
                .unwrap()
                .split("rock ")
                .nth(1)
                .unwrap()
                .trim_end_matches('?')
                .to_owned();
            let query = format!("lighthouse keeper of rock {rock} called goats");
            return Ok(calls([call("archival_memory_search", json!({ "query": query, "tags": ["atlas"] }))]));
        }
        let result = shown["result"].as_str().unwrap();
        let found =
            result.split("is called Keeper").nth(1).map(|rest| rest.split('x').next().unwrap().to_owned());
        Ok(says(&format!("Keeper{}", found.unwrap_or_default())))
    });
    let engine = world.open(Some(llm.clone()), &options(json!({ "window": 8000 })));
    let load = json!({ "text": document, "name": "atlas.txt", "tags": ["atlas"] });
    let loaded = world.call(&engine, "context.load", load.clone());
    let passages = loaded["passages"].as_u64().unwrap();
    assert!((1500..4000).contains(&passages), "{passages}");
    assert_eq!(loaded["ids"].as_array().unwrap().len() as u64, passages);
    let commits = world.call(&engine, "usage", json!({}))["commits"].as_u64().unwrap();
    assert!(commits < 20, "{commits}");
    assert_eq!(world.call(&engine, "context.load", load), loaded, "again is the same");
    assert_eq!(
        world.call(&engine, "usage", json!({}))["commits"].as_u64().unwrap(),
        commits,
        "and writes nothing"
    );
    for rock in [3, 517, 998] {
        let stepped = step(&world, &engine, &format!("Who is the lighthouse keeper of rock {rock}?"));
        assert_eq!(stepped["sent"], json!([format!("Keeper{rock}")]));
    }
    assert!(llm.asked.borrow().iter().all(|request| size(request) <= 7000));
    let short = json!({ "text": fact(5), "name": "atlas.txt", "tags": ["atlas"] });
    assert_eq!(world.call(&engine, "context.load", short)["passages"], 1);
    assert_eq!(
        world.call(&engine, "items.list", json!({ "kinds": ["passage"] })).as_array().unwrap().len(),
        1
    );
}

#[test]
fn a_message_of_five_thousand_turns_ago_is_found() {
    let world = World::new();
    let llm = Scripted::new([]);
    let engine = world.open(Some(llm.clone()), &options(json!({})));
    let mut said = vec![
        json!({ "role": "user", "content": "My locker code is 4711-blue.", "createdAt": 1_000_000_000_000i64 }),
    ];
    for turn in 1..5000 {
        let content = format!("Turn {turn}: we spoke about the weather and the garden.");
        let role = if turn % 2 == 0 { "user" } else { "assistant" };
        said.push(
            json!({ "role": role, "content": content, "createdAt": 1_700_000_000_000i64 + turn * 60_000 }),
        );
    }
    for part in said.chunks(500) {
        world.call(&engine, "remember", json!({ "messages": part, "threadId": "chat", "learn": false }));
    }
    let find = calls([call("conversation_search", json!({ "query": "What is my locker code?" }))]);
    let date = calls([call(
        "conversation_search_date",
        json!({ "start_date": "2001-09-09", "end_date": "2001-09-09" }),
    )]);
    let summary = || json!({ "summary": "They spoke about the weather." });
    llm.answers
        .borrow_mut()
        .extend([summary(), summary(), summary(), summary(), find, date, says("4711-blue")].map(Ok));
    let stepped = step(&world, &engine, "What is my locker code?");
    assert_eq!(stepped["sent"], json!(["4711-blue"]));
    let found = stepped["calls"][0]["result"].as_str().unwrap();
    assert!(found.contains("user - My locker code is 4711-blue."), "{found}");
    let found = stepped["calls"][1]["result"].as_str().unwrap();
    assert!(found.starts_with("Showing 1 of 1 results (page 0/0): [\"timestamp: 2001-09-09"), "{found}");
    assert!(llm.asked.borrow().iter().all(|request| size(request) <= 7000));
}
