//! A prompt as it is answered.

use crate::error::Error;
use crate::memory::compose::{Item, Section};
use crate::memory::finding::Known;
use crate::memory::rewriting::Rewritten;
use serde::Serialize;
use serde_json::Value;

/// A prompt.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Assembled {
    /// The prompt as one text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The system prompt in blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<Vec<Value>>,
    /// The messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub messages: Option<Vec<Value>>,
    /// Its tokens: of a text, or of all texts in the messages and four more for each.
    pub tokens: usize,
    /// The tokens of its beginning, which does not depend on the question.
    pub prefix_tokens: usize,
    /// Every line and message, explained.
    pub items: Vec<Item>,
    /// What each section takes.
    pub sections: Vec<Taken>,
    /// Whether what is asked is known, beside the messages of the conversation; absent where nothing is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
    /// Why, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the question was rewritten to, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<Rewritten>,
    /// What could not be used or found no room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Error>,
}

/// What a section takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Taken {
    /// Which one.
    pub name: Section,
    /// The tokens of its lines.
    pub tokens: usize,
    /// How many lines were found and left out for want of room; of messages only the last ones are looked at.
    pub dropped: usize,
}
