//! The commits of a scope, for whoever wants to see what happened, and take it back.

use super::summary::summary;
use super::{Past, unknown_commit};
use crate::error::{Code, Result};
use crate::id::Id;
use crate::log::Cause;
use crate::memory::limits;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Action, Changed, Store};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// How many ids are named of each kind and action.
const MAX_IDS: usize = 100;

/// Which commits to list.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CommitList {
    /// Those with one of these causes; of all by default.
    pub causes: Option<Vec<Cause>>,
    /// Those before this commit of the scope; from the newest on by default.
    pub before: Option<Id>,
    /// How many at most, 1 to 1000; 100 by default.
    #[serde(deserialize_with = "limits::limit")]
    pub limit: usize,
}

impl Default for CommitList {
    fn default() -> Self {
        Self { causes: None, before: None, limit: 100 }
    }
}

/// A commit, as applications see it. It quotes nothing of what it changed.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedCommit {
    /// Its name, for undoing it.
    pub commit_id: Id,
    /// Why it was made.
    pub cause: Cause,
    /// When it was made.
    pub at: Timestamp,
    /// What it did, in English words.
    pub summary: String,
    /// What it changed, counted.
    pub changes: Vec<Counted>,
    /// Whether it can be undone now.
    pub undoable: bool,
    /// Why it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<Obstacle>,
    /// The commit that took it back, as long as it stays taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_by: Option<Id>,
}

/// Records of one kind to which the same happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// What they are.
    pub kind: Kind,
    /// What happened to them.
    pub action: Action,
    /// How many.
    pub count: usize,
    /// Which; the first 100, and none of what was forgotten.
    pub ids: Vec<Id>,
}

/// Why a commit cannot be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Obstacle {
    /// It was undone already.
    Undone,
    /// What it changed has changed since; the later commits must be undone first.
    Changed,
    /// What it changed was forgotten.
    Forgotten,
    /// There is nothing to take back.
    Nothing,
}

impl Past {
    /// The commits of a scope, newest first; empty when there are none. Left out is what no user did or sees: vectors, accesses,
    /// waiting work, and what the background sorts and summarises.
    ///
    /// # Errors
    /// `NotFound` when `before` is not a commit of this scope, `InvalidInput`, and those of reading.
    pub fn commits(&self, scope: &Scope, list: &CommitList) -> Result<Vec<ListedCommit>> {
        self.database.read(|store| {
            let commits = store.commits(scope, list.before);
            let commits = commits.ok_or_else(|| unknown_commit(scope, list.before))?;
            let wanted = commits
                .filter(|(_, _, cause)| list.causes.as_ref().is_none_or(|causes| causes.contains(cause)));
            let told = wanted.filter_map(|(id, at, cause)| {
                let changes = store.changes(id)?;
                let mut counted = counted(&changes);
                counted.extend(store.forgotten_by(id).into_iter().map(|(kind, count)| Counted {
                    kind,
                    action: Action::Deleted,
                    count,
                    ids: Vec::new(),
                }));
                is_told(cause, &counted).then(|| {
                    let is_said = changes.iter().any(|change| change.kind == Kind::Task);
                    let summary = summary(cause, &counted, is_said);
                    let (obstacle, undone_by) = self.obstacle(store, scope, id);
                    let undoable = obstacle.is_none();
                    ListedCommit {
                        commit_id: id,
                        cause,
                        at,
                        summary,
                        changes: counted,
                        undoable,
                        obstacle,
                        undone_by,
                    }
                })
            });
            Ok(told.take(list.limit).collect())
        })
    }

    /// Why a commit cannot be undone now, and what undid it.
    fn obstacle(&self, store: &Store, scope: &Scope, id: Id) -> (Option<Obstacle>, Option<Id>) {
        // Whether it can be is for the undoing itself to say.
        let draft = self.take_back(store, scope, id).and_then(|draft| {
            store.prepare(&draft, store.sequence() + 1, id, self.database.now())?;
            Ok(draft)
        });
        let undone_by = store.undone_by(scope, id);
        let obstacle = match draft {
            Ok(draft) if !draft.changes.is_empty() => None,
            Err(error) if error.code == Code::Forgotten => Some(Obstacle::Forgotten),
            Ok(_) if undone_by.is_none() => Some(Obstacle::Nothing),
            _ if undone_by.is_some() => Some(Obstacle::Undone),
            _ => Some(Obstacle::Changed),
        };
        (obstacle, undone_by)
    }
}

/// What happened to how many of each kind, in the order in which it happened first. Work that waits and the sorting of topics are
/// the engine's own.
fn counted(changes: &[Changed]) -> Vec<Counted> {
    let mut counted: Vec<Counted> = Vec::new();
    for change in changes.iter().filter(|change| !matches!(change.kind, Kind::Task | Kind::Segment)) {
        let same = |one: &&mut Counted| one.kind == change.kind && one.action == change.action;
        match counted.iter_mut().find(same) {
            Some(one) => {
                one.count += 1;
                if one.ids.len() < MAX_IDS {
                    one.ids.push(change.id);
                }
            }
            None => counted.push(Counted {
                kind: change.kind,
                action: change.action,
                count: 1,
                ids: vec![change.id],
            }),
        }
    }
    counted
}

/// Whether somebody made a commit, or sees what it did: pages and summaries come and go by themselves.
fn is_told(cause: Cause, counted: &[Counted]) -> bool {
    let is_own = matches!(cause, Cause::Remember | Cause::Extract | Cause::Expire);
    counted.iter().any(|one| !is_own || !matches!(one.kind, Kind::Page | Kind::Summary))
}
