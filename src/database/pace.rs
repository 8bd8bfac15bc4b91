//! Long work in slices, with the thread free for others in between.

use crate::ports::Platform;

/// About how many microseconds of work are done at a stretch. A phone takes several times as long.
const SLICE: usize = 8_000;

/// Counts work, and lets others have the thread when it was much. What is counted is what was done and not the time that passed,
/// so that the same is done in the same slices everywhere.
pub(crate) struct Pace<'a> {
    platform: &'a dyn Platform,
    done: usize,
}

impl<'a> Pace<'a> {
    pub(crate) fn new(platform: &'a dyn Platform) -> Self {
        Self::after(platform, 0)
    }

    /// One that goes on where another ended, which had done so much since it let others have the thread.
    pub(crate) fn after(platform: &'a dyn Platform, done: usize) -> Self {
        Self { platform, done }
    }

    /// What was done since others had the thread.
    pub(crate) fn done(&self) -> usize {
        self.done
    }

    /// Notes work of about so many microseconds; waits when a slice is full.
    pub(crate) async fn spend(&mut self, work: usize) {
        self.done += work;
        if self.done >= SLICE {
            self.done = 0;
            self.platform.yield_now().await;
        }
    }
}
