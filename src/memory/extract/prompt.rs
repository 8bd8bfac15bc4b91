//! The extraction prompt, rendered for one batch.

use super::Batch;
use crate::error::Result;
use crate::memory::Category;
use crate::memory::facts::Fact;
use crate::memory::profiles::{Profile, Schemas};
use crate::memory::prompts::{EXTRACT_SYSTEM, EXTRACT_USER, data, render};
use crate::ordered::Ordered;
use crate::time::{self, Timestamp};
use serde_json::{Value, json};

/// How many characters of one message the model is shown.
const MESSAGE_CHARACTERS: usize = 6000;

/// The system and the user part.
pub(crate) fn extraction(
    batch: &Batch,
    facts: &[Fact],
    profiles: &Ordered<String, Profile>,
    schemas: &Schemas,
    now: Timestamp,
) -> Result<(String, String)> {
    let categories: Vec<String> =
        Category::ALL.iter().map(|category| format!("\"{}\"", category.as_str())).collect();
    let system =
        render(EXTRACT_SYSTEM, &[("categories", &categories.join(", ")), ("fields", &fields(schemas))]);
    let facts = lines(facts.iter().enumerate().map(|(place, fact)| {
        json!({ "number": place + 1, "fact": fact.text, "since": time::date(fact.valid_from) })
    }));
    let profile = lines(profiles.iter().flat_map(|(schema, profile)| {
        profile
            .fields
            .iter()
            .map(move |(field, known)| json!({ "schema": schema, "field": field, "value": known.value }))
    }));
    let messages = lines(batch.messages.iter().enumerate().map(|(place, message)| {
        let text: String = message.text().chars().take(MESSAGE_CHARACTERS).collect();
        let mut line = json!({ "message": place + 1, "role": message.role.as_str(), "date": time::minute(message.created_at), "text": text });
        if let (Some(name), Some(line)) = (&message.name, line.as_object_mut()) {
            line.insert("name".to_owned(), name.as_str().into());
        }
        line
    }));
    let values = [("today", time::date(now)), ("facts", facts), ("profile", profile), ("messages", messages)];
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Ok((system, render(EXTRACT_USER, &values)))
}

/// The fields there are, one per line, with their schemas.
fn fields(schemas: &Schemas) -> String {
    lines(schemas.iter().flat_map(|(id, schema)| {
        schema
            .properties()
            .map(move |(field, described)| json!({ "schema": id, "field": field, "is": described }))
    }))
}

fn lines(values: impl Iterator<Item = Value>) -> String {
    let lines: Vec<String> = values.map(|value| data(&value)).collect();
    if lines.is_empty() { "(none)".to_owned() } else { lines.join("\n") }
}
