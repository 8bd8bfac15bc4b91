//! The engine as an application calls it: by name, with JSON, on a machine of its own.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[path = "support/machine.rs"]
mod machine;

use machine::Machine;
use mnemic::engine::{Engine, Options, Parts};
use mnemic::ports::{Embedder, Llm, ModelRequest, Pending};
use mnemic::storage::MemoryStorage;
use mnemic::{Code, Error, Result};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const ALICE: &str = r#"{"userId":"alice"}"#;
const BOB: &str = r#"{"userId":"bob"}"#;

/// A model that answers what it was given, in turn, and keeps what it was asked.
#[derive(Default)]
struct Scripted {
    answers: RefCell<Vec<Result<Value>>>,
    asked: RefCell<Vec<ModelRequest>>,
}

impl Scripted {
    fn new(answers: impl IntoIterator<Item = Value>) -> Rc<Self> {
        Rc::new(Self {
            answers: RefCell::new(answers.into_iter().map(Ok).collect()),
            asked: RefCell::default(),
        })
    }
}

impl Llm for Scripted {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        self.asked.borrow_mut().push(request.clone());
        let mut answers = self.answers.borrow_mut();
        let answer = if answers.is_empty() {
            Err(Error::new(Code::Model, "no more answers"))
        } else {
            answers.remove(0)
        };
        Box::pin(async move { answer })
    }
}

struct World {
    machine: Machine,
    storage: MemoryStorage,
}

impl World {
    fn new() -> Self {
        Self { machine: Machine::new(7), storage: MemoryStorage::default() }
    }

    fn open(&self, llm: Option<Rc<dyn Llm>>) -> Engine {
        self.open_with(llm, None)
    }

    fn open_with(&self, llm: Option<Rc<dyn Llm>>, embedder: Option<Rc<dyn Embedder>>) -> Engine {
        let parts = Parts {
            storage: Rc::new(self.storage.clone()),
            platform: self.machine.platform(),
            llm,
            embedder,
            tokenizer: None,
        };
        let options: Options = serde_json::from_value(
            json!({ "extraction": { "trigger": { "messages": 1 } }, "profiles": { "user-profile": {
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "place": { "type": "string" },
                "job": { "type": "string" },
                "likes": { "type": "array", "items": { "type": "string" } },
                "dislikes": { "type": "array", "items": { "type": "string" } },
                "technical_stack": { "type": "string" },
                "job_status": { "type": "string", "enum": ["student", "employed", "searching"] },
            }
        } } }),
        )
        .unwrap();
        self.machine.run(async move { Engine::open(parts, options).await }).unwrap()
    }

    fn try_call(&self, engine: &Engine, method: &str, scope: &str, options: Value) -> Result<Value> {
        let (engine, method, scope) = (engine.clone(), method.to_owned(), scope.to_owned());
        let answer =
            self.machine.run(async move { engine.call(&method, &scope, &options.to_string()).await })?;
        Ok(serde_json::from_str(&answer).unwrap())
    }

    fn call(&self, engine: &Engine, method: &str, options: Value) -> Value {
        self.try_call(engine, method, ALICE, options).unwrap()
    }

    fn say(&self, engine: &Engine, text: &str) -> Value {
        let said =
            self.call(engine, "remember", json!({ "messages": [{ "role": "user", "content": text }] }));
        self.try_call(engine, "idle", "", json!({})).unwrap();
        said
    }

    fn profile(&self, engine: &Engine) -> Value {
        self.call(engine, "profiles.get", json!({}))["user-profile"]["profile"].clone()
    }

    fn facts(&self, engine: &Engine) -> Vec<String> {
        let facts = self.call(engine, "facts.list", json!({}));
        facts.as_array().unwrap().iter().map(|fact| fact["text"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn rules_learn_and_a_reload_forgets_nothing() {
    let world = World::new();
    let engine = world.open(None);
    world.say(&engine, "Hi! My name is Ana, I live in Lisbon and work as a nurse. I love hiking.");
    let profile = world.profile(&engine);
    assert_eq!(profile, json!({ "name": "Ana", "place": "Lisbon", "job": "nurse", "likes": ["hiking"] }));
    let before = (
        world.call(&engine, "facts.list", json!({})),
        world.call(&engine, "recall", json!({ "query": "what does Ana like?" })),
    );
    assert!(before.1["text"].as_str().unwrap().contains("hiking"));

    let engine = world.open(None);
    assert_eq!(world.profile(&engine), profile);
    let after = (
        world.call(&engine, "facts.list", json!({})),
        world.call(&engine, "recall", json!({ "query": "what does Ana like?" })),
    );
    assert_eq!(before, after);
    assert_eq!(world.try_call(&engine, "verify", "", json!({})).unwrap()["ok"], json!(true));
}

#[test]
fn what_is_not_to_be_learned_from_is_kept_and_found_all_the_same() {
    let world = World::new();
    let engine = world.open(None);
    let messages = json!([{ "role": "user", "content": "My name is Ana.", "id": "1" }]);
    world.call(&engine, "remember", json!({ "messages": messages, "learn": false }));
    let idle = world.try_call(&engine, "idle", "", json!({})).unwrap();
    assert_eq!((&idle["pending"], world.profile(&engine)), (&json!(0), json!({})));
    assert_eq!(world.call(&engine, "threads.search", json!({ "query": "Ana" })).as_array().unwrap().len(), 1);
    world.call(&engine, "remember", json!({ "messages": messages }));
    assert_eq!(world.profile(&engine), json!({}), "a message that is known teaches nothing new");
}

#[test]
fn a_new_place_supersedes_the_old_and_the_past_stays() {
    let world = World::new();
    let engine = world.open(None);
    world.say(&engine, "I live in Paris.");
    world.machine.pass(1000);
    let between = mnemic::ports::Platform::now(&*world.machine.platform());
    world.machine.pass(86_400_000);
    world.say(&engine, "Actually, I moved to Berlin.");
    assert_eq!(world.profile(&engine)["place"], json!("Berlin"));
    assert_eq!(world.facts(&engine).len(), 1);
    assert_eq!(
        world.call(&engine, "facts.list", json!({ "includeSuperseded": true })).as_array().unwrap().len(),
        2
    );
    let then = world.call(&engine, "profiles.get", json!({ "asOf": between }));
    assert_eq!(then["user-profile"]["profile"]["place"], json!("Paris"));
    let history =
        world.call(&engine, "profiles.history", json!({ "schema": "user-profile", "field": "place" }));
    assert_eq!(
        history.as_array().unwrap().iter().map(|r| &r["value"]).collect::<Vec<_>>(),
        [&json!("Paris"), &json!("Berlin")]
    );
    // Undoing the second extraction brings Paris back, as a new revision.
    let undone = world.call(&engine, "undo", json!({ "commitId": history[1]["commitId"] }));
    assert!(undone["commitId"].is_string());
    assert_eq!(world.profile(&engine)["place"], json!("Paris"));
    assert_eq!(world.facts(&engine), ["The user lives in Paris."]);
}

#[test]
fn liking_no_longer_leaves_the_profile() {
    let world = World::new();
    let engine = world.open(None);
    world.say(&engine, "I like coffee. I like tea.");
    assert_eq!(world.profile(&engine)["likes"], json!(["coffee", "tea"]));
    world.say(&engine, "I don't like coffee any more.");
    assert_eq!(world.profile(&engine)["likes"], json!(["tea"]));
}

#[test]
fn the_model_extracts_in_one_call_and_every_fact_is_explained() {
    let llm = Scripted::new([json!({
        "facts": [{ "action": "add", "target": null, "text": "The user has a cat called Miso.", "category": "personal info",
            "significance": 6, "message": 1, "quote": "my cat Miso", "since": null }],
        "profile": [{ "schema": "user-profile", "field": "technical_stack", "value": "ADK", "context": "The user builds an ADK agent.",
            "message": 1, "quote": "ADK agent" }]
    })]);
    let world = World::new();
    let engine = world.open(Some(llm.clone()));
    let said = world.say(&engine, "Can you help me build an ADK agent that feeds my cat Miso?");
    assert_eq!(llm.asked.borrow().len(), 1);
    assert_eq!(world.facts(&engine), ["The user has a cat called Miso."]);
    assert_eq!(world.profile(&engine)["technical_stack"], json!("ADK"));
    let fact = world.call(&engine, "facts.list", json!({}))[0].clone();
    let why = world.call(&engine, "explain", json!({ "id": fact["id"] }));
    assert_eq!(why["source"][0]["quote"], json!("my cat Miso"));
    assert_eq!(why["source"][0]["messageId"], said["messageIds"][0]);
    assert_eq!(why["source"][0]["role"], json!("user"));
    assert_eq!(why["cause"], json!("extract"));
    let usage = world.try_call(&engine, "usage", "", json!({})).unwrap();
    assert_eq!(usage["calls"], json!(1));
}

#[test]
fn an_invented_id_and_a_bad_enum_are_sent_back_once() {
    let good = json!({ "facts": [], "profile": [{ "schema": "user-profile", "field": "job_status", "value": "searching", "message": 1 }] });
    let llm = Scripted::new([
        json!({ "facts": [{ "action": "update", "target": 99, "text": "x" }], "profile": [{ "schema": "user-profile", "field": "job_status", "value": "lazy" }] }),
        good,
    ]);
    let world = World::new();
    let engine = world.open(Some(llm.clone()));
    world.say(&engine, "I am looking for a job.");
    assert_eq!(world.profile(&engine), json!({ "job_status": "searching" }));
    let asked = llm.asked.borrow();
    assert_eq!(asked.len(), 2);
    let complaint = &asked[1].messages.last().unwrap().content;
    assert!(complaint.contains("no known fact 99") && complaint.contains("job_status"), "{complaint}");
    let usage = world.try_call(&engine, "usage", "", json!({})).unwrap();
    assert_eq!((&usage["calls"], &usage["failures"]), (&json!(2), &json!(1)));
    assert_eq!(usage["byPurpose"]["extract"]["calls"], json!(2));
}

#[test]
fn a_failing_model_loses_nothing_and_the_queue_catches_up() {
    let llm = Rc::new(Scripted::default());
    let world = World::new();
    let engine = world.open(Some(llm.clone()));
    world.say(&engine, "I play the cello.");
    let idle = world.try_call(&engine, "idle", "", json!({})).unwrap();
    assert_eq!((idle["pending"].clone(), idle["failed"][0]["attempts"].clone()), (json!(1), json!(1)));
    // The message can be found meanwhile.
    let found = world.call(&engine, "threads.search", json!({ "query": "cello" }));
    assert_eq!(found.as_array().unwrap().len(), 1);
    llm.answers.borrow_mut().push(Ok(json!("Sure:\n```json\n{\"facts\": [{\"action\": \"add\", \"text\": \"The user plays the cello.\", \"significance\": 6,}]}\n```")));
    world.machine.pass(20_000);
    assert_eq!(world.facts(&engine), ["The user plays the cello."]);
    assert_eq!(
        world.try_call(&engine, "idle", "", json!({})).unwrap(),
        json!({ "pending": 0, "failed": [] })
    );
}

#[test]
fn a_task_survives_a_reload() {
    let world = World::new();
    let engine = world.open(Some(Rc::new(Scripted::default())));
    world.say(&engine, "I play the cello.");
    let llm = Scripted::new([
        json!({ "facts": [{ "action": "add", "text": "The user plays the cello.", "significance": 6 }] }),
    ]);
    let engine = world.open(Some(llm));
    world.try_call(&engine, "idle", "", json!({})).unwrap();
    assert_eq!(world.facts(&engine), ["The user plays the cello."]);
}

#[test]
fn two_engines_learn_from_one_task_once() {
    let answer =
        || json!({ "facts": [{ "action": "add", "text": "The user plays the cello.", "significance": 6 }] });
    let world = World::new();
    let engine = world.open(Some(Rc::new(Scripted::default())));
    world.say(&engine, "I play the cello.");
    // Both find the task when they open, and both ask their model before either commits.
    let one = world.open(Some(Scripted::new([answer()])));
    let other = world.open(Some(Scripted::new([answer()])));
    world.try_call(&one, "idle", "", json!({})).unwrap();
    world.try_call(&other, "idle", "", json!({})).unwrap();
    assert_eq!(world.facts(&one), ["The user plays the cello."]);
    assert_eq!(world.facts(&other), ["The user plays the cello."]);
}

#[test]
fn scopes_never_see_each_other() {
    let world = World::new();
    let engine = world.open(None);
    world.say(&engine, "My name is Ana. I love hiking.");
    let id = world.call(&engine, "facts.list", json!({}))[0]["id"].clone();
    for (method, options) in [
        ("facts.list", json!({})),
        ("facts.search", json!({ "query": "hiking" })),
        ("threads.list", json!({})),
        ("threads.search", json!({ "query": "hiking" })),
    ] {
        assert_eq!(world.try_call(&engine, method, BOB, options).unwrap(), json!([]), "{method}");
    }
    assert_eq!(world.try_call(&engine, "facts.get", BOB, json!({ "id": id })).unwrap(), Value::Null);
    assert_eq!(
        world.try_call(&engine, "recall", BOB, json!({ "query": "hiking" })).unwrap()["text"],
        json!("")
    );
    for method in ["facts.delete", "history", "explain"] {
        assert_eq!(
            world.try_call(&engine, method, BOB, json!({ "id": id })).unwrap_err().code,
            Code::NotFound,
            "{method}"
        );
    }
}

/// A search in one thread used to answer with messages of every thread.
#[test]
fn a_search_in_a_thread_stays_in_it() {
    let world = World::new();
    let engine = world.open(None);
    for thread in ["monday", "tuesday"] {
        let message = json!({ "role": "user", "content": format!("The cello lesson is on {thread}.") });
        world.call(&engine, "remember", json!({ "threadId": thread, "messages": [message] }));
    }
    let threads = |options: Value| -> Vec<Value> {
        let found = world.call(&engine, "threads.search", options);
        found.as_array().unwrap().iter().map(|message| message["threadId"].clone()).collect()
    };
    assert_eq!(threads(json!({ "query": "cello" })).len(), 2);
    assert_eq!(threads(json!({ "query": "cello", "threadId": "monday" })), ["monday"]);
    assert_eq!(threads(json!({ "query": "cello", "threadId": "mon" })), [""; 0]);
    let facts =
        world.try_call(&engine, "facts.search", ALICE, json!({ "query": "cello", "threadId": "monday" }));
    assert_eq!(facts.unwrap_err().code, Code::InvalidInput);
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let world = World::new();
    let engine = world.open(None);
    let before = world.try_call(&engine, "usage", "", json!({})).unwrap();
    let long = "x".repeat(10_000_000);
    for (method, scope, options, code) in [
        ("remember", ALICE, json!({}), Code::InvalidInput),
        ("remember", ALICE, json!({ "messages": [] }), Code::InvalidInput),
        ("remember", ALICE, json!({ "messages": [{ "role": "robot", "content": "x" }] }), Code::InvalidInput),
        ("remember", ALICE, json!({ "messages": [{ "role": "user", "content": 5 }] }), Code::InvalidInput),
        ("remember", ALICE, json!({ "messages": [{ "role": "user", "content": long }] }), Code::InvalidInput),
        (
            "remember",
            ALICE,
            json!({ "messages": [{ "role": "user", "content": "x" }], "mood": 1 }),
            Code::InvalidInput,
        ),
        ("remember", "{}", json!({ "messages": [{ "role": "user", "content": "x" }] }), Code::InvalidScope),
        ("recall", ALICE, json!({ "query": "" }), Code::InvalidInput),
        ("recall", ALICE, json!({ "query": "x", "maxTokens": 0 }), Code::InvalidInput),
        ("recall", ALICE, json!({ "query": "x", "filter": { "$bad": 1 } }), Code::InvalidFilter),
        ("facts.add", ALICE, json!({ "text": "" }), Code::InvalidInput),
        ("facts.add", ALICE, json!({ "text": "x", "significance": 11 }), Code::InvalidInput),
        ("facts.add", ALICE, json!({ "text": "x", "category": "secret" }), Code::InvalidInput),
        ("facts.get", ALICE, json!({ "id": "nope" }), Code::InvalidInput),
        (
            "facts.update",
            ALICE,
            json!({ "id": "0191a0b0-0000-7000-8000-000000000000", "text": "y" }),
            Code::NotFound,
        ),
        ("facts.list", ALICE, json!({ "limit": 0 }), Code::InvalidInput),
        (
            "profiles.set",
            ALICE,
            json!({ "schema": "user-profile", "field": "name", "value": 5 }),
            Code::SchemaViolation,
        ),
        (
            "profiles.set",
            ALICE,
            json!({ "schema": "user-profile", "field": "nope", "value": 5 }),
            Code::NotFound,
        ),
        ("profiles.set", ALICE, json!({ "schema": "other", "field": "name", "value": 5 }), Code::NotFound),
        ("undo", ALICE, json!({ "commitId": "0191a0b0-0000-7000-8000-000000000000" }), Code::NotFound),
        ("dance", ALICE, json!({}), Code::InvalidInput),
    ] {
        let error = world.try_call(&engine, method, scope, options.clone()).unwrap_err();
        assert_eq!(error.code, code, "{method}: {}", error.message);
        assert!(error.message.len() < 600, "{method}: a message of {} bytes", error.message.len());
    }
    assert_eq!(world.try_call(&engine, "usage", "", json!({})).unwrap(), before);
}

#[test]
fn a_wrong_value_is_named_by_its_place() {
    let world = World::new();
    let engine = world.open(None);
    let message = |role: &str| json!({ "role": role, "content": "x" });
    for (method, options, named) in [
        ("facts.list", json!({ "limit": -1 }), "limit: invalid value: integer `-1`"),
        ("facts.list", json!({ "offset": 1.5, "limit": 2 }), "offset: invalid type: floating point `1.5`"),
        ("facts.add", json!({ "text": ["x"] }), "text: invalid type: sequence"),
        ("facts.add", json!({ "text": "a \"quoted\" {text", "metadata": 7 }), "metadata: invalid type"),
        (
            "remember",
            json!({ "messages": [message("user"), message("robot")] }),
            "messages[1].role: unknown variant `robot`",
        ),
        (
            "remember",
            json!({ "messages": [message("user"), { "role": "user" }] }),
            "messages[1]: missing field `content`",
        ),
        ("recall", json!({}), "not usable: missing field `query`"),
        ("recall", json!({ "query": "x", "a b": 1 }), "[\"a b\"]: unknown field `a b`"),
        ("facts.get", json!({ "id": "nothing" }), "\"nothing\" is not an id"),
    ] {
        let error = world.try_call(&engine, method, ALICE, options).unwrap_err();
        assert_eq!(error.code, Code::InvalidInput);
        assert!(error.message.contains(named), "{method}: {}", error.message);
    }
}

#[test]
fn profiles_are_validated_merged_and_rolled_back() {
    let world = World::new();
    let engine = world.open(None);
    let name = |value: &str| json!({ "schema": "user-profile", "field": "name", "value": value });
    world.call(&engine, "profiles.set", name("Ana"));
    assert_eq!(world.call(&engine, "profiles.set", name("Ana"))["action"], json!("unchanged"));
    world.call(&engine, "profiles.set", name("Anna"));
    world.call(
        &engine,
        "profiles.patch",
        json!({ "schema": "user-profile", "patch": { "name": null, "likes": ["tea"] } }),
    );
    assert_eq!(world.profile(&engine), json!({ "likes": ["tea"] }));
    world.call(
        &engine,
        "profiles.rollback",
        json!({ "schema": "user-profile", "field": "name", "revision": 1 }),
    );
    assert_eq!(world.profile(&engine)["name"], json!("Ana"));
    let history =
        world.call(&engine, "profiles.history", json!({ "schema": "user-profile", "field": "name" }));
    let history: Vec<(Value, Value)> =
        history.as_array().unwrap().iter().map(|r| (r["revision"].clone(), r["value"].clone())).collect();
    assert_eq!(
        history,
        [
            (json!(1), json!("Ana")),
            (json!(2), json!("Anna")),
            (json!(3), Value::Null),
            (json!(4), json!("Ana"))
        ]
    );
}

#[test]
fn the_same_message_twice_is_kept_once_and_a_new_text_replaces_it() {
    let world = World::new();
    let engine = world.open(None);
    let hand = |text: &str| json!({ "threadId": "t", "messages": [{ "role": "user", "content": text, "id": "m1" }] });
    let first = world.call(&engine, "remember", hand("I like tea."));
    let again = world.call(&engine, "remember", hand("I like tea."));
    assert_eq!((&first["messageIds"], again.get("commitId")), (&again["messageIds"], None));
    world.call(&engine, "remember", hand("I like green tea."));
    let messages = world.call(&engine, "threads.messages", json!({ "threadId": "t" }));
    assert_eq!(messages.as_array().unwrap().len(), 1);
    assert_eq!(messages[0]["content"], json!("I like green tea."));
}

#[test]
fn recall_keeps_within_its_tokens_and_explains_itself() {
    let world = World::new();
    let engine = world.open(None);
    for number in 0..50 {
        world.call(
            &engine,
            "facts.add",
            json!({ "text": format!("The user visited city number {number} and liked the food there.") }),
        );
    }
    for max_tokens in [1, 5, 20, 60, 200, 1000] {
        let recalled = world.call(
            &engine,
            "recall",
            json!({ "query": "which city has good food?", "maxTokens": max_tokens, "limit": 50 }),
        );
        assert!(recalled["tokens"].as_u64().unwrap() <= max_tokens, "{recalled}");
        assert_eq!(
            recalled["text"].as_str().unwrap().is_empty(),
            recalled["items"].as_array().unwrap().is_empty()
        );
    }
    let recalled = world.call(&engine, "recall", json!({ "query": "city 7", "limit": 3 }));
    let best = &recalled["items"][0];
    assert!(best["text"].as_str().unwrap().contains("number 7"), "{recalled}");
    assert!(best["terms"]["wordsRaw"].as_f64().unwrap() > 0.0);
}

#[test]
fn the_weaker_of_two_matches_counts_for_more_than_none() {
    let world = World::new();
    let engine = world.open(None);
    for text in ["The user plays the cello.", "The user plays tennis on Sundays.", "The user has a cat."] {
        world.call(&engine, "facts.add", json!({ "text": text }));
    }
    let found = world.call(&engine, "facts.search", json!({ "query": "who plays the cello?" }));
    let words = |place: usize| found[place]["terms"]["words"].as_f64().unwrap();
    assert!(
        found[0]["text"].as_str().unwrap().contains("cello")
            && found[1]["text"].as_str().unwrap().contains("tennis")
    );
    assert!(words(0) > words(1) && words(1) > 0.0, "{found}");
    assert!(
        found.as_array().unwrap().iter().skip(2).all(|fact| fact["terms"].get("wordsRaw").is_none()),
        "{found}"
    );
}

#[test]
fn everything_fails_with_closed_after_closing() {
    let world = World::new();
    let engine = world.open(None);
    let closing = engine.clone();
    world.machine.run(async move { closing.close().await });
    for method in ["remember", "recall", "profiles.get", "facts.list", "usage", "verify", "idle"] {
        let options = match method {
            "remember" => json!({ "messages": [{ "role": "user", "content": "x" }] }),
            "recall" => json!({ "query": "x" }),
            _ => json!({}),
        };
        let error = world.try_call(&engine, method, ALICE, options).unwrap_err();
        assert_eq!(error.code, Code::Closed, "{method}");
    }
}

#[test]
fn what_expires_is_hidden_at_once_and_ended_at_the_next_opening() {
    let world = World::new();
    let engine = world.open(None);
    let expires_at = machine::START + 60_000;
    let added = world.call(
        &engine,
        "facts.add",
        json!({ "text": "The user is in Rome this week.", "expiresAt": expires_at }),
    );
    world.call(&engine, "facts.add", json!({ "text": "The user likes trains." }));
    assert_eq!(world.facts(&engine).len(), 2);
    world.machine.pass(60_000);
    assert_eq!(world.facts(&engine), ["The user likes trains."]);
    assert!(world.call(&engine, "facts.search", json!({ "query": "Rome" })).as_array().unwrap().is_empty());
    assert!(
        !world.call(&engine, "recall", json!({ "query": "Rome" }))["text"].as_str().unwrap().contains("Rome")
    );
    let engine = world.open(None);
    world.try_call(&engine, "idle", "", json!({})).unwrap();
    let history = world.call(&engine, "history", json!({ "id": added["id"] }));
    assert_eq!((history[1]["deleted"].clone(), history[1]["cause"].clone()), (json!(true), json!("expire")));
}

/// A model that never answers, and knows when nobody waits any more.
#[derive(Default)]
struct Hanging {
    given_up: Rc<Cell<bool>>,
}

impl Llm for Hanging {
    fn complete<'a>(&'a self, _request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        struct OnDrop(Rc<Cell<bool>>);
        impl Drop for OnDrop {
            fn drop(&mut self) {
                self.0.set(true);
            }
        }
        let waiting = OnDrop(self.given_up.clone());
        Box::pin(async move {
            std::future::pending::<()>().await;
            drop(waiting);
            Ok(Value::Null)
        })
    }
}

#[test]
fn closing_gives_up_a_model_that_hangs_and_the_task_waits() {
    let world = World::new();
    let llm = Rc::new(Hanging::default());
    let engine = world.open(Some(llm.clone()));
    world.call(
        &engine,
        "remember",
        json!({ "messages": [{ "role": "user", "content": "I live in Oslo." }] }),
    );
    world.machine.pass(1000);
    assert!(!llm.given_up.get());
    world.machine.run(async move { engine.close().await });
    world.machine.pass(1);
    assert!(llm.given_up.get());
    let engine = world.open(None);
    world.try_call(&engine, "idle", "", json!({})).unwrap();
    assert_eq!(world.facts(&engine), ["The user lives in Oslo."]);
}

/// An embedder over a table of words, that can be made to fail.
struct Table {
    id: &'static str,
    fails: Cell<bool>,
    calls: Cell<usize>,
}

impl Table {
    fn new(id: &'static str) -> Rc<Self> {
        Rc::new(Self { id, fails: Cell::new(false), calls: Cell::new(0) })
    }
}

impl Embedder for Table {
    fn id(&self) -> &str {
        self.id
    }

    fn embed<'a>(&'a self, texts: &'a [String], _timeout_ms: u32) -> Pending<'a, Result<Vec<Vec<f32>>>> {
        self.calls.set(self.calls.get() + 1);
        let answer = if self.fails.get() {
            Err(Error::new(Code::Embedder, "the embedder is out"))
        } else {
            let axis = |text: &str, words: &[&str]| {
                f32::from(u8::from(words.iter().any(|word| text.contains(word))))
            };
            let vector =
                |text: &String| vec![axis(text, &["cat", "feline"]), axis(text, &["car", "vehicle"]), 0.01];
            Ok(texts.iter().map(vector).collect())
        };
        Box::pin(async move { answer })
    }
}

#[test]
fn an_embedder_finds_by_meaning_and_words_do_when_it_fails() {
    let world = World::new();
    let embedder = Table::new("table-1");
    let engine = world.open_with(None, Some(embedder.clone()));
    world.call(&engine, "facts.add", json!({ "text": "The user has a cat." }));
    world.call(&engine, "facts.add", json!({ "text": "The user has a car." }));
    world.try_call(&engine, "idle", "", json!({})).unwrap();
    let first = |answer: Value| answer[0]["text"].clone();
    assert_eq!(
        first(world.call(&engine, "facts.search", json!({ "query": "feline" }))),
        json!("The user has a cat.")
    );
    embedder.fails.set(true);
    assert_eq!(world.call(&engine, "facts.search", json!({ "query": "feline" })), json!([]));
    assert_eq!(
        first(world.call(&engine, "facts.search", json!({ "query": "car" }))),
        json!("The user has a car.")
    );
    let recalled = world.call(&engine, "recall", json!({ "query": "car" }));
    assert_eq!(recalled["warnings"][0]["code"], json!("Embedder"));
    assert!(recalled["text"].as_str().unwrap().contains("car"));
}

#[test]
fn another_embedder_re_embeds_and_loses_nothing() {
    let world = World::new();
    let engine = world.open(None);
    world.call(&engine, "facts.add", json!({ "text": "The user has a cat." }));
    let embedder = Table::new("table-2");
    let engine = world.open_with(None, Some(embedder.clone()));
    world.try_call(&engine, "idle", "", json!({})).unwrap();
    assert_eq!(embedder.calls.get(), 1);
    let usage = world.try_call(&engine, "usage", "", json!({})).unwrap();
    assert_eq!((usage["vectors"].clone(), usage["unembedded"].clone()), (json!(1), json!(0)));
    assert_eq!((&usage["calls"], &usage["byPurpose"]["embed"]["calls"]), (&json!(1), &json!(1)));
    assert_eq!(
        world.call(&engine, "facts.search", json!({ "query": "feline" })).as_array().unwrap().len(),
        1
    );
}

#[test]
fn an_embedder_of_another_length_is_refused_by_name() {
    struct Fickle(Cell<usize>);
    impl Embedder for Fickle {
        fn id(&self) -> &str {
            "fickle"
        }
        fn embed<'a>(&'a self, texts: &'a [String], _timeout_ms: u32) -> Pending<'a, Result<Vec<Vec<f32>>>> {
            self.0.set(self.0.get() + 1);
            let vectors = vec![vec![1.0; 2 + self.0.get()]; texts.len()];
            Box::pin(async move { Ok(vectors) })
        }
    }
    let world = World::new();
    let engine = world.open_with(None, Some(Rc::new(Fickle(Cell::new(0)))));
    world.call(&engine, "facts.add", json!({ "text": "The user has a cat." }));
    world
        .try_call(&engine, "remember", ALICE, json!({ "messages": [{ "role": "user", "content": "hi" }] }))
        .unwrap();
    world.try_call(&engine, "idle", "", json!({})).unwrap();
    let error = world.try_call(&engine, "facts.search", ALICE, json!({ "query": "cat" })).unwrap_err();
    assert_eq!(error.code, Code::Embedder, "{}", error.message);
    let recalled = world.call(&engine, "recall", json!({ "query": "cat" }));
    assert_eq!(recalled["warnings"][0]["code"], json!("Embedder"));
    assert!(recalled["text"].as_str().unwrap().contains("cat"));
}

/// A field emptied and set again in one batch was deleted and put in one draft, which no draft may do, and blocked the
/// queue for ever.
#[test]
fn a_field_emptied_and_filled_in_one_batch_is_filled() {
    let world = World::new();
    let engine = world.open(None);
    world.say(&engine, "I like coffee.");
    world.say(&engine, "I don't like coffee any more. I like tea.");
    assert_eq!(world.profile(&engine)["likes"], json!(["tea"]));
    assert_eq!(
        world.try_call(&engine, "idle", "", json!({})).unwrap(),
        json!({ "pending": 0, "failed": [] })
    );
}

/// Rome ended Paris and was withdrawn for Paris in the same batch; the Paris that the batch had ended passed for known.
#[test]
fn going_away_and_coming_back_in_one_batch_leaves_the_place() {
    let world = World::new();
    let engine = world.open(None);
    world.say(&engine, "I live in Paris.");
    world.machine.pass(1000);
    world.say(&engine, "I moved to Rome. Actually, I live in Paris.");
    assert_eq!(world.facts(&engine), ["The user lives in Paris."]);
    assert_eq!(world.profile(&engine)["place"], json!("Paris"));
}

/// An old conversation that is imported late must not end what is newer.
#[test]
fn an_old_message_handed_over_late_is_past() {
    let world = World::new();
    let engine = world.open(None);
    world.say(&engine, "I live in Paris.");
    let old = json!({ "role": "user", "content": "I live in Rome.", "createdAt": machine::START - 86_400_000_000_i64 });
    world.call(&engine, "remember", json!({ "messages": [old] }));
    world.try_call(&engine, "idle", "", json!({})).unwrap();
    assert_eq!(world.facts(&engine), ["The user lives in Paris."]);
    assert_eq!(world.profile(&engine)["place"], json!("Paris"));
    assert_eq!(
        world.call(&engine, "facts.list", json!({ "includeSuperseded": true })).as_array().unwrap().len(),
        2
    );
}

/// A model that lets something happen while it thinks.
struct Interrupted {
    answers: RefCell<Vec<Value>>,
    meanwhile: RefCell<Option<Pending<'static, ()>>>,
    calls: Cell<usize>,
}

impl Llm for Interrupted {
    fn complete<'a>(&'a self, _request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        Box::pin(async move {
            self.calls.set(self.calls.get() + 1);
            let meanwhile = self.meanwhile.borrow_mut().take();
            if let Some(meanwhile) = meanwhile {
                meanwhile.await;
            }
            Ok(self.answers.borrow_mut().remove(0))
        })
    }
}

#[test]
fn what_the_user_sets_while_the_model_answers_is_not_overwritten_unseen() {
    let world = World::new();
    let field = |value: &str| json!({ "facts": [], "profile": [{ "schema": "user-profile", "field": "place", "value": value, "message": 1 }] });
    let llm = Rc::new(Interrupted {
        answers: RefCell::new(vec![field("Rome"), json!({ "facts": [] })]),
        meanwhile: RefCell::default(),
        calls: Cell::new(0),
    });
    let engine = world.open(Some(llm.clone()));
    let user = engine.clone();
    *llm.meanwhile.borrow_mut() = Some(Box::pin(async move {
        let set = json!({ "schema": "user-profile", "field": "place", "value": "Lisbon" }).to_string();
        user.call("profiles.set", ALICE, &set).await.unwrap();
    }));
    world.say(&engine, "I was in Rome.");
    assert_eq!((world.profile(&engine)["place"].clone(), llm.calls.get()), (json!("Lisbon"), 2));
}

#[test]
fn a_fact_deleted_while_the_model_answers_makes_it_answer_again() {
    let world = World::new();
    let llm = Rc::new(Interrupted {
        answers: RefCell::new(vec![
            json!({ "facts": [{ "action": "update", "target": 1, "text": "The user has two cats.", "significance": 6 }] }),
            json!({ "facts": [{ "action": "add", "text": "The user has two cats.", "significance": 6 }] }),
        ]),
        meanwhile: RefCell::default(),
        calls: Cell::new(0),
    });
    let engine = world.open(Some(llm.clone()));
    let added = world.call(&engine, "facts.add", json!({ "text": "The user has cats." }));
    let (user, id) = (engine.clone(), json!({ "id": added["id"] }).to_string());
    *llm.meanwhile.borrow_mut() = Some(Box::pin(async move {
        user.call("facts.delete", ALICE, &id).await.unwrap();
    }));
    world.say(&engine, "I have two cats now.");
    assert_eq!((world.facts(&engine), llm.calls.get()), (vec!["The user has two cats.".to_owned()], 2));
}

#[test]
fn a_field_over_its_limit_is_sent_back_to_the_model() {
    let long = "x".repeat(70_000);
    let llm = Scripted::new([
        json!({ "facts": [], "profile": [{ "schema": "user-profile", "field": "job", "value": long }] }),
        json!({ "facts": [], "profile": [{ "schema": "user-profile", "field": "job", "value": "baker" }] }),
    ]);
    let world = World::new();
    let engine = world.open(Some(llm.clone()));
    world.say(&engine, "I am a baker.");
    assert_eq!((world.profile(&engine)["job"].clone(), llm.asked.borrow().len()), (json!("baker"), 2));
}

#[test]
fn a_vector_of_zeros_keeps_no_other_text_back() {
    struct Zeros(Cell<usize>);
    impl Embedder for Zeros {
        fn id(&self) -> &str {
            "zeros"
        }
        fn embed<'a>(&'a self, texts: &'a [String], _timeout_ms: u32) -> Pending<'a, Result<Vec<Vec<f32>>>> {
            self.0.set(self.0.get() + 1);
            let vectors =
                texts.iter().map(|text| vec![if text.contains("zero") { 0.0 } else { 1.0 }; 3]).collect();
            Box::pin(async move { Ok(vectors) })
        }
    }
    let world = World::new();
    let embedder = Rc::new(Zeros(Cell::new(0)));
    let engine = world.open_with(None, Some(embedder.clone()));
    for text in ["The user likes tea.", "zero", "The user likes jam."] {
        world.call(&engine, "facts.add", json!({ "text": text }));
    }
    world.machine.pass(3_600_000);
    let usage = world.try_call(&engine, "usage", "", json!({})).unwrap();
    assert_eq!((usage["vectors"].clone(), usage["unembedded"].clone()), (json!(2), json!(1)));
    assert!(embedder.0.get() <= 4, "asked {} times", embedder.0.get());
}

#[test]
fn many_changes_of_one_record_at_once_all_succeed() {
    let world = World::new();
    let engine = world.open(None);
    let added = world.call(&engine, "facts.add", json!({ "text": "The user likes tea." }));
    let calls: Vec<_> = (1..=10)
        .map(|number| {
            let (engine, id) = (engine.clone(), added["id"].clone());
            async move {
                let options = json!({ "id": id, "significance": number }).to_string();
                engine.call("facts.update", ALICE, &options).await
            }
        })
        .collect();
    let answers = world.machine.run(futures_util::future::join_all(calls));
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    let history = world.call(&engine, "history", json!({ "id": added["id"] }));
    assert!(history.as_array().unwrap().len() >= 10);
}

#[test]
fn what_has_expired_cannot_be_changed() {
    let world = World::new();
    let engine = world.open(None);
    let added = world.call(
        &engine,
        "facts.add",
        json!({ "text": "The user is in Rome.", "expiresAt": machine::START + 1000 }),
    );
    let before = mnemic::ports::Platform::now(&*world.machine.platform());
    world.machine.pass(2000);
    let update = json!({ "id": added["id"], "text": "The user is in Oslo." });
    assert_eq!(world.try_call(&engine, "facts.update", ALICE, update).unwrap_err().code, Code::NotFound);
    assert_eq!(
        world.try_call(&engine, "facts.delete", ALICE, json!({ "id": added["id"] })).unwrap_err().code,
        Code::NotFound
    );
    let then = world.call(&engine, "facts.get", json!({ "id": added["id"], "asOf": before }));
    assert_eq!(then["text"], json!("The user is in Rome."));
    let later = world.call(&engine, "facts.get", json!({ "id": added["id"], "asOf": before + 1500 }));
    assert_eq!(later, Value::Null);
}

#[test]
fn another_engine_looks_after_a_task_whose_engine_was_closed() {
    let world = World::new();
    let answer =
        || json!({ "facts": [{ "action": "add", "text": "The user plays the cello.", "significance": 6 }] });
    let one = world.open(Some(Rc::new(Hanging::default())));
    let other = world.open(Some(Scripted::new([answer()])));
    world.call(&one, "remember", json!({ "messages": [{ "role": "user", "content": "I play the cello." }] }));
    world.machine.run(async move { one.close().await });
    let refreshed = other.clone();
    world.machine.run(async move { refreshed.refresh().await }).unwrap();
    world.machine.pass(10_000);
    assert!(world.facts(&other).is_empty());
    world.machine.pass(60_000);
    assert_eq!(world.facts(&other), ["The user plays the cello."]);
}

/// A storage that answers every write with a conflict, though nobody else writes: the first write of a new memory was tried
/// for ever, and the page stood still.
#[test]
fn a_storage_that_always_conflicts_is_given_up() {
    struct Contrary;
    impl mnemic::ports::Storage for Contrary {
        fn read<'a>(&'a self, _start: &'a str, _end: &'a str) -> Pending<'a, Result<mnemic::ports::Pairs>> {
            Box::pin(async { Ok(Vec::new()) })
        }
        fn write<'a>(
            &'a self,
            _batch: &'a mnemic::ports::Batch,
            _expected_head: u64,
        ) -> Pending<'a, Result<()>> {
            Box::pin(async { Err(Error::new(Code::Conflict, "somebody was faster")) })
        }
        fn close(&self) {}
    }
    let world = World::new();
    let parts = Parts {
        storage: Rc::new(Contrary),
        platform: world.machine.platform(),
        llm: None,
        embedder: None,
        tokenizer: None,
    };
    let engine = world.machine.run(async move { Engine::open(parts, Options::default()).await }).unwrap();
    let error =
        world.try_call(&engine, "facts.add", ALICE, json!({ "text": "The user likes tea." })).unwrap_err();
    assert_eq!(error.code, Code::Conflict);
}
