//! What left the window that virtual context shows of a thread: a record with the place up to which messages left it.
//!
//! Before a thread had one summary for every use, this record held a summary of its own. It is still read; the thread's summary
//! goes on from it, and takes its place in the same commit.

use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::{Cause, RecordView};
use crate::memory::changes::{Changes, Planning};
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// A place in a thread: after this message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    id: Id,
    /// When it was stored, for when it is gone.
    at: Timestamp,
}

impl Mark {
    /// After a message.
    pub(crate) fn of(view: &RecordView<'_>) -> Self {
        Self { id: view.id, at: view.created_at }
    }

    /// How many of a thread's messages, in order, stand up to it, whether its message is there or gone.
    pub(crate) fn place(self, store: &Store, messages: &[RecordView<'_>]) -> usize {
        let marked = store.place_of(self.id);
        let is_before = |view: &RecordView<'_>| match marked {
            Some(marked) => store.place_of(view.id).is_some_and(|place| place <= marked),
            // Nothing is left of it but when it was stored.
            None => view.created_at <= self.at,
        };
        messages.iter().take_while(|view| is_before(view)).count()
    }
}

/// What the record holds beside the text that it once had.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct EvictionValue {
    /// `context`, so that nobody takes it for a summary.
    level: String,
    thread_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    evicted: Option<Mark>,
    /// Up to where messages are in the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folded: Option<Mark>,
    /// How many messages are in the text.
    #[serde(default, skip_serializing_if = "is_zero")]
    messages: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The key of the record of a thread.
pub(super) fn key(thread_id: &str) -> String {
    format!("context/{thread_id}")
}

/// Up to where messages left the window; `None` when none did.
///
/// # Errors
/// `Corrupt` when the record is not readable.
pub(crate) fn evicted(store: &Store, scope: &Scope, thread_id: &str) -> Result<Option<Mark>> {
    let view = store.by_key(scope, Kind::Summary, &key(thread_id));
    Ok(view.map(|view| view.content::<EvictionValue>()).transpose()?.and_then(|value| value.evicted))
}

/// Lets messages leave the window, up to a mark whose message is there still.
///
/// # Errors
/// Those of storing.
pub(crate) async fn evict(changes: &Changes, scope: &Scope, thread_id: &str, until: Mark) -> Result<()> {
    let plan = &mut |planning: &mut Planning<'_>| {
        let store = planning.store;
        // It is gone meanwhile, and others may be: where the window begins is asked anew.
        if store.get(scope, until.id).is_none() {
            return Ok(());
        }
        let known = store.by_key(scope, Kind::Summary, &key(thread_id));
        let value: EvictionValue = known.map(|view| view.content()).transpose()?.unwrap_or_default();
        let expect = known.map_or(Expect::Absent, |view| Expect::Revision(view.revision));
        let mut record = match known {
            Some(view) => view.to_record(scope)?,
            None => {
                let id = store.last_with_key(scope, Kind::Summary, &key(thread_id));
                let id = id.unwrap_or_else(|| planning.new_id());
                let key = Some(key(thread_id));
                Record { key, ..Record::new(id, Kind::Summary, scope.clone(), planning.now) }
            }
        };
        let (level, thread_id) = ("context".to_owned(), thread_id.to_owned());
        record.value = to_value(&EvictionValue { level, thread_id, evicted: Some(until), ..value })?;
        planning.draft.put(record, expect, None);
        planning.draft.needs.push(until.id);
        Ok(())
    };
    changes.run(scope, Cause::Extract, plan).await.map(|_| ())
}

/// The summary that a record of former times still holds.
pub(super) struct Former<'a> {
    view: RecordView<'a>,
    pub(super) text: &'a str,
    /// How many of the thread's messages it tells, the first ones.
    pub(super) messages: usize,
}

impl<'a> Former<'a> {
    /// Reads it; `None` when there is none.
    pub(super) fn read(
        store: &'a Store,
        scope: &Scope,
        thread_id: &str,
        messages: &[RecordView<'_>],
    ) -> Result<Option<Self>> {
        let Some(view) = store.by_key(scope, Kind::Summary, &key(thread_id)) else { return Ok(None) };
        let (Some(text), Some(folded)) = (view.text, view.content::<EvictionValue>()?.folded) else {
            return Ok(None);
        };
        Ok(Some(Self { view, text, messages: folded.place(store, messages) }))
    }

    /// The record without it.
    pub(super) fn ended(&self, scope: &Scope) -> Result<Record> {
        ended(&self.view, scope)
    }
}

fn ended(view: &RecordView<'_>, scope: &Scope) -> Result<Record> {
    let value: EvictionValue = view.content()?;
    let mut record = view.to_record(scope)?;
    record.text = None;
    record.value = to_value(&EvictionValue { folded: None, messages: 0, ..value })?;
    Ok(record)
}

/// Ends the summary that a record still holds when it tells of one of some messages.
pub(super) fn forget(store: &Store, thread_id: &str, messages: &[Id], draft: &mut Draft) -> Result<()> {
    let view = store.by_key(&draft.scope, Kind::Summary, &key(thread_id));
    let Some(view) = view.filter(|view| draft.ids().all(|id| id != view.id)) else { return Ok(()) };
    let folded = view.content::<EvictionValue>()?.folded.and_then(|mark| store.place_of(mark.id));
    let first = messages.iter().filter_map(|id| store.place_of(*id)).min();
    let is_told = folded.is_some_and(|folded| first.is_some_and(|first| first <= folded));
    if view.text.is_some() && is_told {
        draft.put(ended(&view, &draft.scope)?, Expect::Revision(view.revision), None);
    }
    Ok(())
}
