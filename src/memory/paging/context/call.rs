//! Calls of functions by the model: checked, carried out, answered in words it can act on.

use super::said::{self, Wanted};
use super::{Context, PAGE, edit};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::memory::archive::{ArchiveSearch, NewPassage, TagMatch};
use crate::memory::blocks::{Block, BlockValue, SetBlock};
use crate::memory::ingest::Remember;
use crate::memory::limits::invalid;
use crate::memory::message::{NewMessage, Role, StoredMessage, thread};
use crate::memory::shorten::shortened;
use crate::memory::tools::{RESULT_TOKENS, Tool, outcome, unknown};
use crate::scope::Scope;
use crate::time::{self, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The set of the tools that a step has.
pub(super) const SET: &str = "context";
/// The fewest tokens that each result of a page is shortened to.
const LEAST_TOKENS: usize = 8;
/// A day less a millisecond.
const DAY: Timestamp = 86_399_999;

/// A call of a function.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Call {
    /// The function.
    pub name: String,
    /// Its arguments: an object, or one as JSON text. None by default.
    #[serde(default)]
    pub arguments: Value,
    /// The thread in which `send_message` says something; `default` by default.
    pub thread_id: Option<String>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Called {
    /// Whether it was carried out; nothing changed when it was not.
    pub ok: bool,
    /// What to tell the model, up to 2000 tokens.
    pub result: String,
}

/// A call whose name and arguments are known to be good.
pub(crate) struct Checked {
    tool: &'static Tool,
    arguments: Map<String, Value>,
}

impl Checked {
    /// Reads a call.
    ///
    /// # Errors
    /// `NotFound` and `InvalidInput` in words for the model.
    pub(crate) fn read(name: &str, arguments: &Value) -> Result<Self> {
        let tool = Tool::of_set(SET).find(|tool| tool.name() == name);
        let tool = tool.ok_or_else(|| unknown(name, Tool::of_set(SET)))?;
        Ok(Self { tool, arguments: tool.arguments(arguments)? })
    }

    /// The arguments.
    pub(super) fn arguments(&self) -> Value {
        Value::Object(self.arguments.clone())
    }

    /// The arguments without what has no effect on the result.
    pub(super) fn bare(&self) -> Value {
        let mut arguments = self.arguments.clone();
        arguments.remove("thinking");
        arguments.remove("request_heartbeat");
        Value::Object(arguments)
    }

    /// A text among the arguments; empty when it is not there.
    pub(super) fn text(&self, name: &str) -> &str {
        self.arguments.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    fn texts(&self, name: &str) -> Vec<String> {
        let items = self.arguments.get(name).and_then(Value::as_array);
        items.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// A whole number among the arguments; one that is too large is the largest.
    #[expect(clippy::cast_possible_truncation, reason = "to the largest is what is meant")]
    fn whole(&self, name: &str) -> Option<i64> {
        let number = self.arguments.get(name)?;
        number.as_i64().or_else(|| number.as_f64().map(|number| number as i64))
    }

    fn page_number(&self) -> usize {
        self.whole("page").and_then(|page| usize::try_from(page).ok()).unwrap_or(0)
    }

    /// Whether the model wants to be asked again.
    pub(super) fn requests_heartbeat(&self) -> bool {
        self.arguments.get("request_heartbeat") == Some(&Value::Bool(true))
    }

    /// The span of time between two arguments.
    fn span(&self, start: &str, end: &str) -> Result<(Timestamp, Timestamp)> {
        let moment = |name: &str, otherwise, whole: Timestamp| {
            let text = self.text(name).trim();
            if text.is_empty() {
                return Ok(otherwise);
            }
            let time = time::parse(text).ok_or_else(|| {
                invalid(format!(
                    "Invalid `{name}` parameter: {text:?}. Write YYYY-MM-DD or YYYY-MM-DDTHH:MM."
                ))
            })?;
            Ok(if text.len() == 10 { time + whole } else { time })
        };
        let (from, to) = (moment(start, Timestamp::MIN, 0)?, moment(end, Timestamp::MAX, DAY)?);
        if from > to {
            return Err(invalid(format!("`{start}` is after `{end}`. Swap them.")));
        }
        Ok((from, to))
    }
}

impl Context {
    /// Calls a function, as a model would. A bad call changes nothing, and says what is wrong with it in its result.
    ///
    /// # Errors
    /// `InvalidInput` for a thread that is none, and those of reading and storing.
    pub async fn call(&self, scope: &Scope, call: &Call) -> Result<Called> {
        let thread_id = thread(call.thread_id.as_deref())?;
        let done = match Checked::read(&call.name, &call.arguments) {
            Ok(checked) => self.carry_out_one(scope, thread_id, &checked).await,
            Err(error) => Err(error),
        };
        self.answered(done)
    }

    /// Carries out a call outside of a step; the answer is for the model.
    ///
    /// # Errors
    /// Those of the function.
    pub(crate) async fn carry_out_one(
        &self,
        scope: &Scope,
        thread_id: &str,
        call: &Checked,
    ) -> Result<String> {
        if call.tool.name() != "send_message" {
            return self.perform(scope, call, &[]).await;
        }
        let messages = vec![message(Role::Assistant, call.text("message").into())];
        let remember = Remember { messages, thread_id: Some(thread_id.to_owned()), learn: None };
        self.ingest.remember(scope, remember).await?;
        Ok("Sent.".to_owned())
    }

    /// Carries out a call of any function but `send_message`. `seen` are messages that the model has before it.
    pub(super) async fn perform(&self, scope: &Scope, call: &Checked, seen: &[Id]) -> Result<String> {
        match call.tool.name() {
            "archival_memory_insert" => self.insert(scope, call).await,
            "archival_memory_search" => self.search_archive(scope, call).await,
            "conversation_search" => self.search_said(scope, call, seen).await,
            "conversation_search_date" => self.list_said(scope, call),
            _ => self.edit(scope, call).await,
        }
    }

    /// What is told of an outcome. What the model can do nothing about is an error of the call.
    pub(super) fn answered(&self, done: Result<String>) -> Result<Called> {
        let (ok, result) = outcome(done, self.result_tokens(), &self.counter)?;
        Ok(Called { ok, result })
    }

    /// The most tokens of a result, so that a search does not fill the window.
    fn result_tokens(&self) -> usize {
        RESULT_TOKENS.min(self.options.window / 5)
    }

    /// Edits a block; the answer is its new value.
    async fn edit(&self, scope: &Scope, call: &Checked) -> Result<String> {
        let label = call.text("label");
        let change = |before: Option<&Block>| self.edited(scope, call, before);
        self.blocks.change(scope, label, Cause::Tool, &change).await?;
        let block = self.blocks.get(scope, label)?;
        Ok(block.map(|block| block.value).unwrap_or_default())
    }

    fn edited(&self, scope: &Scope, call: &Checked, before: Option<&Block>) -> Result<BlockValue> {
        let label = call.text("label");
        let rethinks = call.tool.name() == "memory_rethink";
        let mut content = match before {
            Some(block) if block.read_only => {
                return Err(invalid("This block is read-only and cannot be edited.".to_owned()));
            }
            Some(block) if block.pinned => {
                return Err(invalid("The user pinned this block; it has to stay as it is.".to_owned()));
            }
            Some(block) => block.content(),
            None if rethinks => SetBlock::named(label).fresh(),
            None => {
                let labels: Vec<String> =
                    self.blocks.list(scope)?.into_iter().map(|block| block.label).collect();
                return Err(invalid(format!(
                    "Block field {label} does not exist (available sections = {})",
                    labels.join(", ")
                )));
            }
        };
        let value = &content.value;
        content.value = match call.tool.name() {
            "core_memory_append" => edit::append(value, call.text("content")),
            "core_memory_replace" => {
                edit::replace_all(label, value, call.text("old_content"), call.text("new_content"))?
            }
            "memory_insert" => {
                edit::insert(value, call.text("new_string"), call.whole("insert_line").unwrap_or(-1))?
            }
            "memory_replace" => {
                edit::replace_one(label, value, call.text("old_string"), call.text("new_string"))?
            }
            _ => call.text("new_memory").to_owned(),
        };
        Ok(content)
    }

    async fn insert(&self, scope: &Scope, call: &Checked) -> Result<String> {
        let new = NewPassage { text: call.text("content").to_owned(), tags: call.texts("tags") };
        let action = self.archive.keep(scope, &new, Cause::Tool).await?;
        Ok(format!("Kept in the archive as {}.", action.id))
    }

    async fn search_archive(&self, scope: &Scope, call: &Checked) -> Result<String> {
        let span = call.span("start_datetime", "end_datetime")?;
        let asked = ArchiveSearch {
            query: call.text("query").to_owned(),
            tags: call.texts("tags"),
            tag_match: if call.text("tag_match_mode") == "all" { TagMatch::All } else { TagMatch::Any },
            page: call.page_number(),
            limit: PAGE,
            threshold: None,
            waits: false,
        };
        let found = self.archive.find(scope, &asked, span).await?;
        let shown = found.iter().skip(asked.page.saturating_mul(PAGE)).take(PAGE).map(|found| {
            let passage = &found.item;
            let tags = if passage.tags.is_empty() {
                String::new()
            } else {
                format!(" (tags: {})", passage.tags.join(", "))
            };
            format!("timestamp: {}, memory: {}{tags}", time::minute(passage.created_at), passage.text)
        });
        Ok(self.results(shown, asked.page, found.len()))
    }

    async fn search_said(&self, scope: &Scope, call: &Checked, seen: &[Id]) -> Result<String> {
        let span = call.span("start_date", "end_date")?;
        let roles = call.texts("roles");
        let roles: Vec<Role> = [Role::User, Role::Assistant]
            .into_iter()
            .filter(|role| roles.is_empty() || roles.iter().any(|name| name == role.as_str()))
            .collect();
        let wanted = Wanted { roles: &roles, span, seen };
        let found = said::search(&self.archive.searcher, scope, call.text("query"), &wanted).await?;
        let shown = found.iter().skip(call.page_number().saturating_mul(PAGE)).take(PAGE).map(line_of);
        Ok(self.results(shown, call.page_number(), found.len()))
    }

    fn list_said(&self, scope: &Scope, call: &Checked) -> Result<String> {
        let span = call.span("start_date", "end_date")?;
        let wanted = Wanted { roles: &[Role::User, Role::Assistant], span, seen: &[] };
        let first = call.page_number().saturating_mul(PAGE);
        let (found, total) = said::list(&self.archive.searcher, scope, &wanted, first, PAGE)?;
        Ok(self.results(found.iter().map(line_of), call.page_number(), total))
    }

    /// A page of results: each shortened so that all together are no more than a result may be.
    fn results(&self, shown: impl Iterator<Item = String>, page: usize, total: usize) -> String {
        let Some(last) = total.checked_sub(1).map(|last| last / PAGE) else {
            return "No results found.".to_owned();
        };
        let shown: Vec<String> = shown.collect();
        if shown.is_empty() {
            return format!("No results on page {page}: there are {total} results, on pages 0 to {last}.");
        }
        let mut each = self.result_tokens() / PAGE;
        loop {
            let results: Value =
                shown.iter().map(|result| Value::from(shortened(result, each, &self.counter))).collect();
            let told = format!("Showing {} of {total} results (page {page}/{last}): {results}", shown.len());
            if self.counter.count(&told) <= self.result_tokens() || each < LEAST_TOKENS {
                return told;
            }
            each = each * 7 / 8;
        }
    }
}

/// A message as a result.
fn line_of(message: &StoredMessage) -> String {
    format!("timestamp: {}, {} - {}", time::minute(message.created_at), message.speaker(), message.text())
}

/// A message of the context's own.
pub(super) fn message(role: Role, content: Value) -> NewMessage {
    NewMessage {
        role,
        content,
        id: None,
        name: None,
        tool_calls: None,
        tool_call_id: None,
        created_at: None,
        trust: None,
        metadata: Map::new(),
    }
}

/// That a model's answer is of no use.
pub(super) fn unusable(why: &str) -> Error {
    Error::new(Code::Model, format!("the model's answer was unusable, even after a retry: {why}"))
}
