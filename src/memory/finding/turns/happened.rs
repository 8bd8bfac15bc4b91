//! When what a message tells happens: when it was said, or at the time that it names.

use super::asked::tells_past;
use super::dates::Dates;
use super::signs::weekday;
use super::words::{holds, words};
use crate::memory::sentence::sentences;
use crate::time::{DAY_MS, Timestamp};
use std::ops::Range;

/// The longest time that counts as the one at which something happened: of "last year" it is not told when.
const LONGEST_MS: i64 = 31 * DAY_MS;
/// How many bytes of a message are read for the time it names: every candidate of a question with a date is.
const READ: usize = 320;
/// What says that something is still to happen.
const TO_COME: &[&str] = &["going", "gonna", "next", "plan", "planning", "tomorrow", "will"];
/// What says that something comes again and again, or is so from birth on.
const RECURRING: &[&str] = &["anniversary", "birthday", "born", "every", "expires"];
const RECURRING_ELSEWHERE: &str =
    "매주|매월|매달|매년|생일|태어|毎週|毎月|毎年|誕生日|生まれ|每周|每週|每个|每月|每年|生日|出生";
/// What stands between two days of one sentence.
const PAUSES: [char; 7] = [',', ';', '，', '、', '；', '.', '。'];

/// Whether what a message tells happened in one of some times. A single sentence that names a time ("yesterday I cooked") tells of
/// that time alone, any other text also of when it was said. The beginning of a message tells when.
pub(super) fn happened(message: &str, said: Timestamp, is_then: bool, asked: &[Range<Timestamp>]) -> bool {
    let text = message.get(..message.floor_char_boundary(READ)).unwrap_or(message);
    let named = Dates::of(text, said);
    let told = told(text, &named, said);
    let is_asked =
        |told: Range<Timestamp>| asked.iter().any(|asked| asked.start < told.end && told.start < asked.end);
    let tells_of_it_alone = || {
        let is_read = text.len() == message.len();
        !told.is_empty() && named.are_relative && is_read && sentences(text).len() == 1
    };
    let is_of_now = is_then && !tells_of_it_alone();
    // "On Monday we cleaned, on Tuesday we slept" names no single day.
    let of_days = || {
        let days = text.split(PAUSES).filter(|part| weekday(part).is_some());
        let mut told_of_days = days.flat_map(|part| self::told(part, &Dates::of(part, said), said));
        weekday(text).is_none() && told_of_days.any(is_asked)
    };
    is_of_now || told.iter().cloned().any(is_asked) || of_days()
}

/// The times at which something happened that a text names.
fn told(text: &str, named: &Dates, said: Timestamp) -> Vec<Range<Timestamp>> {
    let is_of_no_time = || {
        let lower = text.to_ascii_lowercase();
        words(&lower).iter().any(|word| TO_COME.contains(word) || RECURRING.contains(word))
            || holds(text, RECURRING_ELSEWHERE)
    };
    if named.ranges.is_empty() && named.parts.is_empty() || is_of_no_time() {
        return Vec::new();
    }
    // "On Monday I fly to Oslo" is of the next one.
    let is_next = weekday(text).is_some() && !tells_past(text);
    let later = if is_next { 7 * DAY_MS } else { 0 };
    let spans = named.spans(said).into_iter().map(|span| span.start + later..span.end + later);
    spans.filter(|span| span.end - span.start <= LONGEST_MS).collect()
}
