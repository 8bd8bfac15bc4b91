//! Subject: whom a message is about that names nobody, which the messages before it tell. Korean and Japanese leave the subject out.

use super::slot::Slot;
use super::statement::Statement;
use super::{Script, extract, extract_of, japanese, korean, prose};
use crate::memory::sentence::sentences;

/// Whom a message leaves the talk with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    User,
    /// The user, who told of a pet: what follows may be about either.
    Pet,
    /// The user's partner, from whom the user may part.
    Partner,
    Other,
}

/// What is said of pets as well as of people.
const OF_PETS: &[Slot] = &[
    Slot::Name,
    Slot::Nickname,
    Slot::Age,
    Slot::Birthday,
    Slot::Like,
    Slot::Dislike,
    Slot::Diet,
    Slot::Allergy,
    Slot::Favorite,
];

/// Whether some of what a message states is the user's only because nobody else is named.
pub(crate) fn leaves_out_subject(message: &str, stated: &[Statement]) -> bool {
    let is_written_so = !matches!(Script::of(message), Script::Latin);
    is_written_so && !stated.is_empty() && extract_of(message, true) != stated
}

/// What remains of what a message states, where the same person said those `before`, the last one first.
pub(crate) fn of_user(message: &str, mut stated: Vec<Statement>, before: &[String]) -> Vec<Statement> {
    let about = if stated.is_empty() { About::User } else { about(before) };
    keep(message, &mut stated, about);
    stated
}

/// Keeps what is the user's, where the messages before leave the talk with somebody.
fn keep(message: &str, stated: &mut Vec<Statement>, about: About) {
    if about == About::User {
        return;
    }
    let sure = extract_of(message, true);
    let ends = |it: &Statement, slot: Slot| it.ends.iter().any(|ending| ending.slot == slot);
    stated.retain(|it| {
        let is_own = match about {
            About::Pet => !OF_PETS.contains(&it.slot),
            About::Partner => ends(it, Slot::Family),
            About::User | About::Other => false,
        };
        // Of whom "나비가 죽었어" tells is named.
        is_own || sure.contains(it) || ends(it, Slot::Pet)
    });
}

/// Whom messages leave the talk with, the last one first.
fn about(before: &[String]) -> About {
    let Some((last, earlier)) = before.split_first() else { return About::User };
    let prose = prose::mask(last);
    let mut told = sentences(&prose).into_iter().filter_map(|sentence| {
        let text = prose.get(sentence.range)?;
        match Script::of(text) {
            Script::Hangul => korean::topic(text),
            Script::Han | Script::Kana => japanese::topic(text),
            Script::Latin => None,
        }
    });
    if let Some(about) = told.next_back() {
        return about;
    }
    // What was said of somebody else without naming them leaves the talk with them.
    let mut stated = extract(last);
    if stated.is_empty() {
        return About::User;
    }
    let (count, before) = (stated.len(), about(earlier));
    keep(last, &mut stated, before);
    if stated.len() < count { before } else { About::User }
}
