//! What is erased leaves no byte, in the storage, in this engine and in others; and nothing else changes.

use crate::support::image::{id, pairs_of, record, scope, storage_of, with_database};
use crate::support::platform::TestPlatform;
use crate::support::storage::{TestStorage, Write};
use mnemic::database::{Database, Event, History};
use mnemic::log::Cause;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Action, Draft, Expect, Query};
use mnemic::{Code, Embedding, Id, Kind, Record};
use proptest::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

const EMBEDDER: &str = "model";

fn put(number: u8, text: &str, expect: Expect) -> Draft {
    let mut draft = Draft::new(&scope("alice"), Cause::User);
    let vector = Embedding::quantise(EMBEDDER, &[f32::from(number), 1.0, 0.5]).unwrap();
    draft.put(record(number, Kind::Fact, &scope("alice"), text), expect, Some(vector));
    draft
}

fn erase(numbers: &[u8]) -> Draft {
    let mut draft = Draft::new(&scope("alice"), Cause::Forget);
    for number in numbers {
        draft.delete(id(*number), Expect::Any);
    }
    draft.erase = numbers.iter().map(|number| id(*number)).collect();
    draft
}

fn texts(database: &Database) -> Vec<String> {
    let records = |store: &mnemic::store::Store| {
        let texts = store.records(&scope("alice"), Kind::Fact).map(|view| view.text.unwrap().to_owned());
        Ok(texts.collect())
    };
    database.read(records).unwrap()
}

fn finds(database: &Database, word: &str) -> usize {
    let query = Query { text: word, embedding: None, limit: 9, now: i64::MAX / 2 };
    database.read(|store| Ok(store.search(&scope("alice"), Kind::Fact, &query, &|_| true)?.len())).unwrap()
}

/// Everything that an engine tells of the past and the present of records 0 to 20.
fn told(database: &Database) -> Vec<String> {
    let all = |store: &mnemic::store::Store| {
        let mut told: Vec<String> = store.scopes().map(|scope| scope.canonical().to_owned()).collect();
        for scope in [scope("alice"), scope("bob")] {
            for number in 0..20 {
                told.push(format!("{number}: {:?}", store.history(&scope, id(number))?));
            }
            for sequence in 0..=store.sequence() {
                for kind in [Kind::Fact, Kind::Field] {
                    let then = store.records_at(&scope, kind, sequence);
                    told.push(format!("at {sequence}: {:?}", then.map(|view| view.id).collect::<Vec<_>>()));
                }
            }
        }
        told.push(format!("{:?}", store.counts()));
        Ok(told)
    };
    database.read(all).unwrap()
}

/// Whether a storage holds some bytes anywhere.
fn holds(image: &MemoryStorage, bytes: &[u8]) -> bool {
    let held = |value: &[u8]| value.windows(bytes.len()).any(|window| window == bytes);
    pairs_of(image).iter().any(|(key, value)| held(key.as_bytes()) || held(value))
}

fn bytes_of(image: &MemoryStorage) -> usize {
    pairs_of(image).iter().map(|(_, value)| value.len()).sum()
}

const SMALL: History = History { revisions: 2, age_ms: i64::MAX, bytes: u64::MAX };
const NONE: History = History { revisions: 0, ..SMALL };

fn with_two<R>(image: &MemoryStorage, work: impl AsyncFnOnce([Database; 2], [Rc<TestStorage>; 2]) -> R) -> R {
    let (platform, mut pool) = TestPlatform::new(17);
    let storages = [Rc::new(TestStorage::on(image)), Rc::new(TestStorage::on(image))];
    pool.run_until(async {
        let one = Database::open(storages[0].clone(), platform.clone(), EMBEDDER).await.unwrap();
        let two = Database::open(storages[1].clone(), platform, EMBEDDER).await.unwrap();
        work([one, two], storages).await
    })
}

/// What a database tells of changes: whether they are remote, and the ids that are deleted.
type Told = Rc<RefCell<Vec<(bool, Vec<Id>)>>>;

fn listen(database: &Database) -> Told {
    let told = Told::default();
    let hearing = told.clone();
    database.listen(Rc::new(move |event| {
        if let Event::Change { changes, remote, .. } = event {
            let deleted = changes.iter().filter(|change| change.action == Action::Deleted);
            hearing.borrow_mut().push((*remote, deleted.map(|change| change.id).collect()));
        }
    }));
    told
}

/// A storage that is opened anew says what the engine says, and its check finds nothing.
fn check_reopened(image: &MemoryStorage, expected: &[String]) {
    let reopened = with_database(image.clone(), EMBEDDER, async |database| {
        let report = database.verify().await.unwrap();
        assert!(report.ok, "{report:?}");
        told(&database)
    });
    assert_eq!(reopened.unwrap(), expected);
}

#[test]
fn a_record_vanishes_from_the_log_from_segments_and_from_every_engine() {
    for folds in 0..8_u8 {
        let image = MemoryStorage::default();
        let after = with_two(&image, async |[one, two], _| {
            let steps = [(1, "cedar"), (2, "maple"), (1, "cedar and willow"), (3, "birch")];
            for (step, (number, text)) in (0..).zip(steps) {
                one.commit(put(number, text, Expect::Any)).await.unwrap();
                if folds >> step & 1 == 1 {
                    one.fold().await.unwrap();
                }
            }
            two.refresh().await.unwrap();
            let (here, there) = (listen(&one), listen(&two));
            let forgotten = one.commit(erase(&[1])).await.unwrap();
            for word in ["cedar", "willow"] {
                assert!(!holds(&image, word.as_bytes()), "{word} after {folds}");
            }
            assert!(!holds(&image, &id(1).bytes()), "nor its id");
            assert_eq!(texts(&one), ["maple", "birch"]);
            assert_eq!((finds(&one, "cedar"), finds(&one, "maple")), (0, 1));
            two.refresh().await.unwrap();
            assert_eq!(texts(&two), ["maple", "birch"]);
            assert_eq!(told(&two), told(&one));
            assert_eq!(*here.borrow(), [(false, vec![id(1)])]);
            assert_eq!(*there.borrow(), [(true, vec![id(1)])]);
            assert_eq!(forgotten.changes.len(), 1);
            let undone = one.read(|store| store.undo(&scope("alice"), forgotten.commit_id)).unwrap_err();
            assert_eq!(undone.code, Code::Forgotten);
            told(&one)
        });
        check_reopened(&image, &after);
    }
}

#[test]
fn a_record_that_is_rewritten_keeps_its_place_and_only_its_new_revision() {
    let image = MemoryStorage::default();
    let after = with_two(&image, async |[one, two], _| {
        let mut first = None;
        for (number, text) in [(1, "cedar"), (2, "maple"), (1, "cedar and willow")] {
            first.get_or_insert(one.commit(put(number, text, Expect::Any)).await.unwrap().commit_id);
        }
        one.fold().await.unwrap();
        two.refresh().await.unwrap();
        let mut draft = put(1, "spruce", Expect::Revision(2));
        draft.erase.push(id(1));
        let changed = one.commit(draft).await.unwrap().changes;
        assert_eq!((changed[0].action, changed[0].previous_revision), (Action::Updated, Some(2)));
        assert!(!holds(&image, b"cedar") && !holds(&image, b"willow"));
        two.refresh().await.unwrap();
        for database in [&one, &two] {
            assert_eq!(texts(database), ["spruce", "maple"], "in the order of their first storing");
            let history = database.read(|store| store.history(&scope("alice"), id(1))).unwrap();
            assert_eq!(history.iter().map(|revision| revision.revision).collect::<Vec<_>>(), [3]);
            let undone = database.read(|store| store.undo(&scope("alice"), first.unwrap()));
            assert_eq!(undone.unwrap_err().code, Code::Forgotten, "part of what it did is gone");
            assert_eq!(database.read(|store| Ok(store.counts().unembedded)).unwrap(), 0);
        }
        told(&one)
    });
    check_reopened(&image, &after);
}

#[test]
fn what_ended_before_is_erased_too() {
    let image = MemoryStorage::default();
    let after = with_two(&image, async |[one, _], _| {
        one.commit(put(1, "cedar", Expect::Any)).await.unwrap();
        one.commit(put(2, "maple", Expect::Any)).await.unwrap();
        let mut delete = Draft::new(&scope("alice"), Cause::User);
        delete.delete(id(1), Expect::Any);
        one.commit(delete).await.unwrap();
        one.fold().await.unwrap();
        let mut draft = Draft::new(&scope("alice"), Cause::Forget);
        draft.erase = vec![id(1), id(9)];
        let forgotten = one.commit(draft).await.unwrap();
        assert!(forgotten.changes.is_empty(), "it was gone already");
        assert!(!holds(&image, b"cedar"));
        told(&one)
    });
    check_reopened(&image, &after);
}

#[test]
fn a_scope_vanishes_with_its_name() {
    let image = MemoryStorage::default();
    let after = with_two(&image, async |[one, two], _| {
        let kept = scope("bob");
        let mut draft = Draft::new(&kept, Cause::User);
        draft.put(record(9, Kind::Fact, &kept, "spruce"), Expect::Absent, None);
        one.commit(put(1, "cedar", Expect::Any)).await.unwrap();
        one.commit(draft).await.unwrap();
        one.commit(put(2, "maple", Expect::Any)).await.unwrap();
        one.fold().await.unwrap();
        two.refresh().await.unwrap();
        let mut incomplete = erase(&[1]);
        incomplete.erase_scope = true;
        assert_eq!(one.commit(incomplete).await.unwrap_err().code, Code::Conflict);
        let (here, there) = (listen(&one), listen(&two));
        let mut draft = erase(&[1, 2]);
        draft.erase_scope = true;
        let forgotten = one.commit(draft).await.unwrap();
        for word in ["cedar", "maple", "alice"] {
            assert!(!holds(&image, word.as_bytes()), "{word}");
        }
        two.refresh().await.unwrap();
        assert_eq!(*here.borrow(), [(false, vec![id(1), id(2)])]);
        assert_eq!(*there.borrow(), [(true, vec![id(1), id(2)])]);
        for database in [&one, &two] {
            let scopes: Vec<_> = database.read(|store| Ok(store.scopes().cloned().collect())).unwrap();
            assert_eq!(scopes, [scope("bob")]);
            let undone = database.read(|store| store.undo(&scope("alice"), forgotten.commit_id));
            assert_eq!(undone.unwrap_err().code, Code::Forgotten);
        }
        let after = told(&one);
        // The scope can be used anew.
        let mut again = one.commit(put(3, "willow", Expect::Absent)).await.unwrap().changes;
        assert_eq!(again.pop().unwrap().action, Action::Created);
        one.commit(erase(&[3])).await.unwrap();
        assert_eq!(texts(&one).len(), 0);
        after
    });
    assert!(holds(&image, b"spruce") && !holds(&image, b"willow"));
    assert!(after[0].contains("bob"));
}

/// Another engine has all of it in memory, and would write it back by folding.
#[test]
fn an_engine_that_slept_cannot_write_it_back() {
    let image = MemoryStorage::default();
    let after = with_two(&image, async |[one, two], _| {
        for (number, text) in [(1, "cedar"), (2, "maple"), (3, "birch")] {
            two.commit(put(number, text, Expect::Any)).await.unwrap();
        }
        one.refresh().await.unwrap();
        one.commit(erase(&[1])).await.unwrap();
        assert!(!holds(&image, b"cedar"));
        two.fold().await.unwrap();
        assert!(!holds(&image, b"cedar"));
        assert_eq!(texts(&two), ["maple", "birch"]);
        let error = two.commit(put(1, "cedar", Expect::Revision(1))).await.unwrap_err();
        assert_eq!(error.code, Code::NotFound);
        two.commit(put(4, "willow", Expect::Any)).await.unwrap();
        two.fold().await.unwrap();
        one.refresh().await.unwrap();
        assert!(!holds(&image, b"cedar"));
        assert_eq!(told(&one), told(&two));
        told(&one)
    });
    check_reopened(&image, &after);
}

#[test]
fn an_erasing_write_that_fails_changes_nothing_and_one_that_is_torn_is_swept() {
    let fates = [Code::Storage, Code::QuotaExceeded].map(Write::Fails);
    for fate in fates.into_iter().chain((0..4).map(Write::Tears)).chain([Write::LosesAnswer]) {
        let image = MemoryStorage::default();
        let after = with_two(&image, async |[one, _], [storage, _]| {
            one.commit(put(1, "cedar", Expect::Any)).await.unwrap();
            one.fold().await.unwrap();
            one.commit(put(2, "maple", Expect::Any)).await.unwrap();
            let before = told(&one);
            storage.plan([fate]);
            let forgotten = one.commit(erase(&[1])).await;
            if fate == Write::LosesAnswer {
                assert_eq!(forgotten.unwrap().changes.len(), 1);
            } else {
                forgotten.unwrap_err();
                assert_eq!(told(&one), before, "{fate:?}");
                one.commit(erase(&[1])).await.unwrap();
            }
            assert_eq!(texts(&one), ["maple"]);
            told(&one)
        });
        assert!(!holds(&image, b"cedar"), "{fate:?}");
        check_reopened(&image, &after);
    }
}

/// localStorage puts in order, the head last, and then deletes: a tab that is killed before that leaves the old values.
#[test]
fn what_a_killed_tab_did_not_delete_is_swept_when_the_storage_is_opened() {
    let image = MemoryStorage::default();
    let (before, after) = with_two(&image, async |[one, _], _| {
        one.commit(put(1, "cedar", Expect::Any)).await.unwrap();
        one.fold().await.unwrap();
        one.commit(put(1, "willow", Expect::Any)).await.unwrap();
        one.commit(put(2, "maple", Expect::Any)).await.unwrap();
        let mut before = pairs_of(&image);
        before.push(("damaged/0000000000000001/log/0000000000000009/0000".to_owned(), b"cedar".to_vec()));
        one.commit(erase(&[1])).await.unwrap();
        (before, told(&one))
    });
    let written = pairs_of(&image);
    let mut killed = written.clone();
    killed.extend(before.into_iter().filter(|(key, _)| written.iter().all(|(other, _)| other != key)));
    killed.sort();
    let image = storage_of(&killed);
    assert!(holds(&image, b"cedar") && holds(&image, b"willow"));
    check_reopened(&image, &after);
    assert!(!holds(&image, b"cedar") && !holds(&image, b"willow"));
}

/// What is damaged may hold anything: copies that were set aside, and values that are named and cannot be read.
#[test]
fn damaged_values_go_too() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, _], _| {
        one.commit(put(1, "cedar", Expect::Any)).await.unwrap();
        one.fold().await.unwrap();
        for number in 10..20 {
            one.commit(put(number, "a longer text, so that the segment before stays", Expect::Any))
                .await
                .unwrap();
        }
    });
    let mut pairs = pairs_of(&image);
    let damaged = pairs.iter_mut().find(|(key, _)| key.contains("commits")).unwrap();
    *damaged.1.last_mut().unwrap() ^= 1;
    let image = storage_of(&pairs);
    with_database(image.clone(), EMBEDDER, async |database| {
        assert!(!database.verify().await.unwrap().ok);
        assert!(pairs_of(&image).iter().any(|(key, _)| key.starts_with("damaged/")));
        assert!(holds(&image, b"cedar"));
        database.commit(erase(&[19])).await.unwrap();
        assert!(!holds(&image, b"cedar"));
        assert!(pairs_of(&image).iter().all(|(key, _)| !key.starts_with("damaged/")));
    })
    .unwrap();
}

#[test]
fn a_relation_that_ends_with_an_erased_entity_vanishes_too() {
    let image = MemoryStorage::default();
    with_two(&image, async |[one, _], _| {
        let alice = scope("alice");
        let mut draft = Draft::new(&alice, Cause::User);
        for number in [1, 2] {
            draft.put(record(number, Kind::Entity, &alice, "cedar"), Expect::Absent, None);
        }
        let key = format!("{}/{}/knows", id(1), id(2));
        let relation = record(3, Kind::Relation, &alice, "willow");
        draft.put(Record { key: Some(key), ..relation }, Expect::Absent, None);
        one.commit(draft).await.unwrap();
        let changes = one.commit(erase(&[1])).await.unwrap().changes;
        assert_eq!(changes.iter().map(|change| change.id).collect::<Vec<_>>(), [id(1), id(3)]);
        assert!(!holds(&image, b"willow") && !holds(&image, id(1).to_string().as_bytes()));
    });
}

#[test]
fn a_document_that_is_overwritten_keeps_a_bounded_number_of_bytes() {
    let image = MemoryStorage::default();
    let text = |version: usize| format!("version{version} {}", "x".repeat(290_000));
    let history = History { revisions: 100, age_ms: i64::MAX, bytes: 1 << 20 };
    let mut most = 0;
    for round in 0..6 {
        let kept = with_database(image.clone(), EMBEDDER, async |database| {
            database.keep_history(history);
            for version in round * 10..round * 10 + 10 {
                let mut draft = Draft::new(&scope("alice"), Cause::User);
                draft.put(record(1, Kind::Document, &scope("alice"), &text(version)), Expect::Any, None);
                database.commit(draft).await.unwrap();
                most = most.max(bytes_of(&image));
            }
            let kept = told(&database);
            database.close().await;
            kept
        });
        check_kept(&image, &kept.unwrap(), history);
    }
    assert!(holds(&image, b"version59 ") && holds(&image, b"version56 ") && !holds(&image, b"version55 "));
    let present = 4 * 290_100;
    println!("{} bytes at the end, {most} at the most", bytes_of(&image));
    assert!(bytes_of(&image) < present + 10_000, "{} bytes", bytes_of(&image));
    // What waits in the log, what history keeps, and as much again that is outlived in segments.
    assert!(most < 4 * present, "{most} bytes at the most");
}

/// As [`check_reopened`], with a history.
fn check_kept(image: &MemoryStorage, expected: &[String], history: History) {
    let reopened = with_database(image.clone(), EMBEDDER, async |database| {
        database.keep_history(history);
        let report = database.verify().await.unwrap();
        assert!(report.ok, "{report:?}");
        told(&database)
    });
    assert_eq!(reopened.unwrap(), expected);
}

#[test]
fn history_keeps_as_many_revisions_as_it_says_and_undo_says_so() {
    let image = MemoryStorage::default();
    let after = with_two(&image, async |[one, two], _| {
        one.keep_history(SMALL);
        let mut commits = Vec::new();
        for text in ["cedar", "maple", "willow", "birch"] {
            commits.push(one.commit(put(1, text, Expect::Any)).await.unwrap().commit_id);
            one.commit(put(2, text, Expect::Any)).await.unwrap();
        }
        two.refresh().await.unwrap();
        let revisions = |database: &Database| {
            let history = database.read(|store| store.history(&scope("alice"), id(1))).unwrap();
            history.iter().map(|revision| revision.revision).collect::<Vec<_>>()
        };
        assert_eq!((revisions(&one), revisions(&two)), (vec![2, 3, 4], vec![1, 2, 3, 4]));
        let refused = |database: &Database, commit: Id| {
            database.read(|store| store.undo(&scope("alice"), commit)).unwrap_err().code
        };
        let before = told(&one);
        assert_eq!(refused(&one, commits[1]), Code::Forgotten);
        one.fold().await.unwrap();
        assert!(!holds(&image, b"cedar") && holds(&image, b"maple"));
        assert_eq!(told(&one), before);
        assert_eq!(
            (refused(&one, commits[0]), refused(&one, commits[1])),
            (Code::Forgotten, Code::Forgotten)
        );
        assert_eq!(refused(&one, commits[2]), Code::Conflict, "the next one stands");
        one.commit(one.read(|store| store.undo(&scope("alice"), commits[3])).unwrap()).await.unwrap();
        assert_eq!(texts(&one), ["willow", "birch"]);
        // The other engine goes on with what it knows, and both stay one.
        two.commit(put(2, "spruce", Expect::Any)).await.unwrap();
        two.keep_history(SMALL);
        one.refresh().await.unwrap();
        assert_eq!(told(&two), told(&one));
        two.fold().await.unwrap();
        assert_eq!(
            two.read(|store| Ok(store.counts().unembedded)).unwrap(),
            1,
            "what was undone has no vector"
        );
        told(&two)
    });
    check_kept(&image, &after, SMALL);
}

/// The end of a record whose revisions were gone was told until the storage was opened again.
#[test]
fn an_end_without_what_ended_is_not_told() {
    let image = MemoryStorage::default();
    let history = History { revisions: 1, ..SMALL };
    let after = with_two(&image, async |[one, _], _| {
        one.keep_history(history);
        one.commit(put(1, "cedar", Expect::Any)).await.unwrap();
        let mut draft = Draft::new(&scope("alice"), Cause::User);
        draft.delete(id(1), Expect::Any);
        one.commit(draft).await.unwrap();
        one.commit(put(1, "maple", Expect::Any)).await.unwrap();
        one.fold().await.unwrap();
        told(&one)
    });
    check_kept(&image, &after, history);
}

#[test]
fn no_history_leaves_only_the_present_when_it_is_closed() {
    let image = MemoryStorage::default();
    let after = with_two(&image, async |[one, two], _| {
        one.keep_history(NONE);
        for text in ["cedar", "maple"] {
            one.commit(put(1, text, Expect::Any)).await.unwrap();
            one.commit(put(2, text, Expect::Any)).await.unwrap();
        }
        let mut draft = Draft::new(&scope("alice"), Cause::User);
        draft.delete(id(2), Expect::Any);
        let deleted = one.commit(draft).await.unwrap().commit_id;
        let undone = one.read(|store| store.undo(&scope("alice"), deleted)).unwrap_err();
        assert_eq!(undone.code, Code::Forgotten);
        assert!(holds(&image, b"cedar"));
        let after = told(&one);
        one.close().await;
        two.close().await;
        after
    });
    assert!(!holds(&image, b"cedar") && holds(&image, b"maple"));
    assert!(!holds(&image, &id(2).bytes()));
    check_kept(&image, &after, NONE);
}

/// One step of a random history: which record, and what happens.
#[derive(Debug, Clone, Copy)]
enum Step {
    Put(u8, bool),
    Delete(u8),
    Touch(u8),
    Fold,
    Erase(u8, u8, bool),
    EraseScope,
}

fn step() -> impl Strategy<Value = Step> {
    let number = || 1..6_u8;
    prop_oneof![
        6 => (number(), any::<bool>()).prop_map(|(number, bob)| Step::Put(number, bob)),
        2 => number().prop_map(Step::Delete),
        1 => number().prop_map(Step::Touch),
        2 => Just(Step::Fold),
        2 => (number(), number(), any::<bool>()).prop_map(|(one, other, puts)| Step::Erase(one, other, puts)),
        1 => Just(Step::EraseScope),
    ]
}

fn of(name: &str, number: u8) -> u8 {
    if name == "bob" { number + 10 } else { number }
}

/// A random history with erasures, by two engines: what is erased is nowhere, what is not is as in a memory that never had it
/// otherwise, and a storage that is opened anew says the same.
async fn random(image: &MemoryStorage, databases: &mut [Database; 2], steps: &[Step], history: History) {
    // The words of each record's versions, and those that must be gone.
    let mut words: std::collections::BTreeMap<u8, Vec<String>> = std::collections::BTreeMap::new();
    let mut gone: Vec<String> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let database = &databases[at % 2];
        database.refresh().await.unwrap();
        let word = format!("word{at}w");
        let lives = |number: u8, name: &str| {
            database.read(|store| Ok(store.get(&scope(name), id(number)).is_some())).unwrap()
        };
        match *step {
            Step::Put(number, bob) => {
                let name = if bob { "bob" } else { "alice" };
                let number = of(name, number);
                let mut draft = Draft::new(&scope(name), Cause::User);
                let vector = Embedding::quantise(EMBEDDER, &[f32::from(number), 1.0, 0.5]).unwrap();
                draft.put(record(number, Kind::Fact, &scope(name), &word), Expect::Any, Some(vector));
                database.commit(draft).await.unwrap();
                words.entry(number).or_default().push(word);
            }
            Step::Delete(number) if lives(number, "alice") => {
                let mut draft = Draft::new(&scope("alice"), Cause::User);
                draft.delete(id(number), Expect::Any);
                database.commit(draft).await.unwrap();
            }
            Step::Touch(number) => {
                let mut draft = Draft::new(&scope("alice"), Cause::Access);
                draft.changes.push(mnemic::store::Change::Touch { id: id(number), time: 5 });
                database.commit(draft).await.unwrap();
            }
            Step::Erase(one, other, puts) => {
                let mut draft = Draft::new(&scope("alice"), Cause::Forget);
                for number in std::collections::BTreeSet::from([one, other]) {
                    draft.erase.push(id(number));
                    gone.extend(words.remove(&number).unwrap_or_default());
                    if puts && number == one && lives(number, "alice") {
                        draft.put(record(number, Kind::Fact, &scope("alice"), &word), Expect::Any, None);
                        words.insert(number, vec![word.clone()]);
                    } else if lives(number, "alice") {
                        draft.delete(id(number), Expect::Any);
                    }
                }
                database.commit(draft).await.unwrap();
            }
            Step::EraseScope => {
                let numbers: Vec<u8> = (1..6).filter(|number| words.contains_key(number)).collect();
                let mut draft = Draft::new(&scope("alice"), Cause::Forget);
                draft.erase_scope = true;
                for number in numbers {
                    draft.erase.push(id(number));
                    gone.extend(words.remove(&number).unwrap_or_default());
                    if lives(number, "alice") {
                        draft.delete(id(number), Expect::Any);
                    }
                }
                database.commit(draft).await.unwrap();
                assert!(!holds(image, b"alice"));
            }
            Step::Fold => database.fold().await.unwrap(),
            Step::Delete(_) => {}
        }
        for word in &gone {
            assert!(!holds(image, word.as_bytes()), "{word} after step {at}");
        }
        // Whatever history keeps is there, and the present always is.
        for (number, words) in &words {
            let name = if *number > 10 { "bob" } else { "alice" };
            let told = database.read(|store| store.history(&scope(name), id(*number))).unwrap();
            let said = told.iter().filter_map(|revision| revision.record.as_ref()?.text.clone());
            let said: Vec<String> = said.collect();
            if history == History::WHOLE {
                assert_eq!(&said, words, "record {number} after step {at}");
            } else {
                assert!(words.ends_with(&said), "record {number} after step {at}");
            }
        }
        let here = told(database);
        databases[1 - at % 2].refresh().await.unwrap();
        assert_eq!(told(&databases[1 - at % 2]), here, "the other engine after step {at}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_histories_with_erasures(steps in prop::collection::vec(step(), 1..30)) {
        let image = MemoryStorage::default();
        let after = with_two(&image, async |mut databases, _| {
            random(&image, &mut databases, &steps, History::WHOLE).await;
            told(&databases[0])
        });
        check_reopened(&image, &after);
    }

    #[test]
    fn random_histories_that_are_bounded(steps in prop::collection::vec(step(), 1..30), revisions in 0..3_usize) {
        let image = MemoryStorage::default();
        let history = History { revisions, ..SMALL };
        let after = with_two(&image, async |mut databases, _| {
            databases.iter().for_each(|database| database.keep_history(history));
            random(&image, &mut databases, &steps, history).await;
            told(&databases[0])
        });
        check_kept(&image, &after, history);
    }
}
