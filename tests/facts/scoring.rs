//! Scores: every mode, and that a reader can tell how each came about.

use super::{open, open_with};
use crate::support::embedder::ToyEmbedder;
use crate::support::world::{HOUR_MS, World, texts};
use mnemic::engine::Engine;
use serde_json::{Value, json};

/// Facts of different relevance, age and significance.
fn filled(world: &World) -> Engine {
    let engine = open(world);
    for (text, significance) in [
        ("Alice plays the cello in an orchestra", 2),
        ("Alice once repaired a cello", 9),
        ("The cello of Alice is from Cremona", 5),
    ] {
        world.add(&engine, json!({ "text": text, "significance": significance }));
        world.machine.pass(100 * HOUR_MS);
    }
    engine
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The score as a reader would make it from the terms.
fn recomputed(mode: &str, terms: &Value) -> f64 {
    let of = |name: &str| number(&terms[name]);
    let signal = |name: &str| terms[name].as_f64().unwrap_or_default();
    let signals = signal("newer") + signal("about");
    match mode {
        "relevance" => of("words") + of("meaning") + signals,
        "product" => (of("words") + of("meaning") + signals) * of("recency") * of("significance"),
        _ => {
            let weighted = |name: &str| number(&terms["weights"][name]) * of(name);
            weighted("similarity") + weighted("recency") + weighted("significance")
        }
    }
}

#[test]
fn every_score_can_be_made_from_its_terms() {
    let world = World::new();
    let engine = filled(&world);
    let weights = json!({ "similarity": 0.5, "recency": 2, "significance": 0 });
    for (mode, weights) in
        [("relevance", json!(null)), ("product", json!(null)), ("sum", json!(null)), ("sum", weights)]
    {
        let mut scoring = json!({ "mode": mode });
        if weights.is_object() {
            scoring["weights"] = weights;
        }
        let query = json!({ "query": "who plays the cello?", "scoring": scoring, "threshold": 0 });
        let found = world.call(&engine, "facts.search", query.clone());
        let recalled = world.call(&engine, "recall", query)["items"].clone();
        for items in [found, recalled] {
            assert_eq!(items.as_array().unwrap().len(), 3);
            let mut last = f64::INFINITY;
            for item in items.as_array().unwrap() {
                let score = number(&item["score"]);
                assert!((score - recomputed(mode, &item["terms"])).abs() < 1e-5, "{mode}: {item}");
                assert!(score <= last);
                last = score;
            }
        }
    }
}

#[test]
fn a_product_decays_by_the_hour_since_the_last_access() {
    let world = World::new();
    let engine = open(&world);
    world.add(&engine, json!({ "text": "Alice plays the cello", "significance": 10 }));
    let recency = |decay: f64| {
        let scoring = json!({ "mode": "product", "decay": decay });
        let found = world.call(&engine, "facts.search", json!({ "query": "cello", "scoring": scoring }));
        number(&found[0]["terms"]["recency"])
    };
    assert!((recency(0.995) - 1.0).abs() < 1e-6);
    world.machine.pass(10 * HOUR_MS);
    // The first search after a while is the last that sees the old access.
    assert!((recency(0.995) - 0.995_f64.powi(10)).abs() < 1e-4, "the default of the paper");
    assert!((recency(0.5) - 0.5_f64.powi(10)).abs() < 1e-4);
    assert!((recency(1.0) - 1.0).abs() < 1e-6);
    world.idle(&engine);
    assert!((recency(0.5) - 1.0).abs() < 0.01, "it was accessed just now");
}

#[test]
fn weights_decide_a_sum() {
    let world = World::new();
    let engine = filled(&world);
    let first = |weights: Value| {
        let scoring = json!({ "mode": "sum", "weights": weights });
        let found = world.call(&engine, "facts.search", json!({ "query": "cello", "scoring": scoring }));
        (texts(&found)[0].to_owned(), found)
    };
    let none = json!({ "similarity": 0, "recency": 0, "significance": 1 });
    assert_eq!(first(none).0, "Alice once repaired a cello");
    let (text, found) = first(json!({ "similarity": 0, "recency": 1, "significance": 0 }));
    assert_eq!(text, "The cello of Alice is from Cremona");
    assert_eq!((number(&found[0]["score"]), number(&found[2]["score"])), (1.0, 0.0));
}

#[test]
fn a_threshold_is_held_against_the_relevance_however_results_are_scored() {
    let world = World::new();
    let engine = filled(&world);
    for method in ["facts.search", "recall"] {
        let told = |threshold: f64| {
            let scoring = json!({ "mode": "product" });
            let options = json!({ "query": "cello", "scoring": scoring, "threshold": threshold });
            let answer = world.call(&engine, method, options);
            let items = if method == "recall" { answer["items"].clone() } else { answer };
            items.as_array().unwrap().iter().map(|item| number(&item["relevance"])).collect::<Vec<_>>()
        };
        let all = told(0.0);
        assert_eq!(all.len(), 3);
        let middle = (all[0] + all[1] + all[2]) / 3.0;
        let above = all.iter().copied().filter(|relevance| *relevance >= middle).collect::<Vec<_>>();
        assert!(above.len() < 3, "{all:?}");
        assert_eq!(told(middle), above, "{method}");
        for threshold in [1.5, -0.1] {
            let refused = world.fails(&engine, method, json!({ "query": "cello", "threshold": threshold }));
            assert!(refused.message.contains("from 0 to 1"), "{refused}");
        }
    }
}

#[test]
fn a_term_that_all_share_counts_half() {
    let world = World::new();
    let engine = open(&world);
    world.add(&engine, json!({ "text": "Alice plays the cello" }));
    let found =
        world.call(&engine, "facts.search", json!({ "query": "cello", "scoring": { "mode": "sum" } }));
    assert_eq!(found[0]["score"], json!(1.5));
    assert_eq!(
        found[0]["terms"]["weights"],
        json!({ "similarity": 1.0, "recency": 1.0, "significance": 1.0 })
    );
}

#[test]
fn options_of_scoring_are_checked() {
    let world = World::new();
    let engine = open(&world);
    for bad in [
        json!({ "decay": 0 }),
        json!({ "decay": 1.01 }),
        json!({ "weights": { "similarity": -1 } }),
        json!({ "mode": "sum", "weights": { "similarity": 0, "recency": 0, "significance": 0 } }),
        json!({ "mode": "difference" }),
        json!({ "weight": {} }),
        json!({ "weights": { "words": 1 } }),
    ] {
        for method in ["facts.search", "recall"] {
            let error = world.fails(&engine, method, json!({ "query": "x", "scoring": bad }));
            assert_eq!(error.code, mnemic::Code::InvalidInput, "{bad}");
        }
    }
}

/// A search whose filter was new left out vectors that are near to nothing, and found them once it knew what the filter said of each
/// fact.
#[test]
fn a_threshold_of_nothing_leaves_out_no_vector() {
    let world = World::new();
    // Every dimension is a hash (FNV-1a) of the text of its own, so that no text is near to another.
    let hash = |seed: u32, text: &str| {
        text.bytes().fold(seed, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
    };
    let spread = move |text: &str| {
        (0..64).map(|seed| hash(hash(seed, text), text) as f32 / u32::MAX as f32 - 0.5).collect()
    };
    let engine = open_with(&world, None, Some(ToyEmbedder::new("spread", spread)));
    for start in (0..3000).step_by(1000) {
        let fact = |number: i32| json!({ "text": format!("Note {number}"), "metadata": { "rare": number % 100 == 0 } });
        world.call(
            &engine,
            "facts.import",
            json!({ "facts": (start..start + 1000).map(fact).collect::<Vec<_>>() }),
        );
    }
    world.idle(&engine);
    let filter = json!({ "metadata.rare": true });
    for _ in 0..2 {
        let asked = json!({ "query": "zebra", "filter": filter, "threshold": 0, "limit": 100 });
        assert_eq!(world.call(&engine, "facts.search", asked).as_array().unwrap().len(), 30);
    }
}
