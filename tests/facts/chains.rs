//! Chains of facts that took the place of one another: what each names, in which order, and with which dates.

use super::open;
use crate::support::world::{ALICE, BOB, DAY_MS, Scripted, World, texts};
use mnemic::engine::Engine;
use mnemic::time;
use serde_json::{Value, json};

/// All facts that are stored, the newest first.
fn all(world: &World, engine: &Engine) -> Vec<Value> {
    world.call(engine, "facts.list", json!({ "includeEnded": true })).as_array().unwrap().clone()
}

fn named(facts: &[Value], text: &str) -> Value {
    facts.iter().find(|fact| fact["text"] == text).unwrap_or_else(|| panic!("no {text}: {facts:?}")).clone()
}

/// The texts of a chain from its first fact on, by what each names; both directions agree, and each begins where the last one ends.
fn chain(facts: &[Value], first: &str) -> Vec<String> {
    let mut fact = named(facts, first);
    assert_eq!(fact.get("supersedes"), None);
    let mut texts = vec![first.to_owned()];
    while let Some(by) = fact.get("supersededBy") {
        let next = facts.iter().find(|fact| fact["id"] == *by).unwrap();
        assert_eq!(next["supersedes"], fact["id"]);
        assert_eq!(next["validFrom"], fact["validTo"], "{fact} before {next}");
        texts.push(next["text"].as_str().unwrap().to_owned());
        fact = next.clone();
    }
    assert_eq!(fact.get("validTo"), None);
    texts
}

/// The user said something at a time, and it is learned now.
fn said(world: &World, engine: &Engine, text: &str, at: &str) {
    let at = time::parse(at).unwrap();
    let message = json!({ "role": "user", "content": text, "createdAt": at });
    world.call(engine, "remember", json!({ "messages": [message] }));
    world.idle(engine);
}

const LISBON: &str = "The user lives in Lisbon.";
const PORTO: &str = "The user lives in Porto.";
const BERLIN: &str = "The user lives in Berlin.";

/// A memory in which the user moved twice, and the commits of that.
fn moved(world: &World) -> (Engine, Vec<Value>) {
    let engine = open(world);
    for text in ["I live in Lisbon.", "I live in Porto.", "I live in Berlin."] {
        world.teach(&engine, text);
        world.machine.pass(DAY_MS);
    }
    let commits = world.call(&engine, "commits.list", json!({ "causes": ["extract"] }));
    let commits = commits.as_array().unwrap().iter().map(|commit| commit["commitId"].clone()).collect();
    (engine, commits)
}

#[test]
fn each_names_the_one_that_took_its_place() {
    let world = World::new();
    let (engine, _) = moved(&world);
    let facts = all(&world, &engine);
    assert_eq!(chain(&facts, LISBON), [LISBON, PORTO, BERLIN]);
    for fact in &facts {
        assert_eq!(world.call(&engine, "facts.get", json!({ "id": fact["id"] })), *fact);
    }
    let lisbon = named(&facts, LISBON);
    let filter = json!({ "supersededBy": lisbon["supersededBy"] });
    let list = json!({ "includeEnded": true, "filter": filter });
    assert_eq!(texts(&world.call(&engine, "facts.list", list)), [LISBON]);
    // Before the second move nothing was known of it.
    let before = json!({ "asOf": lisbon["validTo"].as_i64().unwrap() + DAY_MS / 2 });
    let list = json!({ "includeEnded": true, "asOf": before["asOf"] });
    let known = world.call(&engine, "facts.list", list);
    assert_eq!(chain(known.as_array().unwrap(), LISBON), [LISBON, PORTO]);
    let get = json!({ "id": lisbon["id"], "asOf": lisbon["validFrom"].as_i64().unwrap() + DAY_MS / 2 });
    assert_eq!(world.call(&engine, "facts.get", get).get("supersededBy"), None);
    let past = world.call(&engine, "facts.list", json!({ "validAt": lisbon["validFrom"] }));
    assert_eq!((texts(&past), &past[0]["supersededBy"]), (vec![LISBON], &lisbon["supersededBy"]));
}

#[test]
fn a_search_shows_what_was_replaced_on_request_and_below_what_replaced_it() {
    let world = World::new();
    let (engine, _) = moved(&world);
    let search = |options: Value| world.call(&engine, "facts.search", options);
    let query = "Where does the user live?";
    assert_eq!(texts(&search(json!({ "query": query }))), [BERLIN]);
    let found = search(json!({ "query": query, "includeEnded": true }));
    assert_eq!(texts(&found), [BERLIN, PORTO, LISBON]);
    assert_eq!(found[2]["supersededBy"], found[1]["id"]);
    let by = json!({ "supersededBy": found[0]["id"] });
    let found = search(json!({ "query": query, "includeEnded": true, "filter": by }));
    assert_eq!(texts(&found), [PORTO]);
    // What has expired is over for good.
    let berlin = named(&all(&world, &engine), BERLIN);
    let soon = json!({ "id": berlin["id"], "expiresAt": world.now() + 1 });
    world.call(&engine, "facts.update", soon);
    world.machine.pass(2);
    let found = search(json!({ "query": query, "includeEnded": true }));
    assert_eq!(texts(&found), [PORTO, LISBON]);
    let other = json!({ "query": query, "includeEnded": true });
    let error = world.fails(&engine, "threads.search", other);
    assert!(error.message.contains("facts.search only"), "{}", error.message);
}

#[test]
fn what_is_undone_deleted_or_forgotten_took_nobodys_place() {
    for way in ["undo", "delete", "forget", "expire"] {
        let world = World::new();
        let (engine, commits) = moved(&world);
        let (lisbon, berlin) = (named(&all(&world, &engine), LISBON), named(&all(&world, &engine), BERLIN));
        match way {
            "undo" => world.call(&engine, "undo", json!({ "commitId": commits[0] })),
            "delete" => world.call(&engine, "facts.delete", json!({ "id": berlin["id"] })),
            "forget" => world.call(&engine, "forget", json!({ "ids": [berlin["id"]] })),
            _ => world.call(
                &engine,
                "facts.update",
                json!({ "id": berlin["id"], "expiresAt": world.now() + 1 }),
            ),
        };
        world.machine.pass(DAY_MS);
        world.idle(&engine);
        for engine in [engine, open(&world)] {
            let facts = all(&world, &engine);
            let porto = named(&facts, PORTO);
            assert_eq!(porto.get("supersededBy"), None, "{way}: {porto}");
            assert_eq!(porto.get("validTo").is_none(), way == "undo", "{way}: {porto}");
            assert_eq!(named(&facts, LISBON)["supersededBy"], porto["id"], "{way}");
            assert_eq!(porto["supersedes"], lisbon["id"]);
            assert_eq!(facts.len(), 2, "{way}");
        }
    }
    let world = World::new();
    let (engine, _) = moved(&world);
    let facts = all(&world, &engine);
    world.call(&engine, "forget", json!({ "ids": [named(&facts, PORTO)["id"]] }));
    let facts = all(&world, &engine);
    assert_eq!(named(&facts, LISBON).get("supersededBy"), None);
    assert_eq!(facts.len(), 2);
}

#[test]
fn what_holds_again_has_no_successor() {
    let world = World::new();
    let (engine, _) = moved(&world);
    let lisbon = named(&all(&world, &engine), LISBON)["id"].clone();
    world.call(&engine, "facts.update", json!({ "id": lisbon, "validTo": null }));
    let get = || world.call(&engine, "facts.get", json!({ "id": lisbon }));
    assert_eq!(get().get("supersededBy"), None);
    world.call(&engine, "facts.update", json!({ "id": lisbon, "validTo": world.now() }));
    assert_eq!(get().get("supersededBy"), None, "the application ended it, for nothing else");
}

#[test]
fn a_chain_goes_into_a_backup_and_into_another_scope() {
    let world = World::new();
    let (engine, _) = moved(&world);
    let file = world.export(&engine, ALICE);
    world.import(&engine, BOB, &file, "backups.merge", json!({ "mode": "merge" })).unwrap();
    let list = json!({ "includeEnded": true });
    let bobs = world.try_call(&engine, "facts.list", BOB, list).unwrap();
    assert_eq!(chain(bobs.as_array().unwrap(), LISBON), [LISBON, PORTO, BERLIN]);
    let other = World::new();
    let empty = open(&other);
    other.import(&empty, ALICE, &file, "backups.merge", json!({ "mode": "merge" })).unwrap();
    assert_eq!(chain(&all(&other, &empty), LISBON), [LISBON, PORTO, BERLIN]);
}

#[test]
fn rules_put_what_is_imported_late_in_its_place() {
    let moves = [
        ("I live in Lisbon.", LISBON, "2020-03-01T10:00"),
        ("I live in Porto.", PORTO, "2021-06-01T09:00"),
        ("I live in Madrid.", "The user lives in Madrid.", "2021-06-01T21:00"),
        ("I live in Berlin.", BERLIN, "2023-01-05T10:00"),
    ];
    let expected: Vec<&str> = moves.iter().map(|(_, fact, _)| *fact).collect();
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [0, 3, 1, 2], [3, 0, 2, 1], [1, 3, 0, 2], [2, 0, 3, 1]] {
        let world = World::new();
        let engine = open(&world);
        for place in order {
            let (text, _, at) = moves[place];
            said(&world, &engine, text, at);
        }
        let facts = all(&world, &engine);
        assert_eq!(chain(&facts, LISBON), expected, "{order:?}");
        for (_, text, at) in moves {
            assert_eq!(named(&facts, text)["validFrom"], json!(time::parse(at).unwrap()), "{order:?}");
        }
        assert_eq!(world.facts(&engine), [BERLIN], "{order:?}");
        assert_eq!(world.profile(&engine, "person")["city"], json!("Berlin"), "{order:?}");
        let then = json!({ "validAt": time::parse("2022-01-01").unwrap() });
        assert_eq!(texts(&world.call(&engine, "facts.list", then)), ["The user lives in Madrid."]);
    }
}

#[test]
fn a_model_that_says_what_replaces_what_gives_a_chain_its_order() {
    let supersede = |text: &str, since: Value| {
        json!({ "facts": [{ "action": "supersede", "target": 1, "text": text, "message": 1, "since": since }],
                "profile": [] })
    };
    let add = json!({ "facts": [{ "action": "add", "text": LISBON, "message": 1 }], "profile": [] });
    let world = World::new();
    let model = Scripted::new([
        add,
        supersede(BERLIN, Value::Null),
        // Said before the last one and after the first.
        supersede(PORTO, Value::Null),
        // On the day of the last one, which it names.
        supersede("The user lives in Graz.", json!("2023-01-05")),
    ]);
    let engine = world.open(Some(model.clone()), &json!({}));
    for (thread, at) in
        ["2020-03-01T10:00", "2023-01-05T10:00", "2021-06-01T09:00", "2023-01-05T21:00"].iter().enumerate()
    {
        let at = time::parse(at).unwrap();
        let message = json!({ "role": "user", "content": "I moved.", "createdAt": at });
        let said = json!({ "threadId": thread.to_string(), "messages": [message] });
        world.call(&engine, "generate", said);
    }
    assert_eq!(model.calls(), 4);
    let facts = all(&world, &engine);
    assert_eq!(chain(&facts, LISBON), [LISBON, PORTO, BERLIN, "The user lives in Graz."]);
    assert_eq!(named(&facts, "The user lives in Graz.")["dates"], json!({ "since": "2023-01-05" }));
    assert_eq!(world.facts(&engine), ["The user lives in Graz."]);
}

#[test]
fn what_is_pinned_keeps_its_place_and_its_end() {
    let world = World::new();
    let engine = open(&world);
    said(&world, &engine, "I live in Lisbon.", "2020-03-01T10:00");
    said(&world, &engine, "I live in Berlin.", "2023-01-05T10:00");
    let before = all(&world, &engine);
    for fact in &before {
        world.call(&engine, "items.pin", json!({ "id": fact["id"], "pinned": true }));
    }
    said(&world, &engine, "I live in Porto.", "2021-06-01T09:00");
    let facts = all(&world, &engine);
    for fact in &before {
        let now = named(&facts, fact["text"].as_str().unwrap());
        for name in ["validTo", "supersedes", "supersededBy"] {
            assert_eq!(now.get(name), fact.get(name), "{name} of {now}");
        }
    }
}

#[test]
fn all_that_one_statement_ends_names_it_also_when_it_is_taken_back_at_once() {
    let world = World::new();
    let engine = open(&world);
    world.teach(&engine, "I like coffee. My favorite drink is coffee.");
    world.machine.pass(DAY_MS);
    world.teach(&engine, "I hate coffee.");
    let facts = all(&world, &engine);
    let hates = named(&facts, "The user dislikes coffee.");
    let ended: Vec<&Value> = facts.iter().filter(|fact| fact["validTo"].is_number()).collect();
    assert_eq!(ended.len(), 2, "{facts:?}");
    for fact in ended {
        assert_eq!(fact["supersededBy"], hates["id"]);
    }
    world.machine.pass(DAY_MS);
    world.teach(&engine, "I live in Lisbon.");
    world.machine.pass(DAY_MS);
    world.teach(&engine, "I live in Porto. I live in Berlin.");
    assert_eq!(chain(&all(&world, &engine), LISBON), [LISBON, BERLIN]);
}
