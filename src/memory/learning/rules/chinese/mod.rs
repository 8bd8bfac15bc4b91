//! Chinese: a clause is read only when all of it is understood, from the speaker to the last letter of the value.
//!
//! Texts are read in simplified characters; as many bytes hold a letter in both scripts, so what was found is given as it
//! was written.

mod change;
mod correction;
mod heading;
mod predicate;
mod script;
mod value;
mod words;

use super::Proceed;
use super::finding::Finding;
use super::slot::Slot;
use super::statement::Statement;
use super::table::{among, ends_among, holds, strip_end, strip_start};
use crate::memory::sentence::Sentence;
pub(super) use correction::{corrected, may_correct, withdraws};
pub(super) use script::simplified;

/// How many bytes may stand between two sentences that follow each other: their marks.
const MARKS: usize = 8;

/// Reads the sentences of one message; remembers whether it is written in traditional characters.
#[derive(Default)]
pub(super) struct Reader {
    traditional: bool,
    /// Where the last sentence ended.
    heard: usize,
    /// Something was said that need not be about the user.
    strays: bool,
}

/// What a clause says.
#[derive(Default)]
struct Reading {
    findings: Vec<Finding>,
    /// It no longer holds.
    retracts: bool,
    /// It is meant only of what is known.
    presumes: bool,
    /// Whom or what the next clause may name: "我养了一只猫，叫咪咪".
    introduces: Option<(Slot, String)>,
}

impl Reading {
    fn of(findings: Vec<Finding>) -> Self {
        Self { findings, ..Self::default() }
    }

    fn one(slot: Slot, value: &str, sentence: &'static str) -> Self {
        Self::of(vec![Finding::new(slot, value, sentence)])
    }

    fn each(slot: Slot, values: Vec<&str>, sentence: &'static str) -> Self {
        Self::of(values.into_iter().map(|value| Finding::new(slot, value, sentence)).collect())
    }

    fn retracted(mut self) -> Self {
        self.retracts = true;
        self
    }

    fn presuming(mut self) -> Self {
        self.presumes = true;
        self
    }
}

impl Reader {
    /// Adds what one sentence states.
    pub(super) fn read(&mut self, text: &str, sentence: &Sentence, found: &mut Vec<Statement>) -> Proceed {
        let plain = simplified(text);
        self.traditional |= plain != text;
        let strays = self.strays || sentence.range.start > self.heard + MARKS;
        (self.heard, self.strays) = (sentence.range.end, true);
        if holds(words::PLAYS, &plain) {
            found.clear();
        }
        if holds(words::TASKS, &plain) || sentence.announces {
            return Proceed::Stop;
        }
        let mut clauses = clauses(&plain);
        if sentence.question {
            let asked = clauses.pop().unwrap_or_default();
            if among(words::TAGS, asked) {
                return Proceed::On;
            }
        }
        let blocked =
            |clause: &&str| holds(words::BLOCKERS, clause) || among(words::TAGS, clause) || reports(clause);
        if clauses.iter().any(blocked)
            || is_ending(&clauses)
            || relapses(&plain)
            || plain.contains([':', '：'])
        {
            return Proceed::On;
        }
        let alone = !(strays || sentence.question || names_others(&plain, &clauses));
        let mut talk = Talk { alone, ..Talk::default() };
        let mut dated = None;
        for clause in clauses {
            let start = clause.as_ptr().addr() - plain.as_ptr().addr();
            // "上个月，我搬到了北京": the time is told with what happened.
            let from = dated.take().unwrap_or(start);
            let Some(reading) = talk.read(clause) else {
                dated = (talk.time != Time::Untold).then_some(from);
                continue;
            };
            let written = text.get(start..start + clause.len()).unwrap_or_default();
            for finding in reading.findings {
                let statement = self.statement(finding, clause, written);
                let base = sentence.range.start;
                let statement = Statement { quote: base + from..base + start + clause.len(), ..statement };
                let mut statement = Statement { presumes: reading.presumes, ..statement };
                statement.retracts |= reading.retracts;
                // "我住上海，刚搬家" and "搬家了，现在住上海": the home that is told is the new one.
                let is_home = |one: &Statement| one.slot == Slot::Place && !one.retracts;
                if statement.slot == Slot::Event && found.iter().any(is_home) {
                    statement.ends.retain(|ending| ending.slot != Slot::Place);
                }
                found.push(statement);
            }
        }
        self.strays = !talk.alone;
        Proceed::On
    }

    /// The statement of a finding, as the user writes.
    fn statement(&self, finding: Finding, clause: &str, written: &str) -> Statement {
        let original = |part: &str| {
            let at = clause.find(part);
            at.and_then(|at| written.get(at..at + part.len())).unwrap_or(part).to_owned()
        };
        let mut finding = finding;
        for value in finding.ends.iter_mut().filter_map(|ending| ending.value.as_mut()) {
            *value = original(value);
        }
        let finding = Finding {
            value: original(&finding.value),
            topic: finding.topic.as_deref().map(original),
            ..finding
        };
        let sentence = finding.sentence;
        let sentence = if self.traditional { sentence.to_owned() } else { simplified(sentence) };
        let text = sentence.replace("{}", &finding.value);
        let text = text.replace("{topic}", finding.topic.as_deref().unwrap_or_default());
        finding.stated(text, 0..0)
    }
}

/// Whom the clauses of a sentence are about.
#[derive(Default)]
struct Talk {
    /// All that was said in the message so far is about the speaker, and nobody else is named: they need not be.
    alone: bool,
    /// The speaker was named, and nobody since.
    speaker: bool,
    greeted: bool,
    past: bool,
    /// What stands alone before the next clause.
    time: Time,
    introduced: Option<(Slot, String)>,
}

impl Talk {
    fn read(&mut self, clause: &str) -> Option<Reading> {
        if holds(words::PAST, clause) {
            self.past = true;
        } else if holds(words::NOW, clause) {
            self.past = false;
        }
        let introduced = self.introduced.take();
        let mut time = std::mem::take(&mut self.time);
        let mut rest = clause;
        loop {
            self.greeted |= strip_start(rest, words::GREETINGS).is_some();
            let Some(after) = strip_start(rest, words::OPENERS) else { break };
            rest = after.trim_start();
        }
        if self.past {
            // "我以前住在上海，现在住在北京": what is told of now is about the same person.
            let named = strip_start(rest, words::FIRST_PERSON);
            let own = named.or(Some(rest).filter(|_| self.alone));
            let is_own =
                own.and_then(|said| strip_start(said, words::PAST)).is_some_and(|said| match named {
                    Some(_) => read(said, Time::Untold, false).is_some(),
                    None => unnamed(said, Time::Untold).is_some(),
                });
            self.speaker |= is_own && named.is_some();
            self.alone &= is_own;
        }
        if rest.is_empty() || self.past || among(words::ANSWERS, rest) {
            return None;
        }
        if let Some(asked) = heading::call_me(rest).or_else(|| predicate::instruction(rest)) {
            return Some(asked);
        }
        if let Some((told, said)) = when(rest) {
            if said.is_empty() {
                self.time = told;
                return None;
            }
            if strip_start(said, words::FIRST_PERSON).is_some() {
                (time, rest) = (told, said);
            }
        }
        let named = strip_start(rest, words::FIRST_PERSON).map(str::trim_start);
        if named.is_none() && !self.speaker {
            let reading = match introduced {
                Some((slot, topic)) => named_thing(rest, slot, &topic),
                None if self.alone => unnamed(rest, time),
                None => None,
            };
            self.alone &= reading.as_ref().is_some_and(|reading| reading.introduces.is_none());
            self.introduced = reading.as_ref().and_then(|reading| reading.introduces.clone());
            return reading.or_else(|| heading::death_by_name(rest));
        }
        let reading = match introduced.filter(|_| named.is_none()) {
            Some((slot, topic)) => named_thing(rest, slot, &topic),
            None => read(named.unwrap_or(rest), time, self.greeted),
        };
        // What is not understood may be about somebody else, and so is what follows somebody who is introduced.
        let is_own = |reading: &Reading| !reading.findings.iter().any(Finding::introduces);
        self.speaker =
            reading.as_ref().is_some_and(|reading| reading.introduces.is_none() && is_own(reading));
        self.alone &= self.speaker;
        self.introduced = reading.as_ref().and_then(|reading| reading.introduces.clone());
        reading
    }
}

/// Whether a sentence is about somebody else, or asks for something: in it, what has no speaker need not be the user's.
fn names_others(plain: &str, clauses: &[&str]) -> bool {
    let said = plain.replace("你好", "").replace("您好", "");
    let others = [words::OTHERS, words::DEMANDS, words::RELATIVES, words::PERSONS];
    let others = others.iter().any(|table| holds(table, &said));
    others || clauses.iter().any(|clause| clause.ends_with(['吧', '呢']))
}

/// What is said of the speaker, who is not named: "住北京", "喜欢喝咖啡", "对花生过敏". Only what is hardly said of anything else.
fn unnamed(rest: &str, time: Time) -> Option<Reading> {
    let reading = read(rest, time, false)?;
    let (mut said, mut dated) = (rest, time != Time::Untold);
    loop {
        match when(said) {
            Some((_, after)) => (said, dated) = (after, true),
            None => match strip_start(said, words::ADVERBS) {
                Some(after) => said = after.trim_start(),
                None => break,
            },
        }
    }
    let is_done = dated || rest.contains('了');
    let first = reading.findings.first().map_or("", |finding| finding.value.as_str());
    let before = said.find(first).and_then(|at| said.get(..at)).unwrap_or_default();
    let fits = |finding: &Finding| match finding.slot {
        Slot::Age | Slot::Relationship | Slot::Favorite => true,
        Slot::Place | Slot::Employer => is_done || !finding.happened,
        Slot::Event => said.contains('了') || dated,
        Slot::Job => said.starts_with('在'),
        Slot::Like | Slot::Dislike => {
            // "喜欢简洁的" and "不喜欢太正式" may be said of an answer.
            let is_judged = said.ends_with('的') || finding.value.starts_with(['太', '更']);
            ends_among(words::TASTES, before) && !finding.value.contains('的') && !is_judged
        }
        Slot::Allergy => said.starts_with('对') || among(words::ALLERGENS, &finding.value),
        Slot::Pet => strip_start(said, words::KEEPING).is_some() && !reading.retracts,
        _ => false,
    };
    let presumes = reading.presumes || reading.retracts || strip_start(said, words::PETS).is_some();
    let fits = !reading.findings.is_empty() && reading.findings.iter().all(fits);
    fits.then_some(Reading { presumes, ..reading })
}

/// What is counted in a value, in simplified characters: the "儿子" of "两个儿子".
pub(super) fn counted(value: &str) -> Option<String> {
    let plain = simplified(value);
    strip_start(&plain, words::NUMERALS).and_then(value::counted).map(str::to_owned)
}

/// "叫咪咪", "名字是小红": the name of what was just introduced.
fn named_thing(rest: &str, slot: Slot, topic: &str) -> Option<Reading> {
    let rest = strip_start(rest, "它 他 她 牠").unwrap_or(rest);
    named(slot, topic, tail(strip_start(rest, words::CALLED)?))
}

/// The name of a relative or a pet.
fn named(slot: Slot, topic: &str, name: &str) -> Option<Reading> {
    let name = if slot == Slot::Pet { value::pet_name(name) } else { value::name(name) }?;
    Some(Reading::of(vec![Finding::new(slot, name, "用戶的{topic}叫{}。").about(topic)]))
}

/// What a clause says, its speaker and the time before them cut off.
fn read(body: &str, mut time: Time, greeted: bool) -> Option<Reading> {
    // What "we" did, the speaker did; of what else "we" are or have, nothing is sure.
    if let Some(done) = body.strip_prefix('们') {
        let reading = read(done, time, false)?;
        let is_own = |finding: &Finding| matches!(finding.slot, Slot::Place | Slot::Relationship);
        let changes = reading.retracts || reading.findings.iter().any(|finding| finding.happened);
        return Some(reading).filter(|reading| changes && reading.findings.iter().all(is_own));
    }
    if time == Time::Untold {
        if let Some(owned) = body.strip_prefix('的') {
            return heading::read(owned);
        }
        if let Some(reading) = heading::read(body) {
            return Some(reading);
        }
    }
    let mut said = body;
    loop {
        if let Some(reading) = predicate::read(said, time, greeted) {
            return Some(reading);
        }
        if let Some(age) = said.strip_prefix("今年").and_then(|age| value::years(tail(age))) {
            return Some(Reading::one(Slot::Age, age, "用戶{}歲。"));
        }
        match when(said) {
            Some(told) => (time, said) = told,
            None => said = strip_start(said, words::ADVERBS)?.trim_start(),
        }
    }
}

/// Cuts off when something is told to happen.
#[inline(never)]
fn when(said: &str) -> Option<(Time, &str)> {
    let recent = strip_start(said, words::TIMES).map(|after| (Time::Recent, after));
    let past = || strip_start(said, words::LONG_AGO).or_else(|| date(said)).map(|after| (Time::Past, after));
    let future = || strip_start(said, words::FUTURE).map(|after| (Time::Future, after));
    recent.or_else(past).or_else(future).map(|(time, after)| (time, after.trim_start()))
}

/// What follows a date, such as "2021年" and "两年前".
fn date(said: &str) -> Option<&str> {
    let unit =
        said.trim_start_matches(|c: char| c.is_ascii_digit() || "一两二三四五六七八九十几".contains(c));
    strip_start(unit, words::DATES).filter(|_| unit.len() < said.len())
}

/// When something is told to happen.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Time {
    #[default]
    Untold,
    /// Not before this year, or not long before it.
    Recent,
    Past,
    Future,
}

/// A text without what says nothing at its end.
#[inline(never)]
fn tail(mut text: &str) -> &str {
    while let Some(rest) = strip_end(text, words::TAILS) {
        text = rest;
    }
    text.trim()
}

/// Whether what a sentence tells is soon over, or so only at some times.
fn is_ending(clauses: &[&str]) -> bool {
    let leaves = |clause: &&str| {
        let soon = strip_start(clause, words::FUTURE).or_else(|| strip_start(clause, "马上 就要"));
        let soon = soon.map(|soon| strip_start(soon, words::SOON).unwrap_or(soon));
        soon.is_some_and(|soon| among(words::LEAVING, tail(soon)))
    };
    let stays = |clause: &&str| {
        let begin = |at: &str| {
            strip_start(at, words::AT_TIMES).is_some_and(|at| strip_start(at, words::STAY).is_some())
        };
        clause.char_indices().any(|(at, _)| clause.get(at..).is_some_and(begin))
    };
    clauses.len() > 1 && clauses.iter().any(|clause| leaves(clause) || stays(clause))
}

/// Whether a sentence tells that something was given up, and done again.
fn relapses(sentence: &str) -> bool {
    let given_up = sentence.split_once('戒').map(|(_, rest)| rest);
    given_up.is_some_and(|rest| rest.contains('了') && holds(words::RELAPSE, rest))
}

/// Whether a clause tells what somebody says: `说` that is no talent, no novel and no talk.
fn reports(clause: &str) -> bool {
    clause.match_indices('说').any(|(at, said)| {
        let before = clause.get(..at).unwrap_or_default();
        let after = clause.get(at + said.len()..).unwrap_or_default();
        let speaks = strip_start(after, words::LANGUAGES).is_some();
        let opens = ["顺便", "老实", "说实", "说"].iter().any(|it| before.ends_with(it))
            || after.starts_with("实话")
            || after.starts_with("真的");
        !(speaks || opens || before.ends_with(['小', '会', '能']) || after.starts_with(['话', '错']))
    })
}

/// Cuts a sentence into clauses: at its marks, and at spaces between Chinese letters.
fn clauses(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut before = None;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let joins = letter.is_alphanumeric() || matches!(letter, '·' | '-' | '+' | '&' | '、' | '\u{0}');
        let latin = |letter: Option<char>| letter.is_some_and(|letter: char| letter.is_ascii());
        let inside = letter == ' ' && (latin(before) || latin(next));
        if !joins && !inside {
            found.push(text.get(start..at).unwrap_or_default().trim());
            start = at + letter.len_utf8();
        }
        before = Some(letter);
    }
    found.push(text.get(start..).unwrap_or_default().trim());
    found.retain(|clause| !clause.is_empty());
    found
}
