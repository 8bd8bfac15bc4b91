//! Scopes that are locked by themselves: what is told of them, what stays of them, and what undoes them.

use super::*;
use crate::support::cipher::Passphrase;
use crate::support::fault::{Fault, FaultyStorage};
use crate::support::world::{ALICE, BOB, World};
use mnemic::Code;
use mnemic::database::Event;
use mnemic::engine::Engine;
use mnemic::ports::{HEAD_KEY, MAX_VALUE_BYTES};
use mnemic::vault::SealedView;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

const SECRET: &str = "a secret of hers";

/// A world whose storage is encrypted, with what is done to locks in it.
struct Locks(World);

impl Locks {
    fn new() -> Self {
        Self(World::new())
    }

    fn on(storage: MemoryStorage) -> Self {
        let mut world = World::new();
        world.storage = storage;
        Self(world)
    }

    /// One with two users, of whom alice has something of most kinds; her scope has a lock, and is open.
    fn filled() -> (Self, Engine) {
        let locks = Self::new();
        let engine = locks.open();
        for text in ["Alice plays the cedar flute", "Alice lives in Willow Street"] {
            locks.add(&engine, ALICE, text);
        }
        locks.0.teach(&engine, "My name is Birch. I like cedar.");
        locks.call(
            &engine,
            ALICE,
            "documents.put",
            json!({ "namespace": ["notes"], "key": "one", "value": { "tree": "cedar" } }),
        );
        locks.call(&engine, ALICE, "instructions.set", json!({ "text": "Speak of cedar" }));
        locks.add(&engine, BOB, "Bob plays the maple drum");
        locks.change(&engine, ALICE, SECRET).unwrap();
        locks.0.idle(&engine);
        (locks, engine)
    }

    fn open(&self) -> Engine {
        self.0.open_encrypted(Rc::new(self.0.storage.clone()), WORDS).unwrap()
    }

    fn reopen(&self, engine: &Engine) -> Engine {
        self.0.close(engine);
        self.open()
    }

    fn call(&self, engine: &Engine, scope: &str, method: &str, options: Value) -> Value {
        self.0.try_call(engine, method, scope, options).unwrap()
    }

    fn add(&self, engine: &Engine, scope: &str, text: &str) {
        self.call(engine, scope, "facts.add", json!({ "text": text }));
    }

    fn change(&self, engine: &Engine, user: &str, words: &str) -> Result<()> {
        let (engine, scope, source) = (engine.clone(), scope_of(user), Passphrase::new(words));
        self.0.machine.run(async move { engine.lock_scope(&scope, source).await })
    }

    fn unlock(&self, engine: &Engine, user: &str, words: &str) -> Result<()> {
        let (engine, scope, source) = (engine.clone(), scope_of(user), Passphrase::new(words));
        self.0.machine.run(async move { engine.unlock_scope(&scope, source).await })
    }

    fn lock(&self, engine: &Engine, user: &str) {
        self.call(engine, user, "lock.close", json!({}));
    }

    fn refresh(&self, engine: &Engine) -> Result<()> {
        let engine = engine.clone();
        self.0.machine.run(async move { engine.refresh().await })
    }

    /// Everything that is shown of a user.
    fn shown(&self, engine: &Engine, user: &str) -> Value {
        let ask = |method: &str, options: Value| self.call(engine, user, method, options);
        json!([
            ask("items.list", json!({})),
            ask("commits.list", json!({})),
            ask("threads.list", json!({})),
            ask("profiles.get", json!({})),
            ask("read:facts.search", json!({ "query": "cedar" })),
            ask("read:recall", json!({ "query": "cedar" })),
        ])
    }

    fn verified(&self, engine: &Engine) -> Value {
        self.0.call(engine, "verify", json!({}))["damage"].clone()
    }

    fn fails(&self, engine: &Engine, scope: &str, method: &str, options: Value) -> mnemic::Error {
        self.0.try_call(engine, method, scope, options).unwrap_err()
    }

    fn is_locked(&self, engine: &Engine) -> bool {
        self.call(engine, ALICE, "lock.status", json!({}))["locked"].as_bool().unwrap()
    }
}

fn scope_of(user: &str) -> mnemic::Scope {
    mnemic::Scope::from_json(&serde_json::from_str(user).unwrap()).unwrap()
}

/// Works on a storage by who has the memory's key alone: alice's scope is locked there.
fn by_root<R>(image: &MemoryStorage, work: impl AsyncFnOnce(Database) -> R) -> R {
    with(image.clone(), Some(WORDS), work).unwrap()
}

/// The numbers of the keys that sealed the values of an image.
fn keys_of(image: &MemoryStorage) -> BTreeSet<u32> {
    let pairs = pairs_of(image);
    let sealed = pairs.iter().filter(|(key, _)| !["head", "keys"].contains(&key.as_str()));
    sealed.map(|(_, value)| SealedView::decode(value).unwrap().key).collect()
}

#[test]
fn a_locked_scope_is_neither_read_nor_written_and_the_others_go_on() {
    let (locks, engine) = Locks::filled();
    let told = Rc::new(RefCell::new(Vec::new()));
    let hearing = told.clone();
    engine.listen(Rc::new(move |event| hearing.borrow_mut().push(serde_json::to_string(event).unwrap())));
    let (alice, bob) = (locks.shown(&engine, ALICE), locks.shown(&engine, BOB));
    locks.lock(&engine, ALICE);
    for engine in [engine.clone(), locks.open()] {
        let calls = [
            ("remember", json!({ "messages": [{ "role": "user", "content": "hello" }] })),
            ("recall", json!({ "query": "cedar" })),
            ("read:recall", json!({ "query": "cedar" })),
            ("assemble", json!({ "maxTokens": 500 })),
            ("facts.add", json!({ "text": "Alice sings" })),
            ("facts.list", json!({})),
            ("facts.search", json!({ "query": "cedar" })),
            ("items.list", json!({})),
            ("profiles.get", json!({})),
            ("threads.list", json!({})),
            ("commits.list", json!({})),
            ("documents.get", json!({ "namespace": ["notes"], "key": "one" })),
            ("graph.read_graph", json!({})),
            ("callTool", json!({ "name": "facts_search", "arguments": { "query": "cedar" } })),
            ("backups.export", json!({})),
            ("forget", json!({ "query": "cedar" })),
            ("forget", json!({ "scope": true, "preview": true })),
            ("flush", json!({})),
            ("lock.remove", json!({})),
        ];
        for (method, options) in calls {
            let error = locks.fails(&engine, ALICE, method, options);
            assert_eq!(error.code, Code::Locked, "{method}: {error}");
            assert!(error.message.contains("unlock"), "{error}");
            assert_eq!(error.details["scope"], json!({ "userId": "alice" }), "{method}");
        }
        assert_eq!(locks.change(&engine, ALICE, "another").unwrap_err().code, Code::Locked);
        for method in ["backups.export", "backups.scopes", "encryption.remove"] {
            let error = locks.fails(&engine, "", method, json!({}));
            assert_eq!(
                (error.code, &error.details["scopes"]),
                (Code::Locked, &json!([{ "userId": "alice" }]))
            );
        }
        assert_eq!(locks.shown(&engine, BOB), bob);
        assert_eq!(locks.call(&engine, "", "usage", json!({}))["scopes"], 1);
        assert_eq!(locks.call(&engine, "", "jobs", json!({})), json!([]));
        assert_eq!(locks.verified(&engine), json!([]));
        assert_eq!(locks.unlock(&engine, ALICE, "a guess").unwrap_err().code, Code::WrongKey);
        assert!(locks.is_locked(&engine));
    }
    let told: Vec<String> = told.take();
    assert!(told.iter().any(|event| event.contains(r#""type":"lock""#)), "{told:?}");
    assert!(told.iter().all(|event| !event.contains("cedar") && !event.contains("deleted")), "{told:?}");
    locks.unlock(&engine, ALICE, SECRET).unwrap();
    assert_eq!(locks.shown(&engine, ALICE), alice);
    assert_eq!((locks.verified(&engine), locks.is_locked(&engine)), (json!([]), false));
    // Whatever the memory was opened for before, this ends with it.
    let engine = locks.reopen(&engine);
    assert!(locks.is_locked(&engine));
    locks.unlock(&engine, ALICE, SECRET).unwrap();
    assert_eq!(locks.shown(&engine, ALICE), alice);
}

/// What the memory's key opens holds nothing of a scope with a lock, also while that is open.
#[test]
fn the_memorys_key_opens_nothing_of_a_scope_with_a_lock() {
    let (locks, engine) = Locks::filled();
    locks.add(&engine, ALICE, "Alice has a cedar chest");
    let all = keys_of(&locks.0.storage);
    for is_folded in [false, true] {
        if is_folded {
            locks.change(&engine, BOB, "folds it all").unwrap();
        }
        by_root(&locks.0.storage, async |database| {
            let counts = database.read(|store| Ok((store.counts(), store.scopes().count()))).unwrap();
            assert_eq!(counts.1, usize::from(!is_folded));
            assert_eq!(texts(&database, "alice"), [""; 0]);
            let commits = database.read(|store| Ok(store.sections_after(0))).unwrap();
            assert_eq!(counts.0.commits, commits.len());
            assert!(commits.iter().all(|(_, section)| !section.windows(5).any(|part| part == b"cedar")));
        });
    }
    // A key that was stored before the lock seals nothing any more.
    let locks = Locks::new();
    let engine = locks.open();
    locks.add(&engine, ALICE, "Alice plays the cedar flute");
    let before = keys_of(&locks.0.storage);
    locks.change(&engine, ALICE, SECRET).unwrap();
    locks.add(&engine, ALICE, "Alice has a cedar chest");
    let after: BTreeSet<u32> = keys_of(&locks.0.storage);
    assert_eq!(after.intersection(&before).copied().collect::<Vec<_>>(), [0], "{before:?} {after:?} {all:?}");
    assert_eq!(told(&pairs_of(&locks.0.storage)), [""; 0]);
}

/// Somebody without the scope's key folds, erases and changes the memory's key: the scope is carried along whole, also commits that
/// a stop left in the log, and one of more than a value.
#[test]
fn a_locked_scope_is_carried_along() {
    let (locks, engine) = Locks::filled();
    locks.add(&engine, ALICE, "Alice has a cedar chest");
    // Four of them are a commit of a value, and with their vectors one of two.
    let long = "cedar ".repeat(MAX_VALUE_BYTES / 24 - 60);
    let messages: Vec<Value> = (0..4).map(|_| json!({ "role": "user", "content": long })).collect();
    let image = locks.0.storage.clone();
    // It is stopped before it can fold.
    let stopped = Rc::new(FaultyStorage::new(image.clone(), Fault::Refuses, 1));
    let engine = locks.0.open_encrypted(stopped, WORDS).unwrap();
    locks.unlock(&engine, ALICE, SECRET).unwrap();
    locks.call(&engine, ALICE, "threads.append", json!({ "threadId": "long", "messages": messages }));
    let alice = locks.shown(&engine, ALICE);
    drop(engine);
    let is_second = |key: &str| key.starts_with("log/") && key.ends_with("/0001");
    assert!(pairs_of(&image).iter().any(|(key, _)| is_second(key)));
    for round in 0..3_u8 {
        by_root(&image, async |database| {
            database.commit(put("bob", 30 + round, "maple")).await.unwrap();
            database.fold().await.unwrap();
            let mut draft = Draft::new(&scope("bob"), Cause::Forget);
            draft.delete(id(30 + round), Expect::Any);
            draft.erase.push(id(30 + round));
            database.commit(draft).await.unwrap();
            assert_eq!(texts(&database, "bob"), ["Bob plays the maple drum"]);
            if round == 1 {
                database.encrypt(encryption("other words")).await.unwrap();
                database.encrypt(encryption(WORDS)).await.unwrap();
            }
            assert!(database.verify().await.unwrap().ok);
        });
        assert_eq!(told(&pairs_of(&image)), [""; 0]);
        let engine = locks.open();
        locks.unlock(&engine, ALICE, SECRET).unwrap();
        assert_eq!(
            (locks.shown(&engine, ALICE), locks.verified(&engine)),
            (alice.clone(), json!([])),
            "{round}"
        );
        locks.0.close(&engine);
    }
    // Whoever has the key folds it like any other.
    let engine = locks.open();
    locks.unlock(&engine, ALICE, SECRET).unwrap();
    locks.change(&engine, BOB, "folds it all").unwrap();
    locks.lock(&engine, ALICE);
    locks.unlock(&engine, ALICE, SECRET).unwrap();
    assert_eq!((locks.shown(&engine, ALICE), locks.verified(&engine)), (alice, json!([])));
}

/// A locked scope is forgotten without its key, which is destroyed; nothing is missed, and the scope can begin anew.
#[test]
fn a_locked_scope_can_be_forgotten() {
    for from_log in [false, true] {
        let (locks, engine) = Locks::filled();
        if from_log {
            locks.add(&engine, ALICE, "Alice has a cedar chest");
        }
        let commits = locks.call(&engine, "", "usage", json!({}))["commits"].as_u64().unwrap();
        let engine = locks.open();
        let told = Rc::new(RefCell::new(Vec::new()));
        let listener = told.clone();
        engine.listen(Rc::new(move |event| {
            if let Event::Lock { scope, locked } = event {
                listener.borrow_mut().push((scope.clone(), *locked));
            }
        }));
        let receipt = locks.call(&engine, ALICE, "forget", json!({ "scope": true }));
        assert!(receipt["commitId"].is_string(), "{receipt}");
        // Its lock ended without a word to this engine, though others heard of it.
        assert_eq!(*told.borrow(), [(scope_of(ALICE), false)]);
        let before = pairs_of(&locks.0.storage);
        for engine in [engine.clone(), locks.open()] {
            assert_eq!(locks.verified(&engine), json!([]));
            assert_eq!(locks.call(&engine, "", "usage", json!({}))["commits"], commits + 1);
            assert_eq!(locks.call(&engine, ALICE, "lock.status", json!({})), Value::Null);
            assert_eq!(locks.call(&engine, ALICE, "facts.list", json!({})), json!([]));
            assert_eq!(locks.call(&engine, BOB, "facts.list", json!({})).as_array().unwrap().len(), 1);
        }
        assert_eq!(pairs_of(&locks.0.storage), before);
        // What stays of its commits keeps the order of times, which backups rely on.
        by_root(&locks.0.storage, async |database| {
            let commits = database.read(|store| Ok(store.sections_after(0))).unwrap();
            // The number and the id stand before it.
            let time = |section: &[u8]| i64::from_le_bytes(section[24..32].try_into().unwrap());
            let times: Vec<i64> = commits.iter().map(|(_, section)| time(section)).collect();
            assert!(times.is_sorted(), "{times:?}");
        });
        assert!(keys_of(&locks.0.storage).len() <= 2, "the memory's and bob's");
        locks.add(&engine, ALICE, "Alice begins anew");
        let engine = locks.reopen(&engine);
        assert_eq!(locks.0.facts(&engine), ["Alice begins anew"]);
    }
}

#[test]
fn replacing_the_memory_keeps_the_locks() {
    let (locks, engine) = Locks::filled();
    let file = locks.0.export(&engine, "");
    locks.0.import(&engine, "", &file, "backups.replace", json!({})).unwrap();
    assert_ne!(locks.call(&engine, ALICE, "lock.status", json!({})), Value::Null);
    let engine = locks.reopen(&engine);
    assert!(locks.is_locked(&engine));
    locks.unlock(&engine, ALICE, SECRET).unwrap();
    assert_eq!(locks.0.facts(&engine).len(), 4, "{:?}", locks.0.facts(&engine));
}

/// Two engines on one storage: locking in one locks the other, whatever it was about to do; what one writes into an open scope, the
/// other carries along.
#[test]
fn locking_locks_other_engines_too() {
    let (locks, one) = Locks::filled();
    let two = locks.open();
    locks.unlock(&two, ALICE, SECRET).unwrap();
    let alice = locks.shown(&two, ALICE);
    locks.lock(&one, ALICE);
    // It has not heard of it yet, and finds it when it writes.
    assert_eq!(locks.fails(&two, ALICE, "facts.add", json!({ "text": "Alice sings" })).code, Code::Locked);
    assert_eq!(locks.fails(&two, ALICE, "facts.list", json!({})).code, Code::Locked);
    locks.add(&two, BOB, "Bob sings");
    locks.unlock(&two, ALICE, SECRET).unwrap();
    assert_eq!(locks.shown(&two, ALICE), alice);
    // One is locked, two writes.
    locks.add(&two, ALICE, "Alice has a cedar chest");
    locks.refresh(&one).unwrap();
    assert_eq!(locks.verified(&one), json!([]));
    locks.add(&one, BOB, "Bob swims");
    locks.change(&one, BOB, "folds it all").unwrap();
    locks.add(&two, ALICE, "Alice has a willow chest");
    locks.add(&one, BOB, "Bob dances");
    locks.refresh(&two).unwrap();
    assert_eq!(locks.0.facts(&two).len(), 6, "{:?}", locks.0.facts(&two));
    // Two folds what one has not read.
    locks.call(&two, ALICE, "lock.remove", json!({}));
    locks.change(&two, ALICE, SECRET).unwrap();
    locks.add(&one, BOB, "Bob sleeps");
    assert_eq!(locks.fails(&one, ALICE, "facts.list", json!({})).code, Code::Locked);
    locks.unlock(&one, ALICE, SECRET).unwrap();
    assert_eq!(locks.0.facts(&one), locks.0.facts(&two));
    for engine in [one, two, locks.open()] {
        assert_eq!(locks.verified(&engine), json!([]));
    }
}

#[test]
fn the_lock_changes_and_goes() {
    let (locks, engine) = Locks::filled();
    let before = pairs_of(&locks.0.storage);
    locks.change(&engine, ALICE, "another secret").unwrap();
    let after = pairs_of(&locks.0.storage);
    let changed = after.iter().filter(|pair| !before.contains(pair)).map(|(key, _)| &key[..4]);
    assert_eq!(changed.collect::<Vec<_>>(), [HEAD_KEY, "keys"], "two small values are written");
    let alice = locks.shown(&engine, ALICE);
    let engine = locks.reopen(&engine);
    assert_eq!(locks.unlock(&engine, ALICE, SECRET).unwrap_err().code, Code::WrongKey);
    locks.unlock(&engine, ALICE, "another secret").unwrap();
    locks.call(&engine, ALICE, "lock.remove", json!({}));
    locks.call(&engine, ALICE, "lock.remove", json!({}));
    let engine = locks.reopen(&engine);
    assert_eq!(locks.shown(&engine, ALICE), alice);
    assert_eq!(locks.call(&engine, ALICE, "lock.status", json!({})), Value::Null);
    let error = locks.fails(&engine, ALICE, "lock.close", json!({}));
    assert_eq!(error.code, Code::InvalidInput);
    // An empty scope can have one; a plain memory cannot.
    locks.change(&engine, r#"{"userId":"carol"}"#, SECRET).unwrap();
    locks.change(&engine, ALICE, SECRET).unwrap();
    locks.call(&engine, "", "encryption.remove", json!({}));
    assert_eq!(locks.shown(&engine, ALICE), alice);
    assert_eq!(locks.change(&engine, ALICE, SECRET).unwrap_err().code, Code::InvalidInput);
}

/// Whatever becomes of a write, the scope is as it was or as it was to be, and nothing is lost.
#[test]
fn a_stop_at_any_write_leaves_the_lock_whole() {
    let faults = [
        Fault::Refuses,
        Fault::LosesAnswer,
        Fault::Tears(0),
        Fault::Tears(1),
        Fault::Tears(3),
        Fault::Tears(99),
    ];
    for fault in faults {
        for step in ["give", "change", "lock", "remove", "forget"] {
            let locks = Locks::new();
            let engine = locks.open();
            locks.add(&engine, ALICE, "Alice plays the cedar flute");
            if step != "give" {
                locks.change(&engine, ALICE, SECRET).unwrap();
            }
            locks.add(&engine, ALICE, "Alice lives in Willow Street");
            locks.add(&engine, BOB, "Bob plays the maple drum");
            let mut texts = locks.0.facts(&engine);
            locks.0.close(&engine);
            let storage = FaultyStorage::new(locks.0.storage.clone(), fault, 0);
            let engine = locks.0.open_encrypted(Rc::new(storage), WORDS).unwrap();
            if !["give", "forget"].contains(&step) {
                locks.unlock(&engine, ALICE, SECRET).unwrap();
            }
            let done = match step {
                "give" => locks.change(&engine, ALICE, SECRET),
                "change" => locks.change(&engine, ALICE, "another secret"),
                "lock" => locks.0.try_call(&engine, "lock.close", ALICE, json!({})).map(|_| ()),
                "remove" => locks.0.try_call(&engine, "lock.remove", ALICE, json!({})).map(|_| ()),
                _ => locks.0.try_call(&engine, "forget", ALICE, json!({ "scope": true })).map(|_| ()),
            };
            let case = format!("{fault:?} at {step}, {done:?}");
            if step == "lock" {
                assert!(locks.is_locked(&engine), "{case}");
            }
            let engine = locks.open();
            let status = locks.call(&engine, ALICE, "lock.status", json!({}));
            if !status.is_null() {
                let opened = locks.unlock(&engine, ALICE, SECRET);
                if opened.is_err() {
                    assert_eq!(step, "change", "{case}");
                    locks.unlock(&engine, ALICE, "another secret").unwrap();
                }
            }
            if step == "forget" && status.is_null() {
                texts.clear();
            }
            assert_eq!((locks.0.facts(&engine), locks.verified(&engine)), (texts, json!([])), "{case}");
            assert_eq!(
                locks.call(&engine, BOB, "facts.list", json!({})).as_array().unwrap().len(),
                1,
                "{case}"
            );
            assert_eq!(told(&pairs_of(&locks.0.storage)), [""; 0], "{case}");
        }
    }
}

/// A damaged value of a locked scope is found when the scope is unlocked; a lost head loses nothing of it.
#[test]
fn damage_of_a_locked_scope_is_found_and_a_lost_head_loses_nothing() {
    let (locks, engine) = Locks::filled();
    locks.add(&engine, ALICE, "Alice has a cedar chest");
    let alice = locks.shown(&engine, ALICE);
    let image = locks.0.storage.clone();
    let values: Vec<(String, u32)> = pairs_of(&image)
        .iter()
        .filter_map(|(key, value)| Some((key.clone(), SealedView::decode(value).ok()?.key)))
        .collect();
    let (_, own) = values.iter().find(|(key, _)| key.starts_with("log/")).unwrap();
    let (damaged_key, _) =
        values.iter().find(|(key, number)| key.contains("/commits/") && number == own).unwrap();
    let damaged = altered(&image, |pairs| *pairs.get_mut(damaged_key).unwrap().last_mut().unwrap() ^= 1);
    let other = Locks::on(damaged);
    let engine = other.open();
    let found = other.verified(&engine);
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    assert!(found[0]["key"].as_str().unwrap().starts_with(damaged_key.as_str()), "{found}");
    other.unlock(&engine, ALICE, SECRET).unwrap();
    assert_ne!(other.verified(&engine), json!([]));

    let lost = altered(&image, |pairs| drop(pairs.remove(HEAD_KEY)));
    let other = Locks::on(lost);
    let engine = other.open();
    assert!(other.is_locked(&engine));
    other.add(&engine, BOB, "Bob sings");
    let engine = other.reopen(&engine);
    other.unlock(&engine, ALICE, SECRET).unwrap();
    assert_eq!(other.shown(&engine, ALICE), alice);
    let found = other.verified(&engine);
    let is_of_head = |damage: &Value| damage["key"].as_str().unwrap().ends_with("/head");
    assert!(found.as_array().unwrap().iter().all(is_of_head), "{found}");
}

/// Two engines do what comes, in an order that chance gives: nothing of an open scope is lost, and nothing of a locked one is told.
#[test]
fn chance_loses_nothing() {
    for seed in 0..24_u64 {
        println!("seed {seed}");
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut chance = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        let locks = Locks::new();
        let mut engines = [locks.open(), locks.open()];
        locks.add(&engines[0], ALICE, "cedar");
        locks.change(&engines[0], ALICE, SECRET).unwrap();
        let mut expected = [vec!["cedar".to_owned()], Vec::new()];
        for step in 0..40_u32 {
            let at = chance(2) as usize;
            let engine = engines[at].clone();
            match chance(10) {
                0 => locks.lock(&engine, ALICE),
                1 | 2 => locks.unlock(&engine, ALICE, SECRET).unwrap(),
                3 => locks.refresh(&engine).unwrap(),
                4 => engines[at] = locks.open(),
                5 => {
                    // Whatever folds it all: it may be locked here.
                    let user = format!(r#"{{"userId":"user{step}"}}"#);
                    locks.change(&engine, &user, SECRET).unwrap();
                }
                6 | 7 => {
                    locks.add(&engine, BOB, &format!("maple {step}"));
                    expected[1].push(format!("maple {step}"));
                }
                _ => {
                    let text = format!("cedar {step}");
                    match locks.0.try_call(&engine, "facts.add", ALICE, json!({ "text": text })) {
                        Ok(_) => expected[0].push(text),
                        Err(error) => assert_eq!(error.code, Code::Locked),
                    }
                }
            }
        }
        for engine in &engines {
            locks.refresh(engine).unwrap();
            if locks.is_locked(engine) {
                assert_eq!(locks.fails(engine, ALICE, "facts.list", json!({})).code, Code::Locked);
                locks.unlock(engine, ALICE, SECRET).unwrap();
            }
            for (user, expected) in [ALICE, BOB].into_iter().zip(&expected) {
                let listed = locks.call(engine, user, "facts.list", json!({ "limit": 1000 }));
                let found: BTreeSet<&str> = crate::support::world::texts(&listed).into_iter().collect();
                assert_eq!(found, expected.iter().map(String::as_str).collect(), "seed {seed}");
            }
            assert_eq!(locks.verified(engine), json!([]), "seed {seed}");
        }
        assert_eq!(told(&pairs_of(&locks.0.storage)), [""; 0]);
    }
}

/// An event of a locked scope that another engine writes into is not told.
#[test]
fn what_others_write_into_a_locked_scope_is_not_told() {
    let (locks, one) = Locks::filled();
    let two = locks.open();
    let told = Rc::new(RefCell::new(Vec::new()));
    let hearing = told.clone();
    two.listen(Rc::new(move |event| {
        if let Event::Change { scope, .. } = event {
            hearing.borrow_mut().push(scope.canonical().to_owned());
        }
    }));
    locks.add(&one, ALICE, "Alice has a cedar chest");
    locks.add(&one, BOB, "Bob sings");
    locks.refresh(&two).unwrap();
    assert_eq!(told.take(), [BOB]);
}
