//! Sources: who said something, which messages it came from, and the words.

use crate::record::{Provenance, Record};
use serde::{Deserialize, Serialize};

/// Who said that something is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The application or its user wrote it.
    User,
    /// The model extracted it.
    Model,
    /// The built-in rules found it.
    Rules,
}

impl Origin {
    /// As it is stored and shown.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => "model",
            Self::Rules => "rules",
        }
    }
}

/// The most sources of a fact or a field; those that came last are kept.
pub(crate) const MAX_SOURCES: usize = 8;

/// Adds sources that a record does not name yet, and keeps at most so many: the last ones. Whether it was given any.
pub(crate) fn add_sources(record: &mut Record, sources: &[Provenance], most: usize) -> bool {
    let is_changed = sources.iter().any(|source| !record.provenance.contains(source));
    record.provenance = joined(std::mem::take(&mut record.provenance), sources, most);
    is_changed
}

/// Sources and those that are not among them yet, at most so many: the last ones.
pub(crate) fn joined(mut known: Vec<Provenance>, more: &[Provenance], most: usize) -> Vec<Provenance> {
    for source in more {
        if !known.contains(source) {
            known.push(source.clone());
        }
    }
    known.drain(..known.len().saturating_sub(most));
    known
}
