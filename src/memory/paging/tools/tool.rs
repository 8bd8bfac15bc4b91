//! A tool: a row of the table of what a model may call.

use crate::error::{Code, Error, Result};
use crate::memory::limits::invalid;
use crate::schema::{Schema, Violation, parse_lenient};
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

/// The sets of tools.
pub(crate) const SETS: &[&str] = &["facts", "profile", "graph", "context"];
/// The most bytes of the arguments of one call.
const MAX_ARGUMENTS_BYTES: usize = 128 * 1024;
/// How many faults of one call are told.
const FAULTS: usize = 5;
/// How many characters of a name that is none are shown.
const NAME_CHARACTERS: usize = 64;

/// A tool.
#[derive(Debug, Clone)]
pub(crate) struct Tool(Value);

impl Tool {
    /// Every tool.
    pub(crate) fn all() -> &'static [Self] {
        static TABLE: OnceLock<Vec<Tool>> = OnceLock::new();
        TABLE.get_or_init(|| {
            #[expect(clippy::expect_used, reason = "the table is part of the program, and a test reads it")]
            let rows: Vec<Value> =
                serde_json::from_str(include_str!("table.json")).expect("a table of tools");
            rows.into_iter().map(Tool).collect()
        })
    }

    /// The tools of a set.
    pub(crate) fn of_set(set: &str) -> impl Iterator<Item = &'static Self> {
        Self::all().iter().filter(move |tool| tool.set() == set)
    }

    /// The tool's name.
    pub(crate) fn name(&self) -> &str {
        self.text("name")
    }

    /// The set it belongs to.
    pub(crate) fn set(&self) -> &str {
        self.text("set")
    }

    /// The method that does it.
    pub(crate) fn method(&self) -> &str {
        self.text("method")
    }

    /// What it does to what is remembered: `read`, `add` or `change`.
    pub(crate) fn effect(&self) -> &str {
        self.text("effect")
    }

    /// The name for people.
    pub(crate) fn title(&self) -> &str {
        self.text("title")
    }

    /// What it does, for the model.
    pub(crate) fn description(&self) -> &str {
        self.text("description")
    }

    /// The JSON Schema of its arguments.
    pub(crate) fn parameters(&self) -> &Value {
        self.0.get("parameters").unwrap_or(&Value::Null)
    }

    /// The schema as a step shows it: what the model thinks, which nobody is told, comes first, and at the end whether it wants to
    /// be asked again. The instructions of a step say what these two mean.
    pub(crate) fn parameters_in_step(&self) -> Value {
        let mut parameters = self.parameters().clone();
        if let Some(Value::Object(properties)) = parameters.get_mut("properties") {
            let mut all = Map::new();
            all.insert("thinking".to_owned(), json!({ "type": "string" }));
            all.append(properties);
            all.insert("request_heartbeat".to_owned(), json!({ "type": "boolean" }));
            *properties = all;
        }
        parameters
    }

    /// Name, parameters and description in one line; what may be left out has a question mark.
    pub(crate) fn signature(&self) -> String {
        let properties = self.parameters().get("properties").and_then(Value::as_object);
        let shown = |name: &String| format!("{name}{}", if self.requires(name) { "" } else { "?" });
        let parameters: Vec<String> = properties.into_iter().flat_map(Map::keys).map(shown).collect();
        format!("{}({}): {}", self.name(), parameters.join(", "), self.description())
    }

    /// The arguments of a call, checked: an object, or that as JSON text as a model writes it. What may be left out may be null.
    ///
    /// # Errors
    /// `InvalidInput` in words for the model.
    pub(crate) fn arguments(&self, given: &Value) -> Result<Map<String, Value>> {
        let name = self.name();
        let bytes = match given {
            Value::String(text) => text.len(),
            other => other.to_string().len(),
        };
        if bytes > MAX_ARGUMENTS_BYTES {
            return Err(invalid(format!(
                "The arguments of {name} have {bytes} bytes, over the limit of {MAX_ARGUMENTS_BYTES}. Shorten or split them."
            )));
        }
        let mut arguments = match given {
            Value::Null => Map::new(),
            Value::String(text) if text.trim().is_empty() => Map::new(),
            Value::String(text) => match parse_lenient(text) {
                Some(Value::Object(arguments)) => arguments,
                _ => return Err(no_object(name)),
            },
            Value::Object(arguments) => arguments.clone(),
            _ => return Err(no_object(name)),
        };
        arguments.retain(|name, value| !value.is_null() || self.requires(name));
        let schema = match self.set() {
            "context" => Schema::compile(&self.parameters_in_step()),
            _ => Schema::compile(self.parameters()),
        };
        let arguments = Value::Object(arguments);
        let violations = schema?.validate(&arguments);
        match arguments {
            Value::Object(arguments) if violations.is_empty() => Ok(arguments),
            _ => Err(invalid(format!("Invalid arguments for {name}: {}", violations_line(&violations)))),
        }
    }

    fn requires(&self, name: &str) -> bool {
        let required = self.parameters().get("required").and_then(Value::as_array);
        required.is_some_and(|required| required.iter().any(|known| known == name))
    }

    fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}

/// That a model called a tool that there is not, among those it may call.
pub(crate) fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a Tool>) -> Error {
    let shown: String = name.chars().take(NAME_CHARACTERS).collect();
    let known: Vec<&str> = known.map(Tool::name).collect();
    Error::new(Code::NotFound, format!("There is no tool {shown:?}. There are: {}.", known.join(", ")))
}

fn no_object(name: &str) -> Error {
    invalid(format!("The arguments of {name} are not a complete JSON object."))
}

fn violations_line(violations: &[Violation]) -> String {
    let one = |violation: &Violation| match violation.instance.as_str() {
        "" => violation.message.clone(),
        place => format!("{place}: {}", violation.message),
    };
    violations.iter().take(FAULTS).map(one).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> &'static Tool {
        Tool::all().iter().find(|tool| tool.name() == name).unwrap()
    }

    #[test]
    fn the_table_is_whole() {
        let mut names: Vec<&str> = Tool::all().iter().map(Tool::name).collect();
        assert_eq!(names.len(), 25);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 25);
        for tool in Tool::all() {
            assert!(SETS.contains(&tool.set()), "{tool:?}");
            assert!(["read", "add", "change"].contains(&tool.effect()), "{tool:?}");
            assert!(!tool.title().is_empty() && !tool.description().is_empty() && !tool.method().is_empty());
            assert!(Schema::compile(tool.parameters()).is_ok(), "{tool:?}");
        }
    }

    #[test]
    fn every_tool_checks_its_arguments() {
        for tool in Tool::all() {
            assert!(tool.arguments(&json!({ "nobody": 1 })).is_err(), "{tool:?}");
            assert!(tool.arguments(&json!("no object")).is_err(), "{tool:?}");
        }
        let send = named("send_message");
        for fine in [
            json!({ "message": "Hello" }),
            json!("{\"message\": \"Hello\"}"),
            json!({ "thinking": "Be kind.", "message": "Hello", "request_heartbeat": null }),
        ] {
            assert_eq!(send.arguments(&fine).unwrap()["message"], "Hello");
        }
        for wrong in [json!({ "message": 5 }), json!({ "message": "" }), json!({ "message": "a", "b": 1 })] {
            let error = send.arguments(&wrong).unwrap_err();
            assert!(error.message.starts_with("Invalid arguments for send_message: "), "{wrong}");
        }
    }

    #[test]
    fn a_signature_marks_what_may_be_left_out() {
        let insert = named("memory_insert").signature();
        assert!(insert.starts_with("memory_insert(label, new_string, insert_line?): "), "{insert}");
    }
}
