//! Models that answer nonsense.

use super::behaviour::moved;
use super::careful::Places;
use crate::support::world::{Scripted, World};
use serde_json::{Value, json};

/// Adds two pages to a queue of one and lets a model answer twice.
fn played(answer: &Value) -> (World, Value) {
    let world = World::new();
    let llm = Scripted::new([answer.clone(), answer.clone()]);
    let options = json!({ "extraction": { "auto": false }, "tiers": { "capacity": 1 } });
    let engine = world.open(Some(llm), &options);
    for query in ["Green tea or black tea?", "And coffee?"] {
        world.call(&engine, "tiers.add", json!({ "query": query, "response": "As you like." }));
    }
    let done = world.call(&engine, "tiers.update", json!({}));
    (world, done)
}

#[test]
fn an_unusable_answer_leaves_the_words_of_the_page() {
    let with = |path: &str, value: Value| {
        let mut answer = moved();
        *answer.pointer_mut(path).unwrap() = value;
        answer
    };
    for bad in [
        json!("I am sorry."),
        json!({}),
        json!({ "pages": [], "themes": [] }),
        with("/pages/0/page", json!(7)),
        with("/pages/0/theme", json!(99)),
        with("/pages/0/keywords", json!([])),
        with("/pages/0/keywords", json!("tea")),
        with("/themes/0/segment", json!(3)),
        with("/themes/0/summary", json!(" ")),
        with("/pages", json!("all of them")),
    ] {
        let (world, done) = played(&bad);
        assert_eq!(done["moved"], json!(1), "{bad}");
        assert_eq!(done["usage"]["calls"], json!(2), "it was asked once more");
        let places = Places::read(&world);
        places.check();
        let summaries: Vec<&str> = places.segments.values().map(|told| told.2.as_str()).collect();
        assert_eq!(summaries, ["Green tea or black tea?"], "{bad}");
    }
}

#[test]
fn too_much_is_cut() {
    let mut answer = moved();
    let words: Vec<String> = (0..1000).map(|number| format!("word{number}")).collect();
    answer["pages"][0]["keywords"] = json!(words);
    answer["pages"][0]["chain"] = json!("chain ".repeat(10_000));
    answer["themes"][0]["summary"] = json!("tea ".repeat(10_000));
    let (world, done) = played(&answer);
    assert_eq!((&done["moved"], &done["usage"]["calls"]), (&json!(1), &json!(1)));
    let engine = world.open(None, &json!({}));
    let state = world.call(&engine, "tiers.state", json!({}));
    let segment = &state["segments"][0];
    assert_eq!(segment["keywords"].as_array().unwrap().len(), 8);
    assert!(segment["summary"].as_str().unwrap().chars().count() <= 601);
}

/// What was answered unusably was asked about again for ever, and kept all other segments from being distilled.
#[test]
fn an_unusable_distillation_leaves_what_the_rules_learn() {
    let extra = json!({ "name": "curiosity", "level": "high", "confidence": 1, "evidence": "x" });
    let with = |name: &str, value: Value| {
        let mut other = extra.clone();
        other[name] = value;
        json!({ "facts": [], "traits": [other] })
    };
    for bad in [
        json!("nothing"),
        json!({}),
        with("name", json!("greed")),
        with("level", json!("huge")),
        with("confidence", json!(7)),
        with("message", json!(12)),
        json!({ "facts": [], "traits": [], "agent": [{ "target": 9, "text": "x" }] }),
        json!({ "facts": [], "traits": [], "agent_profile": [{ "name": "role", "value": "king", "message": 12 }] }),
        json!({ "facts": [{ "action": "update", "target": 3, "text": "x" }], "traits": [] }),
        json!({ "facts": [{ "action": "add", "text": "x", "message": 12 }], "traits": [] }),
    ] {
        let world = World::new();
        let llm = Scripted::new([moved(), bad.clone(), bad.clone()]);
        let options = json!({ "extraction": { "auto": false }, "tiers": { "capacity": 1, "heat": 1 } });
        let engine = world.open(Some(llm.clone()), &options);
        for _ in 0..2 {
            world.call(
                &engine,
                "tiers.add",
                json!({ "query": "I live in Lisbon. Tea?", "response": "Yes." }),
            );
        }
        assert_eq!(world.call(&engine, "tiers.update", json!({}))["distilled"], json!(1), "{bad}");
        assert_eq!(llm.calls(), 3, "it was asked once more");
        let facts = world.call(&engine, "facts.list", json!({}));
        assert_eq!(facts.as_array().unwrap().len(), 1, "{bad}: {facts}");
        assert_eq!(facts[0]["metadata"], json!({ "tier": "knowledge" }));
        assert_eq!(world.call(&engine, "tiers.traits", json!({})), json!([]));
        let state = world.call(&engine, "tiers.state", json!({}));
        assert_eq!(
            state["segments"][0]["heat"]["pages"],
            json!(0),
            "{bad}: nothing waits for a better answer"
        );
    }
}

#[test]
fn a_distillation_is_kept_without_what_is_wrong_in_it() {
    let curious = |message: usize| json!({ "name": "curiosity", "level": "high", "confidence": 0.4, "evidence": "Asks.", "message": message });
    let mut greedy = curious(1);
    greedy["name"] = json!("greed");
    let fact = |message: usize| json!({ "action": "add", "target": null, "text": format!("Fact of page {message}"), "significance": 6, "message": message });
    let answer = json!({
        "facts": [fact(1), fact(7)],
        "traits": [greedy, curious(1), curious(9)],
        "agent_profile": [{ "name": "role", "value": "friend", "message": 1 }, { "name": "Role", "value": "king" }],
        "agent": [{ "target": 4, "text": "x" }, { "text": "The assistant praised tea", "message": 1 }],
    });
    let world = World::new();
    let llm = Scripted::new([moved(), answer.clone(), answer]);
    let options = json!({ "extraction": { "auto": false }, "tiers": { "capacity": 1, "heat": 1 } });
    let engine = world.open(Some(llm), &options);
    for _ in 0..2 {
        world.call(&engine, "tiers.add", json!({ "query": "Tea?", "response": "Yes." }));
    }
    world.call(&engine, "tiers.update", json!({}));
    let found = world.call(&engine, "tiers.retrieve", json!({ "query": "fact of a page, praised tea" }));
    let names = |list: &str, name: &str| -> Vec<Value> {
        found[list].as_array().unwrap().iter().map(|one| one[name].clone()).collect()
    };
    assert_eq!(names("knowledge", "text"), [json!("Fact of page 1")], "what comes from nowhere is not kept");
    assert_eq!(names("traits", "name"), [json!("curiosity")]);
    assert_eq!(names("agentTraits", "text"), [json!("The assistant praised tea")]);
    assert_eq!(found["agentProfile"], json!({ "role": "friend" }));
}
