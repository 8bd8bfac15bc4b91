//! A memory on a machine of its own, with a model that plays a script.

#[path = "../support/machine.rs"]
pub(crate) mod machine;

use machine::Machine;
use mnemic::engine::{Engine, Options, Parts};
use mnemic::ports::{Embedder, Llm, ModelRequest, Pending, Platform};
use mnemic::storage::MemoryStorage;
use mnemic::{Code, Error, Result};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) const ALICE: &str = r#"{"userId":"alice"}"#;
pub(crate) const BOB: &str = r#"{"userId":"bob"}"#;
pub(crate) const HOUR: i64 = 3_600_000;

/// A model that answers what it was given, in turn, and keeps what it was asked.
#[derive(Default)]
pub(crate) struct Scripted {
    pub(crate) answers: RefCell<Vec<Value>>,
    pub(crate) asked: RefCell<Vec<ModelRequest>>,
    /// What happens while it thinks about its first answer.
    pub(crate) meanwhile: RefCell<Option<Pending<'static, ()>>>,
}

impl Scripted {
    pub(crate) fn new(answers: impl IntoIterator<Item = Value>) -> Rc<Self> {
        Rc::new(Self { answers: RefCell::new(answers.into_iter().collect()), ..Self::default() })
    }
}

impl Llm for Scripted {
    fn complete<'a>(&'a self, request: &'a ModelRequest, _timeout_ms: u32) -> Pending<'a, Result<Value>> {
        self.asked.borrow_mut().push(request.clone());
        let mut answers = self.answers.borrow_mut();
        let answer = if answers.is_empty() { None } else { Some(answers.remove(0)) };
        let meanwhile = self.meanwhile.take();
        Box::pin(async move {
            if let Some(meanwhile) = meanwhile {
                meanwhile.await;
            }
            answer.ok_or_else(|| Error::new(Code::Model, "no more answers"))
        })
    }
}

/// An embedder of three dimensions.
pub(crate) struct Toy;

impl Embedder for Toy {
    fn id(&self) -> &str {
        "toy"
    }

    fn embed<'a>(&'a self, texts: &'a [String], _timeout_ms: u32) -> Pending<'a, Result<Vec<Vec<f32>>>> {
        let vectors = texts.iter().map(|text| vec![1.0, text.len() as f32, 2.0]).collect();
        Box::pin(async move { Ok(vectors) })
    }
}

pub(crate) struct World {
    pub(crate) machine: Machine,
    pub(crate) storage: MemoryStorage,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { machine: Machine::new(7), storage: MemoryStorage::default() }
    }

    pub(crate) fn now(&self) -> i64 {
        self.machine.platform().now()
    }

    pub(crate) fn open(&self) -> Engine {
        self.open_with(None, None)
    }

    pub(crate) fn open_with(&self, llm: Option<Rc<dyn Llm>>, embedder: Option<Rc<dyn Embedder>>) -> Engine {
        let parts = Parts {
            storage: Rc::new(self.storage.clone()),
            platform: self.machine.platform(),
            llm,
            embedder,
            tokenizer: None,
        };
        let options: Options = serde_json::from_value(json!({ "profiles": { "person": {
            "type": "object",
            "properties": { "city": { "type": "string" }, "age": { "type": "integer" } }
        } } }))
        .unwrap();
        self.machine.run(async move { Engine::open(parts, options).await }).unwrap()
    }

    pub(crate) fn close(&self, engine: &Engine) {
        let engine = engine.clone();
        self.machine.run(async move { engine.close().await });
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

    pub(crate) fn call(&self, engine: &Engine, method: &str, options: Value) -> Value {
        self.try_call(engine, method, ALICE, options).unwrap()
    }

    pub(crate) fn refuses(&self, engine: &Engine, method: &str, options: Value) -> Error {
        let answer = self.try_call(engine, method, ALICE, options.clone());
        assert!(answer.is_err(), "{method} takes {options}");
        answer.unwrap_err()
    }

    pub(crate) fn idle(&self, engine: &Engine) {
        self.try_call(engine, "idle", "", json!({})).unwrap();
    }

    pub(crate) fn add(&self, engine: &Engine, fact: Value) -> Value {
        self.call(engine, "facts.add", fact)["id"].clone()
    }
}

/// The texts of a list of items.
pub(crate) fn texts(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap()).collect()
}
