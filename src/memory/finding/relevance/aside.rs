//! What asks for nothing that could be remembered: sums, and today's date.

use crate::among::among;
use crate::index::lexical::{Words, is_stop_word};

/// How sums are asked for, and what stands beside numbers in them.
const OPERATORS: &str = "add added cubed divide divided minus multiplied multiply percent percentage plus root squared subtract subtracted sum \
    times";
const SIGNS: [char; 7] = ['+', '*', '/', '=', '%', '×', '÷'];
const BESIDE: &str = "calculate compute equal equals much please square up what's whats";

/// Of what questions for the present time are made, and what makes them such.
const OF_NOW: &str = "current currently date day month now please right today today's tell time what's week weekday what which year";
const NOW: &str = "date day month time week weekday year";

/// Whether a question, in lower case, is a sum: "What's 17 times 24?", "18 % of 240".
pub(super) fn is_sum(lower: &str) -> bool {
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric() && !"'.,".contains(c)).collect();
    let words = words.iter().map(|word| word.trim_matches(['\'', '.', ','])).filter(|word| !word.is_empty());
    // "The square root of 144" has one number.
    let (mut numbers, mut operators) = (0, lower.matches(SIGNS).count() + lower.matches("root of").count());
    for word in words {
        let is_number = word.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ',');
        match () {
            () if is_number => numbers += 1,
            () if among(OPERATORS, word) => operators += 1,
            () if is_stop_word(word) || among(BESIDE, word) => {}
            () => return false,
        }
    }
    numbers > 0 && operators > 0 && numbers + operators > 2
}

/// Whether a question, in lower case, asks for today's date or the time: "What day is it today?"
pub(super) fn asks_for_now(words: &Words) -> bool {
    let is_now = |word: &str| among(OF_NOW, word);
    let is_of = |of: &str| words.iter().any(|word| among(of, word));
    let is_said =
        is_of("it today today's now current") || words.iter().any(|word| word == "the") && words.len() < 6;
    is_of(NOW)
        && is_said
        && !is_of("i my we our")
        && words.iter().all(|word| is_now(word) || is_stop_word(word))
        && words.iter().any(|word| among("what what's which tell", word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_numbers_and_what_is_done_with_them() {
        for sum in [
            "what's 17 times 24?",
            "what is 18 % of 240?",
            "12*9",
            "add up 420 and 385",
            "how much is 3.5 plus 4?",
            "square root of 144",
        ] {
            assert!(is_sum(sum), "{sum}");
        }
        for other in [
            "how many times a week do i swim?",
            "what did i do in 2019?",
            "where do i live?",
            "420",
            "what is 20 % of my salary?",
            "who is in room 12?",
        ] {
            assert!(!is_sum(other), "{other}");
        }
    }

    #[test]
    fn the_present_time_is_not_remembered() {
        for question in
            ["what day is it today?", "what's the date?", "what time is it now?", "which year is it?"]
        {
            assert!(asks_for_now(&Words::of(question)), "{question}");
        }
        for question in [
            "what time do i get up?",
            "what day is my appointment?",
            "what is the date of the wedding?",
            "which day is the market?",
            "what do i do today?",
            "what time is the train?",
        ] {
            assert!(!asks_for_now(&Words::of(question)), "{question}");
        }
    }
}
