//! The dates that a query names: "on 2 May", "in July 2022", "last week", "5月2日", "지난주", "先月".

use super::signs::{BEFORE, SINCE, count, is_weekday, year};
use super::words::{beginning, holds, words};
use crate::among::among;
use crate::memory::span::{Span, month};
use crate::time::{Timestamp, date};
use std::ops::Range;
use time::OffsetDateTime;

/// Behind which words "May" is a month, and no name.
pub(in crate::memory) const BEFORE_MONTHS: &str =
    "after before between during early from in last late mid next of since this until";

/// What "last" is said of, besides months and days of the week.
const PERIODS: &[&str] =
    &["autumn", "month", "night", "spring", "summer", "week", "weekend", "winter", "year"];

/// How many dates a query may name.
const MOST_DATES: usize = 16;

/// A date of which some is not said.
#[derive(Debug, PartialEq)]
pub(super) struct Part {
    pub(super) year: Option<i32>,
    pub(super) month: Option<u8>,
    day: Option<u8>,
}

impl Part {
    /// The last such time that has begun.
    pub(super) fn last_before(&self, now: Timestamp) -> Option<Span> {
        let this = date(now).get(..4)?.parse().ok()?;
        let years = self.year.map_or(this - 1..=this, |year| year..=year);
        let text = |year: i32| match (self.month, self.day) {
            (Some(month), Some(day)) => format!("{year:04}-{month:02}-{day:02}"),
            (Some(month), None) => format!("{year:04}-{month:02}"),
            _ => format!("{year:04}"),
        };
        years.rev().filter_map(|year| Span::read(&text(year))).find(|span| span.begins <= now)
    }
}

/// What is named.
#[derive(Debug, Default, PartialEq)]
pub(in super::super) struct Dates {
    pub(super) parts: Vec<Part>,
    /// Counted from the present.
    pub(super) ranges: Vec<Range<Timestamp>>,
    /// Whether the words of the query mean another time whenever they are said: "last week".
    pub(in super::super) are_relative: bool,
}

impl Dates {
    /// Those of a query, which may ask for all that was before a time, or since it, or between two.
    pub(in super::super) fn asked(query: &str, now: Timestamp) -> Self {
        let query = beginning(query);
        let mut dates = Self::of(query, now);
        let lower = query.to_ascii_lowercase();
        let words = words(&lower);
        // What a date begins with: a month, a year, a day beside its month, or a word for a day.
        let begins_date = |place: usize| {
            let word = words.get(place).copied().unwrap_or_default();
            let next = words.get(place + 1).copied().unwrap_or_default();
            let is_day = word.starts_with(|c: char| c.is_ascii_digit());
            month(word).is_some()
                || year(word).is_some()
                || is_day && (month(next).is_some() || matches!(next, "of" | "and") || word.len() > 2)
                || matches!(word, "yesterday" | "last")
                || is_weekday(word)
        };
        let stands_before = |place: usize| {
            // "The day before" is a day of its own, and "the week before last" a week.
            let is_day = place.checked_sub(1).and_then(|before| words.get(before)) == Some(&"day");
            let is_ago = words.get(place + 1) == Some(&"last")
                && !words
                    .get(place + 2)
                    .is_some_and(|next| is_weekday(next) || month(next).is_some() || PERIODS.contains(next));
            let is_article = words.get(place + 1) == Some(&"the");
            !(is_day || is_ago) && (begins_date(place + 1) || is_article && begins_date(place + 2))
        };
        let bound = |signs: &[&str], elsewhere: Option<&str>| {
            let mut places =
                (0..words.len()).filter(|place| words.get(*place).is_some_and(|word| signs.contains(word)));
            places.any(stands_before) || elsewhere.is_some_and(|signs| holds(query, signs))
        };
        dates.complete();
        let spans = dates.spans(now);
        let range = match spans.as_slice() {
            [first, .., last] if bound(&["between", "from"], None) && first.start < last.end => {
                first.start..last.end
            }
            [one] if bound(&["before", "until"], Some(BEFORE)) => Timestamp::MIN..one.start,
            [one] if bound(&["after"], None) => one.end..now,
            [one] if bound(&["since"], Some(SINCE)) => one.start..now,
            _ => return dates,
        };
        Self { ranges: vec![range], ..Self::default() }
    }

    /// Gives a date without a year that of the one behind it: "from May to July 2021".
    fn complete(&mut self) {
        if let [first, second] = self.parts.as_mut_slice()
            && first.year.is_none()
        {
            first.year = second.year.filter(|_| first.month.is_some());
        }
    }

    /// What is named as ranges, of what lacks a year the last before the present.
    pub(in super::super) fn spans(&self, now: Timestamp) -> Vec<Range<Timestamp>> {
        let spans = self.parts.iter().filter_map(|part| part.last_before(now));
        spans.map(|span| span.begins..span.ends).chain(self.ranges.iter().cloned()).collect()
    }

    pub(super) fn of(query: &str, now: Timestamp) -> Self {
        let mut dates = Self::default();
        dates.read_english(query);
        dates.read_signs(query);
        dates.read_numbers(query);
        dates.read_years(query);
        dates.read_relative(query, now);
        if dates.is_empty() {
            dates.read_ago(query, now);
        }
        let mut parts: Vec<Part> = Vec::new();
        for part in dates.parts {
            if parts.len() < MOST_DATES && !parts.contains(&part) {
                parts.push(part);
            }
        }
        dates.parts = parts;
        dates.are_relative = dates.parts.is_empty() && !dates.ranges.is_empty();
        dates
    }

    pub(in super::super) fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.ranges.is_empty()
    }

    /// Whether one of the years, or of the times counted from the present, is over.
    pub(super) fn are_over(&self, now: Timestamp) -> bool {
        let is_over = |part: &Part| part.year.is_some_and(|year| date(now) >= format!("{:04}", year + 1));
        self.ranges.iter().any(|range| range.end <= now) || self.parts.iter().any(is_over)
    }

    /// Whether a time lies in what is named, by the calendar of UTC.
    pub(in super::super) fn contain(&self, time: Timestamp) -> bool {
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
            let is_capital = name.starts_with(|c: char| c.is_ascii_uppercase());
            let lower = name.to_ascii_lowercase();
            let Some(month) = month(&lower) else { continue };
            let said = day(before(1)).or_else(|| day(before(2)).filter(|_| before(1) == "of"));
            let next = day(word(Some(place + 1))).filter(|_| said.is_none());
            let behind = place + 1 + usize::from(next.is_some());
            let part = Part { year: year(word(Some(behind))), month: Some(month), day: said.or(next) };
            // "Between 20 and 26 November".
            let first = day(before(3)).filter(|_| said.is_some() && matches!(before(2), "and" | "to"));
            if first.is_some() {
                self.parts.push(Part { day: first, ..part });
            }
            // May and March are also verbs, and May is a name; in small letters three of them may be anything.
            let is_sure = match is_capital {
                true => month != 5,
                false => lower.len() > 3 && month != 5 && month != 3,
            };
            let is_told = match is_capital {
                true => part.year.is_some() || part.day.is_some() || among(BEFORE_MONTHS, before(1)),
                false => part.year.is_some() || said.is_some() || before(1) == "in",
            };
            if is_sure || is_told {
                self.parts.push(part);
            }
        }
    }

    /// Dates as they are written in Chinese, Japanese and Korean.
    fn read_signs(&mut self, query: &str) {
        let is_numeral = |c: char| "一二三四五六七八九十".contains(c);
        let number_before = |at: usize| -> Option<i32> {
            let head = query.get(..at)?.trim_end();
            let digits = head.bytes().rev().take_while(u8::is_ascii_digit).count();
            head.get(head.len() - digits..)?.parse().ok()
        };
        let number_between = |at: usize, signs: &[char]| -> Option<u8> {
            let tail = query.get(at..)?.trim_start();
            let end = tail.find(|c: char| !(c.is_ascii_digit() || is_numeral(c)))?;
            let (number, rest) = tail.split_at_checked(end)?;
            let is_day = rest.starts_with(signs) && number.chars().count() <= 3;
            count(number).filter(|_| is_day).and_then(|day| u8::try_from(day).ok())
        };
        for (at, sign) in query.match_indices(['月', '월']) {
            let head = query.get(..at).unwrap_or_default();
            let in_words = || if sign == "月" && head.ends_with(is_numeral) { count(head) } else { None };
            let month = number_before(at).map(i64::from).or_else(in_words);
            let Some(month) = month.and_then(|month| u8::try_from(month).ok()) else { continue };
            let head =
                head.trim_end().trim_end_matches(|c: char| c.is_ascii_digit() || is_numeral(c)).trim_end();
            let year = ['年', '년'].iter().find(|sign| head.ends_with(**sign));
            let year = year.and_then(|sign| number_before(head.len() - sign.len_utf8()));
            if (1..=12).contains(&month) {
                let day = number_between(at + sign.len(), &['日', '号', '號', '일']);
                self.parts.push(Part { year, month: Some(month), day });
            }
        }
    }

    /// Dates in numbers: "2026-11-17", "2026/11", "17.11.2026", "11/17/2026". Of "3/4/2026" both readings.
    fn read_numbers(&mut self, query: &str) {
        for word in query.split(|c: char| !c.is_ascii_digit() && !"-./".contains(c)) {
            let numbers: Vec<&str> = word.trim_end_matches(['-', '.', '/']).split(['-', '.', '/']).collect();
            let number = |text: &str, most: u8| {
                text.parse::<u8>().ok().filter(|number| text.len() <= 2 && (1..=most).contains(number))
            };
            let mut put = |year: Option<i32>, month: Option<u8>, day: Option<u8>, is_whole: bool| {
                if year.is_some() && month.is_some() && day.is_some() == is_whole {
                    let part = Part { year, month, day };
                    if !self.parts.contains(&part) {
                        self.parts.push(part);
                    }
                }
            };
            match *numbers {
                [first, second] if !word.contains('.') => {
                    put(year(first), number(second, 12), None, false);
                    put(year(second), number(first, 12), None, false);
                }
                [first, second, third] => {
                    put(year(first), number(second, 12), number(third, 31), true);
                    put(year(third), number(second, 12), number(first, 31), true);
                    if word.contains('/') {
                        put(year(third), number(first, 12), number(second, 31), true);
                    }
                }
                _ => {}
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(query: &str, date: &str) -> bool {
        let now = crate::time::parse("2024-03-13T10:00").unwrap();
        Dates::asked(query, now).contain(crate::time::parse(date).unwrap())
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
            ("What did I cook the day before yesterday?", "2024-03-11T20:00", "2024-03-12"),
            ("一昨日何を食べた？", "2024-03-11", "2024-03-12"),
            ("What did I eat two days ago?", "2024-03-11", "2024-03-12"),
            ("3일 전에 뭐 했지?", "2024-03-10", "2024-03-11"),
            ("What did we do last weekend?", "2024-03-09", "2024-03-08"),
            ("What did I say on Tuesday?", "2024-03-12", "2024-03-05"),
            ("What did I say on Wednesday?", "2024-03-06", "2024-03-13"),
            ("What did I say last week on Tuesday?", "2024-03-05", "2024-03-06"),
            ("上周二我做了什么？", "2024-03-05", "2024-03-12"),
            ("화요일에 뭐 했지?", "2024-03-12", "2024-03-11"),
            ("What happened on 2024-03-04?", "2024-03-04", "2024-03-05"),
            ("What happened in 2024-02?", "2024-02-29", "2024-03-01"),
            ("What happened on 12/31/2023?", "2023-12-31", "2023-12-30"),
            ("Was war am 31.12.2023?", "2023-12-31", "2023-12-30"),
            ("Was habe ich gestern gegessen?", "2024-03-12", "2024-03-13"),
            ("Что я ел вчера?", "2024-03-12", "2024-03-11"),
            ("what did i do in june 2023?", "2023-06-12", "2023-05-12"),
            ("what did i do in may?", "2023-05-12", "2023-06-12"),
            ("What happened in 06/2023?", "2023-06-12", "2023-05-12"),
            ("What did I do between 20 and 26 November?", "2023-11-22", "2023-11-27"),
            ("What happened from May to July 2023?", "2023-06-12", "2023-08-01"),
            ("What happened from May to July 2021?", "2021-06-12", "2022-06-12"),
            ("What letters did I get from Bob in 2019 and 2021?", "2021-05-05", "2020-05-05"),
            ("What did I do yesterday after 5 pm?", "2024-03-12T20:00", "2024-03-13T08:00"),
            ("What did I eat on 3 May before 10?", "2023-05-03", "2023-05-02"),
            ("What have I done since yesterday?", "2024-03-13T08:00", "2024-03-11"),
            ("Where did I live before 2023?", "2022-12-31", "2023-01-01"),
            ("What did I do before last week?", "2024-03-03", "2024-03-04"),
            ("What did I do in the week before 5 May?", "2023-05-04", "2023-05-06"),
            ("十月去了3日吗？", "2023-10-20", "2023-11-03"),
            ("What have I done since 20 February?", "2024-03-01", "2024-02-19"),
            ("What happened after May 2023?", "2023-06-01", "2023-05-31"),
            ("2022年以前はどこにいた？", "2021-05-05", "2022-05-05"),
            ("2022년 5월 이후에 뭐 했어?", "2023-01-01", "2022-04-30"),
            ("What did I do in the past week?", "2024-03-07", "2024-03-05"),
            ("일주일 전에 뭐 했지?", "2024-03-06", "2024-03-11"),
            ("작년 3월에 어디 갔었지?", "2023-03-10", "2024-03-10"),
            ("작년 3월에 어디 갔었지?", "2023-03-10", "2023-06-10"),
            ("What did I do in March last year?", "2023-03-10", "2024-03-10"),
            ("今年3月我去了哪里？", "2024-03-10", "2023-03-10"),
            ("재작년에 뭐 했지?", "2022-05-05", "2023-05-05"),
            ("前年我去了哪里？", "2022-05-05", "2023-05-05"),
            ("大前年我去了哪里？", "2021-05-05", "2022-05-05"),
            ("이틀 전에 뭐 했지?", "2024-03-11", "2024-03-12"),
            ("열흘 전에 뭐 했지?", "2024-03-03", "2024-03-10"),
            ("一昨年は何をした？", "2022-05-05", "2023-05-05"),
            ("上上周我做了什么？", "2024-02-27", "2024-03-05"),
            ("上上个月我做了什么？", "2024-01-15", "2024-02-15"),
            ("저번 주에 뭐 했지?", "2024-03-05", "2024-03-11"),
            ("十月发生了什么？", "2023-10-05", "2023-11-05"),
            ("十二月三号我在哪里？", "2023-12-03", "2023-12-04"),
            ("What did we do the week before last?", "2024-02-27", "2024-03-05"),
        ] {
            assert!(says(query, inside), "{query}: {inside}");
            assert!(!says(query, outside), "{query}: {outside}");
        }
    }

    #[test]
    fn what_is_no_date() {
        for query in [
            "I may go",
            "May I ask?",
            "march on",
            "it may be, mar it, dec",
            "How late may I ring?",
            "How many may 3 adults carry?",
            "Did I march 5 miles?",
            "this may help",
            "room 2023a",
            "What is it?",
            "月",
            "13月",
            "1000 years",
            "every Monday",
            "on Mondays",
            "Next Monday",
            "this coming Monday",
            "下周二",
            "来週の火曜日",
            "다음 주 화요일",
            "三个月",
            "目前年薪是多少？",
            "以前年轻吗？",
            "3/4",
            "1.2.3",
            "192.168.1.1",
            "24/7",
            "24/7/365",
            "playera",
            "Monday or Tuesday",
        ] {
            assert!(Dates::of(query, 0).is_empty(), "{query}");
        }
    }
}
