//! Recall and search.

use super::open;
use crate::support::world::World;
use serde_json::json;

#[test]
fn recall_keeps_within_its_tokens_and_explains_itself() {
    let world = World::new();
    let engine = open(&world, None);
    for number in 0..50 {
        world.call(
            &engine,
            "facts.add",
            json!({ "text": format!("The user visited city number {number} and liked the food there.") }),
        );
    }
    for max_tokens in [1, 5, 20, 60, 200, 1000] {
        let recalled = world.call(
            &engine,
            "recall",
            json!({ "query": "which city has good food?", "maxTokens": max_tokens, "limit": 50 }),
        );
        assert!(recalled["tokens"].as_u64().unwrap() <= max_tokens, "{recalled}");
        assert_eq!(
            recalled["text"].as_str().unwrap().is_empty(),
            recalled["items"].as_array().unwrap().is_empty()
        );
    }
    let recalled = world.call(&engine, "recall", json!({ "query": "city 7", "limit": 3 }));
    let best = &recalled["items"][0];
    assert!(best["text"].as_str().unwrap().contains("number 7"), "{recalled}");
    assert!(best["terms"]["wordsRaw"].as_f64().unwrap() > 0.0);
}

#[test]
fn the_weaker_of_two_matches_counts_for_more_than_none() {
    let world = World::new();
    let engine = open(&world, None);
    for text in ["The user plays the cello.", "The user plays tennis on Sundays.", "The user has a cat."] {
        world.call(&engine, "facts.add", json!({ "text": text }));
    }
    let found = world.call(&engine, "facts.search", json!({ "query": "who plays the cello?" }));
    let words = |place: usize| found[place]["terms"]["words"].as_f64().unwrap();
    assert!(
        found[0]["text"].as_str().unwrap().contains("cello")
            && found[1]["text"].as_str().unwrap().contains("tennis")
    );
    assert!(words(0) > words(1) && words(1) > 0.0, "{found}");
    assert!(
        found.as_array().unwrap().iter().skip(2).all(|fact| fact["terms"].get("wordsRaw").is_none()),
        "{found}"
    );
}
