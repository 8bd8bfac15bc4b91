//! Rewriting: what else to search for, where a question does not stand on its own, asks several things, or asks in other words than
//! what answers it. The model says it; what it says is searched for and never told.

use crate::database::Database;
use crate::error::{Error, Result};
use crate::memory::message::NewMessage;
use crate::memory::models::{Models, Question, Spent};
use crate::memory::prompts::{Prompts, REWRITE_VERSION, data};
use crate::memory::transcript::Transcript;
use crate::ports::{Loaded, Pending, Systems};
use crate::schema::{Schema, Violation};
use crate::scope::Scope;
use crate::time;
use serde::Serialize;
use serde_json::{Value, json};
use std::rc::Rc;

/// The most queries that a model may write.
pub const MAX_QUERIES: usize = 4;
/// The most characters of one.
pub const MAX_CHARACTERS: usize = 300;
/// The most tokens of an answer.
const ANSWER_TOKENS: u32 = 600;
/// How many of the last messages are shown, and how many characters of each.
const MESSAGES: usize = 6;
const MESSAGE_CHARACTERS: usize = 600;
/// How many characters of the query are shown.
const QUERY_CHARACTERS: usize = 4000;

/// What a query was rewritten to.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rewritten {
    /// What was searched for beside the query; empty when the model had nothing to add, or failed.
    pub queries: Vec<String>,
    /// What the model was asked.
    pub usage: Spent,
    /// Why nothing but the query was searched for, when the model failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<Error>,
}

/// What was said before a query.
#[derive(Clone, Copy)]
pub(crate) struct Before<'a> {
    /// The thread, where it is stored.
    pub(crate) thread: Option<&'a str>,
    /// Its messages, where it is not.
    pub(crate) said: Option<&'a [NewMessage]>,
}

/// Rewrites queries.
#[derive(Clone)]
pub(crate) struct Rewriter {
    database: Database,
    models: Rc<Models>,
    prompts: Rc<Prompts>,
}

impl Rewriter {
    pub(crate) fn new(database: Database, models: Rc<Models>, prompts: Rc<Prompts>) -> Self {
        Self { database, models, prompts }
    }

    /// Asks the model what to search for beside a query. That it fails is part of the answer.
    pub(crate) async fn rewrite(&self, scope: &Scope, query: &str, before: Before<'_>) -> Rewritten {
        let models = self.models.metered();
        let queries = match Loaded::by(&*self.database.platform()).await {
            Ok(systems) => self.ask(systems, &models, scope, query, before).await,
            Err(error) => Err(error),
        };
        let (queries, failed) = match queries {
            Ok(queries) => (queries, None),
            Err(error) => (Vec::new(), Some(error)),
        };
        Rewritten { queries, usage: models.spent_in_all(), failed }
    }

    /// The gate through which the part that asks models is entered.
    #[inline(never)]
    fn ask<'a>(
        &'a self,
        systems: Loaded<Systems>,
        models: &'a Models,
        scope: &'a Scope,
        query: &'a str,
        before: Before<'a>,
    ) -> Pending<'a, Result<Vec<String>>> {
        systems.work(Box::pin(async move {
            let mut said =
                Transcript::read(&self.database, &models.guard, scope, before.thread, before.said)?;
            let query = models.guard.text(query);
            said.leave_last(&query);
            let shown: String = query.chars().take(QUERY_CHARACTERS).collect();
            let user = [
                ("today", time::date(self.database.now())),
                ("messages", said.last_lines(MESSAGES, MESSAGE_CHARACTERS)),
                ("query", data(&json!({ "text": shown }))),
            ];
            let [most, characters] = [MAX_QUERIES, MAX_CHARACTERS].map(|number| number.to_string());
            let question = Question {
                purpose: "rewrite",
                prompt: REWRITE_VERSION,
                system: self
                    .prompts
                    .render("rewrite.system", &[("most", &most), ("characters", &characters)]),
                user: self
                    .prompts
                    .render("rewrite.user", &user.each_ref().map(|(name, value)| (*name, value.as_str()))),
                schema: answer()?,
                max_tokens: ANSWER_TOKENS,
            };
            let answer = models.ask_while_reading(&question, &not_one_line).await?;
            Ok(others(&answer, &query))
        }))
    }
}

/// The shape of an answer.
fn answer() -> Result<Schema> {
    let query = json!({ "type": "string", "minLength": 1, "maxLength": MAX_CHARACTERS });
    Schema::compile(&json!({
        "type": "object",
        "properties": { "queries": { "type": "array", "items": query, "maxItems": MAX_QUERIES } },
        "required": ["queries"],
    }))
}

fn queries(answer: &Value) -> impl Iterator<Item = &str> {
    answer.get("queries").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// What a schema cannot say: a query is one line of something.
fn not_one_line(answer: &Value) -> Vec<Violation> {
    let is_wrong = |query: &str| query.trim().is_empty() || query.chars().any(char::is_control);
    let wrong = queries(answer).enumerate().filter(|(_, query)| is_wrong(query));
    let told = |(place, _)| {
        let message = "it is blank or holds a control character; write one line".to_owned();
        Violation::new(format!("/queries/{place}"), message)
    };
    wrong.map(told).collect()
}

/// What the model wrote that is not the query itself, each once.
fn others(answer: &Value, query: &str) -> Vec<String> {
    let mut others: Vec<String> = Vec::new();
    for other in queries(answer).map(str::trim) {
        if other != query.trim() && others.iter().all(|known| known != other) {
            others.push(other.to_owned());
        }
    }
    others
}
