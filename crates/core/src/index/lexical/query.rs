//! What the terms of a query weigh: some name what is asked for, others only that something is asked.
//!
//! The factors were measured on five sets of conversations (`docs/ranking.md`) and are flat about these values. They
//! apply to queries alone, so nothing stored depends on them.

use super::dictionary::hash;
use super::grammar::Grammar;
use super::tokenize::{Role, is_ideograph, tokenize};
use crate::among::among;
use crate::places::Places;

/// What a word of asking and telling counts, such as the "kind" and "mentioned" of a question.
const VAGUE: f32 = 0.3;
/// What a Han pair counts for each of its characters that is a word of grammar.
const GRAMMAR: f32 = 0.3;
/// What a single Han character counts beside pairs, and a word of grammar beside others, in documents that hold one of these.
const SUPPORT: f32 = 0.3;

/// Stems of English words that a question is made of, whatever it is about.
const VAGUE_STEMS: &str = "abl actual alway anyth ask bit bring brought came certain come convers date day differ discuss eight everyth feel felt \
    find first five form found four gave get give given go gone good got gotten great happen hear heard help item keep kind \
    knew know known last late let like list littl long look lot made make mani mayb mention month name need new next nice \
    nine often oh one order particular peopl person pleas put realli recal receiv recent rememb remind right said saw say \
    see seem seen set seven six someon someth sort sound specif still sure take taken talk tell ten thing think thought \
    three time told took tri two type understand understood use usual various want way week well went wow yeah year";

/// Pairs of Chinese, Korean and Japanese of the same use.
const VAGUE_PAIRS: &str = "一定 一直 上次 下次 不同 不知 东西 也许 事情 今天 今日 但是 何か 其他 其实 分享 别人 发现 可能 各种 名字 听起 告诉 喜欢 \
    喜歡 因为 大家 太棒 如何 已经 帮助 帮忙 应该 当时 当然 很多 总是 想要 感觉 所以 提到 时候 明天 昨天 最近 有时 每天 然后 \
    特别 现在 現在 看到 看起 真棒 真的 知道 确实 经常 自分 自己 觉得 记得 起来 超级 问题 需要 非常 같아 같은 거 거야 거예 건 \
    그래 그런 그리 기억 나 나도 난 날 내 내가 넌 널 네가 네요 누구 는데 니다 다 더 더라 던데 데 때 떻게 라고 려고 리고 못 \
    무엇 뭐 뭐야 뭔 뭘 세요 수 습니 아서 아요 아하 안 았나 았던 았어 았지 어느 어디 어땠 어떤 어떻 어서 어요 언제 얼마 었나 \
    었던 었어 었지 에요 예요 왜 요즘 우리 으면 은데 이런 이야 인 인가 있나 있는 있어 있었 있을 있지 잖아 잘 저 저도 저희 제 \
    좀 좋아 줄 줬어 줬지 지요 行き 行く 行こ 行っ 来て 来た 来る 言う 言っ 思い 思う 思っ 知っ 知る 持っ 持つ 見た 見て 入っ 教え 好き 최근 하고 하나 하는 하면 하세 하지 합니 해서 해요 해줘 했나 했던 했어 했지";

/// Pairs of Hiragana that are endings and particles, and say nothing by themselves.
const GRAMMAR_PAIRS: &str = "って てる てた たい ない なく なか かな だっ った んだ のか のは のが のを のに ので のも ます まし した して する しま すか られ \
    なら なっ なる にな けど から まで こと もの とき よう そう らし です でし いた いる いて いま ある あり あっ てい ている てく てき \
    くれ もら ちゃ じゃ ため だけ くら らい ぐら たら ても でも とか には では とは んで たの るの いの かっ たっ とこ ころ こは \
    どこ いつ れた れて れる せん ませ ょう しょ たか るか いか だろ ろう んな なの がい がっ にい いう いい いっ とい";

/// Chinese characters that are words of grammar: pronouns, particles, auxiliaries, question words.
const GRAMMAR_CHARACTERS: &str = "的了是我你他她它们在有和与也都就不吗呢吧啊这那个一么什哪谁怎样为没很会要说到去可以能还曾过给对里些请把被跟让得着上下";

/// A token of a query.
#[derive(Debug, PartialEq)]
pub(super) struct QueryToken {
    pub(super) text: String,
    /// What it counts beside its rarity.
    pub(super) factor: f32,
    /// Whether it counts only in documents that hold a token which is not so.
    pub(super) supports: bool,
    /// Whether it says what is asked for: it is no stop word.
    pub(super) is_key: bool,
}

/// The distinct tokens of a query in the order in which they first appear, at most `limit` of them. A token that stands
/// there `n` times counts `1 + ln n` times. Stop words are left out where there is anything else.
#[inline(never)]
pub(super) fn query_tokens(query: &str, limit: usize) -> Vec<QueryToken> {
    let mut tokens: Vec<(String, Role, u32)> = Vec::new();
    let mut places = Places::default();
    tokenize(query, |token, role| {
        let is_it = |place: u32| {
            tokens.get(place as usize).is_some_and(|(known, of, _)| known == token && *of == role)
        };
        let known = places.get(hash(token), is_it);
        if let Some((_, _, times)) = known.and_then(|place| tokens.get_mut(place as usize)) {
            *times += 1;
        } else if tokens.len() < limit {
            tokens.push((token.to_owned(), role, 1));
            let hash_of = |place: u32| tokens.get(place as usize).map_or(0, |(token, ..)| hash(token));
            places.insert(tokens.len() as u32 - 1, hash_of);
        }
    });
    let grammar = Grammar::of(&tokens);
    let has_keys = tokens.iter().any(|(_, role, _)| *role == Role::Key);
    let has_more = tokens.iter().any(|(token, role, _)| *role == Role::Key && !grammar.holds(token));
    tokens.retain(|(token, role, _)| !has_keys || *role == Role::Key || is_single(token));
    let weighed = |(text, role, times): (String, Role, u32)| {
        let is_key = role == Role::Key && !(has_more && grammar.holds(&text));
        let supports = has_keys && !is_key;
        let factor = if supports { SUPPORT } else { factor(&text) };
        let factor = factor * (1.0 + f64::from(times).ln()) as f32;
        QueryToken { text, factor, supports, is_key }
    };
    tokens.into_iter().map(weighed).collect()
}

/// Whether a spare token is a Han character that says something by itself.
fn is_single(token: &str) -> bool {
    token.chars().all(is_content_ideograph)
}

/// Whether a character is a Han character and no word of Chinese grammar.
#[must_use]
pub fn is_content_ideograph(c: char) -> bool {
    is_ideograph(c) && !GRAMMAR_CHARACTERS.contains(c)
}

fn factor(token: &str) -> f32 {
    if token.is_ascii() {
        return if among(VAGUE_STEMS, token) { VAGUE } else { 1.0 };
    }
    let is_hiragana = |c: char| ('\u{3041}'..='\u{309f}').contains(&c);
    let is_self =
        token.strip_prefix(['私', '僕', '俺']).is_some_and(|behind| behind.chars().all(is_hiragana));
    if among(GRAMMAR_PAIRS, token) {
        return VAGUE * VAGUE;
    }
    if among(VAGUE_PAIRS, token) || is_self || token.chars().all(is_hiragana) {
        return VAGUE;
    }
    token.chars().filter(|c| GRAMMAR_CHARACTERS.contains(*c)).fold(1.0, |factor, _| factor * GRAMMAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factors(query: &str) -> Vec<(String, f32)> {
        let tokens = query_tokens(query, 100);
        tokens.into_iter().map(|token| (token.text, (token.factor * 100.0).round() / 100.0)).collect()
    }

    #[test]
    fn the_lists_are_in_order_and_hold_what_queries_become() {
        for pair in VAGUE_PAIRS.split(' ') {
            let mut found = false;
            tokenize(pair, |of, role| found |= of == pair && role == Role::Key);
            assert!(found, "{pair} is no token");
        }
    }

    #[test]
    fn words_of_asking_count_little() {
        let told = |token: &str, factor| (token.to_owned(), factor);
        assert_eq!(
            factors("What kind of pottery did she mention?"),
            [told("kind", 0.3), told("potteri", 1.0), told("mention", 0.3)]
        );
        assert_eq!(factors("cat cat cat"), [told("cat", 2.1)]);
        assert_eq!(factors("who am I"), [told("who", 1.0), told("am", 1.0), told("i", 1.0)]);
    }

    #[test]
    fn words_of_grammar_support_others_in_their_language() {
        let keys = |query: &str| {
            let tokens = query_tokens(query, 99).into_iter().filter(|token| !token.supports);
            tokens.map(|token| token.text).collect::<Vec<_>>()
        };
        assert_eq!(keys("¿Dónde vive la hermana de Ana?"), ["vive", "hermana", "ana"]);
        assert_eq!(keys("Quel est le nom de l'école ?"), ["nom", "ecol"]);
        assert_eq!(keys("Wann ist die Hochzeit von Anna?"), ["hochzeit", "anna"]);
        assert_eq!(keys("Где живёт моя сестра?"), ["живет", "сестра"]);
        assert_eq!(keys("أين يعيش أخي في القاهرة؟"), ["يعيش", "اخي", "قاهره"]);
        assert_eq!(keys("मेरी बहन कहाँ रहती है?"), ["बहन", "रहती"]);
        // What is grammar elsewhere is none in English, nor where nothing else is asked for.
        assert_eq!(keys("How did the man die in the war?"), ["man", "die", "war"]);
        assert_eq!(keys("die son"), ["die", "son"]);
        assert_eq!(keys("quien es el"), ["quien", "es", "el"]);
    }

    #[test]
    fn han_grammar_counts_little_and_single_characters_support() {
        let told = |token: &str, factor| (token.to_owned(), factor);
        assert_eq!(
            factors("我喜欢画"),
            [
                told("我喜", 0.3),
                told("喜", 0.3),
                told("喜欢", 0.3),
                told("欢", 0.3),
                told("欢画", 1.0),
                told("画", 0.3)
            ]
        );
        assert_eq!(factors("什么"), [told("什么", 0.09)]);
        assert_eq!(factors("どこに"), [told("どこ", 0.09), told("こに", 0.3)]);
        assert!(query_tokens("喜欢", 9).iter().all(|token| token.supports == (token.text != "喜欢")));
        assert!(!query_tokens("the", 9)[0].supports);
    }
}
