//! What a line says, in words that are the same whoever says it and however it is put.

use crate::log::RecordView;
use crate::memory::facts::wording;
use crate::memory::graph::Relation;
use crate::record::Kind;
use std::borrow::Cow;

/// Words by which a statement of the user's and one about the user differ, and articles.
const SILENT: &[&str] = &["a", "an", "the", "i", "me", "my", "user", "user's", "user\u{2019}s"];

/// Other words for the same, each as the words of a sense are: the first becomes the second.
const ALIKE: &[(&str, &str)] = &[
    (" is based in ", " live in "),
    (" is living in ", " live in "),
    (" reside in ", " live in "),
    (" is employed at ", " work at "),
    (" is employed by ", " work at "),
    (" work for ", " work at "),
    (" work as ", " is "),
    (" is fond of ", " like "),
    (" is keen on ", " like "),
    (" enjoy ", " like "),
    (" has allergy to ", " is allergic to "),
];
/// The same where somebody has what has a name: elsewhere "own", "named" and "called" say something else.
const OF_NAMED: &[(&str, &str)] = &[(" own ", " has "), (" named ", " called ")];

/// What a record says, whoever says it: "I live in Rome" and "The user lives in Rome." are one. Said of other times, it is another.
pub(super) fn sense(view: &RecordView<'_>) -> String {
    let (text, dates) = match view.kind {
        Kind::Relation => {
            let relation = view.content::<Relation>().map(|relation| relation.to_string());
            (Cow::Owned(relation.unwrap_or_default().replace('_', " ")), None)
        }
        kind => {
            let value = Some(view).filter(|_| kind == Kind::Fact).and_then(|view| view.value().ok());
            (
                Cow::Borrowed(view.text.unwrap_or_default()),
                value.and_then(|value| Some(value.get("dates")?.to_string())),
            )
        }
    };
    dates.unwrap_or_default() + &sense_of(&text)
}

/// What a text says, whoever says it.
pub(super) fn sense_of(text: &str) -> String {
    let mut sense = String::from(" ");
    let words = wording(text);
    let mut words = words.split(' ').peekable();
    while let Some(word) = words.next() {
        // At the end it is no article: "hepatitis A".
        if SILENT.contains(&word) && (word != "a" || words.peek().is_some()) {
            continue;
        }
        let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s'));
        sense.push_str(match word {
            "am" | "are" | "i'm" => "is",
            "have" | "i've" => "has",
            word => stem.unwrap_or(word),
        });
        sense.push(' ');
    }
    alike(sense).trim_start().to_owned()
}

/// The same, of all that says it in other words: "is allergic to peanuts" and "has a peanut allergy".
fn alike(mut sense: String) -> String {
    let before = sense.split_once(" named ").or_else(|| sense.split_once(" called "));
    let is_named = before.is_some_and(|(before, _)| before.contains(" has ") || before.contains(" own "));
    let of_named = if is_named { OF_NAMED } else { &[] };
    for (other, words) in ALIKE.iter().chain(of_named) {
        if sense.contains(other) {
            sense = sense.replace(other, words);
        }
    }
    // Whose it is comes first, and what it is to stands before it.
    let allergy = sense.strip_suffix(" allergy ").and_then(|rest| rest.split_once(" has "));
    if let Some((whose, to)) = allergy {
        return format!("{whose} is allergic to {to} ");
    }
    let age = sense.strip_suffix(" year old ").and_then(|rest| rest.rsplit_once(" is "));
    match age {
        Some((whose, years)) if !years.contains(' ') => format!("{whose} is {years} "),
        _ => sense,
    }
}
