//! Records that take several values: always whole, as they were before or as they are now, wherever a write stops.

use crate::support::cipher::encryption;
use crate::support::image::{id, pairs_of, record, scope, storage_of};
use crate::support::platform::TestPlatform;
use crate::support::storage::{TestStorage, Write};
use mnemic::database::{Bounds, Database};
use mnemic::log::Cause;
use mnemic::ports::{MAX_VALUE_BYTES, Pairs};
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect};
use mnemic::{Id, Kind, Record};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;

const RECORDS: u8 = 4;

#[derive(Debug, Clone)]
enum Step {
    Put(u8, usize),
    Delete(u8),
    /// A write of which so many values are kept, and not the head.
    TornPut(u8, usize, usize),
    /// A write whose fold keeps so many values.
    TornFold(u8, usize, usize),
    Undo,
    Fold,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let bytes = || {
        let near = (1..4usize, 0..400usize).prop_map(|(values, off)| values * MAX_VALUE_BYTES + 200 - off);
        prop_oneof![1..2000usize, near, 0..4 * MAX_VALUE_BYTES]
    };
    prop_oneof![
        4 => (0..RECORDS, bytes()).prop_map(|(number, bytes)| Step::Put(number, bytes)),
        1 => (0..RECORDS).prop_map(Step::Delete),
        1 => (0..RECORDS, bytes(), 0..6usize).prop_map(|(number, bytes, kept)| Step::TornPut(number, bytes, kept)),
        1 => (0..RECORDS, bytes(), 0..6usize).prop_map(|(number, bytes, kept)| Step::TornFold(number, bytes, kept)),
        1 => Just(Step::Undo),
        1 => Just(Step::Fold),
        2 => Just(Step::Reopen),
    ]
}

/// How a storage is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Kept,
    Paged,
    Sealed,
}

fn large(number: u8, seed: usize, bytes: usize) -> Record {
    let unit = format!("{seed} maple ");
    let mut value = unit.repeat(bytes / unit.len() + 1);
    value.truncate(bytes);
    Record { value: value.into(), ..record(number, Kind::Document, &scope("alice"), "cedar") }
}

fn put(record: Record) -> Draft {
    let mut draft = Draft::new(&scope("alice"), Cause::User);
    draft.put(record, Expect::Any, None);
    draft
}

async fn open(storage: &Rc<TestStorage>, platform: &Rc<TestPlatform>, mode: Mode) -> Database {
    let bounds = Bounds { cache_bytes: (mode == Mode::Paged).then_some(0), ..Bounds::default() };
    let encryption = (mode == Mode::Sealed).then(|| encryption("words"));
    let opening = Database::open_encrypted(storage.clone(), platform.clone(), "none", encryption, bounds);
    let database = opening.await.unwrap();
    database.indexed().await.unwrap();
    database
}

/// The values of all records.
fn values(database: &Database) -> BTreeMap<Id, Value> {
    let scope = scope("alice");
    let read = database.read(|store| {
        Ok(store.records(&scope, Kind::Document).map(|view| (view.id, view.value().unwrap())).collect())
    });
    read.unwrap()
}

fn run(mode: Mode, steps: &[Step]) {
    let image = MemoryStorage::default();
    let storage = Rc::new(match mode {
        Mode::Paged => TestStorage::with_reader(&image),
        _ => TestStorage::on(&image),
    });
    let (platform, mut pool) = TestPlatform::new(17);
    pool.run_until(async {
        let mut database = open(&storage, &platform, mode).await;
        // The first write of a memory is of another kind.
        let first = large(RECORDS, 0, 10);
        let mut model = BTreeMap::from([(first.id, first.value.clone())]);
        database.commit(put(first)).await.unwrap();
        let mut last = None;
        for (seed, step) in steps.iter().enumerate() {
            match *step {
                Step::Put(number, bytes) => {
                    let record = large(number, seed, bytes);
                    let before = model.insert(record.id, record.value.clone());
                    let commit = database.commit(put(record.clone())).await.unwrap();
                    last = (before.as_ref() != Some(&record.value)).then_some((
                        commit.commit_id,
                        record.id,
                        before,
                    ));
                }
                Step::Delete(number) => {
                    if model.remove(&id(number)).is_some() {
                        let mut draft = Draft::new(&scope("alice"), Cause::User);
                        draft.delete(id(number), Expect::Any);
                        database.commit(draft).await.unwrap();
                        last = None;
                    }
                }
                Step::TornPut(number, bytes, kept) => {
                    storage.plan([Write::Tears(kept)]);
                    database.commit(put(large(number, seed, bytes))).await.unwrap_err();
                }
                Step::TornFold(number, bytes, kept) => {
                    let record = large(number, seed, bytes);
                    model.insert(record.id, record.value.clone());
                    storage.plan([Write::Works, Write::Tears(kept)]);
                    database.commit(put(record)).await.unwrap();
                    let pairs = pairs_of(&image);
                    let log = pairs.iter().filter(|(key, _)| key.starts_with("log/"));
                    let logged: usize = log.map(|(_, value)| value.len()).sum();
                    // It folds by itself when the log is large, and else is told to.
                    let folded = database.fold().await;
                    assert!(
                        storage.plan.borrow().is_empty() && (folded.is_err() || logged > 1 << 19),
                        "{folded:?}"
                    );
                    last = None;
                }
                Step::Undo => {
                    if let Some((commit, id, before)) = last.take() {
                        let undo = database.read(|store| store.undo(&scope("alice"), commit)).unwrap();
                        database.commit(undo).await.unwrap();
                        match before {
                            Some(before) => model.insert(id, before),
                            None => model.remove(&id),
                        };
                    }
                }
                Step::Fold => database.fold().await.unwrap(),
                Step::Reopen => {
                    database.close().await;
                    storage.is_closed.set(false);
                    database = open(&storage, &platform, mode).await;
                }
            }
            assert!(values(&database) == model, "{step:?} of {steps:?}");
        }
        let report = database.verify().await.unwrap();
        assert!(report.ok, "{report:?}");
        database.close().await;
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn a_record_is_whole_whatever_happens(steps in prop::collection::vec(step(), 1..14), mode in 0..3usize) {
        run([Mode::Kept, Mode::Paged, Mode::Sealed][mode], &steps);
    }
}

/// A folded memory of two large records with small ones around them.
fn folded() -> Pairs {
    let image = MemoryStorage::default();
    let (platform, mut pool) = TestPlatform::new(3);
    pool.run_until(async {
        let database = open(&Rc::new(TestStorage::on(&image)), &platform, Mode::Kept).await;
        for (number, bytes) in [(0, 100), (1, 3 * MAX_VALUE_BYTES), (2, 100), (3, 2 * MAX_VALUE_BYTES)] {
            database.commit(put(large(number, 0, bytes))).await.unwrap();
        }
        database.fold().await.unwrap();
        database.close().await;
    });
    pairs_of(&image)
}

#[test]
fn damage_takes_the_record_that_it_is_in_and_no_other() {
    let pairs = folded();
    let is_commits = |(key, _): &&(String, Vec<u8>)| key.contains("/commits/");
    let keys: Vec<String> = pairs.iter().filter(is_commits).map(|(key, _)| key.clone()).collect();
    assert!(keys.len() >= 8, "{keys:?}");
    let mut lost = Vec::new();
    for (key, is_gone) in keys.iter().flat_map(|key| [(key, false), (key, true)]) {
        let mut damaged = pairs.clone();
        if is_gone {
            damaged.retain(|(of, _)| of != key);
        } else {
            let (_, value) = damaged.iter_mut().find(|(of, _)| of == key).unwrap();
            let middle = value.len() / 2;
            value[middle] ^= 1;
        }
        let image = storage_of(&damaged);
        let (platform, mut pool) = TestPlatform::new(4);
        pool.run_until(async {
            for round in 0..2 {
                let storage = Rc::new(TestStorage::with_reader(&image));
                let database = open(&storage, &platform, Mode::Paged).await;
                let found = values(&database);
                let missing: Vec<u8> =
                    (0..RECORDS).filter(|number| !found.contains_key(&id(*number))).collect();
                for (number, bytes) in
                    [(0, 100), (1, 3 * MAX_VALUE_BYTES), (2, 100), (3, 2 * MAX_VALUE_BYTES)]
                {
                    let value = found.get(&id(number));
                    assert!(value.is_none_or(|value| *value == large(number, 0, bytes).value), "{key}");
                }
                let report = database.verify().await.unwrap();
                assert!(!report.ok, "{key}");
                if round == 0 {
                    lost.push(missing);
                    // What is damaged is set aside, and the rest goes on.
                    database.commit(put(large(9, 1, 2 * MAX_VALUE_BYTES))).await.unwrap();
                    database.fold().await.unwrap();
                } else {
                    assert_eq!(Some(&missing), lost.last());
                    assert!(found.get(&id(9)) == Some(&large(9, 1, 2 * MAX_VALUE_BYTES).value));
                }
                database.close().await;
            }
        });
    }
    assert!(lost.iter().all(|missing| missing.len() == 1), "{lost:?}");
    assert!((0..RECORDS).all(|number| lost.contains(&vec![number])), "{lost:?}");
}

#[test]
fn a_large_record_is_not_read_for_the_sake_of_others() {
    let image = storage_of(&folded());
    let (platform, mut pool) = TestPlatform::new(5);
    pool.run_until(async {
        let storage = Rc::new(TestStorage::with_reader(&image));
        let database = open(&storage, &platform, Mode::Paged).await;
        let reads = || storage.reader.as_ref().unwrap().reads.get();
        assert_eq!(database.read(|store| Ok(store.cached_bytes())).unwrap(), 0);
        let before = reads();
        assert!(database.read(|store| Ok(store.get(&scope("alice"), id(2)).is_some())).unwrap());
        assert_eq!(reads(), before + 1);
        // Its own takes one for each value, and one more for the page that has its key.
        let value = database.read(|store| store.record(&scope("alice"), id(1))).unwrap().unwrap().value;
        assert!(value == large(1, 0, 3 * MAX_VALUE_BYTES).value);
        assert!((before + 5..before + 8).contains(&reads()), "{}", reads() - before);
        assert_eq!(database.read(|store| Ok(store.cached_bytes())).unwrap(), 0);
    });
}
