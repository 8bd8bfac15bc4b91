//! How learning goes, as an application says when it opens a memory.

use crate::error::Result;
use crate::memory::limits::invalid;
use crate::memory::models::DEFAULT_TIMEOUT_MS;
use crate::memory::ttl::Ttl;
use serde::Deserialize;

/// The longest a trigger may wait: 30 days.
const MAX_WAIT_MS: u32 = 2_592_000_000;
/// The most messages one model call may cover.
const MAX_BATCH: usize = 100;

/// How extraction goes.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExtractionOptions {
    /// Whether to extract in the background; true by default. When false, tasks wait in the store for a flush.
    pub auto: bool,
    /// When the model is asked about what waits. Rules learn at once.
    pub trigger: Trigger,
    /// How many earlier messages of the thread the model is shown again, to understand the others; 4 by default, 0 to 100.
    pub overlap: usize,
    /// How long the model may take, in milliseconds; 60 000 by default.
    pub timeout_ms: u32,
    /// How many messages one model call may cover; 20 by default, 1 to 100.
    pub max_messages: usize,
    /// How long things are kept.
    pub ttl: Ttl,
}

impl Default for ExtractionOptions {
    fn default() -> Self {
        Self {
            auto: true,
            trigger: Trigger::default(),
            overlap: 4,
            timeout_ms: DEFAULT_TIMEOUT_MS,
            max_messages: 20,
            ttl: Ttl::default(),
        }
    }
}

/// When the messages of a thread that wait are learned from: as soon as one of these is so. Times are counted from when the
/// messages were stored, so that a reload does not begin them anew.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Trigger {
    /// So many wait, or as many as one call may cover; 8 by default, 1 to 100.
    pub messages: usize,
    /// None came for so long, in milliseconds; 60 000 by default, at most 30 days.
    pub idle_ms: u32,
    /// The first of them has waited so long, in milliseconds, whatever else comes; no such limit by default.
    pub every_ms: Option<u32>,
}

impl Default for Trigger {
    fn default() -> Self {
        Self { messages: 8, idle_ms: 60_000, every_ms: None }
    }
}

impl ExtractionOptions {
    /// Checks the numbers.
    ///
    /// # Errors
    /// `InvalidInput` that names the option and its range.
    pub fn check(&self) -> Result<()> {
        let every_ms = self.trigger.every_ms.unwrap_or_default();
        let numbers = [
            ("trigger.messages", self.trigger.messages, 1, MAX_BATCH),
            ("trigger.idleMs", self.trigger.idle_ms as usize, 0, MAX_WAIT_MS as usize),
            ("trigger.everyMs", every_ms as usize, 0, MAX_WAIT_MS as usize),
            ("overlap", self.overlap, 0, MAX_BATCH),
            ("timeoutMs", self.timeout_ms as usize, 1, 3_600_000),
            ("maxMessages", self.max_messages, 1, MAX_BATCH),
        ];
        for (name, value, least, most) in numbers {
            if !(least..=most).contains(&value) {
                return Err(invalid(format!("extraction.{name} is {value}; {least} to {most} are allowed")));
            }
        }
        self.ttl.check()
    }
}
