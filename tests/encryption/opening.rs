//! What an encrypted storage tells, and who can open it.

use super::*;
use crate::support::platform::TestPlatform;
use crate::support::storage::TestStorage;
use mnemic::Code;
use mnemic::database::Bounds;
use std::rc::Rc;

#[test]
fn nothing_stored_names_a_word_a_scope_or_a_record() {
    let plain = told(&pairs_of(&filled(None)));
    assert_eq!(plain.len(), 10, "the scan finds what is not encrypted: {plain:?}");
    let image = filled(Some(WORDS));
    assert_eq!(told(&pairs_of(&image)), [""; 0]);
    with(image.clone(), Some(WORDS), async |database| {
        check(&database);
        assert!(database.verify().await.unwrap().ok);
        database.fold().await.unwrap();
        check(&database);
    })
    .unwrap();
    assert_eq!(told(&pairs_of(&image)), [""; 0]);
    with(image, Some(WORDS), async |database| {
        check(&database);
        assert!(database.verify().await.unwrap().ok);
    })
    .unwrap();
}

#[test]
fn without_the_key_it_does_not_open_and_nothing_changes() {
    let image = filled(Some(WORDS));
    let pairs = pairs_of(&image);
    for (words, code) in [(None, Code::Locked), (Some("another"), Code::WrongKey)] {
        let storage = Rc::new(TestStorage::on(&image));
        let (platform, mut pool) = TestPlatform::new(1);
        let opening = Database::open_encrypted(
            storage.clone(),
            platform,
            EMBEDDER,
            words.map(encryption),
            Bounds::default(),
        );
        assert_eq!(pool.run_until(opening).err().unwrap().code, code);
        assert_eq!((storage.writes.get(), pairs_of(&image)), (0, pairs.clone()));
    }
    with(image, Some(WORDS), async |database| check(&database)).unwrap();
}

#[test]
fn a_new_memory_is_encrypted_before_anything_is_in_it() {
    let image = MemoryStorage::default();
    with(image.clone(), Some(WORDS), async |database| {
        assert!(database.encryption().unwrap().encrypted);
    })
    .unwrap();
    let names: Vec<String> = pairs_of(&image).into_iter().map(|(key, _)| key).collect();
    assert_eq!(names, ["head", "keys"]);
    assert_eq!(with(image.clone(), None, async |_| ()).unwrap_err().code, Code::Locked);
    with(image, Some(WORDS), async |database| assert_eq!(texts(&database, "alice"), [""; 0])).unwrap();
}

#[test]
fn no_two_values_are_sealed_with_one_nonce() {
    let image = filled(Some(WORDS));
    let mut values = pairs_of(&image);
    with(image.clone(), Some(WORDS), async |database| {
        for number in 20..30 {
            database.commit(put("alice", number, "cedar birch")).await.unwrap();
            values.extend(pairs_of(&image));
        }
    })
    .unwrap();
    values.sort();
    values.dedup();
    let mut nonces: Vec<Vec<u8>> = Vec::new();
    for (key, value) in values.iter().filter(|(key, _)| key != "keys") {
        let frame = if key == "head" { &value[8..] } else { &value[..] };
        let nonce = 16 + 4 + 8 + 4 + key.len();
        nonces.push(frame[nonce..nonce + 12].to_vec());
    }
    let count = nonces.len();
    nonces.sort();
    nonces.dedup();
    assert!(count > 20);
    assert_eq!(nonces.len(), count);
}

/// Each scope's values have a key of their own.
#[test]
fn each_scope_has_its_key() {
    let image = filled(Some(WORDS));
    with(image.clone(), Some(WORDS), async |database| {
        assert_eq!(database.encryption().unwrap().scopes, 2);
    })
    .unwrap();
    let keys: Vec<u32> = pairs_of(&image)
        .iter()
        .filter(|(key, _)| key.starts_with("log/"))
        .map(|(_, value)| mnemic::vault::SealedView::decode(value).unwrap().key)
        .collect();
    assert_eq!(keys.len(), 2);
    assert!(keys[0] != keys[1] && !keys.contains(&0), "{keys:?}");
}
