//! Images of storages: taking them, opening them, and what is in them.

use super::contract::everything;
use super::platform::TestPlatform;
use futures_executor::block_on;
use mnemic::database::Database;
use mnemic::ports::{Batch, Pairs, Storage};
use mnemic::storage::MemoryStorage;
use mnemic::{Id, Kind, Record, Result, Scope};
use serde_json::json;
use std::rc::Rc;

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
    block_on(everything(storage))
}

/// A storage with these pairs.
pub(crate) fn storage_of(pairs: &Pairs) -> MemoryStorage {
    let storage = MemoryStorage::default();
    block_on(storage.write(&Batch { puts: pairs.clone(), deletes: Vec::new() }, 0)).unwrap();
    storage
}

/// Opens a storage on a platform of its own; nothing may be left running when the future is done.
pub(crate) fn with_database<R>(
    storage: impl Storage + 'static,
    embedder: &str,
    work: impl AsyncFnOnce(Database) -> R,
) -> Result<R> {
    let (platform, mut pool) = TestPlatform::new(7);
    pool.run_until(async {
        let database = Database::open(Rc::new(storage), platform, embedder).await?;
        Ok(work(database).await)
    })
}
