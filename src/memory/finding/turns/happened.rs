//! When what a message tells happens: when it was said, or at the time that it names.

use super::asked::tells_past;
use super::dates::Dates;
use super::signs::weekday;
use super::words::words;
use crate::memory::sentence::sentences;
use crate::time::{DAY_MS, Timestamp};
use std::ops::Range;

/// The longest time that counts as the one at which something happened: of "last year" it is not told when.
const LONGEST_MS: i64 = 31 * DAY_MS;
/// How many bytes of a message are read for the time it names: every candidate of a question with a date is.
const READ: usize = 320;
/// What says that something is still to happen.
const TO_COME: &[&str] = &["going", "gonna", "next", "plan", "planning", "tomorrow", "will"];

/// Whether what a message tells happened in one of some times. A single sentence that names a time ("yesterday I cooked") tells of
/// that time alone, any other text also of when it was said. The beginning of a message tells when.
pub(super) fn happened(message: &str, said: Timestamp, is_then: bool, asked: &[Range<Timestamp>]) -> bool {
    let text = message.get(..message.floor_char_boundary(READ)).unwrap_or(message);
    let named = Dates::of(text, said);
    let lower = text.to_ascii_lowercase();
    let is_to_come = || words(&lower).iter().any(|word| TO_COME.contains(word));
    if named.ranges.is_empty() && named.parts.is_empty() || is_to_come() {
        return is_then;
    }
    let mut spans = named.spans(said);
    // "On Monday I fly to Oslo" is of the next one.
    if weekday(text).is_some() && !tells_past(text) {
        for day in &mut spans {
            *day = day.start + 7 * DAY_MS..day.end + 7 * DAY_MS;
        }
    }
    let is_told = |span: &&Range<Timestamp>| span.end - span.start <= LONGEST_MS;
    let mut told = spans.iter().filter(is_told).peekable();
    if told.peek().is_none() {
        return is_then;
    }
    let is_asked =
        told.any(|told| asked.iter().any(|asked| asked.start < told.end && told.start < asked.end));
    let tells_of_it_alone = || {
        let is_read = text.len() == message.len();
        named.are_relative && is_read && sentences(text).len() == 1
    };
    is_asked || is_then && !tells_of_it_alone()
}
