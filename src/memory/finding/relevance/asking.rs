//! Asking: which words of a question in Korean, Japanese or Chinese say what is asked for, and not only that something is.

use super::traditional::in_simplified;
use crate::among::among;
use crate::memory::finding::turns::is_past_korean;

/// How Korean words begin that ask, or ask for the past.
const KOREAN: &str = "뭐 뭘 무엇 무슨 어디 언제 누구 누가 왜 어떻 어떤 어느 얼마 몇 며칠 몇일 날짜 알려 말해 대해 관해 소개 설명 보통 혹시 대체 아직 예전 이전 전에 옛날 지금 요즘 요새 현재 거야 건가 것이 했더라 였더라 \
    뭐더라";
/// How they end, the longest first.
const ENDINGS: &[&str] =
    &["다고 했지", "습니까", "나요", "까요", "니까", "더라", "던가", "요", "지", "죠", "니"];
/// What does in Japanese and Chinese.
const OTHERS: &str = "について教えて について 介绍一下 说说 都有谁 有谁 って誰 って何 っていつ ってどこ っていくら って言ってた 教えていただけますか 教えてください 教えて 覚えてる どちら って知ってる 知ってる 知っている なんだった 何だった いくら 今は 今も 今の 今どこ 今何 現在 最近 \
    现在 目前 如今 平时 一般 什么地方 几点 什么时候 什麼時候 哪一天 哪天 哪年 多少钱 多少錢 多少 何だっけ でしたっけ だったっけ なんだっけ だっけ ましたっけ っけ んだろう だろう でしょうか 何 誰 どこ どれくらい \
    どのくらい どんな どの いつ 以前 昔 什么东西 什麼東西 来着 來著 到底 究竟 几号 幾號 多久 多长时间 哪个 哪個 哪门 \
    哪些 干嘛 怎么 怎麼 呢 啊 什么 什麼 哪里 哪裡 哪儿 谁 曾经 曾 之前 从前 过去";

/// Characters of grammar in Japanese and Chinese: a pair with one of them may lie between two words.
const BETWEEN: &str = "のはがをにでともへ来當当做的了是我你他她在有和吗嗎呢什么麼这那个都也";

/// The characters of a pair.
fn pair(token: &str) -> Option<[char; 2]> {
    let mut signs = token.chars();
    Some([signs.next()?, signs.next()?]).filter(|_| signs.next().is_none() && !token.is_ascii())
}

fn is_between(c: char) -> bool {
    BETWEEN.contains(c)
}

/// Adds the characters of a pair that lies in one word.
pub(super) fn note_inside(token: &str, inside: &mut String) {
    if let Some([one, other]) = pair(token)
        && !is_between(one)
        && !is_between(other)
    {
        inside.push(one);
        inside.push(other);
    }
}

/// Whether a token lies between two words, and what else it says is said by a pair inside one.
pub(super) fn lies_between(token: &str, inside: &str) -> bool {
    let is_said = |c: char| is_between(c) || inside.contains(c);
    pair(token)
        .is_some_and(|[one, other]| (is_between(one) || is_between(other)) && is_said(one) && is_said(other))
}

/// English words, as they are indexed, with which one is greeted and thanked; others of which small talk is made; and others that ask
/// for nothing beside what does.
const GREETINGS: &str = "hello hey hi ok okay thank";
const SMALL_TALK: &str = "bye haha hmm lol love morn night ye yes";
const IDLE: &str = "btw pl pleas plz pls thx u ur";

/// Small talk in Japanese, Korean and Chinese, each all that is said.
const SMALL_TALK_ELSEWHERE: &str = "ありがとう ありがとうございます ありがとうございました どうもありがとう どうも 助かった 助かりました 助かる お疲れ お疲れさま おやすみ おやすみなさい はい いいえ うん こんにちは おはよう おはようございます \
    こんばんは 了解 了解です なるほど そうですね すごい すごいね 고마워 고마워요 고맙습니다 감사합니다 감사해요 안녕 안녕하세요 네 응 아니요 좋아요 좋아 알겠어 \
    알겠어요 알겠습니다 谢谢 谢谢你 謝謝 多谢 你好 您好 好的 好 是的 嗯 再见 没问题 明白了 知道了 太好了 哈哈哈 晚安 잘자 잘자요 힘들다";

/// With what one laughs and cries in writing.
const LAUGHTER: &str = "ㅋㅎㅠㅜ哈呵嘻笑草";

/// Whether all that is said is small talk in Japanese, Korean or Chinese.
pub(super) fn is_all_small_talk(said: &str) -> bool {
    let words: String = said.chars().filter(|c| c.is_alphanumeric()).take(16).collect();
    let pieces = || said.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty());
    let is_laughter = |piece: &str| piece.chars().all(|c| LAUGHTER.contains(c));
    !words.is_empty() && among(SMALL_TALK_ELSEWHERE, &words)
        || pieces().next().is_some()
            && pieces().take(8).all(|piece| is_laughter(piece) || among(SMALL_TALK_ELSEWHERE, piece))
}

/// Whether a token is one of small talk.
pub(super) fn is_small_talk(token: &str) -> bool {
    among(GREETINGS, token) || among(SMALL_TALK, token)
}

/// Whether a token asks for nothing beside others.
pub(super) fn is_idle(token: &str) -> bool {
    among(GREETINGS, token) || among(IDLE, token)
}

/// Of what pairs of Korean, Japanese and Chinese are made that name a time.
const OF_TIME: &str = "年月日週周曜去昨今先来前後后春夏秋冬작올지난내년월주말일봄여름가을겨울달께";

/// How Korean verbs begin that tell that something was done, and not what; and the day before yesterday.
const DONE: &str = "했 갔 왔 하 한 됐 그저";

/// Whether a pair of Korean, Japanese or Chinese says when something was done, or that it was.
pub(super) fn tells_when(token: &str) -> bool {
    DONE.split(' ').any(|done| token.starts_with(done)) || token.chars().any(|c| OF_TIME.contains(c))
}

/// A question without what only asks.
pub(super) fn without_asking(question: &str) -> String {
    // What asks is found in simplified characters, each in its place.
    let (mut left, mut read) = (question.to_owned(), in_simplified(question).into_owned());
    for sign in OTHERS.split(' ') {
        let gap = " ".repeat(sign.len());
        while let Some(at) = read.find(sign) {
            left.replace_range(at..at + sign.len(), &gap);
            read.replace_range(at..at + sign.len(), &gap);
        }
    }
    let words = left.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut kept = String::new();
    for word in words.filter(|word| !KOREAN.split(' ').any(|beginning| word.starts_with(beginning))) {
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
    fn pairs_between_two_words() {
        fn between(tokens: &str) -> Vec<&str> {
            let mut inside = String::new();
            tokens.split(' ').for_each(|token| note_inside(token, &mut inside));
            tokens.split(' ').filter(|token| lies_between(token, &inside)).collect()
        }
        assert_eq!(between("私の の仕 仕事 事は"), ["の仕", "事は"]);
        // A word of one character is in no other pair.
        assert_eq!(between("猫の の名 名前 前は"), ["の名", "前は"]);
        assert_eq!(between("我的 的工 工作 作是 是什 什么"), ["我的", "的工", "作是", "是什", "什么"]);
        assert!(between("직업 my job").is_empty());
    }

    #[test]
    fn small_talk_is_known_as_it_is_indexed() {
        for word in ["yes", "okay", "thanks", "good morning", "lol", "love"] {
            crate::index::lexical::tokenize(word, |token, _| {
                assert!(is_small_talk(token) || token == "good", "{word}: {token}");
            });
        }
    }

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
