//! Items: lines with where they come from.

use super::Section;
use crate::id::Id;
use crate::memory::counter::Counter;
use crate::memory::facts::Contested;
use crate::memory::scoring::Rated;
use crate::memory::search::Terms;
use crate::record::{Kind, Provenance};
use crate::time::Timestamp;
use serde::Serialize;

/// One line of a prompt, measured once.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Where it stands.
    pub section: Section,
    /// What it is, such as `fact`.
    pub kind: Kind,
    /// The record; absent for a block that nobody changed yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// The line.
    pub text: String,
    /// Its tokens.
    pub tokens: usize,
    /// For facts, episodes, entities and found messages how well they fit the query, 0 when they fill room; 1 for what is
    /// told whatever is asked.
    pub score: f32,
    /// How surely it is about what is asked, 0 to 1, comparable between queries; 1 for what is told whatever is
    /// asked, 0 for what only accompanies.
    pub relevance: f32,
    /// How the score came about.
    pub terms: Terms,
    /// How much a fact matters, 1 to 10.
    #[serde(skip_serializing_if = "is_zero")]
    pub significance: u8,
    /// When it was said or stored.
    pub created_at: Timestamp,
    /// Until when it was so, if it no longer is, or will be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// Of a fact that is over, the one that took its place, as long as that is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Id>,
    /// Of a fact, other current facts that contradict it, the newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contested: Vec<Contested>,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_zero(number: &u8) -> bool {
    *number == 0
}

/// How well a record fits the query.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fit {
    pub(crate) score: f32,
    pub(crate) relevance: f32,
    pub(crate) terms: Terms,
}

impl Fit {
    /// That of what is told whatever is asked.
    pub(crate) fn always() -> Self {
        Self { score: 1.0, relevance: 1.0, terms: Terms::default() }
    }

    /// That of what was found.
    pub(crate) fn of(rated: &Rated<'_>) -> Self {
        Self { score: rated.score, relevance: rated.found.relevance, terms: rated.terms }
    }
}

impl Item {
    /// A line that is told whatever is asked, of no record so far.
    pub(crate) fn of(section: Section, kind: Kind, text: String, counter: &Counter) -> Self {
        let tokens = counter.count(&text);
        Self::measured(section, kind, text, tokens)
    }

    /// The same of a line whose tokens are known.
    pub(crate) fn measured(section: Section, kind: Kind, text: String, tokens: usize) -> Self {
        Self {
            section,
            kind,
            id: None,
            tokens,
            text,
            score: 1.0,
            relevance: 1.0,
            terms: Terms::default(),
            significance: 0,
            created_at: 0,
            valid_to: None,
            superseded_by: None,
            contested: Vec::new(),
            source: Vec::new(),
        }
    }
}
