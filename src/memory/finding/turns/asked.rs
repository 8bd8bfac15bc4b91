//! What a query says of the message that is looked for, beside its subject: when it was said, by whom, whether it tells a time.

use super::dates::Dates;
use super::happened::happened;
use super::words::{holds, words};
use crate::among::among;
use crate::index::lexical::{Language, base_form, is_stop_word, language};
use crate::log::RecordView;
use crate::lowercase::lowercase;
use crate::memory::span::MONTHS;
use crate::time::Timestamp;
use std::ops::Range;

/// English words by which the present differs from what was said before.
const PAST: &str = "ago before did earlier former formerly had initially once originally past previous previously used was were";
/// What was so until now and may be so no longer, at most so many words behind "have" or "has".
const BEHIND: usize = 3;
const LASTED: &str = "dated driven ever lived owned played studied taught worked";
/// The same of questions for all that was said.
const ALL: &str = "first list order summarize summary";
/// What asks for the past in Chinese, Japanese and Korean.
const PAST_ELSEWHERE: &str = "曾|以前|之前|从前|過去|过去|前に|前は|前の|昔|かつて|ました|でした|だった|かった|ていた|てた|たっけ|예전|이전|전에|옛날|시절|那会儿";
/// How one asks in speech for what one has forgotten and is so now: "고향이 어디였지", "地元どこだったっけ".
const RECALLING: &[&str] = &[
    "였지",
    "였더라",
    "였나",
    "였죠",
    "였어",
    "였는지",
    "더라",
    "でしたっけ",
    "だったっけ",
    "だっけ",
    "なんだった",
    "何だった",
    "ましたっけ",
    "てたっけ",
    "たっけ",
];
/// How questions ask that bear no mark, in English at their beginning, and in Chinese, Japanese and Korean anywhere.
const ASKING: &str = "what what's whats where where's wheres who who's whos whose which how how's hows when when's whens am are is do does did can should why";
const ASKING_ELSEWHERE: &str = "什么|什麼|哪|谁|誰|几|幾|多少|多大|吗|嗎|啥|怎么|来着|何|どこ|いつ|なに|どの|どんな|いくら|いくつ|なん|っけ|ますか|ですか|뭐|뭘|무엇|무슨|어디|언제|누구|누가|몇|얼마|어느|어떤|어떻|나요|까요|니까|더라";
/// What somebody does who says something.
const SAYING: &str = "advise advised answer answered describe described explain explained gave give given help helped introduce introduced \
    list listed mention mentioned offer offered propose proposed provide provided recommend recommended said say share \
    shared show showed suggest suggested taught teach tell told";
/// Words that tell a time, besides the months.
const TIMES: &str = "ago days evening friday last monday month months morning next recently saturday since spring summer sunday thursday \
    today tomorrow tonight tuesday wednesday week weekend weeks winter year years yesterday";
/// The same in Chinese, Japanese and Korean.
const TIMES_ELSEWHERE: &[&str] = &[
    "昨天", "今天", "明天", "周", "月", "年", "最近", "昨日", "今日", "明日", "先週", "来週", "어제", "오늘",
    "내일", "지난", "다음", "작년",
];
/// How a question for a time begins, or what it holds.
const WHEN: &str = "what day|what date|what year|what month|what time|which year|which month|which day|which week|how long|how recently|\
    how many days|how many weeks|how many months|how many years|什么时候|何时|哪天|哪一天|几号|几月|多久|哪年|いつ|何日|\
    何月|何年|언제|며칠|몇 월|몇 년";

/// What a query says.
pub(super) struct Asked<'q> {
    query: &'q str,
    words: Vec<&'q str>,
    dates: Dates,
    /// The same as times before the present.
    spans: Vec<Range<Timestamp>>,
    asks_what_was_said: bool,
    /// Whether it asks when.
    pub(super) when: bool,
    /// Whether it asks what somebody else than the user said.
    pub(super) of_others: bool,
}

impl<'q> Asked<'q> {
    pub(super) fn of(query: &'q str, now: Timestamp) -> Self {
        let lower = query.to_ascii_lowercase();
        let when = lower.starts_with("when ") || holds(&lower, WHEN);
        let (dates, asks_what_was_said) =
            (Dates::asked(query, now), words(&lower).into_iter().any(|word| among(SAYING, word)));
        let spans = dates.spans(now);
        Self {
            query,
            words: words(query),
            dates,
            spans,
            asks_what_was_said,
            when,
            of_others: of_others(&lower),
        }
    }

    pub(super) fn names_dates(&self) -> bool {
        !self.dates.is_empty()
    }

    /// Whether a time is one that the query names.
    pub(super) fn is_then(&self, time: Timestamp) -> bool {
        self.dates.contain(time)
    }

    /// Whether what a message tells happened then; of who asks what was said, whether it was said then.
    pub(super) fn happened_then(&self, message: &RecordView<'_>) -> bool {
        let is_then = self.is_then(message.valid_from);
        if self.spans.is_empty() || self.asks_what_was_said {
            return is_then;
        }
        happened(message.text.unwrap_or_default(), message.valid_from, is_then, &self.spans)
    }

    /// The one speaker whom the query names; `None` when it names none, or several.
    pub(super) fn speaker<'t>(&self, speakers: impl Iterator<Item = &'t str>) -> Option<&'t str> {
        let mut named: Option<&str> = None;
        for speaker in speakers {
            if named == Some(speaker) || !self.names(speaker) {
                continue;
            }
            if named.is_some() {
                return None;
            }
            named = Some(speaker);
        }
        named
    }

    /// Whether a name is in the query: whole, by its first word, or by the beginning of that.
    fn names(&self, speaker: &str) -> bool {
        let first = speaker.split(' ').next().unwrap_or_default();
        if !first.is_ascii() {
            return lowercase(self.query).contains(&lowercase(first));
        }
        self.words.iter().enumerate().any(|(place, word)| {
            let is_capital = word.starts_with(|c: char| c.is_ascii_uppercase());
            // "How" is no Howard, and "will" no Will.
            let is_word = is_stop_word(&word.to_ascii_lowercase()) && !(is_capital && place > 0);
            let begins = |first: &str| {
                first.get(..word.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(word))
            };
            !is_word && (word.eq_ignore_ascii_case(first) || word.len() >= 3 && is_capital && begins(first))
        })
    }
}

/// How much of a time a text tells: nothing, something, or 1 for two words of it.
pub(super) fn tells_time(text: &str) -> f32 {
    let lower = text.to_ascii_lowercase();
    let is_year =
        |word: &str| word.len() == 4 && word.starts_with("20") && word.bytes().all(|b| b.is_ascii_digit());
    let is_month = |word: &str| word != "may" && MONTHS.contains(&word);
    let is_time = |word: &&str| among(TIMES, word) || is_month(word) || is_year(word);
    let english = words(&lower).into_iter().filter(is_time).count();
    let others = TIMES_ELSEWHERE.iter().filter(|sign| text.contains(**sign)).count();
    (english + others).min(2) as f32 / 2.0
}

/// Whether a question is about how things are now, or will be, so that what replaced something answers it.
pub(in super::super) fn is_of_the_present(query: &str, now: Timestamp) -> bool {
    let lower = query.to_ascii_lowercase();
    let is_asked =
        || words(&lower).first().is_some_and(|first| among(ASKING, first)) || holds(query, ASKING_ELSEWHERE);
    (query.contains(['?', '？']) || is_asked())
        && !query.contains('\n')
        && !is_of_the_past(query, now)
        && !words(&lower).into_iter().any(|word| among(ALL, word))
        && !query.contains(['过', '了'])
}

/// Whether a query asks for what was so and may no longer be.
pub(in super::super) fn is_of_the_past(query: &str, now: Timestamp) -> bool {
    let lower = query.to_ascii_lowercase();
    let all = words(&lower);
    // A name is no "before".
    let mut said = query.replace("名前", "");
    if RECALLING.iter().any(|form| said.contains(form)) {
        RECALLING.iter().for_each(|form| said = said.replace(form, " "));
    }
    // "Which places have I lived in?" is of all of them; "How long have I lived here?" is of the last one.
    let has_lasted = || {
        let behind = |place: usize| all.iter().skip(place + 1).take(BEHIND).any(|word| among(LASTED, word));
        let is_perfect = |word: &str| matches!(word, "have" | "has" | "ve");
        let is_of_now = all.iter().any(|word| matches!(*word, "long" | "since" | "here" | "now"));
        !is_of_now && all.iter().enumerate().any(|(place, word)| is_perfect(word) && behind(place))
    };
    // "Was" asks for a thing in German.
    let is_past = all.iter().any(|word| among(PAST, word)) || has_lasted();
    language(query) != Some(Language::German) && is_past
        || holds(&said, PAST_ELSEWHERE)
        || said.chars().any(is_past_korean)
        || Dates::of(query, now).are_over(now)
}

/// Whether a statement tells what was so or was done.
pub(super) fn tells_past(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let is_past = |word: &str| {
        among(PAST, word)
            || word.ends_with("ed") && !matches!(word, "bed" | "feed" | "indeed" | "need" | "red" | "speed")
            || base_form(word) != word
            || matches!(word, "left" | "put" | "cut" | "hit" | "led")
    };
    words(&lower).into_iter().any(is_past)
        || holds(text, PAST_ELSEWHERE)
        || text.contains('了')
        || text.chars().any(is_past_korean)
}

/// What asks what has changed, or whether it has.
const CHANGE: &str = "anymore before former formerly previous previously still yet";
/// The same in Chinese, Japanese and Korean.
const CHANGE_ELSEWHERE: &str = "还|還|以前|之前|まだ|아직|예전|이전";

/// Whether a query asks for what has changed: for what was before, or whether something still is.
pub(in super::super) fn is_of_a_change(query: &str) -> bool {
    let lower = query.to_ascii_lowercase();
    words(&lower).into_iter().any(|word| among(CHANGE, word)) || holds(query, CHANGE_ELSEWHERE)
}

/// Whether a Korean syllable is one of a verb in the past: it ends like those of what is and of what will be.
pub(in super::super) fn is_past_korean(c: char) -> bool {
    matches!(c, '가'..='힣') && (u32::from(c) - u32::from('가')) % 28 == 20 && !matches!(c, '있' | '겠')
}

/// Whether a query asks what "you" said: "what did you recommend", but not "can you tell me".
fn of_others(lower: &str) -> bool {
    let words = words(lower);
    for (place, word) in words.iter().enumerate() {
        let next = |by: usize| words.get(place + by).copied().unwrap_or_default();
        if *word == "your"
            && (among(SAYING, next(1).trim_end_matches('s'))
                || matches!(
                    next(1),
                    "advice" | "recommendation" | "suggestion" | "recommendations" | "suggestions"
                ))
        {
            return true;
        }
        let before = place.checked_sub(1).and_then(|before| words.get(before)).copied().unwrap_or_default();
        if *word != "you"
            || matches!(before, "can" | "could" | "please" | "will" | "to" | "with" | "for" | "do" | "would")
        {
            continue;
        }
        let behind =
            (1..4).map(next).take_while(|word| !matches!(*word, "i" | "remember" | "recall" | "know"));
        if behind.into_iter().any(|word| among(SAYING, word)) {
            return true;
        }
    }
    of_others_elsewhere(lower)
}

/// What somebody may have told, in Chinese, and how it is said of the assistant in Japanese and Korean.
const TELLING: &str = "推荐|告诉|教|建议|介绍|说|分享|讲|提";
const TELLING_ELSEWHERE: &str = "あなたが|君が|教えてくれた|勧めてくれた|おすすめしてくれた|네가|추천해 준|추천해준|알려 준|알려준|말해 준|말해준|\
    추천했|추천해줬|추천해 줬|알려줬|알려 줬|말해 줬|하라고 했|으라고 했|言ってくれた|って言ってた";

/// The same in Chinese, Japanese and Korean.
fn of_others_elsewhere(query: &str) -> bool {
    let mut clauses = query.split('你');
    let mut before = clauses.next().unwrap_or_default();
    for clause in clauses {
        let end = clause.char_indices().nth(9).map_or(clause.len(), |(end, _)| end);
        let said = clause.get(..end).unwrap_or_default().split(['，', '？', '。']).next().unwrap_or_default();
        let is_to_you = before.ends_with(['和', '跟', '向', '与', '给', '对']);
        let asks = ["还记得", "记得", "能", "知道"].iter().any(|sign| said.starts_with(sign));
        if !is_to_you && !asks && holds(said, TELLING) {
            return true;
        }
        before = clause;
    }
    holds(query, TELLING_ELSEWHERE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_you_said_is_told_from_what_you_are_to_do() {
        for query in [
            "What painters did you recommend to me?",
            "You once taught me how to cook, how?",
            "What advice did you give me?",
            "What was your advice on sleep?",
            "你曾经给我推荐过哪些画家？",
            "在5月4日我向你咨询了，你给我推荐了什么？",
            "네가 추천해 준 책이 뭐였지?",
        ] {
            assert!(Asked::of(query, 0).of_others, "{query}");
        }
        for query in [
            "Can you tell me what I said?",
            "Do you remember when I went to Rome?",
            "What did I tell you about my job?",
            "我曾经和你推荐过一部电影，它的名字是？",
            "你还记得我说过什么吗？",
            "Where do I live?",
        ] {
            assert!(!Asked::of(query, 0).of_others, "{query}");
        }
    }

    #[test]
    fn the_one_speaker_that_is_named() {
        let named = |query: &str| Asked::of(query, 0).speaker(["Melanie", "Jon Snow", "민준"].into_iter());
        assert_eq!(named("What do Mel's kids like?"), Some("Melanie"));
        assert_eq!(named("where is jon"), Some("Jon Snow"));
        assert_eq!(named("민준이는 어디에 살아?"), Some("민준"));
        assert_eq!(named("Do Jon and Melanie dance?"), None);
        assert_eq!(named("Where do I live?"), None);
    }

    #[test]
    fn questions_for_the_past() {
        let now = crate::time::parse("2024-03-13").unwrap();
        for query in [
            "Where did I live before?",
            "Where did I use to work?",
            "What is my previous address?",
            "나 어디 살았었지?",
            "예전 직업이 뭐야?",
            "前はどこに住んでた？",
            "以前の仕事は？",
            "前の会社はどこだったっけ",
            "예전에 살던 데가 어디였지",
            "我以前住在哪里？",
            "2019年我住在哪里？",
            "Where do I live since last year?",
        ] {
            assert!(is_of_the_past(query, now), "{query}");
        }
        for query in [
            "Where do I live?",
            "나 어디 살아?",
            "내일 뭐 하겠어? 약속 있어?",
            "名前は何ですか？",
            "どこに住んでいますか？",
            "我对什么过敏？",
            "고향이 어디였지",
            "내 전공이 뭐였더라?",
            "地元どこだったっけ",
            "楽器なんかやってたっけ",
            "What is planned for 2024?",
            "Was weißt du über mich?",
            "What happens in 2031?",
        ] {
            assert!(!is_of_the_past(query, now), "{query}");
        }
    }

    #[test]
    fn questions_for_a_time_and_of_the_present() {
        assert!(
            Asked::of("When is it?", 0).when
                && Asked::of("그게 언제였지?", 0).when
                && !Asked::of("I like it when", 0).when
        );
        let now = crate::time::parse("2024-03-13T10:00").unwrap();
        for query in [
            "How much rent do I pay?",
            "我住在哪里？",
            "what phone do i have",
            "나 휴대폰 기종 뭐야",
            "今どこに住んでるっけ",
            "我手机啥牌子的",
            "How much rent will it be in May 2025?",
            "What time do we sail next Saturday?",
        ] {
            assert!(is_of_the_present(query, now), "{query}");
        }
        for query in [
            "How much rent did I pay?",
            "rent",
            "How much rent in May 2023?",
            "What do I pay since last week?",
            "我去过哪里？",
        ] {
            assert!(!is_of_the_present(query, now), "{query}");
        }
        assert!((tells_time("We went there last week") - 1.0).abs() < 1e-6 && tells_time("We went") < 0.1);
    }
}
