//! What is not in memory: it is read when it is needed, and what cannot be read is never taken for what is not there.

mod vectors;

use crate::support::image::{id, pairs_of, record, scope};
use crate::support::platform::TestPlatform;
use crate::support::storage::TestStorage;
use mnemic::database::{Bounds, Database};
use mnemic::log::Cause;
use mnemic::ports::Storage;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect};
use mnemic::{Code, Error, Kind, Record, Result};
use std::rc::Rc;

const RECORDS: u8 = 40;
const TEXT_BYTES: usize = 4000;

/// A record whose value is of some size.
fn large(number: u8, value: usize) -> Record {
    Record { value: "x".repeat(value).into(), ..record(number, Kind::Fact, &scope("alice"), "cedar") }
}

fn put(record: Record, expect: Expect) -> Draft {
    let mut draft = Draft::new(&scope("alice"), Cause::User);
    draft.put(record, expect, None);
    draft
}

async fn open(storage: &Rc<TestStorage>, platform: &Rc<TestPlatform>, cache_bytes: u64) -> Database {
    let bounds = Bounds { cache_bytes: Some(cache_bytes), ..Bounds::default() };
    let opening = Database::open_encrypted(storage.clone(), platform.clone(), "none", None, bounds).await;
    let database = opening.unwrap();
    database.indexed().await.unwrap();
    database
}

/// Whether a record is there.
fn find(database: &Database, number: u8) -> Result<bool> {
    database.read(|store| Ok(store.get(&scope("alice"), id(number)).is_some()))
}

/// A folded memory of some records, with room for `cache_bytes` of pages.
fn run(cache_bytes: u64, work: impl AsyncFnOnce(Database, Rc<TestStorage>, Rc<TestPlatform>, MemoryStorage)) {
    let image = MemoryStorage::default();
    let storage = Rc::new(TestStorage::with_reader(&image));
    let (platform, mut pool) = TestPlatform::new(9);
    pool.run_until(async {
        let database = open(&storage, &platform, cache_bytes).await;
        for number in 0..RECORDS {
            database.commit(put(large(number, TEXT_BYTES), Expect::Absent)).await.unwrap();
        }
        database.fold().await.unwrap();
        work(database, storage, platform, image).await;
    });
}

fn reads(storage: &TestStorage) -> usize {
    storage.reader.as_ref().unwrap().reads.get()
}

fn fail(storage: &TestStorage, reads: usize) {
    storage.reader.as_ref().unwrap().failing.set(reads);
}

#[test]
fn what_is_cold_is_read_when_it_is_needed_and_let_go_of_when_there_is_no_room() {
    let room = 50_000;
    run(room, async |database, storage, platform, _| {
        // Opened again it is the same.
        for database in [database, open(&storage, &platform, room).await] {
            let before = reads(&storage);
            for number in (0..RECORDS).chain(0..RECORDS) {
                assert!(find(&database, number).unwrap(), "{number}");
                let cached = database.read(|store| Ok(store.cached_bytes())).unwrap() as u64;
                assert!(cached <= room, "{cached}");
            }
            // A page holds several records, and was read twice.
            let pages = usize::from(RECORDS) * TEXT_BYTES / (16 * 1024);
            let read = reads(&storage) - before;
            assert!(read >= pages && read <= 2 * pages + 2, "{read}");
            assert!(!find(&database, RECORDS).unwrap());
        }
    });
}

#[test]
fn with_room_nothing_is_read_twice() {
    run(1 << 20, async |database, storage, platform, _| {
        let again = open(&storage, &platform, 1 << 20).await;
        for database in [&database, &again, &again] {
            (0..RECORDS).for_each(|number| assert!(find(database, number).unwrap()));
        }
        assert_eq!(reads(&storage), 0);
    });
}

/// What can be read again took the room of the words and sketches that are taken in after it, and left it in pieces that little fitted in.
#[test]
fn what_is_read_while_a_memory_is_opened_leaves_room_for_the_rest() {
    let image = MemoryStorage::default();
    let storage = Rc::new(TestStorage::with_reader(&image));
    let (platform, mut pool) = TestPlatform::new(9);
    pool.run_until(async {
        let database = open(&storage, &platform, 0).await;
        for number in 0..RECORDS {
            database.commit(put(large(number, 300_000), Expect::Absent)).await.unwrap();
        }
        database.fold().await.unwrap();
        let bounds = Bounds { max_memory_bytes: Some(16 << 20), ..Bounds::default() };
        let opening = Database::open_encrypted(storage.clone(), platform.clone(), "none", None, bounds);
        let opened = opening.await.unwrap();
        let cached = || opened.read(|store| Ok(store.cached_bytes())).unwrap();
        assert!(cached() <= 4 << 20, "{}", cached());
        opened.indexed().await.unwrap();
        (0..RECORDS).for_each(|number| assert!(find(&opened, number).unwrap()));
        assert!(cached() <= 4 << 20, "{}", cached());
    });
}

#[test]
fn a_large_commit_is_read_as_a_whole_and_its_records_one_by_one() {
    run(0, async |database, storage, _, _| {
        let mut draft = Draft::new(&scope("alice"), Cause::User);
        (100..140).for_each(|number| draft.put(large(number, TEXT_BYTES), Expect::Absent, None));
        let committed = database.commit(draft).await.unwrap();
        database.fold().await.unwrap();
        let before = reads(&storage);
        assert!(find(&database, 120).unwrap());
        assert_eq!(reads(&storage), before + 1);
        let undo = database.read(|store| store.undo(&scope("alice"), committed.commit_id)).unwrap();
        database.commit(undo).await.unwrap();
        assert!(!find(&database, 120).unwrap() && find(&database, 20).unwrap());
        let report = database.verify().await.unwrap();
        assert!(report.ok, "{report:?}");
    });
}

#[test]
fn a_failed_reading_fails_the_call_with_what_could_not_be_read() {
    run(0, async |database, storage, _, _| {
        fail(&storage, 1);
        let error = find(&database, 7).unwrap_err();
        assert_eq!(error.code, Code::Storage);
        assert!(error.details["key"].as_str().unwrap().starts_with("segment/"), "{error}");
        assert!(
            error.details["offset"].as_u64() >= Some(16) && error.message.contains("try again"),
            "{error}"
        );
        // It is told once, and nothing is wrong afterwards.
        assert!(find(&database, 7).unwrap());
        storage.reader.as_ref().unwrap().wrong.set(1);
        let error = find(&database, 7).unwrap_err();
        assert_eq!(error.code, Code::Corrupt, "{error}");
        assert!(find(&database, 7).unwrap());
    });
}

#[test]
fn nothing_is_written_on_top_of_what_could_not_be_read() {
    run(0, async |database, storage, _, image| {
        let before = pairs_of(&image);
        let refused = |error: Error| {
            assert_eq!(error.code, Code::Storage, "{error}");
            assert_eq!(pairs_of(&image), before, "a refused write has stored something");
        };
        fail(&storage, 9);
        // A record that is there and cannot be read must not count as absent.
        refused(database.commit(put(large(3, 10), Expect::Absent)).await.unwrap_err());
        refused(database.commit(put(large(3, 10), Expect::Any)).await.unwrap_err());
        let mut draft = Draft::new(&scope("alice"), Cause::Forget);
        draft.delete(id(3), Expect::Any);
        draft.erase.push(id(3));
        refused(database.commit(draft.clone()).await.unwrap_err());
        fail(&storage, 0);
        let error = database.commit(put(large(3, 10), Expect::Absent)).await.unwrap_err();
        assert_eq!(error.code, Code::Conflict, "{error}");
        database.commit(draft).await.unwrap();
        assert!(!find(&database, 3).unwrap() && find(&database, 4).unwrap());
        assert!(database.verify().await.unwrap().ok);
    });
}

#[test]
fn a_fold_that_cannot_read_writes_nothing() {
    run(0, async |database, storage, _, image| {
        // So much that the fold takes in the segment that is there.
        database.commit(put(large(200, 100_000), Expect::Absent)).await.unwrap();
        let before = pairs_of(&image);
        fail(&storage, 1);
        let error = database.fold().await.unwrap_err();
        assert_eq!((error.code, pairs_of(&image) == before), (Code::Storage, true), "{error}");
        database.fold().await.unwrap();
        assert!((0..RECORDS).chain([200]).all(|number| find(&database, number).unwrap()));
    });
}

/// What is forgotten used to stay readable where another engine had it paged: there the value is gone, and a new one has its place.
#[test]
fn what_another_engine_replaced_is_found_again() {
    run(0, async |database, storage, platform, _| {
        let other = open(&storage, &platform, 0).await;
        let mut draft = Draft::new(&scope("alice"), Cause::Forget);
        draft.delete(id(3), Expect::Any);
        draft.erase.push(id(3));
        other.commit(draft).await.unwrap();
        let error = find(&database, 7).unwrap_err();
        assert_eq!((error.code, &error.details["isReplaced"]), (Code::Storage, &true.into()), "{error}");
        database.refresh().await.unwrap();
        assert!(find(&database, 7).unwrap() && !find(&database, 3).unwrap());
        // A fold replaces values and forgets nothing: what is known is looked for where it is now.
        other.commit(put(large(201, 100_000), Expect::Absent)).await.unwrap();
        database.refresh().await.unwrap();
        other.fold().await.unwrap();
        assert_eq!(find(&database, 9).unwrap_err().details["isReplaced"], true);
        database.refresh().await.unwrap();
        assert!([9, 201].into_iter().all(|number| find(&database, number).unwrap()));
        assert!(database.verify().await.unwrap().ok);
    });
}
