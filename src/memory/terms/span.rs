//! Spans: days, months, seasons, years and decades, as precise as they were said.

use crate::error::Result;
use crate::json::shown;
use crate::memory::limits::{self, invalid};
use crate::record::Record;
use crate::time::{self, DAY_MS, Timestamp};
use serde_json::{Map, Value};

/// The names of the seasons, and the months in which they begin in the northern half of the world.
const SEASONS: [(&str, u16); 5] = [("spring", 3), ("summer", 6), ("autumn", 9), ("fall", 9), ("winter", 12)];

/// The months by their names in small letters.
pub(crate) const MONTHS: &[&str] = &[
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

/// What the dates of a record have: since when it is true, and until when.
const SINCE: &str = "since";
const UNTIL: &str = "until";

/// A time that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    /// As it is stored and shown: `2021-05-14`, `2021-05`, `spring 2021`, `2021` or `1990s`.
    pub(crate) text: String,
    /// Its first moment.
    pub(crate) begins: Timestamp,
    /// The first moment after it.
    pub(crate) ends: Timestamp,
}

impl Span {
    /// The day of a time.
    pub(crate) fn day(time: Timestamp) -> Self {
        Self { text: time::date(time), begins: time, ends: time + DAY_MS }
    }

    /// Reads one; `None` for anything else, and for a time over the limits. Of a time of day the day is kept, of "early 2020" the
    /// year.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Self::said(text).filter(|span| limits::truth(SINCE, span.begins).is_ok())
    }

    /// The same of any time, also one over the limits.
    pub(crate) fn said(text: &str) -> Option<Self> {
        Self::plain(text.trim()).or_else(|| Self::plain(&written(text)?))
    }

    fn plain(text: &str) -> Option<Self> {
        let first = |year: u16, month: u16| {
            let (year, month) = (year + (month - 1) / 12, (month - 1) % 12 + 1);
            time::parse(&format!("{year:04}-{month:02}-01"))
        };
        let of_months = |text: String, year: u16, month: u16, months: u16| {
            Some(Self { text, begins: first(year, month)?, ends: first(year, month + months)? })
        };
        if let Some(begins) = time::parse(text) {
            let text = time::date(begins);
            Some(Self { ends: time::parse(&text)? + DAY_MS, text, begins })
        } else if let Some(year) = number(text, 4) {
            of_months(text.to_owned(), year, 1, 12)
        } else if let Some(decade) = text.strip_suffix('s').and_then(|text| number(text, 4)) {
            Some(decade)
                .filter(|year| year % 10 == 0)
                .and_then(|year| of_months(text.to_owned(), year, 1, 120))
        } else if let Some((year, month)) = text.split_once('-') {
            let month = number(month, 2).filter(|month| (1..=12).contains(month));
            number(year, 4).zip(month).and_then(|(year, month)| of_months(text.to_owned(), year, month, 1))
        } else {
            let (name, year) = text.split_once(' ')?;
            of_months(text.to_owned(), number(year, 4)?, season(name)?, 3)
        }
    }
}

/// What was written in words or with other signs as it is stored: "the spring of 2021", "5 May 2021", "mid-2020", "Christmas 2020",
/// "2021/5/14", "2021年5月".
fn written(text: &str) -> Option<String> {
    if let Some(dated) = of_numbers(text) {
        return Some(dated);
    }
    let lower = text.to_ascii_lowercase();
    let words =
        lower.split([' ', ',']).map(|word| word.strip_prefix("mid-").unwrap_or(word).trim_end_matches('.'));
    let words: Vec<&str> =
        words.filter(|word| !matches!(*word, "" | "in" | "the" | "of" | "early" | "mid" | "late")).collect();
    let (year, words) = words.split_last()?;
    let month_of = |name: &str| Some(format!("{year}-{:02}", month(name)?));
    match *words {
        [] => Some((*year).to_owned()),
        ["christmas"] => Some(format!("{year}-12-25")),
        [name] => month_of(name).or_else(|| Some(format!("{name} {year}"))),
        [first, second] => {
            let (month, day) = match month_of(first) {
                Some(month) => (month, second),
                None => (month_of(second)?, first),
            };
            Some(format!("{month}-{:0>2}", day.trim_end_matches(|c: char| c.is_ascii_lowercase())))
        }
        _ => None,
    }
}

/// A date of nothing but a year, a month and perhaps a day, with signs between and behind them.
fn of_numbers(text: &str) -> Option<String> {
    let is_sign = |c: char| matches!(c, '-' | '/' | '.' | '年' | '月' | '日' | '년' | '월' | '일');
    let mut parts = text.split(is_sign).map(str::trim).filter(|part| !part.is_empty());
    let (year, month) = (number(parts.next()?, 4)?, parts.next()?);
    let small = |part: &str| number(part, 2).or_else(|| number(part, 1));
    let date = format!("{year:04}-{:02}", small(month)?);
    match (parts.next(), parts.next()) {
        (None, _) => Some(date),
        (Some(day), None) => Some(format!("{date}-{:02}", small(day)?)),
        _ => None,
    }
}

/// The month in which a season begins, by its name in small letters.
pub(crate) fn season(name: &str) -> Option<u16> {
    SEASONS.iter().find(|(season, _)| *season == name).map(|(_, month)| *month)
}

/// The number of a month by its English name in small letters, whole or in three letters.
pub(crate) fn month(word: &str) -> Option<u8> {
    let is_named =
        |name: &&str| *name == word || (word.len() == 3 || word == "sept") && name.starts_with(word);
    MONTHS.iter().position(is_named).map(|place| place as u8 + 1)
}

/// A number of so many digits.
fn number(text: &str, digits: usize) -> Option<u16> {
    let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// What was said of when something is true; its precision is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Dates {
    pub(crate) since: Option<Span>,
    pub(crate) until: Option<Span>,
}

impl Dates {
    /// Reads what an application gives: an object with `since`, `until` or both.
    ///
    /// # Errors
    /// `InvalidInput` for anything else, and for an end before the beginning.
    pub(crate) fn given(dates: &Value) -> Result<Self> {
        let Some(members) = dates.as_object() else {
            return Err(invalid(format!("dates is {}; pass an object {{ since, until }}", shown(dates))));
        };
        if let Some(name) = members.keys().find(|name| !matches!(name.as_str(), SINCE | UNTIL)) {
            return Err(invalid(format!("dates.{name} is unknown; dates has since and until")));
        }
        let read = |name: &str| {
            let Some(text) = members.get(name).filter(|text| !text.is_null()) else { return Ok(None) };
            text.as_str().and_then(Span::read).map(Some).ok_or_else(|| {
                invalid(format!(
                    "dates.{name} is {}, which is no date; give one such as \"2021-05-14\", \"2021-05\", \
                     \"spring 2021\", \"2021\" or \"1990s\"",
                    shown(text)
                ))
            })
        };
        let dates = Self { since: read(SINCE)?, until: read(UNTIL)? };
        if let (Some(since), Some(until)) = (&dates.since, &dates.until)
            && until.ends <= since.begins
        {
            let message =
                format!("dates.until is {:?}, before dates.since, which is {:?}", until.text, since.text);
            return Err(invalid(message));
        }
        Ok(dates)
    }

    /// As it is stored; `None` for none.
    pub(crate) fn value(&self) -> Option<Value> {
        let mut members = Map::new();
        for (name, span) in [(SINCE, &self.since), (UNTIL, &self.until)] {
            if let Some(span) = span {
                members.insert(name.to_owned(), span.text.as_str().into());
            }
        }
        (!members.is_empty()).then_some(Value::Object(members))
    }
}

/// The dates of a record as a line tells them: since and until when, as that was said; without a beginning, when it was said, if that
/// is known. Empty where nothing is.
pub(crate) fn told(dates: Option<&Value>, said: Option<Timestamp>) -> String {
    let date = |name: &str| dates?.get(name)?.as_str();
    let since = match date(SINCE) {
        Some(since) => Some(format!("{SINCE} {since}")),
        None => said.map(|said| format!("said {}", time::date(said))),
    };
    let until = date(UNTIL).map(|until| format!("{UNTIL} {until}"));
    since.into_iter().chain(until).collect::<Vec<_>>().join(", ")
}

/// Until when something was so that is no longer, as that was said, or by when that was known.
pub(crate) fn over(dates: Option<&Value>, ended: Timestamp) -> String {
    match dates.and_then(|dates| dates.get(UNTIL)?.as_str()) {
        Some(until) => format!(", {UNTIL} {until}"),
        None => format!(" by {}", time::date(ended)),
    }
}

/// Sets or removes one of the dates in the content of a record.
pub(crate) fn set(value: &mut Value, name: &str, span: Option<&Span>) {
    let Value::Object(members) = value else { return };
    let mut dates = members.remove("dates").and_then(|dates| match dates {
        Value::Object(dates) => Some(dates),
        _ => None,
    });
    match span {
        Some(span) => drop(dates.get_or_insert_default().insert(name.to_owned(), span.text.as_str().into())),
        None => drop(dates.as_mut().map(|dates| dates.remove(name))),
    }
    if let Some(dates) = dates.filter(|dates| !dates.is_empty()) {
        members.insert("dates".to_owned(), dates.into());
    }
}

/// Sets or removes since when a record is true.
pub(crate) fn set_since(value: &mut Value, span: Option<&Span>) {
    set(value, SINCE, span);
}

/// Sets or removes until when a record was true.
pub(crate) fn set_until(value: &mut Value, span: Option<&Span>) {
    set(value, UNTIL, span);
}

/// The earlier beginning of two records becomes that of the first. What was said of a beginning counts more than when it was said.
pub(crate) fn join(kept: &mut Record, other: &Record) {
    let since = |record: &Record| {
        record.value.get("dates").and_then(|dates| dates.get(SINCE)?.as_str()).and_then(Span::read)
    };
    let (own, said) = (since(kept), since(other));
    let takes = match (&own, &said) {
        (Some(own), Some(said)) => said.begins < own.begins,
        (own, said) => own.is_none() && (said.is_some() || other.valid_from < kept.valid_from),
    };
    if takes {
        kept.valid_from = other.valid_from;
        set_since(&mut kept.value, said.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_precision_has_a_beginning_and_an_end() {
        for (said, text, begins, ends) in [
            ("2021-05-14", "2021-05-14", "2021-05-14", "2021-05-15"),
            ("2021-05-14T10:30", "2021-05-14", "2021-05-14T10:30", "2021-05-15"),
            ("2021-12", "2021-12", "2021-12-01", "2022-01-01"),
            ("Spring 2021", "spring 2021", "2021-03-01", "2021-06-01"),
            ("fall 2021", "fall 2021", "2021-09-01", "2021-12-01"),
            ("winter 2021", "winter 2021", "2021-12-01", "2022-03-01"),
            (" 2021 ", "2021", "2021-01-01", "2022-01-01"),
            ("1990s", "1990s", "1990-01-01", "2000-01-01"),
            ("the spring of 2021", "spring 2021", "2021-03-01", "2021-06-01"),
            ("Summer of 2021", "summer 2021", "2021-06-01", "2021-09-01"),
            ("May 2021", "2021-05", "2021-05-01", "2021-06-01"),
            ("late sept. 2021", "2021-09", "2021-09-01", "2021-10-01"),
            ("5 May 2021", "2021-05-05", "2021-05-05", "2021-05-06"),
            ("May 5, 2021", "2021-05-05", "2021-05-05", "2021-05-06"),
            ("the 22nd of May 2021", "2021-05-22", "2021-05-22", "2021-05-23"),
            ("early 2020", "2020", "2020-01-01", "2021-01-01"),
            ("mid-2020", "2020", "2020-01-01", "2021-01-01"),
            ("late spring 2021", "spring 2021", "2021-03-01", "2021-06-01"),
            ("the early 1990s", "1990s", "1990-01-01", "2000-01-01"),
            ("Christmas 2020", "2020-12-25", "2020-12-25", "2020-12-26"),
            ("1960", "1960", "1960-01-01", "1961-01-01"),
            ("2021-5", "2021-05", "2021-05-01", "2021-06-01"),
            ("2021/05/4", "2021-05-04", "2021-05-04", "2021-05-05"),
            ("2021.5.14.", "2021-05-14", "2021-05-14", "2021-05-15"),
            ("2021年5月", "2021-05", "2021-05-01", "2021-06-01"),
            ("2021년 5월 4일", "2021-05-04", "2021-05-04", "2021-05-05"),
        ] {
            let span = Span::read(said).unwrap();
            assert_eq!((span.text.as_str(), Some(span.begins)), (text, time::parse(begins)), "{said}");
            assert_eq!(Some(span.ends), time::parse(ends), "{said}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for said in [
            "",
            "soon",
            "21",
            "2021-13",
            "2021-00",
            "2021-02-30",
            "1995s",
            "s",
            "spring",
            "spring 21",
            "May",
            "May 21",
            "32 May 2021",
            "May 5 6, 2021",
            "last May 2021",
            "Mayor 2021",
            "early",
            "Christmas",
            "about 2021",
            "not in 2021",
            "2021-spring",
            "+021",
            "0001",
            "9999s",
            "\u{ff12}\u{ff10}\u{ff12}\u{ff11}",
        ] {
            assert_eq!(Span::read(said), None, "{said}");
        }
    }

    #[test]
    fn dates_are_read_as_they_are_written() {
        let given = |dates: Value| Dates::given(&dates);
        let dates = serde_json::json!({ "since": "spring 2021", "until": "2023" });
        assert_eq!(given(dates.clone()).unwrap().value(), Some(dates));
        assert_eq!(given(serde_json::json!({ "since": null })).unwrap().value(), None);
        for wrong in [
            serde_json::json!("2021"),
            serde_json::json!({ "from": "2021" }),
            serde_json::json!({ "since": 2021 }),
            serde_json::json!({ "since": "soon" }),
            serde_json::json!({ "since": "2023", "until": "2021" }),
        ] {
            assert!(given(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
