//! Opening, loading and catching up.

use super::database::{Database, Inner, State};
use crate::error::{Code, Result};
use crate::log::{HEAD_KEY, Head, Part, QUARANTINE, replay};
use crate::ports::{Batch, Platform, Storage};
use crate::store::{Recovered, Store};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// Beyond every key.
const END: &str = "~";
/// Just beyond every key of the log; the head comes before the log.
const LOG_END: &str = "log0";

impl Database {
    /// Opens what a storage holds; an empty storage is a new memory. Vectors of `embedder` are indexed, others left alone.
    ///
    /// Damage does not keep it from opening: what is readable is there, what is not is set aside and reported by
    /// [`verify`](Self::verify).
    ///
    /// # Errors
    /// `UnsupportedVersion` when a newer version wrote it, `Corrupt` when the head is gone, `Storage` when the storage
    /// fails.
    pub async fn open(storage: Rc<dyn Storage>, platform: Rc<dyn Platform>, embedder: &str) -> Result<Self> {
        let inner = Inner {
            storage,
            platform,
            state: RefCell::new(State {
                store: Store::new(embedder),
                head: Head::default(),
                damage: Vec::new(),
                tail_bytes: 0,
            }),
            queue: RefCell::new(VecDeque::new()),
            writing: Cell::new(false),
            closed: Cell::new(false),
            resting: RefCell::new(Vec::new()),
            listeners: RefCell::new(Vec::new()),
        };
        let database = Self { inner: Rc::new(inner) };
        let pairs = database.inner.storage.read("", END).await?;
        let recovered = recover(&pairs, embedder)?;
        let tidying = tidying(&pairs, &recovered);
        database.take(recovered);
        if let Some(batch) = tidying {
            database.tidy(batch).await?;
        }
        Ok(database)
    }

    /// Reads the whole storage.
    pub(super) async fn load(&self, embedder: &str) -> Result<Recovered> {
        recover(&self.inner.storage.read("", END).await?, embedder)
    }

    /// Takes a loaded state as the present one.
    fn take(&self, recovered: Recovered) {
        let mut state = self.inner.state.borrow_mut();
        state.tail_bytes = recovered.tail_bytes;
        state.store = recovered.store;
        state.head = recovered.head;
        state.damage = recovered.damage;
    }

    /// Copies damaged values aside and deletes stale keys. Neither has to succeed for the memory to be whole: another
    /// engine may be writing, or the disk be full. Then the next opening tries again.
    async fn tidy(&self, mut batch: Batch) -> Result<()> {
        let mut head = self.inner.state.borrow().head.clone();
        let expected = head.counter;
        head.counter += 1;
        batch.puts.push((HEAD_KEY.to_owned(), head.encode()));
        match self.inner.storage.write(&batch, expected).await {
            Ok(()) => {
                self.inner.state.borrow_mut().head = head;
                Ok(())
            }
            Err(error) if matches!(error.code, Code::Conflict | Code::QuotaExceeded) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Applies what other engines have committed since. Reads everything anew when it was folded already.
    pub(super) async fn catch_up(&self) -> Result<()> {
        let pairs = self.inner.storage.read(HEAD_KEY, LOG_END).await?;
        let known = self.inner.state.borrow().store.sequence();
        let image = replay(&pairs, known)?;
        if image.head.folded > known || !image.damage.is_empty() {
            let embedder = self.inner.state.borrow().store.embedder().to_owned();
            let recovered = self.load(&embedder).await?;
            self.take(recovered);
            return Ok(());
        }
        let folded = image.head.folded;
        self.inner.state.borrow_mut().head = image.head;
        for part in &image.parts {
            let Part::Commit(commit) = part else { continue };
            let (section, embeds) = commit.split()?;
            let changes = {
                let mut state = self.inner.state.borrow_mut();
                state.tail_bytes += commit.bytes();
                state.store.apply(section, &embeds)?
            };
            self.tell_commit(section, &changes, true)?;
        }
        if folded >= known {
            self.inner.state.borrow_mut().tail_bytes = image.parts.iter().map(Part::log_bytes).sum();
        }
        Ok(())
    }
}

fn recover(pairs: &[(String, Vec<u8>)], embedder: &str) -> Result<Recovered> {
    Store::load(embedder, replay(pairs, 0)?)
}

fn tidying(pairs: &[(String, Vec<u8>)], recovered: &Recovered) -> Option<Batch> {
    let damaged = |key: &str| recovered.damage.iter().any(|damage| key.starts_with(&damage.key));
    let puts: Vec<_> = pairs
        .iter()
        .filter(|(key, _)| damaged(key))
        .map(|(key, value)| (format!("{QUARANTINE}{key}"), value.clone()))
        .collect();
    let deletes = recovered.stale.clone();
    (!puts.is_empty() || !deletes.is_empty()).then_some(Batch { puts, deletes })
}
