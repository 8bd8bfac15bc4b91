//! Japanese: a clause is read only when all of it is understood: speaker, value and predicate.

mod change;
mod household;
mod topic;
mod value;
mod words;

pub(super) use topic::topic;

use super::Proceed;
use super::finding::Finding;
use super::slot::Slot;
use super::statement::{Ending, SPOUSES, Statement};
use super::table::{among, ends_among, holds, strip_end, strip_start};
use crate::index::lexical::is_ideograph;
use crate::memory::sentence::Sentence;
use change::{after_time, changed, is_grown};
use household::{is_span, pets, relatives, wish};

/// Reads the sentences of one message; remembers whom the talk is about when a sentence names no one.
#[derive(Default)]
pub(super) struct Reader {
    about_others: bool,
    /// How much had been found before the sentence before.
    before: usize,
}

impl Reader {
    /// A reader of a message; `others` says whether the talk was about somebody else.
    pub(super) fn behind(others: bool) -> Self {
        Self { about_others: others, before: 0 }
    }

    /// Adds what one sentence states.
    pub(super) fn read(&mut self, text: &str, sentence: &Sentence, found: &mut Vec<Statement>) -> Proceed {
        if words::TASKS.iter().any(|task| text.contains(task)) || sentence.announces {
            return Proceed::Stop;
        }
        let mut clauses: Vec<&str> = text.split(parts).filter(|clause| !clause.is_empty()).collect();
        let quotes = |clause: &&str| {
            strip_start(clause, words::QUOTING).is_some() && strip_start(clause, words::OPENING).is_none()
        };
        if clauses.iter().any(|clause| is_joke(clause)) || clauses.first().is_some_and(quotes) {
            found.clear();
            return Proceed::On;
        }
        // 「去年まで」, as a sentence of its own.
        if !clauses.is_empty() && clauses.iter().all(|clause| limits(clause)) {
            found.truncate(self.before);
        }
        let before = found.len();
        self.before = before;
        let is_limited = clauses.iter().any(|clause| is_until(clause))
            || clauses.last().is_some_and(|clause| limits(clause));
        let blocked = clauses.iter().any(quotes) || words::BLOCKERS.iter().any(|part| text.contains(part));
        if blocked || text.contains([':', '：']) {
            self.notice_subject(text);
            self.about_others |= introduces(text);
            return Proceed::On;
        }
        if sentence.question {
            self.about_others |= clauses.pop().is_some_and(introduces);
        }
        let mut speaker = false;
        let mut dated = None;
        for clause in clauses {
            let start = sentence.range.start + (clause.as_ptr().addr() - text.as_ptr().addr());
            // "先月、大阪に引っ越しました": the time is told with what happened.
            let from = dated.take().unwrap_or(start);
            if after_time(clause).is_empty() {
                dated = Some(from);
                continue;
            }
            let (named, body, greeted) = subject(clause);
            speaker |= named || greeted;
            if named || strip_start(clause, words::MY).is_some() {
                self.about_others = false;
            }
            let context = Context { speaker, others: self.about_others };
            let mut findings = body.map(|body| read(body, context)).unwrap_or_default();
            // 「引っ越した」 ends the home, unless the message tells one.
            let is_told = found.iter().any(|it| it.slot == Slot::Place && !it.retracts);
            findings.retain(|finding| !(is_told && finding.ends.iter().any(|it| it.slot == Slot::Place)));
            if findings.is_empty() {
                self.notice_subject(body.unwrap_or_default());
                self.about_others |= body.is_some_and(names_topic);
                speaker &= !self.about_others;
            }
            let is_plain = findings.iter().any(|finding| !finding.introduces());
            self.about_others |= !is_plain && body.is_some_and(introduces);
            for finding in findings {
                let text = finding.sentence.replace("{}", &finding.value);
                let text = text.replace("{topic}", finding.topic.as_deref().unwrap_or_default());
                found.push(finding.stated(text, from..start + clause.len()));
            }
        }
        if is_limited {
            found.truncate(before);
        }
        if holds(words::PASSING, text) {
            let mut at = 0;
            found.retain(|it| {
                at += 1;
                at <= before || it.slot != Slot::Diet
            });
        }
        Proceed::On
    }

    /// Notes whether a clause nothing was learnt from is about somebody else.
    fn notice_subject(&mut self, clause: &str) {
        let subject = ["は", "が", "も"]
            .iter()
            .filter_map(|mark| clause.split_once(mark))
            .map(|(it, _)| it)
            .min_by_key(|it| it.len());
        if subject.is_some_and(|it| !among("今日 明日 昨日 最近 今 私 僕 俺 天気 これ それ 週末", it))
        {
            self.about_others = true;
        }
    }
}

/// Whether a sentence of Chinese characters alone is Japanese for where somebody is from or lives: 青森出身.
pub(super) fn is_origin(text: &str) -> bool {
    let text = text.trim_matches(parts);
    strip_end(text, "出身 在住").is_some_and(|place| among(words::PLACES, place))
}

/// Whether a clause takes back what was said before it: 「嘘です」, 「なんちゃって」.
fn is_joke(clause: &str) -> bool {
    let plain = strip_end(clause, words::TAILS);
    strip_start(clause, words::JOKING).is_some()
        || [Some(clause), plain].into_iter().flatten().any(|clause| among(words::JOKES, clause))
}

/// Whether a clause says that what stands before it is no longer so, or somebody else's: 「去年まで」, 「友達が」.
fn limits(clause: &str) -> bool {
    let whose = strip_end(clause, "が は の も の話 の話です の話だけど")
        .map(|whose| strip_start(whose, words::MY).unwrap_or(whose));
    let is_whose = |whose: &str| {
        [words::RELATIVES, words::PERSONS, words::OTHERS].iter().any(|table| among(table, whose))
    };
    // 「東京に住んでる、っていうか埼玉」
    let is_rather = strip_start(clause, "っていうか というか").is_some();
    is_whose(whose.unwrap_or(clause)) || is_until(clause) || is_rather || among(words::ELSEWHERE, clause)
}

/// Whether a clause tells until when something is so: 「去年まで」, 「今月いっぱい」.
fn is_until(clause: &str) -> bool {
    let time = clause.strip_suffix("です").unwrap_or(clause);
    time.ends_with("まで") && !among("今まで これまで", time)
        || strip_end(time, "いっぱい").is_some_and(|when| among("今月 今週 今年 年内 来月", when))
}

/// Whether somebody else stands in a clause, whom what follows may be about: "猫を飼っています", "母からメール".
fn introduces(clause: &str) -> bool {
    [words::RELATIVES, words::PETS, words::PERSONS].iter().any(|table| holds(table, clause))
}

/// Whether a clause is nothing but a noun, whom what follows may be about: 「あの店員さん、川崎在住です」.
fn names_topic(clause: &str) -> bool {
    let is_noun = |c: char| is_ideograph(c) || ('\u{30a1}'..='\u{30fc}').contains(&c);
    let is_titled = ["さん", "くん", "ちゃん", "さま", "やつ"].iter().any(|title| clause.ends_with(title));
    // What has a particle says something of its own: 「趣味は登山」.
    !clause.contains(['は', 'が', 'を', 'も'])
        && (clause.ends_with(is_noun) || is_titled)
        && !ends_among(words::NO_TOPICS, clause)
}

/// Who a clause is about, as far as its words tell.
#[derive(Clone, Copy)]
struct Context {
    /// The speaker is named, or introduced with a greeting.
    speaker: bool,
    /// Nobody is named, and the talk was about somebody else.
    others: bool,
}

/// Marks between clauses.
fn parts(letter: char) -> bool {
    let joins = letter.is_alphanumeric() || matches!(letter, 'ー' | '・' | '々' | '-' | '+' | '&' | '\u{0}');
    !joins
}

/// Cuts openers and the speaker off a clause: whether the speaker is named, the rest, whether it greets.
fn subject(clause: &str) -> (bool, Option<&str>, bool) {
    const GREETINGS: &str = "こんにちは こんばんは はじめまして 初めまして どうも おはようございます";
    let mut rest = clause;
    let mut speaker = false;
    let mut greeted = false;
    loop {
        greeted |= strip_start(rest, GREETINGS).is_some();
        let after = if let Some(after) =
            strip_start(rest, words::FIRST_PERSON).filter(|it| !it.starts_with(['の', 'た', 'に', 'を']))
        {
            speaker = true;
            after
        } else if let Some(after) = strip_start(rest, words::OPENERS).filter(|_| !names_day(rest)) {
            after
        } else {
            break;
        };
        rest = after;
    }
    (speaker, (!rest.is_empty()).then_some(rest), greeted)
}

/// Whether a clause begins with this year, day and the like, rather than with "now".
fn names_day(clause: &str) -> bool {
    clause
        .strip_prefix('今')
        .is_some_and(|rest| rest.starts_with(['年', '月', '週', '日', '朝', '夜', '度', '回']))
}

/// What a clause says, its speaker and openers cut off.
fn read(body: &str, context: Context) -> Vec<Finding> {
    let plain = strip_end(body, words::TAILS);
    let twice = plain.and_then(|body| strip_end(body, words::TAILS));
    [Some(body), plain, twice]
        .into_iter()
        .flatten()
        .find_map(|body| heading(body, context).or_else(|| predicate(body, context)))
        .unwrap_or_default()
}

fn one(slot: Slot, value: Option<String>, sentence: &'static str) -> Option<Vec<Finding>> {
    value.map(|value| vec![Finding::new(slot, value, sentence)])
}

fn each(slot: Slot, values: Option<Vec<String>>, sentence: &'static str) -> Option<Vec<Finding>> {
    values.map(|values| values.into_iter().map(|value| Finding::new(slot, value, sentence)).collect())
}

/// "私の名前は...です": statements that name their subject first.
fn heading(body: &str, context: Context) -> Option<Vec<Finding>> {
    let mine = strip_start(body, words::MY);
    let (subject, said) = mine.unwrap_or(body).split_once('は')?;
    if context.others && mine.is_none() && !subject.ends_with("の名前") {
        return None;
    }
    let stated = strip_end(said, words::COPULA).or_else(|| strip_end(said, words::CALLED));
    // 「仕事は看護師」: of little else is it told what it is.
    let bare = || Some(said).filter(|_| among(words::BARE, subject));
    let said = stated.or_else(bare)?;
    match subject {
        "名前" | "氏名" | "本名" => one(Slot::Name, value::name(said), "ユーザーの名前は{}です。"),
        "あだ名" | "ニックネーム" => {
            one(Slot::Nickname, value::name(said), "ユーザーのあだ名は{}です。")
        }
        "職業" | "仕事" => one(Slot::Job, value::occupation(said), "ユーザーの職業は{}です。"),
        "出身" | "出身地" | "故郷" | "地元" => {
            one(Slot::Origin, value::place(said), "ユーザーの出身は{}です。")
        }
        "住まい" | "住んでるの" | "住んでいるの" | "住んでる所" | "住んでいる所" => {
            one(Slot::Place, value::place(said), "ユーザーは{}に住んでいます。")
        }
        "年齢" | "歳" => one(Slot::Age, value::age(said), "ユーザーは{}歳です。"),
        "誕生日" => one(Slot::Birthday, value::birthday(said), "ユーザーの誕生日は{}です。"),
        "趣味" => each(Slot::Like, value::things(said), "ユーザーの趣味は{}です。"),
        "専攻" | "専門" => one(Slot::Study, value::thing(said), "ユーザーの専攻は{}です。"),
        "目標" | "夢" | "将来の夢" | "今年の目標" => {
            let career = strip_end(said, "になること になるの").and_then(value::occupation);
            match career {
                Some(job) => one(Slot::Goal, Some(job), "ユーザーの目標は{}になることです。"),
                None => one(Slot::Goal, value::thing(said), "ユーザーの目標は{}です。"),
            }
        }
        "母国語" | "母語" => {
            let known = among(words::LANGUAGES, said).then(|| said.to_owned());
            one(Slot::Language, known, "ユーザーの母国語は{}です。")
        }
        _ => named_topic(subject, said),
    }
}

/// "犬の名前は...", "好きな色は...".
fn named_topic(subject: &str, said: &str) -> Option<Vec<Finding>> {
    if let Some(owner) = subject.strip_suffix("の名前") {
        let owner = strip_start(owner, "うちの 飼っている 飼い").unwrap_or(owner);
        let name = value::name(said)?;
        let slot = if among(words::PETS, owner) {
            Slot::Pet
        } else if among(words::RELATIVES, owner) {
            Slot::Family
        } else {
            return None;
        };
        return Some(vec![Finding::new(slot, name, "ユーザーの{topic}の名前は{}です。").about(owner)]);
    }
    let topic = strip_start(subject, "一番好きな いちばん好きな 好きな 大好きな")?;
    let value = value::thing(said).filter(|_| among(words::TOPICS, topic))?;
    Some(vec![Finding::new(Slot::Favorite, value, "ユーザーの好きな{topic}は{}です。").about(topic)])
}

/// Statements that end in their predicate.
fn predicate(body: &str, context: Context) -> Option<Vec<Finding>> {
    let cut = |table: &str| strip_end(body, table);
    if context.others && !context.speaker {
        return None;
    }
    if let Some(said) = cut(words::CALL_ME) {
        let said = strip_start(said, "私のことは 僕のことは 気軽に").unwrap_or(said);
        return one(Slot::Nickname, value::name(said), "ユーザーは「{}」と呼ばれたいです。");
    }
    if let Some(finding) = changed(body) {
        return Some(vec![finding]);
    }
    if among(words::MARRIED, body) {
        let state = if body.starts_with("離婚") {
            "離婚"
        } else if body.starts_with("独身") {
            "独身"
        } else {
            "結婚"
        };
        let sentence = match state {
            "独身" => "ユーザーは独身です。",
            "離婚" => "ユーザーは離婚しています。",
            _ => "ユーザーは結婚しています。",
        };
        let written = body.get(..state.len()).unwrap_or(state);
        let finding = Finding::new(Slot::Relationship, written, sentence);
        let finding = match state {
            "離婚" => finding.ending(Ending::about(Slot::Family, SPOUSES, None)),
            _ => finding.happened(),
        };
        return Some(vec![finding]);
    }
    if let Some(finding) = wish(body).or_else(|| relatives(body)) {
        return Some(finding);
    }
    let known = |said: &str, tables: [&str; 2]| {
        tables.iter().any(|table| among(table, said)).then(|| said.to_owned())
    };
    if let Some(said) = cut(words::CALLED) {
        return one(Slot::Name, value::name(said), "ユーザーの名前は{}です。");
    }
    if let Some(said) = cut(words::LIVE) {
        // 「東京に10年住んでる」
        let said = said.split_once('に').filter(|(_, time)| is_span(time)).map_or(said, |(place, _)| place);
        return one(Slot::Place, value::place(said), "ユーザーは{}に住んでいます。");
    }
    if let Some(said) = cut(words::COME) {
        return one(Slot::Origin, value::place(said), "ユーザーは{}出身です。");
    }
    // 「営業してる」 is said of a shop.
    let is_open = |said: &&str| *said == "営業" && !body.contains('を');
    if let Some(found) = cut(words::AS).filter(|said| !is_open(said)).and_then(job) {
        return Some(found);
    }
    if let Some(said) = cut(words::AT) {
        return one(Slot::Employer, value::workplace(said), "ユーザーは{}で働いています。");
    }
    if let Some(said) = cut(words::DISLIKE) {
        return each(Slot::Dislike, value::tastes(said), "ユーザーは{}が苦手です。");
    }
    if let Some(said) = cut(words::LIKE) {
        return each(Slot::Like, value::tastes(said), "ユーザーは{}が好きです。");
    }
    if let Some(said) = cut(words::NOT_EAT) {
        let is_meal = |value: &String| among(words::MEALS, value);
        let things = value::things(said).filter(|values| !values.iter().any(is_meal));
        return each(Slot::Diet, things, "ユーザーは{}を口にしません。");
    }
    if let Some(said) = cut(words::ALLERGY) {
        let said = said.strip_suffix('の').or_else(|| said.strip_suffix('に')).unwrap_or(said);
        let is_jest = |value: &String| {
            among(words::NOT_ALLERGENS, value) || value.ends_with('曜') || value.ends_with("曜日")
        };
        let things = value::things(said).filter(|values| !values.iter().any(is_jest));
        return each(Slot::Allergy, things, "ユーザーは{}アレルギーがあります。");
    }
    if let Some(said) = cut(words::BECOME) {
        return one(Slot::Goal, value::occupation(said), "ユーザーは{}になりたいです。");
    }
    if let Some(said) = cut(words::AIM) {
        return one(Slot::Goal, value::thing(said), "ユーザーの目標は{}です。");
    }
    if let Some(said) = cut(words::LEARN) {
        let skill = known(value::without_adverbs(said), [words::LANGUAGES, words::SKILLS]);
        return one(Slot::Goal, skill, "ユーザーは{}を学んでいます。");
    }
    if let Some(said) = cut(words::SPEAK) {
        let spoken: Option<Vec<String>> =
            said.split('と').map(|part| known(part, [words::LANGUAGES, ""])).collect();
        return each(Slot::Language, spoken, "ユーザーは{}が話せます。");
    }
    if let Some(said) = cut(words::RAISE) {
        return pets(said);
    }
    // 「法学部です」: what is studied there has the same name without the last letter.
    if let Some(said) = cut("部です 部だ 部だよ").filter(|said| said.ends_with('学') && *said != "学")
    {
        return one(Slot::Study, value::thing(said), "ユーザーの専攻は{}です。");
    }
    if let Some(said) = cut(words::MAJOR) {
        return one(Slot::Study, value::thing(said), "ユーザーの専攻は{}です。");
    }
    identity(cut(words::COPULA)?, context)
}

/// "Google でエンジニアとして": an occupation, with the workplace or town before it.
fn job(said: &str) -> Option<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut title = said;
    if let Some((place, rest)) = said.split_once('で') {
        title = rest;
        match value::workplace(place) {
            Some(employer) => {
                findings.push(Finding::new(Slot::Employer, employer, "ユーザーは{}で働いています。"))
            }
            None => drop(value::place(place)?),
        }
    }
    let job = value::occupation(title)?;
    findings.push(Finding::new(Slot::Job, job, "ユーザーの職業は{}です。"));
    Some(findings)
}

/// "Xです": only what certainly is an occupation, an age, a nationality, a diet or a family name.
fn identity(said: &str, context: Context) -> Option<Vec<Finding>> {
    let said = value::without_adverbs(said);
    if context.others {
        return None;
    }
    if let Some(age) = value::age(said).filter(|age| context.speaker || is_grown(age)) {
        return one(Slot::Age, Some(age), "ユーザーは{}歳です。");
    }
    if let Some(job) = value::occupation(said) {
        return one(Slot::Job, Some(job), "ユーザーの職業は{}です。");
    }
    if among(words::NATIONALITIES, said) && context.speaker {
        return one(Slot::Nationality, Some(said.to_owned()), "ユーザーは{}です。");
    }
    if among(words::DIETS, said) {
        return one(Slot::Diet, Some(said.to_owned()), "ユーザーは{}です。");
    }
    let introduced = context.speaker && among(words::SURNAMES, said) && said.chars().count() > 1;
    if introduced {
        one(Slot::Name, Some(said.to_owned()), "ユーザーの名前は{}です。")
    } else {
        None
    }
}
