//! Closing: what rules have still to learn is learned first, for a while; models are not waited for.

use crate::support::world::{ALICE, Scripted, World, adds};
use mnemic::Result;
use mnemic::ports::{Embedder, Pending, TextPurpose};
use serde_json::json;
use std::rc::Rc;

/// What is there once nobody learns any more.
fn left(world: &World) -> (Vec<String>, usize) {
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    let pending = world.pending(&engine).as_u64().unwrap();
    (world.facts(&engine), usize::try_from(pending).unwrap())
}

/// Closing cut learning off, so that a memory that was closed after each call never learned.
#[test]
fn what_was_remembered_is_learned_by_rules_before_the_memory_is_closed() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    world.machine.run(async move {
        let said = json!({ "messages": [{ "role": "user", "content": "I live in Lisbon." }] });
        engine.call("remember", ALICE, &said.to_string()).await.unwrap();
        engine.close().await;
    });
    assert_eq!(left(&world), (vec!["The user lives in Lisbon.".to_owned()], 0));
}

#[test]
fn what_is_still_being_stored_is_learned_too() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let said = world.begin(
        &engine,
        "remember",
        json!({ "messages": [{ "role": "user", "content": "I live in Lisbon." }] }),
    );
    let closing = engine.clone();
    world.machine.run(async move { closing.close().await });
    assert!(said.borrow().as_ref().unwrap().is_ok());
    assert_eq!(left(&world), (vec!["The user lives in Lisbon.".to_owned()], 0));
}

#[test]
fn a_model_is_neither_waited_for_nor_asked_again() {
    let world = World::new();
    let model = Scripted::new([adds("The user lives in Lisbon.")]);
    model.takes(&world, 30_000);
    let options = json!({ "extraction": { "trigger": { "messages": 1 } } });
    let engine = world.open(Some(model.clone()), &options);
    world.say(&engine, "I live in Lisbon.");
    world.machine.pass(1000);
    assert_eq!(model.calls(), 1);
    let began = world.now();
    world.close(&engine);
    assert_eq!((world.now(), model.calls()), (began, 1));
    assert_eq!(left(&world), (Vec::new(), 1));
}

#[test]
fn who_learns_by_calls_alone_closes_at_once() {
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    world.say(&engine, "I live in Lisbon.");
    world.close(&engine);
    assert_eq!(left(&world), (Vec::new(), 1));
}

/// An embedder that never answers.
struct Stuck;

impl Embedder for Stuck {
    fn id(&self) -> &str {
        "stuck"
    }

    fn embed<'a>(&'a self, _: &'a [String], _: TextPurpose, _: u32) -> Pending<'a, Result<Vec<Vec<f32>>>> {
        Box::pin(std::future::pending())
    }
}

#[test]
fn an_embedder_that_never_answers_does_not_keep_rules_from_learning_before_closing() {
    let world = World::new();
    let engine = world.try_open(None, Some(Rc::new(Stuck)), &json!({})).unwrap();
    world.say(&engine, "I live in Lisbon.");
    let began = world.now();
    world.close(&engine);
    assert!(world.now() - began <= 2000, "closing waits for two seconds at most");
    assert_eq!(left(&world), (vec!["The user lives in Lisbon.".to_owned()], 0));
}
