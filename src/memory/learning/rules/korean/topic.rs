//! Whom a Korean sentence leaves the talk with.

use super::{clauses, grammar, noun, words};
use crate::memory::rules::statement::PARTNERS;
use crate::memory::rules::subject::About;
use crate::memory::rules::table::{among, ends_among, holds};

/// What users say of a pet as what they themselves do or feel.
const KEPT: &str = "키우 키워 키움 키웠 기르 길러 입양 데려 분양 좋아 싫어 사랑 무서 알레르기 알러지";

/// Particles of whom a sentence is about, or for whom something is: "남친한테 줄 선물".
const FOR: &str = "한테 에게 께 의 도";

/// Whom a sentence brings up last, the user or somebody else; `None` where it names nobody.
pub(in crate::memory::learning::rules) fn topic(text: &str) -> Option<About> {
    let mut about = None;
    let is_kept = holds(KEPT, text);
    let words = clauses(text, 0).concat();
    for (at, word) in words.iter().enumerate() {
        // "지민이 얘긴데".
        let is_told = words
            .get(at + 1)
            .is_some_and(|next| next.text.starts_with("얘기") || next.text.starts_with("얘긴"))
            && is_person(word.text);
        let word = word.text.trim_end_matches('.');
        let marked = grammar::topic(word).or_else(|| grammar::subject(word));
        let served = || FOR.split(' ').find_map(|particle| word.strip_suffix(particle));
        let stems = [Some(word), marked, served()];
        let is_of = |table: &str| stems.into_iter().flatten().any(|stem| among(table, stem));
        if among(words::FIRST_PERSON, word) || word == "저" {
            about = Some(About::User);
        } else if is_of(words::PETS) {
            about = Some(if is_kept { About::Pet } else { About::Other });
        } else if is_of(PARTNERS) && about != Some(About::Other) {
            about = Some(About::Partner);
        } else if is_told
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
