//! The ports: everything the engine waits for.
//!
//! The core is synchronous and deterministic; storage, models, time and randomness come in through these traits. The web
//! adapters are in `src/web/`; native tests implement them with plain structs.

use crate::error::Result;
use serde_json::Value;
use std::future::Future;
use std::pin::Pin;

/// A boxed future of the single-threaded engine.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

pub use crate::log::{HEAD_KEY, MAX_VALUE_BYTES};

/// An atomic change of a [`Storage`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// Keys to set, with their values; the last one is always [`HEAD_KEY`].
    pub puts: Vec<(String, Vec<u8>)>,
    /// Keys to remove; removing a key that is not there is not an error.
    pub deletes: Vec<String>,
}

/// An ordered map from text keys to bytes, kept somewhere.
///
/// Promises every implementation makes, and the contract suite checks:
/// - keys are non-empty ASCII of at most 64 bytes; they are ordered by their bytes; values are at most a little over
///   [`MAX_VALUE_BYTES`];
/// - a write is seen whole or not at all, also after a crash, and is visible to every read that starts after it resolved;
/// - a write resolves only when its bytes are kept (as durably as the storage was opened for);
/// - a write whose `expected_head` is not the stored head fails with `Conflict` and changes nothing;
/// - a write that fails for lack of space fails with `QuotaExceeded` and changes nothing.
pub trait Storage {
    /// All pairs with `start <= key < end`, in key order.
    ///
    /// # Errors
    /// `Storage` when the medium fails.
    fn read<'a>(&'a self, start: &'a str, end: &'a str) -> Pending<'a, Result<Vec<(String, Vec<u8>)>>>;

    /// Applies the batch if the first eight bytes of the value of [`HEAD_KEY`] (little-endian; 0 when absent) equal
    /// `expected_head`.
    ///
    /// # Errors
    /// `Conflict`, `QuotaExceeded` or `Storage`; nothing was changed then.
    fn write<'a>(&'a self, batch: &'a Batch, expected_head: u64) -> Pending<'a, Result<()>>;

    /// Lets go of the medium. Called once; nothing is called after it.
    fn close(&self);
}

/// One message of a model request.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ModelMessage {
    /// `system`, `user` or `assistant`.
    pub role: &'static str,
    /// The text.
    pub content: String,
}

/// What the engine asks of a model.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelRequest {
    /// Why it is asked, such as `extract`; applications may route by it.
    pub purpose: &'static str,
    /// The prompt.
    pub messages: Vec<ModelMessage>,
    /// The JSON Schema the answer must have, if it must be JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The most tokens the answer may have.
    pub max_tokens: u32,
}

/// A language model supplied by the application.
pub trait Llm {
    /// Asks the model. The answer is whatever it returned, a string or JSON; nothing about it is trusted.
    /// When `timeout_ms` pass, the request's abort signal fires and the call fails.
    ///
    /// # Errors
    /// `Model` when the callback throws, `Timeout` when it does not answer in time.
    fn complete<'a>(&'a self, request: &'a ModelRequest, timeout_ms: u32) -> Pending<'a, Result<Value>>;
}

/// An embedding model supplied by the application.
pub trait Embedder {
    /// The id under which its vectors are kept.
    fn id(&self) -> &str;

    /// One vector per text, in order; nothing about them is trusted.
    ///
    /// # Errors
    /// `Embedder` when the callback throws or answers something that is not a list of number lists, `Timeout` when it
    /// does not answer in time.
    fn embed<'a>(&'a self, texts: &'a [String], timeout_ms: u32) -> Pending<'a, Result<Vec<Vec<f32>>>>;
}

/// Time, randomness and background work.
pub trait Platform {
    /// Milliseconds since 1970 UTC.
    fn now(&self) -> i64;

    /// Ten random bytes, for an id.
    fn random(&self) -> [u8; 10];

    /// Resolves after about `milliseconds`.
    fn sleep(&self, milliseconds: u32) -> Pending<'static, ()>;

    /// Runs a future in the background.
    fn spawn(&self, work: Pending<'static, ()>);
}
