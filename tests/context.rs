//! The virtual context as an application uses it: a model with a small window and a memory without end.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[path = "support/app.rs"]
mod app;
#[path = "support/machine.rs"]
mod machine;

use app::App;
use mnemic::Code;
use mnemic::engine::Engine;
use serde_json::{Value, json};

fn labels(app: &App, engine: &Engine) -> Vec<String> {
    let blocks = app.call(engine, "context.blocks.list", json!({}));
    blocks.as_array().unwrap().iter().map(|block| block["label"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn blocks_come_from_the_options_until_they_are_changed() {
    let app = App::new();
    let engine = app.open(None, json!({}));
    assert_eq!(labels(&app, &engine), ["persona", "human"]);
    let human = app.call(&engine, "context.blocks.get", json!({ "label": "human" }));
    assert_eq!(human["revision"], 0);
    assert_eq!(human["limit"], 2000);
    assert!(human.get("id").is_none());
    assert_eq!(app.call(&engine, "usage", json!({}))["records"], 0, "reading writes nothing");

    let set = app.call(&engine, "context.blocks.set", json!({ "label": "human", "value": "Ada" }));
    assert_eq!((&set["action"], &set["revision"]), (&json!("created"), &json!(1)));
    let same = app.call(&engine, "context.blocks.set", json!({ "label": "human", "value": "Ada" }));
    assert_eq!(same["action"], "unchanged");
    let read_only = json!({ "label": "human", "readOnly": true });
    assert_eq!(app.call(&engine, "context.blocks.set", read_only)["action"], "updated");
    let human = app.call(&engine, "context.blocks.get", json!({ "label": "human" }));
    assert_eq!(
        (&human["value"], &human["readOnly"], &human["revision"]),
        (&json!("Ada"), &json!(true), &json!(2))
    );
    assert_eq!(human["description"], "What you know about the person you speak with.");
    let history = app.call(&engine, "history", json!({ "id": human["id"] }));
    assert_eq!(history.as_array().unwrap().len(), 2);
    let items = app.call(&engine, "items.list", json!({ "kinds": ["block"] }));
    assert_eq!(items[0]["text"], "human: Ada");

    app.close(&engine);
    let options = json!({ "context": { "blocks": [{ "label": "persona", "value": "Mina" }, { "label": "human", "value": "?" }] } });
    let engine = app.open(None, options);
    let blocks = app.call(&engine, "context.blocks.list", json!({}));
    assert_eq!((&blocks[0]["value"], &blocks[1]["value"]), (&json!("Mina"), &json!("Ada")));
}

#[test]
fn a_deleted_block_stays_away() {
    let app = App::new();
    let engine = app.open(None, json!({}));
    for label in ["human", "persona"] {
        assert_eq!(
            app.call(&engine, "context.blocks.delete", json!({ "label": label }))["action"],
            "deleted"
        );
    }
    app.call(&engine, "context.blocks.set", json!({ "label": "plans/2026", "value": "Lisbon" }));
    assert_eq!(labels(&app, &engine), ["plans/2026"]);
    assert_eq!(app.call(&engine, "context.blocks.get", json!({ "label": "human" })), Value::Null);
    let error = app.try_call(&engine, "context.blocks.delete", json!({ "label": "human" })).unwrap_err();
    assert_eq!(error.code, Code::NotFound);
    app.call(&engine, "context.blocks.set", json!({ "label": "human", "value": "back" }));
    assert_eq!(labels(&app, &engine), ["human", "plans/2026"]);
}

#[test]
fn a_block_that_cannot_be_is_refused() {
    let app = App::new();
    let engine = app.open(None, json!({}));
    for (set, told) in [
        (
            json!({ "label": "human", "value": "x".repeat(2001) }),
            "Value exceeds 2000 character limit (requested 2001).",
        ),
        (json!({ "label": "", "value": "x" }), "label is empty"),
        (json!({ "label": "a b" }), "use letters, digits and _ - . /"),
        (json!({ "label": "</human>" }), "use letters, digits and _ - . /"),
        (json!({ "label": "x".repeat(65) }), "over the limit of 64"),
        (json!({ "label": "human", "limit": 0 }), "limit goes from 1 to 100000"),
        (json!({ "label": "human", "limit": 100_001 }), "limit goes from 1 to 100000"),
        (json!({ "label": "human", "description": "x".repeat(2049) }), "over the limit of 2048"),
        (json!({ "label": "human", "size": 5 }), "unknown field `size`"),
    ] {
        let error = app.try_call(&engine, "context.blocks.set", set).unwrap_err();
        assert_eq!(error.code, Code::InvalidInput);
        assert!(error.message.contains(told), "{}", error.message);
    }
    app.call(&engine, "context.blocks.set", json!({ "label": "human", "value": "가".repeat(2000) }));
    let error =
        app.try_call(&engine, "context.blocks.set", json!({ "label": "human", "limit": 1999 })).unwrap_err();
    assert!(error.message.contains("(requested 2000)"), "{}", error.message);
    for number in 2..64 {
        app.call(&engine, "context.blocks.set", json!({ "label": format!("b{number}") }));
    }
    let error = app.try_call(&engine, "context.blocks.set", json!({ "label": "more" })).unwrap_err();
    assert!(error.message.contains("there are 64 blocks"), "{}", error.message);
}
