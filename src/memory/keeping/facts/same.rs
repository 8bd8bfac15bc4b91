//! Facts that say the same in the same words.

use super::wording;
use crate::error::Result;
use crate::id::Id;
use crate::log::RecordView;
use crate::memory::limits::invalid;
use crate::record::{Kind, Record};
use crate::scope::Scope;
use crate::store::{Change, Draft, Store};
use crate::time::Timestamp;

/// A fact other than those of `own` of a wording, that is true already at `from` and not over at `now`.
pub(crate) fn said_by_another<'a>(
    store: &'a Store,
    scope: &Scope,
    own: &[Id],
    words: &str,
    (from, now): (Timestamp, Timestamp),
) -> Option<RecordView<'a>> {
    store.perhaps_same(scope, Kind::Fact, words).find(|view| {
        !own.contains(&view.id)
            && view.begins() <= from
            && view.ends() > now
            && view.text.is_some_and(|text| wording(text) == words)
    })
}

/// Adds to a draft that a fact is to be the only one that says what it says.
///
/// # Errors
/// `InvalidInput` when another one says it.
pub(crate) fn claim(store: &Store, draft: &mut Draft, record: &Record, now: Timestamp) -> Result<()> {
    let text = record.text.as_deref().unwrap_or_default();
    let times = (record.valid_from.max(now), now);
    // What ends or is worded anew in the same draft no longer says it.
    let words = wording(text);
    let gives_up = |change: &&Change| match change {
        Change::Put { record, .. } => {
            record.valid_to.is_some_and(|end| end <= now)
                || record.text.as_deref().is_none_or(|text| wording(text) != words)
        }
        Change::Delete { .. } => true,
        Change::Embed(_) | Change::Touch { .. } => false,
    };
    let given_up = draft.changes.iter().filter(gives_up).map(Change::id);
    let own: Vec<Id> = given_up.chain([record.id]).collect();
    if let Some(other) = said_by_another(store, &draft.scope, &own, &words, times) {
        let message = format!("the fact {} says the same; delete one of the two", other.id);
        return Err(invalid(message).with("id", other.id.to_string()));
    }
    draft.claim(store, Kind::Fact, words);
    Ok(())
}
