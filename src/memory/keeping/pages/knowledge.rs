//! Knowledge: what was distilled is a queue, the oldest of which goes.

use super::traits::{AGENT, PROFILE};
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::record::Kind;
use crate::store::{Change, Draft, Expect, Store};
use serde_json::Value;

/// What is kept with a fact that was distilled.
const MARK: (&str, &str) = ("tier", "knowledge");
/// How many things that stay the same of the assistant are kept: each prompt tells all of them.
pub(crate) const PROFILE_NAMES: usize = 16;

/// Adds to a draft the end of the oldest distilled facts, and of what is known of the assistant, that are too many with what it
/// adds; the user's own, pinned and edited ones stay.
pub(crate) fn drop_oldest(store: &Store, draft: &mut Draft, most: usize) -> Result<()> {
    let scope = draft.scope.clone();
    let queues =
        [(Kind::Fact, "", most), (Kind::Trait, AGENT, most), (Kind::Trait, PROFILE, most.min(PROFILE_NAMES))];
    for (kind, prefix, most) in queues {
        let is_of = |key: Option<&str>| prefix.is_empty() || key.is_some_and(|key| key.starts_with(prefix));
        let mut queue: Vec<(Id, u32)> = Vec::new();
        for view in store.records(&scope, kind).filter(|view| !view.pinned && is_of(view.key)) {
            if kind != Kind::Fact || is_marked(&view)? {
                queue.push((view.id, view.revision));
            }
        }
        let added = draft.changes.iter().filter(|change| match change {
            Change::Put { record, expect: Expect::Absent, .. } => {
                let is_distilled = kind != Kind::Fact || record.metadata.get(MARK.0) == Some(&MARK.1.into());
                record.kind == kind && is_distilled && is_of(record.key.as_deref())
            }
            _ => false,
        });
        let over = (queue.len() + added.count()).saturating_sub(most);
        let changed: Vec<Id> = draft.ids().collect();
        for (id, revision) in queue.into_iter().filter(|(id, _)| !changed.contains(id)).take(over) {
            draft.delete(id, Expect::Revision(revision));
        }
    }
    Ok(())
}

/// Marks the facts that a draft adds.
pub(crate) fn mark(draft: &mut Draft) {
    for change in &mut draft.changes {
        if let Change::Put { record, expect: Expect::Absent, .. } = change
            && record.kind == Kind::Fact
        {
            record.metadata.insert(MARK.0.to_owned(), MARK.1.into());
        }
    }
}

/// Whether a fact was distilled, and not edited by the user since.
fn is_marked(view: &RecordView<'_>) -> Result<bool> {
    if view.metadata()?.get(MARK.0).and_then(Value::as_str) != Some(MARK.1) {
        return Ok(false);
    }
    let value: Value = view.content()?;
    Ok(value.get("origin").and_then(Value::as_str) != Some("user"))
}
