//! Forgetting a scope destroys its key: whatever is left of its values anywhere, nobody can read.

use super::*;
use mnemic::ports::{Batch, HEAD_KEY, Storage};
use mnemic::vault::SealedView;
use std::collections::{BTreeMap, BTreeSet};

/// The keys that sealed the values whose names begin so, and how many values there are.
fn keys_of(image: &MemoryStorage, prefix: &str) -> (BTreeSet<u32>, usize) {
    let pairs = pairs_of(image);
    let sealed = pairs.iter().filter(|(key, _)| key.starts_with(prefix));
    let keys: Vec<u32> = sealed.map(|(_, value)| SealedView::decode(value).unwrap().key).collect();
    (keys.iter().copied().collect(), keys.len())
}

async fn forget(database: &Database, user: &str) {
    let scope = scope(user);
    let mut draft = Draft::new(&scope, Cause::Forget);
    draft.erase_scope = true;
    let ids =
        database.read(|store| Ok(store.records(&scope, Kind::Fact).map(|view| view.id).collect::<Vec<_>>()));
    for id in ids.unwrap() {
        draft.delete(id, Expect::Any);
        draft.erase.push(id);
    }
    database.commit(draft).await.unwrap();
}

/// Of a segment, each value holds one scope and is sealed by its key: by folds, and where a memory is encrypted in place.
#[test]
fn each_value_of_a_segment_is_of_one_scope() {
    let folded = filled(Some(WORDS));
    let in_place = filled(None);
    with(in_place.clone(), Some(WORDS), async |_| ()).unwrap();
    for image in [folded, in_place] {
        let (keys, values) = keys_of(&image, "segment/");
        assert_eq!((keys.len(), keys.contains(&0), values), (2, false, 6), "three columns of two scopes");
        with(image, Some(WORDS), async |database| {
            check(&database);
            assert!(database.verify().await.unwrap().ok);
        })
        .unwrap();
    }
}

#[test]
fn a_forgotten_scope_loses_its_key() {
    let image = filled(Some(WORDS));
    let before: BTreeMap<String, Vec<u8>> = pairs_of(&image).into_iter().collect();
    let (keys_before, _) = keys_of(&image, "segment/");
    with(image.clone(), Some(WORDS), async |database| {
        forget(&database, "alice").await;
        assert_eq!(texts(&database, "alice"), [""; 0]);
        assert_eq!(database.encryption().unwrap().scopes, 1);
    })
    .unwrap();
    let (keys, _) = keys_of(&image, "segment/");
    assert!(keys.is_subset(&keys_before.union(&BTreeSet::from([0])).copied().collect()), "{keys:?}");
    let destroyed: Vec<u32> = keys_before.difference(&keys).copied().collect();
    assert_eq!(destroyed.len(), 1);
    let now = pairs_of(&image);
    let tables = now.iter().filter(|(key, _)| key.starts_with("keys/")).count();
    assert_eq!(tables, 1, "the table before is gone");

    // Somebody digs the old values out of the disk and puts them back: there is no key for what was alice's.
    let old = before.iter().filter(|(key, value)| {
        key.starts_with("segment/") && destroyed.contains(&SealedView::decode(value).unwrap().key)
    });
    let mut puts: Vec<(String, Vec<u8>)> =
        old.map(|(key, value)| (format!("damaged/0000000000000001/{key}"), value.clone())).collect();
    assert_eq!(puts.len(), 3);
    let head = now.iter().find(|(key, _)| key == HEAD_KEY).unwrap().clone();
    let counter = crate::support::image::counter_of(&image);
    puts.push(head);
    let batch = Batch { puts, deletes: Vec::new() };
    futures_executor::block_on(Storage::write(&image, &batch, counter)).unwrap();
    with(image.clone(), Some(WORDS), async |database| {
        assert_eq!((texts(&database, "alice").len(), texts(&database, "bob").len()), (0, 2));
        // The scope can begin anew, with another key.
        database.commit(put("alice", 40, "cedar")).await.unwrap();
        assert_eq!(database.encryption().unwrap().scopes, 2);
    })
    .unwrap();
    let (logged, _) = keys_of(&image, "log/");
    assert!(!logged.iter().any(|key| destroyed.contains(key)), "{logged:?} after {destroyed:?}");
}

/// What a scope said may have gone before it.
#[test]
fn an_empty_scope_loses_its_key() {
    let image = filled(Some(WORDS));
    with(image, Some(WORDS), async |database| {
        let scope = scope("alice");
        let ids = database
            .read(|store| Ok(store.records(&scope, Kind::Fact).map(|view| view.id).collect::<Vec<_>>()))
            .unwrap();
        let mut draft = Draft::new(&scope, Cause::Forget);
        ids.iter().for_each(|id| draft.delete(*id, Expect::Any));
        draft.erase = ids;
        database.commit(draft).await.unwrap();
        assert_eq!(database.encryption().unwrap().scopes, 2);
        let mut draft = Draft::new(&scope, Cause::Forget);
        draft.erase_scope = true;
        database.commit(draft).await.unwrap();
        assert_eq!(database.encryption().unwrap().scopes, 1);
    })
    .unwrap();
}
