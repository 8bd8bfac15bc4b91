//! Giving vectors to what was stored without one: text first, vector later, in the background or before a search.

use crate::database::{CallOrder, Database, Event};
use crate::embedding::Embedding;
use crate::error::{Code, Error, Result};
use crate::id::Id;
use crate::log::{Cause, Embed};
use crate::memory::models::{Models, QUERY_TIMEOUT_MS};
use crate::memory::schedule::Job;
use crate::ordered::Ordered;
use crate::ports::Pending;
use crate::record::Kind;
use crate::scope::Scope;
use crate::sort::sorted;
use crate::store::{Change, Draft, Store};
use crate::time::Timestamp;
use futures_channel::oneshot;
use futures_util::future::{Either, select};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// How many records get their vectors in one step.
const BATCH: usize = 64;
/// How many documents a search of documents gives their vectors at most; older ones get theirs in the background.
const MOST_DOCUMENTS: usize = 64;
/// How many texts these may have together, unless the latest alone has more.
const MOST_TEXTS: usize = 128;
/// How long a search waits until vectors are stored: where a storage hangs, words find what has none.
const PATIENCE_MS: u32 = 1_000;
/// The name of the job.
pub(crate) const EMBEDDING: &str = "embedding";

/// A text without a vector: of whose scope, id and text revision, and its parts.
type Unembedded = (Scope, Id, u32, Vec<String>);

/// What gives texts their vectors: a job, and what searches do before they begin.
pub(crate) struct Embeddings {
    database: Database,
    models: Rc<Models>,
    /// Texts in which the embedder finds nothing, by record and text revision; not asked again until the memory is opened
    /// anew.
    empty: RefCell<Ordered<(Id, u32), ()>>,
    /// Texts that failed alone, the latest last: they are asked for behind all others, so that one that the embedder refuses keeps
    /// none of them back.
    refused: RefCell<Vec<(Id, u32)>>,
    /// How many records the next step takes at most: half as many after a failure, twice as many after a success.
    size: Cell<usize>,
    /// Whether listeners were told that it finds nothing.
    told: Cell<bool>,
    /// One step at a time, or several would give the same texts their vectors; and of searches of documents as well.
    order: CallOrder,
    of_documents: CallOrder,
    /// Whether the last step failed: the job tries again when it is time to, and searches do not.
    fails: Cell<bool>,
    /// Whether something that a search began takes longer than a search waits: the next ones do not wait for it.
    is_late: Cell<bool>,
}

impl Embeddings {
    pub(crate) fn new(database: Database, models: Rc<Models>) -> Self {
        let (empty, refused) = (RefCell::default(), RefCell::default());
        Self {
            database,
            models,
            empty,
            refused,
            size: Cell::new(BATCH),
            told: Cell::default(),
            order: CallOrder::default(),
            of_documents: CallOrder::default(),
            fails: Cell::default(),
            is_late: Cell::default(),
        }
    }

    /// The first texts that need a vector, those that failed alone last.
    fn batch(&self, store: &Store, size: usize) -> Vec<Unembedded> {
        let (empty, refused) = (self.empty.borrow(), self.refused.borrow());
        let mut batch = store.unembedded(size.saturating_add(empty.len()).saturating_add(refused.len()));
        batch.retain(|(_, id, revision, _)| !empty.contains(&(*id, *revision)));
        let turn = |(_, id, revision, _): &Unembedded| {
            refused.iter().position(|text| *text == (*id, *revision)).map_or(0, |turn| turn + 1)
        };
        if !refused.is_empty() {
            batch = sorted(&batch, |one, other| turn(one).cmp(&turn(other))).into_iter().cloned().collect();
        }
        batch.truncate(size);
        batch
    }

    /// The vectors of a batch. When that fails, half of it is tried, and half of that, until one text is left: it may be the
    /// one that is refused.
    ///
    /// # Errors
    /// Those of the last attempt.
    async fn embed(&self, batch: &mut Vec<Unembedded>) -> Result<Vec<Vec<Embedding>>> {
        loop {
            let texts: Vec<&[String]> = batch.iter().map(|(_, _, _, texts)| texts.as_slice()).collect();
            let error = match self.models.embed_parts(&texts, self.models.timeout_ms()).await {
                Ok(embeddings) => {
                    self.size.set(self.size.get().saturating_mul(2).min(BATCH));
                    self.tell_of_nothing(&texts, &embeddings);
                    return Ok(embeddings);
                }
                Err(error) => error,
            };
            if error.code != Code::Embedder {
                return Err(error);
            }
            if let [(_, id, revision, _)] = batch.as_slice() {
                let mut refused = self.refused.borrow_mut();
                refused.retain(|text| *text != (*id, *revision));
                refused.push((*id, *revision));
                return Err(error);
            }
            batch.truncate(batch.len() / 2);
            self.size.set(batch.len());
        }
    }

    /// Whether a search may give texts their vectors.
    fn may_store(&self) -> bool {
        !self.is_late.get() && !self.database.is_reading() && self.database.check_writable().is_ok()
    }

    /// Gives what was stored before the built-in embedder was there its vectors, where one step does. A search waits for that no longer
    /// than [`PATIENCE_MS`]; listeners are told when it fails.
    pub(crate) fn catch_up<'a>(self: &'a Rc<Self>) -> Pending<'a, ()> {
        Box::pin(async move {
            if self.models.has_embedder() || self.fails.get() || !self.may_store() {
                return;
            }
            let waiting =
                self.database.read(|store| Ok(self.batch(store, BATCH + 1).len())).unwrap_or_default();
            if (1..=BATCH).contains(&waiting) {
                let step = self.clone();
                self.wait(Box::pin(async move { step.step(None).await.map(drop) }), PATIENCE_MS).await;
            }
        })
    }

    /// Gives the latest documents of a scope that have no vector theirs, by whatever embedder, so that a search finds by meaning what was
    /// put before it. Where that fails, listeners are told, and words are used.
    pub(crate) async fn catch_up_documents(self: &Rc<Self>, scope: &Scope) {
        let waits = |store: &Store| Ok(!store.unembedded_of(scope, Kind::Document, 1).is_empty());
        if self.may_store() && self.database.read(waits).unwrap_or_default() {
            let (embeddings, scope) = (self.clone(), scope.clone());
            let work = async move { embeddings.embed_documents(&scope).await };
            let of_embedder = if self.models.has_embedder() { QUERY_TIMEOUT_MS } else { 0 };
            self.wait(Box::pin(work), of_embedder + PATIENCE_MS).await;
        }
    }

    /// Waits for work no longer than so long; it goes on by itself, so that what is stored late is stored once.
    async fn wait(self: &Rc<Self>, work: Pending<'static, Result<()>>, most_ms: u32) {
        // Calls that were made after the search stay behind it.
        let _hold = self.database.order().hold();
        let (sender, done) = oneshot::channel();
        let (embeddings, platform) = (self.clone(), self.database.platform());
        platform.spawn(Box::pin(async move {
            if let Err(error) = work.await {
                embeddings.database.tell(&Event::Error(error));
            }
            embeddings.is_late.set(false);
            // A search that has gone on does not hear it.
            sender.send(()).unwrap_or_default();
        }));
        if let Either::Right(_) = select(done, platform.sleep(most_ms)).await {
            self.is_late.set(true);
        }
    }

    /// Gives some of the texts that wait their vectors; answers whether there were any.
    async fn embed_batch(&self) -> Result<bool> {
        let mut batch = self.database.read(|store| Ok(self.batch(store, self.size.get())))?;
        if batch.is_empty() {
            return Ok(false);
        }
        self.models.check_room().await?;
        let embeddings = self.embed(&mut batch).await?;
        self.store(batch, embeddings).await?;
        Ok(true)
    }

    async fn embed_documents(&self, scope: &Scope) -> Result<()> {
        self.of_documents.turn().await;
        let _hold = self.of_documents.hold();
        let mut latest =
            self.database.read(|store| Ok(store.unembedded_of(scope, Kind::Document, MOST_DOCUMENTS)))?;
        latest.retain(|(_, id, revision, _)| !self.empty.borrow().contains(&(*id, *revision)));
        let mut count = 0;
        let some = latest.iter().take_while(|(_, _, _, texts)| {
            count += texts.len();
            count <= MOST_TEXTS.max(texts.len())
        });
        latest.truncate(some.count());
        if latest.is_empty() {
            return Ok(());
        }
        let texts: Vec<&[String]> = latest.iter().map(|(_, _, _, texts)| texts.as_slice()).collect();
        let embeddings = self.models.embed_parts(&texts, QUERY_TIMEOUT_MS).await?;
        self.store(latest, embeddings).await
    }

    /// Stores the vectors of texts. Those in which the embedder finds nothing are not asked for again.
    async fn store(&self, batch: Vec<Unembedded>, embeddings: Vec<Vec<Embedding>>) -> Result<()> {
        let mut drafts: Vec<Draft> = Vec::new();
        for ((scope, id, revision, _), embeddings) in batch.into_iter().zip(embeddings) {
            if embeddings.is_empty() {
                self.empty.borrow_mut().insert((id, revision), ());
                continue;
            }
            let embed = |embedding| Change::Embed(Embed { id, revision, embedding });
            let changes = embeddings.into_iter().map(embed);
            match drafts.iter_mut().find(|draft| draft.scope == scope) {
                Some(draft) => draft.changes.extend(changes),
                None => {
                    let mut draft = Draft::new(&scope, Cause::Embed);
                    draft.changes.extend(changes);
                    drafts.push(draft);
                }
            }
        }
        for draft in drafts {
            self.database.commit(draft).await?;
        }
        Ok(())
    }

    /// Tells listeners, once, of an embedder that finds nothing in any of some texts with words: it is likely broken.
    fn tell_of_nothing(&self, texts: &[&[String]], embeddings: &[Vec<Embedding>]) {
        let has_words = texts.iter().copied().flatten().any(|text| text.contains(char::is_alphanumeric));
        if has_words && embeddings.iter().all(Vec::is_empty) && !self.told.replace(true) {
            let message = format!(
                "the embedder returned nothing but zeros for {} texts; they are found by words alone",
                texts.iter().copied().flatten().count()
            );
            self.database.tell(&Event::Error(Error::new(Code::Embedder, message)));
        }
    }
}

impl Job for Embeddings {
    fn kind(&self) -> &'static str {
        EMBEDDING
    }

    fn due(&self, store: &Store, _: Option<&Scope>, _: Timestamp) -> Result<Option<Timestamp>> {
        Ok(if self.batch(store, 1).is_empty() { None } else { Some(Timestamp::MIN) })
    }

    fn waiting(&self, store: &Store, _: Option<&Scope>, _: Timestamp) -> Result<usize> {
        Ok(self.batch(store, usize::MAX).len())
    }

    fn step<'a>(&'a self, _: Option<&'a Scope>) -> Pending<'a, Result<bool>> {
        Box::pin(async move {
            self.order.turn().await;
            let _hold = self.order.hold();
            let done = self.embed_batch().await;
            self.fails.set(done.is_err());
            done
        })
    }
}
