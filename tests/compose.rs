//! Prompts are measured once: a tokenizer is asked about each line, and about the written whole, and not again and again.

use crate::support::world::{Scripted, World};
use mnemic::Result;
use mnemic::engine::{Engine, Parts};
use mnemic::ports::Tokenizer;
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

/// A tokenizer that knows how much it was asked.
#[derive(Default)]
struct Counting {
    calls: Cell<usize>,
    bytes: Cell<usize>,
}

impl Counting {
    /// How often it was asked since it last said so, and about how many bytes.
    fn asked(&self) -> (usize, usize) {
        (self.calls.take(), self.bytes.take())
    }
}

impl Tokenizer for Counting {
    fn count(&self, text: &str) -> Result<usize> {
        self.calls.set(self.calls.get() + 1);
        self.bytes.set(self.bytes.get() + text.len());
        Ok(text.len().div_ceil(4))
    }
}

fn open(world: &World, tokenizer: &Rc<Counting>, answers: Vec<Value>) -> (Engine, Rc<Scripted>) {
    let llm = Scripted::new(answers);
    let parts = Parts {
        storage: Rc::new(world.storage.clone()),
        platform: world.machine.platform(),
        llm: Some(llm.clone()),
        embedder: None,
        tokenizer: Some(tokenizer.clone()),
    };
    let options = json!({
        "extraction": { "auto": false },
        "profiles": { "user": { "type": "object", "properties": { "name": { "type": "string" } } } },
    });
    (world.open_parts(parts, &options).unwrap(), llm)
}

fn fill(world: &World, engine: &Engine) {
    let fact = |number: usize| json!({ "text": format!("Project {number} moved to city {}", number % 7) });
    world.call(engine, "facts.import", json!({ "facts": (0..100).map(fact).collect::<Vec<_>>() }));
    world.call(engine, "profiles.set", json!({ "schema": "user", "field": "name", "value": "Ada" }));
    let said = |number: usize| {
        let role = if number.is_multiple_of(2) { "user" } else { "assistant" };
        json!({ "role": role, "content": format!("In step {number} we looked at the project of city {}", number % 7) })
    };
    let messages: Vec<Value> = (0..60).map(said).collect();
    world.call(engine, "threads.append", json!({ "threadId": "chat", "messages": messages }));
    for number in 0..12 {
        let page =
            json!({ "query": format!("Where is project {number}?"), "response": "In a city of some size." });
        world.call(engine, "tiers.add", page);
    }
}

/// Each line was counted when it was made, and messages three times: as they were read, in turns and in the answer.
#[test]
fn a_prompt_is_measured_once() {
    let world = World::new();
    let counting = Rc::new(Counting::default());
    let (engine, _) = open(&world, &counting, Vec::new());
    fill(&world, &engine);
    let query = "Where did project 5 move?";
    for (name, options) in [
        ("recall", json!({ "query": query, "maxTokens": 400 })),
        ("assemble", json!({ "query": query, "maxTokens": 1000, "threadId": "chat" })),
        ("assemble", json!({ "query": query, "maxTokens": 1000, "threadId": "chat", "as": "openai" })),
        ("tiers.prompt", json!({ "query": query, "maxTokens": 400 })),
    ] {
        counting.asked();
        let answer = world.call(&engine, name, options);
        let (calls, bytes) = counting.asked();
        let text = match &answer["messages"] {
            Value::Array(messages) => {
                messages.iter().filter_map(|message| message["content"].as_str()).collect()
            }
            _ => answer["text"].as_str().unwrap().to_owned(),
        };
        let lines = text.lines().count() + 60;
        assert!(calls <= 2 * lines, "{name} counted {calls} texts for {lines} lines and messages");
        // The lines, the whole, its beginning, and candidates without room.
        assert!(bytes <= 4 * text.len(), "{name} counted {bytes} bytes for {} bytes", text.len());
    }
}

/// A step put its window together up to four times for a request, and counted the functions each time.
#[test]
fn a_window_is_measured_once_for_each_request() {
    let world = World::new();
    let counting = Rc::new(Counting::default());
    let says = || json!({ "toolCalls": [{ "name": "send_message", "arguments": { "message": "Yes." } }] });
    let (engine, llm) = open(&world, &counting, (0..3).map(|_| says()).collect());
    fill(&world, &engine);
    for turn in 0..3 {
        counting.asked();
        let messages = json!([{ "role": "user", "content": format!("Turn {turn}") }]);
        world.call(&engine, "context.step", json!({ "messages": messages, "threadId": "chat" }));
        let (calls, bytes) = counting.asked();
        let request = llm.asked.borrow().last().unwrap().clone();
        let sent: usize = request.messages.iter().map(|message| message.content.len()).sum();
        // Before a line is measured it is tried whether it fits; the functions and the bare prompt are counted with the first.
        let frame = if turn == 0 { request.tools.unwrap().to_string().len() + sent } else { 0 };
        assert!(calls <= 2 * request.messages.len() + 4, "{calls} for {} messages", request.messages.len());
        assert!(bytes <= 2 * sent + frame, "{bytes} of {sent}");
    }
}
