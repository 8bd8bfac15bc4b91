//! Names in Korean, Japanese and Chinese, which no capital tells, by how facts begin; and how the user is called there.

use super::attributes::{Attributes, asked_by, kinds_of_phrases};
use super::kin::{kin_at, kin_in};
use super::titles::{begins_with_title, titled};
use super::wide_names;
use super::wide_names::name_at;
use crate::among::among;
use crate::index::lexical::{Script, is_ideograph, script, without_particle};
use std::borrow::Cow;

/// Within how many characters of its beginning a fact names whom it is about.
const BEGINNING: usize = 12;
/// The most characters of a name.
pub(super) const LONGEST: usize = 8;

/// Behind or before which a Korean name stands that a question begins with.
const PARTICLES: &[&str] = &["은", "는", "이", "가", "의", "한테"];
const ASKING: &[&str] = &["어디", "뭐", "무슨", "언제", "몇"];

/// How words begin that are no names: those of time, of asking, and those that stand for others.
const NO_TOPICS: &str = "지금 요즘 요새 오늘 어제 내일 그저께 모레 현재 예전 이전 옛날 전에 작년 올해 내년 지난 다음 이번 주말 평소 보통 아침 점심 저녁 \
    누구 누가 무엇 뭐 뭘 어디 언제 어느 어떤 무슨 왜 얼마 몇 당신 너는 너의 네가 그는 그녀 그의 우리 여기 거기 이것 그것 이거 그거 \
    今 現在 最近 以前 昔 去年 昨年 来年 先週 先月 今週 来週 週末 普段 毎日 毎週 昨日 明日 一昨 朝 夜 誰 何 貴方 君 彼 皆 前";

/// How facts call the user.
pub(in crate::memory) const USER: &[&str] = &["사용자", "用户", "用戶", "ユーザー"];
/// How the user speaks of themselves.
const SELF: &[&str] = &["私", "僕", "俺", "わたし", "我", "咱"];
pub(super) const SELF_KOREAN: &str =
    "나 난 날 내 나는 내가 나의 나를 나한테 나에게 저 제 저는 제가 저의 저를 저한테 저희 우리";

pub(super) fn is_hangul(c: char) -> bool {
    script(c) == Script::Hangul
}

pub(super) fn is_chinese_character(c: char) -> bool {
    is_ideograph(c)
}

pub(super) fn is_hiragana(c: char) -> bool {
    ('\u{3041}'..='\u{309f}').contains(&c)
}

fn is_katakana(c: char) -> bool {
    ('\u{30a1}'..='\u{30fc}').contains(&c)
}

/// Whether a text is written in one of these scripts.
pub(super) fn is_wide(text: &str) -> bool {
    !text.is_ascii() && text.chars().any(|c| matches!(script(c), Script::Hangul | Script::Han))
}

/// Whether a fact begins with the user.
pub(super) fn begins_with_user(text: &str) -> bool {
    !text.is_ascii()
        && (USER.iter().chain(SELF).any(|user| text.starts_with(user))
            || text.split(' ').next().is_some_and(|word| among(SELF_KOREAN, word)))
}

/// Whether a text begins with somebody by name and title: "田中さんは", "김 팀장님은".
pub(super) fn begins_with_titled(text: &str) -> bool {
    let names = titled(text);
    names.iter().filter_map(|name| text.find(name)).any(|at| at <= LONGEST)
}

/// Behind which words of asking a Japanese word is what is asked about, as behind は: "上司って誰".
const ASKING_JAPANESE: &[&str] =
    &["誰", "何", "いつ", "どこ", "いくら", "どう", "どんな", "どの", "なん", "?", "？"];

/// How verbs are written of which って is the end: "学校行ってる".
const VERBS_JAPANESE: &str = "行持買使言作知入待座帰通会乗取思立走切送売払洗習飼歌吸打勝笑育要至違伝手";

/// A question as it would be written with care: a Japanese one with は for what stands for it in speech, "上司って誰", "誕生日っていつ", and an
/// English one with the hyphens of "sister-in-law".
#[inline(never)]
pub(super) fn in_writing(question: &str) -> Cow<'_, str> {
    if question.contains(" in law") {
        return Cow::Owned(question.replace(" in law", "-in-law"));
    }
    let is_noun = |before: &str| {
        let mut signs = before.chars().rev();
        let last: [Option<char>; 2] = [signs.next(), signs.next()];
        let is_written = |c: Option<char>| c.is_some_and(|c| is_chinese_character(c) || is_katakana(c));
        last.into_iter().all(is_written) && !before.ends_with(|c| VERBS_JAPANESE.contains(c))
    };
    let Some((before, behind)) = question.split_once("って") else { return Cow::Borrowed(question) };
    let is_asked = ASKING_JAPANESE.iter().any(|asks| behind.starts_with(asks)) || behind.is_empty();
    if is_asked && !before.is_empty() || is_noun(before) {
        Cow::Owned(format!("{before}は{behind}"))
    } else {
        Cow::Borrowed(question)
    }
}

/// What a question begins with that may be somebody's name: no word for what is asked for, no relative, and not the user.
pub(super) fn topic(question: &str) -> Option<&str> {
    let first = question.chars().next()?;
    let topic = if is_hangul(first) {
        let (word, behind) = question.split_once(' ')?;
        let bare = PARTICLES.iter().find_map(|particle| word.strip_suffix(particle));
        let is_bare = without_particle(word).is_none() && ASKING.iter().any(|asks| behind.starts_with(asks));
        bare.or_else(|| is_bare.then_some(word))?
    } else {
        question.split_once(['は', 'が', 'の'])?.0
    };
    let most = if is_hangul(first) { 3 } else { 2 };
    let is_word = (2..=most).contains(&topic.chars().count())
        && topic.chars().all(|c| is_hangul(c) || is_chinese_character(c));
    let is_asked = || {
        let is_other = NO_TOPICS.split(' ').any(|word| topic.starts_with(word));
        is_other || asked_by(topic) != 0 || mentions_user(topic) || kin_at(topic).is_some()
    };
    (is_word && !is_asked()).then_some(topic)
}

/// Whether a text leaves out whom it is about, who is the user then: "혈압약을 매일 먹어요", "最近在自学法语", "誕生日は7月21日です".
pub(super) fn leaves_out_subject(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    if begins_with_user(text) || begins_with_titled(text) || kin_of(text).is_some() {
        return false;
    }
    let is_topic =
        |topic: &str| asked_by(topic) == 0 && !NO_TOPICS.split(' ').any(|word| topic.starts_with(word));
    if is_hangul(first) {
        let word = text.split(' ').next().unwrap_or_default();
        let topic = ["은", "는", "이", "가", "의"].iter().find_map(|particle| word.strip_suffix(particle));
        return !topic.is_some_and(is_topic);
    }
    if text.contains(is_hiragana) {
        let begun: String = text.chars().take(BEGINNING).collect();
        return !begun.split_once(['は', 'が', 'の', 'も']).is_some_and(|(topic, _)| is_topic(topic));
    }
    is_chinese_character(first) && name_at(text).is_none()
}

/// Whether a text speaks of the user.
pub(super) fn mentions_user(text: &str) -> bool {
    !text.is_ascii() && (USER.iter().any(|user| text.contains(user)) || is_of_self(text))
}

/// Whether the user speaks of themselves.
pub(super) fn is_of_self(text: &str) -> bool {
    !text.is_ascii()
        && (SELF.iter().any(|own| text.contains(own)) || text.split(' ').any(|word| among(SELF_KOREAN, word)))
}

/// What a relative of the user is, where a text begins with them and speaks of the user no more.
pub(super) fn kin_of(text: &str) -> Option<Attributes> {
    if text.is_ascii() {
        return None;
    }
    let korean = text.split_once(' ').filter(|(own, _)| among(SELF_KOREAN, own)).map(|(_, rest)| rest);
    let other = || USER.iter().chain(SELF).find_map(|own| text.strip_prefix(own));
    let rest = korean.or_else(other).unwrap_or(text).trim_start_matches(['们', ' ', 'の', '的', '의']);
    let (kin, behind) = [text, rest].into_iter().find_map(kin_at)?;
    (!mentions_user(behind)).then(|| asked_by(kin) | kinds_of_phrases(kin, Attributes::MAX))
}

/// Whether a token is what the user calls themselves, with nothing else but grammar.
pub(super) fn is_self(token: &str) -> bool {
    let is_grammar = |rest: &str| rest.chars().all(is_hiragana);
    among(SELF_KOREAN, token) || SELF.iter().any(|own| token.strip_prefix(own).is_some_and(is_grammar))
}

/// How well a fact fits one of some names or relatives: 1 when it begins with them, less when it mentions them.
pub(super) fn place_of(names: &[String], kin: &[usize], fact: &str) -> Option<bool> {
    let by_name = names.iter().filter_map(|name| position(fact, name));
    let by_kin = if kin.is_empty() { Vec::new() } else { kin_in(fact) };
    let by_kin = by_kin.iter().filter(|found| kin.contains(&found.line)).map(|found| found.start);
    let first = by_name.chain(by_kin).min()?;
    Some(fact.get(..first).is_some_and(|before| before.chars().count() <= BEGINNING))
}

/// Where a fact names somebody. A family name alone must have something behind it that is said of people.
fn position(fact: &str, name: &str) -> Option<usize> {
    if name.chars().nth(1).is_some() {
        return fact.find(name);
    }
    fact.match_indices(name).map(|(at, _)| at).find(|at| {
        let behind = fact.get(at + name.len()..).unwrap_or_default().trim_start();
        let before = fact.get(..*at).unwrap_or_default();
        before.ends_with(['老', '小']) || begins_with_title(behind) || stands_alone(before, behind)
    })
}

/// Whether two facts are about the same one: the user, somebody of the same name, or a relative by the same word. "아들 준호는" and "준호는"
/// are.
pub(super) fn are_of_the_same(one: &str, other: &str) -> bool {
    let names = |fact: &str| -> Vec<String> {
        let mut names: Vec<String> =
            wide_names::named(std::iter::once(fact)).into_iter().map(|(name, _)| name).collect();
        names.extend(titled(fact));
        names
    };
    let kin = |fact: &str| {
        kin_in(fact).first().filter(|kin| begins_with_user(fact) || kin.start == 0).map(|kin| kin.line)
    };
    let (names, others) = (names(one), names(other));
    if names.iter().any(|name| other.contains(name.as_str()))
        || others.iter().any(|name| one.contains(name.as_str()))
    {
        return true;
    }
    match (kin(one), kin(other)) {
        (None, None) => names.is_empty() && others.is_empty(),
        (one, other) => one == other,
    }
}

/// How facts in the script of a question call the user.
pub(super) fn user_in(question: &str) -> &'static str {
    match () {
        () if question.contains(is_hangul) => "사용자 user",
        () if question.contains(|c| is_hiragana(c) || is_katakana(c)) => "ユーザー user",
        () if question.contains(is_chinese_character) => "用户 user",
        () => "user",
    }
}

/// Whether a text names somebody: a single character as a word of its own.
pub(super) fn names_in(text: &str, name: &str) -> bool {
    let is_single = name.chars().nth(1).is_none();
    let mut found = text.match_indices(name);
    found.any(|(at, _)| {
        let (before, behind) = (text.get(..at), text.get(at + name.len()..));
        !is_single || stands_alone(before.unwrap_or_default(), behind.unwrap_or_default())
    })
}

/// Whether a single Chinese character between two texts is a name by itself, as in Japanese: "蓮は".
fn stands_alone(before: &str, behind: &str) -> bool {
    !before.ends_with(is_chinese_character) && behind.starts_with(is_hiragana)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_about_in_speech() {
        for (spoken, written) in [
            ("上司って誰?", "上司は誰?"),
            ("こむぎって何歳？", "こむぎは何歳？"),
            ("免許って持ってる?", "免許は持ってる?"),
            ("学校行ってる?", "学校行ってる?"),
            ("どこで買ってもらった？", "どこで買ってもらった？"),
        ] {
            assert_eq!(in_writing(spoken), written);
        }
    }
}
