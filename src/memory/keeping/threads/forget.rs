//! Forgetting: what is removed or replaced leaves the summaries that tell of it, in the same commit.

use super::Level;
use super::eviction;
use super::summary::{SummaryValue, thread_key};
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::message::{thread_of, thread_prefix};
use crate::record::Kind;
use crate::store::{self, Draft, Expect, Store};
use rustc_hash::FxHashSet;

/// What becomes of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Change {
    /// They go.
    Removed,
    /// Others take their places.
    Replaced,
}

/// Empties the summaries that tell of one of some messages of a thread: that of the thread, and those of weeks and months.
pub(crate) fn forget(
    store: &Store,
    thread_id: &str,
    messages: &[Id],
    change: Change,
    draft: &mut Draft,
) -> Result<()> {
    let emptied = empty_thread(store, thread_id, messages, change, draft)?;
    forget_above(store, emptied.as_slice(), draft)
}

/// Empties the summaries that tell of messages which a draft changes, but for those that it changes itself.
pub(crate) fn forget_changed(store: &Store, draft: &mut Draft) -> Result<()> {
    let mut threads: Vec<(String, Vec<Id>)> = Vec::new();
    for change in &draft.changes {
        let (id, key) = match change {
            store::Change::Put { record, .. } if record.kind == Kind::Message => {
                (record.id, record.key.as_deref())
            }
            store::Change::Delete { id, .. } => {
                let view = store.get(&draft.scope, *id).filter(|view| view.kind == Kind::Message);
                (*id, view.and_then(|view| view.key))
            }
            _ => continue,
        };
        let Some(thread_id) = key.map(thread_of) else { continue };
        match threads.iter_mut().find(|(known, _)| known == thread_id) {
            Some((_, ids)) => ids.push(id),
            None => threads.push((thread_id.to_owned(), vec![id])),
        }
    }
    if threads.is_empty() { Ok(()) } else { forget_all(store, &threads, Change::Replaced, draft) }
}

/// Empties every summary that tells of one of some messages, or of a summary that the draft changes.
pub(crate) fn forget_all(
    store: &Store,
    threads: &[(String, Vec<Id>)],
    change: Change,
    draft: &mut Draft,
) -> Result<()> {
    let is_summary = |id: &Id| store.get(&draft.scope, *id).is_some_and(|view| view.kind == Kind::Summary);
    let mut gone: Vec<Id> = draft.ids().filter(is_summary).collect();
    for (thread_id, messages) in threads {
        gone.extend(empty_thread(store, thread_id, messages, change, draft)?);
    }
    forget_above(store, &gone, draft)
}

/// Empties the summary of a thread that tells of one of some messages; answers which that is.
fn empty_thread(
    store: &Store,
    thread_id: &str,
    messages: &[Id],
    change: Change,
    draft: &mut Draft,
) -> Result<Option<Id>> {
    if messages.is_empty() {
        return Ok(None);
    }
    eviction::forget(store, thread_id, messages, draft)?;
    let view = store.by_key(&draft.scope, Kind::Summary, &thread_key(thread_id));
    let Some(view) = view.filter(|view| draft.ids().all(|id| id != view.id)) else { return Ok(None) };
    let mut value: SummaryValue = view.content()?;
    let all = store.by_key_prefix(&draft.scope, Kind::Message, &thread_prefix(thread_id));
    let covered = all.iter().take(value.covered(&all));
    let changed: FxHashSet<&Id> = messages.iter().collect();
    let inside = covered.filter(|message| changed.contains(&message.id)).count();
    if inside == 0 {
        return Ok(None);
    }
    if change == Change::Removed {
        value.messages = value.messages.saturating_sub(inside);
    }
    value.up_to = None;
    empty(&view, &value, draft)?;
    Ok(Some(view.id))
}

/// Empties the summaries of weeks and months that tell of one of some summaries, but for those that the draft ends.
pub(super) fn forget_above(store: &Store, summaries: &[Id], draft: &mut Draft) -> Result<()> {
    let mut gone = summaries.to_vec();
    for level in [Level::Week, Level::Month] {
        for view in store.by_key_prefix(&draft.scope, Kind::Summary, level.prefix()) {
            let mut value: SummaryValue = view.content()?;
            let before = value.children.len();
            value.children.retain(|(child, _)| !gone.contains(child));
            if value.children.len() < before && !gone.contains(&view.id) {
                gone.push(view.id);
                empty(&view, &value, draft)?;
            }
        }
    }
    Ok(())
}

fn empty(view: &RecordView<'_>, value: &SummaryValue, draft: &mut Draft) -> Result<()> {
    let mut record = view.to_record(&draft.scope)?;
    (record.text, record.value) = (None, to_value(value)?);
    record.provenance.clear();
    draft.put(record, Expect::Revision(view.revision), None);
    Ok(())
}
