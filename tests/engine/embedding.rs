//! Embedders of the application: their vectors, their changes and their failures.

use super::{open, open_with};
use crate::support::embedder::ToyEmbedder;
use crate::support::world::{ALICE, DAY_MS, World};
use mnemic::database::Event;
use mnemic::ports::TextPurpose;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// An embedder over a table of words.
fn table(id: &'static str) -> Rc<ToyEmbedder> {
    let axis = |text: &str, words: &[&str]| f32::from(u8::from(words.iter().any(|word| text.contains(word))));
    ToyEmbedder::new(id, move |text| {
        vec![axis(text, &["cat", "feline"]), axis(text, &["car", "vehicle"]), 0.01]
    })
}

#[test]
fn an_embedder_finds_by_meaning_and_words_do_when_it_fails() {
    let world = World::new();
    let embedder = table("table-1");
    let engine = open_with(&world, None, Some(embedder.clone()));
    world.call(&engine, "facts.add", json!({ "text": "The user has a cat." }));
    world.call(&engine, "facts.add", json!({ "text": "The user has a car." }));
    world.call(&engine, "idle", json!({}));
    let first = |answer: Value| answer[0]["text"].clone();
    assert_eq!(
        first(world.call(&engine, "facts.search", json!({ "query": "feline" }))),
        json!("The user has a cat.")
    );
    embedder.fails.set(true);
    assert_eq!(world.call(&engine, "facts.search", json!({ "query": "feline" })), json!([]));
    assert_eq!(
        first(world.call(&engine, "facts.search", json!({ "query": "car" }))),
        json!("The user has a car.")
    );
    let recalled = world.call(&engine, "recall", json!({ "query": "car" }));
    assert_eq!(recalled["warnings"][0]["code"], json!("Embedder"));
    assert!(recalled["text"].as_str().unwrap().contains("car"));
    assert_eq!(recalled["unembedded"], Value::Null, "nothing waits for a vector");
    world.call(&engine, "facts.add", json!({ "text": "The user has a boat." }));
    assert_eq!(world.call(&engine, "recall", json!({ "query": "boat" }))["unembedded"], json!(1));
    embedder.fails.set(false);
    world.machine.pass(DAY_MS);
    assert_eq!(world.call(&engine, "recall", json!({ "query": "boat" }))["unembedded"], Value::Null);
}

#[test]
fn an_embedder_is_told_queries_from_what_is_to_be_found() {
    let world = World::new();
    let embedder = table("table-1");
    let engine = open_with(&world, None, Some(embedder.clone()));
    world.call(&engine, "facts.add", json!({ "text": "a cat, kept as a fact" }));
    let message = json!({ "role": "user", "content": "a cat, said in a message" });
    world.call(&engine, "remember", json!({ "messages": [message], "threadId": "one" }));
    world.call(&engine, "idle", json!({}));
    let found = embedder.asked.take();
    assert!(found.iter().all(|(purpose, _)| *purpose == TextPurpose::Document), "{found:?}");
    assert!(
        ["fact", "message"].iter().all(|kind| found.iter().any(|(_, text)| text.ends_with(kind))),
        "{found:?}"
    );
    for method in ["facts.search", "graph.search", "threads.search", "recall"] {
        world.call(&engine, method, json!({ "query": "feline" }));
        assert_eq!(embedder.asked.take(), [(TextPurpose::Query, "feline".to_owned())], "{method}");
    }
}

#[test]
fn another_embedder_re_embeds_and_loses_nothing() {
    let world = World::new();
    let engine = open(&world, None);
    world.call(&engine, "facts.add", json!({ "text": "The user has a cat." }));
    let embedder = table("table-2");
    let engine = open_with(&world, None, Some(embedder.clone()));
    world.call(&engine, "idle", json!({}));
    assert_eq!(embedder.calls.get(), 1);
    let usage = world.call(&engine, "usage", json!({}));
    assert_eq!((usage["vectors"].clone(), usage["unembedded"].clone()), (json!(1), json!(0)));
    assert_eq!((&usage["calls"], &usage["byPurpose"]["embed"]["calls"]), (&json!(1), &json!(1)));
    assert_eq!(
        world.call(&engine, "facts.search", json!({ "query": "feline" })).as_array().unwrap().len(),
        1
    );
}

/// Searches failed where the query's vector had other dimensions than the stored ones.
#[test]
fn words_are_used_where_the_dimensions_of_an_embedder_change() {
    let world = World::new();
    let dimensions = Cell::new(2);
    let embedder = ToyEmbedder::new("fickle", move |_| {
        dimensions.set(dimensions.get() + 1);
        vec![1.0; dimensions.get()]
    });
    let engine = open_with(&world, None, Some(embedder));
    world.call(&engine, "facts.add", json!({ "text": "The user has a cat." }));
    world
        .try_call(&engine, "remember", ALICE, json!({ "messages": [{ "role": "user", "content": "hi" }] }))
        .unwrap();
    world.call(&engine, "idle", json!({}));
    let told: Rc<RefCell<Vec<String>>> = Rc::default();
    let heard = told.clone();
    engine.listen(Rc::new(move |event| {
        if let Event::Error(error) = event {
            heard.borrow_mut().push(error.message.clone());
        }
    }));
    let found = world.call(&engine, "facts.search", json!({ "query": "cat" }));
    assert_eq!(found[0]["text"], json!("The user has a cat."), "{found}");
    assert!(told.borrow().iter().any(|message| message.contains("dimensions")), "{told:?}");
    let recalled = world.call(&engine, "recall", json!({ "query": "cat" }));
    assert_eq!(recalled["warnings"][0]["code"], json!("Embedder"));
    assert!(recalled["text"].as_str().unwrap().contains("cat"));
}

#[test]
fn a_vector_of_zeros_keeps_no_other_text_back() {
    let world = World::new();
    let embedder = ToyEmbedder::new("zeros", |text| vec![if text.contains("zero") { 0.0 } else { 1.0 }; 3]);
    let engine = open_with(&world, None, Some(embedder.clone()));
    for text in ["The user likes tea.", "zero", "The user likes jam."] {
        world.call(&engine, "facts.add", json!({ "text": text }));
    }
    world.machine.pass(3_600_000);
    let usage = world.call(&engine, "usage", json!({}));
    assert_eq!((usage["vectors"].clone(), usage["unembedded"].clone()), (json!(2), json!(1)));
    assert!(embedder.calls.get() <= 4, "asked {} times", embedder.calls.get());
}

/// Nothing told of an embedder that answered nothing but zeros.
#[test]
fn an_embedder_that_finds_nothing_anywhere_is_told() {
    let world = World::new();
    let engine = open_with(&world, None, Some(ToyEmbedder::new("broken", |_| vec![0.0; 3])));
    let told: Rc<RefCell<Vec<String>>> = Rc::default();
    let heard = told.clone();
    engine.listen(Rc::new(move |event| {
        if let Event::Error(error) = event {
            heard.borrow_mut().push(error.message.clone());
        }
    }));
    for text in ["The user has a cat.", "The user has a car."] {
        world.call(&engine, "facts.add", json!({ "text": text }));
        world.call(&engine, "idle", json!({}));
    }
    let told = told.borrow();
    assert!(told.len() == 1 && told[0].contains("nothing but zeros"), "{told:?}");
    assert_eq!(world.call(&engine, "facts.search", json!({ "query": "cat" })).as_array().unwrap().len(), 1);
}

/// One text that the embedder refuses kept all others from their vectors for good.
#[test]
fn a_text_that_an_embedder_refuses_keeps_no_other_back() {
    let world = World::new();
    let embedder =
        ToyEmbedder::new("picky", |text| vec![if text.contains("refused") { f32::NAN } else { 1.0 }; 3]);
    let engine = open_with(&world, None, Some(embedder.clone()));
    let facts: Vec<Value> = (0..100)
        .map(|n| json!({ "text": format!("Alice knows {}{n}", if n % 40 == 3 { "refused " } else { "" }) }))
        .collect();
    world.call(&engine, "facts.import", json!({ "facts": facts }));
    world.machine.pass(3_600_000);
    let usage = world.call(&engine, "usage", json!({}));
    assert_eq!((&usage["vectors"], &usage["unembedded"]), (&json!(97), &json!(3)));
    // Those that are left are tried again, one each time.
    let asked = embedder.asked.borrow().len();
    world.machine.pass(DAY_MS);
    let again = embedder.texts().split_off(asked);
    assert!((3..=30).contains(&again.len()), "{again:?}");
    assert!(
        ["refused 3", "refused 43", "refused 83"]
            .iter()
            .all(|one| again.iter().any(|text| text.ends_with(one)))
    );
}
