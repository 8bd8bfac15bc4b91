//! Whom a Japanese sentence leaves the talk with.

use super::{parts, words};
use crate::index::lexical::is_ideograph;
use crate::memory::rules::statement::PARTNERS;
use crate::memory::rules::subject::About;
use crate::memory::rules::table::{among, holds, strip_start};

/// What users say of a pet as what they themselves do or feel.
const KEPT: &str = "飼 迎え 引き取 好き 嫌い 苦手 怖 アレルギー";

/// What one does with somebody of whom one tells then: 「母と電話した」.
const CONTACT: &str = "電話 通話 連絡 話した 話して 話をし 会った 会って LINE";

/// What stands behind whom a sentence is about, or for whom something is: 「彼女にプレゼント」.
const BEHIND: &str =
    "は が も の に へ って いる います いて いた いない でき さん ちゃん くん から だけど なんだけど";

/// Whom a sentence brings up last, the user or somebody else; `None` where it names nobody.
pub(in crate::memory::learning::rules) fn topic(text: &str) -> Option<About> {
    let is_kept = holds(KEPT, text);
    let mut about = None;
    for clause in text.split(parts).filter(|clause| !clause.is_empty()) {
        if strip_start(clause, words::FIRST_PERSON).is_some_and(|rest| !rest.starts_with('の')) {
            about = Some(About::User);
        }
        let titled = ["さんは", "さんが", "さんの", "ちゃんは", "ちゃんが", "くんは", "くんが", "君は"];
        let brings_up = |table: &str| table.split_whitespace().any(|one| stands(clause, one));
        let others = [words::RELATIVES, words::PERSONS, words::OTHERS];
        let is_other = |one: &str| !among(PARTNERS, one) && stands(clause, one);
        let brings_up_others = others.iter().any(|table| table.split_whitespace().any(is_other))
            || titled.iter().any(|title| clause.contains(title));
        if brings_up_others {
            about = Some(About::Other);
        } else if brings_up(PARTNERS) && about != Some(About::Other) {
            about = Some(About::Partner);
        } else if brings_up(words::PETS) || is_kept && holds(words::PETS, clause) {
            about = Some(About::Pet);
        }
    }
    about
}

/// Whether somebody stands in a clause as whom it is about: 夫 in 「夫の話」, but not in 大丈夫.
fn stands(clause: &str, one: &str) -> bool {
    clause.match_indices(one).any(|(at, _)| {
        let (before, behind) = (clause.get(..at), clause.get(at + one.len()..));
        let begins = before.is_some_and(|before| !before.ends_with(is_ideograph));
        let goes_on = |behind: &str| {
            behind.is_empty()
                || strip_start(behind, BEHIND).is_some()
                || behind.strip_prefix('と').is_some_and(|behind| holds(CONTACT, behind))
        };
        begins && behind.is_some_and(goes_on)
    })
}
