//! Storages that fail, engines that race and sleep, and closing in the middle of things.

use crate::support::image::{id, pairs_of, record, scope, with_database};
use crate::support::platform::{START, TestPlatform, yield_now};
use crate::support::storage::{TestStorage, Write};
use futures_util::future::{join, join_all};
use mnemic::database::{Database, Event};
use mnemic::log::{Cause, Commit, Embed, HEAD_KEY, Head, Op, QUARANTINE, log_key};
use mnemic::storage::MemoryStorage;
use mnemic::store::{Change, Draft, Expect};
use mnemic::{Code, Embedding, Id, Kind, Record};
use std::cell::RefCell;
use std::rc::Rc;

const EMBEDDER: &str = "model";

fn put(number: u8, text: &str, expect: Expect) -> Draft {
    let mut draft = Draft::new(&scope("alice"), Cause::User);
    draft.put(record(number, Kind::Fact, &scope("alice"), text), expect, None);
    draft
}

fn with_vector(number: u8, values: &[f32]) -> Draft {
    let mut draft = Draft::new(&scope("alice"), Cause::User);
    let embedding = Embedding::quantise(EMBEDDER, values).unwrap();
    draft.put(record(number, Kind::Fact, &scope("alice"), "cedar"), Expect::Any, Some(embedding));
    draft
}

fn records(database: &Database) -> Vec<Record> {
    let scope = scope("alice");
    database
        .read(|store| {
            Ok(store.records(&scope, Kind::Fact).map(|view| view.to_record(&scope).unwrap()).collect())
        })
        .unwrap()
}

/// Runs work with two engines on one image.
fn with_two<R>(image: &MemoryStorage, work: impl AsyncFnOnce([Database; 2], [Rc<TestStorage>; 2]) -> R) -> R {
    let (platform, mut pool) = TestPlatform::new(11);
    let storages = [Rc::new(TestStorage::on(image)), Rc::new(TestStorage::on(image))];
    pool.run_until(async {
        let one = Database::open(storages[0].clone(), platform.clone(), EMBEDDER).await.unwrap();
        let two = Database::open(storages[1].clone(), platform, EMBEDDER).await.unwrap();
        work([one, two], storages).await
    })
}

/// What a database tells: the ids of commits and whether they are remote, and the codes of errors.
type Told = Rc<RefCell<Vec<Result<(Id, bool), Code>>>>;

fn listen(database: &Database) -> Told {
    let told = Told::default();
    let hearing = told.clone();
    database.listen(Rc::new(move |event| match event {
        Event::Change { commit_id, remote, .. } => hearing.borrow_mut().push(Ok((*commit_id, *remote))),
        Event::Error(error) => hearing.borrow_mut().push(Err(error.code)),
        Event::Extraction(_) | Event::Request(_) | Event::Lock { .. } => {}
    }));
    told
}

#[test]
fn a_write_that_fails_changes_nothing_and_the_next_one_works() {
    for code in [Code::Storage, Code::QuotaExceeded] {
        for earlier in 0..3 {
            let image = MemoryStorage::default();
            let storage = Rc::new(TestStorage::on(&image));
            let (platform, mut pool) = TestPlatform::new(1);
            pool.run_until(async {
                let database = Database::open(storage.clone(), platform, EMBEDDER).await.unwrap();
                for number in 0..earlier {
                    database.commit(put(number, "cedar", Expect::Absent)).await.unwrap();
                }
                let (before, pairs) = (records(&database), pairs_of(&image));
                storage.plan([Write::Fails(code)]);
                let error = database.commit(put(9, "maple", Expect::Absent)).await.unwrap_err();
                assert_eq!(error.code, code);
                assert_eq!((records(&database), pairs_of(&image)), (before, pairs));
                database.commit(put(9, "maple", Expect::Absent)).await.unwrap();
                assert_eq!(records(&database).len(), usize::from(earlier) + 1);
            });
        }
    }
}

/// The medium kept the commit and its answer was lost: the caller hears of the success, once, and nothing is doubled.
#[test]
fn a_lost_answer_is_found_in_the_storage() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, two], [storage, _]| {
        one.commit(put(1, "cedar", Expect::Absent)).await.unwrap();
        let told = listen(&one);
        storage.plan([Write::LosesAnswer]);
        let committed = one.commit(put(1, "maple", Expect::Any)).await.unwrap();
        assert_eq!(committed.changes[0].revision, 2);
        assert_eq!(*told.borrow(), [Ok((committed.commit_id, false))]);
        two.refresh().await.unwrap();
        assert_eq!(records(&two), records(&one));
        assert_eq!(records(&two)[0].revision, 2);
    });
}

/// The answer is lost and the storage cannot be read either: the caller is told of the failure, and the commit turns up
/// with the next write, once.
#[test]
fn a_lost_answer_that_cannot_be_looked_up_heals_with_the_next_write() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, two], [storage, _]| {
        one.commit(put(1, "cedar", Expect::Absent)).await.unwrap();
        storage.plan([Write::LosesAnswer]);
        storage.failing_reads.set(1);
        assert_eq!(one.commit(put(2, "maple", Expect::Absent)).await.unwrap_err().code, Code::Storage);
        assert_eq!(records(&one).len(), 1);
        // Whoever tries the same again is told that it is there.
        assert_eq!(one.commit(put(2, "maple", Expect::Absent)).await.unwrap_err().code, Code::Conflict);
        one.commit(put(3, "birch", Expect::Absent)).await.unwrap();
        two.refresh().await.unwrap();
        for database in [&one, &two] {
            let all = records(database);
            assert_eq!(all.iter().map(|record| record.revision).collect::<Vec<_>>(), [1, 1, 1]);
        }
    });
}

#[test]
fn closing_waits_for_what_is_being_written() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, _], [storage, _]| {
        storage.yields.set(5);
        let commits = join_all((0..3).map(|number| one.commit(put(number, "cedar", Expect::Absent))));
        let closing = async {
            yield_now().await;
            join(one.close(), one.close()).await;
            assert!(storage.is_closed.get(), "closed when it says so");
        };
        let (answers, ()) = join(commits, closing).await;
        assert!(answers.iter().all(Result::is_ok), "{answers:?}");
        assert_eq!(one.commit(put(9, "cedar", Expect::Any)).await.unwrap_err().code, Code::Closed);
        assert_eq!(one.refresh().await.unwrap_err().code, Code::Closed);
        assert_eq!(one.fold().await.unwrap_err().code, Code::Closed);
        assert_eq!(one.verify().await.unwrap_err().code, Code::Closed);
        assert_eq!(one.read(|_| Ok(())).unwrap_err().code, Code::Closed);
    });
    let kept = with_database(image, EMBEDDER, async |database| records(&database).len()).unwrap();
    assert_eq!(kept, 3);
}

#[test]
fn many_drafts_share_a_write_and_conflicting_ones_do_not() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, _], [storage, _]| {
        one.commit(put(0, "cedar", Expect::Absent)).await.unwrap();
        let writes = || storage.writes.replace(0);
        writes();
        let answers = join_all((1..=65).map(|number| one.commit(put(number, "cedar", Expect::Absent)))).await;
        assert!(answers.iter().all(Result::is_ok));
        assert_eq!(writes(), 2, "64 and one");
        let answers = join_all((0..3).map(|_| one.commit(put(0, "maple", Expect::Revision(1))))).await;
        let codes: Vec<_> =
            answers.into_iter().map(|answer| answer.map(|_| ()).map_err(|error| error.code)).collect();
        assert_eq!(codes, [Ok(()), Err(Code::Conflict), Err(Code::Conflict)]);
        assert_eq!(writes(), 1, "the others are refused without a write");
        let keyed = |number| {
            let mut draft = put(number, "birch", Expect::Any);
            let Change::Put { record, .. } = &mut draft.changes[0] else { panic!("a put") };
            record.key = Some("one".to_owned());
            draft
        };
        let (first, second) = join(one.commit(keyed(70)), one.commit(keyed(71))).await;
        assert_eq!(second.unwrap_err().code, Code::Conflict);
        first.unwrap();
    });
}

/// A fold that fails is told, changes nothing, is not tried again with every commit, and works later.
#[test]
fn a_fold_that_fails_waits_for_a_longer_log() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, _], [storage, _]| {
        let told = listen(&one);
        let errors = || told.borrow().iter().filter(|told| **told == Err(Code::QuotaExceeded)).count();
        for _ in 0..255 {
            one.commit(put(1, "cedar", Expect::Any)).await.unwrap();
        }
        storage.plan([Write::Works, Write::Fails(Code::QuotaExceeded)]);
        one.commit(put(1, "cedar", Expect::Any)).await.unwrap();
        assert_eq!(errors(), 1);
        assert_eq!(one.verify().await.unwrap().tail, 256);
        for _ in 256..511 {
            one.commit(put(1, "cedar", Expect::Any)).await.unwrap();
        }
        assert_eq!((errors(), one.verify().await.unwrap().tail), (1, 511));
        one.commit(put(1, "cedar", Expect::Any)).await.unwrap();
        let report = one.verify().await.unwrap();
        assert_eq!((report.tail, report.segments, report.commits, errors()), (0, 1, 512, 1));
    });
}

/// Whoever folds while another engine commits starts from what is there, and loses nothing of it.
#[test]
fn a_fold_that_races_with_a_commit() {
    for delay in 0..12 {
        let image = MemoryStorage::default();
        with_two(&image, async |[one, two], [first, second]| {
            for number in 0..5 {
                one.commit(put(number, "cedar", Expect::Absent)).await.unwrap();
            }
            two.refresh().await.unwrap();
            first.yields.set(3);
            second.yields.set(2);
            let commit = async {
                for _ in 0..delay {
                    yield_now().await;
                }
                two.commit(put(9, "maple", Expect::Absent)).await
            };
            let (folded, committed) = join(one.fold(), commit).await;
            folded.unwrap();
            committed.unwrap();
            for database in [&one, &two] {
                database.refresh().await.unwrap();
                assert_eq!(records(database).len(), 6, "delay {delay}");
                assert!(database.verify().await.unwrap().ok);
            }
        });
    }
}

/// An engine that slept while others folded and merged tells of every commit it missed, as if it had been awake.
#[test]
fn an_engine_that_slept_through_folds_catches_up() {
    let image = MemoryStorage::default();
    with_two(&image, async |[awake, asleep], _| {
        let told = listen(&asleep);
        let mut expected = Vec::new();
        for number in 0..20 {
            let committed =
                awake.commit(put(number % 7, &format!("cedar number{number}"), Expect::Any)).await.unwrap();
            expected.push(Ok((committed.commit_id, true)));
            if number % 3 == 0 {
                awake.fold().await.unwrap();
            }
        }
        assert_eq!(records(&asleep), []);
        // It hears of the others when it writes.
        let own = asleep.commit(put(100, "maple", Expect::Absent)).await.unwrap();
        expected.push(Ok((own.commit_id, false)));
        assert_eq!(*told.borrow(), expected);
        awake.refresh().await.unwrap();
        assert_eq!(records(&awake), records(&asleep));
    });
}

/// Somebody empties the storage under a living engine: it sees the empty memory, says so, and goes on.
#[test]
fn a_storage_that_is_emptied_is_a_new_memory() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, _], _| {
        for number in 0..5 {
            one.commit(put(number, "cedar", Expect::Absent)).await.unwrap();
        }
        let told = listen(&one);
        let deletes = pairs_of(&image).into_iter().map(|(key, _)| key).collect();
        let counter = crate::support::image::counter_of(&image);
        let batch = mnemic::ports::Batch { puts: Vec::new(), deletes };
        mnemic::ports::Storage::write(&image, &batch, counter).await.unwrap();
        assert_eq!(one.commit(put(2, "maple", Expect::Revision(1))).await.unwrap_err().code, Code::NotFound);
        assert_eq!(*told.borrow(), [Err(Code::Storage)]);
        one.commit(put(2, "maple", Expect::Absent)).await.unwrap();
        let report = one.verify().await.unwrap();
        assert!(report.ok, "{report:?}");
        assert_eq!((report.commits, records(&one).len()), (1, 1));
    });
}

/// A commit that the next opening could not apply must not be written: of another kind, or with other vectors.
#[test]
fn what_could_not_be_applied_is_refused_before_it_is_written() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, _], _| {
        one.commit(with_vector(1, &[1.0, 0.0])).await.unwrap();
        let pairs = pairs_of(&image);
        let mut other_kind = Draft::new(&scope("alice"), Cause::User);
        other_kind.put(record(1, Kind::Field, &scope("alice"), "cedar"), Expect::Any, None);
        assert_eq!(one.commit(other_kind).await.unwrap_err().code, Code::InvalidInput);
        assert_eq!(one.commit(with_vector(2, &[1.0, 0.0, 0.0])).await.unwrap_err().code, Code::Embedder);
        let mut attached = Draft::new(&scope("alice"), Cause::Embed);
        let embedding = Embedding::quantise(EMBEDDER, &[1.0; 5]).unwrap();
        attached.changes.push(Change::Embed(Embed { id: id(1), revision: 1, embedding }));
        assert_eq!(one.commit(attached).await.unwrap_err().code, Code::Embedder);
        let mut broken = with_vector(2, &[1.0, 0.0]);
        let Change::Put { embeddings, .. } = &mut broken.changes[0] else { panic!("a vector") };
        embeddings[0].scale = f32::NAN;
        assert_eq!(one.commit(broken).await.unwrap_err().code, Code::Embedder);
        assert_eq!(pairs_of(&image), pairs);
    });
}

/// The first two vectors of a memory arrive together and are of different dimensions: both records are stored, and the
/// one whose vector does not fit waits for another, now and after a reload.
#[test]
fn first_vectors_of_two_dimensions() {
    let image = MemoryStorage::default();
    let check = |database: &Database| {
        let counts = database.read(|store| Ok(store.counts())).unwrap();
        assert_eq!((counts.records, counts.vectors, counts.unembedded), (2, 1, 1));
    };
    with_two(&image, async |[one, _], _| {
        let (first, second) =
            join(one.commit(with_vector(1, &[1.0])), one.commit(with_vector(2, &[1.0; 3]))).await;
        first.unwrap();
        second.unwrap();
        check(&one);
        one.fold().await.unwrap();
        check(&one);
    });
    with_database(image, EMBEDDER, async |database| check(&database)).unwrap();
}

/// A newer vector in the log stood behind an older one of a segment after a reload.
#[test]
fn a_newer_vector_survives_a_reload() {
    let image = MemoryStorage::default();
    let vector = |database: &Database| {
        let query = Embedding::quantise(EMBEDDER, &[0.0, 1.0]).unwrap();
        let query = mnemic::store::Query { text: "", embedding: Some(&query), limit: 1, now: START };
        let found = database.read(|store| {
            let found = store.search(&scope("alice"), Kind::Fact, &query, &|_| true)?;
            Ok(found[0].score.terms[1].raw.unwrap())
        });
        found.unwrap()
    };
    with_two(&image, async |[one, _], _| {
        one.commit(with_vector(1, &[1.0, 0.0])).await.unwrap();
        one.fold().await.unwrap();
        one.commit(with_vector(1, &[0.0, 1.0])).await.unwrap();
        assert!(vector(&one) > 0.99);
    });
    with_database(image, EMBEDDER, async |database| assert!(vector(&database) > 0.99)).unwrap();
}

/// After a reload every fold wrote all vectors of the memory again, as it took them for new.
#[test]
fn a_fold_after_a_reload_writes_only_what_is_new() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, _], _| {
        let vectors = (0..200).map(|number| with_vector(number, &[1.0; 500]));
        join_all(vectors.map(|draft| one.commit(draft))).await;
        one.fold().await.unwrap();
    });
    with_two(&image, async |[one, _], [storage, _]| {
        one.commit(put(1, "maple", Expect::Any)).await.unwrap();
        storage.bytes_written.set(0);
        one.fold().await.unwrap();
        assert!(storage.bytes_written.get() < 1000, "{} bytes", storage.bytes_written.get());
    });
}

/// Many small commits keep few segments, and each byte is written few times.
#[test]
fn segments_and_written_bytes_stay_logarithmic() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, _], [storage, _]| {
        let mut folds = 0u32;
        for round in 0..64u32 {
            for number in 0..20u8 {
                let text = format!("cedar round{round} number{number}");
                one.commit(put(number + (round % 8) as u8 * 20, &text, Expect::Any)).await.unwrap();
            }
            one.fold().await.unwrap();
            folds += 1;
            let report = one.verify().await.unwrap();
            assert!(
                report.segments as u32 <= folds.ilog2() + 1,
                "{} segments after {folds} folds",
                report.segments
            );
        }
        let stored: usize = pairs_of(&image).iter().map(|(key, value)| key.len() + value.len()).sum();
        let factor = storage.bytes_written.get() as f64 / stored as f64;
        assert!(factor < 2.0 + f64::from(folds.ilog2()), "written {factor} times");
    });
}

/// Another engine's commits arrive, and one in their middle reads well and cannot be applied: those behind it are not
/// taken for known, no fold takes them away, and the one that is lost is named.
#[test]
fn a_commit_that_cannot_be_applied_hides_none_behind_it() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, _], _| {
        one.commit(put(1, "cedar", Expect::Absent)).await.unwrap();
        let told = listen(&one);
        let written = |sequence, number, kind| Commit {
            sequence,
            id: id(100 + number),
            time: START,
            cause: Cause::User,
            scope: Some(scope("alice")),
            ops: vec![Op::put(&record(number, kind, &scope("alice"), "maple"))],
            embeds: Vec::new(),
        };
        // A record never changes its kind.
        let commits = [written(2, 2, Kind::Fact), written(3, 1, Kind::Field), written(4, 4, Kind::Fact)];
        let head = pairs_of(&image).into_iter().find(|(key, _)| key == HEAD_KEY).unwrap().1;
        let head = Head { sequence: 4, time: START, ..Head::decode(&head).unwrap().next() };
        let puts = commits.iter().map(|commit| (log_key(commit.sequence, 0), commit.frame()));
        let puts = puts.chain([(HEAD_KEY.to_owned(), head.encode())]).collect();
        let batch = mnemic::ports::Batch { puts, deletes: Vec::new() };
        mnemic::ports::Storage::write(&image, &batch, head.counter - 1).await.unwrap();
        one.refresh().await.unwrap();
        one.refresh().await.unwrap();
        assert_eq!(*told.borrow(), [Ok((id(102), true)), Ok((id(104), true))]);
        one.fold().await.unwrap();
        assert_eq!(records(&one).len(), 3);
        let report = one.verify().await.unwrap();
        assert_eq!((report.commits, report.tail), (3, 0));
        assert!(report.damage.iter().any(|damage| damage.key == log_key(3, 0)[..21]), "{report:?}");
        assert!(pairs_of(&image).iter().any(|(key, _)| key.starts_with(QUARANTINE)), "it is set aside");
    });
    let kept = with_database(image, EMBEDDER, async |database| records(&database).len()).unwrap();
    assert_eq!(kept, 3);
}

/// A clock that is put back: what a commit ended is over for whoever reads right behind it.
#[test]
fn no_time_is_before_the_last_commit() {
    let (platform, mut pool) = TestPlatform::new(12);
    let image = MemoryStorage::default();
    pool.run_until(async {
        let database =
            Database::open(Rc::new(TestStorage::on(&image)), platform.clone(), EMBEDDER).await.unwrap();
        assert_eq!(database.now(), START);
        platform.advance(5000);
        let at = database.commit(put(1, "cedar", Expect::Absent)).await.unwrap().at;
        platform.advance(-1000);
        assert_eq!((at, database.now()), (START + 5000, START + 5000));
        assert_eq!(database.read(|_| Ok(database.now())).unwrap(), at);
        // And each commit has a time of its own.
        let at = at + 1;
        assert_eq!(database.commit(put(2, "maple", Expect::Absent)).await.unwrap().at, at);
        // Another engine opens later, on a clock that is behind.
        let other =
            Database::open(Rc::new(TestStorage::on(&image)), platform.clone(), EMBEDDER).await.unwrap();
        assert_eq!(other.now(), at);
        platform.advance(3000);
        assert_eq!(database.now(), START + 7000);
    });
}

/// Somebody empties the storage, and another engine fills it further than it was: whoever slept meanwhile takes it for
/// another memory and joins none of its commits to its own.
#[test]
fn a_storage_that_is_emptied_and_outgrown_is_a_new_memory() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, two], _| {
        for number in 1..4 {
            one.commit(put(number, "cedar", Expect::Absent)).await.unwrap();
        }
        let deletes = pairs_of(&image).into_iter().map(|(key, _)| key).collect();
        let counter = crate::support::image::counter_of(&image);
        let batch = mnemic::ports::Batch { puts: Vec::new(), deletes };
        mnemic::ports::Storage::write(&image, &batch, counter).await.unwrap();
        two.refresh().await.unwrap();
        let mut expected = Vec::new();
        for number in 10..18 {
            let committed = two.commit(put(number, "maple", Expect::Absent)).await.unwrap();
            expected.push(Ok((committed.commit_id, true)));
        }
        expected.push(Err(Code::Storage));
        let told = listen(&one);
        one.refresh().await.unwrap();
        assert_eq!(records(&one), records(&two));
        assert_eq!(*told.borrow(), expected);
        one.fold().await.unwrap();
        let report = two.verify().await.unwrap();
        assert!(report.ok, "{report:?}");
        assert_eq!((report.commits, report.records), (8, 8));
        two.commit(put(18, "maple", Expect::Absent)).await.unwrap();
        one.refresh().await.unwrap();
        assert_eq!(told.borrow().len(), 10, "one more, and no more errors");
    });
    let kept = with_database(image, EMBEDDER, async |database| records(&database).len()).unwrap();
    assert_eq!(kept, 9);
}

/// The other memory has had as many writes as the one before: its counter is another one all the same, so that whoever
/// slept meanwhile cannot write into it.
#[test]
fn a_write_for_an_emptied_storage_meets_no_known_counter() {
    let (platform, mut pool) = TestPlatform::new(13);
    let image = MemoryStorage::default();
    pool.run_until(async {
        let open = || Database::open(Rc::new(TestStorage::on(&image)), platform.clone(), EMBEDDER);
        let one = open().await.unwrap();
        one.commit(put(1, "cedar", Expect::Absent)).await.unwrap();
        let deletes = pairs_of(&image).into_iter().map(|(key, _)| key).collect();
        let counter = crate::support::image::counter_of(&image);
        let batch = mnemic::ports::Batch { puts: Vec::new(), deletes };
        mnemic::ports::Storage::write(&image, &batch, counter).await.unwrap();
        platform.advance(1000);
        let two = open().await.unwrap();
        two.commit(put(2, "maple", Expect::Absent)).await.unwrap();
        one.commit(put(3, "birch", Expect::Absent)).await.unwrap();
        two.refresh().await.unwrap();
        let report = two.verify().await.unwrap();
        assert!(report.ok, "{report:?}");
        assert_eq!((report.commits, records(&one)), (2, records(&two)));
    });
}

/// A fold that was asked for is done when it says so, also when another engine was faster.
#[test]
fn a_fold_that_meets_another_engine_is_tried_again() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, two], [storage, _]| {
        one.commit(put(1, "cedar", Expect::Absent)).await.unwrap();
        two.commit(put(2, "maple", Expect::Absent)).await.unwrap();
        one.fold().await.unwrap();
        let report = one.verify().await.unwrap();
        assert_eq!((report.tail, report.segments, report.commits, report.ok), (0, 1, 2, true));
        one.commit(put(3, "birch", Expect::Absent)).await.unwrap();
        storage.plan([Write::Fails(Code::Conflict); 1000]);
        assert_eq!(one.fold().await.unwrap_err().code, Code::Conflict);
        storage.plan.borrow_mut().clear();
        one.fold().await.unwrap();
        assert_eq!(one.verify().await.unwrap().tail, 0);
    });
}
