//! What selectors name.

use super::{forget, learn, say};
use crate::support::world::{ALICE, BOB, DAY_MS, World};
use mnemic::Code;
use serde_json::{Value, json};

fn texts(world: &World, engine: &mnemic::engine::Engine, thread: &str) -> Vec<String> {
    let messages = world.call(engine, "threads.messages", json!({ "threadId": thread }));
    messages.as_array().unwrap().iter().map(|it| it["content"].as_str().unwrap().to_owned()).collect()
}

/// Messages of one moment have ids in any order: what a preview told was in theirs.
#[test]
fn messages_that_go_are_told_in_the_order_in_which_they_were_said() {
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    let contents: Vec<String> = (0..16).map(|number| format!("message {number}")).collect();
    let messages: Vec<_> =
        contents.iter().map(|content| json!({ "role": "user", "content": content })).collect();
    world.call(&engine, "remember", json!({ "messages": messages, "threadId": "one", "learn": false }));
    let preview = world.call(&engine, "forget", json!({ "threadId": "one", "preview": true }));
    let told: Vec<_> =
        preview["found"].as_array().unwrap().iter().map(|found| found["text"].as_str().unwrap()).collect();
    assert_eq!(told, contents);
}

#[test]
fn exactly_one_selector_is_taken() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let id = world.add(&engine, json!({ "text": "Ann keeps bees" }));
    for (wrong, why) in [
        (json!({}), "none was given"),
        (json!({ "preview": true }), "none was given"),
        (json!({ "ids": [id], "threadId": "t" }), "ids and threadId was given"),
        (json!({ "query": "bees", "scope": true }), "scope and query was given"),
        (json!({ "ids": [] }), "ids has 0 items"),
        (json!({ "ids": [id], "kinds": ["fact"] }), "kinds belongs to filter"),
        (json!({ "from": 5, "to": 5 }), "from is 5"),
        (json!({ "filter": {}, "kinds": ["message"] }), "not a kind of item"),
        (json!({ "scope": true, "limit": 0 }), "limit"),
        (json!({ "query": " " }), "query is empty"),
    ] {
        let error = world.fails(&engine, "forget", wrong.clone());
        assert_eq!(error.code, Code::InvalidInput, "{wrong}");
        assert!(error.message.contains(why), "{wrong}: {}", error.message);
    }
    let error = world.fails(&engine, "forget", json!({ "filter": { "nothing": 1 } }));
    assert_eq!(error.code, Code::InvalidFilter);
    assert_eq!(world.facts(&engine), ["Ann keeps bees"]);
}

#[test]
fn an_id_that_the_scope_never_had_changes_nothing() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let id = world.add(&engine, json!({ "text": "Ann keeps bees" }));
    let others = world.try_call(&engine, "facts.add", BOB, json!({ "text": "Bob keeps goats" })).unwrap();
    let error = world.fails(&engine, "forget", json!({ "ids": [id, others["id"]] }));
    assert_eq!((error.code, world.facts(&engine).len()), (Code::NotFound, 1));
    let receipt = forget(&world, &engine, &[&id]);
    assert_eq!(receipt["forgotten"], json!({ "fact": 1 }));
    assert_eq!((&receipt["rewritten"], &receipt["commits"]), (&json!({}), &json!(1)));
    assert!(world.facts(&engine).is_empty());
    let there = world.try_call(&engine, "facts.list", BOB, json!({})).unwrap();
    assert_eq!(there.as_array().unwrap().len(), 1);
}

#[test]
fn a_thread_goes_with_what_was_learned_in_it() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    learn(&world, &engine, "one", "I live in Lisbon.");
    learn(&world, &engine, "two", "My name is Ann.");
    assert_eq!(world.facts(&engine).len(), 2);
    let preview = world.call(&engine, "forget", json!({ "threadId": "one", "preview": true }));
    assert_eq!(preview["forgotten"], json!({ "message": 1, "fact": 1 }));
    assert_eq!(preview["found"].as_array().unwrap().len(), 2);
    assert_eq!(preview["commitId"], Value::Null);
    assert_eq!(texts(&world, &engine, "one").len(), 1, "a preview changes nothing");
    let receipt = world.call(&engine, "forget", json!({ "threadId": "one" }));
    assert_eq!(receipt["forgotten"], preview["forgotten"]);
    assert!(texts(&world, &engine, "one").is_empty());
    let facts = world.facts(&engine);
    assert_eq!((facts.len(), facts[0].contains("Ann")), (1, true), "{facts:?}");
    let again = world.call(&engine, "forget", json!({ "threadId": "one" }));
    assert_eq!(again, json!({ "forgotten": {}, "rewritten": {}, "commits": 0 }));
}

#[test]
fn a_span_of_time_goes_half_open() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let mut times = Vec::new();
    for day in 0..3 {
        times.push(world.now());
        say(&world, &engine, "t", &format!("This is day number {day}."));
        world.add(&engine, json!({ "text": format!("Fact of day {day}") }));
        world.machine.pass(DAY_MS);
    }
    let receipt = world.call(&engine, "forget", json!({ "from": times[1], "to": times[2] }));
    assert_eq!(receipt["forgotten"], json!({ "message": 1, "fact": 1 }));
    assert_eq!(texts(&world, &engine, "t"), ["This is day number 0.", "This is day number 2."]);
    world.call(&engine, "forget", json!({ "to": times[1] }));
    assert_eq!(world.facts(&engine), ["Fact of day 2"]);
}

/// What was written over what there was is as it was before.
#[test]
fn what_was_changed_in_a_span_of_time_is_as_before() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let put = |value: Value| {
        world.call(&engine, "documents.put", json!({ "namespace": ["a"], "key": "k", "value": value }))
    };
    put(json!({ "said": "before" }));
    let id = world.add(&engine, json!({ "text": "Ann keeps bees" }));
    world.machine.pass(DAY_MS);
    let from = world.now();
    put(json!({ "said": "secretly" }));
    world.call(&engine, "facts.update", json!({ "id": id, "text": "Ann keeps secrets" }));
    let receipt = world.call(&engine, "forget", json!({ "from": from }));
    assert_eq!(
        (&receipt["forgotten"], &receipt["rewritten"]),
        (&json!({}), &json!({ "fact": 1, "document": 1 }))
    );
    assert_eq!(world.facts(&engine), ["Ann keeps bees"]);
    let document = world.call(&engine, "documents.get", json!({ "namespace": ["a"], "key": "k" }));
    assert_eq!(document["value"], json!({ "said": "before" }));
}

#[test]
fn items_that_match_a_filter_go() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for (text, category) in
        [("Ann keeps bees", "goal"), ("Ann is ill", "event"), ("Ann likes tea", "preference")]
    {
        world.add(&engine, json!({ "text": text, "category": category, "metadata": { "topic": category } }));
    }
    let filter = json!({ "metadata.topic": "event" });
    let receipt = world.call(&engine, "forget", json!({ "filter": filter, "kinds": ["fact"] }));
    assert_eq!(receipt["forgotten"], json!({ "fact": 1 }));
    assert_eq!(world.facts(&engine), ["Ann likes tea", "Ann keeps bees"]);
}

#[test]
fn a_scope_goes_whole_and_alone() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    learn(&world, &engine, "one", "I live in Lisbon.");
    world.call(&engine, "facts.add", json!({ "text": "Ann keeps bees" }));
    world.try_call(&engine, "facts.add", BOB, json!({ "text": "Bob keeps goats" })).unwrap();
    let receipt = world.call(&engine, "forget", json!({ "scope": true }));
    assert_eq!(receipt["forgotten"]["fact"], 2, "{receipt}");
    assert_eq!(world.call(&engine, "items.list", json!({})), json!([]));
    assert_eq!(world.call(&engine, "threads.list", json!({})), json!([]));
    assert_eq!(world.try_call(&engine, "facts.list", BOB, json!({})).unwrap().as_array().unwrap().len(), 1);
    assert_eq!(world.call(&engine, "usage", json!({}))["records"], 1);
    world.add(&engine, json!({ "text": "Ann begins anew" }));
    assert_eq!(world.facts(&engine), ["Ann begins anew"], "the scope can be used again");
    assert_eq!(
        world.try_call(&engine, "forget", ALICE, json!({ "scope": true })).unwrap()["forgotten"],
        json!({ "fact": 1 })
    );
}

#[test]
fn a_query_only_finds() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    say(&world, &engine, "t", "My doctor says it is diabetes.");
    say(&world, &engine, "t", "The weather is fine.");
    world.add(&engine, json!({ "text": "Ann has diabetes" }));
    world.call(
        &engine,
        "documents.put",
        json!({ "namespace": ["n"], "key": "k", "value": { "note": "Diabetes leaflet" }, "index": false }),
    );
    world.call(&engine, "context.blocks.set", json!({ "label": "human", "value": "Suffers from diabetes." }));
    let receipt = world.call(&engine, "forget", json!({ "query": "diabetes" }));
    assert_eq!((&receipt["forgotten"], &receipt["commitId"]), (&json!({}), &Value::Null));
    let found = receipt["found"].as_array().unwrap();
    let mut kinds: Vec<&str> = found.iter().map(|it| it["kind"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["block", "document", "fact", "message"], "{receipt}");
    assert!(found.iter().all(|it| it["text"].as_str().unwrap().to_ascii_lowercase().contains("diabetes")));
    let ids: Vec<&Value> = found.iter().map(|it| &it["id"]).collect();
    let receipt = forget(&world, &engine, &ids);
    assert_eq!(receipt["forgotten"], json!({ "message": 1, "fact": 1, "document": 1, "block": 1 }));
    let receipt = world.call(&engine, "forget", json!({ "query": "diabetes" }));
    assert_eq!(receipt["found"], json!([]));
    assert_eq!(texts(&world, &engine, "t"), ["The weather is fine."]);
}

/// Only its text and value went back once; what was noted, pinned, limited and ended in that time stayed, and so did what a later
/// change of something else carried on.
#[test]
fn every_part_of_what_was_changed_in_a_span_of_time_is_as_before() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let id = world.add(&engine, json!({ "text": "Ann keeps bees", "metadata": { "note": "by phone" } }));
    world.call(
        &engine,
        "graph.create_entities",
        json!({ "entities": [
        { "name": "Kim", "entityType": "person", "observations": ["sings", "is tall"] },
    ] }),
    );
    let kim = world.call(&engine, "items.list", json!({ "kinds": ["entity"] }))[0]["id"].clone();
    world.machine.pass(DAY_MS);
    let from = world.now();
    let edit = |id: &Value, patch: Value| {
        let mut options = patch;
        options["id"] = id.clone();
        world.call(&engine, "items.edit", options)
    };
    edit(&id, json!({ "metadata": { "note": "saw Dr. Weber" }, "significance": 9 }));
    edit(&id, json!({ "text": "Ann keeps secrets" }));
    edit(&id, json!({ "expiresAt": from + 300 * DAY_MS }));
    world.call(&engine, "items.pin", json!({ "id": id }));
    edit(&kim, json!({ "metadata": { "note": "saw Dr. Weber" } }));
    world.call(
        &engine,
        "graph.delete_observations",
        json!({ "deletions": [
        { "entityName": "Kim", "observations": ["is tall"] },
    ] }),
    );
    world.call(
        &engine,
        "graph.add_observations",
        json!({ "observations": [
        { "entityName": "Kim", "contents": ["sees Dr. Weber"] },
    ] }),
    );
    world.machine.pass(DAY_MS);
    let to = world.now();
    edit(&id, json!({ "significance": 3 }));
    world.call(&engine, "forget", json!({ "from": from, "to": to }));
    let fact = world.call(&engine, "items.get", json!({ "id": id }));
    assert_eq!(
        (&fact["text"], &fact["metadata"]),
        (&json!("Ann keeps bees"), &json!({ "note": "by phone" }))
    );
    assert_eq!(fact["significance"], 3, "what was changed later stays: {fact}");
    assert!(fact["expiresAt"].is_null() && fact["pinned"] != json!(true), "{fact}");
    let read = world.call(&engine, "graph.read_graph", json!({}));
    assert_eq!(read["entities"][0]["observations"], json!(["sings", "is tall"]), "{read}");
    assert!(!world.call(&engine, "items.list", json!({})).to_string().contains("Weber"));
    assert!(!world.call(&engine, "history", json!({ "id": id })).to_string().contains("Weber"));
}

/// A replaced message keeps the time at which it was said, and so kept the new words too.
#[test]
fn a_message_replaced_in_a_span_of_time_says_what_it_said() {
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    let hand = |text: &str| {
        let messages = json!([{ "role": "user", "content": text, "id": "u1", "createdAt": 1_000 }]);
        world.call(&engine, "threads.append", json!({ "threadId": "t", "messages": messages }));
    };
    hand("My knee is fine.");
    say(&world, &engine, "t", "Good.");
    world.machine.pass(DAY_MS);
    let from = world.now();
    hand("Dr. Weber says my knee is fine.");
    world.machine.pass(DAY_MS);
    let receipt = world.call(&engine, "forget", json!({ "from": from }));
    assert_eq!(
        (&receipt["forgotten"], &receipt["rewritten"]["message"]),
        (&json!({}), &json!(1)),
        "{receipt}"
    );
    assert_eq!(texts(&world, &engine, "t"), ["My knee is fine.", "Good."]);
    assert_eq!(super::everywhere::stored_words(&world, "weber"), [""; 0]);
}

/// Nobody knows what it was before, so the edited text stayed.
#[test]
fn without_a_history_what_was_edited_in_a_span_of_time_goes() {
    let world = World::new();
    let options = json!({ "history": { "revisions": 0 } });
    let engine = world.open(None, &options);
    let id = world.add(&engine, json!({ "text": "Ann keeps bees" }));
    world.add(&engine, json!({ "text": "Ann likes tea" }));
    world.machine.pass(DAY_MS);
    let from = world.now();
    for number in 0..400 {
        let text = format!("Ann saw Dr. Weber {number} {}", "again ".repeat(600));
        world.call(&engine, "facts.update", json!({ "id": id, "text": text }));
    }
    // Closing tidies.
    world.close(&engine);
    let engine = world.open(None, &options);
    world.call(&engine, "forget", json!({ "from": from }));
    assert_eq!(world.facts(&engine), ["Ann likes tea"]);
}

/// Nothing was left to end, so nothing was done: the scope's name stayed in its commits.
#[test]
fn a_scope_of_which_all_was_forgotten_goes_too() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let id = world.add(&engine, json!({ "text": "Ann keeps bees" }));
    forget(&world, &engine, &[&id]);
    assert_ne!(super::everywhere::stored_words(&world, "alice"), [""; 0]);
    let receipt = world.call(&engine, "forget", json!({ "scope": true }));
    assert_eq!((&receipt["forgotten"], &receipt["commits"]), (&json!({}), &json!(1)));
    assert_eq!(super::everywhere::stored_words(&world, "alice"), [""; 0]);
    let again = world.call(&engine, "forget", json!({ "scope": true }));
    assert_eq!(again["commits"], 0, "nothing is left of it");
}
