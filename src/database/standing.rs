//! How a memory stands: what tells it from an older or another one.

use super::database::Database;
use crate::error::Result;
use crate::log::Damage;
use crate::ports::Loaded;
use serde::Serialize;

/// How a memory stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Standing {
    /// The counter of the head; 0 when nothing was ever written.
    pub counter: u64,
    /// The memory's lineage in hexadecimal digits; another one means another memory, or one that was put together.
    pub lineage: String,
    /// Living records of all scopes.
    pub records: usize,
    /// Bytes of the values that the head names.
    pub bytes: u64,
    /// What was found damaged since the memory was opened.
    pub damage: Vec<Damage>,
}

/// How much memory an open memory takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Taken {
    /// About how many bytes of memory it takes while it is open.
    pub memory_bytes: u64,
    /// How many it may take.
    pub max_memory_bytes: u64,
}

impl Database {
    /// How the memory stands now, without reading the storage.
    ///
    /// # Errors
    /// `Closed` after closing.
    pub fn standing(&self) -> Result<Standing> {
        self.check_open()?;
        let state = self.inner.state.borrow();
        let segments: u64 = state.head.segments.iter().map(|segment| segment.bytes).sum();
        Ok(Standing {
            counter: state.head.counter,
            lineage: state.head.lineage.iter().map(|byte| format!("{byte:02x}")).collect(),
            records: state.store.counts().records,
            bytes: segments.saturating_add(state.tail_bytes()),
            damage: state.damage.clone(),
        })
    }

    /// How much memory it takes now.
    ///
    /// # Errors
    /// `Closed` after closing, and those of loading.
    pub async fn taken(&self) -> Result<Taken> {
        self.check_open()?;
        let (memory_bytes, max_memory_bytes) = self.memory_bytes(Loaded::by(&*self.inner.platform).await?);
        Ok(Taken { memory_bytes, max_memory_bytes })
    }
}
