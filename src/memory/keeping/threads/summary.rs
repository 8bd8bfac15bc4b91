//! Summaries as they are kept and read.

use super::Threads;
use super::eviction::Former;
use super::level::Level;
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::counter::Counter;
use crate::memory::limits;
use crate::memory::message::{thread, thread_prefix};
use crate::memory::models::Models;
use crate::record::{Kind, Provenance, Trust};
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::Store;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// What a summary's record holds beside its text; without a text it is to be made anew.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SummaryValue {
    pub(crate) level: Level,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) thread_id: Option<String>,
    /// When the week or month began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) period: Option<Timestamp>,
    /// How many messages it covers: of a thread always the first ones.
    pub(crate) messages: usize,
    pub(crate) from: Timestamp,
    pub(crate) to: Timestamp,
    /// The last of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) up_to: Option<Id>,
    /// The sum of their revisions: another one, or another number of them, tells that one was replaced or removed.
    #[serde(default)]
    pub(crate) revisions: u64,
    /// The summaries that a week or month was made of, with their revisions then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) children: Vec<(Id, u32)>,
    /// How far it is trusted, when something in it is not from the conversation itself: as the least of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) trust: Option<Trust>,
}

impl SummaryValue {
    /// How many of a thread's messages, in order, come before the end of what it covers.
    pub(super) fn covered(&self, messages: &[RecordView<'_>]) -> usize {
        let last = self.up_to.and_then(|up_to| messages.iter().rposition(|view| view.id == up_to));
        last.map_or(0, |last| last + 1)
    }

    /// Whether the messages it covers are still those it was made of.
    pub(super) fn holds(&self, covered: &[RecordView<'_>]) -> bool {
        covered.len() == self.messages && revisions(covered) == self.revisions
    }
}

pub(super) fn revisions(messages: &[RecordView<'_>]) -> u64 {
    messages.iter().map(|view| u64::from(view.revision)).sum()
}

pub(super) fn thread_key(thread_id: &str) -> String {
    format!("{}{thread_id}", Level::Thread.prefix())
}

/// The keys of the records that sum a thread up: its summary, and what left the window.
pub(crate) fn summary_keys(thread_id: &str) -> [String; 2] {
    [thread_key(thread_id), super::eviction::key(thread_id)]
}

/// The summaries that a summary was made of; none where it is made of messages.
pub(crate) fn parts_of(view: &RecordView<'_>) -> Vec<Id> {
    // The record of what left a window has none either.
    let value = view.content::<SummaryValue>();
    value.map_or_else(|_| Vec::new(), |value| value.children.into_iter().map(|(id, _)| id).collect())
}

/// What a conversation, a week or a month was about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Its id, for its history.
    pub id: Id,
    /// What it is of.
    pub level: Level,
    /// The thread, if it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<String>,
    /// When the week, which begins on Monday, or the month began, UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period: Option<Timestamp>,
    /// What it says.
    pub text: String,
    /// The tokens of that.
    pub tokens: usize,
    /// How many messages it covers: of a thread the first ones.
    pub messages: usize,
    /// When the first of them was said.
    pub from: Timestamp,
    /// When the last of them was said.
    pub to: Timestamp,
    /// When it was last made.
    pub updated_at: Timestamp,
    /// Its revision.
    pub revision: u32,
    /// The last message it covers, of a thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to_message: Option<Id>,
    /// The messages that this revision took in, where it is of a thread; earlier revisions name the others.
    pub source: Vec<Provenance>,
}

impl Summary {
    /// The summary of a record; `None` when it is to be made anew.
    pub(crate) fn of(view: &RecordView<'_>, counter: &Counter) -> Result<Option<Self>> {
        let Some(text) = view.text else { return Ok(None) };
        let value: SummaryValue = view.content()?;
        Ok(Some(Self {
            id: view.id,
            level: value.level,
            thread_id: value.thread_id,
            period: value.period,
            text: text.to_owned(),
            tokens: counter.count(text),
            messages: value.messages,
            from: value.from,
            to: value.to,
            updated_at: view.updated_at,
            revision: view.revision,
            up_to_message: value.up_to,
            source: view.provenance()?,
        }))
    }
}

/// What the summary of a thread tells.
pub(crate) struct Summarised<'a> {
    pub(crate) text: &'a str,
    /// Of how many of the thread's messages, the first ones.
    pub(crate) messages: usize,
    /// Where it is kept, if not in the thread's own record.
    pub(super) former: Option<Former<'a>>,
}

/// Which summaries to list.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SummaryList {
    /// Of what; `thread` by default.
    pub level: Level,
    /// How many at most, 1 to 1000; 3 by default.
    #[serde(deserialize_with = "limits::limit")]
    pub limit: usize,
    /// A thread whose summary is left out, such as the present one.
    pub except_thread_id: Option<String>,
}

impl Default for SummaryList {
    fn default() -> Self {
        Self { level: Level::Thread, limit: 3, except_thread_id: None }
    }
}

impl Threads {
    /// The summary of a thread; `None` when there is none yet.
    ///
    /// # Errors
    /// `InvalidInput`, and those of reading.
    pub fn summary(&self, scope: &Scope, thread_id: &str) -> Result<Option<Summary>> {
        let key = thread_key(thread(Some(thread_id))?);
        self.database.read(|store| {
            let view = store.by_key(scope, Kind::Summary, &key);
            Ok(view.map(|view| Summary::of(&view, &self.searcher.counter)).transpose()?.flatten())
        })
    }

    /// The summaries of threads, weeks or months, the one that covers the latest message first; empty when there are none.
    ///
    /// # Errors
    /// `InvalidInput`, and those of reading.
    pub fn summaries(&self, scope: &Scope, list: &SummaryList) -> Result<Vec<Summary>> {
        self.database.read(|store| {
            let views = store.by_key_prefix(scope, Kind::Summary, list.level.prefix());
            let except = list.except_thread_id.as_deref().map(thread_key);
            let others = views.iter().filter(|view| view.text.is_some() && view.key != except.as_deref());
            let mut dated: Vec<(Timestamp, &RecordView<'_>)> = Vec::new();
            for view in others {
                dated.push((view.content::<SummaryValue>()?.to, view));
            }
            let newest = sorted(&dated, |(a, _), (b, _)| b.cmp(a));
            let mut summaries = Vec::new();
            for (_, view) in newest.into_iter().take(list.limit) {
                summaries.extend(Summary::of(view, &self.searcher.counter)?);
            }
            Ok(summaries)
        })
    }

    /// The summaries of the last few threads but one.
    ///
    /// # Errors
    /// Those of reading.
    pub fn recent(&self, scope: &Scope, limit: usize, except: Option<&str>) -> Result<Vec<Summary>> {
        let except_thread_id = except.map(str::to_owned);
        self.summaries(scope, &SummaryList { level: Level::Thread, limit, except_thread_id })
    }

    /// Whether every thread has a summary that is made in the background.
    pub(crate) fn are_summarised(&self) -> bool {
        self.options.auto && self.models.has_llm() && self.options.levels.contains(&Level::Thread)
    }

    /// The same threads, whose summaries are asked of these models.
    pub(crate) fn asking(&self, models: &Rc<Models>) -> Self {
        Self { models: models.clone(), ..self.clone() }
    }

    /// What the summary of a thread tells of its messages, which are in order; `None` when there is none, or they are no longer
    /// as they were.
    ///
    /// # Errors
    /// `Corrupt` when a record is not readable.
    pub(crate) fn summarised<'a>(
        store: &'a Store,
        scope: &Scope,
        thread_id: &str,
        messages: &[RecordView<'_>],
    ) -> Result<Option<Summarised<'a>>> {
        let mut told = None;
        if let Some(view) = store.by_key(scope, Kind::Summary, &thread_key(thread_id)) {
            let value: SummaryValue = view.content()?;
            let covered = messages.get(..value.covered(messages)).unwrap_or_default();
            let text = view.text.filter(|_| value.holds(covered));
            told = text.map(|text| Summarised { text, messages: covered.len(), former: None });
        }
        let former = Former::read(store, scope, thread_id, messages)?;
        let reach = told.as_ref().map_or(0, |told| told.messages);
        Ok(match former.filter(|former| former.messages > reach) {
            Some(former) => {
                Some(Summarised { text: former.text, messages: former.messages, former: Some(former) })
            }
            None => told,
        })
    }

    /// The messages of a thread that its summary covers no longer, or never did.
    pub(super) fn uncovered(messages: &[RecordView<'_>], summary: Option<&Summary>) -> usize {
        let last = summary.and_then(|summary| summary.up_to_message);
        let last = last.and_then(|last| messages.iter().rposition(|view| view.id == last));
        messages.len() - last.map_or(0, |last| last + 1)
    }

    /// The keys of the messages of a thread.
    pub(super) fn prefix(thread_id: &str) -> Result<String> {
        Ok(thread_prefix(thread(Some(thread_id))?))
    }
}
