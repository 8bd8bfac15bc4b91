//! Vectors whose codes are read when a search needs them, and what is done about damaged ones.

use super::*;
use crate::fuzzing::frames::{framed, frames};
use futures_util::FutureExt;
use mnemic::log::Embed;
use mnemic::ports::Batch;
use mnemic::store::{Change, Query};
use mnemic::{Embedding, Id};

const DIMENSIONS: usize = 64;

/// A vector that is most like that of the same number.
fn vector(number: u8) -> Embedding {
    let mut values = [0.01; DIMENSIONS];
    values[usize::from(number) % DIMENSIONS] = 1.0;
    values[usize::from(number) * 7 % DIMENSIONS] += 0.5;
    Embedding::quantise("none", &values).unwrap()
}

/// The records nearest to the vector of a number, and how near they are.
fn nearest(database: &Database, number: u8) -> Result<Vec<(Id, f32)>> {
    let (embedding, now) = (vector(number), 1 << 40);
    let query = Query { text: "", embedding: Some(&embedding), limit: 5, now };
    database.read(|store| {
        let found = store.search(&scope("alice"), Kind::Fact, &query, &|_| true)?;
        Ok(found.iter().map(|found| (found.record.id, found.score.terms[1].raw.unwrap())).collect())
    })
}

#[test]
fn vectors_are_found_the_same_wherever_their_codes_are() {
    run(0, async |database, storage, platform, _| {
        let mut expected = Vec::new();
        for round in 0..2 {
            for number in 0..RECORDS {
                let record = record(100 + number, Kind::Fact, &scope("alice"), "cedar");
                let expect = if round == 0 { Expect::Absent } else { Expect::Any };
                let record = Record { text: Some(format!("cedar {round}")), ..record };
                let mut draft = Draft::new(&scope("alice"), Cause::User);
                draft.put(record, expect, Some(vector(number + 3 * round)));
                database.commit(draft).await.unwrap();
            }
            expected = (0..RECORDS).map(|number| nearest(&database, number).unwrap()).collect();
            database.fold().await.unwrap();
            let before = reads(&storage);
            let again = open(&storage, &platform, 0).await;
            for database in [&database, &again] {
                let found: Vec<_> = (0..RECORDS).map(|number| nearest(database, number).unwrap()).collect();
                assert!(found == expected, "{:?} {:?}", found.first(), expected.first());
                assert_eq!(database.read(|store| Ok(store.cached_bytes())).unwrap(), 0);
            }
            assert!(reads(&storage) > before);
        }
        // What cannot be read is not far away, but an error.
        fail(&storage, 1);
        let error = nearest(&database, 7).unwrap_err();
        assert_eq!(error.code, Code::Storage, "{error}");
        // One wrong answer is not believed.
        storage.reader.as_ref().unwrap().wrong.set(1);
        assert_eq!(nearest(&database, 7).unwrap(), expected[7]);
        storage.reader.as_ref().unwrap().wrong.set(2);
        assert_eq!(nearest(&database, 7).unwrap_err().code, Code::Corrupt);
        assert_eq!(nearest(&database, 7).unwrap(), expected[7]);
        // Another engine's fold moves them.
        let other = open(&storage, &platform, 0).await;
        other.commit(put(large(99, 300_000), Expect::Absent)).await.unwrap();
        other.fold().await.unwrap();
        database.refresh().await.unwrap();
        assert_eq!(nearest(&database, 7).unwrap(), expected[7]);
        let mut draft = Draft::new(&scope("alice"), Cause::Forget);
        draft.delete(id(107), Expect::Any);
        draft.erase.push(id(107));
        database.commit(draft).await.unwrap();
        for database in [&database, &open(&storage, &platform, 0).await] {
            let found = nearest(database, 7).unwrap();
            assert!(found.iter().all(|(found, _)| *found != id(107)), "{found:?}");
        }
        assert!(database.verify().await.unwrap().ok);
    });
}

#[test]
fn a_memory_opens_whose_vectors_take_more_than_it_may() {
    run(0, async |database, storage, platform, _| {
        let mut draft = Draft::new(&scope("alice"), Cause::User);
        for number in 50..250 {
            let embedding = Embedding::quantise("none", &[f32::from(number); 4096]).unwrap();
            draft.put(record(number, Kind::Fact, &scope("alice"), "cedar"), Expect::Absent, Some(embedding));
        }
        database.commit(draft).await.unwrap();
        database.fold().await.unwrap();
        let stored = database.standing().unwrap().bytes;
        let bounds = Bounds { cache_bytes: Some(0), max_memory_bytes: Some(1 << 20), ..Bounds::default() };
        assert!(stored * 8 > 9 * (1 << 20), "{stored}");
        let opening = Database::open_encrypted(storage.clone(), platform.clone(), "none", None, bounds).await;
        let again = opening.unwrap();
        again.indexed().await.unwrap();
        let taken = again.taken().await.unwrap();
        assert!(taken.memory_bytes <= taken.max_memory_bytes, "{taken:?}");
        again.commit(put(record(250, Kind::Fact, &scope("alice"), "cedar"), Expect::Absent)).await.unwrap();
    });
}

/// A folded memory with vectors of some records, and the key of the first value of vectors.
async fn with_vectors(database: &Database, image: &MemoryStorage) -> String {
    with_many_vectors(database, image, RECORDS).await
}

/// The same for so many records.
async fn with_many_vectors(database: &Database, image: &MemoryStorage, count: u8) -> String {
    for number in 100..100 + count {
        let record = record(number, Kind::Fact, &scope("alice"), "cedar");
        let mut draft = Draft::new(&scope("alice"), Cause::User);
        draft.put(record, Expect::Absent, Some(vector(number)));
        database.commit(draft).await.unwrap();
    }
    database.fold().await.unwrap();
    let pairs = pairs_of(image);
    pairs.iter().find(|(key, _)| key.contains("/vectors/")).unwrap().0.clone()
}

/// Changes a stored byte, counted from the end when `place` is less than none.
fn damage(image: &MemoryStorage, key: &str, place: isize) {
    change(image, key, |value| {
        let length = value.len();
        let at = if place < 0 { length.checked_add_signed(place).unwrap() } else { place as usize };
        value[at] ^= 1;
    });
}

/// Makes the checksum of the last page of vectors false, and leaves those of the index and of the value right.
fn falsify(image: &MemoryStorage, key: &str) {
    change(image, key, |value| {
        let [(kind, payload)] = frames(value)[..] else { panic!("{key} is no frame") };
        let mut payload = payload.to_vec();
        let index = u32::from_le_bytes(*payload.first_chunk().unwrap()) as usize;
        payload[4 + index - 1] ^= 1;
        *value = framed(kind, &payload);
    });
}

/// Changes a stored value.
fn change(image: &MemoryStorage, key: &str, work: impl Fn(&mut Vec<u8>)) {
    let mut pairs = pairs_of(image);
    let (_, value) = pairs.iter_mut().find(|(of, _)| of == key).unwrap();
    work(value);
    let put = (key.to_owned(), value.clone());
    let (_, head) = pairs.iter().find(|(key, _)| key == "head").unwrap();
    let counter = u64::from_le_bytes(*head.first_chunk().unwrap());
    let head = ("head".to_owned(), head.clone());
    let batch = Batch { puts: vec![put, head], deletes: Vec::new() };
    image.write(&batch, counter).now_or_never().unwrap().unwrap();
}

#[test]
fn a_memory_opens_without_the_codes_of_its_vectors() {
    run(1 << 20, async |database, storage, platform, image| {
        with_vectors(&database, &image).await;
        let expected = nearest(&database, 107).unwrap();
        let again = open(&storage, &platform, 1 << 20).await;
        let codes = usize::from(RECORDS) * DIMENSIONS * 2;
        let cached = |database: &Database| database.read(|store| Ok(store.cached_bytes())).unwrap();
        let before = cached(&again);
        assert_eq!(nearest(&again, 107).unwrap(), expected);
        assert_eq!(cached(&again), before + codes);
    });
}

#[test]
fn damaged_codes_are_found_by_a_search_and_made_anew() {
    run(1 << 20, async |database, storage, platform, image| {
        let key = with_vectors(&database, &image).await;
        drop(database);
        damage(&image, &key, -1);
        let again = open(&storage, &platform, 1 << 20).await;
        assert_eq!(again.read(|store| Ok(store.counts().vectors)).unwrap(), usize::from(RECORDS));
        let error = nearest(&again, 107).unwrap_err();
        assert_eq!(error.code, Code::Corrupt, "{error}");
        again.refresh().await.unwrap();
        // The vectors are to be made again, and nothing else is lost.
        let counts = again.read(|store| Ok(store.counts())).unwrap();
        assert_eq!((counts.vectors, counts.records), (0, 2 * usize::from(RECORDS)), "{counts:?}");
        assert!(counts.unembedded >= usize::from(RECORDS), "{counts:?}");
        assert!(nearest(&again, 107).unwrap().is_empty());
        let report = again.verify().await.unwrap();
        assert!(report.damage.iter().any(|damage| damage.key == key), "{report:?}");
    });
}

#[test]
fn verifying_reads_codes_too() {
    run(1 << 20, async |database, storage, platform, image| {
        let key = with_vectors(&database, &image).await;
        drop(database);
        damage(&image, &key, -1);
        let again = open(&storage, &platform, 1 << 20).await;
        let report = again.verify().await.unwrap();
        assert!(!report.ok && report.damage.iter().any(|damage| damage.key == key), "{report:?}");
    });
}

/// A value with a false checksum of a page was called sound, and read whole at every search.
#[test]
fn verifying_compares_the_checksums_of_pages() {
    run(1 << 20, async |database, storage, platform, image| {
        let key = with_vectors(&database, &image).await;
        assert!(database.verify().await.unwrap().ok);
        drop(database);
        falsify(&image, &key);
        for storage in [storage, Rc::new(TestStorage::on(&image))] {
            let again = open(&storage, &platform, 1 << 20).await;
            let report = again.verify().await.unwrap();
            let named: Vec<_> = report.damage.iter().filter(|damage| damage.key == key).collect();
            assert!(!report.ok && named.len() == 1, "{report:?}");
            assert!(named[0].message.contains("the vectors are computed again"), "{report:?}");
        }
    });
}

/// So many records that their vectors take three pages, of which the last has 22.
const IN_PAGES: u8 = 150;
const IN_LAST_PAGE: usize = 22;

/// For one damaged page everything was read anew, at every search if that failed, and the vectors of all pages were lost.
#[test]
fn only_the_vectors_of_a_damaged_page_are_made_anew() {
    for forged in [false, true] {
        run(0, async |database, storage, platform, image| {
            let key = with_many_vectors(&database, &image, IN_PAGES).await;
            drop(database);
            if forged {
                falsify(&image, &key)
            } else {
                damage(&image, &key, -1)
            }
            let again = open(&storage, &platform, 0).await;
            storage.most_read.set(0);
            // Nothing else has to be readable for that.
            storage.failing_reads.set(usize::MAX);
            let error = nearest(&again, 240).unwrap_err();
            assert_eq!((error.code, &error.details["isReplaced"]), (Code::Corrupt, &true.into()), "{error}");
            again.refresh().await.unwrap_err();
            for _ in 0..2 {
                assert_eq!(nearest(&again, 107).unwrap().len(), 5);
            }
            let counts = again.read(|store| Ok(store.counts())).unwrap();
            let kept = usize::from(IN_PAGES) - IN_LAST_PAGE;
            let unembedded = usize::from(RECORDS) + IN_LAST_PAGE;
            assert_eq!((counts.vectors, counts.unembedded), (kept, unembedded), "{counts:?}");
            assert_eq!(storage.most_read.get(), 0);
            storage.failing_reads.set(0);
            let report = again.verify().await.unwrap();
            assert!(!report.ok && report.damage.iter().any(|damage| damage.key == key), "{report:?}");
            // They are made again, and stay.
            let mut draft = Draft::new(&scope("alice"), Cause::Embed);
            for number in 100..100 + IN_PAGES {
                let embed = Embed { id: id(number), revision: 1, embedding: vector(number) };
                draft.changes.push(Change::Embed(embed));
            }
            again.commit(draft).await.unwrap();
            again.fold().await.unwrap();
            let again = open(&storage, &platform, 0).await;
            assert_eq!(nearest(&again, 240).unwrap().len(), 5);
            let counts = again.read(|store| Ok(store.counts())).unwrap();
            assert_eq!(counts.vectors, usize::from(IN_PAGES), "{counts:?}");
        });
    }
}

/// A fold that met damaged vectors failed, again and again, and so did whatever forgets.
#[test]
fn a_fold_goes_on_without_damaged_vectors() {
    for erases in [false, true] {
        run(0, async |database, storage, platform, image| {
            let key = with_many_vectors(&database, &image, IN_PAGES).await;
            drop(database);
            let original = pairs_of(&image);
            damage(&image, &key, -1);
            let damaged = pairs_of(&image).into_iter().find(|(of, _)| *of == key).unwrap().1;
            let again = open(&storage, &platform, 0).await;
            if erases {
                let mut draft = Draft::new(&scope("alice"), Cause::Forget);
                draft.delete(id(3), Expect::Any);
                draft.erase.push(id(3));
                again.commit(draft).await.unwrap();
            } else {
                // So much that the fold takes in the segment that is there.
                again.commit(put(large(99, 500_000), Expect::Absent)).await.unwrap();
                again.fold().await.unwrap();
            }
            let pairs = pairs_of(&image);
            assert!(pairs.iter().all(|(of, _)| *of != key), "the segment was not written anew");
            // What was damaged is kept as it was, unless something is to be erased.
            let aside = pairs.iter().find(|(of, _)| of.starts_with("damaged/") && of.ends_with(&key));
            assert_eq!(aside.map(|(_, value)| value == &damaged), (!erases).then_some(true));
            assert!(original.len() > 2);
            let kept = usize::from(IN_PAGES) - IN_LAST_PAGE;
            for database in [&again, &open(&storage, &platform, 0).await] {
                let counts = database.read(|store| Ok(store.counts())).unwrap();
                assert_eq!(counts.vectors, kept, "{counts:?}");
                assert_eq!(nearest(database, 107).unwrap().len(), 5);
            }
        });
    }
}

/// What stands in a damaged record cannot be written anew: the fold fails, and all else goes on.
#[test]
fn a_fold_that_meets_a_damaged_record_writes_nothing() {
    run(0, async |database, storage, platform, image| {
        drop(database);
        let again = open(&storage, &platform, 0).await;
        let pairs = pairs_of(&image);
        let (key, value) = pairs.iter().find(|(key, _)| key.contains("/commits/")).unwrap();
        damage(&image, key, value.len() as isize - 100);
        again.commit(put(large(99, 500_000), Expect::Absent)).await.unwrap();
        let before = pairs_of(&image);
        for _ in 0..2 {
            let error = again.fold().await.unwrap_err();
            assert_eq!((error.code, error.details["key"].as_str()), (Code::Corrupt, Some(&**key)), "{error}");
            assert!(pairs_of(&image) == before, "a fold that failed has written");
        }
        assert!(find(&again, 3).unwrap() && find(&again, 99).unwrap());
        again.commit(put(large(98, 10), Expect::Absent)).await.unwrap();
        let report = again.verify().await.unwrap();
        assert!(report.damage.iter().any(|damage| damage.key == *key), "{report:?}");
    });
}

#[test]
fn a_damaged_front_is_found_by_opening() {
    // A byte of the header, of the length of the index, of its first block, and of the end of it.
    for place in [5, 17, 40, 100] {
        run(1 << 20, async |database, storage, platform, image| {
            let key = with_vectors(&database, &image).await;
            drop(database);
            damage(&image, &key, place);
            let again = open(&storage, &platform, 1 << 20).await;
            let counts = again.read(|store| Ok(store.counts())).unwrap();
            assert_eq!(
                (counts.vectors, counts.records),
                (0, 2 * usize::from(RECORDS)),
                "{place}: {counts:?}"
            );
        });
    }
}

#[test]
fn a_leftover_behind_vectors_is_found_without_reading_them() {
    run(1 << 20, async |database, storage, platform, image| {
        let key = with_vectors(&database, &image).await;
        drop(database);
        let leftover = format!("{}ffffff", &key[..key.len() - 6]);
        let pairs = pairs_of(&image);
        let (_, head) = pairs.iter().find(|(key, _)| key == "head").unwrap();
        let counter = u64::from_le_bytes(*head.first_chunk().unwrap());
        let puts = vec![(leftover.clone(), b"left".to_vec()), ("head".to_owned(), head.clone())];
        image.write(&Batch { puts, deletes: Vec::new() }, counter).now_or_never().unwrap().unwrap();
        open(&storage, &platform, 1 << 20).await;
        assert!(pairs_of(&image).iter().all(|(key, _)| *key != leftover));
    });
}
