//! Sentences: where a text may be cut without tearing what is said.

use std::ops::Range;

/// One sentence of a message.
#[derive(Clone, Debug)]
pub(crate) struct Sentence {
    /// Its bytes in the message, without the closing mark.
    pub(crate) range: Range<usize>,
    /// Whether it ends in a question mark, or as questions do.
    pub(crate) question: bool,
    /// Whether it ends its line with a colon: what follows may be pasted.
    pub(crate) announces: bool,
}

/// Words after which a full stop ends no sentence.
const ABBREVIATIONS: &[&str] =
    &["st", "mr", "mrs", "ms", "dr", "jr", "sr", "mt", "ft", "vs", "etc", "e.g", "i.e", "prof"];

/// How questions end in Korean, Japanese and Chinese; how they end that ask for what one of the next words names; and how others end
/// that look like them.
const ASKING: &str = "습니까 ですか ますか でしょうか だろうか ようか かなあ かな っけ 吗 嗎";
const ASKING_FOR: &str = "지 죠 까 까요 나 니 냐 가요 か の 呢 好 啊 呀";
const NOT_ASKING: &str =
    "니까 거나 이나 하나 언제나 누구나 어디나 든지 いつか どこか 何か なにか 誰か どうか 都好 才好 也好";
const ASKED_FOR: &str = "뭐 뭘 무엇 무슨 어디 언제 누구 누가 어떻게 어떤 어느 얼마 몇 왜 何 どこ いつ 誰 どう どれ どちら なに 什么 什麼 \
    谁 哪里 哪裡 哪儿 多少 怎么 怎麼 几点";
/// Within how many characters of its end a question says what it asks for.
const ASKED_WITHIN: usize = 24;

/// The sentences of a text, in order; blank ones are left out. A line ends a sentence too.
pub(crate) fn sentences(prose: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut marks = prose.char_indices().peekable();
    while let Some((at, mark)) = marks.next() {
        let next = marks.peek().map(|(_, next)| *next);
        let ends = match mark {
            '!' | '?' | '\n' | ';' | '。' | '！' | '？' | '…' | '؟' | '۔' | '।' => true,
            '.' => {
                next.is_none_or(|next| !next.is_ascii_alphanumeric() && next != ',')
                    && !abbreviated(prose.get(start..at).unwrap_or_default())
            }
            _ => false,
        };
        if ends {
            let text = prose.get(start..at).unwrap_or_default();
            if !text.trim().is_empty() {
                found.push(Sentence {
                    range: start..at,
                    question: matches!(mark, '?' | '？') || asks(text),
                    announces: mark == '\n' && text.trim_end().ends_with([':', '：']),
                });
            } else if matches!(mark, '?' | '？') {
                // "!?" and "..?": the question mark belongs to the sentence just closed.
                if let Some(last) = found.last_mut() {
                    last.question = true;
                }
            }
            start = at + mark.len_utf8();
        }
    }
    if let Some(text) = prose.get(start..).filter(|text| !text.trim().is_empty()) {
        found.push(Sentence { range: start..prose.len(), question: asks(text), announces: false });
    }
    found
}

/// Whether a Korean, Japanese or Chinese sentence ends as questions do, also without a question mark: "옷 뭐 입지".
pub(crate) fn asks(sentence: &str) -> bool {
    let text = sentence.trim_end_matches(|c: char| !c.is_alphanumeric());
    if text.ends_with(|c: char| c.is_ascii()) {
        return false;
    }
    let names = || {
        let begins = text.char_indices().rev().nth(ASKED_WITHIN).map_or(0, |(at, _)| at);
        // "Always" and "please" begin as "when" and "how" do.
        let end = text.get(begins..).unwrap_or_default().replace("いつも", "").replace("どうぞ", "");
        ASKED_FOR.split(' ').any(|sign| end.contains(sign))
    };
    let ends = |signs: &str| signs.split(' ').any(|sign| text.ends_with(sign));
    ends(ASKING) || proposes(text) || ends(ASKED_FOR) || ends(ASKING_FOR) && !ends(NOT_ASKING) && names()
}

/// Whether a Korean sentence ends in "shall I", which stands behind a syllable that ends in an L: 갈까, 먹을까요.
fn proposes(text: &str) -> bool {
    let last = text.trim_end_matches('요').strip_suffix('까').and_then(|before| before.chars().next_back());
    last.is_some_and(|c| matches!(c, '가'..='힣') && (u32::from(c) - u32::from('가')) % 28 == 8)
}

/// What a text states: its sentences but for questions.
pub(crate) fn statements(text: &str) -> impl Iterator<Item = &str> {
    let stated = sentences(text).into_iter().filter(|sentence| !sentence.question);
    stated.filter_map(|sentence| text.get(sentence.range))
}

/// Whether the text ends in a word that is written with a full stop, such as `St` or an initial.
fn abbreviated(text: &str) -> bool {
    let word = text.rsplit(|c: char| c.is_whitespace() || c == ',').next().unwrap_or_default();
    let initial = word.len() == 1 && word.chars().all(|c| c.is_ascii_uppercase()) && word != "I";
    initial || ABBREVIATIONS.contains(&word.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_without_their_mark() {
        for asked in [
            "내일 뭐 입지",
            "갈까",
            "몇 시에 볼까요",
            "何を着よう か",
            "明日は雨かな",
            "穿什么好呢",
            "你喜欢猫吗",
            "这是谁",
        ] {
            assert!(asks(asked), "{asked}");
        }
        for stated in [
            "어디 갔는지 몰라",
            "비가 오니까",
            "뭐든지 좋아요",
            "今日は楽しかった",
            "还没吃呢",
            "我不知道他什么时候来",
            "好",
            "I know what",
            "그렇지",
            "난 언제나",
            "셋 중 몇 개는 하나",
            "行きたいな、いつか",
            "什么都好",
            "열이 나요",
            "注文はいつもの",
        ] {
            assert!(!asks(stated), "{stated}");
        }
    }
}
