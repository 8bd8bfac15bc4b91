//! English: patterns anchored at the start of a clause, each with a reader for its value.

mod number;
mod pattern;
mod phrase;
mod token;
mod words;

use super::Proceed;
use super::slot::Slot;
use super::statement::Statement;
use super::table::among;
use crate::memory::secret::looks_secret;
use crate::memory::sentence::Sentence;
use pattern::{Grammar, PATTERNS, Pattern};
use phrase::{Clause, Reading};

/// Words that may come before the verb of a request.
const POLITE: &str =
    "please can could you help me just let's let us 's to kindly now would i need want ok okay hey hi";

/// How far back the start of a clause is looked for, in tokens.
const OPENING_WORDS: usize = 8;

/// What may follow a statement directly and state something more: the word, the slot before it, what it says.
const CHAINS: &[(&str, Slot, Pattern)] = &[
    ("at", Slot::Job, chained(Slot::Employer, Grammar::Employer, "The user works at {}.")),
    ("for", Slot::Job, chained(Slot::Employer, Grammar::Employer, "The user works at {}.")),
    ("as", Slot::Employer, chained(Slot::Job, Grammar::Job, "The user works as a {}.")),
    ("from", Slot::Name, chained(Slot::Origin, Grammar::KnownPlace, "The user is from {}.")),
];

const fn chained(slot: Slot, grammar: Grammar, sentence: &'static str) -> Pattern {
    Pattern { words: "", slot, grammar, retracts: false, sentence }
}

/// Adds what one sentence states.
pub(super) fn read(text: &str, sentence: &Sentence, found: &mut Vec<Statement>) -> Proceed {
    let tokens = token::tokens(text, sentence.range.start);
    let whole = Clause::new(&tokens);
    let first = (0..).find(|at| !among(POLITE, whole.word(*at))).unwrap_or(0);
    if among(words::TASKS, whole.word(first)) {
        return Proceed::Stop;
    }
    let about_user = whole.contains("me") || whole.contains("myself") || whole.contains("facts");
    let shows = sentence.announces || colon(&whole).is_some();
    let proceed = if shows && !about_user { Proceed::Stop } else { Proceed::On };
    if among(words::COMPOSE, whole.word(first)) {
        return if whole.contains(":") { Proceed::Stop } else { proceed };
    }
    if whole.word(0) == "you" && whole.word(1) == "are" && among("a an now the", whole.word(2)) {
        return Proceed::Stop;
    }
    if unserious(&whole) {
        return proceed;
    }
    let stated = tokens.get(..stated(&whole, sentence.question)).unwrap_or_default();
    let source = Source { text, base: sentence.range.start, clause: Clause::new(stated) };
    source.read(found);
    proceed
}

/// Whether a sentence is a joke, a fiction or about another time.
fn unserious(clause: &Clause<'_>) -> bool {
    (0..clause.len()).any(|at| {
        let (word, next) = (clause.word(at), clause.word(at + 1));
        let fiction = word == "in" && (1..=2).any(|step| among(words::FICTION, clause.word(at + step)));
        fiction || among(words::VETOES, word) || among(words::VETO_PAIRS, &format!("{word}_{next}"))
    })
}

/// How many tokens of a sentence are stated rather than asked.
fn stated(clause: &Clause<'_>, question: bool) -> usize {
    let start = (0..).find(|at| !among(words::OPENERS, clause.word(*at)) && clause.word(*at) != ",");
    let asks = |at: usize| among(words::ASKERS, clause.word(at));
    if start.is_some_and(asks) {
        return 0;
    }
    let end = clause.len();
    let tagged = end > 2 && clause.word(end - 1) == "i" && (asks(end - 2) || clause.word(end - 2) == "not");
    if tagged {
        return 0;
    }
    let end = colon(clause).unwrap_or(end);
    if !question {
        return end;
    }
    // "I live in Boulder, do you know any trails?" states its first half; "I like tea, don't I?" states nothing.
    let joint = (1..clause.len()).rev().find(|at| {
        let joins = matches!(clause.word(*at), "," | "-" | "and" | "so" | "but");
        joins && (asks(at + 1) || (asks(at + 2) && among("and so but", clause.word(at + 1))))
    });
    let Some(joint) = joint else { return 0 };
    let tail = joint + 1..clause.len();
    let tag = tail.len() <= 2 || tail.clone().any(|at| clause.word(at) == "i");
    if tag { 0 } else { joint.min(end) }
}

/// Where a sentence starts to show a text: at a colon with words after it.
fn colon(clause: &Clause<'_>) -> Option<usize> {
    (0..clause.len()).find(|at| {
        let numeric = clause.word(at + 1).starts_with(|c: char| c.is_ascii_digit());
        clause.word(*at) == ":" && clause.is_word(at + 1) && !numeric
    })
}

/// The stated part of a sentence with its text.
struct Source<'a> {
    text: &'a str,
    base: usize,
    clause: Clause<'a>,
}

impl Source<'_> {
    fn read(&self, found: &mut Vec<Statement>) {
        let clause = &self.clause;
        let length = clause.len();
        let blocked = (0..length).find(|at| among(words::BLOCKERS, clause.word(*at))).unwrap_or(length);
        // Where a clause may go on without repeating "I": "I live in Lisbon and work as a nurse".
        let mut elided = None;
        let mut at = 0;
        while at < length && at <= blocked {
            let subject = elided == Some(at);
            let mut read = None;
            if subject {
                read = self.statement(at, true, found);
            }
            if read.is_none() && self.may_start(at) {
                read = self.statement(at, false, found);
            }
            match read {
                Some(next) => {
                    elided = self.next_clause(next);
                    at = next.max(at + 1);
                }
                None => at += 1,
            }
        }
    }

    /// Whether a clause can start here: after an opener such as "hey", a connector or a mark.
    fn may_start(&self, at: usize) -> bool {
        for previous in (at.saturating_sub(OPENING_WORDS)..at).rev() {
            let word = self.clause.word(previous);
            if self.clause.stops(previous) {
                return word != ":";
            }
            if among(words::CONNECTORS, word) {
                return true;
            }
            let reminds =
                word == "that" && matches!(self.clause.word(previous.saturating_sub(1)), "remember" | "note");
            if !(reminds || among(words::OPENERS, word)) {
                return false;
            }
        }
        at <= OPENING_WORDS
    }

    fn next_clause(&self, at: usize) -> Option<usize> {
        match (self.clause.word(at), self.clause.word(at + 1)) {
            ("," | ".", "and") => Some(at + 2),
            ("and" | ",", _) => Some(at + 1),
            _ => None,
        }
    }

    /// Reads one statement and what is chained to it; returns where the clause goes on.
    fn statement(&self, at: usize, elided: bool, found: &mut Vec<Statement>) -> Option<usize> {
        for pattern in PATTERNS {
            let Some((value_at, topic)) = self.match_pattern(pattern, at, elided) else { continue };
            let Some(reading) = self.clause.read(pattern.grammar, value_at, at) else { continue };
            let before = found.len();
            self.state(pattern, topic, at, &reading, found);
            if found.len() == before {
                continue;
            }
            return Some(self.chain(pattern.slot, at, reading.next, found));
        }
        None
    }

    fn chain(&self, slot: Slot, start: usize, mut next: usize, found: &mut Vec<Statement>) -> usize {
        let mut last = slot;
        while let Some((_, _, pattern)) =
            CHAINS.iter().find(|(word, slot, _)| *slot == last && *word == self.clause.word(next))
        {
            let Some(reading) = self.clause.read(pattern.grammar, next + 1, start) else { break };
            self.state(pattern, None, start, &reading, found);
            next = reading.next;
            last = pattern.slot;
        }
        next
    }

    /// Matches a pattern's words from `at`; returns where its value starts and the captured topic.
    fn match_pattern(&self, pattern: &Pattern, at: usize, elided: bool) -> Option<(usize, Option<String>)> {
        let mut parts = pattern.words.split(' ').peekable();
        if elided && parts.next_if_eq(&"i").is_none() {
            return None;
        }
        let mut next = at;
        let mut topic: Option<String> = None;
        for part in parts {
            let word = self.clause.word(next);
            match part {
                "*" => {
                    let adverbs =
                        (next..next + 3).take_while(|at| among(words::ADVERBS, self.clause.word(*at)));
                    next += adverbs.count();
                }
                "," => next += usize::from(word == ","),
                "$topic" | "$kin" | "$pet" => {
                    if !self.clause.is_word(next) {
                        return None;
                    }
                    let fits = match part {
                        "$kin" => among(words::KIN, word),
                        "$pet" => among(words::PETS, word),
                        _ => true,
                    };
                    if !fits {
                        return None;
                    }
                    topic = Some(topic.map_or_else(|| word.to_owned(), |first| format!("{first} {word}")));
                    next += 1;
                }
                _ => {
                    if !part.split('|').any(|choice| choice == word) {
                        return None;
                    }
                    next += 1;
                }
            }
        }
        let known = pattern.slot != Slot::Favorite
            || topic
                .as_deref()
                .and_then(|it| it.rsplit(' ').next())
                .is_some_and(|it| among(words::TOPICS, it));
        known.then_some((next, topic))
    }

    /// Adds a statement for each value read.
    fn state(
        &self,
        pattern: &Pattern,
        topic: Option<String>,
        start: usize,
        reading: &Reading,
        found: &mut Vec<Statement>,
    ) {
        let Some(from) = self.clause.token(start).map(|token| token.start) else { return };
        for range in &reading.values {
            let inner = range.start - self.base..range.end - self.base;
            let Some(written) = self.text.get(inner) else { continue };
            let named = matches!(pattern.grammar, Grammar::Name | Grammar::BareName);
            let value = if named { title_case(written) } else { written.to_owned() };
            if value.is_empty() || looks_secret(&value) {
                continue;
            }
            let text = sentence(pattern.sentence, topic.as_deref(), &value);
            found.push(Statement {
                slot: pattern.slot,
                topic: topic.clone(),
                value,
                text,
                quote: from.min(range.start)..range.end,
                retracts: pattern.retracts,
            });
        }
    }
}

/// The fact as a sentence about the user: articles agree, and "my" becomes "their".
fn sentence(template: &str, topic: Option<&str>, value: &str) -> String {
    let told: Vec<&str> = value
        .split(' ')
        .map(|word| match word {
            "my" | "My" => "their",
            "myself" => "themselves",
            "me" => "them",
            _ => word,
        })
        .collect();
    let told = told.join(" ");
    let vowel = told.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']) || told.starts_with("under");
    let template = if vowel { template.replace(" a {}", " an {}") } else { template.to_owned() };
    template.replace("{topic}", topic.unwrap_or_default()).replace("{}", &told)
}

/// A name as names are written: `tom smith` becomes `Tom Smith`; capitals inside stay.
fn title_case(name: &str) -> String {
    let mut start = true;
    name.chars()
        .flat_map(|letter| {
            let upper = start && letter.is_ascii_lowercase() && !name.chars().any(char::is_uppercase);
            start = letter == ' ';
            if upper { Some(letter.to_ascii_uppercase()) } else { Some(letter) }
        })
        .collect()
}
