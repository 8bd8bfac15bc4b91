//! Records: the unit everything is stored as.

use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The most bytes a record may have as stored, without its vector; a message of which something is withheld, twice as many.
pub const MAX_RECORD_BYTES: usize = 512 * 1024;
/// The most bytes the record of a document may have.
pub const MAX_DOCUMENT_RECORD_BYTES: usize = 23 * 1024 * 1024;
/// The most bytes a record's key may have.
pub const MAX_KEY_BYTES: usize = 1024;
/// The most bytes of a document's namespace, which stands before its own key with a full stop between them.
pub const MAX_NAMESPACE_BYTES: usize = 4096;

/// What stands between the parts of a document's text, each of which has a vector of its own.
pub const PART: char = '\u{1e}';
/// The most parts that a text may have. Their vectors fit one value of a segment, however many values each of them has.
pub const MAX_PARTS: usize = 100;

/// The parts of the text of a record of a kind; all of it where it is not in parts.
#[must_use]
pub fn parts(kind: Kind, text: &str) -> Vec<&str> {
    match kind {
        Kind::Document => text.splitn(MAX_PARTS, PART).collect(),
        _ => vec![text],
    }
}

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A message of a thread.
    Message,
    /// An atomic statement in words.
    Fact,
    /// One field of a profile.
    Field,
    /// Work to be done in the background, such as an extraction.
    Task,
    /// A node of the knowledge graph.
    Entity,
    /// An edge of the knowledge graph.
    Relation,
    /// A JSON document under a namespace and a key.
    Document,
    /// What the assistant is to do and how: procedural memory.
    Instruction,
    /// How something went once, as an example: episodic memory.
    Episode,
    /// A change that waits for the user's yes.
    Proposal,
    /// What a conversation, or a span of time, was about.
    Summary,
    /// A question and its answer, in the tiers of memory.
    Page,
    /// Pages about one topic, in the middle tier.
    Segment,
    /// One trait of the user's character, with the evidence for it.
    Trait,
    /// A named part of the model's working memory.
    Block,
    /// A piece of text in the archive.
    Passage,
}

impl Kind {
    /// Every kind, in the order of their stored tags.
    pub const ALL: [Self; 16] = [
        Self::Message,
        Self::Fact,
        Self::Field,
        Self::Task,
        Self::Entity,
        Self::Relation,
        Self::Document,
        Self::Instruction,
        Self::Episode,
        Self::Proposal,
        Self::Summary,
        Self::Page,
        Self::Segment,
        Self::Trait,
        Self::Block,
        Self::Passage,
    ];

    /// The stored tag.
    #[must_use]
    pub fn tag(self) -> u8 {
        match self {
            Self::Message => 1,
            Self::Fact => 2,
            Self::Field => 3,
            Self::Task => 4,
            Self::Entity => 5,
            Self::Relation => 6,
            Self::Document => 7,
            Self::Instruction => 8,
            Self::Episode => 9,
            Self::Proposal => 10,
            Self::Summary => 11,
            Self::Page => 12,
            Self::Segment => 13,
            Self::Trait => 14,
            Self::Block => 15,
            Self::Passage => 16,
        }
    }

    /// The kind of a stored tag.
    #[must_use]
    pub fn from_tag(tag: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.tag() == tag)
    }
}

/// How far a source is trusted, from what strangers wrote to what the user said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// A page of the web, or anything else that strangers wrote.
    Web,
    /// A document that the application or its user gave.
    Document,
    /// What a tool answered.
    Tool,
    /// What the assistant said or did.
    Assistant,
    /// What the user said, and what the application wrote.
    User,
}

impl Trust {
    /// Every level, the least first.
    pub const ALL: [Self; 5] = [Self::Web, Self::Document, Self::Tool, Self::Assistant, Self::User];

    /// Whether it comes from the conversation itself.
    #[must_use]
    pub fn is_own(self) -> bool {
        self >= Self::Assistant
    }

    /// What begins a line of a prompt that tells of it: nothing for what comes from the conversation itself.
    #[must_use]
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Web => "[web] ",
            Self::Document => "[document] ",
            Self::Tool => "[tool] ",
            Self::Assistant | Self::User => "",
        }
    }

    /// As it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Document => "document",
            Self::Tool => "tool",
            Self::Assistant => "assistant",
            Self::User => "user",
        }
    }
}

/// Where a record came from: a message and the words in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// The message.
    pub message_id: Id,
    /// The thread of the message.
    pub thread_id: String,
    /// The words, exactly as they stand in the message; empty when no single place can be named.
    pub quote: String,
    /// How far the message is trusted; absent for the user's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
}

/// One memory, as the store keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its id.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// Whose it is.
    pub scope: Scope,
    /// A name that is unique among the living records of its scope and kind, if it has one.
    pub key: Option<String>,
    /// Its content beyond the text.
    pub value: Value,
    /// The words it is found by, if it can be searched.
    pub text: Option<String>,
    /// What the application keeps with it.
    pub metadata: Map<String, Value>,
    /// How much it matters, 1 to 10; 0 when nobody said.
    pub significance: u8,
    /// Whether the user wants it kept as it is: what is learned never changes or ends it.
    pub pinned: bool,
    /// When it was first stored. Set by the store.
    pub created_at: Timestamp,
    /// When this revision was stored. Set by the store.
    pub updated_at: Timestamp,
    /// From when it holds in the world.
    pub valid_from: Timestamp,
    /// Until when it held in the world, if it no longer does.
    pub valid_to: Option<Timestamp>,
    /// When it goes out of memory by itself.
    pub expires_at: Option<Timestamp>,
    /// Its revision number, from 1; counts on over deletion. Set by the store.
    pub revision: u32,
    /// Where it came from.
    pub provenance: Vec<Provenance>,
}

impl Record {
    /// A record with nothing but an identity and a time; set the other fields as needed.
    #[must_use]
    pub fn new(id: Id, kind: Kind, scope: Scope, now: Timestamp) -> Self {
        Self {
            id,
            kind,
            scope,
            key: None,
            value: Value::Null,
            text: None,
            metadata: Map::new(),
            significance: 0,
            pinned: false,
            created_at: now,
            updated_at: now,
            valid_from: now,
            valid_to: None,
            expires_at: None,
            revision: 0,
            provenance: Vec::new(),
        }
    }

    /// Whether it is part of the present: not expired, and true in the world; a message is, whenever it was said.
    #[must_use]
    pub fn holds_at(&self, time: Timestamp) -> bool {
        let begun = self.kind == Kind::Message || self.valid_from <= time;
        begun && self.expires_at.is_none_or(|end| end > time) && self.valid_to.is_none_or(|end| end > time)
    }

    /// Refuses a record that is too large to store.
    ///
    /// # Errors
    /// `InvalidInput` with the size and the limit.
    pub(crate) fn check_size(&self, stored_bytes: usize) -> Result<()> {
        let most = MAX_KEY_BYTES + if self.kind == Kind::Document { MAX_NAMESPACE_BYTES + 1 } else { 0 };
        if let Some(key) = &self.key
            && (key.is_empty() || key.len() > most)
        {
            return Err(Error::new(
                Code::InvalidInput,
                format!("a key has 1 to {most} bytes; this one has {}", key.len()),
            ));
        }
        // What was said stands beside what may be told of it, and deleting must not fail for that.
        let is_withheld = self.kind == Kind::Message && self.value.get("withheld").is_some();
        let limit = match self.kind {
            Kind::Document => MAX_DOCUMENT_RECORD_BYTES,
            _ if is_withheld => 2 * MAX_RECORD_BYTES,
            _ => MAX_RECORD_BYTES,
        };
        if stored_bytes > limit {
            return Err(Error::new(
                Code::InvalidInput,
                format!(
                    "{stored_bytes} bytes for one {} are over the limit of {limit}; split it",
                    format!("{:?}", self.kind).to_ascii_lowercase()
                ),
            )
            .with("bytes", stored_bytes)
            .with("limit", limit));
        }
        Ok(())
    }
}
