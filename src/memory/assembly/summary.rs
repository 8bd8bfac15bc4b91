//! What conversations were about, as a prompt tells it.

use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::counter::Counter;
use crate::memory::recall::{Item, Section, paragraph};
use crate::memory::search::Terms;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::Store;
use crate::time::{self, Timestamp};
use serde_json::Value;

/// The beginning of the keys of threads' summaries.
const THREAD: &str = "thread/";
/// How many other conversations are told of.
const OTHERS: usize = 3;

/// A summary of a thread.
#[derive(Clone, Copy)]
pub(super) struct Summary<'a> {
    view: RecordView<'a>,
    from: Timestamp,
    to: Timestamp,
    /// The last message it covers.
    pub(super) up_to: Option<Id>,
}

impl<'a> Summary<'a> {
    /// `None` for one that is to be made anew.
    fn of(view: RecordView<'a>) -> Result<Option<Self>> {
        if view.text.is_none() {
            return Ok(None);
        }
        let value = view.value()?;
        let at = |name: &str| value.get(name).and_then(Value::as_i64).unwrap_or(view.updated_at);
        let up_to = value.get("upTo").and_then(Value::as_str).and_then(|id| Id::parse(id).ok());
        Ok(Some(Self { from: at("from"), to: at("to"), up_to, view }))
    }

    /// The summary of a thread.
    pub(super) fn of_thread(store: &'a Store, scope: &Scope, thread: &str) -> Result<Option<Self>> {
        let view = store.by_key(scope, Kind::Summary, &format!("{THREAD}{thread}"));
        Ok(view.map(Self::of).transpose()?.flatten())
    }

    /// The summaries of the last threads but one, the one that was spoken in last first.
    pub(super) fn of_others(store: &'a Store, scope: &Scope, thread: Option<&str>) -> Result<Vec<Self>> {
        let mut all = Vec::new();
        for view in store.by_key_prefix(scope, Kind::Summary, THREAD) {
            if thread.is_none_or(|thread| view.key.and_then(|key| key.strip_prefix(THREAD)) != Some(thread)) {
                all.extend(Self::of(view)?);
            }
        }
        let newest = sorted(&all, |a, b| b.to.cmp(&a.to));
        Ok(newest.into_iter().take(OTHERS).copied().collect())
    }

    /// As it is told.
    pub(super) fn item(&self, section: Section, counter: &Counter) -> Result<Item> {
        let (from, to) = (time::date(self.from), time::date(self.to));
        let days = if from == to { from } else { format!("{from} to {to}") };
        let text = paragraph(&days, self.view.text.unwrap_or_default());
        Ok(Item {
            section,
            kind: Kind::Summary,
            id: Some(self.view.id),
            tokens: counter.count(&text),
            text,
            score: 1.0,
            terms: Terms::default(),
            significance: 0,
            created_at: self.view.created_at,
            source: self.view.provenance()?,
        })
    }
}
