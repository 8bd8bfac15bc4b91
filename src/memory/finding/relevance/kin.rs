//! What people are to the user: "brother", "언니", "兄", "舅舅".

use super::attributes::tokens_of;
use super::traditional::in_simplified;
use super::wide::{is_chinese_character, is_hangul};
use crate::ordered::in_order;
use std::sync::OnceLock;

/// Words for relatives and others who belong to somebody, each with the words that mean the same. A word has the line that it begins.
const KIN: &[&[&str]] = &[
    &["brother", "bro"],
    &["sister", "sis"],
    &["mother", "mum", "mom", "mama", "mam", "parents"],
    &["father", "dad", "papa", "parents"],
    &["husband", "spouse"],
    &["wife", "spouse"],
    &["spouse", "husband", "wife"],
    &["son"],
    &["daughter"],
    &["niece"],
    &["nephew"],
    &["uncle"],
    &["aunt", "auntie"],
    &["cousin"],
    &["grandmother", "grandma", "gran", "granny"],
    &["grandfather", "grandpa", "grandad", "granddad"],
    &["mother-in-law"],
    &["father-in-law"],
    &["sister-in-law"],
    &["brother-in-law"],
    &["boyfriend", "partner"],
    &["girlfriend", "partner"],
    &["fiancé", "fiance"],
    &["fiancée", "fiancee"],
    &["partner", "boyfriend", "girlfriend"],
    &["boss", "manager", "supervisor"],
    &["flatmate", "roommate", "housemate"],
    &["neighbour", "neighbor"],
    &["parents", "folks", "mother", "father", "mum", "mom", "dad", "mama", "papa"],
    &["siblings", "brother", "sister"],
    &["children", "kids", "son", "daughter"],
    &["kids", "children", "son", "daughter"],
    &["grandparents", "grandmother", "grandfather", "grandma", "grandpa", "gran", "granny", "grandad"],
    &["in-laws", "mother-in-law", "father-in-law", "sister-in-law", "brother-in-law"],
];

/// Pets, whom people name as they name relatives.
const PETS: &[&[&str]] = &[
    &[
        "dog",
        "pup",
        "puppy",
        "beagle",
        "bulldog",
        "collie",
        "corgi",
        "dachshund",
        "greyhound",
        "husky",
        "labrador",
        "poodle",
        "pug",
        "retriever",
        "spaniel",
        "terrier",
        "whippet",
    ],
    &["cat", "kitten", "tabby"],
    &["rabbit", "bunny"],
    &["hamster"],
    &["parrot", "budgie"],
    &["horse", "pony"],
];

/// The same in Korean, Japanese and Chinese, in lines with strokes between them: those of one mean the same. Who is meant by several lines
/// is told by either.
const ELSEWHERE: &str = "아내,와이프,집사람,마누라,안사람|남편,신랑|아버지,아빠,아버님|어머니,엄마,어머님|부모님,부모|오빠|형,형님|누나,누님|언니|\
    남동생,동생|여동생,동생|할아버지|할머니|외할아버지|외할머니|아들,아드님,큰아들,작은아들,막내아들,장남,차남|딸,따님,큰딸,작은딸,막내딸,장녀,차녀|이모|고모|삼촌|외삼촌|조카|사촌|\
    시어머니,시어머님|시아버지,시아버님|장모,장모님|장인,장인어른|며느리|사위|손자,손주|손녀,손주|여자친구,여친|남자친구,남친|\
    妻,奥さん,家内,嫁,お嫁さん|夫,旦那,主人,ご主人|父,お父さん,父親,親父,パパ|母,お母さん,母親,お袋,ママ|兄,お兄さん,兄貴,お兄ちゃん|\
    姉,お姉さん,姉貴,お姉ちゃん|弟|妹|祖父,おじいちゃん,おじいさん|祖母,おばあちゃん,おばあさん|息子,息子さん,長男,次男,三男|娘,娘さん,長女,次女,三女|孫,お孫さん|\
    義父,お義父さん,義理の父|義母,お義母さん,義理の母|叔父,伯父,おじさん|叔母,伯母,おばさん|甥,甥っ子|姪,姪っ子|\
    いとこ,従兄弟,従姉妹|彼氏|妻子,老婆,太太,爱人,愛人,媳妇|丈夫,老公,爱人,愛人|爸爸,父亲,父親,我爸,老爸|\
    妈妈,媽媽,母亲,母親,我妈,我媽,老妈|哥哥,我哥|姐姐,姊姊,我姐|弟弟,我弟|妹妹,我妹|爷爷,爺爺|奶奶|外公,姥爷|外婆,姥姥|\
    舅舅,我舅|舅妈|叔叔|姑姑,姑妈|姨妈,小姨|伯伯|儿子,兒子|女儿,女兒|岳父,丈人|岳母,丈母娘|公公|婆婆|侄子|侄女|外甥|外甥女|\
    表哥|表姐|表弟|表妹|堂哥|堂姐|孙子|孙女|女朋友,女友,对象|男朋友,男友,对象";

/// What may stand right behind such a word in Korean.
const BEHIND: &str = "은는이가을를의에와과도만한께랑님들네";

/// Of whose relative else than the user's a word speaks: behind these it is the user's.
const OWN: &[&str] =
    &["私", "僕", "俺", "わたし", "うち", "ユーザー", "我", "我们", "我們", "咱", "用户", "用戶"];
const OWN_KOREAN: &[&str] = &["나의", "저의", "우리의", "사용자의"];

/// What an English word says that somebody is to another: the words that mean the same.
pub(super) fn kin(word: &str) -> Option<&'static [&'static str]> {
    let begun = KIN.iter().find(|kin| kin.first() == Some(&word));
    begun.or_else(|| KIN.iter().find(|kin| kin.contains(&word))).copied()
}

/// What a word says that somebody's pet is: the words that mean the same, or one of the kind.
pub(super) fn pet(word: &str) -> Option<&'static [&'static str]> {
    PETS.iter().find(|pets| pets.contains(&word)).copied()
}

/// Whether a word as it is indexed says what somebody is to another, in whatever number: "sibl" of "siblings".
pub(super) fn is_kin_token(token: &str) -> bool {
    static TOKENS: OnceLock<Vec<String>> = OnceLock::new();
    let all = || KIN.iter().copied().flatten().flat_map(|word| tokens_of(word).0);
    TOKENS.get_or_init(|| in_order(all())).binary_search_by(|known| known.as_str().cmp(token)).is_ok()
}

/// The words, as they are indexed, that tell of whoever a word names by what they are: "brother" of "siblings". A manager by profession is
/// nobody's boss.
pub(super) fn kin_tokens(token: &str) -> &'static [String] {
    static LINES: OnceLock<Vec<(String, Vec<String>)>> = OnceLock::new();
    let line = |kin: &&[&str]| {
        let (first, others) = kin.split_first().filter(|(first, _)| **first != "boss")?;
        Some((tokens_of(first).0.concat(), others.iter().flat_map(|word| tokens_of(word).0).collect()))
    };
    let lines = LINES.get_or_init(|| KIN.iter().filter_map(line).collect());
    lines.iter().find(|(first, _)| first == token).map_or(&[], |(_, others)| others)
}

/// A relative of the user, named in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kin {
    /// The line of those that mean the same.
    pub(super) line: usize,
    /// Where the word stands.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The relatives of the user that a text names, in order; of words inside one another the longest.
pub(super) fn kin_in(text: &str) -> Vec<Kin> {
    let text = &*in_simplified(text);
    let mut found: Vec<Kin> = Vec::new();
    for (line, words) in lines().enumerate() {
        for word in words.split(',') {
            for (start, _) in text.match_indices(word) {
                let end = start + word.len();
                let (before, behind) = (text.get(..start), text.get(end..));
                if is_word(word, before.unwrap_or_default(), behind.unwrap_or_default()) {
                    found.push(Kin { line, start, end });
                }
            }
        }
    }
    let all = found.clone();
    let is_inside = |kin: &Kin| {
        let longer = |other: &&Kin| other.end - other.start > kin.end - kin.start;
        all.iter().filter(longer).any(|other| other.start <= kin.start && kin.end <= other.end)
    };
    found.retain(|kin| !is_inside(kin) && is_of_user(text.get(..kin.start).unwrap_or_default()));
    found.sort_unstable_by_key(|kin| (kin.start, kin.line));
    found
}

fn lines() -> impl Iterator<Item = &'static str> {
    ELSEWHERE.split('|')
}

/// The word for a relative that a text begins with, and what stands behind it.
pub(super) fn kin_at(text: &str) -> Option<(&str, &str)> {
    let all = ELSEWHERE.split(['|', ',']);
    let begins = |word: &&str| text.strip_prefix(word).is_some_and(|behind| is_word(word, "", behind));
    text.split_at_checked(all.filter(begins).map(str::len).max()?)
}

/// All words of a line, to search with.
pub(super) fn words_of(line: usize) -> &'static str {
    lines().nth(line).unwrap_or_default()
}

/// Whether a word stands between these as a word of its own.
fn is_word(word: &str, before: &str, behind: &str) -> bool {
    let (before, behind) = (before.chars().next_back(), behind.chars().next());
    if word.starts_with(is_hangul) {
        return !before.is_some_and(char::is_alphanumeric)
            && behind.is_none_or(|c| !is_hangul(c) || BEHIND.contains(c));
    }
    // A single character is part of another word beside others.
    word.chars().nth(1).is_some()
        || !before.is_some_and(is_chinese_character) && !behind.is_some_and(is_chinese_character)
}

/// Whether who is named behind a text is the user's, and nobody else's.
fn is_of_user(before: &str) -> bool {
    let before = before.trim_end();
    match before.strip_suffix(['の', '的']) {
        Some(owner) => OWN.iter().any(|own| owner.ends_with(own)),
        None => !before.ends_with('의') || OWN_KOREAN.iter().any(|own| before.ends_with(own)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_begins_with_a_relative() {
        assert_eq!(kin_at("여동생은 산다"), Some(("여동생", "은 산다")));
        assert_eq!(kin_at("妹妹住在广州"), Some(("妹妹", "住在广州")));
        assert_eq!((kin_at("딸기를 먹어"), kin_at("")), (None, None));
    }

    #[test]
    fn relatives_are_known_in_whatever_number() {
        let is_kin = |word: &str| tokens_of(word).0.iter().all(|token| is_kin_token(token));
        assert_eq!(kin_tokens(&tokens_of("siblings").0.concat()), ["brother", "sister"]);
        assert!(kin_tokens("lamp").is_empty());
        assert!(
            is_kin("siblings")
                && is_kin("sibling")
                && is_kin("daughters")
                && is_kin("kids")
                && !is_kin("lamp")
        );
    }

    #[test]
    fn a_spouse_is_a_husband_or_a_wife() {
        let means = |word: &str, other: &str| kin(word).is_some_and(|kin| kin.contains(&other));
        assert!(means("spouse", "wife") && means("spouse", "husband") && means("wife", "spouse"));
        assert!(!means("wife", "husband") && means("mum", "mother") && kin("lamp").is_none());
    }

    fn named(text: &str) -> Vec<&str> {
        kin_in(text).iter().filter_map(|kin| text.get(kin.start..kin.end)).collect()
    }

    #[test]
    fn relatives_of_the_user_are_named() {
        assert_eq!(named("우리 언니는 어디 살아?"), ["언니"]);
        assert_eq!(named("사용자의 시어머니는 부산에 산다"), ["시어머니"]);
        assert_eq!(named("祖母と兄はどこ？"), ["祖母", "兄"]);
        assert_eq!(named("我妈和岳父喜欢什么？"), ["我妈", "岳父"]);
        for text in
            ["딸기를 먹어?", "AB형이다", "中村さんの奥さん", "谢姐的女儿在哪？", "민수의 아들은?", "兄弟"]
        {
            assert!(named(text).is_empty(), "{text}: {:?}", named(text));
        }
    }
}
