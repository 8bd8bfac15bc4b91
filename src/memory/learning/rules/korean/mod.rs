//! Korean: a clause is read only when every word of it is understood, from the speaker to the predicate.

mod change;
mod grammar;
mod heading;
mod noun;
mod predicate;
mod topic;
mod words;

pub(super) use grammar::with_particle;
pub(super) use topic::topic;

use std::ops::Range;

use super::Proceed;
use super::finding::Finding;
use super::slot::Slot;
use super::statement::Statement;
use super::table::{among, holds};
use crate::memory::sentence::Sentence;

/// The longest statement, in words before its predicate.
const STATEMENT_WORDS: usize = 16;

/// One word of a clause with its bytes in the message.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    text: &'a str,
    start: usize,
}

impl Word<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// Reads the sentences of one message; remembers whom the talk is about when a sentence names no one.
#[derive(Default)]
pub(super) struct Reader {
    about_others: bool,
    /// The sentence named the speaker.
    speaker: bool,
    /// How much had been found before the sentence before.
    before: usize,
}

impl Reader {
    /// A reader of a message; `others` says whether the talk was about somebody else.
    pub(super) fn behind(others: bool) -> Self {
        Self { about_others: others, ..Self::default() }
    }

    /// Adds what one sentence states.
    pub(super) fn read(&mut self, text: &str, sentence: &Sentence, found: &mut Vec<Statement>) -> Proceed {
        if words::TASKS.iter().any(|task| text.contains(task)) || sentence.announces {
            return Proceed::Stop;
        }
        let mut clauses = clauses(text, sentence.range.start);
        if clauses.iter().any(|clause| takes_back(clause)) {
            found.clear();
            return Proceed::On;
        }
        // "작년까지요", as a sentence of its own.
        if !clauses.is_empty() && clauses.iter().all(|clause| limits(clause)) {
            found.truncate(self.before);
        }
        self.before = found.len();
        if words::BLOCKERS.iter().any(|part| text.contains(part)) || text.contains([':', '"']) {
            let is_told = holds("친구 소설 주인공 캐릭터", text) || text.contains("가 ");
            self.about_others |= is_told || text.split_whitespace().any(is_other);
            return Proceed::On;
        }
        self.speaker = false;
        if sentence.question {
            let asked = clauses.pop().unwrap_or_default();
            let tag = asked.last().is_some_and(|word| among(words::TAGS, word.text));
            if tag {
                return Proceed::On;
            }
            self.about_others |= asked.iter().any(|word| is_other(word.text));
        }
        let is_limited = clauses.last().is_some_and(|clause| limits(clause));
        for clause in clauses {
            self.clause(&clause, found);
            self.speaker |= clause.first().is_some_and(|word| among(words::FIRST_PERSON, word.text));
        }
        if is_limited {
            found.truncate(self.before);
        }
        Proceed::On
    }

    /// Reads predicate after predicate; each takes all words since the one before.
    fn clause(&mut self, clause: &[Word<'_>], found: &mut Vec<Statement>) {
        let mut start = 0;
        let mut at = 0;
        let before = found.len();
        while at < clause.len() {
            let said = clause.get(start..).unwrap_or_default();
            let Some(reading) = self.read_until(said, at - start) else {
                at += 1;
                continue;
            };
            let end = start + reading.words;
            // "이사했어" ends the home, unless the message tells one.
            let is_told = found.iter().any(|it| it.slot == Slot::Place && !it.retracts);
            let leaves = |finding: &Finding| finding.ends.iter().any(|ending| ending.slot == Slot::Place);
            if is_told && reading.findings.iter().any(leaves) {
                start = end;
                at = end;
                continue;
            }
            self.about_others = reading.findings.iter().any(Finding::introduces);
            state(clause.get(start..end).unwrap_or_default(), reading, found);
            start = end;
            at = end;
        }
        // "서울 살아요 작년까지".
        if clause.get(start..).is_some_and(limits) {
            found.truncate(before);
        }
        if found.len() == before {
            self.notice_subject(clause);
        }
    }

    /// Tries the predicate that starts at `at` of these words.
    fn read_until(&self, said: &[Word<'_>], at: usize) -> Option<Reading> {
        if at > STATEMENT_WORDS {
            return None;
        }
        let (speaker, first) = subject(said.get(..=at)?);
        if first > at {
            return None;
        }
        let named = speaker || self.speaker;
        let context = Context { speaker, named, others: self.about_others && !speaker };
        let (before, predicate) = (said.get(first..at)?, said.get(at..)?);
        let (findings, length) = heading::read(before, predicate, context)
            .or_else(|| predicate::read(before, predicate, context))
            .filter(|(findings, _)| !findings.is_empty())?;
        let is_said =
            |table: &str| said.get(..at).is_some_and(|said| said.iter().any(|it| among(table, it.text)));
        let is_passing = |finding: &Finding| match finding.slot {
            Slot::Diet => is_said(words::PASSING),
            Slot::Job => is_said(words::HEDGES),
            _ => false,
        };
        if findings.iter().any(is_passing) {
            return None;
        }
        Some(Reading { findings, words: at + length })
    }

    /// Notes whether a clause nothing was learnt from is about somebody else, or introduces them: "나 남자친구 생겼어".
    fn notice_subject(&mut self, clause: &[Word<'_>]) {
        for word in clause {
            if among(words::FIRST_PERSON, word.text) {
                self.about_others = false;
                break;
            }
            let stem = grammar::topic(word.text).or_else(|| grammar::subject(word.text));
            let person = stem.is_some_and(|stem| !among(words::TIMES, stem));
            if person {
                self.about_others = true;
                break;
            }
        }
        self.about_others |= clause.iter().any(|word| is_other(word.text));
    }
}

/// Who a clause is about, as far as its words tell.
#[derive(Clone, Copy)]
struct Context {
    /// The speaker is named.
    speaker: bool,
    /// The speaker is named, or was in this sentence.
    named: bool,
    /// Nobody is named, and the talk was about somebody else.
    others: bool,
}

/// What was understood of the first words of a clause.
struct Reading {
    findings: Vec<Finding>,
    words: usize,
}

fn state(said: &[Word<'_>], reading: Reading, found: &mut Vec<Statement>) {
    let (Some(first), Some(last)) = (said.first(), said.last()) else { return };
    let quote: Range<usize> = first.start..last.end();
    for finding in reading.findings {
        let topic = finding.topic.as_deref().unwrap_or_default();
        let text = grammar::sentence(finding.sentence, topic, &finding.value);
        found.push(finding.stated(text, quote.clone()));
    }
}

/// Whether a word is somebody else, whom what follows may be about.
fn is_other(word: &str) -> bool {
    let stem = grammar::topic(word).or_else(|| grammar::subject(word)).or_else(|| grammar::and(word));
    [Some(word), stem, word.strip_suffix("한테"), word.strip_suffix('의')]
        .into_iter()
        .flatten()
        .any(|stem| among(words::PERSONS, stem) || among(words::PETS, stem))
}

/// Whether a clause takes back what was said before it: "구라", "아니 사실 아니야", "라고 하면 믿을 거야".
fn takes_back(clause: &[Word<'_>]) -> bool {
    let word = |word: &Word<'_>| word.text.trim_end_matches('.').to_owned();
    let Some((last, rest)) = clause.split_last() else { return false };
    let denies = among(words::DENIALS, &word(last))
        && rest.iter().all(|it| among("아니 사실 사실은 사실이 그거 그건", it.text))
        && rest.iter().any(|it| it.text.starts_with("사실"));
    let quotes = clause.first().is_some_and(|first| among("라고 이라고 다고", first.text));
    among(words::JOKES, &word(last)) || denies || quotes
}

/// Whether words behind a statement say that it is no longer so, or somebody else's: "작년까지", "저희 애가".
fn limits(behind: &[Word<'_>]) -> bool {
    let Some(last) = behind.last().filter(|_| behind.len() <= 4) else { return false };
    let last = last.text.trim_end_matches('.');
    let last = last.strip_suffix('요').unwrap_or(last);
    let is_until = last.ends_with("까지") && !among("지금까지 아직까지 여태까지 현재까지", last);
    let marked = grammar::topic(last).or_else(|| grammar::subject(last));
    // "(우리 딸)".
    let is_mine = |word: &Word<'_>| among(words::MY, word.text) || among("우리 저희", word.text);
    let named = marked.or(behind.first().filter(|first| behind.len() == 2 && is_mine(first)).map(|_| last));
    let them = [words::PERSONS, words::PETS, words::OTHERS];
    let is_whose = named.is_some_and(|named| them.iter().any(|them| among(them, named)));
    is_until || is_whose || among("옛날에 옛날엔 예전에 예전엔 한때", last)
}

/// Whether a word is what 저 points at, and not what the speaker says of themselves.
fn is_pointed_at(word: &str) -> bool {
    let stem = grammar::topic(word).or_else(|| grammar::subject(word)).or_else(|| grammar::object(word));
    [Some(word), stem].into_iter().flatten().any(|stem| {
        among(words::POINTED_AT, stem) || among(words::PERSONS, stem) || stem.ends_with(['씨', '님'])
    })
}

/// Whether the speaker is named at the start, and where the rest begins.
fn subject(said: &[Word<'_>]) -> (bool, usize) {
    let mut speaker = false;
    let mut at = 0;
    while let Some(word) = said.get(at) {
        // "저 결혼했어요", but "저 사람 결혼했어요".
        let points = || said.get(at + 1).is_none_or(|next| is_pointed_at(next.text));
        if among(words::FIRST_PERSON, word.text) || word.text == "저" && !points() {
            speaker = true;
        } else if !among(words::OPENERS, word.text) {
            break;
        }
        at += 1;
    }
    (speaker, at)
}

/// Cuts a sentence into clauses at its marks, and those into words.
fn clauses(text: &str, base: usize) -> Vec<Vec<Word<'_>>> {
    let parts = |c: char| !(c.is_alphanumeric() || c.is_whitespace() || "-.&/+%\u{0}".contains(c)) || jamo(c);
    let mut found = Vec::new();
    for clause in text.split(parts) {
        let words: Vec<Word<'_>> = clause
            .split_whitespace()
            .map(|word| Word { text: word, start: base + word.as_ptr().addr() - text.as_ptr().addr() })
            .collect();
        if !words.is_empty() {
            found.push(words);
        }
    }
    found
}

/// Loose letters, as in laughter.
fn jamo(letter: char) -> bool {
    matches!(letter, '\u{3131}'..='\u{3163}')
}
