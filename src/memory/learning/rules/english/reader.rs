//! The reader of sentences: which part of one the user states in earnest.

use super::Source;
use super::phrase::Clause;
use super::token;
use super::words;
use crate::memory::rules::Proceed;
use crate::memory::rules::correction::{Mark, corrected_at_once, marked};
use crate::memory::rules::slot::Slot;
use crate::memory::rules::statement::Statement;
use crate::memory::rules::table::among;
use crate::memory::rules::withdrawal::{behind_withdrawal, tells_of_a_loss, withdraws_at_once};
use crate::memory::sentence::Sentence;

/// Words that may come before the verb of a request.
const POLITE: &str =
    "please can could you help me just let's let us 's to kindly now would i need want ok okay hey hi";

/// Reads a message, sentence by sentence.
#[derive(Default)]
pub(in super::super) struct Reader {
    /// Whether more was said than a greeting: from then on somebody else may be who does what has no subject.
    is_under_way: bool,
    /// How many statements stood before those of the last sentence.
    last: usize,
    /// That sentence, and where it begins.
    before: (String, usize),
}

impl Reader {
    /// Adds what one sentence states, and what corrects it in the same breath: "I'm 34, no wait, 35".
    pub(in super::super) fn read(
        &mut self,
        text: &str,
        sentence: &Sentence,
        found: &mut Vec<Statement>,
    ) -> Proceed {
        let withdrawn = behind_withdrawal(text).unwrap_or(0);
        let (mut rest, mut start) =
            (text.get(withdrawn..).unwrap_or_default(), sentence.range.start + withdrawn);
        for _ in 0..PLACES {
            let Some(at) = correction_in(rest).filter(|_| !sentence.question) else { break };
            let (head, tail) = rest.split_at(at);
            let begun = Sentence { range: start..start + at, question: false, announces: false };
            if self.read_one(head, &begun, found) == Proceed::Stop {
                return Proceed::Stop;
            }
            (rest, start) = (tail, start + at);
        }
        self.read_one(rest, &Sentence { range: start..sentence.range.end, ..sentence.clone() }, found)
    }

    #[inline(never)]
    fn read_one(&mut self, text: &str, sentence: &Sentence, found: &mut Vec<Statement>) -> Proceed {
        let tokens = token::tokens(text, sentence.range.start);
        let whole = Clause::new(&tokens);
        let begins = !self.is_under_way;
        self.is_under_way |= whole.opening() < whole.len() && !whole.exults();
        if is_of_a_game(&whole) || whole.is_by_another() {
            found.clear();
            return Proceed::Stop;
        }
        let before = found.len();
        let last = std::mem::replace(&mut self.last, before);
        let said_before = std::mem::replace(&mut self.before, (text.to_owned(), sentence.range.start));
        if last < before && !sentence.question {
            let said = text.trim();
            let corrects = match correct(said, sentence, (&said_before, last), found) {
                Correction::Of(right) => {
                    // What follows may correct it once more.
                    (self.before, self.last) = ((right, said_before.1), last);
                    return Proceed::On;
                }
                Correction::Read(proceed) => return proceed,
                Correction::States => true,
                Correction::None => false,
            };
            if !corrects && withdraws_at_once(said) {
                found.truncate(last);
                return Proceed::On;
            }
            if tells_of_a_loss(said) {
                retain_from(last, found, |statement| statement.slot != Slot::Pet);
                return Proceed::On;
            }
        }
        // "Got married! My niece, that is."
        let is_others = |said: &Statement, thing: &str| {
            let holds = |text: &str| text.split(' ').any(|word| word.eq_ignore_ascii_case(thing));
            said.topic.as_deref().is_some_and(holds) || holds(&said.value)
        };
        let disowned = owned_by_another(&whole)
            .filter(|thing| thing.is_empty() || found.iter().skip(last).any(|said| is_others(said, thing)));
        if takes_back(&whole) || whole.ascribes(0) || disowned.is_some() {
            found.truncate(last);
            return Proceed::On;
        }
        read(text, &whole, &tokens, sentence, begins, found)
    }
}

/// What a sentence is to the one before it.
enum Correction {
    None,
    /// It states something else, and is to be read as any other.
    States,
    /// It takes it back, and says nothing else.
    Read(Proceed),
    /// It corrects it: what was said, as it is meant.
    Of(String),
}

/// Keeps of the statements from a place on those that are wanted.
fn retain_from(first: usize, found: &mut Vec<Statement>, is_kept: impl Fn(&Statement) -> bool) {
    let mut place = 0;
    found.retain(|statement| {
        place += 1;
        place <= first || is_kept(statement)
    });
}

/// Reads a sentence that may correct the one before it. What is surely wrong is withdrawn, also where it is not
/// told what is right.
#[inline(never)]
fn correct(
    said: &str,
    sentence: &Sentence,
    ((before, start), last): (&(String, usize), usize),
    found: &mut Vec<Statement>,
) -> Correction {
    let (new, mark) = marked(said);
    if mark == Mark::None {
        return Correction::None;
    }
    let read_again = |text: &str| {
        let whole = Sentence { range: 0..text.len(), question: false, announces: false };
        let mut again = Vec::new();
        let proceed = Reader::default().read_one(text, &whole, &mut again);
        (again, proceed)
    };
    let (stated, proceed) = read_again(new);
    if !stated.is_empty() {
        // It is read as any other, and what it says takes the place of what was said of the same.
        let is_same = |one: &Statement, other: &Statement| one.slot == other.slot && one.topic == other.topic;
        retain_from(last, found, |older| {
            let replaces = mark == Mark::Surely || !older.slot.holds_many();
            !(replaces && stated.iter().any(|newer| is_same(newer, older)))
        });
        return Correction::States;
    }
    if new.is_empty() && mark == Mark::Surely {
        found.truncate(last);
        return Correction::Read(proceed);
    }
    // "Sorry, I meant my son is."
    let behind = said.to_ascii_lowercase();
    let behind = behind.split_once("i meant ").and_then(|(_, behind)| behind.split(' ').next());
    if behind.is_some_and(|first| among("i my he she we they", first)) {
        found.truncate(last);
        return Correction::Read(proceed);
    }
    let wrong = found.get(last..).unwrap_or_default();
    let Some(right) = corrected_at_once(said, before, wrong) else { return Correction::None };
    let (mut again, _) = read_again(&right);
    let slots = |all: &[Statement]| all.iter().map(|statement| statement.slot).collect::<Vec<Slot>>();
    if slots(&again) != slots(wrong) {
        return Correction::None;
    }
    for (again, wrong) in again.iter_mut().zip(wrong) {
        match again.key() == wrong.key() {
            true => again.clone_from(wrong),
            false => again.quote = *start..sentence.range.end,
        }
    }
    found.truncate(last);
    found.extend(again);
    Correction::Of(right)
}

/// In how many places, and how many bytes behind each, it is seen whether a sentence corrects itself there.
const PLACES: usize = 16;
const BEHIND: usize = 80;

/// Where a sentence goes on to correct itself, or to take itself back: ", no wait, 35", " - just kidding".
#[inline(never)]
fn correction_in(text: &str) -> Option<usize> {
    let is_mark = |c: char| matches!(c, ',' | '-' | '\u{2013}' | '\u{2014}' | '(');
    text.match_indices(is_mark).take(PLACES).find_map(|(at, mark)| {
        let (head, rest) = (text.get(..at)?, text.get(at + mark.len()..)?);
        let is_dash = mark != "-" || head.ends_with(' ') && rest.starts_with(' ');
        let rest = rest.trim();
        let end = (0..=rest.len().min(BEHIND)).rev().find(|end| rest.is_char_boundary(*end))?;
        let begun = rest.get(..end)?;
        let (new, how) = marked(begun);
        let is_new = how == Mark::Surely
            || how == Mark::Perhaps && new.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
            || end == rest.len() && withdraws_at_once(begun);
        let says = head.len() > BEHIND || !marked(head).0.is_empty();
        (is_dash && is_new && says).then_some(at + mark.len())
    })
}

fn read(
    text: &str,
    whole: &Clause<'_>,
    tokens: &[token::Token],
    sentence: &Sentence,
    begins: bool,
    found: &mut Vec<Statement>,
) -> Proceed {
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
    let shows = sentence.announces || colon(whole).is_some() || answers;
    // "What he told her? I'm single."
    let reports = sentence.question
        && among("what guess", whole.word(whole.opening()))
        && (1..whole.len()).any(|at| {
            among("told tell tells said say says wrote", whole.word(at)) && whole.word(at - 1) != "i"
        });
    let plays = whole.word(first) == "play" && whole.contains("game");
    let proceed = if shows && !about_user || reports || plays || material && holds(words::MATERIAL) {
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
    if unserious(whole) {
        return proceed;
    }
    let stated = tokens.get(..stated(whole, sentence.question)).unwrap_or_default();
    Source { text, base: sentence.range.start, clause: Clause::new(stated), begins }.read(found);
    proceed
}

/// Whether a sentence tells of a game, or of somebody made up.
fn is_of_a_game(clause: &Clause<'_>) -> bool {
    let begins = clause.opening();
    among(words::GAMES, &clause.entry(begins, begins + 2))
        || (0..clause.len()).any(|at| {
            let word = clause.word(at);
            among(words::GAMES, word)
                || word == "d" && clause.word(at + 1) == "&" && clause.word(at + 2) == "d"
        })
}

/// Whether a sentence takes back what was said before it, and says nothing itself.
fn takes_back(clause: &Clause<'_>) -> bool {
    // "...in the dream I had", "Actually, not me".
    let begins = clause.opening();
    let pair = clause.entry(begins, begins + 2);
    let is_all = !(begins + 2..clause.len()).any(|at| clause.is_word(at));
    among(words::TAKEN_BACK, &pair)
        || is_all && among(words::WISHED, &pair)
        || pair == "in_the" && clause.word(begins + 2) == "dream"
        || corrects(clause, begins)
}

/// Whether what was said is another's: "or rather my cousin does", "I mean, my brother", "well, my flatmate does"; or something else:
/// "no, wait, a dog".
fn corrects(clause: &Clause<'_>, begins: usize) -> bool {
    let after_comma = |at: usize| at + usize::from(clause.word(at) == ",");
    let is_another = |at: usize| clause.is_of_another(at) && clause.adds(at + 2);
    let at = begins + usize::from(clause.word(begins) == "or");
    let pair = clause.entry(at, at + 2);
    match clause.word(at) {
        "rather" => is_another(after_comma(at + 1)),
        _ if matches!(&*pair, "i_mean" | "make_that") => is_another(after_comma(at + 2)),
        _ if (0..begins).any(|at| among(words::CORRECTING, clause.word(at))) && is_another(begins) => true,
        _ => false,
    }
}

/// Whose something is, where a sentence says that it is another's: "it's my sister's", "it's my sister's dog"; empty where it names none.
fn owned_by_another<'c>(clause: &'c Clause<'_>) -> Option<&'c str> {
    let begins = clause.opening();
    let is_said = among("it that she he", clause.word(begins)) && among("is 's", clause.word(begins + 1));
    let thing = begins + 5;
    if !is_said || !clause.is_of_another(begins + 2) || clause.word(begins + 4) != "'s" {
        return None;
    }
    match () {
        () if clause.adds(thing) => Some(""),
        () if clause.adds(thing + 1) => Some(clause.word(thing)),
        () => None,
    }
}

impl Clause<'_> {
    /// Whether what was said is ascribed to somebody else from here on: ", my brother that is", "(my niece)".
    pub(super) fn ascribes(&self, from: usize) -> bool {
        let begins = |at: usize| at == 0 || self.word(at - 1) == "," || self.stops(at - 1);
        // "My brother isn't, though" is of him alone.
        let is_added = |at: usize| {
            self.stops(at)
                || among("did has is was i mean that though me", self.word(at))
                || self.word(at) == "not" && self.word(at + 1) == "me"
        };
        (from..self.len())
            .any(|at| begins(at) && self.is_of_another(at) && (at + 2..self.len()).all(is_added))
    }

    /// Whether somebody else sits at the keyboard: "this is Luka, Anna's husband", "using Anna's account", "my daughter is typing".
    fn is_by_another(&self) -> bool {
        (0..self.len()).any(|at| match self.word(at) {
            "borrowing" => {
                among("her his their", self.word(at + 1))
                    && among("account phone laptop computer tablet ipad login", self.word(at + 2))
            }
            "using" | "on" | "from" => {
                self.word(at + 2) == "'s"
                    && self.capital(at + 1)
                    && among("account phone laptop computer tablet ipad login", self.word(at + 3))
                    && !self.is_word(at + 4)
            }
            "this" if self.word(at + 1) == "is" && self.capital(at + 2) => (at + 3..at + 7).any(|place| {
                self.word(place) == "'s"
                    && among(words::KIN, self.word(place + 1))
                    && !self.is_word(place + 2)
            }),
            "typing" | "writing" => at >= 3 && self.word(at - 1) == "is" && self.is_of_another(at - 3),
            _ => false,
        })
    }

    /// Whether somebody else is named here: "my sister".
    pub(super) fn is_of_another(&self, at: usize) -> bool {
        let who = self.word(at + 1);
        self.word(at) == "my" && (among(words::KIN, who) || among(words::OTHERS, who))
    }

    /// Whether from here on it only says that they do: "... does, not me".
    fn adds(&self, at: usize) -> bool {
        let is_added = |at: usize| !self.is_word(at) || among("did does has is not me", self.word(at));
        (at..self.len()).all(is_added)
    }

    /// Whether it tells nothing but joy: "We're in!", "Finally!"
    fn exults(&self) -> bool {
        let words = (0..self.len()).take_while(|at| self.is_word(*at)).count();
        words <= 4 && among(words::JOYS, &self.entry(0, words))
    }

    /// Where the verb stands of a sentence that may have no subject.
    pub(super) fn verb(&self, at: usize) -> usize {
        (at..at + 3).find(|at| !among(words::ADVERBS, self.word(*at))).unwrap_or(at)
    }
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
        let denies =
            (1..=3).any(|back| among("no not", clause.word(at.wrapping_sub(back)))) || next == "aside";
        let jokes = among("kidding joking", word) && denies;
        // "I live in Tokyo lmao I wish"
        if word == "i" && next == "wish" && at > 0 && !clause.is_word(at + 2) {
            return true;
        }
        fiction || among(words::VETOES, word) && !jokes || among(words::VETO_PAIRS, &format!("{word}_{next}"))
    })
}

/// How many tokens of a sentence are stated rather than asked.
fn stated(clause: &Clause<'_>, question: bool) -> usize {
    let asks = |at: usize| among(words::ASKERS, clause.word(at));
    if asks(clause.opening()) {
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
    let any = |at: usize| {
        clause.word(at) == "any" && !clause.any_more(at)
            || clause.word(at) == "got" && clause.word(at + 1) == "any"
    };
    let joint = (1..clause.len()).rev().find(|at| {
        let joins = matches!(clause.word(*at), "," | "-" | "and" | "so" | "but");
        joins && (asks(at + 1) || any(at + 1) || (asks(at + 2) && among("and so but", clause.word(at + 1))))
    });
    let Some(joint) = joint else { return 0 };
    let tail = joint + 1..clause.len();
    let tag = tail.len() <= 2 && !any(tail.start) || tail.clone().any(|at| clause.word(at) == "i");
    if tag { 0 } else { joint.min(end) }
}

/// Where a sentence starts to show a text: at a colon with words after it.
fn colon(clause: &Clause<'_>) -> Option<usize> {
    (0..clause.len()).find(|at| {
        let numeric = clause.word(at + 1).starts_with(|c: char| c.is_ascii_digit());
        // "Correction: I live in Bonn."
        let is_heading = at.checked_sub(1).is_some_and(|before| among(words::HEADINGS, clause.word(before)));
        let is_dash =
            || *at <= HEADING && among("- \u{2013} \u{2014}", clause.word(*at)) && is_of_another(clause, *at);
        (clause.word(*at) == ":" || is_dash()) && clause.is_word(at + 1) && !numeric && !is_heading
    })
}

/// The most words before a dash that say whose words follow.
const HEADING: usize = 6;

/// Whether what stands before a dash says whose words follow, or that they are a wish: "from his email", "my goal for 2030".
fn is_of_another(clause: &Clause<'_>, end: usize) -> bool {
    let begins = clause.opening();
    let holds = |table: &str| (begins..end).any(|at| among(table, clause.word(at)));
    end <= HEADING
        && among("from per quoting her his their my vision goal goals bio", clause.word(begins))
        && !holds("i we is are was were says said 's")
        && holds(words::WORDS_OF_OTHERS)
}
