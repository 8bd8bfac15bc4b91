//! Learning an episode from a thread: the model writes one down, or none.

use super::{EpisodeValue, Episodes, MAX_PART_BYTES};
use crate::error::{Code, Result};
use crate::json::Complaint;
use crate::log::Cause;
use crate::memory::action::{Action, Done};
use crate::memory::changes::anew;
use crate::memory::facts::Origin;
use crate::memory::message::thread;
use crate::memory::models::Question;
use crate::memory::prompts::{EPISODE_VERSION, lines};
use crate::memory::transcript::Transcript;
use crate::record::{Kind, Record};
use crate::schema::{Schema, Violation};
use crate::scope::Scope;
use serde::Deserialize;
use serde_json::{Value, json};

/// The most tokens of an answer.
const ANSWER_TOKENS: u32 = 1000;
/// How many episodes of the thread are shown, the last ones, so that none is written twice.
const KNOWN: usize = 10;

/// Which thread to learn from.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Learn {
    /// The thread; its last 30 messages are shown.
    pub thread_id: String,
}

/// An episode as the model answers it.
#[derive(Deserialize)]
struct Written {
    situation: String,
    approach: String,
    outcome: String,
    #[serde(default)]
    messages: Vec<usize>,
}

/// The shape of an answer.
fn answer() -> Result<Schema> {
    let part = json!({ "type": "string", "minLength": 1, "maxLength": MAX_PART_BYTES });
    Schema::compile(&json!({
        "type": "object",
        "properties": { "episode": {
            "type": ["object", "null"],
            "properties": {
                "situation": part,
                "approach": part,
                "outcome": part,
                "messages": { "type": "array", "maxItems": 30, "items": { "type": "integer", "minimum": 1 } },
            },
            "required": ["situation", "approach", "outcome"],
        } },
        "required": ["episode"],
    }))
}

impl Episodes {
    /// Asks the model for an episode of a thread that is worth keeping. Empty when there is none, when it is known, or when the
    /// thread has no messages. A bad answer changes nothing.
    ///
    /// # Errors
    /// `Model` when there is none or its answer cannot be used, `Timeout`, `InvalidInput`, and those of storing.
    pub async fn learn(&self, scope: &Scope, learn: &Learn) -> Result<Vec<Action>> {
        let thread_id = thread(Some(&learn.thread_id))?;
        let what = format!("something was forgotten while the thread {thread_id:?} was learned from");
        anew(&what, &[Code::Conflict], &mut || Box::pin(self.learn_once(scope, thread_id))).await
    }

    async fn learn_once(&self, scope: &Scope, thread_id: &str) -> Result<Vec<Action>> {
        let changes = self.changes.since(self.database.sequence());
        let said = Transcript::read(&self.database, &self.models.guard, scope, Some(thread_id), None)?;
        if said.len() == 0 {
            return Ok(Vec::new());
        }
        let question = Question {
            purpose: "episode",
            prompt: EPISODE_VERSION,
            system: self.prompts.render("episode.system", &[]),
            user: self.prompts.render(
                "episode.user",
                &[("episodes", &self.known(scope, thread_id)?), ("messages", &said.lines())],
            ),
            schema: answer()?,
            max_tokens: ANSWER_TOKENS,
        };
        let answer = self.models.ask(question, &|answer| refused(answer, said.len())).await?;
        let Ok(written) = read(&answer) else { return Ok(Vec::new()) };
        let value = EpisodeValue {
            situation: written.situation,
            approach: written.approach,
            outcome: written.outcome,
            thread_id: Some(thread_id.to_owned()),
            origin: Origin::Model,
        };
        let record = self.record(scope, &value)?;
        let source = said.source(&written.messages);
        let action = self.keep(&changes, Record { provenance: source, ..record }, Cause::Extract).await?;
        Ok(Some(action).filter(|action| action.action != Done::Unchanged).into_iter().collect())
    }

    /// The episodes of the thread that are kept already, one line each.
    fn known(&self, scope: &Scope, thread_id: &str) -> Result<String> {
        let now = self.database.now();
        self.database.read(|store| {
            let mut known = Vec::new();
            for view in store.records(scope, Kind::Episode).rev().filter(|view| view.holds_at(now)) {
                let value: EpisodeValue = view.content()?;
                if known.len() < KNOWN && value.thread_id.as_deref() == Some(thread_id) {
                    known.push(json!({ "situation": value.situation, "outcome": value.outcome }));
                }
            }
            Ok(lines(known.into_iter()))
        })
    }
}

/// The episode of an answer that fits the schema; an error when it holds none.
fn read(answer: &Value) -> std::result::Result<Written, Complaint> {
    crate::json::from_value(answer.get("episode").cloned().unwrap_or_default())
}

/// What a schema cannot say: that parts are not blank, and that only messages that were shown are named.
fn refused(answer: &Value, messages: usize) -> Vec<Violation> {
    let Ok(written) = read(answer) else { return Vec::new() };
    let numbers = written.messages.iter().filter(|number| **number > messages);
    let invented = numbers.map(|number| {
        Violation::new(
            "/episode/messages".to_owned(),
            format!("there is no message {number}; there are {messages}"),
        )
    });
    let Written { situation, approach, outcome, .. } = &written;
    let value = EpisodeValue {
        situation: situation.clone(),
        approach: approach.clone(),
        outcome: outcome.clone(),
        thread_id: None,
        origin: Origin::Model,
    };
    let blank = value.check().err().map(|error| Violation::new("/episode".to_owned(), error.into()));
    invented.chain(blank).collect()
}
