//! The model's answer: its schema, its types, and the checks a schema cannot make.

use crate::error::Result;
use crate::memory::Category;
use crate::memory::profiles::Schemas;
use crate::ordered::Ordered;
use crate::schema::{Schema, Violation};
use serde::Deserialize;
use serde_json::{Value, json};

/// The most facts, and the most fields, of one answer.
const MAX_ITEMS: usize = 64;

/// The compiled schema of answers.
#[derive(Debug)]
pub(crate) struct AnswerSchema {
    pub(crate) schema: Schema,
}

/// An answer that passed its checks.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Answer {
    #[serde(default)]
    pub(crate) facts: Vec<FactAnswer>,
    #[serde(default)]
    pub(crate) profile: Vec<FieldAnswer>,
}

/// What to do about one fact.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct FactAnswer {
    pub(crate) action: FactAction,
    /// The number of a known fact, from 1.
    #[serde(default)]
    pub(crate) target: Option<usize>,
    #[serde(default)]
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) category: Category,
    #[serde(default)]
    pub(crate) significance: Option<u8>,
    /// The number of a message, from 1.
    #[serde(default)]
    pub(crate) message: Option<usize>,
    #[serde(default)]
    pub(crate) quote: Option<String>,
    #[serde(default)]
    pub(crate) since: Option<String>,
}

/// The kinds of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FactAction {
    Add,
    Update,
    Supersede,
    End,
}

/// The new value of one field.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct FieldAnswer {
    pub(crate) schema: String,
    pub(crate) field: String,
    pub(crate) value: Value,
    #[serde(default)]
    pub(crate) context: Option<String>,
    #[serde(default)]
    pub(crate) message: Option<usize>,
    #[serde(default)]
    pub(crate) quote: Option<String>,
}

impl AnswerSchema {
    pub(crate) fn new(schemas: &Schemas) -> Result<Self> {
        let categories: Vec<&str> = Category::ALL.iter().map(|category| category.as_str()).collect();
        let number = json!({ "type": ["integer", "null"], "minimum": 1 });
        let words = |limit: usize| json!({ "type": ["string", "null"], "maxLength": limit });
        let ids: Vec<&str> = schemas.iter().map(|(id, _)| id).collect();
        let mut document = json!({
            "type": "object",
            "properties": {
                "facts": { "type": "array", "maxItems": MAX_ITEMS, "items": {
                    "type": "object",
                    "properties": {
                        "action": { "enum": ["add", "update", "supersede", "end"] },
                        "target": number,
                        "text": { "type": "string", "maxLength": 1000 },
                        "category": { "enum": categories },
                        "significance": { "type": "integer", "minimum": 1, "maximum": 10 },
                        "message": number,
                        "quote": words(2000),
                        "since": words(40),
                    },
                    "required": ["action"],
                } },
            },
            "required": ["facts"],
        });
        if !ids.is_empty()
            && let Some(properties) = document.get_mut("properties").and_then(Value::as_object_mut)
        {
            properties.insert(
                "profile".to_owned(),
                json!({ "type": "array", "maxItems": MAX_ITEMS, "items": {
                    "type": "object",
                    "properties": {
                        "schema": { "enum": ids },
                        "field": { "type": "string" },
                        "value": {},
                        "context": words(1000),
                        "message": number,
                        "quote": words(2000),
                    },
                    "required": ["schema", "field", "value"],
                } }),
            );
        }
        Ok(Self { schema: Schema::compile(&document)? })
    }

    /// What the schema cannot say: that only what was shown may be named, and that fields fit their own schemas.
    pub(crate) fn check(answer: &Value, facts: usize, messages: usize, schemas: &Schemas) -> Vec<Violation> {
        let answer = match crate::json::from_value::<Answer>(answer.clone()) {
            Ok(answer) => answer,
            Err(error) => return vec![violation(String::new(), error.to_string())],
        };
        let mut violations = Vec::new();
        let mut targets = Ordered::new();
        let heard = |message: Option<usize>| message.is_none_or(|message| message <= messages);
        for (place, fact) in answer.facts.iter().enumerate() {
            let at = |name: &str| format!("/facts/{place}/{name}");
            match (fact.action, fact.target) {
                (FactAction::Add, None) => {}
                (FactAction::Add, Some(_)) => {
                    violations.push(violation(at("target"), "\"add\" takes no target; use null".to_owned()))
                }
                (_, None) => violations.push(violation(
                    at("target"),
                    "name the number of the known fact this changes".to_owned(),
                )),
                (_, Some(target)) if target > facts => {
                    violations.push(violation(
                        at("target"),
                        format!("there is no known fact {target}; there are {facts}"),
                    ));
                }
                (_, Some(target)) if targets.insert(target, ()).is_some() => {
                    violations.push(violation(
                        at("target"),
                        format!("fact {target} is changed twice; change it once"),
                    ));
                }
                _ => {}
            }
            if fact.action != FactAction::End && fact.text.trim().is_empty() {
                violations.push(violation(at("text"), "the text is empty; write the fact".to_owned()));
            }
            if !heard(fact.message) {
                violations.push(violation(at("message"), format!("there are only {messages} messages")));
            }
        }
        for (place, field) in answer.profile.iter().enumerate() {
            if !field.value.is_null()
                && let Err(error) = schemas.check(&field.schema, &field.field, &field.value)
            {
                violations.push(violation(format!("/profile/{place}"), error.message));
            }
            if !heard(field.message) {
                violations.push(violation(
                    format!("/profile/{place}/message"),
                    format!("there are only {messages} messages"),
                ));
            }
        }
        violations
    }
}

fn violation(instance: String, message: String) -> Violation {
    Violation { instance, keyword: String::new(), message }
}
