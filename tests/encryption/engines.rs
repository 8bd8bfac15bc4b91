//! Several engines on one encrypted storage.

use super::*;
use crate::support::platform::TestPlatform;
use crate::support::storage::{TestStorage, Write};
use futures_util::future::join;
use mnemic::Code;
use mnemic::database::Bounds;
use std::rc::Rc;

/// Runs work with two engines on one image.
fn with_two<R>(
    image: &MemoryStorage,
    words: [Option<&str>; 2],
    work: impl AsyncFnOnce([Database; 2], [Rc<TestStorage>; 2]) -> R,
) -> R {
    let (platform, mut pool) = TestPlatform::new(21);
    let storages = [Rc::new(TestStorage::on(image)), Rc::new(TestStorage::on(image))];
    pool.run_until(async {
        let open = |place: usize| {
            let encryption = words[place].map(encryption);
            Database::open_encrypted(
                storages[place].clone(),
                platform.clone(),
                EMBEDDER,
                encryption,
                Bounds::default(),
            )
        };
        let one = open(0).await.unwrap();
        let two = open(1).await.unwrap();
        work([one, two], storages.clone()).await
    })
}

#[test]
fn two_engines_share_an_encrypted_memory() {
    let image = MemoryStorage::default();
    with_two(&image, [Some(WORDS); 2], async |[one, two], [storage, _]| {
        // Both give a new scope its key at the same time.
        let (first, second) =
            join(one.commit(put("alice", 1, "cedar")), two.commit(put("bob", 2, "maple"))).await;
        first.unwrap();
        second.unwrap();
        // The number of a key that was never stored is given to another scope by the other engine.
        storage.plan([Write::Fails(Code::Storage)]);
        assert!(one.commit(put("carol", 3, "birch")).await.is_err());
        two.commit(put("dave", 4, "willow")).await.unwrap();
        one.commit(put("carol", 3, "birch")).await.unwrap();
        two.fold().await.unwrap();
        one.commit(put("alice", 5, "cedar")).await.unwrap();
        two.refresh().await.unwrap();
        for database in [&one, &two] {
            database.refresh().await.unwrap();
            for user in ["alice", "bob", "carol", "dave"] {
                assert!(!texts(database, user).is_empty(), "{user}");
            }
            assert!(database.verify().await.unwrap().ok);
        }
    });
    assert_eq!(told(&pairs_of(&image)), [""; 0]);
    with(image, Some(WORDS), async |database| {
        assert!(database.verify().await.unwrap().ok);
        assert_eq!(texts(&database, "alice").len(), 2);
    })
    .unwrap();
}

#[test]
fn two_engines_race_to_found_an_encrypted_memory() {
    let image = MemoryStorage::default();
    let (platform, mut pool) = TestPlatform::new(22);
    pool.run_until(async {
        let open = |yields| {
            let storage = Rc::new(TestStorage::on(&image));
            storage.yields.set(yields);
            Database::open_encrypted(
                storage,
                platform.clone(),
                EMBEDDER,
                Some(encryption(WORDS)),
                Bounds::default(),
            )
        };
        let (one, two) = join(open(3), open(2)).await;
        let (one, two) = (one.unwrap(), two.unwrap());
        one.commit(put("alice", 1, "cedar")).await.unwrap();
        two.commit(put("alice", 2, "maple")).await.unwrap();
        one.refresh().await.unwrap();
        assert_eq!((texts(&one, "alice").len(), texts(&two, "alice").len()), (2, 2));
    });
}

/// Another engine encrypts the memory: who has no key writes nothing any more and keeps what it has read.
#[test]
fn an_engine_without_the_key_never_writes_plain_values() {
    let image = filled(None);
    with_two(&image, [None; 2], async |[one, two], _| {
        one.encrypt(encryption(WORDS)).await.unwrap();
        let pairs = pairs_of(&image);
        assert_eq!(two.commit(put("alice", 20, "cedar")).await.unwrap_err().code, Code::Locked);
        assert_eq!(two.refresh().await.unwrap_err().code, Code::Locked);
        assert_eq!(two.fold().await.unwrap_err().code, Code::Locked);
        assert_eq!(pairs_of(&image), pairs);
        check(&two);
        one.commit(put("alice", 20, "cedar")).await.unwrap();
    });
    with(image, Some(WORDS), async |database| assert!(database.verify().await.unwrap().ok)).unwrap();
}

/// An engine with the key goes on when another encrypts the memory, and stops when another takes the encryption away.
#[test]
fn an_engine_with_the_key_goes_on_while_it_is_encrypted() {
    let image = filled(Some(WORDS));
    with_two(&image, [Some(WORDS); 2], async |[one, two], _| {
        one.encrypt(encryption("another")).await.unwrap();
        two.commit(put("alice", 20, "cedar")).await.unwrap();
        one.decrypt().await.unwrap();
        assert_eq!(two.commit(put("alice", 21, "cedar")).await.unwrap_err().code, Code::Locked);
        assert_eq!(texts(&one, "alice").len(), 5);
    });
    with(image, None, async |database| assert!(database.verify().await.unwrap().ok)).unwrap();
}

/// Somebody empties the storage under an engine: what it writes next is encrypted too, and opens again.
#[test]
fn an_emptied_storage_is_encrypted_again() {
    let image = filled(Some(WORDS));
    with_two(&image, [Some(WORDS); 2], async |[one, _], _| {
        let deletes = pairs_of(&image).into_iter().map(|(key, _)| key).collect();
        let counter = crate::support::image::counter_of(&image);
        let batch = mnemic::ports::Batch { puts: Vec::new(), deletes };
        Storage::write(&image, &batch, counter).await.unwrap();
        one.refresh().await.unwrap();
        one.commit(put("alice", 20, "cedar")).await.unwrap();
    });
    assert_eq!(told(&pairs_of(&image)), [""; 0]);
    with(image, Some(WORDS), async |database| assert_eq!(texts(&database, "alice"), ["cedar"])).unwrap();
}
