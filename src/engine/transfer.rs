//! Transfers: backups on their way out of a memory and into one, in pieces of bytes.

use super::engine::Engine;
use crate::database::{Export, Pace};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::{Backup, BackupReader, Cause};
use crate::memory::changes::{Changes, Planning};
use crate::memory::merging::{Merged, plan};
use crate::ordered::Ordered;
use crate::ports::{Loaded, Pending, Systems};
use crate::scope::Scope;
use crate::store::{Restoring, Store};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::cell::{Cell, RefCell};

/// The transfers of one engine that are under way, by number.
#[derive(Default)]
pub(super) struct Transfers {
    last: Cell<u32>,
    open: RefCell<Ordered<u32, Transfer>>,
}

/// One transfer.
enum Transfer {
    Out(Export),
    In(BackupReader),
    Read(Backup),
}

/// A transfer by its number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ByNumber {
    transfer: u32,
}

/// A transfer that was begun.
#[derive(Serialize)]
pub(super) struct Begun {
    transfer: u32,
}

/// What a backup says of itself.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Described {
    created_at: i64,
    commits: u64,
    bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<Scope>,
}

/// What a replacement did.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replaced {
    commits: usize,
    records: usize,
}

/// How a backup is merged.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Merging {
    transfer: u32,
    /// Whether what the backup holds counts whatever is newer, and what it does not hold ends.
    mode: Mode,
    /// The one scope of the backup to take in; all by default.
    scope: Option<Map<String, Value>>,
}

/// What counts.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Mode {
    Merge,
    Replace,
}

/// What a merge did.
#[derive(Default, Serialize)]
pub(super) struct MergedAll {
    #[serde(flatten)]
    merged: Merged,
    commits: Vec<MergedScope>,
}

/// The commit of a merge in one scope.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MergedScope {
    scope: Scope,
    commit_id: Id,
}

impl Transfers {
    fn add(&self, transfer: Transfer) -> Begun {
        let number = self.last.get().wrapping_add(1);
        self.last.set(number);
        self.open.borrow_mut().insert(number, transfer);
        Begun { transfer: number }
    }

    fn take(&self, number: u32) -> Result<Transfer> {
        self.open.borrow_mut().remove(&number).ok_or_else(|| {
            Error::new(Code::InvalidInput, format!("transfer {number} is not under way; begin it again"))
        })
    }
}

impl Engine {
    /// Moves a piece of a transfer: takes in bytes of an import, or answers the next of an export, none after the last.
    ///
    /// # Errors
    /// Those of [`Export::piece`] and [`BackupReader::push`]; the transfer is over then.
    pub async fn transfer(&self, number: u32, bytes: Vec<u8>) -> Result<Vec<u8>> {
        let platform = self.database.platform();
        let systems = Loaded::by(&*platform).await?;
        self.transfer_loaded(systems, number, bytes).await
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn transfer_loaded(
        &self,
        systems: Loaded<Systems>,
        number: u32,
        bytes: Vec<u8>,
    ) -> Pending<'_, Result<Vec<u8>>> {
        systems.work(Box::pin(async move {
            // Whoever waits for the thread comes between two pieces.
            self.database.platform().yield_now().await;
            let mut transfer = self.transfers.take(number)?;
            let piece = match &mut transfer {
                Transfer::Out(export) => export.piece()?.unwrap_or_default(),
                Transfer::In(reader) => {
                    reader.push(&bytes)?;
                    Vec::new()
                }
                Transfer::Read(_) => {
                    return Err(Error::new(Code::InvalidInput, "the import was read to its end"));
                }
            };
            self.transfers.open.borrow_mut().insert(number, transfer);
            Ok(piece)
        }))
    }

    /// Begins a backup of the memory or one scope.
    pub(super) fn begin_export(&self, scope: Option<&Scope>) -> Result<Begun> {
        Ok(self.transfers.add(Transfer::Out(self.database.export(scope.cloned())?)))
    }

    /// Begins to take a backup in.
    pub(super) fn begin_import(&self) -> Begun {
        self.transfers.add(Transfer::In(BackupReader::default()))
    }

    /// Checks that all of a backup has come, and says what it holds. Its pieces can be read from now on.
    pub(super) fn check_import(&self, ByNumber { transfer: number }: &ByNumber) -> Result<Described> {
        let Transfer::In(reader) = self.transfers.take(*number)? else { return Err(not_in()) };
        let backup = reader.finish()?;
        let (start, commits, bytes) = (&backup.start, backup.commits, backup.bytes);
        let described = Described { created_at: start.created, commits, bytes, scope: start.scope.clone() };
        self.transfers.open.borrow_mut().insert(*number, Transfer::Read(backup));
        Ok(described)
    }

    /// Puts a backup in the place of everything.
    pub(super) async fn replace(&self, number: ByNumber) -> Result<Replaced> {
        let backup = self.backup(&number)?;
        if backup.start.scope.is_some() {
            let message = "the backup holds one scope and cannot take the place of a whole memory; import it into that scope";
            return Err(Error::new(Code::InvalidInput, message));
        }
        let store = self.restored(&backup).await?;
        drop(backup);
        let counts = store.counts();
        self.database.replace(store).await?;
        self.background.wake();
        Ok(Replaced { commits: counts.commits, records: counts.records })
    }

    /// The state that a backup holds, made in slices.
    async fn restored(&self, backup: &Backup) -> Result<Store> {
        let platform = self.database.platform();
        let mut pace = Pace::new(&*platform);
        let mut restoring = Restoring::begin(self.models.embedder_id(), backup);
        while let Some(work) = restoring.step()? {
            pace.spend(work).await;
        }
        Ok(restoring.end())
    }

    /// Takes in what a backup knows more or newer: of all its scopes, or into one scope.
    pub(super) async fn merge(&self, into: Option<&Scope>, merging: Merging) -> Result<MergedAll> {
        let Merging { transfer, mode, scope } = merging;
        let backup = self.backup(&ByNumber { transfer })?;
        let from = self.restored(&backup).await?;
        let own = backup.start.scope.clone();
        // What was read from it stands in `from` by now.
        drop(backup);
        let only = scope.map(|pairs| Scope::from_json(&Value::Object(pairs))).transpose()?;
        let only = only.as_ref().or(own.as_ref()).or(into);
        let mut done = MergedAll::default();
        let scopes = from.scopes().filter(|scope| only.is_none_or(|only| only == *scope));
        let scopes: Vec<Scope> = scopes.cloned().collect();
        // The file of a scope that holds nothing brings nothing; but nothing takes the place of what is here.
        let brings_nothing = own.is_some() && mode == Mode::Merge;
        if let Some(only) = only.filter(|_| scopes.is_empty() && !brings_nothing) {
            let message =
                format!("the backup holds nothing of the scope {}; nothing was changed", only.canonical());
            return Err(Error::new(Code::NotFound, message));
        }
        for source in &scopes {
            self.database.check_unlocked(into.unwrap_or(source))?;
        }
        for source in scopes {
            let target = into.unwrap_or(&source);
            let mut merged = Merged::default();
            let plan = &mut |planning: &mut Planning<'_>| {
                let replace = mode == Mode::Replace;
                let (brought, counts) = plan((&from, &source), (planning.store, target), replace)?;
                merged = counts;
                planning.draft.brought = Some(brought).filter(|brought| !brought.ops.is_empty());
                Ok(())
            };
            let changes = Changes::new(&self.database, &self.models);
            let outcome = changes.run(target, Cause::User, plan).await.map_err(|error| {
                // The scopes before this one are imported; their commits are what takes that back.
                let commits = to_value(&done.commits).unwrap_or_default();
                if done.commits.is_empty() { error } else { error.with("commits", commits) }
            })?;
            done.merged.added += merged.added;
            done.merged.updated += merged.updated;
            done.merged.removed += merged.removed;
            done.merged.unchanged += merged.unchanged;
            let scope = target.clone();
            done.commits.extend(outcome.commit_id.map(|commit_id| MergedScope { scope, commit_id }));
        }
        self.background.wake();
        Ok(done)
    }

    /// A backup that was checked; its transfer is over.
    pub(super) fn backup(&self, number: &ByNumber) -> Result<Backup> {
        match self.transfers.take(number.transfer)? {
            Transfer::Read(backup) => Ok(backup),
            _ => Err(not_in()),
        }
    }

    /// Ends a transfer, whether it is under way or not.
    pub(super) fn end_transfer(&self, number: &ByNumber) {
        self.transfers.open.borrow_mut().remove(&number.transfer);
    }
}

fn not_in() -> Error {
    Error::new(Code::InvalidInput, "this is no import that was read to its end; begin it again")
}
