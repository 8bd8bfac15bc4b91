//! What relatives are called: "my sister Ana", "the user's wife is Priya", "a daughter, Amara".

use super::attributes;
use crate::among::among;
use crate::index::lexical::Words;

/// What may stand between a relative and their name, and how many of these.
const BEFORE: &str = "are called is name named names was";
const MOST: usize = 2;
/// How words end that say where somebody is from, and names that end so.
const ORIGINS: [&str; 3] = ["ian", "ish", "ese"];
const NO_ORIGINS: &str = "adrian brian christian damian fabian gillian ian julian lilian marian vivian";

/// Where the name of the relative begins who is named at a place.
pub(super) fn name_behind(words: &Words, place: usize) -> Option<usize> {
    let is_capital = |at: usize| words.get(at).is_some_and(|word| word.is_capital && !word.begins);
    let between = (0..MOST).take_while(|on| among(BEFORE, words.lower(place + 1 + on))).count();
    let at = place + 1 + between;
    // "My wife is Italian" names nobody.
    let is_origin = || {
        let (tokens, of) = attributes::tokens_of(words.lower(at));
        let is_kind = tokens.iter().any(|token| attributes::kind_of_token(token) != 0);
        let ends = ORIGINS.iter().any(|end| words.lower(at).ends_with(end));
        of != 0 || is_kind || ends && !among(NO_ORIGINS, words.lower(at))
    };
    // "A cat named Olive" says that it is a name.
    let is_said = (place + 1..at).any(|at| among("called name named names", words.lower(at)));
    (is_capital(at) && (between == 0 || is_said || !is_origin())).then_some(at)
}

/// The names of the relatives who are named at a place: "the user's sons Leo and Max".
pub(super) fn names_behind(words: &Words, place: usize) -> Vec<Vec<String>> {
    let mut names: Vec<Vec<String>> = Vec::new();
    let Some(mut at) = name_behind(words, place) else { return names };
    let mut is_new = true;
    while let Some(word) = words.get(at).filter(|word| !word.begins) {
        let lower = words.lower(at);
        if !word.is_capital {
            if is_new || lower != "and" {
                break;
            }
            is_new = true;
        } else {
            match names.last_mut().filter(|_| !is_new && word.joins) {
                Some(name) => name.push(lower.to_owned()),
                None => names.push(vec![lower.to_owned()]),
            }
            is_new = false;
        }
        if word.owns {
            break;
        }
        at += 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str, relative: &str) -> Vec<String> {
        let words = Words::of(text);
        let place = words.iter().position(|word| word == relative).unwrap();
        names_behind(&words, place).iter().map(|name| name.join(" ")).collect()
    }

    #[test]
    fn relatives_are_called_by_what_stands_behind_them() {
        assert_eq!(named("My sister Ana lives in Porto", "sister"), ["ana"]);
        assert_eq!(named("The user's wife is Priya, a pediatrician", "wife"), ["priya"]);
        assert_eq!(named("The user's wife's name is Priya Rao", "wife"), ["priya rao"]);
        assert_eq!(named("User and Priya have a daughter, Amara, and a cat", "daughter"), ["amara"]);
        assert_eq!(named("The user has two sons, Leo and Max", "sons"), ["leo", "max"]);
        assert_eq!(named("My son Leo's teacher Ms Lind", "son"), ["leo"]);
        for text in
            ["My wife is Italian", "My wife is Polish", "My wife lives in Rome", "I met my wife. Ana left"]
        {
            assert!(named(text, "wife").is_empty(), "{text}");
        }
    }
}
