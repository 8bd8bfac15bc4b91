//! What plain statements teach and end without a model: each was said by somebody who tried it, and was missed or taken wrongly.

mod chinese;
mod doubting;
mod ending;
mod learning;

use crate::support::world::{DAY_MS, World};
use mnemic::time;
use serde_json::{Value, json};

/// The present facts after things were said a day apart, the last of them on Saturday, 14 March 2026.
fn learned(said: &[&str]) -> Vec<Value> {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let last = time::parse("2026-03-14T10:00").unwrap();
    for (number, content) in said.iter().enumerate() {
        let days = i64::try_from(said.len() - 1 - number).unwrap();
        let message = json!({ "role": "user", "content": content, "createdAt": last - days * DAY_MS });
        world.call(&engine, "remember", json!({ "messages": [message] }));
        world.idle(&engine);
    }
    world.call(&engine, "facts.list", json!({})).as_array().unwrap().clone()
}

/// Holds what each story leaves known against what is expected.
pub(crate) fn check(stories: &[(&[&str], &[&str])]) {
    let mut wrong = String::new();
    for (said, expected) in stories {
        let facts = learned(said);
        let mut texts: Vec<&str> = facts.iter().map(|fact| fact["text"].as_str().unwrap()).collect();
        texts.sort_unstable();
        let is_contested = facts.iter().any(|fact| fact["contestedBy"].is_string());
        if texts != *expected || is_contested {
            wrong.push_str(&format!("{said:?}\n  expected {expected:?}\n  found    {texts:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Keeps what is known through each of these.
fn kept(known: &str, told: &str, said: &[&str]) {
    for said in said {
        check(&[(&[known, said], &[told])]);
    }
}
