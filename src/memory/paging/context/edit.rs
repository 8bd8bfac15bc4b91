//! Edits of a block's value, with errors that a model can act on. Pure: text in, text out.

use crate::error::Result;
use crate::memory::limits::invalid;

/// The value with a line more.
pub(super) fn append(value: &str, content: &str) -> String {
    if value.is_empty() { content.to_owned() } else { format!("{value}\n{content}") }
}

/// The value with every place of `old` replaced.
///
/// # Errors
/// `InvalidInput` when it holds none.
pub(super) fn replace_all(label: &str, value: &str, old: &str, new: &str) -> Result<String> {
    if !value.contains(old) {
        return Err(invalid(format!("Old content '{old}' not found in memory block '{label}'")));
    }
    Ok(value.replace(old, new))
}

/// The value with the one place of `old` replaced.
///
/// # Errors
/// `InvalidInput` when it holds none, or several.
pub(super) fn replace_one(label: &str, value: &str, old: &str, new: &str) -> Result<String> {
    let mut places = value.match_indices(old).map(|(place, _)| place);
    let Some(place) = places.next() else {
        return Err(invalid(format!(
            "No replacement was performed, old_string `{old}` did not appear verbatim in memory block with label `{label}`."
        )));
    };
    let others: Vec<usize> = places.collect();
    if others.is_empty() {
        let (before, rest) = value.split_at(place);
        return Ok(format!("{before}{new}{}", rest.strip_prefix(old).unwrap_or_default()));
    }
    let number = |place: usize| value.split_at(place).0.matches('\n').count() + 1;
    let mut lines: Vec<usize> = std::iter::once(place).chain(others).map(number).collect();
    lines.dedup();
    Err(invalid(format!(
        "No replacement was performed. Multiple occurrences of old_string `{old}` in lines {lines:?}. Please ensure it is unique."
    )))
}

/// The value with `new` as lines after the line with the number `after`: 0 for the beginning, -1 for the end.
///
/// # Errors
/// `InvalidInput` when there is no such line.
pub(super) fn insert(value: &str, new: &str, after: i64) -> Result<String> {
    let mut lines: Vec<&str> = if value.is_empty() { Vec::new() } else { value.split('\n').collect() };
    let count = lines.len();
    let place =
        if after == -1 { Some(count) } else { usize::try_from(after).ok().filter(|place| *place <= count) };
    let place = place.ok_or_else(|| {
        invalid(format!(
            "Invalid `insert_line` parameter: {after}. It should be within the range of lines of the memory block: [0, {count}], or -1 to append to the end of the memory block."
        ))
    })?;
    lines.insert(place, new);
    Ok(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message_of<T: std::fmt::Debug>(refused: Result<T>) -> String {
        String::from(refused.unwrap_err())
    }

    #[test]
    fn a_line_is_appended() {
        assert_eq!(append("", "Likes tea."), "Likes tea.");
        assert_eq!(append("Ada", "Likes tea."), "Ada\nLikes tea.");
    }

    #[test]
    fn all_places_are_replaced() {
        assert_eq!(replace_all("human", "tea, tea", "tea", "milk").unwrap(), "milk, milk");
        assert_eq!(
            message_of(replace_all("human", "tea", "coffee", "milk")),
            "Old content 'coffee' not found in memory block 'human'"
        );
    }

    #[test]
    fn one_place_is_replaced_only_when_there_is_one() {
        assert_eq!(replace_one("human", "a\ntea\nb", "tea\n", "").unwrap(), "a\nb");
        assert_eq!(
            message_of(replace_one("human", "tea", "Tea", "milk")),
            "No replacement was performed, old_string `Tea` did not appear verbatim in memory block with label `human`."
        );
        assert_eq!(
            message_of(replace_one("human", "tea\nno\ntea and tea", "tea", "milk")),
            "No replacement was performed. Multiple occurrences of old_string `tea` in lines [1, 3]. Please ensure it is unique."
        );
    }

    #[test]
    fn lines_are_inserted_after_a_line() {
        assert_eq!(insert("", "a", -1).unwrap(), "a");
        assert_eq!(insert("a\nb", "x", 0).unwrap(), "x\na\nb");
        assert_eq!(insert("a\nb", "x\ny", 1).unwrap(), "a\nx\ny\nb");
        assert_eq!(insert("a\nb", "x", -1).unwrap(), "a\nb\nx");
        for wrong in [3, -2, i64::MAX, i64::MIN] {
            assert_eq!(
                message_of(insert("a\nb", "x", wrong)),
                format!(
                    "Invalid `insert_line` parameter: {wrong}. It should be within the range of lines of the memory block: [0, 2], or -1 to append to the end of the memory block."
                )
            );
        }
    }
}
