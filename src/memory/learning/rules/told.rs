//! What facts tell that no rule made, in the words of one: "The user lives in Denver." What the user says later may end it.

use super::english::{DIETS, STATES, is_pet};
use super::slot::Slot;
use super::table::among;
use crate::lowercase::lowercase;
use std::borrow::Cow;

/// How facts name the user.
const USERS: [&str; 4] = ["The user", "the user", "User", "user"];
/// How they go on, and what they tell then.
const TOLD: [(&str, Slot); 10] = [
    (" lives in ", Slot::Place),
    (" is based in ", Slot::Place),
    (" moved to ", Slot::Place),
    (" works at ", Slot::Employer),
    (" works for ", Slot::Employer),
    (" works as a ", Slot::Job),
    (" works as an ", Slot::Job),
    (" is allergic to ", Slot::Allergy),
    ("'s name is ", Slot::Name),
    (" is learning ", Slot::Goal),
];
/// How facts begin that leave the user out: "Lives in Denver".
const VERBS: &str = "lives is moved works has";
/// The most words of a value.
const MOST: usize = 4;
/// Words with which more is told than a value.
const MORE: &str = "and or but with as for since until from in at on";

/// The slot, topic and value of what a fact tells of the user, who may stand there by their `own` name; `None` where it tells something
/// else, or more.
pub(crate) fn told(fact: &str, own: &[String]) -> Option<(Slot, Option<String>, String)> {
    let fact = fact.trim().trim_end_matches('.');
    let rest = of_user(fact, own)?;
    let of = |slot, value: &str| Some((slot, None, value.to_owned()));
    if let Some((value, slot)) =
        TOLD.iter().find_map(|(words, slot)| Some((rest.strip_prefix(words)?, *slot)))
    {
        let is_name = matches!(slot, Slot::Place | Slot::Employer | Slot::Name);
        let is_fit = !is_name || value.starts_with(char::is_uppercase);
        return if is_fit && is_plain(value) { of(slot, value) } else { None };
    }
    if let Some(state) = rest.strip_prefix(" is ") {
        return match state {
            _ if DIETS.contains(&state) => of(Slot::Diet, state),
            _ if STATES.contains(&state) => of(Slot::Relationship, state),
            _ => of(Slot::Age, state.strip_suffix(" years old")?),
        };
    }
    let pet = rest.strip_prefix(" has a ").or_else(|| rest.strip_prefix(" has an "))?;
    let (animal, name) = pet.split_once(" named ").or_else(|| pet.split_once(" called "))?;
    (is_pet(animal) && is_plain(name)).then(|| (Slot::Pet, Some(animal.to_owned()), name.to_owned()))
}

/// What a fact says behind the user.
fn of_user<'f>(fact: &'f str, own: &[String]) -> Option<Cow<'f, str>> {
    if let Some(rest) = USERS.iter().find_map(|user| fact.strip_prefix(user)) {
        return Some(rest.into());
    }
    let first = fact.split(' ').next().map(lowercase)?;
    if among(VERBS, &first) {
        return Some(format!(" {first}{}", fact.get(first.len()..)?).into());
    }
    // The first name, and the others if they stand there.
    let mut rest = None;
    for name in own {
        let behind = rest.unwrap_or(fact);
        let word = behind.trim_start().split([' ', '\'', '\u{2019}']).next().unwrap_or_default();
        if lowercase(word) != *name {
            break;
        }
        rest = behind.trim_start().get(word.len()..);
    }
    rest.map(Cow::from)
}

/// Whether a value is one, and nothing is told beside it.
fn is_plain(value: &str) -> bool {
    let mut words = value.split_whitespace();
    words.clone().count() <= MOST
        && !words.any(|word| among(MORE, word))
        && !value.contains([';', '(', ':', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_in_the_words_of_rules_are_read() {
        for (fact, expected) in [
            ("The user lives in Denver, Colorado.", Some((Slot::Place, "Denver, Colorado"))),
            ("User works at FreightLine", Some((Slot::Employer, "FreightLine"))),
            ("The user is vegetarian.", Some((Slot::Diet, "vegetarian"))),
            ("The user is 34 years old.", Some((Slot::Age, "34"))),
            ("The user has a cat named Miso.", Some((Slot::Pet, "Miso"))),
            ("The user lives in a flat", None),
            ("The user works at Acme as a nurse", None),
            ("The user is a morning person", None),
            ("The user lives in Lisbon until May 2027", None),
            ("The user's sister lives in Denver", None),
            ("Ana lives in Denver", None),
            ("Nora lives in Denver", Some((Slot::Place, "Denver"))),
            ("Nora Lindqvist works at Acme.", Some((Slot::Employer, "Acme"))),
            ("Nora's name is Lind", Some((Slot::Name, "Lind"))),
            ("Norah lives in Denver", None),
            ("Nora Castellan lives in Denver", None),
            ("Lives in Denver", Some((Slot::Place, "Denver"))),
            ("Is vegan", Some((Slot::Diet, "vegan"))),
            ("Lives with Ana in Denver", None),
        ] {
            let found = told(fact, &["nora".to_owned(), "lindqvist".to_owned()]);
            assert_eq!(found.as_ref().map(|(slot, _, value)| (*slot, value.as_str())), expected, "{fact}");
        }
    }
}
