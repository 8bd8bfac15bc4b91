//! How what was read is told: the sentence of a fact, and what a change ends.

use super::super::slot::Slot;
use super::super::statement::{Ending, PARTNERS, SPOUSES, STUDIES};
use super::super::table::among;
use super::words;
use crate::lowercase::lowercase;

/// How a plan is kept: to live somewhere, or to work there.
pub(super) fn planned(slot: Slot, place: &str) -> String {
    match slot {
        Slot::Employer => format!("starting at {place}"),
        _ => format!("moving to {place}"),
    }
}

/// What of a slot is over with what a pattern of another tells: with a place or a workplace, the plan to go there; with a workplace,
/// a relative or a pet, what is known of them; with food or a habit, the taste for it.
pub(super) fn ending(
    slot: Slot,
    (told, value): (Slot, &str),
    topic: Option<&str>,
    whom: Option<&str>,
) -> Ending {
    let mate = whom.and_then(|whom| whom.rsplit(' ').next()).filter(|mate| among(PARTNERS, mate));
    let whom = whom.filter(|whom| Some(*whom) != topic);
    match slot {
        Slot::Pet => Ending::about(slot, topic.unwrap_or_default(), whom),
        Slot::Goal => Ending::about(slot, "", Some(&planned(told, value))),
        Slot::Like => Ending::about(slot, "", whom.or(Some(value))),
        Slot::Diet => Ending::about(slot, "", whom.or(Some(&eaten(topic, value)))),
        Slot::Family if value == "divorced" => Ending::about(slot, SPOUSES, None),
        Slot::Family => Ending::about(slot, mate.unwrap_or(PARTNERS), whom.filter(|_| mate.is_none())),
        // "I graduated", "I got the job".
        Slot::Study => Ending::about(slot, "", whom),
        Slot::Job if told == Slot::Event && value.starts_with("got the") => {
            Ending::about(slot, "", Some("unemployed"))
        }
        Slot::Job
            if told == Slot::Event && (value.starts_with("graduated") || value.starts_with("dropped")) =>
        {
            Ending::about(slot, STUDIES, whom)
        }
        Slot::Health => Ending::about(slot, "", Some("pregnant")),
        Slot::Job => Ending { along: whom.is_some(), ..Ending::of(slot) },
        _ => Ending::about(slot, "", whom),
    }
}

/// What is eaten or drunk, as a value.
pub(super) fn eaten(verb: Option<&str>, food: &str) -> String {
    format!("{}s {food}", verb.unwrap_or("eat"))
}

/// The diets that are over with a food that is eaten again.
pub(super) fn diets_without(food: &str) -> &'static [&'static str] {
    match food {
        "meat" | "chicken" | "beef" | "pork" | "bacon" => {
            &["vegetarian", "vegan", "pescatarian", "pescetarian"]
        }
        "fish" | "seafood" => &["vegetarian", "vegan"],
        "dairy" | "cheese" => &["vegan", "dairy-free", "dairy free"],
        "eggs" => &["vegan"],
        "gluten" | "bread" => &["gluten-free", "gluten free"],
        _ => &[],
    }
}

/// How a habit is begun again, and how it is given up.
const BEGUN: &[&str] = &["started", "resumed"];
const GIVEN_UP: &[&str] = &["quit", "stopped", "gave up", "given up", "gave", "given"];

/// What was done with a habit that is over once it is begun again, or given up.
pub(super) fn opposite_deeds(deed: &str) -> Vec<Ending> {
    let Some((verb, habit)) = deed.rsplit_once(' ').filter(|(_, habit)| among(words::HABITS, habit)) else {
        return Vec::new();
    };
    let opposite = if BEGUN.contains(&verb) { GIVEN_UP } else { BEGUN };
    opposite.iter().map(|verb| Ending::about(Slot::Event, "", Some(&format!("{verb} {habit}")))).collect()
}

/// Whom the user parted from, as the fact tells it.
pub(super) fn parted_from(whom: Option<&str>) -> String {
    match whom {
        Some(whom) if whom.starts_with("my ") || whom.starts_with(char::is_uppercase) => whom.to_owned(),
        Some(whom) if among(PARTNERS, whom) => format!("my {whom}"),
        _ => "my partner".to_owned(),
    }
}

/// The fact as a sentence about the user: articles agree, and "my" and "our" become "their".
pub(super) fn sentence(template: &str, topic: Option<&str>, value: &str) -> String {
    let told: Vec<&str> = value
        .split(' ')
        .map(|word| match word {
            "my" | "My" | "our" | "Our" => "their",
            "myself" => "themselves",
            "me" => "them",
            _ => word,
        })
        .collect();
    let told = told.join(" ");
    let vowel = told.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']) || told.starts_with("under");
    let template = if vowel { template.replace(" a {}", " an {}") } else { template.to_owned() };
    template.replace("{topic}", topic.unwrap_or_default()).replace("{}", &told)
}

/// A name as names are written: `tom smith` becomes `Tom Smith`; capitals inside stay.
pub(super) fn title_case(name: &str) -> String {
    let mut start = true;
    name.chars()
        .flat_map(|letter| {
            let upper = start && letter.is_ascii_lowercase() && !name.chars().any(char::is_uppercase);
            start = letter == ' ';
            if upper { Some(letter.to_ascii_uppercase()) } else { Some(letter) }
        })
        .collect()
}

/// What began a sentence as it stands inside of one.
pub(super) fn inside(written: &str) -> String {
    if !written.contains(char::is_lowercase) {
        return lowercase(written);
    }
    let mut letters = written.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}
