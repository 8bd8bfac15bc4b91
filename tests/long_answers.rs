//! Answers that are too long: what they are about is asked about in halves, and of a single message the beginning is kept.

use crate::support::world::{Scripted, World, adds, nothing};
use mnemic::Result;
use mnemic::database::Event;
use mnemic::engine::Engine;
use mnemic::ports::{Llm, ModelRequest, Pending};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A model that learns so many facts from every line it is shown, and can say only so many characters.
struct Talkative {
    facts: usize,
    characters: usize,
    calls: Cell<usize>,
}

impl Talkative {
    fn new(facts: usize, characters: usize) -> Rc<Self> {
        Rc::new(Self { facts, characters, calls: Cell::new(0) })
    }
}

/// The lines that a model is shown to learn from.
fn lines(request: &ModelRequest) -> Vec<Value> {
    let prompt = &request.messages[1].content;
    let (_, told) = prompt.split_once("<conversation>\n").unwrap();
    let told = told.split_once("\n</conversation>").unwrap().0;
    told.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

impl Llm for Talkative {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        self.calls.set(self.calls.get() + 1);
        let facts = lines(request).into_iter().flat_map(|line| {
            let text = line["text"].as_str().unwrap().to_owned();
            (1..=self.facts).map(move |number| {
                json!({ "action": "add", "text": format!("Fact {number} of {text}"), "message": line["message"], "quote": text })
            })
        });
        let answer = json!({ "facts": facts.collect::<Vec<_>>() }).to_string();
        let said: String = answer.chars().take(self.characters).collect();
        Box::pin(async move { Ok(json!(said)) })
    }
}

/// Messages of the user, one of each text.
fn said(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|text| json!({ "role": "user", "content": text })).collect()
}

fn facts(world: &World, engine: &Engine) -> Vec<Value> {
    world.call(engine, "facts.list", json!({ "limit": 1000 })).as_array().unwrap().clone()
}

fn graphless() -> Value {
    json!({ "extraction": { "auto": false, "graph": false } })
}

/// What an engine tells of errors.
fn errors(engine: &Engine) -> Rc<RefCell<Vec<String>>> {
    let told = Rc::new(RefCell::new(Vec::new()));
    let hears = told.clone();
    engine.listen(Rc::new(move |event| {
        if let Event::Error(error) = event {
            hears.borrow_mut().push(error.message.clone());
        }
    }));
    told
}

/// Every fact names the message it was learned from, in its own words.
fn every_fact_has_its_message(world: &World, engine: &Engine) {
    for fact in facts(world, engine) {
        let why = world.call(engine, "explain", json!({ "id": fact["id"] }));
        let message = why["source"][0]["message"].as_str().unwrap();
        assert!(fact["text"].as_str().unwrap().ends_with(message), "{why}");
    }
}

/// All that was said in a batch was lost when a model had more than 64 facts to tell of it.
#[test]
fn a_batch_of_which_too_much_is_said_is_asked_about_in_halves() {
    let world = World::new();
    let model = Talkative::new(40, usize::MAX);
    let engine = world.open(Some(model.clone()), &graphless());
    let texts = ["one", "two", "three", "four"];
    let done = world.call(&engine, "generate", json!({ "messages": said(&texts) }));
    assert_eq!(model.calls.get(), 7, "the batch, its halves, and four messages");
    assert_eq!(done["usage"]["calls"], json!(7), "every request is counted");
    assert_eq!(facts(&world, &engine).len(), 4 * 40);
    every_fact_has_its_message(&world, &engine);
    assert_eq!(world.pending(&engine), json!(0));
    assert_eq!(world.call(&engine, "verify", json!({}))["ok"], json!(true));
}

#[test]
fn halves_are_halved_only_where_that_is_needed() {
    let world = World::new();
    let model = Talkative::new(30, usize::MAX);
    let engine = world.open(Some(model.clone()), &graphless());
    let given = ["five", "six"];
    let options = json!({ "messages": said(&["one", "two", "three"]), "facts": given });
    world.call(&engine, "generate", options);
    // One and two; three, five and six, of which three alone and both others.
    assert_eq!(model.calls.get(), 5);
    let facts = facts(&world, &engine);
    assert_eq!(facts.len(), 5 * 30, "what was given is not added beside what was learned of it");
    let of = |text: &str| facts.iter().filter(|fact| fact["text"].as_str().unwrap().ends_with(text)).count();
    assert_eq!(["one", "two", "three", "five", "six"].map(of), [30; 5]);
}

#[test]
fn of_a_message_with_too_many_facts_the_first_are_learned() {
    let world = World::new();
    let model = Talkative::new(100, usize::MAX);
    let engine = world.open(Some(model.clone()), &graphless());
    let told = errors(&engine);
    world.call(&engine, "generate", json!({ "messages": said(&["one"]) }));
    assert_eq!(model.calls.get(), 1, "asking again would not make it less");
    let texts: Vec<Value> = facts(&world, &engine).iter().map(|fact| fact["text"].clone()).collect();
    assert_eq!(texts.len(), 64);
    assert!(texts.contains(&json!("Fact 1 of one")) && texts.contains(&json!("Fact 64 of one")), "{texts:?}");
    assert!(matches!(told.borrow().as_slice(), [error] if error.contains("more than 64")), "{told:?}");
}

/// An answer that reached its most tokens was no JSON, and all of it was lost.
#[test]
fn an_answer_that_was_cut_off_is_asked_for_in_halves_and_kept_as_far_as_it_goes() {
    let world = World::new();
    let model = Talkative::new(10, 1000);
    let engine = world.open(Some(model.clone()), &graphless());
    let told = errors(&engine);
    world.call(&engine, "generate", json!({ "messages": said(&["one", "two"]) }));
    assert_eq!((model.calls.get(), told.borrow().len()), (3, 0));
    assert_eq!(facts(&world, &engine).len(), 2 * 10);

    let world = World::new();
    let model = Talkative::new(20, 1000);
    let engine = world.open(Some(model.clone()), &graphless());
    let told = errors(&engine);
    world.call(&engine, "generate", json!({ "messages": said(&["one", "two"]) }));
    assert_eq!((model.calls.get(), told.borrow().len()), (3, 2), "{told:?}");
    every_fact_has_its_message(&world, &engine);
    let facts = facts(&world, &engine);
    let has = |text: &str| facts.iter().any(|fact| fact["text"] == text);
    assert!(has("Fact 1 of one") && has("Fact 12 of one") && has("Fact 12 of two"), "{facts:?}");
    assert!(!has("Fact 20 of one"), "it was cut off before that");
    assert!(told.borrow().iter().all(|error| error.contains("cut off")), "{told:?}");
}

#[test]
fn a_model_that_always_says_too_much_comes_to_an_end() {
    let endless = json!({ "facts": vec![json!({ "action": "add", "text": "The user exists." }); 65] });
    for (count, calls) in [(1, 1), (2, 3), (7, 13), (20, 39)] {
        let world = World::new();
        let model = Scripted::new(vec![endless.clone(); 100]);
        let engine = world.open(Some(model.clone()), &graphless());
        let texts: Vec<String> = (0..count).map(|number| format!("message {number}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        world.call(&engine, "generate", json!({ "messages": said(&texts) }));
        assert_eq!(model.calls(), calls, "of {count} messages");
        assert_eq!(world.facts(&engine), ["The user exists."]);
        assert_eq!(world.call(&engine, "usage", json!({}))["byPurpose"]["extract"]["calls"], json!(calls));
    }
}

/// Nobody asks about what the assistant alone said.
#[test]
fn a_half_in_which_no_person_speaks_is_not_asked_about() {
    let world = World::new();
    let model = Talkative::new(40, usize::MAX);
    let engine = world.open(Some(model.clone()), &graphless());
    let mut messages = said(&["one", "two"]);
    messages[1]["role"] = json!("assistant");
    world.call(&engine, "generate", json!({ "messages": messages }));
    assert_eq!(model.calls.get(), 2);
    assert_eq!(facts(&world, &engine).len(), 40);
}

#[test]
fn a_half_is_shown_what_was_said_before_it_and_is_asked_about_once() {
    let world = World::new();
    let endless = json!({ "facts": vec![json!({ "action": "add", "text": "Never." }); 65] });
    let mut wrong = adds("The user has a boat.");
    wrong["facts"][0]["message"] = json!(9);
    let mut half = adds("The user sails.");
    half["facts"].as_array_mut().unwrap().push(wrong["facts"][0].clone());
    let model = Scripted::new([endless, half, adds("The user rows.")]);
    let engine = world.open(Some(model.clone()), &graphless());
    world.call(&engine, "generate", json!({ "messages": said(&["I sail.", "I row."]) }));
    assert_eq!(model.calls(), 3, "what is wrong in a half is left out");
    let mut texts = world.facts(&engine);
    texts.sort();
    assert_eq!(texts, ["The user rows.", "The user sails."]);
    let asked = model.asked.borrow();
    let second = &asked[2].messages[1].content;
    let (earlier, conversation) = second.split_once("<conversation>").unwrap();
    assert!(earlier.contains("I sail.") && !conversation.contains("I sail."), "{second}");
    assert_eq!(lines(&asked[2])[0]["message"], json!(1), "{second}");
}

#[test]
fn a_half_that_fails_loses_nothing_and_all_is_asked_again() {
    let world = World::new();
    let endless = json!({ "facts": vec![json!({ "action": "add", "text": "Never." }); 65] });
    let model = Scripted::new([endless, adds("The user sails."), json!("no")]);
    let engine = world.open(Some(model.clone()), &graphless());
    world.fails(&engine, "generate", json!({ "messages": said(&["I sail.", "I row."]) }));
    assert!(world.facts(&engine).is_empty(), "nothing is half learned");
    assert_eq!(world.pending(&engine), json!(1));
    model.answers.borrow_mut().push(Ok(adds("The user sails and rows.")));
    world.call(&engine, "flush", json!({}));
    assert_eq!(world.facts(&engine), ["The user sails and rows."]);
}

/// What both halves say of one known fact: the later holds, and an end that comes after a successor changes nothing.
#[test]
fn a_known_fact_that_both_halves_change_is_changed_as_the_later_says() {
    let change = |action: &str, text: &str| json!({ "facts": [{ "action": action, "target": 1, "text": text, "message": 1 }] });
    for (second, current) in [
        (change("supersede", "The user lives in Berlin."), "The user lives in Berlin."),
        (change("end", ""), "The user lives in Porto."),
        (nothing(), "The user lives in Porto."),
    ] {
        let world = World::new();
        let endless = json!({ "facts": vec![json!({ "action": "add", "text": "Never." }); 65] });
        let model = Scripted::new([endless, change("supersede", "The user lives in Porto."), second]);
        let engine = world.open(Some(model), &graphless());
        world.call(&engine, "facts.add", json!({ "text": "The user lives in Lisbon." }));
        world.machine.pass(1000);
        let messages = said(&["I left Lisbon for Porto.", "So I live there no longer."]);
        world.call(&engine, "generate", json!({ "messages": messages }));
        assert_eq!(world.facts(&engine), [current]);
        let all = world.call(&engine, "facts.list", json!({ "includeEnded": true }));
        assert_eq!(all.as_array().unwrap().len(), 2, "{all}");
        let old = all.as_array().unwrap().iter().find(|fact| fact["text"] == "The user lives in Lisbon.");
        assert!(old.unwrap()["supersededBy"].is_string(), "{all}");
    }
}
