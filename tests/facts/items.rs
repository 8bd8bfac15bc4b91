//! Items: one way to see, edit, pin, delete and purge whatever is remembered.

use super::open;
use crate::support::world::{BOB, HOUR_MS, World, texts};
use mnemic::Code;
use mnemic::database::Database;
use mnemic::engine::Engine;
use mnemic::log::Cause;
use mnemic::store::{Draft, Expect};
use mnemic::{Id, Kind, Record, Scope};
use serde_json::{Value, json};
use std::rc::Rc;

/// One item of every kind that has an interface of its own here.
fn filled(world: &World, engine: &Engine) -> Vec<Value> {
    let fact = world.add(engine, json!({ "text": "Alice plays the cello", "category": "preference" }));
    let field = json!({ "schema": "person", "field": "city", "value": "Lisbon" });
    let field = world.call(engine, "profiles.set", field)["id"].clone();
    let said = world.call(engine, "instructions.set", json!({ "text": "Be brief." }))["id"].clone();
    let episode = json!({ "situation": "a late train", "approach": "rebook", "outcome": "it worked" });
    let episode = world.call(engine, "episodes.add", episode)["id"].clone();
    vec![fact, field, said, episode]
}

/// A graph, written past the interface that makes it.
fn graph(world: &World) -> [Id; 3] {
    let [ann, ben, loves] = [1, 2, 3].map(|number| Id::new(1000, [number; 10]));
    let (storage, platform) = (world.storage.clone(), world.machine.platform());
    world.machine.run(async move {
        let database = Database::open(Rc::new(storage), platform, "words-1").await.unwrap();
        let scope = Scope::from_json(&json!({ "userId": "alice" })).unwrap();
        let mut draft = Draft::new(&scope, Cause::User);
        let record = |id, kind, key: String| {
            let mut record = Record::new(id, kind, scope.clone(), 0);
            record.key = Some(key);
            record
        };
        draft.put(record(ann, Kind::Entity, "Ann".to_owned()), Expect::Absent, None);
        draft.put(record(ben, Kind::Entity, "Ben".to_owned()), Expect::Absent, None);
        let mut relation = record(loves, Kind::Relation, format!("{ann}/{ben}/loves"));
        relation.value = json!({ "from": "Ann", "to": "Ben", "relationType": "loves" });
        draft.put(relation, Expect::Absent, None);
        database.commit(draft).await.unwrap();
        database.close().await;
    });
    [ann, ben, loves]
}

#[test]
fn every_kind_has_the_same_shape_and_a_past() {
    let world = World::new();
    let engine = open(&world);
    let ids = filled(&world, &engine);
    let items = world.call(&engine, "items.list", json!({}));
    assert_eq!(items.as_array().unwrap().len(), 4);
    for (id, text) in ids.iter().zip([
        "Alice plays the cello",
        "city: \"Lisbon\"",
        "Be brief.",
        "When a late train, do: rebook. Outcome: it worked",
    ]) {
        let item = world.call(&engine, "items.get", json!({ "id": id }));
        assert_eq!((&item["text"], &item["origin"]), (&json!(text), &json!("user")));
        for name in ["pinned", "significance", "metadata", "createdAt", "validFrom", "revision", "source"] {
            assert!(!item[name].is_null(), "{name} of {item}");
        }
        assert!(items.as_array().unwrap().contains(&item));
        let why = world.call(&engine, "explain", json!({ "id": id }));
        assert_eq!((&why["text"], &why["origin"]), (&json!(text), &json!("user")));
        let pinned = world.call(&engine, "items.pin", json!({ "id": id }));
        assert_eq!((&pinned["action"], &pinned["revision"]), (&json!("updated"), &json!(2)));
        let again = world.call(&engine, "items.pin", json!({ "id": id }));
        assert_eq!(again["action"], json!("unchanged"));
        let deleted = world.call(&engine, "items.delete", json!({ "id": id }));
        assert_eq!(world.call(&engine, "items.get", json!({ "id": id })), Value::Null);
        world.call(&engine, "undo", json!({ "commitId": deleted["commitId"] }));
        let back = world.call(&engine, "items.get", json!({ "id": id }));
        assert_eq!(
            (&back["text"], &back["pinned"], &back["revision"]),
            (&json!(text), &json!(true), &json!(4))
        );
        assert_eq!(world.call(&engine, "history", json!({ "id": id })).as_array().unwrap().len(), 4);
    }
    assert_eq!(world.try_call(&engine, "items.list", BOB, json!({})).unwrap(), json!([]));
    let bob = world.try_call(&engine, "items.delete", BOB, json!({ "id": ids[0] }));
    assert_eq!(bob.unwrap_err().code, Code::NotFound);
}

#[test]
fn items_are_listed_by_kind_and_condition() {
    let world = World::new();
    let engine = open(&world);
    filled(&world, &engine);
    world.add(&engine, json!({ "text": "Alice moves", "validFrom": world.now() + HOUR_MS }));
    let texts_of = |options: Value| {
        let items = world.call(&engine, "items.list", options);
        texts(&items).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(texts_of(json!({ "kinds": ["fact"] })), ["Alice plays the cello"]);
    assert_eq!(texts_of(json!({ "kinds": ["fact"], "includeEnded": true })).len(), 2);
    assert_eq!(texts_of(json!({ "filter": { "key": "person/city" } })), ["city: \"Lisbon\""]);
    assert_eq!(texts_of(json!({ "limit": 2, "offset": 1 })).len(), 2);
    for bad in [json!({ "kinds": ["message"] }), json!({ "kinds": ["x"] }), json!({ "limit": 0 })] {
        assert_eq!(world.fails(&engine, "items.list", bad).code, Code::InvalidInput);
    }
}

#[test]
fn an_edit_is_checked_by_what_it_edits() {
    let world = World::new();
    let engine = open(&world);
    let ids = filled(&world, &engine);
    let [fact, field, instruction, episode] = &ids[..] else { unreachable!("there are four") };
    let edit = |id: &Value, mut changes: Value| {
        changes["id"] = id.clone();
        world.try_call(&engine, "items.edit", crate::support::world::ALICE, changes)
    };
    edit(fact, json!({ "text": "Alice plays the viola", "significance": 8 })).unwrap();
    assert_eq!(texts(&world.call(&engine, "facts.search", json!({ "query": "viola" }))).len(), 1);
    edit(field, json!({ "value": "Porto", "metadata": { "by": "hand" } })).unwrap();
    let profile = world.call(&engine, "profiles.get", json!({}));
    assert_eq!(profile["person"]["profile"], json!({ "city": "Porto" }));
    assert_eq!(edit(field, json!({ "value": 5 })).unwrap_err().code, Code::SchemaViolation);
    edit(instruction, json!({ "text": "Be kind." })).unwrap();
    assert_eq!(world.call(&engine, "instructions.get", json!({}))["text"], json!("Be kind."));
    let parts = json!({ "situation": "a late bus", "approach": "walk", "outcome": "wet" });
    edit(episode, json!({ "value": parts })).unwrap();
    assert_eq!(world.call(&engine, "episodes.get", json!({ "id": episode }))["approach"], json!("walk"));
    for (id, bad) in [
        (field, json!({ "text": "x" })),
        (fact, json!({ "value": {} })),
        (fact, json!({ "text": " " })),
        (fact, json!({ "significance": 11 })),
        (instruction, json!({ "text": "x".repeat(9000) })),
        (episode, json!({ "value": { "situation": "x" } })),
        (episode, json!({ "text": "x" })),
    ] {
        let before = world.call(&engine, "items.get", json!({ "id": id }));
        assert_eq!(edit(id, bad.clone()).unwrap_err().code, Code::InvalidInput, "{bad}");
        assert_eq!(world.call(&engine, "items.get", json!({ "id": id })), before);
    }
    assert_eq!(edit(fact, json!({})).unwrap()["action"], json!("unchanged"));
}

#[test]
fn what_belongs_to_the_graph_is_edited_there_and_an_entity_takes_its_relations_along() {
    let world = World::new();
    let [ann, ben, loves] = graph(&world);
    let engine = open(&world);
    let relation = world.call(&engine, "items.get", json!({ "id": loves }));
    assert_eq!(relation["text"], json!("Ann loves Ben"));
    for (id, call) in [(ann, "graph.add_observations"), (loves, "graph.create_relations")] {
        let error = world.fails(&engine, "items.edit", json!({ "id": id, "text": "x" }));
        assert!(error.code == Code::InvalidInput && error.message.contains(call), "{error}");
    }
    let deleted = world.call(&engine, "items.delete", json!({ "id": ben }));
    assert_eq!(deleted["id"], json!(ben));
    assert_eq!(world.call(&engine, "items.get", json!({ "id": loves })), Value::Null);
    world.call(&engine, "undo", json!({ "commitId": deleted["commitId"] }));
    let purged = json!({ "kinds": ["entity"], "filter": { "key": "Ann" }, "force": true });
    assert_eq!(world.call(&engine, "items.purge", purged)["count"], json!(1));
    assert_eq!(texts(&world.call(&engine, "items.list", json!({}))), ["Ben"]);
}

#[test]
fn a_purge_is_dry_until_forced() {
    let world = World::new();
    let engine = open(&world);
    filled(&world, &engine);
    let facts: Vec<Value> = (0..700).map(|number| json!({ "text": format!("Fact {number}") })).collect();
    world.call(&engine, "facts.import", json!({ "facts": facts }));
    let mut purge = json!({ "kinds": ["fact"], "filter": { "text": { "$ne": "Fact 7" } } });
    let dry = world.call(&engine, "items.purge", purge.clone());
    assert_eq!((&dry["count"], &dry["purged"]), (&json!(700), &json!(false)));
    assert_eq!(dry["ids"].as_array().unwrap().len(), 700);
    let list = json!({ "kinds": ["fact"], "limit": 1000 });
    assert_eq!(world.call(&engine, "items.list", list.clone()).as_array().unwrap().len(), 701);
    purge["force"] = json!(true);
    assert_eq!(world.call(&engine, "items.purge", purge.clone())["purged"], json!(true));
    assert_eq!(texts(&world.call(&engine, "items.list", list)), ["Fact 7"]);
    assert_eq!(world.call(&engine, "items.purge", purge)["count"], json!(0));
    assert_eq!(world.fails(&engine, "items.purge", json!({ "force": true })).code, Code::InvalidInput);
    assert_eq!(world.call(&engine, "items.list", json!({})).as_array().unwrap().len(), 4);
}

#[test]
fn what_is_pinned_is_recalled_first() {
    let world = World::new();
    let engine = open(&world);
    let pinned = world.add(&engine, json!({ "text": "Alice is allergic to nuts", "significance": 1 }));
    for number in 0..30 {
        world.add(&engine, json!({ "text": format!("Alice plays cello {number}"), "significance": 9 }));
    }
    let first = |options: Value| world.call(&engine, "recall", options)["items"][0]["id"].clone();
    let query = json!({ "query": "cello", "maxTokens": 60 });
    assert_ne!(first(query.clone()), pinned);
    world.call(&engine, "items.pin", json!({ "id": pinned }));
    assert_eq!(first(query.clone()), pinned);
    assert_eq!(first(json!({ "query": "cello", "threshold": 0.9 })), pinned, "whatever the threshold");
    world.call(&engine, "items.pin", json!({ "id": pinned, "pinned": false }));
    assert_ne!(first(query), pinned);
    assert_eq!(world.call(&engine, "facts.list", json!({ "filter": { "pinned": true } })), json!([]));
}

#[test]
fn a_time_to_live_can_be_taken_away() {
    let world = World::new();
    let engine = open(&world);
    let until = world.now() + HOUR_MS;
    for call in ["items.edit", "facts.update"] {
        let id = world
            .add(&engine, json!({ "text": format!("Alice plays the cello, {call}"), "expiresAt": until }));
        let shown = || world.call(&engine, "items.get", json!({ "id": id }))["expiresAt"].clone();
        world.call(&engine, call, json!({ "id": id, "significance": 7 }));
        assert_eq!(shown(), json!(until), "what is not given stays");
        world.call(&engine, call, json!({ "id": id, "expiresAt": null }));
        assert_eq!(shown(), Value::Null, "{call}");
        assert_eq!(
            world.call(&engine, call, json!({ "id": id, "expiresAt": null }))["action"],
            json!("unchanged")
        );
        world.call(&engine, call, json!({ "id": id, "expiresAt": until }));
        assert_eq!(shown(), json!(until));
        assert_eq!(
            world.fails(&engine, call, json!({ "id": id, "expiresAt": "now" })).code,
            Code::InvalidInput
        );
        assert_eq!(world.fails(&engine, call, json!({ "id": id, "expiresAt": -1 })).code, Code::InvalidInput);
        world.call(&engine, call, json!({ "id": id, "expiresAt": null }));
    }
    world.machine.pass(2 * HOUR_MS);
    assert_eq!(world.call(&engine, "facts.list", json!({})).as_array().unwrap().len(), 2);
}
