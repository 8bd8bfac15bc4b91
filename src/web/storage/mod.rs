//! The storages of browsers, and the one the application brings along.

mod dense;
mod indexeddb;
mod local_storage;
mod object;

pub use indexeddb::{Durability, IndexedDbStorage};
pub use local_storage::LocalStorage;
pub use object::ObjectStorage;
pub(super) use object::{batch_of, plain_pairs};
