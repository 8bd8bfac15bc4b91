//! Traits: what the user is like in ninety dimensions, and what the assistant has become to them.

use crate::error::Result;
use crate::id::Id;
use crate::json::to_value;
use crate::log::RecordView;
use crate::memory::source::{MAX_SOURCES, add_sources};
use crate::record::{Kind, Provenance, Record};
use crate::scope::Scope;
use crate::store::{Draft, Expect, Store};
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json as object;

/// The beginnings of the keys: traits of the user, what stays the same of the assistant, statements about it.
pub(crate) const USER: &str = "user/";
pub(crate) const PROFILE: &str = "profile/";
pub(crate) const AGENT: &str = "agent/";
/// How many pieces of evidence a trait keeps, the latest, and how many characters of one.
const EVIDENCE: usize = 5;
pub(crate) const EVIDENCE_CHARACTERS: usize = 200;

/// The dimensions, one a line: the word by which prompts call it and its name, or both in one. The headings are those of prompts.
const LIST: &str = include_str!("traits.txt");

/// How many dimensions there are.
pub const DIMENSIONS: usize = 90;

/// A group of dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// Basic needs and personality.
    Personality,
    /// How the user wants the assistant to be.
    Alignment,
    /// What the user likes to hear and read about.
    Interests,
}

/// One dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dimension {
    /// Its name, such as `wish for brevity`.
    pub name: &'static str,
    /// What prompts call it, in one word: `brevity`.
    pub word: &'static str,
    /// Its group.
    pub group: Group,
}

impl Dimension {
    /// Every dimension, in the order of the list.
    pub fn all() -> impl Iterator<Item = Self> {
        let mut group = Group::Personality;
        LIST.lines().filter_map(move |line| {
            let Some(heading) = line.strip_prefix("# ") else {
                let (word, name) = line.split_once(": ").unwrap_or((line, line));
                return Some(Self { name, word, group });
            };
            group = match heading {
                "needs" | "character" => Group::Personality,
                "interests" => Group::Interests,
                _ => Group::Alignment,
            };
            None
        })
    }

    /// The dimension of a name, or of the word for it.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::all().find(|dimension| dimension.name == name || dimension.word == name)
    }

    /// The words for all of them, each kind on a line, as a prompt shows them.
    pub(crate) fn words() -> String {
        let mut told = String::new();
        for line in LIST.lines() {
            if let Some(heading) = line.strip_prefix("# ") {
                told.push_str(if told.is_empty() { "" } else { "\n" });
                told.push_str(heading);
                told.push(':');
            } else {
                told.push(' ');
                told.push_str(line.split_once(": ").map_or(line, |(word, _)| word));
            }
        }
        told
    }
}

/// How marked a trait is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Hardly at all, or the contrary.
    Low,
    /// As with most people.
    Medium,
    /// Very much.
    High,
}

impl Level {
    fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// What the record of a trait of the user holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct TraitValue {
    pub(crate) name: String,
    pub(crate) group: Group,
    pub(crate) level: Level,
    pub(crate) confidence: f64,
    pub(crate) evidence: Vec<String>,
}

/// A trait of the user, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Trait {
    /// Its id.
    pub id: Id,
    /// Its name, one of the dimensions.
    pub name: String,
    /// Its group.
    pub group: Group,
    /// How marked it is.
    pub level: Level,
    /// How sure that is, 0 to 1.
    pub confidence: f64,
    /// What showed it, the latest first, at most 5.
    pub evidence: Vec<String>,
    /// Whether the user wants it kept as it is.
    pub pinned: bool,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The messages or pages that showed it.
    pub source: Vec<Provenance>,
}

/// A statement about the assistant, as applications see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentTrait {
    /// Its id.
    pub id: Id,
    /// The statement.
    pub text: String,
    /// Whether the user wants it kept as it is.
    pub pinned: bool,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Trait {
    /// The traits of the user, in the order in which they first showed.
    pub(crate) fn all(store: &Store, scope: &Scope) -> Result<Vec<Self>> {
        let views = store.by_key_prefix(scope, Kind::Trait, USER);
        views.iter().map(Self::of).collect()
    }

    fn of(view: &RecordView<'_>) -> Result<Self> {
        let value: TraitValue = view.content()?;
        Ok(Self {
            id: view.id,
            name: value.name,
            group: value.group,
            level: value.level,
            confidence: value.confidence,
            evidence: value.evidence,
            pinned: view.pinned,
            updated_at: view.updated_at,
            source: view.provenance()?,
        })
    }
}

impl AgentTrait {
    pub(crate) fn of(view: &RecordView<'_>) -> Self {
        let text = view.text.unwrap_or_default().to_owned();
        Self { id: view.id, text, pinned: view.pinned, updated_at: view.updated_at }
    }
}

/// Adds what a trait has become to a draft; one that the user pinned stays as it is.
pub(crate) fn put_trait(
    store: &Store,
    draft: &mut Draft,
    mut value: TraitValue,
    source: Option<Provenance>,
    new: Id,
    now: Timestamp,
) -> Result<()> {
    let key = format!("{USER}{}", value.name);
    let view = store.by_key(&draft.scope, Kind::Trait, &key);
    let mut record = match view {
        Some(view) if view.pinned => return Ok(()),
        Some(view) => view.to_record(&draft.scope)?,
        None => Record::new(new, Kind::Trait, draft.scope.clone(), now),
    };
    if let Some(view) = view {
        let before: TraitValue = view.content()?;
        for evidence in before.evidence {
            if value.evidence.len() < EVIDENCE && !value.evidence.contains(&evidence) {
                value.evidence.push(evidence);
            }
        }
    }
    if let Some(source) = source
        && !record.provenance.contains(&source)
    {
        record.provenance.insert(0, source);
        record.provenance.truncate(EVIDENCE);
    }
    record.key = Some(key);
    record.text = Some(format!("{}: {}", value.name, value.level.as_str()));
    record.value = to_value(&value)?;
    draft.put(record, view.map_or(Expect::Absent, |view| Expect::Revision(view.revision)), None);
    Ok(())
}

/// Adds something that stays the same of the assistant to a draft, if it says anything new; what the user pinned stays.
pub(crate) fn put_profile(
    store: &Store,
    draft: &mut Draft,
    (name, value): (&str, &str),
    source: Option<Provenance>,
    new: Id,
    now: Timestamp,
) -> Result<()> {
    let key = format!("{PROFILE}{name}");
    let view = store.by_key(&draft.scope, Kind::Trait, &key);
    let text = format!("{name}: {value}");
    let mut record = match view {
        Some(view) if view.pinned || view.text == Some(text.as_str()) => return Ok(()),
        Some(view) => view.to_record(&draft.scope)?,
        None => Record::new(new, Kind::Trait, draft.scope.clone(), now),
    };
    record.key = Some(key);
    record.value = object!({ "name": name, "value": value });
    record.text = Some(text);
    add_sources(&mut record, source.as_slice(), MAX_SOURCES);
    draft.put(record, view.map_or(Expect::Absent, |view| Expect::Revision(view.revision)), None);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_ninety_dimensions_in_three_groups() {
        let all: Vec<Dimension> = Dimension::all().collect();
        assert_eq!(all.len(), DIMENSIONS);
        let of = |group| all.iter().filter(|dimension| dimension.group == group).count();
        assert_eq!(
            [of(Group::Personality), of(Group::Alignment), of(Group::Interests)],
            [32, 28, 30],
            "every line belongs to the group above it"
        );
        let mut called: Vec<&str> =
            all.iter().flat_map(|dimension| [dimension.name, dimension.word]).collect();
        let same = all.iter().filter(|dimension| dimension.name == dimension.word).count();
        called.sort_unstable();
        called.dedup();
        assert_eq!(called.len(), 2 * DIMENSIONS - same, "what one is called is not what another is called");
        assert!(
            all.iter().all(|dimension| !dimension.word.contains(' ')),
            "prompts tell them apart by spaces"
        );
    }

    #[test]
    fn a_dimension_is_known_by_its_name_and_by_its_word() {
        let brevity = Dimension::named("brevity");
        assert_eq!(brevity.map(|dimension| dimension.name), Some("wish for brevity"));
        assert_eq!(Dimension::named("wish for brevity"), brevity);
        assert_eq!(Dimension::named("curiosity").map(|dimension| dimension.group), Some(Group::Personality));
        assert_eq!(Dimension::named("Curiosity"), None);
        let told = Dimension::words();
        assert!(told.starts_with("needs: rest safety order"), "{told}");
        assert!(told.contains("\ninterests: science technology") && told.ends_with(" film"), "{told}");
    }
}
