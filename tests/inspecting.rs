//! Looking inside: what is counted is what is there, and no text of the user is told unless it was asked for.

use crate::support::embedder::ToyEmbedder;
use crate::support::world::{ALICE, Scripted, World, adds, nothing};
use mnemic::database::Event;
use mnemic::engine::Engine;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// The last requests to models.
fn requests(world: &World, engine: &Engine) -> Vec<Value> {
    world.call(engine, "inspect", json!({}))["requests"].as_array().unwrap().clone()
}

#[test]
fn an_empty_memory_has_nothing_inside() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let inside = world.call(&engine, "inspect", json!({}));
    assert_eq!(
        inside["log"],
        json!({ "bytes": 0, "commits": 0, "lastCommit": 0, "segments": [], "tail": { "commits": 0, "bytes": 0 } })
    );
    assert_eq!(
        (&inside["records"], &inside["queue"], &inside["requests"]),
        (&json!({}), &json!([]), &json!([]))
    );
    assert_eq!(inside["memory"]["paged"], json!(false));
}

#[test]
fn what_is_counted_is_what_is_there() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let first = world.add(&engine, json!({ "text": "Alice sails" }));
    world.add(&engine, json!({ "text": "Alice rows" }));
    world.call(&engine, "facts.update", json!({ "id": first, "text": "Alice sails alone" }));
    world.call(&engine, "graph.create_entities", json!({ "entities": [
        { "name": "Alice", "entityType": "person", "observations": [] }, { "name": "Bob", "entityType": "person", "observations": [] }
    ] }));
    world.call(
        &engine,
        "graph.create_relations",
        json!({ "relations": [{ "from": "Alice", "to": "Bob", "relationType": "knows" }] }),
    );
    let inside = world.call(&engine, "inspect", json!({}));
    assert_eq!(inside["records"], json!({ "fact": 2, "entity": 2, "relation": 1 }));
    assert_eq!(inside["log"]["tail"]["commits"], json!(5));
    assert_eq!(inside["log"]["lastCommit"], json!(5));
    assert_eq!(inside["log"]["bytes"], inside["log"]["tail"]["bytes"]);
    let graph = &inside["indexes"]["graph"];
    assert_eq!((&graph["entities"], &graph["relations"]), (&json!(2), &json!(1)));
    let usage = world.call(&engine, "usage", json!({}));
    assert_eq!(inside["indexes"]["vectors"]["count"], usage["vectors"]);
    // "alice", "sail" and "alone" of one fact, "alice" and "row" of the other: a term of a text counts once for it.
    let other = World::new();
    let engine = other.open(None, &json!({}));
    other.add(&engine, json!({ "text": "Alice sails" }));
    other.add(&engine, json!({ "text": "Alice rows" }));
    let words = other.call(&engine, "inspect", json!({}))["indexes"]["words"].clone();
    assert_eq!((&words["texts"], &words["terms"], &words["postings"]), (&json!(2), &json!(3), &json!(4)));
}

#[test]
fn a_segment_tells_how_much_of_it_is_still_so() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let ids: Vec<Value> =
        (0..10).map(|number| world.add(&engine, json!({ "text": format!("Fact {number}.") }))).collect();
    // Forgetting folds.
    let extra = world.add(&engine, json!({ "text": "What is forgotten." }));
    world.call(&engine, "forget", json!({ "ids": [extra] }));
    world.idle(&engine);
    let folded = world.call(&engine, "inspect", json!({}))["log"].clone();
    let held = |log: &Value, what: &str| -> u64 {
        log["segments"].as_array().unwrap().iter().map(|segment| segment[what].as_u64().unwrap()).sum()
    };
    assert!(held(&folded, "records") >= 10, "{folded}");
    world.call(&engine, "facts.delete", json!({ "id": ids[0] }));
    let after = world.call(&engine, "inspect", json!({}))["log"].clone();
    assert_eq!(held(&after, "records"), held(&folded, "records") - 1);
    assert_eq!(held(&after, "revisions"), held(&folded, "revisions"));
    assert!(after["segments"][0]["liveShare"].as_f64().unwrap() < 1.0, "{after}");
}

#[test]
fn requests_are_told_without_their_text() {
    let world = World::new();
    let llm = Scripted::new([
        json!({ "content": adds("Alice sails.").to_string(), "usage": { "inputTokens": 120, "outputTokens": 30 } }),
        json!("no JSON at all"),
        nothing(),
    ]);
    llm.takes(&world, 250);
    let engine = world.open(Some(llm), &json!({ "extraction": { "trigger": { "messages": 1 } } }));
    world.teach(&engine, "I sail.");
    world.teach(&engine, "I row.");
    world.teach(&engine, "I swim.");
    let all = requests(&world, &engine);
    let [first, second, third, fourth] = &all[..] else { panic!("{all:?}") };
    assert_eq!(
        (&first["purpose"], &first["inputTokens"], &first["outputTokens"]),
        (&json!("extract"), &json!(120), &json!(30))
    );
    assert_eq!(
        (&first["estimated"], &first["durationMs"], &first["error"]),
        (&json!(false), &json!(250), &Value::Null)
    );
    assert!(first["prompt"].as_str().unwrap().starts_with("extract-"), "{first}");
    assert_eq!((&second["estimated"], &second["error"]["code"]), (&json!(true), &json!("Model")));
    assert_eq!((&third["error"], &fourth["error"]["code"]), (&Value::Null, &json!("Model")));
    assert!(all.iter().all(|request| request.get("messages").is_none() && request.get("reply").is_none()));
    let usage = world.call(&engine, "usage", json!({}));
    let sum: u64 = all.iter().map(|request| request["inputTokens"].as_u64().unwrap()).sum();
    assert_eq!((usage["calls"].as_u64(), usage["inputTokens"].as_u64()), (Some(4), Some(sum)));
}

#[test]
fn the_last_hundred_requests_are_kept() {
    let world = World::new();
    let embedder = ToyEmbedder::of_lengths();
    let engine = world.try_open(None, Some(embedder.clone()), &json!({})).unwrap();
    for number in 0..120 {
        world.call(&engine, "facts.search", json!({ "query": format!("question {number}") }));
    }
    let all = requests(&world, &engine);
    assert_eq!((all.len(), embedder.calls.get()), (100, 120));
    assert_eq!(
        (&all[0]["purpose"], &all[0]["texts"], &all[0]["prompt"]),
        (&json!("embed"), &json!(1), &Value::Null)
    );
}

#[test]
fn prompts_are_kept_when_that_is_wanted_until_something_is_forgotten() {
    let world = World::new();
    let llm = Scripted::new([adds("Alice sails."), nothing()]);
    let options = json!({ "keepPrompts": true, "extraction": { "trigger": { "messages": 1 } } });
    let engine = world.open(Some(llm), &options);
    world.teach(&engine, "I sail.");
    let all = requests(&world, &engine);
    let asked = all[0]["messages"].as_array().unwrap();
    assert!(asked[1]["content"].as_str().unwrap().contains("I sail."), "{asked:?}");
    assert!(all[0]["reply"].as_str().unwrap().contains("Alice sails."), "{all:?}");
    let fact = world.call(&engine, "facts.list", json!({}))[0]["id"].clone();
    world.call(&engine, "forget", json!({ "ids": [fact] }));
    let all = requests(&world, &engine);
    assert_eq!(
        (&all[0]["purpose"], &all[0]["messages"], &all[0]["reply"]),
        (&json!("extract"), &Value::Null, &Value::Null)
    );
}

#[test]
fn a_request_is_part_of_the_call_that_makes_it() {
    let world = World::new();
    let llm = Scripted::new([adds("Alice sails."), nothing()]);
    llm.takes(&world, 10);
    let engine = world.try_open(Some(llm), Some(ToyEmbedder::of_lengths()), &json!({})).unwrap();
    world.call(&engine, "watch", json!({}));
    let told = Rc::new(RefCell::new(Vec::new()));
    let hearing = told.clone();
    engine.listen(Rc::new(move |event| {
        if let Event::Request(request) = event {
            hearing.borrow_mut().push(request.clone());
        }
    }));
    let message = json!({ "messages": [{ "role": "user", "content": "I sail." }] });
    world.try_call(&engine, "span:one:generate", ALICE, message).unwrap();
    world.try_call(&engine, "span:two:read:facts.search", ALICE, json!({ "query": "sails" })).unwrap();
    world.idle(&engine);
    world.call(&engine, "facts.search", json!({ "query": "boats" }));
    let told = told.borrow();
    let of = |purpose: &str, parent: Value| {
        told.iter().filter(|request| request["purpose"] == purpose && request["parent"] == parent).count()
    };
    assert_eq!((of("extract", json!("one")), of("embed", json!("two"))), (1, 1), "{told:?}");
    // A search without a span, and the vector of the new fact, which is made in the background.
    assert!(of("embed", Value::Null) >= 2, "{told:?}");
    let inside = requests(&world, &engine);
    assert_eq!(inside, *told);
}

#[test]
fn nobody_is_told_of_requests_who_does_not_watch() {
    let world = World::new();
    let engine = world.try_open(None, Some(ToyEmbedder::of_lengths()), &json!({})).unwrap();
    let told = Rc::new(RefCell::new(0));
    let hearing = told.clone();
    engine.listen(Rc::new(move |event| {
        if let Event::Request(_) = event {
            *hearing.borrow_mut() += 1;
        }
    }));
    world.call(&engine, "facts.search", json!({ "query": "boats" }));
    assert_eq!(*told.borrow(), 0);
    world.call(&engine, "watch", json!({}));
    world.call(&engine, "facts.search", json!({ "query": "boats" }));
    assert_eq!(*told.borrow(), 1);
}
