//! Learning by a model that answers, fails, hangs, and is overtaken.

use super::{open, profile};
use crate::support::world::{ALICE, Scripted, World};
use mnemic::Result;
use mnemic::ports::{Llm, ModelRequest, Pending};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

#[test]
fn the_model_extracts_in_one_call_and_every_fact_is_explained() {
    let llm = Scripted::new([json!({
        "facts": [{ "action": "add", "target": null, "text": "The user has a cat called Miso.", "category": "personal info",
            "significance": 6, "message": 1, "quote": "my cat Miso", "since": null }],
        "profile": [{ "schema": "user-profile", "field": "technical_stack", "value": "ADK", "context": "The user builds an ADK agent.",
            "message": 1, "quote": "ADK agent" }]
    })]);
    let world = World::new();
    let engine = open(&world, Some(llm.clone()));
    let said = world.teach(&engine, "Can you help me build an ADK agent that feeds my cat Miso?");
    assert_eq!(llm.asked.borrow().len(), 1);
    assert_eq!(world.facts(&engine), ["The user has a cat called Miso."]);
    assert_eq!(profile(&world, &engine)["technical_stack"], json!("ADK"));
    let fact = world.call(&engine, "facts.list", json!({}))[0].clone();
    let why = world.call(&engine, "explain", json!({ "id": fact["id"] }));
    assert_eq!(why["source"][0]["quote"], json!("my cat Miso"));
    assert_eq!(why["source"][0]["messageId"], said["messageIds"][0]);
    assert_eq!(why["source"][0]["role"], json!("user"));
    assert_eq!(why["cause"], json!("extract"));
    let usage = world.call(&engine, "usage", json!({}));
    assert_eq!(usage["calls"], json!(1));
}

#[test]
fn an_invented_id_and_a_bad_enum_are_sent_back_once() {
    let good = json!({ "facts": [], "profile": [{ "schema": "user-profile", "field": "job_status", "value": "searching", "message": 1 }] });
    let llm = Scripted::new([
        json!({ "facts": [{ "action": "update", "target": 99, "text": "x" }], "profile": [{ "schema": "user-profile", "field": "job_status", "value": "lazy" }] }),
        good,
    ]);
    let world = World::new();
    let engine = open(&world, Some(llm.clone()));
    world.teach(&engine, "I am looking for a job.");
    assert_eq!(profile(&world, &engine), json!({ "job_status": "searching" }));
    let asked = llm.asked.borrow();
    assert_eq!(asked.len(), 2);
    let complaint = &asked[1].messages.last().unwrap().content;
    assert!(complaint.contains("no known fact 99") && complaint.contains("job_status"), "{complaint}");
    let usage = world.call(&engine, "usage", json!({}));
    assert_eq!((&usage["calls"], &usage["failures"]), (&json!(2), &json!(1)));
    assert_eq!(usage["byPurpose"]["extract"]["calls"], json!(2));
}

#[test]
fn a_failing_model_loses_nothing_and_the_queue_catches_up() {
    let llm = Rc::new(Scripted::default());
    let world = World::new();
    let engine = open(&world, Some(llm.clone()));
    world.teach(&engine, "I play the cello.");
    let idle = world.call(&engine, "idle", json!({}));
    assert_eq!((idle["pending"].clone(), idle["failed"][0]["attempts"].clone()), (json!(1), json!(1)));
    // The message can be found meanwhile.
    let found = world.call(&engine, "threads.search", json!({ "query": "cello" }));
    assert_eq!(found.as_array().unwrap().len(), 1);
    llm.answers.borrow_mut().push(Ok(json!("Sure:\n```json\n{\"facts\": [{\"action\": \"add\", \"text\": \"The user plays the cello.\", \"significance\": 6,}]}\n```")));
    world.machine.pass(20_000);
    assert_eq!(world.facts(&engine), ["The user plays the cello."]);
    assert_eq!(world.call(&engine, "idle", json!({})), json!({ "pending": 0, "failed": [] }));
}

#[test]
fn a_task_survives_a_reload() {
    let world = World::new();
    let engine = open(&world, Some(Rc::new(Scripted::default())));
    world.teach(&engine, "I play the cello.");
    let llm = Scripted::new([
        json!({ "facts": [{ "action": "add", "text": "The user plays the cello.", "significance": 6 }] }),
    ]);
    let engine = open(&world, Some(llm));
    world.call(&engine, "idle", json!({}));
    assert_eq!(world.facts(&engine), ["The user plays the cello."]);
}

#[test]
fn two_engines_learn_from_one_task_once() {
    let answer =
        || json!({ "facts": [{ "action": "add", "text": "The user plays the cello.", "significance": 6 }] });
    let world = World::new();
    let engine = open(&world, Some(Rc::new(Scripted::default())));
    world.teach(&engine, "I play the cello.");
    // Both find the task when they open, and both ask their model before either commits.
    let one = open(&world, Some(Scripted::new([answer()])));
    let other = open(&world, Some(Scripted::new([answer()])));
    world.call(&one, "idle", json!({}));
    world.call(&other, "idle", json!({}));
    assert_eq!(world.facts(&one), ["The user plays the cello."]);
    assert_eq!(world.facts(&other), ["The user plays the cello."]);
}

/// A model that never answers, and knows when nobody waits any more.
#[derive(Default)]
struct Hanging {
    given_up: Rc<Cell<bool>>,
}

impl Llm for Hanging {
    fn complete<'a>(&'a self, _request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        struct OnDrop(Rc<Cell<bool>>);
        impl Drop for OnDrop {
            fn drop(&mut self) {
                self.0.set(true);
            }
        }
        let waiting = OnDrop(self.given_up.clone());
        Box::pin(async move {
            std::future::pending::<()>().await;
            drop(waiting);
            Ok(Value::Null)
        })
    }
}

#[test]
fn closing_gives_up_a_model_that_hangs_and_the_task_waits() {
    let world = World::new();
    let llm = Rc::new(Hanging::default());
    let engine = open(&world, Some(llm.clone()));
    world.call(
        &engine,
        "remember",
        json!({ "messages": [{ "role": "user", "content": "I live in Oslo." }] }),
    );
    world.machine.pass(1000);
    assert!(!llm.given_up.get());
    world.machine.run(async move { engine.close().await });
    world.machine.pass(1);
    assert!(llm.given_up.get());
    let engine = open(&world, None);
    world.call(&engine, "idle", json!({}));
    assert_eq!(world.facts(&engine), ["The user lives in Oslo."]);
}

#[test]
fn what_the_user_sets_while_the_model_answers_is_not_overwritten_unseen() {
    let world = World::new();
    let field = |value: &str| json!({ "facts": [], "profile": [{ "schema": "user-profile", "field": "place", "value": value, "message": 1 }] });
    let llm = Scripted::new([field("Rome"), json!({ "facts": [] })]);
    let engine = open(&world, Some(llm.clone()));
    let user = engine.clone();
    *llm.meanwhile.borrow_mut() = Some(Box::pin(async move {
        let set = json!({ "schema": "user-profile", "field": "place", "value": "Lisbon" }).to_string();
        user.call("profiles.set", ALICE, &set).await.unwrap();
    }));
    world.teach(&engine, "I was in Rome.");
    assert_eq!((profile(&world, &engine)["place"].clone(), llm.calls()), (json!("Lisbon"), 2));
}

#[test]
fn a_fact_deleted_while_the_model_answers_makes_it_answer_again() {
    let world = World::new();
    let llm = Scripted::new([
        json!({ "facts": [{ "action": "update", "target": 1, "text": "The user has two cats.", "significance": 6 }] }),
        json!({ "facts": [{ "action": "add", "text": "The user has two cats.", "significance": 6 }] }),
    ]);
    let engine = open(&world, Some(llm.clone()));
    let added = world.call(&engine, "facts.add", json!({ "text": "The user has cats." }));
    let (user, id) = (engine.clone(), json!({ "id": added["id"] }).to_string());
    *llm.meanwhile.borrow_mut() = Some(Box::pin(async move {
        user.call("facts.delete", ALICE, &id).await.unwrap();
    }));
    world.teach(&engine, "I have two cats now.");
    assert_eq!((world.facts(&engine), llm.calls()), (vec!["The user has two cats.".to_owned()], 2));
}

#[test]
fn a_field_over_its_limit_is_sent_back_to_the_model() {
    let long = "x".repeat(70_000);
    let llm = Scripted::new([
        json!({ "facts": [], "profile": [{ "schema": "user-profile", "field": "job", "value": long }] }),
        json!({ "facts": [], "profile": [{ "schema": "user-profile", "field": "job", "value": "baker" }] }),
    ]);
    let world = World::new();
    let engine = open(&world, Some(llm.clone()));
    world.teach(&engine, "I am a baker.");
    assert_eq!((profile(&world, &engine)["job"].clone(), llm.asked.borrow().len()), (json!("baker"), 2));
}

#[test]
fn another_engine_looks_after_a_task_whose_engine_was_closed() {
    let world = World::new();
    let answer =
        || json!({ "facts": [{ "action": "add", "text": "The user plays the cello.", "significance": 6 }] });
    let one = open(&world, Some(Rc::new(Hanging::default())));
    let other = open(&world, Some(Scripted::new([answer()])));
    world.call(&one, "remember", json!({ "messages": [{ "role": "user", "content": "I play the cello." }] }));
    world.machine.run(async move { one.close().await });
    let refreshed = other.clone();
    world.machine.run(async move { refreshed.refresh().await }).unwrap();
    world.machine.pass(10_000);
    assert!(world.facts(&other).is_empty());
    world.machine.pass(60_000);
    assert_eq!(world.facts(&other), ["The user plays the cello."]);
}

/// What a model told of its tokens was taken for its answer, and they were estimated.
#[test]
fn tokens_that_a_model_tells_are_counted_and_are_no_part_of_its_answer() {
    let learned =
        json!({ "facts": [{ "action": "add", "text": "The user plays the cello.", "significance": 6 }] });
    for (content, usage, counted) in [
        (json!(learned.to_string()), json!({ "inputTokens": 1234, "outputTokens": 56 }), Some((1234, 56))),
        (learned.clone(), json!({ "inputTokens": 0, "outputTokens": 0 }), Some((0, 0))),
        (learned.clone(), json!({ "inputTokens": -1, "outputTokens": 2 }), None),
        (learned.clone(), json!({ "inputTokens": 1e300, "outputTokens": 2 }), None),
        (learned.clone(), json!({ "outputTokens": 2 }), None),
        (learned.clone(), json!("many"), None),
        (learned.clone(), Value::Null, None),
    ] {
        let answer = json!({ "content": content, "usage": usage });
        let world = World::new();
        let engine = open(&world, Some(Scripted::new(vec![answer])));
        world.teach(&engine, "I play the cello.");
        assert_eq!(world.facts(&engine), ["The user plays the cello."], "{usage}");
        let spent = world.call(&engine, "usage", json!({}));
        if let Some((sent, received)) = counted {
            assert_eq!((&spent["inputTokens"], &spent["outputTokens"]), (&json!(sent), &json!(received)));
        } else {
            assert_eq!(spent["failures"], 0, "what it cost is estimated: {usage}");
            assert!((10..100_000).contains(&spent["inputTokens"].as_u64().unwrap()), "{spent}");
        }
    }
}
