//! Corrections: what was said before, with one of its values in the place of another: "Sorry, not Berlin, Bonn."

use super::table::among;

/// What a correction may begin with, and what it says before the value; without one of those that mark it there must be the old one.
const OPENERS: &str = "ah actually but er err eh hang hmm hold i it it's its mean meant no nope oh on oops or rather should sorry that that's there to \
    typo ugh um wait well whoops";
const MARKS: &str = "mean meant no nope oops rather sorry wait whoops";
/// The same in two words, taken off before.
const SCRATCH: [&str; 5] = ["scratch that", "strike that", "correction", "make that", "my mistake"];
/// Numbers in words.
const NUMBERS: &str = "one two three four five six seven eight nine ten eleven twelve";
/// The most bytes of a correction, and the most words of a value.
const LONGEST: usize = 80;
const MOST: usize = 3;

/// Whether a message may be a correction: whoever knows what was said before asks [`corrected`].
pub(crate) fn may_correct(message: &str) -> bool {
    let said = message.trim();
    said.len() <= LONGEST && (said.contains("not ") || said.starts_with("Not ") || without_openers(said).1)
}

/// What was said before as a correction has it; `None` when it is none, or nothing of what was said is meant.
pub(crate) fn corrected(message: &str, before: &str) -> Option<String> {
    let said = message.trim().trim_end_matches(['.', '!']);
    let is_one = !said.is_empty() && !said.contains(['.', '?', '!', '\n', '"']);
    let (said, is_marked) = without_openers(said.get(..).filter(|_| is_one)?);
    // "Not Berlin, Bonn", "not Berlin but Bonn".
    if let Some(rest) = said.strip_prefix("not ").or_else(|| said.strip_prefix("Not ")) {
        let (old, new) = rest.split_once(", ").or_else(|| rest.split_once(" but "))?;
        return replaced(before, old, without_openers(new).0);
    }
    // "Bonn, not Berlin".
    if let Some((new, old)) = said.split_once(", not ").or_else(|| said.split_once(" not ")) {
        let old = old.split(',').next().unwrap_or(old);
        return replaced(before, old, new);
    }
    let new = said.trim_end_matches(", sorry").trim_end_matches(" sorry");
    let old = if is_marked { alike(before, new) } else { None };
    replaced(before, old?, new)
}

/// A correction without what it begins with, and whether that marks it as one.
fn without_openers(mut said: &str) -> (&str, bool) {
    let mut is_marked = false;
    loop {
        let before = said.len();
        let lower = said.to_ascii_lowercase();
        if let Some(phrase) = SCRATCH.iter().find(|phrase| lower.starts_with(**phrase)) {
            (said, is_marked) = (said.get(phrase.len()..).unwrap_or_default(), true);
        } else {
            let end = said.find([' ', ',', ':']).unwrap_or(0);
            let (word, rest) = said.split_at(end);
            let word = word.to_ascii_lowercase().replace('\u{2019}', "'");
            if among(OPENERS, &word) && !word.is_empty() {
                (said, is_marked) = (rest, is_marked || among(MARKS, &word));
            }
        }
        said = said.trim_start_matches([' ', ',', ':', '-', '\u{2013}', '\u{2014}']);
        if said.len() == before {
            return (said, is_marked);
        }
    }
}

/// What was said before with a value in the place of another, which must stand there once.
fn replaced(before: &str, old: &str, new: &str) -> Option<String> {
    let (old, new) = (old.trim(), new.trim());
    let is_value = |value: &str| !value.is_empty() && value.split_whitespace().count() <= MOST;
    let mut places = words_of(before, old);
    let at = places.next().filter(|_| is_value(old) && is_value(new) && old != new)?;
    let (head, tail) = before.split_at(at);
    places.next().is_none().then(|| format!("{head}{new}{}", tail.get(old.len()..).unwrap_or_default()))
}

/// Where some words stand in a text as words of their own.
fn words_of<'t>(text: &'t str, words: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(words).map(|(at, _)| at).filter(move |at| {
        let (head, tail) =
            (text.get(..*at).unwrap_or_default(), text.get(at + words.len()..).unwrap_or_default());
        !is_letter(head.chars().next_back()) && !is_letter(tail.chars().next())
    })
}

/// The one value of what was said before that is of the kind of a new one: a number, a count of the same, a day, a name.
fn alike<'b>(before: &'b str, new: &str) -> Option<&'b str> {
    let words: Vec<&str> = before.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let mut value = new.split_whitespace();
    let (first, rest) = (value.next()?, value.next());
    let is_number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit()) || among(NUMBERS, &word.to_ascii_lowercase())
    };
    let is_name =
        |word: &&&str| word.starts_with(char::is_uppercase) && **word != "I" && !word.starts_with("I'");
    let mut found: Box<dyn Iterator<Item = &&str>> = match rest {
        // "Two brothers", "21 March".
        Some(rest) if is_number(first) => {
            let behind = words
                .windows(2)
                .filter(move |pair| pair.last().is_some_and(|last| last.eq_ignore_ascii_case(rest)));
            let number = behind.filter_map(|pair| pair.first()).next().filter(|word| is_number(word))?;
            let start = before.find(*number)?;
            let end = before.get(start..)?.find(rest)? + start + rest.len();
            return before.get(start..end);
        }
        None if is_number(first) => Box::new(words.iter().filter(|word| is_number(word))),
        // What begins a sentence has a capital in any case.
        None if first.starts_with(char::is_uppercase) => Box::new(words.iter().skip(1).filter(is_name)),
        _ => return None,
    };
    let only = found.next()?;
    found.next().is_none().then_some(*only)
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_value_takes_the_place_of_another() {
        for (before, correction, expected) in [
            ("I live in Berlin.", "Sorry, not Berlin, Bonn.", "I live in Bonn."),
            ("I live in Berlin.", "Not Berlin but Bonn", "I live in Bonn."),
            ("I live in Berlin.", "Scratch that, Bonn.", "I live in Bonn."),
            ("I live in Berlin.", "Sorry, I meant Bonn.", "I live in Bonn."),
            ("I'm based in Manchester.", "Actually it's Salford, not Manchester", "I'm based in Salford."),
            (
                "I'm based in Manchester.",
                "it's Salford not Manchester, that I live in",
                "I'm based in Salford.",
            ),
            ("I'm 34", "No wait, 35.", "I'm 35"),
            ("My birthday is on 12 March.", "oops, 21 March", "My birthday is on 21 March."),
            ("I have three brothers.", "I mean two brothers, sorry.", "I have two brothers."),
            ("My name is Anna.", "Sorry, Hanna", "My name is Hanna."),
        ] {
            assert_eq!(corrected(correction, before).as_deref(), Some(expected), "{before} {correction}");
        }
        for (before, correction) in [
            ("I live in Berlin.", "Bonn."),
            ("I live in Berlin.", "Not Hamburg, Bonn."),
            ("I live in Berlin.", "Sorry, what did you say?"),
            ("I live in Berlin.", "Sorry. Thanks!"),
            ("I live in Berlin.", "Sorry, I don't know"),
            ("I live in Berlin near Tom.", "Sorry, Bonn."),
            ("I like Berlin and I live in Berlin.", "Not Berlin, Bonn."),
            ("I live in Berlin.", ""),
        ] {
            assert_eq!(corrected(correction, before), None, "{before} {correction}");
        }
    }
}
