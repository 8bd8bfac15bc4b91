//! From what would be changed to proposals.

use super::ProposalValue;
use super::change::Proposed;
use crate::database::Database;
use crate::error::Result;
use crate::json::to_value;
use crate::record::{Kind, MAX_KEY_BYTES, Provenance, Record};
use crate::scope::Scope;
use crate::store::{Change, Draft, Expect, Store};

/// Turns the changes of a draft, apart from those of tasks, into proposals. Changes that need one another become one
/// proposal; what waits already or was refused is not proposed again.
///
/// # Errors
/// `Corrupt` when a stored record is not readable.
pub(crate) fn propose(database: &Database, store: &Store, draft: Draft) -> Result<Draft> {
    let scope = draft.scope.clone();
    let mut kept = Draft::new(&scope, draft.cause);
    (kept.needs, kept.reads, kept.since) = (draft.needs, draft.reads, draft.since);
    let mut groups: Vec<Vec<Proposed>> = Vec::new();
    for change in draft.changes {
        let of_a_task = match &change {
            Change::Put { record, .. } => record.kind == Kind::Task,
            Change::Delete { id, .. } => store.get(&scope, *id).is_some_and(|view| view.kind == Kind::Task),
            _ => true,
        };
        let waits = !of_a_task && !only_confirms(&change, store, &scope)?;
        match Proposed::of(&change, store, &scope).filter(|_| waits) {
            None => kept.changes.push(change),
            Some(proposed) => {
                let mut own = vec![proposed];
                let joined = |group: &Vec<Proposed>, own: &[Proposed]| {
                    group.iter().any(|a| own.iter().any(|b| a.needs(b) || b.needs(a)))
                };
                let mut apart = Vec::new();
                for group in groups {
                    if joined(&group, &own) {
                        own.splice(0..0, group);
                    } else {
                        apart.push(group);
                    }
                }
                apart.push(own);
                groups = apart;
            }
        }
    }
    for changes in groups {
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
        record.value = to_value(&ProposalValue { text, changes, rejected: false })?;
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
