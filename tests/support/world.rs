//! An engine as an application calls it: by name, with JSON, on a machine and a storage of its own, with scripted models.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use super::cipher::encryption;
pub(crate) use super::machine::{Machine, START};
use mnemic::engine::{Engine, Options, Parts, Protection};
use mnemic::ports::{Embedder, Llm, ModelRequest, Pending, Platform, Storage};
use mnemic::storage::MemoryStorage;
use mnemic::{Code, Error, Result};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Two scopes.
pub(crate) const ALICE: &str = r#"{"userId":"alice"}"#;
pub(crate) const BOB: &str = r#"{"userId":"bob"}"#;
pub(crate) const HOUR_MS: i64 = 3_600_000;
pub(crate) const DAY_MS: i64 = 24 * HOUR_MS;

/// A model that answers what it was given, in turn, and keeps what it was asked. Without answers it fails.
#[derive(Default)]
pub(crate) struct Scripted {
    pub(crate) answers: RefCell<Vec<Result<Value>>>,
    pub(crate) asked: RefCell<Vec<ModelRequest>>,
    /// What happens while it thinks about its first answer.
    pub(crate) meanwhile: RefCell<Option<Pending<'static, ()>>>,
    /// How long an answer takes, and who knows when that is over.
    takes: RefCell<Option<(u32, Rc<dyn Platform>)>>,
}

impl Scripted {
    pub(crate) fn new(answers: impl IntoIterator<Item = Value>) -> Rc<Self> {
        let answers = answers.into_iter().map(Ok).collect();
        Rc::new(Self { answers: RefCell::new(answers), ..Self::default() })
    }

    /// How often it was asked.
    pub(crate) fn calls(&self) -> usize {
        self.asked.borrow().len()
    }

    /// What it was asked last: the user's part of the prompt.
    pub(crate) fn prompt(&self) -> String {
        self.asked.borrow().last().unwrap().messages.get(1).unwrap().content.clone()
    }

    /// From now on an answer takes so long.
    pub(crate) fn takes(&self, world: &World, milliseconds: u32) {
        *self.takes.borrow_mut() = Some((milliseconds, world.machine.platform()));
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
        let meanwhile = self.meanwhile.take();
        let takes = self.takes.borrow().clone();
        Box::pin(async move {
            if let Some((milliseconds, clock)) = takes {
                clock.sleep(milliseconds).await;
            }
            if let Some(meanwhile) = meanwhile {
                meanwhile.await;
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
pub(crate) struct World {
    pub(crate) machine: Machine,
    pub(crate) storage: MemoryStorage,
    /// What stands before the names of calls.
    system: &'static str,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::of("")
    }

    /// One whose calls are those of one system, such as `graph.`.
    pub(crate) fn of(system: &'static str) -> Self {
        Self { machine: Machine::new(7), storage: MemoryStorage::default(), system }
    }

    pub(crate) fn now(&self) -> i64 {
        self.machine.platform().now()
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
        self.open_parts(parts, options)
    }

    pub(crate) fn open_parts(&self, parts: Parts, options: &Value) -> Result<Engine> {
        let options = Options::from_json(&options.to_string())?;
        self.machine.run(async move { Engine::open(parts, options).await })
    }

    /// Opens a storage of an encrypted memory by a passphrase.
    pub(crate) fn open_encrypted(&self, storage: Rc<dyn Storage>, words: &str) -> Result<Engine> {
        let parts =
            Parts { storage, platform: self.machine.platform(), llm: None, embedder: None, tokenizer: None };
        let protection = Protection { encryption: Some(encryption(words)), known_counter: None };
        self.machine.run(async move { Engine::open_protected(parts, Options::default(), protection).await })
    }

    /// Opens a storage that is not the world's own.
    pub(crate) fn open_on(&self, storage: Rc<dyn Storage>, options: &Value) -> Result<Engine> {
        self.open_parts(
            Parts { storage, platform: self.machine.platform(), llm: None, embedder: None, tokenizer: None },
            options,
        )
    }

    pub(crate) fn open(&self, llm: Option<Rc<dyn Llm>>, options: &Value) -> Engine {
        self.try_open(llm, None, options).unwrap()
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

    /// A call of Alice's with numbers beside its options.
    pub(crate) fn call_with(
        &self,
        engine: &Engine,
        method: &str,
        options: &Value,
        numbers: Vec<f32>,
    ) -> Result<Value> {
        let (engine, method, options) = (engine.clone(), self.name(method), options.to_string());
        let call = async move { engine.call_with(&method, scope_of(&method), &options, numbers).await };
        Ok(serde_json::from_str(&self.machine.run(call)?).unwrap())
    }

    /// A call of Alice's, or of nobody's when it is of no scope.
    pub(crate) fn call(&self, engine: &Engine, method: &str, options: Value) -> Value {
        self.try_call(engine, &self.name(method), scope_of(method), options).unwrap()
    }

    /// What such a call fails with.
    pub(crate) fn fails(&self, engine: &Engine, method: &str, options: Value) -> Error {
        let answer = self.try_call(engine, &self.name(method), scope_of(method), options.clone());
        assert!(answer.is_err(), "{method} takes {options}");
        answer.unwrap_err()
    }

    /// Begins such a call and does not wait for it.
    pub(crate) fn begin(
        &self,
        engine: &Engine,
        method: &str,
        options: Value,
    ) -> Rc<RefCell<Option<Result<Value>>>> {
        let answer = Rc::new(RefCell::new(None));
        let (engine, method, slot) = (engine.clone(), self.name(method), answer.clone());
        self.machine.platform().spawn(Box::pin(async move {
            let said = engine.call(&method, scope_of(&method), &options.to_string()).await;
            *slot.borrow_mut() = Some(said.map(|text| serde_json::from_str(&text).unwrap()));
        }));
        answer
    }

    /// Makes calls at once and answers what each came to, in order.
    pub(crate) fn at_once(&self, calls: Vec<(&Engine, &str, Value)>) -> Vec<Result<Value>> {
        let calls = calls.into_iter().map(|(engine, method, options)| self.begin(engine, method, options));
        let answers: Vec<_> = calls.collect();
        self.machine.pass(1000);
        answers.into_iter().map(|answer| answer.take().unwrap()).collect()
    }

    fn name(&self, method: &str) -> String {
        if scope_of(method).is_empty() { method.to_owned() } else { format!("{}{method}", self.system) }
    }

    /// Waits until nothing goes on.
    pub(crate) fn idle(&self, engine: &Engine) -> Value {
        self.call(engine, "idle", json!({}))
    }

    /// How many extractions wait.
    pub(crate) fn pending(&self, engine: &Engine) -> Value {
        self.idle(engine)["pending"].clone()
    }

    /// Alice says something.
    pub(crate) fn say(&self, engine: &Engine, text: &str) -> Value {
        self.call(engine, "remember", json!({ "messages": [{ "role": "user", "content": text }] }))
    }

    /// Alice says something, and nothing goes on any more afterwards.
    pub(crate) fn teach(&self, engine: &Engine, text: &str) -> Value {
        let said = self.say(engine, text);
        self.idle(engine);
        said
    }

    /// Adds a fact of Alice's, and answers its id.
    pub(crate) fn add(&self, engine: &Engine, fact: Value) -> Value {
        self.call(engine, "facts.add", fact)["id"].clone()
    }

    /// The texts of her present facts, the newest first.
    pub(crate) fn facts(&self, engine: &Engine) -> Vec<String> {
        texts(&self.call(engine, "facts.list", json!({}))).into_iter().map(str::to_owned).collect()
    }

    /// The values of one of her profiles.
    pub(crate) fn profile(&self, engine: &Engine, schema: &str) -> Value {
        self.call(engine, "profiles.get", json!({}))[schema]["profile"].clone()
    }
}

/// The causes of all commits that are made from now on.
pub(crate) fn causes(engine: &Engine) -> Rc<RefCell<Vec<Value>>> {
    let causes = Rc::new(RefCell::new(Vec::new()));
    let heard = causes.clone();
    engine.listen(Rc::new(move |event| {
        if let mnemic::database::Event::Change { cause, .. } = event {
            heard.borrow_mut().push(serde_json::to_value(cause).unwrap());
        }
    }));
    causes
}

/// The texts of a list of items.
pub(crate) fn texts(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap()).collect()
}

/// Whose call it is when Alice makes it.
pub(crate) fn scope_of(method: &str) -> &'static str {
    if ["idle", "inspect", "jobs", "standing", "taken", "usage", "verify", "watch"].contains(&method) {
        ""
    } else {
        ALICE
    }
}
