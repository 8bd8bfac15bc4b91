//! Asking for JSON: an answer that cannot be used is asked for once more, with what was wrong.

use super::salvage::salvage;
use super::{Models, QUERY_TIMEOUT_MS, shown};
use crate::database::{Database, Event};
use crate::error::{Code, Error, Result};
use crate::ports::{ModelMessage, ModelRequest, Pending};
use crate::schema::{Schema, Violation, parse_lenient};
use serde_json::Value;

/// A question whose answer must be JSON of a given shape.
pub(crate) struct Question {
    /// Why it is asked.
    pub(crate) purpose: &'static str,
    /// The version of the prompt.
    pub(crate) prompt: &'static str,
    /// Who the model is to be and what it is to do.
    pub(crate) system: String,
    /// What to do it with.
    pub(crate) user: String,
    /// The shape of the answer.
    pub(crate) schema: Schema,
    /// The most tokens of the answer.
    pub(crate) max_tokens: u32,
}

impl Models {
    /// Asks for JSON. An answer that cannot be used is sent back once with what is wrong with it. `check` says what the
    /// schema cannot.
    ///
    /// # Errors
    /// `Model` when there is no model, it fails, or its second answer cannot be used either; `Timeout`.
    pub(crate) fn ask<'a>(
        &'a self,
        question: Question,
        check: &'a dyn Fn(&Value) -> Vec<Violation>,
    ) -> Pending<'a, Result<Value>> {
        self.ask_within(question, check, &|_| true)
    }

    /// Asks for JSON with requests that `allows` lets through. The second leaves out the bad answer where it is too much with
    /// it.
    ///
    /// # Errors
    /// As for [`Models::ask`], and `BudgetExceeded` when a request is not let through.
    pub(crate) fn ask_within<'a>(
        &'a self,
        question: Question,
        check: &'a dyn Fn(&Value) -> Vec<Violation>,
        allows: &'a dyn Fn(&ModelRequest) -> bool,
    ) -> Pending<'a, Result<Value>> {
        // Boxed, so that its code is there once and not in each who asks.
        Box::pin(async move {
            let judge = |answer: &Value| judged(&question.schema, answer, check);
            let answered = self.asked(&question, &judge, allows).await?;
            answered.map_err(|unusable| self.refused_twice(question.purpose, &unusable.violations))
        })
    }

    /// Asks for JSON with which something is read. Somebody waits for it, so it is asked for once, and has as long as the vector of a
    /// query. Nothing is stored, so it needs no room, and may be asked for where nothing may be written.
    ///
    /// # Errors
    /// `Model` when there is no model, it fails, or its answer cannot be used; `Timeout`.
    pub(crate) async fn ask_while_reading(
        &self,
        question: &Question,
        check: &dyn Fn(&Value) -> Vec<Violation>,
    ) -> Result<Value> {
        let timeout_ms = self.timeout_ms.min(QUERY_TIMEOUT_MS);
        let answer = self.complete_within(self.llm()?, &question.request(), timeout_ms).await?;
        let judge = |answer: &Value| judged(&question.schema, answer, check);
        read(&answer, &judge)
            .map_err(|(_, violations)| self.refused(question.purpose, "unusable", &violations))
    }

    /// Asks for JSON that consists of lists. When the second answer cannot be used either, it is kept without those of its
    /// items that cannot, or without those of their parts that are among `without`, and the listeners of `database` are told.
    ///
    /// # Errors
    /// As for [`Models::ask`], the last when nothing is left of the second answer, nor of the first.
    pub(crate) async fn ask_for_lists(
        &self,
        question: Question,
        without: &[&str],
        database: &Database,
        check: &dyn Fn(&Value) -> Vec<Violation>,
    ) -> Result<Value> {
        let judge = |answer: &Value| judged(&question.schema, answer, check);
        let unusable = match self.asked(&question, &judge, &|_| true).await? {
            Ok(answer) => return Ok(answer),
            Err(unusable) => unusable,
        };
        let usable = |answer: &Option<Value>| salvage(answer.clone()?, without, &judge);
        let Some((answer, wrong)) = unusable.answers.iter().rev().find_map(usable) else {
            return Err(self.refused_twice(question.purpose, &unusable.violations));
        };
        let left_out =
            format!("the model's answer was kept without its unusable parts: {}", violations_line(&wrong));
        database.tell(&Event::Error(with_violations(Error::new(Code::Model, left_out), &wrong)));
        Ok(answer)
    }

    /// Asks twice at most.
    async fn asked(
        &self,
        question: &Question,
        judge: &dyn Fn(&Value) -> Vec<Violation>,
        allows: &dyn Fn(&ModelRequest) -> bool,
    ) -> Result<std::result::Result<Value, Unusable>> {
        let llm = self.llm()?;
        let mut request = question.request();
        if !allows(&request) {
            return Err(too_much(question.purpose));
        }
        let answer = self.complete(llm, &request).await?;
        let (first, violations) = match read(&answer, judge) {
            Ok(answer) => return Ok(Ok(answer)),
            Err(unusable) => unusable,
        };
        self.unusable(question.purpose);
        request.messages.push(ModelMessage { role: "assistant", content: shortened(&shown(&answer)) });
        request.messages.push(ModelMessage { role: "user", content: complaint(&violations) });
        if !allows(&request) {
            request.messages.remove(request.messages.len() - 2);
            if !allows(&request) {
                return Err(too_much(question.purpose));
            }
        }
        let answer = self.complete(llm, &request).await?;
        Ok(read(&answer, judge)
            .map_err(|(second, violations)| Unusable { answers: [first, second], violations }))
    }

    /// The error that both answers were of no use.
    fn refused_twice(&self, purpose: &'static str, violations: &[Violation]) -> Error {
        self.refused(purpose, "unusable, even after a retry", violations)
    }

    /// The error that an answer was of no use.
    fn refused(&self, purpose: &'static str, how: &str, violations: &[Violation]) -> Error {
        self.unusable(purpose);
        let message = format!("the model's answer was {how}: {}", violations_line(violations));
        with_violations(Error::new(Code::Model, message), violations)
    }
}

impl Question {
    /// The request that it is asked by.
    fn request(&self) -> ModelRequest {
        ModelRequest {
            purpose: self.purpose,
            prompt: self.prompt,
            messages: vec![
                ModelMessage { role: "system", content: self.system.clone() },
                ModelMessage { role: "user", content: self.user.clone() },
            ],
            schema: Some(self.schema.document().clone()),
            tools: None,
            max_tokens: self.max_tokens,
        }
    }
}

/// Two answers that could not be used: what JSON was in them, and what is wrong with the second.
struct Unusable {
    answers: [Option<Value>; 2],
    violations: Vec<Violation>,
}

/// The JSON in an answer; what there is of it and what is wrong with it otherwise.
fn read(
    answer: &Value,
    judge: &dyn Fn(&Value) -> Vec<Violation>,
) -> std::result::Result<Value, (Option<Value>, Vec<Violation>)> {
    let parsed = match answer {
        Value::String(text) => parse_lenient(text),
        other => Some(other.clone()),
    };
    let Some(parsed) = parsed else {
        let message = "the answer holds no complete JSON value".to_owned();
        return Err((None, vec![Violation::new(String::new(), message)]));
    };
    let violations = judge(&parsed);
    if violations.is_empty() { Ok(parsed) } else { Err((Some(parsed), violations)) }
}

/// What is wrong with an answer by its schema, or else by what a schema cannot say.
fn judged(schema: &Schema, answer: &Value, check: &dyn Fn(&Value) -> Vec<Violation>) -> Vec<Violation> {
    let violations = schema.validate(answer);
    if violations.is_empty() { check(answer) } else { violations }
}

/// How many violations are told.
const MAX_TOLD: usize = 12;

fn lines(violations: &[Violation]) -> Vec<String> {
    let line = |violation: &Violation| {
        let place = if violation.instance.is_empty() { "(whole answer)" } else { &violation.instance };
        format!("{place}: {}", violation.message)
    };
    violations.iter().take(MAX_TOLD).map(line).collect()
}

/// Violations, for a person.
fn violations_line(violations: &[Violation]) -> String {
    lines(violations).join("; ")
}

fn with_violations(error: Error, violations: &[Violation]) -> Error {
    let messages: Vec<Value> = violations.iter().map(|violation| violation.message.as_str().into()).collect();
    error.with("violations", messages)
}

fn too_much(purpose: &str) -> Error {
    Error::new(Code::BudgetExceeded, format!("a request to {purpose} has more tokens than it may"))
}

/// What a model is told whose answer cannot be used.
fn complaint(violations: &[Violation]) -> String {
    format!(
        "That answer could not be used:\n- {}\nAnswer again with the whole corrected JSON and nothing else.",
        lines(violations).join("\n- ")
    )
}

/// What of a bad answer goes back with the complaint: a model that answers 10 MB must not be sent 10 MB.
fn shortened(text: &str) -> String {
    text.chars().take(8000).collect()
}
