//! The extraction prompt, rendered for one batch.

use super::guidance::Guidance;
use super::known::Known;
use super::{Batch, Extractor};
use crate::memory::Category;
use crate::memory::graph::RelationItem;
use crate::memory::message::StoredMessage;
use crate::memory::profiles::Schemas;
use crate::memory::prompts::lines;
use crate::time;
use serde_json::{Value, json};

/// How many characters of one message the model is shown.
const MESSAGE_CHARACTERS: usize = 6000;
/// How many characters of an earlier message it is shown.
const EARLIER_CHARACTERS: usize = 1000;

impl Extractor {
    /// The system and the user part. The first is the same from call to call, so that providers' caches of prompts share it;
    /// what varies is in the second.
    pub(super) fn prompt(&self, batch: &Batch, known: &Known, form: &str) -> (String, String) {
        let system = self.system(form);
        let memory = memory(&self.guidance, known, batch.options.consolidates(), self.guidance.graph);
        let earlier = match batch.earlier.as_slice() {
            [] => String::new(),
            earlier => {
                let told = lines(earlier.iter().map(|message| said(message, None, EARLIER_CHARACTERS)));
                format!("<earlier>\n{told}\n</earlier>\n\n")
            }
        };
        let messages = batch.messages.iter().enumerate();
        let messages = messages.map(|(place, message)| said(message, Some(place + 1), MESSAGE_CHARACTERS));
        let given = batch.given.iter().enumerate();
        let given = given.map(|(place, given)| {
            let number = batch.messages.len() + place + 1;
            let date = time::minute(self.database.now());
            json!({ "message": number, "role": "given", "topic": given.topic, "date": date, "text": given.text })
        });
        let messages = lines(messages.chain(given));
        let own =
            Guidance::people(&batch.people(), batch.messages.iter().any(|said| batch.is_nameless(said)))
                + &Guidance::topics_of_call(&batch.options.topics);
        let values =
            [("guidance", own.as_str()), ("memory", &memory), ("earlier", &earlier), ("messages", &messages)];
        (system, self.guidance.prompts.render("extract.user", &values))
    }

    fn system(&self, form: &str) -> String {
        let sections = self.sections(self.guidance.graph);
        let values = [("sections", sections.as_str()), ("answer", form)];
        self.guidance.prompts.render("extract.system", &values)
    }

    /// What to learn and how to write it, part by part; with entities and relations or without.
    pub(super) fn sections(&self, graph: bool) -> String {
        let guidance = &self.guidance;
        let mut sections = String::new();
        if guidance.facts {
            let categories: Vec<String> =
                Category::ALL.iter().map(|category| category.as_str().to_owned()).collect();
            let values = [
                ("person", guidance.person()),
                ("language", &guidance.language()),
                ("topics", &guidance.topics()),
                ("categories", &categories.join(", ")),
            ];
            sections.push_str(&guidance.prompts.render("extract.facts", &values));
        }
        if guidance.profiles && self.schemas.iter().next().is_some() {
            sections
                .push_str(&guidance.prompts.render("extract.profile", &[("fields", &fields(&self.schemas))]));
        }
        if graph {
            sections.push_str(&guidance.prompts.render("extract.graph", &[]));
        }
        sections.push_str(&guidance.examples());
        sections
    }
}

/// What is known, each part under its heading.
pub(super) fn memory(guidance: &Guidance, known: &Known, consolidate: bool, graph: bool) -> String {
    let mut parts = Vec::new();
    let mut part = |heading: &str, told: String| parts.push(format!("{heading}\n{told}"));
    if guidance.facts {
        let facts = known.facts.iter().enumerate().map(|(place, fact)| {
            let mut line = fact.dated(json!({ "number": place + 1, "fact": fact.text }));
            if let (Some(until), Value::Object(line)) = (fact.date("until"), &mut line) {
                line.insert("until".to_owned(), until.into());
            }
            line
        });
        part("Known facts, by number:", lines(facts));
    }
    if guidance.profiles && !known.profiles.is_empty() {
        let fields = known.profiles.iter().filter(|_| consolidate).flat_map(|(schema, profile)| {
            profile
                .fields
                .iter()
                .map(move |(field, known)| json!({ "schema": schema, "field": field, "value": known.value }))
        });
        part("Profile now:", lines(fields));
    }
    if graph {
        let entities = known.entities.iter().map(|entity| {
            json!({ "entity": entity.name, "type": entity.entity_type, "observations": entity.observations })
        });
        part("Known entities:", lines(entities));
        let relations = known.relations.iter().map(|known| {
            let RelationItem { relation, dates, .. } = known;
            let mut line =
                json!({ "from": relation.from, "relation": relation.relation_type, "to": relation.to });
            let since = dates.as_ref().and_then(|dates| dates.get("since"));
            if let (Some(since), Value::Object(line)) = (since, &mut line) {
                line.insert("since".to_owned(), since.clone());
            }
            line
        });
        part("Known relations:", lines(relations));
    }
    parts.join("\n\n")
}

/// A message; one that is to be learned from has a number.
fn said(message: &StoredMessage, number: Option<usize>, characters: usize) -> Value {
    let text: String = message.shown().chars().take(characters).collect();
    let mut line = serde_json::Map::new();
    let mut add = |name: &str, value: Value| line.insert(name.to_owned(), value);
    if let Some(number) = number {
        add("message", number.into());
    }
    add("role", message.role.as_str().into());
    if let Some(name) = &message.name {
        add("name", name.as_str().into());
    }
    add("date", time::minute(message.created_at).into());
    add("text", text.into());
    line.into()
}

/// The fields there are, one per line, with their schemas.
fn fields(schemas: &Schemas) -> String {
    lines(schemas.iter().flat_map(|(id, schema)| {
        schema
            .properties()
            .map(move |(field, described)| json!({ "schema": id, "field": field, "is": described }))
    }))
}
