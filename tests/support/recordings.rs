//! Recorded model answers: read, matched to what the model is asked, and played.
//!
//! An answer is chosen by the messages in the prompt, never by the order of calls. In a recorded answer `target` is the
//! text of a known fact; the number under which the prompt shows it is put in its place.

#![expect(clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use mnemic::Result;
use mnemic::memory::prompts::EXTRACT_VERSION;
use mnemic::ports::{Llm, ModelRequest, Pending};
use mnemic::time;
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

/// A conversation of the fixtures.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Conversation {
    pub(crate) sessions: Vec<Session>,
}

/// Messages that are handed over at once.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Session {
    pub(crate) thread_id: String,
    pub(crate) messages: Vec<Value>,
}

/// The answer to one batch of messages.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Recording {
    prompt: String,
    messages: Vec<String>,
    pub(crate) answer: Value,
}

/// A model that plays recordings, and keeps what it was asked.
pub(crate) struct Player {
    conversation: Conversation,
    recordings: Vec<Recording>,
    pub(crate) asked: RefCell<Vec<ModelRequest>>,
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// A file of the fixtures.
pub(crate) fn read<T: for<'a> Deserialize<'a>>(path: &str) -> T {
    let text = fs::read_to_string(fixtures().join(path)).expect("the fixture is there");
    serde_json::from_str(&text).expect("the fixture is what it should be")
}

impl Conversation {
    pub(crate) fn read(name: &str) -> Self {
        let mut conversation: Self = read(&format!("conversations/{name}.json"));
        for session in &mut conversation.sessions {
            for message in &mut session.messages {
                let at = message["createdAt"].as_str().and_then(time::parse).expect("a time");
                message["createdAt"] = at.into();
            }
        }
        conversation
    }

    /// The texts of messages, by their ids.
    fn texts(&self, ids: &[String]) -> Vec<Value> {
        let all = || self.sessions.iter().flat_map(|session| &session.messages);
        let text =
            |id: &String| all().find(|m| m["id"] == json!(id)).expect("a known message")["content"].clone();
        ids.iter().map(text).collect()
    }
}

impl Player {
    /// A player of all recordings of a conversation.
    pub(crate) fn new(name: &str) -> Self {
        let folder = fixtures().join("recordings").join(name);
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).expect("recordings").map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        let recordings: Vec<Recording> = paths
            .iter()
            .map(|path| {
                serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("a recording")
            })
            .collect();
        for (path, recording) in paths.iter().zip(&recordings) {
            assert_eq!(
                recording.prompt,
                EXTRACT_VERSION,
                "{} answers another version of the prompt: read the new one and record again",
                path.display()
            );
        }
        Self { conversation: Conversation::read(name), recordings, asked: RefCell::default() }
    }

    fn answer(&self, request: &ModelRequest) -> Value {
        let prompt = &request.messages[1].content;
        let heard: Vec<Value> =
            block(prompt, "<conversation>").iter().map(|line| line["text"].clone()).collect();
        let recording = self
            .recordings
            .iter()
            .find(|recording| self.conversation.texts(&recording.messages) == heard)
            .unwrap_or_else(|| panic!("no recording answers these messages: {heard:?}"));
        let known = block(prompt, "Known facts, by number:");
        let mut answer = recording.answer.clone();
        for fact in answer["facts"].as_array_mut().expect("facts") {
            if fact["target"].is_string() {
                let shown = known.iter().find(|line| line["fact"] == fact["target"]);
                fact["target"] =
                    shown.unwrap_or_else(|| panic!("{} is not shown", fact["target"]))["number"].clone();
            }
        }
        answer
    }
}

impl Llm for Player {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        self.asked.borrow_mut().push(request.clone());
        let answer = self.answer(request);
        Box::pin(async move { Ok(answer) })
    }
}

/// The lines of JSON that follow a heading of the prompt.
fn block(prompt: &str, heading: &str) -> Vec<Value> {
    let (_, rest) = prompt.split_once(heading).expect("the heading is in the prompt");
    rest.trim_start().lines().map_while(|line| serde_json::from_str(line).ok()).collect()
}
