//! The vault: encryption of what a storage holds, between the storage and the database.
//!
//! Without encryption it hands everything on. An encrypted memory has a random root key, which the application's key wraps
//! ([`keys`](mod@keys)), and a key for each scope in a table that the root key seals ([`table`](mod@table)). The key of a scope
//! that has a [`lock`](mod@lock) stands there wrapped once more. A
//! [`ring`](mod@ring) of them seals each value on its way to the storage and opens it on its way back
//! ([`sealed`](mod@sealed)). `docs/format.md` describes the bytes.

mod keys;
mod lock;
mod ring;
mod sealed;
mod table;
#[expect(clippy::module_inception, reason = "the folder is the layer, the file its one type")]
mod vault;

pub use lock::{LockChange, NewLock};
pub(crate) use lock::{scope_locked, scopes_locked};
pub use sealed::SealedView;
pub use vault::{Closed, Contents, Encryption, EncryptionStatus, Fault, NewKeys, Owners, ScopeLock, Vault};
