//! Telling: whether a question asks for all that is known of the user: "What do you know about me?", "Wer bin ich?", "我是谁？".

use crate::among::among;
use crate::index::lexical::{Words, is_stop_word};

/// How such a question speaks of the user, in languages with spaces.
const OF_THE_USER: &str = "about me|about myself|the user|who am i|who i am|describe me|know me|über mich|von mir|wer bin ich|wer ich \
    bin|beschreib|sobre mi|sobre mí|de mí|quién soy|quien soy|descríbeme|sur moi|de moi|qui suis|qui je suis|décris|обо мне|про меня|кто я";

/// The words that it has beside English stop words, and what they are as terms.
const WORDS: &str = "user know known tell told describe describ remember rememb recall recal summarize summar everything everyth anything \
    anyth something someth thing fact facts list learn learned please pleas far \
    was weißt weisst du über uber mich von mir wer bin ich alles erzähl erzähle mal bitte beschreib beschreibe \
    que qué sabes sabe de mi mí sobre quién quien soy descríbeme háblame cuéntame dime todo lo \
    qui sais tu sur moi suis je parle dis tout ce décris décris-moi sais-tu suis-je что ты знаешь обо мне про меня кто я расскажи все всё";

/// The most words of a question for what somebody does: "What does my older sister Ana do?"
const MOST_WORDS: usize = 7;

/// Of what such a question is made in Korean, Japanese and Chinese: the user, what makes it such a question, and what may stand
/// beside both.
const PIECES: [&str; 3] = [
    "나 내 저 제 私 わたし 僕 俺 我",
    "에대해 누구 관련 대해 정보 어떤사람 について のこと のことで 誰 まとめて 关于 了解 介绍 描述 谁 说说 总结 關於 情况 事儿 的事",
    "해 정리 정리해 모두 사람 인지 야 해서 있는 있 覚えている 覚えてる 全て すべて こと 知ってる 把 跟 给我 说 记住 了 呀 서 뭘 뭐 무엇 알아 알고 있 어 니 나요 요 알려 말해 설명해 기억하고 기억해 줘 주세요 아는 거 것 걸 다 전부 야 예 지 는 가 를 이 \
    좀 何 を は が か の も 知って 覚えて 教えて 話して 説明して い る ます ください です 全部 你 您 知道 什么 什麼 哪些 的 告诉 告訴 \
    一下 是 记得 所有 一切 都 吗 嗎 对 多少 信息 事 有 请 给",
];

/// Of what a question for all of somebody who is named is made beside, in the same languages: what makes it such a question, and what may
/// stand at the name.
const OF_SOMEBODY: [&str; 2] = [
    "뭐해 뭐하는사람 어떤사람 干啥的 知道 알아",
    "이는 이가 은 님 씨 요즘 さん くん ちゃん って だ だっけ だった でしたっけ 来着 來著 啊 呢 最近",
];

/// Whether a word, or a term, only says that something is to be told.
pub(super) fn only_asks(word: &str) -> bool {
    among(WORDS, word)
}

/// Whether a question, in lower case, asks what somebody does, and for no more: "What do I do?", "What does Dana do?"
pub(super) fn asks_what_is_done(lower: &str) -> bool {
    // "What did Ana do before she retired?"
    let before = lower.find(" before").filter(|_| lower.starts_with("what did "));
    let words = Words::of(before.and_then(|end| lower.get(..end)).unwrap_or(lower));
    let last = words.len().checked_sub(1).map_or("", |last| words.lower(last));
    words.lower(0) == "what"
        && (matches!(words.lower(1), "do" | "does") || before.is_some())
        && last == "do"
        && words.len() <= MOST_WORDS
}

/// Whether a question, in lower case, asks where somebody is from: "Where is my wife from?"
pub(super) fn asks_where_from(lower: &str) -> bool {
    let words = Words::of(lower);
    let last = words.len().checked_sub(1).map_or("", |last| words.lower(last));
    matches!(words.lower(0), "where" | "where's") && last == "from" && words.len() <= MOST_WORDS
}

/// Whether a question, in lower case, asks for all that is known of the user, and for nothing else.
pub(super) fn asks_for_the_user(lower: &str) -> bool {
    if OF_THE_USER.split('|').any(|phrase| lower.contains(phrase)) {
        return Words::of(lower).iter().all(|word| is_stop_word(word) || only_asks(word));
    }
    !lower.is_ascii() && asks_elsewhere(lower)
}

/// The same in Korean, Japanese and Chinese.
fn asks_elsewhere(question: &str) -> bool {
    made_of(question, &PIECES).is_some_and(|[is_of_self, tells, _]| is_of_self && tells)
}

/// Whether a question in Korean, Japanese or Chinese without the name of somebody asks for all that is known of them: "민규 누구지",
/// "大輔について教えて", "说说赵磊".
pub(super) fn asks_for_somebody(question: &str) -> bool {
    let [_, tells, beside] = PIECES;
    let [more, at_names] = OF_SOMEBODY;
    let pieces = ["", &[tells, more].join(" "), &[beside, at_names].join(" ")];
    made_of(question, &pieces).is_some_and(|[_, tells, _]| tells)
}

/// Of which kinds of pieces a question is made, where it is made of nothing else.
fn made_of(question: &str, kinds: &[&str; 3]) -> Option<[bool; 3]> {
    let question: String = question.chars().filter(|c| c.is_alphanumeric()).collect();
    let (mut rest, mut found) = (question.as_str(), [false; 3]);
    while !rest.is_empty() {
        let pieces = kinds
            .iter()
            .enumerate()
            .flat_map(|(number, pieces)| pieces.split(' ').map(move |piece| (piece, number)));
        let begins = pieces.filter(|(piece, _)| !piece.is_empty() && rest.starts_with(piece));
        let (piece, of) =
            begins.reduce(|longest, next| if next.0.len() > longest.0.len() { next } else { longest })?;
        if let Some(found) = found.get_mut(of) {
            *found = true;
        }
        rest = rest.get(piece.len()..).unwrap_or_default();
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lowercase::lowercase;

    #[test]
    fn who_asks_what_somebody_does() {
        assert!(
            ["what do i do?", "what does my wife do?", "what does ana do"].into_iter().all(asks_what_is_done)
        );
        assert!(asks_what_is_done("what did ana do before she retired?"));
        let others = ["what do i do on sundays?", "what did i do?", "what can i do?", "what do i do", "do"];
        assert_eq!(others.map(asks_what_is_done), [false, false, false, true, false]);
        assert!(
            asks_where_from("where is my wife from?") && !asks_where_from("where did i get it from ana?")
        );
    }

    #[test]
    fn who_asks_for_all_that_is_known_of_somebody() {
        for rest in [
            " 누구지",
            "에 대해 말해줘",
            " 뭐 해?",
            "이 누구야?",
            "って誰？",
            "について教えて",
            "のこと教えて",
            "是谁",
            "说说",
            "介绍一下",
            "是谁来着",
        ] {
            assert!(asks_for_somebody(rest), "{rest}");
        }
        for rest in ["", " 어디 살아?", "の職業は？", "去哪", "喜欢什么", "는 뭐 좋아해?", "って何歳？"]
        {
            assert!(!asks_for_somebody(rest), "{rest}");
        }
    }

    #[test]
    fn who_asks_for_all_that_is_known_of_them() {
        for question in [
            "What do you know about me?",
            "Tell me about myself.",
            "Tell me everything you remember about me, please!",
            "Describe me",
            "Who am I?",
            "Do you know who I am?",
            "Summarize what you know about me.",
            "나에 대해 뭘 알아?",
            "저에 대해서 알려 주세요.",
            "내가 누구야?",
            "私について何を知っていますか?",
            "私のことを教えて",
            "私は誰ですか？",
            "你知道关于我的什么？",
            "我是谁？",
            "介绍一下我",
            "Was weißt du über mich?",
            "Wer bin ich?",
            "¿Qué sabes de mí?",
            "¿Quién soy?",
            "Que sais-tu de moi ?",
            "Qui suis-je ?",
            "Что ты знаешь обо мне?",
            "Кто я?",
        ] {
            assert!(asks_for_the_user(&lowercase(question)), "{question}");
        }
        for question in [
            "What do you know about my dog?",
            "Who am I to Karl?",
            "What does Ana know about me?",
            "I don't know",
            "Tell me more",
            "Let me know",
            "Where was I?",
            "나 어디 살아?",
            "제 이름이 뭐예요?",
            "内容",
            "私は何が好き？",
            "我住在哪里？",
            "我知道什么？",
            "Wer ist meine Schwester?",
            "¿Qué sabes de mi hermana?",
            "Где я живу?",
        ] {
            assert!(!asks_for_the_user(&lowercase(question)), "{question}");
        }
    }
}
