//! Reading a large memory: some values at a time, and all at once when anything is not as it should be.

use crate::support::image::{id, pairs_of, record, scope, storage_of, with_database};
use crate::support::platform::TestPlatform;
use crate::support::storage::TestStorage;
use futures_util::future::join;
use mnemic::database::{Bounds, Database, Report};
use mnemic::log::Cause;
use mnemic::ports::Platform;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect, Query, Store};
use mnemic::{Code, Embedding, Kind, Record, Result};
use std::rc::Rc;

const EMBEDDER: &str = "model";
const RECORDS: u8 = 45;
const MIB: usize = 1 << 20;
/// How many vectors are in the log and not in a segment.
const LOGGED: usize = 2;

fn embedding(number: u8) -> Embedding {
    Embedding::quantise(EMBEDDER, &[f32::from(number), 1.0, 0.5]).unwrap()
}

fn draft(number: u8) -> Draft {
    let mut draft = Draft::new(&scope("alice"), Cause::User);
    let mut large = record(number, Kind::Fact, &scope("alice"), &format!("cedar number{number}"));
    large.value = "x".repeat(200_000).into();
    draft.put(large, Expect::Any, Some(embedding(number)));
    draft
}

/// A memory of about 10 MB in several segments and a log, with records that were changed and deleted.
fn written() -> MemoryStorage {
    let image = MemoryStorage::default();
    with_database(image.clone(), EMBEDDER, async |database| {
        for number in 0..RECORDS {
            database.commit(draft(number)).await.unwrap();
            if number % 15 == 14 {
                database.fold().await.unwrap();
            }
        }
        for number in [3, 30] {
            let mut changed = draft(number);
            changed.delete(id(number + 1), Expect::Any);
            database.commit(changed).await.unwrap();
        }
    })
    .unwrap();
    image
}

/// The living records, who is found by a word, and who is nearest to a vector.
type Shown = (Vec<Record>, Vec<u32>, usize);

fn shown(store: &Store) -> Result<Shown> {
    let alice = scope("alice");
    let records = store.records(&alice, Kind::Fact).map(|view| view.to_record(&alice).unwrap()).collect();
    let query = Query { text: "cedar", embedding: Some(&embedding(7)), limit: 99, now: 0 };
    let found = store.search(&alice, Kind::Fact, &query, &|_| true)?;
    Ok((records, found.iter().map(|found| found.score.document).collect(), store.counts().vectors))
}

fn read(image: &MemoryStorage) -> (Shown, Report, usize) {
    let storage = Rc::new(TestStorage::on(image));
    let (platform, mut pool) = TestPlatform::new(3);
    pool.run_until(async {
        let database = Database::open(storage.clone(), platform, EMBEDDER).await.unwrap();
        let most = storage.most_read.get();
        (database.read(shown).unwrap(), database.verify().await.unwrap(), most)
    })
}

/// All pairs used to be in memory beside what became of them: opening took nearly twice what it led to.
#[test]
fn a_large_memory_is_read_some_values_at_a_time_and_is_what_was_written() {
    let image = written();
    let bytes: usize = pairs_of(&image).iter().map(|(_, value)| value.len()).sum();
    assert!(bytes > 8 * MIB, "{bytes}");
    let ((records, found, vectors), report, most) = read(&image);
    assert!(most < 5 * MIB, "{most}");
    assert!(report.ok, "{report:?}");
    let expected = usize::from(RECORDS) - 2;
    assert_eq!((records.len(), found.len(), vectors), (expected, expected, expected));
    assert_eq!(report.commits, usize::from(RECORDS) + 2);
    assert!(records.iter().any(|record| record.id == id(3) && record.revision == 2));
}

/// A value of each kind is damaged or missing: it is named, and nothing else is lost.
#[test]
fn what_is_damaged_or_missing_is_named_and_the_rest_is_there() {
    let image = written();
    let pairs = pairs_of(&image);
    let (whole, ..) = read(&image);
    for (kind, missing) in [("/commits/", true), ("/terms/", false), ("/vectors/", true), ("log/", false)] {
        let place = pairs.iter().position(|(key, _)| key.contains(kind)).unwrap();
        let (key, mut damaged) = (&pairs[place].0, pairs.clone());
        if missing {
            damaged.remove(place);
        } else {
            damaged[place].1[20] ^= 1;
        }
        let ((records, ..), report, _) = read(&storage_of(&damaged));
        assert!(report.damage.iter().any(|damage| key.starts_with(&damage.key)), "{key}: {report:?}");
        // What can be made again is.
        assert_eq!(records == whole.0, ["/terms/", "/vectors/"].contains(&kind), "{key}");
    }
}

/// What a fold or an erasure left that was cut short in a storage without transactions stayed in a large memory: only the keys that
/// the head names were looked at.
#[test]
fn leftovers_of_a_large_memory_are_seen_and_deleted() {
    let image = written();
    let pairs = pairs_of(&image);
    let segments = || pairs.iter().filter(|(key, _)| key.starts_with("segment/"));
    let (first, last) = (segments().next().unwrap(), segments().next_back().unwrap());
    assert!(first.0.as_str() > "segment/00000000/commits/000000", "{}", first.0);
    let behind = |key: &str| format!("{}ffff", &key[..key.len() - 4]);
    let leftovers = [
        "segment/00000000/commits/000000".to_owned(),
        behind(&first.0),
        behind(&segments().find(|(key, _)| key.contains("/terms/")).unwrap().0),
        behind(&last.0),
        "segment/00ffffff/vectors/000000".to_owned(),
    ];
    let (whole, ..) = read(&image);
    for key in leftovers {
        let mut littered = pairs.clone();
        littered.push((key.clone(), b"forgotten".to_vec()));
        let littered = storage_of(&littered);
        let (shown, report, _) = read(&littered);
        assert!(report.ok && shown == whole, "{key}: {report:?}");
        assert!(pairs_of(&littered).iter().all(|(left, _)| *left != key), "{key} is still there");
    }
    // What is somebody else's keeps nobody from reading in parts, and stays.
    let mut others = pairs.clone();
    others.push(("settings".to_owned(), b"dark".to_vec()));
    let others = storage_of(&others);
    let (shown, _, most) = read(&others);
    assert!(shown == whole && most < 5 * MIB && pairs_of(&others).iter().any(|(key, _)| key == "settings"));
}

/// What the head named may be gone before it is read, for another engine folds and writes meanwhile.
#[test]
fn another_engine_may_fold_meanwhile() {
    for yields in [1, 3] {
        let image = written();
        let (platform, mut pool) = TestPlatform::new(4);
        pool.run_until(async {
            let other = Database::open(Rc::new(image.clone()), platform.clone(), EMBEDDER).await.unwrap();
            let slow = Rc::new(TestStorage::on(&image));
            slow.yields.set(yields);
            let folding = async {
                for number in 100..104 {
                    other.commit(draft(number)).await.unwrap();
                    other.fold().await.unwrap();
                }
            };
            let opening = Database::open(slow.clone(), platform.clone(), EMBEDDER);
            let (opened, ()) = join(opening, folding).await;
            let database = opened.unwrap();
            slow.yields.set(0);
            database.refresh().await.unwrap();
            assert_eq!(database.read(shown).unwrap(), other.read(shown).unwrap(), "{yields} yields");
            assert!(database.verify().await.unwrap().ok, "{yields} yields");
        });
    }
}

/// Opens a memory that can be read, of which words and vectors are yet to be taken in.
async fn opened(storage: Rc<TestStorage>, platform: Rc<dyn Platform>) -> Database {
    let bounds = Bounds::default();
    let database = Database::open_encrypted(storage, platform, EMBEDDER, None, bounds).await.unwrap();
    assert_eq!(database.read(|store| Ok(store.counts().vectors)).unwrap(), LOGGED, "it is not partial");
    database
}

/// All records of a memory that is opened are there at once, and can be found a little later.
#[test]
fn a_large_memory_is_read_before_it_is_searched() {
    let image = written();
    let (whole, ..) = read(&image);
    let (platform, mut pool) = TestPlatform::new(5);
    pool.run_until(async {
        let database = opened(Rc::new(TestStorage::on(&image)), platform).await;
        let (records, found, vectors) = database.read(shown).unwrap();
        assert_eq!((records, found.len(), vectors), (whole.0.clone(), LOGGED, LOGGED));
        database.indexed().await.unwrap();
        assert_eq!(database.read(shown).unwrap(), whole);
    });
}

/// What is written before everything can be found, and folds all that there is, loses no word and no vector.
#[test]
fn what_is_written_at_once_waits_until_everything_can_be_found() {
    let image = written();
    let (whole, ..) = read(&image);
    let (platform, mut pool) = TestPlatform::new(6);
    pool.run_until(async {
        let database = opened(Rc::new(TestStorage::on(&image)), platform).await;
        let mut erased = Draft::new(&scope("alice"), Cause::Forget);
        erased.delete(id(0), Expect::Any);
        erased.erase.push(id(0));
        let (erasing, folding) = (database.commit(erased), database.fold());
        let (erased, folded) = join(erasing, folding).await;
        erased.unwrap();
        folded.unwrap();
        database.close().await;
    });
    let ((records, found, vectors), report, _) = read(&image);
    assert!(report.ok, "{report:?}");
    let expected = whole.0.len() - 1;
    assert_eq!((records.len(), found.len(), vectors), (expected, expected, expected));
}

/// A storage that fails for a while keeps nobody from reading; whoever writes or searches is told, and tries again.
#[test]
fn a_storage_that_fails_meanwhile_is_asked_again() {
    let image = written();
    let (whole, ..) = read(&image);
    let (platform, mut pool) = TestPlatform::new(7);
    pool.run_until(async {
        let storage = Rc::new(TestStorage::on(&image));
        let database = opened(storage.clone(), platform).await;
        storage.failing_reads.set(1000);
        assert_eq!(database.indexed().await.unwrap_err().code, Code::Storage);
        assert_eq!(database.commit(draft(90)).await.unwrap_err().code, Code::Storage);
        assert_eq!(database.read(shown).unwrap().0, whole.0);
        storage.failing_reads.set(0);
        database.indexed().await.unwrap();
        assert_eq!(database.read(shown).unwrap(), whole);
        database.commit(draft(90)).await.unwrap();
    });
}

/// One that is closed at once does not read what nobody asks for, and writes what was queued before.
#[test]
fn closing_ends_it_but_for_what_is_queued() {
    for is_written in [false, true] {
        let image = written();
        let (whole, ..) = read(&image);
        let (platform, mut pool) = TestPlatform::new(8);
        pool.run_until(async {
            let database = opened(Rc::new(TestStorage::on(&image)), platform).await;
            let writing = async {
                if is_written {
                    database.commit(draft(90)).await.unwrap();
                }
            };
            join(writing, database.close()).await;
            assert_eq!(database.indexed().await.is_ok(), is_written);
        });
        let ((records, _, vectors), ..) = read(&image);
        let expected = whole.0.len() + usize::from(is_written);
        assert_eq!((records.len(), vectors), (expected, expected));
    }
}

/// A value of words or vectors turns out to be damaged when all records are shown already.
#[test]
fn what_is_damaged_is_found_after_opening_too() {
    let image = written();
    let (whole, ..) = read(&image);
    for kind in ["/terms/", "/vectors/"] {
        let mut damaged = pairs_of(&image);
        let place = damaged.iter().position(|(key, _)| key.contains(kind)).unwrap();
        damaged[place].1[20] ^= 1;
        let key = damaged[place].0.clone();
        let image = storage_of(&damaged);
        let (platform, mut pool) = TestPlatform::new(9);
        pool.run_until(async {
            let database = opened(Rc::new(TestStorage::on(&image)), platform).await;
            database.indexed().await.unwrap();
            let (records, found, _) = database.read(shown).unwrap();
            assert_eq!((&records, found.len()), (&whole.0, whole.1.len()));
            let report = database.verify().await.unwrap();
            assert!(report.damage.iter().any(|damage| key.starts_with(&damage.key)), "{key}: {report:?}");
        });
        assert!(
            pairs_of(&image).iter().any(|(kept, _)| kept.ends_with(&format!("/{key}"))),
            "{key} is not kept"
        );
    }
}
