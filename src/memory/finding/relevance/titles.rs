//! Names in Korean, Japanese and Chinese by what stands beside them, as in "민수 씨", "田中さん" and "许老师".

use super::kin::kin_in;
use super::wide::{LONGEST, SELF_KOREAN, is_hangul, is_hiragana, is_wide};
use crate::among::among;
use crate::index::lexical::{Script, is_ideograph, script, without_particle};

/// What stands behind a name: behind any, and behind a family name or a whole one, the longest first.
const KOREAN: &str = "씨 쌤";
const KOREAN_ROLES: &str = "선생님 선생 팀장님 팀장 과장님 과장 부장님 부장 대리님 대리 대표님 대표 사장님 사장 원장님 원장 교수님 교수 님";
const JAPANESE: &str = "さん くん ちゃん 様 氏 君 先生";
const CHINESE: &str = "老师 老師 先生 女士 小姐 阿姨 医生 醫生 经理 經理 主任 教练 师傅 教授 总 姐 哥 叔";
/// Before "さん" these name nobody.
const NOBODY: &str = "皆 客 大家 店員 医者 先輩 赤 猫 犬 神 業者 看護師";

/// Family names.
pub(super) const FAMILIES_KOREAN: &str = "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진나지엄채원천방공현함변염";
pub(super) const FAMILIES_CHINESE: &str = "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭程曹袁邓鄧许許\
    傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎閻余潘杜戴夏钟鍾汪田任姜范石姚谭譚廖邹鄒熊陆陸郝孔崔康毛邱秦江史顾顧侯邵孟龙龍\
    段雷钱錢汤湯尹黎牛乔喬贺賀赖賴龚龔";
/// Whether a character may be part of a Japanese name before "さん".
fn is_of_name(c: char) -> bool {
    script(c) == Script::Han && !is_hiragana(c)
}

fn all() -> impl Iterator<Item = &'static str> {
    [KOREAN, KOREAN_ROLES, JAPANESE, CHINESE].into_iter().flat_map(|titles| titles.split(' '))
}

/// Whether a text goes on with what stands behind names.
pub(super) fn begins_with_title(behind: &str) -> bool {
    all().any(|title| behind.starts_with(title))
}

/// A name without what stands behind it; `None` when nothing does.
pub(super) fn bare_korean(name: &str) -> Option<&str> {
    KOREAN.split(' ').chain(KOREAN_ROLES.split(' ')).find_map(|title| name.strip_suffix(title))
}

/// The same in Japanese.
pub(super) fn bare_japanese(name: &str) -> Option<&str> {
    JAPANESE.split(' ').find_map(|title| name.strip_suffix(title))
}

/// The names that a text tells by what stands beside them.
pub(super) fn titled(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    if !is_wide(text) {
        return names;
    }
    if text.contains(is_hangul) {
        titled_korean(text, &mut names);
    } else if text.contains(is_hiragana) {
        titled_japanese(text, &mut names);
    } else {
        titled_chinese(text, &mut names);
    }
    names.dedup();
    names
}

/// What stands behind a name in a text, with the name and without: it asks for nothing.
pub(super) fn titles_of(name: &str, text: &str) -> Vec<String> {
    let titles = all().filter(|title| text.contains(title));
    titles.flat_map(|title| [title.to_owned(), format!("{name}{title}")]).collect()
}

/// The words of a Korean text without signs.
pub(super) fn korean_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn is_korean_family(name: &str) -> bool {
    let mut signs = name.chars();
    signs.next().is_some_and(|first| FAMILIES_KOREAN.contains(first)) && matches!(signs.count(), 0 | 2)
}

fn is_korean_name(name: &str) -> bool {
    name.chars().all(is_hangul) && (1..=4).contains(&name.chars().count()) && !among(SELF_KOREAN, name)
}

fn titled_korean(text: &str, names: &mut Vec<String>) {
    let mut before = "";
    for word in korean_words(text) {
        let noun = without_particle(word).unwrap_or(word);
        let behind = |titles: &str| titles.split(' ').find_map(|title| noun.strip_suffix(title));
        let name = match (behind(KOREAN), behind(KOREAN_ROLES)) {
            (Some(""), _) => Some(before),
            (Some(name), _) => Some(name),
            (None, Some("")) => Some(before).filter(|name| is_korean_family(name)),
            (None, Some(name)) => Some(name).filter(|name| is_korean_family(name)),
            (None, None) => None,
        };
        names.extend(name.filter(|name| is_korean_name(name)).map(str::to_owned));
        before = word;
    }
}

fn titled_japanese(text: &str, names: &mut Vec<String>) {
    let kin = kin_in(text);
    for title in JAPANESE.split(' ') {
        for (at, _) in text.match_indices(title) {
            let behind = text.get(at + title.len()..).and_then(|behind| behind.chars().next());
            let is_part = title.starts_with(is_ideograph) && behind.is_some_and(is_ideograph);
            let before = text.get(..at).unwrap_or_default();
            let start = before.char_indices().rev().take_while(|(_, c)| is_of_name(*c)).last();
            let name = start.and_then(|(start, _)| before.get(start..)).unwrap_or_default();
            let is_kin = kin.iter().any(|kin| kin.end >= at && kin.start <= at);
            let is_nobody = among(NOBODY, name) || name.ends_with('屋');
            if !name.is_empty() && name.chars().count() <= LONGEST && !is_part && !is_kin && !is_nobody {
                names.push(name.to_owned());
            }
        }
    }
}

fn titled_chinese(text: &str, names: &mut Vec<String>) {
    let is_family = |c: char| FAMILIES_CHINESE.contains(c);
    for title in CHINESE.split(' ') {
        for (at, _) in text.match_indices(title) {
            let before = text.get(..at).unwrap_or_default();
            let most = if title.chars().nth(1).is_some() { 3 } else { 1 };
            let family = before.char_indices().rev().take(most).find(|(_, c)| is_family(*c));
            names.extend(family.and_then(|(start, _)| before.get(start..)).map(str::to_owned));
        }
    }
    for (at, c) in text.char_indices() {
        if matches!(c, '老' | '小') {
            let behind = text.get(at + c.len_utf8()..).and_then(|behind| behind.chars().next());
            names.extend(behind.filter(|c| is_family(*c)).map(String::from));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_by_what_stands_beside_them() {
        for (text, names) in [
            ("문상호 씨는 무슨 일을 하나요?", vec!["문상호"]),
            ("차쌤이 말한 책은?", vec!["차"]),
            ("차 선생님 댁은 어디예요?", vec!["차"]),
            ("민수씨랑 박 팀장님 만났어?", vec!["민수", "박"]),
            ("수영 선생님은 누구야?", vec![]),
            ("어머님 생신이 언제야?", vec![]),
            ("田中さんと佐野先生はどこ？", vec!["田中", "佐野"]),
            ("奥さんとお医者さんに電話した？", vec![]),
            ("花屋さんはどこ？", vec![]),
            ("许老师教我什么？", vec!["许"]),
            ("老何和谢姐爱干什么？", vec!["谢", "何"]),
            ("语文老师是谁？", vec![]),
            ("Where does Tom live?", vec![]),
        ] {
            assert_eq!(titled(text), names, "{text}");
        }
    }
}
