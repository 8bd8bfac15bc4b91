//! What goes on while something is forgotten does not bring it back.

use super::{Model, forget, prompt, say};
use crate::support::embedder::ToyEmbedder;
use crate::support::world::{ALICE, Scripted, World};
use mnemic::engine::Engine;
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

/// While the model thinks about its next answer to a request of a purpose, this is forgotten.
fn forgets_meanwhile(
    model: &Model,
    engine: &Engine,
    purpose: &'static str,
    selector: Value,
) -> Rc<Cell<bool>> {
    let (engine, done) = (engine.clone(), Rc::new(Cell::new(false)));
    let is_done = done.clone();
    *model.meanwhile.borrow_mut() = Some((
        purpose,
        Box::pin(async move {
            engine.call("forget", ALICE, &selector.to_string()).await.unwrap();
            is_done.set(true);
        }),
    ));
    done
}

/// Everything that can be listed.
fn told(world: &World, engine: &Engine) -> String {
    let mut told = String::new();
    for (method, options) in [
        ("items.list", json!({ "includeEnded": true, "limit": 1000 })),
        ("threads.messages", json!({ "threadId": "t" })),
        ("proposals.list", json!({})),
        ("tiers.state", json!({})),
        ("threads.summaries", json!({})),
        ("context.blocks.list", json!({})),
    ] {
        told.push_str(&world.call(engine, method, options).to_string());
    }
    told
}

fn learned(request: &mnemic::ports::ModelRequest) -> Value {
    let text =
        if prompt(request).contains("Zanzibar") { "The user was in Zanzibar." } else { "The user travels." };
    json!({
        "facts": [{ "action": "add", "target": null, "text": text, "significance": 6, "message": 1 }],
        "profile": [], "entities": [], "relations": [],
    })
}

#[test]
fn learning_is_asked_anew_or_given_up() {
    for (messages, left) in [(1, ""), (2, "The user travels.")] {
        let world = World::new();
        let model = Model::new(learned);
        let engine =
            world.open(Some(model.clone()), &json!({ "extraction": { "trigger": { "messages": 1 } } }));
        let texts =
            ["I was in Zanzibar.", "I travel."].map(|text| json!({ "role": "user", "content": text }));
        let ids = json!(["a", "b"]);
        let mut said: Vec<Value> = texts[..messages].to_vec();
        for (message, id) in said.iter_mut().zip(ids.as_array().unwrap()) {
            message["id"] = id.clone();
        }
        // The first one is gone when the model answers.
        let first = world.call(&engine, "threads.append", json!({ "threadId": "t", "messages": [said[0]] }));
        let done = forgets_meanwhile(&model, &engine, "extract", json!({ "ids": [first["messageIds"][0]] }));
        let mut changed = said.clone();
        changed[0]["content"] = json!("I was in Zanzibar!");
        world.call(&engine, "remember", json!({ "threadId": "t", "messages": changed }));
        world.machine.pass(600_000);
        world.idle(&engine);
        assert!(done.get(), "it was forgotten while the model answered");
        assert!(!told(&world, &engine).contains("Zanzibar"));
        assert_eq!(world.facts(&engine).join(" "), left);
        assert_eq!(world.pending(&engine), 0);
    }
}

#[test]
fn proposals_that_were_being_made_are_not() {
    let world = World::new();
    let model = Model::new(learned);
    let options = json!({ "extraction": { "trigger": { "messages": 1 }, "review": true } });
    let engine = world.open(Some(model.clone()), &options);
    let id = say(&world, &engine, "t", "I was in Zanzibar.");
    let done = forgets_meanwhile(&model, &engine, "extract", json!({ "threadId": "t" }));
    let learn = json!({ "threadId": "t", "messages": [{ "role": "user", "content": "It was hot." }] });
    world.call(&engine, "generate", learn);
    assert!(done.get() && id.is_string());
    assert!(!told(&world, &engine).contains("Zanzibar"));
    assert_eq!(world.call(&engine, "proposals.list", json!({})), json!([]));
}

#[test]
fn a_summary_that_was_being_made_is_made_anew() {
    let world = World::new();
    let model = Model::new(|request| {
        let text =
            if prompt(request).contains("Zanzibar") { "They spoke of Zanzibar." } else { "They spoke." };
        json!({ "summary": text })
    });
    let options = json!({ "extraction": { "auto": false } });
    let engine = world.open(Some(model.clone()), &options);
    say(&world, &engine, "t", "We begin.");
    let id = say(&world, &engine, "t", "I was in Zanzibar.");
    say(&world, &engine, "t", "We end.");
    let done = forgets_meanwhile(&model, &engine, "summarise", json!({ "ids": [id] }));
    let summary = world.call(&engine, "threads.summarise", json!({ "threadId": "t" }));
    assert!(done.get());
    assert_eq!((&summary["text"], model.calls("summarise")), (&json!("They spoke."), 2));
}

#[test]
fn an_episode_and_an_instruction_are_asked_anew() {
    let world = World::new();
    let model = Model::new(|request| {
        let place = if request.messages[1].content.contains("Zanzibar") { "Zanzibar" } else { "nowhere" };
        match request.purpose {
            "episode" => {
                json!({ "episode": { "situation": format!("A trip to {place}"), "approach": "a", "outcome": "o" } })
            }
            _ => json!({ "text": format!("Speak of {place}."), "why": place }),
        }
    });
    let engine = world.open(Some(model.clone()), &json!({ "extraction": { "auto": false } }));
    for (purpose, method, options) in [
        ("episode", "episodes.learn", json!({ "threadId": "t" })),
        ("revise", "instructions.revise", json!({ "threadId": "t", "feedback": "Say where." })),
    ] {
        let id = say(&world, &engine, "t", "I was in Zanzibar.");
        say(&world, &engine, "t", "It was hot.");
        let done = forgets_meanwhile(&model, &engine, purpose, json!({ "ids": [id] }));
        world.call(&engine, method, options);
        assert!(done.get());
        assert!(!told(&world, &engine).contains("Zanzibar"), "{method}");
        assert!(told(&world, &engine).contains("nowhere"), "{method} was asked anew");
    }
}

#[test]
fn a_step_that_was_told_it_is_asked_anew() {
    let world = World::new();
    let model = Model::new(|request| {
        let knows = request.messages.iter().any(|message| message.content.contains("Zanzibar"));
        let place = if knows { "Zanzibar" } else { "nowhere" };
        json!({ "toolCalls": [
            { "name": "core_memory_append", "arguments": { "label": "human", "content": format!("Was in {place}.") } },
            { "name": "send_message", "arguments": { "message": format!("You were in {place}.") } },
        ] })
    });
    let options = json!({ "extraction": { "auto": false }, "summaries": { "auto": false } });
    let engine = world.open(Some(model.clone()), &options);
    let id = say(&world, &engine, "t", "I was in Zanzibar.");
    let done = forgets_meanwhile(&model, &engine, "context", json!({ "ids": [id] }));
    let step = json!({ "threadId": "t", "messages": [{ "role": "user", "content": "Where was I?" }] });
    let stepped = world.call(&engine, "context.step", step);
    assert!(done.get());
    assert_eq!(stepped["sent"], json!(["You were in nowhere."]), "{stepped}");
    assert!(!told(&world, &engine).contains("Zanzibar"));
    assert_eq!(model.calls("context"), 2);
}

#[test]
fn consolidation_is_asked_anew() {
    let world = World::new();
    let model = Model::new(|request| {
        let knows = prompt(request).contains("Zanzibar");
        let text = if knows { "The user was in Zanzibar twice." } else { "The user was in Berlin twice." };
        json!({ "merges": [{ "keep": 1, "drop": [2], "text": text }], "supersedes": [] })
    });
    let engine = world.open(Some(model.clone()), &json!({ "extraction": { "auto": false } }));
    for text in ["The user was in Berlin", "The user was in Berlin once"] {
        world.add(&engine, json!({ "text": text }));
    }
    let ids: Vec<Value> = ["The user was in Zanzibar", "The user was in Zanzibar once"]
        .iter()
        .map(|text| world.add(&engine, json!({ "text": text })))
        .collect();
    let done = forgets_meanwhile(&model, &engine, "consolidate", json!({ "ids": ids }));
    world.call(&engine, "facts.consolidate", json!({}));
    assert!(done.get());
    assert_eq!(world.facts(&engine), ["The user was in Berlin twice."]);
}

#[test]
fn accesses_and_vectors_that_wait_are_left_out() {
    let world = World::new();
    let engine = world.try_open(None, Some(ToyEmbedder::of_lengths()), &json!({})).unwrap();
    let id = world.add(&engine, json!({ "text": "The user was in Zanzibar" }));
    world.call(&engine, "facts.search", json!({ "query": "Zanzibar" }));
    forget(&world, &engine, &[&id]);
    world.machine.pass(600_000);
    world.idle(&engine);
    assert!(!told(&world, &engine).contains("Zanzibar"));
    assert_eq!(world.call(&engine, "usage", json!({}))["vectors"], 0);
}

/// A model's failure that is shown as a job quotes what it was told.
#[test]
fn a_failure_does_not_go_on_quoting() {
    let world = World::new();
    let model = Scripted::new([]);
    *model.answers.borrow_mut() =
        vec![Err(mnemic::Error::new(mnemic::Code::Model, "cannot make sense of Zanzibar"))];
    let engine = world.open(Some(model), &json!({ "extraction": { "trigger": { "messages": 1 } } }));
    let messages = json!([{ "role": "user", "content": "I was in Zanzibar." }, { "role": "user", "content": "I travel." }]);
    let said = world.call(&engine, "remember", json!({ "threadId": "t", "messages": messages }));
    world.machine.pass(10_000);
    assert!(world.call(&engine, "jobs", json!({})).to_string().contains("Zanzibar"));
    forget(&world, &engine, &[&said["messageIds"][0]]);
    let jobs = world.call(&engine, "jobs", json!({})).to_string();
    assert!(!jobs.contains("Zanzibar"), "{jobs}");
    assert!(!world.idle(&engine).to_string().contains("Zanzibar"));
}
