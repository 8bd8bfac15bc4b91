//! Review mode: what is learned waits for the user's yes.

use crate::support::world::{BOB, Scripted, World};
use mnemic::Code;
use mnemic::engine::Engine;
use serde_json::{Value, json};
use std::rc::Rc;

fn options() -> Value {
    json!({
        "profiles": { "user": { "type": "object", "properties": { "place": { "type": "string" } } } },
        "extraction": { "review": true, "graph": false },
    })
}

fn fact(text: &str) -> Value {
    json!({ "action": "add", "text": text, "significance": 7, "message": 1, "quote": "moved to Lisbon" })
}

fn moved() -> Value {
    json!({
        "facts": [fact("The user moved to Lisbon.")],
        "profile": [{ "schema": "user", "field": "place", "value": "Lisbon", "message": 1, "quote": "Lisbon" }],
    })
}

/// Says something that the model answers to, and answers the ids of what waits then.
fn say(world: &World, engine: &Engine, text: &str) -> Vec<Value> {
    world.call(engine, "remember", json!({ "messages": [{ "role": "user", "content": text }] }));
    world.machine.pass(600_000);
    world.idle(engine);
    proposals(world, engine).iter().map(|proposal| proposal["id"].clone()).collect()
}

fn proposals(world: &World, engine: &Engine) -> Vec<Value> {
    world.call(engine, "proposals.list", json!({})).as_array().unwrap().clone()
}

fn texts(world: &World, engine: &Engine) -> Vec<Value> {
    let facts = world.call(engine, "facts.list", json!({}));
    facts.as_array().unwrap().iter().map(|fact| fact["text"].clone()).collect()
}

#[test]
fn what_is_learned_waits_and_is_stored_by_a_yes() {
    let world = World::new();
    let engine = world.open(Some(Scripted::new([moved()])), &options());
    let ids = say(&world, &engine, "I moved to Lisbon");
    assert_eq!(ids.len(), 2);
    assert!(texts(&world, &engine).is_empty(), "nothing is believed before the yes");
    assert_eq!(world.call(&engine, "profiles.get", json!({}))["user"]["profile"], json!({}));
    let waiting = proposals(&world, &engine);
    assert_eq!(waiting[0]["text"], json!("The user moved to Lisbon."));
    assert_eq!(waiting[0]["changes"][0]["action"], json!("create"));
    assert_eq!(waiting[0]["source"][0]["quote"], json!("moved to Lisbon"));
    assert_eq!(waiting[1]["text"], json!("place: Lisbon"));
    drop(engine);
    let engine = world.open(Some(Scripted::new([])), &options());
    let actions = world.call(&engine, "proposals.accept", json!({ "ids": ids }));
    assert_eq!(actions.as_array().unwrap().len(), 2, "{actions}");
    assert_eq!(texts(&world, &engine), ["The user moved to Lisbon."]);
    assert_eq!(
        world.call(&engine, "profiles.get", json!({}))["user"]["profile"],
        json!({ "place": "Lisbon" })
    );
    assert!(proposals(&world, &engine).is_empty());
    let why = world.call(&engine, "explain", json!({ "id": actions[0]["id"] }));
    assert_eq!(why["source"][0]["message"], json!("I moved to Lisbon"));
    world.call(&engine, "undo", json!({ "commitId": actions[0]["commitId"] }));
    assert!(texts(&world, &engine).is_empty());
    assert_eq!(proposals(&world, &engine).len(), 2, "what was undone waits again");
}

#[test]
fn what_was_refused_is_not_proposed_again() {
    let world = World::new();
    let engine = world.open(Some(Scripted::new([moved(), moved()])), &options());
    let ids = say(&world, &engine, "I moved to Lisbon");
    world.call(&engine, "proposals.reject", json!({ "ids": ids }));
    assert!(proposals(&world, &engine).is_empty());
    assert!(say(&world, &engine, "Did I say that I moved to Lisbon?").is_empty());
    let error = world.fails(&engine, "proposals.accept", json!({ "ids": ids }));
    assert_eq!(error.code, Code::NotFound);
    assert!(texts(&world, &engine).is_empty());
}

#[test]
fn a_fact_and_what_it_takes_the_place_of_are_one_proposal() {
    let world = World::new();
    let supersede = json!({ "facts": [
        { "action": "supersede", "target": 1, "text": "The user lives in Porto.", "significance": 7, "message": 1 },
    ] });
    let engine = world.open(Some(Scripted::new([supersede])), &options());
    let old = world.call(&engine, "facts.add", json!({ "text": "The user lives in Lisbon." }));
    let ids = say(&world, &engine, "I live in Porto now, not in Lisbon");
    assert_eq!(ids.len(), 1);
    let waiting = &proposals(&world, &engine)[0];
    let actions: Vec<&str> = waiting["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| change["action"].as_str().unwrap())
        .collect();
    assert_eq!(actions, ["end", "create"]);
    assert!(waiting["text"].as_str().unwrap().contains("The user lives in Porto."));
    world.call(&engine, "proposals.accept", json!({ "ids": ids }));
    assert_eq!(texts(&world, &engine), ["The user lives in Porto."]);
    let history = world.call(&engine, "history", json!({ "id": old["id"] }));
    assert!(history[1]["validTo"].is_i64());
}

#[test]
fn what_changed_meanwhile_is_not_written_over() {
    let world = World::new();
    let engine = world.open(Some(Scripted::new([moved()])), &options());
    let ids = say(&world, &engine, "I moved to Lisbon");
    world.call(&engine, "profiles.set", json!({ "schema": "user", "field": "place", "value": "Porto" }));
    let error = world.fails(&engine, "proposals.accept", json!({ "ids": ids }));
    assert_eq!(error.code, Code::Conflict);
    assert!(texts(&world, &engine).is_empty(), "all of it or nothing");
    assert_eq!(
        world.call(&engine, "profiles.get", json!({}))["user"]["profile"],
        json!({ "place": "Porto" })
    );
}

#[test]
fn rules_propose_as_well_and_scopes_stay_apart() {
    let world = World::new();
    let engine = world.open(None, &options());
    let ids = say(&world, &engine, "My name is Ann.");
    assert!(!ids.is_empty());
    assert!(texts(&world, &engine).is_empty());
    for (scope, asked, code) in [
        (BOB, json!({ "ids": ids }), Code::NotFound),
        (crate::support::world::ALICE, json!({ "ids": [] }), Code::InvalidInput),
        (crate::support::world::ALICE, json!({ "ids": ["x"] }), Code::InvalidInput),
        (crate::support::world::ALICE, json!({}), Code::InvalidInput),
    ] {
        let error = world.try_call(&engine, "proposals.accept", scope, asked).unwrap_err();
        assert_eq!(error.code, code, "{}", error.message);
    }
    assert_eq!(world.try_call(&engine, "proposals.list", BOB, json!({})).unwrap(), json!([]));
    let reopened: Rc<Engine> = Rc::new(world.open(None, &options()));
    assert_eq!(proposals(&world, &reopened), proposals(&world, &engine));
}

/// A yes stored a second fact of the same words.
#[test]
fn a_yes_to_what_is_known_by_now_stores_it_once() {
    let world = World::new();
    let engine = world.open(Some(Scripted::new([moved()])), &options());
    let ids = say(&world, &engine, "I moved to Lisbon");
    let added = world.call(&engine, "facts.add", json!({ "text": "the user moved to Lisbon" }));
    let actions = world.call(&engine, "proposals.accept", json!({ "ids": ids }));
    let fact = actions.as_array().unwrap().iter().find(|action| action["kind"] == "fact").unwrap();
    assert_eq!((fact["action"].as_str(), &fact["id"]), (Some("unchanged"), &added["id"]));
    assert_eq!(texts(&world, &engine), ["the user moved to Lisbon"]);
    assert!(proposals(&world, &engine).is_empty());

    // Two that say the same, with one yes.
    let both = json!({ "facts": [fact_of("The user sails."), fact_of("the user sails")] });
    let either = [
        json!({ "facts": [fact_of("The user sings.")] }),
        json!({ "facts": [fact_of("the user sings")] }),
        both,
    ];
    let engine = world.open(Some(Scripted::new(either)), &options());
    say(&world, &engine, "I sing");
    say(&world, &engine, "I do sing");
    let ids = say(&world, &engine, "I sail");
    world.call(&engine, "proposals.accept", json!({ "ids": ids }));
    let mut told = texts(&world, &engine);
    told.retain(|text| text.as_str().unwrap().to_ascii_lowercase().contains("sings"));
    assert_eq!(told.len(), 1, "{told:?}");

    // A known fact that another one became meanwhile.
    let other = Scripted::new([json!({ "facts": [
        { "action": "update", "target": 1, "text": "The user bakes.", "significance": 7, "message": 1 },
    ] })]);
    let world = World::new();
    let engine = world.open(Some(other), &options());
    world.call(&engine, "facts.add", json!({ "text": "The user bakes bread." }));
    let ids = say(&world, &engine, "I bake bread and cakes");
    assert_eq!(ids.len(), 1);
    world.call(&engine, "facts.add", json!({ "text": "The user bakes." }));
    let error = world.fails(&engine, "proposals.accept", json!({ "ids": ids }));
    assert_eq!(error.code, Code::Conflict);
    assert_eq!(texts(&world, &engine).len(), 2);
    assert_eq!(proposals(&world, &engine).len(), 1);
}

fn fact_of(text: &str) -> Value {
    json!({ "action": "add", "text": text, "significance": 7, "message": 1 })
}
