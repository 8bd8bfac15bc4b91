//! Records and scopes: they leave the log, segments and every engine.

use super::{EMBEDDER, check_reopened, erase, holds, put, texts, told, with_two};
use crate::support::image::{id, pairs_of, record, scope};
use mnemic::database::{Database, Event};
use mnemic::log::{Cause, Embed};
use mnemic::storage::MemoryStorage;
use mnemic::store::{Action, Change, Draft, Expect, Query};
use mnemic::{Code, Embedding, Id, Kind, Record};
use std::cell::RefCell;
use std::rc::Rc;

fn finds(database: &Database, word: &str) -> usize {
    let query = Query { text: word, embedding: None, limit: 9, now: i64::MAX / 2 };
    database.read(|store| Ok(store.search(&scope("alice"), Kind::Fact, &query, &|_| true)?.len())).unwrap()
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

/// Of an old text a vector can stand in a segment that names its record nowhere else.
#[test]
fn a_vector_that_came_later_vanishes_too() {
    let image = MemoryStorage::default();
    let after = with_two(&image, async |[one, _], [storage, _]| {
        let filler = |number: u8, bytes: usize| {
            let mut draft = Draft::new(&scope("alice"), Cause::User);
            let filler = Record { value: "x".repeat(bytes).into(), ..fact(number, "filler") };
            draft.put(filler, Expect::Absent, None);
            draft
        };
        let mut draft = filler(50, 400_000);
        draft.put(fact(1, "first words"), Expect::Absent, None);
        one.commit(draft).await.unwrap();
        one.fold().await.unwrap();
        let mut draft = filler(51, 100_000);
        let embedding = Embedding::quantise(EMBEDDER, &[1.0, 1.0, 0.5]).unwrap();
        draft.changes.push(Change::Embed(Embed { id: id(1), revision: 1, embedding }));
        one.commit(draft).await.unwrap();
        one.fold().await.unwrap();
        let mut draft = filler(52, 10_000);
        draft.put(fact(1, "other words"), Expect::Any, None);
        one.commit(draft).await.unwrap();
        one.fold().await.unwrap();
        one.commit(filler(53, 3_000)).await.unwrap();
        one.fold().await.unwrap();
        assert_eq!(one.verify().await.unwrap().segments, 4);
        assert!(holds(&image, &id(1).bytes()));
        storage.most_written.set(0);
        one.commit(erase(&[1])).await.unwrap();
        assert!(!holds(&image, &id(1).bytes()), "{:?}", holders(&image, &id(1).bytes()));
        // The segment without it stays.
        assert!(pairs_of(&image).iter().any(|(key, _)| key.starts_with("segment/00000003/")));
        told(&one)
    });
    check_reopened(&image, &after);
}

fn fact(number: u8, text: &str) -> Record {
    record(number, Kind::Fact, &scope("alice"), text)
}

/// The keys of the values that hold some bytes.
fn holders(image: &MemoryStorage, bytes: &[u8]) -> Vec<String> {
    let held = |value: &[u8]| value.windows(bytes.len()).any(|window| window == bytes);
    pairs_of(image).into_iter().filter(|(_, value)| held(value)).map(|(key, _)| key).collect()
}
