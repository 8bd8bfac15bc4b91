//! Making summaries: a plan read from the store, one question, one commit.

use super::Threads;
use super::check::refused;
use super::eviction::Mark;
use super::level::Level;
use super::summary::{Summary, SummaryValue, revisions, thread_key};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::{Cause, RecordView};
use crate::memory::message::{StoredMessage, thread, thread_prefix};
use crate::memory::models::Question;
use crate::memory::prompts::{SUMMARISE_VERSION, data, lines};
use crate::memory::transcript::line_within;
use crate::ordered::in_order;
use crate::ports::ModelRequest;
use crate::record::{Kind, Provenance, Record, Trust};
use crate::schema::Schema;
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::{self, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json as object};

/// The most messages and about the most tokens of them that one request shows.
const BATCH_MESSAGES: usize = 40;
const BATCH_TOKENS: usize = 8000;
/// How much of what messages may take one of them has at most.
const PER_MESSAGE: usize = 2;
/// What a request for a better answer takes beside the first one.
const COMPLAINT_TOKENS: usize = 200;
/// The fewest tokens of messages that a request shows.
const LEAST_TOKENS: usize = 100;
/// The most characters of a summary, and tokens of an answer.
const MAX_CHARACTERS: usize = 4000;
pub(crate) const ANSWER_TOKENS: usize = 1000;
/// The most summaries a week or month is made of: the last ones.
const MAX_CHILDREN: usize = 40;

/// Which thread to summarise.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Summarise {
    /// The thread.
    pub thread_id: String,
}

/// How far a summary is to reach.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Until {
    /// As far as the options say.
    #[default]
    Due,
    /// To the last message.
    Last,
    /// To what left a window.
    Mark(Mark),
}

/// What is asked for, and within what.
pub(crate) struct Asking<'a> {
    pub(crate) until: Until,
    /// The most tokens of a request.
    pub(crate) tokens: usize,
    /// Whether a request and its answer may take so many tokens.
    pub(crate) affords: &'a dyn Fn(usize) -> bool,
}

impl Default for Asking<'_> {
    fn default() -> Self {
        Self { until: Until::Due, tokens: usize::MAX, affords: &|_| true }
    }
}

/// The shape of an answer.
fn answer() -> Result<Schema> {
    Schema::compile(&object!({
        "type": "object",
        "properties": { "summary": { "type": "string", "minLength": 1, "maxLength": MAX_CHARACTERS } },
        "required": ["summary"],
    }))
}

/// What is to be done next.
pub(super) enum Step {
    /// Nothing.
    Rest,
    /// End what has nothing to tell of any more.
    End(Id, u32),
    /// Store this text without a question: that of the only child.
    Copy(Box<Plan>, String),
    /// Ask this.
    Ask(Box<Plan>),
}

/// A summary that is due.
pub(super) struct Plan {
    key: String,
    /// What is there by that key.
    known: Option<Record>,
    value: SummaryValue,
    source: Vec<Provenance>,
    /// The messages that are shown, and their revisions.
    shown: Vec<(Id, u32)>,
    /// The user's part of the question.
    user: String,
    /// The record of former times whose summary goes on in this one, without it.
    ended: Option<Record>,
    /// The texts in it, as they were said: their language is that of the summary.
    said: String,
}

impl Threads {
    /// Brings the summary of a thread up to date now, to its last message. The model is asked once for every 40 messages, and not
    /// at all when there is nothing new.
    ///
    /// # Errors
    /// `NotFound` for a thread without messages, `Model` when there is no model or its answer cannot be used, `Timeout`,
    /// `InvalidInput`, and those of storing. What was stored until then stays.
    pub async fn summarise(&self, scope: &Scope, summarise: &Summarise) -> Result<Summary> {
        let thread_id = thread(Some(&summarise.thread_id))?;
        let asking = Asking { until: Until::Last, ..Asking::default() };
        while self.advance(scope, Some(thread_id), &asking).await? {}
        self.summary(scope, thread_id)?.ok_or_else(|| {
            let message = format!("the thread {thread_id:?} has no messages to summarise");
            Error::new(Code::NotFound, message).with("threadId", thread_id)
        })
    }

    /// Does what is to be done next for a thread, or without one for the weeks and months of a scope; answers whether anything
    /// was.
    ///
    /// # Errors
    /// `Model` and `Timeout`, `BudgetExceeded` when a request would be more than it may, and those of storing.
    pub(crate) async fn advance(
        &self,
        scope: &Scope,
        thread_id: Option<&str>,
        asking: &Asking<'_>,
    ) -> Result<bool> {
        self.turn.idle().await;
        let turn = self.turn.begin();
        let (now, since) = (self.database.now(), self.database.sequence());
        let step = self.database.read(|store| match thread_id {
            Some(thread_id) => self.next_of_thread(store, scope, thread_id, asking),
            None => self.next_period(store, scope, now),
        })?;
        let (plan, text) = match step {
            Step::Rest => return Ok(false),
            Step::End(id, revision) => {
                let mut draft = Draft::new(scope, Cause::Extract);
                draft.delete(id, Expect::Revision(revision));
                self.changes.commit(draft).await?;
                return Ok(true);
            }
            Step::Copy(plan, text) => (plan, text),
            Step::Ask(plan) => {
                let question = Question {
                    purpose: "summarise",
                    prompt: SUMMARISE_VERSION,
                    system: self.prompts.render("summarise.system", &[]),
                    user: plan.user.clone(),
                    schema: answer()?,
                    max_tokens: u32::try_from(ANSWER_TOKENS).unwrap_or(u32::MAX),
                };
                let counter = &self.searcher.counter;
                let check = |answer: &Value| refused(answer, &plan.user, &plan.said, counter);
                let allows = |request: &ModelRequest| {
                    let tokens: usize =
                        request.messages.iter().map(|message| counter.message(&message.content)).sum();
                    tokens <= asking.tokens && (asking.affords)(tokens + ANSWER_TOKENS)
                };
                let answer = self.models.ask_within(question, &check, &allows).await?;
                let text =
                    answer.get("summary").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
                (plan, text)
            }
        };
        // What changed while the model answered, or while that was stored, is planned for anew.
        let stored = if self.database.read(|store| still_holds(store, scope, &plan.value))? {
            self.store(scope, *plan, text, since).await
        } else {
            Ok(())
        };
        drop(turn);
        match stored {
            Err(error) if error.code != Code::Conflict => Err(error),
            _ => Ok(true),
        }
    }

    async fn store(&self, scope: &Scope, plan: Plan, text: String, since: u64) -> Result<()> {
        let expect = plan.known.as_ref().map_or(Expect::Absent, |known| Expect::Revision(known.revision));
        let mut record = plan.known.unwrap_or_else(|| {
            let mut record =
                Record::new(self.database.new_id(), Kind::Summary, scope.clone(), self.database.now());
            record.key = Some(plan.key);
            record
        });
        record.text = Some(text);
        record.value = to_value(&plan.value)?;
        record.provenance = plan.source;
        let mut draft = Draft::new(scope, Cause::Extract);
        draft.put(record, expect, None);
        (draft.reads, draft.since) = (plan.shown, Some(since));
        if let Some(record) = plan.ended {
            let expect = Expect::Revision(record.revision);
            draft.put(record, expect, None);
        }
        self.changes.commit(draft).await.map(|_| ())
    }

    /// What is to be done for a thread.
    fn next_of_thread(
        &self,
        store: &Store,
        scope: &Scope,
        thread_id: &str,
        asking: &Asking<'_>,
    ) -> Result<Step> {
        let key = thread_key(thread_id);
        let messages = store.by_key_prefix(scope, Kind::Message, &thread_prefix(thread_id));
        let known = store.by_key(scope, Kind::Summary, &key);
        if messages.is_empty() {
            return Ok(known.map_or(Step::Rest, |known| Step::End(known.id, known.revision)));
        }
        let told = Self::summarised(store, scope, thread_id, &messages)?;
        let start = told.as_ref().map_or(0, |told| told.messages);
        // A summary of what is no longer so tells of the same messages again, from the first on.
        let stale = known.filter(|_| told.is_none());
        let stale: Option<SummaryValue> = stale.map(|view| view.content()).transpose()?;
        let mut end = match asking.until {
            Until::Due => messages.len().saturating_sub(self.options.kept()),
            Until::Last => messages.len(),
            Until::Mark(mark) => mark.place(store, &messages),
        };
        if let Some(stale) = &stale {
            end = end.max(stale.messages.min(messages.len()));
        }
        let waiting = messages.get(start..end).unwrap_or_default();
        let is_due = !matches!(asking.until, Until::Due) || stale.is_some() || self.is_due(waiting);
        if waiting.is_empty() || !is_due {
            return Ok(Step::Rest);
        }
        let counter = &self.searcher.counter;
        let text = told.as_ref().map(|told| told.text);
        let before = text.map_or_else(|| "(nothing)".to_owned(), |text| data(&text.into()));
        let user = |lines: &str| {
            self.prompts.render("summarise.user", &[("summary", before.as_str()), ("messages", lines)])
        };
        let bare =
            counter.message(&self.prompts.render("summarise.system", &[])) + counter.message(&user(""));
        let room = asking.tokens.saturating_sub(bare + COMPLAINT_TOKENS).clamp(LEAST_TOKENS, BATCH_TOKENS);
        let mut said = text.unwrap_or_default().to_owned();
        let (mut lines, mut source, mut tokens) = (Vec::new(), Vec::new(), 0);
        // What goes on from a summary is trusted no further than that.
        let mut trust: Option<Trust> = match (&told, known) {
            (Some(_), Some(known)) => known.content::<SummaryValue>()?.trust,
            _ => None,
        };
        for view in waiting.iter().take(BATCH_MESSAGES) {
            let message = StoredMessage::of(view)?;
            let line = line_within(lines.len() + 1, &message, room / PER_MESSAGE, counter);
            tokens += counter.count(&line) + 1;
            if !lines.is_empty() && tokens > room {
                break;
            }
            lines.push(line);
            said.push_str(&message.parts().transcript());
            let (message_id, thread_id) = (message.id, thread_id.to_owned());
            let foreign = Some(message.trust()).filter(|trust| !trust.is_own());
            trust = foreign.into_iter().chain(trust).min();
            source.push(Provenance { message_id, thread_id, quote: String::new(), trust: foreign });
        }
        let covered = messages.get(..start + lines.len()).unwrap_or_default();
        let times = |pick: fn(Timestamp, Timestamp) -> Timestamp| {
            covered.iter().map(|view| view.valid_from).reduce(pick).unwrap_or_default()
        };
        let value = SummaryValue {
            level: Level::Thread,
            thread_id: Some(thread_id.to_owned()),
            period: None,
            messages: covered.len(),
            from: times(Timestamp::min),
            to: times(Timestamp::max),
            up_to: covered.last().map(|view| view.id),
            revisions: revisions(covered),
            children: Vec::new(),
            trust,
        };
        let former = told.as_ref().and_then(|told| told.former.as_ref());
        Ok(Step::Ask(Box::new(Plan {
            key,
            known: known.map(|view| view.to_record(scope)).transpose()?,
            value,
            source,
            shown: covered.iter().skip(start).map(|view| (view.id, view.revision)).collect(),
            user: user(&lines.join("\n")),
            ended: former.map(|former| former.ended(scope)).transpose()?,
            said,
        })))
    }

    /// Whether so much waits that it is summarised.
    fn is_due(&self, waiting: &[RecordView<'_>]) -> bool {
        let counted = |limit: usize| {
            let tokens =
                waiting.iter().filter_map(|view| view.text).map(|text| self.searcher.counter.count(text));
            tokens.sum::<usize>() >= limit
        };
        waiting.len() >= self.options.messages || self.options.tokens.is_some_and(counted)
    }

    /// The first week or month that is over and not told of as its parts are now.
    fn next_period(&self, store: &Store, scope: &Scope, now: Timestamp) -> Result<Step> {
        for level in [Level::Week, Level::Month] {
            if !self.options.levels.contains(&level) {
                continue;
            }
            let parts = summaries(store, scope, level.below())?;
            let known = summaries(store, scope, level)?;
            let begins = parts.iter().map(|(_, value)| level.begin(value.period.unwrap_or(value.to)));
            let begins = begins.chain(known.iter().filter_map(|(_, value)| value.period));
            for begin in in_order(begins).into_iter().filter(|begin| level.is_over(*begin, now)) {
                let known = known.iter().find(|(_, value)| value.period == Some(begin));
                let step = self.next_of_period(store, scope, level, begin, &parts, known)?;
                if !matches!(step, Step::Rest) {
                    return Ok(step);
                }
            }
        }
        Ok(Step::Rest)
    }

    fn next_of_period(
        &self,
        store: &Store,
        scope: &Scope,
        level: Level,
        begin: Timestamp,
        parts: &[(RecordView<'_>, SummaryValue)],
        known: Option<&(RecordView<'_>, SummaryValue)>,
    ) -> Result<Step> {
        let mut children: Vec<(Id, u32)> = Vec::new();
        for (view, value) in parts.iter().filter(|(view, _)| view.text.is_some()) {
            let its = level.begin(value.period.unwrap_or(value.to));
            // A thread that went on later is told of as it was when this one ended.
            let former = known.and_then(|(_, known)| known.children.iter().find(|(id, _)| *id == view.id));
            if its == begin {
                children.push((view.id, view.revision));
            } else if let (Some(former), true) = (former, its > begin) {
                children.push(*former);
            }
        }
        children.drain(..children.len().saturating_sub(MAX_CHILDREN));
        if children.is_empty() {
            return Ok(known.map_or(Step::Rest, |(view, _)| Step::End(view.id, view.revision)));
        }
        if known.is_some_and(|(view, value)| view.text.is_some() && value.children == children) {
            return Ok(Step::Rest);
        }
        let mut told: Vec<(SummaryValue, String)> = Vec::new();
        for (id, revision) in &children {
            let history = store.history(scope, *id)?;
            let record =
                history.into_iter().find(|entry| entry.revision == *revision).and_then(|entry| entry.record);
            if let Some(Record { value, text: Some(text), .. }) = record {
                let value = crate::json::from_value(value)
                    .map_err(|_| Error::new(Code::Corrupt, format!("the summary {id} is not readable")))?;
                told.push((value, text));
            }
        }
        let value = SummaryValue {
            level,
            thread_id: None,
            period: Some(begin),
            messages: told.iter().map(|(value, _)| value.messages).sum(),
            from: told.iter().map(|(value, _)| value.from).min().unwrap_or(begin),
            to: told.iter().map(|(value, _)| value.to).max().unwrap_or(begin),
            up_to: None,
            revisions: 0,
            children,
            trust: told.iter().filter_map(|(value, _)| value.trust).min(),
        };
        let shown = lines(told.iter().map(|(value, text)| {
            object!({ "from": time::date(value.from), "to": time::date(value.to), "summary": text })
        }));
        let (whole, part) = if level == Level::Week { ("week", "conversations") } else { ("month", "weeks") };
        let values = [("parts", part), ("level", whole), ("summaries", shown.as_str())];
        let plan = Box::new(Plan {
            key: format!("{}{begin}", level.prefix()),
            known: known.map(|(view, _)| view.to_record(scope)).transpose()?,
            value,
            source: Vec::new(),
            shown: Vec::new(),
            user: self.prompts.render("summarise.level", &values),
            ended: None,
            said: told.iter().map(|(_, text)| text.as_str()).collect(),
        });
        Ok(match told.as_slice() {
            [] => Step::Rest,
            [(_, only)] => Step::Copy(plan, only.clone()),
            _ => Step::Ask(plan),
        })
    }
}

/// The summaries of a level with what is kept beside their texts, in the order in which they were first made.
fn summaries<'a>(
    store: &'a Store,
    scope: &Scope,
    level: Level,
) -> Result<Vec<(RecordView<'a>, SummaryValue)>> {
    let views = store.by_key_prefix(scope, Kind::Summary, level.prefix());
    views.into_iter().map(|view| Ok((view, view.content()?))).collect()
}

/// Whether what a summary tells of is still as it was when it was planned.
fn still_holds(store: &Store, scope: &Scope, value: &SummaryValue) -> Result<bool> {
    let Some(thread_id) = &value.thread_id else {
        let lives = |id: &Id| store.get(scope, *id).is_some_and(|view| view.text.is_some());
        return Ok(value.children.iter().all(|(id, _)| lives(id)));
    };
    let messages = store.by_key_prefix(scope, Kind::Message, &thread_prefix(thread_id));
    Ok(value.holds(messages.get(..value.covered(&messages)).unwrap_or_default()))
}
