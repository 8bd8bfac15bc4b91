//! An application on a machine of its own: memories on one storage, called by name, and a model that says what it is told to.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "every test program uses a part")]

use super::machine::Machine;
use mnemic::engine::{Engine, Options, Parts};
use mnemic::ports::{Llm, ModelRequest, Pending, Platform};
use mnemic::storage::MemoryStorage;
use mnemic::{Code, Error, Result};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Whose memory it is.
pub(crate) const USER: &str = r#"{"userId":"one"}"#;

/// A model that gives its answers in turn, each after some time, and keeps what it was asked. Without answers it fails.
#[derive(Default)]
pub(crate) struct Scripted {
    pub(crate) answers: RefCell<Vec<Value>>,
    pub(crate) asked: RefCell<Vec<ModelRequest>>,
    /// How long an answer takes, and who knows when that is over.
    pub(crate) takes: Cell<u32>,
    clock: RefCell<Option<Rc<dyn Platform>>>,
}

impl Scripted {
    pub(crate) fn new(answers: impl IntoIterator<Item = Value>) -> Rc<Self> {
        Rc::new(Self { answers: RefCell::new(answers.into_iter().collect()), ..Self::default() })
    }

    /// How often it was asked.
    pub(crate) fn calls(&self) -> usize {
        self.asked.borrow().len()
    }

    /// What it was asked last: the user's part of the prompt.
    pub(crate) fn prompt(&self) -> String {
        self.asked.borrow().last().unwrap().messages.get(1).unwrap().content.clone()
    }
}

impl Llm for Scripted {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        self.asked.borrow_mut().push(request.clone());
        let mut answers = self.answers.borrow_mut();
        let answer = if answers.is_empty() {
            Err(Error::new(Code::Model, "no more answers"))
        } else {
            Ok(answers.remove(0))
        };
        let clock = self.clock.borrow().clone();
        let takes = self.takes.get();
        Box::pin(async move {
            if let Some(clock) = clock.filter(|_| takes > 0) {
                clock.sleep(takes).await;
            }
            answer
        })
    }
}

/// The answer that learns nothing.
pub(crate) fn nothing() -> Value {
    json!({ "facts": [], "profile": [] })
}

/// The answer that adds one fact.
pub(crate) fn adds(text: &str) -> Value {
    json!({ "facts": [{ "action": "add", "target": null, "text": text, "significance": 6, "message": 1 }], "profile": [] })
}

/// A machine with one storage.
pub(crate) struct App {
    pub(crate) machine: Machine,
    pub(crate) storage: MemoryStorage,
}

impl App {
    pub(crate) fn new() -> Self {
        Self { machine: Machine::new(5), storage: MemoryStorage::default() }
    }

    pub(crate) fn now(&self) -> i64 {
        self.machine.platform().now()
    }

    /// Opens a memory, with a model or without.
    pub(crate) fn open(&self, llm: Option<&Rc<Scripted>>, options: Value) -> Engine {
        if let Some(llm) = llm {
            *llm.clock.borrow_mut() = Some(self.machine.platform());
        }
        self.open_parts(llm.cloned().map(|llm| -> Rc<dyn Llm> { llm }), options)
    }

    /// Opens a memory with a model of any kind.
    pub(crate) fn open_model(&self, llm: Rc<dyn Llm>, options: Value) -> Engine {
        self.open_parts(Some(llm), options)
    }

    fn open_parts(&self, llm: Option<Rc<dyn Llm>>, options: Value) -> Engine {
        let (storage, platform) = (Rc::new(self.storage.clone()), self.machine.platform());
        let parts = Parts { storage, platform, llm, embedder: None, tokenizer: None };
        let options: Options = serde_json::from_value(options).unwrap();
        self.machine.run(async move { Engine::open(parts, options).await }).unwrap()
    }

    /// Tries to open a memory without a model.
    pub(crate) fn try_open(&self, options: Value) -> Result<Engine> {
        let (storage, platform) = (Rc::new(self.storage.clone()), self.machine.platform());
        let parts = Parts { storage, platform, llm: None, embedder: None, tokenizer: None };
        let options: Options = serde_json::from_value(options).unwrap();
        self.machine.run(async move { Engine::open(parts, options).await })
    }

    pub(crate) fn close(&self, engine: &Engine) {
        let engine = engine.clone();
        self.machine.run(async move { engine.close().await });
    }

    pub(crate) fn try_call(&self, engine: &Engine, method: &str, options: Value) -> Result<Value> {
        let (engine, method) = (engine.clone(), method.to_owned());
        let scope = if ["idle", "usage", "verify"].contains(&method.as_str()) { "" } else { USER };
        let answer =
            self.machine.run(async move { engine.call(&method, scope, &options.to_string()).await })?;
        Ok(serde_json::from_str(&answer).unwrap())
    }

    pub(crate) fn call(&self, engine: &Engine, method: &str, options: Value) -> Value {
        self.try_call(engine, method, options).unwrap()
    }

    /// Begins a call and does not wait for it.
    pub(crate) fn begin(
        &self,
        engine: &Engine,
        method: &str,
        options: Value,
    ) -> Rc<RefCell<Option<Result<Value>>>> {
        let answer = Rc::new(RefCell::new(None));
        let (engine, method, slot) = (engine.clone(), method.to_owned(), answer.clone());
        self.machine.platform().spawn(Box::pin(async move {
            let said = engine.call(&method, USER, &options.to_string()).await;
            *slot.borrow_mut() = Some(said.map(|text| serde_json::from_str(&text).unwrap()));
        }));
        answer
    }

    /// The user says something.
    pub(crate) fn say(&self, engine: &Engine, text: &str) -> Value {
        self.call(engine, "remember", json!({ "messages": [{ "role": "user", "content": text }] }))
    }

    /// How many extractions wait.
    pub(crate) fn pending(&self, engine: &Engine) -> Value {
        self.call(engine, "idle", json!({}))["pending"].clone()
    }

    /// The texts of the present facts, the newest first.
    pub(crate) fn facts(&self, engine: &Engine) -> Vec<String> {
        let facts = self.call(engine, "facts.list", json!({}));
        facts.as_array().unwrap().iter().map(|fact| fact["text"].as_str().unwrap().to_owned()).collect()
    }
}
