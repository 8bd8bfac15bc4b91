//! Whom a Korean sentence leaves the talk with.

use super::{clauses, grammar, words};
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
    for word in clauses(text, 0).concat() {
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
        } else if is_of(words::OTHERS)
            || is_of(words::PERSONS) && !is_of("남자 여자 사람들 다들")
            || marked.is_some_and(|stem| ends_among("씨 님", stem))
        {
            about = Some(About::Other);
        }
    }
    about
}
