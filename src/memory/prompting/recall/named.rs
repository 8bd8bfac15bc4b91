//! Whom a question names.

use crate::lowercase::lowercase;

/// Whether a lower-cased question holds a word of a name.
pub(super) fn is_named(question: &str, name: &str) -> bool {
    let name = lowercase(name);
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().nth(1).is_some());
    let is_letter = |c: char| c.is_alphanumeric() && u32::from(c) < 0x1100;
    std::iter::once(name.as_str()).chain(words).any(|word| {
        !word.is_empty()
            && question.match_indices(word).any(|(at, _)| {
                // In scripts written with spaces only whole words count.
                let before = question.get(..at).and_then(|before| before.chars().next_back());
                let after = question.get(at + word.len()..).and_then(|after| after.chars().next());
                let edge = |inner: Option<char>, outer: Option<char>| {
                    !(inner.is_some_and(is_letter) && outer.is_some_and(is_letter))
                };
                edge(word.chars().next(), before) && edge(word.chars().next_back(), after)
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_names_whom_it_asks_about() {
        for (question, name) in [
            ("where does ada work?", "Ada"),
            ("where does ada work?", "Ada Lovelace"),
            ("what makes acme corp.?", "Acme Corp"),
            ("김민수는 어디에 살아?", "김민수"),
            ("田中さんはどこ", "田中"),
        ] {
            assert!(is_named(question, name), "{question}: {name}");
        }
        for (question, name) in [("what an adage", "Ada"), ("where am i?", "A"), ("so what", ""), ("no", "?")]
        {
            assert!(!is_named(question, name), "{question}: {name}");
        }
    }
}
