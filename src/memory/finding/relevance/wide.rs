//! Names in Korean, Japanese and Chinese, which no capital tells, by how facts begin; and how the user is called there.

use super::attributes::{Attributes, asked_by, is_attribute, kinds_of_phrases};
use super::kin::{Kin, kin_at, kin_in};
use super::titles::{
    FAMILIES_CHINESE, FAMILIES_KOREAN, bare_japanese, bare_korean, begins_with_title, korean_words, titled,
};
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

/// What stands behind a name in a Chinese fact.
const BEHIND_CHINESE: &str = "的是在有会對对怕喜不想爱愛住开開做和跟每也都";

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
        before.ends_with(['老', '小']) || begins_with_title(behind)
    })
}

/// The names that facts give by how they begin, and of whom the user's relatives are named so.
#[inline(never)]
pub(super) fn named<'f>(facts: impl Iterator<Item = &'f str> + Clone) -> Vec<(String, Option<usize>)> {
    let mut names: Vec<(String, Option<usize>)> = Vec::new();
    for fact in facts {
        let kin = kin_in(fact);
        let beginning = (!begins_with_user(fact)).then(|| name_at(fact)).flatten();
        let beginning = beginning.filter(|name| !is_attribute(name));
        // "한도윤는 사용자의 남편이다", "健太はユーザーの兄だ".
        let own = kin.first().filter(|kin| beginning.is_some() && mentions_user(fact) && kin.start > 0);
        names.extend(beginning.map(|name| (name, own.map(|kin| kin.line))));
        // "사용자의 남편 한도윤는", "ユーザーの兄の健太は", "用户的妻子苏婉清是".
        if let Some(Kin { line, end, .. }) = kin.first().filter(|_| begins_with_user(fact)) {
            let behind = fact.get(*end..).unwrap_or_default();
            let is_next = behind.starts_with([' ', 'の']) || behind.starts_with(is_ideograph);
            let name = is_next.then(|| name_at(behind.trim_start_matches([' ', 'の']))).flatten();
            let name = name_told(behind).map(str::to_owned).or(name);
            names.extend(name.map(|name| (name, Some(*line))));
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Behind which words a relative is told by name, which is all that follows; and how that ends.
const TELLING_NAMES: &[&str] =
    &["的名字是", "的名字叫", "名叫", "叫", "是", "の名前は", "は", "의 이름은 ", " 이름은 ", "은 ", "는 "];
const NAMES_END: &[&str] = &["입니다", "이에요", "예요", "이다", "です", "である", "だ"];
/// How Korean words end that tell what somebody is.
const CALLINGS: &[char] = &['사', '생', '관', '가', '자'];

/// The name of a relative where all that is told of them is that: "여동생은 윤하진이다", "上司は田村さん", "领导是王磊".
#[inline(never)]
fn name_told(behind: &str) -> Option<&str> {
    let (copula, told) =
        TELLING_NAMES.iter().find_map(|copula| Some((*copula, behind.strip_prefix(copula)?)))?;
    let told = told.trim_end_matches(['。', '.', '!', '！', ' ']);
    let told = NAMES_END.iter().find_map(|end| told.strip_suffix(end)).unwrap_or(told);
    let first = told.chars().next()?;
    let length = told.chars().count();
    let is_name = match () {
        () if is_hangul(first) => {
            length == 3
                && FAMILIES_KOREAN.contains(first)
                && told.chars().all(is_hangul)
                && !told.ends_with(CALLINGS)
        }
        () if copula.ends_with('は') => {
            bare_japanese(told).is_some_and(|bare| (1..=LONGEST).contains(&bare.chars().count()))
        }
        () => {
            let is_called = copula.ends_with('叫') && length <= 4;
            told.chars().all(is_chinese_character)
                && (is_called || (2..=3).contains(&length) && FAMILIES_CHINESE.contains(first))
        }
    };
    let name = bare_japanese(told).unwrap_or(told);
    (is_name && !is_attribute(name)).then_some(name)
}

/// Whether a text calls somebody by name who belongs to the user: a relative, or "上司は田村さん".
#[inline(never)]
pub(super) fn calls_by_name(text: &str) -> bool {
    let is_told = || {
        let mut copulas = TELLING_NAMES.iter().filter_map(|copula| text.find(copula));
        begins_with_user(text)
            && copulas.any(|at| text.get(at..).is_some_and(|behind| name_told(behind).is_some()))
    };
    !text.is_ascii() && (named(std::iter::once(text)).iter().any(|(_, kin)| kin.is_some()) || is_told())
}

/// The name that a text begins with, without what stands behind it.
fn name_at(text: &str) -> Option<String> {
    let first = text.chars().next()?;
    let name: String = if is_hangul(first) {
        let word = korean_words(text).next()?;
        let name = without_particle(word).unwrap_or(word);
        let bare = bare_korean(name);
        bare.filter(|bare| !bare.is_empty()).unwrap_or(name).to_owned()
    } else if let Some((name, _)) = text.split_once(['は', 'が', 'の', 'も']) {
        let bare = bare_japanese(name);
        bare.unwrap_or(name).to_owned()
    } else if is_ideograph(first) && !text.contains(is_hiragana) {
        let name: String = text.chars().take(3).take_while(|c| !BEHIND_CHINESE.contains(*c)).collect();
        let is_family = FAMILIES_CHINESE.contains(first);
        let mut signs = name.chars();
        let is_double = signs.next() == signs.next();
        let behind = name.get(first.len_utf8()..).unwrap_or_default();
        if begins_with_title(behind) {
            return None;
        }
        match name.chars().count() {
            2 if is_family || is_double => name,
            3 if is_double => name.chars().take(2).collect(),
            3 if is_family => name,
            _ => return None,
        }
    } else {
        return None;
    };
    let length = name.chars().count();
    let is_name = (2..=LONGEST).contains(&length)
        && name.chars().all(|c| matches!(script(c), Script::Hangul | Script::Han));
    is_name.then_some(name)
}

/// How else somebody of a name may be called: by the given name alone.
pub(super) fn given(name: &str) -> Option<&str> {
    let mut signs = name.char_indices();
    let (_, first) = signs.next()?;
    let is_family = FAMILIES_KOREAN.contains(first) || FAMILIES_CHINESE.contains(first);
    let (second, _) = signs.next()?;
    (is_family && signs.count() == 1).then(|| name.get(second..)).flatten()
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

    #[test]
    fn facts_give_names_and_relatives() {
        let facts = [
            "사용자의 남편 한도윤는 약사다",
            "서진은 배를 탄다",
            "ユーザーの兄の健太は画家だ",
            "中村さんは医者だ",
        ];
        let names: Vec<String> = named(facts.into_iter()).into_iter().map(|(name, _)| name).collect();
        for name in ["한도윤", "서진", "健太", "中村"] {
            assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
        }
        let related =
            |fact: &str| named([fact].into_iter()).into_iter().find_map(|(name, kin)| kin.map(|_| name));
        assert_eq!(related("苏婉清是用户的妻子").as_deref(), Some("苏婉清"));
        assert_eq!(related("用户的儿子乐乐喜欢画画").as_deref(), Some("乐乐"));
        assert_eq!(related("用户的舅舅在杭州开车"), None);
        for (fact, name) in [
            ("사용자의 여동생은 윤하진이다", Some("윤하진")),
            ("사용자의 여동생은 간호사이다", None),
            ("ユーザーの母は山田花子さんだ", Some("山田花子")),
            ("ユーザーの兄は医者だ", None),
            ("用户的弟弟是王磊", Some("王磊")),
            ("用户的妹妹是老师", None),
            ("用户的妹妹叫小雨", Some("小雨")),
        ] {
            assert_eq!(related(fact).as_deref(), name, "{fact}");
        }
        assert!(calls_by_name("ユーザーの上司は田村さん") && !calls_by_name("ユーザーの上司は厳しい"));
        assert_eq!(given("한도윤"), Some("도윤"));
        assert_eq!(given("乐乐"), None);
    }
}
