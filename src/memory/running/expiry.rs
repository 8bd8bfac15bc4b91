//! Ending what has expired. Reads hide it from the moment its time is over; this makes it so in the store.

use crate::database::{Database, Event};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::memory::activity::Activity;
use crate::scope::Scope;
use crate::store::{Draft, Expect};

/// How many records one commit ends.
const BATCH: usize = 500;

/// Ends everything that has expired, in the background; the listeners are told when it fails, and the next opening tries
/// again.
pub(crate) fn wake(database: &Database, activity: &Activity) {
    let working = activity.begin();
    let sweeping = database.clone();
    database.platform().spawn(Box::pin(async move {
        if let Err(error) = sweep(&sweeping).await
            && error.code != Code::Closed
        {
            sweeping.tell(&Event::Error(error));
        }
        drop(working);
    }));
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
