//! Excerpts: what is shown of a text that is too long for a line, chosen by what is asked for.

use super::line::{LINE_CHARACTERS, line_of};
use crate::memory::pages::indexed_words;
use crate::memory::sentence::sentences;
use crate::ordered::in_order;
use crate::sort::sorted;
use std::borrow::Cow;
use std::ops::Range;

/// How many characters of each token that may be told one text may take: a tenth of them, at four characters a token.
const OF_ALL: f32 = 0.4;
/// What stands where something is left out.
const GAP: &str = "\u{2026}";

/// How texts are cut.
#[derive(Debug)]
pub(crate) struct Excerpts {
    /// The words of the queries, as they are indexed.
    asked: Vec<String>,
    /// The most characters of a text.
    most: usize,
}

impl Excerpts {
    /// For the words of queries, in a prompt of so many tokens at most.
    pub(crate) fn new(asked: Vec<String>, max_tokens: usize) -> Self {
        Self { asked, most: LINE_CHARACTERS.max((max_tokens as f32 * OF_ALL) as usize) }
    }

    /// The words of the queries.
    pub(crate) fn asked(&self) -> &[String] {
        &self.asked
    }

    /// A line around a text that was cut: what stands beside it has room for itself.
    pub(crate) fn line(&self, text: &str) -> String {
        line_of(text, self.most + LINE_CHARACTERS)
    }

    /// The sentences that hold most of what is asked for, with those beside them, in their order; the whole text where it is short.
    pub(crate) fn of<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if text.chars().nth(self.most).is_none() {
            return Cow::Borrowed(text);
        }
        let all = passages(text);
        let held: Vec<Vec<String>> = all.iter().map(|range| self.held(text.get(range.clone()))).collect();
        // What few sentences hold says more than what all do.
        let worth = |words: &Vec<String>| -> f32 {
            let count = |word: &String| held.iter().filter(|words| words.contains(word)).count();
            words.iter().map(|word| 1.0 / count(word).max(1) as f32).sum()
        };
        let worths: Vec<f32> = held.iter().map(worth).collect();
        let places: Vec<usize> = (0..all.len()).collect();
        let best = sorted(&places, |one, other| {
            let of = |place: &usize| worths.get(*place).copied().unwrap_or_default();
            of(other).total_cmp(&of(one)).then(one.cmp(other))
        });
        let first = best.first().copied().copied().unwrap_or_default();
        let is_asked = |place: &usize| worths.get(*place).is_some_and(|worth| *worth > 0.0);
        // Then what goes on from the best, and what leads to it.
        let around = (first..all.len()).chain((0..first).rev());
        let mut left = self.most;
        let mut kept: Vec<usize> = Vec::new();
        for place in best.into_iter().copied().filter(is_asked).chain(around) {
            let Some(length) =
                all.get(place).and_then(|range| text.get(range.clone())).map(|said| said.chars().count())
            else {
                continue;
            };
            if !kept.contains(&place) && (length <= left || kept.is_empty()) {
                left = left.saturating_sub(length);
                kept.push(place);
            }
            if left == 0 {
                break;
            }
        }
        Cow::Owned(self.joined(text, &all, &in_order(kept)))
    }

    /// Which of the words that are asked for a sentence holds.
    fn held(&self, sentence: Option<&str>) -> Vec<String> {
        let own = indexed_words(&[sentence.unwrap_or_default().to_owned()]);
        self.asked.iter().filter(|word| own.binary_search(word).is_ok()).cloned().collect()
    }

    /// The sentences at some places, with a sign where others are left out. One that is too long by itself is cut around what it
    /// holds.
    fn joined(&self, text: &str, all: &[Range<usize>], kept: &[usize]) -> String {
        let mut joined = String::new();
        let mut next = 0;
        for place in kept {
            let said = all.get(*place).and_then(|range| text.get(range.clone())).unwrap_or_default();
            if *place > next {
                joined.push_str(GAP);
                joined.push(' ');
            }
            joined.push_str(&self.cut(said.trim()));
            joined.push(' ');
            next = place + 1;
        }
        if next < all.len() {
            joined.push_str(GAP);
        }
        joined.trim_end().to_owned()
    }

    /// As much of a sentence as may be shown, from a quarter of that before the first word that is asked for.
    fn cut(&self, sentence: &str) -> String {
        let length = sentence.chars().count();
        if length <= self.most {
            return sentence.to_owned();
        }
        let mut first = 0;
        for word in sentence.split_inclusive(char::is_whitespace) {
            if !self.held(Some(word)).is_empty() {
                break;
            }
            first += word.chars().count();
        }
        let first =
            if first >= length { 0 } else { first.saturating_sub(self.most / 4).min(length - self.most) };
        let mut cut: String = sentence.chars().skip(first).take(self.most).collect();
        if first > 0 {
            cut.insert_str(0, GAP);
        }
        if first + self.most < length {
            cut.push_str(GAP);
        }
        cut
    }
}

/// A text in its sentences, each with what stands before the next.
fn passages(text: &str) -> Vec<Range<usize>> {
    let starts = sentences(text).into_iter().skip(1).map(|sentence| sentence.range.start);
    let mut passages = Vec::new();
    let mut begins = 0;
    for next in starts.chain([text.len()]) {
        passages.push(begins..next);
        begins = next;
    }
    passages
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(asked: &str, text: &str, max_tokens: usize) -> String {
        Excerpts::new(indexed_words(&[asked.to_owned()]), max_tokens).of(text).into_owned()
    }

    #[test]
    fn a_long_text_is_told_around_what_is_asked_for() {
        let filler = "The machine stands in the kitchen beside the window. ".repeat(60);
        let text = format!("{filler}Use 20 grams of citric acid per litre. Rinse twice. {filler}");
        let told = excerpt("How many grams of citric acid?", &text, 1000);
        assert!(told.contains("Use 20 grams of citric acid per litre. Rinse twice."), "{told}");
        assert!(told.starts_with(GAP) && told.ends_with(GAP), "{told}");
        assert!(told.chars().count() <= LINE_CHARACTERS + 10, "{}", told.chars().count());
        assert!(excerpt("citric acid", &text, 8000).chars().count() > 3000);
        assert_eq!(excerpt("citric acid", &text, 1_000_000), text, "what has room is told whole");
        // Nothing that is asked for: it begins where it begins.
        assert!(excerpt("zebra", &text, 1000).starts_with("The machine"));
        assert_eq!(excerpt("acid", "short", 1000), "short");
    }

    #[test]
    fn several_places_are_told_in_their_order() {
        let filler = "Nothing else is said here at all. ".repeat(30);
        let text = format!("Rome was hot. {filler}The hotel cost 90 euros. {filler}The flight was late.");
        let told = excerpt("hotel in Rome, flight", &text, 1000);
        let places = ["Rome was hot.", "The hotel cost 90 euros.", "The flight was late."];
        let found: Vec<Option<usize>> = places.iter().map(|place| told.find(place)).collect();
        assert!(found.iter().all(Option::is_some) && found.is_sorted(), "{told}");
    }

    #[test]
    fn one_long_line_is_cut_around_the_word() {
        let text = format!("{}citric acid{}", "word ".repeat(400), " word".repeat(400));
        let told = excerpt("citric", &text, 1000);
        assert!(told.contains("citric acid") && told.chars().count() <= LINE_CHARACTERS + 4, "{told}");
        let unbroken = excerpt("citric", &"x".repeat(5000), 1000);
        assert_eq!(unbroken.chars().count(), LINE_CHARACTERS + 1);
    }
}
