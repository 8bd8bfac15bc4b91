//! A machine and its memory, which a bench fills and asks.
#[path = "../../tests/support/machine.rs"]
#[expect(dead_code, reason = "no time passes in benches")]
mod machine;

use machine::Machine;
use mnemic::engine::{Engine, Options, Parts};
use mnemic::storage::MemoryStorage;
use serde_json::Value;
use std::rc::Rc;

/// Whose memory it is.
pub(crate) const SCOPE: &str = r#"{"userId":"alice"}"#;

pub(crate) struct World {
    pub(crate) machine: Machine,
    pub(crate) storage: MemoryStorage,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { machine: Machine::new(3), storage: MemoryStorage::default() }
    }

    /// Opens an engine without models.
    pub(crate) fn open(&self, options: Value) -> Engine {
        let parts = Parts {
            storage: Rc::new(self.storage.clone()),
            platform: self.machine.platform(),
            llm: None,
            embedder: None,
            tokenizer: None,
        };
        let options: Options = serde_json::from_value(options).unwrap();
        self.machine.run(async move { Engine::open(parts, options).await }).unwrap()
    }

    pub(crate) fn call(&self, engine: &Engine, name: &str, options: &Value) -> Value {
        let (engine, name, options) = (engine.clone(), name.to_owned(), options.to_string());
        let answer = self.machine.run(async move { engine.call(&name, SCOPE, &options).await }).unwrap();
        serde_json::from_str(&answer).unwrap()
    }
}
