//! Pages and messages that go, and what was learned that is taken back.

use super::behaviour::{add, distilled, moved};
use super::careful::{Careful, Places};
use crate::support::world::{ALICE, Scripted, World};
use mnemic::Code;
use mnemic::engine::Engine;
use mnemic::ports::Llm;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::rc::Rc;

/// Moves at once each page but the last, and distils it.
fn hasty() -> Value {
    json!({ "extraction": { "auto": false }, "tiers": { "capacity": 1, "heat": 1, "similarity": 0 } })
}

fn say(world: &World, engine: &Engine, query: &str) -> Value {
    world.call(engine, "tiers.add", json!({ "query": query, "response": "Yes, tea.", "threadId": "t" }))
}

fn update(world: &World, engine: &Engine) -> Value {
    world.call(engine, "tiers.update", json!({}))
}

fn last_commit(world: &World, engine: &Engine, id: &Value) -> Value {
    let history = world.call(engine, "history", json!({ "id": id }));
    history.as_array().unwrap().last().unwrap()["commitId"].clone()
}

/// The segment became hot again, and was distilled again: what the user had taken back returned.
#[test]
fn what_was_distilled_is_taken_back_for_good() {
    let world = World::new();
    let llm = Scripted::new([moved(), distilled("The user drinks tea", json!([]))]);
    let engine = world.open(Some(llm.clone()), &hasty());
    say(&world, &engine, "Tea?");
    say(&world, &engine, "And?");
    assert_eq!(update(&world, &engine)["distilled"], json!(1));
    let fact = world.call(&engine, "facts.list", json!({}))[0]["id"].clone();
    let undone = world.call(&engine, "undo", json!({ "commitId": last_commit(&world, &engine, &fact) }));
    assert_eq!(world.call(&engine, "facts.list", json!({})), json!([]));
    assert_eq!(world.call(&engine, "tiers.traits", json!({})), json!([]));
    assert_eq!(update(&world, &engine)["distilled"], json!(0), "it is not learned again");
    assert_eq!(llm.calls(), 2);
    world.call(&engine, "undo", json!({ "commitId": undone["commitId"] }));
    assert_eq!(world.call(&engine, "facts.list", json!({}))[0]["id"], fact);
    Places::read(&world).check();
}

/// The segment was no longer as the commit had left it, so that the facts of that commit could not be taken back.
#[test]
fn what_was_distilled_is_taken_back_after_the_segment_grew() {
    let world = World::new();
    let nothing = json!({ "facts": [], "traits": [] });
    let mut joins = moved();
    joins["themes"][0]["segment"] = json!(1);
    let answers = [moved(), distilled("The user drinks tea", json!([])), joins, nothing];
    let engine = world.open(Some(Scripted::new(answers)), &hasty());
    say(&world, &engine, "Tea?");
    say(&world, &engine, "More tea?");
    update(&world, &engine);
    let fact = world.call(&engine, "facts.list", json!({}))[0]["id"].clone();
    say(&world, &engine, "And?");
    assert_eq!(update(&world, &engine)["moved"], json!(1));
    world.call(&engine, "undo", json!({ "commitId": last_commit(&world, &engine, &fact) }));
    assert_eq!(world.call(&engine, "facts.list", json!({})), json!([]));
    let places = Places::read(&world);
    places.check();
    let pages: Vec<u64> = places.segments.values().map(|told| told.0).collect();
    assert_eq!(pages, [2], "the pages stay where they are");
}

/// The page had moved, so that the exchange could not be taken back, though its messages were untouched.
#[test]
fn adding_is_taken_back_wherever_the_page_is_by_now() {
    let world = World::new();
    let engine = world.open(None, &hasty());
    let added: Vec<Value> =
        ["Green tea?", "Black tea?", "Hats?"].map(|query| say(&world, &engine, query)).into();
    assert_eq!(update(&world, &engine)["moved"], json!(2));
    for (place, left) in [(1, 2), (0, 1), (2, 0)] {
        let undone = world.call(&engine, "undo", json!({ "commitId": added[place]["commitId"] }));
        let places = Places::read(&world);
        places.check();
        assert_eq!(places.all().len(), left);
        let messages = world.call(&engine, "threads.messages", json!({ "threadId": "t" }));
        assert_eq!(messages.as_array().unwrap().len(), 2 * left);
        let again = world.call(&engine, "undo", json!({ "commitId": undone["commitId"] }));
        Places::read(&world).check();
        assert_eq!(Places::read(&world).all().len(), left + 1, "it comes back");
        world.call(&engine, "undo", json!({ "commitId": again["commitId"] }));
    }
    assert_eq!(Places::read(&world).segments.len(), 0);
}

#[test]
fn clearing_is_taken_back() {
    let (world, llm) = (World::new(), Careful::new());
    let engine = world.open(Some(llm), &json!({}));
    add(&world, &engine, 20);
    world.idle(&engine);
    let before = Places::read(&world);
    let id = world.call(&engine, "tiers.state", json!({}))["recent"][0]["id"].clone();
    assert_eq!(world.call(&engine, "tiers.clear", json!({})), json!({ "removed": 20 }));
    assert_eq!(Places::read(&world), Places::default());
    // Segments go first, then the queue.
    let queue = last_commit(&world, &engine, &id);
    world.call(&engine, "undo", json!({ "commitId": queue }));
    assert_eq!(Places::read(&world).short, before.short);
    let page = before.mid.values().flatten().next().unwrap();
    assert!(!page.is_empty());
}

/// One commit of all pages was larger than one that takes it back may be.
#[test]
fn clearing_much_can_be_taken_back() {
    let world = World::new();
    let engine = world.open(None, &json!({ "extraction": { "auto": false } }));
    let long = "tea ".repeat(16_000);
    for number in 0..140 {
        let page = json!({ "query": format!("{number} {long}"), "response": long });
        world.call(&engine, "tiers.add", page);
    }
    let first = world.call(&engine, "tiers.state", json!({}))["recent"][0]["id"].clone();
    assert_eq!(world.call(&engine, "tiers.clear", json!({})), json!({ "removed": 140 }));
    world.call(&engine, "undo", json!({ "commitId": last_commit(&world, &engine, &first) }));
    assert!(Places::read(&world).short.len() > 20);
}

/// Everything that the tiers tell of the present.
fn told(world: &World, engine: &Engine) -> String {
    let query = json!({ "query": "When is the tea with my secret sister?" });
    let methods = ["tiers.retrieve", "tiers.prompt", "tiers.state"];
    let told = methods.map(|method| {
        let asked = if method == "tiers.state" { json!({}) } else { query.clone() };
        world.call(engine, method, asked).to_string()
    });
    told.concat().replace("my secret sister", "")
}

/// Moves at once each page but the last, and learns nothing from it.
fn unlearned() -> Value {
    json!({ "extraction": { "auto": false }, "tiers": { "capacity": 1, "heat": 1000, "similarity": 0 } })
}

const SECRET: &str = "Tea with my secret fiancee on Sunday?";

/// Pages kept the words of messages that were removed, and with them segments and chains.
fn forgets(take_away: impl Fn(&World, &Engine, &Value) -> usize, moves: bool) {
    for model in [None, Some(Careful::new())] {
        let world = &World::new();
        let engine = world.open(model.map(|model| -> Rc<dyn Llm> { model }), &unlearned());
        for query in ["Tea on Friday?", SECRET, "More tea on Monday?", "And tea with milk?"] {
            say(world, &engine, query);
        }
        if moves {
            update(world, &engine);
        }
        assert!(told(world, &engine).contains("fiancee"));
        let messages = world.call(&engine, "threads.messages", json!({ "threadId": "t" }));
        let id =
            messages.as_array().unwrap().iter().find(|one| one["content"] == SECRET).unwrap()["id"].clone();
        let gone = take_away(world, &engine, &id);
        let told = told(world, &engine);
        assert!(!told.contains("fiancee"), "{told}");
        let places = Places::read(world);
        places.check();
        assert_eq!(places.all().len(), 4 - gone);
    }
}

#[test]
fn a_page_goes_with_its_message() {
    for moves in [false, true] {
        forgets(
            |world, engine, id| {
                world.call(engine, "threads.remove", json!({ "threadId": "t", "ids": [id] }));
                1
            },
            moves,
        );
        forgets(
            |world, engine, _| {
                world.call(engine, "threads.removeAll", json!({ "threadId": "t" }));
                4
            },
            moves,
        );
        forgets(
            |world, engine, id| {
                let message = json!({ "role": "user", "content": "Nothing.", "id": id });
                let asked = json!({ "threadId": "t", "messages": [message], "learn": false });
                world.call(engine, "remember", asked);
                1
            },
            moves,
        );
    }
}

#[test]
fn a_page_is_removed_by_its_id() {
    for moves in [false, true] {
        forgets(
            |world, engine, _| {
                let state = world.call(engine, "tiers.retrieve", json!({ "query": SECRET }));
                let pages =
                    state["recent"].as_array().unwrap().iter().chain(state["pages"].as_array().unwrap());
                let page = pages.into_iter().find(|page| page["query"] == SECRET).unwrap();
                let done = world.call(engine, "tiers.remove", json!({ "id": page["id"] }));
                assert_eq!((&done["action"], &done["kind"]), (&json!("deleted"), &json!("page")));
                let error = world.fails(engine, "tiers.remove", json!({ "id": page["id"] }));
                assert_eq!(error.code, Code::NotFound);
                let messages = world.call(engine, "threads.messages", json!({ "threadId": "t" }));
                assert_eq!(messages.as_array().unwrap().len(), 8, "messages stay");
                // What is taken back is there again; what is done again is gone again.
                let undone = world.call(engine, "undo", json!({ "commitId": done["commitId"] }));
                Places::read(world).check();
                assert!(told(world, engine).contains("fiancee"));
                update(world, engine);
                Places::read(world).check();
                world.call(engine, "undo", json!({ "commitId": undone["commitId"] }));
                1
            },
            moves,
        );
    }
    let world = World::new();
    let engine = world.open(None, &json!({}));
    let fact = world.call(&engine, "facts.add", json!({ "text": "I am no page" }));
    let error = world.fails(&engine, "tiers.remove", json!({ "id": fact["id"] }));
    assert_eq!(error.code, Code::NotFound);
    assert_eq!(world.fails(&engine, "tiers.remove", json!({ "id": "x" })).code, Code::InvalidInput);
}

/// A page that comes back must not bring the words of a message that was removed since, nor its segment come back without it.
#[test]
fn a_page_stays_away_when_its_messages_went() {
    for moves in [false, true] {
        let world = World::new();
        let engine = world.open(None, &unlearned());
        let page = say(&world, &engine, SECRET)["id"].clone();
        if moves {
            say(&world, &engine, "And?");
            assert_eq!(update(&world, &engine)["moved"], json!(1));
        }
        let done = world.call(&engine, "tiers.remove", json!({ "id": page }));
        world.call(&engine, "threads.removeAll", json!({ "threadId": "t" }));
        world.call(&engine, "undo", json!({ "commitId": done["commitId"] }));
        assert_eq!(Places::read(&world), Places::default());
    }
}

/// One of the ids in an answer, by a number.
fn pick(list: &Value, number: usize, name: &str) -> Option<Value> {
    let list = list.as_array()?;
    list.get(number % list.len().max(1)).map(|one| one[name].clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// Whatever goes, comes back and moves, in whatever order: segments tell of the pages they have, and of no others.
    #[test]
    fn segments_and_pages_tell_the_same(
        steps in prop::collection::vec((0..9usize, 0..100usize), 1..40),
        similarity in prop_oneof![Just(0.0), Just(0.6), Just(2.0)],
        segments in 1..6usize,
    ) {
        let world = World::new();
        let tiers = json!({ "capacity": 2, "heat": 2, "similarity": similarity, "segments": segments });
        let engine = world.open(None, &json!({ "extraction": { "auto": false }, "tiers": tiers }));
        let topics = ["I live in Lisbon", "Tea is good", "Where is my hat", "I like trains"];
        let mut commits: Vec<Value> = Vec::new();
        for (place, (step, number)) in steps.into_iter().enumerate() {
            let pages = || {
                let found = world.call(&engine, "tiers.retrieve", json!({ "query": "tea, hats, trains" }));
                let lists = ["recent", "pages"].map(|list| found[list].as_array().unwrap().clone());
                Value::from(lists.concat())
            };
            let (method, options) = match step {
                0..=3 => {
                    let mut page = json!({ "query": format!("{} {place}.", topics[number % 4]), "response": "Yes." });
                    if number % 3 > 0 {
                        page["threadId"] = json!("t");
                    }
                    ("tiers.add", page)
                }
                4 => ("tiers.update", json!({})),
                5 => ("tiers.remove", json!({ "id": pick(&pages(), number, "id") })),
                6 => {
                    let messages = world.call(&engine, "threads.messages", json!({ "threadId": "t" }));
                    ("threads.remove", json!({ "threadId": "t", "ids": [pick(&messages, number, "id")] }))
                }
                7 if number < 10 => ("tiers.clear", json!({})),
                _ => ("undo", json!({ "commitId": pick(&json!(commits), number, "commitId") })),
            };
            if let Ok(done) = world.try_call(&engine, method, ALICE, options) {
                let commit = if done.is_array() { &done[0]["commitId"] } else { &done["commitId"] };
                if commit.is_string() {
                    commits.push(json!({ "commitId": commit }));
                }
            }
            let places = Places::read(&world);
            places.check();
            for (pages, fresh, summary) in places.segments.values() {
                prop_assert!(fresh <= pages && !summary.is_empty());
            }
            for id in places.mid.keys() {
                for said in places.segments[id].2.split(['.', '?']).map(str::trim).filter(|said| !said.is_empty()) {
                    prop_assert!(places.mid[id].iter().any(|query| query.contains(said)), "{said}: {places:#?}");
                }
            }
        }
        prop_assert_eq!(world.call(&engine, "verify", json!({}))["ok"].clone(), json!(true));
    }
}
