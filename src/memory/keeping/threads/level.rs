//! What a summary is of: a thread, a week or a month.

use crate::time::{self, DAY_MS, Timestamp};
use serde::{Deserialize, Serialize};

const WEEK_MS: Timestamp = 7 * DAY_MS;
/// The first Monday: 1970-01-05.
const MONDAY_MS: Timestamp = 4 * DAY_MS;

/// What a summary is of; each is made of those before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// A conversation.
    #[default]
    Thread,
    /// The conversations of a week, which begins on Monday, UTC.
    Week,
    /// The weeks that began in a month, UTC.
    Month,
}

impl Level {
    /// The beginning of the keys of its summaries.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Thread => "thread/",
            Self::Week => "week/",
            Self::Month => "month/",
        }
    }

    /// The level it is made of.
    pub(super) fn below(self) -> Self {
        if self == Self::Month { Self::Week } else { Self::Thread }
    }

    /// The beginning of the week or month of a time.
    pub(super) fn begin(self, time: Timestamp) -> Timestamp {
        match self {
            Self::Thread => time,
            Self::Week => time - (time - MONDAY_MS).rem_euclid(WEEK_MS),
            Self::Month => {
                let month = time::date(time).get(..8).map(|month| format!("{month}01"));
                month.and_then(|first| time::parse(&first)).unwrap_or(time)
            }
        }
    }

    /// Whether the week, or every week of the month, that began at a time is over.
    pub(super) fn is_over(self, begin: Timestamp, now: Timestamp) -> bool {
        self.begin(Self::Week.begin(now)) > begin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_begin_on_monday_and_months_on_the_first() {
        let at = |text: &str| time::parse(text).unwrap();
        for (time, week, month) in [
            ("2026-05-01T23:59:59Z", "2026-04-27", "2026-05-01"),
            ("2026-05-04", "2026-05-04", "2026-05-01"),
            ("2026-05-03T23:59:59Z", "2026-04-27", "2026-05-01"),
            ("2024-02-29", "2024-02-26", "2024-02-01"),
            ("1970-01-01", "1969-12-29", "1970-01-01"),
        ] {
            assert_eq!(time::date(Level::Week.begin(at(time))), week, "{time}");
            assert_eq!(time::date(Level::Month.begin(at(time))), month, "{time}");
        }
        assert!(Level::Week.is_over(at("2026-04-27"), at("2026-05-04")));
        assert!(!Level::Week.is_over(at("2026-04-27"), at("2026-05-03T23:59:59Z")));
        assert!(!Level::Month.is_over(at("2026-04-01"), at("2026-05-03")), "its last week goes on");
        assert!(Level::Month.is_over(at("2026-04-01"), at("2026-05-04")));
    }
}
