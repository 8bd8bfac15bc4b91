//! Own words: what a page is about when no model says it, and texts of a bearable length.

use super::page::Page;
use crate::index::lexical::{Role, tokenize};
use crate::lowercase::lowercase;
use crate::ordered::in_order;

/// The most characters of a chain, and of what one page adds to it.
pub(crate) const CHAIN_CHARACTERS: usize = 300;
/// The most characters of a segment's summary.
pub(crate) const SUMMARY_CHARACTERS: usize = 600;
/// How many keywords a page has, and how many characters one of them.
pub(crate) const KEYWORDS: usize = 8;
const KEYWORD_CHARACTERS: usize = 60;
/// How many characters of a question stand for the page.
const TITLE_CHARACTERS: usize = 120;

/// The beginning of a text on one line.
pub(crate) fn clipped(text: &str, characters: usize) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    match line.char_indices().nth(characters) {
        None => line,
        Some((end, _)) => format!("{}\u{2026}", line.get(..end).unwrap_or_default().trim_end()),
    }
}

/// What a page is about, by its own words: the beginning of its question.
pub(crate) fn title(page: &Page) -> String {
    clipped(&page.query, TITLE_CHARACTERS)
}

/// A summary with more to say; when it gets too long, its beginning goes.
pub(crate) fn grown(summary: &str, more: &str) -> String {
    joined(summary, more, " ", SUMMARY_CHARACTERS)
}

/// A chain with one more link; when it gets too long, its beginning goes.
pub(crate) fn linked(chain: &str, more: &str) -> String {
    joined(chain, more, " > ", CHAIN_CHARACTERS)
}

fn joined(before: &str, more: &str, between: &str, characters: usize) -> String {
    if before.contains(more) {
        return before.to_owned();
    }
    if before.is_empty() {
        return clipped(more, characters);
    }
    let whole = format!("{before}{between}{more}");
    let over = whole.chars().count().saturating_sub(characters);
    if over == 0 {
        return whole;
    }
    let kept: String = whole.chars().skip(over).collect();
    // Cut between words, where there are some.
    kept.split_once(' ').map_or(kept.clone(), |(_, rest)| rest.to_owned())
}

/// Keywords as they are kept: without blanks and repetitions, a few of a bearable length.
pub(crate) fn kept(keywords: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for keyword in keywords {
        let keyword: String = lowercase(&clipped(keyword, KEYWORD_CHARACTERS));
        if kept.len() < KEYWORDS && !keyword.is_empty() && !kept.contains(&keyword) {
            kept.push(keyword);
        }
    }
    kept
}

/// The words of keywords, as they are indexed, each once and in order; of a keyword without such words itself.
pub(crate) fn indexed_words(keywords: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    for keyword in keywords {
        let before = words.len();
        tokenize(keyword, |token, role| {
            if role == Role::Key {
                words.push(token.to_owned());
            }
        });
        let keyword = lowercase(keyword.trim());
        if words.len() == before && !keyword.is_empty() {
            words.push(keyword);
        }
    }
    in_order(words)
}

/// How many of some words, as they are indexed and in order, a text has.
pub(crate) fn shared_words(text: &str, words: &[String]) -> usize {
    let own = indexed_words(&[text.to_owned()]);
    own.iter().filter(|word| words.binary_search(word).is_ok()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_of_a_bearable_length() {
        assert_eq!(clipped(" a\n b ", 10), "a b");
        assert_eq!(clipped("\u{ac00}\u{b098}\u{b2e4}", 2), "\u{ac00}\u{b098}\u{2026}");
        assert_eq!(grown("", "One."), "One.");
        assert_eq!(grown("One. Two.", "Two."), "One. Two.", "nothing is said twice");
        let mut summary = String::new();
        for number in 0..500 {
            summary = grown(&summary, &format!("Sentence {number}."));
            assert!(summary.chars().count() <= SUMMARY_CHARACTERS);
        }
        assert!(summary.ends_with("Sentence 499.") && !summary.contains("Sentence 1."));
        assert!(linked(&"x".repeat(300), &"y".repeat(300)).chars().count() <= CHAIN_CHARACTERS);
    }

    #[test]
    fn a_thousand_keywords_become_a_few() {
        let many: Vec<String> = (0..1000).map(|number| format!("Word{}", number % 500)).collect();
        assert_eq!(kept(&many).len(), KEYWORDS);
        let odd = [" ".to_owned(), "Tea ".to_owned(), "tea".to_owned(), "z".repeat(1000)];
        let kept = kept(&odd);
        assert_eq!((kept.len(), kept[0].as_str(), kept[1].chars().count()), (2, "tea", 61));
    }
}
