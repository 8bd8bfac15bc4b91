//! Claims: what a short fact says of one person so plainly that another fact can be told to contradict it.
//!
//! It would rather contradict nothing than something that can be true beside it. A fact with a condition, a time, a comparison or a
//! second statement makes no claim.

mod places;
mod predicate;
mod value;
mod words;

use crate::lowercase::lowercase;
use crate::memory::finding::USER_ELSEWHERE;
use crate::memory::span::MONTHS;
use places::Place;
use predicate::{LIVES, predicate};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use value::{attribute, called};
use words::{Words, is_in};

/// What the user is called among subjects.
const USER: &str = "user";

/// Relatives of whom one has one only, by all of their names.
const KIN: &[&str] =
    &["mother,mum,mom,mama", "father,dad,papa", "partner,husband,wife,spouse,boyfriend,girlfriend"];

/// The longest fact that is looked at, in bytes.
const LONGEST: usize = 160;

/// What one person can be, have or do in one way only.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    /// `user`, or the words of a name.
    pub(super) subject: String,
    what: What,
    /// Words that every fact with such a claim has, one of them at least.
    pub(super) anchors: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
enum What {
    Home(Place),
    Birthplace(Place),
    Birth(Day),
    Age(u32),
    Employer(Vec<String>),
    Marriage(Marriage),
    /// How many of something.
    Count(&'static str, u32),
    /// The value of a topic such as `favorite color`.
    Value(String, Vec<String>),
    /// The day of a topic such as `wedding`.
    Date(String, Day),
    /// The least and the most of what is eaten.
    Diet(u8, u8),
    /// Something that is liked or not.
    Taste(String, bool),
    /// What is so, or is not.
    Says(String, bool),
}

impl What {
    /// What it is about: of two with different topics both can be true.
    fn topic(&self) -> (u8, &str) {
        match self {
            Self::Home(_) => (0, ""),
            Self::Birthplace(_) => (1, ""),
            Self::Birth(_) => (2, ""),
            Self::Age(_) => (3, ""),
            Self::Employer(_) => (4, ""),
            Self::Marriage(_) => (5, ""),
            Self::Count(noun, _) => (6, noun),
            Self::Value(topic, _) => (7, topic),
            Self::Taste(object, _) => (8, object),
            Self::Says(said, _) => (9, said),
            Self::Date(topic, _) => (10, topic),
            Self::Diet(..) => (11, ""),
        }
    }
}

/// A day, as far as it was said.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Day {
    day: Option<u32>,
    month: Option<u32>,
    year: Option<u32>,
}

#[derive(Debug, Clone, PartialEq)]
enum Marriage {
    To(Option<Vec<String>>),
    Divorced,
    Widowed,
    /// Single, which who is divorced or widowed may be as well.
    Not,
}

impl Claim {
    /// The claims of a fact; `own` is the user's name.
    pub(super) fn of(text: &str, own: &[String]) -> Vec<Self> {
        let mut claims = Vec::new();
        each(text, own, &mut |subject, what, anchors| {
            // The words of a name are in all facts about somebody; the user has several.
            let first = subject.split(' ').next().filter(|first| *first != USER && !first.ends_with("'s"));
            let anchor =
                |anchor: &&str| first.map_or((*anchor).to_owned(), |first| format!("{first} {anchor}"));
            let anchors = anchors.iter().map(anchor).collect();
            claims.push(Self { subject: subject.to_owned(), what, anchors });
        });
        claims
    }

    /// Of each claim of a fact a number: claims of different numbers do not contradict each other.
    pub(super) fn topics(text: &str, own: &[String], found: &mut dyn FnMut(u32)) {
        each(text, own, &mut |subject, what, _| {
            let mut hasher = FxHasher::default();
            let (kind, topic) = what.topic();
            (subject, kind, topic).hash(&mut hasher);
            let hash = hasher.finish();
            found((hash ^ (hash >> 32)) as u32);
        });
    }

    /// Whether both cannot be true; `years` is by how much the other was said later.
    pub(super) fn contradicts(&self, other: &Self, years: f64) -> bool {
        let differ = |one: &Vec<String>, other: &Vec<String>| {
            // One may be more of the same, such as a name with the last name.
            !one.iter().all(|word| other.contains(word)) && !other.iter().all(|word| one.contains(word))
        };
        self.subject == other.subject
            && match (&self.what, &other.what) {
                (What::Home(one), What::Home(other)) | (What::Birthplace(one), What::Birthplace(other)) => {
                    one.excludes(other)
                }
                (What::Birth(one), What::Birth(other)) => one.excludes(*other),
                // Who is 34 was 33, or will be 35, on the same day of another year.
                (What::Age(one), What::Age(other)) => {
                    (f64::from(*other) - f64::from(*one) - years).abs() > 1.01
                }
                (What::Employer(one), What::Employer(other)) => differ(one, other),
                (What::Marriage(one), What::Marriage(other)) => match (one, other) {
                    (Marriage::To(Some(one)), Marriage::To(Some(other))) => differ(one, other),
                    (Marriage::To(_), Marriage::To(_)) => false,
                    (Marriage::To(_), _) | (_, Marriage::To(_)) => true,
                    (Marriage::Divorced, Marriage::Widowed) | (Marriage::Widowed, Marriage::Divorced) => true,
                    _ => false,
                },
                (What::Count(one, number), What::Count(other, count)) => one == other && number != count,
                (What::Value(one, value), What::Value(other, values)) => {
                    one == other && differ(value, values)
                }
                (What::Date(one, day), What::Date(other, days)) => one == other && day.excludes(*days),
                (What::Diet(least, most), What::Diet(from, to)) => most < from || to < least,
                (What::Taste(one, likes), What::Taste(other, liked)) => one == other && likes != liked,
                (What::Says(one, is_so), What::Says(other, was_so)) => one == other && is_so != was_so,
                _ => false,
            }
    }
}

impl Day {
    /// Reads a date of words such as `3 may 1990`; `None` for anything else.
    fn of(words: &[&str]) -> Option<Self> {
        let mut day = Self::default();
        let words = words.iter().map(|word| word.trim_end_matches(','));
        for word in words.filter(|word| !matches!(*word, "of" | "on" | "the" | "in")) {
            let number =
                ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
            if let Some(month) = MONTHS.iter().position(|month| *month == word) {
                day.month = Some(month as u32 + 1);
            } else if let [year, month, date] = word.split('-').collect::<Vec<_>>()[..] {
                // "03-06-2025" is another day elsewhere.
                let year = year.parse().ok().filter(|year| *year > 31)?;
                day = Self { year: Some(year), month: month.parse().ok(), day: date.parse().ok() };
            } else {
                match number.parse::<u32>().ok()? {
                    number @ 1..=31 => day.day = Some(number),
                    number @ 1800..=2200 => day.year = Some(number),
                    _ => return None,
                }
            }
        }
        (day != Self::default()).then_some(day)
    }

    fn excludes(self, other: Self) -> bool {
        let differ =
            |one: Option<u32>, other: Option<u32>| one.zip(other).is_some_and(|(one, other)| one != other);
        differ(self.year, other.year) || differ(self.month, other.month) || differ(self.day, other.day)
    }
}

/// Takes whom something is claimed of, what that is, and words that every such claim has one of.
type Found<'f> = &'f mut dyn FnMut(&str, What, &[&str]);

/// Reads the claims of a fact.
fn each(text: &str, own: &[String], found: Found<'_>) {
    if text.len() > LONGEST {
        return;
    }
    let lower = lowercase(text);
    let lower = if lower.is_ascii() { lower } else { lower.replace('\u{2019}', "'") };
    match Words::of(text, &lower) {
        Some(words) => read(&words, own, found),
        None => {
            if let Some(place) = elsewhere(text) {
                found(USER, What::Home(place), LIVES);
            }
        }
    }
}

fn read(words: &Words<'_>, own: &[String], found: Found<'_>) {
    let Some((name, owns, next)) = words.subject(own) else {
        if words.at(0) == "the" {
            attribute(words, 1, false, &mut |what, anchors| found("", what, anchors));
        }
        return;
    };
    match KIN.iter().find(|names| owns && is_in(names, words.at(next))) {
        Some(names) => {
            let name = format!("{name}'s {}", names.split(',').next().unwrap_or_default());
            called(words, next + 1, names, &mut |what, anchors| found(&name, what, anchors));
            predicate(words, next + 1, &mut |what, anchors| found(&name, what, anchors));
        }
        None if owns => attribute(words, next, true, &mut |what, anchors| found(&name, what, anchors)),
        None => predicate(words, next, &mut |what, anchors| found(&name, what, anchors)),
    }
}

/// A home in Korean, Japanese or Chinese, where a text names one city and says that somebody who is the user lives there.
fn elsewhere(text: &str) -> Option<Place> {
    // Behind "の", "的" and "의" it is somebody of theirs.
    let behind = USER_ELSEWHERE.iter().find_map(|user| text.strip_prefix(user))?;
    if !behind.starts_with(['は', 'が', 'も', '는', '은', '가', '住', '在', '现', '現', '目', '居', '定'])
    {
        return None;
    }
    let lives = ["산다", "살고", "살아", "거주", "住在", "居住", "住んで", "在住"];
    let unplain = [
        "않",
        "안 ",
        "아니",
        "전에",
        "예전",
        "었",
        "았",
        "ない",
        "ません",
        "以前",
        "かつて",
        "昔",
        "いた",
        "た。",
        "不",
        "没",
        "曾",
        "过",
        "？",
        "?",
    ];
    let is_home = lives.iter().any(|word| text.contains(word));
    Place::named_in(text).filter(|_| is_home && !unplain.iter().any(|word| text.contains(word)))
}
