//! The keys of an open memory, and what they do with its values.

use super::keys::Keys;
use super::lock::{Lock, LockChange, NewLock, scope_locked};
use super::sealed::{Label, SealedView};
use super::table::Table;
use super::vault::{Closed, Contents, Encryption, Fault, Keyring, Owners, ScopeLock, value_of};
use crate::error::{Code, Error, Result};
use crate::log::{
    Column, Commit, FrameKind, HEAD_KEY, KEYS, QUARANTINE, Reader, encode_frame, is_of, keys_key,
    parse_keys_key, parse_log_key, parse_segment_key,
};
use crate::ordered::{Ordered, in_order};
use crate::ports::{
    Batch, Cipher, CipherKey, Loaded, Pairs, Pending, Platform, Sealing, SourcedKey, head_counter,
};
use crate::scope::Scope;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The id of the root key.
const ROOT: u32 = 0;

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

/// What a sealed head says in front of the head.
struct HeadNote {
    /// The counters of the heads that were written with the table and with the way.
    table: u64,
    parts: u32,
    way: u64,
}

impl HeadNote {
    fn split(bytes: &[u8]) -> Result<(Self, &[u8])> {
        let mut reader = Reader::new(bytes);
        let note = Self { table: reader.u64()?, parts: reader.u32()?, way: reader.u64()? };
        Ok((note, reader.rest()))
    }
}

/// New keys for a memory that is to be encrypted.
///
/// A function of its own, so that the build can cut it off, as are all of this file: see [`crate::ports::Part`].
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
        // All begin before the first is waited for.
        let begun: Vec<_> = work
            .iter()
            .map(|(_, handle, nonce, associated, value)| handle.seal(nonce, associated, value))
            .collect();
        let mut puts = Vec::with_capacity(work.len() + 1);
        if wrapped {
            let keys = Keys { memory: self.memory, counter, description: &way.description };
            let nonce = random(&*self.platform);
            puts.push((KEYS.to_owned(), keys.wrap(&*way.key, nonce, &self.root).await?));
        }
        for (sealed, (label, _, nonce, ..)) in begun.into_iter().zip(&work) {
            let mut value = label.frame(*nonce, &sealed.await?);
            if label.name == HEAD_KEY {
                value.splice(0..0, counter.to_le_bytes());
            }
            puts.push((label.name.to_owned(), value));
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

    /// Opens what was read. Values of the log up to commit `after` are left closed, for whoever knows them.
    async fn open_pairs(&self, mut pairs: Pairs, after: u64) -> Result<Contents> {
        let mut faults = Vec::new();
        let head = self.open_head(&mut pairs, &mut faults).await?;
        let stale = self.find_table(&pairs, head.as_ref()).await?;
        if let Some((_, note)) = &head {
            self.check_way(&pairs, note)?;
        }
        let table = self.table.borrow().clone();
        let (mut work, mut closed, mut guarded) = (Vec::new(), Vec::new(), Ordered::new());
        let mut views = Vec::with_capacity(pairs.len());
        for (place, (name, value)) in pairs.iter().enumerate() {
            let known = parse_log_key(name).is_some_and(|(sequence, _)| sequence <= after);
            if !is_engines(name) || known {
                continue;
            }
            match SealedView::decode(value) {
                Ok(view) => views.push((place, name, value, view)),
                Err(error) if error.code == Code::UnsupportedVersion => return Err(error),
                Err(error) => faults.push(Fault { key: name.clone(), message: error.into() }),
            }
        }
        self.import(&mut views.iter().map(|(.., view)| view.key), &table).await?;
        for (place, name, value, view) in views {
            match self.handle(view.key, &table).await? {
                Some(handle) => work.push((place, handle, view.associated(self.memory), view)),
                None if !table.is_locked(view.key) => faults.push(Fault::new(name, "its key was destroyed")),
                // What was set aside stays as it is.
                None if name.starts_with(QUARANTINE) => {}
                None => closed.push((place, view.key, value.clone())),
            }
            note_guarded(&mut guarded, name, view.key, &table);
        }
        let begun: Vec<_> = work
            .iter()
            .map(|(_, handle, associated, view)| handle.open(&view.nonce, associated, view.ciphertext))
            .collect();
        let (mut opened, mut newest) = (Vec::with_capacity(work.len()), 0);
        for (plain, (place, _, _, view)) in begun.into_iter().zip(&work) {
            let plain = plain.await?;
            let Some((name, _)) = pairs.get(*place) else { continue };
            match plain {
                Some(plain) if view.name == name => {
                    newest = newest.max(view.counter);
                    opened.push((*place, plain));
                }
                Some(_) => {
                    faults.push(Fault::new(name, &format!("the value was moved here from {:?}", view.name)));
                }
                None => faults.push(Fault::new(name, "the value was altered")),
            }
        }
        drop(work);
        for (place, mut plain) in opened {
            let Some((name, value)) = pairs.get_mut(place) else { continue };
            // The value of a scope that was carried along while that was locked.
            if is_of(FrameKind::Sealed, &plain) && !name.starts_with(QUARANTINE) {
                let view = SealedView::decode(&plain)?;
                note_guarded(&mut guarded, name, view.key, &table);
                if table.is_locked(view.key) {
                    closed.push((place, view.key, plain));
                    continue;
                }
                let handle = self.handle(view.key, &table).await?;
                let associated = view.associated(self.memory);
                let inner = match &handle {
                    Some(handle) => handle.open(&view.nonce, &associated, view.ciphertext).await?,
                    None => None,
                };
                let Some(inner) = inner else {
                    let why =
                        if handle.is_some() { "the value was altered" } else { "its key was destroyed" };
                    faults.push(Fault::new(name, why));
                    continue;
                };
                plain = inner;
            }
            *value = plain;
        }
        let mut kept = Ordered::new();
        for (place, key, value) in closed {
            let (Some((name, put)), Some(scope)) = (pairs.get_mut(place), scope_of(&table, key)) else {
                continue;
            };
            *put = stand_in(name);
            kept.insert(name.clone(), Closed { key: name.clone(), scope, value });
        }
        let closed: Vec<Closed> = kept.into_iter().map(|(_, closed)| closed).collect();
        // One part stands in for all of a commit.
        let is_later = |closed: &Closed, name: &str| {
            closed.key == name && parse_log_key(name).is_some_and(|(_, part)| part > 0)
        };
        pairs.retain(|(name, _)| !closed.iter().any(|closed| is_later(closed, name)));
        for (name, value) in &mut pairs {
            // Nothing is believed that is not sealed.
            if faults.iter().any(|fault| fault.key == *name) && !is_of(FrameKind::Sealed, value) {
                value.clear();
            }
        }
        if let Some((counter, _)) = head
            && newest > counter.saturating_add(1)
        {
            faults.push(Fault::new(
                HEAD_KEY,
                &format!("the head was rolled back: it is of write {counter}, and there are values of write {newest}"),
            ));
            lose_head(&mut pairs);
        }
        let locked = table.with_lock().filter(|(_, id)| table.is_locked(*id));
        let locked = locked.filter_map(|(scope, _)| Scope::from_canonical(scope).ok()).collect();
        Ok(Contents { pairs, faults, stale, closed, locked, guarded, part: Some(self.part) })
    }

    /// Opens the head in its place; `None` when there is none that can be believed.
    async fn open_head(&self, pairs: &mut Pairs, faults: &mut Vec<Fault>) -> Result<Option<(u64, HeadNote)>> {
        let Some(value) = value_of(pairs, HEAD_KEY) else { return Ok(None) };
        let opened = self.open_one(HEAD_KEY, value.get(8..).unwrap_or_default()).await?;
        let counter = head_counter(Some(value)).unwrap_or(0);
        let opened = opened.and_then(|(sealed, plain)| {
            if sealed == counter { Ok(plain) } else { Err("its counter was altered".to_owned()) }
        });
        let plain = match opened {
            Ok(plain) => plain,
            Err(message) => {
                faults.push(Fault { key: HEAD_KEY.to_owned(), message });
                lose_head(pairs);
                return Ok(None);
            }
        };
        let (note, head) = HeadNote::split(&plain)?;
        if let Some((_, value)) = pairs.iter_mut().find(|(key, _)| key == HEAD_KEY) {
            value.truncate(8);
            value.extend_from_slice(head);
        }
        Ok(Some((counter, note)))
    }

    /// Opens one value of the root key: the counter it was written with and what it holds, or why it cannot be believed.
    async fn open_one(&self, name: &str, value: &[u8]) -> Result<Result<(u64, Vec<u8>), String>> {
        let view = match SealedView::decode(value) {
            Ok(view) => view,
            Err(error) if error.code == Code::UnsupportedVersion => return Err(error),
            Err(error) => return Ok(Err(error.into())),
        };
        let Some(root) = self.handle(ROOT, &Table::default()).await? else {
            return Ok(Err("its key is missing".to_owned()));
        };
        let plain = root.open(&view.nonce, &view.associated(self.memory), view.ciphertext).await?;
        Ok(match plain {
            Some(plain) if view.key == ROOT && view.name == name => Ok((view.counter, plain)),
            Some(_) => Err(format!("the value was moved here from {:?}", view.name)),
            None => Err("the value was altered".to_owned()),
        })
    }

    /// Goes by the table that the head names, or without a head by the latest that can be read. Answers the names of others.
    async fn find_table(&self, pairs: &Pairs, head: Option<&(u64, HeadNote)>) -> Result<Vec<String>> {
        let mut tables: Ordered<u64, u32> = Ordered::new();
        for (name, _) in pairs {
            if let Some((written, part)) = parse_keys_key(name) {
                let parts = u32::try_from(part).unwrap_or(u32::MAX).saturating_add(1);
                let most = tables.get(&written).copied().unwrap_or(0).max(parts);
                tables.insert(written, most);
            }
        }
        let named = head.map(|(_, note)| (note.table, note.parts));
        let candidates = match named {
            Some(named) => vec![named],
            None => tables.iter().rev().map(|(written, parts)| (*written, *parts)).collect(),
        };
        let mut chosen = named;
        for (written, parts) in candidates {
            if written == self.table.borrow().written && written != 0 {
                chosen = Some((written, parts));
                break;
            }
            match self.read_table(pairs, written, parts).await? {
                Ok(mut table) => {
                    table.keep_open(&self.table.borrow());
                    self.know(Rc::new(table));
                    chosen = Some((written, parts));
                    break;
                }
                Err(message) if named.is_some() => {
                    let message = format!(
                        "the keys of the scopes cannot be read ({message}), so nothing of the memory can; restore a backup"
                    );
                    return Err(Error::new(Code::Corrupt, message));
                }
                Err(_) => {}
            }
        }
        let chosen = chosen.map_or(0, |(written, _)| written);
        let is_stale = |name: &&String| parse_keys_key(name).is_some_and(|(written, _)| written != chosen);
        // Without a head nothing is known to be stale.
        let names = pairs.iter().map(|(name, _)| name).filter(|_| head.is_some());
        Ok(names.filter(is_stale).cloned().collect())
    }

    async fn read_table(&self, pairs: &Pairs, written: u64, parts: u32) -> Result<Result<Table, String>> {
        if parts == 0 {
            return Ok(Ok(Table::default()));
        }
        let mut bytes = Vec::new();
        for part in 0..parts as usize {
            let name = keys_key(written, part);
            match self.open_one(&name, value_of(pairs, &name).unwrap_or_default()).await? {
                Ok((_, plain)) => bytes.extend_from_slice(&plain),
                Err(message) => return Ok(Err(message)),
            }
        }
        Ok(Table::decode(written, parts, &bytes).map_err(String::from))
    }

    /// Takes note of another way that is stored, and refuses one that the head knows to be an earlier one.
    fn check_way(&self, pairs: &Pairs, note: &HeadNote) -> Result<()> {
        let Some(Ok((keys, ..))) = value_of(pairs, KEYS).map(Keys::decode) else { return Ok(()) };
        // A later one is of another engine, or of a write that was cut short.
        if keys.counter < note.way {
            let message = format!(
                "the value \"keys\" was rolled back: it is of write {}, and the head knows of write {}; restore a backup",
                keys.counter, note.way
            );
            return Err(Error::new(Code::Corrupt, message).with("rolledBack", true));
        }
        let way = self.way.borrow();
        if way.written.get() != 0 {
            way.written.set(keys.counter);
        }
        Ok(())
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

/// What stands in for a value that is closed: in a segment nothing, in the log the commit without its scope and what it changed.
fn stand_in(name: &str) -> Vec<u8> {
    if let Some((sequence, _)) = parse_log_key(name) {
        return Commit::bare(sequence).frame();
    }
    let column = parse_segment_key(name).map_or(Column::Commits, |(_, column, _)| column);
    encode_frame(column.frame_kind(), &[])
}

/// Notes the scope of a value whose key has a lock, so that what is read of it is never stored without.
fn note_guarded(guarded: &mut Ordered<String, Scope>, name: &str, key: u32, table: &Table) {
    if table.lock(key).is_some()
        && let Some(scope) = scope_of(table, key)
    {
        guarded.insert(name.to_owned(), scope);
    }
}

/// The scope whose key has a number.
fn scope_of(table: &Table, key: u32) -> Option<Scope> {
    let (scope, _) = table.with_lock().find(|(_, id)| *id == key)?;
    Scope::from_canonical(scope).ok()
}

/// Whether a value under this name is sealed by the key that it says, and not read apart.
fn is_engines(name: &str) -> bool {
    name.starts_with("log/") || name.starts_with("segment/") || name.starts_with(QUARANTINE)
}

/// Leaves of the head what storages compare.
fn lose_head(pairs: &mut Pairs) {
    if let Some((_, value)) = pairs.iter_mut().find(|(key, _)| key == HEAD_KEY) {
        value.truncate(8);
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
