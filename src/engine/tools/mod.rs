//! Tools: what a model may do with a memory, as definitions in the shapes that models' interfaces take, and carrying out what
//! a model calls.
//!
//! There is one table, `table.json`. A call is checked against the parameters in it, goes to the method it names, and comes
//! back as a text for the model, cut to a number of tokens. What a model got wrong is told to it and changes nothing.

mod answer;
mod definition;

use super::engine::Engine;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::memory::context::functions;
use crate::memory::message::thread;
use crate::ports::Pending;
use crate::schema::{Schema, parse_lenient};
use crate::scope::Scope;
use answer::{MAX_TOKENS, answered, refusal, within};
use definition::{Shape, describe, function, text};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

const TABLE: &str = include_str!("table.json");

/// The sets of tools.
const SETS: &[&str] = &["facts", "profile", "graph", "context"];

/// The methods that answer with an excerpt of the graph.
const EXCERPTS: &[&str] = &["graph.read_graph", "graph.search_nodes", "graph.open_nodes"];
/// How often an excerpt is made smaller until it fits.
const TRIES: usize = 4;

/// Which tools, and in which shape.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolList {
    /// `openai`, `anthropic` or `mcp`.
    pub format: String,
    /// The sets; all by default.
    pub include: Option<Vec<String>>,
}

/// What a model called.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// Its arguments: an object, or that as JSON text as a model writes it; none by default.
    #[serde(default)]
    pub arguments: Value,
    /// The conversation the model is in.
    pub thread_id: Option<String>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Called {
    /// Whether it was done.
    pub ok: bool,
    /// What to tell the model: at most 2000 tokens.
    pub result: String,
    /// True when it was not done.
    #[serde(skip_serializing_if = "is_false")]
    pub is_error: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Engine {
    /// The definitions of tools. Those of the profile are left out while no schema is registered.
    ///
    /// # Errors
    /// `InvalidInput` for an unknown format or set.
    pub(super) fn tools(&self, asked: &ToolList) -> Result<Vec<Value>> {
        let shape = Shape::named(&asked.format)?;
        let wanted =
            |set: &str| asked.include.as_ref().is_none_or(|sets| sets.iter().any(|name| name == set));
        if let Some(unknown) = asked.include.iter().flatten().find(|set| !SETS.contains(&set.as_str())) {
            return Err(invalid(format!(
                "there is no set of tools {unknown:?}; there are: {}",
                SETS.join(", ")
            )));
        }
        let schemas = self.profiles.schemas();
        let fits = |tool: &Value| {
            let set = text(tool, "set");
            wanted(set) && (set != "profile" || schemas.iter().next().is_some())
        };
        let fitting = table()?.into_iter().filter(fits);
        Ok(fitting.map(|tool| shape.of(&describe(tool, schemas))).collect())
    }

    /// Carries out what a model called.
    ///
    /// # Errors
    /// Those that no model can do anything about, such as a storage that fails or a memory that is closed. All others are the
    /// answer.
    pub(super) async fn call_tool(&self, scope: &Scope, call: ToolCall) -> Result<Called> {
        // The application's to name, not the model's.
        thread(call.thread_id.as_deref())?;
        let (ok, result) = match self.for_tools().tool_answer(scope, call).await {
            Ok(result) => (true, result),
            Err(error) => (false, refusal(error)?),
        };
        Ok(Called { ok, result: within(result, &self.counter), is_error: !ok })
    }

    async fn tool_answer(&self, scope: &Scope, call: ToolCall) -> Result<String> {
        let tool = find(&call.name)?;
        let arguments = arguments(&tool, call.arguments)?;
        let method = text(&tool, "method");
        self.refuse_pinned(scope, method, &arguments)?;
        if method == "context.call" {
            let call = json!({ "name": call.name, "arguments": arguments, "threadId": call.thread_id });
            let called: Value =
                serde_json::from_str(&self.ask(scope, method, &call).await?).unwrap_or_default();
            let result = text(&called, "result").to_owned();
            let is_ok = called.get("ok") == Some(&Value::Bool(true));
            return if is_ok { Ok(result) } else { Err(invalid(result)) };
        }
        if method == "profiles.set" && arguments.get("value").is_some_and(Value::is_null) {
            let field = json!({ "schema": arguments.get("schema"), "field": arguments.get("field") });
            return answered(method, &self.ask(scope, "profiles.delete", &field).await?);
        }
        let mut options = Value::Object(arguments);
        if !EXCERPTS.contains(&method) {
            return answered(method, &self.ask(scope, method, &options).await?);
        }
        let mut room = MAX_TOKENS;
        let mut tries = TRIES;
        loop {
            tries -= 1;
            if let Value::Object(options) = &mut options {
                options.insert("maxTokens".to_owned(), room.into());
            }
            let answer = self.ask(scope, method, &options).await?;
            let tokens = self.counter.count(&answer);
            if tokens <= MAX_TOKENS || tries == 0 {
                return Ok(answer);
            }
            room = (room * MAX_TOKENS / tokens * 9 / 10).max(1);
        }
    }

    /// The same memory for tools: what they write is recorded as the model's doing.
    fn for_tools(&self) -> Self {
        let mut engine = self.clone();
        engine.facts = self.facts.for_tools();
        engine.profiles = self.profiles.for_tools();
        engine.graph = self.graph.for_tools();
        engine
    }

    /// Calls a method by name. Boxed: that is what brought us here.
    fn ask<'a>(&'a self, scope: &'a Scope, method: &'a str, options: &Value) -> Pending<'a, Result<String>> {
        let options = options.to_string();
        Box::pin(async move { self.call_in(scope, method, &options).await })
    }

    /// Refuses to change what the user pinned: it is to stay as it is, whatever a model thinks of it.
    fn refuse_pinned(&self, scope: &Scope, method: &str, arguments: &Map<String, Value>) -> Result<()> {
        let named = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        if let Some(operation) = method.strip_prefix("graph.") {
            let pinned = self.graph.pinned(scope, operation, &Value::Object(arguments.clone()))?;
            return pinned.map_or(Ok(()), |name| Err(pinned_by_user(&name)));
        }
        let pinned = match method {
            "facts.update" | "facts.delete" => {
                let id = Id::parse(named("id"))?;
                self.facts.get(scope, id, None)?.is_some_and(|fact| fact.pinned)
            }
            "profiles.set" => {
                let profiles = self.profiles.get(scope, None)?;
                let field =
                    profiles.get(named("schema")).and_then(|schema| schema.fields.get(named("field")));
                field.is_some_and(|field| field.pinned)
            }
            _ => false,
        };
        if pinned { Err(pinned_by_user("this")) } else { Ok(()) }
    }
}

fn pinned_by_user(name: &str) -> Error {
    Error::new(Code::Conflict, format!("the user pinned {name}, so it cannot be changed"))
}

/// Every tool: those of the table, then the functions of the virtual context.
fn table() -> Result<Vec<Value>> {
    let Ok(Value::Array(mut table)) = serde_json::from_str(TABLE) else {
        return Err(Error::new(Code::Internal, "the table of tools is not readable"));
    };
    table.extend(functions::ALL.iter().map(function));
    Ok(table)
}

/// The tool with a name.
fn find(name: &str) -> Result<Value> {
    let mut table = table()?;
    if let Some(place) = table.iter().position(|tool| text(tool, "name") == name) {
        return Ok(table.swap_remove(place));
    }
    let known: Vec<&str> = table.iter().map(|tool| text(tool, "name")).collect();
    let shown: String = name.chars().take(64).collect();
    Err(Error::new(Code::NotFound, format!("there is no tool {shown:?}; there are: {}", known.join(", "))))
}

/// The arguments of a call, checked.
fn arguments(tool: &Value, given: Value) -> Result<Map<String, Value>> {
    let given = match given {
        Value::String(text) if text.trim().is_empty() => Value::Null,
        Value::String(text) => parse_lenient(&text).unwrap_or(Value::String(text)),
        given => given,
    };
    let mut given = match given {
        Value::Null => Map::new(),
        Value::Object(members) => members,
        _ => return Err(invalid("the arguments are no JSON object".to_owned())),
    };
    let parameters = tool.get("parameters").unwrap_or(&Value::Null);
    // What is strict asks a model to write null for what it leaves out.
    let required = parameters.get("required").and_then(Value::as_array);
    given.retain(|name, value| {
        !value.is_null() || required.is_some_and(|required| required.iter().any(|known| known == name))
    });
    let given = Value::Object(given);
    let violations = Schema::compile(parameters)?.validate(&given);
    match given {
        Value::Object(members) if violations.is_empty() => Ok(members),
        _ => Err(Error::new(
            Code::SchemaViolation,
            format!("the arguments of {} are wrong", text(tool, "name")),
        )
        .with("violations", serde_json::to_value(&violations).unwrap_or_default())),
    }
}

fn invalid(message: String) -> Error {
    Error::new(Code::InvalidInput, message)
}
