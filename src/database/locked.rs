//! Scopes that are locked: what is not to be read, and what locks and unlocks it.

use super::database::Database;
use super::fold::Fold;
use crate::error::{Code, Error, Result};
use crate::log::{Column, HEAD_KEY, Head, QUARANTINE, parse_log_key, parse_segment_key, segment_key};
use crate::ports::{CipherKey, KeySource, Loaded, Pending, Sealing};
use crate::scope::Scope;
use crate::store::Recovered;
use crate::vault::{Closed, Contents, LockChange, Owners, ScopeLock, scope_locked, scopes_locked};
use std::rc::Rc;

/// What is not to be read of a storage.
#[derive(Default)]
pub(super) struct Locked {
    /// The scopes that are locked.
    pub(super) scopes: Vec<Scope>,
    /// Their values, in the order of their keys, as far as they belong to the state.
    pub(super) values: Vec<Closed>,
}

impl Locked {
    /// That a scope is not locked.
    pub(super) fn check(&self, scope: &Scope) -> Result<()> {
        if self.scopes.contains(scope) { Err(scope_locked(scope)) } else { Ok(()) }
    }
}

/// What is locked of what was read. A function of its own, so that the build can cut it off, as are those that follow: see
/// [`crate::ports::Part`].
#[inline(never)]
pub(super) fn find(_: Loaded<Sealing>, contents: Contents, recovered: &Recovered) -> Locked {
    let head = &recovered.head;
    let belongs = |closed: &Closed| match (parse_log_key(&closed.key), segment_of(closed)) {
        _ if recovered.rebuilt => true,
        (Some((sequence, _)), _) => (head.folded + 1..=head.sequence).contains(&sequence),
        (_, Some(id)) => head.segments.iter().any(|segment| segment.id == id),
        _ => false,
    };
    Locked { scopes: contents.locked, values: contents.closed.into_iter().filter(belongs).collect() }
}

/// Takes note of what other engines made after commit `known` in scopes that are locked here.
#[inline(never)]
pub(super) fn extend(_: Loaded<Sealing>, locked: &mut Locked, contents: Contents, head: &Head, known: u64) {
    let is_new = |closed: &Closed| {
        parse_log_key(&closed.key)
            .is_some_and(|(sequence, _)| (known + 1..=head.sequence).contains(&sequence))
    };
    locked.values.extend(contents.closed.into_iter().filter(is_new));
}

/// Whether the same is locked as before, and stands where it stood.
#[inline(never)]
pub(super) fn is_known(
    _: Loaded<Sealing>,
    locked: &Locked,
    contents: &Contents,
    (known, head): (&Head, &Head),
) -> bool {
    contents.locked == locked.scopes && (locked.scopes.is_empty() || head.segments == known.segments)
}

/// The scopes that were locked or unlocked since.
#[inline(never)]
pub(super) fn turned(_: Loaded<Sealing>, before: &Locked, now: &Locked) -> Vec<(Scope, bool)> {
    let of = |one: &Locked, other: &Locked, locked: bool| {
        let turned: Vec<_> = one.scopes.iter().filter(|scope| !other.scopes.contains(scope)).collect();
        turned.into_iter().map(|scope| (scope.clone(), locked)).collect::<Vec<_>>()
    };
    let mut turned = of(now, before, true);
    turned.extend(of(before, now, false));
    turned
}

/// The first commit of the segments that hold something locked of a scope; beyond all when none does.
pub(super) fn first_of(locked: &Locked, scope: Option<&Scope>, head: &Head) -> u64 {
    let of = locked.values.iter().filter(|closed| Some(&closed.scope) == scope).filter_map(segment_of);
    let segments = of.filter_map(|id| head.segments.iter().find(|segment| segment.id == id));
    segments.map(|segment| segment.first).min().unwrap_or(u64::MAX)
}

/// Carries along into a segment, as values of nobody, what is locked in the log and in segments that a head names no longer; what is
/// of a scope that goes stays behind. Answers what is locked then, and where it stands.
pub(super) fn carry(
    locked: &Locked,
    (id, head, goes): (u32, &Head, Option<&Scope>),
    counts: &mut [u32; 3],
    puts: &mut Vec<(String, Vec<u8>)>,
    deletes: &mut Vec<String>,
) -> Vec<Closed> {
    let stays = |id: u32| head.segments.iter().any(|segment| segment.id == id);
    let mut now = Vec::with_capacity(locked.values.len());
    for closed in &locked.values {
        let place = parse_segment_key(&closed.key);
        if place.is_some_and(|(id, ..)| stays(id)) {
            now.push(closed.clone());
            continue;
        }
        deletes.push(closed.key.clone());
        if Some(&closed.scope) == goes {
            continue;
        }
        let column = place.map_or(Column::Commits, |(_, column, _)| column);
        let count = column.of_mut(counts);
        let key = segment_key(id, column, *count);
        *count += 1;
        puts.push((key.clone(), closed.value.clone()));
        now.push(Closed { key, ..closed.clone() });
    }
    now
}

fn segment_of(closed: &Closed) -> Option<u32> {
    parse_segment_key(&closed.key).map(|(id, ..)| id)
}

/// What is done to the lock of a scope.
pub(crate) enum Locking {
    /// It gets a lock, or another one.
    Change(Rc<dyn KeySource>),
    /// It is unlocked here.
    Unlock(Rc<dyn KeySource>),
    /// It is locked, here and for every other engine.
    Lock,
    /// It has no lock any more.
    Remove,
}

impl Database {
    /// Whether a scope is locked.
    pub(crate) fn is_locked(&self, scope: &Scope) -> bool {
        self.check_unlocked(scope).is_err()
    }

    /// That a scope is not locked.
    ///
    /// # Errors
    /// `Locked` when it is.
    pub(crate) fn check_unlocked(&self, scope: &Scope) -> Result<()> {
        self.inner.state.borrow().locked.check(scope)?;
        // The key may be gone before what was read with it is.
        match self.inner.vault.lock_of(scope) {
            Some(lock) if lock.locked => Err(scope_locked(scope)),
            _ => Ok(()),
        }
    }

    /// That no scope is locked; `what` says what cannot be done otherwise.
    ///
    /// # Errors
    /// `Locked` when one is.
    pub(crate) fn check_all_unlocked(&self, what: &str) -> Result<()> {
        let state = self.inner.state.borrow();
        if state.locked.scopes.is_empty() { Ok(()) } else { Err(scopes_locked(what, &state.locked.scopes)) }
    }

    /// The lock of a scope; `None` when it has none.
    ///
    /// # Errors
    /// `Closed`.
    pub(crate) fn lock_of(&self, scope: &Scope) -> Result<Option<ScopeLock>> {
        self.check_open()?;
        let lock = self.inner.vault.lock_of(scope);
        Ok(lock.map(|lock| ScopeLock { locked: self.is_locked(scope), ..lock }))
    }

    /// Gives a scope a lock, opens it, closes it or takes it away.
    ///
    /// # Errors
    /// `InvalidInput` when the memory is not encrypted or the scope has no lock; `Locked` when the scope is locked and must not
    /// be; `WrongKey`; those of the source of the key, of reading and of writing.
    pub(crate) async fn lock(&self, scope: &Scope, locking: Locking) -> Result<()> {
        self.check_writable()?;
        let part = Loaded::by(&*self.inner.platform).await?;
        self.lock_loaded(part, scope, locking).await
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn lock_loaded<'a>(
        &'a self,
        part: Loaded<Sealing>,
        scope: &'a Scope,
        locking: Locking,
    ) -> Pending<'a, Result<()>> {
        part.work(Box::pin(async move {
            match locking {
                Locking::Change(source) => self.change_lock(scope, &*source).await,
                Locking::Unlock(source) => self.unlock(scope, &*source).await,
                Locking::Lock => self.close_lock(scope).await,
                Locking::Remove => self.remove_lock(scope).await,
            }
        }))
    }

    async fn change_lock(&self, scope: &Scope, source: &dyn KeySource) -> Result<()> {
        let new = self.inner.vault.new_lock(scope, source).await?;
        let of = scope.clone();
        self.errand(move |database| {
            Box::pin(async move {
                let change = || LockChange::Give(new.clone());
                let attempt = async || {
                    database.check_unlocked(&of)?;
                    database.found().await?;
                    if database.inner.vault.lock_of(&of).is_some() {
                        database.write_lock(change()).await
                    } else {
                        database.seal_anew(&of, change()).await
                    }
                };
                database.retried(attempt).await
            })
        })
        .await
    }

    async fn unlock(&self, scope: &Scope, source: &dyn KeySource) -> Result<()> {
        // Another engine may have given it another lock.
        self.refresh().await?;
        let lock = self.inner.vault.lock_of(scope).ok_or_else(|| no_lock(scope))?;
        if !self.is_locked(scope) {
            return Ok(());
        }
        let (key, _) = source.key(Some(&lock.description)).await?;
        let of = scope.clone();
        self.errand(move |database| Box::pin(async move { database.open_lock(&of, &*key).await })).await
    }

    /// Reads what is stored with the key of a scope.
    async fn open_lock(&self, scope: &Scope, key: &dyn CipherKey) -> Result<()> {
        self.inner.vault.open_lock(scope, key).await?;
        let read = self.reload(&[]).await;
        if read.is_err() {
            self.inner.vault.close_lock(scope);
        }
        read?;
        self.check_unlocked(scope)
    }

    async fn close_lock(&self, scope: &Scope) -> Result<()> {
        let of = scope.clone();
        self.errand(move |database| {
            Box::pin(async move {
                let vault = &database.inner.vault;
                vault.lock_of(&of).ok_or_else(|| no_lock(&of))?;
                vault.close_lock(&of);
                // What was read with the key goes whatever becomes of the writing.
                database.reload(&[]).await?;
                database.retried(async || database.write_lock(LockChange::Close(of.clone())).await).await
            })
        })
        .await
    }

    async fn remove_lock(&self, scope: &Scope) -> Result<()> {
        let of = scope.clone();
        self.errand(move |database| {
            Box::pin(async move {
                let attempt = async || {
                    if database.inner.vault.lock_of(&of).is_none() {
                        return Ok(());
                    }
                    database.check_unlocked(&of)?;
                    database.write_lock(LockChange::Take(of.clone())).await
                };
                database.retried(attempt).await
            })
        })
        .await
    }

    /// Writes the table of keys, and a head that names it.
    async fn write_lock(&self, change: LockChange) -> Result<()> {
        self.write_head(self.next_head(), &Owners { lock: Some(change), ..Owners::default() }).await
    }

    /// Writes everything anew, so that nothing of a scope is stored that can be read without its lock.
    async fn seal_anew(&self, scope: &Scope, change: LockChange) -> Result<()> {
        let mut division = self.division();
        division.with_lock.push(scope.canonical().to_owned());
        let Fold { step: (mut batch, mut head, expected), mut owners, closed, .. } =
            self.everything(&division).await?;
        // What was set aside may be of this scope.
        let is_aside = |key: &str| key.starts_with(QUARANTINE);
        let aside = batch.puts.iter().map(|(key, _)| key).filter(|key| is_aside(key)).cloned();
        batch.deletes.extend(aside.collect::<Vec<_>>());
        batch.puts.retain(|(key, _)| !is_aside(key));
        // Damaged values that others know of are stale from now on.
        head.erased = head.counter;
        batch.puts.pop();
        batch.puts.push((HEAD_KEY.to_owned(), head.encode()));
        owners.lock = Some(change);
        self.inner.vault.write(&batch, &owners, expected).await?;
        self.folded(head, closed);
        Ok(())
    }
}

fn no_lock(scope: &Scope) -> Error {
    Error::new(
        Code::InvalidInput,
        format!("the scope {} has no lock; give it one with encryption.change()", scope.canonical()),
    )
}
