//! The schedule: what goes on in the background is listed, drained and tried again, and lets the application go first.

use crate::support::embedder::ToyEmbedder;
use crate::support::world::{ALICE, Scripted, World, causes, nothing};
use serde_json::{Value, json};

/// What of each job is listed: its kind, how much waits, and how often it failed.
fn jobs(world: &World, engine: &mnemic::engine::Engine) -> Vec<(String, u64, u64)> {
    let listed = world.call(engine, "jobs", json!({}));
    let short = |job: &Value| {
        (
            job["kind"].as_str().unwrap().to_owned(),
            job["waiting"].as_u64().unwrap(),
            job["failures"].as_u64().unwrap(),
        )
    };
    listed.as_array().unwrap().iter().map(short).collect()
}

#[test]
fn what_waits_is_listed_until_it_is_done() {
    let world = World::new();
    let llm = Scripted::new([]);
    let options = json!({ "extraction": { "trigger": { "messages": 2, "idleMs": 60_000 } } });
    let engine = world.open(Some(llm.clone()), &options);
    world.idle(&engine);
    assert_eq!(jobs(&world, &engine), []);
    world.say(&engine, "One.");
    let told = world.now();
    let listed = world.call(&engine, "jobs", json!({}));
    assert_eq!(
        listed,
        json!([{ "kind": "learning", "scope": { "userId": "alice" }, "waiting": 1, "due": false, "running": false,
                 "nextAt": told + 60_000, "failures": 0 }])
    );
    world.machine.pass(60_000);
    let failed = world.call(&engine, "jobs", json!({}));
    assert_eq!((&failed[0]["failures"], &failed[0]["error"]["code"]), (&json!(1), &json!("Model")));
    assert_eq!(failed[0]["nextAt"], json!(told + 60_000 + 15_000));
    llm.answers.borrow_mut().push(Ok(nothing()));
    world.machine.pass(15_000);
    assert_eq!(jobs(&world, &engine), []);
    assert_eq!(llm.calls(), 2);
}

#[test]
fn without_being_asked_to_learn_the_work_waits_and_says_so() {
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    world.say(&engine, "I live in Lisbon.");
    world.idle(&engine);
    assert_eq!(jobs(&world, &engine), [("learning".to_owned(), 1, 0)]);
    world.call(&engine, "flush", json!({}));
    assert_eq!(jobs(&world, &engine), []);
    assert_eq!(world.facts(&engine).len(), 1);
}

#[test]
fn what_fails_waits_longer_each_time_whatever_it_is() {
    let world = World::new();
    let embedder = ToyEmbedder::failing();
    let engine = world.try_open(None, Some(embedder.clone()), &json!({})).unwrap();
    world.call(&engine, "facts.add", json!({ "text": "Alice keeps bees" }));
    let waits = |failures| [("embedding".to_owned(), 1, failures)];
    assert_eq!(jobs(&world, &engine), waits(1));
    // It was listed among the jobs, and `idle` knew of no failure.
    let failed = world.idle(&engine)["failed"].clone();
    let known = world.call(&engine, "jobs", json!({}));
    assert_eq!(failed.as_array().unwrap().len(), 1);
    assert_eq!(failed[0]["error"], known[0]["error"]);
    assert_eq!((&failed[0]["kind"], &failed[0]["attempts"]), (&json!("embedding"), &json!(1)));
    assert_eq!((&failed[0]["retryAt"], failed[0].get("scope")), (&known[0]["nextAt"], None));
    world.machine.pass(14_999);
    assert_eq!(jobs(&world, &engine), waits(1));
    world.machine.pass(1);
    assert_eq!(jobs(&world, &engine), waits(2));
    embedder.fails.set(false);
    world.machine.pass(59_999);
    assert_eq!(jobs(&world, &engine), waits(2));
    world.machine.pass(1);
    assert_eq!(jobs(&world, &engine), []);
    assert_eq!(world.call(&engine, "usage", json!({}))["vectors"], json!(1));
}

/// Each `remember` had to wait for the commit that learned from the one before.
#[test]
fn the_background_lets_what_the_application_writes_go_first() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let causes = causes(&engine);
    let writing = engine.clone();
    world.machine.run(async move {
        for place in ["Lisbon", "Porto", "Faro", "Braga", "Evora"] {
            let said = json!({ "messages": [{ "role": "user", "content": format!("I live in {place}.") }] });
            writing.call("remember", ALICE, &said.to_string()).await.unwrap();
        }
    });
    world.idle(&engine);
    assert_eq!(*causes.borrow(), [["remember"; 5].as_slice(), &["extract"]].concat());
    assert_eq!(world.facts(&engine).len(), 1);
}

/// Rules kept the facts they may change by slot; what the application, an undo or another engine changed has to be seen.
#[test]
fn rules_know_what_others_changed_meanwhile() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    world.teach(&engine, "I live in Lisbon.");
    let other = world.open(None, &json!({}));
    world.teach(&other, "I live in Porto.");
    let refreshing = engine.clone();
    world.machine.run(async move { refreshing.refresh().await.unwrap() });
    world.teach(&engine, "I live in Faro.");
    let list = world.call(&engine, "facts.list", json!({}));
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    let deleted = world.call(&engine, "facts.delete", json!({ "id": list[0]["id"] }));
    world.teach(&engine, "I live in Braga.");
    world.call(&engine, "undo", json!({ "commitId": deleted["commitId"] }));
    world.machine.pass(1000);
    world.teach(&engine, "I live in Evora.");
    let list = world.call(&engine, "facts.list", json!({}));
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    assert!(list[0]["text"].as_str().unwrap().contains("Evora"));
}
