//! The vault: a storage, with or without encryption.

use super::lock::{LockChange, NewLock, scope_locked};
use super::ring::{SealedBatch, create, unlock};
use crate::error::{Code, Error, Result};
use crate::log::{FrameKind, HEAD_KEY, KEYS, is_of};
use crate::ordered::Ordered;
use crate::ports::{
    Batch, Cipher, CipherKey, KeySource, Loaded, Pairs, Pending, Platform, ReadAt, Sealing, SourcedKey,
    Storage,
};
use crate::scope::Scope;
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;

/// How a memory is encrypted.
#[derive(Clone)]
pub struct Encryption {
    /// What encrypts.
    pub cipher: Rc<dyn Cipher>,
    /// Where the key comes from.
    pub source: Rc<dyn KeySource>,
}

/// Whether and how a memory is encrypted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EncryptionStatus {
    /// Whether it is.
    pub encrypted: bool,
    /// The description of the key, as its source gave it; none without encryption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// How many scopes have a key of their own.
    pub scopes: usize,
}

/// Whose the values of a batch are, and whose keys go with it.
#[derive(Debug, Clone, Default)]
pub struct Owners {
    /// The scopes that values belong to, by the values' keys; a value that is not here belongs to the memory.
    pub scopes: Ordered<String, Scope>,
    /// The scopes whose keys are destroyed.
    pub forgotten: Vec<Scope>,
    /// What becomes of the lock of a scope.
    pub lock: Option<LockChange>,
}

impl Owners {
    /// The scope that a value belongs to.
    pub(super) fn scope_of(&self, name: &str) -> Option<&str> {
        self.scopes.get(name).map(Scope::canonical)
    }
}

/// What a storage holds, opened.
#[derive(Debug, Default)]
pub struct Contents {
    /// Keys with their values, in key order; a value that cannot be opened is as it is stored.
    pub pairs: Pairs,
    /// The values that cannot be believed.
    pub faults: Vec<Fault>,
    /// Keys of the vault that belong to no state.
    pub stale: Vec<String>,
    /// The values of scopes that are locked, in key order. In `pairs` a frame stands in their place that says no more than that.
    pub closed: Vec<Closed>,
    /// The scopes that are locked.
    pub locked: Vec<Scope>,
    /// Whose the values are that were sealed by the keys of scopes with a lock, by the values' keys.
    pub guarded: Ordered<String, Scope>,
    /// The code that knows what is locked; none without encryption.
    pub part: Option<Loaded<Sealing>>,
}

/// A value of a scope that is locked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// Its key.
    pub key: String,
    /// Whose it is.
    pub scope: Scope,
    /// The value as it was sealed by the key of the scope, under whatever name it had then. Stored as the value of nobody, it is
    /// found again as this scope's.
    pub value: Vec<u8>,
}

/// The lock of a scope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScopeLock {
    /// The description of what opens it, as its source gave it.
    pub description: String,
    /// Whether it is locked now.
    pub locked: bool,
}

/// A value that cannot be believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its key.
    pub key: String,
    /// Why.
    pub message: String,
}

impl Fault {
    pub(super) fn new(key: &str, message: &str) -> Self {
        Self { key: key.to_owned(), message: message.to_owned() }
    }
}

/// The keys of an open memory, and what they do with its values. Its one implementation is loaded when it is needed.
pub(super) trait Keyring {
    /// Whether these are the keys of a stored memory.
    fn fits(&self, pairs: &Pairs) -> bool;

    /// The description of the key that wraps the root key.
    fn description(&self) -> String;

    /// How many scopes have a key.
    fn scopes(&self) -> usize;

    /// That nothing of the keys is stored, as when the storage was emptied: the next write stores them.
    fn forget_stored(&self);

    /// Wraps the root key by another key with the next write.
    fn change(&self, key: SourcedKey);

    /// Ends a change: the key is the one before if nothing was written since.
    fn end_change(&self);

    /// Whether the key that is changed to is the one that is stored, and not the one before.
    fn is_changed<'a>(&'a self, pairs: &'a Pairs) -> Pending<'a, Result<bool>>;

    /// Names of everything that is stored of the keys.
    fn names(&self) -> Vec<String>;

    /// Seals a batch.
    fn seal<'a>(&'a self, batch: &'a Batch, owners: &'a Owners) -> Pending<'a, Result<SealedBatch>>;

    /// That a batch is stored.
    fn settle(&self, sealed: SealedBatch);

    /// Opens what was read. Values of the log up to commit `after` are left closed, for whoever knows them.
    fn open(&self, pairs: Pairs, after: u64) -> Pending<'_, Result<Contents>>;

    /// The scopes that have a lock.
    fn with_lock(&self) -> Vec<String>;

    /// The lock of a scope; `None` when it has none.
    fn lock_of(&self, scope: &Scope) -> Option<ScopeLock>;

    /// Opens the lock of a scope; `false` when the key is another.
    fn open_lock<'a>(&'a self, scope: &'a Scope, key: &'a dyn CipherKey) -> Pending<'a, Result<bool>>;

    /// Lets go of the key of a scope with a lock.
    fn close_lock(&self, scope: &Scope);
}

/// Behind the one key of the storage that holds the wrapped root key.
const AFTER_KEYS: &str = "keys!";

/// A storage whose values are sealed if the memory is encrypted, and as they are if not.
pub struct Vault {
    storage: Rc<dyn Storage>,
    platform: Rc<dyn Platform>,
    encryption: RefCell<Option<Encryption>>,
    ring: RefCell<Option<Rc<dyn Keyring>>>,
}

impl Vault {
    /// A vault on a storage. Nothing is read or written before it is asked for.
    #[must_use]
    pub fn new(storage: Rc<dyn Storage>, platform: Rc<dyn Platform>, encryption: Option<Encryption>) -> Self {
        Self { storage, platform, encryption: RefCell::new(encryption), ring: RefCell::default() }
    }

    /// All pairs with `start <= key < end`, opened. Values of the log up to commit `after` may be left closed.
    ///
    /// # Errors
    /// `Locked` when the memory is encrypted and no key was given, or is no longer encrypted; `WrongKey` when the key is
    /// another; `Corrupt` when the keys themselves are damaged; and those of the storage and of the source of the key.
    pub async fn read(&self, start: &str, end: &str, after: u64) -> Result<Contents> {
        let pairs = self.storage.read(start, end).await?;
        let ring = self.ring.borrow().clone();
        let ring = match ring {
            None if !is_sealed(&pairs) => return Ok(Contents { pairs, ..Contents::default() }),
            Some(ring) if is_sealed(&pairs) && ring.fits(&pairs) => ring,
            Some(ring) if value_of(&pairs, HEAD_KEY).is_none() => {
                // The storage was emptied.
                ring.forget_stored();
                return Ok(Contents { pairs, ..Contents::default() });
            }
            Some(_) if !is_sealed(&pairs) => return Err(changed()),
            Some(_) | None => {
                let encryption = self.encryption.borrow().clone().ok_or_else(locked)?;
                unlock(self.part().await?, self.platform.clone(), encryption, &pairs).await?
            }
        };
        let contents = ring.open(pairs, after).await?;
        self.ring.replace(Some(ring));
        Ok(contents)
    }

    /// All pairs with `start <= key < end` as they are stored; `None` when they are sealed, or values were.
    ///
    /// # Errors
    /// Those of [`Storage::read`].
    pub async fn read_plain(&self, start: &str, end: &str) -> Result<Option<Pairs>> {
        if self.is_sealed() {
            return Ok(None);
        }
        let pairs = self.storage.read(start, end).await?;
        Ok(Some(pairs).filter(|pairs| !is_sealed(pairs)))
    }

    /// Applies a batch if the stored head has the expected counter.
    ///
    /// # Errors
    /// Those of [`Storage::write`]; and `Internal` where the runtime refuses to encrypt.
    pub async fn write(&self, batch: &Batch, owners: &Owners, expected_head: u64) -> Result<()> {
        let ring = self.ring.borrow().clone();
        let Some(ring) = ring else { return self.storage.write(batch, expected_head).await };
        let sealed = ring.seal(batch, owners).await?;
        self.storage.write(&sealed.batch, expected_head).await?;
        ring.settle(sealed);
        Ok(())
    }

    /// What reads parts of values at once; none when they are sealed, or the storage cannot.
    #[must_use]
    pub fn reader(&self) -> Option<Rc<dyn ReadAt>> {
        if self.is_sealed() { None } else { self.storage.reader() }
    }

    /// Whether values are sealed.
    #[must_use]
    pub fn is_sealed(&self) -> bool {
        self.ring.borrow().is_some()
    }

    /// Whether and how it is encrypted.
    #[must_use]
    pub fn status(&self) -> EncryptionStatus {
        let ring = self.ring.borrow();
        EncryptionStatus {
            encrypted: ring.is_some(),
            description: ring.as_ref().map(|ring| ring.description()),
            scopes: ring.as_ref().map_or(0, |ring| ring.scopes()),
        }
    }

    /// Keys for a memory that is to be encrypted; [`write_sealed`](Self::write_sealed) puts them to use.
    ///
    /// # Errors
    /// `Load`.
    pub async fn new_keys(&self, encryption: Encryption, key: SourcedKey) -> Result<NewKeys> {
        self.encryption.replace(Some(encryption.clone()));
        Ok(NewKeys(create(self.part().await?, self.platform.clone(), encryption.cipher, key).await?))
    }

    async fn part(&self) -> Result<Loaded<Sealing>> {
        Loaded::by(&*self.platform).await
    }

    /// Applies a batch that writes every value anew, sealed by new keys, which are the memory's keys from then on.
    ///
    /// # Errors
    /// As [`write`](Self::write); nothing is encrypted then.
    pub async fn write_sealed(
        &self,
        keys: &NewKeys,
        batch: &Batch,
        owners: &Owners,
        expected_head: u64,
    ) -> Result<()> {
        let sealed = keys.0.seal(batch, owners).await?;
        self.storage.write(&sealed.batch, expected_head).await?;
        keys.0.settle(sealed);
        self.ring.replace(Some(keys.0.clone()));
        Ok(())
    }

    /// Applies a batch that writes every value anew, as it is, and takes the keys away.
    ///
    /// # Errors
    /// As [`write`](Self::write); everything stays encrypted then.
    pub async fn write_plain(&self, mut batch: Batch, expected_head: u64) -> Result<()> {
        if let Some(ring) = &*self.ring.borrow() {
            batch.deletes.extend(ring.names());
        }
        self.storage.write(&batch, expected_head).await?;
        self.ring.replace(None);
        self.encryption.replace(None);
        Ok(())
    }

    /// Wraps the root key by another key of a source: `write` writes a head, and with it goes the one value that changes. If it
    /// fails, the key is the one before.
    ///
    /// # Errors
    /// `InvalidInput` when the memory is not encrypted; those of `write`, with `details.unsure` when the storage does not even
    /// tell which key it holds.
    pub async fn change_key(
        &self,
        source: Rc<dyn KeySource>,
        key: SourcedKey,
        write: impl AsyncFnOnce() -> Result<()>,
    ) -> Result<()> {
        let ring = self.ring.borrow().clone();
        let Some(ring) = ring else {
            return Err(Error::new(
                Code::InvalidInput,
                "the memory is not encrypted; it has no key to change",
            ));
        };
        ring.change(key);
        let written = match write().await {
            // The medium failed, and may have kept the value all the same: what is there now tells.
            Err(error) if error.code == Code::Storage => match self.has_changed(&*ring).await {
                Ok(true) => Ok(()),
                Ok(false) => Err(error),
                Err(_) => Err(error
                    .about("the key may have been changed or not; keep both, and see which opens the memory")
                    .with("unsure", true)),
            },
            written => written,
        };
        ring.end_change();
        if written.is_ok()
            && let Some(encryption) = &mut *self.encryption.borrow_mut()
        {
            encryption.source = source;
        }
        written
    }

    async fn has_changed(&self, ring: &dyn Keyring) -> Result<bool> {
        ring.is_changed(&self.storage.read(KEYS, AFTER_KEYS).await?).await
    }

    /// The scopes that have a lock; what is stored of them tells others no more than what was forgotten does.
    #[must_use]
    pub fn with_lock(&self) -> Vec<String> {
        self.ring.borrow().as_ref().map_or_else(Vec::new, |ring| ring.with_lock())
    }

    /// The lock of a scope; `None` when it has none.
    #[must_use]
    pub fn lock_of(&self, scope: &Scope) -> Option<ScopeLock> {
        self.ring.borrow().as_ref()?.lock_of(scope)
    }

    /// A lock for a scope, to be written with [`LockChange::Give`].
    ///
    /// # Errors
    /// `InvalidInput` when the memory is not encrypted, `Locked` when the scope is locked, and those of the source of the key.
    pub async fn new_lock(&self, scope: &Scope, source: &dyn KeySource) -> Result<NewLock> {
        if !self.is_sealed() {
            return Err(Error::new(
                Code::InvalidInput,
                "the memory is not encrypted, so none of its scopes can be locked; encrypt it first",
            ));
        }
        if self.lock_of(scope).is_some_and(|lock| lock.locked) {
            return Err(scope_locked(scope));
        }
        let (key, description) = source.key(None).await?;
        NewLock::new(scope, key, description)
    }

    /// Opens the lock of a scope, whose values can be read from then on. One that is open, or has no lock, stays as it is.
    ///
    /// # Errors
    /// `WrongKey` when the key is another, and those of the source of the key.
    pub async fn open_lock(&self, scope: &Scope, key: &dyn CipherKey) -> Result<()> {
        let ring = self.ring.borrow().clone();
        let Some(ring) = ring else { return Ok(()) };
        if ring.open_lock(scope, key).await? {
            return Ok(());
        }
        Err(Error::new(
            Code::WrongKey,
            format!(
                "the passphrase or key does not open the scope {}; give the one that it was locked with",
                scope.canonical()
            ),
        ))
    }

    /// Lets go of the key of a scope with a lock.
    pub fn close_lock(&self, scope: &Scope) {
        if let Some(ring) = &*self.ring.borrow() {
            ring.close_lock(scope);
        }
    }

    /// Lets go of the storage.
    pub fn close(&self) {
        self.storage.close();
    }
}

/// Keys that are not in use yet.
pub struct NewKeys(Rc<dyn Keyring>);

/// Whether what was read is of an encrypted memory: its head says it, or without a readable head, any other value.
fn is_sealed(pairs: &Pairs) -> bool {
    let head = value_of(pairs, HEAD_KEY).and_then(|value| value.get(8..)).unwrap_or_default();
    if is_of(FrameKind::Head, head) {
        return false;
    }
    is_of(FrameKind::Sealed, head) || pairs.iter().any(|(_, value)| is_of(FrameKind::Sealed, value))
}

fn locked() -> Error {
    Error::new(
        Code::Locked,
        "the memory is encrypted; open it with the option encryption and the passphrase, passkey or key it was encrypted with",
    )
}

fn changed() -> Error {
    Error::new(
        Code::Locked,
        "the memory is no longer encrypted, or with other keys; close it and open it again",
    )
}

/// The value under a name.
pub(super) fn value_of<'a>(pairs: &'a Pairs, name: &str) -> Option<&'a [u8]> {
    pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_slice())
}
