//! What a call did, as it is told to the application.

use crate::database::Committed;
use crate::error::{Code, Error};
use crate::id::Id;
use crate::memory::secret::Secrets;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store;
use serde::{Deserialize, Serialize};

/// What happened to one record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// `created`, `updated`, `deleted` or `unchanged`.
    pub action: Done,
    /// Which record.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// The revision it has now.
    pub revision: u32,
    /// The revision it had, if it was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous_revision: Option<u32>,
    /// The commit that did it, for undoing it; none when nothing was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_id: Option<Id>,
    /// The kinds of secrets that were masked in what it says; absent when there were none.
    #[serde(skip_serializing_if = "Secrets::is_empty")]
    pub masked: Secrets,
    /// The messages of which words are withheld since: those it was learned from, and replies to them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<Id>,
    /// What was learned from the same words and says the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub twins: Vec<Twin>,
}

/// A fact or a field that was learned from the words of one that was changed or deleted, and said the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Twin {
    /// Which.
    pub id: Id,
    /// What it is.
    pub kind: Kind,
    /// What became of it: `deleted`, `updated` to say the new, or `unchanged`: it says the old still.
    pub action: Done,
}

/// What to delete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Delete {
    /// Which record.
    pub id: Id,
    /// Whether the words it was learned from are still told; false by default.
    #[serde(default)]
    pub keep_source: bool,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Done {
    /// It is new, or back.
    Created,
    /// It has a new revision.
    Updated,
    /// It is gone.
    Deleted,
    /// It was that way already.
    Unchanged,
}

impl Action {
    /// That a record already was as asked.
    pub(crate) fn unchanged(id: Id, kind: Kind, revision: u32) -> Self {
        Self {
            action: Done::Unchanged,
            id,
            kind,
            revision,
            previous_revision: None,
            commit_id: None,
            masked: Secrets::default(),
            withheld: Vec::new(),
            twins: Vec::new(),
        }
    }

    /// What a commit did; tasks of the engine itself are left out.
    pub(crate) fn all(committed: &Committed) -> Vec<Self> {
        let changes = committed.changes.iter().filter(|change| change.kind != Kind::Task);
        changes
            .map(|change| Self {
                action: match change.action {
                    store::Action::Created => Done::Created,
                    store::Action::Updated => Done::Updated,
                    store::Action::Deleted => Done::Deleted,
                },
                id: change.id,
                kind: change.kind,
                revision: change.revision,
                previous_revision: change.previous_revision,
                commit_id: Some(committed.commit_id),
                masked: Secrets::default(),
                withheld: Vec::new(),
                twins: Vec::new(),
            })
            .collect()
    }
}

/// That a scope has no such record.
pub(crate) fn not_found(kind: Kind, id: Id, scope: &Scope) -> Error {
    let name = format!("{kind:?}").to_ascii_lowercase();
    Error::new(Code::NotFound, format!("{} has no {name} {id}; list what is there", scope.canonical()))
        .with("id", id.to_string())
}
