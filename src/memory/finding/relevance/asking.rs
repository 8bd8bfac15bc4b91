//! Asking: which words of a question in Korean, Japanese or Chinese say what is asked for, and not only that something is.

use crate::memory::finding::turns::is_past_korean;

/// How Korean words begin that ask, or ask for the past.
const KOREAN: &[&str] = &[
    "뭐", "뭘", "무엇", "무슨", "어디", "언제", "누구", "누가", "왜", "어떻", "어떤", "어느", "얼마", "몇",
    "예전", "이전", "전에", "옛날",
];
/// How they end, the longest first.
const ENDINGS: &[&str] = &["습니까", "나요", "까요", "니까", "요", "지", "죠", "니"];
/// What does in Japanese and Chinese.
const OTHERS: &[&str] = &[
    "何", "誰", "どこ", "以前", "昔", "什么", "什麼", "哪里", "哪裡", "哪儿", "谁", "曾经", "曾", "之前",
    "从前", "过去",
];

/// A question without what only asks.
pub(super) fn without_asking(question: &str) -> String {
    let mut left = question.to_owned();
    for sign in OTHERS {
        left = left.replace(sign, " ");
    }
    let words = left.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut kept = String::new();
    for word in words.filter(|word| !KOREAN.iter().any(|beginning| word.starts_with(beginning))) {
        let past = word.char_indices().find(|(_, c)| is_past_korean(*c));
        let word = match past {
            // What was done is told by the same word before.
            Some((at, '했' | '됐')) => word.get(..at),
            Some((at, c)) => word.get(..at + c.len_utf8()),
            None => ENDINGS.iter().find_map(|ending| word.strip_suffix(ending)),
        }
        .unwrap_or(word);
        kept.push_str(word);
        kept.push(' ');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_stays() {
        for (question, left) in [
            ("나 어디 살았었지?", "나 살았 "),
            ("제 직업이 뭐예요?", "제 직업이 "),
            ("무슨 음식을 좋아했어?", "음식을 좋아 "),
            ("我以前住在哪里？", "我 住在 "),
            ("名前は何ですか？", "名前は ですか "),
            ("Where do I live?", "Where do I live "),
        ] {
            assert_eq!(without_asking(question), left, "{question}");
        }
    }
}
