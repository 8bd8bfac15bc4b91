//! What is said of somebody: where they live, what they like, what they do and do not.

use super::places::Place;
use super::value::valued;
use super::words::{Words, is_in, one_of};
use super::{Day, Marriage, What};

/// What one has so many of, in all spellings.
const COUNTED: &[&str] = &[
    "children,child,kids,kid",
    "sons,son",
    "daughters,daughter",
    "brothers,brother",
    "sisters,sister",
    "siblings",
    "grandchildren",
    "cats,cat",
    "dogs,dog",
    "pets",
    "cars,car",
];
const NUMBERS: &str = "no,one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve";
const LIKES: &str = "like,love,enjoy,adore";
const DISLIKES: &str = "dislike,hate,detest,loathe";

/// Takes what was claimed, and words that every such claim has one of.
pub(super) type Add<'a> = &'a mut dyn FnMut(What, &[&str]);

/// In which words facts tell of a birth, of a home, of a marriage.
pub(super) const BORN: &[&str] = &["born", "birthday", "birth"];
pub(super) const LIVES: &[&str] = &[
    "lives",
    "living",
    "lived",
    "resides",
    "based",
    "moved",
    "거주",
    "산다",
    "살고",
    "살아",
    "住在",
    "居住",
    "住んで",
    "在住",
];
const MARRIED: &[&str] = &["married", "divorced", "widowed", "single", "wife", "husband"];

/// "lives in Lisbon", "does not eat meat".
pub(super) fn predicate(words: &Words<'_>, start: usize, add: Add<'_>) {
    let all = words.from(start);
    let (is_so, base) = match all {
        ["does" | "do", "not", rest @ ..] | ["never", rest @ ..] | ["no", "longer", rest @ ..] => {
            (false, rest.to_vec())
        }
        ["is" | "am" | "are", "not" | "never", rest @ ..]
        | ["is" | "am" | "are", "no", "longer", rest @ ..] => (false, behind("be", rest)),
        ["can", "not", rest @ ..] => (false, behind("can", rest)),
        ["has" | "have", "not" | "never" | "no", rest @ ..] => (false, behind("have", rest)),
        rest => (true, rest.to_vec()),
    };
    let Some((verb, rest)) = base.split_first() else { return };
    if rest.iter().any(|word| matches!(*word, "not" | "never" | "no")) && *verb != "have" && *verb != "has" {
        return;
    }
    // Where the value begins, in the words as they were written.
    let at = |skipped: usize| start + skipped;
    let verb = infinitive(verb);
    if is_so {
        match all {
            ["lives" | "live" | "resides" | "reside", "in", ..] => home(words, at(2), add),
            ["is" | "am", "living" | "based", "in", ..] | ["has" | "have", "lived", "in", ..] => {
                home(words, at(3), add);
            }
            ["works" | "work", "at" | "for", ..] if words.are_names(at(2)) => {
                let firm = words.from(at(2)).iter().map(|word| folded(word));
                let firm =
                    firm.filter(|word| !matches!(word.as_str(), "inc" | "corp" | "ltd" | "gmbh" | "llc"));
                add(What::Employer(firm.collect()), &["works"]);
            }
            ["was" | "is" | "am", "born", "in" | "on", ..] => {
                let value = words.from(at(3));
                if let Some(day) = Day::of(value) {
                    add(What::Birth(day), BORN);
                } else if words.are_names(at(3))
                    && let Some(place) = Place::of(&value.join(" "))
                {
                    add(What::Birthplace(place), BORN);
                }
                return;
            }
            ["is" | "am", age, "years", "old"] => {
                if let Ok(age) = age.parse() {
                    add(What::Age(age), &["old"]);
                }
                return;
            }
            ["is" | "am", "married"] => return add(What::Marriage(Marriage::To(None)), MARRIED),
            ["is" | "am", "married", "to", ..] if words.are_names(at(3)) => {
                let name = words.from(at(3)).iter().map(|word| (*word).to_owned()).collect();
                return add(What::Marriage(Marriage::To(Some(name))), MARRIED);
            }
            ["has" | "have", "a", "wife" | "husband"] => add(What::Marriage(Marriage::To(None)), MARRIED),
            ["is" | "am", "divorced"] => add(What::Marriage(Marriage::Divorced), MARRIED),
            ["is" | "am", "widowed"] => add(What::Marriage(Marriage::Widowed), MARRIED),
            ["is" | "am", "single"] => add(What::Marriage(Marriage::Not), MARRIED),
            _ => valued(words, start, verb.as_str(), add),
        }
    } else if base == ["be", "married"] {
        add(What::Marriage(Marriage::Not), MARRIED);
    }
    counted(verb.as_str(), rest, is_so, add);
    taste(verb.as_str(), rest, is_so, add);
    says(verb, rest, is_so, add);
}

fn behind<'a>(verb: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec![verb];
    all.extend(rest);
    all
}

fn home(words: &Words<'_>, place: usize, add: Add<'_>) {
    // What is no name is a part of one: "the countryside", "a flat".
    let is_named = words.are_names(place) || words.at(place) == "the" && words.are_names(place + 1);
    if let Some(place) = Place::of(&words.from(place).join(" ")).filter(|_| is_named) {
        add(What::Home(place), LIVES);
    }
}

/// "has two children", "has no children".
fn counted(verb: &str, rest: &[&str], is_so: bool, add: Add<'_>) {
    let (number, noun) = match rest {
        [noun] if !is_so => ("no", noun),
        ["any", noun] if !is_so => ("no", noun),
        [number, noun] if is_so => (*number, noun),
        _ => return,
    };
    if verb != "have" {
        return;
    }
    let number = NUMBERS.split(',').position(|known| known == number).or_else(|| number.parse().ok());
    let noun = one_of(COUNTED, noun);
    if let (Some(number), Some(noun)) = (number, noun) {
        let all = COUNTED.iter().find(|list| is_in(list, noun)).map_or(noun, |list| list);
        let anchors: Vec<&str> = all.split(',').collect();
        add(What::Count(noun, number as u32), &anchors);
    }
}

/// "likes tea", "cannot stand tea".
fn taste(verb: &str, rest: &[&str], is_so: bool, add: Add<'_>) {
    let (likes, object) = match (verb, rest) {
        ("be", ["fond", "of", object @ ..] | ["a", "fan", "of", object @ ..]) if is_so => (true, object),
        ("can", ["stand" | "bear", object @ ..]) if !is_so => (false, object),
        (verb, object) if is_so && is_in(LIKES, verb) => (true, object),
        (verb, object) if is_so && is_in(DISLIKES, verb) => (false, object),
        // Who does not love something may like it.
        ("like" | "enjoy", object) if !is_so => (false, object),
        _ => return,
    };
    let object: Vec<&str> = object.iter().copied().filter(|word| !is_article(word)).collect();
    if !object.is_empty() && object.len() <= 5 {
        let object = object.join(" ");
        add(What::Taste(folded(&object), likes), &[&object]);
    }
}

/// The rest: what one fact says is so, and another one that it is not, in the same words.
fn says(verb: String, rest: &[&str], is_so: bool, add: Add<'_>) {
    let rest: Vec<&str> = rest.iter().copied().filter(|word| !is_article(word)).collect();
    let is_state = verb == "be" && matches!(rest.first(), None | Some(&("at" | "away" | "in" | "on")));
    let is_past = matches!(verb.as_str(), "was" | "were" | "had" | "did");
    if is_state || is_past || rest.len() > 8 || verb.is_empty() {
        return;
    }
    let anchor = if rest.is_empty() { verb.clone() } else { rest.join(" ") };
    let said = if rest.is_empty() { verb } else { format!("{verb} {anchor}") };
    add(What::Says(said, is_so), &[&anchor]);
}

pub(super) fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the" | "any")
}

/// A word without a comma, and without the "s" of many.
pub(super) fn folded(word: &str) -> String {
    let word = word.trim_end_matches(',');
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s'));
    stem.unwrap_or(word).to_owned()
}

/// A verb as it stands behind "does not".
fn infinitive(verb: &str) -> String {
    let ends = |ends: &[&str]| ends.iter().any(|end| verb.ends_with(end));
    match verb {
        "has" => "have".to_owned(),
        "is" | "am" | "are" => "be".to_owned(),
        "was" | "does" => verb.to_owned(),
        _ if verb.len() > 4 && ends(&["ies"]) => format!("{}y", verb.trim_end_matches("ies")),
        _ if ends(&["sses", "shes", "ches", "xes", "oes"]) => verb.trim_end_matches("es").to_owned(),
        _ if ends(&["s"]) && !ends(&["ss", "us", "is"]) => verb.trim_end_matches('s').to_owned(),
        _ => verb.to_owned(),
    }
}
