//! When the log is folded into a segment, and segments into larger ones; and what is put right before that.

use super::database::{Database, Errand, State};
use super::event::Event;
use super::locked::{carry, first_of};
use super::pace::Pace;
use crate::error::Result;
use crate::log::{
    Column, HEAD_KEY, Head, Joining, LogSegment, MAX_VALUE_BYTES, OwnedValue, commits_in, log_key,
    segment_key, vectors_in,
};
use crate::ordered::in_order;
use crate::ports::{Batch, Folding, Loaded, Pairs, Pending, Platform};
use crate::store::{self, Cuts, Division, Folded, Rewritten, Store};
use crate::vault::{Closed, Owners};
use futures_channel::oneshot;

/// Fold when the log has this many commits. Reading a value costs 20 to 40 microseconds in IndexedDB, so a log of this
/// length adds at most about 10 ms to opening.
const FOLD_COMMITS: usize = 256;
/// Or when its frames have this many bytes.
const FOLD_BYTES: u64 = 1 << 20;
/// A segment is taken into a fold when it is at most this many times as large as what is folded: each byte is rewritten
/// a logarithmic number of times, and the number of segments stays logarithmic too.
const MERGE_RATIO: u64 = 2;
/// A segment of more bytes, and of more than this part of all, is written by no fold that does not have to: what a fold writes is
/// in memory all at once, and is one batch for the storage. No more than that is read at once where a part is enough.
pub(super) const MERGED_BYTES: u64 = 8 << 20;
const MERGED_PART: u64 = 16;
/// Nor one of more than this part of what the memory may take, unless it is small.
const MEMORY_PART: u64 = 32;
const LEAST_MERGED_BYTES: u64 = 2 * FOLD_BYTES;
/// After a fold that failed the log grows by this factor before the next try.
const PATIENCE: usize = 2;

/// Puts more values into a segment: by its id, with how many each column has so far, and the head that does not name it yet.
pub(super) type Others<'a> = dyn FnMut(u32, &mut [u32; 3], &Head, &mut Pairs) + 'a;

/// A write, the head that it makes, and the counter of the head that it follows.
pub(super) type Step = (Batch, Head, u64);

/// A write that puts right what opening found, whose its values are, and the values of scopes that are locked, if they are stored in another
/// way than before.
pub(super) type Tidied = (Step, Owners, Option<Vec<Closed>>);

/// What a fold takes in beside the log, and segments that are small beside it.
#[derive(Debug, Clone, Default)]
pub(super) struct Extent {
    /// Every segment that has a commit from this one on.
    pub(super) from: u64,
    /// Segments by their ids that are each written anew by itself, where it is known that nothing goes from the others before `from`.
    /// Without them every segment is taken in from the first that something may go from.
    pub(super) alone: Option<Vec<u32>>,
}

impl Extent {
    /// Every segment that has a commit from this one on.
    pub(super) fn from(first: u64) -> Self {
        Self { from: first, alone: None }
    }
}

/// A write that folds.
pub(super) struct Fold {
    pub(super) step: Step,
    /// Whose its values are, if they are apart by scope.
    pub(super) owners: Owners,
    /// The commits that it rewrites.
    pub(super) rewritten: Rewritten,
    /// The values of scopes that are locked, as they are stored once it is, if they are stored in another way than before.
    pub(super) closed: Option<Vec<Closed>>,
}

impl Database {
    /// Folds the log when it is long enough. A fold that fails changes nothing: the listeners are told, and the log goes
    /// on growing until it has doubled.
    pub(super) async fn fold_if_due(&self) {
        let due = {
            let state = self.inner.state.borrow();
            let long = state.tail.len() >= FOLD_COMMITS || state.tail_bytes() >= FOLD_BYTES;
            long && state.tail.len() >= state.patience
        };
        if !due {
            return;
        }
        // Whoever waits for what was just written is answered first.
        self.inner.platform.yield_now().await;
        if let Err(error) = self.fold_log().await {
            {
                let mut state = self.inner.state.borrow_mut();
                state.patience = state.tail.len() * PATIENCE;
            }
            self.tell(&Event::Error(error));
        }
    }

    /// Folds the log, of other engines' commits too when they were faster.
    pub(super) async fn fold_log(&self) -> Result<()> {
        if !self.has_to_fold() {
            return Ok(());
        }
        let part = Loaded::by(&*self.inner.platform).await?;
        self.try_fold(part).await
    }

    fn has_to_fold(&self) -> bool {
        !self.inner.state.borrow().tail.is_empty() || self.outlived() < u64::MAX
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn try_fold(&self, part: Loaded<Folding>) -> Pending<'_, Result<()>> {
        let attempt = async move || {
            if self.has_to_fold() { self.fold_from(part, self.outlived()).await } else { Ok(()) }
        };
        part.work(Box::pin(self.retried(attempt)))
    }

    async fn fold_from(&self, _: Loaded<Folding>, must: u64) -> Result<()> {
        // Damaged values are copied aside before their keys are deleted.
        self.tidy().await?;
        let division = self.division();
        let cuts = {
            let state = self.inner.state.borrow();
            let cuts = state.store.beyond_reach(taken_in(&state, must, division.most_merged).0);
            // Told before anybody else reads: what could not be read is not in it.
            state.store.check_read()?;
            cuts
        };
        let fold = self.fold_in_slices(&Extent::from(must), &cuts, &division).await?;
        let Fold { step: (batch, head, expected), owners, rewritten, closed } = fold;
        self.inner.vault.write(&batch, &owners, expected).await?;
        self.inner.state.borrow_mut().store.shed(&cuts, rewritten);
        self.folded(head, closed);
        self.stand_in(&batch);
        Ok(())
    }

    /// That the commits which a fold wrote stand in its segment now, from where they are read when they are needed. What they stood in
    /// before is no longer stored.
    pub(super) fn stand_in(&self, batch: &Batch) {
        let Some(reader) = self.inner.vault.reader() else { return };
        let state = &mut *self.inner.state.borrow_mut();
        state.store.page(reader);
        self.begin_trimming();
        let mut joining = Joining::default();
        for (key, value) in &batch.puts {
            // It was read and written just now.
            let Ok(Some((key, value))) = joining.take(key, value) else { continue };
            if let Some((payload, sections)) = commits_in(&key, &value)
                && state.store.stand_in(&key, payload, &sections).is_err()
            {
                self.inner.broken.set(true);
            }
        }
        let head = batch.puts.last().and_then(|(_, value)| Head::decode(value).ok());
        let last = head.map_or(0, |head| head.folded);
        for (key, value) in &batch.puts {
            for rows in vectors_in(key, value).unwrap_or_default() {
                if state.store.stand_vectors_in(key, &rows, last).is_err() {
                    self.inner.broken.set(true);
                }
            }
        }
        state.store.release();
    }

    /// The write that folds: the new segment's values, the head that names it, and what it replaces. It takes in what `cuts` goes
    /// from, and what the extent says. What is locked is carried along, as the value of nobody; of a
    /// scope that goes, it goes. Only the writer calls this, so nothing else changes the state meanwhile. A function of its own, so that
    /// the build can cut it off: see [`crate::ports::Part`].
    ///
    /// # Errors
    /// Those of reading what is not in memory.
    #[inline(never)]
    pub(super) fn folding<'a>(
        &'a self,
        part: Loaded<Folding>,
        extent: &'a Extent,
        cuts: &'a Cuts,
        division: &'a Division,
    ) -> Pending<'a, Result<Fold>> {
        part.work(Box::pin(self.fold_in_slices(extent, cuts, division)))
    }

    async fn fold_in_slices(&self, extent: &Extent, cuts: &Cuts, division: &Division) -> Result<Fold> {
        let mut begun = {
            let state = self.inner.state.borrow();
            let begun = Begun::new(&state, extent, cuts, division);
            state.store.check_read()?;
            begun
        };
        let mut pace = Pace::new(&*self.inner.platform);
        loop {
            let work = {
                let state = self.inner.state.borrow();
                let work = begun.step(&state, cuts);
                // Told before anybody else reads: what could not be read is not in it.
                state.store.check_read()?;
                work
            };
            let Some(work) = work else { break };
            self.trim();
            pace.spend(work).await;
        }
        Ok(begun.end(&self.inner.state.borrow(), cuts))
    }

    /// How the values of a segment are divided.
    pub(super) fn division(&self) -> Division {
        let vault = &self.inner.vault;
        let most_merged = (self.inner.room.max() / MEMORY_PART).max(LEAST_MERGED_BYTES);
        Division { by_scope: vault.is_sealed(), with_lock: vault.with_lock(), most_merged }
    }

    /// Folds soon if much of what is stored is beyond the reach of history.
    pub(super) fn fold_if_outlived(&self) {
        if self.outlived() < u64::MAX {
            let (sender, _) = oneshot::channel();
            self.inner.errands.borrow_mut().push_back((Errand::Fold, sender));
            self.wake_writer();
        }
    }

    /// The first commit of the first segment, or else of the log, of which more than half is beyond the reach of history; beyond
    /// all when none is so.
    fn outlived(&self) -> u64 {
        let now = self.now();
        let state = self.inner.state.borrow();
        state.store.set_reach(self.inner.history.get().at(now));
        let outlived = state.store.outlived();
        let log = (state.head.folded + 1, u64::MAX, state.tail_bytes());
        let segments = state.head.segments.iter().map(|segment| (segment.first, segment.last, segment.bytes));
        let much = segments.chain([log]).find(|(first, last, bytes)| {
            let of_part = outlived.iter().filter(|(sequence, _)| (*first..=*last).contains(sequence));
            state.store.is_outlived(of_part.map(|(_, bytes)| bytes).sum(), *bytes)
        });
        much.map_or(u64::MAX, |(first, ..)| first)
    }

    /// That the log is folded under a head.
    pub(super) fn folded(&self, head: Head, closed: Option<Vec<Closed>>) {
        let mut state = self.inner.state.borrow_mut();
        state.head = head;
        if let Some(closed) = closed {
            state.locked.values = closed;
        }
        state.tail.clear();
        state.replaced.clear();
        state.patience = 0;
    }

    /// Writes the first head of a new memory.
    pub(super) async fn found_new(&self) -> Result<()> {
        self.write_head(self.founding(self.next_head()), &Owners::default()).await
    }

    /// The first head of a lineage. It counts on from the clock: an engine that slept while another memory took the place of
    /// the one it knows, or while the head was lost, must not find the counter that it would write after.
    pub(super) fn founding(&self, head: Head) -> Head {
        let beyond = u64::try_from(self.now()).unwrap_or(0);
        Head { counter: head.counter.max(beyond), lineage: self.new_id().bytes(), ..head }
    }

    /// The write that puts right what opening found. A function of its own, so that the build can cut it off: see
    /// [`crate::ports::Part`].
    #[inline(never)]
    pub(super) fn tidying(&self, part: Loaded<Folding>) -> Pending<'_, Result<Tidied>> {
        part.work(Box::pin(self.put_right()))
    }

    async fn put_right(&self) -> Result<Tidied> {
        let (mut owners, mut carried) = (Owners::default(), None);
        let rebuilt = self.inner.state.borrow().untidy.rebuilt;
        let (mut batch, head, expected) = if rebuilt {
            let extent = Extent::from(u64::MAX);
            let fold = self.fold_in_slices(&extent, &Cuts::default(), &self.division()).await?;
            let (batch, head, expected) = fold.step;
            (owners, carried) = (fold.owners, fold.closed);
            let head = self.founding(head);
            (Batch { puts: with_head(batch.puts, &head), ..batch }, head, expected)
        } else {
            let head = self.next_head();
            let expected = self.inner.state.borrow().head.counter;
            (Batch { puts: with_head(Vec::new(), &head), deletes: Vec::new() }, head, expected)
        };
        let state = self.inner.state.borrow();
        let untidy = &state.untidy;
        batch.puts.splice(0..0, untidy.aside.iter().cloned());
        batch.deletes.extend(untidy.stale.iter().cloned());
        batch.deletes = in_order(batch.deletes);
        let guarded =
            untidy.aside.iter().filter_map(|(key, _)| Some((key.clone(), untidy.guarded.get(key)?)));
        owners.scopes.extend(guarded.map(|(key, scope)| (key, scope.clone())));
        Ok(((batch, head, expected), owners, carried))
    }
}

/// A fold of which some is written.
struct Begun {
    head: Head,
    deletes: Vec<String>,
    /// What writes the segments: those that are written anew by themselves, each with the id that it had, and the new one, which comes
    /// last; it has none, and is not there when no commit is left.
    segments: Vec<(Option<u32>, store::Folding)>,
}

impl Begun {
    fn new(state: &State, extent: &Extent, cuts: &Cuts, division: &Division) -> Self {
        let mut head = state.head.next();
        let mut deletes = log_keys(state);
        let holding = first_of(&state.locked, cuts.scope(), &head);
        let from = if extent.alone.is_some() { u64::MAX } else { cuts.first() };
        let (first, stay) = taken_in(state, extent.from.min(from).min(holding), division.most_merged);
        let mut delete = |taken: &LogSegment| {
            for column in Column::ALL {
                let count = *column.of(&taken.values);
                deletes.extend((0..count).map(|number| segment_key(taken.id, column, number)));
            }
        };
        head.segments.drain(stay..).for_each(|taken| delete(&taken));
        let begin = |range| store::Folding::begin(&state.store, range, cuts, division);
        let is_alone = |segment: &&LogSegment| extent.alone.iter().flatten().any(|id| *id == segment.id);
        let alone = head.segments.iter().filter(is_alone).inspect(|segment| delete(segment));
        let mut segments: Vec<_> =
            alone.map(|segment| (Some(segment.id), begin((segment.first, segment.last)))).collect();
        if head.sequence >= first {
            segments.push((None, begin((first, head.sequence))));
        }
        Self { head, deletes, segments }
    }

    fn step(&mut self, state: &State, cuts: &Cuts) -> Option<usize> {
        self.segments.iter_mut().find_map(|(_, folding)| folding.step(&state.store, cuts))
    }

    fn end(self, state: &State, cuts: &Cuts) -> Fold {
        let Self { mut head, mut deletes, segments } = self;
        let (mut puts, mut owners) = (Vec::new(), Owners::default());
        let (mut rewritten, mut closed) = (Rewritten::new(), None);
        for (alone, folding) in segments {
            let others = &mut |id, counts: &mut [u32; 3], head: &Head, puts: &mut Vec<_>| {
                if alone.is_none() {
                    closed = Some(carry(&state.locked, (id, head, cuts.scope()), counts, puts, &mut deletes));
                }
            };
            let (mut changed, mut values) =
                name_segment(folding.end(), alone, &mut head, &mut owners, others);
            rewritten.append(&mut changed);
            puts.append(&mut values);
        }
        if cuts.takes_records() {
            head.outlived = head.counter;
        }
        let batch = Batch { puts: with_head(puts, &head), deletes: in_order(deletes) };
        Fold { step: (batch, head, state.head.counter), owners, rewritten, closed }
    }
}

/// Folds everything of a store from the commit `first` on into a segment, which it puts into the head, in slices: the values, of which it
/// says whose they are. A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
#[inline(never)]
pub(super) fn put_segment<'a>(
    part: Loaded<Folding>,
    platform: &'a dyn Platform,
    (store, first, division): (&'a Store, u64, &'a Division),
    (head, owners): (&'a mut Head, &'a mut Owners),
) -> Pending<'a, Vec<(String, Vec<u8>)>> {
    part.work(Box::pin(async move {
        let (mut pace, cuts) = (Pace::new(platform), Cuts::default());
        let mut folding = store::Folding::begin(store, (first, head.sequence), &cuts, division);
        while let Some(work) = folding.step(store, &cuts) {
            pace.spend(work).await;
        }
        name_segment(folding.end(), None, head, owners, &mut |_, _, _, _| ()).1
    }))
}

/// Puts a segment into the head, as the last one or in the place of another.
fn name_segment(
    folded: Folded,
    replaced: Option<u32>,
    head: &mut Head,
    owners: &mut Owners,
    others: &mut Others<'_>,
) -> (Rewritten, Vec<(String, Vec<u8>)>) {
    let (id, (first, last)) = (head.next_segment, folded.range);
    let mut puts = Vec::new();
    let mut counts = put_values(id, folded.values, &mut puts, owners);
    others(id, &mut counts, head, &mut puts);
    let bytes = puts.iter().map(|(_, value)| value.len() as u64).sum();
    let segment = LogSegment { id, first, last, bytes, values: counts };
    head.next_segment = id + 1;
    match head.segments.iter_mut().find(|segment| Some(segment.id) == replaced) {
        Some(replaced) => *replaced = segment,
        None => {
            head.segments.push(segment);
            head.folded = last;
        }
    }
    (folded.rewritten, puts)
}

/// Puts the values of a segment, and says whose they are: how many each column has.
fn put_values(
    id: u32,
    columns: [Vec<OwnedValue>; 3],
    puts: &mut Vec<(String, Vec<u8>)>,
    owners: &mut Owners,
) -> [u32; 3] {
    let mut counts = [0u32; 3];
    for (column, values) in Column::ALL.into_iter().zip(columns) {
        for (scope, value) in values {
            let count = column.of_mut(&mut counts);
            let key = segment_key(id, column, *count);
            owners.scopes.extend(scope.map(|scope| (key.clone(), scope)));
            puts.push((key, value));
            *count += 1;
        }
    }
    counts
}

/// The first commit that a fold takes in, which must take in `must` if there is such a one; and how many segments it leaves. Of more
/// than `most` bytes are only segments that have to.
fn taken_in(state: &State, must: u64, most: u64) -> (u64, usize) {
    let segments = &state.head.segments;
    let (mut first, mut stay, mut bytes) = (state.head.folded + 1, segments.len(), state.tail_bytes());
    let all: u64 = segments.iter().map(|segment| segment.bytes).sum();
    let most = most.min(MERGED_BYTES.max(all / MERGED_PART));
    let is_taken = |last: &LogSegment, bytes: u64| {
        let is_small =
            last.bytes <= bytes.saturating_mul(MERGE_RATIO) && last.bytes.saturating_add(bytes) <= most;
        last.last >= must || is_small
    };
    while let Some(last) = stay.checked_sub(1).and_then(|last| segments.get(last))
        && is_taken(last, bytes)
    {
        first = last.first;
        bytes += last.bytes;
        stay -= 1;
    }
    (first, stay)
}

/// The values of a batch with the head as the last, in place of another head.
fn with_head(mut puts: Vec<(String, Vec<u8>)>, head: &Head) -> Vec<(String, Vec<u8>)> {
    puts.pop_if(|(key, _)| key == HEAD_KEY);
    puts.push((HEAD_KEY.to_owned(), head.encode()));
    puts
}

/// The keys of the log that a fold replaces.
fn log_keys(state: &State) -> Vec<String> {
    let keys_of = |(sequence, bytes): (&u64, &usize)| {
        let sequence = *sequence;
        (0..bytes.div_ceil(MAX_VALUE_BYTES)).map(move |part| log_key(sequence, part))
    };
    state.tail.iter().flat_map(keys_of).chain(state.replaced.iter().cloned()).collect()
}
