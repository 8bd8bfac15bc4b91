//! What the model distils from segments: facts and fields as in an extraction, traits, and what is known of the assistant.

use crate::error::{Code, Error, Result};
use crate::lowercase::lowercase;
use crate::memory::extract::{ABOUT, Extractor};
use crate::memory::pages::PROFILE_NAMES;
use crate::memory::pages::clipped;
use crate::memory::pages::{Dimension, EVIDENCE_CHARACTERS, Level};
use crate::schema::{Schema, Violation};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The most characters of a name and of a statement about the assistant.
const NAME_CHARACTERS: usize = 60;
const STATEMENT_CHARACTERS: usize = 400;
/// The most traits, and the most statements about the assistant, of one answer.
const MAX_ITEMS: usize = 32;

/// An answer that passed its checks, beside its facts and fields.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Distilled {
    pub(super) traits: Vec<TraitAnswer>,
    pub(super) agent_profile: Vec<ProfileAnswer>,
    pub(super) agent: Vec<AgentAnswer>,
}

/// What is said of one dimension.
#[derive(Debug, Deserialize)]
pub(super) struct TraitAnswer {
    pub(super) name: String,
    pub(super) level: Level,
    pub(super) confidence: f64,
    pub(super) evidence: String,
    #[serde(default)]
    pub(super) message: Option<usize>,
}

/// What stays the same of the assistant.
#[derive(Debug, Deserialize)]
pub(super) struct ProfileAnswer {
    pub(super) name: String,
    pub(super) value: String,
    #[serde(default)]
    pub(super) message: Option<usize>,
}

/// A statement about the assistant.
#[derive(Debug, Deserialize)]
pub(super) struct AgentAnswer {
    /// The number of the known one whose place it takes, from 1.
    #[serde(default)]
    pub(super) target: Option<usize>,
    pub(super) text: String,
    #[serde(default)]
    pub(super) message: Option<usize>,
}

/// The shape of an answer, and its form as the prompt shows it.
pub(super) fn schema(extractor: &Extractor) -> Result<(Schema, String)> {
    let mut document = extractor.answer_of_lessons()?;
    let number = json!({ "type": ["integer", "null"], "minimum": 1 });
    let words = json!({ "type": "string", "minLength": 1 });
    let list = |properties: Value, required: &[&str]| {
        let items = json!({ "type": "object", "properties": properties, "required": required });
        json!({ "type": "array", "maxItems": MAX_ITEMS, "items": items })
    };
    let own = [
        (
            "traits",
            list(
                json!({
                    "name": words,
                    "level": { "enum": ["low", "medium", "high"] },
                    "confidence": { "type": "number", "minimum": 0, "maximum": 1 },
                    "evidence": words,
                    "message": number,
                }),
                &["name", "level", "confidence", "evidence"],
            ),
        ),
        (
            "agent_profile",
            list(json!({ "name": words, "value": words, "message": number }), &["name", "value"]),
        ),
        ("agent", list(json!({ "target": number, "text": words, "message": number }), &["text"])),
    ];
    let unusable = || Error::new(Code::Internal, "the schema of an extraction is none of an object");
    let required = document.get_mut("required").and_then(Value::as_array_mut).ok_or_else(unusable)?;
    required.push("traits".into());
    let properties = document.get_mut("properties").and_then(Value::as_object_mut).ok_or_else(unusable)?;
    properties.extend(own.map(|(name, list)| (name.to_owned(), list)));
    let form = form(properties);
    Ok((Schema::compile(&document)?, form))
}

/// The lists of an answer with the keys of their items. Whom a fact is about is the user here.
fn form(lists: &Map<String, Value>) -> String {
    let list = |(name, list): (&String, &Value)| {
        let keys = list.pointer("/items/properties").and_then(Value::as_object);
        let keys = keys.into_iter().flat_map(Map::keys).filter(|key| *key != ABOUT);
        format!("\"{name}\":[{{{}}}]", keys.map(String::as_str).collect::<Vec<_>>().join(","))
    };
    format!("{{{}}}", lists.iter().map(list).collect::<Vec<_>>().join(","))
}

/// Leaves out what an answer adds beyond so many facts and statements about the assistant, and beyond what is kept of what stays
/// the same of it: the last.
pub(super) fn bound(answer: &mut Value, most: usize) {
    for (list, most) in [("facts", most), ("agent", most), ("agent_profile", most.min(PROFILE_NAMES))] {
        let Some(items) = answer.get_mut(list).and_then(Value::as_array_mut) else { continue };
        let mut added = 0;
        items.retain(|item| {
            let changes = item.get("target").is_some_and(Value::is_number);
            added += usize::from(!changes);
            changes || added <= most
        });
    }
}

impl Distilled {
    pub(super) fn read(answer: &Value) -> Result<Self> {
        let mut read: Self = crate::json::from_value(answer.clone()).map_err(|error| {
            Error::new(Code::Internal, format!("a checked answer is not readable: {error}"))
        })?;
        for found in &mut read.traits {
            found.evidence = clipped(&found.evidence, EVIDENCE_CHARACTERS);
        }
        for part in &mut read.agent_profile {
            part.name = lowercase(&clipped(&part.name, NAME_CHARACTERS));
            part.value = clipped(&part.value, STATEMENT_CHARACTERS);
        }
        for statement in &mut read.agent {
            statement.text = clipped(&statement.text, STATEMENT_CHARACTERS);
        }
        Ok(read)
    }

    /// What the schema cannot say: that only what was shown, and only dimensions there are, may be named.
    pub(super) fn refused(answer: &Value, pages: usize, known: usize) -> Vec<Violation> {
        let Ok(read) = Self::read(answer) else {
            return vec![Violation::new("".to_owned(), "the answer is not readable".to_owned())];
        };
        let mut wrong = Vec::new();
        let mut check = |list: &str, place: usize, is_wrong: bool, told: &dyn Fn() -> String| {
            if is_wrong {
                wrong.push(Violation::new(format!("/{list}/{place}"), told()));
            }
        };
        let unknown = |message: Option<usize>| message.is_some_and(|number| number > pages);
        let no_page = || format!("a page is named that there is not; there are {pages}");
        let blank = || "a text is blank; write it, or leave it out".to_owned();
        let twice = |place: usize, same: &dyn Fn(usize) -> bool| (0..place).any(same);
        for (place, found) in read.traits.iter().enumerate() {
            let name = &found.name;
            let dimension = Dimension::named(name);
            let same = |other: usize| {
                dimension.is_some()
                    && read.traits.get(other).is_some_and(|other| Dimension::named(&other.name) == dimension)
            };
            check("traits", place, unknown(found.message), &no_page);
            check("traits", place, found.evidence.is_empty(), &blank);
            check("traits", place, dimension.is_none(), &|| {
                format!("there is no trait {name:?}; use a name of the list")
            });
            check("traits", place, twice(place, &same), &|| format!("the trait {name:?} stands there twice"));
        }
        for (place, part) in read.agent_profile.iter().enumerate() {
            let same =
                |other: usize| read.agent_profile.get(other).is_some_and(|other| other.name == part.name);
            check("agent_profile", place, unknown(part.message), &no_page);
            check("agent_profile", place, part.name.is_empty() || part.value.is_empty(), &blank);
            check("agent_profile", place, twice(place, &same), &|| {
                format!("{:?} stands there twice", part.name)
            });
        }
        for (place, statement) in read.agent.iter().enumerate() {
            check("agent", place, unknown(statement.message), &no_page);
            check("agent", place, statement.text.is_empty(), &blank);
            let Some(target) = statement.target else { continue };
            let same = |other: usize| read.agent.get(other).is_some_and(|other| other.target == Some(target));
            check("agent", place, target > known, &|| {
                format!("there is no known statement {target}; there are {known}")
            });
            check("agent", place, twice(place, &same), &|| format!("statement {target} is replaced twice"));
        }
        wrong
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_shown_may_be_named() {
        let curious = |message: usize| json!({ "name": "curiosity", "level": "high", "confidence": 0.5, "evidence": "Asks why.", "message": message });
        let told = |answer: Value| {
            let violations = Distilled::refused(&answer, 3, 1);
            violations.into_iter().map(|violation| violation.message).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(told(json!({ "traits": [curious(3)], "agent": [{ "target": 1, "text": "x" }] })), "");
        for (answer, wrong) in [
            (json!({ "traits": [curious(4)] }), "a page is named that there is not; there are 3"),
            (json!({ "traits": [curious(1), curious(2)] }), "stands there twice"),
            (
                json!({ "traits": [{ "name": "greed", "level": "low", "confidence": 1, "evidence": "x" }] }),
                "no trait \"greed\"",
            ),
            (
                json!({ "traits": [{ "name": "curiosity", "level": "low", "confidence": 1, "evidence": " " }] }),
                "blank",
            ),
            (json!({ "agent": [{ "target": 2, "text": "x" }] }), "no known statement 2"),
            (
                json!({ "agent": [{ "target": 1, "text": "x" }, { "target": 1, "text": "y" }] }),
                "statement 1 is replaced twice",
            ),
            (json!({ "agent": [{ "text": "x", "message": 7 }] }), "a page is named that there is not"),
            (
                json!({ "agent_profile": [{ "name": "Role", "value": "x" }, { "name": "role ", "value": "y" }] }),
                "\"role\" stands there twice",
            ),
            (json!({ "traits": "many" }), "not readable"),
        ] {
            let told = told(answer);
            assert!(told.contains(wrong), "{told}");
        }
    }
}
