//! Resolution: which entities a name may mean, each with the evidence. Nothing is merged by it; that takes somebody who
//! knows.

use super::entity::{EntityItem, EntityValue, name_of};
use super::{Graph, present};
use crate::error::Result;
use crate::log::RecordView;
use crate::memory::facts::fold;
use crate::ordered::in_order;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::Store;
use crate::time::Timestamp;
use serde::{Deserialize, Serialize};

/// The most candidates of an answer.
const MAX_CANDIDATES: usize = 20;
/// A word that more entities hold says nothing about which is meant.
const TOO_MANY: usize = 1000;
/// How many words of a name are looked for.
const MAX_WORDS: usize = 8;
/// Words before or after a name that are no part of it, lower-cased.
const TITLES: &[&str] = &[
    "mr",
    "mrs",
    "ms",
    "miss",
    "mx",
    "sir",
    "madam",
    "dr",
    "prof",
    "professor",
    "doctor",
    "herr",
    "frau",
    "monsieur",
    "madame",
    "m",
    "mme",
    "señor",
    "señora",
    "sr",
    "sra",
    "don",
    "jr",
    "씨",
    "님",
    "선생님",
    "선생",
    "교수",
    "교수님",
    "박사",
    "박사님",
    "부장",
    "부장님",
    "과장",
    "과장님",
    "대리",
    "대리님",
    "さん",
    "さま",
    "様",
    "氏",
    "君",
    "くん",
    "ちゃん",
    "先生",
];
/// Those that are written without a space behind a name.
const SUFFIXES: &[&str] = &["선생님", "씨", "님", "さん", "さま", "様", "氏", "君", "くん", "ちゃん", "先生"];

/// The name to resolve.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resolve {
    /// The name, as somebody said it.
    pub name: String,
}

/// How alike a name and an entity's are, the most alike first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Likeness {
    /// The same characters.
    Exact,
    /// The same apart from case and spaces.
    Case,
    /// The same as an alias, apart from case and spaces.
    Alias,
    /// The same words apart from titles, in any order.
    Title,
    /// All words of one, apart from titles, are words of the other.
    Part,
}

/// An entity that a name may mean.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// The entity.
    pub entity: EntityItem,
    /// How alike the names are.
    pub likeness: Likeness,
    /// What speaks for it, in words.
    pub evidence: String,
}

impl Graph {
    /// The entities that a name may mean, the likeliest first, at most 20; empty when none is like it.
    ///
    /// # Errors
    /// `InvalidInput` for a name over its limit, and those of reading.
    pub fn resolve(&self, scope: &Scope, asked: &Resolve) -> Result<Vec<Candidate>> {
        super::entity::name(&asked.name)?;
        let now = self.database.now();
        let folded = fold(&asked.name);
        let words = words(&folded);
        self.database.read(|store| {
            let mut documents = store.entities_named(scope, std::slice::from_ref(&asked.name), now);
            let mut holding = store.entities_holding(scope, &folded, now);
            holding.truncate(TOO_MANY);
            documents.extend(holding);
            for word in words.iter().take(MAX_WORDS) {
                let holding = store.entities_holding(scope, word, now);
                if holding.len() <= TOO_MANY {
                    documents.extend(holding);
                }
            }
            let mut alike = Vec::new();
            for view in in_order(documents).into_iter().filter_map(|document| store.view(document)) {
                if let Some((likeness, evidence)) = compare(&asked.name, &folded, &words, &view)? {
                    alike.push((likeness, evidence, view));
                }
            }
            let alike = sorted(&alike, |a, b| a.0.cmp(&b.0));
            let candidates = alike.into_iter().take(MAX_CANDIDATES).map(|(likeness, evidence, view)| {
                let entity = EntityItem::of(view, usize::MAX)?;
                Ok(Candidate { entity, likeness: *likeness, evidence: evidence.clone() })
            });
            candidates.collect()
        })
    }
}

/// The entity with a name, or else the first with an alias of exactly that name.
pub(super) fn known_as<'a>(
    store: &'a Store,
    scope: &Scope,
    name: &str,
    now: Timestamp,
) -> Option<RecordView<'a>> {
    present(store, scope, Kind::Entity, name, now).or_else(|| {
        let documents = store.entities_holding(scope, name, now);
        documents.into_iter().filter_map(|document| store.view(document)).find(|view| {
            let value = view.content::<EntityValue>();
            value.is_ok_and(|value| value.aliases.iter().any(|alias| alias.name == name))
        })
    })
}

fn compare(
    asked: &str,
    folded: &str,
    asked_words: &[String],
    view: &RecordView<'_>,
) -> Result<Option<(Likeness, String)>> {
    let name = name_of(view);
    if name == asked {
        return Ok(Some((Likeness::Exact, "the name is the same".to_owned())));
    }
    let folded_name = fold(name);
    if folded_name == folded {
        let evidence = format!("{asked:?} and {name:?} are the same apart from case and spaces");
        return Ok(Some((Likeness::Case, evidence)));
    }
    // A line of the text may be an alias; only then is it worth reading.
    if view.text.is_some_and(|text| text.lines().skip(1).any(|line| fold(line) == folded)) {
        let value: EntityValue = view.content()?;
        if let Some(alias) = value.aliases.into_iter().find(|alias| fold(&alias.name) == folded) {
            let evidence = format!("{name:?} is also known as {:?}: {}", alias.name, alias.evidence);
            return Ok(Some((Likeness::Alias, evidence)));
        }
    }
    let name_words = words(&folded_name);
    let (fewer, more) = if asked_words.len() <= name_words.len() {
        (asked_words, name_words.as_slice())
    } else {
        (name_words.as_slice(), asked_words)
    };
    if fewer.is_empty() || !fewer.iter().all(|word| more.contains(word)) {
        return Ok(None);
    }
    let shared = fewer.join(" ");
    Ok(Some(if fewer.len() == more.len() {
        (Likeness::Title, format!("{asked:?} and {name:?} are the same apart from titles: {shared:?}"))
    } else {
        (Likeness::Part, format!("{asked:?} and {name:?} share {shared:?}, and nothing speaks against it"))
    }))
}

/// The words of a folded name without titles.
fn words(folded: &str) -> Vec<String> {
    let split = folded.split(|c: char| c.is_whitespace() || matches!(c, '.' | ',' | '・'));
    let mut words = Vec::new();
    for word in split.filter(|word| !word.is_empty() && !TITLES.contains(word)) {
        let bare = SUFFIXES.iter().find_map(|suffix| word.strip_suffix(suffix));
        words.push(bare.filter(|bare| !bare.is_empty()).unwrap_or(word).to_owned());
    }
    words
}
