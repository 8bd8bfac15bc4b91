//! What a call did, as it is told to the application.

use crate::database::{Committed, Database};
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{self, Draft};
use serde::Serialize;

/// What happened to one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
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
        Self { action: Done::Unchanged, id, kind, revision, previous_revision: None, commit_id: None }
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
            })
            .collect()
    }
}

/// Commits a draft; one that would change nothing is not written.
pub(crate) async fn commit(database: &Database, draft: Draft) -> Result<Vec<Action>> {
    if draft.changes.is_empty() {
        return Ok(Vec::new());
    }
    Ok(Action::all(&database.commit(draft).await?))
}

/// Commits a draft of one change.
pub(crate) async fn commit_one(database: &Database, draft: Draft) -> Result<Action> {
    let mut actions = commit(database, draft).await?;
    actions.pop().ok_or_else(|| Error::new(Code::Internal, "a commit of one change reported none"))
}

/// How often a change is made anew on what others changed meanwhile. Each failure means that another one succeeded.
pub(crate) const RETRIES: usize = 100;

/// Makes a change again, on what is there by then, while it fails because of other changes.
///
/// # Errors
/// Those of the change; `Conflict` only when others were faster every time.
pub(crate) async fn retried<T, F: Future<Output = Result<T>>>(change: impl Fn() -> F) -> Result<T> {
    let mut tries = RETRIES;
    // Awaited at one place: the code of what is awaited is there once for each.
    loop {
        tries -= 1;
        match change().await {
            Err(error) if error.code == Code::Conflict && tries > 0 => {}
            outcome => return outcome,
        }
    }
}

/// That a scope has no such record.
pub(crate) fn not_found(kind: Kind, id: Id, scope: &Scope) -> Error {
    let name = format!("{kind:?}").to_ascii_lowercase();
    Error::new(Code::NotFound, format!("{} has no {name} {id}; list what is there", scope.canonical()))
        .with("id", id.to_string())
}
