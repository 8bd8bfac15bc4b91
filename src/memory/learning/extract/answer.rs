//! The model's answer: its schema, its types, and the checks a schema cannot make.

use super::ABOUT;
use super::guidance::Guidance;
use super::known::{Known, USER};
use crate::error::Result;
use crate::memory::Category;
use crate::memory::facts::Fact;
use crate::memory::profiles::Schemas;
use crate::memory::span::Span;
use crate::schema::{Schema, Violation};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The most facts, fields, entities and relations of one answer each.
const MAX_ITEMS: usize = 64;
/// The most observations on one entity in one answer.
const MAX_OBSERVATIONS: usize = 16;
/// The most characters of a name, of a type, and of an observation.
const MAX_NAME: usize = 120;
const MAX_TYPE: usize = 60;
const MAX_OBSERVATION: usize = 500;

/// The compiled schema of answers.
#[derive(Debug)]
pub(crate) struct AnswerSchema {
    pub(crate) schema: Schema,
    /// The form of an answer, as the prompt shows it. Values stand where they tell more than the keys.
    pub(crate) form: String,
}

/// An answer that passed its checks.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Answer {
    pub(crate) facts: Vec<FactAnswer>,
    pub(crate) profile: Vec<FieldAnswer>,
    pub(crate) entities: Vec<EntityAnswer>,
    pub(crate) relations: Vec<RelationAnswer>,
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
    #[serde(default)]
    pub(crate) until: Option<String>,
    /// The name of a participant.
    #[serde(default)]
    pub(crate) about: Option<String>,
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
    /// What the conversation itself says, when the value combines it with the one from before.
    #[serde(default)]
    pub(crate) said: Option<Value>,
    #[serde(default)]
    pub(crate) context: Option<String>,
    #[serde(default)]
    pub(crate) message: Option<usize>,
    #[serde(default)]
    pub(crate) quote: Option<String>,
}

/// An entity of the graph, new or known.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct EntityAnswer {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) entity_type: String,
    #[serde(default)]
    pub(crate) observations: Vec<Observation>,
    #[serde(default)]
    pub(crate) same_as: Option<String>,
    #[serde(default)]
    pub(crate) message: Option<usize>,
    #[serde(default)]
    pub(crate) quote: Option<String>,
}

/// A statement about an entity.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Value")]
pub(crate) struct Observation {
    pub(crate) text: String,
    pub(crate) message: Option<usize>,
    pub(crate) quote: Option<String>,
}

impl From<Value> for Observation {
    /// What the schema lets through: an object, or the statement alone.
    fn from(value: Value) -> Self {
        let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let message = value.get("message").and_then(Value::as_u64);
        Self {
            text: value.as_str().map(str::to_owned).or_else(|| text("text")).unwrap_or_default(),
            message: message.and_then(|number| usize::try_from(number).ok()),
            quote: text("quote"),
        }
    }
}

/// A relation of the graph that begins or ends.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct RelationAnswer {
    pub(crate) from: String,
    pub(crate) relation: String,
    pub(crate) to: String,
    #[serde(default)]
    pub(crate) ended: bool,
    #[serde(default)]
    pub(crate) since: Option<String>,
    #[serde(default)]
    pub(crate) message: Option<usize>,
    #[serde(default)]
    pub(crate) quote: Option<String>,
}

impl Answer {
    /// Reads an answer. Kinds of items that were not requested are dropped.
    ///
    /// # Errors
    /// When it is not of the schema.
    pub(crate) fn read(
        answer: Value,
        guidance: &Guidance,
    ) -> std::result::Result<Self, crate::json::Complaint> {
        let mut answer: Self = crate::json::from_value(answer)?;
        if !guidance.facts {
            answer.facts.clear();
        }
        if !guidance.profiles {
            answer.profile.clear();
        }
        if !guidance.graph {
            answer.entities.clear();
            answer.relations.clear();
        }
        Ok(answer)
    }
}

impl Answer {
    /// Gives every message that is named another number.
    pub(crate) fn each_message(&mut self, number: &dyn Fn(usize) -> usize) {
        let observations = self.entities.iter_mut().flat_map(|entity| &mut entity.observations);
        let observations = observations.map(|observation| &mut observation.message);
        observations.flatten().for_each(|message| *message = number(*message));
        let facts = self.facts.iter_mut().map(|fact| &mut fact.message);
        let fields = self.profile.iter_mut().map(|field| &mut field.message);
        let entities = self.entities.iter_mut().map(|entity| &mut entity.message);
        let relations = self.relations.iter_mut().map(|relation| &mut relation.message);
        let others = facts.chain(fields).chain(entities).chain(relations);
        others.flatten().for_each(|message| *message = number(*message));
    }
}

impl AnswerSchema {
    /// The schema of what is wanted, with entities and relations or without; of a conversation of these people, or of the user's.
    ///
    /// # Errors
    /// `InvalidSchema`, which no input can cause.
    pub(crate) fn new(guidance: &Guidance, schemas: &Schemas, graph: bool, people: &[&str]) -> Result<Self> {
        let number = json!({ "type": ["integer", "null"], "minimum": 1 });
        let perhaps = |limit: usize| json!({ "type": ["string", "null"], "maxLength": limit });
        let words = |limit: usize| json!({ "type": "string", "minLength": 1, "maxLength": limit });
        let mut properties = Map::new();
        let mut forms = Vec::new();
        let mut add = |name: &str, form: &str, required: &[&str], mut item: Value| {
            if let Some(item) = item.as_object_mut() {
                item.insert("message".to_owned(), number.clone());
                item.insert("quote".to_owned(), perhaps(2000));
            }
            let items = json!({ "type": "object", "properties": item, "required": required });
            properties
                .insert(name.to_owned(), json!({ "type": "array", "maxItems": MAX_ITEMS, "items": items }));
            forms.push(format!("\"{name}\":[{{{form}}}]"));
        };
        if guidance.facts {
            let categories: Vec<&str> = Category::ALL.iter().map(|category| category.as_str()).collect();
            let about = if people.is_empty() { json!({ "type": "null" }) } else { json!({ "enum": people }) };
            add(
                "facts",
                r#""action":"add","target":null,"text":"...","category":"...","significance":5,"since":null,"until":null,"message":1,"quote":"...""#,
                if people.is_empty() { &["action"] } else { &["action", "about"] },
                json!({
                    "action": { "enum": ["add", "update", "supersede", "end"] },
                    "target": number,
                    "text": { "type": "string", "maxLength": 1000 },
                    "category": { "enum": categories },
                    "significance": { "type": "integer", "minimum": 1, "maximum": 10 },
                    "since": perhaps(40),
                    "until": perhaps(40),
                    "about": about,
                }),
            );
        }
        let ids: Vec<&str> = schemas.iter().map(|(id, _)| id).collect();
        if guidance.profiles && !ids.is_empty() {
            add(
                "profile",
                "schema,field,value,said,context,message,quote",
                &["schema", "field", "value"],
                json!({
                    "schema": { "enum": ids },
                    "field": { "type": "string" },
                    "value": {},
                    "said": {},
                    "context": perhaps(1000),
                }),
            );
        }
        if graph {
            let observation = json!({
                "type": ["object", "string"],
                "minLength": 1,
                "maxLength": MAX_OBSERVATION,
                "properties": { "text": words(MAX_OBSERVATION), "message": number, "quote": perhaps(2000) },
                "required": ["text"],
            });
            add(
                "entities",
                r#"name,type,"observations":[{text,message,quote}],same_as,message,quote"#,
                &["name", "type"],
                json!({
                    "name": words(MAX_NAME),
                    "type": words(MAX_TYPE),
                    "observations": { "type": "array", "maxItems": MAX_OBSERVATIONS, "items": observation },
                    "same_as": perhaps(MAX_NAME),
                }),
            );
            add(
                "relations",
                "from,relation,to,ended,since,message,quote",
                &["from", "relation", "to"],
                json!({
                    "from": words(MAX_NAME),
                    "relation": words(MAX_TYPE),
                    "to": words(MAX_NAME),
                    "ended": { "type": "boolean" },
                    "since": perhaps(40),
                }),
            );
        }
        // An answer without its first list is none: a model that talks of something else has not learned nothing.
        let required: Vec<&String> = properties.keys().take(1).collect();
        let document = json!({ "type": "object", "required": required, "properties": properties });
        Ok(Self { schema: Schema::compile(&document)?, form: format!("{{{}}}", forms.join(",")) })
    }

    /// What the schema cannot say: that only what was shown may be named, and that fields fit their own schemas.
    pub(crate) fn check(
        answer: &Value,
        guidance: &Guidance,
        known: &Known,
        messages: usize,
        schemas: &Schemas,
    ) -> Vec<Violation> {
        match Answer::read(answer.clone(), guidance) {
            Ok(answer) => {
                let mut check = Check { violations: Vec::new(), messages };
                check.facts(&answer.facts, &known.facts);
                check.fields(&answer.profile, schemas);
                check.graph(&answer, known);
                check.violations
            }
            Err(error) => vec![Violation::new(String::new(), error.to_string())],
        }
    }
}

/// A check under way.
struct Check {
    violations: Vec<Violation>,
    /// How many messages were shown.
    messages: usize,
}

impl Check {
    fn wrong(&mut self, list: &str, place: usize, name: &str, message: String) {
        let instance = format!("/{list}/{place}/{name}");
        self.violations.push(Violation::new(instance, message));
    }

    fn message(&mut self, list: &str, place: usize, message: Option<usize>) {
        if message.is_some_and(|message| message > self.messages) {
            self.wrong(list, place, "message", format!("there are only {} messages", self.messages));
        }
    }

    /// A date that cannot be read is asked for again, rather than lost; without it the rest is kept.
    fn date(&mut self, list: &str, place: usize, name: &str, date: Option<&str>) {
        let is_none = |date: &&str| !date.trim().is_empty() && Span::said(date).is_none();
        if let Some(date) = date.filter(is_none) {
            let forms = r#"write "2021-05-14", "2021-05", "spring 2021", "2021" or null"#;
            self.wrong(list, place, name, format!("{date:?} is no date; {forms}"));
        }
    }

    fn facts(&mut self, facts: &[FactAnswer], shown: &[Fact]) {
        let mut targets = Vec::new();
        let known = shown.len();
        for (place, fact) in facts.iter().enumerate() {
            let target = fact.target.and_then(|number| shown.get(number.checked_sub(1)?));
            let other = target.and_then(|target| target.metadata.get(ABOUT)?.as_str());
            let wrong = match (fact.action, fact.target) {
                (FactAction::Add, None) => None,
                (FactAction::Add, Some(_)) => Some("\"add\" takes no target; use null".to_owned()),
                (_, None) => Some("name the number of the known fact this changes".to_owned()),
                (_, Some(target)) if target > known => {
                    Some(format!("there is no known fact {target}; there are {known}"))
                }
                (_, Some(target)) if targets.contains(&target) => {
                    Some(format!("fact {target} is changed twice; change it once"))
                }
                (_, Some(target))
                    if other.is_some_and(|other| fact.about.as_deref().is_some_and(|own| own != other)) =>
                {
                    Some(format!("fact {target} is about another person; leave it as it is"))
                }
                (_, Some(target)) => {
                    targets.push(target);
                    None
                }
            };
            if let Some(message) = wrong {
                self.wrong("facts", place, "target", message);
            }
            if fact.action != FactAction::End && !fact.text.contains(char::is_alphanumeric) {
                self.wrong("facts", place, "text", "the text is empty; write the fact".to_owned());
            }
            self.message("facts", place, fact.message);
            self.date("facts", place, "since", fact.since.as_deref());
            self.date("facts", place, "until", fact.until.as_deref());
        }
    }

    fn fields(&mut self, fields: &[FieldAnswer], schemas: &Schemas) {
        for (place, field) in fields.iter().enumerate() {
            if !field.value.is_null()
                && let Err(error) = schemas.check(&field.schema, &field.field, &field.value)
            {
                self.wrong("profile", place, "value", error.into());
            }
            self.message("profile", place, field.message);
        }
    }

    fn graph(&mut self, answer: &Answer, known: &Known) {
        let is_known = |name: &str| {
            name == USER
                || known.entities.iter().any(|entity| entity.name == name)
                || known.relations.iter().any(|known| known.from == name || known.to == name)
                || answer.entities.iter().any(|entity| entity.name.trim() == name)
        };
        let missing =
            |name: &str| format!("there is no entity {name:?}; put it under entities, or leave this out");
        for (place, entity) in answer.entities.iter().enumerate() {
            if entity.name.trim().is_empty() {
                self.wrong("entities", place, "name", "the name is empty; write it".to_owned());
            }
            if let Some(name) = entity.same_as.as_deref().filter(|name| !is_known(name.trim())) {
                self.wrong("entities", place, "same_as", missing(name));
            }
            self.message("entities", place, entity.message);
            for observation in &entity.observations {
                if observation.message.is_some_and(|message| message > self.messages) {
                    let message = format!("an observation names a message over {}", self.messages);
                    self.wrong("entities", place, "observations", message);
                }
            }
        }
        for (place, relation) in answer.relations.iter().enumerate() {
            for (end, name) in [("from", &relation.from), ("to", &relation.to)] {
                if !is_known(name.trim()) {
                    self.wrong("relations", place, end, missing(name));
                }
            }
            self.message("relations", place, relation.message);
            self.date("relations", place, "since", relation.since.as_deref());
        }
    }
}
