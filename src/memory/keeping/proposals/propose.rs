//! From what would be changed to proposals.

use super::change::Proposed;
use super::{ProposalValue, Reason};
use crate::database::Database;
use crate::error::Result;
use crate::json::to_value;
use crate::record::{Kind, MAX_KEY_BYTES, Provenance, Record};
use crate::scope::Scope;
use crate::store::{Change, Draft, Expect, Store};

/// Why a change waits; `None` for one that need not.
pub(crate) type Hold<'a> = dyn Fn(&Change) -> Result<Option<Reason>> + 'a;

/// Changes that need one another.
#[derive(Default)]
struct Group {
    changes: Vec<Change>,
    proposed: Vec<Proposed>,
    reason: Option<Reason>,
}

/// Turns the changes of a draft that are to wait into proposals, apart from those of tasks. Changes that need one another become one
/// proposal, and wait when one of them does; what waits already or was refused is not proposed again.
///
/// # Errors
/// `Corrupt` when a stored record is not readable.
pub(crate) fn propose(database: &Database, store: &Store, draft: Draft, hold: &Hold<'_>) -> Result<Draft> {
    let scope = draft.scope.clone();
    let mut kept = Draft::new(&scope, draft.cause);
    kept.claims = draft.claims;
    (kept.needs, kept.reads, kept.since) = (draft.needs, draft.reads, draft.since);
    let mut groups: Vec<Group> = Vec::new();
    for change in draft.changes {
        let of_a_task = match &change {
            Change::Put { record, .. } => record.kind == Kind::Task,
            Change::Delete { id, .. } => store.get(&scope, *id).is_some_and(|view| view.kind == Kind::Task),
            _ => true,
        };
        let reason = if of_a_task { None } else { hold(&change)? };
        let confirms = only_confirms(&change, store, &scope)?;
        if confirms && reason == Some(Reason::Trust) {
            // What is trusted more does not rest on what is trusted less.
            continue;
        }
        match Proposed::of(&change, store, &scope).filter(|_| !of_a_task && !confirms) {
            None => kept.changes.push(change),
            Some(proposed) => {
                let mut own = Group { changes: vec![change], proposed: vec![proposed], reason };
                let joined = |group: &Group, own: &Group| {
                    group.proposed.iter().any(|a| own.proposed.iter().any(|b| a.needs(b) || b.needs(a)))
                };
                let mut apart = Vec::new();
                for group in groups {
                    if joined(&group, &own) {
                        own.changes.splice(0..0, group.changes);
                        own.proposed.splice(0..0, group.proposed);
                        own.reason = group.reason.max(own.reason);
                    } else {
                        apart.push(group);
                    }
                }
                apart.push(own);
                groups = apart;
            }
        }
    }
    for Group { changes, proposed, reason } in groups {
        let Some(reason) = reason else {
            kept.changes.extend(changes);
            continue;
        };
        let changes = proposed;
        let text = text(store, &scope, &changes)?;
        let mut key = text.clone();
        key.truncate(key.floor_char_boundary(MAX_KEY_BYTES));
        let drafted = kept.keys().any(|(kind, known)| kind == Kind::Proposal && known == key);
        if key.is_empty() || drafted || store.by_key(&scope, Kind::Proposal, &key).is_some() {
            continue;
        }
        let mut record = Record::new(database.new_id(), Kind::Proposal, scope.clone(), database.now());
        let mut source: Vec<Provenance> = Vec::new();
        for from in changes.iter().flat_map(Proposed::provenance) {
            if !source.contains(from) {
                source.push(from.clone());
            }
        }
        record.provenance = source;
        record.value = to_value(&ProposalValue { text, changes, reason, rejected: false })?;
        record.key = Some(key);
        kept.put(record, Expect::Absent, None);
    }
    Ok(kept)
}

/// Whether a change only says again what is believed: other sources, and a longer life. That needs no yes.
fn only_confirms(change: &Change, store: &Store, scope: &Scope) -> Result<bool> {
    let Change::Put { record, .. } = change else { return Ok(false) };
    Ok(store.record(scope, record.id)?.is_some_and(|mut stored| {
        stored.provenance.clone_from(&record.provenance);
        stored.expires_at = record.expires_at;
        stored == **record
    }))
}

/// What the changes of a proposal would do, in words.
fn text(store: &Store, scope: &Scope, changes: &[Proposed]) -> Result<String> {
    let mut lines = Vec::with_capacity(changes.len());
    for change in changes {
        let shown = change.shown(store, scope)?;
        lines.push(match (shown.before, shown.after) {
            (None, Some(after)) => after,
            (Some(before), Some(after)) if before == after => after,
            (Some(before), Some(after)) => format!("{before} -> {after}"),
            (before, None) => format!("{} -> (no longer)", before.unwrap_or_default()),
        });
    }
    Ok(lines.join("\n"))
}
