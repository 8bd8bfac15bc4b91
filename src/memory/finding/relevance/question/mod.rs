//! A question: what it asks for and of whom, read once and held against every result.

mod message;

pub(super) use message::clauses;

use super::about::{About, wishes};
use super::aspects::Aspects;
use super::attributes::{self, Attributes};
use super::holding::Holding;
use super::kin::is_kin_token;
use super::like::Likes;
use super::named::OTHERS;
use super::people::{People, THEY};
use super::quantity::Quantity;
use super::subject::subject;
use super::term::{
    Term, add_phrases, leave_out_present, said_of, terms_of, weigh_behind_before, weigh_beside_a_name,
    weigh_dates, weigh_idle, weigh_what_only_asks,
};
use super::traditional::{in_simplified, simplified};
use super::{aside, asking, derivation, telling, wide};
use crate::among::among;
use crate::index::lexical::{Vocabulary, Wanted, Words};
use crate::index::meaning::Meaning;
use crate::lowercase::lowercase;
use crate::memory::finding::turns::{beginning, find_word};
use crate::store::Search;
use std::cell::{Cell, OnceCell};

/// How the nearness in meaning counts.
#[derive(Clone, Copy)]
struct Nearness {
    /// What it weighs beside the words.
    weight: f32,
    /// By how much a cosine above what is usual counts half, and how steeply more.
    half: f32,
    steepness: f32,
    /// The least cosine that is usual.
    usual: f32,
}

/// With the vectors of the application's embedder; with those of the built-in one, which see many of the same words once more; and with
/// those of words that it knows by their spelling alone.
const OF_THE_APPLICATION: Nearness = Nearness { weight: 0.5, half: 0.17, steepness: 10.0, usual: 0.15 };
const BUILT_IN: Nearness = Nearness { weight: 0.35, half: 0.15, steepness: 12.0, usual: 0.25 };
const SPELLING_ALONE: Nearness = Nearness { weight: 0.25, half: 0.1, steepness: 12.0, usual: 0.25 };
/// As how many cosines the least usual one counts.
const PRIOR: f32 = 4.0;
/// The most that the words of a question count together: who shares that much with a long one is related to it.
const ENOUGH: f32 = 3.5;
/// What is left of the relevance where nothing is asked for: too little to be told, also of what is the same, but found.
const NOTHING: f32 = 0.07;

/// What is left of what has to do with a question for a name only by telling one.
const ONLY_A_NAME: f32 = 0.3;
/// What is left of what the user wants, where a question asks whether they have or are it.
const WISHED: f32 = 0.45;
/// From which weight on a word says what is asked for.
const LEAST_WEIGHT: f32 = 0.15;
/// What is left of what speaks of one of a kind, where the kind as a whole is asked about.
const OF_KIND: f32 = 0.7;

/// What is left of what is about the user, where a question begins with what may be a name.
const OFF_TOPIC: f32 = 0.3;

/// How questions begin that ask what somebody has or has done.
const OWNING: &str = "am did do have";

/// What a question about nobody is about.
struct Subject {
    /// The places of its terms; none where it has no subject.
    terms: Vec<usize>,
    /// Whether it is of a kind as a whole.
    is_of_kind: bool,
}

/// A question, read once for all results.
pub(super) struct Question {
    pub(super) terms: Vec<Term>,
    /// The words of the terms, by the first form of each.
    pub(super) words: Vocabulary,
    /// The words of like meaning to its terms, made when they are asked for: where messages and facts are read.
    likes: OnceCell<Likes>,
    /// The attributes that are asked for.
    pub(super) asked: Attributes,
    /// The same without other kinds of what one is asked for of, such as a cat.
    kinds: Attributes,
    /// The tokens of the names in it.
    pub(super) names: Vec<String>,
    pub(super) people: People,
    /// Whether it asks for somebody, and for nothing else of them than all.
    pub(super) is_for_all: bool,
    subject: Subject,
    /// Whether it is a question, and no words to look for.
    asks: bool,
    /// Whether it asks whether the user has or has done something, and not for what they want.
    asks_for_own: bool,
    aspects: Aspects,
    /// The number that it asks for.
    quantity: Option<Quantity>,
    /// Whether it has traditional characters.
    pub(super) is_traditional: bool,
    /// Whether it is in Chinese, Japanese or Korean.
    pub(super) is_wide: bool,
    /// What is left of the relevance: little where nothing is asked for.
    left: f32,
    /// `None` when meaning is not searched.
    nearness: Option<Nearness>,
    /// Whether it is in Chinese, Japanese or Korean, of which the built-in embedder knows the spelling alone.
    is_by_spelling: bool,
    /// Whether meaning is what the built-in embedder knows of it, and it knows that of a term.
    knows_meaning: bool,
}

impl Question {
    /// Reads a question.
    ///
    /// * `wanted`: its words as the index holds them.
    /// * `is_of_the_application`: whose vectors are compared, the application's or the built-in ones; `None` when meaning is not searched.
    /// * `facts`: whom the facts are about among which it looks for people; `None` where messages and other records are judged.
    /// * `own`: the names of the user.
    #[inline(never)]
    pub(super) fn of(
        query: &str,
        wanted: &[Wanted],
        is_of_the_application: Option<bool>,
        facts: Option<&[&About<'_>]>,
        own: Vec<String>,
    ) -> Self {
        let query = &*wide::in_writing(query);
        let lower = lowercase(beginning(query));
        let mut people = People::of(beginning(query), facts.unwrap_or_default(), &own);
        let is_for_the_user = people.named.is_empty() && telling::asks_for_the_user(&lower);
        people.is_of_user |= is_for_the_user;
        let mut names: Vec<String> = Vec::new();
        for word in &people.words {
            names.extend(attributes::tokens_of(word).0);
        }
        // Whom it is about is judged apart, where there are facts; of anything else a name is asked for like other words.
        let apart = if facts.is_some() { names.as_slice() } else { &[] };
        let (mut terms, words) = terms_of(wanted, apart);
        leave_out_present(&mut terms, &lower);
        let is_of_somebody = !people.named.is_empty()
            && (!terms.iter().any(Term::asks_for_more)
                || wide::is_wide(&lower) && telling::asks_for_somebody(&people.left_out(&lower)));
        if is_for_the_user || is_of_somebody {
            terms.clear();
        }
        if !people.mentioned.is_empty() {
            weigh_beside_a_name(&mut terms);
        }
        weigh_idle(&mut terms);
        weigh_behind_before(&mut terms, &lower);
        weigh_dates(&mut terms);
        weigh_what_only_asks(&mut terms, &lower);
        for term in terms.iter_mut().filter(|term| !term.token.is_ascii()) {
            [term.attributes, term.kinds] = attributes::asked_at(&term.token, &lower);
        }
        add_phrases(&mut terms, &lower, !is_for_the_user);
        let asks_what_is_called = find_word(&lower, "called").is_some();
        for term in &mut terms {
            term.is_called = asks_what_is_called && term.token == "call";
        }
        let is_for_all = terms.is_empty() && (is_for_the_user || !people.named.is_empty());
        let spoken = Words::of(&lower);
        let is_of_them = spoken.iter().any(|word| THEY.contains(&word));
        let subject = subject(&spoken).filter(|_| people.is_of_no_person() && !people.is_of_assistant);
        let (subject, is_of_kind) = subject.unwrap_or_default();
        let subject = subject.into_iter().flat_map(|word| attributes::tokens_of(word).0);
        let place_of = |token: String| terms.iter().position(|term| term.token == token && !term.is_vague);
        let subject = subject.filter_map(place_of).collect();
        // Words of asking are known in English alone; signs say nothing anywhere.
        let is_read = query.chars().all(|c| c.is_ascii() || !c.is_alphanumeric());
        let is_of_nobody = !people.is_of_self && !is_of_them && people.named.is_empty() && is_read;
        let tells = !terms.is_empty() && (!is_of_nobody || terms.iter().any(Term::tells));
        let is_aside = aside::is_sum(&lower) || aside::asks_for_now(&spoken);
        let is_said = is_for_all || tells && !is_aside && !asking::is_all_small_talk(query);
        let left = if is_said { 1.0 } else { NOTHING };
        let kinds = terms.iter().fold(0, |all, term| all | term.attributes | term.kinds);
        let asked = attributes::with_kinds(kinds);
        let is_known = |term: &Term| term.weight > 0.0 && Meaning::of(&term.token).is_some();
        let (is_built_in, is_wide) = (is_of_the_application == Some(false), wide::is_wide(&lower));
        let knows_meaning = is_built_in && terms.iter().any(is_known);
        // Of Korean, Japanese and Chinese it knows everyday words alone: most of a vector is spelling.
        let nearness = is_of_the_application.map(|is| match is {
            true => OF_THE_APPLICATION,
            false if knows_meaning && !is_wide => BUILT_IN,
            false => SPELLING_ALONE,
        });
        let is_by_spelling = is_built_in && is_wide;
        let (likes, subject) = (OnceCell::new(), Subject { terms: subject, is_of_kind });
        let asks = query.contains(['?', '？'])
            || !wide::is_wide(query) && About::of(beginning(query), &[]).is_inquiry();
        let asks_for_own = among(OWNING, spoken.lower(0)) && spoken.lower(1) == "i" && !wishes(&spoken);
        Self {
            is_traditional: simplified(&lower).is_some(),
            is_wide,
            quantity: Quantity::asked(&in_simplified(&lower)),
            aspects: Aspects::of(&spoken, &lower, &people),
            asks_for_own,
            subject,
            terms,
            words,
            likes,
            asked,
            kinds,
            names,
            people,
            is_for_all,
            asks,
            left,
            nearness,
            is_by_spelling,
            knows_meaning,
        }
    }

    /// The words of like meaning to its terms. There are none with the vectors of the application, whose model knows better what is
    /// alike.
    pub(super) fn likes(&self) -> &Likes {
        self.likes.get_or_init(|| {
            // A daughter is no sister, near as the words are.
            let is_asked_for =
                |term: &&Term| self.knows_meaning && term.weight > 0.0 && !is_kin_token(&term.token);
            Likes::of(self.terms.iter().map(|term| Some(term).filter(is_asked_for).map(|term| &*term.token)))
        })
    }

    /// Words that answers may have, to search with; and tokens, of a question in Chinese, Japanese or Korean, of which so many are in no
    /// index that reading them as words would leave out those that are.
    pub(super) fn other_words(&self, question: &str) -> (String, Vec<String>) {
        let themselves = self.terms.iter().fold(0, |all, term| all | term.attributes);
        let mut words = attributes::words_of(self.asked, themselves, question);
        for term in &self.terms {
            if term.is_doubtful {
                for form in derivation::forms(&term.token) {
                    words.push_str(&form);
                    words.push(' ');
                }
            }
        }
        if self.is_wide { (String::new(), attributes::tokens_of(&words).0) } else { (words, Vec::new()) }
    }

    /// The query without the names in it, which all facts about somebody share; `None` where it has none. From now on nearness is
    /// measured as that of its vector by the built-in embedder.
    pub(super) fn leave_out_names(&mut self, query: &str) -> Option<String> {
        let is_name = |word: &&str| {
            let (tokens, _) = attributes::tokens_of(word);
            !tokens.is_empty() && tokens.iter().all(|token| self.names.contains(token))
        };
        let (names, kept): (Vec<&str>, Vec<&str>) = beginning(query).split_whitespace().partition(is_name);
        if names.is_empty() {
            return None;
        }
        // What is near then shares other words with it, or their meaning.
        self.nearness = self.nearness.map(|nearness| Nearness { usual: 0.0, ..nearness });
        Some(kept.join(" "))
    }

    /// By the number of a word that none is held.
    pub(super) fn no_words(&self) -> Vec<bool> {
        vec![false; self.terms.iter().map(|term| term.word).max().unwrap_or_default() + 1]
    }

    /// Which part of what is asked for a result holds; `holds` is asked with the place of each term, too.
    pub(super) fn coverage(&self, holds: impl Fn(usize, &Term) -> f32) -> f32 {
        let all: f32 = self.terms.iter().map(|term| term.weight).sum();
        let held: f32 =
            self.terms.iter().enumerate().map(|(place, term)| term.weight * holds(place, term)).sum();
        if all > 0.0 { (held / all.min(ENOUGH)).min(1.0) } else { 0.0 }
    }

    /// How much of what is asked for a fact holds, and how well it fits whom is asked about; and whether it has to do with it only by
    /// what the built-in embedder knows of meaning.
    pub(super) fn of_fact(&self, fact: &Holding<'_>, about: &About<'_>) -> ((f32, f32), bool) {
        let is_told = self.is_for_all && self.people.are_told_by(about);
        let (coverage, is_said) =
            if is_told { (1.0, true) } else { self.covered_by(fact, self.people.names_kin(about)) };
        let is_guess = self.knows_meaning && !self.is_for_all && !is_said;
        let coverage = coverage * self.quantity.map_or(1.0, |quantity| quantity.left_of(about));
        let value = if self.is_for_all { 1.0 } else { self.left_without_value((fact, about)) };
        let wish = if self.is_wish(about) { WISHED } else { 1.0 };
        let left =
            wish * value * self.aspects.left_of(about, &self.people) * self.people.left_without_name(about);
        let person = left * self.people.fit(about, self.asked);
        ((coverage, person * self.of_subject(fact, about)), is_guess)
    }

    /// What is left of a fact that holds now.
    pub(super) fn left_of_present(&self, about: &About<'_>) -> f32 {
        self.aspects.left_of_present(about)
    }

    /// What is left of what has none of what is asked for, such as a name or a colour.
    fn left_without_value(&self, told: (&Holding<'_>, &About<'_>)) -> f32 {
        self.aspects.left_without_value(self.kinds, &self.people, &self.terms, told)
    }

    /// What is left of what is about the user and does not speak of the subject, and of what speaks of it where a whole kind is asked
    /// about.
    fn of_subject(&self, holding: &Holding<'_>, about: &About<'_>) -> f32 {
        let Subject { terms, is_of_kind } = &self.subject;
        let is_held = |place: &usize| {
            let term = self.terms.get(*place);
            term.is_some_and(|term| said_of(term, holding).is_some()) || holding.holds_like(*place) > 0.0
        };
        let is_of_user = about.is_of_user_alone();
        if let Some(topic) = &self.people.topic {
            return if is_of_user && !about.wide.contains(topic) { OFF_TOPIC } else { 1.0 };
        }
        match terms.iter().any(is_held) {
            false if is_of_user && !terms.is_empty() => OTHERS,
            true if *is_of_kind => OF_KIND,
            _ => 1.0,
        }
    }

    /// How relevant a fact is; `above` is by how much the cosine is above what is usual.
    pub(super) fn relevance_of_fact(&self, (coverage, person): (f32, f32), above: Option<f32>) -> f32 {
        // Who asks for all of somebody says nothing that a fact could be near to.
        let held = if self.is_for_all { coverage } else { self.relevance(coverage, above) };
        self.left * person * held
    }

    /// Which part of what is asked for a fact holds, and whether it has any of the words or their attributes.
    pub(super) fn covered(&self, fact: &Holding<'_>) -> (f32, bool) {
        self.covered_by(fact, false)
    }

    /// The same of a fact that may be about the relative or the pet who is asked for: the name that it tells is theirs.
    fn covered_by(&self, fact: &Holding<'_>, is_of_them: bool) -> (f32, bool) {
        let is_of_another = attributes::is_of_another_kind(self.kinds, fact.attributes | fact.kinds);
        let of_kind = if is_of_another { OTHERS } else { 1.0 };
        let (is_said, only_names, asks_for_more) = (Cell::new(false), Cell::new(true), Cell::new(false));
        let coverage = self.coverage(|place, term| {
            let is_of_name = if term.token.is_ascii() {
                term.attributes & attributes::NAME != 0
            } else {
                term.attributes == attributes::NAME
            };
            let counts = match said_of(term, fact) {
                Some(counts) => {
                    is_said.set(is_said.get() || term.weight != 0.0);
                    counts
                }
                None => fact.holds_like(place),
            };
            let is_more = !is_of_name && !term.is_vague && term.weight > LEAST_WEIGHT;
            asks_for_more.set(asks_for_more.get() || is_more);
            only_names.set(only_names.get() && (is_of_name || counts <= 0.0 || term.weight <= LEAST_WEIGHT));
            counts
        });
        let of_names = if only_names.get() && asks_for_more.get() && !is_of_them { ONLY_A_NAME } else { 1.0 };
        (of_names * of_kind * coverage, is_said.get())
    }

    /// Whether what holds so much of the words is only near them, as far as the built-in embedder can tell.
    pub(super) fn is_guess(&self, coverage: f32) -> bool {
        self.knows_meaning && coverage <= 0.0
    }

    /// Whether it asks for more than for what was said or done at a time.
    pub(super) fn asks_for_more_than_when(&self) -> bool {
        self.terms.iter().any(|term| self.is_more_than_when(term))
    }

    /// Whether a document has something of what is asked for, beside the time.
    pub(super) fn holds_more_than_when(&self, document: u32, search: &Search<'_, '_>) -> bool {
        let mut terms = self.terms.iter().filter(|term| self.is_more_than_when(term));
        terms.any(|term| search.holds(document, &term.token))
    }

    /// Whether a term asks for more than when something was.
    fn is_more_than_when(&self, term: &Term) -> bool {
        if wide::is_wide(&term.token) {
            return term.weight > LEAST_WEIGHT && !term.is_vague && !asking::tells_when(&term.token);
        }
        term.token.starts_with(char::is_alphabetic)
            && term.weight > 0.0
            && !term.is_vague
            && !term.is_time()
            && !self.names.contains(&term.token)
    }

    /// `above` is by how much the cosine is above what is usual for others of whom the same is told.
    fn relevance(&self, coverage: f32, above: Option<f32>) -> f32 {
        let Some(Nearness { weight, half, steepness, .. }) = self.nearness else { return coverage };
        let near = above.map_or(0.0, |above| 1.0 / (1.0 + (-steepness * (above - half)).exp()));
        (1.0 - weight) * coverage + weight * near
    }

    /// The cosine that is usual among some of them.
    pub(super) fn usual(&self, (count, sum): (f32, f32)) -> f32 {
        let least = self.nearness.map_or(0.0, |nearness| nearness.usual);
        ((sum + PRIOR * least) / (count + PRIOR)).max(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::lexical::LexicalIndex;

    #[test]
    fn names_are_left_out_of_what_the_built_in_embedder_compares() {
        let about = About::of("Priya Raman lives in Leeds", &[]);
        for (query, left) in [
            ("Where does Priya Raman live?", Some("Where does live?")),
            ("What is Priya's hobby?", Some("What is hobby?")),
            ("Where do I live?", None),
        ] {
            let index = LexicalIndex::default();
            let wanted = index.read(query);
            let mut question = Question::of(query, wanted.wanted(), Some(false), Some(&[&about]), Vec::new());
            assert_eq!(question.leave_out_names(query).as_deref(), left, "{query}");
        }
    }
}
