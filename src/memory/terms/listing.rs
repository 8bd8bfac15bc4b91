//! Listing: some of many, by a condition on what they show.

use crate::error::Result;
use crate::filter::Filter;
use crate::json::to_value;
use serde::Serialize;

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
