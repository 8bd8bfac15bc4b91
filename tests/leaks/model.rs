//! A model that repeats what it is shown wherever it may, and keeps what it was asked.

use super::names::Names;
use mnemic::ports::{Llm, ModelRequest, Pending};
use mnemic::{Code, Error, Result};
use serde_json::{Value, json};
use std::cell::RefCell;

/// The model of all scopes of a memory.
pub(super) struct Parrot {
    /// The scopes whose words it knows.
    pub(super) known: Vec<Names>,
    pub(super) asked: RefCell<Vec<ModelRequest>>,
}

impl Parrot {
    /// All that a request says.
    pub(super) fn text(request: &ModelRequest) -> String {
        request.messages.iter().map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n")
    }
}

impl Llm for Parrot {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        let text = Self::text(request);
        let of = self.known.iter().find(|of| text.contains(of.secret));
        let secret = of.map_or("nothing", |of| of.secret);
        // Who only reads changes nothing of what others are told.
        let learning = |request: &&ModelRequest| request.purpose != "rewrite";
        let number = self.asked.borrow().iter().filter(learning).count();
        self.asked.borrow_mut().push(request.clone());
        let learned = json!({
            "facts": [{ "action": "add", "target": null, "text": format!("The user said {secret} {number}."), "significance": 6, "message": 1 }],
            "profile": [{ "schema": "user", "field": "place", "value": format!("{secret} {number}"), "message": 1 }],
            "entities": [{ "name": format!("{secret} {}", number % 3), "type": "place", "observations": [format!("{secret} is hot.")], "message": 1, "quote": secret }],
            "relations": [],
        });
        let answer = match request.purpose {
            // How often others made it learn changes nothing of what is read.
            "rewrite" => Ok(json!({ "queries": [format!("Where is {secret}?")] })),
            // What it says then is the application's own, and is told in the events of the whole memory.
            _ if number % 7 == 6 => Err(Error::new(Code::Model, "I cannot say")),
            "extract" | "distil" => Ok(learned),
            "summarise" => Ok(json!({ "summary": format!("They spoke of {secret}.") })),
            "episode" => Ok(json!({ "episode": { "situation": secret, "approach": "a", "outcome": "o" } })),
            "revise" => Ok(json!({ "text": format!("Speak of {secret}."), "why": secret })),
            "context" => {
                Ok(json!({ "toolCalls": [{ "name": "send_message", "arguments": { "message": secret } }] }))
            }
            "consolidate" => Ok(
                json!({ "merges": [{ "keep": 1, "drop": [2], "text": format!("The user said {secret}.") }], "supersedes": [] }),
            ),
            _ => Ok(json!({ "said": secret })),
        };
        Box::pin(async move { answer })
    }
}
