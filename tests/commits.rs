//! The list of commits: what was done, in words, and whether it can be taken back.

use crate::support::world::{ALICE, BOB, Scripted, World, adds};
use mnemic::Code;
use mnemic::engine::Engine;
use serde_json::{Value, json};

fn list(world: &World, engine: &Engine, options: Value) -> Vec<Value> {
    world.call(engine, "commits.list", options).as_array().unwrap().clone()
}

fn summaries(world: &World, engine: &Engine) -> Vec<String> {
    let commits = list(world, engine, json!({}));
    commits.iter().map(|commit| commit["summary"].as_str().unwrap().to_owned()).collect()
}

/// Of the newest commit, or those that follow it: whether it can be undone, and why not.
fn states(world: &World, engine: &Engine) -> Vec<Value> {
    let commits = list(world, engine, json!({}));
    commits.iter().map(|commit| commit.get("obstacle").unwrap_or(&commit["undoable"]).clone()).collect()
}

#[test]
fn commits_are_told_in_words_newest_first() {
    let world = World::new();
    let profiles = json!({ "p": { "type": "object", "properties": { "n": { "type": "string" } } } });
    let engine = world.open(Some(Scripted::new([adds("Alice sails")])), &json!({ "profiles": profiles }));
    assert_eq!(list(&world, &engine, json!({})), [] as [Value; 0]);
    world.say(&engine, "I sail.");
    world.machine.pass(60_000);
    world.call(&engine, "flush", json!({}));
    let fact = world.call(&engine, "facts.list", json!({}))[0]["id"].clone();
    world.call(&engine, "profiles.set", json!({ "schema": "p", "field": "n", "value": "x" }));
    world.call(&engine, "profiles.set", json!({ "schema": "p", "field": "n", "value": "y" }));
    let deleted = world.call(&engine, "facts.delete", json!({ "id": fact }));
    world.call(&engine, "undo", json!({ "commitId": deleted["commitId"] }));
    world.call(&engine, "callTool", json!({ "name": "facts_add", "arguments": { "text": "Alice rows" } }));
    let facts: Vec<_> = ["one", "two"].iter().map(|text| json!({ "text": text })).collect();
    world.call(&engine, "facts.import", json!({ "facts": facts }));
    world.call(&engine, "facts.search", json!({ "query": "sails" }));
    world.idle(&engine);
    let told = [
        "You added 2 facts",
        "The assistant added a fact",
        "Undoing brought back a fact",
        "You deleted a fact",
        "You changed a profile field",
        "You added a profile field",
        "Learned a fact from a conversation",
        "Stored a message",
    ];
    assert_eq!(summaries(&world, &engine), told);
    world.close(&engine);
    let engine = world.open(None, &json!({}));
    assert_eq!(summaries(&world, &engine), told, "also after a reload");
    let [newest] = &list(&world, &engine, json!({ "limit": 1 }))[..] else { panic!() };
    assert_eq!(newest["cause"], "user");
    let [changes] = newest["changes"].as_array().unwrap().as_slice() else { panic!() };
    assert_eq!(
        (&changes["kind"], &changes["action"], &changes["count"]),
        (&json!("fact"), &json!("created"), &json!(2))
    );
    assert_eq!(changes["ids"].as_array().unwrap().len(), 2);
    let history = world.call(&engine, "history", json!({ "id": changes["ids"][0] }));
    assert_eq!((&newest["commitId"], &newest["at"]), (&history[0]["commitId"], &history[0]["at"]));
    let theirs = world.try_call(&engine, "commits.list", BOB, json!({})).unwrap();
    assert_eq!(theirs, json!([]), "another scope has its own");
}

#[test]
fn what_was_undone_says_by_which_and_what_stands_in_the_way() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let added = world.call(&engine, "facts.add", json!({ "text": "one" }));
    let changed = world.call(&engine, "facts.update", json!({ "id": added["id"], "text": "two" }));
    assert_eq!(states(&world, &engine), [json!(true), json!("changed")]);
    let undo =
        |commit: &Value| world.call(&engine, "undo", json!({ "commitId": commit }))["commitId"].clone();
    let back = undo(&changed["commitId"]);
    assert_eq!(states(&world, &engine), [json!(true), json!("undone"), json!(true)]);
    let by = |place: usize| list(&world, &engine, json!({}))[place].get("undoneBy").cloned();
    assert_eq!(by(1), Some(back.clone()));
    let gone = undo(&added["commitId"]);
    assert_eq!(states(&world, &engine), [json!(true), json!("changed"), json!("undone"), json!("undone")]);
    assert_eq!((by(3), by(2)), (Some(gone.clone()), Some(back)));
    // What is done again is not undone any more.
    undo(&gone);
    assert_eq!(
        states(&world, &engine),
        [json!(true), json!("undone"), json!(true), json!("undone"), json!(true)]
    );
    world.call(&engine, "facts.update", json!({ "id": added["id"], "text": "three" }));
    assert_eq!(states(&world, &engine)[5], "changed");
    assert_eq!(by(5), None);
    // What the list says holds: each commit can be undone or not.
    for commit in list(&world, &engine, json!({})) {
        let answer = world.try_call(&engine, "undo", ALICE, json!({ "commitId": commit["commitId"] }));
        assert_eq!(answer.is_ok(), commit["undoable"] == true, "{commit}");
        if let Ok(done) = answer {
            undo(&done["commitId"]);
        }
    }
}

/// A fact that somebody says again by now stands in the way, though the deleted one is as it was left.
#[test]
fn what_undoing_refuses_for_other_reasons_is_not_undoable() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let id = world.add(&engine, json!({ "text": "one" }));
    world.call(&engine, "facts.delete", json!({ "id": id }));
    world.add(&engine, json!({ "text": "One" }));
    assert_eq!(states(&world, &engine), [json!(true), json!("changed"), json!("changed")]);
}

#[test]
fn commits_come_in_pages_and_by_cause() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    for place in 0..7 {
        world.add(&engine, json!({ "text": format!("fact {place}") }));
        world.call(
            &engine,
            "remember",
            json!({ "messages": [{ "role": "user", "content": "." }], "learn": false }),
        );
        let bobs = json!({ "text": format!("fact {place}") });
        world.try_call(&engine, "facts.add", BOB, bobs).unwrap();
    }
    let all = list(&world, &engine, json!({}));
    assert_eq!(all.len(), 14);
    let (mut paged, mut before) = (Vec::new(), None);
    loop {
        let page = list(&world, &engine, json!({ "limit": 4, "before": before }));
        let Some(last) = page.last() else { break };
        before = Some(last["commitId"].clone());
        paged.extend(page);
    }
    assert_eq!(paged, all);
    let mine = list(&world, &engine, json!({ "causes": ["user"] }));
    assert_eq!(mine.len(), 7);
    assert!(mine.iter().all(|commit| commit["cause"] == "user"));
    assert_eq!(list(&world, &engine, json!({ "causes": [] })).len(), 0);
    let theirs = world.try_call(&engine, "commits.list", BOB, json!({ "limit": 1 })).unwrap();
    let error = world.fails(&engine, "commits.list", json!({ "before": theirs[0]["commitId"] }));
    assert_eq!(error.code, Code::NotFound, "of another scope");
    for wrong in
        [json!({ "limit": 0 }), json!({ "limit": 1001 }), json!({ "causes": ["me"] }), json!({ "x": 1 })]
    {
        assert_eq!(world.fails(&engine, "commits.list", wrong).code, Code::InvalidInput);
    }
}

/// A commit of several values of the log is one.
#[test]
fn a_commit_in_parts_is_listed_once() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let text = "long ".repeat(20_000);
    let messages: Vec<_> = (0..20).map(|_| json!({ "role": "user", "content": text })).collect();
    for _ in 0..2 {
        world.call(&engine, "remember", json!({ "messages": messages, "learn": false }));
    }
    assert_eq!(summaries(&world, &engine), ["Stored 20 messages", "Stored 20 messages"]);
    world.call(&engine, "threads.removeAll", json!({ "threadId": "default" }));
    assert_eq!(summaries(&world, &engine)[0], "You deleted 40 messages");
    let newest = list(&world, &engine, json!({ "limit": 1 }))[0].clone();
    world.call(&engine, "undo", json!({ "commitId": newest["commitId"] }));
    assert_eq!(list(&world, &engine, json!({ "limit": 2 }))[1]["obstacle"], "undone");
    let engine = world.open(None, &json!({}));
    assert_eq!(list(&world, &engine, json!({})).len(), 4);
}

/// What the background does for itself is nothing to take back.
#[test]
fn what_nobody_did_or_sees_is_left_out() {
    let world = World::new();
    let engine = world.open(None, &json!({ "tiers": { "capacity": 2 } }));
    for place in 0..6 {
        let page = json!({ "query": format!("question {place}"), "response": "answer" });
        world.call(&engine, "tiers.add", page);
    }
    world.idle(&engine);
    assert_eq!(summaries(&world, &engine), [] as [&str; 0]);
}

/// What was forgotten stays as a commit that says how much it was, and what it was nowhere.
#[test]
fn a_receipt_is_listed_and_cannot_be_undone() {
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let id = world.add(&engine, json!({ "text": "Alice sails" }));
    world.add(&engine, json!({ "text": "Alice rows" }));
    world.call(&engine, "forget", json!({ "ids": [id] }));
    let [receipt, ..] = &list(&world, &engine, json!({}))[..] else { panic!() };
    assert_eq!((&receipt["summary"], &receipt["cause"]), (&json!("Forgot a fact"), &json!("forget")));
    assert_eq!((&receipt["undoable"], &receipt["obstacle"]), (&json!(false), &json!("forgotten")));
    let counted = json!([{ "kind": "fact", "action": "deleted", "count": 1, "ids": [] }]);
    assert_eq!(receipt["changes"], counted);
}
