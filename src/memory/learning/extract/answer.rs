//! The model's answer: its schema and its types.

use super::guidance::Guidance;
use crate::error::Result;
use crate::memory::Category;
use crate::memory::profiles::Schemas;
use crate::schema::Schema;
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

impl EntityAnswer {
    /// Where an observation was said, and its words: one that names none has those of its entity, and one with words of its own may stand
    /// in another message.
    pub(super) fn source<'a>(&'a self, observation: &'a Observation) -> (Option<usize>, Option<&'a str>) {
        let own = observation.quote.as_deref();
        let message = observation.message.or(self.message.filter(|_| own.is_none()));
        (message, own.or(self.quote.as_deref()))
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
    /// The schema of what is wanted, with entities and relations or without; of conversations in which these people may speak, or of the
    /// user's. It is the same whoever speaks this time, so that providers' caches share it.
    ///
    /// # Errors
    /// `InvalidSchema`, which no input can cause.
    pub(crate) fn new(
        guidance: &Guidance,
        schemas: &Schemas,
        graph: bool,
        people: &[String],
    ) -> Result<Self> {
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
            let nobody = std::iter::once(Value::Null);
            let about: Vec<Value> = people.iter().map(|name| name.as_str().into()).chain(nobody).collect();
            add(
                "facts",
                r#""action":"add","target":null,"text":"...","category":"...","significance":5,"since":null,"until":null,"message":1,"quote":"...""#,
                &["action"],
                json!({
                    "action": { "enum": ["add", "update", "supersede", "end"] },
                    "target": number,
                    "text": { "type": "string", "maxLength": 1000 },
                    "category": { "enum": categories },
                    "significance": { "type": "integer", "minimum": 1, "maximum": 10 },
                    "since": perhaps(40),
                    "until": perhaps(40),
                    "about": { "enum": about },
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
}
