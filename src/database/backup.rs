//! Backups: reading the memory out as a file, and putting a file in its place.

use super::database::{Database, State, Untidy};
use super::event::Event;
use super::fold::put_segment;
use super::litter::Stored;
use super::locked::Locked;
use super::writer::{RETRIES, outrun};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{BackupStart, BackupWriter, Cause, HEAD_KEY, Head, MAX_VALUE_BYTES};
use crate::ordered::Ordered;
use crate::ports::{Batch, Loaded};
use crate::scope::Scope;
use crate::store::{Recovered, Store};
use crate::vault::Owners;

/// How many vectors are read out at once.
const VECTORS: usize = 512;

/// A backup that is being made: the memory as it was at one commit, whatever is written meanwhile.
pub struct Export {
    database: Database,
    start: BackupStart,
    /// What the head said of erasures and of the bound of history when it was begun, and the scopes that were locked.
    erased: u64,
    outlived: u64,
    locked: Vec<Scope>,
    writer: BackupWriter,
    step: Step,
}

/// What comes next.
enum Step {
    Start,
    Commits(u64),
    Vectors(Vec<u32>),
    End,
    Done,
}

impl Export {
    /// When it was begun, of what.
    #[must_use]
    pub fn start(&self) -> &BackupStart {
        &self.start
    }

    /// The next piece, of about 1 MiB; none after the last.
    ///
    /// # Errors
    /// `Conflict` when the memory was replaced, or something left it for good, meanwhile, `Closed` after closing.
    pub fn piece(&mut self) -> Result<Option<Vec<u8>>> {
        let (start, scope) = (&self.start, self.start.scope.as_ref());
        if start.lineage != [0; 16] && self.database.lineage() != start.lineage {
            let message = "the memory was replaced while it was exported; export it again";
            return Err(Error::new(Code::Conflict, message));
        }
        // What was read before still holds it.
        if self.database.inner.state.borrow().head.erased != self.erased {
            let message = "something was forgotten while the memory was exported; export it again";
            return Err(Error::new(Code::Conflict, message));
        }
        // Otherwise the end of a record could be missing whose beginning is out already.
        if self.database.inner.state.borrow().head.outlived != self.outlived {
            let message = "history reached its bound while the memory was exported; export it again";
            return Err(Error::new(Code::Conflict, message));
        }
        if self.database.inner.state.borrow().locked.scopes != self.locked {
            let message = "a scope was locked or unlocked while the memory was exported; export it again";
            return Err(Error::new(Code::Conflict, message));
        }
        let writer = &mut self.writer;
        let (piece, step) = self.database.read(|store| {
            Ok(match &mut self.step {
                Step::Start => (Some(writer.start(start)), Step::Commits(1)),
                Step::Commits(first) => {
                    let range = (*first, start.sequence);
                    let (frames, count, next) = store.backup_commits(range, scope, MAX_VALUE_BYTES);
                    let next = match next {
                        Some(next) => Step::Commits(next),
                        None => Step::Vectors(store.with_vectors(scope, start.sequence)),
                    };
                    (Some(writer.frames(frames, count)), next)
                }
                Step::Vectors(documents) if documents.is_empty() => (Some(Vec::new()), Step::End),
                Step::Vectors(documents) => {
                    let rest = documents.split_off(documents.len().min(VECTORS));
                    let frames = store.backup_vectors(documents);
                    (Some(writer.frames(frames, 0)), Step::Vectors(rest))
                }
                Step::End => (Some(writer.end()), Step::Done),
                Step::Done => (None, Step::Done),
            })
        })?;
        self.step = step;
        match piece {
            // An empty piece is no end.
            Some(piece) if piece.is_empty() => self.piece(),
            piece => Ok(piece),
        }
    }
}

impl Database {
    /// Begins a backup of the memory, or of one scope of it, as it is now.
    ///
    /// # Errors
    /// `Closed`; `Locked` when the scope is locked, or any scope is and all are to be exported.
    pub fn export(&self, scope: Option<Scope>) -> Result<Export> {
        self.check_open()?;
        match &scope {
            Some(scope) => self.check_unlocked(scope)?,
            None => self.check_all_unlocked("the memory cannot be exported as a whole")?,
        }
        let locked = self.inner.state.borrow().locked.scopes.clone();
        let created = self.now();
        let head = self.inner.state.borrow().head.clone();
        let Head { sequence, time, lineage, erased, outlived, .. } = head;
        let start = BackupStart { created, sequence, time, lineage, scope };
        Ok(Export {
            database: self.clone(),
            start,
            erased,
            outlived,
            locked,
            writer: BackupWriter::default(),
            step: Step::Start,
        })
    }

    /// Puts another state in the place of everything: when it resolves, the storage holds that and nothing else.
    ///
    /// # Errors
    /// `Locked` when a scope is locked, `QuotaExceeded` when the state takes more memory than it may, and those of
    /// [`crate::ports::Storage::write`]; nothing was changed then.
    pub async fn replace(&self, store: Store) -> Result<()> {
        self.errand(|database| Box::pin(async move { database.put_in_place(store).await })).await
    }

    /// Carries out what [`replace`](Self::replace) asks for.
    async fn put_in_place(&self, store: Store) -> Result<()> {
        for _ in 0..RETRIES {
            self.check_all_unlocked("nothing can take the place of the memory")?;
            let room = self.check_other(Loaded::by(&*self.inner.platform).await?, &store)?;
            let (batch, owners, head, expected) = self.replacing(&store).await?;
            match self.inner.vault.write(&batch, &owners, expected).await {
                Ok(()) => {
                    self.inner.room.take_over(&room);
                    return self.take_over(store, head);
                }
                // Another engine was faster; what it wrote is replaced too.
                Err(error) if error.code == Code::Conflict => self.catch_up(&[]).await?,
                Err(error) => {
                    // The medium may have kept it all the same.
                    let caught_up =
                        if error.code == Code::Storage { self.catch_up(&[]).await } else { Ok(()) };
                    let is_kept = caught_up.is_ok() && self.lineage() == head.lineage;
                    return if is_kept { Ok(()) } else { Err(error) };
                }
            }
        }
        Err(outrun())
    }

    /// Goes on with a state that was written, and tells what is different now.
    fn take_over(&self, store: Store, head: Head) -> Result<()> {
        let lineage = head.lineage;
        let (damage, stale) = (Vec::new(), Vec::new());
        let recovered =
            Recovered { store, head, rebuilt: false, is_partial: false, damage, stale, tail: Ordered::new() };
        let differences = {
            let mut state = self.inner.state.borrow_mut();
            let state_now = State::new(recovered, Untidy::default(), Locked::default());
            let before = std::mem::replace(&mut *state, state_now);
            state.store.differences(&before.store)
        };
        for (scope, changes) in differences {
            let (commit_id, at, cause) = (Id::from_bytes(lineage), self.now(), Cause::User);
            self.tell(&Event::Change { commit_id, at, cause, scope, changes, remote: false });
        }
        Ok(())
    }

    /// The write that puts a state in the place of whatever is stored.
    async fn replacing(&self, store: &Store) -> Result<(Batch, Owners, Head, u64)> {
        let part = Loaded::by(&*self.inner.platform).await?;
        let Stored { counter: expected, keys, aside, .. } = self.stored(part).await?;
        let known = self.inner.state.borrow().head.clone();
        // A counter that another engine has not seen, and an id that no segment has.
        let counter = known.counter.max(expected);
        let id = keys.iter().filter_map(|key| key.strip_prefix("segment/")?.get(..8));
        let id = id.filter_map(|id| u32::from_str_radix(id, 16).ok()).max();
        let id = id.map_or(0, |id| id.saturating_add(1)).max(known.next_segment);
        let head = Head { counter, next_segment: id, ..Head::default() };
        let mut head = self.founding(head.next());
        (head.sequence, head.time) = (store.sequence(), store.time());
        let (mut puts, mut owners) = (Vec::new(), Owners::default());
        if head.sequence > 0 {
            let (platform, division) = (&*self.inner.platform, self.division());
            puts = put_segment(part, platform, (store, 1, &division), (&mut head, &mut owners)).await;
        }
        let deletes = keys.into_iter().chain(aside.into_iter().map(|(key, _)| key)).collect();
        puts.push((HEAD_KEY.to_owned(), head.encode()));
        Ok((Batch { puts, deletes }, owners, head, expected))
    }

    fn lineage(&self) -> [u8; 16] {
        self.inner.state.borrow().head.lineage
    }
}
