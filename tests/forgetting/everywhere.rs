//! Words that are planted everywhere, and looked for everywhere once they are forgotten: in what every read tells, in another
//! engine that was open, and in every stored byte.

use super::{Model, prompt};
use crate::support::world::{ALICE, World};
use mnemic::Code;
use mnemic::engine::Engine;
use mnemic::ports::Storage;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// What is planted: in no other text. The index keeps its stem.
const WORD: &str = "zanzibar";

fn model() -> Rc<Model> {
    Model::new(|request| {
        let told = request.messages.iter().map(|message| message.content.as_str()).collect::<String>();
        let place = if told.contains("Zanzibar") { "Zanzibar" } else { "nowhere" };
        match request.purpose {
            "extract" => json!({
                "facts": [
                    { "action": "add", "target": null, "text": format!("The user was in {place}."), "significance": 6, "message": 1, "quote": place },
                ],
                "profile": [{ "schema": "user", "field": "place", "value": place, "message": 1, "quote": place }],
                "entities": [
                    { "name": place, "type": "place", "observations": [format!("{place} is hot.")], "message": 1, "quote": place },
                    { "name": "Kim", "type": "person", "observations": [format!("Kim loves {place}.")], "message": 1, "quote": place },
                ],
                "relations": [{ "from": "Kim", "relation": format!("was_in_{place}"), "to": place, "message": 1, "quote": place }],
            }),
            "summarise" => json!({ "summary": format!("They spoke of {place}.") }),
            "episode" => {
                json!({ "episode": { "situation": format!("A trip to {place}"), "approach": "a", "outcome": "o" } })
            }
            "revise" => json!({ "text": format!("Speak of {place}."), "why": place }),
            "context" => {
                json!({ "toolCalls": [{ "name": "send_message", "arguments": { "message": "Yes." } }] })
            }
            _ => json!({ "said": prompt(request).len() }),
        }
    })
}

fn options() -> Value {
    let schema = json!({ "type": "object", "properties": { "place": { "type": "string" } } });
    json!({ "profiles": { "user": schema }, "extraction": { "trigger": { "messages": 1 } }, "tiers": { "capacity": 2 } })
}

/// Everything that can be asked, by name.
fn told(world: &World, engine: &Engine, ids: &[Value]) -> String {
    let mut told = String::new();
    let reads = [
        ("recall", json!({ "query": "Zanzibar" })),
        ("assemble", json!({ "query": "Where was I?", "maxTokens": 4000 })),
        ("facts.list", json!({ "includeEnded": true })),
        ("facts.search", json!({ "query": "hot places" })),
        ("profiles.get", json!({})),
        ("graph.read_graph", json!({})),
        ("graph.list", json!({})),
        ("graph.relations", json!({})),
        ("items.list", json!({ "includeEnded": true, "limit": 1000 })),
        ("instructions.list", json!({})),
        ("episodes.list", json!({})),
        ("threads.list", json!({})),
        ("threads.messages", json!({ "threadId": "t" })),
        ("threads.search", json!({ "query": "hot" })),
        ("threads.summaries", json!({})),
        ("threads.window", json!({ "threadId": "t" })),
        ("tiers.state", json!({})),
        ("tiers.traits", json!({})),
        ("tiers.retrieve", json!({ "query": "hot" })),
        ("proposals.list", json!({})),
        ("context.blocks.list", json!({})),
        ("context.archive.search", json!({ "query": "hot" })),
        ("commits.list", json!({ "limit": 1000 })),
        ("jobs", json!({})),
        ("usage", json!({})),
        ("idle", json!({})),
    ];
    for (method, options) in reads {
        // Some are of nobody, and some take no such options.
        let scope = if ["jobs", "usage", "idle"].contains(&method) { "" } else { ALICE };
        let answer = world.try_call(engine, method, scope, options).unwrap();
        told.push_str(&format!("{method}: {answer}\n"));
    }
    for id in ids {
        for method in ["history", "explain", "items.get"] {
            match world.try_call(engine, method, ALICE, json!({ "id": id })) {
                Ok(answer) => told.push_str(&format!("{method}: {answer}\n")),
                Err(error) => told.push_str(&format!("{method}: {error:?}\n")),
            }
        }
    }
    told.to_ascii_lowercase()
}

/// Whether a stored value holds the word, in any of its spellings.
fn stored(world: &World) -> Vec<String> {
    stored_words(world, WORD)
}

/// The names of the stored values that hold a word in lower case.
pub(super) fn stored_words(world: &World, word: &str) -> Vec<String> {
    let storage = world.storage.clone();
    let pairs = world.machine.run(async move { storage.read("", "~").await }).unwrap();
    let holds = |bytes: &[u8]| {
        let lower: Vec<u8> = bytes.iter().map(u8::to_ascii_lowercase).collect();
        lower.windows(word.len()).any(|window| window == word.as_bytes())
    };
    pairs
        .into_iter()
        .filter(|(key, value)| holds(key.as_bytes()) || holds(value))
        .map(|(key, _)| key)
        .collect()
}

/// Plants the word in everything; answers the ids of all that is there.
fn planted(world: &World, engine: &Engine) -> Vec<Value> {
    let say = |text: &str| json!([{ "role": "user", "content": text, "metadata": { "note": "Zanzibar" } }]);
    world.call(
        engine,
        "generate",
        json!({ "threadId": "t", "messages": say("I was in Zanzibar, it was hot.") }),
    );
    world.call(engine, "episodes.learn", json!({ "threadId": "t" }));
    world.call(engine, "instructions.revise", json!({ "threadId": "t", "feedback": "Say where." }));
    world.call(engine, "threads.summarise", json!({ "threadId": "t" }));
    world.call(engine, "context.step", json!({ "threadId": "t", "messages": say("Was it Zanzibar?") }));
    for number in 0..5 {
        let page = json!({ "threadId": "t", "query": format!("Is Zanzibar {number} hot?"), "response": "Zanzibar is." });
        world.call(engine, "tiers.add", page);
    }
    world.machine.pass(600_000);
    world.idle(engine);
    // What was there before, and is gone by now but for its history.
    let facts = world.call(engine, "facts.list", json!({}));
    world.call(engine, "facts.update", json!({ "id": facts[0]["id"], "text": "The user was somewhere." }));
    let items = world.call(engine, "items.list", json!({ "includeEnded": true, "limit": 1000 }));
    let messages = world.call(engine, "threads.messages", json!({ "threadId": "t" }));
    let all = items.as_array().unwrap().iter().chain(messages.as_array().unwrap());
    all.map(|item| item["id"].clone()).collect()
}

#[test]
fn nothing_tells_a_forgotten_thread() {
    let world = World::new();
    let engine = world.open(Some(model()), &options());
    let other = world.open(None, &options());
    let heard = Rc::new(RefCell::new(String::new()));
    let ids = planted(&world, &engine);
    world.machine.run({
        let other = other.clone();
        async move { other.refresh().await.unwrap() }
    });
    assert!(told(&world, &other, &ids).contains(WORD) && !stored(&world).is_empty());
    let listening = heard.clone();
    engine.listen(Rc::new(move |event| listening.borrow_mut().push_str(&format!("{event:?}"))));
    let receipt = world.call(&engine, "forget", json!({ "threadId": "t" }));
    assert!(!receipt.to_string().to_ascii_lowercase().contains(WORD), "{receipt}");
    assert_eq!(stored(&world), [""; 0], "no stored byte holds it");
    world.machine.pass(600_000);
    world.idle(&engine);
    for engine in [&engine, &other] {
        let refreshed = engine.clone();
        world.machine.run(async move { refreshed.refresh().await.unwrap() });
        let told = told(&world, engine, &ids);
        let line = told.lines().find(|line| line.contains(WORD));
        // The query itself comes back nowhere.
        assert_eq!(line, None);
    }
    assert!(!heard.borrow().to_ascii_lowercase().contains(WORD));
    let error = world.fails(&engine, "undo", json!({ "commitId": receipt["commitId"] }));
    assert_eq!(error.code, Code::Forgotten);
    world.close(&engine);
    world.close(&other);
    assert_eq!(stored(&world), [""; 0]);
    let engine = world.open(None, &options());
    assert!(!told(&world, &engine, &ids).contains(WORD), "nor after opening");
    assert_eq!(world.call(&engine, "verify", json!({}))["ok"], json!(true));
}

#[test]
fn nothing_tells_a_forgotten_scope() {
    let world = World::new();
    let engine = world.open(Some(model()), &options());
    planted(&world, &engine);
    world.call(
        &engine,
        "documents.put",
        json!({ "namespace": ["Zanzibar"], "key": "k", "value": { "a": "Zanzibar" } }),
    );
    world.call(&engine, "forget", json!({ "scope": true }));
    assert_eq!(stored(&world), [""; 0]);
    let storage = world.storage.clone();
    let pairs = world.machine.run(async move { storage.read("", "~").await }).unwrap();
    let names_her = pairs.iter().any(|(_, value)| value.windows(5).any(|window| window == b"alice"));
    assert!(!names_her, "not even the scope is named");
}

/// A scope with a long conversation goes in one commit.
#[test]
fn twenty_thousand_messages_go_in_one_commit() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for part in 0..40 {
        let message =
            |number: usize| json!({ "role": "user", "content": format!("Zanzibar {part} {number}") });
        let messages: Vec<Value> = (0..500).map(message).collect();
        world.call(&engine, "threads.append", json!({ "threadId": "t", "messages": messages }));
    }
    let receipt = world.call(&engine, "forget", json!({ "threadId": "t" }));
    assert_eq!((&receipt["forgotten"], &receipt["commits"]), (&json!({ "message": 20_000 }), &json!(1)));
    assert_eq!(stored(&world), [""; 0]);
}
