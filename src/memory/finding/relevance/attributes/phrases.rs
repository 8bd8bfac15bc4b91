//! Phrases that a text is looked through for, all at once.

use super::Attributes;
use crate::memory::finding::relevance::traditional::simplified;
use std::ops::Range;

/// Longer words of which a part is no word by itself: a train is no car ("電車"), and a hotel no drink ("酒店").
const WHOLE: &str = "電車,列車,自転車,花费,花钱,花粉,花生,花了,花火,花束,新娘,姑娘,老板娘,먹고살,먹고 살,이사님,이사회,아이폰,아이스,아이유,아이돌,아이패드,아이템,산책,책임,책상,정책,수술,예술,미술,\
    기술,마술,잠깐,잠시,팀장,팀원,딸기,사나이,의사소통,도시락,사고 싶,스마트,책상,祖父,祖母,母語,母国,岳父,岳母,伯父,伯母,叔父,叔母,大丈夫,大夫,茶色,特色,景色,色々,服用,克服,服务,\
    佩服,服装,酒店,恐怕,哪怕,吃惊,吃力,吃亏,吃药,戒指,烟花,住院,记住,忍不住,借口,夢中,日课,冷たい,だいたい,みたい,いったい,めでたい,ぜったい,お父,お母,爱人,夜勤,공부,회사";

/// Phrases by how they begin, each with the attribute that it speaks of.
pub(super) struct Phrases(Vec<(&'static str, Attributes)>);

impl Phrases {
    pub(super) fn of(mut phrases: Vec<(&'static str, Attributes)>) -> Self {
        phrases.extend(WHOLE.split(',').map(|word| (word, 0)));
        // What is a word as a whole comes first of those that begin alike.
        phrases.sort_unstable_by_key(|(phrase, bit)| (phrase.chars().next(), *bit, *phrase));
        Self(phrases)
    }

    /// Whether one of them is a word.
    pub(super) fn has(&self, word: &str) -> bool {
        self.beginning_as(word).any(|(phrase, bit)| *phrase == word && *bit != 0)
    }

    /// Those that begin with the same character as a text.
    fn beginning_as(&self, text: &str) -> impl Iterator<Item = &(&'static str, Attributes)> {
        let first = text.chars().next();
        let begins = |phrase: &str| phrase.chars().next();
        let at = self.0.partition_point(|(phrase, _)| begins(phrase) < first);
        self.0.get(at..).unwrap_or_default().iter().take_while(move |(phrase, _)| begins(phrase) == first)
    }

    /// Where a text, in lower case, holds phrases, and what each speaks of: in Latin letters and in katakana as words of their own.
    pub(super) fn spans<'t>(
        &'t self,
        lower: &'t str,
    ) -> impl Iterator<Item = (Range<usize>, Attributes)> + 't {
        let mut whole = 0..0;
        lower.char_indices().flat_map(move |(start, _)| {
            let rest = lower.get(start..).unwrap_or_default();
            let found = self.beginning_as(rest).filter(|(phrase, _)| rest.starts_with(phrase));
            let mut own = Vec::new();
            for (phrase, bit) in found {
                let span = start..start + phrase.len();
                if *bit == 0 {
                    whole = if span.end > whole.end { span } else { whole.clone() };
                } else if (span == whole || span.end > whole.end) && is_word(lower, &span) {
                    own.push((span, *bit));
                }
            }
            own
        })
    }

    /// What a text speaks of among some attributes, in traditional characters as in simplified ones.
    pub(super) fn held(&self, lower: &str, among: Attributes) -> Attributes {
        let held = |lower: &str| self.spans(lower).fold(0, |all, (_, bit)| all | bit);
        among & (held(lower) | simplified(lower).map_or(0, |simple| held(&simple)))
    }
}

/// Whether a span of a text is a word: "カーペット" and "ペットボトル" are no pets.
fn is_word(lower: &str, span: &Range<usize>) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_katakana = |c: Option<char>| c.is_some_and(|c| ('\u{30a1}'..='\u{30fc}').contains(&c));
    let (before, behind) = (lower.get(..span.start), lower.get(span.end..));
    let before = before.and_then(|text| text.chars().next_back());
    let behind = behind.and_then(|text| text.chars().next());
    let phrase = lower.get(span.clone()).unwrap_or_default();
    if phrase.chars().all(|c| is_katakana(Some(c))) {
        return !is_katakana(before) && !is_katakana(behind);
    }
    !phrase.is_ascii() || !is_letter(before) && !is_letter(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_word_as_a_whole_is_not_taken_apart() {
        let phrases = Phrases::of(vec![("車", 1), ("酒", 2), ("花屋", 4), ("花", 8)]);
        let held = |text: &str| phrases.held(text, Attributes::MAX);
        assert_eq!([held("車で来た"), held("電車で来た"), held("電車と車")], [1, 0, 1]);
        assert_eq!([held("花粉"), held("酒店"), held("花屋"), held("買酒")], [0, 0, 12, 2]);
        assert!(phrases.has("車") && !phrases.has("電車"));
    }
}
