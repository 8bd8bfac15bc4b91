//! Counting tokens: the estimate against a real tokenizer, and the application's own tokenizer where budgets are kept.

use mnemic::database::Event;
use mnemic::engine::{Engine, Options, Parts};
use mnemic::ports::Tokenizer;
use mnemic::storage::MemoryStorage;
use mnemic::{Code, Error, Result, tokens};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

use crate::support::machine::Machine;
use crate::support::world::scope_of;

/// The texts of `tests/fixtures/texts` and their tokens in `o200k_base`.
const COUNTS: [(&str, usize); 8] = [
    ("chinese", 594),
    ("english", 442),
    ("japanese", 640),
    ("json", 967),
    ("korean", 575),
    ("python", 384),
    ("rust", 673),
    ("typescript", 907),
];

#[test]
fn the_estimate_is_near_a_real_tokenizer() {
    for (name, counted) in COUNTS {
        let path = format!("{}/tests/fixtures/texts/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let estimated = tokens::estimate(&std::fs::read_to_string(path).unwrap());
        let off = estimated.abs_diff(counted) * 100 / counted;
        assert!(off <= 10, "{name}: {estimated} for {counted}, {off} % off");
    }
}

/// A token is a character, and a text with a `!` cannot be counted.
struct Characters;

impl Tokenizer for Characters {
    fn count(&self, text: &str) -> Result<usize> {
        if text.contains('!') {
            return Err(Error::new(Code::InvalidInput, "no shouting"));
        }
        Ok(text.chars().count())
    }
}

fn open(machine: &Machine) -> Engine {
    let parts = Parts {
        storage: Rc::new(MemoryStorage::default()),
        platform: machine.platform(),
        llm: None,
        embedder: None,
        tokenizer: Some(Rc::new(Characters)),
    };
    machine.run(async move { Engine::open(parts, Options::default()).await }).unwrap()
}

fn call(machine: &Machine, engine: &Engine, method: &'static str, options: Value) -> Value {
    let engine = engine.clone();
    let answer =
        machine.run(async move { engine.call(method, scope_of(method), &options.to_string()).await });
    serde_json::from_str(&answer.unwrap()).unwrap()
}

#[test]
fn the_applications_tokenizer_counts_what_is_recalled() {
    let machine = Machine::new(1);
    let engine = open(&machine);
    let errors = Rc::new(RefCell::new(Vec::new()));
    let told = errors.clone();
    engine.listen(Rc::new(move |event| {
        if let Event::Error(error) = event {
            told.borrow_mut().push(error.message.clone());
        }
    }));
    for text in ["The user likes green tea.", "The user plays the cello in an orchestra."] {
        call(&machine, &engine, "facts.add", json!({ "text": text }));
    }
    for max_tokens in [1, 30, 60, 80, 100, 500] {
        let recalled = call(&machine, &engine, "recall", json!({ "query": "tea", "maxTokens": max_tokens }));
        let text = recalled["text"].as_str().unwrap();
        assert_eq!(recalled["tokens"], text.chars().count());
        assert!(text.chars().count() <= max_tokens);
        for item in recalled["items"].as_array().unwrap() {
            assert_eq!(item["tokens"], item["text"].as_str().unwrap().chars().count());
        }
        assert_eq!(text.is_empty(), max_tokens < 80, "{max_tokens}: {text}");
    }
    assert!(errors.borrow().is_empty());
    call(&machine, &engine, "facts.add", json!({ "text": "The user loves tea!" }));
    for _ in 0..2 {
        let recalled = call(&machine, &engine, "recall", json!({ "query": "tea" }));
        let text = recalled["text"].as_str().unwrap();
        assert_eq!(recalled["tokens"], tokens::estimate(text), "what cannot be counted is estimated");
    }
    assert_eq!(*errors.borrow(), ["no shouting"], "it is told once");
}

/// The tiers' prompts and the graph's excerpts were measured by the estimate, whatever the application counted by.
#[test]
fn the_applications_tokenizer_counts_prompts_of_tiers_and_excerpts_of_the_graph() {
    let machine = Machine::new(1);
    let engine = open(&machine);
    for number in 0..12 {
        let page = json!({ "query": format!("What of tea number {number}?"), "response": "It is green and strong." });
        call(&machine, &engine, "tiers.add", page);
        let entity = json!({ "name": format!("tea {number}"), "entityType": "drink", "observations": ["grows on hills"] });
        call(&machine, &engine, "graph.create_entities", json!({ "entities": [entity] }));
    }
    call(&machine, &engine, "idle", json!({}));
    let mut longest = 0;
    for max_tokens in [1000, 1100, 1200, 1500, 2000, 4000] {
        let asked = json!({ "query": "green tea", "maxTokens": max_tokens });
        let prompt = call(&machine, &engine, "tiers.prompt", asked);
        let messages = prompt["messages"].as_array().unwrap();
        // Four more for each message.
        let characters: usize =
            messages.iter().map(|message| message["content"].as_str().unwrap().chars().count() + 4).sum();
        assert_eq!(prompt["tokens"], characters);
        assert!(characters <= max_tokens && characters >= longest, "{characters} of {max_tokens}");
        longest = characters;
    }
    for (max_tokens, least) in [(200, 1), (400, 3), (5000, 12)] {
        let read = call(&machine, &engine, "graph.read_graph", json!({ "maxTokens": max_tokens }));
        let entities = read["entities"].as_array().unwrap();
        let characters: usize = entities.iter().map(|entity| entity.to_string().chars().count()).sum();
        assert!(
            entities.len() >= least && characters <= max_tokens * 3 / 2,
            "{} of {max_tokens}",
            entities.len()
        );
        assert_eq!(read.get("truncated").is_none(), entities.len() == 12);
    }
}
