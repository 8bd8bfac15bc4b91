//! Korean noun phrases: names, things, places and occupations.

use super::Word;
use super::grammar;
use super::words;
use crate::memory::finding::count;
use crate::memory::rules::table::{among, ends_among};

/// The most words before the last one of a thing.
const MODIFIERS: usize = 2;

/// Endings of a describing word before a noun: `매운`, `조용한`.
const DESCRIBING: &str = "한 운 은 단 짠 신 긴 큰 쓴 진 찬 온 던 로운 의";

/// Endings that a bare noun before another noun does not have; the last say why something is so: "배불러서 케이크".
const PARTICLES: &str = "은 는 을 를 에 에서 에게 한테 고 면 해서 아서 어서 면서 니 요 다 만 도 까지 부터 께 지만 해 데 이라 \
    러서 라서 여서 려서 워서 와서 파서 빠서 싸서 커서 써서 나서 니까 느라 려고 더니";

/// How a word ends that tells why, where or what else is so.
const WHY: &str = "어서 아서 해서 러서 라서 여서 려서 워서 와서 파서 빠서 싸서 써서 니까 느라 려고 더니 는데 지만 면서 이라 에서 보다 까지";

/// Endings of adverbs that the table does not hold.
const ADVERBIAL: &str = "하게 나게 럽게 렇게 도록 부터 처럼 만큼 히";

/// Whether a word only says how, how much or since when: "10월부터 네이버에서 일해".
fn is_adverb(word: &str) -> bool {
    among(words::ADVERBS, word) || ends_among(ADVERBIAL, word)
}

/// Drops adverbs at both ends.
pub(super) fn without_adverbs<'a, 'b>(mut said: &'a [Word<'b>]) -> &'a [Word<'b>] {
    while let Some((first, rest)) = said.split_first() {
        said = match rest.split_first() {
            Some((next, rest)) if first.text == "더" && next.text == "이상" => rest,
            _ if is_adverb(first.text) => rest,
            _ => break,
        };
    }
    while let Some((last, rest)) = said.split_last() {
        said = match rest.split_last() {
            Some((before, rest)) if before.text == "더" && last.text == "이상" => rest,
            _ if is_adverb(last.text) => rest,
            _ => break,
        };
    }
    said
}

/// The words joined with single spaces.
pub(super) fn joined(said: &[Word<'_>], last: &str) -> String {
    let mut value = String::new();
    for word in said {
        value.push_str(word.text);
        value.push(' ');
    }
    value + last
}

/// Whether a word can be part of a value at all.
fn clean(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-.&+".contains(c))
}

/// The things named by these words; the last one has lost its particle already.
pub(super) fn things(before: &[Word<'_>], last: &str) -> Option<Vec<String>> {
    if matches!(last, "것" | "거" | "걸" | "게") {
        return activity(before).map(|value| vec![value]);
    }
    let mut values = Vec::new();
    let mut item: Vec<Word<'_>> = Vec::new();
    for word in before {
        if let Some(stem) = grammar::and(word.text).filter(|stem| thing_word(stem)) {
            values.push(joined(&item, stem));
            item.clear();
        } else if modifier(word.text) && item.len() < MODIFIERS {
            item.push(*word);
        } else {
            return None;
        }
    }
    // "땅콩 알레르기 있어서 못 먹어": why, and not what.
    if ends_among(WHY, last) {
        return None;
    }
    let person = among(words::PERSONS, last) || last.ends_with('씨') || last.ends_with('님');
    if !thing_word(last) || person || values.len() > 5 {
        return None;
    }
    values.push(joined(&item, last));
    Some(values)
}

/// "reading books" out of "책 읽는 것": the words before the dependent noun.
fn activity(before: &[Word<'_>]) -> Option<String> {
    let (verb, objects) = before.split_last()?;
    let plain = objects.len() <= MODIFIERS
        && objects.iter().all(|word| {
            let noun =
                grammar::object(word.text).or_else(|| word.text.strip_suffix("에서")).unwrap_or(word.text);
            thing_word(noun) && (noun != word.text || modifier(noun))
        });
    let noun =
        grammar::activity(verb.text).filter(|_| clean(verb.text) && !among(words::NOT_THINGS, verb.text))?;
    // A lone one-syllable verb says too little: "하는 것", "보는 것".
    let telling = !objects.is_empty() || noun.chars().count() > 2;
    (plain && telling).then(|| joined(objects, &noun))
}

fn thing_word(word: &str) -> bool {
    clean(word) && !among(words::NOT_THINGS, word) && !word.chars().all(|c| c.is_ascii_digit())
}

/// Whether a word can describe the noun after it.
fn modifier(word: &str) -> bool {
    let bare = !ends_among(PARTICLES, word)
        && (grammar::subject(word).is_none() || word.ends_with("이"))
        && !ends_among("를 가", word);
    thing_word(word) && (ends_among(DESCRIBING, word) || bare) && !among(words::PERSONS, word)
}

/// A place in these words, the last without its particle: "서울", "서울 강남구".
pub(super) fn place(before: &[Word<'_>], last: &str) -> Option<String> {
    let place = |word: &str| {
        let long = word.chars().count() >= 3;
        let district = long && ends_among(words::DISTRICTS, word) && !word.ends_with("아이들");
        among(words::PLACES, word) || district
    };
    let fits = before.len() <= 2 && before.iter().all(|word| place(word.text)) && clean(last) && place(last);
    (fits && !ends_among("기숙사 근처 도시 동네 반도", last)).then(|| joined(before, last))
}

/// An occupation in these words.
pub(super) fn occupation(before: &[Word<'_>], last: &str) -> Option<String> {
    let known = ends_among(words::OCCUPATIONS, last)
        && !among(words::NOT_OCCUPATIONS, last)
        && !among("인사 의사소통 좋은의사", last)
        && clean(last);
    let modifiers = before.len() <= MODIFIERS
        && before.iter().all(|word| {
            let describes =
                word.text.ends_with("한") || word.text.ends_with("은") || word.text.ends_with("인");
            modifier(word.text)
                && !describes
                && !among("좋은 나쁜 훌륭한 전직 전 예비 미래의 남의", word.text)
        });
    (known && modifiers).then(|| joined(before, last))
}

/// A personal name in one word.
pub(super) fn name(word: &str) -> Option<&str> {
    let length = word.chars().count();
    let hangul = word.chars().all(|c| matches!(c, '\u{ac00}'..='\u{d7a3}')) && (2..=4).contains(&length);
    let latin = word.chars().all(|c| c.is_ascii_alphabetic())
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && (2..=20).contains(&length);
    let ordinary =
        among(words::NOT_NAMES, word) || among(words::NOT_THINGS, word) || among(words::PERSONS, word);
    let occupied = ends_among(words::OCCUPATIONS, word) && length > 2;
    ((hangul || latin) && !ordinary && !occupied).then_some(word)
}

/// A full name in one word: a family name and two syllables of given names.
pub(super) fn full_name(word: &str) -> Option<&str> {
    let mut syllables = word.chars().map(|c| c.to_string());
    let surname = syllables.next().is_some_and(|first| among(words::SURNAMES, &first));
    let given: Vec<String> = syllables.collect();
    let fits = surname && given.len() == 2 && given.iter().all(|syllable| among(words::GIVEN, syllable));
    name(word).filter(|_| fits)
}

/// An age in years: "25살", "25 살"; the digits alone.
pub(super) fn age(before: &[Word<'_>], last: &str) -> Option<String> {
    let digits = match before {
        [] => last.strip_suffix('살').or_else(|| last.strip_suffix('세'))?,
        [number] if matches!(last, "살" | "세") => number.text,
        _ => return None,
    };
    // In words, with nothing before them: "서른두".
    let in_words = || count(digits).filter(|_| digits.chars().all(|c| matches!(c, '가'..='힣')));
    let age = digits.parse().ok().or_else(in_words)?;
    (5..=119).contains(&age).then(|| age.to_string())
}

/// A company or workplace.
pub(super) fn workplace(before: &[Word<'_>], last: &str) -> Option<String> {
    let known = among(words::COMPANIES, last)
        || ends_among(words::WORKPLACES, last)
        || before.is_empty() && among(words::SCHOOLS, last);
    let generic = before.is_empty() && among("회사 학교 학원 은행 병원 병원에", last);
    let modifiers = before.len() <= MODIFIERS && before.iter().all(|word| modifier(word.text));
    (known && !generic && modifiers && clean(last)).then(|| joined(before, last))
}
