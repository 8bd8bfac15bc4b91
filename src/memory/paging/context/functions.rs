//! The functions a model manages its memory with: one table of names, descriptions and parameters.

use crate::error::Result;
use crate::schema::Schema;
use serde_json::{Map, Value, json};

/// A function of the model.
#[derive(Debug, Clone, Copy)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: &'static str,
    parameters: &'static [Parameter],
}

/// A parameter: its name, what it takes, what it means, and whether it must be given.
#[derive(Debug, Clone, Copy)]
struct Parameter {
    name: &'static str,
    takes: Takes,
    description: &'static str,
    required: bool,
}

/// What a parameter takes.
#[derive(Debug, Clone, Copy)]
enum Takes {
    Text,
    /// A text that is not empty.
    Words,
    Whole(i64),
    Flag,
    List,
    Choice(&'static [&'static str]),
    Choices(&'static [&'static str]),
}

const fn needs(name: &'static str, takes: Takes, description: &'static str) -> Parameter {
    Parameter { name, takes, description, required: true }
}

const fn takes(name: &'static str, takes: Takes, description: &'static str) -> Parameter {
    Parameter { name, takes, description, required: false }
}

const LABEL: Parameter = needs("label", Takes::Words, "The label of the memory block.");
const PAGE: Parameter = takes("page", Takes::Whole(0), "Which page of 5 results, from 0; 0 by default.");
const TAGS: &str = "Words to file it under, such as a topic.";
const START: &str = "Only from this time on: YYYY-MM-DD or YYYY-MM-DDTHH:MM, UTC.";
const END: &str = "Only until this time; a date alone counts to its end. UTC.";
/// Before the others: what the model thinks, which nobody is told. The instructions say what these two mean.
const THINKING: Parameter = takes("thinking", Takes::Text, "");
/// After the others.
const HEARTBEAT: Parameter = takes("request_heartbeat", Takes::Flag, "");

/// Every function.
pub const ALL: &[Function] = &[
    Function {
        name: "send_message",
        description: "Says something to the person. Nothing else is shown to them. Ends your turn unless you request a heartbeat.",
        parameters: &[needs("message", Takes::Words, "What to say.")],
    },
    Function {
        name: "core_memory_append",
        description: "Adds a line to a memory block.",
        parameters: &[LABEL, needs("content", Takes::Words, "What to add.")],
    },
    Function {
        name: "core_memory_replace",
        description: "Replaces a text in a memory block wherever it stands; with an empty text it is removed.",
        parameters: &[
            LABEL,
            needs("old_content", Takes::Words, "The text to replace, exactly as it stands."),
            needs("new_content", Takes::Text, "What to put in its place."),
        ],
    },
    Function {
        name: "memory_insert",
        description: "Inserts a text into a memory block after a line.",
        parameters: &[
            LABEL,
            needs("new_string", Takes::Words, "What to insert."),
            takes(
                "insert_line",
                Takes::Whole(i64::MIN),
                "After which line, from 1; 0 is the beginning, -1 the end. -1 by default.",
            ),
        ],
    },
    Function {
        name: "memory_replace",
        description: "Replaces a text that stands exactly once in a memory block.",
        parameters: &[
            LABEL,
            needs("old_string", Takes::Words, "The text to replace, exactly as it stands."),
            needs("new_string", Takes::Text, "What to put in its place."),
        ],
    },
    Function {
        name: "memory_rethink",
        description: "Rewrites a memory block as a whole; makes the block when there is none.",
        parameters: &[LABEL, needs("new_memory", Takes::Text, "The whole new value.")],
    },
    Function {
        name: "archival_memory_insert",
        description: "Keeps a text in the archive, which has no limit.",
        parameters: &[needs("content", Takes::Words, "The text."), takes("tags", Takes::List, TAGS)],
    },
    Function {
        name: "archival_memory_search",
        description: "Searches the archive by words and meaning.",
        parameters: &[
            needs("query", Takes::Words, "What to look for."),
            takes("tags", Takes::List, "Only what is filed under these."),
            takes(
                "tag_match_mode",
                Takes::Choice(&["any", "all"]),
                "Whether one of the tags is enough; any by default.",
            ),
            takes("start_datetime", Takes::Words, START),
            takes("end_datetime", Takes::Words, END),
            PAGE,
        ],
    },
    Function {
        name: "conversation_search",
        description: "Searches everything that was ever said, in all conversations, by words and meaning.",
        parameters: &[
            needs("query", Takes::Words, "What to look for."),
            takes("roles", Takes::Choices(&["user", "assistant"]), "Only what these said; both by default."),
            takes("start_date", Takes::Words, START),
            takes("end_date", Takes::Words, END),
            PAGE,
        ],
    },
    Function {
        name: "conversation_search_date",
        description: "Lists what was said in a span of time, in all conversations, oldest first.",
        parameters: &[needs("start_date", Takes::Words, START), needs("end_date", Takes::Words, END), PAGE],
    },
];

impl Function {
    /// The function of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        ALL.iter().find(|function| function.name == name)
    }

    /// The JSON Schema of its arguments.
    #[must_use]
    pub fn parameters(&self) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for parameter in self.all() {
            properties.insert(parameter.name.to_owned(), parameter.schema());
            if parameter.required {
                required.push(parameter.name);
            }
        }
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    }

    /// Name, parameters and description in one line; what may be left out has a question mark.
    #[must_use]
    pub fn signature(&self) -> String {
        let shown = |parameter: &Parameter| {
            format!("{}{}", parameter.name, if parameter.required { "" } else { "?" })
        };
        let parameters: Vec<String> = self.parameters.iter().map(shown).collect();
        format!("{}({}): {}", self.name, parameters.join(", "), self.description)
    }

    /// What is wrong with some arguments; `None` when nothing is.
    ///
    /// # Errors
    /// `InvalidSchema` when the schema does not compile, which no input can cause.
    pub(crate) fn complaint(&self, arguments: &Value) -> Result<Option<String>> {
        let violations = Schema::compile(&self.parameters())?.validate(arguments);
        let told: Vec<String> = violations
            .iter()
            .take(5)
            .map(|violation| {
                format!(
                    "{}{}{}",
                    violation.instance,
                    if violation.instance.is_empty() { "" } else { ": " },
                    violation.message
                )
            })
            .collect();
        Ok((!told.is_empty()).then(|| format!("Invalid arguments for {}: {}", self.name, told.join("; "))))
    }

    fn all(&self) -> impl Iterator<Item = &'static Parameter> {
        std::iter::once(&THINKING).chain(self.parameters).chain(std::iter::once(&HEARTBEAT))
    }
}

impl Parameter {
    fn schema(&self) -> Value {
        let mut schema = match self.takes {
            Takes::Text => json!({ "type": "string" }),
            Takes::Words => json!({ "type": "string", "minLength": 1 }),
            Takes::Whole(i64::MIN) => json!({ "type": "integer" }),
            Takes::Whole(least) => json!({ "type": "integer", "minimum": least }),
            Takes::Flag => json!({ "type": "boolean" }),
            Takes::List => {
                json!({ "type": "array", "items": { "type": "string", "minLength": 1 }, "maxItems": 16 })
            }
            Takes::Choice(names) => json!({ "type": "string", "enum": names }),
            Takes::Choices(names) => json!({ "type": "array", "items": { "type": "string", "enum": names } }),
        };
        if let (Value::Object(schema), false) = (&mut schema, self.description.is_empty()) {
            schema.insert("description".to_owned(), self.description.into());
        }
        schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_checks_its_arguments() {
        for function in ALL {
            let complaint = function.complaint(&json!({})).unwrap().unwrap();
            assert!(
                complaint.starts_with(&format!("Invalid arguments for {}: ", function.name)),
                "{complaint}"
            );
            assert!(function.complaint(&json!({ "nobody": 1 })).unwrap().is_some());
            assert!(function.complaint(&json!("no object")).unwrap().is_some());
        }
        let send = Function::named("send_message").unwrap();
        for fine in [
            json!({ "message": "Hello" }),
            json!({ "thinking": "Be kind.", "message": "Hello", "request_heartbeat": true }),
        ] {
            assert_eq!(send.complaint(&fine).unwrap(), None);
        }
        for wrong in [json!({ "message": 5 }), json!({ "message": "" }), json!({ "message": "a", "b": 1 })] {
            assert!(send.complaint(&wrong).unwrap().is_some(), "{wrong}");
        }
    }

    #[test]
    fn names_are_unique_and_shown() {
        let mut names: Vec<&str> = ALL.iter().map(|function| function.name).collect();
        assert!(
            names.iter().all(|name| Function::named(name).is_some_and(|function| function.name == *name))
        );
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 10);
        let insert = Function::named("memory_insert").unwrap().signature();
        assert!(insert.starts_with("memory_insert(label, new_string, insert_line?): "), "{insert}");
    }
}
