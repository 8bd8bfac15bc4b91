//! Whom a Korean sentence leaves the talk with.

use super::{clauses, grammar, noun, words};
use crate::memory::rules::statement::PARTNERS;
use crate::memory::rules::subject::About;
use crate::memory::rules::table::{among, ends_among, holds};

/// What one does with somebody of whom one tells then: "엄마랑 통화했어".
const CONTACT: &str = "통화 전화 연락 얘기 만났 카톡 문자";
const WITH: &str = "이랑 랑 하고 와 과";

/// Particles of whom a sentence is about, or for whom something is: "남친한테 줄 선물".
const FOR: &str = "한테 에게 께 의 도";

/// Whom a sentence brings up last, the user or somebody else; `None` where it names nobody.
pub(in crate::memory::learning::rules) fn topic(text: &str) -> Option<About> {
    let mut about = None;
    let is_in_contact = holds(CONTACT, text);
    let words = clauses(text, 0).concat();
    for (at, word) in words.iter().enumerate() {
        // "지민이 얘긴데".
        let is_told = words
            .get(at + 1)
            .is_some_and(|next| next.text.starts_with("얘기") || next.text.starts_with("얘긴"))
            && is_person(word.text);
        let word = word.text.trim_end_matches('.');
        let marked = grammar::topic(word).or_else(|| grammar::subject(word));
        let behind = |particles: &str| particles.split(' ').find_map(|particle| word.strip_suffix(particle));
        let met = if is_in_contact { behind(WITH) } else { None };
        let stems = [Some(word), marked, behind(FOR), met];
        let is_of = |table: &str| stems.into_iter().flatten().any(|stem| among(table, stem));
        if among(words::FIRST_PERSON, word) || word == "저" {
            about = Some(About::User);
        } else if is_of(words::PETS) {
            about = Some(About::Pet);
        } else if is_of(PARTNERS) && about != Some(About::Other) {
            about = Some(About::Partner);
        } else if is_told
            || is_in_contact && [marked, met].into_iter().flatten().any(is_person)
            || is_of(words::OTHERS)
            || is_of(words::PERSONS) && !is_of("남자 여자 사람들 다들")
            || marked.is_some_and(|stem| ends_among("씨 님", stem))
        {
            about = Some(About::Other);
        }
    }
    about
}

/// Whether a word may be a given or a full name.
fn is_person(word: &str) -> bool {
    let given = word.strip_suffix('이').filter(|name| name.chars().count() == 2).unwrap_or(word);
    let is_given = given.chars().count() == 2
        && given.chars().all(|syllable| among(words::GIVEN, syllable.encode_utf8(&mut [0; 4])));
    noun::full_name(word).is_some() || is_given && noun::name(given).is_some()
}
