//! The tiers: what rests on what is forgotten goes from them, also while they work; and what is left of commits.

use super::{Model, forget, prompt};
use crate::support::world::{ALICE, World};
use mnemic::engine::Engine;
use mnemic::ports::{ModelRequest, Storage};
use serde_json::{Value, json};
use std::rc::Rc;

fn options() -> Value {
    json!({ "extraction": { "auto": false }, "summaries": { "auto": false }, "tiers": { "capacity": 1, "heat": 1 } })
}

/// The place that a request tells of.
fn place(request: &ModelRequest) -> &'static str {
    let of = |place: &&&str| prompt(request).contains(&format!("I was in {place}"));
    ["Zanzibar", "Lisbon"].iter().find(of).copied().unwrap_or("nowhere")
}

/// Moves one page after the other, and distils a fact and a trait, with words of the page as evidence, from each.
fn model() -> Rc<Model> {
    Model::new(|request| {
        let place = place(request);
        match request.purpose {
            "tier" => json!({
                "pages": [{ "page": 1, "continues": false, "chain": format!("On {place}."), "keywords": [place], "theme": 1 }],
                "themes": [{ "segment": null, "summary": format!("About {place}.") }],
            }),
            _ => json!({
                "facts": [{ "action": "add", "target": null, "text": format!("The user was in {place}."), "significance": 6, "message": 1 }],
                "profile": [],
                "traits": [{ "name": "curiosity", "level": "high", "confidence": 0.9, "evidence": format!("in {place}"), "message": 1 }],
            }),
        }
    })
}

fn page(world: &World, engine: &Engine, thread: &str, query: &str) {
    world.call(engine, "tiers.add", json!({ "threadId": thread, "query": query, "response": "Yes." }));
    world.call(engine, "tiers.update", json!({}));
}

/// What is listed, and what is stored.
fn told(world: &World, engine: &Engine) -> String {
    let mut told = String::new();
    for (method, options) in [
        ("items.list", json!({ "includeEnded": true, "limit": 1000 })),
        ("tiers.state", json!({})),
        ("tiers.traits", json!({})),
        ("tiers.retrieve", json!({ "query": "islands" })),
        ("threads.list", json!({})),
        ("proposals.list", json!({})),
    ] {
        told.push_str(&world.call(engine, method, options).to_string());
    }
    let storage = world.storage.clone();
    for (_, value) in world.machine.run(async move { storage.read("", "~").await }).unwrap() {
        told.push_str(&String::from_utf8_lossy(&value));
    }
    told.to_ascii_lowercase()
}

#[test]
fn a_trait_keeps_the_evidence_of_the_messages_that_stay() {
    let world = World::new();
    let engine = world.open(Some(model()), &options());
    page(&world, &engine, "one", "I was in Zanzibar, is it hot?");
    page(&world, &engine, "two", "I was in Lisbon, is it hot?");
    page(&world, &engine, "three", "And now?");
    let traits = world.call(&engine, "tiers.traits", json!({}));
    assert_eq!(traits[0]["evidence"].as_array().map(Vec::len), Some(2), "{traits}");
    world.call(&engine, "forget", json!({ "threadId": "one" }));
    let traits = world.call(&engine, "tiers.traits", json!({}));
    assert_eq!(traits[0]["evidence"], json!(["in Lisbon"]));
    // The model was shown both pages at once, and said of one what the other tells.
    assert!(!told(&world, &engine).contains("zanzibar"));
    world.call(&engine, "forget", json!({ "threadId": "two" }));
    assert_eq!(world.call(&engine, "tiers.traits", json!({})), json!([]), "nothing is left to show for it");
    assert!(!told(&world, &engine).contains("lisbon"));
}

/// Pages whose messages are forgotten while a model sorts or distils them are not brought back by its answer.
#[test]
fn what_the_tiers_were_at_does_not_come_back() {
    for purpose in ["tier", "distil"] {
        let world = World::new();
        let model = model();
        let engine = world.open(Some(model.clone()), &options());
        let forgetting = engine.clone();
        *model.meanwhile.borrow_mut() = Some((
            purpose,
            Box::pin(async move {
                forgetting.call("forget", ALICE, r#"{"threadId":"one"}"#).await.unwrap();
            }),
        ));
        page(&world, &engine, "one", "I was in Zanzibar, is it hot?");
        page(&world, &engine, "two", "I was in Lisbon, is it hot?");
        world.try_call(&engine, "tiers.update", ALICE, json!({})).ok();
        assert!(model.meanwhile.borrow().is_none(), "it was asked to {purpose}");
        world.machine.pass(2 * 3_600_000);
        world.idle(&engine);
        let told = told(&world, &engine);
        assert!(!told.contains("zanzibar") && told.contains("lisbon"), "{purpose}: {told}");
        assert_eq!(world.call(&engine, "verify", json!({}))["ok"], json!(true));
    }
}

/// What a page of the web makes of itself in the tiers is of the web, and waits when it would change what the user said.
#[test]
fn what_is_distilled_from_the_web_changes_nothing_of_the_user() {
    let world = World::new();
    let model = Model::new(|request| match request.purpose {
        "tier" => json!({
            "pages": [{ "page": 1, "continues": false, "chain": "Hotels.", "keywords": ["hotel"], "theme": 1 }],
            "themes": [{ "segment": null, "summary": "Hotels." }],
        }),
        _ => json!({
            "facts": [
                { "action": "supersede", "target": 1, "text": "The user lives in the Aurora hotel.", "significance": 8, "message": 1 },
                { "action": "add", "target": null, "text": "The Aurora hotel has a sauna.", "significance": 8, "message": 1 },
            ],
            "profile": [],
            "traits": [{ "name": "wealth", "level": "high", "confidence": 0.9, "evidence": "The Aurora hotel", "message": 1 }],
        }),
    });
    let engine = world.open(Some(model), &options());
    world.add(&engine, json!({ "text": "The user lives in Oslo near a hotel." }));
    let said =
        json!({ "query": "The Aurora hotel in Oslo has a sauna.", "response": "Nice.", "trust": "web" });
    world.call(&engine, "tiers.add", said);
    page(&world, &engine, "two", "Thanks for the hotel.");
    let facts = world.call(&engine, "facts.list", json!({}));
    let trusted = |trust: &str| {
        let listed = world.call(&engine, "facts.list", json!({ "filter": { "trust": trust } }));
        listed.as_array().unwrap().iter().map(|fact| fact["text"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(trusted("user"), ["The user lives in Oslo near a hotel."], "{facts}");
    assert_eq!(trusted("web"), ["The Aurora hotel has a sauna."], "{facts}");
    let proposals = world.call(&engine, "proposals.list", json!({}));
    assert_eq!(proposals.as_array().map(Vec::len), Some(1), "{proposals}");
    assert_eq!(proposals[0]["reason"], "trust");
}

/// Commits that were emptied are still listed, exported and checked, and what is beside them can be taken back.
#[test]
fn emptied_commits_stay_readable() {
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    let secret = world.add(&engine, json!({ "text": "Ann was in Zanzibar" }));
    world.call(&engine, "facts.update", json!({ "id": secret, "text": "Ann was twice in Zanzibar" }));
    let kept = world.add(&engine, json!({ "text": "Ann sails" }));
    let commits = |engine| world.call(engine, "commits.list", json!({}));
    let before = commits(&engine);
    forget(&world, &engine, &[&secret]);
    world.close(&engine);
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    let after = commits(&engine);
    assert_eq!(after.as_array().map(Vec::len), Some(2), "the receipt, and what is beside them: {after}");
    assert_eq!((&after[0]["obstacle"], &after[1]), (&json!("forgotten"), &before[0]));
    let verified = world.call(&engine, "verify", json!({}));
    assert_eq!((&verified["ok"], &verified["commits"]), (&json!(true), &json!(4)), "{verified}");
    let file = world.export(&engine, "");
    assert!(!String::from_utf8_lossy(&file).contains("Zanzibar"));
    let other = World::new();
    let copy = other.open(None, &json!({}));
    other.import(&copy, "", &file, "backups.replace", json!({})).unwrap();
    assert_eq!(other.facts(&copy), ["Ann sails"]);
    world.call(&engine, "undo", json!({ "commitId": after[1]["commitId"] }));
    assert_eq!(world.facts(&engine), [""; 0]);
    assert!(
        world.call(&engine, "history", json!({ "id": kept })).as_array().is_some_and(|all| !all.is_empty())
    );
}
