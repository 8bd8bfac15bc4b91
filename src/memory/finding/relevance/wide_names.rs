//! The names that Korean, Japanese and Chinese facts give: by how they begin, behind what somebody is to the user, and where somebody or
//! something is called so.

use super::attributes::is_attribute;
use super::kin::{Kin, kin_in};
use super::titles::{
    FAMILIES_CHINESE, FAMILIES_KOREAN, bare_japanese, bare_korean, begins_with_title, korean_words,
};
use super::wide::{LONGEST, begins_with_user, is_chinese_character, is_hangul, is_hiragana, mentions_user};
use crate::index::lexical::{Script, is_ideograph, script, without_particle};

/// What somebody or something may be to the user, beside a relative, behind which a fact names them: "친구 민규는", "友人の大輔は", "发小阿杰".
const ROLES: &[&str] = &[
    "친구",
    "동료",
    "선배",
    "후배",
    "상사",
    "팀장",
    "이웃",
    "룸메이트",
    "동창",
    "제자",
    "강아지",
    "고양이",
    "반려견",
    "반려묘",
    "햄스터",
    "앵무새",
    "친구",
    "애인",
    "연인",
    "약혼자",
    "友人",
    "友達",
    "親友",
    "同僚",
    "先輩",
    "後輩",
    "上司",
    "部下",
    "隣人",
    "恋人",
    "彼女",
    "彼",
    "婚約者",
    "同級生",
    "幼なじみ",
    "ママ友",
    "飼い犬",
    "飼い猫",
    "愛犬",
    "愛猫",
    "犬",
    "猫",
    "ルームメイト",
    "教え子",
    "生徒",
    "ペット",
    "うさぎ",
    "インコ",
    "ハムスター",
    "朋友",
    "闺蜜",
    "发小",
    "室友",
    "同事",
    "同学",
    "邻居",
    "领导",
    "上司",
    "徒弟",
    "师傅",
    "战友",
    "钓友",
    "球友",
    "学生",
    "搭档",
    "对象",
    "男朋友",
    "女朋友",
    "哥们",
    "死党",
    "狗",
    "猫",
    "宠物",
];
/// How Chinese given names in everyday use begin: "阿杰".
const FAMILIAR: char = '阿';
/// Behind which words somebody or something is called, in Korean and in Japanese; in Chinese it stands between two.
const CALLED_KOREAN: &[&str] = &["이라는", "라는", "이라고", "라고"];
const CALLED_JAPANESE: &[&str] = &["という", "って名前の", "っていう"];
const CALLED_CHINESE: (&str, &[char]) = ("叫", &['的', '，', '。', ',']);

/// What stands behind a name in a Chinese fact.
const BEHIND_CHINESE: &str = "的是在有会對对怕喜不想爱愛住开開做和跟每也都";

/// The names that facts give by how they begin, and of whom the user's relatives are named so.
#[inline(never)]
pub(super) fn named<'f>(facts: impl Iterator<Item = &'f str> + Clone) -> Vec<(String, Option<usize>)> {
    let mut names: Vec<(String, Option<usize>)> = Vec::new();
    for fact in facts {
        let kin = kin_in(fact);
        let beginning = (!begins_with_user(fact)).then(|| name_at(fact)).flatten();
        let beginning = beginning.filter(|name| !is_attribute(name) && name.chars().nth(1).is_some());
        // "한도윤는 사용자의 남편이다", "健太はユーザーの兄だ".
        let own = kin.first().filter(|kin| beginning.is_some() && mentions_user(fact) && kin.start > 0);
        names.extend(beginning.map(|name| (name, own.map(|kin| kin.line))));
        // "사용자의 남편 한도윤는", "ユーザーの兄の健太は", "用户的妻子苏婉清是".
        let is_whom = |kin: &&Kin| kin.start == 0 || begins_with_user(fact);
        if let Some(Kin { line, end, .. }) = kin.first().filter(is_whom) {
            let behind = fact.get(*end..).unwrap_or_default();
            let is_next = behind.starts_with([' ', 'の']) || behind.starts_with(is_ideograph);
            let name = is_next.then(|| name_at(behind.trim_start_matches([' ', 'の']))).flatten();
            let name = name_told(behind).map(str::to_owned).or(name);
            names.extend(name.filter(|name| !is_attribute(name)).map(|name| (name, Some(*line))));
        }
        names.extend(named_by_role(fact).or_else(|| called(fact)).map(|name| (name, None)));
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Whom a fact names behind what they are to the user: "사용자의 친구 민규는", "ユーザーの友人の大輔は", "用户的发小阿杰在".
fn named_by_role(fact: &str) -> Option<String> {
    let begins = fact.char_indices().nth(LONGEST * 2).map_or(fact.len(), |(end, _)| end);
    let ends = ROLES.iter().filter_map(|role| {
        let start = fact.get(..begins)?.rfind(role)?;
        let is_role = start == 0 || begins_with_user(fact);
        is_role.then_some(start + role.len())
    });
    let behind = fact.get(ends.max()?..)?;
    let is_next = behind.starts_with([' ', 'の']) || behind.starts_with(is_ideograph);
    let name = is_next.then(|| name_at(behind.trim_start_matches([' ', 'の']))).flatten();
    name.filter(|name| !is_attribute(name) && !ROLES.contains(&name.as_str()))
}

/// What a fact says that somebody or something is called: "모카라는 푸들", "きなこという猫", "一只叫芝麻的边牧".
fn called(fact: &str) -> Option<String> {
    let is_name = |name: &&str| {
        (2..=LONGEST).contains(&name.chars().count())
            && name.chars().all(|c| matches!(script(c), Script::Hangul | Script::Han))
            && !is_attribute(name)
    };
    if fact.contains(is_hangul) {
        let names =
            korean_words(fact).filter_map(|word| CALLED_KOREAN.iter().find_map(|end| word.strip_suffix(end)));
        return names.filter(is_name).map(str::to_owned).next();
    }
    if let Some(before) =
        CALLED_JAPANESE.iter().find_map(|called| fact.split_once(called)).map(|(before, _)| before)
    {
        let name =
            before.rsplit(['は', '、', 'の', 'に', 'が', 'を', '「', '」']).find(|piece| !piece.is_empty());
        return name.filter(is_name).map(str::to_owned);
    }
    let (before, ends) = CALLED_CHINESE;
    let (_, behind) = fact.split_once(before)?;
    let name = behind.split(ends).next()?;
    Some(name)
        .filter(|name| is_name(name) && name.chars().count() <= 4 && name.chars().all(is_chinese_character))
        .map(str::to_owned)
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
pub(super) fn name_at(text: &str) -> Option<String> {
    let first = text.chars().next()?;
    let name: String = if is_hangul(first) {
        let word = korean_words(text).next()?;
        let name = without_particle(word).unwrap_or(word);
        let bare = bare_korean(name);
        bare.filter(|bare| !bare.is_empty()).unwrap_or(name).to_owned()
    } else if let Some((name, _)) = text.split_once(['は', 'が', 'の', 'も']) {
        let bare = bare_japanese(name);
        bare.unwrap_or(name).to_owned()
    } else if first == FAMILIAR {
        text.chars().take(2).collect()
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
    // Japanese given names may be one character: "蓮は".
    let is_short = length == 1 && is_ideograph(first) && text.contains(is_hiragana) && text != name;
    let is_name = (is_short || (2..=LONGEST).contains(&length))
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
        for (fact, name) in [
            ("사용자의 친구 민규는 은행원이다", "민규"),
            ("ユーザーの友人の大輔は消防士だ", "大輔"),
            ("ユーザーの息子の蓮は小学生だ", "蓮"),
            ("用户的发小阿杰在深圳开健身房", "阿杰"),
            ("사용자는 모카라는 이름의 푸들을 키운다", "모카"),
            ("ユーザーはきなこという三毛猫を飼っている", "きなこ"),
            ("用户养了一只叫芝麻的边牧", "芝麻"),
        ] {
            assert!(named([fact].into_iter()).iter().any(|(known, _)| known == name), "{fact}");
        }
        for fact in
            ["사용자의 친구는 은행원이다", "ユーザーの友人は消防士だ", "用户的朋友很多", "友達と旅行した"]
        {
            assert!(named([fact].into_iter()).is_empty(), "{fact}: {:?}", named([fact].into_iter()));
        }
        assert_eq!(given("한도윤"), Some("도윤"));
        assert_eq!(given("乐乐"), None);
    }
}
