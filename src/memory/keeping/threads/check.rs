//! What a model's summary may not be: blank, too long, in another language, or with numbers that nobody said.

use crate::memory::counter::Counter;
use crate::schema::Violation;
use serde_json::Value;

/// The most tokens of a summary.
const SUMMARY_TOKENS: usize = 600;
/// From how many digits on a number must have been said: shorter ones may be counted or written otherwise.
const DIGITS: usize = 4;
/// How many letters of a script make a language.
const LETTERS: usize = 20;
/// How many in a hundred letters of a script are enough for a summary in it: what is pasted is often in another one.
const SPOKEN_PERCENT: usize = 15;

/// What is wrong with an answer to what was shown: numbers may be of all of it, the language is that of the texts in it.
pub(super) fn refused(answer: &Value, shown: &str, texts: &str, counter: &Counter) -> Vec<Violation> {
    let Some(text) = answer.get("summary").and_then(Value::as_str) else { return Vec::new() };
    let mut violations = Vec::new();
    let mut wrong = |message: String| violations.push(Violation::new("/summary".to_owned(), message));
    if text.trim().is_empty() {
        wrong("the summary is blank".to_owned());
    }
    let tokens = counter.count(text);
    if tokens > SUMMARY_TOKENS {
        wrong(format!("the summary has {tokens} tokens, over the limit of {SUMMARY_TOKENS}; shorten it"));
    }
    let said = numbers(shown);
    if let Some(number) = numbers(text).iter().find(|number| number.len() >= DIGITS && !said.contains(number))
    {
        let number: String = number.chars().take(40).collect();
        wrong(format!("nobody said the number {number}; leave it out or write it as it was said"));
    }
    let letters = letters(&prose(texts));
    if let Some((_, script)) = main_script(letters)
        && main_script(self::letters(text)).is_some_and(|(other, _)| !is_spoken(letters, other))
    {
        wrong(format!(
            "the summary is not in the language of the conversation, which is written in {script}"
        ));
    }
    violations
}

/// The runs of digits of a text, without the commas that group them.
fn numbers(text: &str) -> Vec<String> {
    let mut numbers = vec![String::new()];
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let groups = character == ',' && characters.peek().is_some_and(char::is_ascii_digit);
        match numbers.last_mut() {
            Some(number) if character.is_ascii_digit() => number.push(character),
            Some(number) if number.is_empty() || groups => {}
            _ => numbers.push(String::new()),
        }
    }
    numbers
}

/// A text without the code in it, which is between backticks.
fn prose(text: &str) -> String {
    let outside = |mark: &str, text: &str| {
        // A mark without its second one ends no code.
        let last = text.matches(mark).count() / 2 * 2;
        let parts = text.splitn(last + 1, mark).enumerate().filter(|(place, _)| place.is_multiple_of(2));
        parts.map(|(_, part)| part).collect::<Vec<_>>().join(" ")
    };
    outside("`", &outside("```", text))
}

/// Whether a script is one that people spoke in, and not only of a name or two.
fn is_spoken(letters: [usize; 4], script: usize) -> bool {
    let all: usize = letters.iter().sum();
    letters.get(script).is_some_and(|count| count * 100 >= all * SPOKEN_PERCENT)
}

/// How many letters of each script a text has.
fn letters(text: &str) -> [usize; 4] {
    let mut counts = [0_usize; 4];
    for character in text.chars().filter(|character| character.is_alphabetic()) {
        let script = match character {
            '\0'..='\u{24f}' => 0,
            '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7a3}' => 1,
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' => 2,
            _ => 3,
        };
        // A syllable or character says as much as a few letters.
        let weight = if matches!(script, 1 | 2) { 3 } else { 1 };
        if let Some(count) = counts.get_mut(script) {
            *count += weight;
        }
    }
    counts
}

/// The script that more than half of the letters are of, by place and name; `None` when there are too few, or several scripts.
fn main_script(counts: [usize; 4]) -> Option<(usize, &'static str)> {
    const NAMES: [&str; 4] = ["Latin letters", "Hangul", "Japanese or Chinese characters", "other letters"];
    let in_words: usize = counts.iter().sum();
    let (place, count) = counts.into_iter().enumerate().max_by_key(|(_, count)| *count)?;
    let name = NAMES.get(place)?;
    (in_words >= LETTERS && count * 2 > in_words).then_some((place, *name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::counter::Counter;
    use serde_json::json;

    fn complaint(summary: &str, shown: &str) -> String {
        let counter = Counter::estimate();
        let violations = refused(&json!({ "summary": summary }), shown, shown, &counter);
        violations.into_iter().map(|violation| violation.message).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn a_good_summary_passes() {
        let shown = "The rent is 12,500 a month from 2026-05-01, said Anna; call 0151 23456.";
        assert_eq!(complaint("Anna rents for 12500 from 2026-05-01 (0151 23456). 42 questions.", shown), "");
    }

    /// Pasted code is mostly Latin letters, and made every summary of a Korean conversation one in the wrong language.
    #[test]
    fn code_says_nothing_of_the_language() {
        let korean =
            "\u{c774} \u{d568}\u{c218}\u{b97c} \u{ace0}\u{ccd0} \u{c8fc}\u{c138}\u{c694}. ".repeat(4);
        let summary = "\u{c0ac}\u{c6a9}\u{c790}\u{ac00} \u{d568}\u{c218}\u{b97c} \u{ace0}\u{ccd0} \u{b2ec}\u{b77c}\u{ace0} \u{d588}\u{b2e4}.";
        let code = "let total = prices.iter().map(Price::amount).sum::<u64>();\n";
        for pasted in
            [format!("{korean}\n```rust\n{}```", code.repeat(60)), format!("{korean}{}", code.repeat(10))]
        {
            assert_eq!(complaint(summary, &pasted), "");
        }
        let fenced = format!("{korean}```\n{}```", code.repeat(60));
        assert!(complaint("The user wants a function mended and tested.", &fenced).contains("Hangul"));
    }

    #[test]
    fn what_was_not_said_or_not_so_is_refused() {
        let shown = "The rent is 12,500 a month, Anna said, and she wants to decide on Monday.";
        for (summary, why) in [
            ("  ", "blank"),
            ("Anna rents for 13500 a month.", "number 13500"),
            (&"word ".repeat(700), "over the limit of 600"),
            (
                "\u{c548}\u{b098}\u{b294} \u{c6d4}\u{c138}\u{b97c} \u{c6d4}\u{c694}\u{c77c}\u{c5d0} \u{acb0}\u{c815}\u{d55c}\u{b2e4}",
                "Latin letters",
            ),
        ] {
            assert!(complaint(summary, shown).contains(why), "{summary}: {}", complaint(summary, shown));
        }
    }
}
