//! The past: the revisions of a record, why it is known, the commits that made it so, and taking one back.

mod commits;
mod explanation;
mod revision;
mod summary;
mod undo;

use crate::database::Database;
use crate::error::{Code, Error};
use crate::id::Id;
use crate::memory::changes::Changes;
use crate::scope::Scope;

pub use commits::{CommitList, Counted, ListedCommit, Obstacle};
pub use explanation::{Explanation, SourceMessage};
pub use revision::RevisionView;
pub use undo::Undone;

pub(crate) use explanation::said;

/// The past of every scope.
#[derive(Clone)]
pub struct Past {
    database: Database,
    changes: Changes,
}

impl Past {
    pub(crate) fn new(changes: Changes, database: Database) -> Self {
        Self { database, changes }
    }
}

fn unknown(scope: &Scope, id: Id) -> Error {
    Error::new(
        Code::NotFound,
        format!("{} has nothing with the id {id}; list what is there", scope.canonical()),
    )
    .with("id", id.to_string())
}

fn unknown_commit(scope: &Scope, id: Option<Id>) -> Error {
    let id = id.map_or_else(String::new, |id| id.to_string());
    let message = format!("{} has no commit {id}; take one from its list of commits", scope.canonical());
    Error::new(Code::NotFound, message).with("id", id)
}
