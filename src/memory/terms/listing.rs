//! Listing: some of many, by a condition on what they show.

use crate::error::Result;
use crate::filter::Filter;
use crate::json::to_value;
use crate::log::RecordView;
use serde::Serialize;
use serde_json::{Map, Value};

/// What can be filtered by what it shows.
pub(crate) trait Shown: Serialize {
    /// The names of all that it may show.
    const FIELDS: &'static [&'static str];

    /// Those of them that a revision of its record has by itself, and that take less than showing all of it: a search asks thousands.
    const OWN: &'static [&'static str] = &[];

    /// One of these; `None` where the record has none.
    ///
    /// # Errors
    /// Those of reading.
    fn own(_view: &RecordView<'_>, _field: &str) -> Result<Option<Value>> {
        Ok(None)
    }

    /// Whether a filter asks for nothing but these.
    fn is_own(filter: &Filter) -> bool {
        !Self::FIELDS.iter().any(|field| filter.asks_for(field) && !Self::OWN.contains(field))
    }

    /// What a filter that asks for nothing else is told of a record.
    ///
    /// # Errors
    /// Those of reading.
    fn part(view: &RecordView<'_>, filter: &Filter) -> Result<Value> {
        let mut part = Map::new();
        for field in Self::OWN.iter().filter(|field| filter.asks_for(field)) {
            part.extend(Self::own(view, field)?.map(|value| ((*field).to_owned(), value)));
        }
        Ok(Value::Object(part))
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
