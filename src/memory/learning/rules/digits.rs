//! Numbers as Chinese and Japanese write them.

use crate::memory::finding::count;

/// A number in digits, full width or not; `None` for anything else.
#[inline(never)]
pub(super) fn number(text: &str) -> Option<u32> {
    let plain: Option<String> = text
        .chars()
        .map(|digit| match digit {
            '0'..='9' => Some(digit),
            '０'..='９' => char::from_digit(u32::from(digit) - u32::from('０'), 10),
            _ => None,
        })
        .collect();
    plain?.parse().ok()
}

/// An age in years, in digits or characters: "25", "三十二"; `None` also for one that nobody tells of themselves.
pub(super) fn age(text: &str) -> Option<&str> {
    let in_words = || count(text).filter(|_| text.chars().all(|c| "一二三四五六七八九十百".contains(c)));
    let years = number(text).map(i64::from).or_else(in_words);
    years.filter(|years| (5..=119).contains(years)).map(|_| text)
}
