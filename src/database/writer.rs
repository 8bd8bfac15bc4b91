//! The writer: one at a time, many drafts per write.

use super::database::{Database, Errand};
use super::event::Committed;
use super::litter::Litter;
use super::pace::Pace;
use super::room::MOST_GROWTH;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Commit, HEAD_KEY, Head, LogCommit, MAX_SEQUENCE, MAX_VALUE_BYTES, log_key};
use crate::ordered::Ordered;
use crate::ports::{Batch, Folding, Loaded, Pending};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Changed, Draft};
use crate::time::Timestamp;
use crate::vault::Owners;
use futures_channel::oneshot;

/// The most drafts that share a write.
const GROUP: usize = 64;
/// How many changes the drafts of a write have before one that joins them, at most: they are prepared and applied at a stretch.
const GROUP_CHANGES: usize = 500;
/// From how many changes on others have the thread between planning a draft and preparing it: each takes a while.
const MANY_CHANGES: usize = 100;
/// How often a write that met a newer head is tried again. Every failure means that another engine made progress.
pub(super) const RETRIES: usize = 100;

/// What is told when no commit can be numbered any more.
const FULL: &str = "the memory has as many commits as can be numbered, 4294967295; import a backup of it into a new memory with the \
                    mode \"merge\", which numbers them anew";

/// A draft in the queue, and who waits for it.
pub(super) struct Waiting {
    pub(super) draft: Draft,
    pub(super) sender: oneshot::Sender<Result<Committed>>,
}

/// A draft that is about to be written.
pub(super) struct Prepared {
    pub(super) waiting: Waiting,
    /// The parts of the commit, with their frames.
    pub(super) parts: Vec<(Commit, Vec<u8>)>,
    /// How many bytes of memory it takes at most.
    pub(super) growth: u64,
    id: Id,
    time: Timestamp,
    /// The living records that it erases, as a listener is told of them.
    erased: Vec<Changed>,
}

impl Database {
    /// Starts the writer if it rests.
    pub(super) fn wake_writer(&self) {
        if self.inner.writing.replace(true) {
            return;
        }
        let database = self.clone();
        self.inner.platform.spawn(Box::pin(async move {
            let indexed = database.index_segments().await;
            loop {
                let errand = database.inner.errands.borrow_mut().pop_front();
                if let Some((errand, sender)) = errand {
                    let done = match errand {
                        _ if indexed.is_err() => indexed.clone(),
                        Errand::Index => Ok(()),
                        Errand::Refresh => database.catch_up(&[]).await,
                        Errand::Fold => database.fold_log().await,
                        Errand::Other(work) => work(database.clone()).await,
                    };
                    database.mend().await;
                    database.trim();
                    sender.send(done).unwrap_or_default();
                    continue;
                }
                if database.has_many_changes() {
                    database.inner.platform.yield_now().await;
                }
                let group = database.next_group();
                if group.is_empty() {
                    break;
                }
                let count = group.len();
                match &indexed {
                    Ok(()) => database.write_group(group).await,
                    Err(error) => refuse(group, error),
                }
                database.answer(count);
                database.mend().await;
                database.trim();
                database.fold_if_due().await;
            }
            database.inner.writing.set(false);
            for resting in database.inner.resting.take() {
                // The receiver may be gone; that is fine.
                resting.send(()).unwrap_or_default();
            }
        }));
    }

    /// Whether the next draft, which may have been planned just now, changes much.
    fn has_many_changes(&self) -> bool {
        let queue = self.inner.queue.borrow();
        queue.front().is_some_and(|waiting| waiting.draft.changes.len() >= MANY_CHANGES)
    }

    /// Takes from the queue what can be prepared together: drafts that touch and need different records, keys and words, so
    /// that each can be checked against the state before any of them.
    fn next_group(&self) -> Vec<Waiting> {
        let mut queue = self.inner.queue.borrow_mut();
        let state = self.inner.state.borrow();
        let mut ids: Ordered<Id, ()> = Ordered::new();
        let mut needs: Ordered<Id, ()> = Ordered::new();
        let mut keys: Ordered<(Scope, Kind, String), ()> = Ordered::new();
        let (mut group, mut changes) = (Vec::new(), 0);
        while group.len() < GROUP
            && changes < GROUP_CHANGES
            && let Some(waiting) = queue.front()
        {
            let draft = &waiting.draft;
            // What erases is written alone.
            if draft.erases() {
                if group.is_empty() {
                    group.extend(queue.pop_front());
                }
                break;
            }
            let words = draft.claims.iter().map(|claim| (claim.kind, claim.words.as_str()));
            let named = draft.keys().chain(words);
            let named: Vec<_> =
                named.map(|(kind, key)| (draft.scope.clone(), kind, key.to_owned())).collect();
            let gone = state.store.gone_with(draft).into_iter().map(|(id, _)| id);
            let touched: Vec<Id> = draft.ids().chain(gone).collect();
            let needed: Vec<Id> = draft.needed().collect();
            if needed.iter().any(|id| ids.contains(id))
                || touched.iter().any(|id| ids.contains(id) || needs.contains(id))
                || named.iter().any(|key| keys.contains(key))
                || (draft.brought.is_some() && !group.is_empty())
            {
                break;
            }
            let is_alone = draft.brought.is_some();
            changes += draft.changes.len();
            ids.extend(touched.into_iter().map(|id| (id, ())));
            needs.extend(needed.into_iter().map(|id| (id, ())));
            keys.extend(named.into_iter().map(|key| (key, ())));
            group.extend(queue.pop_front());
            if is_alone {
                break;
            }
        }
        group
    }

    async fn write_group(&self, mut group: Vec<Waiting>) {
        for _ in 0..RETRIES {
            if let Err(error) = self.found().await {
                return refuse(group, &error);
            }
            // What erases is alone in its group.
            let erasing = group.first().map(|waiting| &waiting.draft).filter(|draft| draft.erases());
            let litter = match self.litter_of(erasing).await {
                Ok(litter) => litter,
                Err(error) if error.code == Code::Conflict => match self.catch_up(&[]).await {
                    Ok(()) => continue,
                    Err(error) => return refuse(group, &error),
                },
                Err(error) => return refuse(group, &error),
            };
            let prepared = self.prepare_group(group);
            if prepared.is_empty() {
                return;
            }
            let prepared = match self.admit(prepared).await {
                Ok(prepared) => prepared,
                Err(others) => {
                    group = others;
                    continue;
                }
            };
            let mut write = self.batch(&prepared);
            let mut owners = self.owners(&prepared);
            let mut erasure = None;
            if let Some((part, litter)) = litter {
                match self.erasing(part, &prepared, write, litter, &mut owners).await {
                    Ok((erasing, goes)) => (write, erasure) = (erasing, Some((part, goes))),
                    Err(_) if self.mend().await => {
                        group = prepared.into_iter().map(|prepared| prepared.waiting).collect();
                        continue;
                    }
                    Err(error) => {
                        return refuse(prepared.into_iter().map(|prepared| prepared.waiting), &error);
                    }
                }
            }
            let (batch, head, expected) = write;
            let error = match self.inner.vault.write(&batch, &owners, expected).await {
                Ok(()) => {
                    if let Some((part, erasure)) = erasure {
                        self.shed(part, erasure, &batch);
                    }
                    return self.confirm(prepared, head).await;
                }
                Err(error) if !matches!(error.code, Code::Conflict | Code::Storage) => {
                    return refuse(prepared.into_iter().map(|prepared| prepared.waiting), &error);
                }
                Err(error) => error,
            };
            // Another engine was first, or the medium failed and may have kept the batch all the same: what is there now
            // tells. What was kept is done; the rest is tried again after a conflict.
            let own: Vec<Id> = prepared.iter().map(|prepared| prepared.id).collect();
            let caught_up = self.catch_up(&own).await;
            group = self.settle(prepared);
            if let Err(error) = caught_up.and(if error.code == Code::Conflict { Ok(()) } else { Err(error) })
            {
                return refuse(group, &error);
            }
        }
        refuse(group, &outrun());
    }

    /// What a write that erases has to know beforehand, and the part that it needs; nothing for one that does not.
    async fn litter_of(&self, draft: Option<&Draft>) -> Result<Option<(Loaded<Folding>, Litter)>> {
        let Some(draft) = draft else { return Ok(None) };
        let part = Loaded::by(&*self.inner.platform).await?;
        Ok(Some((part, self.litter(part, draft).await?)))
    }

    /// Answers for the commits that turned out to be kept, and gives back the drafts of the others.
    fn settle(&self, prepared: Vec<Prepared>) -> Vec<Waiting> {
        let mut others = Vec::new();
        for Prepared { waiting, id, time, erased, .. } in prepared {
            let changes = self.inner.state.borrow().store.changes(id);
            if let Some(mut changes) = changes {
                changes.extend(erased);
                let committed = Committed { commit_id: id, at: time, changes };
                waiting.sender.send(Ok(committed)).unwrap_or_default();
            } else {
                others.push(waiting);
            }
        }
        others
    }

    /// Prepares each draft; those that cannot be are answered and left out.
    fn prepare_group(&self, group: Vec<Waiting>) -> Vec<Prepared> {
        let state = self.inner.state.borrow();
        let clock = self.inner.platform.now();
        let (mut sequence, mut last) = (state.head.sequence, state.head.time);
        let mut prepared = Vec::with_capacity(group.len());
        for waiting in group {
            // Of a scope that is locked nothing is known; it can only be forgotten.
            if !waiting.draft.erase_scope
                && let Err(error) = self.check_unlocked(&waiting.draft.scope)
            {
                refuse([waiting], &error);
                continue;
            }
            // Each commit has a time of its own, so that a time tells which state it was.
            let time = clock.max(last.saturating_add(1));
            let commit = state.store.prepare(&waiting.draft, sequence + 1, self.new_id(), time);
            let erased = state.store.erased_by(&waiting.draft);
            match state.store.sound(commit) {
                Ok(commit) => {
                    let id = commit.id;
                    let framed = |mut part: Commit| {
                        let frame = part.frame();
                        // All of it is in the frame by now.
                        (part.ops, part.embeds) = (Vec::new(), Vec::new());
                        (part, frame)
                    };
                    let parts: Vec<_> = commit.parts(MAX_VALUE_BYTES).into_iter().map(framed).collect();
                    let bytes: u64 = parts.iter().map(|(_, frame)| frame.len() as u64).sum();
                    let growth = bytes.saturating_mul(MOST_GROWTH);
                    if sequence + parts.len() as u64 > MAX_SEQUENCE {
                        refuse([waiting], &Error::new(Code::QuotaExceeded, FULL));
                        continue;
                    }
                    last = time;
                    sequence += parts.len() as u64;
                    prepared.push(Prepared { waiting, parts, growth, id, time, erased });
                }
                Err(error) => refuse([waiting], &error),
            }
        }
        prepared
    }

    /// Whose the values of a batch are.
    fn owners(&self, prepared: &[Prepared]) -> Owners {
        let mut owners = Owners::default();
        if !self.inner.vault.is_sealed() {
            return owners;
        }
        let forgotten =
            prepared.iter().map(|prepared| &prepared.waiting.draft).filter(|draft| draft.erase_scope);
        owners.forgotten = forgotten.map(|draft| draft.scope.clone()).collect();
        for (commit, frame) in prepared.iter().flat_map(|prepared| &prepared.parts) {
            let keys = (0..frame.len().div_ceil(MAX_VALUE_BYTES)).map(|part| log_key(commit.sequence, part));
            owners
                .scopes
                .extend(commit.scope.iter().flat_map(|scope| keys.clone().map(|key| (key, scope.clone()))));
        }
        owners
    }

    fn batch(&self, prepared: &[Prepared]) -> (Batch, Head, u64) {
        let (mut head, expected) = {
            let state = self.inner.state.borrow();
            (state.head.next(), state.head.counter)
        };
        let mut puts = Vec::with_capacity(prepared.len() + 1);
        for (commit, frame) in prepared.iter().flat_map(|prepared| &prepared.parts) {
            for (part, chunk) in frame.chunks(MAX_VALUE_BYTES).enumerate() {
                puts.push((log_key(commit.sequence, part), chunk.to_vec()));
            }
            head.sequence = commit.sequence;
            head.time = commit.time;
        }
        puts.push((HEAD_KEY.to_owned(), head.encode()));
        (Batch { puts, deletes: Vec::new() }, head, expected)
    }

    /// Applies what is durable now, tells the listeners and answers. All of it is applied at once, and its texts are indexed in
    /// slices: whoever was not told of a record yet may see it, and find it a little later.
    async fn confirm(&self, prepared: Vec<Prepared>, head: Head) {
        self.inner.state.borrow_mut().head = head;
        let mut applied = Vec::with_capacity(prepared.len());
        for Prepared { waiting, parts, growth, id, time, erased } in prepared {
            let changes = self.apply(&parts);
            self.inner.room.grow(growth);
            applied.push((waiting, parts, id, time, erased, changes));
        }
        let mut pace = Pace::new(&*self.inner.platform);
        for (waiting, parts, id, time, mut erased, changes) in applied {
            if let Ok(changes) = &changes {
                self.index(changes, &mut pace).await;
            }
            let answer = changes.and_then(|mut changes| {
                changes.append(&mut erased);
                if let Some((commit, frame)) = parts.last() {
                    let logged = LogCommit::from_frame(commit.sequence, frame);
                    self.tell_commit(logged.split()?.0, &waiting.draft.scope, changes.clone(), false)?;
                }
                Ok(Committed { commit_id: id, at: time, changes })
            });
            // Whoever no longer waits still has it stored.
            waiting.sender.send(answer).unwrap_or_default();
        }
    }

    /// Applies the parts of a commit, all but the words of its texts.
    fn apply(&self, parts: &[(Commit, Vec<u8>)]) -> Result<Vec<Changed>> {
        let mut changes = Vec::new();
        let mut state = self.inner.state.borrow_mut();
        for (commit, frame) in parts {
            let logged = LogCommit::from_frame(commit.sequence, frame);
            let (section, embeds) = logged.split()?;
            state.tail.insert(logged.sequence, logged.bytes());
            changes.extend(state.store.apply_unindexed(section, &embeds)?);
        }
        // It is stored; what it could not be compared with has to be read anew.
        self.inner.broken.set(self.inner.broken.get() || state.store.check_read().is_err());
        Ok(changes)
    }

    /// Indexes the texts that a commit brought, in slices.
    pub(super) async fn index(&self, changes: &[Changed], pace: &mut Pace<'_>) {
        for changed in changes {
            let work = self.inner.state.borrow_mut().store.index_text_of(changed.id);
            pace.spend(work).await;
        }
    }
}

impl Database {
    /// Lets the writer do something between two writes.
    ///
    /// # Errors
    /// `Closed`, and those of the work.
    pub(super) async fn errand(
        &self,
        work: impl FnOnce(Self) -> Pending<'static, Result<()>> + 'static,
    ) -> Result<()> {
        self.send(Errand::Other(Box::new(work))).await
    }

    /// Attempts a write again each time that another engine was faster, on what is stored by then, or that it met damaged vectors,
    /// without them.
    ///
    /// # Errors
    /// Those of the attempt; `Conflict` when others were always faster.
    pub(super) async fn retried(&self, mut attempt: impl AsyncFnMut() -> Result<()>) -> Result<()> {
        for _ in 0..RETRIES {
            match attempt().await {
                Err(error) if error.code == Code::Conflict => self.catch_up(&[]).await?,
                Err(_) if self.mend().await => {}
                done => return done,
            }
        }
        Err(outrun())
    }

    /// Writes a head in place of the known one, with nothing but what becomes of keys.
    ///
    /// # Errors
    /// Those of [`Vault::write`](crate::vault::Vault::write).
    pub(super) async fn write_head(&self, head: Head, owners: &Owners) -> Result<()> {
        let expected = self.inner.state.borrow().head.counter;
        let batch = Batch { puts: vec![(HEAD_KEY.to_owned(), head.encode())], deletes: Vec::new() };
        self.inner.vault.write(&batch, owners, expected).await?;
        self.inner.state.borrow_mut().head = head;
        Ok(())
    }

    /// The head that follows the known one.
    pub(super) fn next_head(&self) -> Head {
        self.inner.state.borrow().head.next()
    }
}

/// The error of a write that always met a newer head.
pub(super) fn outrun() -> Error {
    Error::new(Code::Conflict, format!("other writers were faster {RETRIES} times; try again later"))
}

pub(super) fn refuse(group: impl IntoIterator<Item = Waiting>, error: &Error) {
    for waiting in group {
        waiting.sender.send(Err(error.clone())).unwrap_or_default();
    }
}
