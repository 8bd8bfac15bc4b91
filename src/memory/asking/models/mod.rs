//! The application's models, used carefully: answers checked, retried once with what was wrong, counted.

mod ask;
mod built_in;
mod lists;
mod parts;
mod requests;
mod salvage;

pub(crate) use ask::Question;
pub(crate) use lists::Lists;
pub(crate) use requests::{Request, Requests};

use crate::database::{Database, closed};
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::index::embedder::{EMBEDDER, Slices, embed};
use crate::memory::guard::Guard;
use crate::memory::schedule::{Activity, Working};
use crate::ordered::Ordered;
use crate::ports::{Embedder, Llm, Loaded, ModelMessage, ModelRequest, Pending, Search, TextPurpose};
use crate::store::{Found, related};
use crate::tokens;
use futures_util::future::{Either, select};
use requests::{Begun, Ended};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::Value;
use std::cell::{Cell, OnceCell, RefCell};
use std::pin::pin;
use std::rc::Rc;

/// How long an answer may take when the application says nothing else.
pub const DEFAULT_TIMEOUT_MS: u32 = 60_000;
/// How long a query's vector may take, or what else it could be put like: somebody is waiting for the result.
pub(crate) const QUERY_TIMEOUT_MS: u32 = 10_000;
/// The cosine from which two facts may say the same, with the application's embedder, and with the built-in one.
const ALIKE: f32 = 0.7;
const ALIKE_BUILT_IN: f32 = 0.6;

/// How much of a long text is read before others have the thread: about a millisecond's work.
const SLICE_BYTES: usize = 8 * 1024;

/// The most tokens a model is believed to have sent or received in one answer.
const MOST_TOLD: u64 = 1_000_000_000;

/// What models were asked, since the memory was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Spent {
    /// Calls made, retries included.
    pub calls: u64,
    /// Tokens sent, as the model's answers told, or estimated.
    pub input_tokens: u64,
    /// Tokens received, likewise.
    pub output_tokens: u64,
    /// Calls that failed, or whose answer could not be used.
    pub failures: u64,
}

impl Spent {
    pub(crate) fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
        self.failures += other.failures;
    }
}

/// The language model and the embedder, where the application gave them.
pub struct Models {
    llm: Option<Rc<dyn Llm>>,
    embedder: Option<Rc<dyn Embedder>>,
    timeout_ms: u32,
    spent: RefCell<Ordered<&'static str, Spent>>,
    /// Where everything that is asked here is counted too.
    whole: Option<Rc<Models>>,
    /// Vectors that were made beforehand, by their texts.
    prepared: RefCell<FxHashMap<String, Option<Embedding>>>,
    /// Who prepares texts: one at a time, so that calls are stored in the order in which they were made.
    preparing: Activity,
    /// Goes on until the memory is closed.
    open: Activity,
    opened: RefCell<Option<Working>>,
    /// Whether what runs now only reads: nothing that reads asks a language model for what is stored.
    reading: Rc<Cell<bool>>,
    /// Where the answers go.
    database: OnceCell<Database>,
    /// What was asked last, of all that ask here.
    pub(crate) requests: Rc<Requests>,
    /// What holds for everything that is stored, embedded or asked.
    pub(crate) guard: Rc<Guard>,
}

/// Texts whose vectors were made beforehand.
pub(crate) struct Prepared<'a> {
    models: &'a Models,
    texts: Vec<String>,
    _turn: Option<Working>,
}

impl Drop for Prepared<'_> {
    fn drop(&mut self) {
        let mut prepared = self.models.prepared.borrow_mut();
        for text in &self.texts {
            prepared.remove(text);
        }
    }
}

impl Models {
    /// Takes the models; without a language model rules extract, without an embedder the built-in one is used.
    #[must_use]
    pub(crate) fn new(
        llm: Option<Rc<dyn Llm>>,
        embedder: Option<Rc<dyn Embedder>>,
        timeout_ms: u32,
        guard: Rc<Guard>,
    ) -> Self {
        let open = Activity::default();
        let opened = RefCell::new(Some(open.begin()));
        let (spent, prepared, preparing) = (RefCell::default(), RefCell::default(), Activity::default());
        let (reading, database, requests) = (Rc::default(), OnceCell::new(), Rc::default());
        Self {
            llm,
            embedder,
            timeout_ms,
            spent,
            whole: None,
            prepared,
            preparing,
            open,
            opened,
            reading,
            database,
            requests,
            guard,
        }
    }

    /// The same models, with a count of their own beside the one they have.
    pub(crate) fn metered(self: &Rc<Self>) -> Rc<Self> {
        let (llm, embedder) = (self.llm.clone(), self.embedder.clone());
        Rc::new(Self {
            whole: Some(self.clone()),
            open: self.open.clone(),
            reading: self.reading.clone(),
            database: self.database.clone(),
            requests: self.requests.clone(),
            opened: RefCell::default(),
            ..Self::new(llm, embedder, self.timeout_ms, self.guard.clone())
        })
    }

    /// Says where the answers go: nothing is asked for that there is no room for.
    pub(crate) fn answer_to(&self, database: &Database) {
        // There is one.
        self.database.set(database.clone()).unwrap_or_default();
    }

    pub(crate) fn check_room(&self) -> Pending<'_, Result<()>> {
        match self.database.get() {
            Some(database) => database.check_room(),
            None => Box::pin(std::future::ready(Ok(()))),
        }
    }

    /// Says whether what runs from now on only reads.
    pub(crate) fn set_reading(&self, reading: bool) {
        self.reading.set(reading);
    }

    /// Ends what models are being asked: it fails with `Closed`, and their signals fire.
    pub(crate) fn close(&self) {
        drop(self.opened.take());
        self.requests.watch(None);
    }

    /// What a model answers, unless the memory is closed first.
    async fn unless_closed<T>(&self, answer: Pending<'_, Result<T>>) -> Result<T> {
        match select(pin!(self.open.idle()), answer).await {
            Either::Left(_) => Err(closed()),
            Either::Right((answer, _)) => answer,
        }
    }

    /// Under which name vectors are kept.
    #[must_use]
    pub fn embedder_id(&self) -> &str {
        self.embedder.as_ref().map_or(EMBEDDER, |embedder| embedder.id())
    }

    /// Whether the application gave an embedder.
    #[must_use]
    pub fn has_embedder(&self) -> bool {
        self.embedder.is_some()
    }

    /// Whether the application gave a language model.
    #[must_use]
    pub fn has_llm(&self) -> bool {
        self.llm.is_some()
    }

    /// How long the application gives the model, in milliseconds.
    pub(crate) fn timeout_ms(&self) -> u32 {
        self.timeout_ms
    }

    /// What was asked and spent, by purpose.
    #[must_use]
    pub fn spent(&self) -> Ordered<&'static str, Spent> {
        self.spent.borrow().clone()
    }

    /// What was asked and spent in all.
    #[must_use]
    pub fn spent_in_all(&self) -> Spent {
        let mut sum = Spent::default();
        self.spent.borrow().values().for_each(|spent| sum.add(spent));
        sum
    }

    /// The vector of a text, if it takes no waiting: from the built-in embedder, once its words are loaded.
    pub(crate) fn embed_at_once(&self, text: &str) -> Option<Embedding> {
        if let Some(prepared) = self.prepared.borrow().get(text) {
            return prepared.clone();
        }
        built_in::embed(self.built_in()?, text)
    }

    /// What the built-in embedder needs, if it is used and there.
    fn built_in(&self) -> Option<Loaded<Search>> {
        let database = self.database.get().filter(|_| self.embedder.is_none())?;
        Loaded::now(&*database.platform())
    }

    /// Waits for much text that was handed over before: its vectors are made before it is stored.
    pub(crate) async fn turn(&self) {
        self.preparing.idle().await;
    }

    /// Makes the vectors of texts of more than 8 KiB together, slice by slice, with the thread free for others in between. Until
    /// the answer is dropped, [`embed_at_once`](Self::embed_at_once) has them at once. Calls that were made later wait until then,
    /// so whoever queues a draft next does so in its order.
    pub(crate) async fn prepare(
        &self,
        database: &Database,
        texts: &mut dyn Iterator<Item = &str>,
    ) -> Prepared<'_> {
        let built_in = self.built_in();
        let mut texts: Vec<&str> = texts.filter(|_| built_in.is_some()).collect();
        if texts.iter().map(|text| text.len()).sum::<usize>() <= SLICE_BYTES {
            texts.clear();
        }
        let _hold = database.order().hold();
        self.turn().await;
        let turn = (!texts.is_empty()).then(|| self.preparing.begin());
        let mut prepared = Prepared { models: self, texts: Vec::new(), _turn: turn };
        let mut read = 0;
        for text in texts {
            let mut slices = Slices::new(text);
            let mut is_unread = true;
            while is_unread {
                is_unread = built_in.is_some_and(|part| built_in::read(part, &mut slices, SLICE_BYTES));
                read += text.len().min(SLICE_BYTES);
                if read >= SLICE_BYTES {
                    read = 0;
                    database.platform().yield_now().await;
                }
            }
            self.prepared.borrow_mut().insert(text.to_owned(), slices.embedding());
            prepared.texts.push(text.to_owned());
        }
        prepared
    }

    /// The vectors of queries, in order, asked for at once; `None` for a text that has nothing to embed.
    ///
    /// # Errors
    /// `Embedder` or `Timeout`; a search can go on by words.
    pub(crate) async fn embed_queries(&self, texts: &[&str]) -> Result<Vec<Option<Embedding>>> {
        if self.embedder.is_none() {
            return Ok(texts.iter().map(|text| embed(text)).collect());
        }
        let texts: Vec<String> = texts.iter().map(|text| self.guard.text(text).into_owned()).collect();
        self.embed_with(&texts, TextPurpose::Query, QUERY_TIMEOUT_MS).await
    }

    /// The vectors of texts, in order; `None` for a text that has nothing to embed.
    ///
    /// # Errors
    /// `QuotaExceeded` when there is no room for them, `Embedder` when the callback fails or answers another number of vectors,
    /// or vectors without a direction; `Timeout`.
    pub(crate) async fn embed(&self, texts: &[String]) -> Result<Vec<Option<Embedding>>> {
        self.check_room().await?;
        self.embed_with(texts, TextPurpose::Document, self.timeout_ms).await
    }

    /// The same for a purpose, within a time.
    ///
    /// # Errors
    /// `Embedder` and `Timeout`.
    pub(crate) async fn embed_with(
        &self,
        texts: &[String],
        purpose: TextPurpose,
        timeout_ms: u32,
    ) -> Result<Vec<Option<Embedding>>> {
        let Some(embedder) = &self.embedder else {
            let database = self.database.get().ok_or_else(closed)?;
            let part = Loaded::by(&*database.platform()).await?;
            return Ok(texts.iter().map(|text| built_in::embed(part, text)).collect());
        };
        let begun = self.requests.begin(self.database.get());
        let answer = self.unless_closed(embedder.embed(texts, purpose, timeout_ms)).await;
        let checked = answer.and_then(|vectors| {
            if vectors.len() != texts.len() {
                return Err(Error::new(
                    Code::Embedder,
                    format!(
                        "the embedder returned {} vectors for {} texts; return one for each, in order",
                        vectors.len(),
                        texts.len()
                    ),
                ));
            }
            // A vector of zeros says that there is nothing to embed; it must not keep the others back.
            let nothing = |vector: &[f32]| !vector.is_empty() && vector.iter().all(|value| *value == 0.0);
            let quantised = vectors.iter().map(|vector| {
                (!nothing(vector)).then(|| Embedding::quantise(embedder.id(), vector)).transpose()
            });
            quantised.collect::<Result<Vec<_>>>()
        });
        let sent: usize = texts.iter().map(|text| tokens::estimate(text)).sum();
        let ended = Ended {
            purpose: "embed",
            prompt: None,
            tokens: (sent as u64, 0),
            estimated: true,
            texts: Some(texts.len()),
            error: checked.as_ref().err().cloned(),
        };
        self.count(begun, ended);
        checked
    }

    /// Whether a result is related to its query at all: it shares a word, is near enough in meaning, or was said next to what is, or
    /// when the query says.
    pub(crate) fn is_relevant(&self, found: &Found<'_>) -> bool {
        let [words, meaning] = found.score.terms;
        let related = related(self.embedder_id());
        let signals = found.signals;
        let by_place = signals.neighbours > 0.0 || signals.date > 0.0;
        words.raw.is_some() || by_place || meaning.raw.is_some_and(|cosine| cosine >= related)
    }

    /// Whether a fact that was searched for with another one may say the same.
    pub(crate) fn is_alike(&self, found: &Found<'_>) -> bool {
        let [_, meaning] = found.score.terms;
        let alike = if self.embedder.is_some() { ALIKE } else { ALIKE_BUILT_IN };
        meaning.raw.is_some_and(|cosine| cosine >= alike)
    }

    /// Asks for whatever the model answers.
    ///
    /// # Errors
    /// `Model` when there is no model or it fails; `Timeout`.
    pub(crate) async fn reply(&self, request: &ModelRequest) -> Result<Value> {
        self.complete(self.llm()?, request).await
    }

    /// Asks for a text.
    ///
    /// # Errors
    /// `Model` when there is no model, it fails, or its answer is no text or a blank one; `Timeout`.
    pub(crate) async fn say(
        &self,
        purpose: &'static str,
        prompt: &'static str,
        messages: Vec<ModelMessage>,
        max_tokens: u32,
    ) -> Result<String> {
        let request = ModelRequest { purpose, prompt, messages, schema: None, tools: None, max_tokens };
        match self.reply(&request).await? {
            Value::String(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
            _ => {
                self.unusable(purpose);
                Err(Error::new(Code::Model, "the model returned no text; return a string that is not blank"))
            }
        }
    }

    /// The language model.
    ///
    /// # Errors
    /// `Model` when there is none.
    pub(crate) fn llm(&self) -> Result<&Rc<dyn Llm>> {
        let missing = || Error::new(Code::Model, "there is no language model; give one to openMemory");
        self.llm.as_ref().ok_or_else(missing)
    }

    async fn complete(&self, llm: &Rc<dyn Llm>, request: &ModelRequest) -> Result<Value> {
        if self.reading.get() {
            let message = "this call would ask the model for what it then writes, and this view of the memory only reads; make it on the scope itself";
            return Err(Error::new(Code::ReadOnly, message));
        }
        self.check_room().await?;
        self.complete_within(llm, request, self.timeout_ms).await
    }

    /// Asks the model, whatever becomes of its answer.
    async fn complete_within(
        &self,
        llm: &Rc<dyn Llm>,
        request: &ModelRequest,
        timeout_ms: u32,
    ) -> Result<Value> {
        let begun = self.requests.begin(self.database.get());
        let forgotten = begun.forgotten();
        let answer = self.unless_closed(llm.complete(request, timeout_ms)).await;
        let (answer, told) = match answer {
            Ok(answer) => {
                let (answer, told) = unwrapped(answer);
                (Ok(answer), told)
            }
            failed => (failed, None),
        };
        let tokens = told.unwrap_or_else(|| {
            let sent: usize = request.messages.iter().map(|message| tokens::estimate(&message.content)).sum();
            let tools = request.tools.as_ref().map_or(0, |tools| tokens::estimate(&tools.to_string()));
            let received = answer.as_ref().map_or(0, |answer| tokens::estimate(&shown(answer)));
            ((sent + tools) as u64, received as u64)
        });
        let ended = Ended {
            purpose: request.purpose,
            prompt: Some(request.prompt),
            tokens,
            estimated: told.is_none(),
            texts: None,
            error: answer.as_ref().err().cloned(),
        };
        self.count(begun, ended);
        self.requests.keep(forgotten, request, answer.as_ref().ok());
        answer
    }

    /// Counts a call that has ended.
    fn count(&self, begun: Begun, ended: Ended) {
        let ((input_tokens, output_tokens), failures) = (ended.tokens, u64::from(ended.error.is_some()));
        self.book(ended.purpose, &Spent { calls: 1, input_tokens, output_tokens, failures });
        self.requests.end(self.database.get(), begun, ended);
    }

    /// Counts that an answer came, but could not be used.
    pub(crate) fn unusable(&self, purpose: &'static str) {
        self.requests.unusable(purpose);
        self.book(purpose, &Spent { failures: 1, ..Spent::default() });
    }

    fn book(&self, purpose: &'static str, spent: &Spent) {
        self.spent.borrow_mut().update(purpose, |known| known.add(spent));
        if let Some(whole) = &self.whole {
            whole.book(purpose, spent);
        }
    }
}

/// What an answer in the form `{content, usage: {inputTokens, outputTokens}}` holds: its content, or all of it when it has calls,
/// and the two numbers, without which the cost is estimated. Any other answer as it is.
fn unwrapped(mut answer: Value) -> (Value, Option<(u64, u64)>) {
    let number = |name: &str| answer.get("usage")?.get(name)?.as_u64().filter(|number| *number <= MOST_TOLD);
    let told = number("inputTokens").zip(number("outputTokens"));
    let content = match &mut answer {
        // No prompt asks for an answer with a content.
        Value::Object(object) if told.is_some() || object.keys().all(|key| WRAPPED.contains(&&**key)) => {
            let calls = object.get("toolCalls").and_then(Value::as_array).map_or(0, Vec::len);
            object.get_mut("content").filter(|_| calls == 0).map(Value::take)
        }
        _ => None,
    };
    (content.unwrap_or(answer), told)
}

const WRAPPED: &[&str] = &["content", "usage", "toolCalls"];

fn shown(answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
