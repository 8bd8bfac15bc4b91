//! What a prompt is asked for with.

use super::render::Shape;
use crate::database::Database;
use crate::error::Result;
use crate::memory::compose::{Defaults, Section, Share, check_max_tokens, shares};
use crate::memory::limits;
use crate::memory::message::{NewMessage, Role, StoredMessage, check, check_either, thread, thread_prefix};
use crate::memory::recall::check_hops;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::Store;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The most bytes of instructions.
const MAX_INSTRUCTIONS_BYTES: usize = 64 * 1024;
/// Among how many of the last messages the user's last one is looked for: behind it may be calls of tools and their answers.
const MOST_BEHIND: usize = 1000;

/// Of each section the share of all tokens, and its priority.
const SHARES: &Defaults = &[
    (Section::Instructions, 30, 90),
    (Section::Blocks, 25, 80),
    (Section::Profile, 15, 70),
    (Section::Facts, 25, 40),
    (Section::Significant, 10, 35),
    (Section::Episodes, 10, 10),
    (Section::Graph, 10, 20),
    (Section::Summaries, 10, 30),
    (Section::Summary, 15, 60),
    (Section::Messages, 100, 50),
];

/// What to put together.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AssemblyOptions {
    /// The conversation; without one there are no messages.
    pub thread_id: Option<String>,
    /// The messages of a conversation that is not stored, in place of one that is; at most 500.
    pub messages: Option<Vec<NewMessage>>,
    /// What the user says or asks now. It ends the prompt, unless the thread ends with it.
    pub query: Option<String>,
    /// The most tokens of the whole prompt, 1 to 1 000 000.
    #[serde(deserialize_with = "limits::max_tokens")]
    pub max_tokens: usize,
    /// What the model is to be and do: it begins the prompt. Those of the options of `context` by default.
    pub instructions: Option<String>,
    /// Of each section by its name the share of all tokens, from 0 to 1, or `{ priority, maxTokens }`.
    #[serde(default)]
    pub sections: Map<String, Value>,
    /// `text` by default.
    #[serde(default, rename = "as")]
    pub shape: Shape,
    /// Whether the application's model is asked what else to search for; false by default.
    #[serde(default)]
    pub rewrite: bool,
    /// Over how many relations the graph is walked from whom the question names, 0 to 3; 0 by default.
    #[serde(default, deserialize_with = "limits::hops")]
    pub hops: usize,
    /// Whether what waits for its vector gets it first; false by default.
    #[serde(default, rename = "await")]
    pub waits: bool,
}

/// What was asked for, checked.
pub(super) struct Asked<'a> {
    pub(super) instructions: &'a str,
    pub(super) question: Option<&'a str>,
    pub(super) thread: Option<&'a str>,
    /// What was said, where no thread holds it.
    pub(super) said: Option<&'a [NewMessage]>,
    pub(super) max_tokens: usize,
    pub(super) shares: Vec<Share>,
    pub(super) shape: Shape,
}

impl<'a> Asked<'a> {
    pub(super) fn read(options: &'a AssemblyOptions, instructions: Option<&'a str>) -> Result<Self> {
        let max_tokens = options.max_tokens;
        check_max_tokens(max_tokens)?;
        check_hops(options.hops)?;
        let said = options.messages.as_deref();
        check_either("threadId", options.thread_id.as_deref(), said)?;
        check(said.unwrap_or_default())?;
        let question = options.query.as_deref().filter(|query| !query.trim().is_empty());
        limits::bytes("query", question.unwrap_or_default(), limits::MAX_QUERY_BYTES)?;
        let instructions = options.instructions.as_deref().or(instructions).unwrap_or_default().trim();
        limits::bytes("instructions", instructions, MAX_INSTRUCTIONS_BYTES)?;
        Ok(Self {
            instructions,
            question,
            thread: options.thread_id.as_deref().map(|id| thread(Some(id))).transpose()?,
            said,
            max_tokens,
            shares: shares(SHARES, &options.sections, max_tokens)?,
            shape: options.shape,
        })
    }

    /// The last messages, the newest first: `most` of a thread, or all that were handed over.
    pub(super) fn newest<'s>(
        &'s self,
        (store, scope): (&'s Store, &Scope),
        database: &'s Database,
        most: usize,
    ) -> Box<dyn Iterator<Item = Result<StoredMessage>> + 's> {
        if let Some(said) = self.said {
            let now = database.now();
            return Box::new(said.iter().rev().map(move |one| Ok(one.unstored(database.new_id(), now))));
        }
        let Some(thread) = self.thread else { return Box::new(std::iter::empty()) };
        let newest =
            store.newest_by_key_prefix(scope, Kind::Message, &thread_prefix(thread), most).into_iter();
        let views = newest.filter_map(|document| store.view(document));
        Box::new(views.map(|view| StoredMessage::of(&view)))
    }

    /// What is looked for where no question is given: the user's last message, or the beginning of a long one. `None` when there is none.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn last_of_user(&self, of: (&Store, &Scope), database: &Database) -> Result<Option<String>> {
        for message in self.newest(of, database, MOST_BEHIND).take(MOST_BEHIND) {
            let message = message?;
            let mut text = message.text();
            // What they quote from elsewhere is not what they ask.
            if message.role == Role::User && message.trust().is_own() && !text.trim().is_empty() {
                text.truncate(text.floor_char_boundary(limits::MAX_QUERY_BYTES));
                return Ok(Some(text));
            }
        }
        Ok(None)
    }
}
