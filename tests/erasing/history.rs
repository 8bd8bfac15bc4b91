//! Histories that are bounded.

use super::{EMBEDDER, SMALL, check_kept, holds, put, texts, told, with_two};
use crate::support::image::{id, pairs_of, record, scope, with_database};
use mnemic::database::{Database, History};
use mnemic::log::Cause;
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect};
use mnemic::{Code, Id, Kind};

fn bytes_of(image: &MemoryStorage) -> usize {
    pairs_of(image).iter().map(|(_, value)| value.len()).sum()
}

const NONE: History = History { revisions: 0, ..SMALL };

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
