//! The window: what of a thread goes into the prompt, its summary and its last messages.

use super::Threads;
use super::summary::Summary;
use super::tools::{cuts, whole};
use crate::error::Result;
use crate::memory::facts::json;
use crate::memory::limits;
use crate::memory::message::StoredMessage;
use crate::record::Kind;
use crate::scope::Scope;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Which window.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WindowOptions {
    /// The thread.
    pub thread_id: String,
    /// How many of the last messages at least, 1 to 1000; 10 by default.
    #[serde(default = "ten")]
    pub last: usize,
}

fn ten() -> usize {
    10
}

/// What of a thread goes into the prompt.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Window {
    /// What was said before, if there is a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<Summary>,
    /// The last messages, as they are stored; empty when there is no such thread.
    pub messages: Vec<Value>,
}

impl Window {
    /// How many messages are read beyond those wanted, for the calls of tools whose results are.
    pub(super) const MARGIN: usize = 64;
}

impl Threads {
    /// The summary of a thread with its last messages, and those before them that wait for the next summary. A tool's result at
    /// the beginning brings its call along.
    ///
    /// # Errors
    /// `InvalidInput`, and those of reading.
    pub fn window(&self, scope: &Scope, options: &WindowOptions) -> Result<Window> {
        limits::limit(options.last)?;
        let summary = self.summary(scope, &options.thread_id)?;
        let prefix = Self::prefix(&options.thread_id)?;
        let messages = self.database.read(|store| {
            let views = store.by_key_prefix(scope, Kind::Message, &prefix);
            // Where nothing is summarised, what came before is left to searches.
            let waiting = if self.models.has_llm() { Self::uncovered(&views, summary.as_ref()) } else { 0 };
            let last = waiting.min(options.last + self.options.messages).max(options.last);
            let read = views.iter().skip(views.len().saturating_sub(last + Window::MARGIN));
            let read: Vec<Value> = read.map(|view| json(&StoredMessage::of(view)?)).collect::<Result<_>>()?;
            Ok((read, last))
        })?;
        let (read, last) = messages;
        let before = read.len();
        let mut messages = whole(read);
        let start = messages.len().saturating_sub(last.min(before));
        let cuts = cuts(&messages);
        let start = (0..=start).rev().find(|start| cuts.get(*start).is_some_and(|cut| *cut)).unwrap_or(0);
        messages.drain(..start);
        Ok(Window { summary, messages })
    }
}
