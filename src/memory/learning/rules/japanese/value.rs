//! Japanese values: names, things, places and occupations, told apart by their letters.

use super::words;
use crate::memory::rules::digits::{self, number};
use crate::memory::rules::table::{among, strip_end, strip_start};

/// The longest thing or activity, in letters.
const LONGEST: usize = 20;

fn hiragana(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{309f}')
}

fn kanji(letter: char) -> bool {
    matches!(letter, '\u{4e00}'..='\u{9fff}' | '々')
}

fn katakana(letter: char) -> bool {
    matches!(letter, '\u{30a1}'..='\u{30ff}')
}

/// Drops adverbs at the start.
pub(super) fn without_adverbs(mut text: &str) -> &str {
    while let Some(rest) = strip_start(text, words::ADVERBS).filter(|rest| !rest.is_empty()) {
        text = rest;
    }
    text
}

/// One noun: no particle can hide in it.
fn noun(text: &str) -> bool {
    if text.is_empty() || text.chars().count() > LONGEST {
        return false;
    }
    if words::NOT_THINGS.iter().any(|part| pointed(text, part)) {
        return false;
    }
    if among(words::HIRAGANA, text) {
        return true;
    }
    text.split('の').all(|part| {
        let part = part.strip_prefix(['お', 'ご']).filter(|rest| rest.starts_with(kanji)).unwrap_or(part);
        !part.is_empty() && (among(words::HIRAGANA, part) || letters(part))
    })
}

/// Whether a text points at something: a short pointing word must be all of it.
fn pointed(text: &str, part: &str) -> bool {
    if part.chars().all(hiragana) {
        text.contains(part)
    } else {
        text == part || text.ends_with(part) && part.chars().count() > 1
    }
}

/// Kanji, katakana, Latin letters, and the hiragana that nouns made of verbs carry: `釣り`, `食べ歩き`.
fn letters(part: &str) -> bool {
    let mut before = None;
    part.chars().all(|letter| {
        let fits = kanji(letter)
            || katakana(letter)
            || letter.is_ascii_alphanumeric()
            || matches!(letter, '・' | '-' | '+' | '&')
            || ("りきみぎけえれめびべし".contains(letter) && before.is_some_and(kanji));
        before = Some(letter);
        fits
    }) && part.chars().any(|letter| kanji(letter) || katakana(letter) || letter.is_ascii_alphabetic())
}

/// Something done: "映画を見る" out of "映画を見ること".
fn activity(text: &str) -> Option<String> {
    let verb = text.strip_suffix("こと").or_else(|| text.strip_suffix('の'))?;
    let last = verb.chars().next_back()?;
    let object = ["を", "に", "で", "へ"].iter().find_map(|particle| verb.rsplit_once(particle));
    let (object, action) = object.map_or((None, verb), |(object, action)| (Some(object), action));
    let spelled = action.starts_with(|c| kanji(c) || katakana(c))
        || among("する つくる たべる よむ みる きく あそぶ", action);
    let fits = "うくぐすつぬぶむる".contains(last)
        && spelled
        && action.chars().count() <= 8
        && !["今日", "今週", "今月", "明日", "今夜"].iter().any(|day| verb.contains(day))
        && !action.contains(['は', 'が', 'を', '、'])
        && object.is_none_or(noun);
    fits.then(|| format!("{verb}こと"))
}

/// The things in a text: one, or several joined by "and".
pub(super) fn things(text: &str) -> Option<Vec<String>> {
    let text = without_adverbs(text);
    if let Some(value) = activity(text) {
        return Some(vec![value]);
    }
    let values: Vec<&str> = text.split(['と', 'や']).collect();
    let fits = values.len() <= 5 && values.iter().all(|value| noun(value));
    fits.then(|| values.into_iter().map(str::to_owned).collect())
}

/// The things that are liked or not; whoever is meant by a bare noun before 好き is none.
pub(super) fn tastes(text: &str) -> Option<Vec<String>> {
    let text = strip_end(text, words::ADVERBS).unwrap_or(text);
    let is_thing = |value: &String| {
        ![words::NOT_LIKED, words::RELATIVES, words::PERSONS].iter().any(|table| among(table, value))
    };
    things(text).filter(|values| values.iter().all(is_thing))
}

/// One thing.
pub(super) fn thing(text: &str) -> Option<String> {
    things(text).filter(|values| values.len() == 1)?.pop()
}

/// A place: known, or named as a town, ward or prefecture; `の` joins a wider and a narrower one.
pub(super) fn place(text: &str) -> Option<String> {
    let text = without_adverbs(text);
    let known = |part: &str| {
        let district = part.chars().count() >= 3
            && part.chars().next_back().is_some_and(|last| among(words::DISTRICTS, &last.to_string()))
            && part.chars().all(|letter| kanji(letter) || katakana(letter));
        among(words::PLACES, part) || district
    };
    (text.split('の').all(known) && !text.is_empty()).then(|| text.to_owned())
}

/// An occupation, with the nouns that narrow it.
pub(super) fn occupation(text: &str) -> Option<String> {
    let text = without_adverbs(text);
    let rest = words::OCCUPATIONS
        .split_ascii_whitespace()
        .filter_map(|entry| text.strip_suffix(entry))
        .min_by_key(|it| it.len())?;
    let plain = rest.is_empty() || noun(rest.strip_suffix('の').unwrap_or(rest));
    let own = !among("元 前の 私の 僕の 良い 名 迷 偽 他の", rest) && !text.contains("さん");
    (plain && own).then(|| text.to_owned())
}

/// A workplace.
pub(super) fn workplace(text: &str) -> Option<String> {
    let text = without_adverbs(text);
    let known = strip_end(text, words::WORKPLACES).is_some() || among(words::WORKPLACES, text);
    let telling = !among("会社 学校 塾 企業 高校 大学", text);
    (known && telling && noun(text)).then(|| text.to_owned())
}

/// A personal name.
pub(super) fn name(text: &str) -> Option<String> {
    let length = text.chars().count();
    let latin =
        text.chars().all(|c| c.is_ascii_alphabetic()) && text.starts_with(|c: char| c.is_ascii_uppercase());
    let written = text.chars().all(|c| kanji(c) || katakana(c))
        || (text.chars().all(hiragana) && (2..=5).contains(&length))
        || text.chars().all(|c| kanji(c) || hiragana(c))
            && text.starts_with(kanji)
            && length <= 5
            && text.chars().filter(|c| hiragana(*c)).count() <= 3
            && !text.ends_with(['い', 'な', 'の', 'が', 'は', 'に', 'で', 'も'])
        || latin;
    let fits =
        written && (1..=10).contains(&length) && !among(words::NOT_NAMES, text) && !text.contains("何");
    (fits && !among(words::OCCUPATIONS, text)).then(|| text.to_owned())
}

/// An age: "25歳".
pub(super) fn age(text: &str) -> Option<String> {
    let years = text.strip_suffix('歳').or_else(|| text.strip_suffix('才'))?;
    digits::age(years).map(str::to_owned)
}

/// A birthday: "5月3日".
pub(super) fn birthday(text: &str) -> Option<String> {
    let day = text.split_once('年').map_or(text, |(_, day)| day);
    let (month, day) = day.strip_suffix('日')?.split_once('月')?;
    let fits = (1..=12).contains(&number(month)?) && (1..=31).contains(&number(day)?);
    fits.then(|| text.to_owned())
}
