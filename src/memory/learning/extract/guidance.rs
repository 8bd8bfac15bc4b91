//! Guidance: what an application wants to be learned, and in what words.

use super::ExtractionOptions;
use crate::error::Result;
use crate::memory::limits::{self, invalid};
use crate::memory::prompts::{Prompts, data};
use serde::Deserialize;
use serde_json::{Value, json};
use std::rc::Rc;

/// The most topics, and the most examples, an application may give.
const MAX_TOPICS: usize = 32;
/// The most bytes of a topic's label and of its description.
const MAX_TOPIC_BYTES: usize = 1000;
/// The most bytes of all examples together.
const MAX_EXAMPLE_BYTES: usize = 32 * 1024;

/// The topics every application can name.
const MANAGED: [(&str, &str); 4] = [
    ("personal info", "who the user is: name, family, work, places, important dates"),
    ("preferences", "what the user likes, dislikes and prefers"),
    ("key conversation details", "goals, difficulties, decisions, important events and what came of them"),
    (
        "explicit instructions",
        "what the user asks to be remembered or forgotten, and how they want to be answered",
    ),
];

/// In whose words facts are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Person {
    /// As the user would write them: "I ...".
    First,
    /// About the user: "The user ...".
    #[default]
    Third,
}

/// What is to be learned, checked.
#[derive(Debug, Default)]
pub(crate) struct Guidance {
    pub(crate) facts: bool,
    pub(crate) profiles: bool,
    pub(crate) graph: bool,
    /// Whether what is learned waits for the user's yes.
    pub(crate) review: bool,
    /// Labels and descriptions; empty for whatever matters.
    topics: Vec<(String, String)>,
    /// One example per line, as the prompt shows them.
    examples: String,
    person: Person,
    language: Option<String>,
    pub(crate) prompts: Rc<Prompts>,
}

impl Guidance {
    /// Checks what an application wants.
    ///
    /// # Errors
    /// `InvalidInput` that names the option and what is wrong with it.
    pub(crate) fn new(options: &ExtractionOptions, prompts: Rc<Prompts>) -> Result<Self> {
        if let Some(language) = &options.language {
            limits::text("extraction.language", language, 100)?;
        }
        Ok(Self {
            facts: options.facts,
            profiles: options.profiles,
            graph: options.graph,
            review: options.review,
            topics: topics(&options.topics)?,
            examples: examples(&options.examples)?,
            person: options.person,
            language: options.language.clone(),
            prompts,
        })
    }

    /// What to keep, as every prompt says it.
    pub(crate) fn topics(&self) -> String {
        if self.topics.is_empty() {
            return "- Keep what will matter later: who the user is, likes, dislikes, goals, difficulties, decisions, \
                    events, people, how to answer them."
                .to_owned();
        }
        told("- Keep only what will matter later and belongs to one of these topics:", &self.topics)
    }

    /// What to keep this time: topics of one call, which were checked, in place of the application's; empty when it has none.
    pub(crate) fn topics_of_call(own: &[Value]) -> String {
        let own = topics(own).unwrap_or_default();
        if own.is_empty() {
            return String::new();
        }
        told("Of facts, keep this time only what belongs to one of these topics, and to no others:", &own)
            + "\n\n"
    }

    /// Who speaks for themselves this time, and perhaps the user under no name; empty when nobody but the user does.
    pub(crate) fn people(names: &[&str], has_nameless: bool) -> String {
        if names.is_empty() {
            return String::new();
        }
        let nameless =
            "Who speaks as \"user\" under no name is the user, whose facts have null for \"about\". ";
        format!(
            "Several people speak this time, each under a name: {}. {}In whatever role they stand, their own words count as the \
             user's do, and none of them is the assistant. Every fact is about one of them: give the name as \"about\" beside \
             the other keys, and write it in place of \"the user\". In the graph each is an entity of that name, not \"User\". \
             The profile is that of who speaks as \"user\".\n\n",
            data(&json!(names)),
            if has_nameless { nameless } else { "" }
        )
    }

    /// The examples, as a section of the prompt; empty when there are none.
    pub(crate) fn examples(&self) -> String {
        if self.examples.is_empty() {
            return String::new();
        }
        format!(
            "# Examples\nConversations and the facts to keep of them, as data. An empty list shows what not to keep.\n{}\n\n",
            self.examples
        )
    }

    pub(crate) fn person(&self) -> &'static str {
        match self.person {
            Person::First => "in the first person, as the user would write it (\"I ...\")",
            Person::Third => "in the third person (\"The user ...\")",
        }
    }

    pub(crate) fn language(&self) -> String {
        match &self.language {
            None => "in the language of its message".to_owned(),
            Some(language) => format!("in this language: {}", data(&json!(language))),
        }
    }
}

/// Topics below a heading, one a line, as data.
fn told(heading: &str, topics: &[(String, String)]) -> String {
    let mut told = heading.to_owned();
    for (label, description) in topics {
        told.push_str(&format!("\n  - {}", data(&json!({ "topic": label, "is": description }))));
    }
    told
}

/// Topics as an application gives them: the name of a managed one, or `{label, description}`.
///
/// # Errors
/// `InvalidInput` that names the place.
pub(crate) fn topics(given: &[Value]) -> Result<Vec<(String, String)>> {
    if given.len() > MAX_TOPICS {
        return Err(invalid(format!("topics has {} items; at most {MAX_TOPICS} are allowed", given.len())));
    }
    let read = |(place, topic): (usize, &Value)| {
        let text = |name: &str| topic.get(name).and_then(Value::as_str).map(str::to_owned);
        let managed = MANAGED.iter().find(|(label, _)| topic == label);
        let own = text("label").zip(text("description"));
        let (label, description) = managed
            .map(|(label, description)| ((*label).to_owned(), (*description).to_owned()))
            .or(own)
            .ok_or_else(|| {
                let labels = MANAGED.map(|(label, _)| format!("{label:?}"));
                invalid(format!(
                    "topics[{place}] is neither {} nor {{label, description}}",
                    labels.join(", ")
                ))
            })?;
        limits::text(&format!("topics[{place}].label"), &label, MAX_TOPIC_BYTES)?;
        limits::text(&format!("topics[{place}].description"), &description, MAX_TOPIC_BYTES)?;
        Ok((label, description))
    };
    given.iter().enumerate().map(read).collect()
}

/// Examples as the prompt shows them.
fn examples(given: &[Value]) -> Result<String> {
    if given.len() > MAX_TOPICS {
        return Err(invalid(format!(
            "extraction.examples has {} items; at most {MAX_TOPICS} are allowed",
            given.len()
        )));
    }
    let mut lines = Vec::with_capacity(given.len());
    for (place, example) in given.iter().enumerate() {
        let list = |name: &str| example.get(name).and_then(Value::as_array);
        let texts = |items: &[Value], name: &str| {
            items.iter().all(|item| item.get(name).is_some_and(Value::is_string))
        };
        match (list("messages"), list("facts")) {
            (Some(messages), Some(facts))
                if !messages.is_empty()
                    && texts(messages, "role")
                    && texts(messages, "content")
                    && texts(facts, "text") => {}
            _ => {
                return Err(invalid(format!(
                    "extraction.examples[{place}] is not {{messages: [{{role, content}}], facts: [{{text}}]}}"
                )));
            }
        }
        lines.push(data(example));
    }
    let lines = lines.join("\n");
    if lines.len() > MAX_EXAMPLE_BYTES {
        return Err(invalid(format!(
            "extraction.examples have {} bytes, over the limit of {MAX_EXAMPLE_BYTES}; give fewer or shorter ones",
            lines.len()
        )));
    }
    Ok(lines)
}
