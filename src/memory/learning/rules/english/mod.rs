//! English: patterns anchored at the start of a clause, each with a reader for its value.

mod change;
mod number;
mod pattern;
mod phrase;
mod token;
mod words;

use std::ops::Range;

use super::Proceed;
use super::slot::Slot;
use super::statement::{Ending, PARTNERS, SPOUSES, Statement};
use super::table::among;
use crate::memory::secret::looks_secret;
use crate::memory::sentence::Sentence;
use pattern::{FOR, Grammar, ONWARD, PATTERNS, Pattern, SINCE, Tells};
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
    Pattern { words: "", slot, grammar, tells: Tells::Holds, sentence }
}

/// "I live in Berlin, not in Lisbon", and the other way round.
const HERE: Pattern = chained(Slot::Place, Grammar::Place, "The user lives in {}.");
const NOT_HERE: Pattern = Pattern { tells: Tells::IsOver, sentence: "The user does not live in {}.", ..HERE };

/// Adds what one sentence states.
pub(super) fn read(text: &str, sentence: &Sentence, found: &mut Vec<Statement>) -> Proceed {
    let tokens = token::tokens(text, sentence.range.start);
    let whole = Clause::new(&tokens);
    let first = (0..).find(|at| !among(POLITE, whole.word(*at))).unwrap_or(0);
    if among(words::TASKS, whole.word(first)) {
        return Proceed::Stop;
    }
    let holds = |table: &str| (0..whole.len()).any(|at| among(table, whole.word(at)));
    let is_told = holds(words::MESSAGES);
    let about_user = !is_told && holds("me myself facts");
    let answers =
        (0..whole.len()).any(|at| among("reply respond", whole.word(at)) && whole.word(at + 1) == "to");
    let material =
        among(words::COMPOSE, whole.word(first)) || among("here heres this below", whole.word(first));
    let shows = sentence.announces || colon(&whole).is_some() || answers;
    let plays = whole.word(first) == "play" && whole.contains("game");
    let proceed = if shows && !about_user || plays || material && holds(words::MATERIAL) {
        Proceed::Stop
    } else {
        Proceed::On
    };
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

/// Whether a sentence is a joke, a fiction, somebody else's or about another time.
fn unserious(clause: &Clause<'_>) -> bool {
    (0..clause.len()).any(|at| {
        let (word, next) = (clause.word(at), clause.word(at + 1));
        if word == "," && (1..=2).any(|step| among(words::REPORTS, clause.word(at + step))) {
            return true;
        }
        let fiction =
            among("in on", word) && (1..=2).any(|step| among(words::FICTION, clause.word(at + step)));
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
        let blocked = (0..length).find(|at| self.blocks(*at)).unwrap_or(length);
        let led = self.led();
        // Where a clause may go on without repeating "I": "I live in Lisbon and work as a nurse".
        let mut elided = None;
        let mut at = 0;
        while at < length && at <= blocked {
            let subject = elided == Some(at);
            let mut read = None;
            if let Some((start, _)) = led.filter(|(_, end)| *end == at) {
                read = self.statement(at, start, false, found);
            }
            if read.is_none() && subject {
                read = self.statement(at, at, true, found);
            }
            if read.is_none() && self.may_start(at) {
                read = self.statement(at, at, false, found);
            }
            match read {
                Some(next) => {
                    // What is over tells nothing of what "and" adds: "I no longer live in Rome and work at Acme".
                    let holds = found.last().is_some_and(|statement| !statement.retracts);
                    elided = self.next_clause(next).filter(|_| holds);
                    at = next.max(at + 1);
                }
                None => at += 1,
            }
        }
    }

    /// Whether nothing that begins behind this word is the user's own plain statement.
    fn blocks(&self, at: usize) -> bool {
        let before = self.clause.word(at.wrapping_sub(1));
        let harmless = match self.clause.word(at) {
            "may" => among("in since last this early late of mid", before),
            "used" => matches!(before, "i" | "we") && self.clause.word(at + 1) == "to",
            _ => false,
        };
        !harmless && among(words::BLOCKERS, self.clause.word(at))
    }

    /// A time that leads the sentence, and where what happened then begins: "Last month I moved".
    fn led(&self) -> Option<(usize, usize)> {
        let start = (0..OPENING_WORDS)
            .find(|at| !among(words::OPENERS, self.clause.word(*at)) && self.clause.word(*at) != ",")?;
        let end = self.clause.time(start)?;
        Some((start, end + usize::from(self.clause.word(end) == ",")))
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

    /// Reads one statement at `at`, which may be led by a time at `start`, and what is chained to it; returns where the clause
    /// goes on.
    fn statement(&self, at: usize, start: usize, elided: bool, found: &mut Vec<Statement>) -> Option<usize> {
        for pattern in PATTERNS {
            let happened = matches!(pattern.tells, Tells::Happened(_));
            if start < at && !happened {
                continue;
            }
            let Some(Matched { next, deed, topic }) = self.match_pattern(pattern, at, elided) else {
                continue;
            };
            let Some(mut reading) = self.clause.read(pattern.grammar, next, deed.unwrap_or(at)) else {
                continue;
            };
            let is_past = pattern.words.contains("used to");
            if is_past
                && !(self.clause.over(reading.next, "") || among("but and", self.clause.word(reading.next)))
            {
                continue;
            }
            if happened {
                reading.next = self.told_when(reading.next);
            }
            let dated = self.dated(pattern, reading.next);
            if pattern.words.ends_with(SINCE) && dated.is_none() {
                continue;
            }
            let told = reading.next;
            reading.next = dated.unwrap_or(told);
            // "If she comes", "when I was five": a condition, or another time. "But came back": it is not so any more.
            let narrowed = happened || pattern.grammar == Grammar::Destination;
            if narrowed && among(words::QUALIFIERS, self.clause.word(reading.next))
                || (happened || is_past) && self.undone(pattern.slot, reading.next)
            {
                continue;
            }
            let before = found.len();
            self.state(pattern, topic, start, &reading, found);
            if found.len() == before {
                continue;
            }
            if let Some(time) = dated.and_then(|end| self.clause.span(told, end)) {
                let written = self.text.get(time.start - self.base..time.end - self.base);
                for statement in found.iter_mut().skip(before) {
                    statement.quote.end = time.end;
                    statement.lasts = pattern.grammar != Grammar::Destination;
                    // What is planned has no date yet: the words keep it.
                    if let Some(written) = written.filter(|_| !statement.lasts) {
                        statement.text = format!("{} {written}.", statement.text.trim_end_matches('.'));
                    }
                }
            }
            if let Some(next) = self.onward(pattern, at, reading.next, found) {
                // Before what is over: it took the place of that when it is said to have begun.
                if let Some(said) = found.get_mut(before..).filter(|_| pattern.tells == Tells::IsOver) {
                    said.rotate_left(1);
                }
                return Some(next);
            }
            let next = match pattern.tells {
                Tells::IsOver => reading.next,
                _ => self.chain(pattern.slot, at, reading.next, found),
            };
            return Some(self.contrast(pattern, at, next, found));
        }
        None
    }

    /// Where a time ends from which something holds, "since 2019", or at which it is planned, "in January".
    fn dated(&self, pattern: &Pattern, at: usize) -> Option<usize> {
        let word = |at: usize| self.clause.word(at);
        if pattern.tells != Tells::Holds {
            return None;
        }
        if pattern.grammar != Grammar::Destination {
            let since = (word(at) == "since").then_some(at)?;
            return self.clause.time(since).or_else(|| self.clause.time(since + 1));
        }
        match word(at) {
            "tomorrow" => Some(at + 1),
            "next" if among(words::PERIODS, word(at + 1)) => Some(at + 2),
            _ => self.clause.time(at),
        }
    }

    /// Where what happened is told with its time: "with my family in June".
    #[inline(never)]
    fn told_when(&self, next: usize) -> usize {
        let goes_on =
            |at: &usize| !(self.clause.stops(*at) || among("and but so because", self.clause.word(*at)));
        (next..next + 6).take_while(goes_on).find_map(|at| self.clause.time(at)).unwrap_or(next)
    }

    /// Whether what follows says that it came to something else: "and then to Paris", "but got back together".
    #[inline(never)]
    fn undone(&self, slot: Slot, next: usize) -> bool {
        let at = next + usize::from(self.clause.word(next) == ",");
        let onward = match (self.clause.word(at), self.clause.word(at + 1)) {
            ("and", "then" | "to" | "later") | ("then", _) if slot == Slot::Place => true,
            ("but" | "then", _) => {
                (at + 1..at + 7).any(|at| among("back quit left returned again", self.clause.word(at)))
            }
            _ => false,
        };
        onward && !matches!(slot, Slot::Event)
    }

    /// Reads the other place of a contrast: "not in Lisbon but in Berlin", "in Berlin, not in Lisbon".
    fn contrast(&self, pattern: &Pattern, start: usize, next: usize, found: &mut Vec<Statement>) -> usize {
        let word = |at: usize| self.clause.word(at);
        let other = match pattern.tells {
            Tells::IsOver => HERE,
            _ => NOT_HERE,
        };
        let now = next + usize::from(word(next) == "now");
        let at = match (other.tells, word(next), word(now), word(now + 1)) {
            (Tells::Holds, "but", ..) => next + 1,
            (Tells::IsOver, _, ",", "not") => now + 2,
            _ => return next,
        };
        let at = at + usize::from(word(at) == "in");
        let reading = self.clause.read(other.grammar, at, start);
        match reading.filter(|reading| pattern.slot == Slot::Place && self.clause.over(reading.next, "")) {
            Some(reading) => {
                self.state(&other, None, start, &reading, found);
                reading.next
            }
            None => next,
        }
    }

    /// Reads for whom a workplace was left: "and started at Globex", "for Globex last month".
    fn onward(
        &self,
        pattern: &Pattern,
        start: usize,
        next: usize,
        found: &mut Vec<Statement>,
    ) -> Option<usize> {
        let left = pattern.grammar == Grammar::Former;
        let ends_job = matches!(pattern.tells, Tells::Happened(slots) if slots.contains(&Slot::Employer));
        if !(left || pattern.slot == Slot::Event && ends_job) {
            return None;
        }
        let at = self.clause.time(next).unwrap_or(next);
        let (joined, at) = ONWARD
            .iter()
            .filter(|joined| left || joined.words != FOR)
            .find_map(|joined| Some((joined, self.match_pattern(joined, at, false)?.next)))?;
        // "I left Windows for Linux", "Anna for Bella", "Acme for Berlin", "and joined the gym".
        let other = |word: &str| {
            among(words::NOT_LEFT, word) || among(words::GIVEN_NAMES, word) || word.ends_with("ism")
        };
        let is_other = other(self.clause.word(at)) || left && other(self.clause.word(next.checked_sub(1)?));
        if is_other || among("a an the", self.clause.word(at)) || self.clause.place(at, true).is_some() {
            return None;
        }
        let place = self.clause.read(joined.grammar, at, start)?;
        let next = self.told_when(place.next);
        if among(words::QUALIFIERS, self.clause.word(next)) || self.undone(joined.slot, next) {
            return None;
        }
        self.state(joined, None, start, &Reading { next, ..place }, found);
        Some(self.chain(joined.slot, start, next, found))
    }

    #[inline(never)]
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

    /// Matches a pattern's words from `at`.
    #[inline(never)]
    fn match_pattern(&self, pattern: &Pattern, at: usize, elided: bool) -> Option<Matched> {
        let mut parts = pattern.words.split(' ').peekable();
        if elided && parts.next_if(|part| matches!(*part, "i" | "i|we")).is_none() {
            return None;
        }
        let mut next = at;
        let mut deed = None;
        let mut topic: Option<String> = None;
        for part in parts {
            let word = self.clause.word(next);
            let bare = part.strip_prefix('^').unwrap_or(part);
            deed = deed.or_else(|| (bare != part).then_some(next));
            let part = bare;
            match part {
                "*" => {
                    let adverbs =
                        (next..next + 3).take_while(|at| among(words::ADVERBS, self.clause.word(*at)));
                    next += adverbs.count();
                }
                "," => next += usize::from(word == ","),
                SINCE => {}
                "$from" => {
                    if word == "from" {
                        next = (next + 2..next + 7).find(|at| self.clause.word(*at) == "to")?;
                    }
                }
                "$topic" | "$kin" | "$mate" | "$pet" => {
                    if !self.clause.is_word(next) {
                        return None;
                    }
                    let fits = match part {
                        "$kin" => among(words::KIN, word),
                        "$mate" => among(PARTNERS, word),
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
                    let needed = part.strip_suffix('?');
                    if needed.unwrap_or(part).split('|').any(|choice| choice == word) {
                        next += 1;
                    } else if needed.is_none() {
                        return None;
                    }
                }
            }
        }
        let known = pattern.slot != Slot::Favorite
            || topic
                .as_deref()
                .and_then(|it| it.rsplit(' ').next())
                .is_some_and(|it| among(words::TOPICS, it));
        known.then_some(Matched { next, deed, topic })
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
        let written = |range: &Range<usize>| self.text.get(range.start - self.base..range.end - self.base);
        let whom = reading.whom.as_ref().and_then(written).or(topic.as_deref());
        for range in &reading.values {
            let Some(written) = written(range) else { continue };
            let value = match pattern.grammar {
                Grammar::Name | Grammar::BareName => title_case(written),
                Grammar::Parted | Grammar::PartedFrom => "single".to_owned(),
                Grammar::Destination => format!("moving to {written}"),
                _ => written.to_owned(),
            };
            if value.is_empty() || looks_secret(&value) {
                continue;
            }
            let told = match pattern.grammar {
                Grammar::Parted | Grammar::PartedFrom => parted_from(whom),
                Grammar::Destination => written.to_owned(),
                _ => match whom.filter(|_| pattern.slot == Slot::Relationship) {
                    Some(whom) => format!("{value} to {whom}"),
                    None => value.clone(),
                },
            };
            let text = sentence(pattern.sentence, topic.as_deref(), &told);
            let ends = match pattern.tells {
                Tells::Happened(slots) => {
                    slots.iter().map(|slot| ending(*slot, &value, topic.as_deref(), whom)).collect()
                }
                _ => Vec::new(),
            };
            let is_topic = !matches!(pattern.slot, Slot::Event | Slot::Relationship);
            let behind = self.clause.token(reading.next.wrapping_sub(1)).map_or(range.end, |token| token.end);
            let happened = matches!(pattern.tells, Tells::Happened(_));
            let end = if happened { range.end.max(behind) } else { range.end };
            let end = reading.whom.as_ref().map_or(end, |whom| end.max(whom.end));
            found.push(Statement {
                slot: pattern.slot,
                topic: topic.clone().filter(|_| is_topic),
                value,
                text,
                quote: from.min(range.start)..end,
                retracts: pattern.tells == Tells::IsOver,
                happened,
                lasts: false,
                ends,
            });
        }
    }
}

/// Where the value of a pattern starts, and its deed; the captured topic.
struct Matched {
    next: usize,
    deed: Option<usize>,
    topic: Option<String>,
}

/// What of a slot is over: with a place, the plan to move there; with a workplace, a relative or a pet, what is known of them.
fn ending(slot: Slot, value: &str, topic: Option<&str>, whom: Option<&str>) -> Ending {
    let mate = whom.and_then(|whom| whom.rsplit(' ').next()).filter(|mate| among(PARTNERS, mate));
    let whom = whom.filter(|whom| Some(*whom) != topic);
    match slot {
        Slot::Pet => Ending::about(slot, topic.unwrap_or_default(), whom),
        Slot::Goal => Ending::about(slot, "", Some(&format!("moving to {value}"))),
        Slot::Family if value == "divorced" => Ending::about(slot, SPOUSES, None),
        Slot::Family => Ending::about(slot, mate.unwrap_or(PARTNERS), whom.filter(|_| mate.is_none())),
        Slot::Job => Ending { along: whom.is_some(), ..Ending::of(slot) },
        _ => Ending::about(slot, "", whom),
    }
}

/// Whom the user parted from, as the fact tells it.
fn parted_from(whom: Option<&str>) -> String {
    match whom {
        Some(whom) if whom.starts_with("my ") || whom.starts_with(char::is_uppercase) => whom.to_owned(),
        Some(whom) if among(PARTNERS, whom) => format!("my {whom}"),
        _ => "my partner".to_owned(),
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
