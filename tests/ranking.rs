//! What ranks messages and facts beside their words: the conversation around them, dates, roles, and what is newer.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use crate::support::world::{DAY_MS, START, World};
use mnemic::engine::Engine;
use serde_json::{Value, json};

/// What an app without a model remembers: a thread of messages, a minute apart from some day on.
fn say(world: &World, engine: &Engine, thread: &str, day: i64, messages: &[(&str, &str)]) {
    let messages: Vec<Value> = (0..)
        .zip(messages)
        .map(|(minute, (role, content))| {
            let time = START + day * DAY_MS + minute * 60_000;
            json!({ "role": role, "content": content, "createdAt": time })
        })
        .collect();
    world.call(engine, "remember", json!({ "messages": messages, "threadId": thread, "learn": false }));
}

/// The contents that are found, best first; each result's terms make up its score.
fn found(world: &World, engine: &Engine, query: &str) -> Vec<String> {
    const TERMS: [&str; 12] = [
        "words",
        "meaning",
        "neighbours",
        "thread",
        "speaker",
        "date",
        "time",
        "length",
        "role",
        "question",
        "newer",
        "about",
    ];
    let found = world.call(engine, "threads.search", json!({ "query": query }));
    let found = found.as_array().unwrap();
    assert!((found[0]["score"].as_f64().unwrap() - 1.0).abs() < 1e-5, "the best has 1: {found:?}");
    for result in found {
        let sum: f64 = TERMS.iter().filter_map(|term| result["terms"][*term].as_f64()).sum();
        assert!((sum - result["score"].as_f64().unwrap()).abs() < 1e-4, "{result}");
    }
    found.iter().map(|result| result["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_answer_is_found_by_its_question() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    say(
        &world,
        &engine,
        "monday",
        0,
        &[
            ("assistant", "Where did you spend the summer holidays?"),
            ("user", "In a hut above Chamonix, with my sister."),
        ],
    );
    say(
        &world,
        &engine,
        "tuesday",
        1,
        &[("user", "The dentist moved my appointment."), ("user", "It rains all day.")],
    );
    let found = found(&world, &engine, "Where were the summer holidays?");
    assert_eq!(found[0], "In a hut above Chamonix, with my sister.");
    assert!(!found.contains(&"It rains all day.".to_owned()), "{found:?}");
}

#[test]
fn what_was_said_on_the_day_that_is_named_comes_first() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for (day, place) in [(0, "Lyon"), (40, "Porto"), (80, "Bergen")] {
        let text = format!("I visited the museum in {place}");
        say(&world, &engine, "trips", day, &[("user", &text)]);
    }
    let date = mnemic::time::date(START + 40 * DAY_MS);
    let (month, day) = (date[5..7].parse::<usize>().unwrap(), date[8..].parse::<usize>().unwrap());
    for query in [
        format!("Which museum did I visit on {month}月{day}日?"),
        format!("{month}월 {day}일에 visited museum?"),
    ] {
        assert_eq!(found(&world, &engine, &query)[0], "I visited the museum in Porto", "{query}");
    }
}

#[test]
fn what_the_user_said_goes_before_a_long_answer_unless_that_is_asked_for() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let advice = "Marathon training: marathon shoes, marathon pace, marathon sleep. ".repeat(12);
    say(&world, &engine, "sport", 0, &[("user", "I run the Bath marathon in June"), ("assistant", &advice)]);
    assert_eq!(found(&world, &engine, "Which marathon do I run?")[0], "I run the Bath marathon in June");
    assert_eq!(found(&world, &engine, "What did you tell me about marathon shoes?")[0], advice);
}

#[test]
fn what_is_newer_stands_above_what_it_replaces() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let old = "My appointment with the dentist is on Monday at 9";
    let new = "Hm, my appointment with the dentist was rescheduled, to 11, it seems, because of a strike";
    say(&world, &engine, "monday", 0, &[("user", old)]);
    say(&world, &engine, "tuesday", 1, &[("user", new)]);
    assert_eq!(found(&world, &engine, "When is my appointment with the dentist?")[0], new);
    assert_eq!(found(&world, &engine, "When was my first appointment with the dentist on Monday?")[0], old);
}

#[test]
fn of_two_facts_that_say_the_same_of_different_times_the_newer_is_told_first() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    world
        .add(&engine, json!({ "text": "The user pays 650 pounds in rent", "validFrom": START - 9 * DAY_MS }));
    world.add(
        &engine,
        json!({ "text": "The user pays 780 pounds a month in rent", "validFrom": START - DAY_MS }),
    );
    let first =
        |query: &str| world.call(&engine, "facts.search", json!({ "query": query }))[0]["text"].clone();
    assert_eq!(first("How much rent do I pay?"), "The user pays 780 pounds a month in rent");
    assert_eq!(first("How much rent did I pay before?"), "The user pays 650 pounds in rent");
}
