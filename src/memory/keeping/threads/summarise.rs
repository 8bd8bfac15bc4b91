//! Making summaries: a plan read from the store, one question, one commit.

use super::Threads;
use super::check::refused;
use super::level::Level;
use super::summary::{Summary, SummaryValue, revisions, thread_key};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::json::to_value;
use crate::log::{Cause, RecordView};
use crate::memory::action::commit;
use crate::memory::conversation::Conversation;
use crate::memory::message::{StoredMessage, thread, thread_prefix};
use crate::memory::models::Question;
use crate::memory::prompts::{SUMMARISE_VERSION, data, lines};
use crate::ordered::in_order;
use crate::record::{Kind, Provenance, Record};
use crate::schema::Schema;
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::{self, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json as object};

/// The most messages and about the most tokens of them that one request shows.
const BATCH_MESSAGES: usize = 40;
const BATCH_TOKENS: usize = 8000;
/// The most characters of a summary, and tokens of an answer.
const MAX_CHARACTERS: usize = 4000;
const ANSWER_TOKENS: u32 = 1000;
/// The most summaries a week or month is made of: the last ones.
const MAX_CHILDREN: usize = 40;

/// Which thread to summarise.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Summarise {
    /// The thread.
    pub thread_id: String,
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
        while self.advance(scope, Some(thread_id), usize::MAX).await? {}
        self.summary(scope, thread_id)?.ok_or_else(|| {
            let message = format!("the thread {thread_id:?} has no messages to summarise");
            Error::new(Code::NotFound, message).with("threadId", thread_id)
        })
    }

    /// Does what is due next for a thread, or without one for the weeks and months of a scope; answers whether anything was.
    /// The first `least` messages of the thread do not wait.
    pub(crate) async fn advance(&self, scope: &Scope, thread_id: Option<&str>, least: usize) -> Result<bool> {
        self.turn.idle().await;
        let turn = self.turn.begin();
        let now = self.database.now();
        let step = self.database.read(|store| match thread_id {
            Some(thread_id) => self.next_of_thread(store, scope, thread_id, least),
            None => self.next_period(store, scope, now),
        })?;
        let (plan, text) = match step {
            Step::Rest => return Ok(false),
            Step::End(id, revision) => {
                let mut draft = Draft::new(scope, Cause::Extract);
                draft.delete(id, Expect::Revision(revision));
                commit(&self.database, draft).await?;
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
                    max_tokens: ANSWER_TOKENS,
                };
                let check = |answer: &Value| refused(answer, &plan.user, &plan.said, &self.searcher.counter);
                let answer = self.models.ask(question, &check).await?;
                let text =
                    answer.get("summary").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
                (plan, text)
            }
        };
        // What changed while the model answered, or while that was stored, is planned for anew.
        let stored = if self.database.read(|store| still_holds(store, scope, &plan.value))? {
            self.store(scope, *plan, text).await
        } else {
            Ok(())
        };
        drop(turn);
        match stored {
            Err(error) if error.code != Code::Conflict => Err(error),
            _ => Ok(true),
        }
    }

    async fn store(&self, scope: &Scope, plan: Plan, text: String) -> Result<()> {
        let expect = plan.known.as_ref().map_or(Expect::Absent, |known| Expect::Revision(known.revision));
        let mut record = plan.known.unwrap_or_else(|| {
            let mut record =
                Record::new(self.database.new_id(), Kind::Summary, scope.clone(), self.database.now());
            record.key = Some(plan.key);
            record
        });
        let embedding = self.models.embed_at_once(&text);
        record.text = Some(text);
        record.value = to_value(&plan.value)?;
        record.provenance = plan.source;
        let mut draft = Draft::new(scope, Cause::Extract);
        draft.put(record, expect, embedding);
        draft.reads = plan.shown;
        commit(&self.database, draft).await.map(|_| ())
    }

    /// What is due for a thread.
    fn next_of_thread(&self, store: &Store, scope: &Scope, thread_id: &str, least: usize) -> Result<Step> {
        let key = thread_key(thread_id);
        let messages = store.by_key_prefix(scope, Kind::Message, &thread_prefix(thread_id));
        let known = store.by_key(scope, Kind::Summary, &key);
        if messages.is_empty() {
            return Ok(known.map_or(Step::Rest, |known| Step::End(known.id, known.revision)));
        }
        let former: SummaryValue = known.map(|view| view.content()).transpose()?.unwrap_or_default();
        let covered = former.covered(&messages);
        let text = known.and_then(|view| view.text);
        let holds = text.is_some() && former.holds(messages.get(..covered).unwrap_or_default());
        // A summary of what is no longer so tells of the same messages again, from the first on.
        let is_stale = known.is_some() && !holds;
        let start = if holds { covered } else { 0 };
        let least = least.min(messages.len());
        let mut end = messages.len().saturating_sub(self.options.kept()).max(least);
        if is_stale {
            end = end.max(former.messages.min(messages.len()));
        }
        let waiting = messages.get(start..end).unwrap_or_default();
        if waiting.is_empty() || !(start < least || is_stale || self.is_due(waiting)) {
            return Ok(Step::Rest);
        }
        let mut batch: Vec<StoredMessage> = Vec::new();
        let mut tokens = 0;
        for view in waiting.iter().take(BATCH_MESSAGES) {
            tokens += view.text.map_or(0, |text| self.searcher.counter.count(text));
            if !batch.is_empty() && tokens > BATCH_TOKENS {
                break;
            }
            batch.push(StoredMessage::of(view)?);
        }
        let covered = messages.get(..start + batch.len()).unwrap_or_default();
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
        };
        let mut texts = text.filter(|_| holds).unwrap_or_default().to_owned();
        batch.iter().for_each(|message| texts.push_str(&message.text()));
        let said = Conversation::of(thread_id, &batch);
        let before = text.filter(|_| holds).map_or_else(|| "(nothing)".to_owned(), |text| data(&text.into()));
        let values = [("summary", before.as_str()), ("messages", &said.lines())];
        Ok(Step::Ask(Box::new(Plan {
            key,
            known: known.map(|view| view.to_record(scope)).transpose()?,
            value,
            source: said.source(&[]),
            shown: covered.iter().skip(start).map(|view| (view.id, view.revision)).collect(),
            user: self.prompts.render("summarise.user", &values),
            said: texts,
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
