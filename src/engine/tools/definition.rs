//! The definition of a tool, in each of the shapes.

use crate::error::{Code, Error, Result};
use crate::json::shown;
use crate::memory::profiles::Schemas;
use crate::memory::tools::Tool;
use serde_json::{Map, Value, json};

/// What describes a value without limiting it; strict function calling takes no more beside the structure.
const PLAIN: &[&str] = &["type", "description", "enum"];

/// Whose shape.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// Function tools of chat completions.
    OpenAi,
    /// Tools of the Messages API.
    Anthropic,
    /// Tools of the Model Context Protocol.
    Mcp,
}

impl Shape {
    pub(super) fn named(name: &str) -> Result<Self> {
        match name {
            "openai" => Ok(Self::OpenAi),
            "anthropic" => Ok(Self::Anthropic),
            "mcp" => Ok(Self::Mcp),
            other => Err(Error::new(
                Code::InvalidInput,
                format!("format is {}; use \"openai\", \"anthropic\" or \"mcp\"", shown(&other.into())),
            )),
        }
    }

    /// The definition.
    pub(super) fn of(self, tool: &Tool, schemas: &Schemas) -> Value {
        let (name, description) = (tool.name(), tool.description());
        let parameters = &described(tool, schemas);
        match self {
            Self::OpenAi => {
                let strict = strict(parameters);
                let function = json!({
                    "name": name,
                    "description": description,
                    "strict": strict.is_some(),
                    "parameters": strict.as_ref().unwrap_or(parameters),
                });
                json!({ "type": "function", "function": function })
            }
            Self::Anthropic => {
                json!({ "name": name, "description": description, "input_schema": parameters })
            }
            Self::Mcp => {
                let effect = tool.effect();
                let annotations = json!({
                    "readOnlyHint": effect == "read",
                    "destructiveHint": effect == "change",
                    "idempotentHint": effect != "add",
                    "openWorldHint": false,
                });
                json!({
                    "name": name,
                    "title": tool.title(),
                    "description": description,
                    "inputSchema": parameters,
                    "annotations": annotations,
                })
            }
        }
    }
}

/// The parameters of a tool with what the application's schemas say about them.
fn described(tool: &Tool, schemas: &Schemas) -> Value {
    let mut parameters = tool.parameters().clone();
    if tool.method() == "profiles.set"
        && let Some(Value::Object(properties)) = parameters.get_mut("properties")
    {
        let ids: Vec<&str> = schemas.iter().map(|(id, _)| id).collect();
        let mut fields = Vec::new();
        for (id, schema) in schemas.iter() {
            for (name, document) in schema.properties() {
                fields.push(format!("{id} / {name}: {document}"));
            }
        }
        let fields = format!("The schemas, their fields, and what each field takes:\n{}", fields.join("\n"));
        if let Some(Value::Object(schema)) = properties.get_mut("schema") {
            schema.insert("enum".to_owned(), ids.into());
        }
        if let Some(Value::Object(field)) = properties.get_mut("field") {
            field.insert("description".to_owned(), fields.into());
        }
    }
    parameters
}

/// The same parameters for strict function calling: every property is required, and what may be left out may be null
/// instead. `None` when a value may be of any type, which strict calling does not take.
fn strict(schema: &Value) -> Option<Value> {
    schema.get("type")?;
    let mut made: Map<String, Value> = Map::new();
    for keyword in PLAIN {
        if let Some(value) = schema.get(keyword) {
            made.insert((*keyword).to_owned(), value.clone());
        }
    }
    if let Some(items) = schema.get("items") {
        made.insert("items".to_owned(), strict(items)?);
    }
    if let Some(Value::Object(properties)) = schema.get("properties") {
        let required = schema.get("required").and_then(Value::as_array);
        let mut strict_ones = Map::new();
        for (name, property) in properties {
            let mut property = strict(property)?;
            if !required.is_some_and(|required| required.iter().any(|known| known == name)) {
                nullable(&mut property);
            }
            strict_ones.insert(name.clone(), property);
        }
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        made.insert("required".to_owned(), names.into());
        made.insert("properties".to_owned(), Value::Object(strict_ones));
        made.insert("additionalProperties".to_owned(), false.into());
    }
    Some(Value::Object(made))
}

/// Lets a value be null as well.
fn nullable(property: &mut Value) {
    if let Some(kind) = property.get_mut("type") {
        *kind = json!([kind.take(), "null"]);
    }
    if let Some(Value::Array(values)) = property.get_mut("enum") {
        values.push(Value::Null);
    }
}
