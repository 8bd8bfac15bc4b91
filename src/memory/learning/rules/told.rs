//! What facts tell that no rule made, in the words of one: "The user lives in Denver." What the user says later may end it.

use super::english::{DIETS, STATES, is_pet};
use super::slot::Slot;

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
/// The most words of a value.
const MOST: usize = 4;

/// The slot, topic and value of what a fact tells; `None` where it tells something else, or more.
pub(crate) fn told(fact: &str) -> Option<(Slot, Option<String>, String)> {
    let fact = fact.trim().trim_end_matches('.');
    let rest = USERS.iter().find_map(|user| fact.strip_prefix(user))?;
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

/// Whether a value is one, and nothing is told beside it.
fn is_plain(value: &str) -> bool {
    let mut words = value.split_whitespace();
    words.clone().count() <= MOST
        && !words.any(|word| {
            matches!(
                word,
                "and"
                    | "or"
                    | "but"
                    | "with"
                    | "as"
                    | "for"
                    | "since"
                    | "until"
                    | "from"
                    | "in"
                    | "at"
                    | "on"
            )
        })
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
        ] {
            let found = told(fact);
            assert_eq!(found.as_ref().map(|(slot, _, value)| (*slot, value.as_str())), expected, "{fact}");
        }
    }
}
