//! Ending what has expired. Reads hide it from the moment its time is over; this makes it so in the store.

use super::activity::Activity;
use crate::database::{Database, Event};
use crate::error::{Code, Result};
use crate::log::Cause;
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
            let mut draft = Draft::new(&scope, Cause::Expire);
            for (id, revision) in batch {
                draft.delete(*id, Expect::Revision(*revision));
            }
            match database.commit(draft).await {
                Ok(_) => {}
                // One of them was changed or ended meanwhile; the others wait for the next opening.
                Err(error) if matches!(error.code, Code::Conflict | Code::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(())
}
