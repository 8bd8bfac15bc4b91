//! Chinese values: names, things, places and occupations, told apart by tables and by letters of grammar.

use super::words;
use crate::memory::rules::digits;
use crate::memory::rules::table::{among, ends_among, holds, strip_end, strip_start};

/// The longest thing or activity, in letters.
const LONGEST: usize = 12;

fn han(letter: char) -> bool {
    matches!(letter, '\u{4e00}'..='\u{9fff}' | '々')
}

/// Whether a text begins or ends with one of some letters.
fn begins(text: &str, letters: &str) -> bool {
    text.starts_with(|letter| letters.contains(letter))
}

fn ends(text: &str, letters: &str) -> bool {
    text.ends_with(|letter| letters.contains(letter))
}

/// One thing or activity: no grammar can hide in it but one `的` between two parts.
#[inline(never)]
fn noun(text: &str) -> bool {
    let fits = (1..=LONGEST).contains(&text.chars().filter(|letter| !letter.is_ascii()).count())
        || (text.is_ascii() && text.len() <= 30 && text.starts_with(|c: char| c.is_ascii_alphabetic()));
    let spelled =
        text.chars().all(|c| han(c) || c.is_ascii_alphanumeric() || matches!(c, '·' | '-' | '+' | '&' | ' '));
    fits && spelled
        && !text.contains(|letter| words::GRAMMAR.contains(letter))
        && !holds(words::NOT_IN_THINGS, text)
        && !among(words::NOT_THINGS, text)
        && !among(words::PERSONS, text)
        && !text.split_once('的').is_some_and(|(_, whose)| among(words::PERSONS, whose))
        && (!begins(text, words::NOT_FIRST) || strip_start(text, words::ABOVE).is_some())
        && !ends(text, words::NOT_LAST)
        && !text.starts_with('第')
        && text.matches('的').count() <= 1
}

/// The things in a text: one, or several in a list.
#[inline(never)]
pub(super) fn things(text: &str) -> Option<Vec<&str>> {
    let values: Vec<&str> = text.split(['、', '和', '与', '及']).map(str::trim).collect();
    let fits = values.len() <= 6 && values.iter().all(|value| noun(value));
    fits.then_some(values)
}

/// One thing.
#[inline(never)]
pub(super) fn thing(text: &str) -> Option<&str> {
    noun(text).then_some(text)
}

/// A place: known, or named as a town, district or province, the wider before the narrower.
#[inline(never)]
pub(super) fn place(text: &str) -> Option<&str> {
    let latin = text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.len() <= 30
        && text.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, ' ' | '-'));
    (latin || places(text, 4)).then_some(text)
}

/// Whether a text is a chain of at most so many places.
fn places(text: &str, most: usize) -> bool {
    if text.is_empty() || most == 0 {
        return false;
    }
    let after = |rest: &str| {
        let rest = rest.strip_prefix('的').unwrap_or(rest);
        rest.is_empty() || places(rest, most - 1)
    };
    let known = words::PLACES.split_ascii_whitespace().filter_map(|entry| text.strip_prefix(entry));
    let mut known = known.map(|rest| strip_start(rest, words::DISTRICTS).unwrap_or(rest));
    if known.any(after) {
        return true;
    }
    // A town that no table holds: two or three letters before what it is.
    let letters: Vec<(usize, char)> = text.char_indices().take(5).collect();
    (2..letters.len()).any(|count| {
        let Some((at, last)) = letters.get(count).copied() else { return false };
        let (name, rest) = (text.get(..at).unwrap_or_default(), text.get(at + last.len_utf8()..));
        among(words::DISTRICTS, &last.to_string())
            && name.chars().all(|c| han(c) && !words::GRAMMAR.contains(c))
            && strip_start(name, words::NOT_PLACES).is_none()
            && !name.contains(['的', '在', '大'])
            && rest.is_some_and(after)
    })
}

/// An occupation, with the nouns that narrow it.
#[inline(never)]
pub(super) fn occupation(text: &str) -> Option<&str> {
    let text = counted(text).unwrap_or(text);
    let rest = words::OCCUPATIONS
        .split_ascii_whitespace()
        .filter_map(|entry| text.strip_suffix(entry))
        .min_by_key(|rest| rest.len())?;
    let own = rest.strip_suffix('的').unwrap_or(rest);
    let fits = rest.is_empty() || (noun(own) && !among(words::NOT_OCCUPATIONS, own));
    (fits && !["前", "准", "伪", "假", "找", "问"].iter().any(|start| rest.starts_with(start)))
        .then_some(text)
}

/// A workplace.
#[inline(never)]
pub(super) fn workplace(text: &str) -> Option<&str> {
    let text = strip_start(text, "一家 一所 一间 某家 家").unwrap_or(text);
    let known = ends_among(words::WORKPLACES, text);
    let telling = !among("学校 大学 高中 中学 小学 商场 超市 酒店 饭店 餐厅 机场", text);
    (known && telling && noun(text)).then_some(text)
}

/// A school with a name of its own.
pub(super) fn school(text: &str) -> Option<&str> {
    let rest = words::SCHOOLS.split_ascii_whitespace().filter_map(|entry| text.strip_suffix(entry)).min()?;
    let known = !rest.is_empty() || !among("大学 学院 高中 中学 小学", text);
    (known && noun(text)).then_some(text)
}

/// A personal name: a family name with a given one, two letters of given names, or a Latin or transcribed name.
#[inline(never)]
pub(super) fn name(text: &str) -> Option<&str> {
    let text = text.trim();
    let letters: Vec<char> = text.chars().collect();
    let latin = !text.is_empty()
        && letters.len() <= 30
        && text.split(' ').all(|part| {
            part.starts_with(|c: char| c.is_ascii_uppercase())
                && part.chars().all(|c| c.is_ascii_alphabetic())
        });
    let given = |letter: &char| words::GIVEN.contains(*letter);
    let surname = |letter: &char| words::SURNAMES.contains(*letter);
    let transcribed = text.split_once('·').is_some_and(|(first, last)| {
        [first, last]
            .iter()
            .all(|part| (1..=5).contains(&part.chars().count()) && part.chars().all(|c| plain(&c)))
    });
    let written = match letters.as_slice() {
        [first, second] if first == second => given(first),
        ['小' | '阿', name] => plain(name) && (given(name) || surname(name)),
        [first, second] => (surname(first) || given(first)) && given(second),
        [first, middle, last] => {
            surname(first) && plain(middle) && plain(last) && (given(middle) || given(last))
        }
        [_, _, middle, last] => {
            strip_start(text, words::LONG_SURNAMES).is_some() && plain(middle) && plain(last)
        }
        _ => false,
    };
    let fits = (latin || transcribed || written)
        && !among(words::NOT_NAMES, text)
        && strip_end(text, words::OCCUPATIONS).is_none()
        && !among(words::OCCUPATIONS, text)
        && !among(words::PLACES, text);
    fits.then_some(text)
}

/// The name of a pet, which may be any word.
pub(super) fn pet_name(text: &str) -> Option<&str> {
    let letters: Vec<char> = text.chars().collect();
    let fits = (2..=3).contains(&letters.len()) && letters.iter().all(plain) && !among(words::PETS, text);
    if fits { Some(text) } else { name(text) }
}

/// Whether a letter may stand in a name.
fn plain(letter: &char) -> bool {
    han(*letter) && !words::NOT_IN_NAMES.contains(*letter) && !words::GRAMMAR.contains(*letter)
}

/// A number in digits, full width or not, or in Chinese numerals up to ninety-nine.
#[inline(never)]
fn number(text: &str) -> Option<u32> {
    const DIGITS: &str = "〇一二三四五六七八九";
    let numeral = |text: &str| match text.chars().collect::<Vec<_>>().as_slice() {
        [digit] => DIGITS.chars().position(|known| known == *digit),
        _ => None,
    };
    if let Some(number) = digits::number(text) {
        return Some(number);
    }
    let (tens, ones) = match text.split_once('十') {
        Some((tens, ones)) => (if tens.is_empty() { 1 } else { numeral(tens)? }, ones),
        None => (0, text),
    };
    let ones = if ones.is_empty() && tens > 0 { 0 } else { numeral(ones)? };
    u32::try_from(tens * 10 + ones).ok()
}

/// An age in digits or words: the "25" of "25岁".
pub(super) fn age(text: &str) -> Option<&str> {
    digits::age(text.strip_suffix('岁')?.trim_end())
}

/// The number of years of an age.
pub(super) fn years(text: &str) -> Option<&str> {
    digits::age(text.trim())
}

/// A birthday: "5月3日", "五月三号", "1990年5月3日".
pub(super) fn birthday(text: &str) -> Option<&str> {
    let date = strip_start(text, "农历 阴历 阳历 公历").unwrap_or(text);
    let day = date.split_once('年').map_or(date, |(_, day)| day);
    let (month, day) = day.split_once('月')?;
    let day = day.strip_suffix(['日', '号']).unwrap_or(day);
    let fits = (1..=12).contains(&number(month.trim())?) && (1..=31).contains(&number(day.trim())?);
    fits.then_some(text)
}

/// A year of birth: the "1990" of "1990年".
pub(super) fn birth_year(text: &str) -> Option<&str> {
    let digits = text.strip_suffix('年').unwrap_or(text);
    (digits.len() == 4 && (1900..=2100).contains(&number(digits)?)).then_some(digits)
}

/// The year of birth of somebody who speaks, also in two digits: the "98" of "98年的".
pub(super) fn year_of_people(text: &str) -> Option<&str> {
    let year = number(text).filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    let fits = match text.len() {
        2 => (40..=99).contains(&year) || year <= 15,
        4 => (1920..=2015).contains(&year),
        _ => false,
    };
    fits.then_some(text)
}

/// What is counted, without its number and measure: the "妹妹" of "一个妹妹".
pub(super) fn counted(text: &str) -> Option<&str> {
    let rest = strip_start(text, words::NUMERALS).unwrap_or(text);
    strip_start(rest, words::MEASURES).filter(|rest| !rest.is_empty())
}

/// A language, or several.
pub(super) fn languages(text: &str) -> Option<Vec<&str>> {
    let values: Vec<&str> = text.split(['、', '和', '与']).map(str::trim).collect();
    values.iter().all(|value| among(words::LANGUAGES, value)).then_some(values)
}
