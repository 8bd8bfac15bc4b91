//! The keys of an open memory, and what they do with its values.

mod opening;

use super::keys::Keys;
use super::lock::{Lock, LockChange, NewLock, scope_locked};
use super::sealed::Label;
use super::table::Table;
use super::vault::{Contents, Encryption, Keyring, Owners, ScopeLock, value_of};
use crate::error::{Code, Error, Result};
use crate::log::{HEAD_KEY, KEYS};
use crate::ordered::{Ordered, in_order};
use crate::ports::{
    Batch, Cipher, CipherKey, Loaded, Pairs, Pending, Platform, Sealing, SourcedKey, head_counter,
};
use crate::scope::Scope;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The id of the root key.
const ROOT: u32 = 0;
/// From how many bytes of values on the next ones wait until these are sealed, and others have the thread before: the runtime copies
/// each at a stretch.
const SEALED_AT_ONCE: usize = 2 << 20;

/// The keys of an open memory.
struct Ring {
    part: Loaded<Sealing>,
    platform: Rc<dyn Platform>,
    cipher: Rc<dyn Cipher>,
    /// A random id of the memory since it was encrypted.
    memory: [u8; 16],
    root: [u8; 32],
    way: RefCell<Rc<Way>>,
    /// The way before a change that is not stored yet.
    before: RefCell<Option<Rc<Way>>>,
    table: RefCell<Rc<Table>>,
    /// The keys that were used so far, with their bytes: a number that a failed write gave is given again.
    handles: RefCell<Ordered<u32, Handle>>,
}

type Handle = ([u8; 32], Rc<dyn CipherKey>);

/// The way to the root key.
struct Way {
    key: Rc<dyn CipherKey>,
    description: String,
    /// The counter of the head that was written with it; 0 while it is not stored.
    written: Cell<u64>,
}

/// A batch as it is stored, and what is so once it is.
pub(super) struct SealedBatch {
    pub(super) batch: Batch,
    table: Rc<Table>,
    /// The counter of the write.
    counter: u64,
    way: Rc<Way>,
}

/// New keys for a memory that is to be encrypted.
///
/// A function of its own, so that the build can cut it off, as are all of this folder: see [`crate::ports::Part`].
#[inline(never)]
pub(super) fn create(
    part: Loaded<Sealing>,
    platform: Rc<dyn Platform>,
    cipher: Rc<dyn Cipher>,
    (key, description): SourcedKey,
) -> Pending<'static, Result<Rc<dyn Keyring>>> {
    part.work(Box::pin(async move {
        let (memory, root) = (random(&*platform), random(&*platform));
        let way = Way { key, description, written: Cell::new(0) };
        let ring: Rc<dyn Keyring> = Rc::new(Ring::of(part, platform, cipher, memory, root, way));
        Ok(ring)
    }))
}

/// The keys of a stored memory.
#[inline(never)]
pub(super) fn unlock(
    part: Loaded<Sealing>,
    platform: Rc<dyn Platform>,
    encryption: Encryption,
    pairs: &Pairs,
) -> Pending<'_, Result<Rc<dyn Keyring>>> {
    part.work(Box::pin(async move {
        let Encryption { cipher, source } = encryption;
        let stored = value_of(pairs, KEYS).unwrap_or_default();
        let (keys, nonce, wrapped) = Keys::decode(stored).map_err(|error| match error.code {
            Code::Corrupt => error.about(
                "the value \"keys\" is damaged, so nothing of the memory can be read; restore a backup",
            ),
            _ => error,
        })?;
        let (key, _) = source.key(Some(keys.description)).await?;
        let Some(root) = keys.unwrap(&*key, nonce, wrapped).await? else {
            return Err(Error::new(
                Code::WrongKey,
                "the passphrase or key does not open this memory; give the one that it was encrypted with",
            ));
        };
        let way = Way { key, description: keys.description.to_owned(), written: Cell::new(keys.counter) };
        let ring: Rc<dyn Keyring> = Rc::new(Ring::of(part, platform, cipher, keys.memory, root, way));
        Ok(ring)
    }))
}

impl Ring {
    fn of(
        part: Loaded<Sealing>,
        platform: Rc<dyn Platform>,
        cipher: Rc<dyn Cipher>,
        memory: [u8; 16],
        root: [u8; 32],
        way: Way,
    ) -> Self {
        let way = RefCell::new(Rc::new(way));
        let (before, table, handles) = Default::default();
        Self { part, platform, cipher, memory, root, way, before, table, handles }
    }

    /// The key with a number in a table; `None` when it is not there.
    async fn handle(&self, id: u32, table: &Table) -> Result<Option<Rc<dyn CipherKey>>> {
        let Some(key) = table.key(id).or((id == ROOT).then_some(self.root)) else { return Ok(None) };
        if let Some((bytes, handle)) = self.handles.borrow().get(&id)
            && *bytes == key
        {
            return Ok(Some(handle.clone()));
        }
        let handle = self.cipher.import(&key).await?;
        self.handles.borrow_mut().insert(id, (key, handle.clone()));
        Ok(Some(handle))
    }

    /// Makes handles of the keys with these numbers, of all of them at the same time: a runtime takes a while for each.
    async fn import(&self, ids: &mut dyn Iterator<Item = u32>, table: &Table) -> Result<()> {
        let keys: Vec<(u32, [u8; 32])> = {
            let handles = self.handles.borrow();
            let is_new = |(id, key): &(u32, [u8; 32])| handles.get(id).is_none_or(|(known, _)| known != key);
            in_order(ids).into_iter().filter_map(|id| Some((id, table.key(id)?))).filter(is_new).collect()
        };
        let begun: Vec<_> = keys.iter().map(|(_, key)| self.cipher.import(key)).collect();
        for (handle, (id, key)) in begun.into_iter().zip(&keys) {
            let handle = handle.await?;
            self.handles.borrow_mut().insert(*id, (*key, handle));
        }
        Ok(())
    }

    /// Seals a batch.
    async fn seal_batch(&self, batch: &Batch, owners: &Owners) -> Result<SealedBatch> {
        let (head, values) =
            batch.puts.split_last().ok_or_else(|| Error::new(Code::Internal, "a batch has no head"))?;
        let counter = head_counter(Some(&head.1))?;
        let (before, way) = (self.table.borrow().clone(), self.way.borrow().clone());
        let (table, keys) = self.table_for(&before, owners, counter).await?;
        let mut deletes = batch.deletes.clone();
        if !keys.is_empty() {
            deletes.extend(before.names());
        }
        let wrapped = way.written.get() == 0;
        let way_counter = if wrapped { counter } else { way.written.get() };
        let mut noted = Vec::new();
        noted.extend_from_slice(&table.written.to_le_bytes());
        noted.extend_from_slice(&table.parts.to_le_bytes());
        noted.extend_from_slice(&way_counter.to_le_bytes());
        noted.extend_from_slice(head.1.get(8..).unwrap_or_default());

        let keyed = keys.iter().map(|(name, value)| (ROOT, name, value));
        let owned = values.iter().map(|(name, value)| {
            let scope = owners.scope_of(name);
            (scope.and_then(|scope| table.id(scope)).unwrap_or(ROOT), name, value)
        });
        let plain: Vec<_> = keyed.chain(owned).chain([(ROOT, &head.0, &noted)]).collect();
        let mut work = Vec::with_capacity(plain.len());
        for (key, name, value) in plain {
            let label = Label { key, counter, name };
            let Some(handle) = self.handle(key, &table).await? else {
                // It was locked since the state was read.
                let code = if table.is_locked(key) { Code::Conflict } else { Code::Internal };
                return Err(Error::new(code, "there is no key for a scope; read again and retry"));
            };
            let associated = label.associated(self.memory);
            work.push((label, handle, random(&*self.platform), associated, value));
        }
        let mut puts = Vec::with_capacity(work.len() + 1);
        if wrapped {
            let keys = Keys { memory: self.memory, counter, description: &way.description };
            let nonce = random(&*self.platform);
            puts.push((KEYS.to_owned(), keys.wrap(&*way.key, nonce, &self.root).await?));
        }
        let (mut rest, mut is_much) = (work.as_slice(), false);
        while !rest.is_empty() {
            let mut bytes = 0;
            let is_next = |(.., value): &&(_, _, _, _, &Vec<u8>)| {
                let is_next = bytes < SEALED_AT_ONCE;
                bytes += value.len();
                is_next
            };
            let (some, others) = rest.split_at(rest.iter().take_while(is_next).count());
            if bytes >= SEALED_AT_ONCE {
                is_much = true;
                self.platform.yield_now().await;
            }
            // These begin before the first of them is waited for.
            let begun: Vec<_> = some
                .iter()
                .map(|(_, handle, nonce, associated, value)| handle.seal(nonce, associated, value))
                .collect();
            for (sealed, (label, _, nonce, ..)) in begun.into_iter().zip(some) {
                let mut value = label.frame(*nonce, &sealed.await?);
                if label.name == HEAD_KEY {
                    value.splice(0..0, counter.to_le_bytes());
                }
                puts.push((label.name.to_owned(), value));
            }
            rest = others;
        }
        if is_much {
            // The storage copies them too.
            self.platform.yield_now().await;
        }
        Ok(SealedBatch { batch: Batch { puts, deletes }, table, counter, way })
    }

    /// The table after a batch, and the values it takes if it is another than before.
    async fn table_for(
        &self,
        before: &Rc<Table>,
        owners: &Owners,
        counter: u64,
    ) -> Result<(Rc<Table>, Vec<(String, Vec<u8>)>)> {
        let mut table = Table::clone(before);
        let mut is_new = owners.lock.is_some();
        for scope in &owners.forgotten {
            is_new |= table.remove(scope.canonical());
        }
        match &owners.lock {
            Some(LockChange::Give(new)) => self.give_lock(&mut table, new, counter).await?,
            Some(LockChange::Close(scope)) => {
                let id = table.id(scope.canonical()).unwrap_or(ROOT);
                let lock = table.lock(id).map(|lock| Lock { since: counter, ..lock.clone() });
                table.set_lock(id, lock);
            }
            Some(LockChange::Take(scope)) => {
                let id = table.id(scope.canonical()).unwrap_or(ROOT);
                if table.is_locked(id) {
                    return Err(scope_locked(scope));
                }
                table.set_lock(id, None);
            }
            None => {}
        }
        for scope in owners.scopes.values() {
            if table.id(scope.canonical()).is_none() {
                table.add(scope.canonical(), random(&*self.platform));
                is_new = true;
            }
        }
        if !is_new {
            return Ok((before.clone(), Vec::new()));
        }
        let values = table.encode(counter);
        Ok((Rc::new(table), values))
    }

    async fn give_lock(&self, table: &mut Table, new: &NewLock, counter: u64) -> Result<()> {
        let scope = new.scope.canonical();
        let known = table.id(scope).and_then(|id| Some((id, table.lock(id)?.since)));
        let (id, since) = match known {
            Some(known) => known,
            // A key that was stored before can be had without the lock.
            None => {
                table.remove(scope);
                (table.add(scope, random(&*self.platform)), counter)
            }
        };
        let key = table.key(id).ok_or_else(|| scope_locked(&new.scope))?;
        let lock = Lock::wrap(new, self.memory, id, random(&*self.platform), &key).await?;
        table.set_lock(id, Some(Lock { since, ..lock }));
        Ok(())
    }

    /// Goes by a table from now on. Of keys that are no longer in it, nothing is kept.
    fn know(&self, table: Rc<Table>) {
        let mut handles = Ordered::new();
        for (id, handle) in self.handles.borrow().iter() {
            if *id == ROOT || table.key(*id) == Some(handle.0) {
                handles.insert(*id, handle.clone());
            }
        }
        self.handles.replace(handles);
        self.table.replace(table);
    }
}

impl Keyring for Ring {
    fn fits(&self, pairs: &Pairs) -> bool {
        let stored = value_of(pairs, KEYS).map(Keys::decode);
        // What is damaged can still be opened by who has the keys already.
        stored.is_none_or(|keys| keys.is_ok_and(|(keys, ..)| keys.memory == self.memory))
    }

    fn description(&self) -> String {
        self.way.borrow().description.clone()
    }

    fn scopes(&self) -> usize {
        self.table.borrow().len()
    }

    fn forget_stored(&self) {
        self.way.borrow().written.set(0);
        self.table.replace(Rc::default());
    }

    fn change(&self, (key, description): SourcedKey) {
        let way = Rc::new(Way { key, description, written: Cell::new(0) });
        let before = self.way.replace(way);
        self.before.replace(Some(before));
    }

    fn is_changed<'a>(&'a self, pairs: &'a Pairs) -> Pending<'a, Result<bool>> {
        Box::pin(async move {
            let way = self.way.borrow().clone();
            let (keys, nonce, wrapped) = Keys::decode(value_of(pairs, KEYS).unwrap_or_default())?;
            let is_changed =
                keys.unwrap(&*way.key, nonce, wrapped).await?.is_some_and(|root| root == self.root);
            if is_changed {
                way.written.set(keys.counter);
            }
            Ok(is_changed)
        })
    }

    fn end_change(&self) {
        let before = self.before.take().filter(|_| self.way.borrow().written.get() == 0);
        if let Some(before) = before {
            self.way.replace(before);
        }
    }

    fn names(&self) -> Vec<String> {
        self.table.borrow().names().chain([KEYS.to_owned()]).collect()
    }

    fn seal<'a>(&'a self, batch: &'a Batch, owners: &'a Owners) -> Pending<'a, Result<SealedBatch>> {
        Box::pin(self.seal_batch(batch, owners))
    }

    fn settle(&self, sealed: SealedBatch) {
        if sealed.way.written.get() == 0 {
            sealed.way.written.set(sealed.counter);
        }
        self.know(sealed.table);
    }

    fn open(&self, pairs: Pairs, after: u64) -> Pending<'_, Result<Contents>> {
        Box::pin(self.open_pairs(pairs, after))
    }

    fn with_lock(&self) -> Vec<String> {
        self.table.borrow().with_lock().map(|(scope, _)| scope.to_owned()).collect()
    }

    fn lock_of(&self, scope: &Scope) -> Option<ScopeLock> {
        let table = self.table.borrow();
        let id = table.id(scope.canonical())?;
        let description = table.lock(id)?.description.clone();
        Some(ScopeLock { description, locked: table.is_locked(id) })
    }

    fn open_lock<'a>(&'a self, scope: &'a Scope, key: &'a dyn CipherKey) -> Pending<'a, Result<bool>> {
        Box::pin(async move {
            let table = self.table.borrow().clone();
            let Some(id) = table.id(scope.canonical()) else { return Ok(true) };
            let Some(lock) = table.lock(id) else { return Ok(true) };
            let Some(opened) = lock.unwrap(key, self.memory, id, scope.canonical()).await? else {
                return Ok(false);
            };
            let mut table = Table::clone(&table);
            table.set_open(id, Some(opened));
            self.know(Rc::new(table));
            Ok(true)
        })
    }

    fn close_lock(&self, scope: &Scope) {
        let mut table = Table::clone(&self.table.borrow());
        if let Some(id) = table.id(scope.canonical()).filter(|id| table.lock(*id).is_some()) {
            table.set_open(id, None);
            self.know(Rc::new(table));
        }
    }
}

/// Random bytes.
fn random<const N: usize>(platform: &dyn Platform) -> [u8; N] {
    let mut bytes = [0; N];
    for chunk in bytes.chunks_mut(10) {
        for (byte, random) in chunk.iter_mut().zip(platform.random()) {
            *byte = random;
        }
    }
    bytes
}
