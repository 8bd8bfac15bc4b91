//! Asking for JSON: an answer that cannot be used is asked for once more, with what was wrong.

use super::{Models, QUERY_TIMEOUT_MS, shown};
use crate::error::{Code, Error, Result};
use crate::ports::{ModelMessage, ModelRequest, Pending};
use crate::schema::{Schema, Violation, last_object, parse_beginning, parse_values};
use serde_json::{Value, json};

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
            let answered = self.asked(&question, check, allows, &|_| false).await?;
            answered.map_err(|refused| self.refused(question.purpose, &refused))
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
        read(&answer, &question.schema, check).map_err(|refused| self.refused(question.purpose, &[refused]))
    }

    /// Asks twice at most, and once when that is `enough`; what was refused otherwise.
    pub(super) async fn asked(
        &self,
        question: &Question,
        check: &dyn Fn(&Value) -> Vec<Violation>,
        allows: &dyn Fn(&ModelRequest) -> bool,
        enough: &dyn Fn(&Refused) -> bool,
    ) -> Result<std::result::Result<Value, Vec<Refused>>> {
        let llm = self.llm()?;
        let mut request = question.request();
        if !allows(&request) {
            return Err(too_much(question.purpose));
        }
        let answer = self.complete(llm, &request).await?;
        let first = match read(&answer, &question.schema, check) {
            Ok(answer) => return Ok(Ok(answer)),
            Err(refused) => refused,
        };
        if enough(&first) {
            return Ok(Err(vec![first]));
        }
        self.unusable(question.purpose);
        request.messages.push(ModelMessage { role: "assistant", content: shortened(&shown(&answer)) });
        request.messages.push(ModelMessage { role: "user", content: complaint(&first.violations) });
        if !allows(&request) {
            request.messages.remove(request.messages.len() - 2);
            if !allows(&request) {
                return Err(too_much(question.purpose));
            }
        }
        let answer = self.complete(llm, &request).await?;
        Ok(read(&answer, &question.schema, check).map_err(|second| vec![first, second]))
    }

    /// The error that answers were of no use.
    pub(super) fn refused(&self, purpose: &'static str, refused: &[Refused]) -> Error {
        self.unusable(purpose);
        let how = if refused.len() > 1 { "unusable, even after a retry" } else { "unusable" };
        let violations = last(refused);
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

/// An answer that cannot be used as it is.
pub(super) struct Refused {
    /// What JSON was in it; of one that is too long its beginning.
    pub(super) answer: Option<Value>,
    violations: Vec<Violation>,
    /// Whether it was cut off, or a list has more items than it may.
    pub(super) is_too_long: bool,
}

/// What is wrong with the last answer.
pub(super) fn last(refused: &[Refused]) -> &[Violation] {
    refused.last().map(|last| last.violations.as_slice()).unwrap_or_default()
}

/// The JSON in an answer, or what is wrong with it.
fn read(
    answer: &Value,
    schema: &Schema,
    check: &dyn Fn(&Value) -> Vec<Violation>,
) -> std::result::Result<Value, Refused> {
    let has_list =
        |answer: &Value| answer.as_object().is_some_and(|lists| lists.values().any(Value::is_array));
    let (parsed, is_cut_off) = match answer {
        Value::String(text) => match meant(parse_values(text), schema, check) {
            Some(answer) => (Some(answer), false),
            None => (parse_beginning(text).filter(has_list), true),
        },
        other => (meant(vec![other.clone()], schema, check), false),
    };
    let Some(mut parsed) = parsed else {
        let message = "the answer holds no complete JSON value".to_owned();
        let violations = vec![Violation::new(String::new(), message)];
        return Err(Refused { answer: None, violations, is_too_long: false });
    };
    let mut violations = judged(schema, &parsed, check);
    if violations.is_empty() && !is_cut_off {
        return Ok(parsed);
    }
    let mut is_too_long = is_cut_off;
    for violation in &violations {
        let Some(most) = most_items(schema, violation) else { continue };
        if let Some(Value::Array(items)) = parsed.pointer_mut(&violation.instance) {
            items.truncate(most);
            is_too_long = true;
        }
    }
    if is_cut_off {
        let message = "the answer was cut off before its end; answer in fewer words".to_owned();
        violations.insert(0, Violation::new(String::new(), message));
    }
    Err(Refused { answer: Some(parsed), violations, is_too_long })
}

/// Which of the values in an answer is meant: the last that fits, as drafts and examples come before it; or else the last object. One
/// that says something and does not fit is asked for again, rather than what is empty before it taken.
fn meant(values: Vec<Value>, schema: &Schema, check: &dyn Fn(&Value) -> Vec<Violation>) -> Option<Value> {
    let mut values: Vec<Value> = values.into_iter().map(|value| unwrapped(value, schema)).collect();
    let last = last_object(&values)?;
    let fits = |value: &Value| judged(schema, value, check).is_empty();
    let place = if values.len() > 1 { values.iter().rposition(fits) } else { None };
    let says = |place: usize| values.get(place).is_some_and(says);
    let place = place.filter(|place| says(*place) || *place > last || !says(last));
    Some(values.swap_remove(place.unwrap_or(last)))
}

/// An answer out of what models put around it: `[{...}]`, `{"answer": {...}}`, or the list that is required without its name.
fn unwrapped(value: Value, schema: &Schema) -> Value {
    let Some(name) = schema.document().pointer("/required/0").and_then(Value::as_str) else { return value };
    match value {
        Value::Array(mut items) => {
            let holds = |item: &Value| item.get(name).is_some();
            match items.iter().rposition(holds) {
                Some(place) => items.swap_remove(place),
                None if !items.is_empty() && items.iter().all(Value::is_object) && is_list(schema, name) => {
                    json!({ name: items })
                }
                None => Value::Array(items),
            }
        }
        Value::Object(mut members) if !members.contains_key(name) => {
            let inner = members.values_mut().filter(|inner| inner.get(name).is_some()).last();
            inner.map(Value::take).unwrap_or(Value::Object(members))
        }
        other => other,
    }
}

/// Whether a member of an answer is a list.
fn is_list(schema: &Schema, name: &str) -> bool {
    schema
        .document()
        .pointer("/properties")
        .and_then(|members| members.get(name)?.get("type"))
        .is_some_and(|kind| kind == "array")
}

/// Whether an answer is more than empty lists.
fn says(answer: &Value) -> bool {
    let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    !answer.as_object().is_some_and(|members| members.values().all(is_empty))
}

/// How many items a list of an answer may have, where that is what is wrong.
fn most_items(schema: &Schema, violation: &Violation) -> Option<usize> {
    let is_list = violation.instance.matches('/').count() == 1 && violation.keyword.ends_with("/maxItems");
    let most = is_list.then(|| schema.document().pointer(&violation.keyword)).flatten()?;
    usize::try_from(most.as_u64()?).ok()
}

/// What is wrong with an answer by its schema, or else by what a schema cannot say.
pub(super) fn judged(
    schema: &Schema,
    answer: &Value,
    check: &dyn Fn(&Value) -> Vec<Violation>,
) -> Vec<Violation> {
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
pub(super) fn violations_line(violations: &[Violation]) -> String {
    lines(violations).join("; ")
}

pub(super) fn with_violations(error: Error, violations: &[Violation]) -> Error {
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
