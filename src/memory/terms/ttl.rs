//! How long things are kept when nobody says so for each of them.

use crate::error::Result;
use crate::memory::limits::invalid;
use crate::time::Timestamp;
use serde::Deserialize;

/// The longest time to live: a hundred years.
const MAX_TTL_MS: i64 = 3_155_760_000_000;
/// How long old revisions are shown by default: 365 days.
const REVISIONS_MS: i64 = 31_536_000_000;

/// How long things are kept, in milliseconds.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Ttl {
    /// What the application writes itself; for ever by default.
    pub added_ms: Option<i64>,
    /// What learning creates; for ever by default.
    pub learned_ms: Option<i64>,
    /// By how much learning extends what it updates, counted from then; it never shortens. Not at all by default.
    pub relearned_ms: Option<i64>,
    /// How long a revision is shown, and can be gone back to, after another one took its place; 365 days by default.
    pub revisions_ms: i64,
    /// What becomes of what goes by itself; it is deleted by default.
    pub expired: Expired,
}

/// What becomes of a record whose time is over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expired {
    /// It is deleted: its history stays.
    #[default]
    Delete,
    /// It is forgotten, with all that was made of it: nothing of it stays.
    Forget,
}

impl Default for Ttl {
    fn default() -> Self {
        Self {
            added_ms: None,
            learned_ms: None,
            relearned_ms: None,
            revisions_ms: REVISIONS_MS,
            expired: Expired::default(),
        }
    }
}

impl Ttl {
    /// Checks the numbers.
    ///
    /// # Errors
    /// `InvalidInput` that names the option and its range.
    pub fn check(&self) -> Result<()> {
        check("extraction.ttl.addedMs", self.added_ms)?;
        check("extraction.ttl.learnedMs", self.learned_ms)?;
        check("extraction.ttl.relearnedMs", self.relearned_ms)?;
        check("extraction.ttl.revisionsMs", Some(self.revisions_ms))
    }

    /// When something that is written by hand now goes by itself.
    pub(crate) fn added(&self, now: Timestamp) -> Option<Timestamp> {
        self.added_ms.map(|ttl| now + ttl)
    }
}

/// Checks a time to live.
pub(crate) fn check(name: &str, ttl: Option<i64>) -> Result<()> {
    match ttl {
        Some(ttl) if !(1..=MAX_TTL_MS).contains(&ttl) => {
            Err(invalid(format!("{name} is {ttl}; 1 to {MAX_TTL_MS} milliseconds are allowed")))
        }
        _ => Ok(()),
    }
}
