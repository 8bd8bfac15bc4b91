//! The time in the past that a statement names.

use super::dates::Dates;
use super::signs::year;
use super::words::words;
use crate::memory::span::{Span, season};
use crate::time::{DAY_MS, Timestamp, date};

/// The time in the past that a statement names, if it names one: "in May", "last month", "two years ago", "the spring of 2019".
pub(in crate::memory) fn past(statement: &str, now: Timestamp) -> Option<Span> {
    let dates = Dates::of(statement, now);
    let may_be = dates.ranges.is_empty() && dates.parts.iter().all(|part| part.month.is_none());
    past_season(statement, now).filter(|_| may_be && dates.parts.len() < 2).or_else(|| dates.only(now))
}

/// The first season that is named, of a year or as the last one.
fn past_season(statement: &str, now: Timestamp) -> Option<Span> {
    let lower = statement.to_ascii_lowercase();
    let words = words(&lower);
    let at = words.iter().position(|word| season(word).is_some())?;
    let of = |year: i32| Span::read(&format!("{} {year:04}", words.get(at)?));
    let behind = words.get(at + 1..)?;
    let behind = behind.strip_prefix(&["of"]).unwrap_or(behind);
    if let Some(year) = behind.first().and_then(|word| year(word)) {
        return of(year).filter(|span| span.begins <= now);
    }
    let this: i32 = date(now).get(..4)?.parse().ok()?;
    let is_over = match *words.get(at.checked_sub(1)?)? {
        "last" => true,
        "this" => false,
        _ => return None,
    };
    let fits = |span: &Span| if is_over { span.ends <= now } else { span.begins <= now };
    (this - 1..=this).rev().filter_map(of).find(fits)
}

impl Dates {
    /// The one time that is named, the last one before the present; `None` when none or several are.
    fn only(&self, now: Timestamp) -> Option<Span> {
        match (self.parts.as_slice(), self.ranges.as_slice()) {
            ([part], []) => part.last_before(now),
            ([], [range]) => {
                let (first, last) = (date(range.start), date(range.end - 1));
                // As precise as the range is: a day, a month, or a year; of a week in two months, the month of its middle.
                let same = [10, 7, 4].into_iter().find(|length| first.get(..*length) == last.get(..*length));
                let text = match same {
                    Some(same @ (10 | 7)) => first.get(..same)?.to_owned(),
                    _ if range.end - range.start <= 7 * DAY_MS => {
                        date(range.start.midpoint(range.end)).get(..7)?.to_owned()
                    }
                    same => first.get(..same?)?.to_owned(),
                };
                Some(Span { text, begins: range.start, ends: range.end })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_tells_when() {
        let now = crate::time::parse("2024-03-13T10:00").unwrap();
        for (said, told) in [
            ("I moved to Berlin last month", "2024-02"),
            ("I moved to Berlin in May", "2023-05"),
            ("I moved to Berlin in February", "2024-02"),
            ("I moved to Berlin in May 2021", "2021-05"),
            ("I moved to Berlin in 2019", "2019"),
            ("We got married on 2 May", "2023-05-02"),
            ("I quit my job yesterday", "2024-03-12"),
            ("I quit my job three days ago", "2024-03-10"),
            ("I got laid off two months ago", "2024-01"),
            ("I moved a year ago", "2023"),
            ("2 years ago I moved", "2022"),
            ("I moved a couple of years ago", "2022"),
            ("I quit last week", "2024-03"),
            ("I quit two weeks ago", "2024-02"),
            ("지난달에 부산으로 이사했어", "2024-02"),
            ("2년 전에 이사했어", "2022"),
            ("先月大阪に引っ越した", "2024-02"),
            ("3ヶ月前に引っ越した", "2023-12"),
            ("我去年搬到上海了", "2023"),
            ("我两年前搬到上海了", "2022"),
            ("我上個月搬到了台北", "2024-02"),
            ("我兩個月前搬到了台北", "2024-01"),
            ("I moved to Berlin in the summer of 2018", "summer 2018"),
            ("In spring 2019 I moved to Berlin", "spring 2019"),
            ("I moved to Berlin last spring", "spring 2023"),
            ("I moved to Berlin last winter", "winter 2023"),
            ("I moved to Berlin this winter", "winter 2023"),
            ("I moved to Berlin last spring, in May", "2023-05"),
            ("I moved to Spring in 2018", "2018"),
            ("I moved last year, in May", "2023-05"),
            ("I moved in early 2020", "2020"),
        ] {
            assert_eq!(past(said, now).map(|span| span.text).as_deref(), Some(told), "{said}");
        }
        for said in ["I moved to Berlin", "I moved in May or in June", "ages ago", "in spring"] {
            assert_eq!(past(said, now), None, "{said}");
        }
    }
}
