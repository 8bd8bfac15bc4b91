//! Ending what has expired. Reads hide it from the moment its time is over; this makes it so in the store.

use crate::database::Database;
use crate::error::{Code, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::memory::schedule::Job;
use crate::ports::Pending;
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use std::cell::Cell;

/// How many records one commit ends.
const BATCH: usize = 500;

/// Ends everything that has expired, once after opening.
pub(crate) struct Expiry {
    database: Database,
    done: Cell<bool>,
}

impl Expiry {
    pub(crate) fn new(database: Database) -> Self {
        Self { database, done: Cell::new(false) }
    }
}

impl Job for Expiry {
    fn kind(&self) -> &'static str {
        "expiry"
    }

    fn due(&self, _: &Store, _: Option<&Scope>, _: Timestamp) -> Result<Option<Timestamp>> {
        Ok(if self.done.get() { None } else { Some(Timestamp::MIN) })
    }

    fn step<'a>(&'a self, _: Option<&'a Scope>) -> Pending<'a, Result<bool>> {
        Box::pin(async move {
            sweep(&self.database).await?;
            self.done.set(true);
            Ok(true)
        })
    }
}

async fn sweep(database: &Database) -> Result<()> {
    let now = database.now();
    for (scope, ids) in database.read(|store| Ok(store.expired(now)))? {
        for batch in ids.chunks(BATCH) {
            if end(database, &scope, batch).await? {
                continue;
            }
            // One of them was changed or ended meanwhile, which does not keep the others.
            for one in batch.chunks(1) {
                end(database, &scope, one).await?;
            }
        }
    }
    Ok(())
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
