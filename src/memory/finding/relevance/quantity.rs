//! Quantities: a question for a number is less answered by what tells none.

use super::about::About;
use super::tells;
use crate::among::among;
use crate::memory::finding::turns::{count, find_word};

/// How questions ask how many there are; and how they ask for a measure, an age, a price or a time.
const COUNT: &str =
    "how many|몇|几个|几只|几条|几台|几辆|几位|几次|几口|几本|幾つ|いくつ|何人|何匹|何台|何回";
const MEASURE: &str = "how much|how old|how tall|how far|how big|how heavy|what age|what number|what time|얼마|多少|多大|几岁|几点|几年|\
    几天|いくら|何歳|何時";
/// What tells how much or how many beside numbers, and what tells only how many.
const NUMBERS: &str = "couple dozen dozens few half hour hourly hundred hundreds midnight mile noon once one pair quarter \
    several single thousand thousands triplets twice twins";
const COUNTS: &str = "a an both many no none only";
/// Behind which signs of Chinese, Japanese and Korean something was counted, and how greater numbers end.
const COUNTERS: &str = "个個只匹条台辆位人口本次回岁歳点點時年天日月元块塊円圆つ살명마리시개번대원달년층";
const NUMERALS: &str = "一二三四五六七八九十百千万萬两兩";
const GREAT: [char; 8] = ['百', '千', '万', '萬', '億', '亿', '만', '천'];
/// Korean numbers that stand alone.
const ALONE: &[&str] = &["하나", "둘", "셋", "넷"];
/// What is left of what is covered by what tells no number.
const LEFT: f32 = 0.5;

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Quantity {
    Count,
    Measure,
}

impl Quantity {
    /// That of a question in small letters; `None` when it asks for none.
    pub(in super::super) fn asked(lower: &str) -> Option<Self> {
        let asks = |signs: &str| signs.split('|').any(|sign| find_word(lower, sign).is_some());
        match () {
            () if asks(COUNT) => Some(Self::Count),
            () if asks(MEASURE) => Some(Self::Measure),
            () => None,
        }
    }

    /// What is left of what a fact covers of the question.
    pub(super) fn left_of(self, fact: &About<'_>) -> f32 {
        let is_number = |word: &str| {
            tells::is_age_word(word) || among(NUMBERS, word) || self == Self::Count && among(COUNTS, word)
        };
        let is_told = fact.text().contains(char::is_numeric)
            || fact.words.iter().any(is_number)
            || counts_in_wide(fact.wide);
        if is_told { 1.0 } else { LEFT }
    }
}

/// Whether a text in Chinese, Japanese or Korean counts something: "고양이 두 마리", 三十五岁, but not 一起 or 九州.
fn counts_in_wide(text: &str) -> bool {
    let is_counted = |at: usize| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        before.ends_with(GREAT) || count(before).is_some()
    };
    // "三千五".
    let is_numeral = |c: &char| NUMERALS.contains(*c);
    let has_number =
        text.chars().zip(text.chars().skip(1)).any(|(one, next)| is_numeral(&one) && is_numeral(&next));
    has_number
        || ALONE.iter().any(|number| text.contains(number))
        || text.char_indices().any(|(at, c)| COUNTERS.contains(c) && is_counted(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_ask_for_a_number_by_whole_words() {
        for (question, asked) in [
            ("how many cats do i have?", Some(Quantity::Count)),
            ("몇 살이야?", Some(Quantity::Count)),
            ("我有几只猫？", Some(Quantity::Count)),
            ("how much do i pay?", Some(Quantity::Measure)),
            ("我几岁？", Some(Quantity::Measure)),
            ("what did the show many saw win?", None),
            ("who took upstairs how oldest?", None),
            ("我的茶几是什么颜色？", None),
        ] {
            assert_eq!(Quantity::asked(question), asked, "{question}");
        }
    }

    #[test]
    fn numbers_are_told_in_figures_and_words() {
        let left = |asked: Quantity, fact: &str| asked.left_of(&About::of(fact, &[]));
        for fact in [
            "The user has 3 cats",
            "The user has twins",
            "The user has a cat",
            "사용자는 고양이를 두 마리 키운다",
            "사용자는 아이가 둘이다",
            "用户有三只猫",
            "ユーザーは猫を二匹飼っている",
        ] {
            assert_eq!(left(Quantity::Count, fact), 1.0, "{fact}");
        }
        for fact in
            ["The user is thirty-two", "The office is a mile away", "사용자는 스무 살이다", "房租三千元"]
        {
            assert_eq!(left(Quantity::Measure, fact), 1.0, "{fact}");
        }
        for fact in [
            "The user pays a cleaner named Agata",
            "用户和朋友一起住",
            "ユーザーは九州に住んでいる",
            "ユーザーは千葉で一番の店にいる",
        ] {
            assert_eq!(left(Quantity::Measure, fact), LEFT, "{fact}");
        }
    }
}
