//! A document, as it is kept and as applications see it.

use super::namespace::{labels, split};
use crate::base64;
use crate::error::Result;
use crate::id::Id;
use crate::json::shown;
use crate::log::RecordView;
use crate::memory::finding::Known;
use crate::memory::limits::invalid;
use crate::memory::search::Terms;
use crate::memory::ttl::MAX_TTL_MS;
use crate::record::{MAX_DOCUMENT_RECORD_BYTES, Record};
use crate::time::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

/// The most bytes of JSON a document may have.
pub const MAX_DOCUMENT_BYTES: usize = 16 * 1024 * 1024;
/// The most bytes a document may have that is put as bytes; they are kept as base64, and its record has room for its key too.
pub const MAX_DATA_BYTES: usize = 16 * 1024 * 1024;
const _: () = assert!(MAX_DATA_BYTES.div_ceil(3) * 4 + MAX_TEXT_BYTES < MAX_DOCUMENT_RECORD_BYTES);
/// The most bytes of a document that are searched; what is beyond could not be embedded by any model anyway.
pub const MAX_TEXT_BYTES: usize = 64 * 1024;

/// Where a document's time to live is kept: its milliseconds.
const TTL: &str = "ttlMs";
/// The same in minutes, as earlier versions kept it; they kept when the document was put as the beginning of its validity.
const TTL_MINUTES: &str = "ttlMinutes";
const MINUTE_MS: f64 = 60_000.0;
/// Where a document of which only the time to live began anew keeps when it was put.
const PUT_AT: &str = "putAt";

/// How much of a document is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// What is around its content.
    Names,
    /// All of it.
    Whole,
}

impl Shown {
    /// What there is around the content of a document.
    pub(super) const NAMES: &[&str] =
        &["id", "namespace", "key", "revision", "bytes", "createdAt", "updatedAt", "expiresAt"];
}

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
    /// Its content, empty where that is bytes; absent in a listing of keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The bytes as base64, where it was put as bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// Its revision, from 1.
    pub revision: u32,
    /// How many bytes it has: of JSON, or those it was put as.
    pub bytes: usize,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it was last put, later with each commit that did; reading does not change it.
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
    /// Whether it answers what is asked, as a rule; absent where the score is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
    /// How the score came about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Terms>,
}

impl Document {
    pub(super) fn of(view: &RecordView<'_>, shown: Shown) -> Result<Self> {
        let (namespace, key) = split(view.key.unwrap_or_default());
        let (value, data) = if shown == Shown::Whole { content(view.value()?) } else { (None, None) };
        Ok(Self {
            id: view.id,
            namespace: labels(namespace),
            key: key.to_owned(),
            value,
            data,
            revision: view.revision,
            bytes: bytes(view.raw_value()),
            created_at: view.created_at,
            updated_at: put_at(view),
            expires_at: view.expires_at,
            score: None,
            relevance: None,
            known: None,
            terms: None,
        })
    }

    /// A document that is to become a revision.
    pub(super) fn of_record(record: &Record, revision: u32, shown: Shown) -> Self {
        let (namespace, key) = split(record.key.as_deref().unwrap_or_default());
        let whole = shown == Shown::Whole;
        let (value, data) = if whole { content(record.value.clone()) } else { (None, None) };
        Self {
            id: record.id,
            namespace: labels(namespace),
            key: key.to_owned(),
            value,
            data,
            revision,
            bytes: bytes(&record.value.to_string()),
            created_at: record.created_at,
            updated_at: record_put_at(record),
            expires_at: record.expires_at,
            score: None,
            relevance: None,
            known: None,
            terms: None,
        }
    }
}

impl Document {
    /// Some of what is around its content, for a condition.
    pub(super) fn names(&self, names: &[&str]) -> Value {
        let of = |name: &str| -> Option<Value> {
            Some(match name {
                "id" => self.id.to_string().into(),
                "namespace" => self.namespace.clone().into(),
                "key" => self.key.as_str().into(),
                "revision" => self.revision.into(),
                "bytes" => self.bytes.into(),
                "createdAt" => self.created_at.into(),
                "updatedAt" => self.updated_at.into(),
                _ => self.expires_at?.into(),
            })
        };
        let mut shown = Map::new();
        for name in names {
            if let Some(value) = of(name) {
                shown.insert((*name).to_owned(), value);
            }
        }
        Value::Object(shown)
    }
}

/// What is kept of a document as it is shown: its value, and its bytes as base64.
fn content(kept: Value) -> (Option<Value>, Option<String>) {
    match kept {
        Value::String(data) => (Some(Value::Object(Map::new())), Some(data)),
        value => (Some(value), None),
    }
}

/// How many bytes are kept as JSON: those that a text stands for, or its own.
fn bytes(json: &str) -> usize {
    let Some(data) = json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return json.len();
    };
    data.trim_end_matches('=').len() * 3 / 4
}

/// When a stored document was last put.
pub(super) fn put_at(view: &RecordView<'_>) -> Timestamp {
    // Without an end it has none, and nothing is parsed.
    let metadata = view.metadata().unwrap_or_default();
    when(&metadata, view.updated_at, view.valid_from.max(view.created_at))
}

/// The same of one that a batch has changed.
pub(super) fn record_put_at(record: &Record) -> Timestamp {
    when(&record.metadata, record.updated_at, record.valid_from.max(record.created_at))
}

fn when(metadata: &Map<String, Value>, updated: Timestamp, valid: Timestamp) -> Timestamp {
    match metadata.get(PUT_AT).and_then(Value::as_i64) {
        Some(put) => put,
        None if metadata.contains_key(TTL_MINUTES) => valid,
        None => updated,
    }
}

/// What a document says in one line: where it is, and its content.
pub(crate) fn said(record: &Record) -> String {
    let (namespace, key) = split(record.key.as_deref().unwrap_or_default());
    format!("{}/{key}: {}", labels(namespace).join("."), record.value)
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
    check_size(value.to_string().len(), MAX_DOCUMENT_BYTES)
}

/// Checks the bytes that a document is to hold.
///
/// # Errors
/// `InvalidInput` for anything but base64 within the limit.
pub(super) fn check_data(data: &str) -> Result<()> {
    check_size(bytes(&format!("\"{data}\"")), MAX_DATA_BYTES)?;
    let is_read = base64::decode(data).is_some();
    if is_read {
        Ok(())
    } else {
        Err(invalid("data is not base64; encode the bytes with padding".to_owned()))
    }
}

fn check_size(bytes: usize, limit: usize) -> Result<()> {
    if bytes <= limit {
        return Ok(());
    }
    let message = format!("the document has {bytes} bytes, over the limit of {limit}; split it into several");
    Err(invalid(message).with("bytes", bytes).with("limit", limit))
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

/// Says that a record is put now, to be committed `at` a time. Its time to live goes on.
pub(super) fn put_now(record: &mut Record, now: Timestamp, at: Timestamp) {
    record.metadata.remove(PUT_AT);
    (record.valid_from, record.updated_at) = (now, at);
}

/// Gives a record its time to live in milliseconds, counted from now; `None` for ever.
pub(super) fn set_ttl(record: &mut Record, ttl: Option<i64>, now: Timestamp) {
    record.metadata.clear();
    record.expires_at = None;
    if let Some(ttl) = ttl {
        record.metadata.insert(TTL.to_owned(), ttl.into());
        record.expires_at = Some(now.saturating_add(ttl));
    }
}

/// Lets a record's time to live begin anew, when less than nine tenths of it are left: reads are not to write each time.
/// Answers whether it did.
pub(super) fn refresh(record: &mut Record, now: Timestamp) -> bool {
    let Some(end) = record.expires_at else { return false };
    let minutes = record.metadata.get(TTL_MINUTES).and_then(Value::as_f64);
    let Some(whole) = record.metadata.get(TTL).and_then(Value::as_i64).or(minutes.map(milliseconds)) else {
        return false;
    };
    let is_due = end.saturating_sub(now) < whole / 10 * 9;
    if is_due {
        let put = record_put_at(record);
        set_ttl(record, Some(whole), now);
        record.metadata.insert(PUT_AT.to_owned(), put.into());
    }
    is_due
}

#[expect(clippy::cast_possible_truncation, reason = "a cast of a float saturates")]
fn milliseconds(minutes: f64) -> i64 {
    (minutes * MINUTE_MS).ceil() as i64
}

/// Reads a time to live: whole milliseconds, or `false` for ever.
///
/// # Errors
/// `InvalidInput` for anything else.
pub(super) fn ttl(option: &Value) -> Result<Option<i64>> {
    match option.as_i64() {
        None if *option == Value::Bool(false) => Ok(None),
        Some(ttl) if (1..=MAX_TTL_MS).contains(&ttl) => Ok(Some(ttl)),
        _ => Err(invalid(format!(
            "ttlMs is {}; pass a whole number of milliseconds from 1 to {MAX_TTL_MS}, or false to keep it for ever",
            shown(option)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Kind;
    use crate::scope::Scope;
    use serde_json::json;

    const MINUTE: i64 = 60_000;

    /// Earlier versions kept minutes, and when a document was put as the beginning of its validity.
    #[test]
    fn a_lifetime_that_was_kept_in_minutes_goes_on() {
        let scope = Scope::from_json(&json!({ "user": "a" })).unwrap();
        let mut record = Record::new(Id::from_bytes([7; 16]), Kind::Document, scope, 1000);
        record.metadata.insert(TTL_MINUTES.to_owned(), json!(0.5));
        record.updated_at = 9000;
        record.expires_at = Some(1000 + MINUTE / 2);
        assert_eq!(record_put_at(&record), 1000);
        assert!(!refresh(&mut record, 2000), "more than nine tenths are left");
        assert!(refresh(&mut record, 20_000));
        assert_eq!((record.expires_at, record_put_at(&record)), (Some(20_000 + MINUTE / 2), 1000));
        assert!(refresh(&mut record, 40_000));
        assert_eq!((record.expires_at, record_put_at(&record)), (Some(40_000 + MINUTE / 2), 1000));
        put_now(&mut record, 50_000, 50_001);
        assert_eq!(record_put_at(&record), 50_001);
    }

    #[test]
    fn bytes_are_counted_as_they_were_put() {
        for (data, expected) in [("", 0), ("AA==", 1), ("AAA=", 2), ("AAAA", 3), ("AAAAAA==", 4)] {
            assert_eq!(bytes(&json!(data).to_string()), expected, "{data}");
        }
        assert_eq!(bytes(r#"{"a":1}"#), 7);
    }
}
