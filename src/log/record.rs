//! Records as bytes, read in place.
//!
//! ```text
//! id:16  kind:u8  significance:u8  flags:u8  revision:u32  created:i64  updated:i64  validFrom:i64
//! [validTo:i64]  [expires:i64]  [key:text]  [text:text]  value:text  metadata:text  provenance:text
//! ```
//! A text is a `u32` length and UTF-8; value, metadata and provenance are JSON (empty for null, `{}` and `[]`).
//! The scope is the commit's.

use super::bytes::{Reader, corrupt, put_block};
use crate::error::{Error, Result};
use crate::id::Id;
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::ops::Range;

const HAS_VALID_TO: u8 = 1;
const HAS_EXPIRES_AT: u8 = 2;
const HAS_KEY: u8 = 4;
const HAS_TEXT: u8 = 8;
const PINNED: u8 = 16;
/// Where the flags are, and how many bytes come before the times that need not be there.
const FLAGS_AT: usize = 18;
const FIXED_BYTES: usize = 47;

/// A record read in place: the numbers decoded, the texts borrowed, the JSON not yet parsed.
#[derive(Debug, Clone, Copy)]
pub struct RecordView<'a> {
    /// Its id.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// 1 to 10, or 0.
    pub significance: u8,
    /// Whether the user wants it kept as it is.
    pub pinned: bool,
    /// Its revision number.
    pub revision: u32,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When this revision was stored.
    pub updated_at: Timestamp,
    /// From when it holds in the world.
    pub valid_from: Timestamp,
    /// Until when it held in the world.
    pub valid_to: Option<Timestamp>,
    /// When it goes.
    pub expires_at: Option<Timestamp>,
    /// When it was last recalled or found, if it ever was. Not among its bytes: the store says it of living records.
    pub accessed_at: Option<Timestamp>,
    /// Its name among the living.
    pub key: Option<&'a str>,
    /// The words it is found by.
    pub text: Option<&'a str>,
    value: &'a str,
    metadata: &'a str,
    provenance: &'a str,
}

/// The beginning of a record read in place: its name and its times. Its texts and its JSON are not looked at.
#[derive(Debug, Clone, Copy)]
pub struct RecordNames<'a>(RecordView<'a>);

impl<'a> RecordNames<'a> {
    pub(crate) fn decode(bytes: &'a [u8]) -> Result<Self> {
        RecordView::beginning(&mut Reader::new(bytes)).map(|(view, _)| Self(view))
    }

    /// Its name among the living; empty when it has none.
    #[must_use]
    pub fn key(&self) -> &'a str {
        self.0.key.unwrap_or_default()
    }

    /// When it was first stored.
    #[must_use]
    pub fn created_at(&self) -> Timestamp {
        self.0.created_at
    }

    /// When this revision was stored.
    #[must_use]
    pub fn updated_at(&self) -> Timestamp {
        self.0.updated_at
    }

    /// Whether it goes at some time.
    #[must_use]
    pub fn expires(&self) -> bool {
        self.0.expires_at.is_some()
    }

    /// Whether it is part of the present, as [`RecordView::holds_at`] says.
    #[must_use]
    pub fn holds_at(&self, time: Timestamp) -> bool {
        self.0.holds_at(time)
    }
}

impl<'a> RecordView<'a> {
    pub(crate) fn decode(bytes: &'a [u8]) -> Result<Self> {
        let mut reader = Reader::new(bytes);
        let (mut view, has_text) = Self::beginning(&mut reader)?;
        view.text = has_text.then(|| reader.text()).transpose()?;
        (view.value, view.metadata, view.provenance) = (reader.text()?, reader.text()?, reader.text()?);
        reader.end()?;
        Ok(view)
    }

    /// All that comes before the text, and whether there is one.
    fn beginning(reader: &mut Reader<'a>) -> Result<(Self, bool)> {
        let id = Id::from_bytes(reader.array()?);
        let kind = Kind::from_tag(reader.u8()?).ok_or_else(|| corrupt("a record has an unknown kind"))?;
        let significance = reader.u8()?;
        let flags = reader.u8()?;
        let revision = reader.u32()?;
        let created_at = reader.i64()?;
        let updated_at = reader.i64()?;
        let valid_from = reader.i64()?;
        let has = |flag: u8| flags & flag != 0;
        let view = Self {
            id,
            kind,
            significance,
            pinned: has(PINNED),
            revision,
            created_at,
            updated_at,
            valid_from,
            valid_to: has(HAS_VALID_TO).then(|| reader.i64()).transpose()?,
            expires_at: has(HAS_EXPIRES_AT).then(|| reader.i64()).transpose()?,
            accessed_at: None,
            key: has(HAS_KEY).then(|| reader.text()).transpose()?,
            text: None,
            value: "",
            metadata: "",
            provenance: "",
        };
        Ok((view, has(HAS_TEXT)))
    }

    /// Whether it is true in the world at a time, as far as is known.
    #[must_use]
    pub fn true_at(&self, time: Timestamp) -> bool {
        self.begins() <= time && self.valid_to.is_none_or(|end| time < end)
    }

    /// Whether it is part of the present: not expired, and true in the world.
    #[must_use]
    pub fn holds_at(&self, time: Timestamp) -> bool {
        self.begins() <= time && time < self.ends()
    }

    /// When it becomes part of the present. A message is from the moment it is stored, whenever it was said.
    #[must_use]
    pub fn begins(&self) -> Timestamp {
        if self.kind == Kind::Message { Timestamp::MIN } else { self.valid_from }
    }

    /// When it stops being part of the present: the earlier of its validity and its time to live.
    #[must_use]
    pub fn ends(&self) -> Timestamp {
        let end = |time: Option<Timestamp>| time.unwrap_or(Timestamp::MAX);
        end(self.valid_to).min(end(self.expires_at))
    }

    /// Whether it was part of the present at some time of a span.
    pub(crate) fn held_in(&self, span: &Range<Timestamp>) -> bool {
        span.start < self.ends() && self.valid_from < span.end
    }

    /// Whether its time to live is over.
    #[must_use]
    pub fn expired_at(&self, time: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= time)
    }

    /// Its content, parsed.
    ///
    /// # Errors
    /// `Corrupt` when the stored JSON is not readable.
    pub fn value(&self) -> Result<Value> {
        json(self.value, Value::Null)
    }

    /// Its content as JSON text; empty for null.
    pub(crate) fn raw_value(&self) -> &'a str {
        self.value
    }

    /// Its content, read as what it is known to be.
    pub(crate) fn content<T: DeserializeOwned>(&self) -> Result<T> {
        crate::json::from_value(self.value()?)
            .map_err(|_| corrupt(&format!("the content of {} is not readable", self.id)))
    }

    pub(crate) fn metadata(&self) -> Result<Map<String, Value>> {
        match json(self.metadata, Value::Object(Map::new()))? {
            Value::Object(metadata) => Ok(metadata),
            _ => Err(unreadable()),
        }
    }

    pub(crate) fn provenance(&self) -> Result<Vec<Provenance>> {
        crate::json::from_value(json(self.provenance, Value::Array(Vec::new()))?).map_err(|_| unreadable())
    }

    /// The whole record, owned.
    ///
    /// # Errors
    /// `Corrupt` when the stored JSON is not readable.
    pub fn to_record(&self, scope: &Scope) -> Result<Record> {
        Ok(Record {
            id: self.id,
            kind: self.kind,
            scope: scope.clone(),
            key: self.key.map(str::to_owned),
            value: self.value()?,
            text: self.text.map(str::to_owned),
            metadata: self.metadata()?,
            significance: self.significance,
            pinned: self.pinned,
            created_at: self.created_at,
            updated_at: self.updated_at,
            valid_from: self.valid_from,
            valid_to: self.valid_to,
            expires_at: self.expires_at,
            revision: self.revision,
            provenance: self.provenance()?,
        })
    }
}

/// The key among the bytes of a record; empty when it has none. Nothing is checked: what is applied was decoded before.
pub(crate) fn key_of(bytes: &[u8]) -> &[u8] {
    let flags = bytes.get(FLAGS_AT).copied().unwrap_or_default();
    let times = (flags & (HAS_VALID_TO | HAS_EXPIRES_AT)).count_ones() as usize;
    let key = bytes.get(FIXED_BYTES + times * 8..).filter(|_| flags & HAS_KEY != 0);
    key.and_then(|rest| Reader::new(rest).block().ok()).unwrap_or_default()
}

pub(crate) fn encode(record: &Record) -> Vec<u8> {
    let mut out = Vec::with_capacity(128);
    out.extend_from_slice(&record.id.bytes());
    out.push(record.kind.tag());
    out.push(record.significance);
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    out.push(
        flag(record.valid_to.is_some(), HAS_VALID_TO)
            | flag(record.expires_at.is_some(), HAS_EXPIRES_AT)
            | flag(record.key.is_some(), HAS_KEY)
            | flag(record.text.is_some(), HAS_TEXT)
            | flag(record.pinned, PINNED),
    );
    out.extend_from_slice(&record.revision.to_le_bytes());
    for time in [record.created_at, record.updated_at, record.valid_from]
        .iter()
        .chain(&record.valid_to)
        .chain(&record.expires_at)
    {
        out.extend_from_slice(&time.to_le_bytes());
    }
    for text in record.key.iter().chain(&record.text) {
        put_block(&mut out, text.as_bytes());
    }
    let empty = |is_empty: bool, json: &dyn Fn() -> String| if is_empty { String::new() } else { json() };
    put_block(&mut out, empty(record.value.is_null(), &|| record.value.to_string()).as_bytes());
    put_block(
        &mut out,
        empty(record.metadata.is_empty(), &|| Value::Object(record.metadata.clone()).to_string()).as_bytes(),
    );
    put_block(&mut out, empty(record.provenance.is_empty(), &|| provenance(record)).as_bytes());
    out
}

fn provenance(record: &Record) -> String {
    // Ids and texts always serialize.
    serde_json::to_string(&record.provenance).unwrap_or_default()
}

/// JSON parsed; what an empty text stands for is for the caller to say.
fn json(text: &str, empty: Value) -> Result<Value> {
    if text.is_empty() {
        return Ok(empty);
    }
    serde_json::from_str(text).map_err(|_| unreadable())
}

fn unreadable() -> Error {
    corrupt("a record's JSON is not readable")
}
