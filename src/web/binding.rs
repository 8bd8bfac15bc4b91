//! The one class JavaScript sees: convert, call, convert.
//!
//! Options and answers are JSON text, and vectors are numbers beside it: one copy each way, and nothing in them can be a getter, a cycle or a NaN. Every call
//! gives a promise of its own and borrows nothing meanwhile, so that no call can be "recursive use".

use super::callbacks::{EmbedderCallback, LlmCallback, TokenizerCallback};
use super::encryption::encryption;
use super::kind::kind;
use super::platform::WebPlatform;
use super::storage::{Durability, IndexedDbStorage, LocalStorage, ObjectStorage};
use crate::engine::{self, Options, Parts, Protection};
use crate::error::{Code, Error, Result};
use crate::ports::{Embedder, Llm, Loaded, Storage, Tokenizer};
use crate::scope::Scope;
use crate::storage::MemoryStorage;
use futures_util::future::LocalBoxFuture;
use js_sys::{Function, Promise, Reflect, Uint8Array};
use std::rc::Rc;
use std::sync::Once;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

/// An open memory.
#[wasm_bindgen]
pub struct Engine {
    engine: Rc<engine::Engine>,
}

#[wasm_bindgen]
impl Engine {
    /// Opens a memory: a promise of an `Engine`. The npm package documents the fields of `config`.
    pub fn open(config: JsValue) -> Promise {
        report_panics();
        promise(async move {
            let (parts, options, protection) = configure(&config).await.map_err(thrown)?;
            let engine = engine::Engine::open_protected(parts, options, protection).await.map_err(thrown)?;
            Ok(Self { engine: Rc::new(engine) }.into())
        })
    }

    /// Calls a method by name: a promise of its answer as JSON. Vectors come beside the options, which say where each is among all their
    /// numbers.
    pub fn call(&self, method: String, scope: String, options: String, numbers: Option<Vec<f32>>) -> Promise {
        let engine = self.engine.clone();
        promise(async move {
            let answer = match numbers {
                None => engine.call(&method, &scope, &options).await,
                Some(numbers) => engine.call_with(&method, &scope, &options, numbers).await,
            };
            answer.map(JsValue::from).map_err(thrown)
        })
    }

    /// Moves a piece of a transfer that a call has begun: a promise of the next bytes, none after the last.
    pub fn transfer(&self, number: u32, bytes: Vec<u8>) -> Promise {
        let engine = self.engine.clone();
        promise(async move {
            let piece = engine.transfer(number, bytes).await.map_err(thrown)?;
            Ok(Uint8Array::from(piece.as_slice()).into())
        })
    }

    /// Encrypts the memory, or changes its key, by what a function answers: a promise. With a scope as JSON, that gets a lock of
    /// its own or another one, or is unlocked.
    pub fn encrypt(&self, key: Function, scope: String, unlocks: bool) -> Promise {
        let engine = self.engine.clone();
        promise(async move {
            let encrypted = async {
                let part = Loaded::by(&*engine.platform()).await?;
                let encryption = encryption(part, key)?;
                if scope.is_empty() {
                    return engine.encrypt(encryption).await;
                }
                let scope = Scope::from_canonical(&scope)?;
                if unlocks {
                    engine.unlock_scope(&scope, encryption.source).await
                } else {
                    engine.lock_scope(&scope, encryption.source).await
                }
            };
            encrypted.await.map(|()| JsValue::UNDEFINED).map_err(thrown)
        })
    }

    /// Tells a function of everything that happens, as JSON.
    pub fn listen(&self, listener: Function) {
        self.engine.listen(Rc::new(move |event| {
            let told = serde_json::to_string(event).map_err(|error| JsValue::from(error.to_string()));
            if let Err(error) = told.and_then(|event| listener.call1(&JsValue::UNDEFINED, &event.into())) {
                // A listener's failure is not the engine's, but it must not go unseen.
                web_sys::console::error_2(&"mnemic: a listener threw".into(), &error);
            }
        }));
    }

    /// Looks for commits of other engines on the same storage: a promise.
    pub fn refresh(&self) -> Promise {
        let engine = self.engine.clone();
        promise(async move { engine.refresh().await.map(|()| JsValue::UNDEFINED).map_err(thrown) })
    }

    /// Closes the memory: a promise. Idempotent.
    pub fn close(&self) -> Promise {
        let engine = self.engine.clone();
        promise(async move {
            engine.close().await;
            Ok(JsValue::UNDEFINED)
        })
    }
}

/// Boxed, so that the code that drives a future is there once.
pub(super) fn promise(future: impl Future<Output = Result<JsValue, JsValue>> + 'static) -> Promise {
    let future: LocalBoxFuture<'static, _> = Box::pin(future);
    wasm_bindgen_futures::future_to_promise(future)
}

async fn configure(config: &JsValue) -> Result<(Parts, Options, Protection)> {
    let options = Options::from_json(&text(config, "options")?)?;
    let llm = match get(config, "llm")? {
        given if given.is_undefined() => None,
        given => Some(Rc::new(LlmCallback::new(function(given, "llm")?)?) as Rc<dyn Llm>),
    };
    let embedder = match get(config, "embed")? {
        given if given.is_undefined() => None,
        given => {
            let callback = EmbedderCallback::new(text(config, "embedderId")?, function(given, "embed")?)?;
            Some(Rc::new(callback) as Rc<dyn Embedder>)
        }
    };
    let tokenizer = match get(config, "countTokens")? {
        given if given.is_undefined() => None,
        given => Some(Rc::new(TokenizerCallback::new(function(given, "countTokens")?)) as Rc<dyn Tokenizer>),
    };
    let platform = Rc::new(match get(config, "loadPart")? {
        given if given.is_undefined() => WebPlatform::new()?,
        given => {
            let has = function(get(config, "hasPart")?, "hasPart")?;
            WebPlatform::new()?.loading_by(function(given, "loadPart")?, has)
        }
    });
    let key = get(config, "encryptionKey")?;
    let encryption = match key {
        key if key.is_undefined() => None,
        key => Some(encryption(Loaded::by(&*platform).await?, function(key, "encryptionKey")?)?),
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a counter, which no cast makes greater"
    )]
    let known_counter = get(config, "knownCounter")?.as_f64().map(|counter| counter as u64);
    let protection = Protection { encryption, known_counter };
    let storage = open_storage(config).await?;
    Ok((Parts { storage, platform, llm, embedder, tokenizer }, options, protection))
}

/// The storage that a configuration names.
pub(super) async fn open_storage(config: &JsValue) -> Result<Rc<dyn Storage>> {
    let name = text(config, "name")?;
    let given = get(config, "storage")?;
    let Some(kind) = given.as_string() else { return Ok(Rc::new(ObjectStorage::new(given)?)) };
    let durability = match text(config, "durability")?.as_str() {
        "strict" => Durability::Strict,
        "relaxed" => Durability::Relaxed,
        other => return Err(invalid(format!("durability is {other:?}; use \"strict\" or \"relaxed\""))),
    };
    match kind.as_str() {
        "indexeddb" => Ok(Rc::new(IndexedDbStorage::open(&name, durability).await?)),
        "localstorage" => Ok(Rc::new(LocalStorage::open(&name)?)),
        "memory" => Ok(Rc::new(MemoryStorage::default())),
        other => Err(invalid(format!(
            "storage is {other:?}; use \"indexeddb\", \"localstorage\", \"memory\" or an object"
        ))),
    }
}

fn get(config: &JsValue, name: &str) -> Result<JsValue> {
    Reflect::get(config, &name.into())
        .map_err(|_| invalid(format!("the configuration is {}, not an object", kind(config))))
}

fn text(config: &JsValue, name: &str) -> Result<String> {
    let value = get(config, name)?;
    value.as_string().ok_or_else(|| invalid(format!("{name} is {}, not a string", kind(&value))))
}

fn function(value: JsValue, name: &str) -> Result<Function> {
    value.dyn_into().map_err(|value| invalid(format!("{name} is {}, not a function", kind(&value))))
}

fn invalid(message: String) -> Error {
    Error::new(Code::InvalidInput, message)
}

/// The error as JavaScript gets it: an `Error` with a code and details; the package makes a class of it.
pub(super) fn thrown(mut error: Error) -> JsValue {
    let thrown = js_sys::Error::new(&error.message);
    thrown.set_name("MnemicError");
    let details = serde_json::Value::Object(std::mem::take(&mut error.details)).to_string();
    for (name, value) in [("code", error.code.as_str()), ("details", details.as_str())] {
        // Setting a property of a fresh error cannot fail.
        Reflect::set(&thrown, &name.into(), &value.into()).unwrap_or_default();
    }
    thrown.into()
}

/// A panic ends the instance; the least it can do is say where.
fn report_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            web_sys::console::error_1(&format!("mnemic: {panic}").into());
        }));
    });
}
