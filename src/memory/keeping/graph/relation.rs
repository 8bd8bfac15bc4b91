//! Relations: the edges of the graph.

use super::entity::{MAX_TYPE_BYTES, name};
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::limits;
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// A relation as it is created and shown: these three properties in this order. Its record holds the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Relation {
    /// The name of the entity that does or is something.
    pub from: String,
    /// The name of the entity it is about.
    pub to: String,
    /// What it does or is, in active voice such as `works_at`; up to 512 bytes.
    pub relation_type: String,
}

/// A relation with its time and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RelationItem {
    /// Its id.
    pub id: Id,
    /// What it connects.
    #[serde(flatten)]
    pub relation: Relation,
    /// From when it is true.
    pub valid_from: Timestamp,
    /// Until when it was true, if it no longer is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
    /// Since and until when, as far and as precisely as that was said: `{since, until}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<Value>,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Its revision.
    pub revision: u32,
    /// Which messages it came from, and the words.
    pub source: Vec<Provenance>,
}

impl RelationItem {
    pub(crate) fn of(view: &RecordView<'_>) -> Result<Self> {
        Ok(Self {
            id: view.id,
            relation: view.content()?,
            valid_from: view.valid_from,
            valid_to: view.valid_to,
            dates: view.value()?.get("dates").cloned(),
            created_at: view.created_at,
            updated_at: view.updated_at,
            revision: view.revision,
            source: view.provenance()?,
        })
    }
}

/// The three as they are said: from, type, to.
impl fmt::Display for Relation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.from, self.relation_type, self.to)
    }
}

impl Relation {
    /// Refuses what is over its limit.
    pub(crate) fn check(&self) -> Result<()> {
        name(&self.from)?;
        name(&self.to)?;
        limits::bytes("relationType", &self.relation_type, MAX_TYPE_BYTES)
    }

    /// The record of a new relation between two entities.
    pub(crate) fn to_record(
        &self,
        id: Id,
        from: Id,
        to: Id,
        scope: &Scope,
        now: Timestamp,
    ) -> Result<Record> {
        let mut record = Record::new(id, Kind::Relation, scope.clone(), now);
        record.key = Some(key(from, to, &self.relation_type));
        record.value = to_value(self)?;
        Ok(record)
    }
}

/// The key of a relation that holds. It begins with its ends, by which the store finds it.
pub(crate) fn key(from: Id, to: Id, relation_type: &str) -> String {
    format!("{from}/{to}/{relation_type}")
}

/// The key of a relation that has ended: of its own, so that the same can begin again.
pub(crate) fn ended_key(from: Id, to: Id, id: Id) -> String {
    format!("{from}/{to}#{id}")
}
