//! Opening what was read, with the keys of a memory.

use super::{ROOT, Ring};
use crate::error::{Code, Error, Result};
use crate::log::{
    Column, Commit, FrameKind, HEAD_KEY, KEYS, QUARANTINE, Reader, encode_frame, is_of, keys_key,
    parse_keys_key, parse_log_key, parse_segment_key,
};
use crate::ordered::Ordered;
use crate::ports::{Pairs, head_counter};
use crate::scope::Scope;
use crate::vault::keys::Keys;
use crate::vault::sealed::SealedView;
use crate::vault::table::Table;
use crate::vault::vault::{Closed, Contents, Fault, value_of};
use std::rc::Rc;

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

impl Ring {
    /// Opens what was read. Values of the log up to commit `after` are left closed, for whoever knows them.
    pub(super) async fn open_pairs(&self, mut pairs: Pairs, after: u64) -> Result<Contents> {
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

/// The scope whose key has a number.
fn scope_of(table: &Table, key: u32) -> Option<Scope> {
    let (scope, _) = table.with_lock().find(|(_, id)| *id == key)?;
    Scope::from_canonical(scope).ok()
}
