//! The lock of a scope: its key wrapped by one that the application gives for this scope alone.
//!
//! ```text
//! associated data of the wrapped key: memory:16  id:u32  description:text  scope:text
//! ```
//! It stands in the table in place of the key, so that the root key alone opens nothing of the scope.

use super::keys::check_description;
use crate::error::{Code, Error, Result};
use crate::log::put_block;
use crate::ports::CipherKey;
use crate::scope::Scope;
use serde_json::Value;
use std::fmt;
use std::rc::Rc;

/// The lock of a scope, as it is stored.
#[derive(Clone)]
pub(super) struct Lock {
    /// The counter of the head with which the scope was locked last. Whoever opened it before has to open it again.
    pub(super) since: u64,
    /// How the key that wraps the scope's key is had; the application's own words.
    pub(super) description: String,
    pub(super) nonce: [u8; 12],
    pub(super) wrapped: Vec<u8>,
}

impl Lock {
    /// What is authenticated with the wrapped key.
    fn associated(memory: [u8; 16], id: u32, description: &str, scope: &str) -> Vec<u8> {
        let mut out = memory.to_vec();
        out.extend_from_slice(&id.to_le_bytes());
        put_block(&mut out, description.as_bytes());
        put_block(&mut out, scope.as_bytes());
        out
    }

    /// Wraps the key of a scope.
    pub(super) async fn wrap(
        new: &NewLock,
        memory: [u8; 16],
        id: u32,
        nonce: [u8; 12],
        key: &[u8; 32],
    ) -> Result<Self> {
        let associated = Self::associated(memory, id, &new.description, new.scope.canonical());
        let wrapped = new.key.seal(&nonce, &associated, key).await?;
        Ok(Self { since: 0, description: new.description.clone(), nonce, wrapped })
    }

    /// The key of the scope; `None` when `key` is another one or something was altered.
    pub(super) async fn unwrap(
        &self,
        key: &dyn CipherKey,
        memory: [u8; 16],
        id: u32,
        scope: &str,
    ) -> Result<Option<[u8; 32]>> {
        let associated = Self::associated(memory, id, &self.description, scope);
        let opened = key.open(&self.nonce, &associated, &self.wrapped).await?;
        Ok(opened.and_then(|opened| opened.try_into().ok()))
    }
}

/// A lock for a scope that is not stored yet.
#[derive(Clone)]
pub struct NewLock {
    pub(super) scope: Scope,
    pub(super) key: Rc<dyn CipherKey>,
    pub(super) description: String,
}

impl NewLock {
    pub(super) fn new(scope: &Scope, key: Rc<dyn CipherKey>, description: String) -> Result<Self> {
        check_description(&description)?;
        Ok(Self { scope: scope.clone(), key, description })
    }
}

impl fmt::Debug for NewLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewLock").field("scope", &self.scope).finish_non_exhaustive()
    }
}

/// What a write does to the lock of a scope.
#[derive(Debug, Clone)]
pub enum LockChange {
    /// The scope gets this lock. Without one before, it gets a key that was never stored in another way, so all its values go
    /// with the write; else the lock alone is another.
    Give(NewLock),
    /// Whoever has the scope open has to open it again.
    Close(Scope),
    /// The scope has no lock any more.
    Take(Scope),
}

/// That a scope is locked, and what to do.
pub(crate) fn scope_locked(scope: &Scope) -> Error {
    let message = format!(
        "the scope {} is locked; open it with encryption.unlock() and what it was locked with",
        scope.canonical()
    );
    Error::new(Code::Locked, message).with("scope", pairs(scope))
}

/// That some scopes are locked, so that something cannot be done to the whole memory.
pub(crate) fn scopes_locked(what: &str, scopes: &[Scope]) -> Error {
    let names: Vec<&str> = scopes.iter().map(Scope::canonical).collect();
    let message =
        format!("{what} while scopes are locked: {}; unlock or forget them first", names.join(", "));
    Error::new(Code::Locked, message).with("scopes", scopes.iter().map(pairs).collect::<Vec<Value>>())
}

fn pairs(scope: &Scope) -> Value {
    serde_json::from_str(scope.canonical()).unwrap_or_default()
}
