//! The words and signs by which days, counted times and the bounds of dates are told, in English, Chinese, Japanese and Korean.

use super::words::{holds, words};

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
    text.match_indices(sign).map(|(at, _)| at).find(is_own)
}

/// The only day of the week that a query names, as days after Monday; "every Monday", "on Mondays" and "next Monday", when nothing was
/// said yet, name none.
pub(super) fn weekday(query: &str) -> Option<i64> {
    if holds(query, NEXT_WEEK) {
        return None;
    }
    let lower = query.to_ascii_lowercase();
    let words = words(&lower);
    let is_named = |name: &str, signs: &[&str]| {
        let at = words.iter().position(|word| *word == name);
        let before = at.and_then(|at| words.get(at.checked_sub(1)?));
        let is_other = |word: &&str| matches!(*word, "every" | "each" | "next" | "coming" | "following");
        at.is_some() && !before.is_some_and(is_other) || holds(query, signs)
    };
    let mut named =
        (0..).zip(WEEKDAYS).filter(|(_, (name, signs))| is_named(name, signs)).map(|(day, _)| day);
    named.next().filter(|_| named.next().is_none())
}

/// The week that comes, in Chinese, Japanese and Korean.
const NEXT_WEEK: &[&str] = &["下周", "下星期", "下週", "来週", "다음 주", "다음주"];

pub(super) const WEEKDAYS: [(&str, &[&str]); 7] = [
    ("monday", &["周一", "星期一", "月曜", "월요일"]),
    ("tuesday", &["周二", "星期二", "火曜", "화요일"]),
    ("wednesday", &["周三", "星期三", "水曜", "수요일"]),
    ("thursday", &["周四", "星期四", "木曜", "목요일"]),
    ("friday", &["周五", "星期五", "金曜", "금요일"]),
    ("saturday", &["周六", "星期六", "土曜", "토요일"]),
    ("sunday", &["周日", "周天", "星期日", "星期天", "日曜", "일요일"]),
];

/// What stands behind a date before which something was, and since which, in Chinese, Japanese and Korean.
pub(super) const BEFORE: &[&str] =
    &["年以前", "月以前", "日以前", "年之前", "月之前", "年より前", "月より前", "년 이전", "월 이전"];
pub(super) const SINCE: &[&str] =
    &["以来", "以後", "以降", "以后", "이후", "年から", "月から", "년부터", "월부터"];

/// Days, weeks, months and years, and how so many of them ago are told.
pub(super) const UNITS: [(char, &[&str]); 4] = [
    ('d', &["day ago", "days ago", "天前", "日前", "일 전"]),
    ('w', &["week ago", "weeks ago", "周前", "週前", "个星期前", "週間前", "주 전", "주일 전"]),
    ('m', &["month ago", "months ago", "个月前", "個月前", "ヶ月前", "か月前", "カ月前", "개월 전", "달 전"]),
    ('y', &["year ago", "years ago", "年前", "년 전"]),
];
const NUMBERS: [(&str, i64); 27] = [
    ("a", 1),
    ("one", 1),
    ("two", 2),
    ("couple of", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("一", 1),
    ("两", 2),
    ("兩", 2),
    ("二", 2),
    ("三", 3),
    ("四", 4),
    ("五", 5),
    ("六", 6),
    ("十", 10),
    ("한", 1),
    ("일", 1),
    ("두", 2),
    ("세", 3),
    ("네", 4),
    ("다섯", 5),
];

/// The number at the end of a text.
pub(super) fn count(text: &str) -> Option<i64> {
    let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        return text.get(text.len() - digits..)?.parse().ok().filter(|count| *count < 1000);
    }
    let ends = |word: &str| {
        text.strip_suffix(word).is_some_and(|before| !before.ends_with(|c: char| c.is_ascii_alphanumeric()))
    };
    NUMBERS.iter().find(|(word, _)| ends(word)).map(|(_, count)| *count)
}

/// A year of four digits.
pub(super) fn year(word: &str) -> Option<i32> {
    word.parse().ok().filter(|year| word.len() == 4 && (1900..2200).contains(year))
}
