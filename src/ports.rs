//! The ports: everything the engine waits for.
//!
//! The core is synchronous and deterministic; storage, models, time and randomness come in through these traits. The web
//! adapters are in `src/web/`; native tests implement them with plain structs.

use crate::error::{Code, Error, Result};
use serde_json::Value;
use std::future::{Future, poll_fn};
use std::hint::black_box;
use std::marker::PhantomData;
use std::pin::Pin;
use std::rc::Rc;

/// A boxed future of the single-threaded engine.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// What something answers while a value is set: nobody else runs while it is polled, so the value is set for it alone. `replace` sets one
/// and answers which there was.
pub(crate) async fn with_set<T, V: Clone>(mut work: Pending<'_, T>, value: V, replace: impl Fn(V) -> V) -> T {
    poll_fn(|context| {
        let before = replace(value.clone());
        let polled = work.as_mut().poll(context);
        replace(before);
        polled
    })
    .await
}

pub use crate::log::{HEAD_KEY, MAX_VALUE_BYTES};
pub use crate::store::ReadAt;

/// The most bytes a key may have.
pub const MAX_KEY_BYTES: usize = 64;

/// The most bytes that the description of a [`KeySource`]'s key may have.
pub const MAX_DESCRIPTION_BYTES: usize = 4096;

/// The head counter in the stored value of [`HEAD_KEY`]; 0 when nothing is stored.
///
/// Every [`Storage`] reads the counter with this function, so that all agree on what a head is.
///
/// # Errors
/// [`Code::Corrupt`] when the value has fewer than eight bytes.
///
/// ```
/// assert_eq!(mnemic::ports::head_counter(None)?, 0);
/// assert_eq!(mnemic::ports::head_counter(Some(&[7, 0, 0, 0, 0, 0, 0, 0, b'x']))?, 7);
/// assert!(mnemic::ports::head_counter(Some(&[7])).is_err());
/// # Ok::<(), mnemic::Error>(())
/// ```
pub fn head_counter(value: Option<&[u8]>) -> Result<u64> {
    let Some(value) = value else { return Ok(0) };
    match value.first_chunk() {
        Some(counter) => Ok(u64::from_le_bytes(*counter)),
        None => Err(Error::new(
            Code::Corrupt,
            format!(
                "the stored head has {} bytes where at least 8 are needed; restore a backup",
                value.len()
            ),
        )),
    }
}

/// Keys with their values, in key order.
pub type Pairs = Vec<(String, Vec<u8>)>;

/// A change of a [`Storage`] that is kept whole or not at all.
///
/// No key appears twice, and [`HEAD_KEY`] is never deleted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// Keys to set, with their values; the last one is always [`HEAD_KEY`].
    pub puts: Vec<(String, Vec<u8>)>,
    /// Keys to remove; removing a key that is not there is not an error.
    pub deletes: Vec<String>,
}

/// An ordered map from text keys to bytes, kept somewhere.
///
/// What the engine promises: keys are non-empty ASCII of at most [`MAX_KEY_BYTES`]; values, which may be empty, have at
/// most a little over [`MAX_VALUE_BYTES`]; batches are as [`Batch`] says.
///
/// What every implementation promises, and the contract suite checks:
/// - keys are ordered by their bytes;
/// - a write is seen whole or not at all, and by every read that starts after it resolved;
/// - a write resolves only when its bytes are kept (as durably as the storage was opened for);
/// - a write whose `expected_head` is not the stored head fails with `Conflict` and changes nothing, so of several
///   handles that race with the same `expected_head` exactly one wins;
/// - a write that fails for lack of space fails with `QuotaExceeded` and changes nothing;
/// - a call whose future is dropped half-way leaves no damage: its batch is kept whole or not at all.
///
/// A medium without transactions (localStorage) promises less about a crash in the middle of a write: it puts in order,
/// the head last, and then deletes. So a crash may leave values under the old head that it does not know, and keys
/// under the new head that were to be deleted. The engine therefore ignores keys its head does not know, and overwrites
/// only values that the old head can still be read with.
pub trait Storage {
    /// All pairs with `start <= key < end`, in key order; none when `start >= end`.
    ///
    /// # Errors
    /// `Storage` when the medium fails, `Corrupt` when what it holds is not a value this storage wrote.
    fn read<'a>(&'a self, start: &'a str, end: &'a str) -> Pending<'a, Result<Pairs>>;

    /// Applies the batch if the stored head, by [`head_counter`], equals `expected_head`.
    ///
    /// # Errors
    /// - `Conflict` when the stored head is another, `QuotaExceeded` when there is no room, `Corrupt` when the stored
    ///   head is damaged: nothing was changed.
    /// - `Storage` when the medium failed: the batch was kept whole or not at all, and which of both is known only by
    ///   reading the head again (the answer of a medium can be lost on the way).
    fn write<'a>(&'a self, batch: &'a Batch, expected_head: u64) -> Pending<'a, Result<()>>;

    /// What reads parts of values at once, as far as this storage can: then not everything that is stored has to be in memory.
    fn reader(&self) -> Option<Rc<dyn ReadAt>> {
        None
    }

    /// Lets go of the medium without waiting for calls under way; those finish or fail. Called once; nothing is called
    /// after it.
    fn close(&self);
}

/// AES-256-GCM, as the runtime has it.
pub trait Cipher {
    /// A key from its bytes.
    ///
    /// # Errors
    /// `Internal` where the runtime refuses.
    fn import<'a>(&'a self, key: &'a [u8; 32]) -> Pending<'a, Result<Rc<dyn CipherKey>>>;
}

/// A key of AES-256-GCM that can be used and need not be known.
///
/// Work begins when a method is called, not when its answer is awaited, so that a runtime can do several at once.
pub trait CipherKey {
    /// The ciphertext of `plain` with its tag of 16 bytes behind it. No nonce may be used twice.
    ///
    /// # Errors
    /// `Internal` where the runtime refuses, such as a key that may not encrypt.
    fn seal<'a>(
        &'a self,
        nonce: &'a [u8; 12],
        associated: &'a [u8],
        plain: &'a [u8],
    ) -> Pending<'a, Result<Vec<u8>>>;

    /// What [`seal`](Self::seal) was given; `None` when the key, the nonce, the associated data or a byte is another.
    ///
    /// # Errors
    /// `Internal` where the runtime refuses, such as a key that may not decrypt.
    fn open<'a>(
        &'a self,
        nonce: &'a [u8; 12],
        associated: &'a [u8],
        sealed: &'a [u8],
    ) -> Pending<'a, Result<Option<Vec<u8>>>>;
}

/// A key and its description, of at most [`MAX_DESCRIPTION_BYTES`].
pub type SourcedKey = (Rc<dyn CipherKey>, String);

/// Where the key of an encrypted memory comes from: a passphrase, a passkey, the application.
pub trait KeySource {
    /// The key that a description stands for, which an earlier call gave and the memory keeps in clear; without one, a key
    /// for a memory that is to be encrypted. Answers the key and its description.
    ///
    /// # Errors
    /// `WrongKey` when what is there does not fit the description, such as a passphrase where a passkey is needed, and
    /// whatever else keeps the key from being had.
    fn key<'a>(&'a self, description: Option<&'a str>) -> Pending<'a, Result<SourcedKey>>;
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
    /// The version of the prompt, such as `extract-7`.
    pub prompt: &'static str,
    /// The messages.
    pub messages: Vec<ModelMessage>,
    /// The JSON Schema the answer must have, if it must be JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The functions the model may call, as `{name, description, parameters}` with a JSON Schema, for callbacks that can call
    /// functions: they answer `{toolCalls: [{name, arguments}]}` or words. Others answer as `schema` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Value>,
    /// The most tokens the answer may have.
    pub max_tokens: u32,
}

/// A language model supplied by the application.
pub trait Llm {
    /// Asks the model. The answer is whatever it returned, a string or JSON; nothing about it is trusted.
    /// When `timeout_ms` pass, or the future is dropped before the answer, the request's abort signal fires; a later
    /// answer is ignored.
    ///
    /// # Errors
    /// `Model` when the callback throws, `Timeout` when it does not answer in time.
    fn complete<'a>(&'a self, request: &'a ModelRequest, timeout_ms: u32) -> Pending<'a, Result<Value>>;
}

/// What a text is embedded for. Some models expect other words before the one than before the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPurpose {
    /// To search for what is like it.
    Query,
    /// To be found.
    Document,
}

impl TextPurpose {
    /// Its name, as the application is told it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Document => "document",
        }
    }
}

/// An embedding model supplied by the application.
pub trait Embedder {
    /// The id under which its vectors are kept.
    fn id(&self) -> &str;

    /// One vector per text, in order; nothing about them is trusted. Time and dropped futures are treated as by
    /// [`Llm::complete`].
    ///
    /// # Errors
    /// `Embedder` when the callback throws or answers something that is not a list of number lists, `Timeout` when it
    /// does not answer in time.
    fn embed<'a>(
        &'a self,
        texts: &'a [String],
        purpose: TextPurpose,
        timeout_ms: u32,
    ) -> Pending<'a, Result<Vec<Vec<f32>>>>;
}

/// Counts the tokens of texts as the application's model does.
pub trait Tokenizer {
    /// How many tokens a text has. Answers at once: it is called many times for one prompt.
    ///
    /// # Errors
    /// `InvalidInput` when the callback throws or answers something that is no whole number from 0.
    fn count(&self, text: &str) -> Result<usize>;
}

/// Time, randomness and background work.
pub trait Platform {
    /// Milliseconds since 1970 UTC.
    fn now(&self) -> i64;

    /// Ten random bytes, for an id.
    fn random(&self) -> [u8; 10];

    /// Resolves after about `milliseconds`. A process that waits for nothing else may end before.
    fn sleep(&self, milliseconds: u32) -> Pending<'static, ()>;

    /// Resolves soon, after whoever else waits for the thread: input, painting, answers that have come.
    fn yield_now(&self) -> Pending<'static, ()>;

    /// Whether a page is painted by this thread, so that it waits while the engine computes.
    fn is_of_page(&self) -> bool {
        false
    }

    /// Runs a future in the background.
    fn spawn(&self, work: Pending<'static, ()>);

    /// Loads a [`Part`] of the engine by its name; at once where all of it is there from the beginning.
    ///
    /// # Errors
    /// `Load` when it cannot be loaded; the next call tries again.
    fn load(&self, _part: &'static str) -> Pending<'static, Result<()>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Whether a [`Part`] is loaded.
    fn is_loaded(&self, _part: &'static str) -> bool {
        true
    }
}

/// Code that the web loads only when it is first needed. Natively it is always there.
///
/// The build cuts it off the linked module: whatever is reached only through the functions that `wasm-pack.toml` names for
/// the part. Each of them takes a [`Loaded`], so none can be called before its code is there.
pub trait Part {
    /// Its name, in `wasm-pack.toml` and in the name of its file.
    const NAME: &'static str;
}

/// What finds: searches, and what is told of what they find.
#[derive(Debug, Clone, Copy)]
pub enum Search {}

impl Part for Search {
    const NAME: &'static str = "search";
}

/// The rules that learn without a model.
#[derive(Debug, Clone, Copy)]
pub enum Rules {}

impl Part for Rules {
    const NAME: &'static str = "rules";
}

/// What asks models, and the systems that many applications do without. They search, so that [`Search`] is there with them.
#[derive(Debug, Clone, Copy)]
pub enum Systems {}

impl Part for Systems {
    const NAME: &'static str = "systems";
}

/// What writes segments, when the log is folded or something is erased, and reads many of them.
#[derive(Debug, Clone, Copy)]
pub enum Folding {}

impl Part for Folding {
    const NAME: &'static str = "folding";
}

/// What only encrypted memories need.
#[derive(Debug, Clone, Copy)]
pub enum Sealing {}

impl Part for Sealing {
    const NAME: &'static str = "encryption";
}

/// Proof that a part is loaded.
#[derive(Debug)]
pub struct Loaded<P>(PhantomData<P>);

impl<P> Clone for Loaded<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Loaded<P> {}

impl<P: Part> Loaded<P> {
    /// Waits until the part is loaded.
    ///
    /// # Errors
    /// `Load` when it cannot be loaded; the next call tries again.
    pub async fn by(platform: &dyn Platform) -> Result<Self> {
        platform.load(P::NAME).await?;
        Ok(Self(PhantomData))
    }

    /// The same where it is loaded already.
    #[must_use]
    pub fn now(platform: &dyn Platform) -> Option<Self> {
        platform.is_loaded(P::NAME).then_some(Self(PhantomData))
    }

    /// Hands out work of the part, of which the optimiser is not to know what it is: else it calls the code of the work
    /// where the work is waited for, which is no longer a part then.
    pub fn work<'a, T>(self, work: Pending<'a, T>) -> Pending<'a, T> {
        black_box(work)
    }
}
