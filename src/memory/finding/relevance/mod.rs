//! Relevance: how surely a result is about what is asked, on one scale for all queries and embedders.

mod about;
mod abouts;
mod answering;
mod aside;
mod asking;
mod aspects;
mod assistant;
mod attributes;
mod called;
mod derivation;
mod first_person;
mod holding;
mod kin;
mod left_out;
mod like;
mod named;
mod others;
mod own_name;
mod people;
mod quantity;
mod question;
mod relatives;
mod roles;
mod small_letters;
mod stated;
mod subject;
mod successor;
mod telling;
mod tells;
mod tells_elsewhere;
mod term;
mod then;
mod titles;
mod traditional;
mod typo;
mod wide;
mod wide_names;

pub(super) use abouts::Abouts;
pub(super) use own_name::own_name;
pub(super) use quantity::Quantity;
pub(in crate::memory) use successor::HEIR;
pub(super) use successor::succeed;
pub(in crate::memory) use wide::USER as USER_ELSEWHERE;

use crate::index::embedder::embed;
use crate::index::lexical::LexicalIndex;
use crate::log::RecordView;
use crate::memory::finding::turns::{Dates, beginning, is_of_the_past};
use crate::memory::message::{Role, StoredMessage};
use crate::record::Kind;
use crate::scope::Scope;
use crate::store::{Found, Search, Store, best_first};
use about::About;
use holding::{Holding, Marks};
use named::Named;
use people::People;
use question::Question;
use then::Then;

/// How much the relevance adds to the score of a fact.
const ABOUT: f32 = 1.0;
/// What a fact about somebody else loses of the score by words and meaning.
const OF_OTHERS: f32 = 0.5;
/// What it adds to the relevance of a message that what is around it fits, that it was said then, and by whom is named.
const AROUND: f32 = 0.2;
const THEN: f32 = 0.3;
const BY: f32 = 0.1;
/// By how much a step of significance raises what is told to who asks for all that is known of somebody.
const SIGNIFICANT: f32 = 0.01;
/// Of how many of the most significant facts it is seen whether they are about the user, where all of theirs are asked for.
const MOST_SIGNIFICANT: usize = 200;

/// Into how many steps the fit to a person is divided, to compare facts with their like.
const PERSONS: usize = 20;

/// Judges facts, and reads whom they are about.
pub(super) fn facts<'s>(
    search: &mut Search<'s, '_>,
    store: &Store,
    scope: &Scope,
    query: &str,
    abouts: &mut Abouts<'s>,
) -> Vec<Found<'s>> {
    let mut own = own_name(store, scope);
    // Who the user's relatives are is told by facts that need have nothing else in common with the question.
    let kin = relatives::kin_words(beginning(query));
    if !kin.is_empty() {
        search.add_with(&kin, &[]);
    }
    abouts.read(search, &own);
    if own.is_empty()
        && let Some(told) = abouts.own_name(beginning(query))
    {
        own = told;
        *abouts = Abouts::default();
        abouts.read(search, &own);
    }
    let read: Vec<&About<'_>> = abouts.iter().collect();
    let mut question =
        Question::of(query, search.wanted(), search.is_of_the_application(), Some(&read), own.clone());
    // Korean, Japanese and Chinese leave "I" out.
    let is_of_user = question.people.means_user() || question.is_wide && question.people.is_of_nobody();
    let user = if is_of_user { wide::user_in(query) } else { "" };
    let names = question.people.other_names();
    if !names.is_empty() {
        search.add_with(&names, &[]);
    }
    if question.is_for_all && question.people.is_of_user {
        let significant = store.most_significant(scope, Kind::Fact, false, search.now());
        search.add(significant.into_iter().take(MOST_SIGNIFICANT));
    }
    let (words, tokens) = question.other_words(query);
    let simple = traditional::simplified(beginning(query)).unwrap_or_default();
    if !words.is_empty() || !tokens.is_empty() || !user.is_empty() || !simple.is_empty() {
        let likes = question.likes().worth_looking_for();
        let tokens: Vec<&str> = tokens.iter().map(String::as_str).chain(likes).collect();
        search.add_with(&format!("{user} {query} {simple} {words}"), &tokens);
    }
    let then = Then::of(query, search.now());
    if let Some(then) = &then {
        search.add_of(&|time| then.dates.contain(time));
    }
    abouts.read(search, &own);
    let mut found = search.found(&search.candidates);
    let marks = Marks::of(&question, search.words());
    for found in &mut found {
        let text = found.record.text.unwrap_or_default();
        let judged = abouts.of(found.score.document).map(|about| {
            let fact = marks.holding((found.score.document, text), &about.words);
            let ((coverage, person), is_guess) = question.of_fact(&fact, about);
            found.is_guess = is_guess;
            let is_over = found.record.ends() <= search.now();
            (coverage, if is_over { person } else { person * question.left_of_present(about) })
        });
        found.judged = judged.map(|(coverage, person)| [coverage, person]);
    }
    let is_built_in = search.is_of_the_application() == Some(false);
    let bare = if is_built_in { question.leave_out_names(query) } else { None };
    let bare = bare.and_then(|bare| embed(&bare));
    let cosine = |found: &Found<'_>| match &bare {
        Some(bare) => search.nearness(found.score.document, bare),
        None => cosine(found),
    };
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
    if let Some(then) = then {
        then.weigh(&mut found, question.asks_for_more_than_when());
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
        let ((coverage, person), _) = question.of_fact(&Holding::of(&question, text, &about.words), about);
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

/// What is left of messages of which none names whom a question names: too little for them to be known.
const UNNAMED: f32 = 0.3;
/// What is left of a message that was not said at a time that is counted from the present, or in which something was done.
const NOT_THEN: f32 = 0.4;
/// The same where nothing but what was then is asked for.
const WAS_NOT_THEN: f32 = 0.2;
/// The same of one that was said at the time that is named, and has nothing else of what is asked for.
const ONLY_THEN: f32 = 0.4;
/// The most relevance of a message that has no word of what is asked for, and is only near it by what the built-in embedder knows.
const ONLY_NEAR: f32 = 0.45;
/// What a message counts of the question that it follows, where that asks for the same.
const REPLY: f32 = 0.8;
/// Of how many of the best messages it is seen how well the best fits, and of how many whom they are about.
const BEST: usize = 5;
const PERSONS_OF: usize = 20;

/// Judges messages, best first: the best by what it holds, the others in the order they have. `own` are the names of the user.
pub(super) fn messages<'s>(
    found: &mut Vec<Found<'s>>,
    search: &Search<'s, '_>,
    query: &str,
    own: Vec<String>,
) {
    let question = Question::of(query, search.wanted(), search.is_of_the_application(), None, own);
    let usual = question.usual(cosines(found));
    let asks_for_more = question.asks_for_more_than_when();
    let dates = Dates::asked(query, search.now());
    // What was to be in October says little of what was done in it. Of Chinese, Japanese and Korean it is not told what asks for more.
    let asks_what_was =
        !asks_for_more && !dates.is_empty() && !wide::is_wide(query) && is_of_the_past(query, search.now());
    if asks_what_was {
        for found in found.iter_mut().filter(|found| found.signals.date <= 0.0) {
            found.signals.date = -(1.0 - NOT_THEN) * found.score.score;
            found.score.score += found.signals.date;
        }
        *found = best_first(found);
    }
    let most = found.first().map_or(1.0, |found| found.score.score.max(f32::MIN_POSITIVE));
    let (mut best, mut first): (f32, f32) = (0.0, 0.0);
    let mut are_of_others = true;
    let persons = found.iter().take(PERSONS_OF).map(|found| question.of_whom(found));
    let mut persons: Vec<f32> = persons.collect();
    if dates.are_relative || asks_what_was {
        // "Last week" was another week when it was said.
        let left = if asks_what_was { WAS_NOT_THEN } else { NOT_THEN };
        let said = persons.iter_mut().zip(found.iter());
        said.filter(|(_, found)| found.signals.date <= 0.0).for_each(|(person, _)| *person *= left);
    }
    // What was said then, and has nothing else of a question that asks for more.
    let is_only_then = |found: &Found<'_>| {
        asks_for_more
            && found.signals.date > 0.0
            && !question.holds_more_than_when(found.score.document, search)
    };
    let thens = found.iter().take(PERSONS_OF).map(|found| if is_only_then(found) { ONLY_THEN } else { 1.0 });
    let thens: Vec<f32> = thens.collect();
    persons.iter_mut().zip(&thens).for_each(|(person, then)| *person *= then);
    for ((found, person), then) in found.iter_mut().take(BEST).zip(persons.iter().copied()).zip(thens) {
        are_of_others &= !question.names(found);
        let around = AROUND * found.signals.neighbours.min(1.0)
            + then * THEN * f32::from(u8::from(found.signals.date > 0.0))
            + BY * f32::from(u8::from(found.signals.speaker > 0.0));
        let (coverage, held) = question.held(found, search, usual);
        found.judged = Some([coverage, person]);
        let is_guess = question.is_guess(coverage) && found.signals.date <= 0.0;
        best = best.max((person * held + around).min(if is_guess { ONLY_NEAR } else { 1.0 }));
        first = first.max(person * found.score.score / most);
    }
    let left = question.left_of_messages(found.iter().any(|found| found.signals.date > 0.0));
    let left = if are_of_others { UNNAMED * left } else { left };
    // Those of which it is not seen whom they are about are not above all of the others.
    let others = persons.iter().copied().fold(1.0, f32::min);
    for (found, person) in found.iter_mut().zip(persons.into_iter().chain(std::iter::repeat(others))) {
        // The one that fits best by its score and by whom it is about has the most.
        let share = person * found.score.score / most / first.max(f32::MIN_POSITIVE);
        found.relevance = left * best * share.clamp(0.0, 1.0);
    }
    for reply in found.iter_mut().take(PERSONS_OF) {
        let asked = reply.answers.and_then(|asked| search.found(&[asked]).pop());
        let answered = asked.map_or(0.0, |asked| question.answered(&asked, reply));
        reply.relevance = reply.relevance.max(left * REPLY * answered);
    }
    stated::raise(found, search, query, &question, usual);
    // The scores say nothing of what is asked for by phrases alone: "What do I do?"
    for found in found.iter_mut().filter(|found| question.is_of_phrases() && !question.speaks(found)) {
        found.relevance = 0.0;
    }
}

/// Whether the user says a message.
fn is_by_user(record: &RecordView<'_>) -> bool {
    StoredMessage::role_of(record) == Some(Role::User)
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
