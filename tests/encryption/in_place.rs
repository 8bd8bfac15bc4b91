//! Encrypting a memory that is there, taking the encryption away, changing the key: each in one write, whatever fails.

use super::*;
use crate::support::fault::{Fault, FaultyStorage};
use mnemic::Code;

#[test]
fn a_memory_is_encrypted_in_place_and_back() {
    let image = filled(None);
    with(image.clone(), Some(WORDS), async |database| check(&database)).unwrap();
    assert_eq!(told(&pairs_of(&image)), [""; 0]);
    with(image.clone(), Some(WORDS), async |database| {
        check(&database);
        database.commit(put("alice", 30, "cedar")).await.unwrap();
        database.decrypt().await.unwrap();
        assert!(!database.encryption().unwrap().encrypted);
        database.decrypt().await.unwrap();
        database.commit(put("alice", 30, "willow")).await.unwrap();
    })
    .unwrap();
    assert!(pairs_of(&image).iter().all(|(key, _)| !key.starts_with("keys")));
    with(image, None, async |database| {
        assert_eq!(texts(&database, "alice").len(), 5);
        assert!(database.verify().await.unwrap().ok);
    })
    .unwrap();
}

/// What was set aside as damaged, and what no state names, is encrypted or gone too.
#[test]
fn leftovers_do_not_stay_plain() {
    let image = filled(None);
    let image = altered(&image, |pairs| {
        let torn = pairs["log/0000000000000006/0000"].clone();
        pairs.insert("log/0000000000000007/0000".to_owned(), torn);
        *pairs.get_mut("log/0000000000000005/0000").unwrap().last_mut().unwrap() ^= 1;
    });
    with(image.clone(), None, async |_| ()).unwrap();
    assert!(pairs_of(&image).iter().any(|(key, _)| key.starts_with("damaged/")));
    let image = altered(&image, |pairs| {
        let torn = pairs["log/0000000000000006/0000"].clone();
        pairs.insert("log/0000000000000007/0000".to_owned(), torn);
    });
    with(image.clone(), None, async |database| database.encrypt(encryption(WORDS)).await.unwrap()).unwrap();
    assert_eq!(told(&pairs_of(&image)), [""; 0]);
    with(image.clone(), Some(WORDS), async |database| {
        assert_eq!(texts(&database, "alice").len(), 3);
        database.decrypt().await.unwrap();
    })
    .unwrap();
    let aside = pairs_of(&image).into_iter().find(|(key, _)| key.starts_with("damaged/")).unwrap();
    assert!(told(&vec![aside]).contains(&"birch"), "it is there to be looked at");
}

/// Whatever becomes of the write, the storage is wholly plain or wholly encrypted, opens with all that is in it, and the
/// next attempt ends the matter.
#[test]
fn a_stop_at_any_write_leaves_it_whole() {
    let faults = [
        Fault::Refuses,
        Fault::LosesAnswer,
        Fault::Tears(0),
        Fault::Tears(1),
        Fault::Tears(2),
        Fault::Tears(99),
    ];
    for fault in faults {
        for writes in 0..3 {
            for encrypted in [false, true] {
                let image = filled(encrypted.then_some(WORDS));
                let storage = FaultyStorage::new(image.clone(), fault, writes);
                let changed = with(storage, encrypted.then_some(WORDS), async |database| {
                    if encrypted {
                        database.decrypt().await
                    } else {
                        database.encrypt(encryption(WORDS)).await
                    }
                });
                let case = format!("{fault:?} at write {writes}, encrypted {encrypted}, {changed:?}");
                // It opens as it was, or as it was to be.
                let kept = with(image.clone(), encrypted.then_some(WORDS), async |database| {
                    check(&database);
                    assert!(database.verify().await.unwrap().ok, "{case}");
                    database.encryption().unwrap().encrypted
                });
                match kept {
                    Ok(kept) if encrypted => assert!(kept, "{case}"),
                    Ok(kept) => assert!(!kept, "{case}"),
                    Err(error) => assert_eq!(error.code, Code::Locked, "{case}"),
                }
                with(image.clone(), Some(WORDS), async |database| {
                    check(&database);
                    assert!(database.verify().await.unwrap().ok, "{case}");
                })
                .unwrap();
                assert_eq!(told(&pairs_of(&image)), [""; 0], "{case}");
            }
        }
    }
}

#[test]
fn changing_the_key_rewrites_one_value() {
    let image = filled(Some(WORDS));
    let before = pairs_of(&image);
    with(image.clone(), Some(WORDS), async |database| {
        database.encrypt(encryption("another")).await.unwrap();
    })
    .unwrap();
    let changed: Vec<String> =
        pairs_of(&image).into_iter().filter(|pair| !before.contains(pair)).map(|(key, _)| key).collect();
    assert_eq!(changed, ["head", "keys"], "the head is written with every change");
    assert_eq!(with(image.clone(), Some(WORDS), async |_| ()).unwrap_err().code, Code::WrongKey);
    with(image, Some("another"), async |database| check(&database)).unwrap();
}

/// A storage that kept the value and lost the answer is asked which key it holds: nobody throws away the one that opens it.
#[test]
fn the_answer_to_a_change_of_the_key_is_what_is_stored() {
    for fault in [Fault::Refuses, Fault::Tears(0), Fault::Tears(1), Fault::LosesAnswer] {
        let image = filled(Some(WORDS));
        let storage = FaultyStorage::new(image.clone(), fault, 0);
        let changed =
            with(storage, Some(WORDS), async |database| database.encrypt(encryption("another")).await)
                .unwrap();
        let (opening, other) = if changed.is_ok() { ("another", WORDS) } else { (WORDS, "another") };
        let opens =
            |words| with(image.clone(), Some(words), async |database| texts(&database, "alice").len());
        assert_eq!(opens(opening).unwrap(), 4, "{fault:?} {changed:?}");
        assert_eq!(opens(other).unwrap_err().code, Code::WrongKey, "{fault:?}");
        assert!(changed.is_ok() || changed.unwrap_err().code == Code::Storage);
    }
}

/// What is checked is read between two writes, so it brings no keys back that were taken away meanwhile.
#[test]
fn a_check_beside_a_change_of_the_encryption_changes_nothing() {
    for encrypted in [true, false] {
        let image = filled(encrypted.then_some(WORDS));
        with(image.clone(), encrypted.then_some(WORDS), async |database| {
            let change = async {
                if encrypted { database.decrypt().await } else { database.encrypt(encryption(WORDS)).await }
            };
            let (checked, changed) = futures_util::future::join(database.verify(), change).await;
            assert!(checked.unwrap().ok);
            changed.unwrap();
            database.commit(put("alice", 30, "cedar")).await.unwrap();
        })
        .unwrap();
        let count =
            with(image, (!encrypted).then_some(WORDS), async |database| texts(&database, "alice").len());
        assert_eq!(count.unwrap(), 5);
    }
}
