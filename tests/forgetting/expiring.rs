//! What goes by itself: it is deleted or forgotten in time, also while the memory is open.

use super::learn;
use crate::support::world::{DAY_MS, World};
use serde_json::{Value, json};

fn forgets() -> Value {
    json!({ "extraction": { "ttl": { "expired": "forget" } } })
}

fn pass(world: &World, days: i64) {
    world.machine.pass(days * DAY_MS);
}

#[test]
fn what_expires_while_open_is_forgotten_then() {
    let world = World::new();
    let engine = world.open(None, &forgets());
    let now = world.now();
    for day in [1, 3] {
        world.add(&engine, json!({ "text": format!("For {day} days"), "expiresAt": now + day * DAY_MS }));
    }
    world.add(&engine, json!({ "text": "For ever" }));
    let records = || world.call(&engine, "usage", json!({}))["records"].clone();
    assert_eq!(records(), 3);
    pass(&world, 2);
    assert_eq!(records(), 2, "the first is gone from the store");
    pass(&world, 2);
    assert_eq!((records(), world.facts(&engine)), (json!(1), vec!["For ever".to_owned()]));
}

/// What was changed to go sooner goes then.
#[test]
fn a_time_that_comes_nearer_is_kept() {
    let world = World::new();
    let engine = world.open(None, &forgets());
    let now = world.now();
    let id = world.add(&engine, json!({ "text": "For a year", "expiresAt": now + 365 * DAY_MS }));
    world.call(&engine, "facts.update", json!({ "id": id, "expiresAt": now + DAY_MS }));
    pass(&world, 2);
    assert_eq!(world.call(&engine, "usage", json!({}))["records"], 0);
}

#[test]
fn what_expired_while_closed_is_forgotten_at_opening() {
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "ttl": { "learnedMs": DAY_MS } } }));
    learn(&world, &engine, "t", "I live in Lisbon.");
    let id = world.call(&engine, "facts.list", json!({}))[0]["id"].clone();
    world.close(&engine);
    pass(&world, 2);
    let engine = world.open(None, &forgets());
    world.idle(&engine);
    assert_eq!(world.call(&engine, "items.list", json!({ "includeEnded": true })), json!([]));
    assert_eq!(
        world.call(&engine, "threads.messages", json!({ "threadId": "t" })).as_array().unwrap().len(),
        1
    );
    assert!(id.is_string());
}

/// By default it is deleted, at the next opening.
#[test]
fn by_default_it_is_deleted() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let now = world.now();
    let id = world.add(&engine, json!({ "text": "For a day", "expiresAt": now + DAY_MS }));
    pass(&world, 2);
    world.close(&engine);
    let engine = world.open(None, &json!({}));
    world.idle(&engine);
    assert_eq!(world.call(&engine, "usage", json!({}))["records"], 0);
    let history = world.call(&engine, "history", json!({ "id": id }));
    assert_eq!((&history[1]["cause"], &history[1]["deleted"]), (&json!("expire"), &json!(true)));
}
