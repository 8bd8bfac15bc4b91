//! The dates that a query names: "on 2 May", "in July 2022", "last week", "5月2日", "지난주", "先月".

use super::words::{holds, words};
use crate::time::{DAY_MS, Timestamp};
use std::ops::Range;
use time::OffsetDateTime;

pub(in crate::memory) const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A date of which some is not said.
#[derive(Debug, PartialEq)]
struct Part {
    year: Option<i32>,
    month: Option<u8>,
    day: Option<u8>,
}

/// What is named.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Dates {
    parts: Vec<Part>,
    /// Counted from the present.
    ranges: Vec<Range<Timestamp>>,
}

impl Dates {
    pub(super) fn of(query: &str, now: Timestamp) -> Self {
        let mut dates = Self::default();
        dates.read_english(query);
        dates.read_signs(query);
        dates.read_years(query);
        dates.read_relative(query, now);
        dates
    }

    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.ranges.is_empty()
    }

    /// Whether a time lies in what is named, by the calendar of UTC.
    pub(super) fn contain(&self, time: Timestamp) -> bool {
        if self.ranges.iter().any(|range| range.contains(&time)) {
            return true;
        }
        let Ok(date) = OffsetDateTime::from_unix_timestamp(time.div_euclid(1000)) else { return false };
        self.parts.iter().any(|part| {
            part.year.is_none_or(|year| year == date.year())
                && part.month.is_none_or(|month| month == u8::from(date.month()))
                && part.day.is_none_or(|day| day == date.day())
        })
    }

    fn read_english(&mut self, query: &str) {
        let words = words(query);
        let word =
            |place: Option<usize>| place.and_then(|place| words.get(place)).copied().unwrap_or_default();
        let day = |word: &str| {
            let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
            digits.parse().ok().filter(|day| (1..=31).contains(day))
        };
        for (place, name) in words.iter().enumerate() {
            let before = |by: usize| word(place.checked_sub(by));
            let Some(month) = month(name) else { continue };
            let said = day(before(1)).or_else(|| day(before(2)).filter(|_| before(1) == "of"));
            let next = day(word(Some(place + 1))).filter(|_| said.is_none());
            let behind = place + 1 + usize::from(next.is_some());
            let part = Part { year: year(word(Some(behind))), month: Some(month), day: said.or(next) };
            // The month of May is also a verb and a name.
            let is_alone = part.year.is_none() && part.day.is_none();
            if !(is_alone && month == 5 && !matches!(before(1), "in" | "of" | "since" | "last" | "this")) {
                self.parts.push(part);
            }
        }
    }

    /// Dates as they are written in Chinese, Japanese and Korean.
    fn read_signs(&mut self, query: &str) {
        let number_before = |at: usize| -> Option<i32> {
            let head = query.get(..at)?.trim_end();
            let digits = head.bytes().rev().take_while(u8::is_ascii_digit).count();
            head.get(head.len() - digits..)?.parse().ok()
        };
        let number_between = |at: usize, signs: &[char]| -> Option<u8> {
            let tail = query.get(at..)?.trim_start();
            let digits = tail.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = tail.split_at_checked(digits)?;
            if rest.starts_with(signs) { number.parse().ok() } else { None }
        };
        for (at, sign) in query.match_indices(['月', '월']) {
            let Some(month) = number_before(at).and_then(|month| u8::try_from(month).ok()) else { continue };
            let head = query
                .get(..at)
                .unwrap_or_default()
                .trim_end()
                .trim_end_matches(|c: char| c.is_ascii_digit())
                .trim_end();
            let year = ['年', '년'].iter().find(|sign| head.ends_with(**sign));
            let year = year.and_then(|sign| number_before(head.len() - sign.len_utf8()));
            if (1..=12).contains(&month) {
                let day = number_between(at + sign.len(), &['日', '号', '號', '일']);
                self.parts.push(Part { year, month: Some(month), day });
            }
        }
    }

    /// Years that stand alone, in a query that names nothing nearer.
    fn read_years(&mut self, query: &str) {
        if self.parts.is_empty() {
            let years = words(query).into_iter().filter_map(year);
            self.parts.extend(years.map(|year| Part { year: Some(year), month: None, day: None }));
        }
    }

    fn read_relative(&mut self, query: &str, now: Timestamp) {
        let lower = query.to_ascii_lowercase();
        let today = now.div_euclid(DAY_MS);
        // How many days into its month and its year a day is.
        let into = |day: i64| {
            let date = OffsetDateTime::from_unix_timestamp(day * (DAY_MS / 1000)).ok();
            date.map_or((0, 0), |date| (i64::from(date.day()) - 1, i64::from(date.ordinal()) - 1))
        };
        // The first of January 1970 was a Thursday.
        let monday = today - (today + 3).rem_euclid(7);
        let month = today - into(today).0;
        let last_month = month - 1 - into(month - 1).0;
        let year = today - into(today).1;
        let last_year = year - 1 - into(year - 1).1;
        for (signs, from, to) in [
            (&["yesterday", "昨天", "昨日", "어제"][..], today - 1, today),
            (&["last week", "上周", "上星期", "先週", "지난주", "지난 주"], monday - 7, monday),
            (&["this week", "这周", "本周", "今週", "이번 주", "이번주"], monday, today + 1),
            (&["last month", "上个月", "上月", "先月", "지난달", "지난 달"], last_month, month),
            (&["this month", "这个月", "本月", "今月", "이번 달", "이번달"], month, today + 1),
            (&["last year", "去年", "昨年", "작년"], last_year, year),
        ] {
            if holds(&lower, signs) {
                self.ranges.push(from * DAY_MS..to * DAY_MS);
            }
        }
    }
}

fn year(word: &str) -> Option<i32> {
    word.parse().ok().filter(|year| word.len() == 4 && (1900..2200).contains(year))
}

/// The number of a month by its English name, whole or in three letters, with a capital.
fn month(word: &str) -> Option<u8> {
    let lower = word.to_ascii_lowercase();
    let is_named =
        |name: &&str| **name == lower || (lower.len() == 3 || lower == "sept") && name.starts_with(&lower);
    let place = MONTHS.iter().position(is_named)?;
    word.starts_with(|c: char| c.is_ascii_uppercase()).then_some(place as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(query: &str, date: &str) -> bool {
        let now = crate::time::parse("2024-03-13T10:00").unwrap();
        Dates::of(query, now).contain(crate::time::parse(date).unwrap())
    }

    #[test]
    fn days_months_and_years() {
        for (query, inside, outside) in [
            ("What did I say on May 2nd?", "2023-05-02T23:00", "2023-05-03"),
            ("What happened on 1 May, 2022?", "2022-05-01", "2023-05-01"),
            ("Where was I on the 8th of December 2023", "2023-12-08", "2023-12-09"),
            ("Where did Joanna travel in July 2022?", "2022-07-31", "2022-08-01"),
            ("What happened in Sept?", "2021-09-30", "2021-10-01"),
            ("How often in 2023?", "2023-12-31", "2024-01-01"),
            ("在5月2号我去了哪里？", "2023-05-02", "2023-05-12"),
            ("2023年5月我去了哪里？", "2023-05-20", "2022-05-20"),
            ("2023년 5월 2일에 뭐 했지?", "2023-05-02", "2023-05-03"),
            ("yesterday's dinner", "2024-03-12T20:00", "2024-03-13"),
            ("What did we do last week?", "2024-03-04", "2024-03-11"),
            ("지난주에 뭐 했지?", "2024-03-10", "2024-03-11"),
            ("先月どこに行った？", "2024-02-29", "2024-03-01"),
            ("去年我去了哪里？", "2023-01-01", "2024-01-01"),
        ] {
            assert!(says(query, inside), "{query}: {inside}");
            assert!(!says(query, outside), "{query}: {outside}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for query in
            ["I may go", "May I ask?", "march on", "room 2023a", "What is it?", "月", "13月", "1000 years"]
        {
            assert!(Dates::of(query, 0).is_empty(), "{query}");
        }
    }
}
