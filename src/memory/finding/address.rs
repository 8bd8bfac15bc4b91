//! An address: whom a question only calls, as in "Jarvis, where do I live?"

use super::turns::is_weekday;
use crate::among::among;
use crate::index::lexical::is_stop_word;
use crate::lowercase::lowercase;
use crate::memory::span::month;

/// How somebody is greeted, and how what is asked of them then begins.
const GREETINGS: &str = "hey hi hello ok okay yo dear";
const ASKING: &str = "am are can could did do does give had has have how is remind show tell was were what what's when where \
    where's which who who's whose why will would";
/// Words that may mean whom is called: "Ben, where does he live?"
const MEANING_THEM: &str = "he her hers him his it its she their them they you your yours";

/// A question without whom it calls.
pub(in crate::memory) fn unaddressed(question: &str) -> &str {
    let Some((called, rest)) = question.split_once(',') else { return question };
    let mut words = called.split_whitespace().peekable();
    words.next_if(|word| among(GREETINGS, &lowercase(word)));
    let (Some(name), None) = (words.next(), words.next()) else { return question };
    let rest = rest.trim_start();
    let lower = lowercase(name);
    let is_name = name.starts_with(char::is_uppercase)
        && name.chars().all(char::is_alphabetic)
        && !is_stop_word(&lower)
        && !among(GREETINGS, &lower)
        && !is_weekday(&lower)
        && month(&lower).is_none();
    let mut asked = rest.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty());
    let asks = asked.clone().next().is_some_and(|word| among(ASKING, &lowercase(word)));
    let is_only_called = is_name && asks && !asked.any(|word| among(MEANING_THEM, &lowercase(word)));
    if is_only_called { rest } else { question }
}

#[cfg(test)]
mod tests {
    use super::unaddressed;

    #[test]
    fn who_is_only_called_is_left_out() {
        for (question, left) in [
            ("Jarvis, where do I live?", "where do I live?"),
            ("Hey Jarvis, where do I live?", "where do I live?"),
            ("Claude, where does Ben live?", "where does Ben live?"),
            ("Ben, where does he live?", "Ben, where does he live?"),
            ("Ben, what do you drink?", "Ben, what do you drink?"),
            ("In Rome, where do I live?", "In Rome, where do I live?"),
            ("Monday, what do I do?", "Monday, what do I do?"),
            ("Well, where do I live?", "where do I live?"),
            ("Ben, Ana and I", "Ben, Ana and I"),
            ("Lisbon, Portugal", "Lisbon, Portugal"),
            ("", ""),
        ] {
            assert_eq!(unaddressed(question), left, "{question}");
        }
    }
}
