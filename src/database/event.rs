//! Events: what the listeners of a memory are told.

use crate::error::Error;
use crate::id::Id;
use crate::log::Cause;
use crate::scope::Scope;
use crate::store::Changed;
use crate::time::Timestamp;
use serde::Serialize;
use std::rc::Rc;

/// Someone who is told of everything that happens.
pub type Listener = Rc<dyn Fn(&Event)>;

/// A confirmed commit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Committed {
    /// Its name, for undoing it.
    pub commit_id: Id,
    /// When it was made.
    pub at: Timestamp,
    /// What it changed.
    pub changes: Vec<Changed>,
}

/// Something that happened in the memory.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// A commit was made, here or by another engine on the same storage.
    Change {
        /// Its name.
        commit_id: Id,
        /// When.
        at: Timestamp,
        /// Why.
        cause: Cause,
        /// Whose memory.
        scope: Scope,
        /// What changed.
        changes: Vec<Changed>,
        /// Whether another engine made it.
        remote: bool,
    },
    /// A scope was locked or unlocked, here or by another engine.
    Lock {
        /// Whose memory.
        scope: Scope,
        /// Whether it is locked now.
        locked: bool,
    },
    /// An extraction started, ended or failed; the layers above say it.
    Extraction(serde_json::Value),
    /// A request to a model has ended; told when somebody watches.
    Request(serde_json::Value),
    /// Something went wrong in the background; nothing confirmed is lost by it.
    Error(Error),
}
