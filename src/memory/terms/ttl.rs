//! How long things are kept when nobody says so for each of them.

use crate::database::History;
use crate::error::Result;
use crate::memory::limits::invalid;
use crate::time::Timestamp;
use serde::Deserialize;

/// The longest time to live: a hundred years.
pub(crate) const MAX_TTL_MS: i64 = 3_155_760_000_000;
/// How long replaced revisions are kept by default: 365 days.
const HISTORY_MS: i64 = 31_536_000_000;
/// How many of a record are kept by default.
const HISTORY_REVISIONS: usize = 100;
/// How many bytes of them: more than two of the largest record, and one document.
const HISTORY_BYTES: u64 = 1 << 20;
/// The most revisions and bytes that can be asked for.
const MAX_HISTORY_REVISIONS: usize = 1_000_000;
const MAX_HISTORY_BYTES: u64 = 1 << 30;

/// How long things are kept, in milliseconds.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Ttl {
    /// What the application writes itself; for ever by default.
    pub added_ms: Option<i64>,
    /// What learning creates; for ever by default.
    pub learned_ms: Option<i64>,
    /// By how much learning extends what it updates, counted from then; it never shortens. Not at all by default.
    pub relearned_ms: Option<i64>,
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

impl Ttl {
    /// Checks the numbers.
    ///
    /// # Errors
    /// `InvalidInput` that names the option and its range.
    pub fn check(&self) -> Result<()> {
        check("extraction.ttl.addedMs", self.added_ms)?;
        check("extraction.ttl.learnedMs", self.learned_ms)?;
        check("extraction.ttl.relearnedMs", self.relearned_ms)
    }

    /// When something that is written by hand now goes by itself.
    pub(crate) fn added(&self, now: Timestamp) -> Option<Timestamp> {
        self.added_ms.map(|ttl| now + ttl)
    }
}

/// How much of the past of each record is kept: replaced revisions, as long as all of these hold. 0 keeps none.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct HistoryOptions {
    /// How many, 0 to 1 000 000; 100 by default.
    pub revisions: usize,
    /// How long after they were replaced, in milliseconds, 0 to 100 years; 365 days by default.
    pub age_ms: i64,
    /// How many bytes, 0 to 1 GiB; 1 MiB by default.
    pub bytes: u64,
}

impl Default for HistoryOptions {
    fn default() -> Self {
        Self { revisions: HISTORY_REVISIONS, age_ms: HISTORY_MS, bytes: HISTORY_BYTES }
    }
}

impl HistoryOptions {
    /// Checks the numbers and says what they mean.
    ///
    /// # Errors
    /// `InvalidInput` that names the option and its range.
    pub fn read(self) -> Result<History> {
        let Self { revisions, age_ms, bytes } = self;
        let over = if revisions > MAX_HISTORY_REVISIONS {
            Some(("revisions", revisions as u64, MAX_HISTORY_REVISIONS as u64))
        } else if bytes > MAX_HISTORY_BYTES {
            Some(("bytes", bytes, MAX_HISTORY_BYTES))
        } else {
            None
        };
        if let Some((name, value, limit)) = over {
            return Err(invalid(format!("history.{name} is {value}; 0 to {limit} are allowed")));
        }
        if !(0..=MAX_TTL_MS).contains(&age_ms) {
            return Err(invalid(format!(
                "history.ageMs is {age_ms}; 0 to {MAX_TTL_MS} milliseconds are allowed"
            )));
        }
        Ok(History { revisions, age_ms, bytes })
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
