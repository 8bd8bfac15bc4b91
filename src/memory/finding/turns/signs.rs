//! The words and signs by which days, counted times and the bounds of dates are told, in English, Chinese, Japanese and Korean.

use super::words::{holds, words};
use crate::phrase::starts;

/// Where a sign stands in a text in small letters, in an alphabet as a word of its own.
pub(in super::super) fn find_word(text: &str, sign: &str) -> Option<usize> {
    // Chinese, Japanese and Korean have nothing between words, or endings that belong to them.
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && c < '\u{1100}');
    let is_own = |at: &usize| {
        let (head, tail) = text.split_at(*at);
        let behind = tail.get(sign.len()..).unwrap_or_default();
        !is_letter(sign.chars().next())
            || !(is_letter(head.chars().next_back()) || is_letter(behind.chars().next()))
    };
    starts(text, sign).find(is_own)
}

/// The only day of the week that a query names, as days after Monday; "every Monday", "on Mondays" and "next Monday", when nothing was
/// said yet, name none.
pub(super) fn weekday(query: &str) -> Option<i64> {
    if holds(query, NEXT_WEEK) {
        return None;
    }
    let lower = query.to_ascii_lowercase();
    let words = words(&lower);
    let is_named = |name: &str, signs: &str| {
        let at = words.iter().position(|word| *word == name);
        let before = at.and_then(|at| words.get(at.checked_sub(1)?));
        let is_other = |word: &&str| matches!(*word, "every" | "each" | "next" | "coming" | "following");
        at.is_some() && !before.is_some_and(is_other) || holds(query, signs)
    };
    let mut named =
        (0..).zip(WEEKDAYS).filter(|(_, (name, signs))| is_named(name, signs)).map(|(day, _)| day);
    named.next().filter(|_| named.next().is_none())
}

/// Whether a word in small letters is a day of the week.
pub(in crate::memory) fn is_weekday(word: &str) -> bool {
    WEEKDAYS.iter().any(|(day, _)| *day == word)
}

/// The week that comes, in Chinese, Japanese and Korean.
const NEXT_WEEK: &str = "下周|下星期|下週|来週|다음 주|다음주";

const WEEKDAYS: [(&str, &str); 7] = [
    ("monday", "周一|星期一|月曜|월요일"),
    ("tuesday", "周二|星期二|火曜|화요일"),
    ("wednesday", "周三|星期三|水曜|수요일"),
    ("thursday", "周四|星期四|木曜|목요일"),
    ("friday", "周五|星期五|金曜|금요일"),
    ("saturday", "周六|星期六|土曜|토요일"),
    ("sunday", "周日|周天|星期日|星期天|日曜|일요일"),
];

/// What stands behind a date before which something was, and since which, in Chinese, Japanese and Korean.
pub(super) const BEFORE: &str = "年以前|月以前|日以前|年之前|月之前|年より前|月より前|년 이전|월 이전";
pub(super) const SINCE: &str = "以来|以後|以降|以后|이후|年から|月から|년부터|월부터";

/// Days, weeks, months and years, and how so many of them ago are told.
pub(super) const UNITS: [(char, &[&str]); 4] = [
    ('d', &["day ago", "days ago", "天前", "日前", "일 전"]),
    ('w', &["week ago", "weeks ago", "周前", "週前", "个星期前", "週間前", "주 전", "주일 전"]),
    ('m', &["month ago", "months ago", "个月前", "個月前", "ヶ月前", "か月前", "カ月前", "개월 전", "달 전"]),
    ('y', &["year ago", "years ago", "年前", "년 전"]),
];
const NUMBERS: [(&str, i64); 69] = [
    ("a", 1),
    ("one", 1),
    ("two", 2),
    ("a couple of", 2),
    ("couple of", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("hundred", 100),
    ("thousand", 1000),
    ("一", 1),
    ("两", 2),
    ("兩", 2),
    ("二", 2),
    ("三", 3),
    ("四", 4),
    ("五", 5),
    ("六", 6),
    ("七", 7),
    ("八", 8),
    ("九", 9),
    ("十", 10),
    ("百", 100),
    ("千", 1000),
    ("한", 1),
    ("일", 1),
    ("두", 2),
    ("이", 2),
    ("세", 3),
    ("삼", 3),
    ("네", 4),
    ("사", 4),
    ("다섯", 5),
    ("오", 5),
    ("여섯", 6),
    ("육", 6),
    ("일곱", 7),
    ("칠", 7),
    ("여덟", 8),
    ("팔", 8),
    ("아홉", 9),
    ("구", 9),
    ("열", 10),
    ("스물", 20),
    ("스무", 20),
    ("서른", 30),
    ("마흔", 40),
    ("쉰", 50),
    ("예순", 60),
    ("일흔", 70),
    ("여든", 80),
    ("십", 10),
    ("백", 100),
    ("천", 1000),
];

/// The number at the end of a text; `None` also where what stands before it belongs to it and is not understood.
pub(in crate::memory) fn count(text: &str) -> Option<i64> {
    let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        let (before, count) = text.split_at_checked(text.len() - digits)?;
        return count.parse().ok().filter(|count| *count < 1000 && !before.ends_with(['.', ',', '-']));
    }
    // From behind: "twenty-one", 三十五, 二十.
    let (mut rest, last) = numeral(text)?;
    let is_place = |text: &str, number: i64| {
        matches!(number, 100 | 1000) || number == 10 && !text.ends_with(|c: char| c.is_ascii())
    };
    let mut is_open = is_place(text, last);
    let (mut sum, mut place) = if is_open { (0, last) } else { (last, 1) };
    loop {
        // In an alphabet something stands between them.
        let before =
            if text.ends_with(|c: char| c.is_ascii()) { rest.trim_end_matches(['-', ' ']) } else { rest };
        let before = before.strip_suffix(" and").unwrap_or(before);
        let Some((head, number)) = numeral(before) else { break };
        match number {
            1..=9 if is_open => (sum, is_open) = (sum + number * place, false),
            _ if is_place(before, number) && number > place && sum < number => {
                (place, is_open) = (number, true)
            }
            20..=90 if !is_open && place == 1 && sum < 10 => (sum, place) = (sum + number, 10),
            _ => return None,
        }
        rest = head;
    }
    Some(if is_open { sum + place } else { sum }).filter(|count| *count < 1000)
}

/// The numeral in words at the end of a text, with what stands before it.
fn numeral(text: &str) -> Option<(&str, i64)> {
    let before = |word: &str| {
        text.strip_suffix(word).filter(|before| !before.ends_with(|c: char| c.is_ascii_alphanumeric()))
    };
    NUMBERS.iter().find_map(|(word, number)| Some((before(word)?, *number)))
}

/// A year of four digits.
pub(super) fn year(word: &str) -> Option<i32> {
    word.parse().ok().filter(|year| word.len() == 4 && (1900..2200).contains(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the end of a numeral was read: "twenty-one" was one, 二十 ten, "2.5" five and "1,000" nothing.
    #[test]
    fn a_number_is_read_whole_or_not_at_all() {
        for (text, number) in [
            ("one", Some(1)),
            ("a couple of", Some(2)),
            ("about 12", Some(12)),
            ("in 3", Some(3)),
            ("twenty-one", Some(21)),
            ("twenty one", Some(21)),
            ("thirty", Some(30)),
            ("十二", Some(12)),
            ("二十", Some(20)),
            ("三十五", Some(35)),
            ("我七", Some(7)),
            ("约八", Some(8)),
            ("九", Some(9)),
            ("去了10", Some(10)),
            ("다섯", Some(5)),
            ("2.5", None),
            ("1,000", None),
            ("2-3", None),
            ("one or two", Some(2)),
            ("a hundred and two", Some(102)),
            ("two hundred", Some(200)),
            ("一百二十", Some(120)),
            ("열두", Some(12)),
            ("서른두", Some(32)),
            ("스무", Some(20)),
            ("이십", Some(20)),
            ("ten two", None),
            ("two three", None),
            ("three thousand", None),
            ("1000", None),
            ("some", None),
        ] {
            assert_eq!(count(text), number, "{text}");
        }
    }
}
