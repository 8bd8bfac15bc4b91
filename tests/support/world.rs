//! An engine as an application calls it: by name, with JSON, on a machine and a storage of its own, with scripted models.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "every test program uses its part")]

#[path = "machine.rs"]
mod machine;

pub(crate) use machine::Machine;
use mnemic::engine::{Engine, Options, Parts};
use mnemic::ports::{Embedder, Llm, ModelRequest, Pending};
use mnemic::storage::MemoryStorage;
use mnemic::{Code, Error, Result};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// Two scopes.
pub(crate) const ALICE: &str = r#"{"userId":"alice"}"#;
pub(crate) const BOB: &str = r#"{"userId":"bob"}"#;

/// A model that answers what it was given, in turn, and keeps what it was asked.
#[derive(Default)]
pub(crate) struct Scripted {
    answers: RefCell<Vec<Result<Value>>>,
    pub(crate) asked: RefCell<Vec<ModelRequest>>,
}

impl Scripted {
    pub(crate) fn new(answers: impl IntoIterator<Item = Value>) -> Rc<Self> {
        let answers = answers.into_iter().map(Ok).collect();
        Rc::new(Self { answers: RefCell::new(answers), asked: RefCell::default() })
    }
}

impl Llm for Scripted {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        self.asked.borrow_mut().push(request.clone());
        let mut answers = self.answers.borrow_mut();
        let answer = if answers.is_empty() {
            Err(Error::new(Code::Model, "no more answers"))
        } else {
            answers.remove(0)
        };
        Box::pin(async move { answer })
    }
}

/// A machine with one storage.
pub(crate) struct World {
    pub(crate) machine: Machine,
    pub(crate) storage: MemoryStorage,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { machine: Machine::new(7), storage: MemoryStorage::default() }
    }

    /// Opens the storage; `options` are those of `openMemory` that cross to the engine.
    pub(crate) fn try_open(
        &self,
        llm: Option<Rc<dyn Llm>>,
        embedder: Option<Rc<dyn Embedder>>,
        options: &Value,
    ) -> Result<Engine> {
        let storage = Rc::new(self.storage.clone());
        let parts = Parts { storage, platform: self.machine.platform(), llm, embedder, tokenizer: None };
        let options = Options::from_json(&options.to_string())?;
        self.machine.run(async move { Engine::open(parts, options).await })
    }

    pub(crate) fn open(&self, llm: Option<Rc<dyn Llm>>, options: &Value) -> Engine {
        self.try_open(llm, None, options).unwrap()
    }

    pub(crate) fn try_call(
        &self,
        engine: &Engine,
        method: &str,
        scope: &str,
        options: Value,
    ) -> Result<Value> {
        let (engine, method, scope) = (engine.clone(), method.to_owned(), scope.to_owned());
        let answer =
            self.machine.run(async move { engine.call(&method, &scope, &options.to_string()).await })?;
        Ok(serde_json::from_str(&answer).unwrap())
    }

    /// A call of Alice's.
    pub(crate) fn call(&self, engine: &Engine, method: &str, options: Value) -> Value {
        self.try_call(engine, method, ALICE, options).unwrap()
    }

    /// What Alice's call fails with.
    pub(crate) fn fails(&self, engine: &Engine, method: &str, options: Value) -> Error {
        self.try_call(engine, method, ALICE, options).unwrap_err()
    }

    pub(crate) fn idle(&self, engine: &Engine) -> Value {
        self.try_call(engine, "idle", "", json!({})).unwrap()
    }
}
