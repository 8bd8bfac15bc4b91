//! What the log consists of, for those who look inside.

use super::database::Database;
use crate::error::Result;
use crate::ordered::Ordered;
use crate::ports::{Folding, Loaded};
use crate::record::Kind;
use crate::store::Indexes;
use crate::time::Timestamp;
use serde::Serialize;

/// What is inside of a memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Inside {
    /// Living records by kind.
    pub records: Ordered<Kind, usize>,
    /// The log.
    pub log: LogState,
    /// The indexes.
    pub indexes: Indexes,
    /// What of it is in memory.
    pub memory: InMemory,
}

/// What is in memory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InMemory {
    /// How many bytes it takes, about.
    pub memory_bytes: u64,
    /// How many it may take.
    pub max_memory_bytes: u64,
    /// Whether bytes of segments are read when they are needed.
    pub paged: bool,
    /// How many bytes are in memory that can be read again.
    pub cached_bytes: usize,
}

/// The log as it is stored.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LogState {
    /// Bytes of segments and tail.
    pub bytes: u64,
    /// Commits that can be read.
    pub commits: usize,
    /// The number of the last commit; 0 when there is none.
    pub last_commit: u64,
    /// When it was made; none when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_commit_at: Option<Timestamp>,
    /// Immutable runs of commits, oldest first.
    pub segments: Vec<SegmentState>,
    /// The commits after them.
    pub tail: TailState,
}

/// A segment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SegmentState {
    /// Its id.
    pub id: u32,
    /// Its first commit.
    pub first_commit: u64,
    /// Its last commit.
    pub last_commit: u64,
    /// Bytes of all its values.
    pub bytes: u64,
    /// Revisions in it that can still be read.
    pub revisions: usize,
    /// Those that are the present state of a record.
    pub records: usize,
    /// `records` of `revisions`, 0 to 1; 1 when there are none.
    pub live_share: f64,
}

/// What is not folded into segments yet.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TailState {
    /// How many commits.
    pub commits: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Database {
    /// What is inside, without reading the storage.
    ///
    /// # Errors
    /// `Closed` after closing, and those of loading.
    pub async fn inside(&self) -> Result<Inside> {
        self.check_open()?;
        Ok(self.inside_counted(Loaded::by(&*self.inner.platform).await?))
    }

    /// A function of its own, so that the build can cut it off: see [`crate::ports::Part`].
    #[inline(never)]
    fn inside_counted(&self, part: Loaded<Folding>) -> Inside {
        let (memory_bytes, max_memory_bytes) = self.memory_bytes(part);
        let store = &self.inner.state.borrow().store;
        let (paged, cached_bytes) = (store.is_paged(), store.cached_bytes());
        Inside {
            records: store.records_by_kind(),
            log: self.log_state(),
            indexes: store.indexes(),
            memory: InMemory { memory_bytes, max_memory_bytes, paged, cached_bytes },
        }
    }

    fn log_state(&self) -> LogState {
        let state = self.inner.state.borrow();
        let runs = &state.head.segments;
        let held = state.store.held(&runs.iter().map(|run| run.last).collect::<Vec<_>>());
        let segments: Vec<_> = runs
            .iter()
            .zip(held)
            .map(|(run, held)| SegmentState {
                id: run.id,
                first_commit: run.first,
                last_commit: run.last,
                bytes: run.bytes,
                revisions: held.revisions,
                records: held.live,
                live_share: if held.revisions == 0 { 1.0 } else { held.live as f64 / held.revisions as f64 },
            })
            .collect();
        let tail = TailState { commits: state.tail.len(), bytes: state.tail_bytes() };
        LogState {
            bytes: runs.iter().map(|run| run.bytes).fold(tail.bytes, u64::saturating_add),
            commits: state.store.counts().commits,
            last_commit: state.head.sequence,
            last_commit_at: (state.head.sequence > 0).then_some(state.head.time),
            segments,
            tail,
        }
    }
}
