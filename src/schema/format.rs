//! The formats that are checked where a schema is compiled to check them; all of them ASCII.

use super::uri::is_uri;
use std::net::{Ipv4Addr, Ipv6Addr};

/// A format that is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// RFC 3339 `full-date`.
    Date,
    /// RFC 3339 `date-time`.
    DateTime,
    /// RFC 3339 `full-time`.
    Time,
    /// RFC 5321 `Mailbox`.
    Email,
    /// RFC 3986 `URI`.
    Uri,
    /// RFC 4122 text form, of any version.
    Uuid,
    /// Four decimal numbers.
    Ipv4,
    /// RFC 4291 text form, without zone.
    Ipv6,
}

impl Format {
    /// The format of that name; nothing for names that are annotations only.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "date" => Self::Date,
            "date-time" => Self::DateTime,
            "time" => Self::Time,
            "email" => Self::Email,
            "uri" => Self::Uri,
            "uuid" => Self::Uuid,
            "ipv4" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            _ => return None,
        })
    }

    /// What a text of this format is, with an example.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Date => "a date such as 2026-01-31",
            Self::DateTime => "a date and time such as 2026-01-31T18:30:00Z",
            Self::Time => "a time such as 18:30:00Z",
            Self::Email => "an e-mail address such as name@example.org",
            Self::Uri => "an absolute URI such as https://example.org/path",
            Self::Uuid => "a UUID such as 2eb8aa08-aa98-4ea4-b4aa-73b441d16380",
            Self::Ipv4 => "an IPv4 address such as 192.0.2.1",
            Self::Ipv6 => "an IPv6 address such as 2001:db8::1",
        }
    }

    /// Whether `text` is of this format.
    pub(super) fn accepts(self, text: &str) -> bool {
        match self {
            Self::Date => is_date(text),
            Self::DateTime => {
                let Some((date, time)) = text.split_once(['T', 't']) else { return false };
                is_date(date) && is_time(time)
            }
            Self::Time => is_time(text),
            Self::Email => is_email(text),
            Self::Uri => is_uri(text),
            Self::Uuid => is_uuid(text),
            Self::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
        }
    }
}

/// The number that exactly two ASCII digits write.
fn two_digits(text: &str) -> Option<u32> {
    match text.as_bytes() {
        [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => {
            Some(u32::from(tens - b'0') * 10 + u32::from(ones - b'0'))
        }
        _ => None,
    }
}

fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let century = year.get(..2).and_then(two_digits);
    let in_century = year.get(2..).and_then(two_digits);
    let (Some(century), Some(in_century), Some(month), Some(day)) =
        (century, in_century, two_digits(month), two_digits(day))
    else {
        return false;
    };
    let is_leap = in_century % 4 == 0 && (in_century != 0 || century % 4 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(is_leap),
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn is_time(text: &str) -> bool {
    let Some((clock, zone)) = text.find(['Z', 'z', '+', '-']).map(|place| text.split_at(place)) else {
        return false;
    };
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let Some((hour_minute, second)) = whole.rsplit_once(':') else { return false };
    let (Some(local), Some(second)) = (minutes(hour_minute), two_digits(second)) else { return false };
    let offset = match zone.split_at_checked(1) {
        Some(("Z" | "z", "")) => Some(0),
        Some(("-", offset)) => minutes(offset),
        // Minutes to subtract; a day less is the same time of day.
        Some(("+", offset)) => minutes(offset).map(|offset| DAY - offset),
        _ => None,
    };
    let Some(offset) = offset else { return false };
    // A leap second is the last of a day in UTC.
    second < 60 || (second == 60 && (local + offset) % DAY == DAY - 1)
}

/// Minutes of a day.
const DAY: u32 = 24 * 60;

/// The minutes since midnight that `hh:mm` writes.
fn minutes(text: &str) -> Option<u32> {
    let (hour, minute) = text.split_once(':')?;
    let (hour, minute) = (two_digits(hour)?, two_digits(minute)?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_local = match local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(quoted) => is_quoted(quoted),
        None => local.split('.').all(is_atom),
    };
    let is_domain = match domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => match address.strip_prefix("IPv6:") {
            Some(six) => six.parse::<Ipv6Addr>().is_ok(),
            None => address.parse::<Ipv4Addr>().is_ok(),
        },
        None => domain.len() <= 253 && domain.split('.').all(is_label),
    };
    is_local && is_domain
}

/// What stands between the dots of an unquoted local part.
fn is_atom(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(character))
}

/// What stands between the quotes of a quoted local part: printable, with backslashes before quotes and backslashes.
fn is_quoted(text: &str) -> bool {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let is_fine = match character {
            '"' => false,
            '\\' => characters.next().is_some_and(|escaped| matches!(escaped, ' '..='~')),
            other => matches!(other, ' '..='~'),
        };
        if !is_fine {
            return false;
        }
    }
    true
}

/// A part of a host name.
fn is_label(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 63
        && !text.starts_with('-')
        && !text.ends_with('-')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::Format;

    /// What the official suite, which runs in `tests/schema_suite.rs`, does not try.
    #[test]
    fn odd_texts_are_judged_and_never_panic() {
        for (format, text, expected) in [
            (Format::Date, "\u{e9}\u{e9}\u{e9}-01-01", false),
            (Format::DateTime, "2026-01-31T18:30:00.Z", false),
            (Format::DateTime, "2026-01-31T18:30:00\u{e9}", false),
            (Format::Time, "18:30Z", false),
            (Format::Time, "", false),
            (Format::Email, "a@localhost", true),
            (Format::Email, "a@-b.org", false),
            (Format::Email, "a@b..org", false),
            (Format::Email, "\"a\"b\"@c.org", false),
            (Format::Email, "m\u{fc}ller@example.org", false),
            (Format::Uuid, "2eb8aa08-aa98-11ea-b4aa-73b441d1638\u{e9}", false),
            (Format::Uri, "https://user:pass@[2001:db8::1]:443/a%20b?c#d", true),
        ] {
            assert_eq!(format.accepts(text), expected, "{text:?} as {format:?}");
        }
    }
}
