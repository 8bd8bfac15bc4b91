//! Long work is done in slices, with the thread free for others in between; what comes of it is the same as in one piece.

use crate::support::image::{pairs_of, scope, storage_of};
use crate::support::platform::{START, TestPlatform, yield_now};
use crate::support::world::ALICE;
use futures_executor::LocalPool;
use futures_util::future::{Either, join, join_all, join3, select};
use mnemic::database::Database;
use mnemic::engine::{Engine, Options, Parts};
use mnemic::log::{Cause, replay};
use mnemic::ports::Platform;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Change, Cuts, Division, Draft, Expect, Query, Store};
use mnemic::{Embedding, Id, Kind, Record};
use serde_json::{Value, json};
use std::pin::pin;
use std::rc::Rc;

const EMBEDDER: &str = "test";

/// A platform on which others get the thread when it is let go.
fn shared(seed: u64) -> (Rc<TestPlatform>, LocalPool) {
    let (platform, pool) = TestPlatform::new(seed);
    platform.gives_way.set(true);
    (platform, pool)
}

fn text(number: usize) -> String {
    let words = |word: usize| format!("word{}", (number * 31 + word * word * 7) % 2000);
    format!("name{number} {}", (0..25).map(words).collect::<Vec<_>>().join(" "))
}

fn draft(platform: &TestPlatform, numbers: std::ops::Range<usize>) -> Draft {
    let scope = scope("alice");
    let mut draft = Draft::new(&scope, Cause::User);
    for number in numbers {
        let id = Id::new(platform.now(), platform.random());
        let mut record = Record::new(id, Kind::Fact, scope.clone(), platform.now());
        record.text = Some(text(number));
        let angle = number as f32;
        let vector = Embedding::quantise(EMBEDDER, &[angle.sin(), angle.cos(), 0.5]).unwrap();
        draft.put(record, Expect::Absent, Some(vector));
    }
    draft
}

fn found(store: &Store, number: usize) -> usize {
    let query = Query { text: &format!("name{number}"), embedding: None, limit: 3, now: START + 1_000_000 };
    store.search(&scope("alice"), Kind::Fact, &query, &|_| true).unwrap().len()
}

/// A storage with so many records, of which the last commits are not folded.
fn filled(records: usize) -> MemoryStorage {
    let (platform, mut pool) = shared(7);
    let storage = MemoryStorage::default();
    pool.run_until(async {
        let database = Database::open(Rc::new(storage.clone()), platform.clone(), EMBEDDER).await.unwrap();
        for first in (0..records).step_by(100) {
            database.commit(draft(&platform, first..records.min(first + 100))).await.unwrap();
        }
        database.close().await;
    });
    storage
}

/// How often opening lets others have the thread, and the words of the memory's counts.
fn opened(storage: &MemoryStorage) -> (usize, String) {
    let (platform, mut pool) = shared(8);
    pool.run_until(async {
        let opening = Database::open(Rc::new(storage.clone()), platform.clone(), EMBEDDER);
        let database = opening.await.unwrap();
        let counts = database.read(|store| Ok((store.counts(), found(store, 11)))).unwrap();
        (platform.yields.get(), format!("{counts:?}"))
    })
}

#[test]
fn a_large_memory_is_opened_in_slices_and_holds_the_same() {
    let storage = filled(6000);
    let (yields, counts) = opened(&storage);
    assert!(yields >= 3, "{yields}");
    let store = Store::load(EMBEDDER, replay(&pairs_of(&storage), 0).unwrap()).store;
    assert_eq!(store.counts().records, 6000);
    assert_eq!(counts, format!("{:?}", (store.counts(), found(&store, 11))));
    let (yields, _) = opened(&filled(30));
    assert_eq!(yields, 0);
}

/// Others run while a commit is indexed: they see all of its records or none, and whoever waited for it finds them.
#[test]
fn the_texts_of_a_large_commit_are_indexed_in_slices_before_it_is_confirmed() {
    let (platform, mut pool) = shared(9);
    let storage = MemoryStorage::default();
    pool.run_until(async {
        let database = Database::open(Rc::new(storage), platform.clone(), EMBEDDER).await.unwrap();
        let before = platform.yields.get();
        let mut committing = pin!(database.commit(draft(&platform, 0..800)));
        let mut seen = Vec::new();
        loop {
            match select(committing.as_mut(), pin!(yield_now())).await {
                Either::Left((committed, _)) => break assert_eq!(committed.unwrap().changes.len(), 800),
                Either::Right(_) => {
                    seen.push(database.read(|store| Ok(store.counts().records)).unwrap());
                }
            }
        }
        assert!(seen.contains(&800) && seen.iter().all(|records| [0, 800].contains(records)), "{seen:?}");
        assert!(platform.yields.get() - before >= 2);
        let is_found = |store: &Store| (0..800).step_by(57).all(|number| found(store, number) > 0);
        assert!(database.read(|store| Ok(is_found(store))).unwrap());
    });
}

/// A large import held the thread from planning it until its bytes were handed over.
#[test]
fn others_have_the_thread_between_planning_and_writing_many_changes() {
    let (platform, mut pool) = shared(23);
    pool.run_until(async {
        let storage = Rc::new(MemoryStorage::default());
        let database = Database::open(storage, platform.clone(), EMBEDDER).await.unwrap();
        for (changes, yields) in [(1, 0), (100, 1)] {
            let before = platform.yields.get();
            database.commit(draft(&platform, changes..2 * changes)).await.unwrap();
            assert_eq!(platform.yields.get() - before, yields, "{changes} changes");
        }
    });
}

/// A fold is written in slices: others read all that there is, what they write waits, and the segment is as of one piece.
#[test]
fn a_log_is_folded_in_slices_while_others_read_and_write() {
    let (platform, mut pool) = shared(16);
    let storage = MemoryStorage::default();
    pool.run_until(async {
        let database = Database::open(Rc::new(storage.clone()), platform.clone(), EMBEDDER).await.unwrap();
        database.commit(draft(&platform, 0..2500)).await.unwrap();
        assert!(
            pairs_of(&storage).iter().all(|(key, _)| !key.starts_with("segment/")),
            "it is folded already"
        );
        let expected = database.read(|store| {
            let (cuts, division) = (Cuts::default(), Division::default());
            Ok(store.fold(1, store.sequence(), &cuts, &division).values)
        });
        let before = platform.yields.get();
        let (mut folding, mut reads) = (pin!(database.fold()), 0);
        let mut writing = None;
        while let Either::Right(_) = select(folding.as_mut(), pin!(yield_now())).await {
            let counts = database.read(|store| Ok((store.counts().records, found(store, 77)))).unwrap();
            assert_eq!(counts, (2500, 1));
            reads += 1;
            writing.get_or_insert_with(|| Box::pin(database.commit(draft(&platform, 2500..2501))));
        }
        assert!(reads >= 1 && platform.yields.get() > before, "{reads}");
        let values: Vec<Vec<u8>> = pairs_of(&storage)
            .into_iter()
            .filter(|(key, _)| key.starts_with("segment/"))
            .map(|(_, value)| value)
            .collect();
        let [commits, terms, vectors] = expected.unwrap();
        let expected: Vec<Vec<u8>> =
            commits.into_iter().chain(terms).chain(vectors).map(|(_, value)| value).collect();
        assert!(values == expected);
        writing.unwrap().await.unwrap();
    });
    let (_, counts) = opened(&storage);
    assert!(counts.contains("records: 2501") && counts.contains("vectors: 2501"), "{counts}");
}

/// Erasing held the thread while all that it rewrites was read, checked and written: others read what was there before, or what is left.
#[test]
fn what_erases_is_written_in_slices_while_others_read() {
    let (platform, mut pool) = shared(21);
    let storage = filled(3000);
    pool.run_until(async {
        let database = Database::open(Rc::new(storage.clone()), platform.clone(), EMBEDDER).await.unwrap();
        database.fold().await.unwrap();
        let id = database
            .read(|store| Ok(store.records(&scope("alice"), Kind::Fact).next().map(|view| view.id)))
            .unwrap()
            .unwrap();
        let mut erasing = Draft::new(&scope("alice"), Cause::Forget);
        erasing.delete(id, Expect::Any);
        erasing.erase.push(id);
        let before = platform.yields.get();
        let (mut committing, mut seen) = (pin!(database.commit(erasing)), Vec::new());
        loop {
            match select(committing.as_mut(), pin!(yield_now())).await {
                Either::Left((committed, _)) => break assert_eq!(committed.unwrap().changes.len(), 1),
                Either::Right(_) => seen.push(database.read(|store| Ok(store.counts().records)).unwrap()),
            }
        }
        assert!(platform.yields.get() - before >= 2, "{}", platform.yields.get() - before);
        assert!(seen.iter().all(|records| *records == 3000), "{seen:?}");
        assert_eq!(database.read(|store| Ok(store.counts().records)).unwrap(), 2999);
    });
    let (_, counts) = opened(&storage);
    assert!(counts.contains("records: 2999"), "{counts}");
}

/// A record whose text changes was found by no word until the new text was indexed.
#[test]
fn what_changes_is_found_while_its_new_text_is_indexed() {
    let (platform, mut pool) = shared(15);
    pool.run_until(async {
        let storage = Rc::new(MemoryStorage::default());
        let database = Database::open(storage, platform.clone(), EMBEDDER).await.unwrap();
        let first = draft(&platform, 0..800);
        database.commit(first.clone()).await.unwrap();
        let mut second = Draft::new(&scope("alice"), Cause::User);
        for change in first.changes {
            let Change::Put { mut record, .. } = change else { panic!() };
            record.text = record.text.map(|text| format!("{text} again"));
            second.put(*record, Expect::Revision(1), None);
        }
        let mut committing = pin!(database.commit(second));
        while let Either::Right(_) = select(committing.as_mut(), pin!(yield_now())).await {
            let is_found = |store: &Store| (0..800).step_by(57).all(|number| found(store, number) > 0);
            assert!(database.read(|store| Ok(is_found(store))).unwrap());
        }
        let counts = database.read(|store| Ok((store.counts(), found(store, 799)))).unwrap();
        assert_eq!((counts.0.records, counts.0.unembedded, counts.1), (800, 800, 1));
    });
}

#[test]
fn a_crash_while_a_commit_is_indexed_loses_nothing_of_it() {
    let (platform, mut pool) = shared(10);
    let storage = MemoryStorage::default();
    pool.run_until(async {
        let database = Database::open(Rc::new(storage.clone()), platform.clone(), EMBEDDER).await.unwrap();
        let mut committing = pin!(database.commit(draft(&platform, 0..800)));
        while database.read(|store| Ok(store.counts().records)).unwrap() == 0 {
            let Either::Right(_) = select(committing.as_mut(), pin!(yield_now())).await else {
                panic!("it was confirmed at once")
            };
        }
    });
    drop(pool);
    let (platform, mut pool) = shared(11);
    pool.run_until(async {
        let storage = Rc::new(storage_of(&pairs_of(&storage)));
        let database = Database::open(storage, platform.clone(), EMBEDDER).await.unwrap();
        let counts = database.read(|store| Ok((store.counts(), found(store, 799)))).unwrap();
        assert_eq!((counts.0.records, counts.0.vectors, counts.1), (800, 800, 1));
    });
}

async fn engine(platform: &Rc<TestPlatform>) -> Engine {
    let parts = Parts {
        storage: Rc::new(MemoryStorage::default()),
        platform: platform.clone(),
        llm: None,
        embedder: None,
        tokenizer: None,
    };
    Engine::open(parts, Options::default()).await.unwrap()
}

/// Calls that are made while an import makes its vectors and indexes its texts take effect after it.
#[test]
fn calls_behind_a_large_import_take_effect_after_it() {
    let (platform, mut pool) = shared(12);
    pool.run_until(async {
        let engine = engine(&platform).await;
        let before = platform.yields.get();
        let facts: Vec<Value> = (0..400).map(|number| json!({ "text": text(number) })).collect();
        let (facts, known) =
            (json!({ "facts": facts }).to_string(), json!({ "text": text(399) }).to_string());
        let importing = engine.call("facts.import", ALICE, &facts);
        let adding = engine.call("facts.add", ALICE, &known);
        let search = json!({ "query": "name399 name0", "limit": 5 }).to_string();
        let searching = engine.call("facts.search", ALICE, &search);
        let (imported, added, found) = join3(importing, adding, searching).await;
        let read = |answer: mnemic::Result<String>| serde_json::from_str::<Value>(&answer.unwrap()).unwrap();
        assert_eq!(read(imported)["added"], 400);
        // The import has brought this one, so it is known.
        assert_ne!(read(added)["action"], "created");
        let found = read(found);
        let texts: Vec<&str> =
            found.as_array().unwrap().iter().map(|fact| fact["text"].as_str().unwrap()).collect();
        assert!([0, 399].iter().all(|number| texts.contains(&text(*number).as_str())), "{texts:?}");
        assert!(platform.yields.get() - before >= 8, "{}", platform.yields.get());
        engine.close().await;
    });
}

/// A fact that was added while the texts of an import were being indexed was stored beside the one that it repeats: the
/// index was asked for it, and did not know it yet.
#[test]
fn what_is_not_indexed_yet_is_not_stored_a_second_time() {
    let (platform, mut pool) = shared(14);
    pool.run_until(async {
        let engine = engine(&platform).await;
        let facts: Vec<Value> = (0..1000).map(|number| json!({ "text": text(number) })).collect();
        let facts = json!({ "facts": facts }).to_string();
        let importing = engine.call("facts.import", ALICE, &facts);
        let added = join_all((0..60).map(|turns| {
            let (platform, engine) = (&platform, &engine);
            async move {
                for _ in 0..turns {
                    yield_now().await;
                }
                let before = platform.yields.get();
                let known = json!({ "text": text(900 + turns) }).to_string();
                let added = engine.call("facts.add", ALICE, &known).await.unwrap();
                (turns, before, serde_json::from_str::<Value>(&added).unwrap())
            }
        }));
        let (imported, added) = join(importing, added).await;
        imported.unwrap();
        for (turns, yields, added) in added {
            assert_ne!(added["action"], "created", "after {turns} turns and {yields} slices: {added}");
        }
        engine.close().await;
    });
}

#[test]
fn rules_learn_from_many_messages_in_slices() {
    let (platform, mut pool) = shared(13);
    pool.run_until(async {
        let engine = engine(&platform).await;
        let message = |number: usize| {
            json!({ "role": "user", "content": format!("I love {}. {}", text(number), text(number + 100)) })
        };
        let messages: Vec<Value> = (0..100).map(message).collect();
        engine.call("remember", ALICE, &json!({ "messages": messages }).to_string()).await.unwrap();
        let before = platform.yields.get();
        engine.idle().await.unwrap();
        assert!(platform.yields.get() - before >= 3, "{}", platform.yields.get() - before);
        engine.close().await;
    });
}

/// No batch was enough work for a pause, so a call that learned from many of them held the thread to its end.
#[test]
fn many_batches_are_learned_from_in_slices() {
    let (platform, mut pool) = shared(16);
    pool.run_until(async {
        let parts = Parts {
            storage: Rc::new(MemoryStorage::default()),
            platform: platform.clone(),
            llm: None,
            embedder: None,
            tokenizer: None,
        };
        let options = serde_json::from_value(json!({ "extraction": { "auto": false } })).unwrap();
        let engine = Engine::open(parts, options).await.unwrap();
        let message =
            |number: usize| json!({ "role": "user", "content": format!("I live in Lisbon. {}", text(number)) });
        for first in (0..400).step_by(100) {
            let messages: Vec<Value> = (first..first + 100).map(message).collect();
            engine.call("remember", ALICE, &json!({ "messages": messages }).to_string()).await.unwrap();
        }
        let before = platform.yields.get();
        let learned = engine.call("flush", ALICE, "{}").await.unwrap();
        assert!(learned.contains("The user lives in Lisbon."), "{learned}");
        assert!(platform.yields.get() - before >= 2, "{}", platform.yields.get() - before);
        engine.close().await;
    });
}
