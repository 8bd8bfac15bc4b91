//! A statement: one thing a user said about themselves.

use crate::lowercase::lowercase;
use std::ops::Range;

use super::chinese;
use super::english::counted;
use super::korean::with_particle;
use super::slot::Slot;
use super::table::{among, ends_among};
use crate::memory::Category;

/// The longest value kept, in characters; a longer one is not a plain statement.
pub const MAX_VALUE_CHARS: usize = 80;

/// What studies are called at the end of an occupation: no loss of a job ends them.
pub(super) const STUDIES: &str = "student undergrad undergraduate freshman sophomore 학생 수험생 재수생 学生 高校生 中学生 小学生 大学院生 浪人生 研究生 博士生 硕士生 高中生 初中生 中学生 小学生 留学生";

/// What nobody is who works somewhere, or has a partner, and diets of which one has one at a time.
const JOBLESS: &str = "unemployed jobless";
const SINGLE: &str = "single 싱글 솔로 独身 单身 單身 单身狗 單身狗";
const WAYS: &str = "vegetarian vegan pescatarian pescetarian";

/// Whom one can part from, in every language.
pub(super) const PARTNERS: &str = "girlfriend boyfriend fiance fiancee partner wife husband 여자친구 남자친구 여친 남친 애인 \
    아내 남편 와이프 彼女 彼氏 妻 夫 旦那 嫁 女朋友 男朋友 女友 男友 未婚夫 未婚妻 老公 老婆 丈夫 妻子 爱人 愛人 对象 對象 男票 女票";

/// Those of them whom one is married to.
pub(super) const SPOUSES: &str = "wife husband 아내 남편 와이프 妻 夫 旦那 嫁 老公 老婆 丈夫 妻子 爱人 愛人";

/// How sentences name the user, at their beginning.
const USERS: [&str; 4] = ["The user", "사용자", "ユーザー", "用户"];

/// What a statement ends besides what takes its place: "I quit my job" ends where the user works, and as what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The slot of what it ends.
    pub slot: Slot,
    /// The topics of what it ends, between spaces; any, when empty.
    pub topics: String,
    /// The value of what it ends; any, when `None`.
    pub value: Option<String>,
    /// Whether it ends that only along with something that an ending before it ends.
    pub along: bool,
}

impl Ending {
    /// What ends everything in a slot.
    #[inline(never)]
    pub fn of(slot: Slot) -> Self {
        Self { slot, topics: String::new(), value: None, along: false }
    }

    /// What ends what has one value in a slot.
    pub fn of_value(slot: Slot, value: &str) -> Self {
        Self::about(slot, "", Some(value))
    }

    /// What ends everything of some topics in a slot, or what has one value.
    #[inline(never)]
    pub(super) fn about(slot: Slot, topics: &str, value: Option<&str>) -> Self {
        Self { topics: topics.to_owned(), value: value.map(str::to_owned), ..Self::of(slot) }
    }

    /// Whether `older` is such a statement.
    pub fn concerns(&self, older: &Statement) -> bool {
        let is_meant = match &self.value {
            Some(value) => chinese::simplified(&fold(value)) == chinese::simplified(&fold(&older.value)),
            None => !is_of_work(older.slot) || studies(older) == (self.topics == STUDIES),
        };
        // Of a pet without a name the animal is all that is known.
        let counted = || chinese::counted(&older.value).unwrap_or_else(|| fold(&older.value));
        let topic = older.topic.clone().unwrap_or_else(counted);
        let is_of_these = self.topics.is_empty()
            || self.topics == STUDIES
            || among(&self.topics, &topic)
            || among(&self.topics, &chinese::simplified(&topic));
        self.slot == older.slot && is_meant && is_of_these
    }
}

/// Whether an occupation is to study.
pub(super) fn are_studies(job: &str) -> bool {
    ends_among(STUDIES, job)
}

fn is_of_work(slot: Slot) -> bool {
    matches!(slot, Slot::Job | Slot::Employer)
}

/// Whether an occupation is to study, or a place one where the user does: a school in Chinese, which tells of it in these words.
fn studies(work: &Statement) -> bool {
    match work.slot {
        Slot::Employer => work.text.contains("上学") || work.text.contains("上學"),
        _ => are_studies(&work.value),
    }
}

/// One plain statement found in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What kind of statement it is.
    pub slot: Slot,
    /// Which one of its kind, where a slot has several: `color` of a favourite, `sister` of the family.
    pub topic: Option<String>,
    /// The value as the user wrote it: `Minsu`, `Busan`, `software engineer`.
    pub value: String,
    /// The fact as a sentence in the user's language.
    pub text: String,
    /// Where in the message it was said, in bytes.
    pub quote: Range<usize>,
    /// True when the user says that this does **not**, or no longer, hold: `I don't live in Paris any more`.
    pub retracts: bool,
    /// True when it tells of a change, as `I moved to Paris` does: a time in the quote is when that was.
    pub happened: bool,
    /// True when a time in the quote is when it began, and it goes on: `I have lived in Paris since 2019`.
    pub lasts: bool,
    /// True when it is meant only if it ends something known: of whom `Rex died` tells is known from `I have a dog called Rex`.
    pub presumes: bool,
    /// What else is over.
    pub ends: Vec<Ending>,
}

impl Statement {
    /// The category its fact is filed under.
    pub fn category(&self) -> Category {
        self.slot.category()
    }

    /// How much it matters, 1 to 10.
    pub fn significance(&self) -> u8 {
        self.slot.significance()
    }

    /// The slot, topic and folded value: equal keys say the same thing.
    pub fn key(&self) -> String {
        match &self.topic {
            Some(topic) => format!("{}/{}:{}", self.slot.as_str(), fold(topic), fold(&self.value)),
            None => format!("{}:{}", self.slot.as_str(), fold(&self.value)),
        }
    }

    /// The profile field names this statement can fill, the most specific first.
    pub fn field_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        if let Some(topic) = &self.topic {
            let topic = lowercase(topic).replace(' ', "_");
            match self.slot {
                Slot::Favorite => {
                    names.extend([format!("favorite_{topic}"), format!("favourite_{topic}")]);
                }
                Slot::Family | Slot::Pet => names.extend([format!("{topic}_name"), topic]),
                _ => {}
            }
        }
        names.extend(self.slot.field_names().iter().map(|name| (*name).to_owned()));
        names
    }

    /// The same of another person who speaks for themselves, by name; `None` for what only a user says of themselves to an assistant,
    /// and for the name they are known by.
    pub fn of_person(self, name: &str) -> Option<Self> {
        let is_known = matches!(self.slot, Slot::Name | Slot::Nickname) && fold(&self.value) == fold(name);
        if is_known || self.slot == Slot::Instruction {
            return None;
        }
        let told = USERS.iter().find_map(|user| self.text.strip_prefix(user));
        let text = match told {
            Some(told) => format!("{name}{}", with_particle(name, told)),
            // "The name of the user's sister is Ana."
            None => Some(self.text.replace("the user", name)).filter(|text| *text != self.text)?,
        };
        Some(Self { text, ..self })
    }

    /// The slots of what it may end besides what takes its place, for all that it says itself.
    pub fn touched(&self) -> &'static [Slot] {
        match self.slot {
            Slot::Employer => &[Slot::Job],
            Slot::Family => &[Slot::Relationship],
            _ => &[],
        }
    }

    /// Whether `older` no longer holds once this statement is believed.
    ///
    /// A new value of a slot that holds one value replaces the old one; a retraction takes back the
    /// same value; liking and disliking the same thing exclude each other.
    pub fn supersedes(&self, older: &Statement) -> bool {
        if older.retracts {
            return !self.retracts && self.key() == older.key();
        }
        if self.retracts {
            return self.key() == older.key();
        }
        if self.slot.opposites().contains(&older.slot) {
            return fold(&self.value) == fold(&older.value);
        }
        let ends = |slot: Slot, values: &str| older.slot == slot && among(values, &lowercase(&older.value));
        let is_partner = || {
            self.topic.as_deref().is_some_and(|topic| among(PARTNERS, topic))
                || among(PARTNERS, &fold(&self.value))
        };
        match self.slot {
            // Who works is not unemployed, nobody follows two diets, and who has a partner is not single.
            Slot::Employer if ends(Slot::Job, JOBLESS) => return true,
            Slot::Diet if among(WAYS, &lowercase(&self.value)) && ends(Slot::Diet, WAYS) => {
                return self.key() != older.key();
            }
            Slot::Family if ends(Slot::Relationship, SINGLE) && is_partner() => return true,
            // "Google Docs" behind "Google" need be no other workplace.
            Slot::Employer | Slot::Place if goes_on(&self.value, &older.value) => return false,
            _ => {}
        }
        // "I have three kids" behind "I have two kids".
        let counts = |it: &Self| {
            let what = || counted(&it.value).map(fold).or_else(|| chinese::counted(&it.value));
            if it.topic.is_none() { what() } else { None }
        };
        let is_counted = matches!(self.slot, Slot::Family | Slot::Pet) && counts(self).is_some();
        self.slot == older.slot
            && (!self.slot.holds_many()
                || is_counted && (counts(self) == counts(older) || grows(self, older)))
            && self.topic.as_deref().map(fold) == older.topic.as_deref().map(fold)
            && self.key() != older.key()
    }
}

/// Whether there are several now of what there was one of: 两只猫 behind 猫.
fn grows(newer: &Statement, older: &Statement) -> bool {
    chinese::counted(&newer.value).is_some_and(|what| what == chinese::simplified(&older.value))
}

/// Whether a value is another one with more words behind it.
fn goes_on(longer: &str, value: &str) -> bool {
    let (head, rest) = longer.split_at_checked(value.len()).unwrap_or_default();
    head.eq_ignore_ascii_case(value) && rest.starts_with(' ')
}

/// Lower case, letters and digits only, single spaces, no leading article or "to", no plural "s".
pub(crate) fn fold(value: &str) -> String {
    let lower = lowercase(value);
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut folded = String::with_capacity(lower.len());
    for word in words {
        if folded.is_empty() && matches!(word, "a" | "an" | "the" | "to") {
            continue;
        }
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    if folded.is_ascii() && folded.len() > 3 && folded.ends_with('s') && !folded.ends_with("ss") {
        folded.pop();
    }
    folded
}
