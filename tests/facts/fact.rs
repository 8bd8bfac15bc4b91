//! Facts: last access, validity on both axes, pins, imports.

use super::{open, open_with};
use crate::support::embedder::ToyEmbedder;
use crate::support::world::{ALICE, BOB, HOUR_MS, World, texts};
use mnemic::engine::Engine;
use mnemic::{Code, Id};
use serde_json::{Value, json};
use std::rc::Rc;

fn accessed(world: &World, engine: &Engine, id: &Value) -> Value {
    world.call(engine, "facts.get", json!({ "id": id }))["lastAccessedAt"].clone()
}

#[test]
fn what_was_recalled_or_found_is_remembered_without_a_revision() {
    let world = World::new();
    let engine = open(&world);
    let cello = world.add(&engine, json!({ "text": "Alice plays the cello" }));
    let events = Rc::new(std::cell::Cell::new(0));
    let heard = events.clone();
    engine.listen(Rc::new(move |_| heard.set(heard.get() + 1)));
    assert_eq!(accessed(&world, &engine, &cello), Value::Null);
    world.machine.pass(HOUR_MS);
    let at = world.now();
    world.call(&engine, "facts.search", json!({ "query": "cello" }));
    world.machine.pass(10_000);
    assert_eq!(accessed(&world, &engine, &cello), json!(at));
    // Within the hour nothing is written again.
    let commits =
        |engine: &Engine| world.try_call(engine, "usage", "", json!({})).unwrap()["commits"].clone();
    let before = commits(&engine);
    world.call(&engine, "recall", json!({ "query": "cello" }));
    world.idle(&engine);
    assert_eq!(commits(&engine), before);
    world.machine.pass(HOUR_MS);
    let later = world.now();
    world.call(&engine, "recall", json!({ "query": "cello" }));
    // What waits when a memory is closed is still written.
    world.close(&engine);
    let engine = open(&world);
    assert_eq!(accessed(&world, &engine, &cello), json!(later));
    assert_eq!(world.call(&engine, "facts.history", json!({ "id": cello })).as_array().unwrap().len(), 1);
    assert_eq!(events.get(), 0, "reading is no change");
    let past = world.call(&engine, "facts.list", json!({ "asOf": world.now() }));
    assert_eq!(past[0]["lastAccessedAt"], Value::Null);
}

#[test]
fn an_application_says_since_and_until_when_a_fact_is_true() {
    let world = World::new();
    let engine = open(&world);
    let (start, id) = (world.now(), world.add(&engine, json!({ "text": "Alice lives in Lisbon" })));
    world.machine.pass(HOUR_MS);
    let ends = json!({ "id": id, "validFrom": start - HOUR_MS, "validTo": world.now() });
    assert_eq!(world.call(&engine, "facts.update", ends.clone())["action"], "updated");
    assert_eq!(world.call(&engine, "facts.update", ends)["action"], "unchanged");
    assert_eq!(world.facts(&engine), [""; 0]);
    assert_eq!(world.call(&engine, "recall", json!({ "query": "Lisbon" }))["items"], json!([]));
    assert_eq!(
        world.call(&engine, "facts.list", json!({ "validAt": start - 1 })).as_array().unwrap().len(),
        1
    );
    for (times, said) in [
        (json!({ "validTo": start - HOUR_MS - 1 }), "before validFrom"),
        (json!({ "validFrom": -30_610_224_000_001_i64 }), "validFrom is -30610224000001"),
        (json!({ "validTo": "soon" }), "validTo"),
    ] {
        let mut patch = times;
        patch["id"] = id.clone();
        let error = world.fails(&engine, "facts.update", patch);
        assert_eq!(error.code, Code::InvalidInput);
        assert!(error.message.contains(said), "{}", error.message);
    }
    // What is over may be said anew; then the old one cannot go on beside it.
    world.add(&engine, json!({ "text": "alice lives in Lisbon." }));
    let error = world.fails(&engine, "facts.update", json!({ "id": id, "validTo": null }));
    assert!(error.message.contains("says the same"), "{}", error.message);
}

#[test]
fn an_access_can_neither_be_undone_nor_stand_in_the_way_of_undoing() {
    let world = World::new();
    let engine = open(&world);
    let added = world.call(&engine, "facts.add", json!({ "text": "Alice plays the cello" }));
    world.call(&engine, "facts.search", json!({ "query": "cello" }));
    world.idle(&engine);
    let undone = world.call(&engine, "undo", json!({ "commitId": added["commitId"] }));
    assert_eq!(undone["changes"][0]["action"], json!("deleted"));
}

/// Facts with a `validFrom` in the future were listed and recalled as if they were true already.
#[test]
fn what_is_not_true_yet_is_not_told() {
    let world = World::new();
    let engine = open(&world);
    let from = world.now() + 24 * HOUR_MS;
    world.add(&engine, json!({ "text": "Alice lives in Porto", "validFrom": from }));
    let told = |engine: &Engine| {
        let list = world.call(engine, "facts.list", json!({}));
        let search = world.call(engine, "facts.search", json!({ "query": "Porto" }));
        let recall = world.call(engine, "recall", json!({ "query": "Porto" }));
        [list, search, recall["items"].clone()].map(|items| items.as_array().unwrap().len())
    };
    assert_eq!(told(&engine), [0, 0, 0]);
    let all = world.call(&engine, "facts.list", json!({ "includeEnded": true }));
    assert_eq!(texts(&all), ["Alice lives in Porto"]);
    // The same words for the same time are known; for now they are not.
    let again = json!({ "text": "alice lives in porto", "validFrom": from + 1 });
    assert_eq!(world.call(&engine, "facts.add", again)["action"], json!("unchanged"));
    assert_eq!(told(&open(&world)), [0, 0, 0], "also after a reload");
    world.machine.pass(24 * HOUR_MS);
    assert_eq!(told(&engine), [1, 1, 1]);
    let said =
        json!({ "messages": [{ "role": "user", "content": "Is it late?", "createdAt": from + HOUR_MS }] });
    world.call(&engine, "remember", said);
    let found = world.call(&engine, "threads.search", json!({ "query": "late" }));
    assert_eq!(found.as_array().unwrap().len(), 1, "a message is there whenever it was said");
}

#[test]
fn a_preference_that_flips_three_times_keeps_its_history_on_both_axes() {
    let world = World::new();
    let engine = open(&world);
    let mut times = Vec::new();
    for drink in ["tea", "coffee", "tea", "coffee"] {
        let text = match drink {
            "tea" => "I don't like coffee any more. I like tea.",
            _ => "I don't like tea any more. I like coffee.",
        };
        world.call(&engine, "remember", json!({ "messages": [{ "role": "user", "content": text }] }));
        world.idle(&engine);
        world.machine.pass(1000);
        times.push((world.now(), format!("The user likes {drink}.")));
        world.machine.pass(24 * HOUR_MS);
    }
    let liked = |options: Value| -> Vec<String> {
        let facts = world.call(&engine, "facts.list", options);
        let likes = texts(&facts).into_iter().filter(|text| text.starts_with("The user likes"));
        likes.map(str::to_owned).collect()
    };
    assert_eq!(liked(json!({})), [times[3].1.as_str()], "one is current");
    assert_eq!(liked(json!({ "includeEnded": true })).len(), 4, "and the others are kept");
    for (known, (time, drink)) in times.iter().enumerate() {
        assert_eq!(liked(json!({ "asOf": time })), [drink.as_str()], "what was believed then");
        assert_eq!(liked(json!({ "validAt": time })), [drink.as_str()], "what was true then");
        for (valid, (other, drink)) in times.iter().enumerate() {
            let found = liked(json!({ "asOf": time, "validAt": other }));
            // What came after what was known is not known to have changed.
            let expected = if valid <= known { drink } else { &times[known].1 };
            assert_eq!(found, [expected.as_str()], "known at {known}, valid at {valid}");
        }
    }
    assert_eq!(liked(json!({ "validAt": 0 })), [""; 0]);
    let error = world.fails(&engine, "facts.list", json!({ "validAt": 1, "includeEnded": true }));
    assert_eq!(error.code, Code::InvalidInput);
}

#[test]
fn an_import_is_one_commit_and_made_once() {
    let world = World::new();
    let engine = open_with(&world, None, Some(ToyEmbedder::of_lengths()));
    let facts: Vec<Value> = (0..1000_u16)
        .map(|number| {
            json!({
                "text": format!("Fact {number}"), "sourceId": format!("row-{number}"), "significance": 3,
                "embedding": { "at": u32::from(number) * 3, "length": 3 },
            })
        })
        .collect();
    let numbers: Vec<f32> = (0..1000_u16).flat_map(|number| [f32::from(number), 1.0, 0.5]).collect();
    let import = json!({ "facts": facts });
    let imported = world.call_with(&engine, "facts.import", &import, numbers.clone()).unwrap();
    assert_eq!((&imported["added"], &imported["known"]), (&json!(1000), &json!(0)));
    let usage = world.try_call(&engine, "usage", "", json!({})).unwrap();
    assert_eq!((&usage["vectors"], &usage["commits"]), (&json!(1000), &json!(1)));
    let again = json!({ "facts": [
        { "text": "Fact 7 in other words", "sourceId": "row-7" }, { "text": "fact 8." },
        { "text": "New" }, { "text": "new" },
    ] });
    let imported = world.call(&engine, "facts.import", again);
    assert_eq!((&imported["added"], &imported["known"]), (&json!(1), &json!(3)));
    let engine = open_with(&world, None, Some(ToyEmbedder::of_lengths()));
    let again = world.call_with(&engine, "facts.import", &import, numbers).unwrap();
    assert_eq!(again, json!({ "added": 0, "known": 1000 }));
    world.call(&engine, "undo", json!({ "commitId": imported["commitId"] }));
    assert_eq!(
        world.call(&engine, "facts.list", json!({ "filter": { "text": "New" } })),
        json!([]),
        "an import can be taken back"
    );
}

#[test]
fn an_import_that_cannot_be_changes_nothing() {
    let world = World::new();
    let engine = open_with(&world, None, Some(ToyEmbedder::of_lengths()));
    let numbers = vec![1.0, 2.0, 3.0, f32::NAN];
    let stretch = |at: usize, length: usize| json!({ "text": "Here already", "embedding": { "at": at, "length": length } });
    world.call_with(&engine, "facts.add", &stretch(0, 3), numbers.clone()).unwrap();
    let good = json!({ "text": "Good" });
    for (bad, code, said) in [
        (json!({ "text": "" }), Code::InvalidInput, "facts[1]: text is empty"),
        (
            json!({ "text": "x", "significance": 11 }),
            Code::InvalidInput,
            "facts[1].significance is 11; pass a whole number from 1 to 10",
        ),
        (json!({ "text": "x", "sourceId": "" }), Code::InvalidInput, "facts[1]: sourceId"),
        (json!({ "text": "x", "embedding": "AAA=" }), Code::InvalidInput, "facts[1].embedding is"),
        (stretch(2, 3), Code::InvalidInput, "facts[1]: embedding is 3 numbers from 2 on, of the 4 that"),
        (stretch(usize::MAX, 2), Code::InvalidInput, "of the 4 that came with the call"),
        (stretch(1, 3), Code::Embedder, "facts[1]: a vector"),
        (stretch(1, 0), Code::Embedder, "facts[1]: a vector"),
        (json!({ "text": "x", "embedding": { "at": 0, "length": 2 } }), Code::Embedder, "2 dimensions"),
        (json!({ "text": "x", "what": 1 }), Code::InvalidInput, "facts[1].what is no option"),
    ] {
        let import = json!({ "facts": [good, bad] });
        let error = world.call_with(&engine, "facts.import", &import, numbers.clone()).unwrap_err();
        assert_eq!(error.code, code, "{error}");
        assert!(error.message.contains(said), "{error}");
    }
    for count in [0, 1001] {
        let facts = vec![good.clone(); count];
        let error = world.fails(&engine, "facts.import", json!({ "facts": facts }));
        assert!(error.message.contains("1 to 1000"), "{error}");
    }
    assert_eq!(world.call(&engine, "facts.list", json!({})).as_array().unwrap().len(), 1);
    let plain = World::new();
    let engine = open(&plain);
    let error = plain.call_with(&engine, "facts.add", &stretch(0, 3), numbers).unwrap_err();
    assert_eq!((error.code, error.message.contains("your own embedder")), (Code::InvalidInput, true));
}

#[test]
fn a_name_is_free_again_once_its_fact_is_gone() {
    let world = World::new();
    let engine = open(&world);
    let soon = world.now() + 1000;
    world.add(&engine, json!({ "text": "One", "sourceId": "a", "expiresAt": soon }));
    world.machine.pass(2000);
    let two = world.call(&engine, "facts.add", json!({ "text": "Two", "sourceId": "a" }));
    assert_eq!(two["action"], json!("created"));
    let three = world.call(&engine, "facts.add", json!({ "text": "Three", "sourceId": "a" }));
    assert_eq!((&three["action"], &three["id"]), (&json!("unchanged"), &two["id"]));
    world.call(&engine, "facts.delete", json!({ "id": two["id"] }));
    assert_eq!(
        world.call(&engine, "facts.import", json!({ "facts": [{ "text": "Three", "sourceId": "a" }] }))["added"],
        json!(1)
    );
    let other = world.try_call(&engine, "facts.add", BOB, json!({ "text": "Bob", "sourceId": "a" })).unwrap();
    assert_eq!(other["action"], json!("created"), "another scope has names of its own");
    assert!(Id::parse(two["id"].as_str().unwrap()).is_ok());
    assert!(world.try_call(&engine, "facts.list", ALICE, json!({})).is_ok());
}

/// What the user deleted came back with the next import.
#[test]
fn what_was_stored_once_under_a_name_is_not_stored_again() {
    let world = World::new();
    let engine = open(&world);
    let add = |text: &str| {
        world.call(&engine, "facts.add", json!({ "text": text, "sourceId": "mem0/1", "once": true }))
    };
    let first = add("Tea");
    assert_eq!(first["action"], "created");
    assert_eq!(add("Green tea")["action"], "unchanged");
    world.call(&engine, "facts.delete", json!({ "id": first["id"] }));
    let again = add("Tea");
    assert_eq!((&again["action"], &again["id"]), (&json!("unchanged"), &first["id"]));
    assert!(world.facts(&engine).is_empty());
    world.close(&engine);
    let engine = open(&world);
    let again =
        world.call(&engine, "facts.add", json!({ "text": "Tea", "sourceId": "mem0/1", "once": true }));
    assert_eq!(again["action"], "unchanged", "after a reload too");
    let named = world.call(&engine, "facts.add", json!({ "text": "Tea", "sourceId": "mem0/1" }));
    assert_eq!(named["action"], "created", "who asks for it gets it back");
}
