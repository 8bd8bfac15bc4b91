//! One set of rules for edits, whichever call makes them.

use super::open;
use crate::support::world::World;
use mnemic::Code;
use serde_json::{Value, json};

/// `facts.update` kept the sources and the origin of the old words, `items.edit` cleared them.
#[test]
fn new_words_of_a_fact_come_from_the_user_whichever_call_gives_them() {
    let mut edited = Vec::new();
    for method in ["facts.update", "items.edit"] {
        let world = World::new();
        let engine = open(&world);
        world.teach(&engine, "I live in Paris.");
        let fact = |asked: Value| world.call(&engine, "facts.list", asked)[0].clone();
        let learned = fact(json!({}));
        assert_eq!((&learned["origin"], learned["source"].as_array().unwrap().len()), (&json!("rules"), 1));
        let edit = |text: &Value| {
            world.call(&engine, method, json!({ "id": learned["id"], "text": text, "significance": 9 }))
        };
        edit(&learned["text"]);
        let same = fact(json!({}));
        assert_eq!((&same["origin"], &same["source"]), (&learned["origin"], &learned["source"]), "{method}");
        assert_eq!(same["significance"], json!(9));
        edit(&json!("Rome is home to the user"));
        let other = fact(json!({}));
        assert_eq!((&other["origin"], &other["source"]), (&json!("user"), &json!([])), "{method}");
        // What the rules knew of their own statement is no longer of this one: Paris is news again.
        world.teach(&engine, "I live in Paris.");
        let texts = world.facts(&engine);
        assert!(texts.contains(&learned["text"].as_str().unwrap().to_owned()), "{method}: {texts:?}");
        edited.push(texts);
        let again = json!({ "id": other["id"], "text": learned["text"] });
        assert_eq!(world.fails(&engine, method, again).code, Code::InvalidInput, "{method}");
    }
    assert_eq!(edited[0], edited[1]);
}

/// Two commits of one millisecond had one time, so that no time told the states apart.
#[test]
fn two_writes_in_one_millisecond_have_two_times() {
    let world = World::new();
    let engine = open(&world);
    let id = world.add(&engine, json!({ "text": "Version 0" }));
    let mut times =
        vec![world.call(&engine, "facts.get", json!({ "id": id }))["updatedAt"].as_i64().unwrap()];
    for version in 1..5 {
        let text = format!("Version {version}");
        world.call(&engine, "facts.update", json!({ "id": id, "text": text }));
        times.push(world.call(&engine, "facts.get", json!({ "id": id }))["updatedAt"].as_i64().unwrap());
    }
    assert!(times.is_sorted_by(|one, other| one < other), "{times:?}");
    // The present moment would mean the present state.
    world.machine.pass(1000);
    for (version, time) in times.iter().enumerate() {
        let then = world.call(&engine, "facts.get", json!({ "id": id, "asOf": time }));
        assert_eq!(then["text"], json!(format!("Version {version}")));
    }
}

/// A search tells a filter only what it asks for of a fact: the same as what is shown.
#[test]
fn a_fact_is_found_by_each_of_its_values() {
    let world = World::new();
    let engine = open(&world);
    let fact = json!({
        "text": "Tea", "category": "goal", "significance": 7, "metadata": { "a": 1 },
        "dates": { "since": "2021", "until": "2031" }, "expiresAt": 4_000_000_000_000_i64,
    });
    world.add(&engine, fact);
    world.add(&engine, json!({ "text": "Green tea" }));
    let find = |filter: &Value| {
        let found = world.call(&engine, "facts.search", json!({ "query": "tea", "filter": filter }));
        let ids: Vec<Value> = found.as_array().unwrap().iter().map(|fact| fact["id"].clone()).collect();
        ids
    };
    let shown = world.call(&engine, "facts.list", json!({}));
    for fact in shown.as_array().unwrap() {
        for (name, value) in fact.as_object().unwrap() {
            let other = json!({ "$or": [{ name: { "$eq": 12 } }, { name: "no such" }] });
            assert!(find(&other).is_empty(), "{name}");
            if !value.is_object() && value.as_array().is_none_or(|list| !list.is_empty()) {
                let found = find(&json!({ name: value }));
                assert!(found.contains(&fact["id"]), "{name}: {value}");
                // With a field that takes reading all of a fact.
                let found = find(&json!({ name: value, "id": fact["id"] }));
                assert_eq!(found, [fact["id"].clone()], "{name}: {value}");
            }
        }
    }
    for missing in ["validTo", "expiresAt", "dates"] {
        assert_eq!(find(&json!({ missing: { "$exists": true } })).len(), 1, "{missing}");
        assert_eq!(find(&json!({ missing: { "$exists": false } })).len(), 1, "{missing}");
    }
    assert_eq!(find(&json!({ "metadata.a": 1 })).len(), 1);
    assert_eq!(find(&json!({ "metadata": { "$exists": true } })).len(), 2);
}

#[test]
fn a_filter_sees_each_revision_of_a_fact() {
    let world = World::new();
    let engine = open(&world);
    let add = |text: &str, project: &str| {
        let fact = json!({ "text": text, "metadata": { "project": project } });
        world.add(&engine, fact)
    };
    let (tea, pot) = (add("Green tea", "kitchen"), add("A tea pot", "garden"));
    let found = |project: &str| -> Vec<String> {
        let asked = json!({ "query": "tea", "filter": { "metadata.project": project } });
        let found = world.call(&engine, "facts.search", asked);
        found.as_array().unwrap().iter().map(|fact| fact["text"].as_str().unwrap().to_owned()).collect()
    };
    let moved = |id: &Value, project: &str| {
        let patch = json!({ "id": id, "metadata": { "project": project } });
        world.call(&engine, "facts.update", patch);
    };
    assert_eq!((found("kitchen"), found("kitchen")), (vec!["Green tea".into()], vec!["Green tea".into()]));
    moved(&tea, "garden");
    assert!(found("kitchen").is_empty());
    moved(&pot, "kitchen");
    assert_eq!((found("kitchen"), found("garden")), (vec!["A tea pot".into()], vec!["Green tea".into()]));
    moved(&tea, "kitchen");
    assert_eq!(found("garden"), Vec::<String>::new());
    let deleted = world.call(&engine, "facts.delete", json!({ "id": pot }));
    assert_eq!((found("garden"), found("kitchen")), (Vec::new(), vec!["Green tea".into()]));
    let undone = world.call(&engine, "undo", json!({ "commitId": deleted["commitId"] }));
    assert_eq!(found("kitchen").len(), 2, "{undone}");
    world.call(&engine, "undo", json!({ "commitId": undone["commitId"] }));
    assert_eq!(found("kitchen"), ["Green tea"]);
}

/// A filter on a field that nothing has answered nothing, as if nothing matched.
#[test]
fn a_filter_on_a_field_that_cannot_be_is_refused() {
    let world = World::new();
    let engine = open(&world);
    world.teach(&engine, "I live in Paris.");
    world.add(
        &engine,
        json!({ "text": "Tea", "sourceId": "a", "metadata": { "a": 1 }, "expiresAt": 4_000_000_000_000_i64 }),
    );
    let entity = json!({ "name": "Ana", "entityType": "person", "observations": ["is here", "likes tea"] });
    world.call(&engine, "graph.create_entities", json!({ "entities": [entity] }));
    world.call(&engine, "graph.update", json!({ "name": "Ana", "newName": "Ann" }));
    let episode = json!({ "situation": "tea", "approach": "b", "outcome": "c", "threadId": "t" });
    world.call(&engine, "episodes.add", episode);
    world.call(&engine, "recall", json!({ "query": "Paris" }));
    let query = |query: &str| json!({ "query": query });
    for (method, asked) in [
        ("facts.list", json!({})),
        ("facts.search", query("tea")),
        ("items.list", json!({})),
        ("episodes.list", json!({})),
        ("episodes.search", query("tea")),
        ("graph.search", query("tea")),
        ("threads.search", query("Paris")),
    ] {
        let with = |filter: Value| {
            let mut asked = asked.clone();
            asked["filter"] = filter;
            asked
        };
        let shown = world.call(&engine, method, asked.clone());
        let shown = shown.as_array().unwrap();
        assert!(!shown.is_empty(), "{method}");
        // Whatever is shown can be asked for, and is told when something else is.
        let refused = world.fails(&engine, method, with(json!({ "$not": { "colour.x": 1 } })));
        assert!(refused.code == Code::InvalidFilter && refused.message.contains("\"colour\""), "{refused}");
        let names = shown.iter().flat_map(|item| item.as_object().unwrap().keys());
        for name in names.filter(|name| !["score", "relevance", "known", "terms"].contains(&name.as_str())) {
            assert!(refused.message.contains(name.as_str()), "{method}: {name}: {refused}");
            let found = world.call(&engine, method, with(json!({ name: { "$exists": true } })));
            assert!(!found.as_array().unwrap().is_empty(), "{method}: {name}");
        }
    }
    let purge = json!({ "filter": { "txt": "Tea" }, "force": true });
    assert_eq!(world.fails(&engine, "items.purge", purge).code, Code::InvalidFilter);
    let recall = json!({ "query": "tea", "filter": { "categry": "goal" } });
    assert_eq!(world.fails(&engine, "recall", recall).code, Code::InvalidFilter);
    let open = json!({ "filter": { "metadata.unheard.of": { "$exists": false } } });
    assert!(!world.call(&engine, "facts.list", open).as_array().unwrap().is_empty());
}
