//! How learning goes, as an application says when it opens a memory.

use super::Person;
use crate::error::Result;
use crate::index::lexical::fold;
use crate::lowercase::lowercase;
use crate::memory::limits::{self, invalid};
use crate::memory::models::DEFAULT_TIMEOUT_MS;
use crate::memory::ttl::Ttl;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The longest a trigger may wait: 30 days.
const MAX_WAIT_MS: u32 = 2_592_000_000;
/// The most participants, and the most bytes of a name: as many as an entity's may have.
const MAX_PARTICIPANTS: usize = 32;
const MAX_NAME_BYTES: usize = 120;
/// The most messages one model call may cover.
const MAX_BATCH: usize = 100;

/// How extraction goes.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExtractionOptions {
    /// Whether to extract in the background; true by default. When false, tasks wait in the store for a flush.
    pub auto: bool,
    /// When the model is asked about what waits. Rules learn at once.
    pub trigger: Trigger,
    /// How many earlier messages of the thread the model is shown again, to understand the others; 4 by default, 0 to 100.
    pub overlap: usize,
    /// How long the model may take, in milliseconds; 60 000 by default.
    pub timeout_ms: u32,
    /// How many messages one model call may cover; 20 by default, 1 to 100.
    pub max_messages: usize,
    /// How long things are kept.
    pub ttl: Ttl,
    /// Whether facts are learned; true by default.
    pub facts: bool,
    /// Whether profile fields are learned; true by default.
    pub profiles: bool,
    /// Whether the model also names entities and relations for the graph; true by default.
    pub graph: bool,
    /// Whether what is learned becomes proposals that wait for the user's yes; false by default.
    pub review: bool,
    /// What facts are to be about: names of managed topics, or `{label, description}`; whatever matters by default.
    pub topics: Vec<Value>,
    /// Conversations and what to keep of them, `{messages: [{role, content}], facts: [{text}]}`; none by default.
    pub examples: Vec<Value>,
    /// In whose words facts are written; `third` by default.
    pub person: Person,
    /// The language facts are written in; that of the message by default.
    pub language: Option<String>,
    /// The names of people who speak for themselves, in whatever role, as the `name` of their messages gives them: what each says
    /// is learned about them; at most 32, none by default.
    pub participants: Vec<String>,
    /// Prompts in place of the built-in ones, by name; they must have the same places.
    pub prompts: Map<String, Value>,
}

impl Default for ExtractionOptions {
    fn default() -> Self {
        Self {
            auto: true,
            trigger: Trigger::default(),
            overlap: 4,
            timeout_ms: DEFAULT_TIMEOUT_MS,
            max_messages: 20,
            ttl: Ttl::default(),
            facts: true,
            profiles: true,
            graph: true,
            review: false,
            topics: Vec::new(),
            examples: Vec::new(),
            person: Person::default(),
            language: None,
            participants: Vec::new(),
            prompts: Map::new(),
        }
    }
}

/// The participant of a name, in whatever capitals and however its accents and syllables are composed.
pub(crate) fn participant<'p>(participants: &'p [String], name: &str) -> Option<&'p str> {
    let is_named = |known: &&str| lowercase(known.trim()) == lowercase(name.trim());
    let is_alike = |known: &&str| fold(known.trim()).eq(fold(name.trim()));
    let find = |is: &dyn Fn(&&str) -> bool| participants.iter().map(String::as_str).find(is);
    find(&is_named).or_else(|| find(&is_alike))
}

/// Checks the names of those who speak for themselves.
///
/// # Errors
/// `InvalidInput` that names the place.
pub(crate) fn participants(names: &[String]) -> Result<()> {
    if names.len() > MAX_PARTICIPANTS {
        return Err(invalid(format!(
            "participants has {} items; at most {MAX_PARTICIPANTS} are allowed",
            names.len()
        )));
    }
    for (place, name) in names.iter().enumerate() {
        limits::text(&format!("participants[{place}]"), name, MAX_NAME_BYTES)?;
    }
    Ok(())
}

/// When the messages of a thread that wait are learned from: as soon as one of these is so. Times are counted from when the
/// messages were stored, so that a reload does not begin them anew.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Trigger {
    /// So many wait, or as many as one call may cover; 8 by default, 1 to 100.
    pub messages: usize,
    /// None came for so long, in milliseconds; 60 000 by default, at most 30 days.
    pub idle_ms: u32,
    /// The first of them has waited so long, in milliseconds, whatever else comes; no such limit by default.
    pub every_ms: Option<u32>,
}

impl Default for Trigger {
    fn default() -> Self {
        Self { messages: 8, idle_ms: 60_000, every_ms: None }
    }
}

impl ExtractionOptions {
    /// Checks the numbers.
    ///
    /// # Errors
    /// `InvalidInput` that names the option and its range.
    pub fn check(&self) -> Result<()> {
        let every_ms = self.trigger.every_ms.unwrap_or_default();
        let numbers = [
            ("trigger.messages", self.trigger.messages, 1, MAX_BATCH),
            ("trigger.idleMs", self.trigger.idle_ms as usize, 0, MAX_WAIT_MS as usize),
            ("trigger.everyMs", every_ms as usize, 0, MAX_WAIT_MS as usize),
            ("overlap", self.overlap, 0, MAX_BATCH),
            ("timeoutMs", self.timeout_ms as usize, 1, 3_600_000),
            ("maxMessages", self.max_messages, 1, MAX_BATCH),
        ];
        for (name, value, least, most) in numbers {
            if !(least..=most).contains(&value) {
                return Err(invalid(format!("extraction.{name} is {value}; {least} to {most} are allowed")));
            }
        }
        participants(&self.participants)?;
        self.ttl.check()
    }
}
