//! The window: what of a thread goes into the prompt, its summary and its last messages.

use super::Threads;
use super::summary::Summary;
use super::tools::{cuts, lacks_calls, whole};
use crate::error::Result;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::limits::{self, MAX_LIMIT};
use crate::memory::message::{StoredMessage, is_of_steps};
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
    /// How many messages the summary does not tell of that are not among these; absent when there are none.
    #[serde(skip_serializing_if = "is_none")]
    pub missing: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// The most messages that wait for a summary and are told meanwhile.
const MOST_WAITING: usize = 1000;
/// How many messages are read beyond those wanted, for the calls of tools whose results are; the second where the first is too
/// few.
const MARGINS: [usize; 2] = [64, 1000];

impl Threads {
    /// The summary of a thread with its last messages, and up to 1000 before them that the summary does not tell of yet. A tool's
    /// result at the beginning brings its call along. What steps of the virtual context called and noted is left out.
    ///
    /// # Errors
    /// `InvalidInput`, and those of reading.
    pub fn window(&self, scope: &Scope, options: &WindowOptions) -> Result<Window> {
        limits::whole("last", options.last, 1..=MAX_LIMIT)?;
        let summary = self.summary(scope, &options.thread_id)?;
        let prefix = Self::prefix(&options.thread_id)?;
        self.database.read(|store| {
            let mut views = store.by_key_prefix(scope, Kind::Message, &prefix);
            let waiting = Self::uncovered(&views, summary.as_ref());
            let covered = views.len() - waiting;
            let told =
                views.get(..covered).map_or(0, |told| told.iter().filter(|view| is_said(view)).count());
            views.retain(is_said);
            let waiting = views.len() - told;
            // Where nothing is summarised, what came before is left to searches.
            let is_summarised = summary.is_some() || self.models.has_llm();
            let last = if is_summarised { waiting.min(MOST_WAITING) } else { 0 }.max(options.last);
            let mut messages = Vec::new();
            for margin in MARGINS {
                let read = views.iter().skip(views.len().saturating_sub(last + margin));
                messages =
                    read.map(|view| to_value(&StoredMessage::of(view)?)).collect::<Result<Vec<_>>>()?;
                let from = messages.len().saturating_sub(last);
                if messages.len() == views.len() || !lacks_calls(&messages, from) {
                    break;
                }
            }
            let last = last.min(messages.len());
            let mut messages = whole(messages);
            let start = messages.len().saturating_sub(last);
            let cuts = cuts(&messages);
            let start = (0..=start).rev().find(|start| cuts.get(*start).is_some_and(|cut| *cut)).unwrap_or(0);
            messages.drain(..start);
            let missing = waiting.saturating_sub(messages.len().max(last));
            Ok(Window { summary, messages, missing })
        })
    }
}

/// Whether a message is one of the conversation, and not of what a step did or wholly withheld.
fn is_said(view: &RecordView<'_>) -> bool {
    let is_step = || StoredMessage::of(view).is_ok_and(|message| is_of_steps(&message.content));
    StoredMessage::is_told(view) && !(view.raw_value().contains("\"type\"") && is_step())
}
