//! What the user states of themselves in messages without the words of the question, as facts are judged: "I adopted a cat", where pets
//! are asked for.

use super::about::About;
use super::holding::Holding;
use super::question::{Question, clauses};
use super::telling::among;
use super::{cosine, is_by_user};
use crate::memory::finding::turns::beginning;
use crate::memory::sentence::statements;
use crate::ordered::in_order;
use crate::store::{Found, Search, best_first};

/// What somebody did who writes only that, and what may stand before it.
const DONE: &str = "adopted became bought divorced finished got graduated joined lost married moved quit retired sold started switched";
const BEFORE_DONE: &str = "also and finally just recently so";

/// How many messages are looked at, and how many words a sentence may have that states something.
const LOOKED_AT: usize = 50;
const MOST_WORDS: usize = 16;
/// The least relevance of what is raised, and what it counts of a fact that says the same.
const LEAST: f32 = 0.3;
const AS_FACT: f32 = 0.9;

/// Raises messages in which the user states what a question about them asks for.
#[inline(never)]
pub(super) fn raise<'s>(
    found: &mut Vec<Found<'s>>,
    search: &Search<'s, '_>,
    question: &Question,
    usual: f32,
) {
    if question.asked == 0 || !question.people.is_of_user || !question.people.named.is_empty() {
        return;
    }
    let index = search.words();
    let terms = index.read_with(&question.other_words(), &question.likes().worth_looking_for());
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
fn behind_call(said: &str) -> &str {
    let (_, behind) = said.split_once(", ").unwrap_or_default();
    if behind.starts_with("I ") || behind.starts_with("I'") || behind.starts_with("we ") {
        behind
    } else {
        said
    }
}

/// Whether a sentence leaves out that it is about the user: "Just moved to Porto".
fn leaves_out_user(about: &About<'_>) -> bool {
    let first = usize::from(among(BEFORE_DONE, about.words.lower(0)));
    among(DONE, about.words.lower(first))
}

/// How relevant the best sentence is, taken as a fact, with its coverage and how well it fits the user.
fn stated(question: &Question, text: &str, above: Option<f32>) -> (f32, [f32; 2]) {
    let mut best = (0.0, [0.0; 2]);
    for said in statements(text).flat_map(clauses).map(behind_call) {
        let about = About::of(said, &[]);
        let is_of_user = about.is_of_user || leaves_out_user(&about);
        if about.words.len() > MOST_WORDS || !is_of_user || !about.is_asserted() {
            continue;
        }
        let (judged, is_guess) = question.of_fact(&Holding::of(question, said, &about.words), &about);
        let relevance = question.relevance_of_fact(judged, above);
        if !is_guess && relevance > best.0 {
            best = (relevance, [judged.0, judged.1]);
        }
    }
    best
}
