//! Attributes of people, each by the words that ask for it or tell it: "what does she do for a living" and "works as a nurse"
//! share no word, but both are about work.

mod phrases;
mod words;

use super::tells::JOINED;
use super::traditional::in_simplified;
use crate::index::lexical::{Role, Script, Vocabulary, script, tokenize};
use phrases::Phrases;
use std::sync::OnceLock;
use words::ATTRIBUTES;

/// The lines of pets, and of instruments: who asks for the cat is not told of the dog.
const KINDS: [Attributes; 2] = [0b1111 << 54, 0b1111 << 58];

const _: () = assert!(ATTRIBUTES.len() <= Attributes::BITS as usize);

/// What a text speaks of: a bit for each attribute.
pub(super) type Attributes = u128;

/// The attribute of a home.
pub(super) const HOME: Attributes = 1;

/// The attribute of work.
pub(super) const WORK: Attributes = 1 << 2;

/// The attribute of cars.
pub(super) const CAR: Attributes = 1 << 8;

/// The attribute of what is read.
pub(super) const READING: Attributes = 1 << 26;

/// The attribute of keys and locks.
pub(super) const KEYS: Attributes = 1 << 102;

/// The attribute of age.
pub(super) const AGE: Attributes = 1 << 3;

/// The attribute of pets, with those of dogs, cats and others.
pub(super) const PETS: Attributes = 1 << 10 | 0b1111 << 54;

/// The attribute of languages.
pub(super) const LANGUAGE: Attributes = 1 << 28;

/// The attribute of names.
pub(super) const NAME: Attributes = 1 << 45;

/// The attribute of colours.
pub(super) const COLOUR: Attributes = 1 << 39;

/// The attributes of where somebody is from.
pub(super) fn origin() -> Attributes {
    1 << 1 | nationality()
}

/// The attribute of what is taken against an illness.
pub(super) const MEDICINE: Attributes = 1 << 6;

/// The attribute of nationalities.
pub(super) fn nationality() -> Attributes {
    of_token("citizenship")
}

/// Those of allergies, and of food. Who asks what somebody eats is told of allergies; who asks for these is not told of meals.
pub(super) const ALLERGY: Attributes = 1 << 4;
const FOOD: Attributes = 1 << 16;

/// What is asked for, with all other kinds where one is.
pub(super) fn with_kinds(asked: Attributes) -> Attributes {
    KINDS.iter().filter(|kinds| asked & **kinds != 0).fold(asked, |all, kinds| all | kinds)
}

/// Whether what is told is of another kind than what is asked for.
pub(super) fn is_of_another_kind(asked: Attributes, told: Attributes) -> bool {
    KINDS.iter().any(|kinds| asked & kinds != 0 && told & kinds != 0 && asked & told & kinds == 0)
}

/// English words that ask for an attribute and do not tell it: who met somebody at a street festival does not live there.
const ONLY_ASK: &str = "city district neighborhood neighbourhood street suburb town village";

/// The words of the attributes: by their tokens, and those that are looked for as they stand.
struct Known {
    /// The place in `spoken`, of which the first is that of all other tokens.
    tokens: Vocabulary,
    /// What a token speaks of, and of what it names only a kind.
    spoken: Vec<[Attributes; 2]>,
    /// All tokens in order, with what they tell of.
    all: Vec<(String, [Attributes; 2])>,
    /// The tokens of `ONLY_ASK`.
    only_ask: Vec<String>,
    phrases: Phrases,
    /// Those of kinds, in scripts without spaces.
    phrases_of_kinds: Phrases,
}

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let (mut tokens, mut spoken): (_, Vec<[Attributes; 2]>) = (Vocabulary::default(), vec![[0; 2]]);
        let (mut all, mut phrases, mut phrases_of_kinds) = (Vec::new(), Vec::new(), Vec::new());
        for (number, attribute) in ATTRIBUTES.iter().enumerate() {
            let bit: Attributes = 1 << number;
            let (words, kinds) = halves(attribute);
            for word in words.split(',').filter(|word| !is_plain(word)) {
                phrases.push((word, bit));
            }
            phrases_of_kinds.extend(kinds.split(',').filter(|word| !word.is_ascii()).map(|word| (word, bit)));
            for (words, half) in [(words, 0), (kinds, 1)] {
                for word in words.split(',').filter(|word| is_plain(word)) {
                    tokenize(word, |token, _| {
                        if tokens.get(token) == 0 {
                            tokens.set(token, spoken.len() as u64);
                            spoken.push([0; 2]);
                            all.push(token.to_owned());
                        }
                        let of = spoken.get_mut(tokens.get(token) as usize);
                        if let Some(of) = of.and_then(|of| of.get_mut(half)) {
                            *of |= bit;
                        }
                    });
                }
            }
        }
        all.sort_unstable();
        let spoken_by = |token: &String| spoken.get(tokens.get(token) as usize).copied().unwrap_or_default();
        let only_ask: Vec<String> = ONLY_ASK.split(' ').flat_map(tokens_of_words).collect();
        let all = all.into_iter().map(|token| {
            let [wide, narrow] = spoken_by(&token);
            let told = if only_ask.contains(&token) { 0 } else { wide };
            (token, [told, narrow])
        });
        let all = all.collect();
        let (phrases, phrases_of_kinds) = (Phrases::of(phrases), Phrases::of(phrases_of_kinds));
        Known { tokens, spoken, all, only_ask, phrases, phrases_of_kinds }
    })
}

/// The tokens of a text.
fn tokens_of_words(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    tokenize(text, |token, _| tokens.push(token.to_owned()));
    tokens
}

/// The words of an attribute, and those of its kinds.
fn halves(attribute: &'static str) -> (&'static str, &'static str) {
    attribute.split_once(';').unwrap_or((attribute, ""))
}

/// Whether it is one English word.
fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.is_ascii() && !word.contains([' ', '\'', '-'])
}

/// What a token speaks of, and of what it names only a kind: "labrador" of pets.
fn spoken(token: &str) -> [Attributes; 2] {
    let known = known();
    known.spoken.get(known.tokens.get(token) as usize).copied().unwrap_or_default()
}

/// What a token speaks of.
pub(super) fn of_token(token: &str) -> Attributes {
    let [wide, _] = spoken(token);
    wide
}

/// Of what a token names only a kind.
pub(super) fn kind_of_token(token: &str) -> Attributes {
    let [_, narrow] = spoken(token);
    narrow
}

/// What a word asks for: in scripts without spaces by the phrases in it.
pub(super) fn asked_by(word: &str) -> Attributes {
    without_meals(if word.is_ascii() { of_token(word) } else { of_phrases(word, Attributes::MAX) })
}

/// What a token of a question in a script without spaces asks for, and of what it names only a kind: by the phrases of the question
/// that it is a part of, such as "ペッ" of "ペット", or that are a part of it. `lower` is the question.
pub(super) fn asked_at(token: &str, lower: &str) -> [Attributes; 2] {
    let is_part = |phrase: &str, token: &str| phrase.contains(token) || token.contains(phrase);
    let (token, lower) = (&*in_simplified(token), &*in_simplified(lower));
    let asked = |phrases: &Phrases| {
        let own = phrases
            .spans(lower)
            .filter(|(span, _)| lower.get(span.clone()).is_some_and(|of| is_part(of, token)));
        own.fold(0, |all, (_, bit)| all | bit)
    };
    [without_meals(asked(&known().phrases)), asked(&known().phrases_of_kinds)]
}

/// What a token of a text tells of.
pub(super) fn told_by(token: &str) -> Attributes {
    if known().only_ask.iter().any(|only| only == token) { 0 } else { of_token(token) }
}

/// The tokens that tell of some attributes, with what they tell of.
pub(super) fn tokens_that_tell(of: Attributes) -> impl Iterator<Item = (&'static str, [Attributes; 2])> {
    let all = known().all.iter().map(|(token, of)| (token.as_str(), *of));
    all.filter(move |(_, [wide, narrow])| (wide | narrow) & of != 0)
}

/// Who asks for allergies is not told of meals.
fn without_meals(asked: Attributes) -> Attributes {
    if asked & ALLERGY == 0 { asked } else { asked & !FOOD }
}

/// What a text speaks of by its phrases, and in scripts without spaces; `lower` is in lower case.
pub(super) fn of_phrases(lower: &str, among: Attributes) -> Attributes {
    known().phrases.held(lower, among)
}

/// Of what a text in a script without spaces names only a kind.
pub(super) fn kinds_of_phrases(lower: &str, among: Attributes) -> Attributes {
    known().phrases_of_kinds.held(lower, among)
}

/// Whether a word in a script without spaces speaks of an attribute, and is no name.
pub(super) fn is_attribute(word: &str) -> bool {
    known().phrases.has(word) || known().phrases_of_kinds.has(word)
}

/// The tokens of the phrases of several words that a text holds; `lower` is in lower case.
pub(super) fn words_in_phrases(lower: &str) -> Vec<String> {
    let held = known().phrases.spans(lower).filter_map(|(span, _)| lower.get(span));
    held.filter(|phrase| phrase.contains(' ')).flat_map(|phrase| tokens_of(phrase).0).collect()
}

/// What every token of a text speaks of, and the tokens themselves.
pub(super) fn tokens_of(text: &str) -> (Vec<String>, Attributes) {
    let (mut tokens, mut attributes) = (Vec::new(), 0);
    tokenize(text, |token, role| {
        attributes |= of_token(token);
        if role == Role::Key {
            tokens.push(token.to_owned());
        }
    });
    (tokens, attributes)
}

/// The words that speak of some attributes, to search with. Those in the writing of the question stand first, with those of their kinds
/// where they are asked for themselves: a search reads only so many words.
pub(super) fn words_of(asked: Attributes, themselves: Attributes, question: &str) -> String {
    let mut all = String::new();
    if asked & WORK != 0 {
        all.push_str(JOINED);
        all.push(' ');
    }
    let writing = Writing::of(question);
    let others = if writing == Writing::Latin { Writing::Other } else { Writing::Latin };
    for writing in [writing, others] {
        let of_kinds = if writing == others { 0 } else { themselves };
        for (is_kind, of) in [(false, asked), (true, of_kinds)] {
            let own = ATTRIBUTES.iter().enumerate().filter(|(number, _)| of & (1 << number) != 0);
            for (words, kinds) in own.map(|(_, attribute)| halves(attribute)) {
                let words = if is_kind { kinds } else { words };
                for word in words.split(',').filter(|word| writing.fits(word)) {
                    all.push_str(word);
                    all.push(' ');
                }
            }
        }
    }
    all
}

/// The writing of a question, which tells in what words it may be answered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writing {
    Latin,
    Korean,
    Japanese,
    Chinese,
    /// Any of these but Latin.
    Other,
}

impl Writing {
    fn of(text: &str) -> Self {
        let is_kana = |c: char| matches!(c, '\u{3041}'..='\u{30ff}');
        match () {
            () if text.chars().any(|c| script(c) == Script::Hangul) => Self::Korean,
            () if text.chars().any(is_kana) => Self::Japanese,
            () if text.chars().any(|c| script(c) == Script::Han) => Self::Chinese,
            () => Self::Latin,
        }
    }

    /// Whether a word is of it: what is written in Chinese characters alone may be Japanese.
    fn fits(self, word: &str) -> bool {
        match self {
            Self::Latin => is_plain(word),
            Self::Other => !word.is_ascii(),
            Self::Japanese => matches!(Self::of(word), Self::Japanese | Self::Chinese),
            own => Self::of(word) == own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dog_is_no_cat() {
        let is_other = |asked: &str, told: &str| is_of_another_kind(asked_by(asked), asked_by(told));
        assert!(is_other("cat", "dog") && is_other("猫", "犬") && is_other("고양이", "강아지"));
        assert!(
            !is_other("cat", "kitten")
                && !is_other("pet", "dog")
                && !is_other("cat", "pet")
                && !is_other("cat", "piano")
        );
        assert_eq!(with_kinds(of_token("cat")) & of_token("dog"), of_token("dog"));
    }

    #[test]
    fn kinds_are_told_from_what_they_are_kinds_of() {
        let token = |word: &str| tokens_of(word).0.concat();
        let (pets, food) = (of_token(&token("pet")), of_token(&token("meal")));
        let kind = |word: &str| kind_of_token(&token(word));
        assert!(kind("Labrador") & pets != 0 && kind("Labrador") & of_token(&token("dog")) != 0);
        assert!(kind("bread") & food != 0 && kind("meal") == 0 && of_token(&token("bread")) == 0);
        // Who asks for food searches for its kinds; who asks for a kind does not search for the others.
        assert!(words_of(food, food, "?").contains("bread ") && !words_of(food, 0, "?").contains("bread "));
        assert!(is_of_another_kind(asked_by("cat"), kind("Labrador")));
    }

    #[test]
    fn allergies_are_no_meals() {
        let asks = |word: &str| {
            if word.is_ascii() { asked_by(&tokens_of(word).0.concat()) } else { asked_by(word) }
        };
        for (allergic, eats) in
            [("allergic", "bakes"), ("过敏", "吃"), ("アレルギー", "食べ"), ("알레르기", "먹")]
        {
            assert_eq!(asks(allergic), ALLERGY, "{allergic}");
            assert_eq!(asks(eats) & (FOOD | ALLERGY), FOOD, "{eats}");
            assert!(
                (tokens_of(allergic).1 | of_phrases(allergic, FOOD)) & FOOD != 0,
                "{allergic} tells of food"
            );
        }
    }

    #[test]
    fn phrases_are_words_of_their_own() {
        let asks = |text: &str, phrase: &str| of_phrases(text, of_phrases(phrase, Attributes::MAX)) != 0;
        assert!(asks("she is on sick leave", "sick leave") && asks("who lives next door?", "next door"));
        assert!(
            !asks("the most stubborn intern", "born in") && !asks("what does a person leave?", "on leave")
        );
    }
}
