//! Calls that are made at the same time: each sees what the others did.

use crate::support::late::open_late;
use crate::support::world::{Scripted, World, adds, texts as texts_of};
use mnemic::Code;
use mnemic::engine::Engine;
use serde_json::{Value, json};
use std::rc::Rc;

fn texts(world: &World, engine: &Engine) -> Vec<Value> {
    let facts = world.call(engine, "facts.list", json!({ "limit": 1000 }));
    facts.as_array().unwrap().iter().map(|fact| fact["text"].clone()).collect()
}

/// Ten calls each looked before any of them had stored, and stored ten facts.
#[test]
fn the_same_words_at_once_are_one_fact() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let other = world.open(None, &json!({}));
    let add = json!({ "text": "Ann keeps bees" });
    let calls =
        (0..10).map(|number| (if number % 2 == 0 { &engine } else { &other }, "facts.add", add.clone()));
    let answers = world.at_once(calls.collect());
    let created = answers.iter().filter(|answer| answer.as_ref().unwrap()["action"] == "created");
    assert_eq!(created.count(), 1);
    let first = &answers[0].as_ref().unwrap()["id"];
    assert!(answers.iter().all(|answer| answer.as_ref().unwrap()["id"] == *first));
    assert_eq!(texts(&world, &engine), ["Ann keeps bees"]);
}

#[test]
fn imports_at_once_import_once() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let facts: Vec<Value> =
        (0..50).map(|number| json!({ "text": format!("fact number {number}") })).collect();
    let import = json!({ "facts": facts });
    let answers = world.at_once((0..5).map(|_| (&engine, "facts.import", import.clone())).collect());
    let added: u64 = answers.iter().map(|answer| answer.as_ref().unwrap()["added"].as_u64().unwrap()).sum();
    assert_eq!(added, 50);
    assert_eq!(texts(&world, &engine).len(), 50);
}

#[test]
fn many_facts_at_once_are_all_kept() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let text =
        |number: usize| if number.is_multiple_of(2) { format!("word {number}") } else { "!".repeat(number) };
    let calls = (0..300).map(|number| (&engine, "facts.add", json!({ "text": text(number) })));
    for answer in world.at_once(calls.collect()) {
        assert_eq!(answer.unwrap()["action"], "created");
    }
    assert_eq!(texts(&world, &engine).len(), 300);
}

#[test]
fn a_fact_does_not_come_to_say_what_another_says() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let ids: Vec<Value> = (0..5)
        .map(|number| world.call(&engine, "facts.add", json!({ "text": format!("u{number}") }))["id"].clone())
        .collect();
    let patch = |id: &Value| json!({ "id": id, "text": "converged" });
    let answers = world.at_once(ids.iter().map(|id| (&engine, "facts.update", patch(id))).collect());
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 1);
    assert_eq!(texts(&world, &engine).iter().filter(|text| *text == "converged").count(), 1);
    let other = ids.iter().zip(&answers).find(|(_, answer)| answer.is_err()).unwrap().0;
    for call in ["facts.update", "items.edit"] {
        let error = world.fails(&engine, call, json!({ "id": other, "text": " Converged. " }));
        assert_eq!(error.code, Code::InvalidInput);
    }
}

/// Undoing the deletion of a fact that was added again made two of it.
#[test]
fn undoing_makes_no_double() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let add = json!({ "text": "Ann keeps bees" });
    let first = world.call(&engine, "facts.add", add.clone());
    let deleted = world.call(&engine, "facts.delete", json!({ "id": first["id"] }));
    let second = world.call(&engine, "facts.add", add);
    let error = world.fails(&engine, "undo", json!({ "commitId": deleted["commitId"] }));
    assert_eq!(error.code, Code::Conflict);
    world.call(&engine, "facts.delete", json!({ "id": second["id"] }));
    world.call(&engine, "undo", json!({ "commitId": deleted["commitId"] }));
    assert_eq!(texts(&world, &engine), ["Ann keeps bees"]);
}

/// A relation and the end of its end, written together, left the relation behind.
#[test]
fn an_entity_that_is_deleted_meanwhile_gets_no_relation() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let entity = |name: &str| json!({ "name": name, "entityType": "t", "observations": [] });
    world.call(&engine, "graph.create_entities", json!({ "entities": [entity("A"), entity("B")] }));
    let relation = json!({ "relations": [{ "from": "A", "to": "B", "relationType": "r" }] });
    let deletion = json!({ "entityNames": ["B"] });
    world.at_once(vec![
        (&engine, "graph.create_relations", relation.clone()),
        (&engine, "graph.delete_entities", deletion),
        (&engine, "graph.create_relations", relation),
    ]);
    assert_eq!(world.call(&engine, "items.list", json!({ "kinds": ["relation"] })), json!([]));
}

/// Two engines asked their models about words of two threads, and both were answered before either had stored the fact.
#[test]
fn what_two_learn_at_once_is_one_fact_with_both_sources() {
    let world = World::new();
    let answers = || Scripted::new([adds("The user keeps bees."), adds("The user keeps bees.")]);
    let engines: Vec<Engine> = (0..2)
        .map(|_| {
            let model = answers();
            model.takes(&world, 100);
            world.open(Some(model), &json!({ "extraction": { "trigger": { "messages": 1 } } }))
        })
        .collect();
    let said = |thread: &str| json!({ "threadId": thread, "messages": [{ "role": "user", "content": "I keep bees." }] });
    let calls = engines.iter().zip(["one", "two"]).map(|(engine, thread)| (engine, "generate", said(thread)));
    for answer in world.at_once(calls.collect()) {
        answer.unwrap();
    }
    for engine in &engines {
        world
            .machine
            .run({
                let engine = engine.clone();
                async move { engine.refresh().await }
            })
            .unwrap();
        let facts = world.call(engine, "facts.list", json!({}));
        assert_eq!(texts(&world, engine), ["The user keeps bees."]);
        assert_eq!(facts.pointer("/0/source").and_then(Value::as_array).map(Vec::len), Some(2), "{facts}");
    }
}

/// Calls that had nothing to do, or nothing to do it to, were answered before what was called earlier was stored.
#[test]
fn what_is_called_later_builds_on_what_was_called_before() {
    let world = World::new();
    let profiles = json!({ "p": { "type": "object", "properties": { "n": { "type": "string" } } } });
    let engine = world.open(None, &json!({ "profiles": profiles }));
    let set = |value: &str| json!({ "schema": "p", "field": "n", "value": value });
    world.call(&engine, "profiles.set", set("en"));
    let answers =
        world.at_once(vec![(&engine, "profiles.set", set("de")), (&engine, "profiles.set", set("en"))]);
    assert_eq!(answers[1].as_ref().unwrap()["action"], "updated");
    assert_eq!(world.profile(&engine, "p")["n"], "en");
    let entity = |name: &str| json!({ "name": name, "entityType": "t", "observations": [] });
    let answers = world.at_once(vec![
        (&engine, "graph.create_entities", json!({ "entities": [entity("A"), entity("B")] })),
        (
            &engine,
            "graph.create_relations",
            json!({ "relations": [{ "from": "A", "to": "B", "relationType": "r" }] }),
        ),
    ]);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(world.call(&engine, "graph.read_graph", json!({}))["relations"].as_array().unwrap().len(), 1);
}

/// A thread that was removed right after a long message was handed over kept that message.
#[test]
fn removing_a_thread_does_not_overtake_a_long_message() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let long = json!({ "messages": [{ "role": "user", "content": "tea ".repeat(20_000) }], "threadId": "t" });
    let calls = vec![(&engine, "remember", long), (&engine, "threads.removeAll", json!({ "threadId": "t" }))];
    let answers = world.at_once(calls);
    assert_eq!(answers[1].as_ref().unwrap()["removed"], 1);
    assert_eq!(world.call(&engine, "threads.list", json!({})), json!([]));
}

/// The times of commits run ahead of the clock in a burst, so the present moment was before the last of them.
#[test]
fn the_present_moment_shows_what_a_burst_stored() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let calls = (0..50).map(|number| (&engine, "facts.add", json!({ "text": format!("fact {number}") })));
    let text = |number: usize| json!({ "text": format!("later {number}") });
    assert!(world.at_once(calls.collect()).iter().all(Result::is_ok));
    for number in 0..50 {
        world.call(&engine, "facts.add", text(number));
    }
    let now = world.now();
    let seen = world.call(&engine, "facts.list", json!({ "asOf": now, "limit": 1000 }));
    assert_eq!(seen.as_array().unwrap().len(), 100);
    let before = world.call(&engine, "facts.list", json!({ "asOf": now - 100_000, "limit": 1000 }));
    assert_eq!(before, json!([]));
}

/// An engine whose parts load late, with one fact; and its id.
fn late_parts(world: &World, failures: usize) -> (Engine, Value) {
    let engine = open_late(world, Rc::new(world.storage.clone()), failures, false);
    let id = world.add(&engine, json!({ "text": "Alice drinks tea" }));
    (engine, id)
}

/// A call whose part was still loading was overtaken by calls that needed none: here the fact was added a second time, and then
/// could not come to say what that said.
#[test]
fn a_call_that_waits_for_its_part_is_not_overtaken() {
    let world = World::new();
    let (engine, id) = late_parts(&world, 0);
    let calls = vec![
        (&engine, "facts.update", json!({ "id": id, "text": "Alice drinks coffee" })),
        (&engine, "facts.add", json!({ "text": "Alice drinks coffee" })),
        (&engine, "recall", json!({ "query": "what does Alice drink?" })),
        (&engine, "facts.delete", json!({ "id": id })),
        (&engine, "facts.list", json!({})),
    ];
    let answers: Vec<Value> = world.at_once(calls).into_iter().map(Result::unwrap).collect();
    assert_eq!(answers[0]["action"], "updated");
    assert_eq!((&answers[1]["action"], &answers[1]["id"]), (&json!("unchanged"), &id));
    assert!(answers[2]["text"].as_str().unwrap().contains("coffee"), "{}", answers[2]);
    assert_eq!(answers[3]["action"], "deleted");
    assert_eq!(answers[4], json!([]));
}

/// A message that takes another's place needs a part as well.
#[test]
fn a_message_that_replaces_another_is_not_overtaken() {
    let world = World::new();
    let (engine, _) = late_parts(&world, 0);
    let say = |text: &str| json!({ "messages": [{ "role": "user", "content": text, "id": "m" }], "threadId": "t", "learn": false });
    world.call(&engine, "remember", say("first"));
    let calls =
        vec![(&engine, "remember", say("second")), (&engine, "threads.messages", json!({ "threadId": "t" }))];
    let answers = world.at_once(calls);
    assert_eq!(answers[1].as_ref().unwrap()[0]["content"], "second");
}

#[test]
fn a_part_that_fails_to_load_holds_nobody_up_and_the_order_stays() {
    let world = World::new();
    let (engine, id) = late_parts(&world, 2);
    let calls = vec![
        (&engine, "facts.update", json!({ "id": id, "text": "Alice drinks milk" })),
        (&engine, "facts.update", json!({ "id": id, "text": "Alice drinks water" })),
        (&engine, "facts.list", json!({})),
        (&engine, "facts.update", json!({ "id": id, "text": "Alice drinks coffee" })),
        (&engine, "facts.add", json!({ "text": "Alice drinks coffee" })),
    ];
    let answers = world.at_once(calls);
    let codes: Vec<_> = answers.iter().map(|answer| answer.as_ref().map_err(|error| error.code)).collect();
    assert_eq!((codes[0], codes[1]), (Err(Code::Load), Err(Code::Load)));
    let answers: Vec<&Value> = codes[2..].iter().map(|answer| answer.unwrap()).collect();
    assert_eq!(texts_of(answers[0]), ["Alice drinks tea"]);
    assert_eq!(answers[1]["action"], "updated");
    assert_eq!((&answers[2]["action"], &answers[2]["id"]), (&json!("unchanged"), &id));
}

/// A read, or a call that chooses what it changes, showed the memory without what was called for before it.
#[test]
fn a_read_sees_what_was_called_for_before() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let hand_over =
        |text: &str| json!({ "messages": [{ "role": "user", "content": text }], "threadId": "t" });
    world.call(&engine, "remember", hand_over("Good morning."));
    let answers = world.at_once(vec![
        (&engine, "facts.add", json!({ "text": "Alice drinks tea" })),
        (&engine, "facts.list", json!({})),
        (&engine, "facts.add", json!({ "text": "Alice drinks water" })),
        (&engine, "remember", hand_over("Good evening.")),
        (&engine, "threads.removeAll", json!({ "threadId": "t" })),
    ]);
    let answers: Vec<Value> = answers.into_iter().map(Result::unwrap).collect();
    assert_eq!(answers[1].as_array().unwrap().len(), 1);
    assert_eq!(answers[4]["removed"], 2);
    assert_eq!(world.call(&engine, "threads.list", json!({})), json!([]));
}
