//! Whom a question is about, and whom a fact is about.

use super::about::{About, OwnName, is_own, is_person};
use super::assistant;
use super::attributes::{Attributes, HOME, LANGUAGE, PETS, kind_of_token, tokens_of};
use super::first_person::{FirstPerson, first_person, speaker};
use super::kin::{kin, kin_in};
use super::named::{ELSE, LIKELY_USER, MENTIONED, NOBODY, Named, OTHERS};
use super::others::Others;
use super::relatives::{has_self_beside_kin, relative, relative_at, relative_by_name};
use super::small_letters;
use super::titles;
use super::{wide, wide_names};
use crate::among::among;
use crate::index::lexical::{Language, MAX_QUERY_TERMS, Words, is_stop_word, language};
use crate::memory::finding::turns::BEFORE_MONTHS;
use crate::memory::span::MONTHS;
use crate::sort::sorted;
use std::ops::Range;

/// What the others count beside the one that a fact fits best, in a question about several.
const OTHERS_COUNT: f32 = 0.3;

/// Capitalised words that name nobody, beside months.
pub(super) const NO_NAMES: &str =
    "monday tuesday wednesday thursday friday saturday sunday mr mrs ms dr prof professor";

/// How sentences begin that are about others.
pub(super) const THEY: &[&str] = &["he", "her", "his", "she", "their", "they"];

/// What is left of what is about somebody else than those of the people around the user who are asked about.
const STRANGER: f32 = 0.5;

/// What is left of what does not name whom or what a question names.
const WITHOUT_NAME: f32 = 0.5;

/// What is left of what does not tell that somebody is the user's so-and-so, where that is to be confirmed.
const UNCONFIRMED: f32 = 0.5;

/// What somebody lives in, of whom it is asked where they live.
const HOMES: &str = "apartment flat home house room";

/// How many words behind "my" may say what is the user's: "my new flat".
const OWNED: usize = 2;

/// A month that is a name as well.
const MAY: &str = "may";

/// Whom a question is about.
#[derive(Debug, Default)]
pub(super) struct People {
    pub(super) named: Vec<Named>,
    /// Whether the user speaks of themselves.
    pub(super) is_of_user: bool,
    /// The same, not counting that they are to be told something, or given.
    pub(super) is_of_self: bool,
    /// Whether the user speaks of themselves with others.
    is_of_several: bool,
    /// Whether it asks how the assistant is, or where it lives: of nobody else.
    pub(super) is_of_assistant: bool,
    /// Whether it is about somebody else whom it does not name.
    pub(super) is_of_them: bool,
    /// What it begins with that may be somebody's name in Korean, Japanese or Chinese.
    pub(super) topic: Option<String>,
    /// The words of the question that name somebody; they ask for nothing else.
    pub(super) words: Vec<String>,
    /// Names of which no fact begins with one, but some speak.
    pub(super) mentioned: Vec<String>,
    /// Whether it asks what was before or after something, which what answers need not name.
    is_of_turn: bool,
    /// Whether it asks what the user is or does, and not who or what belongs to them.
    is_of_i: bool,
    /// The words behind "my", of which one says what belongs to the user.
    owned: Vec<String>,
    /// Whether it asks for whoever of the people around the user something is true of.
    others: Option<Circle>,
}

/// Some of the people around the user.
#[derive(Debug)]
struct Circle {
    /// Whether the user may be one of them.
    has_user: bool,
    /// Those whom facts say to be of them.
    named: Vec<Named>,
}

impl Circle {
    /// How well a fact fits them: anybody may be one of whom nothing tells.
    fn fit(&self, about: &About<'_>) -> f32 {
        // "The user's dog" is the user's, and the user's sister is one of the others.
        if about.is_of_user && about.kin.is_none_or(|kin| kin & PETS != 0) {
            return if self.has_user { LIKELY_USER } else { OTHERS };
        }
        let is_one = |named: &Named| named.fit(about) >= MENTIONED;
        match self.named.iter().any(|named| !named.names.is_empty()) {
            true if !self.named.iter().any(is_one) => STRANGER,
            _ => 1.0,
        }
    }
}

impl People {
    /// From a question and the facts that may answer it.
    pub(super) fn of(question: &str, abouts: &[&About<'_>], own: &OwnName) -> Self {
        let mut words = Words::of(question);
        words.truncate(MAX_QUERY_TERMS);
        let mut people = Self::default();
        let is_known = |word: &str| {
            own.iter().any(|part| part == word)
                || small_letters::is_written(word, abouts)
                || small_letters::owner(word, abouts).is_some()
        };
        let is_capital = |place: usize| words.get(place).is_some_and(|word| word.is_capital && !word.begins);
        let has_capitals = (0..words.len()).any(|place| is_capital(place) && words.lower(place) != "i");
        // German writes every noun with a capital.
        let language = language(question);
        let is_german = language == Some(Language::German);
        let is_english = question.is_ascii() && language.is_none();
        // Before a name it is one with a typing error.
        let is_stranger = |place: usize| {
            is_english
                && small_letters::stands_for_somebody(&words, place)
                && !is_known(words.lower(place + 1))
        };
        let is_name = |place: usize| {
            let Some(word) = words.get(place) else { return false };
            let lower = words.lower(place);
            let is_somebody = || abouts.iter().any(|about| about.is_of(lower));
            if is_month(&words, place) && !(lower == MAY && is_somebody())
                || among(NO_NAMES, lower)
                || first_person(&words, place).is_some()
            {
                return false;
            }
            if word.is_capital && !word.begins {
                // Nor do "TV" and "Spanish" name anybody.
                let is_told = is_german || word.is_acronym || is_language(lower);
                return !is_told || abouts.iter().any(|about| about.is_of(lower));
            }
            // "The" and "on" begin facts as names do.
            (word.is_capital || !has_capitals)
                && (word.owns || !is_stop_word(lower))
                && (is_known(lower) || is_stranger(place))
        };
        people.is_of_turn = words.iter().any(|word| matches!(word, "before" | "after"));
        people.is_of_self = (0..words.len()).any(|place| speaker(&words, place).is_some());
        let has = |some: &str| words.iter().any(|word| among(some, word));
        people.is_of_i = has("i i'm i've i'd") && !has("me mine my our us");
        let spoken = About::of(question, &[]);
        let mut place = 0;
        while place < words.len() {
            let lower = words.lower(place);
            match first_person(&words, place) {
                Some(FirstPerson::One) => people.is_of_user = true,
                Some(FirstPerson::Several) => {
                    people.is_of_user = true;
                    people.is_of_several = true;
                }
                None => {}
            }
            if matches!(lower, "my" | "our") {
                let behind = (1..=OWNED).map(|on| words.lower(place + on)).filter(|word| !is_stop_word(word));
                people.owned.extend(behind.filter(|word| !word.is_empty()).map(str::to_owned));
            }
            if let Some((named, length)) = relative_by_name(&words, place, abouts) {
                people.words.extend((place..place + length).map(|place| words.lower(place).to_owned()));
                people.words.extend(named.names.iter().flatten().cloned());
                people.named.push(named);
                place += length;
                continue;
            }
            if let Some(named) = relative_at(&words, place, abouts) {
                if !people.named.iter().any(|known| known.kin == named.kin) {
                    people.named.push(named);
                }
                people.words.push(lower.to_owned());
                place += 1;
                continue;
            }
            if !is_name(place) {
                place += 1;
                continue;
            }
            let first = place;
            let mut name: Vec<String> = Vec::new();
            while let Some(word) =
                words.get(place).filter(|word| is_name(place) && (name.is_empty() || word.joins))
            {
                let lower = words.lower(place);
                let owner = (!word.is_capital).then(|| small_letters::owner(lower, abouts)).flatten();
                name.push(owner.unwrap_or(lower).to_owned());
                place += 1;
                if word.owns || owner.is_some() {
                    break;
                }
            }
            let written = name.clone();
            let name = corrected(name, abouts);
            let is_user =
                is_own(name.iter().map(String::as_str), own) && !is_told_apart(&words, first..place);
            // In "my friend Joanna has a dog" she is somebody as well.
            let is_subject = |about: &About<'_>| {
                name.first().is_some_and(|first| about.is_of(first) || about.called() == Some(first))
            };
            let is_mentioned = |about: &About<'_>| name.iter().all(|word| about.mentions(word));
            // "Does Ann live in Leeds?": where messages are judged nothing else tells who is a person.
            let is_place = abouts.is_empty()
                && first.checked_sub(1).is_some_and(|before| among("in at near", words.lower(before)));
            if !is_user && is_place && !people.named.is_empty() {
                people.mentioned.extend(name);
                continue;
            }
            // What is named beside people, such as a town, is asked for like any other word.
            if !is_user
                && !abouts.iter().any(|about| is_subject(about))
                && abouts.iter().any(|about| is_mentioned(about))
            {
                people.mentioned.extend(name);
                continue;
            }
            people.words.extend(written);
            people.words.extend(name.iter().cloned());
            // "Hey Bob, what do I drive?" is not about Bob.
            if people.is_of_self && name.len() == 1 && name.iter().all(|name| spoken.addresses(name)) {
                continue;
            }
            let named = Named { names: vec![name], kin: &[], is_user, wide: None };
            if !people.named.iter().any(|known| known.names == named.names && known.kin.is_empty()) {
                people.named.push(named);
            }
        }
        // "Tell me about Ann" is about Ann.
        if !people.named.is_empty() || !people.mentioned.is_empty() {
            people.is_of_user &= people.is_of_self;
        }
        // "my brother" is about the brother.
        if people.named.iter().any(|named| !named.kin.is_empty()) && !has_self_beside_kin(&words) {
            people.is_of_user = false;
        }
        if let Some(others) = Others::of(&words).filter(|_| people.named.is_empty()) {
            let named = others.kin.iter().map(|kin| relative(kin, abouts)).collect();
            people.others = Some(Circle { has_user: others.has_user, named });
            people.words.extend(others.words);
            people.owned.clear();
            people.is_of_user = false;
        }
        if wide::is_wide(question) {
            people.read_wide(question, abouts);
        }
        if people.is_of_nobody() && wide::is_wide(question) {
            people.topic = wide::topic(question).map(str::to_owned);
        }
        people.is_of_assistant = people.is_of_nobody() && assistant::is_of_assistant(question, &words);
        people.is_of_them = people.is_of_nobody() && words.iter().any(|word| THEY.contains(&word));
        people
    }

    /// Whom a question in Korean, Japanese or Chinese is about.
    fn read_wide(&mut self, question: &str, abouts: &[&About<'_>]) {
        let facts = || abouts.iter().map(|about| about.wide).filter(|fact| !fact.is_empty());
        let known = wide_names::named(facts());
        self.is_of_user |= wide::is_of_self(question);
        let titled = titles::titled(question);
        let mut names = titled.clone();
        for (name, _) in &known {
            let called = [Some(name.as_str()), wide_names::given(name)].into_iter().flatten();
            names.extend(called.filter(|name| wide::names_in(question, name)).map(str::to_owned));
        }
        names.sort_unstable_by_key(|name| std::cmp::Reverse(name.len()));
        let mut seen: Vec<String> = Vec::new();
        for name in names {
            if seen.iter().any(|longer| longer.contains(&name)) {
                continue;
            }
            // Facts may call them by the given name alone.
            let is_named = |name: &str| facts().any(|fact| fact.contains(name));
            let given = wide_names::given(&name).filter(|given| !is_named(&name) && is_named(given));
            let called = given.unwrap_or(&name).to_owned();
            self.words.extend(titles::titles_of(&name, question));
            self.words.push(called.clone());
            self.named.push(Named::wide(vec![called], Vec::new()));
            seen.push(name);
        }
        let relatives = kin_in(question);
        let mut start = None;
        for of in relatives.iter().filter(|of| start.replace(of.start) != Some(of.start)) {
            let alike = relatives.iter().filter(|other| other.start == of.start).map(|other| other.line);
            let lines: Vec<usize> = alike.collect();
            let is_one = |line: &Option<usize>| line.is_some_and(|line| lines.contains(&line));
            let names = known.iter().filter(|(_, line)| is_one(line)).map(|(name, _)| name.clone()).collect();
            self.words.extend(question.get(of.start..of.end).map(str::to_owned));
            self.is_of_user = false;
            // A long text names the same ones again and again.
            let is_same = |named: &Named| named.wide.as_ref().is_some_and(|(_, kin)| *kin == lines);
            if !self.named.iter().any(is_same) {
                self.named.push(Named::wide(names, lines));
            }
        }
    }

    /// Whether a sentence only calls those who are named, and says nothing of them: "Thanks, Bob!"
    pub(super) fn addresses(&self, about: &About<'_>) -> bool {
        let mut names = self.named.iter().flat_map(|named| named.names.iter().flatten());
        names.any(|name| about.addresses(name))
    }

    /// Whether it names nobody, and is not about the user or the people around them.
    pub(super) fn is_of_nobody(&self) -> bool {
        self.named.is_empty() && self.mentioned.is_empty() && !self.is_of_user && self.others.is_none()
    }

    /// Whether it is about no person, though it may name a town.
    pub(super) fn is_of_no_person(&self) -> bool {
        self.named.is_empty() && !self.is_of_user && self.others.is_none()
    }

    /// What is left of what names none of those who are named beside the user, or of what is asked for by name.
    pub(super) fn left_without_name(&self, about: &About<'_>) -> f32 {
        if self.is_of_turn {
            return 1.0;
        }
        let is_named = |named: &&Named| named.wide.is_none() && named.is_another() && named.kin.is_empty();
        let mut others = self.named.iter().filter(is_named).peekable();
        let is_without =
            self.is_of_user && others.peek().is_some() && !others.any(|named| named.is_named_in(about))
                || !self.mentioned.is_empty() && !self.mentioned.iter().any(|name| about.mentions(name));
        if is_without { WITHOUT_NAME } else { 1.0 }
    }

    /// What is left of what is not about all who are named, where it is to be confirmed that somebody of a name is the user's so-and-so:
    /// that Tom is the boss makes him no husband, and the husband may be called otherwise.
    pub(super) fn left_unconfirmed(&self, about: &About<'_>) -> f32 {
        let is_named = |named: &Named| named.is_another() && !named.is_kin();
        let are_both = self.named.iter().any(Named::is_kin) && self.named.iter().any(is_named);
        let is_told = || self.named.iter().all(|named| named.fit(about) >= MENTIONED);
        if are_both && !is_told() { UNCONFIRMED } else { 1.0 }
    }

    /// Whether a fact says of whom it is about that they are the relative or the pet who is named.
    pub(super) fn names_kin(&self, about: &About<'_>) -> bool {
        self.named.iter().any(|named| !named.kin.is_empty() && about.is_kin(named.kin))
    }

    /// A question without the names in it.
    pub(super) fn left_out(&self, question: &str) -> String {
        let names = sorted(&self.words, |one, other| other.len().cmp(&one.len()));
        names.into_iter().fold(question.to_owned(), |rest, name| rest.replace(name.as_str(), ""))
    }

    /// The words of all names in it.
    pub(super) fn names(&self) -> [&[String]; 2] {
        [&self.words, &self.mentioned]
    }

    /// Whether it is about the user, also by name.
    pub(super) fn means_user(&self) -> bool {
        self.is_of_user || self.named.iter().any(|named| named.is_user)
    }

    /// Whether a fact tells of those who are named; where nobody is, of the user.
    pub(super) fn are_told_by(&self, about: &About<'_>) -> bool {
        self.named.is_empty() || self.named.iter().any(|named| named.fit(about) >= MENTIONED)
    }

    /// The names to search with, beside those that stand in the question.
    pub(super) fn other_names(&self) -> String {
        let mut all = String::new();
        let circle = self.others.iter().flat_map(|circle| &circle.named);
        for named in self.named.iter().chain(circle) {
            let wide = named.wide.iter();
            let names = named.names.iter().flatten().chain(wide.clone().flat_map(|(names, _)| names));
            let kin = wide.flat_map(|(_, kin)| kin).map(|line| super::kin::words_of(*line));
            for name in names.map(String::as_str).chain(named.kin.iter().copied()).chain(kin) {
                all.push_str(name);
                all.push(' ');
            }
        }
        all
    }

    /// How well a fact fits whom the question is about, which asks for some attributes, 0 to 1.
    pub(super) fn fit(&self, about: &About<'_>, asked: Attributes) -> f32 {
        // Who asks whether they have a sister is told of her, and who names her is too.
        let is_of_kin = about.kin.is_some_and(|kin| kin & asked == 0) && !about.is_called(&self.mentioned);
        let is_owned = |word: &str| {
            self.owned.iter().any(|owned| owned == word)
                || asked & HOME != 0 && among(HOMES, word)
                || asked & tokens_of(word).1 != 0
        };
        let of_user = self.is_of_user.then(|| {
            if is_of_kin {
                OTHERS
            } else if about.is_of_user {
                1.0
            } else if about.mentions_user() {
                MENTIONED
            } else if about.begins_with_thing(is_owned) || wide::leaves_out_subject(about.wide) {
                LIKELY_USER
            } else if self.is_of_several && self.named.is_empty() {
                NOBODY
            } else if self.named.is_empty() && !(self.is_of_i && about.is_of_another()) {
                OTHERS
            } else {
                0.0
            }
        });
        let (mut count, mut sum, mut most) = (0.0, 0.0, 0.0_f32);
        // "Tom's boss" is not Tom.
        let of_named = |named: &Named| {
            // Of a user called Nora, "Nora's mother" is "my mother".
            let is_own = about.is_of_user && named.is_kin();
            let is_other = is_of_kin && about.subject_length() > 0 && !is_own && !named.is_called_in(about);
            let most = if is_other { OTHERS } else { 1.0 };
            named.fit(about).min(most)
        };
        for fit in self.named.iter().map(of_named).chain(of_user) {
            (count, sum, most) = (count + 1.0, sum + fit, most.max(fit));
        }
        if self.is_of_assistant {
            return if about.mentions("assistant") { 1.0 } else { ELSE };
        }
        if let Some(others) = self.others.as_ref().filter(|_| count == 0.0) {
            return others.fit(about);
        }
        if count == 0.0 {
            return match about.is_of_user {
                true if self.is_of_them && !is_of_kin => OTHERS,
                true => LIKELY_USER,
                false => NOBODY,
            };
        }
        let mean = sum / count;
        (most * (1.0 - OTHERS_COUNT + OTHERS_COUNT * mean)).max(ELSE)
    }
}

fn is_language(word: &str) -> bool {
    tokens_of(word).0.iter().any(|token| kind_of_token(token) & LANGUAGE != 0)
}

/// Whether what stands beside a name says that it is not the user's: "my friend Nora", "Nora, my sister", "Nora from Acme".
fn is_told_apart(words: &Words, name: Range<usize>) -> bool {
    let is_somebody = |place: usize| kin(words.lower(place)).is_some() || is_person(words.lower(place));
    let is_own = |place: usize| matches!(words.lower(place), "my" | "our");
    let before = |back: usize| name.start.checked_sub(back);
    before(1).is_some_and(is_somebody) && before(2).is_some_and(is_own)
        || is_own(name.end) && is_somebody(name.end + 1)
        || words.lower(name.end) == "from"
}

/// Whether a word is the name of a month. "May" is a name as well, unless what stands beside it tells.
fn is_month(words: &Words, place: usize) -> bool {
    let before = place.checked_sub(1).map_or("", |before| words.lower(before));
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    match words.lower(place) {
        MAY => among(BEFORE_MONTHS, before) || is_number(before) || is_number(words.lower(place + 1)),
        word => MONTHS.contains(&word),
    }
}

/// A name with the spelling of the one that is known.
fn corrected(name: Vec<String>, abouts: &[&About<'_>]) -> Vec<String> {
    let is_known = |word: &String| abouts.iter().any(|about| about.mentions(word));
    let correct = |word: String| {
        if is_known(&word) {
            return word;
        }
        let mut known = abouts.iter().flat_map(|about| about.subject().chain(about.called()));
        let near = known.find(|known| super::typo::is_name_typo(&word, known));
        near.map_or(word, str::to_owned)
    };
    name.into_iter().map(correct).collect()
}
