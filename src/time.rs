//! Times: milliseconds since 1970 UTC, and the ISO dates people and models write.

use time::{Date, Month, OffsetDateTime, Time, UtcOffset};

/// Milliseconds since 1970-01-01T00:00:00 UTC.
pub type Timestamp = i64;

/// The milliseconds of a day.
pub const DAY_MS: Timestamp = 86_400_000;

/// The earliest time since which something can be true: the beginning of the year 1000.
pub const MIN_TIMESTAMP: Timestamp = -30_610_224_000_000;

/// The latest time the engine takes: the end of the year 9999.
pub const MAX_TIMESTAMP: Timestamp = 253_402_300_799_999;

/// Reads an ISO 8601 date (`2026-05-01`) or date-time (`2026-05-01T09:30`, with seconds, fractions and an offset as
/// wanted); without an offset it is taken as UTC. `None` for anything else.
///
/// Written out here because the parsers of the `time` crate cost 5 kB of the module after gzip.
///
/// ```
/// assert_eq!(mnemic::time::parse("1970-01-02"), Some(86_400_000));
/// assert_eq!(mnemic::time::parse("1970-01-01T01:00:00+01:00"), Some(0));
/// assert_eq!(mnemic::time::parse("soon"), None);
/// ```
#[must_use]
pub fn parse(text: &str) -> Option<Timestamp> {
    let (date, rest) = text.split_at_checked(10)?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    let date = Date::from_calendar_date(i32::from(year), month, u8::try_from(day).ok()?).ok()?;
    if rest.is_empty() {
        return Some(milliseconds(date.midnight().assume_utc()));
    }
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (clock, offset) = match rest.find(['Z', 'z', '+', '-']) {
        Some(at) => rest.split_at_checked(at)?,
        None => (rest, "Z"),
    };
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let [hour, minute, second] = match clock.len() {
        5 => numbers(clock, ':', [2, 2]).map(|[hour, minute]| [hour, minute, 0]),
        _ => numbers(clock, ':', [2, 2, 2]),
    }?;
    let small = |number: u16| u8::try_from(number).ok();
    let time = Time::from_hms(small(hour)?, small(minute)?, small(second)?).ok()?;
    let moment = date.with_time(time).assume_offset(offset_of(offset)?);
    Some(milliseconds(moment) + thousandths(fraction)?)
}

/// Numbers of so many digits, with a sign between them.
fn numbers<const N: usize>(text: &str, sign: char, digits: [usize; N]) -> Option<[u16; N]> {
    let mut parts = text.split(sign);
    let mut found = [0; N];
    for (number, digits) in found.iter_mut().zip(digits) {
        let part = parts.next()?;
        if part.len() != digits || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        *number = part.parse().ok()?;
    }
    parts.next().is_none().then_some(found)
}

fn offset_of(text: &str) -> Option<UtcOffset> {
    if matches!(text, "Z" | "z") {
        return Some(UtcOffset::UTC);
    }
    let (sign, text) = text.split_at_checked(1)?;
    let [hours, minutes] =
        numbers(text, ':', [2, 2]).filter(|[hours, minutes]| *hours < 24 && *minutes < 60)?;
    let minutes = i32::from(hours) * 60 + i32::from(minutes);
    UtcOffset::from_whole_seconds(if sign == "-" { -minutes * 60 } else { minutes * 60 }).ok()
}

/// The milliseconds in the digits behind a second's point.
fn thousandths(digits: &str) -> Option<i64> {
    if digits.is_empty() || digits.len() > 9 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    format!("{digits:0<3}").get(..3)?.parse().ok()
}

/// Writes a time as its UTC date, such as `2026-05-01`; a time out of range gives an empty text.
#[must_use]
pub fn date(time: Timestamp) -> String {
    let Ok(moment) = OffsetDateTime::from_unix_timestamp(time.div_euclid(1000)) else { return String::new() };
    let (year, month, day) = moment.to_calendar_date();
    format!("{year:04}-{:02}-{day:02}", u8::from(month))
}

/// Writes a time as UTC date and minute, such as `2026-05-01 09:30`; a time out of range gives an empty text.
#[must_use]
pub fn minute(time: Timestamp) -> String {
    let Ok(moment) = OffsetDateTime::from_unix_timestamp(time.div_euclid(1000)) else { return String::new() };
    format!("{} {:02}:{:02}", date(time), moment.hour(), moment.minute())
}

fn milliseconds(moment: OffsetDateTime) -> Timestamp {
    moment.unix_timestamp() * 1000 + i64::from(moment.millisecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_usual_forms() {
        assert_eq!(parse("2026-05-01"), Some(1_777_593_600_000));
        assert_eq!(parse("2026-05-01T00:00:00Z"), parse("2026-05-01"));
        assert_eq!(parse("2026-05-01T02:00:00.250+02:00"), Some(1_777_593_600_250));
        assert_eq!(parse("2026-05-01T10:00:00"), parse("2026-05-01T10:00:00Z"));
        assert_eq!(parse("2026-05-01 10:00"), parse("2026-05-01T10:00:00Z"));
        assert_eq!(parse("2026-05-01T00:00:00.1-00:30"), Some(1_777_593_600_100 + 1_800_000));
    }

    #[test]
    fn refuses_what_is_no_date() {
        for bad in
            ["", "2026", "2026-13-01", "2026-02-30", "1234567890", "2026-05-01x", "next friday", "20260501"]
        {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn writes_dates_before_and_after_1970() {
        assert_eq!(date(1_777_593_600_000), "2026-05-01");
        assert_eq!(date(-1), "1969-12-31");
        assert_eq!(minute(1_777_593_600_000 + 9 * 3_600_000 + 30 * 60_000), "2026-05-01 09:30");
        assert_eq!(date(i64::MAX), "");
    }
}
