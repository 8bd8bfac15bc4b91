//! A block: a named part of the model's working memory.

use crate::error::{Error, Result};
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::limits::{self, invalid};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The most characters a block's limit may allow.
pub const MAX_BLOCK_CHARACTERS: usize = 100_000;
/// How many characters a block may have when nobody says.
const LIMIT: usize = 2000;
/// The most bytes of a label.
const MAX_LABEL_BYTES: usize = 64;
/// The most bytes of a description.
const MAX_DESCRIPTION_BYTES: usize = 2048;

/// What a block's record holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BlockValue {
    pub(crate) value: String,
    #[serde(default)]
    pub(crate) description: String,
    pub(crate) limit: usize,
    #[serde(default)]
    pub(crate) read_only: bool,
}

impl BlockValue {
    /// Refuses a value over the block's limit, and a limit over the largest.
    pub(crate) fn check(&self) -> Result<()> {
        limits::whole("limit", self.limit, 1..=MAX_BLOCK_CHARACTERS)?;
        limits::bytes("description", &self.description, MAX_DESCRIPTION_BYTES)?;
        let (limit, requested) = (self.limit, self.value.chars().count());
        if requested > limit {
            return Err(exceeded(limit, requested));
        }
        Ok(())
    }
}

/// That a value is over its block's limit.
fn exceeded(limit: usize, requested: usize) -> Error {
    invalid(format!(
        "Value exceeds {limit} character limit (requested {requested}). Shorten it, or move what matters less elsewhere."
    ))
    .with("limit", limit)
    .with("characters", requested)
}

/// A block, as applications see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    /// Its id, for its history; absent as long as it is as the options made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// Its name.
    pub label: String,
    /// What it says.
    pub value: String,
    /// What it is for.
    pub description: String,
    /// How many characters its value may have.
    pub limit: usize,
    /// Whether the model may only read it.
    pub read_only: bool,
    /// Whether the user wants it kept as it is.
    #[serde(skip)]
    pub(crate) pinned: bool,
    /// When it last changed; absent as long as it is as the options made it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
    /// Its revision; 0 as long as it is as the options made it.
    pub revision: u32,
}

impl Block {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        let value: BlockValue = view.content()?;
        Ok(Self {
            id: Some(view.id),
            pinned: view.pinned,
            updated_at: Some(view.updated_at),
            revision: view.revision,
            ..Self::unwritten(view.key.unwrap_or_default(), value)
        })
    }

    /// A block that nobody changed yet.
    pub(crate) fn unwritten(label: &str, value: BlockValue) -> Self {
        let BlockValue { value, description, limit, read_only } = value;
        let label = label.to_owned();
        Self {
            id: None,
            label,
            value,
            description,
            limit,
            read_only,
            pinned: false,
            updated_at: None,
            revision: 0,
        }
    }

    /// What its record holds.
    pub(crate) fn content(&self) -> BlockValue {
        let Self { value, description, limit, read_only, .. } = self.clone();
        BlockValue { value, description, limit, read_only }
    }
}

/// A block to set; what is not given stays as it is, or is the default in a new block.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetBlock {
    /// Its name: 1 to 64 bytes of letters, digits and `_ - . /`.
    pub label: String,
    /// What it says, up to `limit` characters; empty by default.
    pub value: Option<String>,
    /// What it is for, as the model is told, up to 2048 bytes; empty by default.
    pub description: Option<String>,
    /// How many characters its value may have, 1 to 100 000; 2000 by default.
    pub limit: Option<usize>,
    /// Whether the model may only read it; false by default.
    pub read_only: Option<bool>,
}

impl SetBlock {
    /// A block of a label, and nothing said of the rest.
    pub(crate) fn named(label: &str) -> Self {
        Self { label: label.to_owned(), value: None, description: None, limit: None, read_only: None }
    }

    /// The block it makes where there was none.
    pub(crate) fn fresh(&self) -> BlockValue {
        self.over(BlockValue {
            value: String::new(),
            description: String::new(),
            limit: LIMIT,
            read_only: false,
        })
    }

    /// The block it makes of one that is there.
    pub(crate) fn over(&self, before: BlockValue) -> BlockValue {
        BlockValue {
            value: self.value.clone().unwrap_or(before.value),
            description: self.description.clone().unwrap_or(before.description),
            limit: self.limit.unwrap_or(before.limit),
            read_only: self.read_only.unwrap_or(before.read_only),
        }
    }
}

/// Refuses a label that could be taken for something else in a prompt.
pub(crate) fn check_label(label: &str) -> Result<()> {
    limits::text("label", label, MAX_LABEL_BYTES)?;
    if label.chars().all(|character| character.is_alphanumeric() || "_-./".contains(character)) {
        return Ok(());
    }
    Err(invalid(format!(
        "the label {label:?} holds a sign that labels cannot; use letters, digits and _ - . /"
    )))
}
