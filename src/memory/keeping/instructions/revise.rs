//! Revising: the model rewrites an instruction from feedback and what was said.

use super::{InstructionValue, Instructions, MAX_INSTRUCTION_BYTES, check, present};
use crate::error::{Code, Error, Result};
use crate::log::Cause;
use crate::memory::action::Action;
use crate::memory::changes::{Planning, anew};
use crate::memory::facts::Origin;
use crate::memory::limits;
use crate::memory::message::NewMessage;
use crate::memory::models::Question;
use crate::memory::prompts::{REVISE_VERSION, data};
use crate::memory::transcript::Transcript;
use crate::schema::{Schema, Violation};
use crate::scope::Scope;
use serde::Deserialize;
use serde_json::{Value, json};

/// The most bytes of feedback.
const MAX_FEEDBACK_BYTES: usize = 8192;
/// The most characters of a reason.
const WHY_CHARACTERS: usize = 1000;
/// The most tokens of an answer.
const ANSWER_TOKENS: u32 = 3000;

/// What to revise an instruction from.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Revise {
    /// Its name, up to 64 bytes; `assistant` by default.
    #[serde(default = "super::assistant")]
    pub name: String,
    /// What should go otherwise, or as well, in words; up to 8 KiB.
    pub feedback: String,
    /// The conversation the feedback is about: its last 30 messages are shown.
    pub thread_id: Option<String>,
    /// Or its messages; they are not stored.
    pub messages: Option<Vec<NewMessage>>,
}

/// The shape of an answer.
fn answer() -> Result<Schema> {
    Schema::compile(&json!({
        "type": "object",
        "properties": {
            "text": { "type": "string", "minLength": 1, "maxLength": MAX_INSTRUCTION_BYTES },
            "why": { "type": ["string", "null"], "maxLength": WHY_CHARACTERS },
        },
        "required": ["text"],
    }))
}

impl Instructions {
    /// Lets the model rewrite an instruction, or write the first. A bad answer changes nothing; when the instruction changes
    /// while the model answers, it is asked anew.
    ///
    /// # Errors
    /// `Model` when there is none or its answer cannot be used, `Timeout`, `InvalidInput`, `Conflict` when the instruction
    /// changed every time, and those of storing.
    pub async fn revise(&self, scope: &Scope, revise: &Revise) -> Result<Action> {
        check(&revise.name)?;
        limits::text("feedback", &revise.feedback, MAX_FEEDBACK_BYTES)?;
        let what = format!("the instruction {:?} changed while it was revised", revise.name);
        anew(&what, &[Code::Conflict], &mut || Box::pin(self.revise_once(scope, revise))).await
    }

    async fn revise_once(&self, scope: &Scope, revise: &Revise) -> Result<Action> {
        let (messages, since) = (revise.messages.as_deref(), self.database.sequence());
        let said = Transcript::read(
            &self.database,
            &self.models.guard,
            scope,
            revise.thread_id.as_deref(),
            messages,
        )?;
        let current = self.get(scope, &revise.name)?;
        let shown = current.as_ref().map_or(Value::Null, |current| current.text.as_str().into());
        let values = [
            ("instructions", data(&json!({ "name": revise.name, "text": shown }))),
            ("messages", said.lines()),
            ("feedback", data(&json!({ "feedback": self.models.guard.text(&revise.feedback) }))),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let question = Question {
            purpose: "revise",
            prompt: REVISE_VERSION,
            system: self.prompts.render("revise.system", &[]),
            user: self.prompts.render("revise.user", &values),
            schema: answer()?,
            max_tokens: ANSWER_TOKENS,
        };
        let answer = self.models.ask(question, &too_long).await?;
        let text = answer.get("text").and_then(Value::as_str).unwrap_or_default();
        let why = answer.get("why").and_then(Value::as_str).map(str::to_owned);
        let value = InstructionValue { origin: Origin::Model, why };
        let shown = current.map(|current| current.revision);
        let plan = &mut |planning: &mut Planning<'_>| {
            if present(planning, &revise.name).map(|now| now.revision) != shown {
                return Err(Error::new(Code::Conflict, "the instruction changed while the model answered"));
            }
            self.plan(planning, &revise.name, text, value.clone(), said.source(&[]))
        };
        self.changes.since(since).one(scope, Cause::Extract, plan).await
    }
}

/// What a schema cannot say: it counts characters, and not that they are blank.
fn too_long(answer: &Value) -> Vec<Violation> {
    let text = answer.get("text").and_then(Value::as_str).unwrap_or_default();
    match limits::text("text", text, MAX_INSTRUCTION_BYTES) {
        Ok(()) => Vec::new(),
        Err(error) => vec![Violation::new("/text".to_owned(), error.into())],
    }
}
