//! Images of storages: taking them, opening them, and what is in them.

use super::contract::everything;
use super::platform::TestPlatform;
use futures_util::FutureExt;
use mnemic::database::{Bounds, Database};
use mnemic::ports::{Batch, Pairs, Storage};
use mnemic::storage::MemoryStorage;
use mnemic::vault::Encryption;
use mnemic::{Id, Kind, Record, Result, Scope};
use serde_json::json;
use std::rc::Rc;

thread_local! {
    static OPENINGS: std::cell::Cell<u64> = const { std::cell::Cell::new(1 << 32) };
}

/// A scope by a name.
pub(crate) fn scope(name: &str) -> Scope {
    Scope::from_json(&json!({ "userId": name })).unwrap()
}

/// An id by a number.
pub(crate) fn id(number: u8) -> Id {
    Id::new(1_000 + i64::from(number), [number; 10])
}

/// A record with a text.
pub(crate) fn record(number: u8, kind: Kind, scope: &Scope, text: &str) -> Record {
    Record { text: Some(text.to_owned()), ..Record::new(id(number), kind, scope.clone(), 0) }
}

/// The pairs of a storage.
pub(crate) fn pairs_of(storage: &MemoryStorage) -> Pairs {
    // A memory answers at once, also inside of a pool.
    everything(storage).now_or_never().unwrap()
}

/// A storage with these pairs.
pub(crate) fn storage_of(pairs: &Pairs) -> MemoryStorage {
    let storage = MemoryStorage::default();
    let batch = Batch { puts: pairs.clone(), deletes: Vec::new() };
    storage.write(&batch, 0).now_or_never().unwrap().unwrap();
    storage
}

/// Opens a storage on a platform of its own; nothing may be left running when the future is done.
pub(crate) fn with_database<R>(
    storage: impl Storage + 'static,
    embedder: &str,
    work: impl AsyncFnOnce(Database) -> R,
) -> Result<R> {
    with_encrypted(storage, embedder, (None, None), work)
}

/// The same for a storage that is or is to be encrypted, by somebody who may know the counter that the memory had.
pub(crate) fn with_encrypted<R>(
    storage: impl Storage + 'static,
    embedder: &str,
    (encryption, known_counter): (Option<Encryption>, Option<u64>),
    work: impl AsyncFnOnce(Database) -> R,
) -> Result<R> {
    // Ids are unique over all openings of a test, as they are in the world.
    let seed = OPENINGS.with(|openings| openings.replace(openings.get() + 1));
    let (platform, mut pool) = TestPlatform::new(seed);
    pool.run_until(async {
        let storage = Rc::new(storage);
        let bounds = Bounds { known_counter, ..Bounds::default() };
        let database = Database::open_encrypted(storage, platform, embedder, encryption, bounds).await?;
        Ok(work(database).await)
    })
}

/// The counter of a storage's head.
pub(crate) fn counter_of(storage: &MemoryStorage) -> u64 {
    let pairs = pairs_of(storage);
    let head = pairs.iter().find(|(key, _)| key == mnemic::ports::HEAD_KEY);
    mnemic::ports::head_counter(head.map(|(_, value)| value.as_slice())).unwrap()
}
