//! Sources: who said something, which messages it came from, and the words.

use crate::record::{Kind, Provenance, Record, Trust};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

impl Origin {
    /// How far it is trusted beside its sources. What a model wrote by calling a tool names no message.
    pub(crate) fn trust(self, sources: &[Provenance]) -> Trust {
        if self == Self::Model && sources.is_empty() { Trust::Assistant } else { Trust::User }
    }
}

/// How far a record is to be trusted: the least of what it says of itself and of its sources.
pub(crate) fn trust_of(record: &Record) -> Trust {
    let member = |name: &str| record.value.get(name).and_then(Value::as_str);
    let said = |name: &str| Trust::ALL.into_iter().find(|trust| Some(trust.as_str()) == member(name));
    let own = match record.kind {
        Kind::Document | Kind::Passage => Trust::Document,
        Kind::Message => said("trust").or_else(|| said("role")).unwrap_or(Trust::User),
        // What a model wrote by calling a tool names no message.
        _ if member("origin") == Some(Origin::Model.as_str()) && record.provenance.is_empty() => {
            said("trust").unwrap_or(Trust::Assistant)
        }
        _ => said("trust").unwrap_or(Trust::User),
    };
    least(own, &record.provenance)
}

/// The least trust of something and its sources.
pub(crate) fn least(own: Trust, sources: &[Provenance]) -> Trust {
    sources.iter().filter_map(|source| source.trust).fold(own, Ord::min)
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
