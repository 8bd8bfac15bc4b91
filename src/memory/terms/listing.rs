//! Listing: some of many, by a condition on what they show.

use crate::error::Result;
use crate::filter::Filter;
use crate::json::to_value;
use crate::log::RecordView;
use serde::Serialize;
use serde_json::Value;

/// What can be filtered by what it shows.
pub(crate) trait Shown: Serialize {
    /// The names of all that it may show.
    const FIELDS: &'static [&'static str];

    /// What a filter asks for of a record, where that takes less than showing all of it: a search asks thousands. `None` where it does
    /// not.
    ///
    /// # Errors
    /// Those of reading.
    fn part(_view: &RecordView<'_>, _filter: &Filter) -> Result<Option<Value>> {
        Ok(None)
    }
}

/// A condition on items of one type.
///
/// # Errors
/// `InvalidFilter`, also for a field that no such item has.
pub(crate) fn filter<T: Shown>(filter: Option<&Value>) -> Result<Option<Filter>> {
    filter.map(|filter| Filter::on(filter, T::FIELDS)).transpose()
}

/// Those of some items that match, without the first `offset`, `limit` at most.
pub(crate) fn listed<T: Serialize>(
    items: impl Iterator<Item = Result<T>>,
    filter: Option<&Filter>,
    offset: usize,
    limit: usize,
) -> Result<Vec<T>> {
    let Some(filter) = filter else { return items.skip(offset).take(limit).collect() };
    let mut found = Vec::new();
    let mut skipped = 0;
    for item in items {
        let item = item?;
        if found.len() >= limit {
            break;
        }
        if filter.matches(&to_value(&item)?) {
            if skipped < offset {
                skipped += 1;
            } else {
                found.push(item);
            }
        }
    }
    Ok(found)
}
