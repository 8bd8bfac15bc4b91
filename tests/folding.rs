//! What a fold writes at once, and what is there after many.

use crate::support::backup::{exported, read_backup};
use crate::support::cipher::encryption;
use crate::support::image::{id, record, scope};
use crate::support::platform::{TestPlatform, yield_now};
use crate::support::storage::TestStorage;
use futures_util::future::join;
use mnemic::database::{Bounds, Database};
use mnemic::log::{Cause, Column, segment_key};
use mnemic::ports::{Batch, Storage, head_counter};
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect, Store};
use mnemic::{Kind, Record};
use std::cell::Cell;
use std::rc::Rc;

const COMMITS: u8 = 28;
const COMMIT_BYTES: usize = 500_000;
const MIB: usize = 1 << 20;

/// A memory of 14 MB in segments, in a storage that reads parts of values if that is asked for.
fn run(paged: bool, work: impl AsyncFnOnce(Database, Rc<TestStorage>, Rc<TestPlatform>)) {
    let image = MemoryStorage::default();
    let storage = Rc::new(if paged { TestStorage::with_reader(&image) } else { TestStorage::on(&image) });
    let (platform, mut pool) = TestPlatform::new(5);
    pool.run_until(async {
        let bounds = Bounds { cache_bytes: paged.then_some(MIB as u64), ..Bounds::default() };
        let opening = Database::open_encrypted(storage.clone(), platform.clone(), "none", None, bounds).await;
        let database = opening.unwrap();
        for number in 0..COMMITS {
            let mut draft = Draft::new(&scope("alice"), Cause::User);
            draft.put(large(number), Expect::Absent, None);
            database.commit(draft).await.unwrap();
            database.fold().await.unwrap();
        }
        work(database, storage, platform).await;
    });
}

fn large(number: u8) -> Record {
    let large = record(number, Kind::Document, &scope("alice"), &format!("cedar{number}c"));
    Record { value: "x".repeat(COMMIT_BYTES).into(), ..large }
}

/// A draft that forgets a record.
fn forget(number: u8) -> Draft {
    let mut draft = Draft::new(&scope("alice"), Cause::Forget);
    draft.delete(id(number), Expect::Any);
    draft.erase.push(id(number));
    draft
}

/// Folds used to take in ever larger segments, up to all there was: a memory of 100 MB was built twice, once more as one batch.
#[test]
fn no_fold_writes_much_at_once() {
    run(false, async |database, storage, platform| {
        let written = storage.most_written.get();
        assert!(written > 4 * MIB && written < 9 * MIB, "{written}");
        let report = database.verify().await.unwrap();
        assert!(report.ok && (3..30).contains(&report.segments), "{report:?}");
        let again = Database::open(storage, platform, "none").await.unwrap();
        for number in 0..COMMITS {
            let there = again.read(|store| Ok(store.get(&scope("alice"), id(number)).is_some()));
            assert!(there.unwrap(), "{number}");
        }
    });
}

/// Before something was forgotten, encrypted or replaced, all that is stored was read at once.
#[test]
fn what_writes_much_anew_reads_a_part_at_a_time() {
    run(false, async |database, storage, platform| {
        let most_read = || storage.most_read.replace(0);
        // It was opened when it was empty.
        assert_eq!(most_read(), 0);
        let leftover = segment_key(99, Column::Terms, 7);
        let (puts, head) = (vec![(leftover.clone(), b"left".to_vec())], head_of(&storage).await);
        let counter = head_counter(Some(&head.1)).unwrap();
        let batch = Batch { puts: puts.into_iter().chain([head]).collect(), deletes: Vec::new() };
        storage.write(&batch, counter).await.unwrap();
        most_read();
        database.commit(forget(COMMITS - 5)).await.unwrap();
        let read = most_read();
        assert!(read > 4 * MIB && read <= 9 * MIB, "{read}");
        let keys = keys_of(&storage).await;
        assert!(!keys.contains(&leftover), "{keys:?}");
        most_read();
        let file = exported(&database, None);
        let restored = Store::restored("none", &read_backup(&file).unwrap()).unwrap();
        database.replace(restored).await.unwrap();
        let read = most_read();
        assert!(read > 4 * MIB && read <= 9 * MIB, "{read}");
        assert_eq!(database.verify().await.unwrap().segments, 1);
        most_read();
        database.encrypt(encryption("carrot")).await.unwrap();
        let read = most_read();
        assert!(read > 4 * MIB && read <= 9 * MIB, "{read}");
        let report = database.verify().await.unwrap();
        assert!(report.ok && report.records == usize::from(COMMITS) - 1, "{report:?}");
        drop(platform);
    });
}

async fn head_of(storage: &TestStorage) -> (String, Vec<u8>) {
    storage.read("head", "head!").await.unwrap().remove(0)
}

async fn keys_of(storage: &TestStorage) -> Vec<String> {
    storage.read("", "~").await.unwrap().into_iter().map(|(key, _)| key).collect()
}

/// All commits behind what was to go were in memory at once, and once more as what was written.
#[test]
fn what_is_written_anew_is_let_go_of_meanwhile() {
    run(true, async |database, _, platform| {
        platform.gives_way.set(true);
        let (mut most, is_done) = (0, Cell::new(false));
        let watching = async {
            while !is_done.get() {
                most = most.max(database.read(|store| Ok(store.cached_bytes())).unwrap());
                yield_now().await;
            }
        };
        let forgetting = async {
            database.commit(forget(0)).await.unwrap();
            is_done.set(true);
        };
        join(forgetting, watching).await;
        assert!(most > 0 && most < 4 * MIB, "{most}");
        assert!(database.verify().await.unwrap().ok);
    });
}

/// Forgetting something old wrote everything anew that came after it.
#[test]
fn forgetting_writes_only_those_segments_anew_that_hold_it() {
    run(true, async |database, storage, platform| {
        let before = keys_of(&storage).await;
        let segments = database.verify().await.unwrap().segments;
        assert!(segments > 2, "{segments}");
        storage.most_written.set(0);
        database.commit(forget(2)).await.unwrap();
        let written = storage.most_written.get();
        assert!(written > MIB && written < 8 * MIB, "{written}");
        let after = keys_of(&storage).await;
        assert!(after.iter().filter(|key| before.contains(key)).count() > 5, "{after:?}");
        for (key, value) in storage.read("", "~").await.unwrap() {
            let word = b"cedar2c";
            let holds = |bytes: &[u8]| value.windows(bytes.len()).any(|window| window == bytes);
            assert!(!holds(word) && !holds(&id(2).bytes()), "{key} holds what was forgotten");
        }
        let again = Database::open(storage, platform, "none").await.unwrap();
        for database in [&database, &again] {
            let report = database.verify().await.unwrap();
            assert!(report.ok && report.segments <= segments, "{report:?}");
            for number in 0..COMMITS {
                let there = database.read(|store| Ok(store.get(&scope("alice"), id(number)).is_some()));
                assert_eq!(there.unwrap(), number != 2, "{number}");
            }
        }
    });
}
