//! Recalls that walk the graph: what they tell of those whom nobody named, how far, and how much.

use crate::support::world::{BOB, Scripted, World};
use mnemic::Code;
use mnemic::engine::Engine;
use serde_json::{Value, json};

const QUESTION: &str = "Where does my sister's husband work?";

fn open(world: &World) -> Engine {
    world.open(None, &json!({ "extraction": { "auto": false } }))
}

/// Relations between people, places and things, as "from type to".
fn relate(world: &World, engine: &Engine, relations: &[&str]) {
    let parts = |relation: &str| -> [String; 3] {
        let parts: Vec<String> = relation.split(' ').map(str::to_owned).collect();
        parts.try_into().unwrap()
    };
    let mut names: Vec<String> = relations
        .iter()
        .flat_map(|relation| [parts(relation)[0].clone(), parts(relation)[2].clone()])
        .collect();
    names.sort_unstable();
    names.dedup();
    let entity = |name: &String| json!({ "name": name, "entityType": "thing", "observations": [] });
    let entities: Vec<Value> = names.iter().map(entity).collect();
    for some in entities.chunks(1000) {
        world.call(engine, "graph.create_entities", json!({ "entities": some }));
    }
    let relation = |relation: &&str| {
        let [from, kind, to] = parts(relation);
        json!({ "from": from, "relationType": kind, "to": to })
    };
    let all: Vec<Value> = relations.iter().map(relation).collect();
    for some in all.chunks(1000) {
        world.call(engine, "graph.create_relations", json!({ "relations": some }));
    }
}

const FAMILY: [&str; 5] = [
    "User sister Ana",
    "Ana married_to Tom",
    "Tom works_at Acme",
    "Tom likes fishing",
    "User lives_in Porto",
];

fn recall(world: &World, engine: &Engine, query: &str, options: Value) -> Value {
    let mut asked = options;
    asked["query"] = query.into();
    world.call(engine, "recall", asked)
}

fn item<'v>(recalled: &'v Value, words: &str) -> Option<&'v Value> {
    recalled["items"].as_array().unwrap().iter().find(|item| item["text"].as_str().unwrap().contains(words))
}

fn lines(recalled: &Value) -> Vec<&str> {
    recalled["items"].as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap()).collect()
}

#[test]
fn what_is_asked_of_somebody_whom_nobody_named_is_told() {
    let world = World::new();
    let engine = open(&world);
    relate(&world, &engine, &FAMILY);
    let plain = recall(&world, &engine, QUESTION, json!({}));
    assert!(item(&plain, "Acme").is_none() && plain["known"] == "no", "{plain}");
    assert_eq!(plain, recall(&world, &engine, QUESTION, json!({ "hops": 0 })));

    let two = recall(&world, &engine, QUESTION, json!({ "hops": 2 }));
    let told = lines(&two);
    assert_eq!(told, ["- User sister Ana", "- Ana married_to Tom", "- Tom works_at Acme"]);
    assert_eq!(two["known"], "yes", "{two}");
    assert!(two["reason"].as_str().unwrap().contains("relation"), "{two}");
    assert!(item(&two, "fishing").is_none(), "nobody asked for it: {told:?}");

    let acme = item(&two, "Acme").unwrap();
    assert_eq!((&acme["terms"]["hops"], &acme["section"]), (&json!(2), &json!("graph")));
    assert_eq!(acme["score"], acme["terms"]["path"], "{acme}");
    let product = acme["terms"]["coverage"].as_f64().unwrap() * acme["terms"]["person"].as_f64().unwrap();
    assert!((product - acme["relevance"].as_f64().unwrap()).abs() < 1e-6, "{acme}");
    assert!((acme["terms"]["person"].as_f64().unwrap() - 0.85 * 0.85).abs() < 1e-6);

    let one = recall(&world, &engine, QUESTION, json!({ "hops": 1 }));
    assert!(item(&one, "Acme").is_none() && item(&one, "married_to").is_some(), "{one}");
    assert_eq!(world.fails(&engine, "recall", json!({ "query": "x", "hops": 4 })).code, Code::InvalidInput);
    assert_eq!(
        world.fails(&engine, "assemble", json!({ "query": "x", "maxTokens": 99, "hops": 4 })).code,
        Code::InvalidInput
    );
}

#[test]
fn facts_and_messages_of_those_who_were_reached_are_told() {
    let world = World::new();
    let engine = open(&world);
    relate(&world, &engine, &FAMILY[..2]);
    for text in ["Tom works for Acme as a welder", "Tom collects stamps", "Mia works for Ibex as a driver"] {
        world.add(&engine, json!({ "text": text }));
    }
    let said = json!([{ "role": "user", "content": "Tom has to work late at the shipyard this week." }]);
    world.call(&engine, "remember", json!({ "messages": said, "threadId": "past", "learn": false }));
    let two = recall(&world, &engine, QUESTION, json!({ "hops": 2 }));
    let welder = item(&two, "welder").unwrap_or_else(|| panic!("{two}"));
    assert_eq!((&welder["kind"], &welder["terms"]["hops"]), (&json!("fact"), &json!(2)));
    assert!(item(&two, "shipyard").is_some(), "{two}");
    assert!(item(&two, "stamps").is_none() && two["known"] == "yes", "{two}");
    let filtered = json!({ "hops": 2, "filter": { "category": { "$eq": "preferences" } } });
    assert!(item(&recall(&world, &engine, QUESTION, filtered), "welder").is_none());
}

/// The first of the way may be told by a fact alone.
#[test]
fn whom_the_best_results_mention_is_a_beginning() {
    let world = World::new();
    let engine = open(&world);
    relate(&world, &engine, &FAMILY[1..4]);
    world.add(&engine, json!({ "text": "Ana is the user's sister" }));
    let two = recall(&world, &engine, QUESTION, json!({ "hops": 2 }));
    assert!(item(&two, "Tom works_at Acme").is_some(), "{two}");
    let named = recall(&world, &engine, "Where does Ana's husband work?", json!({ "hops": 1 }));
    assert!(item(&named, "Tom works_at Acme").is_some() && named["known"] == "yes", "{named}");
}

#[test]
fn a_relation_that_nobody_asked_for_leads_to_no_answer() {
    let world = World::new();
    let engine = open(&world);
    relate(&world, &engine, &["Ana plays_chess_with Bob", "Bob lives_in Paris"]);
    let recalled = recall(&world, &engine, "Where does Ana live?", json!({ "hops": 1 }));
    assert_ne!(recalled["known"], "yes", "{recalled}");
}

#[test]
fn what_has_ended_leads_nowhere_and_circles_end() {
    let world = World::new();
    let engine = open(&world);
    relate(
        &world,
        &engine,
        &[
            "User sister Ana",
            "Ana married_to Tom",
            "Tom works_at Acme",
            "Tom knows Ana",
            "Ana knows User",
            "Ana knows Ana",
        ],
    );
    let ended = json!({ "relations": [{ "from": "Ana", "relationType": "married_to", "to": "Tom" }, { "from": "Tom", "relationType": "knows", "to": "Ana" }] });
    for hops in 1..=3 {
        let recalled = recall(&world, &engine, QUESTION, json!({ "hops": hops, "maxTokens": 4000 }));
        let mut told = lines(&recalled);
        let count = told.len();
        told.sort_unstable();
        told.dedup();
        assert_eq!(told.len(), count, "{recalled}");
    }
    world.call(&engine, "graph.end_relations", ended);
    let recalled = recall(&world, &engine, QUESTION, json!({ "hops": 3 }));
    assert!(item(&recalled, "Acme").is_none() && item(&recalled, "Tom").is_none(), "{recalled}");
}

/// A hub with thousands of relations: the answer is told, and the graph keeps to its share.
#[test]
fn of_many_relations_those_that_fit_are_told_within_the_share() {
    let world = World::new();
    let engine = open(&world);
    let mut relations: Vec<String> = FAMILY.iter().map(|relation| (*relation).to_owned()).collect();
    for number in 0..2000 {
        relations.push(format!("Tom met Person{number}"));
        relations.push(format!("Person{number} owns Boat{number}"));
    }
    relations.push("Tom works_at Yard".to_owned());
    let relations: Vec<&str> = relations.iter().map(String::as_str).collect();
    relate(&world, &engine, &relations);
    for (hops, max_tokens) in [(2, 1000), (3, 1000), (3, 300)] {
        let recalled = recall(&world, &engine, QUESTION, json!({ "hops": hops, "maxTokens": max_tokens }));
        assert!(item(&recalled, "Tom works_at Yard").is_some(), "{recalled}");
        let tokens = |item: &Value| item["tokens"].as_u64().unwrap();
        let graph: u64 = recalled["items"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|item| item["section"] == "graph")
            .map(tokens)
            .sum();
        assert!(graph <= max_tokens * 15 / 100, "{graph} tokens");
        assert!(recalled["tokens"].as_u64().unwrap() <= max_tokens);
    }
    let without = recall(&world, &engine, QUESTION, json!({ "hops": 3, "sections": { "graph": 0 } }));
    assert!(item(&without, "Yard").is_none(), "{without}");
}

#[test]
fn other_scopes_are_not_walked_and_prompts_walk_too() {
    let world = World::new();
    let model = Scripted::new([json!({ "queries": ["Where does Tom work?"] })]);
    let engine = world.open(Some(model), &json!({ "extraction": { "auto": false } }));
    relate(&world, &engine, &FAMILY);
    let asked = json!({ "query": QUESTION, "hops": 3 });
    let other = world.try_call(&engine, "recall", BOB, asked).unwrap();
    assert_eq!((&other["text"], &other["known"]), (&json!(""), &json!("no")));
    let prompt = world.call(&engine, "assemble", json!({ "query": QUESTION, "hops": 2, "maxTokens": 1000 }));
    assert!(prompt["text"].as_str().unwrap().contains("Tom works_at Acme"), "{prompt}");
    let both = recall(&world, &engine, "And what about him?", json!({ "hops": 1, "rewrite": true }));
    assert!(item(&both, "Tom works_at Acme").is_some() && both["known"] == "yes", "{both}");
}
