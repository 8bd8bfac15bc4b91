//! A conversation, as a model is shown it for other things than facts.

use crate::database::Database;
use crate::error::Result;
use crate::id::Id;
use crate::memory::counter::Counter;
use crate::memory::guard::Guard;
use crate::memory::message::{NewMessage, StoredMessage, check_either, thread, thread_prefix};
use crate::memory::prompts::data;
use crate::memory::shorten::shaped;
use crate::record::{Kind, Provenance, Trust};
use crate::scope::Scope;
use crate::time;
use serde_json::{Value, json};

/// How many messages are shown, the last ones.
const MESSAGES: usize = 30;
/// How many characters of one message are shown.
const CHARACTERS: usize = 4000;

/// The id of a stored message, and how far it is trusted where it is not of the conversation itself.
type Stored = (Id, Option<Trust>);

/// The last messages of a thread, or messages that were handed over.
pub(crate) struct Transcript {
    thread_id: String,
    /// Which messages are stored, and what is shown of each.
    messages: Vec<(Option<Stored>, Value)>,
}

impl Transcript {
    /// Reads it, without the secrets of messages that are not stored; empty when neither a thread nor messages are given, or the thread has none.
    ///
    /// # Errors
    /// `InvalidInput` when both are given, or for a message that is none; those of reading.
    pub(crate) fn read(
        database: &Database,
        guard: &Guard,
        scope: &Scope,
        thread_id: Option<&str>,
        messages: Option<&[NewMessage]>,
    ) -> Result<Self> {
        let mut read = Self { thread_id: String::new(), messages: Vec::new() };
        check_either("threadId", thread_id, messages)?;
        match (thread_id, messages) {
            (_, Some(messages)) => {
                for (place, message) in messages.iter().enumerate() {
                    message.check(place)?;
                }
                let last = messages.iter().skip(messages.len().saturating_sub(MESSAGES));
                read.messages.extend(last.map(|message| {
                    let text = message.parts().transcript();
                    (None, json!([message.role, guard.text(&text)]))
                }));
            }
            (Some(id), None) => {
                read.thread_id = thread(Some(id))?.to_owned();
                let prefix = thread_prefix(&read.thread_id);
                database.read(|store| {
                    let mut views = store.by_key_prefix(scope, Kind::Message, &prefix);
                    views.retain(StoredMessage::is_told);
                    for view in views.iter().skip(views.len().saturating_sub(MESSAGES)) {
                        let message = StoredMessage::of(view)?;
                        let date = time::minute(message.created_at);
                        let foreign = Some(message.trust()).filter(|trust| !trust.is_own());
                        let shown = json!([message.speaker(), message.parts().transcript(), date]);
                        read.messages.push((Some((view.id, foreign)), shown));
                    }
                    Ok(())
                })?;
            }
            (None, None) => {}
        }
        Ok(read)
    }

    pub(crate) fn len(&self) -> usize {
        self.messages.len()
    }

    /// One line of JSON per message, by number; nothing in it can end the block it stands in.
    pub(crate) fn lines(&self) -> String {
        self.last_lines(MESSAGES, CHARACTERS)
    }

    /// The same of the last messages alone, each cut to so many characters.
    pub(crate) fn last_lines(&self, messages: usize, characters: usize) -> String {
        let line = |(place, (_, shown)): (usize, &(_, Value))| {
            let text = shown.get(1).and_then(Value::as_str).unwrap_or_default();
            let text: String = text.chars().take(characters).collect();
            line(place + 1, shown.get(0), &text, shown.get(2))
        };
        let last = self.messages.len().saturating_sub(messages);
        let lines: Vec<String> = self.messages.iter().skip(last).enumerate().map(line).collect();
        if lines.is_empty() { "(none)".to_owned() } else { lines.join("\n") }
    }

    /// Leaves out the last message if it is this text.
    pub(crate) fn leave_last(&mut self, text: &str) {
        let is_it = |(_, shown): &(_, Value)| {
            shown.get(1).and_then(Value::as_str).map(str::trim) == Some(text.trim())
        };
        if self.messages.last().is_some_and(is_it) {
            self.messages.pop();
        }
    }

    /// Where something comes from: these messages by number, from 1, or all of them when none is named.
    pub(crate) fn source(&self, numbers: &[usize]) -> Vec<Provenance> {
        let named = |place: usize| numbers.is_empty() || numbers.contains(&(place + 1));
        let ids = self.messages.iter().enumerate().filter(|(place, _)| named(*place));
        ids.filter_map(|(_, (id, _))| *id)
            .map(|(message_id, trust)| Provenance {
                message_id,
                thread_id: self.thread_id.clone(),
                quote: String::new(),
                trust,
            })
            .collect()
    }
}

/// A message in a line of JSON, by its number; nothing in it can end the block it stands in.
fn line(number: usize, role: Option<&Value>, text: &str, date: Option<&Value>) -> String {
    let mut line = json!({ "message": number, "role": role, "text": text });
    if let (Some(date), Value::Object(line)) = (date, &mut line) {
        line.insert("date".to_owned(), date.clone());
    }
    data(&line)
}

/// A stored message in such a line, with so many tokens at most.
pub(crate) fn line_within(
    number: usize,
    message: &StoredMessage,
    tokens: usize,
    counter: &Counter,
) -> String {
    let (role, date) = (json!(message.speaker()), json!(time::minute(message.created_at)));
    let text: String = message.parts().transcript().chars().take(CHARACTERS).collect();
    shaped(&text, tokens, counter, &|text| line(number, Some(&role), text, Some(&date)))
}
