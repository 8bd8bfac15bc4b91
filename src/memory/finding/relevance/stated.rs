//! What the user states of themselves in messages without the words of the question, as facts are judged: "I adopted a cat", where pets
//! are asked for.

use super::about::About;
use super::holding::Holding;
use super::named::Named;
use super::people::People;
use super::question::{Question, clauses};
use super::{cosine, is_by_user, wide};
use crate::memory::finding::turns::beginning;
use crate::memory::sentence::statements;
use crate::ordered::in_order;
use crate::store::{Found, Search, best_first};

/// How many messages are looked at, and how many words a sentence may have that states something.
const LOOKED_AT: usize = 50;
const MOST_WORDS: usize = 16;
/// The least relevance of what is raised, and what it counts of a fact that says the same.
const LEAST: f32 = 0.25;
const AS_FACT: f32 = 0.9;

/// Raises messages in which the user states what a question about them asks for.
#[inline(never)]
pub(super) fn raise<'s>(
    found: &mut Vec<Found<'s>>,
    search: &Search<'s, '_>,
    query: &str,
    question: &Question,
    usual: f32,
) {
    let People { is_of_user, named, .. } = &question.people;
    let is_of_kin = !named.is_empty() && named.iter().all(Named::is_kin);
    if question.asked == 0 || !(is_of_kin || *is_of_user && named.is_empty()) {
        return;
    }
    let index = search.words();
    // A relative is whom it is about, by whatever word, and nothing that it asks for; nor is what lies between that word and the next.
    let apart = is_of_kin.then(|| {
        let words = question.people.words.iter().filter(|word| wide::is_wide(word));
        let bare = words.fold(query.to_owned(), |bare, word| bare.replace(word.as_str(), " "));
        let terms = index.read(&bare);
        Question::of(query, terms.wanted(), search.is_of_the_application(), Some(&[]), Vec::new())
    });
    let question = apart.as_ref().unwrap_or(question);
    let (words, tokens) = question.other_words(query);
    let words = words + &question.people.other_names();
    let likes = question.likes().worth_looking_for();
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).chain(likes).collect();
    let terms = index.read_with(&words, &tokens);
    let hits = index.search_for(&terms, LOOKED_AT, &|document| search.allows(document));
    let hits = in_order(hits.into_iter().map(|hit| hit.document));
    let most = found.iter().map(|found| found.score.score).fold(0.0, f32::max);
    let mut is_raised = false;
    for mut message in search.found(&hits) {
        if !is_by_user(&message.record) {
            continue;
        }
        let above = cosine(&message).map(|cosine| cosine - usual);
        let (relevance, judged) = stated(question, beginning(message.record.text.unwrap_or_default()), above);
        let relevance = AS_FACT * relevance;
        let place = found.iter().position(|found| found.score.document == message.score.document);
        if let Some(known) = place.and_then(|place| found.get(place)) {
            message = *known;
        }
        if relevance < LEAST || relevance <= message.relevance {
            continue;
        }
        if let Some(place) = place {
            found.swap_remove(place);
        }
        (message.relevance, message.judged) = (relevance, Some(judged));
        let score = message.score.score.max(relevance * most.max(1.0));
        message.signals.about += score - message.score.score;
        message.score.score = score;
        found.push(message);
        is_raised = true;
    }
    if is_raised {
        *found = best_first(found);
    }
}

/// What is said behind a comma, where that begins with the user: "Guess what, I moved to Porto".
fn behind_call(said: &str) -> Option<&str> {
    let (_, behind) = said.split_once(", ")?;
    ["I ", "I'", "we ", "my ", "our "].iter().any(|user| behind.starts_with(user)).then_some(behind)
}

/// How relevant the best sentence is, taken as a fact, with its coverage and how well it fits the user.
fn stated(question: &Question, text: &str, above: Option<f32>) -> (f32, [f32; 2]) {
    let mut best = (0.0, [0.0; 2]);
    for said in statements(text).flat_map(clauses).flat_map(|said| [Some(said), behind_call(said)]).flatten()
    {
        let about = About::of(said, &[]);
        if about.words.len() > MOST_WORDS
            || !(about.is_of_user || about.kin.is_some())
            || !about.is_asserted()
            || about.kin.is_none() && about.is_of_another()
            || question.is_wish(&about)
        {
            continue;
        }
        let ((coverage, person), is_guess) =
            question.of_fact(&Holding::of(question, said, &about.words), &about);
        let person = person * question.left_of_present(&about);
        let relevance = question.relevance_of_fact((coverage, person), above);
        if !is_guess && relevance > best.0 {
            best = (relevance, [coverage, person]);
        }
    }
    best
}
