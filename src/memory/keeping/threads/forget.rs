//! Forgetting: what is removed or replaced leaves the summaries that tell of it, in the same commit.

use super::Level;
use super::eviction;
use super::summary::{SummaryValue, thread_key};
use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::message::thread_prefix;
use crate::record::Kind;
use crate::store::{Draft, Expect, Store};
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
    if messages.is_empty() {
        return Ok(());
    }
    eviction::forget(store, thread_id, messages, draft)?;
    let Some(view) = store.by_key(&draft.scope, Kind::Summary, &thread_key(thread_id)) else { return Ok(()) };
    let mut value: SummaryValue = view.content()?;
    let all = store.by_key_prefix(&draft.scope, Kind::Message, &thread_prefix(thread_id));
    let covered = all.iter().take(value.covered(&all));
    let changed: FxHashSet<&Id> = messages.iter().collect();
    let inside = covered.filter(|message| changed.contains(&message.id)).count();
    if inside == 0 {
        return Ok(());
    }
    forget_above(store, view.id, draft)?;
    if change == Change::Removed {
        value.messages = value.messages.saturating_sub(inside);
    }
    value.up_to = None;
    empty(&view, &value, draft)
}

/// Empties the summaries of weeks and months that tell of the summary of a thread.
pub(super) fn forget_above(store: &Store, id: Id, draft: &mut Draft) -> Result<()> {
    let mut gone = vec![id];
    for level in [Level::Week, Level::Month] {
        for view in store.by_key_prefix(&draft.scope, Kind::Summary, level.prefix()) {
            let mut value: SummaryValue = view.content()?;
            let before = value.children.len();
            value.children.retain(|(child, _)| !gone.contains(child));
            if value.children.len() < before {
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
