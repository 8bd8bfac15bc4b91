//! Encrypted memories: what is stored, who can open it, what is noticed, and changing it in place.

mod engines;
mod forgetting;
mod in_place;
mod locks;
mod opening;
mod tampering;

use crate::support::cipher::encryption;
use crate::support::image::{id, pairs_of, record, scope, with_encrypted};
use mnemic::database::Database;
use mnemic::log::Cause;
use mnemic::ports::{Pairs, Storage};
use mnemic::storage::MemoryStorage;
use mnemic::store::{Draft, Expect};
use mnemic::{Embedding, Kind, Result};

const EMBEDDER: &str = "model";
const WORDS: &str = "correct horse battery staple";

/// A draft of one fact with a vector.
fn put(user: &str, number: u8, text: &str) -> Draft {
    let mut draft = Draft::new(&scope(user), Cause::User);
    let embedding = Embedding::quantise(EMBEDDER, &[f32::from(number), 1.0]).unwrap();
    draft.put(record(number, Kind::Fact, &scope(user), text), Expect::Any, Some(embedding));
    draft
}

/// The texts of a user.
fn texts(database: &Database, user: &str) -> Vec<String> {
    let scope = scope(user);
    let texts = database.read(|store| {
        Ok(store.records(&scope, Kind::Fact).filter_map(|view| view.text.map(str::to_owned)).collect())
    });
    texts.unwrap()
}

/// Opens a storage with a passphrase or without.
fn with<R>(
    storage: impl Storage + 'static,
    words: Option<&str>,
    work: impl AsyncFnOnce(Database) -> R,
) -> Result<R> {
    with_known(storage, words, None, work)
}

/// The same by somebody who knows the counter that the memory had.
fn with_known<R>(
    storage: impl Storage + 'static,
    words: Option<&str>,
    known: Option<u64>,
    work: impl AsyncFnOnce(Database) -> R,
) -> Result<R> {
    with_encrypted(storage, EMBEDDER, (words.map(encryption), known), work)
}

/// A memory of two users with a segment and a log, encrypted or not.
fn filled(words: Option<&str>) -> MemoryStorage {
    let image = MemoryStorage::default();
    with(image.clone(), words, async |database| {
        for number in 1..4 {
            database.commit(put("alice", number, &format!("cedar number{number}"))).await.unwrap();
        }
        database.commit(put("bob", 10, "maple")).await.unwrap();
        database.fold().await.unwrap();
        database.commit(put("alice", 4, "cedar birch")).await.unwrap();
        database.commit(put("bob", 11, "maple willow")).await.unwrap();
    })
    .unwrap();
    image
}

/// Checks that a database holds what [`filled`] put there.
fn check(database: &Database) {
    assert_eq!(texts(database, "alice"), ["cedar number1", "cedar number2", "cedar number3", "cedar birch"]);
    assert_eq!(texts(database, "bob"), ["maple", "maple willow"]);
    let counts = database.read(|store| Ok(store.counts())).unwrap();
    assert_eq!((counts.records, counts.vectors, counts.unembedded), (6, 6, 0));
}

/// The words of the memories of these tests that stand in stored bytes, in keys or values.
fn told(pairs: &Pairs) -> Vec<&'static str> {
    let words = ["cedar", "maple", "birch", "willow", "number2", "alice", "bob", "userId", EMBEDDER];
    // An id tells when its record was made.
    let id = id(2).bytes();
    let words = words.map(|word| (word, word.as_bytes())).into_iter().chain([("an id", &id[..])]);
    let holds = |bytes: &[u8], word: &[u8]| bytes.windows(word.len()).any(|window| window == word);
    let is_told =
        |word: &[u8]| pairs.iter().any(|(key, value)| holds(key.as_bytes(), word) || holds(value, word));
    words.filter(|(_, word)| is_told(word)).map(|(name, _)| name).collect()
}

/// One value of an image.
fn value(image: &MemoryStorage, key: &str) -> Vec<u8> {
    pairs_of(image).into_iter().find(|(found, _)| found == key).unwrap().1
}

/// An image with other values under some keys.
fn altered(
    image: &MemoryStorage,
    change: impl FnOnce(&mut std::collections::BTreeMap<String, Vec<u8>>),
) -> MemoryStorage {
    let mut pairs = pairs_of(image).into_iter().collect();
    change(&mut pairs);
    crate::support::image::storage_of(&pairs.into_iter().collect())
}
