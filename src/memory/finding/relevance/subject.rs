//! The subject of a question about nobody: "the sky" in "What colour is the sky?", "magnets" in "How do magnets work?".

use crate::among::among;
use crate::index::lexical::Words;

/// How many words of a question may stand before its verb.
const BEFORE: usize = 6;
/// The verbs by which such questions are told: those that the subject ends with, and those behind whose subject another verb stands.
const BEING: &str = "is are was were";
const HELPING: &str = "do does did can could will would should has have had";
const ARTICLES: &str = "the a an this that these those";
/// Before these it ends, and nothing that begins with one of the others is one.
const BEHIND: &str = "about at by for from in like made of on than to with";
const NO_SUBJECTS: &str = "all any anybody anyone anything everybody everyone everything he her his i it its me mine my nobody none nothing our \
    she some somebody someone something their theirs them there they us we what which who whose you your yours";

/// The words of the subject, in lower case, and whether it is of a kind as a whole: "penguins", and not "the penguins".
pub(super) fn subject(words: &Words) -> Option<(Vec<&str>, bool)> {
    let verb = (0..BEFORE).find(|at| among(BEING, words.lower(*at)) || among(HELPING, words.lower(*at)))?;
    let has_article = among(ARTICLES, words.lower(verb + 1));
    let start = verb + 1 + usize::from(has_article);
    let ends = |at: &usize| {
        let word = words.lower(*at);
        word.is_empty() || among(BEHIND, word) || words.get(*at).is_some_and(|word| word.begins)
    };
    let mut end = (start..).find(ends)?;
    let first = words.lower(start);
    let is_of_kind =
        !has_article && first.ends_with('s') && !["ss", "is", "us"].iter().any(|end| first.ends_with(end));
    if is_of_kind || verb == 0 {
        // Then what is said of it stands behind it: "Is the cat allergic?"
        end = start + 1;
    } else if among(HELPING, words.lower(verb)) {
        // Another verb stands behind it.
        end = end.saturating_sub(1).max(start + 1);
    }
    if !(has_article || is_of_kind) || start >= end {
        return None;
    }
    let subject: Vec<&str> = (start..end).map(|at| words.lower(at)).collect();
    let is_one = !subject.iter().any(|word| among(NO_SUBJECTS, word));
    is_one.then_some((subject, is_of_kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_nobody_have_a_subject() {
        for (question, expected) in [
            ("What color is the sky?", Some(("sky", false))),
            ("How do magnets work?", Some(("magnets", true))),
            ("Where do penguins live in winter?", Some(("penguins", true))),
            ("How does the coffee machine work?", Some(("coffee machine", false))),
            ("When is the wedding?", Some(("wedding", false))),
            ("Are peanuts safe for me?", Some(("peanuts", true))),
            ("Is the cat allergic to fish?", Some(("cat", false))),
            ("Does the hotel in Rome have a pool?", Some(("hotel", false))),
            ("Where does the band in Rome play?", Some(("band", false))),
            ("Is tennis on today?", None),
            ("What is it made of?", None),
            ("Where does he live?", None),
            ("What do you know?", None),
            ("What are my hobbies?", None),
            ("Where is there a bakery?", None),
            ("penguins", None),
            ("", None),
        ] {
            let words = Words::of(question);
            let found = subject(&words).map(|(words, is_of_kind)| (words.join(" "), is_of_kind));
            assert_eq!(found.as_ref().map(|(words, is)| (words.as_str(), *is)), expected, "{question}");
        }
    }
}
