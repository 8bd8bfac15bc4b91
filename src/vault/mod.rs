//! The vault: encryption of what a storage holds, between the storage and the database.
//!
//! Without encryption it hands everything on. An encrypted memory has a random root key, which the application's key wraps
//! ([`keys`](mod@keys)), and a key for each scope in a table that the root key seals ([`table`](mod@table)). A
//! [`ring`](mod@ring) of them seals each value on its way to the storage and opens it on its way back
//! ([`sealed`](mod@sealed)). `docs/format.md` describes the bytes.

mod keys;
mod ring;
mod sealed;
mod table;
#[expect(clippy::module_inception, reason = "the folder is the layer, the file its one type")]
mod vault;

pub use sealed::SealedView;
pub use vault::{Contents, Encryption, EncryptionStatus, Fault, NewKeys, Owners, Vault};
