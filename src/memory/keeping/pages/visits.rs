//! The visits of a segment.

use crate::error::Result;
use crate::id::Id;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The visits of a segment, as its record of them holds them.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Visits {
    pub(crate) visits: u32,
    pub(crate) at: Timestamp,
}

impl Visits {
    /// Those that are stored.
    pub(crate) fn of(store: &Store, scope: &Scope, segment: Id) -> Result<Self> {
        let view = store.by_key(scope, Kind::Segment, &Self::key(segment));
        Ok(view.map(|view| view.content()).transpose()?.unwrap_or_default())
    }

    pub(crate) fn key(segment: Id) -> String {
        format!("visits/{segment}")
    }

    pub(crate) fn add(&mut self, more: Self) {
        self.visits = self.visits.saturating_add(more.visits);
        self.at = self.at.max(more.at);
    }
}
