//! Merging a backup into a memory that went on, that is another, or that has none of it.

use crate::support::world::{ALICE, BOB, DAY_MS, World};
use mnemic::Code;
use mnemic::engine::Engine;
use proptest::prelude::*;
use serde_json::{Value, json};

fn open(world: &World) -> Engine {
    world.open(None, &json!({}))
}

fn merge(world: &World, engine: &Engine, scope: &str, file: &[u8]) -> Value {
    world.import(engine, scope, file, "backups.merge", json!({ "mode": "merge" })).unwrap()
}

/// What a scope remembers, without the times of commits, which are those of the merge.
fn items(world: &World, engine: &Engine, scope: &str) -> Vec<Value> {
    let items = world.try_call(engine, "items.list", scope, json!({ "limit": 1000 })).unwrap();
    let mut items = items.as_array().unwrap().clone();
    items.sort_by_key(|item| item["id"].as_str().unwrap().to_owned());
    items
}

fn history(world: &World, engine: &Engine, id: &Value) -> Vec<Value> {
    let history = world.call(engine, "history", json!({ "id": id }));
    history.as_array().unwrap().iter().map(|version| version["text"].clone()).collect()
}

fn undo(world: &World, engine: &Engine, merged: &Value) {
    for commit in merged["commits"].as_array().unwrap() {
        let scope = commit["scope"].to_string();
        world.try_call(engine, "undo", &scope, json!({ "commitId": commit["commitId"] })).unwrap();
    }
}

/// Two worlds with the same past, at different times of the same clock.
fn apart() -> (World, Engine, World, Engine, Value) {
    let one = World::new();
    let here = open(&one);
    let id = one.add(&here, json!({ "text": "Ann lives in Lisbon" }));
    let file = one.export(&here, "");
    let other = World::new();
    let there = open(&other);
    other.import(&there, "", &file, "backups.replace", json!({})).unwrap();
    one.machine.pass(DAY_MS);
    other.machine.pass(DAY_MS);
    (one, here, other, there, id)
}

#[test]
fn what_is_new_comes_with_all_of_its_versions() {
    let (one, here, other, there, id) = apart();
    other.call(&there, "facts.update", json!({ "id": id, "text": "Ann lives in Porto" }));
    let cello = other.add(&there, json!({ "text": "Ann plays the cello" }));
    other.call(&there, "facts.update", json!({ "id": cello, "text": "Ann plays the viola" }));
    one.add(&here, json!({ "text": "Ann sails" }));
    let file = other.export(&there, "");
    let before = items(&one, &here, ALICE);
    let merged = merge(&one, &here, "", &file);
    assert_eq!((&merged["added"], &merged["updated"], &merged["removed"]), (&json!(1), &json!(1), &json!(0)));
    let mut facts = one.facts(&here);
    facts.sort();
    assert_eq!(facts, ["Ann lives in Porto", "Ann plays the viola", "Ann sails"]);
    assert_eq!(history(&one, &here, &cello), ["Ann plays the cello", "Ann plays the viola"]);
    assert_eq!(history(&one, &here, &id), ["Ann lives in Lisbon", "Ann lives in Porto"]);
    assert_eq!(one.call(&here, "usage", json!({}))["unembedded"], json!(0));
    // Twice is as once, also after the memory is opened again.
    let again = merge(&one, &open(&one), "", &file);
    assert_eq!((&again["commits"], &again["unchanged"]), (&json!([]), &json!(2)), "{again}");
    undo(&one, &here, &merged);
    let back =
        |items: Vec<Value>| -> Vec<Value> { items.into_iter().map(|item| item["text"].clone()).collect() };
    assert_eq!(back(items(&one, &here, ALICE)), back(before));
    assert_eq!(one.call(&here, "verify", json!({}))["damage"], json!([]));
}

#[test]
fn where_both_went_on_the_newer_one_counts_and_the_other_stays_in_the_history() {
    let (one, here, other, there, id) = apart();
    other.call(&there, "facts.update", json!({ "id": id, "text": "Ann lives in Porto" }));
    one.machine.pass(DAY_MS);
    one.call(&here, "facts.update", json!({ "id": id, "text": "Ann lives in Faro" }));
    // There it is older: here nothing changes.
    let merged = merge(&one, &here, "", &other.export(&there, ""));
    assert_eq!(merged["commits"], json!([]));
    assert_eq!(one.facts(&here), ["Ann lives in Faro"]);
    // And there the newer one comes.
    other.machine.pass(2 * DAY_MS);
    let file = one.export(&here, "");
    assert_eq!(merge(&other, &there, "", &file)["updated"], json!(1));
    assert_eq!(
        history(&other, &there, &id),
        ["Ann lives in Lisbon", "Ann lives in Porto", "Ann lives in Faro"]
    );
    assert_eq!(merge(&other, &there, "", &file)["commits"], json!([]));
}

#[test]
fn what_was_deleted_later_stays_deleted() {
    let (one, here, other, there, id) = apart();
    let file = other.export(&there, "");
    one.call(&here, "facts.delete", json!({ "id": id }));
    assert_eq!(merge(&one, &here, "", &file)["commits"], json!([]), "an old backup brings nothing back");
    assert_eq!(one.facts(&here), [""; 0]);
    // The deletion is what is newer there.
    let merged = merge(&other, &there, "", &one.export(&here, ""));
    assert_eq!(merged["removed"], json!(1));
    assert_eq!(other.facts(&there), [""; 0]);
    undo(&other, &there, &merged);
    assert_eq!(other.facts(&there), ["Ann lives in Lisbon"]);
}

#[test]
fn what_has_the_same_key_or_words_is_one() {
    let (one, here, other, there, _) = apart();
    let document = |text: &str| json!({ "namespace": ["notes"], "key": "k", "value": { "text": text } });
    let entity = |name: &str, seen: &str| json!({ "entities": [{ "name": name, "entityType": "person", "observations": [seen] }] });
    one.call(&here, "documents.put", document("old"));
    one.call(&here, "graph.create_entities", entity("Ann", "old"));
    one.add(&here, json!({ "text": "Ann plays the cello" }));
    other.machine.pass(DAY_MS);
    other.call(&there, "documents.put", document("new"));
    other.call(&there, "graph.create_entities", entity("Ann", "new"));
    other.call(&there, "graph.create_entities", entity("Bo", "new"));
    let relation = json!({ "relations": [{ "from": "Ann", "to": "Bo", "relationType": "knows" }] });
    other.call(&there, "graph.create_relations", relation);
    other.add(&there, json!({ "text": "ann plays the cello." }));
    one.machine.pass(3 * DAY_MS);
    let file = other.export(&there, "");
    let merged = merge(&one, &here, "", &file);
    let kept = one.call(&here, "documents.get", json!({ "namespace": ["notes"], "key": "k" }));
    assert_eq!(kept["value"]["text"], json!("new"));
    let graph = one.call(&here, "graph.read_graph", json!({}));
    assert_eq!(
        graph["relations"],
        json!([{ "from": "Ann", "to": "Bo", "relationType": "knows" }]),
        "{graph}"
    );
    assert_eq!(graph["entities"].as_array().unwrap().len(), 2);
    assert_eq!(graph["entities"][0]["observations"], json!(["new"]));
    assert_eq!(one.facts(&here).len(), 2, "the cello is one fact");
    assert_eq!(merge(&one, &here, "", &file)["commits"], json!([]));
    undo(&one, &here, &merged);
    let graph = one.call(&here, "graph.read_graph", json!({}));
    assert_eq!(
        graph["entities"],
        json!([{ "name": "Ann", "entityType": "person", "observations": ["old"] }])
    );
}

#[test]
fn a_scope_goes_into_another_one_with_ids_of_its_own() {
    let world = World::new();
    let engine = open(&world);
    world.teach(&engine, "My name is Ann and I live in Lisbon.");
    let entities = json!([
        { "name": "Ann", "entityType": "person", "observations": [] },
        { "name": "Bo", "entityType": "person", "observations": [] },
    ]);
    world.call(&engine, "graph.create_entities", json!({ "entities": entities }));
    let relation = json!({ "from": "Ann", "to": "Bo", "relationType": "knows" });
    world.call(&engine, "graph.create_relations", json!({ "relations": [relation] }));
    let file = world.export(&engine, ALICE);
    let mine = items(&world, &engine, ALICE);
    let merged = merge(&world, &engine, BOB, &file);
    assert_eq!(merged["commits"][0]["scope"], json!({ "userId": "bob" }));
    let texts = |items: &[Value]| {
        let mut texts: Vec<String> =
            items.iter().map(|item| format!("{} {}", item["kind"], item["text"])).collect();
        texts.sort();
        texts
    };
    let theirs = items(&world, &engine, BOB);
    assert_eq!(texts(&theirs), texts(&mine));
    assert_eq!(items(&world, &engine, ALICE), mine, "nothing changes where it came from");
    let graph = world.try_call(&engine, "graph.read_graph", BOB, json!({})).unwrap();
    assert_eq!(graph["relations"], json!([{ "from": "Ann", "to": "Bo", "relationType": "knows" }]));
    // What was learned is explained by the message that came along.
    let fact = theirs.iter().find(|item| item["kind"] == "fact").unwrap();
    let why = world.try_call(&engine, "explain", BOB, json!({ "id": fact["id"] })).unwrap();
    assert!(why["source"][0]["message"].as_str().unwrap().contains("Lisbon"), "{why}");
    assert_eq!(merge(&world, &engine, BOB, &file)["commits"], json!([]));
    undo(&world, &engine, &merged);
    assert_eq!(items(&world, &engine, BOB), Vec::<Value>::new());
}

#[test]
fn one_scope_can_be_taken_from_a_whole_backup_and_put_in_place() {
    let (one, here, other, there, id) = apart();
    other.try_call(&there, "facts.add", BOB, json!({ "text": "Bob keeps bees" })).unwrap();
    other.call(&there, "facts.update", json!({ "id": id, "text": "Ann lives in Porto" }));
    one.add(&here, json!({ "text": "Ann sails" }));
    one.machine.pass(DAY_MS);
    one.call(&here, "facts.update", json!({ "id": id, "text": "Ann lives in Faro" }));
    let file = other.export(&there, "");
    let options = json!({ "mode": "replace", "scope": { "userId": "alice" } });
    let done = one.import(&here, "", &file, "backups.merge", options).unwrap();
    assert_eq!(one.facts(&here), ["Ann lives in Porto"], "whatever is newer, and nothing else");
    assert_eq!(items(&one, &here, BOB), Vec::<Value>::new());
    undo(&one, &here, &done);
    let mut facts = one.facts(&here);
    facts.sort();
    assert_eq!(facts, ["Ann lives in Faro", "Ann sails"]);
    let nobody = json!({ "mode": "merge", "scope": { "userId": "nobody" } });
    assert_eq!(one.import(&here, "", &file, "backups.merge", nobody).unwrap_err().code, Code::NotFound);
}

#[test]
fn words_that_one_fact_has_here_and_another_there_change_hands_and_come_back() {
    let replace = || json!({ "mode": "replace", "scope": { "userId": "alice" } });
    let facts = |world: &World, engine: &Engine| {
        let mut facts = world.facts(engine);
        facts.sort();
        facts
    };
    for is_new_there in [true, false] {
        let (one, here, other, there, lisbon) = apart();
        let sails = other.add(&there, json!({ "text": "Ann sails" }));
        one.import(&here, "", &other.export(&there, ""), "backups.merge", replace()).unwrap();
        one.call(&here, "facts.update", json!({ "id": lisbon, "text": "Ann lives in Porto" }));
        if is_new_there {
            other.add(&there, json!({ "text": "Ann lives in Porto" }));
        } else {
            other.call(&there, "facts.update", json!({ "id": sails, "text": "Ann lives in Porto" }));
        }
        let before = facts(&one, &here);
        let done = one.import(&here, "", &other.export(&there, ""), "backups.merge", replace()).unwrap();
        assert_eq!(facts(&one, &here), facts(&other, &there));
        undo(&one, &here, &done);
        assert_eq!(facts(&one, &here), before);
    }
}

/// Something that a person does.
#[derive(Debug, Clone)]
enum Deed {
    Fact(u8),
    Reword(u8, u8),
    Forget(u8),
    Document(u8, u8),
    Drop(u8),
    Entity(u8),
    Relation(u8, u8),
    Remove(u8),
    Say(u8),
    Undo,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        (0..6u8).prop_map(Deed::Fact),
        (0..6u8, 0..6u8).prop_map(|(a, b)| Deed::Reword(a, b)),
        (0..6u8).prop_map(Deed::Forget),
        (0..3u8, 0..4u8).prop_map(|(a, b)| Deed::Document(a, b)),
        (0..3u8).prop_map(Deed::Drop),
        (0..4u8).prop_map(Deed::Entity),
        (0..4u8, 0..4u8).prop_map(|(a, b)| Deed::Relation(a, b)),
        (0..4u8).prop_map(Deed::Remove),
        (0..4u8).prop_map(Deed::Say),
        Just(Deed::Undo),
    ]
}

/// Does it, as far as it can be done.
fn act(world: &World, engine: &Engine, deed: &Deed) {
    world.machine.pass(1000);
    let ids = |kind: &str| -> Vec<Value> {
        let items = items(world, engine, ALICE);
        items.into_iter().filter(|item| item["kind"] == kind).map(|item| item["id"].clone()).collect()
    };
    let name = |number: &u8| format!("Person {number}");
    let (method, options) = match deed {
        Deed::Fact(n) => ("facts.add", json!({ "text": format!("Ann knows the number {n}") })),
        Deed::Reword(at, n) => {
            let facts = ids("fact");
            let Some(id) = facts.get(usize::from(*at)) else { return };
            ("facts.update", json!({ "id": id, "text": format!("Ann likes the number {n}") }))
        }
        Deed::Forget(at) => {
            let facts = ids("fact");
            let Some(id) = facts.get(usize::from(*at)) else { return };
            ("facts.delete", json!({ "id": id }))
        }
        Deed::Document(key, value) => {
            let value = json!({ "n": value });
            ("documents.put", json!({ "namespace": ["d"], "key": format!("k{key}"), "value": value }))
        }
        Deed::Drop(key) => ("documents.delete", json!({ "namespace": ["d"], "key": format!("k{key}") })),
        Deed::Entity(n) => {
            let entity = json!({ "name": name(n), "entityType": "person", "observations": [] });
            ("graph.create_entities", json!({ "entities": [entity] }))
        }
        Deed::Relation(a, b) => {
            let relation = json!({ "from": name(a), "to": name(b), "relationType": "knows" });
            ("graph.create_relations", json!({ "relations": [relation] }))
        }
        Deed::Remove(n) => ("graph.delete_entities", json!({ "entityNames": [name(n)] })),
        Deed::Say(n) => {
            let message =
                json!({ "role": "user", "content": format!("I saw {n} birds."), "id": format!("m{n}") });
            ("remember", json!({ "messages": [message], "threadId": "t", "learn": false }))
        }
        Deed::Undo => {
            let commits = world.call(engine, "commits.list", json!({}));
            let commits = commits["commits"].as_array().or(commits.as_array()).cloned().unwrap_or_default();
            let Some(commit) = commits.first() else { return };
            ("undo", json!({ "commitId": commit["commitId"] }))
        }
    };
    // What cannot be done is refused, and that is as good.
    let _ = world.try_call(engine, method, ALICE, options);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_two_memories_merge(
        common in prop::collection::vec(deed(), 0..12),
        mine in prop::collection::vec(deed(), 0..12),
        theirs in prop::collection::vec(deed(), 0..12),
        replace: bool,
        elsewhere: bool,
        seed in 1..1000u64,
    ) {
        let (one, mut other) = (World::new(), World::new());
        other.machine = crate::support::machine::Machine::new(seed * 2 + 1);
        let (here, there) = (open(&one), open(&other));
        common.iter().for_each(|deed| act(&one, &here, deed));
        if !elsewhere {
            other.import(&there, "", &one.export(&here, ""), "backups.replace", json!({})).unwrap();
        }
        mine.iter().for_each(|deed| act(&one, &here, deed));
        other.machine.pass(6000);
        theirs.iter().for_each(|deed| act(&other, &there, deed));
        one.machine.pass(DAY_MS);
        let file = other.export(&there, "");
        let before = items(&one, &here, ALICE);
        let options = || json!({ "mode": if replace { "replace" } else { "merge" }, "scope": { "userId": "alice" } });
        let Ok(merged) = one.import(&here, "", &file, "backups.merge", options()) else {
            // Nothing was ever done there.
            assert_eq!(items(&other, &there, ALICE), Vec::<Value>::new());
            return Ok(());
        };
        let after = items(&one, &here, ALICE);
        if replace {
            let contents = |items: &[Value]| {
                let content = |item: &Value| format!("{} {} {}", item["kind"], item["text"], item["key"].as_str().filter(|_| item["kind"] != "relation" && item["kind"] != "message").unwrap_or_default());
                let mut contents: Vec<String> = items.iter().map(content).collect();
                contents.sort();
                contents
            };
            assert_eq!(contents(&after), contents(&items(&other, &there, ALICE)));
        }
        // What is stored is what is in memory.
        let again = open(&one);
        assert_eq!(items(&one, &again, ALICE), after);
        assert_eq!(one.call(&again, "verify", json!({}))["damage"], json!([]));
        // Keys lead to their records, and relations have their ends.
        let graph = one.call(&again, "graph.read_graph", json!({}));
        let relations = after.iter().filter(|item| item["kind"] == "relation").count();
        assert_eq!(graph["relations"].as_array().unwrap().len(), relations);
        // Twice is as once.
        let twice = one.import(&here, "", &file, "backups.merge", options()).unwrap();
        assert_eq!(twice["commits"], json!([]), "{twice}");
        assert_eq!(items(&one, &here, ALICE), after);
        // And it can be taken back.
        undo(&one, &here, &merged);
        let said = |items: Vec<Value>| -> Vec<(Value, Value, Value)> {
            items.into_iter().map(|item| (item["id"].clone(), item["text"].clone(), item["value"].clone())).collect()
        };
        assert_eq!(said(items(&one, &here, ALICE)), said(before));
    }
}

fn cases() -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(60)
}
