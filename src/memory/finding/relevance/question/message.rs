//! What messages hold of a question, and whom each of their clauses is about.

use super::{LEAST_WEIGHT, NOTHING, Question};
use crate::among::among;
use crate::index::lexical::Words;
use crate::memory::finding::relevance::about::{About, wishes};
use crate::memory::finding::relevance::answering::{UNANSWERED, tells_ignorance};
use crate::memory::finding::relevance::holding::Holding;
use crate::memory::finding::relevance::named::{Named, OTHERS};
use crate::memory::finding::relevance::people::THEY;
use crate::memory::finding::relevance::term::{Term, said_of};
use crate::memory::finding::relevance::{attributes, cosine, is_by_user, wide};
use crate::memory::finding::turns::beginning;
use crate::memory::sentence::sentences;
use crate::store::{Found, Search};

/// The cosine of what is the same.
const SAME: f32 = 0.999;
/// What is left of a message in which the user speaks of themselves, in a question about the assistant: too little to be told.
const OF_ANOTHER: f32 = 0.05;
/// What is left of a message that has nothing of what is asked for but a name.
const ONLY_NAMED: f32 = 0.4;
/// What is left of a sentence about others that mentions the user.
const OF_THEM_WITH_USER: f32 = 0.6;
/// How a sentence begins that is about what belongs to others, and one that says more of what the one before is about.
const OF_THEM: &str = "her his their";
const GOING_ON: &str = "a an and but so the";
/// Between which words a clause begins that is about whom the words before name, and how near.
const WHO: &str = " who ";
const NEAR: usize = 4;

impl Question {
    /// Which part of what a message holds it tells of whom or what a question is about: of the user, where it is about nobody else; of
    /// those it names and not of whom and what belongs to them; of its subject.
    pub(in crate::memory::finding::relevance) fn of_whom(&self, found: &Found<'_>) -> f32 {
        let text = beginning(found.record.text.unwrap_or_default());
        if self.people.is_of_assistant {
            // Korean, Japanese and Chinese leave "I" out.
            let is_of_user = About::of(text, &[]).mentions_user() || wide::is_wide(text);
            return if is_of_user { OF_ANOTHER } else { 1.0 };
        }
        let are_named = !self.people.named.is_empty() && self.people.named.iter().all(Named::is_another);
        let is_of_user = self.people.is_of_user && self.people.named.is_empty();
        if !(are_named || is_of_user || self.people.is_of_nobody()) {
            return 1.0;
        }
        let is_by_other = !is_by_user(&found.record);
        // Who says "I" is not whom it names, unless that is who says it.
        let is_by_another = are_named
            && if self.people.is_of_user { !self.names(found) } else { found.signals.speaker <= 0.0 };
        // What is held of all that is asked for, and of it beside the names; and how much of that is told of whom it asks about.
        let (mut all, mut own, mut person) = ([0.0_f32; 2], [0.0_f32; 2], 1.0);
        let said = sentences(text).into_iter().flat_map(|sentence| {
            let asks = sentence.question;
            clauses(text.get(sentence.range).unwrap_or_default()).map(move |said| (said, asks))
        });
        for (said, asks) in said {
            let about = About::of(said, &[]);
            let holding = Holding::of(self, said, &about.words);
            let is_of_kin = about.kin.is_some_and(|kin| kin & self.asked == 0)
                && !about.is_called(&self.people.mentioned);
            person = if are_named {
                let is_of_them = self.people.named.iter().any(|named| named.is_called_in(&about));
                let is_other = is_of_kin
                    || is_by_another
                        && about.is_of_user
                        && !self.people.named.iter().any(|named| named.is_named_in(&about))
                    || person < 1.0 && among(GOING_ON, about.words.lower(0))
                    || self.people.addresses(&about);
                if is_other && !is_of_them { OTHERS } else { 1.0 }
            } else if !is_of_user {
                let of_them = if self.people.is_of_them && about.is_of_user_alone() { OTHERS } else { 1.0 };
                of_them * self.of_subject(&holding, &about)
            } else if is_of_kin
                || about.is_of_another()
                || about.words.lower(0) == WHO.trim()
                || among(OF_THEM, about.words.lower(0))
                || !about.is_asserted()
                || self.is_wish(&about)
            {
                OTHERS
            } else if about.mentions_user() {
                // "She lives in Ludlow with my stepdad."
                if THEY.contains(&about.words.lower(0)) { OF_THEM_WITH_USER } else { 1.0 }
            } else if !about.wide.is_empty() {
                // Korean, Japanese and Chinese leave out whom a sentence is about: the one before told.
                person
            } else if THEY.contains(&about.words.lower(0)) {
                OTHERS
            } else {
                1.0
            };
            let beside = if are_named { self.covered_beside_names(&holding) } else { 0.0 };
            let coverages = [self.covered(&holding).0, beside];
            let asks = asks || about.is_unmarked_question();
            let answers = match () {
                () if asks && self.asks && about.is_inquiry() => self.left_of_asking(said),
                () if is_by_other && tells_ignorance(said) => UNANSWERED,
                () => 1.0,
            };
            let left = person
                * answers
                * self.aspects.left_of_message(&about, &self.people)
                * self.left_without_value((&holding, &about));
            for ((all, own), coverage) in all.iter_mut().zip(&mut own).zip(coverages) {
                (*all, *own) = (all.max(coverage), own.max(coverage * left));
            }
        }
        // "Owen works from home. I'm allergic to cats."
        match (all, own) {
            ([_, all], [_, own]) | ([all, _], [own, _]) if all > 0.0 => own / all,
            _ => 1.0,
        }
    }

    /// Which part of what is asked for something holds beside the names: "Owen works from home. I'm allergic to cats."
    fn covered_beside_names(&self, holding: &Holding<'_>) -> f32 {
        self.coverage(|place, term| match said_of(term, holding) {
            _ if self.names.contains(&term.token) => 0.0,
            Some(counts) => counts,
            None => holding.holds_like(place),
        })
    }

    /// Whether it asks for nothing by words, and for something by phrases.
    pub(in crate::memory::finding::relevance) fn is_of_phrases(&self) -> bool {
        let mut asked = self.terms.iter().filter(|term| term.weight > 0.0).peekable();
        asked.peek().is_some() && asked.all(|term| term.token.is_empty())
    }

    /// Whether a message has any of what is asked for.
    pub(in crate::memory::finding::relevance) fn speaks(&self, found: &Found<'_>) -> bool {
        let text = beginning(found.record.text.unwrap_or_default());
        self.covered(&Holding::of(self, text, &Words::of(text))).0 > 0.0
    }

    /// Whether somebody only wants what a question asks whether they have.
    pub(in crate::memory::finding::relevance) fn is_wish(&self, about: &About<'_>) -> bool {
        self.asks_for_own && wishes(&about.words)
    }

    /// Whether a message is of somebody whom it names: it names them, or is by them. So is any where it names nobody else than the user.
    pub(in crate::memory::finding::relevance) fn names(&self, found: &Found<'_>) -> bool {
        let mut named = self.people.named.iter().filter(|named| named.is_another()).peekable();
        if named.peek().is_none() && self.people.topic.is_none() || found.signals.speaker > 0.0 {
            return true;
        }
        let text = beginning(found.record.text.unwrap_or_default());
        let about = About::of(text, &[]);
        named.any(|named| named.is_named_in(&about))
            || self.people.topic.as_ref().is_some_and(|topic| about.wide.is_empty() || text.contains(topic))
    }

    /// How much of what is asked for a document of the index holds, and how relevant that makes it.
    pub(in crate::memory::finding::relevance) fn held(
        &self,
        found: &Found<'_>,
        search: &Search<'_, '_>,
        usual: f32,
    ) -> (f32, f32) {
        let is_of_speaker = |token: &String| found.signals.speaker > 0.0 && self.names.contains(token);
        let text = beginning(found.record.text.unwrap_or_default());
        let is_phrase = |term: &Term| term.token.is_empty();
        let spoken = self.terms.iter().any(is_phrase).then(|| Holding::of(self, text, &Words::of(text)));
        let holds = |term: &Term| {
            if is_phrase(term) {
                return spoken.as_ref().and_then(|spoken| said_of(term, spoken)).unwrap_or_default();
            }
            let holds = search.holds(found.score.document, &term.token) || is_of_speaker(&term.token);
            f32::from(u8::from(holds))
        };
        let held: Vec<f32> = self.terms.iter().map(holds).collect();
        let coverage = self.coverage(|place, _| held.get(place).copied().unwrap_or_default());
        // What is the same as the question is near it, whatever is usual.
        let above = |cosine| if cosine > SAME { f32::INFINITY } else { cosine - usual };
        let above = cosine(found).map(above);
        // By their spelling alone, Chinese, Japanese and Korean that share nothing of what is asked for are near by words of grammar.
        if self.is_by_spelling && coverage <= 0.0 && above != Some(f32::INFINITY) {
            return (0.0, 0.0);
        }
        let relevance = self.relevance(coverage, above);
        let says = |term: &Term| !self.is_wide || !term.is_vague && term.weight > LEAST_WEIGHT;
        let is_more = |term: &Term| term.weight > 0.0 && says(term) && !self.names.contains(&term.token);
        // A name is asked for of somebody or something, of whom another name says nothing.
        let is_name = |term: &Term| term.attributes == attributes::NAME && !term.token.is_ascii();
        let asks_whose = self.terms.iter().any(|term| is_more(term) && is_name(term));
        let held = self.terms.iter().zip(held).filter(|(term, _)| is_more(term) && !is_name(term));
        let most = held.map(|(_, held)| held).reduce(f32::max);
        let is_only_named = (asks_whose || !self.names.is_empty()) && coverage > 0.0 && most == Some(0.0);
        (coverage, if is_only_named { ONLY_NAMED * relevance } else { relevance })
    }

    /// What is left of the relevance of a message; who asks for a time asks for something.
    pub(in crate::memory::finding::relevance) fn left_of_messages(&self, names_time: bool) -> f32 {
        match self.is_for_all {
            true => NOTHING,
            false if names_time => 1.0,
            false => self.left,
        }
    }
}

/// A sentence in its clauses: what stands behind "who" is about whom is named before.
pub(in crate::memory::finding::relevance) fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    let who = sentence.find(WHO).filter(|at| {
        let before = About::of(sentence.get(..*at).unwrap_or_default(), &[]);
        let length = before.words.len();
        (length.saturating_sub(NEAR)..length).any(|place| before.names_somebody_at(place))
    });
    let (first, second) = sentence.split_at(who.unwrap_or(sentence.len()));
    [first, second].into_iter().map(str::trim).filter(|clause| !clause.is_empty())
}
