//! The default storage of browsers: one IndexedDB database with one object store.

mod connection;
mod happened;
mod large;

use crate::error::{Code, Error, Result};
use crate::ports::{Batch, HEAD_KEY, Pairs, Pending, Storage, head_counter};
use crate::storage::conflict;
use crate::web::kind::kind;
use crate::web::thrown::Thrown;
use crate::web::turn::Turns;
use connection::Connection;
use futures_channel::oneshot;
use futures_util::future::join;
use happened::Happened;
use js_sys::{Array, Uint8Array};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, IdbKeyRange, IdbObjectStore, IdbRequest, IdbTransaction, IdbTransactionMode};

/// How many values are read together where most are small, and where one may have a MiB.
const SMALL_AT_ONCE: usize = 64;
const LARGE_AT_ONCE: usize = 4;
/// After how many bytes of values the browser is given the thread while they are copied for it, and while they are put: it copies each
/// at a stretch.
const PUT_AT_ONCE: usize = 2 << 20;

/// What a resolved write has survived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// A loss of power: the browser has asked the system to flush to the disk.
    #[default]
    Strict,
    /// A crash of the tab: the system has the bytes. Faster, the more so the busier the disk.
    Relaxed,
}

/// A [`Storage`] in the IndexedDB database `mnemic:{name}`, in pages and in workers.
///
/// Keys are strings outside of the values, values are `Uint8Array`s, large ones in Chromium Blobs. A write is one transaction, as is a
/// read but for the bytes of Blobs; each runs to its end even when the future is dropped. When the browser closes the connection (site data was cleared, Safari came back from
/// the background), the next call opens it again; when another tab deletes or upgrades the database, it lets go.
#[derive(Debug)]
pub struct IndexedDbStorage {
    shared: Rc<Shared>,
}

/// What a handle shares with the transactions under way.
#[derive(Debug)]
struct Shared {
    database: String,
    durability: Durability,
    connection: RefCell<Option<Rc<Connection>>>,
    closed: Cell<bool>,
}

impl IndexedDbStorage {
    /// Opens the database of this name, and makes it first if there is none.
    ///
    /// # Errors
    /// [`Code::Storage`] where there is no IndexedDB or the browser refuses it (some private modes and embedded frames),
    /// [`Code::UnsupportedVersion`] when a newer version of this library made the database, [`Code::QuotaExceeded`] when
    /// there is no room to make it.
    pub async fn open(name: &str, durability: Durability) -> Result<Self> {
        let shared = Rc::new(Shared {
            database: format!("mnemic:{name}"),
            durability,
            connection: RefCell::default(),
            closed: Cell::default(),
        });
        let opening = shared.clone();
        to_the_end(async move { opening.connected().await.map(drop) }).await?;
        Ok(Self { shared })
    }
}

impl Storage for IndexedDbStorage {
    fn read<'a>(&'a self, start: &'a str, end: &'a str) -> Pending<'a, Result<Pairs>> {
        Box::pin(async move {
            if start >= end {
                return Ok(Vec::new());
            }
            let range =
                IdbKeyRange::bound_with_lower_open_and_upper_open(&start.into(), &end.into(), false, true)
                    .map_err(|error| failed(&Thrown::new(&error)))?;
            to_the_end(self.shared.clone().read(range)).await
        })
    }

    fn write<'a>(&'a self, batch: &'a Batch, expected_head: u64) -> Pending<'a, Result<()>> {
        Box::pin(async move {
            let change = Change::new(batch).await?;
            to_the_end(self.shared.clone().write(change, expected_head)).await
        })
    }

    fn close(&self) {
        self.shared.closed.set(true);
        self.shared.connection.take();
    }
}

impl Shared {
    async fn read(self: Rc<Self>, range: IdbKeyRange) -> Result<Pairs> {
        let mut is_again = false;
        loop {
            let mut read = self.values(&range).await?;
            match large::read(read.blobs, &mut read.pairs).await {
                Ok(()) => return Ok(read.pairs),
                Err(error) if is_again => return Err(error),
                // Blobs are read after their transaction: another tab may have replaced them. Then what is stored now is read.
                Err(_) => is_again = true,
            }
        }
    }

    /// Reads in one transaction, a few values at a time: each answer holds the thread while the browser and this module copy it.
    async fn values(&self, range: &IdbKeyRange) -> Result<Read> {
        let opened = self.transaction(IdbTransactionMode::Readonly).await?;
        let mut read = Read::default();
        if !opened.read(range, &mut read).await? {
            // A request without an answer has undone it.
            self.end(&opened).await?;
        }
        // Nothing was changed, so the transaction need not be heard of again.
        Ok(read)
    }

    async fn write(self: Rc<Self>, change: Change, expected_head: u64) -> Result<()> {
        let opened = self.transaction(IdbTransactionMode::Readwrite).await?;
        let head = opened.store.get(&HEAD_KEY.into()).map_err(|error| failed(&Thrown::new(&error)))?;
        let (refusal, asked) = (Rc::new(RefCell::new(None)), Rc::new(Cell::new(false)));
        // The head and the changes go to the browser together, in one round trip if they are not large. It reports the head first, while
        // the transaction can still be undone.
        #[expect(deprecated, reason = "web-sys takes commit for outdated; the standard and browsers do not")]
        let on_head = Closure::<dyn FnMut()>::new({
            let (head, transaction) = (head.clone(), opened.transaction.clone());
            let (refusal, asked) = (refusal.clone(), asked.clone());
            move || match is_expected(&head, expected_head) {
                // Saves waiting for the report of each change. Otherwise the browser commits when it has reported them all.
                Ok(()) if asked.get() => transaction.commit().unwrap_or_default(),
                Ok(()) => {}
                Err(error) => {
                    refusal.replace(Some(error));
                    // Aborting fails only when the transaction has been aborted already.
                    transaction.abort().unwrap_or_default();
                }
            }
        });
        head.set_onsuccess(Some(on_head.as_ref().unchecked_ref()));
        match change.apply(&opened.store).await {
            Ok(()) => asked.set(true),
            Err(error) => {
                refusal.replace(Some(error));
                opened.transaction.abort().unwrap_or_default();
            }
        }
        let ended = self.end(&opened).await;
        head.set_onsuccess(None);
        ended.map_err(|error| refusal.take().unwrap_or(error))
    }

    /// Waits until a transaction is kept or undone. An `error` event is not waited for, because an `abort` follows it.
    async fn end(&self, opened: &Opened) -> Result<()> {
        if Happened::first(&opened.transaction, &["complete", "abort"]).await == "complete" {
            return Ok(());
        }
        let error = match opened.transaction.error() {
            Some(error) => failed(&Thrown::new(&error)),
            None => {
                Error::new(Code::Storage, "an IndexedDB transaction was aborted by the browser; try again")
            }
        };
        if error.code == Code::Storage {
            self.distrust(&opened.connection);
        }
        Err(error)
    }

    /// Begins a transaction, on a new connection if the old one turns out to be closed.
    async fn transaction(&self, mode: IdbTransactionMode) -> Result<Opened> {
        let connection = self.connected().await?;
        match connection.transaction(mode, self.durability) {
            Ok(transaction) => Opened::new(connection, transaction),
            Err(thrown) if thrown.is("InvalidStateError") => {
                self.distrust(&connection);
                let connection = self.connected().await?;
                let transaction =
                    connection.transaction(mode, self.durability).map_err(|thrown| failed(&thrown))?;
                Opened::new(connection, transaction)
            }
            Err(thrown) => Err(failed(&thrown)),
        }
    }

    /// The connection, opened again if it was lost.
    async fn connected(&self) -> Result<Rc<Connection>> {
        let kept = self.connection.borrow().clone().filter(|connection| connection.is_open());
        if let Some(connection) = kept {
            return Ok(connection);
        }
        if self.closed.get() {
            return Err(Error::new(Code::Closed, "the IndexedDB storage is closed; open the memory again"));
        }
        let connection = Rc::new(Connection::open(&self.database).await?);
        if !self.closed.get() {
            self.connection.replace(Some(connection.clone()));
        }
        Ok(connection)
    }

    /// Lets go of a connection that failed without a reason; the next call opens another.
    fn distrust(&self, connection: &Rc<Connection>) {
        let mut kept = self.connection.borrow_mut();
        if kept.as_ref().is_some_and(|kept| Rc::ptr_eq(kept, connection)) {
            kept.take();
        }
    }
}

/// A transaction under way, and the connection it needs.
#[derive(Debug, Clone)]
struct Opened {
    connection: Rc<Connection>,
    transaction: IdbTransaction,
    store: IdbObjectStore,
}

impl Opened {
    fn new(connection: Rc<Connection>, transaction: IdbTransaction) -> Result<Self> {
        let store =
            transaction.object_store(connection::STORE).map_err(|error| failed(&Thrown::new(&error)))?;
        Ok(Self { connection, transaction, store })
    }

    /// Reads what is in a range; `false` when a request had no answer.
    async fn read(&self, range: &IdbKeyRange, read: &mut Read) -> Result<bool> {
        // The first values are asked for together with the keys, so that a range with few of them takes one round trip.
        let keys = self.store.get_all_keys_with_key(range);
        let first = self.store.get_all_with_key_and_limit(range, LARGE_AT_ONCE as u32);
        let asked = keys.and_then(|keys| Ok((keys, first?)));
        let (asked, first) = asked.map_err(|error| failed(&Thrown::new(&error)))?;
        if join(has_answered(&asked), has_answered(&first)).await != (true, true) {
            return Ok(false);
        }
        let keys = list(&asked)?.to_vec();
        let (of_first, others) = keys.split_at(keys.len().min(LARGE_AT_ONCE));
        let mut others = at_once(others).into_iter();
        let mut ask = || others.next().map(|keys| self.values(keys).map(|asked| (keys, asked))).transpose();
        // The browser reads on meanwhile.
        let mut next = ask()?;
        read.take(of_first, &first)?;
        while let Some((keys, asked)) = next {
            if !has_answered(&asked).await {
                return Ok(false);
            }
            next = ask()?;
            read.take(keys, &asked)?;
        }
        Ok(true)
    }

    /// Asks for the values from the first to the last of some keys.
    fn values(&self, keys: &[JsValue]) -> Result<IdbRequest> {
        let asked = || {
            let none = JsValue::UNDEFINED;
            let range = IdbKeyRange::bound(keys.first().unwrap_or(&none), keys.last().unwrap_or(&none))?;
            self.store.get_all_with_key(&range)
        };
        asked().map_err(|error| failed(&Thrown::new(&error)))
    }
}

/// Keys in the groups whose values are read together. Those of the log are mostly small, others up to a little over
/// [`MAX_VALUE_BYTES`](crate::ports::MAX_VALUE_BYTES).
fn at_once(keys: &[JsValue]) -> Vec<&[JsValue]> {
    let is_small = |key: &JsValue| key.as_string().is_some_and(|key| !key.starts_with("segment/"));
    let mut groups = Vec::new();
    for alike in keys.chunk_by(|one, other| is_small(one) == is_small(other)) {
        let count = if alike.first().is_some_and(is_small) { SMALL_AT_ONCE } else { LARGE_AT_ONCE };
        groups.extend(alike.chunks(count));
    }
    groups
}

/// Waits for the answer of a request; `false` when it failed.
async fn has_answered(request: &IdbRequest) -> bool {
    Happened::first(request, &["success", "error"]).await == "success"
}

/// Values with their keys. Those that are Blobs are still empty: which place each has.
#[derive(Default)]
struct Read {
    pairs: Pairs,
    blobs: Vec<(usize, Blob)>,
}

impl Read {
    /// Copies the values of some keys.
    fn take(&mut self, keys: &[JsValue], answered: &IdbRequest) -> Result<()> {
        for (key, value) in keys.iter().zip(list(answered)?.iter()) {
            let key = key_of(key)?;
            let value = match value.dyn_into::<Blob>() {
                Ok(blob) => {
                    self.blobs.push((self.pairs.len(), blob));
                    Vec::new()
                }
                Err(value) => bytes(&key, &value)?,
            };
            self.pairs.push((key, value));
        }
        Ok(())
    }
}

/// A batch with all its bytes in JavaScript, made before the transaction begins.
struct Change {
    /// With the length of each value.
    puts: Vec<(JsValue, JsValue, usize)>,
    deletes: Vec<JsValue>,
}

impl Change {
    async fn new(batch: &Batch) -> Result<Self> {
        let (mut puts, mut bytes) = (Vec::with_capacity(batch.puts.len()), 0);
        let are_blobs = large::are_blobs();
        for (key, value) in &batch.puts {
            let kept = large::kept(value, are_blobs).map_err(|error| failed(&Thrown::new(&error)))?;
            puts.push((key.into(), kept, value.len()));
            bytes += value.len();
            if bytes >= PUT_AT_ONCE {
                bytes = 0;
                Turns::new().next().await;
            }
        }
        Ok(Self { puts, deletes: batch.deletes.iter().map(JsValue::from).collect() })
    }

    /// Asks for all changes; ends early when the transaction is undone meanwhile.
    async fn apply(&self, store: &IdbObjectStore) -> Result<()> {
        let thrown = |error: JsValue| failed(&Thrown::new(&error));
        let mut bytes = 0;
        for (key, value, length) in &self.puts {
            let put = store.put_with_key(value, key).map_err(thrown)?;
            bytes += length;
            if bytes >= PUT_AT_ONCE {
                bytes = 0;
                if !has_answered(&put).await {
                    return Ok(());
                }
            }
        }
        for key in &self.deletes {
            store.delete(key).map_err(thrown)?;
        }
        Ok(())
    }
}

/// Checks the head that the browser reports.
fn is_expected(head: &IdbRequest, expected_head: u64) -> Result<()> {
    let stored = head.result().map_err(|error| failed(&Thrown::new(&error)))?;
    let stored = if stored.is_undefined() { None } else { Some(bytes(HEAD_KEY, &stored)?) };
    let stored_head = head_counter(stored.as_deref())?;
    if stored_head == expected_head { Ok(()) } else { Err(conflict(expected_head, stored_head)) }
}

/// Runs work to its end, also when nobody waits for it any more: its handlers must outlive the transaction they serve.
async fn to_the_end<T: 'static>(work: impl Future<Output = Result<T>> + 'static) -> Result<T> {
    let (sender, receiver) = oneshot::channel();
    wasm_bindgen_futures::spawn_local(async move {
        // The receiver is gone when the caller has dropped the future.
        sender.send(work.await).ok();
    });
    receiver
        .await
        .unwrap_or_else(|_| Err(Error::new(Code::Internal, "an IndexedDB call ended without a result")))
}

fn list(request: &IdbRequest) -> Result<Array> {
    let result = request.result().map_err(|error| failed(&Thrown::new(&error)))?;
    result
        .dyn_into()
        .map_err(|other| Error::new(Code::Storage, format!("IndexedDB answered {} for a list", kind(&other))))
}

fn key_of(key: &JsValue) -> Result<String> {
    key.as_string().ok_or_else(|| {
        Error::new(
            Code::Corrupt,
            format!("IndexedDB holds {} as a key, which this storage did not write", kind(key)),
        )
    })
}

fn bytes(key: &str, value: &JsValue) -> Result<Vec<u8>> {
    value.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec).ok_or_else(|| {
        Error::new(
            Code::Corrupt,
            format!(
                "IndexedDB holds {} under {key}, which this storage did not write; restore a backup",
                kind(value)
            ),
        )
        .with("key", key)
    })
}

/// That a value is there and cannot be read.
fn unreadable(key: &str, thrown: &Thrown) -> Error {
    let message =
        format!("IndexedDB could not read the value under {key} ({thrown}); try again, or restore a backup");
    Error::new(Code::Storage, message).with("key", key)
}

/// What an exception of IndexedDB means.
fn failed(thrown: &Thrown) -> Error {
    if thrown.is_quota() {
        return Error::new(
            Code::QuotaExceeded,
            format!(
                "the browser has no more room for this site ({thrown}); free space on the device, or delete other data of the site: forgetting needs room too"
            ),
        );
    }
    if thrown.is("VersionError") {
        return Error::new(
            Code::UnsupportedVersion,
            format!(
                "a newer version of this library made the database ({thrown}); reload the page, or update the library"
            ),
        );
    }
    Error::new(Code::Storage, format!("IndexedDB failed: {thrown}"))
}
