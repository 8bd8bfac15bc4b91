//! Asking for JSON: an answer that cannot be used is asked for once more, with what was wrong.

use super::{Models, QUERY_TIMEOUT_MS, shown};
use crate::among::among;
use crate::error::{Code, Error, Result};
use crate::ports::{ModelMessage, ModelRequest, Pending};
use crate::schema::{Schema, Violation, last_object, parse_beginning, parse_values};
use serde_json::{Number, Value, json};
use std::borrow::Cow;

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
        read(&answer, &question.schema, check, false)
            .map_err(|refused| self.refused(question.purpose, &[refused]))
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
        let first = match read(&answer, &question.schema, check, true) {
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
        Ok(read(&answer, &question.schema, check, false).map_err(|second| vec![first, second]))
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

/// The JSON in an answer, or what is wrong with it. Of several that differ none is taken while it can be asked which is meant.
fn read(
    answer: &Value,
    schema: &Schema,
    check: &dyn Fn(&Value) -> Vec<Violation>,
    can_ask: bool,
) -> std::result::Result<Value, Refused> {
    let has_list =
        |answer: &Value| answer.as_object().is_some_and(|lists| lists.values().any(Value::is_array));
    let answer = &*written_once(answer);
    let found = match answer {
        Value::String(text) => parse_values(text),
        other => vec![other.clone()],
    };
    let (parsed, is_cut_off, others) = match (meant(found, schema, is_alone(answer)), answer) {
        _ if is_empty_list(answer) => (list_of(schema).map(|name| json!({ name: [] })), false, 0),
        (Some((answer, others)), _) => (Some(answer), false, others),
        (None, Value::String(text)) => (parse_beginning(text).filter(has_list), true, 0),
        (None, _) => (None, false, 0),
    };
    let Some(mut parsed) = parsed else {
        let message = "the answer holds no complete JSON value".to_owned();
        let violations = vec![Violation::new(String::new(), message)];
        return Err(Refused { answer: None, violations, is_too_long: false });
    };
    whole(&mut parsed);
    let mut violations = judged(schema, &parsed, check);
    if write_numbers(&mut parsed, schema, &violations) {
        violations = judged(schema, &parsed, check);
    }
    if others > 0 && can_ask {
        let message = format!("there are {} different answers; give the one that is meant alone", others + 1);
        violations.insert(0, Violation::new(String::new(), message));
    }
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

/// Writes whole numbers as such: 6.0 is one.
fn whole(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let whole = number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < MOST_WHOLE);
            if let Some(whole) = whole.filter(|_| number.is_f64()) {
                *value = (whole as i64).into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(whole),
        Value::Object(members) => members.values_mut().for_each(whole),
        _ => {}
    }
}

/// Writes as numbers what stands as text where the schema wants a number: "8". Whether there was any.
fn write_numbers(answer: &mut Value, schema: &Schema, violations: &[Violation]) -> bool {
    let mut has_changed = false;
    for violation in violations {
        let Some(wanted) = schema.document().pointer(&violation.keyword) else { continue };
        let wants = |kind: &str| {
            let mut kinds = wanted.as_array().map_or(std::slice::from_ref(wanted), Vec::as_slice).iter();
            violation.keyword.ends_with("/type") && kinds.any(|one| one == kind)
        };
        let Some(value) = answer.pointer_mut(&violation.instance) else { continue };
        // By the parser that is at hand: another one weighs 14 kB.
        let number = value.as_str().and_then(|text| serde_json::from_str::<Number>(text.trim()).ok());
        let number = number.filter(|number| wants("number") || wants("integer") && !number.is_f64());
        if let Some(number) = number {
            *value = Value::Number(number);
            has_changed = true;
        }
    }
    has_changed
}

/// From here on, 2^53, a number may have been rounded to a whole one.
const MOST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Whether an answer is an empty list and nothing else: that there is nothing to keep.
fn is_empty_list(answer: &Value) -> bool {
    match answer {
        Value::String(text) => unfenced(text) == "[]",
        other => other.as_array().is_some_and(Vec::is_empty),
    }
}

/// An answer that was written as JSON once too often, as it was meant; any other as it is.
fn written_once(answer: &Value) -> Cow<'_, Value> {
    let inner = answer.as_str().map(unfenced).filter(|text| text.starts_with('"'));
    let inner = inner.and_then(|text| serde_json::from_str::<String>(text).ok());
    inner.map_or(Cow::Borrowed(answer), |text| Cow::Owned(Value::String(text)))
}

/// Whether an answer begins and ends with an object: that nothing is said before it, nor behind.
fn is_alone(answer: &Value) -> bool {
    let is_text = |text: &str| text.starts_with('{') && text.ends_with('}');
    answer.as_str().map(unfenced).is_none_or(is_text)
}

/// A text without spaces, and without a fence around it.
fn unfenced(text: &str) -> &str {
    let is_around = |c: char| c.is_whitespace() || c == '`';
    let text = text.trim_matches(is_around);
    text.trim_start_matches("jsonl").trim_start_matches("json").trim()
}

/// The list that a schema requires.
fn list_of(schema: &Schema) -> Option<&str> {
    let document = schema.document();
    let name = document.pointer("/required/0")?.as_str()?;
    let kind = document.get("properties")?.get(name)?.get("type")?;
    (kind == "array").then_some(name)
}

/// Which of the values in an answer is meant, and how many others differ from it that could be: the last of the shape of an answer, as
/// drafts and examples come before it; or else the last list of objects, where the answer consists of lists; or else the last object.
fn meant(mut values: Vec<Value>, schema: &Schema, is_alone: bool) -> Option<(Value, usize)> {
    let mut others = 0;
    let mut last = last_object(&values)?;
    if let Some(name) = list_of(schema) {
        let is_shaped = |value: &Value| value.get(name).is_some();
        values = values.into_iter().flat_map(|value| unwrapped(value, name)).collect();
        let place = values.iter().rposition(is_shaped);
        let listed = || values.iter().rposition(is_bare);
        let place = place.or_else(listed);
        // Among other words it may be what somebody else wrote.
        if place.is_none() && is_alone && values.iter().all(|value| is_item(value, schema, name)) {
            return Some((json!({ name: values }), 0));
        }
        last = place.or_else(|| last_object(&values))?;
        let answer = values.get(last)?;
        // What is empty takes back what it stands behind.
        if is_shaped(answer) && says(answer) {
            let differs = |other: &&Value| is_shaped(other) && says(other) && *other != answer;
            others = values.iter().filter(differs).count();
        } else if is_bare(answer) {
            return Some((json!({ name: values.swap_remove(last) }), 0));
        }
    }
    Some((values.swap_remove(last), others))
}

/// Whether a value is a list of objects: the list of an answer without its name.
fn is_bare(value: &Value) -> bool {
    value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(Value::is_object))
}

/// Whether a value is an item of the list of this name, by what each must have: some models write one per line.
fn is_item(value: &Value, schema: &Schema, name: &str) -> bool {
    let items = schema.document().get("properties").and_then(|lists| lists.get(name)?.get("items"));
    let required = items.and_then(|items| items.get("required")?.as_array()).map_or(&[][..], Vec::as_slice);
    !required.is_empty() && required.iter().filter_map(Value::as_str).all(|name| value.get(name).is_some())
}

/// Under what names models put their answers.
const WRAPPERS: &str = "answer final json memory output response result";

/// Answers out of what models put around them: `[{...}]`, `{"answer": {...}}`, or the list of that name. Members that are null are left out.
fn unwrapped(value: Value, name: &str) -> Vec<Value> {
    match value {
        Value::Array(items) if items.iter().any(|item| item.get(name).is_some()) => {
            items.into_iter().flat_map(|item| unwrapped(item, name)).collect()
        }
        Value::Object(mut members) if !members.contains_key(name) => {
            let wrapped = members.iter_mut().filter(|(key, _)| among(WRAPPERS, key));
            let wrapped = wrapped.map(|(_, inner)| {
                // Some write the answer as text in there.
                if let Some(text) = inner.as_str()
                    && let Ok([value]) = <[Value; 1]>::try_from(parse_values(text))
                {
                    *inner = value;
                }
                inner
            });
            let wrapped = wrapped.filter(|inner| inner.is_object() || inner.is_array());
            match wrapped.last().map(Value::take) {
                Some(inner) if is_bare(&inner) || is_empty_list(&inner) => vec![json!({ name: inner })],
                Some(inner) => unwrapped(inner, name),
                None => vec![Value::Object(members)],
            }
        }
        Value::Object(mut members) => {
            members.retain(|key, value| key == name || !value.is_null());
            vec![Value::Object(members)]
        }
        other => vec![other],
    }
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
