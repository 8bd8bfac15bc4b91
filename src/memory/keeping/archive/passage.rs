//! A passage: a piece of text in the archive.

use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::limits::{self, invalid};
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The most bytes of a passage.
pub const MAX_PASSAGE_BYTES: usize = 32 * 1024;
/// The most tags of a passage.
pub const MAX_TAGS: usize = 16;
/// The most bytes of a tag.
const MAX_TAG_BYTES: usize = 128;

/// What a passage's record holds beside its text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PassageValue {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tags: Vec<String>,
    /// The document it was loaded from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    /// Its place in that document, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<usize>,
}

/// A passage, as applications see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Passage {
    /// Its id.
    pub id: Id,
    /// What it says.
    pub text: String,
    /// What it is filed under.
    pub tags: Vec<String>,
    /// The document it was loaded from, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its place in that document, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// When it was stored.
    pub created_at: Timestamp,
    /// Its revision.
    pub revision: u32,
}

impl Passage {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        let PassageValue { tags, name, number } = view.content()?;
        Ok(Self {
            id: view.id,
            text: view.text.unwrap_or_default().to_owned(),
            tags,
            name,
            number,
            created_at: view.created_at,
            revision: view.revision,
        })
    }
}

/// The record of a passage.
pub(crate) fn record(
    id: Id,
    scope: &Scope,
    text: &str,
    value: &PassageValue,
    now: Timestamp,
) -> Result<Record> {
    let mut record = Record::new(id, Kind::Passage, scope.clone(), now);
    record.value = to_value(value)?;
    record.text = Some(text.trim().to_owned());
    Ok(record)
}

/// Refuses tags that are too many, blank or too long.
pub(crate) fn check_tags(tags: &[String]) -> Result<()> {
    if tags.len() > MAX_TAGS {
        return Err(invalid(format!("tags has {} items; at most {MAX_TAGS} are allowed", tags.len())));
    }
    tags.iter().try_for_each(|tag| limits::text("a tag", tag, MAX_TAG_BYTES))
}
