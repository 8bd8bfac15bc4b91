//! Corrections: what was said before, with one of its values in the place of another: "Sorry, not Berlin, Bonn."

use super::table::among;

/// What a correction may begin with, and what says that it is one where it does not name what is wrong.
const OPENERS: &str = "ah actually but er err eh hang hmm hold i it it's its mean meant no nope oh on oops or rather should sorry that that's there to \
    typo ugh um wait well whoops";
const MARKS: &str = "mean meant no nope oops rather sorry wait whoops";
/// The same in two words.
const SCRATCH: [&str; 5] = ["scratch that", "strike that", "correction", "make that", "my mistake"];
/// Numbers in words.
const NUMBERS: &str = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen \
    twenty thirty forty fifty sixty seventy eighty ninety";
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
        return replaced(before, old, without_openers(new).0).filter(|_| !new.contains(','));
    }
    // "Bonn, not Berlin".
    if let Some((new, old)) = said.split_once(", not ").or_else(|| said.split_once(" not ")) {
        let old = old.split(',').next().unwrap_or(old);
        return replaced(before, old, new);
    }
    // Of a number alone it is clear what it stands for: a name behind "sorry" may be anybody's.
    let new = said.trim_end_matches(", sorry").trim_end_matches(" sorry");
    let old = if is_marked { number_like(before, new) } else { None };
    replaced(before, old?, new)
}

/// Whether a correction names what is wrong: then it is one whatever was said in between.
pub(crate) fn names_wrong(message: &str) -> bool {
    let lower = message.to_ascii_lowercase();
    words_of(&lower, "not").next().is_some()
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

/// The one number of what was said before, or count of the same, or day of a month.
fn number_like<'b>(before: &'b str, new: &str) -> Option<&'b str> {
    let is_number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit()) || among(NUMBERS, &word.to_ascii_lowercase())
    };
    let words: Vec<&str> = before.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let mut numbers = words.iter().filter(|word| is_number(word));
    let only = numbers.next().filter(|_| numbers.next().is_none())?;
    let mut value = new.split_whitespace();
    let (_, behind) = (value.next().filter(|first| is_number(first))?, value.next());
    let Some(behind) = behind else { return Some(only) };
    // "Two brothers", "21 March".
    let start = before.find(*only)?;
    let rest = before.get(start + only.len()..)?.strip_prefix(' ')?;
    let is_same = rest.get(..behind.len()).is_some_and(|word| word.eq_ignore_ascii_case(behind));
    is_same.then(|| before.get(start..start + only.len() + 1 + behind.len())).flatten()
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
            ("I'm based in Manchester.", "Actually it's Salford, not Manchester", "I'm based in Salford."),
            (
                "I'm based in Manchester.",
                "it's Salford not Manchester, that I live in",
                "I'm based in Salford.",
            ),
            ("I'm 34", "No wait, 35.", "I'm 35"),
            ("My birthday is on 12 March.", "oops, 21 March", "My birthday is on 21 March."),
            ("I have three brothers.", "I mean two brothers, sorry.", "I have two brothers."),
            ("My name is Anna.", "Sorry, not Anna, Hanna", "My name is Hanna."),
        ] {
            assert_eq!(corrected(correction, before).as_deref(), Some(expected), "{before} {correction}");
        }
        for (before, correction) in [
            ("I live in Berlin.", "Bonn."),
            ("I live in Berlin.", "Sorry, Tom"),
            ("I live in Berlin.", "No wait, Rome"),
            ("I'm 34 and my wife is thirty.", "Sorry, 31"),
            ("I have three kids.", "I mean one"),
            ("I'm allergic to nuts.", "Not nuts, bolts, haha"),
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
