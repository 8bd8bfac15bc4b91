//! How much: tokens of prompts, sizes of retrievals, what is kept of the assistant, what visits write.

use super::behaviour::{distilled, moved};
use super::careful::Careful;
use crate::support::fault::{Fault, FaultyStorage};
use crate::support::world::{ALICE, Scripted, World};
use mnemic::engine::{Engine, Parts};
use mnemic::ports::Tokenizer;
use mnemic::{Code, Result, tokens};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::rc::Rc;

/// Counts characters.
struct Characters;

impl Tokenizer for Characters {
    fn count(&self, text: &str) -> Result<usize> {
        Ok(text.chars().count())
    }
}

/// Words of several scripts: of some the whole has more tokens than the parts.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[a-zA-Z]{1,12}",
        "[\u{ac00}-\u{d7a3}]{1,4}",
        "[\u{3041}-\u{3093}]{1,6}",
        "[\u{4e00}-\u{9fa5}]{1,8}",
        "[0-9]{1,6}",
        Just("\u{9019}\u{500b}\u{6703}".to_owned()),
        Just("</memory>".to_owned()),
    ];
    prop::collection::vec(word, 1..60).prop_map(|words| format!("w {}", words.join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_prompt_is_never_over_its_limit(
        texts in prop::collection::vec(words(), 1..24),
        query in words(),
        limits in prop::collection::vec(1..6000usize, 6),
        counts_itself in any::<bool>(),
    ) {
        let world = World::new();
        let tokenizer = counts_itself.then(|| -> Rc<dyn Tokenizer> { Rc::new(Characters) });
        let (storage, platform) = (Rc::new(world.storage.clone()), world.machine.platform());
        let parts = Parts { storage, platform, llm: None, embedder: None, tokenizer };
        let engine = world.open_parts(parts, &json!({ "tiers": { "capacity": 3 } })).unwrap();
        for (place, text) in texts.iter().enumerate() {
            if place % 3 == 0 {
                world.call(&engine, "facts.add", json!({ "text": text }));
            }
            world.call(&engine, "tiers.add", json!({ "query": text, "response": text }));
        }
        world.idle(&engine);
        let count = |text: &str| if counts_itself { text.chars().count() } else { tokens::estimate(text) };
        for limit in limits {
            let asked = json!({ "query": query, "maxTokens": limit });
            match world.try_call(&engine, "tiers.prompt", ALICE, asked) {
                Ok(prompt) => {
                    let messages = prompt["messages"].as_array().unwrap();
                    let counted: usize =
                        messages.iter().map(|message| count(message["content"].as_str().unwrap()) + 4).sum();
                    prop_assert!(counted <= limit, "{counted} of {limit}");
                    prop_assert_eq!(prompt["tokens"].as_u64().unwrap() as usize, counted);
                    prop_assert_eq!(&messages.last().unwrap()["content"], &json!(query));
                }
                Err(error) => prop_assert_eq!(error.code, Code::BudgetExceeded),
            }
        }
    }
}

#[test]
fn a_retrieval_has_five_segments_ten_pages_and_ten_of_what_is_known() {
    let world = World::new();
    let statements: Vec<Value> =
        (0..12).map(|number| json!({ "text": format!("The assistant planned garden {number}") })).collect();
    let llm = Scripted::new([moved(), distilled("The garden is old", json!(statements))]);
    let options =
        json!({ "extraction": { "auto": false }, "tiers": { "capacity": 1, "heat": 1, "similarity": 2 } });
    let engine = world.open(Some(llm), &options);
    let add = |engine: &Engine, number: usize| {
        let page = json!({ "query": format!("What of garden {number}?"), "response": "It grows." });
        world.call(engine, "tiers.add", page);
    };
    (0..2).for_each(|number| add(&engine, number));
    world.call(&engine, "tiers.update", json!({}));
    world.close(&engine);
    let options = json!({ "extraction": { "auto": false }, "tiers": { "similarity": 2, "heat": 1000 } });
    let engine = world.open(None, &options);
    (2..22).for_each(|number| add(&engine, number));
    world.call(&engine, "tiers.update", json!({}));
    (22..42).for_each(|number| add(&engine, number));
    for number in 0..12 {
        world.call(&engine, "facts.add", json!({ "text": format!("Garden {number} is green") }));
    }
    let state = world.call(&engine, "tiers.state", json!({}));
    assert!(state["counts"]["segments"].as_u64().unwrap() > 10, "{state}");
    let sizes = |asked: Value| {
        let found = world.call(&engine, "tiers.retrieve", asked);
        ["segments", "pages", "knowledge", "agentTraits"].map(|list| found[list].as_array().unwrap().len())
    };
    assert_eq!(sizes(json!({ "query": "the garden" })), [5, 10, 10, 10]);
    let more = json!({ "query": "the garden", "topSegments": 8, "topPages": 14, "topKnowledge": 12 });
    assert_eq!(sizes(more), [8, 14, 12, 12]);
}

/// Each retrieval wrote up to five revisions, and revisions stay.
#[test]
fn many_visits_are_written_together() {
    let world = World::new();
    let options = json!({ "extraction": { "auto": false }, "tiers": { "capacity": 1, "heat": 1000 } });
    let engine = world.open(None, &options);
    for query in ["Green tea?", "Black tea?", "Hats?"] {
        world.call(&engine, "tiers.add", json!({ "query": query, "response": "Yes." }));
    }
    world.call(&engine, "tiers.update", json!({}));
    world.idle(&engine);
    let commits = |engine: &Engine| {
        world.try_call(engine, "usage", "", json!({})).unwrap()["commits"].as_u64().unwrap()
    };
    let visits =
        |engine: &Engine| world.call(engine, "tiers.state", json!({}))["segments"][0]["visits"].clone();
    let before = commits(&engine);
    for number in 1..=50 {
        world.call(&engine, "tiers.retrieve", json!({ "query": "tea", "topSegments": 1 }));
        assert_eq!(visits(&engine), json!(number), "it warms at once");
        world.machine.pass(60_000);
    }
    assert!((1..=2).contains(&(commits(&engine) - before)), "{}", commits(&engine) - before);
    world.close(&engine);
    let engine = world.open(None, &options);
    assert_eq!(visits(&engine), json!(50), "closing writes what waits");
    // Of two engines neither takes the other's visits away.
    let other = world.open(None, &options);
    for engine in [&engine, &other] {
        world.call(engine, "tiers.retrieve", json!({ "query": "tea", "topSegments": 1 }));
    }
    for _ in 0..2 {
        for engine in [&engine, &other] {
            world.idle(engine);
            let engine = engine.clone();
            world.machine.run(async move { engine.refresh().await }).unwrap();
        }
    }
    world.close(&engine);
    world.close(&other);
    assert_eq!(visits(&world.open(None, &options)), json!(52));
}

/// The model was paid, and its answer thrown away.
#[test]
fn what_cannot_be_kept_is_refused_before_the_model_is_asked_and_an_answer_is_never_lost() {
    let world = World::new();
    let llm = Careful::new();
    let engine = world.open(Some(llm.clone()), &json!({}));
    for bad in [
        json!({ "query": "Hello?", "threadId": "a\nb" }),
        json!({ "query": "Hello?", "threadId": "" }),
        json!({ "query": "  " }),
    ] {
        assert_eq!(world.fails(&engine, "tiers.respond", bad).code, Code::InvalidInput);
    }
    assert_eq!(llm.asked.borrow().len(), 0);
    let mut failed = 0;
    for writes in 0..6 {
        let world = World::new();
        let storage = Rc::new(FaultyStorage::new(world.storage.clone(), Fault::Refuses, writes));
        let (platform, llm) = (world.machine.platform(), Careful::new());
        let parts = Parts { storage, platform, llm: Some(llm), embedder: None, tokenizer: None };
        let Ok(engine) = world.open_parts(parts, &json!({})) else { continue };
        let asked = json!({ "query": "Hello?", "threadId": "t" });
        if let Err(error) = world.try_call(&engine, "tiers.respond", ALICE, asked) {
            assert_eq!(error.details["response"], json!("Gladly."), "{error:?}");
            failed += 1;
        }
    }
    assert!(failed > 0);
}

/// One answer could add more than is kept, and what is the assistant's own had no limit and came from nowhere.
#[test]
fn what_is_kept_has_limits_and_sources() {
    let world = World::new();
    let fact = |number: usize| json!({ "action": "add", "target": null, "text": format!("Tea {number} is good"), "significance": 6, "message": 1 });
    let name = |number: usize| json!({ "name": format!("name {number}"), "value": "x", "message": 1 });
    let statement =
        |number: usize| json!({ "text": format!("The assistant made tea {number}"), "message": 1 });
    let answer = json!({
        "facts": (0..30).map(fact).collect::<Vec<_>>(),
        "traits": [],
        "agent_profile": (0..30).map(name).collect::<Vec<_>>(),
        "agent": (0..30).map(statement).collect::<Vec<_>>(),
    });
    let more = json!({
        "facts": [], "traits": [], "agent_profile": (30..50).map(name).collect::<Vec<_>>(),
    });
    let mut joins = moved();
    joins["themes"][0]["segment"] = json!(1);
    let llm = Scripted::new([moved(), answer, joins, more]);
    let options = json!({
        "extraction": { "auto": false }, "tiers": { "capacity": 1, "heat": 1, "similarity": 0, "knowledge": 20 },
    });
    let engine = world.open(Some(llm), &options);
    for _ in 0..2 {
        world.call(&engine, "tiers.add", json!({ "query": "Tea?", "response": "Yes." }));
    }
    world.call(&engine, "tiers.update", json!({}));
    let known = || world.call(&engine, "tiers.retrieve", json!({ "query": "tea", "topKnowledge": 100 }));
    let size = |known: &Value, list: &str| known[list].as_array().unwrap().len();
    let found = known();
    assert_eq!((size(&found, "knowledge"), size(&found, "agentTraits")), (20, 20));
    let traits = world.call(&engine, "items.list", json!({ "kinds": ["trait"] }));
    let role = traits.as_array().unwrap().iter().find(|item| item["key"] == "profile/name 15").unwrap();
    let explained = world.call(&engine, "explain", json!({ "id": role["id"] }));
    assert_eq!(explained["source"][0]["message"], json!("Tea?"), "{explained}");
    assert_eq!(found["agentProfile"].as_object().unwrap().len(), 16, "{found}");
    world.call(&engine, "tiers.add", json!({ "query": "More tea?", "response": "Yes." }));
    world.call(&engine, "tiers.update", json!({}));
    let found = known();
    let profile = found["agentProfile"].as_object().unwrap();
    assert!(profile.len() == 16 && profile.contains_key("name 45"), "the oldest go: {found}");
}

/// What the user accepted went on without end.
#[test]
fn accepting_lets_the_oldest_go() {
    let world = World::new();
    let mut answers = Vec::new();
    for number in 0..4 {
        answers.push(moved());
        answers.push(distilled(&format!("The user drinks tea number {number}"), json!([])));
    }
    let options = json!({
        "extraction": { "auto": false, "review": true }, "tiers": { "capacity": 1, "heat": 1, "knowledge": 2 },
    });
    let engine = world.open(Some(Scripted::new(answers)), &options);
    world.call(&engine, "tiers.add", json!({ "query": "Tea?", "response": "Yes." }));
    world.call(&engine, "facts.add", json!({ "text": "The user's own fact" }));
    for _ in 0..4 {
        world.call(&engine, "tiers.add", json!({ "query": "More tea?", "response": "Yes." }));
        assert_eq!(world.call(&engine, "tiers.update", json!({}))["distilled"], json!(1));
        let waiting = world.call(&engine, "proposals.list", json!({}));
        let ids: Vec<&Value> = waiting.as_array().unwrap().iter().map(|proposal| &proposal["id"]).collect();
        world.call(&engine, "proposals.accept", json!({ "ids": ids }));
    }
    let facts = world.call(&engine, "facts.list", json!({}));
    let texts: Vec<&Value> = facts.as_array().unwrap().iter().map(|fact| &fact["text"]).collect();
    assert_eq!(
        texts,
        ["The user drinks tea number 3", "The user drinks tea number 2", "The user's own fact"]
    );
}
