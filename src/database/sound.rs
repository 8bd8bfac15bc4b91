//! Reading a large memory that is sound and not encrypted, some values at a time: what was read is let go of as soon as it is taken
//! in, so that opening needs little more memory than what it leads to.
//!
//! The head and the log are one read, and what the head names never changes while it is there. So a value that is missing was
//! folded by another engine meanwhile, or is damaged: then, as whenever anything is not as it should be, everything is read at once,
//! which says what is wrong.
//!
//! From a storage that answers at once for a part of a value, the codes of vectors are not read at all: what stands in front of them
//! has its own checksum, and each page of codes is checked when a search reads it.

use super::ahead::{Ahead, SEGMENTS, Values, beyond, starts};
use super::database::{Database, Errand, Inner, closed};
use super::open::CHECKED;
use super::pace::Pace;
use super::room::{Reading, Room, check_read};
use crate::error::Result;
use crate::log::{
    Column, HEAD_KEY, Head, Joining, LogSegment, Part, QUARANTINE, Replay, VectorRows, read_value,
    segment_key, vectors_in_front,
};
use crate::ports::{Folding, Loaded, Pairs, Pending, Platform, ReadAt};
use crate::store::{Recovered, Store};
use crate::vault::{Contents, Vault};
use futures_util::future::join;
use std::cell::RefCell;

/// What has fewer bytes is read at once: each reading takes about a millisecond in a browser.
const LARGE_BYTES: u64 = 4 << 20;
/// And one that has this part of what it may take: what is small is kept as a whole.
const SMALL_PART: u64 = 16;
/// How many bytes of the first value of vectors of a segment are read first: mostly that is enough.
const FRONT_BYTES: usize = 128 * 1024;

impl Database {
    /// Waits until everything that is stored can be found by its words and vectors, and not only read; at once when it can.
    ///
    /// # Errors
    /// Those of reading the storage; whoever waits next makes another attempt. `Closed` after closing.
    pub fn indexed(&self) -> Pending<'_, Result<()>> {
        Box::pin(async { if self.is_partial() { self.send(Errand::Index).await } else { Ok(()) } })
    }

    /// Whether words and vectors of segments are still to be taken in.
    pub(crate) fn is_partial(&self) -> bool {
        self.inner.partial.get()
    }

    /// Takes in words and vectors of the segments, if that is still to be done. Only the writer calls this.
    pub(super) async fn index_segments(&self) -> Result<()> {
        if !self.is_partial() {
            return Ok(());
        }
        self.index_loaded(Loaded::by(&*self.inner.platform).await?).await
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn index_loaded(&self, part: Loaded<Folding>) -> Pending<'_, Result<()>> {
        part.work(Box::pin(async move {
            self.begin_trimming();
            let Inner { vault, platform, room, state, .. } = &*self.inner;
            let head = state.borrow().head.clone();
            let with = &|work: &mut dyn FnMut(&mut Store)| {
                // What is queued before it is closed is still written.
                if self.is_closed() && self.inner.queue.borrow().is_empty() {
                    return Err(closed());
                }
                work(&mut state.borrow_mut().store);
                Ok(())
            };
            // It is open already: what it holds is not refused any more.
            let room = (room, Reading::Again);
            if !take_columns(part, (vault, &**platform), room, (&head, Depth::Fronts), with).await? {
                self.reload(&[]).await?;
                // What cannot be put right now is tried again before a fold.
                self.tidy().await.unwrap_or_default();
                state.borrow_mut().untidy.stale.clear();
            }
            self.inner.partial.set(false);
            // Whoever waits for this goes on with a slice of its own.
            platform.yield_now().await;
            Ok(())
        }))
    }
}

/// How much of what can be read again is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// What a search looks at first. What it looks at then is checked when it is read.
    Fronts,
    /// All of it, so that everything is checked.
    Whole,
}

/// How the store is got at in which words and vectors are taken in; fails when it is wanted no more.
type With<'a> = dyn Fn(&mut dyn FnMut(&mut Store)) -> Result<()> + 'a;

/// Reads the storage; `None` when it is small, sealed, or not as it should be. What is opened can be read before its words and vectors
/// are there: those of the segments are left for [`Database::index_segments`].
///
/// # Errors
/// Those of reading the storage, and `QuotaExceeded` when there is no room for what it holds.
pub(super) async fn read_sound(
    vault: &Vault,
    platform: &dyn Platform,
    embedder: &str,
    room: (&Room, Reading),
) -> Result<Option<(Contents, Recovered)>> {
    let Some(pairs) = vault.read_plain("", SEGMENTS).await? else { return Ok(None) };
    let Some(head) = large_head(&pairs, room.0) else { return Ok(None) };
    match Loaded::by(platform).await {
        Ok(part) => take_sound(part, vault, platform, embedder, room, (pairs, head)).await,
        // It can be read without the part, too.
        Err(_) => Ok(None),
    }
}

/// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
#[inline(never)]
fn take_sound<'a>(
    part: Loaded<Folding>,
    vault: &'a Vault,
    platform: &'a dyn Platform,
    embedder: &'a str,
    room: (&'a Room, Reading),
    begun: (Pairs, Head),
) -> Pending<'a, Result<Option<(Contents, Recovered)>>> {
    part.work(Box::pin(take(part, (vault, platform), embedder, room, begun)))
}

async fn take(
    part: Loaded<Folding>,
    (vault, platform): (&Vault, &dyn Platform),
    embedder: &str,
    room: (&Room, Reading),
    (pairs, head): (Pairs, Head),
) -> Result<Option<(Contents, Recovered)>> {
    let pace = &mut Pace::new(platform);
    let mut store = Store::new(embedder);
    if let Some(reader) = vault.reader() {
        store.page(reader);
    }
    let is_paged = store.is_paged();
    let store = RefCell::new(store);
    let with = &|work: &mut dyn FnMut(&mut Store)| {
        work(&mut store.borrow_mut());
        Ok(())
    };
    let mut rest: u64 = head.segments.iter().map(|segment| segment.bytes).sum();
    if is_paged {
        room.0.reserve(rest);
        store.borrow_mut().evict(room.0.cache(&Store::new(embedder)));
    }
    let starts = starts(&head);
    let commits = Ahead::new((vault, &starts), &head.segments, &[Column::Commits]);
    let taken_in = &mut |bytes| {
        // Words and vectors take about as much memory as they are stored in, unless they are read when they are needed.
        rest = if is_paged { 0 } else { rest.saturating_sub(bytes) };
        check(part, room, &store.borrow(), (bytes, rest))
    };
    if !take_values(room.0, with, (commits, Depth::Whole), pace, taken_in).await? {
        return Ok(None);
    }
    let mut store = store.into_inner();
    let Some((tail, stale)) = take_log(&mut store, &pairs, &head, pace).await else { return Ok(None) };
    if store.sequence() != head.sequence || store.counts().commits as u64 != head.sequence {
        return Ok(None);
    }
    check(part, room, &store, (tail.iter().map(|(_, bytes)| *bytes as u64).sum(), rest))?;
    let store = RefCell::new(store);
    let is_partial = room.1 == Reading::Opening;
    if !is_partial {
        let with = &|work: &mut dyn FnMut(&mut Store)| {
            work(&mut store.borrow_mut());
            Ok(())
        };
        if !take_columns(part, (vault, platform), room, (&head, Depth::Whole), with).await? {
            return Ok(None);
        }
    }
    // What could not be read may stand where it does not belong.
    if store.borrow().check_read().is_err() {
        return Ok(None);
    }
    let recovered = Recovered {
        store: store.into_inner(),
        head,
        rebuilt: false,
        is_partial,
        damage: Vec::new(),
        stale,
        tail: tail.into_iter().collect(),
    };
    Ok(Some((Contents { pairs, ..Contents::default() }, recovered)))
}

/// That what was read may be kept, and as much more as is still to be read. Counting takes a while, so it waits until there may be too
/// much.
fn check(
    part: Loaded<Folding>,
    (room, reading): (&Room, Reading),
    store: &Store,
    (bytes, rest): (u64, u64),
) -> Result<()> {
    if room.has_read(bytes, rest, reading) { check_read(part, (room, reading), store, rest) } else { Ok(()) }
}

/// Takes in words and vectors of segments of which the commits are taken in; `false` when they are not as they should be.
///
/// # Errors
/// Those of [`read_sound`], and of getting at the store.
async fn take_columns(
    part: Loaded<Folding>,
    (vault, platform): (&Vault, &dyn Platform),
    room: (&Room, Reading),
    (head, depth): (&Head, Depth),
    with: &With<'_>,
) -> Result<bool> {
    let pace = &mut Pace::new(platform);
    let mut reader = None;
    with(&mut |store| reader = vault.reader().filter(|_| store.is_paged() && depth == Depth::Fronts))?;
    let taken_in = &mut |bytes| {
        let mut checked = Ok(());
        with(&mut |store| checked = check(part, room, store, (bytes, 0)))?;
        checked
    };
    let starts = starts(head);
    let ahead = |segments, columns| (Ahead::new((vault, &starts), segments, columns), depth);
    let columns = if reader.is_some() { &[Column::Terms][..] } else { &[Column::Terms, Column::Vectors] };
    if !take_values(room.0, with, ahead(&head.segments, columns), pace, taken_in).await? {
        return Ok(false);
    }
    let fronts = reader.iter().flat_map(|reader| head.segments.iter().map(move |segment| (reader, segment)));
    for (reader, segment) in fronts {
        match take_fronts((vault, room.0), &**reader, with, segment, &starts, pace).await? {
            Some(bytes) => taken_in(bytes)?,
            None => {
                let vectors = ahead(std::slice::from_ref(segment), &[Column::Vectors]);
                if !take_values(room.0, with, vectors, pace, taken_in).await? {
                    return Ok(false);
                }
            }
        }
    }
    let mut next = Some(0);
    while let Some(first) = next {
        let mut work = 0;
        with(&mut |store| {
            let indexed = store.index_texts_from(first);
            next = indexed.map(|(end, _)| end);
            work = indexed.map_or(0, |(_, work)| work);
        })?;
        pace.spend(work).await;
    }
    room.0.reserve(0);
    let mut read = Ok(());
    with(&mut |store| read = store.check_read())?;
    Ok(read.is_ok())
}

/// The head of a large memory of which nothing was set aside.
fn large_head(pairs: &Pairs, room: &Room) -> Option<Head> {
    if pairs.iter().any(|(key, _)| key.starts_with(QUARANTINE)) {
        return None;
    }
    let (_, value) = pairs.iter().find(|(key, _)| key == HEAD_KEY)?;
    let head = Head::decode(value).ok()?;
    let bytes: u64 = head.segments.iter().map(|segment| segment.bytes).sum();
    (bytes >= LARGE_BYTES.min(room.most_cached() / SMALL_PART)).then_some(head)
}

/// Takes in the values of some columns; `false` when they are not as they should be. After each column of a segment it is told how
/// many bytes that had.
async fn take_values(
    room: &Room,
    with: &With<'_>,
    (mut ahead, depth): (Ahead<'_>, Depth),
    pace: &mut Pace<'_>,
    taken_in: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<bool> {
    let (mut bytes, mut joining) = (0, Joining::default());
    let mut read = ahead.next().await;
    while let Some((values, pairs)) = read {
        let Some(pairs) = pairs? else { return Ok(false) };
        let taking = take_some(room, with, (&values, depth), (pairs, &mut joining), pace);
        let (following, taken) = join(ahead.next(), taking).await;
        let Some(taken) = taken? else { return Ok(false) };
        bytes += taken;
        if values.are_last {
            taken_in(std::mem::take(&mut bytes))?;
            joining = Joining::default();
        }
        read = following;
    }
    Ok(true)
}

/// Takes in values of a column: how many bytes they have; `None` when they are not as they should be.
async fn take_some(
    room: &Room,
    with: &With<'_>,
    (values, depth): (&Values<'_>, Depth),
    (pairs, joining): (Pairs, &mut Joining),
    pace: &mut Pace<'_>,
) -> Result<Option<u64>> {
    let mut bytes = 0;
    for (key, value) in pairs {
        bytes += value.len() as u64;
        let Ok(whole) = joining.take(&key, &value) else { return Ok(None) };
        let Some((key, value)) = whole else { continue };
        let parts = read_value(&key, values.segment, values.column, &value, depth == Depth::Whole);
        pace.spend(value.len() / CHECKED).await;
        if !take_parts(room, with, parts, pace).await? {
            return Ok(None);
        }
    }
    Ok(Some(bytes))
}

/// Takes in the parts of a value; `false` when they are not as they should be.
async fn take_parts(
    room: &Room,
    with: &With<'_>,
    parts: Result<Vec<Part<'_>>>,
    pace: &mut Pace<'_>,
) -> Result<bool> {
    let Ok(parts) = parts else { return Ok(false) };
    for part in &parts {
        let mut taken = Ok(0);
        with(&mut |store| {
            taken = store.take_in(part);
            store.evict(room.cache(store));
        })?;
        let Ok(work) = taken else { return Ok(false) };
        pace.spend(work).await;
    }
    Ok(true)
}

/// Takes in the vectors of a segment without their codes: how many bytes were read; `None` when they are not as they should be, or of
/// an earlier version.
async fn take_fronts(
    (vault, room): (&Vault, &Room),
    reader: &dyn ReadAt,
    with: &With<'_>,
    segment: &LogSegment,
    starts: &[String],
    pace: &mut Pace<'_>,
) -> Result<Option<u64>> {
    let count = *Column::Vectors.of(&segment.values);
    if count == 0 {
        return Ok(Some(0));
    }
    let (mut bytes, mut expected) = (0, FRONT_BYTES);
    for number in 0..count {
        let key = segment_key(segment.id, Column::Vectors, number);
        let Some(front) = read_front(reader, &key, expected)? else { return Ok(None) };
        // Mostly those that follow take as much.
        expected = front.len();
        bytes += front.len() as u64;
        pace.spend(front.len() / CHECKED).await;
        if !take_parts(room, with, vectors_in_front(&key, segment, &front), pace).await? {
            return Ok(None);
        }
    }
    // Nothing may lie between them and what is named next.
    let end = segment_key(segment.id, Column::Vectors, count);
    let behind = vault.read_plain(&end, beyond(starts, &end)).await?;
    Ok(behind.filter(Vec::is_empty).map(|_| bytes))
}

/// As much of a value of vectors as its front takes, which is expected to be so much; `None` when it is not there, damaged or of an
/// earlier version.
fn read_front(reader: &dyn ReadAt, key: &str, expected: usize) -> Result<Option<Vec<u8>>> {
    let Some(mut value) = reader.read_at(key, 0, expected)? else { return Ok(None) };
    let Ok(Some(front)) = VectorRows::front(&value) else { return Ok(None) };
    if front > value.len() {
        let Some(rest) = reader.read_at(key, value.len(), front - value.len())? else { return Ok(None) };
        value.extend_from_slice(&rest);
    }
    value.truncate(front);
    Ok(Some(value).filter(|value| value.len() == front))
}

/// Takes in the log: its commits with their bytes, and the keys of it that belong to no state; `None` when it is not as it should be.
async fn take_log(
    store: &mut Store,
    pairs: &Pairs,
    head: &Head,
    pace: &mut Pace<'_>,
) -> Option<(Vec<(u64, usize)>, Vec<String>)> {
    if store.sequence() != head.folded {
        return None;
    }
    let mut replay = Replay::begin(pairs, head.folded).ok()?;
    while replay.step().ok()?.is_some() {}
    let image = replay.end();
    if image.rebuilt || !image.damage.is_empty() {
        return None;
    }
    let mut tail = Vec::new();
    for part in &image.parts {
        pace.spend(store.take_in(part).ok()?).await;
        if let Part::Commit(commit) = part {
            tail.push((commit.sequence, commit.bytes()));
        }
    }
    Some((tail, image.stale))
}
