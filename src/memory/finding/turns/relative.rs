//! Times that are counted from the present: "three days ago", "last week", 지지난주, "March last year".

use super::dates::{Dates, Part};
use super::signs::{UNITS, count, find_word, weekday};
use crate::lowercase::lowercase;
use crate::memory::span::Span;
use crate::time::{DAY_MS, Timestamp, date};
use std::ops::Range;
use time::OffsetDateTime;

/// Weeks, months and years that are over; a sign of another row may hold one of these, and stands before it.
const WEEK_BEFORE_LAST: &[&str] = &[
    "week before last",
    "上上周",
    "上上週",
    "上上个星期",
    "上上星期",
    "上上礼拜",
    "先々週",
    "先先週",
    "지지난주",
    "지지난 주",
    "저저번 주",
    "저저번주",
];
const LAST_WEEK: &[&str] = &[
    "last week",
    "上周",
    "上週",
    "上星期",
    "上个星期",
    "上個星期",
    "上礼拜",
    "上个礼拜",
    "上禮拜",
    "上個禮拜",
    "先週",
    "지난주",
    "지난 주",
    "저번 주",
    "저번주",
];
const MONTH_BEFORE_LAST: &[&str] = &[
    "month before last",
    "上上个月",
    "上上個月",
    "上上月",
    "先々月",
    "先先月",
    "지지난달",
    "지지난 달",
    "저저번 달",
    "저저번달",
];
const LAST_MONTH: &[&str] =
    &["last month", "上个月", "上個月", "上月", "先月", "지난달", "지난 달", "저번 달", "저번달"];
const THREE_YEARS_BEFORE: &[&str] = &["大前年"];
const YEAR_BEFORE_LAST: &[&str] = &["year before last", "一昨年", "おととし", "재작년", "前年"];
const LAST_YEAR: &[&str] = &["last year", "去年", "昨年", "작년", "지난해"];
const THIS_YEAR: &[&str] = &["this year", "今年", "올해"];

/// Words for some days, as so many days.
const KOREAN_DAYS: [(&str, &str); 4] =
    [("이틀 전", "2일 전"), ("사흘 전", "3일 전"), ("나흘 전", "4일 전"), ("열흘 전", "10일 전")];
/// What ends as 前年 begins: "at present", "formerly".
const NO_YEARS: [&str; 3] = ["目前年", "以前年", "之前年"];

impl Dates {
    /// So many days, weeks, months or years ago.
    pub(super) fn read_ago(&mut self, statement: &str, now: Timestamp) {
        let mut lower = statement.to_ascii_lowercase();
        for (days, number) in KOREAN_DAYS.into_iter().filter(|(days, _)| statement.contains(days)) {
            lower = lower.replace(days, number);
        }
        let today = now.div_euclid(DAY_MS);
        for (unit, signs) in UNITS {
            for (ago, _) in signs.iter().flat_map(|sign| lower.match_indices(sign)) {
                let head = lower.get(..ago).unwrap_or_default().trim_end();
                let Some(count) = count(head) else { continue };
                let day = |day: i64| date(day * DAY_MS);
                let span = match unit {
                    'd' => Span::read(&day(today - count)),
                    'w' => {
                        let monday = today - (today + 3).rem_euclid(7) - 7 * count;
                        self.ranges.push(monday * DAY_MS..(monday + 7) * DAY_MS);
                        return;
                    }
                    _ => {
                        let date = day(today);
                        let number = |from: usize, to: usize| date.get(from..to)?.parse::<i64>().ok();
                        let Some(((year, month), count)) = number(0, 4).zip(number(5, 7)).zip(Some(count))
                        else {
                            return;
                        };
                        let months = year * 12 + month - 1 - if unit == 'm' { count } else { 12 * count };
                        let year = months.div_euclid(12);
                        let month = format!("{year:04}-{:02}", months.rem_euclid(12) + 1);
                        Span::read(if unit == 'm' { &month } else { month.get(..4).unwrap_or_default() })
                    }
                };
                self.ranges.extend(span.map(|span| span.begins..span.ends));
                return;
            }
        }
    }

    /// Gives months the year that is named by a word: "March last year", 去年3月.
    fn take_year(&mut self, begins: Timestamp) {
        let is_it = |range: &Range<Timestamp>| range.start == begins;
        let year: Option<i32> = date(begins).get(..4).and_then(|year| year.parse().ok());
        let is_bare = |part: &Part| part.year.is_none() && part.month.is_some();
        if !self.ranges.iter().any(is_it) || !self.parts.iter().any(is_bare) {
            return;
        }
        self.ranges.retain(|range| !is_it(range));
        for part in self.parts.iter_mut().filter(|part| is_bare(part)) {
            part.year = year;
        }
    }

    pub(super) fn read_relative(&mut self, query: &str, now: Timestamp) {
        let present = NO_YEARS.iter().filter(|words| query.contains(*words));
        let mut rest = present.fold(lowercase(query), |rest, words| rest.replace(words, " "));
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
        let month_before = last_month - 1 - into(last_month - 1).0;
        let year = today - into(today).1;
        let last_year = year - 1 - into(year - 1).1;
        let year_before = last_year - 1 - into(last_year - 1).1;
        let year_before_that = year_before - 1 - into(year_before - 1).1;
        let mut years = Vec::new();
        // What holds another sign stands before it.
        for (signs, from, to) in [
            (
                &[
                    "the day before yesterday",
                    "前天",
                    "一昨日",
                    "おととい",
                    "그저께",
                    "그제 ",
                    "позавчера",
                    "vorgestern",
                ][..],
                today - 2,
                today - 1,
            ),
            (
                &[
                    "yesterday",
                    "last night",
                    "昨天",
                    "昨日",
                    "昨晚",
                    "昨夜",
                    "어제",
                    "어젯밤",
                    "ayer",
                    "gestern",
                    "вчера",
                ],
                today - 1,
                today,
            ),
            (
                &["last weekend", "上周末", "上週末", "先週末", "지난 주말", "지난주말", "저번 주말"],
                monday - 2,
                monday,
            ),
            (WEEK_BEFORE_LAST, monday - 14, monday - 7),
            (LAST_WEEK, monday - 7, monday),
            (&["this week", "这周", "這週", "本周", "今週", "이번 주", "이번주"], monday, today + 1),
            (MONTH_BEFORE_LAST, month_before, last_month),
            (LAST_MONTH, last_month, month),
            (&["this month", "这个月", "這個月", "本月", "今月", "이번 달", "이번달"], month, today + 1),
            (THREE_YEARS_BEFORE, year_before_that, year_before),
            (YEAR_BEFORE_LAST, year_before, last_year),
            (LAST_YEAR, last_year, year),
            (THIS_YEAR, year, today + 1),
            (
                &["past week", "last few days", "past few days", "这几天", "ここ数日", "며칠 동안"],
                today - 7,
                today + 1,
            ),
            (&["past month", "last few weeks", "past few weeks"], today - 30, today + 1),
            (&["past year", "last few months", "past few months"], today - 365, today + 1),
        ] {
            for sign in signs {
                if let Some(at) = find_word(&rest, sign) {
                    let (head, tail) = rest.split_at(at);
                    rest = format!("{head} {}", tail.get(sign.len()..).unwrap_or_default());
                    self.ranges.push(from * DAY_MS..to * DAY_MS);
                    if [THREE_YEARS_BEFORE, YEAR_BEFORE_LAST, LAST_YEAR, THIS_YEAR].contains(&signs) {
                        years.push(from * DAY_MS);
                    }
                    break;
                }
            }
        }
        for begins in years {
            self.take_year(begins);
        }
        if let Some(day) = weekday(query) {
            // "Last week on Tuesday" is one day.
            let week = (monday - 7) * DAY_MS..monday * DAY_MS;
            let begins = if self.ranges.contains(&week) {
                monday - 7 + day
            } else {
                today - 1 - (today + 2 - day).rem_euclid(7)
            };
            self.ranges.retain(|range| *range != week);
            self.ranges.push(begins * DAY_MS..(begins + 1) * DAY_MS);
        }
    }
}
