//! How much memory an open memory may take: what does not fit is refused before it is stored, and what was stored opens again.
//!
//! What is open is counted when it may be near the limit, and from then on what each write adds is added up. The store's count follows
//! from what is stored alone, so it is no more when the memory is opened again.

use super::database::Database;
use super::pace::Pace;
use super::writer::{Prepared, Waiting, refuse};
use crate::error::{Code, Error, Result};
use crate::log::LogCommit;
use crate::ports::{Folding, Loaded, Pending};
use crate::store::Store;
use std::cell::Cell;

/// The most in WebAssembly, whose memory has 4 GiB: a check of a whole storage that is encrypted was measured to take 2.9 times what
/// is counted, and 2.1 times where it is not.
pub const MAX_MEMORY_BYTES: u64 = 1280 * 1024 * 1024;
/// The default there, with room to spare for what the application holds itself.
const DEFAULT_MAX_MEMORY_BYTES: u64 = 1024 * 1024 * 1024;
/// The least that can be asked for: a fold is as large.
pub const LEAST_MAX_MEMORY_BYTES: u64 = 16 * 1024 * 1024;
/// No write adds more than this many times its bytes to the memory.
pub const MOST_GROWTH: u64 = 64;
/// By how much the memory grows with what is read, about.
const READ_GROWTH: u64 = 4;
/// What only ends something may take this part more than the limit: the end of a record takes room too.
const ENDING_PART: u64 = 16;
/// A memory opens up to this part more than it may take.
const SLACK_PART: u64 = 8;
/// So much room must be left before a model or an embedder is asked for something to store.
const ASKING_BYTES: u64 = 512 * 1024;
/// How many bytes that can be read again stay in memory at least.
const LEAST_CACHE_BYTES: u64 = 4 << 20;
/// And at most this part of what the memory may take: where they were, little else finds room when they are let go of.
const CACHE_PART: u64 = 8;
/// When the state may have grown by this part of what it may take, it is counted for what can be read again.
const COUNTED_PART: u64 = 32;

/// The drafts that there is room for, or those that are to be prepared anew.
type Admission<'a> = Pending<'a, Result<Vec<Prepared>, Vec<Waiting>>>;

/// What is known of a memory that is opened, and what it may take.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bounds {
    /// The counter that somebody outside of the storage knows the memory to have had.
    pub known_counter: Option<u64>,
    /// How many bytes of memory it may take at most; as much as the platform has by default.
    pub max_memory_bytes: Option<u64>,
    /// How many bytes that can be read again stay in memory; what the rest leaves by default.
    pub cache_bytes: Option<u64>,
}

/// The memory that there is room for.
#[derive(Debug)]
pub(super) struct Room {
    max: u64,
    /// How many bytes that can be read again may be in memory; what the rest leaves by default.
    cache: Option<u64>,
    /// What the store took when it was counted last.
    counted: Cell<u64>,
    /// What was added since, at most.
    added: Cell<u64>,
    /// What is still to be taken in, at most.
    reserved: Cell<u64>,
}

/// Why a store is read: how large it may be follows from that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// To open it: a little more than it may take is kept.
    Opening,
    /// Beside the one that is open, which it follows or is compared with: whatever the platform can hold, for what others have
    /// stored is there, and what makes room must be possible.
    Again,
}

impl Room {
    pub(super) fn new(bounds: Bounds) -> Self {
        let max = bounds.max_memory_bytes.unwrap_or(platform(DEFAULT_MAX_MEMORY_BYTES));
        let (counted, added, reserved) = (Cell::new(0), Cell::new(0), Cell::new(0));
        Self { max, cache: bounds.cache_bytes, counted, added, reserved }
    }

    /// The same room with nothing in it, for a store that is read.
    pub(super) fn empty(&self) -> Self {
        Self { max: self.max, cache: self.cache, ..Self::new(Bounds::default()) }
    }

    /// How many bytes it may take.
    pub(super) fn max(&self) -> u64 {
        self.max
    }

    /// Goes on with what is known of a store that takes the place of the one before.
    pub(super) fn take_over(&self, other: &Self) {
        self.counted.set(other.counted.get());
        self.added.set(other.added.get());
        self.reserved.set(other.reserved.get());
    }

    /// Leaves so many bytes free for what is still to be taken in: what can be read again does not take them meanwhile.
    pub(super) fn reserve(&self, bytes: u64) {
        self.reserved.set(bytes);
    }

    /// How many bytes may be in memory that can be read again: what the rest leaves, and some in any case.
    pub(super) fn cache(&self, store: &Store) -> usize {
        let about = || self.added.get() / (MOST_GROWTH / READ_GROWTH);
        if about() > self.max / COUNTED_PART {
            self.count(store);
        }
        let taken = self.counted.get().saturating_add(about()).saturating_add(self.reserved.get());
        let rest = self.max.saturating_sub(taken).min(self.max / CACHE_PART);
        let most = self.cache.unwrap_or(rest.max(LEAST_CACHE_BYTES));
        usize::try_from(most).unwrap_or(usize::MAX)
    }

    /// The same before anything else is there.
    pub(super) fn most_cached(&self) -> u64 {
        self.cache.unwrap_or(self.max)
    }

    /// Notes that the store has grown by so many bytes at most.
    pub(super) fn grow(&self, bytes: u64) {
        self.added.set(self.added.get().saturating_add(bytes));
    }

    /// Notes that so many bytes were read; answers whether the store is to be counted, because it may be too large with so much more
    /// as is still to be read.
    pub(super) fn has_read(&self, bytes: u64, rest: u64, reading: Reading) -> bool {
        self.grow(bytes.saturating_mul(READ_GROWTH));
        !self.fits(rest, self.most(reading))
    }

    /// How much the store takes at most.
    fn about(&self) -> u64 {
        self.counted.get().saturating_add(self.added.get())
    }

    fn fits(&self, bytes: u64, limit: u64) -> bool {
        self.about().saturating_add(bytes) <= limit
    }

    fn most(&self, reading: Reading) -> u64 {
        let most = self.max.saturating_add(self.max / SLACK_PART);
        if reading == Reading::Opening { most } else { most.max(platform(MAX_MEMORY_BYTES)) }
    }

    fn count(&self, store: &Store) -> u64 {
        let bytes = store.memory_bytes() as u64;
        self.counted.set(bytes);
        self.added.set(0);
        bytes
    }

    fn full(&self, what: &str, bytes: u64) -> Error {
        let max = self.max;
        let message = format!(
            "{what} {bytes} bytes, and maxMemoryBytes is {max}; forget what is not needed, or open it with a greater maxMemoryBytes"
        );
        Error::new(Code::QuotaExceeded, message).with("memoryBytes", bytes).with("maxMemoryBytes", max)
    }
}

/// That a store which was read is to be kept, and as much more as is still to be read. A function of its own, so that the build can
/// cut it off: see [`crate::ports::Part`].
///
/// # Errors
/// `QuotaExceeded` when it is too large.
#[inline(never)]
pub(super) fn check_read(
    _: Loaded<Folding>,
    (room, reading): (&Room, Reading),
    store: &Store,
    rest: u64,
) -> Result<()> {
    let bytes = room.count(store).saturating_add(rest);
    if bytes <= room.most(reading) { Ok(()) } else { Err(room.full("the memory takes", bytes)) }
}

impl Database {
    /// Refuses the drafts that there is no room for. When there are such, the others are to be prepared anew. Boxed: the writer
    /// would be compiled with all of it.
    #[inline(never)]
    pub(super) fn admit(&self, prepared: Vec<Prepared>) -> Admission<'_> {
        Box::pin(async move {
            let growth = prepared.iter().map(|prepared| prepared.growth).fold(0, u64::saturating_add);
            if self.inner.room.fits(growth, self.inner.room.max) {
                return Ok(prepared);
            }
            match Loaded::by(&*self.inner.platform).await {
                Ok(part) => self.admit_counted(part, prepared).await,
                Err(error) => {
                    refuse(prepared.into_iter().map(|prepared| prepared.waiting), &error);
                    Err(Vec::new())
                }
            }
        })
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn admit_counted(&self, part: Loaded<Folding>, prepared: Vec<Prepared>) -> Admission<'_> {
        part.work(Box::pin(async move {
            let room = &self.inner.room;
            let (mut admitted, mut grown, mut refused) = (Vec::with_capacity(prepared.len()), 0u64, false);
            for mut prepared in prepared {
                let draft = &prepared.waiting.draft;
                let limit = if draft.erases() {
                    u64::MAX
                } else if draft.only_ends(&self.inner.state.borrow().store) {
                    room.max.saturating_add(room.max / ENDING_PART)
                } else {
                    room.max
                };
                if !self.has_room(grown.saturating_add(prepared.growth), limit) {
                    let growth = self.growth(&prepared).await;
                    prepared.growth = prepared.growth.min(growth);
                }
                let most = grown.saturating_add(prepared.growth);
                if self.has_room(most, limit) {
                    grown = most;
                    admitted.push(prepared);
                } else {
                    refused = true;
                    refuse([prepared.waiting], &self.no_room(most));
                }
            }
            if refused {
                Err(admitted.into_iter().map(|prepared| prepared.waiting).collect())
            } else {
                Ok(admitted)
            }
        }))
    }

    /// By how many bytes the state grows with a write, at most: what it takes in a store of its own, which knows none of its words.
    async fn growth(&self, prepared: &Prepared) -> u64 {
        let mut pace = Pace::new(&*self.inner.platform);
        let mut alone = Store::new(self.inner.state.borrow().store.embedder());
        let mut bytes = 0;
        for (commit, frame) in &prepared.parts {
            // Vectors of records that are there already find none in that store.
            bytes += frame.len() as u64;
            let logged = LogCommit::from_frame(commit.sequence, frame);
            let applied =
                logged.split().and_then(|(section, embeds)| alone.apply_unindexed(section, &embeds));
            for changed in applied.unwrap_or_default() {
                pace.spend(alone.index_text_of(changed.id)).await;
            }
        }
        bytes.saturating_add(alone.memory_bytes() as u64)
    }

    /// Whether the state may grow by so many bytes and stay under a limit. It is counted when that may not be so, and lets go of the
    /// bytes of what was erased when that makes room enough.
    fn has_room(&self, bytes: u64, limit: u64) -> bool {
        let room = &self.inner.room;
        if !room.fits(bytes, limit) && room.added.get() > 0 {
            room.count(&self.inner.state.borrow().store);
        }
        let dead = self.inner.state.borrow().store.dead_bytes() as u64;
        if !room.fits(bytes, limit) && dead > 0 && room.fits(bytes, limit.saturating_add(dead)) {
            let store = &mut self.inner.state.borrow_mut().store;
            store.compact();
            room.count(store);
        }
        room.fits(bytes, limit)
    }

    fn no_room(&self, bytes: u64) -> Error {
        let room = &self.inner.room;
        room.full("with this the memory may take up to", room.about().saturating_add(bytes))
    }

    /// That there is room for what a model or an embedder is asked for, which costs something: for half a MiB.
    ///
    /// # Errors
    /// `QuotaExceeded` when there is not; those of loading.
    #[inline(never)]
    pub(crate) fn check_room(&self) -> Pending<'_, Result<()>> {
        Box::pin(async {
            if self.inner.room.fits(ASKING_BYTES, self.inner.room.max) {
                return Ok(());
            }
            self.check_room_counted(Loaded::by(&*self.inner.platform).await?)
        })
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn check_room_counted(&self, _: Loaded<Folding>) -> Result<()> {
        let has_room = self.has_room(ASKING_BYTES, self.inner.room.max);
        if has_room { Ok(()) } else { Err(self.no_room(ASKING_BYTES)) }
    }

    /// That a store may take the place of the one that is open. A function of its own, so that the build can cut it off: see
    /// [`crate::ports::Part`].
    ///
    /// # Errors
    /// `QuotaExceeded` when it is too large.
    #[inline(never)]
    pub(super) fn check_other(&self, _: Loaded<Folding>, store: &Store) -> Result<Room> {
        let room = self.inner.room.empty();
        let bytes = room.count(store);
        if bytes <= room.max { Ok(room) } else { Err(room.full("what would take its place takes", bytes)) }
    }

    /// How many bytes of memory what is open takes, and how many it may take. A function of its own, so that the build can cut
    /// it off: see [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn memory_bytes(&self, _: Loaded<Folding>) -> (u64, u64) {
        let room = &self.inner.room;
        (room.count(&self.inner.state.borrow().store), room.max)
    }
}

/// What WebAssembly has room for, and elsewhere as much as there is.
fn platform(bytes: u64) -> u64 {
    if cfg!(target_pointer_width = "32") { bytes } else { u64::MAX }
}
