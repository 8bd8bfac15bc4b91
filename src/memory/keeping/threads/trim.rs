//! Trimming: as much of a conversation as fits into a number of tokens, and nothing that a chat API would refuse.

use super::Threads;
use super::tools::{cuts, whole};
use crate::error::{Code, Error, Result};
use crate::json::to_value;
use crate::memory::counter::{Counter, MESSAGE_TOKENS};
use crate::memory::limits::{self, invalid};
use crate::memory::message::{Role, Roles, StoredMessage, is_of_steps, thread, thread_prefix};
use crate::record::Kind;
use crate::scope::Scope;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How many messages of a thread are looked at at first, beyond those that there can be room for.
const MARGIN: usize = 64;

/// What to trim, and how.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Trim {
    /// The messages: objects with a `role` and a `content`, and whatever else a chat API takes.
    pub messages: Option<Vec<Value>>,
    /// Or the thread whose messages to take.
    pub thread_id: Option<String>,
    /// The most tokens of the result, 1 to 10 000 000.
    pub max_tokens: usize,
    /// Which messages are kept; `last` by default.
    #[serde(default)]
    pub strategy: Strategy,
    /// Who may speak first; only with `last`. Never the assistant or a tool.
    pub start_on: Option<Roles>,
    /// Who may speak last; anybody by default.
    pub end_on: Option<Roles>,
    /// Whether system messages at the beginning are kept in any case; true by default.
    #[serde(default = "yes")]
    pub include_system: bool,
    /// Whether a message at the cut may be shortened when it is only text; false by default.
    #[serde(default)]
    pub allow_partial: bool,
}

fn yes() -> bool {
    true
}

/// Which messages are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strategy {
    /// The first ones.
    First,
    /// The last ones.
    #[default]
    Last,
}

/// What was kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trimmed {
    /// The messages, as they were given or are stored; empty when none fits.
    pub messages: Vec<Value>,
    /// Their tokens: of their texts, other parts as JSON, and four more for each.
    pub tokens: usize,
}

impl Threads {
    /// Keeps as many messages as fit into a number of tokens. A tool's result is kept only with its call, a call only with all of
    /// its results, and the first message behind the system's is never of the assistant.
    ///
    /// # Errors
    /// `BudgetExceeded` when the system messages alone are over the limit, `InvalidInput`, and those of reading.
    pub fn trim(&self, scope: &Scope, trim: &Trim) -> Result<Trimmed> {
        trim.check()?;
        let counter = &self.searcher.counter;
        let thread_id = match (&trim.messages, &trim.thread_id) {
            (Some(messages), None) => {
                messages.iter().enumerate().try_for_each(check)?;
                return Ok(cut(messages.clone(), trim, counter)?.0);
            }
            (None, Some(id)) => thread(Some(id))?,
            _ => return Err(invalid("give either messages or a threadId to trim".to_owned())),
        };
        let mut room = trim.max_tokens / MESSAGE_TOKENS + MARGIN;
        loop {
            let (messages, are_all) = self.stored(scope, thread_id, trim, room)?;
            let (trimmed, is_full) = cut(messages, trim, counter)?;
            // While there is room left, more of the thread may fit.
            if is_full || are_all {
                return Ok(trimmed);
            }
            room *= 4;
        }
    }

    /// The messages of a thread that can matter: the system's at the beginning, and so many others; and whether they are all.
    /// What steps of the virtual context called and noted is nothing for a chat API.
    fn stored(&self, scope: &Scope, thread_id: &str, trim: &Trim, room: usize) -> Result<(Vec<Value>, bool)> {
        self.database.read(|store| {
            let mut views = store.by_key_prefix(scope, Kind::Message, &thread_prefix(thread_id));
            views.retain(StoredMessage::is_told);
            let system =
                views.iter().take_while(|view| StoredMessage::is_of(view, &Roles(vec![Role::System])));
            let head = if trim.include_system { system.count() } else { 0 };
            let left_out = (views.len() - head).saturating_sub(room);
            let wanted = |place: usize| match trim.strategy {
                Strategy::First => place < views.len() - left_out,
                Strategy::Last => place < head || place >= head + left_out,
            };
            let mut messages = Vec::new();
            for (_, view) in views.iter().enumerate().filter(|(place, _)| wanted(*place)) {
                let message = StoredMessage::of(view)?;
                if !is_of_steps(&message.content) {
                    messages.push(to_value(&message)?);
                }
            }
            Ok((messages, left_out == 0))
        })
    }
}

impl Trim {
    fn check(&self) -> Result<()> {
        limits::whole("maxTokens", self.max_tokens, 1..=10_000_000)?;
        let Some(Roles(roles)) = &self.start_on else { return Ok(()) };
        if self.strategy == Strategy::First {
            return Err(invalid("startOn is an option of the strategy \"last\"; leave it out".to_owned()));
        }
        match roles.iter().find(|role| matches!(role, Role::Assistant | Role::Tool)) {
            Some(role) => Err(invalid(format!(
                "startOn holds {:?}; a conversation starts with user or system, because replies and results follow other messages",
                role.as_str()
            ))),
            None => Ok(()),
        }
    }

    fn starts_on(&self, message: &Value) -> bool {
        speaks(self.start_on.as_ref(), message)
    }

    fn ends_on(&self, message: &Value) -> bool {
        speaks(self.end_on.as_ref(), message)
    }
}

/// Whether one of these speaks; anybody when none is named.
fn speaks(wanted: Option<&Roles>, message: &Value) -> bool {
    wanted.is_none_or(|Roles(roles)| roles.iter().any(|wanted| is_of(*wanted, message)))
}

/// Whether somebody speaks in a message.
fn is_of(wanted: Role, message: &Value) -> bool {
    Role::of_value(message) == Some(wanted)
}

/// That a value is a message at all.
fn check((place, message): (usize, &Value)) -> Result<()> {
    let at = format!("messages[{place}]");
    if Role::of_value(message).is_none() {
        return Err(invalid(format!("{at}.role must be system, user, assistant or tool")));
    }
    match message.get("content") {
        None | Some(Value::Null | Value::String(_) | Value::Array(_)) => Ok(()),
        _ => Err(invalid(format!("{at}.content must be a text or a list of parts"))),
    }
}

/// What a message takes.
fn price(message: &Value, counter: &Counter) -> usize {
    let part = |part: &Value| match (part.get("type").and_then(Value::as_str), part.get("text")) {
        (Some("text"), Some(Value::String(text))) => counter.count(text),
        _ => counter.count(&part.to_string()),
    };
    let content = match message.get("content") {
        Some(Value::String(text)) => counter.count(text),
        Some(Value::Array(parts)) => parts.iter().map(part).sum(),
        _ => 0,
    };
    let calls = ["toolCalls", "tool_calls"].iter().filter_map(|name| message.get(name));
    let calls: usize = calls.map(|calls| counter.count(&calls.to_string())).sum();
    MESSAGE_TOKENS + content + calls
}

/// What is kept, and whether there was no room for more.
fn cut(mut messages: Vec<Value>, trim: &Trim, counter: &Counter) -> Result<(Trimmed, bool)> {
    let system = messages.iter().take_while(|message| trim.include_system && is_of(Role::System, message));
    let mut rest = messages.split_off(system.count());
    let mut tokens: usize = messages.iter().map(|message| price(message, counter)).sum();
    if tokens > trim.max_tokens {
        return Err(Error::new(
            Code::BudgetExceeded,
            format!(
                "the system messages have {tokens} tokens, more than maxTokens ({}); raise it, shorten them or set includeSystem to false",
                trim.max_tokens
            ),
        )
        .with("tokens", tokens)
        .with("maxTokens", trim.max_tokens));
    }
    // A reply at the beginning may be the call of results behind it, and those may stand before another one.
    loop {
        let before = rest.len();
        rest = whole(rest);
        let start = rest.iter().take_while(|message| is_of(Role::System, message)).count();
        let replies = rest.iter().skip(start).take_while(|message| is_of(Role::Assistant, message)).count();
        rest.drain(start..start + replies);
        if rest.len() == before {
            break;
        }
    }
    let (kept, is_full) = match trim.strategy {
        Strategy::First => first(rest, trim, &mut tokens, counter),
        Strategy::Last => last(rest, trim, &mut tokens, counter),
    };
    messages.extend(kept);
    Ok((Trimmed { messages, tokens }, is_full))
}

/// As many of the first messages as there is room for, and whether there is none for more.
fn first(mut messages: Vec<Value>, trim: &Trim, tokens: &mut usize, counter: &Counter) -> (Vec<Value>, bool) {
    let cuts = cuts(&messages);
    let (mut end, mut partial, mut is_full) = (0, None, false);
    let mut sum = *tokens;
    for (place, message) in messages.iter().enumerate() {
        let may_end = cuts.get(place + 1) == Some(&true) && trim.ends_on(message);
        let next = sum + price(message, counter);
        if next > trim.max_tokens {
            partial = Some((place, message)).filter(|_| trim.allow_partial && may_end);
            is_full = true;
            break;
        }
        sum = next;
        // Room is taken only by what is kept in the end.
        if may_end {
            (end, *tokens) = (place + 1, sum);
        }
    }
    let room = trim.max_tokens - sum;
    let partial =
        partial.and_then(|(place, message)| Some((place, shortened(message, room, trim.strategy, counter)?)));
    messages.truncate(partial.as_ref().map_or(end, |(place, _)| *place));
    if let Some((_, (message, price))) = partial {
        *tokens = sum + price;
        messages.push(message);
    }
    (messages, is_full)
}

/// As many of the last messages as there is room for, and whether there is none for more.
fn last(mut messages: Vec<Value>, trim: &Trim, tokens: &mut usize, counter: &Counter) -> (Vec<Value>, bool) {
    let cuts = cuts(&messages);
    let is_cut = |place: usize| cuts.get(place) == Some(&true);
    let ends = |end: usize| is_cut(end) && messages.get(end - 1).is_some_and(|message| trim.ends_on(message));
    let end = (1..=messages.len()).rev().find(|end| ends(*end)).unwrap_or(0);
    messages.truncate(end);
    let (mut start, mut partial, mut is_full) = (end, None, false);
    let mut sum = *tokens;
    // Whether it is not the assistant who speaks first from here on, behind the system.
    let mut opens = true;
    for (place, message) in messages.iter().enumerate().rev() {
        opens = match Role::of_value(message) {
            Some(Role::System) => opens,
            role => role != Some(Role::Assistant),
        };
        let may_start = opens && is_cut(place) && trim.starts_on(message);
        let next = sum + price(message, counter);
        if next > trim.max_tokens {
            partial = Some((place, message)).filter(|_| trim.allow_partial && may_start);
            is_full = true;
            break;
        }
        sum = next;
        if may_start {
            (start, *tokens) = (place, sum);
        }
    }
    let room = trim.max_tokens - sum;
    let partial =
        partial.and_then(|(place, message)| Some((place, shortened(message, room, trim.strategy, counter)?)));
    messages.drain(..partial.as_ref().map_or(start, |(place, _)| *place + 1));
    if let Some((_, (message, price))) = partial {
        *tokens = sum + price;
        messages.insert(0, message);
    }
    (messages, is_full)
}

/// As much of a message's text as there is room for, from its end for `last`, at a space where there is one; `None` when no
/// word fits, or the message is more than a text.
fn shortened(message: &Value, room: usize, strategy: Strategy, counter: &Counter) -> Option<(Value, usize)> {
    let text = message.get("content")?.as_str().filter(|_| whole(vec![message.clone()]).len() == 1)?;
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let part = |length: usize| match strategy {
        Strategy::First => text.get(..*ends.get(length)?),
        Strategy::Last => text.get(*ends.get(ends.len() - 1 - length)?..),
    };
    let (mut fits, mut over) = (0, ends.len());
    while over - fits > 1 {
        let middle = fits.midpoint(over);
        if counter.message(part(middle)?) <= room { fits = middle } else { over = middle }
    }
    let kept = part(fits)?;
    let at_word = match strategy {
        Strategy::First => kept.rsplit_once(char::is_whitespace).map(|(words, _)| words),
        Strategy::Last => kept.split_once(char::is_whitespace).map(|(_, words)| words),
    };
    let mut message = message.clone();
    let words = at_word.filter(|words| !words.trim().is_empty()).unwrap_or(kept);
    *message.get_mut("content")? = words.into();
    let price = price(&message, counter);
    (!words.trim().is_empty() && price <= room).then_some((message, price))
}

#[cfg(test)]
#[path = "trim_tests.rs"]
mod tests;
