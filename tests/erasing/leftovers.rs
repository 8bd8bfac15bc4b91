//! What other engines, failed writes and damage left is swept.

use super::{EMBEDDER, check_reopened, erase, holds, put, texts, told, with_two};
use crate::support::image::{pairs_of, storage_of, with_database};
use crate::support::storage::Write;
use mnemic::Code;
use mnemic::storage::MemoryStorage;
use mnemic::store::Expect;

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
