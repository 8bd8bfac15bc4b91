//! A document, as it is kept and as applications see it.

use super::namespace::{labels, split};
use crate::error::Result;
use crate::id::Id;
use crate::json::shown;
use crate::log::RecordView;
use crate::memory::limits::invalid;
use crate::memory::search::Terms;
use crate::record::Record;
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// The most bytes of JSON a document may have, so that its record has room for its key and the words it is found by.
pub const MAX_DOCUMENT_BYTES: usize = 400 * 1024;
/// The most bytes of a document that are searched; what is beyond could not be embedded by any model anyway.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;

const MINUTE_MS: f64 = 60_000.0;
/// Where a document's time to live is kept: its minutes.
const TTL: &str = "ttlMinutes";

/// A document, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// Its id, for its history, explaining and undoing.
    pub id: Id,
    /// Where it is.
    pub namespace: Vec<String>,
    /// Its name there.
    pub key: String,
    /// Its content.
    pub value: Value,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it was last put; reading does not change it.
    pub updated_at: Timestamp,
    /// When it goes by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// How well it fits a query, from 0 to 1, comparable only within one answer; absent when there was none, and for what is
    /// not indexed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
    /// How surely it is about what is asked, 0 to 1, comparable between queries; absent where the score is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relevance: Option<f32>,
    /// How the score came about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Terms>,
}

impl Document {
    pub(super) fn of(view: &RecordView<'_>) -> Result<Self> {
        let (namespace, key) = split(view.key.unwrap_or_default());
        Ok(Self {
            id: view.id,
            namespace: labels(namespace),
            key: key.to_owned(),
            value: view.value()?,
            created_at: view.created_at,
            updated_at: view.valid_from.max(view.created_at),
            expires_at: view.expires_at,
            score: None,
            relevance: None,
            terms: None,
        })
    }

    pub(super) fn of_record(record: &Record) -> Self {
        let (namespace, key) = split(record.key.as_deref().unwrap_or_default());
        Self {
            id: record.id,
            namespace: labels(namespace),
            key: key.to_owned(),
            value: record.value.clone(),
            created_at: record.created_at,
            updated_at: record.valid_from.max(record.created_at),
            expires_at: record.expires_at,
            score: None,
            relevance: None,
            terms: None,
        }
    }
}

/// What a document says in one line: where it is, and its content.
pub(crate) fn said(record: &Record) -> String {
    let (namespace, key) = split(record.key.as_deref().unwrap_or_default());
    format!("{namespace}/{key}: {}", record.value)
}

/// Checks a document's content.
///
/// # Errors
/// `InvalidInput` for anything but an object within the limit.
pub(super) fn check(value: &Value) -> Result<()> {
    if !value.is_object() {
        let cure =
            if value.is_null() { "call delete to remove a document" } else { "wrap it: {\"value\": ...}" };
        return Err(invalid(format!("value is {}, not an object; {cure}", kind(value))));
    }
    let bytes = value.to_string().len();
    if bytes > MAX_DOCUMENT_BYTES {
        return Err(invalid(format!(
            "the document has {bytes} bytes, over the limit of {MAX_DOCUMENT_BYTES}; split it into several"
        ))
        .with("bytes", bytes)
        .with("limit", MAX_DOCUMENT_BYTES));
    }
    Ok(())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Gives a record its time to live, counted from now; `None` for ever.
pub(super) fn set_ttl(record: &mut Record, minutes: Option<f64>, now: Timestamp) {
    record.metadata.clear();
    record.expires_at = None;
    if let Some(minutes) = minutes {
        record.metadata.insert(TTL.to_owned(), minutes.into());
        record.expires_at = Some(now.saturating_add(milliseconds(minutes)));
    }
}

/// Lets a record's time to live begin anew, when less than nine tenths of it are left: reads are not to write each time.
/// Answers whether it did.
pub(super) fn refresh(record: &mut Record, now: Timestamp) -> bool {
    let (Some(end), Some(minutes)) = (record.expires_at, record.metadata.get(TTL).and_then(Value::as_f64))
    else {
        return false;
    };
    let whole = milliseconds(minutes);
    let is_due = end.saturating_sub(now) < whole / 10 * 9;
    if is_due {
        record.expires_at = Some(now.saturating_add(whole));
    }
    is_due
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a cast of a float saturates, and the minutes were checked"
)]
fn milliseconds(minutes: f64) -> i64 {
    (minutes * MINUTE_MS).ceil() as i64
}

/// The most minutes that a document may live: a thousand years.
const MAX_TTL_MINUTES: u32 = 1000 * 366 * 24 * 60;

/// Reads a time to live: minutes, or `false` for ever.
///
/// # Errors
/// `InvalidInput` for anything else.
pub(super) fn ttl(option: &Value) -> Result<Option<f64>> {
    match option.as_f64() {
        Some(minutes) if minutes > 0.0 && minutes <= f64::from(MAX_TTL_MINUTES) => Ok(Some(minutes)),
        None if *option == Value::Bool(false) => Ok(None),
        _ => Err(invalid(format!(
            "ttlMinutes is {}; pass more than 0 and at most {MAX_TTL_MINUTES} minutes, or false to keep it for ever",
            shown(option)
        ))),
    }
}
