//! Relevance: how surely a result is about what is asked, on one scale for all queries and embedders.

mod about;
mod asking;
mod attributes;
mod first_person;
mod holding;
mod kin;
mod named;
mod own_name;
mod people;
mod telling;
mod titles;
mod typo;
mod verbs;
mod wide;

pub(super) use about::Abouts;
pub(super) use own_name::own_name;
pub(in crate::memory) use wide::USER as USER_ELSEWHERE;

use crate::index::lexical::{LexicalIndex, Vocabulary, Wanted, Words};
use crate::lowercase::lowercase;
use crate::memory::sentence::sentences;
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Found, Search, Store};
use about::About;
use attributes::Attributes;
use holding::{Holding, Marks};
use named::{Named, OTHERS};
use people::People;

/// What a shared attribute counts, and a word with a typing error.
const ATTRIBUTE: f32 = 0.7;
const TYPO: f32 = 0.8;
/// How the nearness in meaning counts.
struct Nearness {
    /// What it weighs beside the words.
    weight: f32,
    /// By how much a cosine above what is usual counts half, and how steeply more.
    half: f32,
    steepness: f32,
    /// The least cosine that is usual.
    usual: f32,
}

/// With the vectors of the application's embedder, and with those of the built-in one, which see the same words once more.
const OF_THE_APPLICATION: Nearness = Nearness { weight: 0.5, half: 0.17, steepness: 10.0, usual: 0.15 };
const BUILT_IN: Nearness = Nearness { weight: 0.25, half: 0.1, steepness: 12.0, usual: 0.25 };
/// As how many cosines the least usual one counts.
const PRIOR: f32 = 4.0;
/// The most that the words of a question count together: who shares that much with a long one is related to it.
const ENOUGH: f32 = 3.5;
/// How much the relevance adds to the score of a fact.
const ABOUT: f32 = 1.0;
/// What a fact about somebody else loses of the score by words and meaning.
const OF_OTHERS: f32 = 0.5;
/// What it adds to the relevance of a message that what is around it fits, that it was said then, and by whom is named.
const AROUND: f32 = 0.2;
const THEN: f32 = 0.3;
const BY: f32 = 0.1;
/// What is left of words that stand behind "before".
const BEFORE: f32 = 0.3;
/// What is left of words that only ask.
const ASKING: f32 = 0.2;
/// From which factor on a word says what is asked for.
const TELLING: f32 = 0.5;
/// What is left of the relevance where nothing is asked for: too little to be told, but found.
const NOTHING: f32 = 0.08;
/// By how much a step of significance raises what is told to who asks for all that is known of somebody.
const SIGNIFICANT: f32 = 0.01;
/// Of how many of the most significant facts it is seen whether they are about the user, where all of theirs are asked for.
const MOST_SIGNIFICANT: usize = 200;
/// By how much less a word counts the more documents hold it.
const COMMON: f32 = 0.25;

/// Into how many steps the fit to a person is divided, to compare facts with their like.
const PERSONS: usize = 20;
/// How many bytes of a query are read for phrases and names.
const MOST_READ: usize = 4096;
/// Of how many words that no fact holds it is seen whether they are typing errors: each is compared with every word of a fact.
const MAX_MISTYPED: usize = 32;
/// How sentences begin that are about others.
const THEY: &[&str] = &["he", "her", "his", "she", "their", "they"];
/// What asks for work, though it has the word of a home in it.
const FOR_A_LIVING: &str = "for a living";
/// A word that a question asks for.
struct Term {
    token: String,
    /// The number of its word among those that are asked for, in whatever form; 0 for none.
    word: usize,
    weight: f32,
    /// Whether it hardly says what is asked for.
    is_vague: bool,
    attributes: Attributes,
    /// Whether it may be a typing error: no fact holds it.
    is_doubtful: bool,
}

/// A question, read once for all results.
pub(super) struct Question {
    terms: Vec<Term>,
    /// The words of the terms, by the first form of each.
    words: Vocabulary,
    /// The attributes that are asked for.
    asked: Attributes,
    /// The same without other kinds of what one is asked for of, such as a cat.
    kinds: Attributes,
    /// The tokens of the names in it.
    names: Vec<String>,
    people: People,
    /// Whether it asks for somebody, and for nothing else of them than all.
    is_for_all: bool,
    /// What is left of the relevance: little where nothing is asked for.
    left: f32,
    /// `None` when meaning is not searched.
    nearness: Option<&'static Nearness>,
}

impl Question {
    #[inline(never)]
    fn of(
        query: &str,
        wanted: &[Wanted],
        is_of_the_application: Option<bool>,
        facts: Option<&[&About<'_>]>,
        own: Vec<String>,
    ) -> Self {
        let lower = lowercase(beginning(query));
        let mut people = People::of(query, facts.unwrap_or_default(), &own);
        let is_for_the_user = people.named.is_empty() && telling::asks_for_the_user(&lower);
        people.is_of_user |= is_for_the_user;
        let mut names: Vec<String> = Vec::new();
        for word in &people.words {
            names.extend(attributes::tokens_of(word).0);
        }
        // Whom it is about is judged apart, where there are facts; of anything else a name is asked for like other words.
        let is_asked = |token: &String| facts.is_none() || !names.contains(token);
        let (mut terms, mut words, mut doubtful) = (Vec::new(), Vocabulary::default(), 0);
        for Wanted { token, factor, documents } in wanted {
            if !is_asked(token) || token == "user" || wide::is_self(token) {
                continue;
            }
            let base = verbs::base(token);
            // Several forms of a word are one.
            let word = match words.get(base) {
                0 => terms.len() as u64 + 1,
                known => known,
            };
            words.set(base, word);
            terms.push(Term {
                attributes: attributes::asked_by(token),
                word: word as usize,
                weight: factor / (1.0 + COMMON * (1.0 + *documents as f32).ln()),
                is_doubtful: *documents == 0 && doubtful < MAX_MISTYPED,
                is_vague: *factor < TELLING,
                token: token.clone(),
            });
            doubtful += usize::from(*documents == 0);
        }
        let asks_for_more = |term: &Term| !telling::only_asks(&term.token);
        let is_of_somebody = !people.named.is_empty() && !terms.iter().any(asks_for_more);
        if is_for_the_user || is_of_somebody {
            terms.clear();
        } else if !people.mentioned.is_empty() {
            // Where only a name is asked for, what is to be done with it counts nothing.
            for term in &mut terms {
                term.weight *= f32::from(u8::from(asks_for_more(term)));
            }
        }
        if let Some((_, behind)) = lower.split_once(" before ") {
            let (behind, _) = attributes::tokens_of(behind);
            for term in terms.iter_mut().filter(|term| behind.contains(&term.token)) {
                term.weight *= BEFORE;
            }
        }
        if wide::is_wide(&lower) {
            let (left, _) = attributes::tokens_of(&asking::without_asking(&lower));
            let mut inside = String::new();
            terms.iter().for_each(|term| asking::note_inside(&term.token, &mut inside));
            for term in &mut terms {
                if asking::lies_between(&term.token, &inside) || !left.contains(&term.token) {
                    term.weight *= ASKING;
                }
            }
        }
        let phrases = attributes::of_phrases(&lower, Attributes::MAX);
        if lower.contains(FOR_A_LIVING) {
            for term in terms.iter_mut().filter(|term| term.token == "live") {
                (term.weight, term.attributes) = (0.0, 0);
            }
        }
        if phrases != 0
            && facts.is_some()
            && !is_for_the_user
            && !terms.iter().any(|term| term.attributes & phrases != 0)
        {
            let (token, word, weight) = (String::new(), 0, ATTRIBUTE);
            terms.push(Term {
                token,
                word,
                weight,
                is_vague: false,
                attributes: phrases,
                is_doubtful: false,
            });
        }
        let is_for_all = terms.is_empty() && (is_for_the_user || !people.named.is_empty());
        let is_of_them = Words::of(&lower).iter().any(|word| THEY.contains(&word));
        // Words of asking are known in English alone; signs say nothing anywhere.
        let is_read = query.is_ascii() || !query.contains(char::is_alphanumeric);
        let is_of_nobody = !people.is_of_self && !is_of_them && people.named.is_empty() && is_read;
        // "Name" is vague beside another word, and says all by itself.
        let is_telling = |term: &Term| {
            (!term.is_vague || term.token == "name")
                && term.token.contains(char::is_alphanumeric)
                && !asking::is_small_talk(&term.token)
        };
        let asks = is_for_all || !terms.is_empty() && (!is_of_nobody || terms.iter().any(is_telling));
        let left = if asks { 1.0 } else { NOTHING };
        let nearness = is_of_the_application.map(|is| if is { &OF_THE_APPLICATION } else { &BUILT_IN });
        let kinds = terms.iter().fold(0, |all, term| all | term.attributes);
        let asked = attributes::with_kinds(kinds);
        Self { terms, words, asked, kinds, names, people, is_for_all, left, nearness }
    }

    /// Words that answers may have, to search with.
    fn other_words(&self) -> String {
        let mut words = attributes::words_of(self.asked);
        for term in &self.terms {
            words.push_str(verbs::forms(&term.token));
            words.push(' ');
        }
        words
    }

    /// By the number of a word that none is held.
    fn no_words(&self) -> Vec<bool> {
        vec![false; self.terms.iter().map(|term| term.word).max().unwrap_or_default() + 1]
    }

    /// Which part of what is asked for a result holds.
    fn coverage(&self, holds: impl Fn(&Term) -> f32) -> f32 {
        let all: f32 = self.terms.iter().map(|term| term.weight).sum();
        let held: f32 = self.terms.iter().map(|term| term.weight * holds(term)).sum();
        if all > 0.0 { (held / all.min(ENOUGH)).min(1.0) } else { 0.0 }
    }

    /// How much of what is asked for a fact holds, and how well it fits whom is asked about.
    fn of_fact(&self, fact: &Holding<'_>, about: &About<'_>) -> (f32, f32) {
        let is_told = self.is_for_all && self.people.are_told_by(about);
        let coverage = if is_told { 1.0 } else { self.covered(fact) };
        (coverage, self.people.fit(about, self.asked))
    }

    /// How relevant a fact is; `above` is by how much the cosine is above what is usual.
    fn relevance_of_fact(&self, (coverage, person): (f32, f32), above: Option<f32>) -> f32 {
        // Who asks for all of somebody says nothing that a fact could be near to.
        let held = if self.is_for_all { coverage } else { self.relevance(coverage, above) };
        self.left * person * held
    }

    fn covered(&self, fact: &Holding<'_>) -> f32 {
        let of_kind = if attributes::is_of_another_kind(self.kinds, fact.attributes) { OTHERS } else { 1.0 };
        of_kind
            * self.coverage(|term| {
                if fact.holds(term) {
                    1.0
                } else if term.is_doubtful && fact.holds_mistyped(term) {
                    TYPO
                } else if term.attributes & fact.attributes != 0 {
                    ATTRIBUTE
                } else {
                    0.0
                }
            })
    }

    /// Which part of what a message holds it tells of the user, where a question is about nobody else; else all.
    fn of_user(&self, text: &str) -> f32 {
        if !self.people.is_of_user || !self.people.named.is_empty() {
            return 1.0;
        }
        let text = beginning(text);
        let (mut all, mut own, mut person) = (0.0_f32, 0.0_f32, 1.0);
        for sentence in sentences(text) {
            let said = text.get(sentence.range).unwrap_or_default().trim();
            let about = About::of(said, &[]);
            if about.kin.is_some_and(|kin| kin & self.asked == 0) && !about.is_called(&self.people.mentioned)
            {
                person = OTHERS;
            } else if about.mentions_user() {
                person = 1.0;
            } else if about.wide.is_empty() {
                person = if THEY.contains(&about.words.lower(0)) { OTHERS } else { 1.0 };
            }
            // Korean, Japanese and Chinese leave out whom a sentence is about: the one before told.
            let coverage = self.covered(&Holding::of(self, said, &about.words));
            (all, own) = (all.max(coverage), own.max(coverage * person));
        }
        if all > 0.0 { own / all } else { 1.0 }
    }

    /// How much of what is asked for a document of the index holds, and how relevant that makes it.
    fn held(&self, found: &Found<'_>, search: &Search<'_, '_>, usual: f32) -> (f32, f32) {
        let is_of_speaker = |token: &String| found.signals.speaker > 0.0 && self.names.contains(token);
        let holds = |term: &Term| {
            let holds = search.holds(found.score.document, &term.token) || is_of_speaker(&term.token);
            f32::from(u8::from(holds))
        };
        let coverage = self.coverage(holds);
        (coverage, self.relevance(coverage, cosine(found).map(|cosine| cosine - usual)))
    }

    /// `above` is by how much the cosine is above what is usual for others of whom the same is told.
    fn relevance(&self, coverage: f32, above: Option<f32>) -> f32 {
        let Some(Nearness { weight, half, steepness, .. }) = self.nearness else { return coverage };
        let near = above.map_or(0.0, |above| 1.0 / (1.0 + (-steepness * (above - half)).exp()));
        (1.0 - weight) * coverage + weight * near
    }

    /// The cosine that is usual among some of them.
    fn usual(&self, (count, sum): (f32, f32)) -> f32 {
        let least = self.nearness.map_or(0.0, |nearness| nearness.usual);
        ((sum + PRIOR * least) / (count + PRIOR)).max(least)
    }
}

/// As much of a query as is read for phrases and names.
fn beginning(query: &str) -> &str {
    query.get(..query.floor_char_boundary(MOST_READ)).unwrap_or(query)
}

/// Judges facts, and reads whom they are about.
pub(super) fn facts<'s>(
    search: &mut Search<'s, '_>,
    store: &Store,
    scope: &Scope,
    query: &str,
    abouts: &mut Abouts<'s>,
) -> Vec<Found<'s>> {
    let own = own_name(store, scope);
    // Who the user's relatives are is told by facts that need have nothing else in common with the question.
    let kin = people::kin_words(beginning(query));
    if !kin.is_empty() {
        search.add_with(&kin);
    }
    abouts.read(search, &own);
    let read: Vec<&About<'_>> = abouts.iter().collect();
    let question =
        Question::of(query, search.wanted(), search.is_of_the_application(), Some(&read), own.clone());
    let user = if question.people.means_user() { "user" } else { "" };
    let names = question.people.other_names();
    if !names.is_empty() {
        search.add_with(&names);
    }
    if question.is_for_all && question.people.is_of_user {
        let significant = store.most_significant(scope, Kind::Fact, false, search.now());
        search.add(significant.into_iter().take(MOST_SIGNIFICANT));
    }
    let words = question.other_words();
    if !words.is_empty() || !user.is_empty() {
        search.add_with(&format!("{user} {words} {query}"));
    }
    abouts.read(search, &own);
    let mut found = search.found(&search.candidates);
    let marks = Marks::of(&question, search.words());
    for found in &mut found {
        let text = found.record.text.unwrap_or_default();
        let judged = abouts.of(found.score.document).map(|about| {
            let fact = marks.holding((found.score.document, text), &about.words);
            question.of_fact(&fact, about)
        });
        found.judged = judged.map(|(coverage, person)| [coverage, person]);
    }
    // What is usual of facts that fit the same person.
    let mut cosines = [(0.0, 0.0); PERSONS + 1];
    for found in &found {
        if let Some((count, sum)) = cosines.get_mut(alike(found))
            && let Some(cosine) = cosine(found)
        {
            *count += 1.0;
            *sum += cosine;
        }
    }
    for found in &mut found {
        let usual = question.usual(cosines.get(alike(found)).copied().unwrap_or_default());
        let above = cosine(found).map(|cosine| cosine - usual);
        let [coverage, person] = found.judged.unwrap_or_default();
        found.relevance = question.relevance_of_fact((coverage, person), above);
        found.signals.about = if question.is_for_all {
            let significance = f32::from(found.record.significance);
            found.relevance * (1.0 + SIGNIFICANT * significance) - found.score.score
        } else {
            ABOUT * found.relevance - OF_OTHERS * (1.0 - person) * found.score.score
        };
        found.score.score += found.signals.about;
    }
    abouts.names = question.names;
    crate::store::best_first(&found)
}

/// With which facts one is compared: with those that fit the person alike.
fn alike(found: &Found<'_>) -> usize {
    (person(found).clamp(0.0, 1.0) * PERSONS as f32).round() as usize
}

/// Of statements that no index holds, each one's relevance, its coverage and how well it fits who is asked about.
pub(super) fn statements(
    query: &str,
    store: &Store,
    scope: &Scope,
    statements: &[String],
) -> Vec<(f32, [f32; 2])> {
    let own = own_name(store, scope);
    let abouts: Vec<About<'_>> = statements.iter().map(|text| About::of(text, &own)).collect();
    let read: Vec<&About<'_>> = abouts.iter().collect();
    let question = Question::of(query, LexicalIndex::default().read(query).wanted(), None, Some(&read), own);
    let judged = statements.iter().zip(&abouts).map(|(text, about)| {
        let (coverage, person) = question.of_fact(&Holding::of(&question, text, &about.words), about);
        (question.relevance_of_fact((coverage, person), None), [coverage, person])
    });
    judged.collect()
}

/// Whether a question is about the user, or about somebody by what they are to the user.
pub(super) fn means_user(query: &str, store: &Store, scope: &Scope) -> bool {
    let people = People::of(beginning(query), &[], &own_name(store, scope));
    people.means_user() || people.named.iter().any(Named::is_kin)
}

fn person(found: &Found<'_>) -> f32 {
    found.judged.map_or(0.0, |[_, person]| person)
}

fn cosine(found: &Found<'_>) -> Option<f32> {
    let [_, meaning] = found.score.terms;
    meaning.raw
}

/// Of how many of the best messages it is seen how well the best fits.
const BEST: usize = 5;

/// Judges messages, best first: the best by what it holds, the others in the order they have.
pub(super) fn messages(found: &mut [Found<'_>], search: &Search<'_, '_>, query: &str) {
    let question = Question::of(query, search.wanted(), search.is_of_the_application(), None, Vec::new());
    let usual = question.usual(cosines(found));
    let most = found.first().map_or(1.0, |found| found.score.score.max(f32::MIN_POSITIVE));
    let mut best: f32 = 0.0;
    for found in found.iter_mut().take(BEST) {
        let around = AROUND * found.signals.neighbours.min(1.0)
            + THEN * f32::from(u8::from(found.signals.date > 0.0))
            + BY * f32::from(u8::from(found.signals.speaker > 0.0));
        let (coverage, held) = question.held(found, search, usual);
        let person = question.of_user(found.record.text.unwrap_or_default());
        found.judged = Some([coverage, person]);
        best = best.max((person * held + around).min(1.0));
    }
    // Who asks for a time asks for something.
    let names_time = found.iter().any(|found| found.signals.date > 0.0);
    let left = match question.is_for_all {
        true => NOTHING,
        false if names_time => 1.0,
        false => question.left,
    };
    for found in found {
        found.relevance = (left * best * found.score.score / most).clamp(0.0, 1.0);
    }
}

/// Judges records of any other kind, each by what it holds.
pub(super) fn others(found: &mut [Found<'_>], search: &Search<'_, '_>, query: &str) {
    let question = Question::of(query, search.wanted(), search.is_of_the_application(), None, Vec::new());
    let usual = question.usual(cosines(found));
    for found in found {
        let (coverage, relevance) = question.held(found, search, usual);
        found.judged = Some([coverage, 1.0]);
        found.relevance = relevance;
    }
}

/// How many cosines were found, and their sum.
fn cosines(found: &[Found<'_>]) -> (f32, f32) {
    found.iter().filter_map(cosine).fold((0.0, 0.0), |(count, sum), cosine| (count + 1.0, sum + cosine))
}
