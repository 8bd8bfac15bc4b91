//! Tables of words, written as one text: entries stand between spaces.
//!
//! The rules ask them in hundreds of places, so none of this is compiled into its callers.

pub(super) use crate::among::among;

/// Whether a text ends in an entry of a table, or is one.
#[inline(never)]
pub(super) fn ends_among(table: &str, text: &str) -> bool {
    table.split_ascii_whitespace().any(|entry| text.ends_with(entry))
}

/// Whether an entry of a table stands anywhere in a text.
#[inline(never)]
pub(super) fn holds(table: &str, text: &str) -> bool {
    table.split_ascii_whitespace().any(|entry| text.contains(entry))
}

/// The longest entry of a table that a text ends in, cut off; `None` when nothing stands before it.
#[inline(never)]
pub(super) fn strip_end<'a>(text: &'a str, table: &str) -> Option<&'a str> {
    table
        .split_ascii_whitespace()
        .filter_map(|entry| text.strip_suffix(entry))
        .min_by_key(|rest| rest.len())
        .filter(|rest| !rest.is_empty())
}

/// The longest entry of a table that a text starts with, cut off.
#[inline(never)]
pub(super) fn strip_start<'a>(text: &'a str, table: &str) -> Option<&'a str> {
    table.split_ascii_whitespace().filter_map(|entry| text.strip_prefix(entry)).min_by_key(|rest| rest.len())
}
