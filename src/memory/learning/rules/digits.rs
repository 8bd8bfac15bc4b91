//! Numbers in digits, as Chinese and Japanese write them.

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
