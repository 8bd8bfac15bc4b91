//! Blocks: from the options, as functions edit them, and those that are refused.

use super::{call, calls, function, options, says, step};
use crate::support::world::{ALICE, Scripted, World};
use mnemic::Code;
use mnemic::engine::Engine;
use serde_json::{Value, json};

fn labels(world: &World, engine: &Engine) -> Vec<String> {
    let blocks = world.call(engine, "context.blocks.list", json!({}));
    blocks.as_array().unwrap().iter().map(|block| block["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn blocks_come_from_the_options_until_they_are_changed() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    assert_eq!(labels(&world, &engine), ["persona", "human"]);
    let human = world.call(&engine, "context.blocks.get", json!({ "label": "human" }));
    assert_eq!(human["revision"], 0);
    assert_eq!(human["limit"], 2000);
    assert!(human.get("id").is_none());
    assert_eq!(world.call(&engine, "usage", json!({}))["records"], 0, "reading writes nothing");

    let set = world.call(&engine, "context.blocks.set", json!({ "label": "human", "value": "Ada" }));
    assert_eq!((&set["action"], &set["revision"]), (&json!("created"), &json!(1)));
    let same = world.call(&engine, "context.blocks.set", json!({ "label": "human", "value": "Ada" }));
    assert_eq!(same["action"], "unchanged");
    let read_only = json!({ "label": "human", "readOnly": true });
    assert_eq!(world.call(&engine, "context.blocks.set", read_only)["action"], "updated");
    let human = world.call(&engine, "context.blocks.get", json!({ "label": "human" }));
    assert_eq!(
        (&human["value"], &human["readOnly"], &human["revision"]),
        (&json!("Ada"), &json!(true), &json!(2))
    );
    assert_eq!(human["description"], "What you know about the person you speak with.");
    let history = world.call(&engine, "history", json!({ "id": human["id"] }));
    assert_eq!(history.as_array().unwrap().len(), 2);
    let items = world.call(&engine, "items.list", json!({ "kinds": ["block"] }));
    assert_eq!(items[0]["text"], "human: Ada");

    world.close(&engine);
    let options = json!({ "context": { "blocks": [{ "label": "persona", "value": "Mina" }, { "label": "human", "value": "?" }] } });
    let engine = world.open(None, &options);
    let blocks = world.call(&engine, "context.blocks.list", json!({}));
    assert_eq!((&blocks[0]["value"], &blocks[1]["value"]), (&json!("Mina"), &json!("Ada")));
}

#[test]
fn a_deleted_block_stays_away() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for label in ["human", "persona"] {
        assert_eq!(
            world.call(&engine, "context.blocks.delete", json!({ "label": label }))["action"],
            "deleted"
        );
    }
    world.call(&engine, "context.blocks.set", json!({ "label": "plans/2026", "value": "Lisbon" }));
    assert_eq!(labels(&world, &engine), ["plans/2026"]);
    assert_eq!(world.call(&engine, "context.blocks.get", json!({ "label": "human" })), Value::Null);
    let error =
        world.try_call(&engine, "context.blocks.delete", ALICE, json!({ "label": "human" })).unwrap_err();
    assert_eq!(error.code, Code::NotFound);
    world.call(&engine, "context.blocks.set", json!({ "label": "human", "value": "back" }));
    assert_eq!(labels(&world, &engine), ["human", "plans/2026"]);
}

#[test]
fn a_block_that_cannot_be_is_refused() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for (set, told) in [
        (
            json!({ "label": "human", "value": "x".repeat(2001) }),
            "Value exceeds 2000 character limit (requested 2001).",
        ),
        (json!({ "label": "", "value": "x" }), "label is empty"),
        (json!({ "label": "a b" }), "use letters, digits and _ - . /"),
        (json!({ "label": "</human>" }), "use letters, digits and _ - . /"),
        (json!({ "label": "x".repeat(65) }), "over the limit of 64"),
        (json!({ "label": "human", "limit": 0 }), "limit is 0; pass a whole number from 1 to 100000"),
        (
            json!({ "label": "human", "limit": 100_001 }),
            "limit is 100001; pass a whole number from 1 to 100000",
        ),
        (json!({ "label": "human", "description": "x".repeat(2049) }), "over the limit of 2048"),
        (json!({ "label": "human", "size": 5 }), "size is no option"),
    ] {
        let error = world.try_call(&engine, "context.blocks.set", ALICE, set).unwrap_err();
        assert_eq!(error.code, Code::InvalidInput);
        assert!(error.message.contains(told), "{}", error.message);
    }
    world.call(&engine, "context.blocks.set", json!({ "label": "human", "value": "가".repeat(2000) }));
    let error = world
        .try_call(&engine, "context.blocks.set", ALICE, json!({ "label": "human", "limit": 1999 }))
        .unwrap_err();
    assert!(error.message.contains("(requested 2000)"), "{}", error.message);
    for number in 2..64 {
        world.call(&engine, "context.blocks.set", json!({ "label": format!("b{number}") }));
    }
    let error = world.try_call(&engine, "context.blocks.set", ALICE, json!({ "label": "more" })).unwrap_err();
    assert!(error.message.contains("there are already 64 blocks"), "{}", error.message);
}

#[test]
fn functions_edit_blocks_and_say_exactly_what_is_wrong() {
    let world = World::new();
    let blocks = json!([
        { "label": "human", "value": "Ada\nlikes tea\nand more tea" },
        { "label": "rules", "value": "Be kind.", "readOnly": true },
    ]);
    let engine = world.open(None, &options(json!({ "blocks": blocks })));
    let value = || world.call(&engine, "context.blocks.get", json!({ "label": "human" }))["value"].clone();
    for (name, arguments, told) in [
        (
            "core_memory_append",
            json!({ "label": "human", "content": "x".repeat(2000) }),
            "Value exceeds 2000 character limit (requested 2027).",
        ),
        (
            "core_memory_append",
            json!({ "label": "rules", "content": "x" }),
            "This block is read-only and cannot be edited.",
        ),
        (
            "memory_rethink",
            json!({ "label": "rules", "new_memory": "x" }),
            "This block is read-only and cannot be edited.",
        ),
        (
            "core_memory_replace",
            json!({ "label": "human", "old_content": "coffee", "new_content": "" }),
            "Old content 'coffee' not found in memory block 'human'",
        ),
        (
            "memory_replace",
            json!({ "label": "human", "old_string": "coffee", "new_string": "" }),
            "No replacement was performed, old_string `coffee` did not appear verbatim in memory block with label `human`.",
        ),
        (
            "memory_replace",
            json!({ "label": "human", "old_string": "tea", "new_string": "milk" }),
            "No replacement was performed. Multiple occurrences of old_string `tea` in lines [2, 3]. Please ensure it is unique.",
        ),
        (
            "memory_insert",
            json!({ "label": "human", "new_string": "x", "insert_line": 4 }),
            "Invalid `insert_line` parameter: 4. It should be within the range of lines of the memory block: [0, 3], or -1",
        ),
        (
            "core_memory_append",
            json!({ "label": "nobody", "content": "x" }),
            "Block field nobody does not exist (available sections = human, rules)",
        ),
        ("memory_rethink", json!({ "label": "a b", "new_memory": "x" }), "holds a sign that labels cannot"),
        ("core_memory_append", json!({ "label": "human" }), "Invalid arguments for core_memory_append: "),
        (
            "core_memory_append",
            json!({ "label": 5, "content": "x" }),
            "Invalid arguments for core_memory_append: /label: ",
        ),
        ("core_memory_append", json!("{\"label\": \"hum"), "are not a complete JSON object"),
        (
            "core_memory_append",
            json!({ "label": "human", "content": "x".repeat(1 << 20) }),
            "The arguments of core_memory_append have 1048606 bytes, over the limit of 131072.",
        ),
        ("format_disk", json!({}), "There is no tool \"format_disk\". There are: send_message, "),
        (
            "conversation_search_date",
            json!({ "start_date": "soon", "end_date": "2026-01-01" }),
            "Invalid `start_date` parameter: \"soon\". Write YYYY-MM-DD or YYYY-MM-DDTHH:MM.",
        ),
        (
            "conversation_search_date",
            json!({ "start_date": "2026-02-01", "end_date": "2026-01-01" }),
            "`start_date` is after `end_date`",
        ),
        (
            "archival_memory_insert",
            json!({ "content": "x", "tags": vec!["t"; 17] }),
            "Invalid arguments for archival_memory_insert: /tags",
        ),
    ] {
        let (ok, result) = function(&world, &engine, name, arguments);
        assert!(!ok, "{name}: {result}");
        assert!(result.contains(told), "{name}: {result}");
    }
    assert_eq!(world.call(&engine, "usage", json!({}))["records"], 0, "nothing changed on error");

    let (ok, result) = function(
        &world,
        &engine,
        "memory_replace",
        json!({ "label": "human", "old_string": "likes tea", "new_string": "likes milk" }),
    );
    assert_eq!((ok, result.as_str()), (true, "Ada\nlikes milk\nand more tea"));
    let text = json!("{\"label\": \"human\", \"new_string\": \"25\", \"insert_line\": 1}");
    assert!(function(&world, &engine, "memory_insert", text).0);
    assert!(
        function(
            &world,
            &engine,
            "core_memory_replace",
            json!({ "label": "human", "old_content": "\nand more tea", "new_content": "" })
        )
        .0
    );
    assert!(
        function(
            &world,
            &engine,
            "core_memory_append",
            json!({ "label": "human", "content": "Lisbon", "request_heartbeat": true })
        )
        .0
    );
    assert_eq!(value(), "Ada\n25\nlikes milk\nLisbon");
    assert!(
        function(
            &world,
            &engine,
            "memory_rethink",
            json!({ "thinking": "new", "label": "plans", "new_memory": "Go home." })
        )
        .0
    );
    assert_eq!(labels(&world, &engine), ["human", "rules", "plans"]);
    assert!(function(&world, &engine, "send_message", json!({ "message": "Hello" })).0);
    let said = world.call(&engine, "threads.messages", json!({}));
    assert_eq!((&said[0]["role"], &said[0]["content"]), (&json!("assistant"), &json!("Hello")));
}

/// Blocks were read-only or not; that one is pinned nobody asked.
#[test]
fn a_step_leaves_a_pinned_block_as_it_is() {
    let world = World::new();
    let rethink = calls([call("memory_rethink", json!({ "label": "human", "new_memory": "Eve" }))]);
    let llm = Scripted::new([rethink, says("I cannot.")]);
    let engine = world.open(Some(llm), &options(json!({})));
    let id =
        world.call(&engine, "context.blocks.set", json!({ "label": "human", "value": "Ada" }))["id"].clone();
    world.call(&engine, "items.pin", json!({ "id": id }));
    let stepped = step(&world, &engine, "I'm Eve.");
    assert_eq!(stepped["calls"][0]["result"], "The user pinned this block; it has to stay as it is.");
    assert_eq!(world.call(&engine, "context.blocks.get", json!({ "label": "human" }))["value"], "Ada");
}
