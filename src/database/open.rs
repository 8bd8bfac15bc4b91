//! Opening, loading and catching up.

use super::call_order::CallOrder;
use super::database::{Database, History, Inner, State, Untidy};
use super::event::Event;
use super::locked::{extend, find, is_known, turned};
use super::pace::Pace;
use super::room::{Bounds, MOST_GROWTH, Reading, Room, check_read};
use super::sound::read_sound;
use super::writer::{RETRIES, outrun};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{
    Cause, Column, CommitView, Damage, HEAD_KEY, Head, Image, Joining, LogCommit, LogSegment, Part,
    QUARANTINE, Replay, commits_in, parse_segment_key, quarantine_key, segment_key, vectors_in,
};
use crate::ordered::{Ordered, in_order};
use crate::ports::{Folding, Loaded, Pending, Platform, Storage};
use crate::scope::Scope;
use crate::store::{Changed, Loading, Recovered};
use crate::vault::{Contents, Encryption, Vault};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// Beyond every key.
pub(super) const END: &str = "~";
/// Just beyond every key of the log; the head comes before the log.
const LOG_END: &str = "log0";
/// How many bytes are checked in about a microsecond in a browser.
pub(super) const CHECKED: usize = 1024;

impl Database {
    /// Opens what a storage holds; an empty storage is a new memory. Vectors of `embedder` are indexed, others left alone.
    ///
    /// Damage does not keep it from opening: what is readable is there, what is not is set aside and reported by
    /// [`verify`](Self::verify).
    ///
    /// # Errors
    /// `UnsupportedVersion` when a newer version wrote it, `Storage` when the storage fails.
    pub async fn open(storage: Rc<dyn Storage>, platform: Rc<dyn Platform>, embedder: &str) -> Result<Self> {
        let vault = Vault::new(storage, platform.clone(), None);
        let database = Self::open_vault(vault, platform, embedder, Bounds::default()).await?;
        database.indexed().await?;
        Ok(database)
    }

    /// The same for a memory that is encrypted, and one that can be read before it can be searched: see [`indexed`](Self::indexed). One
    /// that is not yet is encrypted first, in one write, so that it is so
    /// wholly or not at all. A counter that is earlier than the one of the bounds is reported as damage.
    ///
    /// # Errors
    /// Those of [`open`](Self::open); `QuotaExceeded` when it takes more memory than the bounds allow; `WrongKey` when the key does not open it, `Corrupt` when the keys themselves are damaged,
    /// and those of the source of the key.
    pub async fn open_encrypted(
        storage: Rc<dyn Storage>,
        platform: Rc<dyn Platform>,
        embedder: &str,
        encryption: Option<Encryption>,
        bounds: Bounds,
    ) -> Result<Self> {
        let vault = Vault::new(storage, platform.clone(), encryption.clone());
        let database = Self::open_vault(vault, platform, embedder, bounds).await?;
        match encryption {
            // Another engine may have done it meanwhile, by a key that is to stay.
            Some(encryption) if !database.inner.vault.is_sealed() => database.encrypt(encryption).await?,
            _ => {}
        }
        Ok(database)
    }

    async fn open_vault(
        vault: Vault,
        platform: Rc<dyn Platform>,
        embedder: &str,
        bounds: Bounds,
    ) -> Result<Self> {
        let room = Room::new(bounds);
        let (contents, mut recovered) =
            read_whole(&vault, &*platform, embedder, (&room, Reading::Opening)).await?;
        let partial = Cell::new(recovered.is_partial);
        let untidy = Untidy::find(&contents, &recovered);
        let locked = contents.part.map(|part| find(part, contents, &recovered)).unwrap_or_default();
        if let Some(known) = bounds.known_counter
            && recovered.head.counter < known
        {
            let message = format!(
                "the memory was rolled back: it is of write {}, and write {known} is known to have been made; what came between is \
                 lost",
                recovered.head.counter
            );
            recovered.damage.push(Damage { key: HEAD_KEY.to_owned(), message });
        }
        let database = Self {
            author: Cause::User,
            inner: Rc::new(Inner {
                vault,
                platform,
                state: RefCell::new(State::new(recovered, untidy, locked)),
                room,
                queue: RefCell::new(VecDeque::new()),
                errands: RefCell::new(VecDeque::new()),
                writing: Cell::new(false),
                closed: Cell::new(false),
                resting: RefCell::new(Vec::new()),
                listeners: RefCell::new(Vec::new()),
                history: Cell::new(History::WHOLE),
                reading: Cell::new(false),
                partial,
                queued: Cell::new(0),
                answered: Cell::new(0),
                called: Cell::new(0),
                broken: Cell::new(false),
                trimming: Cell::default(),
                order: CallOrder::default(),
                behind: RefCell::default(),
            }),
        };
        let tidied = database.tidy().await;
        let mut state = database.inner.state.borrow_mut();
        // From here on a key that was stale may be written again.
        state.untidy.stale.clear();
        drop(state);
        match tidied {
            // The memory can be read all the same. What must be done before a commit or a fold is tried again then, and
            // fails them when it fails.
            Ok(()) | Err(_) => Ok(database),
        }
    }

    /// Reads the whole storage.
    pub(super) async fn load(&self) -> Result<Recovered> {
        let embedder = self.inner.state.borrow().store.embedder().to_owned();
        let room = (&self.inner.room.empty(), Reading::Again);
        Ok(read_whole(&self.inner.vault, &*self.inner.platform, &embedder, room).await?.1)
    }

    /// Applies what other engines have committed since, or what of `own` was kept without an answer.
    /// Only the writer calls this, so nothing else changes the state meanwhile.
    pub(super) async fn catch_up(&self, own: &[Id]) -> Result<()> {
        let part = Loaded::by(&*self.inner.platform).await?;
        self.catch_up_loaded(part, own).await
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn catch_up_loaded<'a>(&'a self, part: Loaded<Folding>, own: &'a [Id]) -> Pending<'a, Result<()>> {
        part.work(Box::pin(self.follow_log(own)))
    }

    async fn follow_log(&self, own: &[Id]) -> Result<()> {
        let known = self.inner.state.borrow().head.clone();
        let contents = self.inner.vault.read(HEAD_KEY, LOG_END, known.sequence).await?;
        let mut pace = Pace::new(&*self.inner.platform);
        let image = checked(Replay::begin(&contents.pairs, known.sequence)?, &mut pace).await?;
        let is_known = match contents.part {
            Some(part) => is_known(part, &self.inner.state.borrow().locked, &contents, (&known, &image.head)),
            None => true,
        };
        if !is_known || !follows(&image, &known) {
            return self.reload(own).await;
        }
        let is_paged = self.inner.state.borrow().store.is_paged();
        if is_paged && image.head.segments != known.segments {
            let part = Loaded::by(&*self.inner.platform).await?;
            if !self.follow_segments(part, &image.head.segments).await {
                return self.reload(own).await;
            }
        }
        for part in &image.parts {
            let Part::Commit(commit) = part else { continue };
            if self.take_in(commit, own, &mut pace).await.is_err() {
                // A whole reading names what cannot be applied and goes on behind it.
                return self.reload(own).await;
            }
        }
        let mut state = self.inner.state.borrow_mut();
        state.tail = state.tail.split_off(&(image.head.folded + 1));
        state.head = image.head;
        if let Some(part) = contents.part {
            let State { locked, head, .. } = &mut *state;
            extend(part, locked, contents, head, known.sequence);
        }
        Ok(())
    }

    /// Applies a commit that another engine made. The head follows commit by commit, so that none is ever taken for known
    /// that is not; its counter does not, so that nothing can be written meanwhile.
    async fn take_in(&self, commit: &LogCommit<'_>, own: &[Id], pace: &mut Pace<'_>) -> Result<()> {
        let (section, embeds) = commit.split()?;
        let changes = {
            let mut state = self.inner.state.borrow_mut();
            let changes = state.store.apply_unindexed(section, &embeds)?;
            state.store.check_read()?;
            self.inner.room.grow((commit.bytes() as u64).saturating_mul(MOST_GROWTH));
            state.tail.insert(commit.sequence, commit.bytes());
            state.head.sequence = commit.sequence;
            state.head.time = state.store.time();
            changes
        };
        self.index(&changes, pace).await;
        self.tell_found(section, changes, Vec::new(), own)
    }

    /// Takes note of the segments that another engine wrote in the place of others; `false` when they are not as they should be.
    ///
    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn follow_segments<'a>(&'a self, part: Loaded<Folding>, segments: &'a [LogSegment]) -> Pending<'a, bool> {
        part.work(Box::pin(async move {
            let known = self.inner.state.borrow().head.segments.clone();
            let new = segments.iter().filter(|segment| known.iter().all(|known| known.id != segment.id));
            for segment in new {
                for column in [Column::Commits, Column::Vectors] {
                    let mut joining = Joining::default();
                    for number in 0..*column.of(&segment.values) {
                        if !self.follow_value(segment, (column, number), &mut joining).await {
                            return false;
                        }
                        self.trim();
                    }
                }
            }
            let store = &mut self.inner.state.borrow_mut().store;
            store.release();
            let is_there = |key: &str| {
                parse_segment_key(key).is_some_and(|(id, ..)| segments.iter().any(|segment| segment.id == id))
            };
            store.paged_keys().iter().all(|key| is_there(key))
        }))
    }

    /// Takes note of one value; `false` when it is not as it should be.
    async fn follow_value(
        &self,
        segment: &LogSegment,
        (column, number): (Column, u32),
        joining: &mut Joining,
    ) -> bool {
        let key = segment_key(segment.id, column, number);
        let end = segment_key(segment.id, column, number + 1);
        let Ok(Some(pairs)) = self.inner.vault.read_plain(&key, &end).await else { return false };
        let Some((_, value)) = pairs.iter().find(|(of, _)| *of == key) else { return false };
        let Ok(whole) = joining.take(&key, value) else { return false };
        let Some((key, value)) = whole else { return true };
        let store = &mut self.inner.state.borrow_mut().store;
        if let Some((payload, sections)) = commits_in(&key, &value) {
            return store.stand_in(&key, payload, &sections).is_ok();
        }
        let Some(blocks) = vectors_in(&key, &value) else { return false };
        blocks.iter().all(|rows| store.stand_vectors_in(&key, rows, segment.last).is_ok())
    }

    /// Reads everything anew: the log that was missed is folded already, damaged, or of another history.
    pub(super) async fn reload(&self, own: &[Id]) -> Result<()> {
        let part = Loaded::by(&*self.inner.platform).await?;
        self.reload_loaded(part, own).await
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn reload_loaded<'a>(&'a self, part: Loaded<Folding>, own: &'a [Id]) -> Pending<'a, Result<()>> {
        part.work(Box::pin(self.read_anew(own)))
    }

    async fn read_anew(&self, own: &[Id]) -> Result<()> {
        let embedder = self.inner.state.borrow().store.embedder().to_owned();
        let room = self.inner.room.empty();
        let (contents, recovered) =
            read_whole(&self.inner.vault, &*self.inner.platform, &embedder, (&room, Reading::Again)).await?;
        self.inner.room.take_over(&room);
        self.begin_trimming();
        let known = self.inner.state.borrow().head.clone();
        let is_same = recovered.rebuilt || recovered.head.lineage == known.lineage;
        let lost = recovered.head.sequence < known.sequence || (!is_same && known.sequence > 0);
        let mut untidy = Untidy::find(&contents, &recovered);
        if !self.is_partial() {
            untidy.stale.clear();
        }
        let part = contents.part;
        let locked = part.map(|part| find(part, contents, &recovered)).unwrap_or_default();
        // All of it was read.
        self.inner.partial.set(false);
        let (found, vanished, turned) = {
            let mut state = self.inner.state.borrow_mut();
            let before = std::mem::replace(&mut *state, State::new(recovered, untidy, locked));
            let turned = part.map(|part| turned(part, &before.locked, &state.locked)).unwrap_or_default();
            let damage = std::mem::take(&mut state.damage);
            state.damage = in_order(damage.into_iter().chain(before.damage));
            let mut found = state.store.sections_after(if is_same { known.sequence } else { 0 });
            found.retain(|(id, _)| before.store.changes(*id).is_none());
            // The parts of a commit are told of as the one they are.
            found.dedup_by_key(|(id, _)| *id);
            let mut vanished =
                if is_same && !lost { state.store.vanished(&before.store) } else { Vec::new() };
            // What is locked is not forgotten.
            vanished.retain(|(scope, _)| !state.locked.scopes.contains(scope));
            (found, vanished, turned)
        };
        for (scope, locked) in turned {
            self.tell(&Event::Lock { scope, locked });
        }
        // What others had forgotten is told with the last commit that can have done it.
        let mut told: Vec<Vec<(Scope, Vec<Changed>)>> = found.iter().map(|_| Vec::new()).collect();
        for (scope, changes) in vanished {
            let teller = found.iter().enumerate().filter_map(|(place, (_, section))| {
                let view = CommitView::decode(section).ok()?;
                let of_scope = view.scope == scope.canonical() || view.scope.is_empty();
                Some((of_scope, view.cause == Cause::Forget, place))
            });
            let teller = teller.max().and_then(|(_, _, place)| told.get_mut(place));
            if let Some(told) = teller {
                told.push((scope, changes));
            }
        }
        for ((id, section), vanished) in found.into_iter().zip(told) {
            let changes = self.inner.state.borrow().store.changes(id).unwrap_or_default();
            self.tell_found(&section, changes, vanished, own)?;
        }
        if lost {
            self.tell(&Event::Error(Error::new(
                Code::Storage,
                "the storage was emptied, put back to an earlier state or put together after damage; the memory is what is \
                 there now",
            )));
        }
        Ok(())
    }

    /// Tells of a commit that was found, and of what vanished with it from each scope.
    fn tell_found(
        &self,
        section: &[u8],
        mut changes: Vec<Changed>,
        vanished: Vec<(Scope, Vec<Changed>)>,
        own: &[Id],
    ) -> Result<()> {
        let view = CommitView::decode(section)?;
        let remote = !own.contains(&view.id);
        for (scope, mut erased) in vanished {
            if view.scope == scope.canonical() {
                changes.append(&mut erased);
            } else {
                self.tell_commit(section, &scope, erased, remote)?;
            }
        }
        // Of a scope that was forgotten there is nothing else to tell.
        if view.scope.is_empty() {
            return Ok(());
        }
        self.tell_commit(section, &Scope::from_canonical(view.scope)?, changes, remote)
    }

    /// Sets damaged values aside, deletes stale keys, and writes a sound head where there was none.
    pub(super) async fn tidy(&self) -> Result<()> {
        if self.inner.state.borrow().untidy.is_nothing() {
            return Ok(());
        }
        let part = Loaded::by(&*self.inner.platform).await?;
        let ((batch, head, expected), owners, carried) = self.tidying(part).await?;
        self.inner.vault.write(&batch, &owners, expected).await?;
        let mut state = self.inner.state.borrow_mut();
        if let Some(carried) = carried {
            state.locked.values = carried;
        }
        if state.untidy.rebuilt {
            state.tail.clear();
            state.replaced.clear();
        }
        state.head = head;
        state.untidy = Untidy::default();
        Ok(())
    }

    /// Makes the storage ready for a commit: a new memory gets a head, so that a storage with values and no head is known
    /// to have lost it; one whose head was lost gets its state written anew.
    pub(super) async fn found(&self) -> Result<()> {
        for _ in 0..RETRIES {
            let (is_new, rebuilt) = {
                let state = self.inner.state.borrow();
                (state.head.counter == 0, state.untidy.rebuilt)
            };
            let written = match (is_new, rebuilt) {
                (_, true) => self.tidy().await,
                (true, false) => self.found_new().await,
                (false, false) => return Ok(()),
            };
            match written {
                Err(error) if error.code == Code::Conflict => self.reload(&[]).await?,
                written => written?,
            }
        }
        Err(outrun())
    }
}

/// Whether an image of the log goes on where the state ends.
fn follows(image: &Image<'_>, known: &Head) -> bool {
    !image.rebuilt
        && image.damage.is_empty()
        && image.head.lineage == known.lineage
        && image.head.counter >= known.counter
        && image.head.erased == known.erased
        && image.head.outlived == known.outlived
        && image.head.folded <= known.sequence
        && image.head.sequence.checked_sub(known.sequence) == Some(image.parts.len() as u64)
}

/// Reads the whole storage into an empty room. Damage is believed when it is read twice: sound values that a storage once answered
/// wrongly would be replaced by what it answered. A large one that is opened may be partial.
async fn read_whole(
    vault: &Vault,
    platform: &dyn Platform,
    embedder: &str,
    (room, reading): (&Room, Reading),
) -> Result<(Contents, Recovered)> {
    if let Some(read) = read_sound(vault, platform, embedder, (room, reading)).await? {
        return Ok(read);
    }
    let mut contents = vault.read("", END, 0).await?;
    let mut recovered = recover(&contents, platform, embedder, reading).await?;
    if !recovered.damage.is_empty() {
        contents = vault.read("", END, 0).await?;
        recovered = recover(&contents, platform, embedder, reading).await?;
    }
    room.take_over(&room.empty());
    let bytes = contents.pairs.iter().map(|(_, value)| value.len() as u64).sum();
    if room.has_read(bytes, 0, reading) {
        check_read(Loaded::by(platform).await?, (room, reading), &recovered.store, 0)?;
    }
    Ok((contents, recovered))
}

/// Checks in slices what was read.
pub(super) async fn checked<'a>(mut replay: Replay<'a>, pace: &mut Pace<'_>) -> Result<Image<'a>> {
    while let Some(bytes) = replay.step()? {
        pace.spend(bytes / CHECKED).await;
    }
    Ok(replay.end())
}

async fn recover(
    contents: &Contents,
    platform: &dyn Platform,
    embedder: &str,
    reading: Reading,
) -> Result<Recovered> {
    let mut pace = Pace::new(platform);
    let replay = Replay::begin(&contents.pairs, 0)?;
    // Opening compares a page when it is read.
    let replay = if reading == Reading::Opening { replay } else { replay.with_pages() };
    let mut loading = Loading::begin(embedder, checked(replay, &mut pace).await?);
    while let Some(work) = loading.step() {
        pace.spend(work).await;
    }
    let mut recovered = loading.end();
    // The vault knows better why a value cannot be read.
    for damage in &mut recovered.damage {
        let fault = contents.faults.iter().find(|fault| fault.key.starts_with(&damage.key));
        if let (Some(fault), Some((_, meaning))) = (fault, damage.message.split_once("; ")) {
            damage.message = format!("{}; {meaning}", fault.message);
        }
    }
    Ok(recovered)
}

impl Untidy {
    /// Whether nothing has to be put right.
    fn is_nothing(&self) -> bool {
        self.aside.is_empty() && self.stale.is_empty() && !self.rebuilt
    }

    fn find(contents: &Contents, recovered: &Recovered) -> Self {
        let pairs = &contents.pairs;
        let is_damaged = |key: &str| {
            let mut damage = recovered.damage.iter();
            !key.starts_with(QUARANTINE) && damage.any(|damage| key.starts_with(&damage.key))
        };
        let is_aside = |key: &str, value: &[u8]| {
            let mut kept = pairs.iter().filter(|(kept, _)| kept.starts_with(QUARANTINE));
            kept.any(|(kept, bytes)| kept.ends_with(key) && bytes == value)
        };
        let mut aside: Vec<_> = pairs
            .iter()
            .filter(|(key, value)| is_damaged(key) && !is_aside(key, value))
            .map(|(key, value)| (quarantine_key(recovered.head.counter, key), value.clone()))
            .collect();
        if recovered.rebuilt && aside.iter().all(|(key, _)| !key.ends_with("/head")) {
            // A head that is gone leaves a mark in its place.
            aside.push((quarantine_key(recovered.head.counter, HEAD_KEY), Vec::new()));
        }
        let is_replaced = |key: &str| {
            let of_log = key.starts_with("log/");
            (of_log && is_damaged(key)) || (recovered.rebuilt && (of_log || key.starts_with("segment/")))
        };
        let replaced = pairs.iter().map(|(key, _)| key).filter(|key| is_replaced(key)).cloned().collect();
        let stale = recovered.stale.iter().chain(&contents.stale).cloned().collect();
        let mut guarded = Ordered::new();
        for (key, scope) in contents.guarded.iter() {
            guarded.insert(quarantine_key(recovered.head.counter, key), scope.clone());
        }
        Self { aside, stale, guarded, replaced, rebuilt: recovered.rebuilt }
    }
}
