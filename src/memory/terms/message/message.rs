//! A message, as it is handed over and as it is kept.

use super::parts::words;
use super::role::{Role, Roles};
use super::thread::{key, name};
use super::withheld::Withheld;
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::limits::{self, invalid};
use crate::memory::listing::Shown;
use crate::record::{Kind, Record, Trust};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The most bytes of a message's own id.
pub const MAX_MESSAGE_ID_BYTES: usize = 128;
/// The most bytes of a message's content.
pub const MAX_CONTENT_BYTES: usize = 256 * 1024;
/// The most messages one call may hand over.
pub const MAX_MESSAGES: usize = 500;

/// A message as the application hands it over.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewMessage {
    /// Who speaks.
    pub role: Role,
    /// A text, or a list of parts each with a `type`, as OpenAI, Anthropic and the AI SDK write them; the texts of `text` parts are
    /// searched. May be null beside tool calls.
    pub content: Value,
    /// The tools that an assistant's message calls, as chat APIs write them: objects with an `id`. Parts of the content of type
    /// `tool_call`, `tool-call` or `tool_use` are calls as well.
    #[serde(alias = "tool_calls")]
    pub tool_calls: Option<Vec<Value>>,
    /// The call that a tool's message is the result of. Parts of the content of type `tool_result` or `tool-result`
    /// are results as well.
    #[serde(alias = "tool_call_id")]
    pub tool_call_id: Option<String>,
    /// The application's own id for it; handing over the same id in the same thread again replaces the message.
    pub id: Option<String>,
    /// The speaker's name.
    pub name: Option<String>,
    /// When it was said; now by default.
    pub created_at: Option<Timestamp>,
    /// How far what it says is trusted; as its role says by default.
    pub trust: Option<Trust>,
    /// What to keep with it.
    #[serde(default)]
    pub metadata: Map<String, Value>,
}

/// A message as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredMessage {
    /// Its id in the memory.
    pub id: Id,
    /// The application's id for it, if it gave one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message_id: Option<String>,
    /// Its thread.
    pub thread_id: String,
    /// Who speaks.
    pub role: Role,
    /// As it was handed over; an empty text for null.
    pub content: Value,
    /// The tools it calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<Value>>,
    /// The call it is the result of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The speaker's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// When it was said.
    pub created_at: Timestamp,
    /// How far what it says is trusted, where that is not as its role says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// What is kept with it.
    pub metadata: Map<String, Value>,
    /// The sentences of the content that are told to nobody but who reads the thread: what was learned from them was deleted or
    /// edited. Only there; elsewhere the content lacks them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
}

/// What a message's record holds beside its text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MessageValue {
    pub(super) thread_id: String,
    pub(super) role: Role,
    /// What may be told; absent when it is just the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tool_calls: Option<Vec<Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trust: Option<Trust>,
    /// What it was before some of it was withheld.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) withheld: Option<Withheld>,
}

impl NewMessage {
    /// Checks the message.
    ///
    /// # Errors
    /// `InvalidInput` that says what is wrong, with the message's place as `index` and its own `id`.
    pub(crate) fn check(&self, place: usize) -> Result<()> {
        let at = match &self.id {
            Some(id) => {
                let id: String = id.chars().take(MAX_MESSAGE_ID_BYTES).collect();
                format!("messages[{place}] (id {id:?})")
            }
            None => format!("messages[{place}]"),
        };
        self.fault(&at).map_err(|error| match &self.id {
            Some(id) => error.with("index", place).with("id", id.as_str()),
            None => error.with("index", place),
        })
    }

    fn fault(&self, at: &str) -> Result<()> {
        let bytes = match &self.content {
            Value::String(text) => text.len(),
            Value::Array(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    let kind = part.get("type").and_then(Value::as_str);
                    if kind.is_none()
                        || kind == Some("text") && !part.get("text").is_some_and(Value::is_string)
                    {
                        return Err(invalid(format!(
                            "{at}.content[{number}] is not a part; write {{\"type\": \"text\", \"text\": \"...\"}} or another object with a type"
                        )));
                    }
                }
                self.content.to_string().len()
            }
            Value::Null if self.tool_calls.is_some() => 0,
            _ => return Err(invalid(format!("{at}.content must be a text or a list of parts"))),
        };
        let mut bytes = bytes;
        for (number, call) in self.tool_calls.iter().flatten().enumerate() {
            if !call.get("id").is_some_and(Value::is_string) {
                return Err(invalid(format!(
                    "{at}.toolCalls[{number}] is not a call; write an object with an id"
                )));
            }
            bytes += call.to_string().len();
        }
        if let Some(id) = &self.tool_call_id {
            limits::text(&format!("{at}.toolCallId"), id, MAX_MESSAGE_ID_BYTES)?;
        }
        if bytes > MAX_CONTENT_BYTES {
            return Err(invalid(format!(
                "{at}.content has {bytes} bytes, over the limit of {MAX_CONTENT_BYTES}; nothing was changed: split that message or leave it out, and call again"
            ))
            .with("bytes", bytes)
            .with("limit", MAX_CONTENT_BYTES));
        }
        if let Some(id) = &self.id {
            name(&format!("{at}.id"), id, MAX_MESSAGE_ID_BYTES)?;
        }
        if let Some(text) = &self.name {
            limits::text(&format!("{at}.name"), text, MAX_MESSAGE_ID_BYTES)?;
        }
        self.created_at.map_or(Ok(()), |time| limits::timestamp(&format!("{at}.createdAt"), time))?;
        limits::metadata(&self.metadata)
    }

    /// The record that keeps it.
    pub(crate) fn into_record(
        self,
        id: Id,
        scope: &Scope,
        thread_id: &str,
        now: Timestamp,
    ) -> Result<Record> {
        let (text, content) = kept(self.content);
        let mut record = Record::new(id, Kind::Message, scope.clone(), now);
        record.key = Some(match &self.id {
            Some(own) => key(thread_id, own),
            None => key(thread_id, &id.to_string()),
        });
        let value = MessageValue {
            thread_id: thread_id.to_owned(),
            role: self.role,
            content,
            name: self.name,
            message_id: self.id,
            tool_calls: self.tool_calls,
            tool_call_id: self.tool_call_id,
            trust: self.trust.filter(|trust| *trust != self.role.trust()),
            withheld: None,
        };
        record.value = crate::json::to_value(&value)?;
        record.text = text;
        record.valid_from = self.created_at.unwrap_or(now);
        record.metadata = self.metadata;
        Ok(record)
    }
}

/// The words of a content, and what is kept beside them: a content that is just its text is kept once.
pub(super) fn kept(content: Value) -> (Option<String>, Option<Value>) {
    let text = Some(words(&content)).filter(|text| !text.trim().is_empty());
    match content {
        Value::String(_) if text.is_some() => (text, None),
        Value::Null => (None, None),
        content => (text, Some(content)),
    }
}

impl Shown for StoredMessage {
    const FIELDS: &'static [&'static str] = &[
        "id",
        "messageId",
        "threadId",
        "role",
        "content",
        "toolCalls",
        "toolCallId",
        "name",
        "createdAt",
        "trust",
        "metadata",
    ];
}

impl StoredMessage {
    /// Whether one of these speaks in a message's record; parses nothing where a look at the text says so.
    pub(crate) fn is_of(view: &RecordView<'_>, Roles(roles): &Roles) -> bool {
        let raw = view.raw_value();
        if !roles.iter().any(|role| raw.contains(role.member())) {
            return false;
        }
        // Within parts and calls the same may stand for something else; in a text every quote is escaped.
        !raw.contains('[') || Self::role_of(view).is_some_and(|role| roles.contains(&role))
    }

    /// Who speaks in a message's record.
    pub(crate) fn role_of(view: &RecordView<'_>) -> Option<Role> {
        let value = view.value().ok()?;
        Role::named(value.get("role")?.as_str()?)
    }

    /// What of a message may be told.
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        let value: MessageValue = view.content()?;
        Self::read(view, value)
    }

    /// A message as it was handed over, for who reads its thread.
    pub(crate) fn whole(view: &RecordView<'_>) -> Result<Self> {
        let mut value: MessageValue = view.content()?;
        let Some(withheld) = value.withheld.take() else { return Self::read(view, value) };
        let sentences = withheld.sentences();
        (value.content, value.tool_calls) = (Some(withheld.content), withheld.tool_calls);
        Ok(Self { withheld: sentences, ..Self::read(view, value)? })
    }

    /// Whether something of a message may be withheld; parses nothing.
    pub(crate) fn has_withheld(view: &RecordView<'_>) -> bool {
        view.raw_value().contains("\"withheld\"")
    }

    /// Whether there is anything to tell of a message: not when all of it is withheld.
    pub(crate) fn is_told(view: &RecordView<'_>) -> bool {
        view.text.is_some()
            || !Self::has_withheld(view)
            || Self::of(view).is_ok_and(|message| !message.parts().is_empty())
    }

    fn read(view: &RecordView<'_>, value: MessageValue) -> Result<Self> {
        Ok(Self {
            id: view.id,
            message_id: value.message_id,
            tool_calls: value.tool_calls,
            tool_call_id: value.tool_call_id,
            thread_id: value.thread_id,
            role: value.role,
            content: value.content.unwrap_or_else(|| view.text.unwrap_or_default().into()),
            name: value.name,
            created_at: view.valid_from,
            trust: value.trust,
            metadata: view.metadata()?,
            withheld: Vec::new(),
        })
    }

    /// How far what it says is trusted.
    pub(crate) fn trust(&self) -> Trust {
        self.trust.unwrap_or_else(|| self.role.trust())
    }

    /// Who speaks, as a model is told: what a user's message quotes from elsewhere is not the user's.
    pub(crate) fn speaker(&self) -> &'static str {
        let trust = self.trust();
        if self.role == Role::User && !trust.is_own() { trust.as_str() } else { self.role.as_str() }
    }

    /// What begins its words where its role alone says who speaks: see [`Trust::mark`].
    pub(crate) fn mark(&self) -> &'static str {
        if self.role == Role::User { self.trust().mark() } else { "" }
    }

    /// Its text: the content, or the texts of its parts.
    pub(crate) fn text(&self) -> String {
        words(&self.content)
    }

    /// Its text with the names of what else it shows, such as `[image: cat.png]`.
    pub(crate) fn shown(&self) -> String {
        if self.role == Role::Tool { self.text() } else { self.parts().text() }
    }
}
