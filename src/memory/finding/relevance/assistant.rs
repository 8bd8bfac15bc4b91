//! Questions about the assistant: "Where do you live?" asks for nothing that is known of the user.

use crate::among::among;
use crate::index::lexical::Words;

/// What "do you" and "are you" ask of the assistant's memory or help, and not of itself.
const TO_HELP: &str = "able agree aware believe find have keep know mean need recall recommend remember remind see store suggest sure think \
    understand want";
/// The same of "your".
const HELP: &str = "advice answer answers help idea memory opinion records recommendation recommendations suggestion suggestions take \
    thoughts view";
/// How such a question begins in Korean, Japanese and Chinese, and what asks for help there.
const YOU: &[&str] = &["너 ", "넌 ", "너는 ", "네 ", "니 ", "당신", "あなた", "君は", "君の", "你", "您"];
const TO_HELP_ELSEWHERE: &str = "기억|알아|알고|생각|추천|覚え|知って|思|おすすめ|知道|记得|記得|觉得|覺得|认为|能|可以|会|推荐|建议|说|告诉";

/// Whether a question that names nobody, nor who asks it, is about the assistant.
pub(super) fn is_of_assistant(question: &str, words: &Words) -> bool {
    let is = |place: usize, word: &str| words.lower(place) == word;
    let before = |place: usize, by: usize| place.checked_sub(by).map_or("", |at| words.lower(at));
    let in_english = (0..words.len()).any(|place| {
        let next = words.lower(place + 1);
        match before(place, 1) {
            // "How do you spell that?" asks how anybody does.
            "do" if is(place, "you") => before(place, 2) != "how" && !among(TO_HELP, next),
            "are" if is(place, "you") => !among(TO_HELP, next),
            "what" | "is" | "are" if is(place, "your") => !among(HELP, next),
            _ => false,
        }
    });
    in_english
        || YOU.iter().any(|you| question.starts_with(you))
            && !TO_HELP_ELSEWHERE.split('|').any(|help| question.contains(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_for_help_does_not_ask_for_the_assistant() {
        let asks = |question: &str| is_of_assistant(question, &Words::of(question));
        for question in [
            "Where do you live?",
            "How old are you?",
            "What's your name?",
            "What is your favourite film?",
            "Do you like jazz?",
            "너 어디 살아?",
            "あなたはどこに住んでいますか？",
            "你住在哪里？",
        ] {
            assert!(asks(question), "{question}");
        }
        for question in [
            "Do you remember the wi-fi password?",
            "What do you know about the trip?",
            "How do you get to the office?",
            "What's your advice on the flat?",
            "Which hotel did you find?",
            "Are you sure about the date?",
            "너 비밀번호 기억해?",
            "你知道密码吗？",
            "Where is the youth hostel?",
        ] {
            assert!(!asks(question), "{question}");
        }
    }
}
