//! Messages that a model refuses to learn from: the others are learned from, and it is asked about these no more often than it may change
//! its mind.

use crate::support::world::{Scripted, World, adds};
use mnemic::Code;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// A model that a provider's filter keeps from answering where it reads POISON.
struct Filtering {
    asked: RefCell<u32>,
    /// Whether it takes offence at what was said before as well.
    reads_all: bool,
}
impl mnemic::ports::Llm for Filtering {
    fn complete<'a>(
        &'a self,
        request: &'a mnemic::ports::ModelRequest,
        _timeout_ms: u32,
    ) -> mnemic::ports::Pending<'a, mnemic::Result<Value>> {
        *self.asked.borrow_mut() += 1;
        let prompt = &request.messages[1].content;
        let said = prompt.split("<conversation>").nth(1).unwrap();
        let read = if self.reads_all { prompt } else { said };
        let answer = if read.contains("POISON") {
            Err(mnemic::Error::new(Code::Model, "content filter"))
        } else {
            let lines = said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let facts: Vec<Value> = lines
                .map(|line| {
                    let text = format!(
                        "The user likes {}.",
                        line["text"].as_str().unwrap().split(' ').next_back().unwrap()
                    );
                    json!({ "action": "add", "text": text, "message": line["message"] })
                })
                .collect();
            Ok(json!({ "facts": facts }))
        };
        Box::pin(async move { answer })
    }
}

/// One message that a provider's filter takes offence at kept its neighbours from being learned from for ever.
#[test]
fn a_message_that_the_model_refuses_is_left_alone() {
    for (places, reads_all) in [
        (vec![0], false),
        (vec![7], false),
        (vec![19], false),
        (vec![0], true),
        (vec![9], true),
        (vec![0, 1, 2], true),
        (vec![3, 15], false),
    ] {
        let world = World::new();
        let model = Rc::new(Filtering { asked: RefCell::default(), reads_all });
        let engine = world.open(Some(model.clone()), &json!({ "extraction": { "auto": false } }));
        let mut messages: Vec<Value> =
            (0..20).map(|number| json!({ "role": "user", "content": format!("I like {number}") })).collect();
        places.iter().for_each(|place| messages[*place]["content"] = json!("POISON"));
        let facts = json!(["Alice pays for the premium plan"]);
        world.fails(&engine, "generate", json!({ "messages": messages, "facts": facts }));
        world.fails(&engine, "flush", json!({}));
        let asked = || *model.asked.borrow();
        assert_eq!((world.facts(&engine).len(), asked()), (0, 2), "the model may be ill: {places:?}");
        let error = world.fails(&engine, "flush", json!({}));
        assert!(error.message.contains("content filter"), "{}", error.message);
        assert_eq!(world.facts(&engine).len(), 20 - places.len() + 1, "{places:?}");
        assert!(asked() <= 2 + 2 + 10 * places.len() as u32, "{} requests", asked());
        assert_eq!(world.pending(&engine), json!(1), "what is refused waits: {places:?}");
        // It is asked about by itself, and what the application gave is not given once more.
        let given = world.call(&engine, "facts.list", json!({ "limit": 100 }));
        let given =
            given.as_array().unwrap().iter().find(|fact| fact["text"].as_str().unwrap().contains("plan"));
        world.call(&engine, "facts.delete", json!({ "id": given.unwrap()["id"] }));
        let before = asked();
        world.fails(&engine, "flush", json!({}));
        assert!(asked() - before <= 2 * places.len() as u32 + 1, "{places:?}: {}", asked() - before);
        assert_eq!(world.facts(&engine).len(), 20 - places.len());
    }
}

/// A model that answered nothing but what may not be learned was asked the same each hour for ever.
#[test]
fn what_is_refused_whenever_it_is_asked_teaches_nothing_in_the_end() {
    let world = World::new();
    let invented = json!({ "facts": [{ "action": "end", "target": 7, "message": 1 }] });
    let model = Scripted::new(vec![invented; 6]);
    let engine = world.open(Some(model.clone()), &json!({ "extraction": { "auto": false } }));
    world.call(
        &engine,
        "remember",
        json!({ "messages": [{ "role": "user", "content": "I sold the car." }] }),
    );
    for tries in 1..=2 {
        let error = world.fails(&engine, "flush", json!({}));
        assert!(error.message.contains("there is no known fact 7"), "{}", error.message);
        assert_eq!((model.calls(), world.pending(&engine)), (2 * tries, json!(1)));
    }
    assert_eq!(world.call(&engine, "flush", json!({}))["changes"], json!([]));
    assert_eq!((model.calls(), world.pending(&engine)), (6, json!(0)));
}

/// How often a batch was tried was forgotten whenever a memory was closed, as it is after each call where that costs the least.
#[test]
fn what_is_refused_is_known_when_the_memory_is_opened_again() {
    let world = World::new();
    let invented = json!({ "facts": [{ "action": "end", "target": 7, "message": 1 }] });
    let model = Scripted::new(vec![invented; 6]);
    let by_hand = json!({ "extraction": { "auto": false } });
    let mut engine = world.open(Some(model.clone()), &by_hand);
    let sold = json!({ "messages": [{ "role": "user", "content": "I sold the car." }] });
    let commit = world.call(&engine, "remember", sold)["commitId"].clone();
    for _ in 0..2 {
        world.fails(&engine, "flush", json!({}));
        world.close(&engine);
        engine = world.open(Some(model.clone()), &by_hand);
    }
    assert_eq!(world.call(&engine, "flush", json!({}))["changes"], json!([]));
    assert_eq!((model.calls(), world.pending(&engine)), (6, json!(0)));
    let commits = world.call(&engine, "commits.list", json!({}));
    assert!(commits.as_array().unwrap().iter().any(|one| one["commitId"] == commit), "{commits}");
    assert_eq!(commits.as_array().unwrap().len(), 1, "a try is no change: {commits}");
}

/// What a model refuses is not asked about at each opening, but when its time has come, or when the model has answered something else.
#[test]
fn what_is_refused_waits_across_openings() {
    let world = World::new();
    let model = Scripted::new([]);
    let open = || world.open(Some(model.clone()), &json!({}));
    let said = |text: &str| json!({ "messages": [{ "role": "user", "content": text }] });
    let mut engine = open();
    world.fails(&engine, "generate", said("I sold the car."));
    for calls in 2..=3 {
        world.close(&engine);
        engine = open();
        world.call(&engine, "idle", json!({}));
        assert_eq!(model.calls(), calls, "much may have changed");
    }
    world.close(&engine);
    engine = open();
    world.call(&engine, "idle", json!({}));
    assert_eq!((model.calls(), world.pending(&engine)), (3, json!(1)));
    world.machine.pass(5 * 60_000);
    world.call(&engine, "idle", json!({}));
    assert_eq!(model.calls(), 4, "it was due after four minutes");
    world.close(&engine);
    engine = open();
    model.answers.borrow_mut().push(Ok(adds("The user has a bicycle.")));
    model.answers.borrow_mut().push(Ok(adds("The user sings.")));
    world.call(&engine, "generate", said("I sing."));
    world.call(&engine, "idle", json!({}));
    assert_eq!((model.calls(), world.pending(&engine)), (6, json!(0)), "the model works again");
    assert_eq!(world.facts(&engine).len(), 2);
}

/// What was said before was shown with a single message whatever it had been refused for, so the message was never learned from.
#[test]
fn what_stands_before_a_single_message_is_left_out_where_it_is_refused() {
    let world = World::new();
    let model = Rc::new(Filtering { asked: RefCell::default(), reads_all: true });
    let engine = world.open(Some(model.clone()), &json!({ "extraction": { "auto": false } }));
    let poison = json!({ "messages": [{ "role": "user", "content": "I like POISON" }], "learn": false });
    world.call(&engine, "remember", poison);
    world.call(&engine, "remember", json!({ "messages": [{ "role": "user", "content": "I like rowing" }] }));
    for _ in 0..2 {
        world.fails(&engine, "flush", json!({}));
    }
    world.call(&engine, "flush", json!({}));
    assert_eq!((world.facts(&engine).len(), world.pending(&engine)), (1, json!(0)));
}
