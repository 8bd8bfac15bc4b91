//! The virtual context as an application uses it: a model with a small window and a memory without end.

mod aborting;
mod archive;
mod blocks;
mod far;
mod step;
mod window;

use crate::support::world::World;
use mnemic::engine::Engine;
use mnemic::ports::{Llm, ModelRequest, Pending};
use mnemic::{Result, tokens};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// What a model makes of a request, and of how often it was asked before.
type Answering = dyn Fn(&ModelRequest, usize) -> Result<Value>;

/// A model that answers by what it is asked, and keeps that.
struct Model {
    answer: Box<Answering>,
    asked: RefCell<Vec<ModelRequest>>,
}

impl Model {
    /// `answer` gets the request and how often it was asked before.
    fn new(answer: impl Fn(&ModelRequest, usize) -> Result<Value> + 'static) -> Rc<Self> {
        Rc::new(Self { answer: Box::new(answer), asked: RefCell::default() })
    }

    /// The requests of a purpose.
    fn asked(&self, purpose: &str) -> Vec<ModelRequest> {
        self.asked.borrow().iter().filter(|request| request.purpose == purpose).cloned().collect()
    }
}

impl Llm for Model {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        let before = self.asked.borrow().len();
        self.asked.borrow_mut().push(request.clone());
        let answer = (self.answer)(request, before);
        Box::pin(async move { answer })
    }
}

/// Options with nothing in the background, and a window.
fn options(context: Value) -> Value {
    json!({ "extraction": { "auto": false }, "summaries": { "auto": false }, "context": context })
}

fn call(name: &str, arguments: Value) -> Value {
    json!({ "name": name, "arguments": arguments })
}

/// An answer of calls.
fn calls<const N: usize>(calls: [Value; N]) -> Value {
    json!({ "toolCalls": calls.to_vec() })
}

/// An answer that says something.
fn says(text: &str) -> Value {
    calls([call("send_message", json!({ "message": text }))])
}

/// What a request takes of the window.
fn size(request: &ModelRequest) -> usize {
    // Chat APIs take about four more for each message.
    let messages: usize = request.messages.iter().map(|message| 4 + tokens::estimate(&message.content)).sum();
    messages + request.tools.as_ref().map_or(0, |tools| tokens::estimate(&tools.to_string()))
}

fn user(text: &str) -> Value {
    json!([{ "role": "user", "content": text }])
}

fn step(world: &World, engine: &Engine, text: &str) -> Value {
    world.call(engine, "context.step", json!({ "messages": user(text), "threadId": "chat" }))
}

fn messages(world: &World, engine: &Engine) -> Vec<Value> {
    let list = json!({ "threadId": "chat", "limit": 1000 });
    world.call(engine, "threads.messages", list).as_array().unwrap().clone()
}

fn function(world: &World, engine: &Engine, name: &str, arguments: Value) -> (bool, String) {
    let called = world.call(engine, "context.call", json!({ "name": name, "arguments": arguments }));
    (called["ok"].as_bool().unwrap(), called["result"].as_str().unwrap().to_owned())
}
