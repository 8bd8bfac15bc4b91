//! Secrets are masked or refused before they are stored, embedded or sent to a model, whatever the call.

use crate::support::embedder::ToyEmbedder;
use crate::support::shared::shared;
use crate::support::world::{Scripted, World, adds, nothing};
use mnemic::Code;
use mnemic::ports::Storage;
use serde_json::{Value, json};

const CARD: &str = "4111 1111 1111 1111";
const KEY: &str = "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1w";

/// Whether a text is among everything that is stored.
fn stores(world: &World, text: &str) -> bool {
    let storage = world.storage.clone();
    let values = world.machine.run(async move { storage.read("", "~").await.unwrap() });
    values.into_iter().any(|(_, value)| value.windows(text.len()).any(|window| window == text.as_bytes()))
}

/// Every call that stores words, with a secret in each place that holds words.
fn calls(secret: &str) -> Vec<(&'static str, Value)> {
    let text = format!("pay with {secret} now");
    vec![
        ("remember", json!({ "messages": [{ "role": "user", "content": text }] })),
        (
            "threads.append",
            json!({ "messages": [
            { "role": "user", "content": [{ "type": "text", "text": text }] },
            { "role": "assistant", "content": null, "toolCalls": [
                { "id": "1", "type": "function", "function": { "name": "pay", "arguments": format!("{{\"number\":\"{secret}\"}}") } },
            ] },
            { "role": "tool", "toolCallId": "1", "content": [{ "type": "tool_result", "content": text }] },
        ] }),
        ),
        ("generate", json!({ "messages": [{ "role": "user", "content": text }], "facts": [text] })),
        ("facts.add", json!({ "text": text })),
        ("facts.import", json!({ "facts": [{ "text": format!("{text}, too"), "sourceId": "one" }] })),
        ("profiles.set", json!({ "schema": "person", "field": "city", "value": text })),
        ("instructions.set", json!({ "name": "manner", "text": text })),
        ("episodes.add", json!({ "situation": text, "approach": text, "outcome": text })),
        (
            "graph.create_entities",
            json!({ "entities": [{ "name": "Bank", "entityType": "place", "observations": [text] }] }),
        ),
        (
            "graph.add_observations",
            json!({ "observations": [{ "entityName": "Bank", "contents": [format!("also {text}")] }] }),
        ),
        (
            "graph.import_jsonl",
            json!({ "text": json!({ "type": "entity", "name": "Shop", "entityType": "place", "observations": [text] }).to_string() }),
        ),
        ("context.blocks.set", json!({ "label": "human", "value": text })),
        ("context.archive.insert", json!({ "text": text })),
        ("context.load", json!({ "name": "bill", "text": text })),
        ("tiers.add", json!({ "query": text, "response": text, "threadId": "pages" })),
        (
            "context.call",
            json!({ "name": "core_memory_append", "arguments": { "label": "human", "content": text } }),
        ),
    ]
}

fn options(guard: Value) -> Value {
    let properties = json!({ "city": { "type": "string" } });
    json!({ "guard": guard, "profiles": { "person": { "type": "object", "properties": properties } } })
}

#[test]
fn no_byte_of_a_secret_is_stored() {
    let world = World::new();
    let engine = world.open(None, &options(json!({})));
    for (method, call) in calls(CARD) {
        world.call(&engine, method, call);
        world.idle(&engine);
        assert!(!stores(&world, CARD), "{method} stored it");
    }
    assert!(stores(&world, "[card]"));
    let found = world.call(&engine, "facts.list", json!({}));
    assert_eq!(found.as_array().unwrap().len(), 2, "what says the same is one fact: {found}");
}

#[test]
fn answers_tell_what_was_masked() {
    let world = World::new();
    let engine = world.open(None, &options(json!({ "nationalIds": ["us"] })));
    let call = |method: &str, options: Value| world.call(&engine, method, options)["masked"].clone();
    let messages = json!([
        { "role": "user", "content": "hello" },
        { "role": "user", "content": format!("{CARD} and {KEY}") },
        { "role": "assistant", "content": "my SSN is 219-09-9999" },
    ]);
    let masked = json!([
        { "index": 1, "kind": "key" }, { "index": 1, "kind": "card" }, { "index": 2, "kind": "nationalId" }
    ]);
    assert_eq!(call("remember", json!({ "messages": messages })), masked);
    assert_eq!(call("generate", json!({ "messages": messages, "threadId": "other" })), masked);
    assert_eq!(call("facts.add", json!({ "text": format!("the user pays with {CARD}") })), json!(["card"]));
    let facts = json!([{ "text": "tea" }, { "text": "my PIN is 4821" }]);
    assert_eq!(call("facts.import", json!({ "facts": facts })), json!([{ "index": 1, "kind": "password" }]));
    assert_eq!(call("context.archive.insert", json!({ "text": KEY })), json!(["key"]));
    assert_eq!(call("tiers.add", json!({ "query": KEY, "response": "fine" })), json!(["key"]));
    assert_eq!(
        call("remember", json!({ "messages": [{ "role": "user", "content": "hello" }] })),
        Value::Null
    );
}

#[test]
fn neither_models_nor_embedders_are_sent_a_secret() {
    let world = World::new();
    let llm = Scripted::new([adds("The user pays with a card."), nothing()]);
    let embedder = ToyEmbedder::of_lengths();
    let engine = world.try_open(Some(llm.clone()), Some(embedder.clone()), &options(json!({}))).unwrap();
    world.call(
        &engine,
        "generate",
        json!({ "messages": [{ "role": "user", "content": format!("I pay with {CARD}") }] }),
    );
    world.call(&engine, "recall", json!({ "query": format!("what is {CARD}?") }));
    world.idle(&engine);
    let asked = llm.asked.borrow();
    let asked = asked.iter().flat_map(|request| &request.messages).map(|message| message.content.clone());
    let sent: Vec<String> = asked.chain(embedder.texts()).collect();
    assert!(sent.iter().any(|text| text.contains("[card]")));
    assert!(sent.iter().all(|text| !text.contains("4111")), "{sent:?}");
}

#[test]
fn what_a_model_answers_is_masked_too() {
    let world = World::new();
    let llm = Scripted::new([adds(&format!("The user's card is {CARD}."))]);
    for guard in ["mask", "refuse"] {
        *llm.answers.borrow_mut() = vec![Ok(adds(&format!("The user's {guard} card is {CARD}.")))];
        let engine = world.open(Some(llm.clone()), &options(json!({ "secrets": guard })));
        let said = json!({ "messages": [{ "role": "user", "content": format!("I have a card ({guard})") }] });
        world.call(&engine, "generate", said);
        assert!(world.facts(&engine).contains(&format!("The user's {guard} card is [card].")));
        world.close(&engine);
    }
    assert!(!stores(&world, CARD));
}

#[test]
fn the_same_message_again_changes_nothing() {
    let world = World::new();
    let engine = world.open(None, &options(json!({})));
    let said = json!({ "messages": [{ "id": "m1", "role": "user", "content": format!("it is {CARD}") }] });
    let first = world.call(&engine, "remember", said.clone());
    let again = world.call(&engine, "remember", said);
    assert!(again["commitId"].is_null(), "{again}");
    assert_eq!((&again["messageIds"], &again["masked"]), (&first["messageIds"], &first["masked"]));
}

#[test]
fn a_secret_is_refused_by_option_and_never_told() {
    let world = World::new();
    let engine = world.open(None, &options(json!({ "secrets": "refuse" })));
    world.call(
        &engine,
        "graph.create_entities",
        json!({ "entities": [{ "name": "Bank", "entityType": "place", "observations": [] }] }),
    );
    let before = world.call(&engine, "usage", json!({}));
    for (method, call) in calls(CARD) {
        if method == "context.call" {
            // The model is told.
            let told = world.call(&engine, method, call).to_string();
            assert!(told.contains("secret") && !told.contains("4111"), "{told}");
            continue;
        }
        let error = world.fails(&engine, method, call);
        assert_eq!(error.code, Code::Secret, "{method}: {error:?}");
        assert_eq!(error.details["kind"], "card", "{method}");
        assert!(!format!("{error:?}").contains("4111"), "{error:?}");
    }
    let error = world.fails(
        &engine,
        "remember",
        json!({ "messages": [
        { "role": "user", "content": "hello" }, { "role": "user", "content": CARD },
    ] }),
    );
    assert_eq!(
        (&error.details["index"], error.message.as_str()),
        (&json!(1), "messages[1] holds a secret (card); leave it out, and call again")
    );
    assert_eq!(world.call(&engine, "usage", json!({}))["records"], before["records"], "nothing was stored");
}

#[test]
fn what_is_to_be_kept_and_what_is_data_stays() {
    let world = World::new();
    let engine = world.open(None, &options(json!({ "secrets": "keep" })));
    assert!(world.say(&engine, CARD)["masked"].is_null());
    assert!(stores(&world, CARD));
    let engine = World::new();
    let (world, engine) = (&engine, engine.open(None, &options(json!({}))));
    let document = json!({ "namespace": ["bills"], "key": "4111111111111111", "value": { "card": CARD } });
    world.call(&engine, "documents.put", document);
    world.call(&engine, "facts.add", json!({ "text": "tea", "metadata": { "token": KEY } }));
    assert!(
        stores(world, CARD) && stores(world, KEY),
        "documents and metadata are the application's own data"
    );
}

#[test]
fn a_guard_that_is_none_is_refused() {
    let world = World::new();
    for guard in [json!({ "secrets": "hide" }), json!({ "nationalIds": ["xx"] }), json!({ "other": 1 })] {
        let error = world.try_open(None, None, &options(guard)).err().unwrap();
        assert_eq!(error.code, Code::InvalidInput);
    }
}

/// What is masked in ordinary conversations: the tuning half of LoCoMo, in which nobody tells a secret.
#[test]
fn ordinary_conversations_hold_no_secrets() {
    let Some(folder) = shared("locomo") else { return };
    let world = World::new();
    let engine =
        world.open(None, &options(json!({ "nationalIds": ["de", "es", "fr", "in", "jp", "kr", "us"] })));
    let lines = std::fs::read_to_string(folder.join("turns.jsonl")).unwrap();
    let texts: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut masked = 0;
    for texts in texts.chunks(500) {
        let message = |turn: &Value| json!({ "role": "user", "content": turn["text"] });
        let messages: Vec<Value> = texts.iter().map(message).collect();
        let answer = world.call(&engine, "threads.append", json!({ "messages": messages }));
        masked += answer["masked"].as_array().map_or(0, Vec::len);
    }
    println!("{masked} of {} turns masked", texts.len());
    assert_eq!(masked, 0);
}
