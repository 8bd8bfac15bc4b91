//! Ending what has expired. Reads hide it from the moment its time is over; this makes it so in the store.

use crate::database::{Database, Event};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::memory::forget::Forgetting;
use crate::memory::schedule::Job;
use crate::memory::ttl::Expired;
use crate::ports::{Loaded, Pending, Systems};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use std::cell::Cell;

/// How many records one commit ends.
const BATCH: usize = 500;
/// The name of the job.
pub(crate) const EXPIRY: &str = "expiry";

/// Ends everything that has expired: after opening, and where it is to be forgotten also when the next record's time is over.
pub(crate) struct Expiry {
    database: Database,
    forgetting: Forgetting,
    expired: Expired,
    /// When the next record's time is over; not known before the first look.
    next: Cell<Option<Timestamp>>,
}

impl Expiry {
    pub(crate) fn new(database: Database, forgetting: Forgetting, expired: Expired) -> Self {
        Self { database, forgetting, expired, next: Cell::new(Some(Timestamp::MIN)) }
    }

    /// Hears of a commit; whether something is due sooner by it.
    pub(crate) fn heard(&self, event: &Event) -> bool {
        let Event::Change { scope, changes, .. } = event else { return false };
        if self.expired == Expired::Delete {
            return false;
        }
        let soonest = self.database.read(|store| {
            let views = changes.iter().filter_map(|change| store.get(scope, change.id));
            Ok(views.filter_map(|view| view.expires_at).min())
        });
        let Some(soonest) = soonest.ok().flatten() else { return false };
        let is_sooner = self.next.get().is_none_or(|next| soonest < next);
        if is_sooner {
            self.next.set(Some(soonest));
        }
        is_sooner
    }

    async fn sweep(&self) -> Result<()> {
        let now = self.database.now();
        let mut failed = None;
        for (scope, ids) in self.database.read(|store| Ok(store.expired(now)))? {
            if self.expired == Expired::Forget {
                let systems = Loaded::by(&*self.database.platform()).await?;
                // One scope that cannot be forgotten keeps no other waiting.
                failed = failed.or(self.forget(systems, &scope).await.err());
                continue;
            }
            for batch in ids.chunks(BATCH) {
                if end(&self.database, &scope, batch).await? {
                    continue;
                }
                // One of them was changed or ended meanwhile, which does not keep the others.
                for one in batch.chunks(1) {
                    end(&self.database, &scope, one).await?;
                }
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        // What is only deleted is hidden anyway, and ends at the next opening.
        let next = self.database.read(|store| Ok(store.next_expiry()))?;
        self.next.set(next.filter(|_| self.expired == Expired::Forget));
        Ok(())
    }

    /// Forgets what has expired in a scope. A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn forget<'a>(&'a self, systems: Loaded<Systems>, scope: &'a Scope) -> Pending<'a, Result<()>> {
        systems.work(Box::pin(self.forgetting.forget_expired(scope)))
    }
}

impl Job for Expiry {
    fn kind(&self) -> &'static str {
        EXPIRY
    }

    fn due(&self, _: &Store, _: Option<&Scope>, _: Timestamp) -> Result<Option<Timestamp>> {
        Ok(self.next.get())
    }

    fn step<'a>(&'a self, _: Option<&'a Scope>) -> Pending<'a, Result<bool>> {
        Box::pin(async move {
            self.sweep().await?;
            Ok(true)
        })
    }
}

/// Ends records in one commit, unless one of them is no longer as it was; answers whether it did.
async fn end(database: &Database, scope: &Scope, records: &[(Id, u32)]) -> Result<bool> {
    let mut draft = Draft::new(scope, Cause::Expire);
    for (id, revision) in records {
        draft.delete(*id, Expect::Revision(*revision));
    }
    match database.commit(draft).await {
        Ok(_) => Ok(true),
        Err(error) if matches!(error.code, Code::Conflict | Code::NotFound) => Ok(false),
        Err(error) => Err(error),
    }
}
