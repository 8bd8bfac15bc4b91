//! Times: milliseconds since 1970 UTC, and the ISO dates people and models write.

use time::format_description::well_known::{Iso8601, Rfc3339};
use time::{Date, OffsetDateTime, PrimitiveDateTime};

/// Milliseconds since 1970-01-01T00:00:00 UTC.
pub type Timestamp = i64;

/// The latest time the engine takes: the end of the year 9999.
pub const MAX_TIMESTAMP: Timestamp = 253_402_300_799_999;

/// Reads an ISO 8601 date or date-time; without an offset it is taken as UTC. `None` for anything else.
///
/// ```
/// assert_eq!(mnemic::time::parse("1970-01-02"), Some(86_400_000));
/// assert_eq!(mnemic::time::parse("1970-01-01T01:00:00+01:00"), Some(0));
/// assert_eq!(mnemic::time::parse("soon"), None);
/// ```
#[must_use]
pub fn parse(text: &str) -> Option<Timestamp> {
    // Cheap refusal first: filters try every string they meet.
    let bytes = text.as_bytes();
    if bytes.len() < 10
        || bytes.len() > 40
        || !bytes.iter().take(4).all(u8::is_ascii_digit)
        || bytes.get(4) != Some(&b'-')
    {
        return None;
    }
    if bytes.len() == 10 {
        let date = Date::parse(text, &Iso8601::DATE).ok()?;
        return Some(milliseconds(date.midnight().assume_utc()));
    }
    if let Ok(moment) = OffsetDateTime::parse(text, &Rfc3339) {
        return Some(milliseconds(moment));
    }
    PrimitiveDateTime::parse(text, &Iso8601::DATE_TIME).ok().map(|moment| milliseconds(moment.assume_utc()))
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
