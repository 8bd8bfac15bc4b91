//! Facts that say the same in other words become one, when the application asks.

use crate::support::world::{Scripted, World};
use mnemic::Code;
use mnemic::engine::Engine;
use serde_json::{Value, json};

const TEA: [&str; 3] =
    ["The user likes green tea.", "The user really likes green tea.", "The user plays the cello."];

fn world_with(
    answers: impl IntoIterator<Item = Value>,
    facts: &[&str],
) -> (World, Engine, std::rc::Rc<Scripted>) {
    let world = World::new();
    let model = Scripted::new(answers);
    let engine = world.open(Some(model.clone()), &json!({}));
    for fact in facts {
        world.call(&engine, "facts.add", json!({ "text": fact }));
        world.machine.pass(1000);
    }
    (world, engine, model)
}

fn texts(world: &World, engine: &Engine) -> Vec<String> {
    let facts = world.call(engine, "facts.list", json!({}));
    facts.as_array().unwrap().iter().map(|fact| fact["text"].as_str().unwrap().to_owned()).collect()
}

/// The numbers under which the last request showed facts.
fn number(model: &Scripted, text: &str) -> usize {
    let asked = model.asked.borrow();
    let shown = &asked.last().unwrap().messages[1].content;
    let line = shown.lines().find(|line| line.contains(text)).unwrap();
    let line: Value = serde_json::from_str(line).unwrap();
    usize::try_from(line["number"].as_u64().unwrap()).unwrap()
}

#[test]
fn facts_that_say_the_same_become_one_which_can_be_undone() {
    let merge = json!({ "merges": [{ "keep": 1, "drop": [2], "text": "The user loves green tea." }], "supersedes": [] });
    let (world, engine, model) = world_with([merge], &TEA);
    let actions = world.call(&engine, "facts.consolidate", json!({}));
    assert_eq!(actions.as_array().unwrap().len(), 2, "{actions}");
    assert_eq!(model.asked.borrow().len(), 1);
    assert!(!model.asked.borrow()[0].messages[1].content.contains("cello"), "only what resembles is shown");
    let mut left = texts(&world, &engine);
    left.sort();
    assert_eq!(left, ["The user loves green tea.", "The user plays the cello."]);
    world.call(&engine, "undo", json!({ "commitId": actions[0]["commitId"] }));
    assert_eq!(texts(&world, &engine).len(), 3);
}

#[test]
fn a_fact_that_is_over_ends_and_stays_in_the_history() {
    let facts = ["The user drinks green tea every day.", "The user no longer drinks green tea every day."];
    let (world, engine, model) = world_with([json!({ "merges": [], "supersedes": [] })], &facts);
    world.call(&engine, "facts.consolidate", json!({}));
    let (old, by) = (number(&model, "user drinks"), number(&model, "no longer"));
    let engine = world.open(
        Some(Scripted::new([json!({ "merges": [], "supersedes": [{ "old": old, "by": by }] })])),
        &json!({}),
    );
    world.call(&engine, "facts.consolidate", json!({}));
    assert_eq!(texts(&world, &engine), [facts[1]]);
    let all = world.call(&engine, "facts.list", json!({ "includeSuperseded": true }));
    assert!(all[1]["validTo"].is_i64(), "{all}");
}

#[test]
fn nothing_is_asked_when_nothing_resembles() {
    let (world, engine, model) = world_with([], &["The user plays the cello.", "Lisbon is warm in May."]);
    assert_eq!(world.call(&engine, "facts.consolidate", json!({})), json!([]));
    assert!(model.asked.borrow().is_empty());
}

#[test]
fn answers_that_cannot_be_used_change_nothing() {
    let merge = |keep: usize, drop: Value, text: &str| json!({ "merges": [{ "keep": keep, "drop": drop, "text": text }], "supersedes": [] });
    for answer in [
        merge(1, json!([9]), "x"),
        merge(1, json!([1]), "x"),
        merge(1, json!([2]), "  "),
        merge(1, json!([]), "x"),
        merge(0, json!([2]), "x"),
        json!({ "merges": [], "supersedes": [{ "old": 1, "by": 1 }] }),
        json!({ "merges": [], "supersedes": [{ "old": 1, "by": 2 }, { "old": 1, "by": 2 }] }),
        json!("nothing"),
        json!([]),
    ] {
        let (world, engine, _) = world_with([answer.clone(), answer.clone()], &TEA);
        let error = world.fails(&engine, "facts.consolidate", json!({}));
        assert_eq!(error.code, Code::Model, "{answer}: {}", error.message);
        assert_eq!(texts(&world, &engine).len(), 3);
    }
    let (world, _, _) = world_with([], &TEA);
    let without = world.open(None, &json!({}));
    assert_eq!(world.fails(&without, "facts.consolidate", json!({})).code, Code::InvalidInput);
    let with = world.open(Some(Scripted::new([])), &json!({}));
    assert_eq!(world.fails(&with, "facts.consolidate", json!({ "limit": 0 })).code, Code::InvalidInput);
}
