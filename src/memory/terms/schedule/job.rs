//! A kind of background work.

use crate::error::{Error, Result};
use crate::ports::Pending;
use crate::scope::Scope;
use crate::store::Store;
use crate::time::Timestamp;

/// How long to wait for the next try after the first failure; four times as long after each further one.
const FIRST_PAUSE_MS: i64 = 15_000;
/// The longest wait for the next try.
const LONGEST_PAUSE_MS: i64 = 3_600_000;

/// How long to wait for the next try after so many failures in a row, at least one: 15 s, 1 min, 4 min, up to an hour.
pub(crate) fn pause_ms(failures: u32) -> i64 {
    FIRST_PAUSE_MS.saturating_mul(4_i64.saturating_pow(failures.saturating_sub(1))).min(LONGEST_PAUSE_MS)
}

/// A kind of background work. Its methods are given a scope if it is taken on for scopes, and none if for the whole memory.
pub(crate) trait Job {
    /// Its unique name.
    fn kind(&self) -> &'static str;

    /// When its next part is due: not after `now` when it is; `None` when nothing waits.
    ///
    /// # Errors
    /// Those of reading.
    fn due(&self, store: &Store, scope: Option<&Scope>, now: Timestamp) -> Result<Option<Timestamp>>;

    /// How much waits for it: tasks, texts, accesses; 1 where it is not counted.
    ///
    /// # Errors
    /// Those of reading.
    fn waiting(&self, store: &Store, scope: Option<&Scope>, now: Timestamp) -> Result<usize> {
        Ok(usize::from(self.due(store, scope, now)?.is_some()))
    }

    /// Does one part of it; for a scope, the caller holds the turn there. Answers whether there was something to do.
    ///
    /// # Errors
    /// What is told to the listeners and makes the job wait; `Closed` ends it.
    fn step<'a>(&'a self, scope: Option<&'a Scope>) -> Pending<'a, Result<bool>>;

    /// Whether it waits only to be done together with more, so that draining and closing need not wait for its time.
    fn gathers(&self) -> bool {
        false
    }

    /// Its failures, where it keeps them itself: one for each thread.
    fn failures(&self, _scope: Option<&Scope>) -> Vec<Failures> {
        Vec::new()
    }

    /// Hands what it gathered to the writer, for the last time before closing.
    fn last(&self) {}
}

/// An error without what it quotes.
pub(crate) fn quiet(error: &Error) -> Error {
    Error::new(
        error.code,
        "it failed before something was forgotten, and what it said of that was forgotten too",
    )
}

/// The failures of a job in a row.
#[derive(Debug, Clone)]
pub(crate) struct Failures {
    /// Of which thread, where each fails by itself.
    pub(crate) thread_id: Option<String>,
    pub(crate) count: u32,
    /// The last one.
    pub(crate) error: Error,
    pub(crate) retry_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_in_a_row_makes_the_next_try_wait_longer() {
        let pauses: Vec<i64> = (1..=6).map(pause_ms).collect();
        assert_eq!(pauses, [15_000, 60_000, 240_000, 960_000, 3_600_000, 3_600_000]);
        assert_eq!(pause_ms(u32::MAX), LONGEST_PAUSE_MS);
    }
}
