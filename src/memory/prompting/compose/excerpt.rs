//! Excerpts: what is shown of a text that is too long for a line, chosen by what is asked for.

use super::line::{LINE_CHARACTERS, line_of};
use crate::index::lexical::tokenize;
use crate::lowercase::lowercase;
use crate::memory::counter::Counter;
use crate::memory::sentence::sentences;
use crate::sort::sorted;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::LazyCell;
use std::ops::Range;

/// How many characters of each token that may be told one text may take: a tenth of them, at four characters a token; and a third, if it
/// is no longer than a line.
const OF_ALL: f32 = 0.4;
const TENTH: usize = 10;
const THIRD: usize = 3;
/// How many words of the queries are looked for at most.
const WORDS: usize = 256;
/// What stands where something is left out.
const GAP: &str = "\u{2026}";

/// How texts are cut.
pub(crate) struct Excerpts {
    /// The words of the queries, as they are indexed.
    asked: Vec<String>,
    max_tokens: usize,
    counter: Counter,
}

impl Excerpts {
    /// For the words of queries, in a prompt of so many tokens at most.
    pub(crate) fn new(asked: Vec<String>, max_tokens: usize, counter: Counter) -> Self {
        Self { asked, max_tokens, counter }
    }

    /// The words of the queries.
    pub(crate) fn asked(&self) -> &[String] {
        &self.asked
    }

    /// The most characters of a text, at four a token.
    fn most(&self) -> usize {
        LINE_CHARACTERS.max((self.max_tokens as f32 * OF_ALL) as usize)
    }

    /// A line around a text that was cut: what stands beside it has room for itself.
    pub(crate) fn line(&self, text: &str) -> String {
        line_of(text, self.most() + LINE_CHARACTERS)
    }

    /// The sentences that hold most of what is asked for, with those beside them, in their order; the whole text where it is short.
    pub(crate) fn of<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.around(self.asked.get(..WORDS).unwrap_or(&self.asked), text)
    }

    /// The same whatever is asked: the sentences that a long text begins with.
    pub(crate) fn of_beginning<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.around(&[], text)
    }

    fn around<'t>(&self, asked: &[String], text: &'t str) -> Cow<'t, str> {
        // A token has a byte at least.
        let is_line = text.chars().nth(LINE_CHARACTERS).is_none();
        if is_line && text.len() <= self.max_tokens / THIRD {
            return Cow::Borrowed(text);
        }
        let most = self.most();
        let passages = LazyCell::new(|| Passages::of(text, asked));
        let is_short = text.chars().nth(most).is_none();
        let told = if is_short { Cow::Borrowed(text) } else { Cow::Owned(passages.best(most)) };
        let tokens = self.counter.count(&told).max(1);
        // A character may cost as much as four others.
        let length = if is_short { text.chars().count() } else { most };
        let costing = |tokens_allowed: usize| length * tokens_allowed / tokens;
        // What is as long as a line is told whole, unless little is to be told at all.
        let least = LINE_CHARACTERS.min(costing(self.max_tokens / THIRD));
        let fewer = costing(self.max_tokens / TENTH).max(least);
        if fewer < length { Cow::Owned(passages.best(fewer)) } else { told }
    }
}

/// A text in its sentences, and what each is worth.
struct Passages<'t> {
    text: &'t str,
    asked: &'t [String],
    all: Vec<Range<usize>>,
    /// How many characters each has, and how much of what is asked.
    worths: Vec<(usize, f32)>,
    /// The places of all, those worth most first.
    best: Vec<usize>,
}

impl<'t> Passages<'t> {
    fn of(text: &'t str, asked: &'t [String]) -> Self {
        let all = passages(text);
        let numbers: FxHashMap<&str, usize> =
            asked.iter().enumerate().map(|(number, word)| (word.as_str(), number)).collect();
        let mut counts = vec![0_u32; asked.len()];
        let mut held: Vec<Vec<usize>> = Vec::with_capacity(all.len());
        for range in &all {
            let mut own: Vec<usize> = Vec::new();
            tokenize(text.get(range.clone()).unwrap_or_default(), |token, _| {
                if let Some(number) = numbers.get(token).filter(|number| !own.contains(number)) {
                    own.push(*number);
                }
            });
            for number in &own {
                if let Some(count) = counts.get_mut(*number) {
                    *count += 1;
                }
            }
            held.push(own);
        }
        // What few sentences hold says more than what all do.
        let worth = |own: &Vec<usize>| -> f32 {
            own.iter().filter_map(|number| counts.get(*number)).map(|count| 1.0 / *count as f32).sum()
        };
        let length = |range: &Range<usize>| text.get(range.clone()).map_or(0, |said| said.chars().count());
        let worths: Vec<(usize, f32)> = all.iter().map(length).zip(held.iter().map(worth)).collect();
        let places: Vec<(usize, f32)> = worths.iter().map(|(_, worth)| *worth).enumerate().collect();
        let best = sorted(&places, |one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        let best = best.into_iter().map(|(place, _)| *place).collect();
        Self { text, asked, all, worths, best }
    }

    /// As many of the best as have so many characters, with what goes on from the best of them, and what leads to it.
    fn best(&self, most: usize) -> String {
        let first = self.best.first().copied().unwrap_or_default();
        let is_asked = |place: &usize| self.worths.get(*place).is_some_and(|(_, worth)| *worth > 0.0);
        let asked = self.best.iter().copied().take_while(is_asked);
        let around = (first..self.all.len()).chain((0..first).rev());
        let mut kept = vec![false; self.all.len()];
        let mut left = most;
        for place in asked.chain(around) {
            let Some(((length, _), kept)) = self.worths.get(place).zip(kept.get_mut(place)) else { continue };
            if !*kept && (*length <= left || left == most) {
                left = left.saturating_sub(*length);
                *kept = true;
            }
            if left == 0 {
                break;
            }
        }
        self.joined(&kept, most)
    }

    /// Those that are kept, with a sign where others are left out. One that is too long by itself is cut around what it holds.
    fn joined(&self, kept: &[bool], most: usize) -> String {
        let mut joined = String::new();
        let mut next = 0;
        for (place, range) in self.all.iter().enumerate() {
            if !kept.get(place).copied().unwrap_or_default() {
                continue;
            }
            if place > next {
                joined.push_str(GAP);
                joined.push(' ');
            }
            let said = self.text.get(range.clone()).unwrap_or_default();
            joined.push_str(&self.cut(said.trim(), most));
            joined.push(' ');
            next = place + 1;
        }
        if next < self.all.len() {
            joined.push_str(GAP);
        }
        joined.trim_end().to_owned()
    }

    /// As much of a sentence as may be shown, from a quarter of that before the first word that is asked for.
    fn cut(&self, sentence: &str, most: usize) -> String {
        let length = sentence.chars().count();
        if length <= most {
            return sentence.to_owned();
        }
        let lower = lowercase(sentence);
        let first = self.asked.iter().filter_map(|word| lower.find(word.as_str())).min();
        let first = first.map_or(0, |at| lower.get(..at).unwrap_or_default().chars().count());
        let first = first.saturating_sub(most / 4).min(length - most);
        let mut cut: String = sentence.chars().skip(first).take(most).collect();
        if first > 0 {
            cut.insert_str(0, GAP);
        }
        if first + most < length {
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
    use crate::memory::pages::indexed_words;

    fn excerpt(asked: &str, text: &str, max_tokens: usize) -> String {
        Excerpts::new(indexed_words(&[asked.to_owned()]), max_tokens, Counter::default())
            .of(text)
            .into_owned()
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
        let commas = format!("{}\"citric\":1,{}", "\"a\":1,".repeat(300), "\"b\":2,".repeat(300));
        assert!(excerpt("citric", &commas, 1000).contains("citric"));
    }

    /// They took seconds: each word of each sentence was looked for in all others.
    #[test]
    fn many_short_sentences_are_read_once() {
        let text = "go! ".repeat(60_000);
        assert!(excerpt("go", &text, 1000).starts_with("go! go!"));
        let asked = "I like tea and coffee. ".repeat(2000);
        assert!(excerpt(&asked, &"Tea and coffee, I like. ".repeat(10_000), 500_000).len() > 100_000);
    }

    /// They took more tokens than their section has, and were left out.
    #[test]
    fn what_costs_more_is_cut_shorter() {
        let text = "私は東京の台所でパンを焼いて、友達と一緒に食べました。".repeat(400);
        let told = excerpt("パン", &text, 8000);
        assert!(Counter::default().count(&told) <= 900, "{}", told.chars().count());
        assert!(told.chars().count() > LINE_CHARACTERS);
    }

    /// They took at least 400 characters, and were left out of small prompts.
    #[test]
    fn little_room_has_little_of_a_text() {
        let filler = "Nothing much happened today at all. ";
        let text = format!("{}In the end the user bought a trombone.", filler.repeat(30));
        for (text, most) in [
            (text.as_str(), 90),
            (text.split_at(36 * 22).1, 60),
            ("私は長号を買いました。今日は天気がいいです。", 20),
        ] {
            let told = excerpt("trombone 長号", text, most);
            assert!(told.contains("trombone") || told.contains("長号"), "{told}");
            assert!(Counter::default().count(&told) <= most / 2, "{told}");
        }
    }

    /// What is pinned changed with each question.
    #[test]
    fn a_beginning_is_told_whatever_is_asked() {
        let text =
            format!("Alice may not have penicillin. {}Her cello is old.", "She keeps a diary. ".repeat(60));
        let told = |asked: &str| {
            let excerpts = Excerpts::new(indexed_words(&[asked.to_owned()]), 1000, Counter::default());
            excerpts.of_beginning(&text).into_owned()
        };
        assert!(told("cello").starts_with("Alice may not have penicillin."));
        assert_eq!(told("cello"), told("diary"));
    }
}
